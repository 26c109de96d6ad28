import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.motion_estimate import motion_estimate
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions


def error(log, work):
    """Return by how much our energy misses the work of the thrusters of a boat that is not ours, as a share."""
    return analysed_log(log, BOAT).energy.total / work - 1.0


@pytest.mark.parametrize(('name', 'rate', 'velocity', 'within'), [
    ('lawnmower', 50.0, 0.05, 0.005), ('lawnmower', 10.0, 0.05, 0.005), ('lawnmower', 5.0, 0.05, 0.01),
    ('lawnmower', 1.0, 0.05, 0.02), ('lawnmower', 5.0, None, 0.002), ('lawnmower', 1.0, None, 0.01),
    ('stop_and_go', 10.0, 0.02, 0.01), ('stop_and_go', 5.0, None, 0.002), ('stop_and_go', 1.0, None, 0.02),
    ('opposed', 10.0, 0.05, 0.01), ('opposed', 5.0, None, 0.004), ('current', 10.0, 0.05, 0.01)])
def test_the_energy_is_the_work_of_the_thrusters(independent, name, rate, velocity, within):
    """Means of two logs; bounds about twice the errors that were found, a tenth of those of plain differences."""
    errors = [error(*independent(name, rate, velocity, seed)) for seed in (100, 101)]
    assert abs(np.mean(errors)) < within


@pytest.mark.parametrize('rate', [50.0, 10.0])
def test_one_turn_in_a_long_straight_way_is_smoothed_as_the_rest(rate):
    """A turn in 4 s, in 320 s; it was left unsmoothed, by 14 times the largest yaw acceleration, at 50 Hz."""
    rng, time = np.random.default_rng(5), np.arange(0.0, 320.0, 1.0 / rate)
    share = np.clip((time - 60.0) / 4.0, 0.0, 1.0)
    yaw = 0.5 * math.pi * share ** 3 * (10.0 - 15.0 * share + 6.0 * share ** 2)
    r = 0.5 * math.pi / 4.0 * 30.0 * share ** 2 * (1.0 - share) ** 2
    r_dot = 0.5 * math.pi / 16.0 * 60.0 * share * (1.0 - share) * (1.0 - 2.0 * share)
    x, y = (np.concatenate([[0.0], np.cumsum(0.5 * (one[1:] + one[:-1])) / rate]) for one in (np.cos(yaw), np.sin(yaw)))
    zero = np.zeros_like(time)
    true = {'x': (x, 0.03), 'y': (y, 0.03), 'yaw': (yaw, 0.01), 'u': (zero + 1.0, 0.03), 'v': (zero, 0.03),
            'r': (r, 0.005)}
    log = assembled(Source('twin', Path('twin')), time, {
        name: values + noise * rng.standard_normal(time.size) for name, (values, noise) in true.items()})
    estimate, _ = motion_estimate(log)
    turning = (time > 58.0) & (time < 66.0)
    error = (estimate.at(time).r_dot - r_dot)[turning]
    assert np.abs(error).max() < 0.4 * np.abs(r_dot).max()


def test_noise_that_lasts_two_seconds_costs_little(independent):
    errors = [error(*independent('lawnmower', 10.0, 0.05, seed, correlation=2.0)) for seed in (100, 101)]
    assert abs(np.mean(errors)) < 0.02


def test_a_moored_boat_takes_next_to_nothing(independent):
    log, _ = independent('moored', 10.0, 0.05)
    assert analysed_log(log, BOAT).energy.total < 0.002 * log.duration
    raw = analysed_log(log, BOAT, AnalysisOptions(motion='recorded'))
    assert raw.energy.total > 0.05 * log.duration, 'what noise alone takes without an estimate'


