
import math
from dataclasses import replace

import numpy as np
import pytest
from analyze_files import straight

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import resolve
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.log import INFO, Note
from usv_energy.logs.read_log import read_log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze import log_waves
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ASSUMED_STILL, AnalysisOptions, FlowAlongLog
from usv_energy.studies.analyze.log_interval import DRIFT_OFF, log_interval
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.log_waves import _known_drift, _without_drift, log_in_waves, sea_figures, sea_words
from usv_energy.studies.analyze.report_page import report_html
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen
from usv_energy.studies.analyze.waves.waves_along_log import OWN, PARTS, WavesAlongLog
from usv_energy.studies.runs.run_folder import write_run

BOAT = read_boat('otter_parts')


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """Return the log of a run against a sea of 0.3 m, whose current holds the surface drift, and its summary."""
    folder = tmp_path_factory.mktemp('sea')
    summary = write_run(run_scenario(read_scenario(str(resolve('scenarios', 'waves/otter_head_sea')))), folder, False,
                        'usv-energy')
    return read_log(folder), summary


@pytest.fixture(scope='module')
def analysed(run):
    """Return its analyses by what is known of the drift that the current holds: the drift, or how deep it was taken."""
    log, summary = run
    drift = summary['drift_east_m_per_s'], summary['drift_north_m_per_s']
    return {'drift': analysed_log(log, BOAT, AnalysisOptions(drift_depth=0.0, drift=drift)),
            'depth': analysed_log(log, BOAT, AnalysisOptions(drift_depth=0.0))}


def given(analysed):
    return analysed.energy.thrust + analysed.energy.unrecovered


def causes_add_up(energy):
    causes = ('inertia', 'damping', 'wind', 'foils', 'waves', 'side_force', 'residual')
    return energy.thrust == pytest.approx(sum(getattr(energy, cause) for cause in causes), rel=1e-9)


def test_the_energy_is_the_thrusters_own_work(run, analysed):
    summary, seen = run[1], analysed['drift']
    assert summary['drift_east_m_per_s'] == pytest.approx(-0.046, abs=0.004)  # As `Sea.stokes_drift` of other such seas
    # By the waves that the hull met; must-show C of issue 18 asks for 3 %.
    assert given(seen) == pytest.approx(summary['thruster_energy_j'], rel=0.005)
    assert seen.waves.told_by == OWN and causes_add_up(seen.energy)
    assert 0.03 < seen.energy.waves / seen.energy.thrust < 0.12


def test_by_the_mean_of_its_sea_the_energy_is_near_it(run):
    log, summary = run
    seldom = replace(log, extra={name: np.where(np.arange(len(log)) % 50 == 0, np.nan, values)
                                 for name, values in log.extra.items()})
    seen = analysed_log(seldom, BOAT, AnalysisOptions(current=UniformFlow()))
    assert given(seen) == pytest.approx(summary['thruster_energy_j'], rel=0.03)
    assert seen.waves.told_by == PARTS and causes_add_up(seen.energy)
    left_in = analysed_log(log, BOAT, AnalysisOptions(current=UniformFlow(), waves=False))
    assert abs(given(left_in) / summary['thruster_energy_j'] - 1.0) > 0.03 and left_in.energy.waves == 0.0


def test_a_drift_that_is_estimated_widens_the_interval(run, analysed):
    told, guessed = (log_interval(analysed[known]) for known in ('drift', 'depth'))
    found = analysed['depth']
    # Of a linear drag at 1 m/s: twice the share by which the speed through the water may be off.
    more = 2.0 * DRIFT_OFF * math.hypot(*found.waves.drift) * (found.energy.total - found.energy.static_load)
    wider = math.sqrt((guessed.high - guessed.low) ** 2 - (told.high - told.low) ** 2) / 2.0
    assert wider == pytest.approx(more, rel=0.3) and analysed['drift'].waves.drift == (0.0, 0.0)


def test_the_report_names_the_sea(analysed):
    report = log_report(analysed['depth'])
    figures, text = report_figures(report), log_text(report)
    assert figures['significant_height_m'] == pytest.approx(0.3, abs=0.07)
    assert figures['peak_period_s'] == pytest.approx(2.5, abs=0.3)
    assert abs(math.remainder(figures['wave_direction_deg'] - 180.0, 360.0)) < 20.0
    assert figures['sea_seen_from'] == 'heave, roll and pitch' and 'sea seen: significant height' in text
    assert "less the waves' drift at the surface" in text
    page = report_html(report)
    assert f'{figures["significant_height_m"]:.2f} m' in page and 'from heave, roll and pitch' in page
    assert report.interval is not None and report.interval.waves > 0.0
    assert report.interval.low < report.analysed.energy.total < report.interval.high


