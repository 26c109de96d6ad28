import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.boats.load import Load, LoadRule
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.assemble import Source, assembled
from usv_energy.studies.analyze import log_interval as module
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.current.unknown_flow import PRIOR
from usv_energy.studies.analyze.log_interval import flow_interval, log_interval
from usv_energy.studies.analyze.log_report import log_report, report_figures


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


def test_a_log_whose_every_second_sample_tells_the_same_is_sure_to_what_is_not_resolved():
    """Loads included: they are of the energy, and of that by every second sample."""
    loaded = replace(BOAT, vessel=BOAT.vessel._replace(static_load=10.0, loads=(Load(5.0),)),
                     load_rules=(LoadRule('radio'),))
    analysed = analysed_log(straight(401), loaded)
    assert analysed.energy.loads == pytest.approx(5.0 * 20.0)
    found, energy = log_interval(analysed), analysed.energy.total
    assert found.lost == pytest.approx(0.0, abs=1e-9 * energy)
    assert (found.low, found.high) == pytest.approx((energy * (1.0 - module.RESOLUTION),
                                                     energy * (1.0 + module.RESOLUTION)))


@pytest.mark.parametrize(('told_by', 'by_mean'), [
    (module.OWN, 0.0), ('', math.hypot(30.0, module.MOVING_WATER * 250.0))])
@pytest.mark.parametrize(('thrust', 'by_force'), [(100.0, 200.0), (-25.0, 100.0)])
@pytest.mark.parametrize(('drift', 'by_drift'), [((0.0, 0.0), 0.0), ((3.0, 4.0), 5.0 * math.hypot(
    7.0 * module.DRIFT_OFF, 9.0 * module.DIRECTION_OFF))])
def test_what_waves_make_uncertain_adds_as_independent_errors_do(monkeypatch, told_by, by_mean, thrust, by_force,
                                                                 drift, by_drift):
    """2 N off over 50 m are 100 J of thrust, twice that of a battery that gives 250 J for 125; without work as many."""
    along = np.array(drift) / (math.hypot(*drift) or 1.0)

    def energy_of(analysed, time, motion, flow, action):
        """30 J less by a motion that is smoother, 7 J by 1 m/s along the drift, 9 by that across it."""
        if motion == 'smoother':
            return 270.0
        return 300.0 - 7.0 * (along @ flow) - 9.0 * (along[0] * flow[1] - along[1] * flow[0])

    monkeypatch.setattr(module, '_energy', energy_of)
    monkeypatch.setattr(module, 'Motion', lambda *width: 'smoother' if math.prod(width) == pytest.approx(
        math.sqrt(3.0) * 4.0) else 'other')
    monkeypatch.setattr(module, 'less_drift', lambda flow, error: np.array(error))
    monkeypatch.setattr(module, 'without_oscillation', lambda log, motion, width: (width,))
    waves = SimpleNamespace(width=4.0, told_by=told_by, action=None, drift=drift, off=np.array([2.0, 2.0, 2.0]))
    analysed = SimpleNamespace(
        energy=SimpleNamespace(total=300.0, static_load=40.0, loads=10.0, thrust=thrust, unrecovered=25.0),
        flow=None, log=SimpleNamespace(time=None), motion='own', power=SimpleNamespace(u_r=np.array([9.0, 1.0, -0.5])),
        integral=SimpleNamespace(ends=np.array([1, 2]), durations=np.array([30.0, 40.0])))
    found = module._in_waves(analysed, waves)
    half = math.sqrt(by_force ** 2 + by_drift ** 2 + by_mean ** 2 + (module.RESOLUTION * 300.0) ** 2)
    assert (found.low, found.high) == pytest.approx((max(300.0 - half, 0.0), 300.0 + half), rel=1e-12)
    assert found.waves == pytest.approx(by_force) and found.lost == pytest.approx(30.0)


def test_on_one_course_the_interval_holds_a_current_and_the_scale_of_the_speed_through_the_water():
    """At 1 m/s over ground a wheel says 0.78: in still water it counts that share, or a current of 0.22 m/s helps."""
    time = np.arange(0.0, 120.0)
    still = np.zeros(len(time))
    series = {'x': time, 'y': still, 'velocity_x': still + 1.0, 'velocity_y': still, 'yaw': still,
              'wind_x': still, 'wind_y': still}
    plain = analysed_log(assembled(Source('a', Path('a.csv')), time, series), BOAT).energy.total
    report = log_report(analysed_log(assembled(Source('a', Path('a.csv')), time, {
        **series, 'through_water': still + 0.78}), BOAT))
    assert report.analysed.energy.total < 0.7 * plain
    assert report.by_water_speed.high == pytest.approx(plain, rel=1e-6)
    assert report.trust.interval.low < report.analysed.energy.total and report.trust.interval.high >= plain


def test_the_interval_of_a_flow_reaches_over_95_of_100_of_its_prior():
    """20 s tell nothing of a current: 1.96 times its prior's standard deviation to each side, all else known."""
    options, prior = AnalysisOptions(motion='recorded', wind=UniformFlow()), 1.96 * float(PRIOR[0])
    found = flow_interval(analysed_log(straight(), BOAT, options))
    low, own, high = (analysed_log(straight(), BOAT, options._replace(current=UniformFlow(one))).energy.total
                      for one in (prior, 0.0, -prior))
    assert found == pytest.approx((low, high), abs=0.06 * own)