def test_the_noise_is_found_and_told(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate, notes = motion_estimate(log)
    wanted = {'yaw': math.radians(0.5), 'r': math.radians(0.5), 'x': 0.02, 'u': 0.05}
    assert {name: pytest.approx(value, rel=0.15) for name, value in wanted.items()} == estimate.noise
    assert [note.code for note in notes] == ['motion_estimated']
    assert notes[0].figures['noise_u'] == estimate.noise['u']


def test_velocity_and_acceleration_are_those_of_one_motion(independent):
    """The derivatives of the estimated velocity, by differences of it, and of the place, in the body's axes."""
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate, _ = motion_estimate(log)
    time = np.linspace(5.0, 40.0, 500)
    values, later = estimate.at(time), estimate.at(time + 1e-4)
    for name in ('yaw', 'u', 'v', 'r'):
        rate = {'yaw': values.r, 'u': values.u_dot, 'v': values.v_dot, 'r': values.r_dot}[name]
        np.testing.assert_allclose((getattr(later, name) - getattr(values, name)) / 1e-4, rate, atol=2e-3)
    x_dot = values.u * np.cos(values.yaw) - values.v * np.sin(values.yaw)
    np.testing.assert_allclose((later.x - values.x) / 1e-4, x_dot, atol=1e-3)


def test_a_dense_log_without_noise_is_left_as_it_is(independent):
    log, _ = independent('lawnmower', 50.0)
    estimate, notes = motion_estimate(log)
    assert estimate is None
    assert [note.code for note in notes] == ['motion_as_recorded']
    plain = analysed_log(log, BOAT, AnalysisOptions(motion='recorded'))
    assert analysed_log(log, BOAT).energy == plain.energy, 'to the last digit'


def test_held_velocities_are_found_and_only_the_first_of_each_is_used(independent):
    """Velocities of 5 Hz in a stream of 50 Hz; taken as measurements each they would lag by a tenth of a second."""
    log, work = independent('stop_and_go', 50.0, 0.02)
    first = np.arange(len(log)) // 10 * 10
    held = replace(log, **{name: getattr(log, name)[first] for name in ('u', 'v', 'r')})
    analysed = analysed_log(held, BOAT)
    codes = [note.code for note in analysed.warnings]
    assert {'held_velocities', 'held_yaw_rate'} <= set(codes)
    assert abs(analysed.energy.total / work - 1.0) < 0.02
    note = next(note for note in analysed.warnings if note.code == 'held_velocities')
    assert note.figures['samples'] == pytest.approx(10.0, rel=0.02)


def test_holes_are_bridged_where_another_series_knows_and_else_estimated(independent):
    log, work = independent('lawnmower', 10.0, 0.02)
    hole = (log.time > 20.0) & (log.time < 23.0)
    without = {name: np.where(hole, np.nan, getattr(log, name)) for name in ('u', 'v', 'r')}
    assert abs(error(replace(log, **without), work)) < 0.02, 'places and heading go on'
    nothing = analysed_log(replace(log, **without, x=np.where(hole, np.nan, log.x)), BOAT)
    assert nothing.energy.gaps == 0 and abs(nothing.energy.total / work - 1.0) < 0.03
    assert nothing.estimated[1] == pytest.approx(3.0, abs=0.3)


def test_gaps_start_anew(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    parts = [log.between(0.0, 20.0), log.between(30.0, 60.0)]
    whole = analysed_log(log.part(np.flatnonzero((log.time < 20.0) | (log.time >= 30.0))), BOAT)
    assert whole.energy.gaps == 1
    assert whole.energy.total == pytest.approx(sum(analysed_log(part, BOAT).energy.total for part in parts), rel=0.01)


def test_places_alone_beside_derived_velocities_are_the_only_measurement(independent):
    log, work = independent('lawnmower', 5.0, 0.05)
    derived = replace(log, u=log.u + 0.3, notes=(Note('info', 'velocity_derived', ''),))
    assert abs(error(derived, work)) < 0.02


def test_a_log_that_contradicts_itself_is_not_estimated(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    estimate, notes = motion_estimate(log.noted(Note(WARNING, 'velocity_world', '')))
    assert estimate is None
    assert 'velocity_world' in notes[0].text


def test_velocities_that_are_not_those_of_the_places_are_told(independent):
    log, _ = independent('lawnmower', 10.0, 0.02)
    _, notes = motion_estimate(replace(log, v=log.v + 0.1))
    note, = (note for note in notes if note.code == 'velocity_against_places')
    assert note.figures['port_m_s'] == pytest.approx(0.1, abs=0.01)
    assert all(note.code != 'velocity_against_places' for note in motion_estimate(log)[1])


def test_places_are_left_out_where_they_are_not_of_the_motion_or_not_there(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    alone, _ = motion_estimate(log, with_places=False)
    assert set(alone.noise) == {'yaw', 'r', 'u'}
    nowhere, _ = motion_estimate(replace(log, x=np.full(len(log), np.nan)))
    assert nowhere.noise == alone.noise
    at = np.linspace(5.0, 40.0, 50)
    assert np.array_equal(alone.at(at).u, nowhere.at(at).u), 'the same motion, whatever the places were'


def test_twelve_samples_are_the_least_that_a_motion_is_estimated_from(independent):
    log, _ = independent('lawnmower', 10.0, 0.05)
    few = log.part(slice(100, 112))
    assert motion_estimate(few)[0] is not None and motion_estimate(few.part(slice(0, 11))) == (None, [])
    assert motion_estimate(replace(log, r=np.full(len(log), np.nan))) == (None, [])


def test_places_are_where_they_were_measured_however_far_from_nought(independent):
    """A kilometre off and half a one: the estimated places are the measured ones within their noise of 2 cm."""
    log, _ = independent('lawnmower', 10.0, 0.05)
    far = replace(log, x=log.x + 1000.0, y=log.y - 500.0)
    values = motion_estimate(far)[0].at(far.time)
    assert np.abs(values.x - far.x).max() < 0.12 and np.abs(values.y - far.y).max() < 0.12
    assert np.sqrt(np.mean((values.x - far.x) ** 2)) < 0.03