def test_a_boat_in_the_plane_has_the_coefficients_of_its_file(run):
    """The otter in the plane, with what its parts take: the note says whose force it is."""
    log, summary = run
    seen = analysed_log(log, replace(read_boat('otter'), waves=BOAT.waves), AnalysisOptions(current=UniformFlow()))
    assert given(seen) == pytest.approx(summary['thruster_energy_j'], rel=0.03)
    note = next(note for note in seen.notes if note.code == 'in_waves')
    assert note.level == 'info' and 'by the coefficients in its file' in note.text
    assert report_figures(log_report(seen))['wave_force_from'] == 'the coefficients in its file'
    without = analysed_log(log, read_boat('otter'), AnalysisOptions(current=UniformFlow()))
    note = next(note for note in without.notes if note.code == 'in_waves')
    assert note.level == 'warning' and 'or its coefficients (waves)' in note.text


def test_a_sea_that_is_told_needs_no_heave(run):
    log, summary = run
    blind = replace(log, extra={})
    told = analysed_log(blind, BOAT, AnalysisOptions(current=UniformFlow(), sea=(0.3, 2.5, math.pi)))
    assert given(told) == pytest.approx(summary['thruster_energy_j'], rel=0.03)
    assert told.waves.sea.height == 0.3 and 'by what was told' in str(told.notes)
    calm = analysed_log(log, BOAT, AnalysisOptions(current=UniformFlow(), sea=(0.0, 1.0, 0.0)))
    assert calm.waves is None and calm.energy.waves == 0.0


def test_a_log_in_flat_water_says_that_nothing_is_known(folder):
    analysed = analysed_log(read_log(folder), read_boat('lutra_prop'))
    assert analysed.waves is None and sea_words(analysed.waves, analysed.notes) == ''
    assert report_figures(log_report(analysed))['significant_height_m'] is None


def test_calm_water_is_told_from_no_sensor(folder):
    log = read_log(folder)
    log = replace(log, extra={**log.extra, 'heave_m': 0.0 * log.time})
    analysed = analysed_log(log, read_boat('lutra_prop'))
    assert 'calm water' in sea_words(analysed.waves, analysed.notes)


SEA = SeaSeen(0.3, 2.5, 0.5 * math.pi, 'heave', 0.9, 1.0)
WATER = Flow(*np.array([[0.3], [-0.1], [2.0], [1.0]]) * np.ones(400))


def along_log(source='log'):
    return FlowAlongLog(WATER, {}, {}, {'current': source, 'wind': 'log'}, [], {})


def looked_at(monkeypatch, options, series):
    """Return the log in waves of a straight way whose force and slip of waves are put in, and how often it was."""
    log, asked = straight(), []
    motion = Motion(log.yaw, log.u, log.v, log.r, log.u_dot, log.v_dot, log.r_dot)

    def waves(*given):
        asked.append(given)
        return WavesAlongLog(SEA, np.full(400, 2.0), np.full(400, 0.4), np.full(400, 0.05), OWN, 1.0)

    monkeypatch.setattr(log_waves, 'wave_series', lambda log: series)
    monkeypatch.setattr(log_waves, 'sea_of_log', lambda log, flow, boat: (SEA, ''))
    monkeypatch.setattr(log_waves, 'waves_along_log', waves)
    return log_in_waves(log, motion, along_log(), BOAT, options, None), motion, len(asked)


@pytest.mark.parametrize(('changed', 'series', 'looked'), [
    ({}, {}, False), ({}, {'heave': 1}, True), ({'sea': (0.3, 2.5, 0.0)}, {}, True),
    ({'waves': False}, {'heave': 1}, False),
    ({'waves': False, 'sea': (0.3, 2.5, 0.0)}, {}, False), ({'convention': 'as_published'}, {'heave': 1}, False),
    ({'convention': 'as_published', 'sea': (0.3, 2.5, 0.0)}, {'heave': 1}, False),
    ({'sea': (0.0, 2.5, 0.0)}, {}, False)])
