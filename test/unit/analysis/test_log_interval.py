from dataclasses import replace
from types import SimpleNamespace

from analyze_files import BOAT

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.flow_along_log import AnalysisOptions
from usv_energy.analysis.log_figures import report_figures
from usv_energy.analysis.log_interval import _for_each_flow, log_interval
from usv_energy.analysis.log_report import log_report
from usv_energy.analysis.motion.energy_interval import EnergyInterval


def test_a_log_without_noise_is_held_against_every_second_of_its_samples(independent):
    log, work = independent('stop_and_go', 10.0)
    found = log_interval(analysed_log(log, BOAT))
    assert found.low < work < found.high
    assert found.noise == 0.0
    assert found.high - found.low < 0.01 * work


def test_a_recorded_motion_has_no_interval(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    assert log_interval(analysed_log(log, BOAT, AnalysisOptions(motion='recorded'))) is None


def test_the_interval_is_among_the_figures(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    figures = report_figures(log_report(analysed_log(log, BOAT)))
    assert figures['energy_low_j'] < figures['energy_j'] < figures['energy_high_j']


def test_a_static_load_is_in_the_interval_too(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    loaded = replace(BOAT, vessel=BOAT.vessel._replace(static_load=10.0))
    plain, found = (log_interval(analysed_log(log, boat)) for boat in (BOAT, loaded))
    assert abs(0.5 * (found.low + found.high - plain.low - plain.high) - 10.0 * log.duration) < 1.0


def test_an_interval_reaches_as_far_about_the_energy_in_each_flow_that_may_have_been():
    plain = EnergyInterval(90.0, 120.0, 1.0, 2.0, 3.0)
    for energies, low, high, flows in (((), 90.0, 120.0, 0.0), ((95.0, 102.0, 130.0), 85.0, 150.0, 35.0),
                                       ((4.0,), 0.0, 24.0, 0.0), ((101.0, 103.0), 91.0, 123.0, 2.0)):
        analysed = SimpleNamespace(energy=SimpleNamespace(total=100.0), possible_energies=energies)
        found = _for_each_flow(analysed, plain)
        assert (found.low, found.high, found.flows) == (low, high, flows)
        assert (found.noise, found[3:5]) == (plain.noise, plain[3:5])