def test_waves_are_looked_at_where_asked_for_by_the_convention_that_has_them_and_seen_or_told(
        monkeypatch, changed, series, looked):
    found, motion, asked = looked_at(monkeypatch, AnalysisOptions(**changed), series)
    assert (found.waves is not None) is looked and asked == looked
    assert looked or found.motion is motion


def test_the_surge_that_power_takes_is_that_over_ground_less_what_pitching_adds(monkeypatch):
    """A steady boat of 1 m/s whose axis pitches so that 5 cm/s of its way over ground are not along it."""
    found, motion, _ = looked_at(monkeypatch, AnalysisOptions(), {'heave': 1})
    np.testing.assert_allclose(found.motion.u, motion.u - 0.05, rtol=1e-9)
    np.testing.assert_allclose(found.motion.v, motion.v, atol=1e-12)


def drift_note(along):
    return [note.code for note in along.notes] == ['drift_not_in_current']


@pytest.mark.parametrize(('source', 'depth', 'direction', 'taken', 'noted'), [
    (ASSUMED_STILL, 0.0, 1.0, False, False), ('log', None, 1.0, False, True), ('log', 0.0, math.nan, False, True),
    ('log', 0.0, 1.0, True, False), ('a file', None, 1.0, False, False), ('a file', 0.0, math.nan, False, False),
    ('a file', 0.5, 1.0, True, False)])
def test_a_drift_is_taken_from_a_current_that_holds_it_where_its_way_is_known(source, depth, direction, taken, noted):
    """It goes where the sea runs, and nothing else of the flow is changed; a log's that may hold it is told of."""
    along, drift = _without_drift(along_log(source), SEA._replace(direction=direction),
                                  AnalysisOptions(drift_depth=depth))
    assert drift_note(along) is noted and (len(along.notes) == 1) is noted
    if not taken:
        assert drift == (0.0, 0.0) and along.flow == WATER and along.sources['current'] == source
        return
    assert math.atan2(drift[1], drift[0]) == pytest.approx(1.0, rel=1e-9) and math.hypot(*drift) > 0.005
    np.testing.assert_allclose((WATER.current_x - along.flow.current_x)[0], drift[0], rtol=1e-9)
    np.testing.assert_allclose((WATER.current_y - along.flow.current_y)[0], drift[1], rtol=1e-9)
    place = 'at the surface' if depth == 0.0 else '0.5 m deep'
    assert along.sources['current'] == f"{source}, less the waves' drift {place}" and along.flow.wind_x is WATER.wind_x


def test_a_known_drift_is_taken_off_and_is_no_estimate():
    along, drift = _without_drift(along_log(), SEA, AnalysisOptions(drift=(0.02, -0.03)))
    assert drift == (0.0, 0.0) and along.sources['current'] == "log, less the waves' own drift"
    np.testing.assert_allclose([along.flow.current_x[0], along.flow.current_y[0]], [0.28, -0.07], rtol=1e-12)
    assert _known_drift(AnalysisOptions(current=UniformFlow(), drift=(0.02, -0.03))) == (0.02, -0.03)


WAVES = WavesAlongLog(SEA._replace(direction=-0.5 * math.pi), np.array([1.0, np.nan, 4.0]), np.zeros(3), np.zeros(3),
                      OWN, 1.0)


def test_directions_are_told_from_0_to_360_degrees_and_forces_by_their_mean():
    figures = sea_figures(WAVES)
    assert figures['wave_direction_deg'] == pytest.approx(270.0)
    assert (figures['significant_height_m'], figures['peak_period_s'], figures['wave_resistance_mean_n']) == (
        0.3, 2.5, 2.5)
    assert 'from 000 (N), taken from heave' in sea_words(WAVES, ())
    unknown = WAVES._replace(sea=SEA._replace(direction=math.nan))
    assert math.isnan(sea_figures(unknown)['wave_direction_deg'])
    assert 'from an unknown direction, taken from heave' in sea_words(unknown, ())


def test_why_no_sea_is_seen_is_the_note_of_that_name():
    notes = Note(INFO, 'other', 'something else'), Note(INFO, 'no_sea_seen', 'calm'), Note(INFO, 'another', 'more')
    assert sea_words(None, notes) == 'calm' and sea_words(None, notes[::2]) == ''
