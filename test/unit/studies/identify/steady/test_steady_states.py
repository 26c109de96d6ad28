"""Steady states: the thesis's three runs give its boat back, and what is not steady gives nothing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from kind_boats import KINDS

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.logs.maneuver_log import maneuver_log
from usv_energy.physics.motion import STILL, Relative
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import Setting, drive_of_setting
from usv_energy.sim.maneuver import read_maneuver, run_maneuver
from usv_energy.sim.plants.plant import Plant
from usv_energy.studies.identify.steady.steady_states import (
    RELATIVE,
    STANDARD_ERRORS,
    THRUST_CHANGE,
    Mean,
    SteadyPhase,
    _actuator_forces,
    _has_constant_angles,
    _is_constant,
    _mean,
    _phase,
    _through_water,
    combined_damping,
    damping_estimates,
    steady_phases,
    steady_summary,
    steady_text,
)

BOAT = read_boat('lutra_prop')
QUADRATIC = read_boat('lutra_prop_usvsim')


def run(name, plant=BOAT, path=None):
    maneuver = read_maneuver(path or name)
    return maneuver_log(maneuver, *run_maneuver(maneuver, BOAT, plant), plant)


@pytest.fixture(scope='module')
def logs():
    return {plant.name: [run(name, plant) for name in 'abc'] for plant in (BOAT, QUADRATIC)}


def found_in(logs):
    phases = [phase for log in logs for phase in steady_phases(log, BOAT)]
    return phases, damping_estimates(phases, BOAT.vessel)


def test_the_three_runs_give_the_boat_back_within_a_percent(logs):
    _, found = found_in(logs['lutra_prop'])
    damping = BOAT.vessel.damping
    for name in ('d11', 'd22', 'd33'):
        assert combined_damping(found, name).value == pytest.approx(getattr(damping, name), rel=0.01)


def test_each_run_is_recognized_by_its_motion(logs):
    phases, found = found_in(logs['lutra_prop'])
    assert [(phase.log, phase.kind) for phase in phases] == [('a', 'a'), ('b', 'b'), ('c', 'c')]
    assert [one.name for one in found] == ['d11', 'd22', 'd33']
    assert all(phase.end > 35.0 for phase in phases)  # to the end of the run, and not from its start
    assert all(phase.begin > 0.4 for phase in phases)


def test_on_quadratic_drag_they_give_what_the_thesis_found(logs):
    """USVsim's 11.28 u^2 takes 22.2 N at 1.40 m/s: 15.8 N s/m; the thesis has 16.30 at 1.35 m/s, and d33 = 4.63."""
    phases, found = found_in(logs['lutra_prop_usvsim'])
    assert combined_damping(found, 'd11').value == pytest.approx(16.30, rel=0.04)
    assert combined_damping(found, 'd33').value == pytest.approx(4.63, rel=0.01)
    straight = phases[0]
    assert straight.u.value == pytest.approx((straight.surge_force.value / 11.28)**0.5, rel=0.005)
    summary = steady_summary(phases, found, BOAT, QUADRATIC)
    assert summary['linear_power_relative'] == pytest.approx(0.40, abs=0.03)
    text = steady_text(phases, found, BOAT, QUADRATIC)
    assert 'misses the power by +40 %' in text and 'holds at 1.40 m/s only' in text


def test_noise_is_in_the_stated_error(logs, rng):
    """Of many noisy copies, the true value lies within two standard errors about as often as it should."""
    clean = logs['lutra_prop'][0]
    inside, trials = 0, 60
    for _ in range(trials):
        noisy = replace(clean, u=clean.u + 0.02 * rng.normal(size=len(clean)),
                        v=clean.v + 0.02 * rng.normal(size=len(clean)), r=clean.r + 0.01 * rng.normal(size=len(clean)))
        _, found = found_in([noisy])
        mean = combined_damping(found, 'd11')
        assert mean.value == pytest.approx(16.296, rel=0.01)
        inside += abs(mean.value - 16.296) < 2.78 * mean.error + 0.006  # t of five parts, 95 %; 0.006 of the run-up
    assert inside >= 0.85 * trials


def test_a_current_and_a_wind_are_taken_out(tmp_path):
    path = tmp_path / 'drift.yaml'
    path.write_text('base: a\ncurrent: {speed: 0.3, direction_deg: 0}\nwind: {speed: 4.0, direction_deg: 180}\n')
    _, found = found_in([run('drift', path=str(path))])
    assert combined_damping(found, 'd11').value == pytest.approx(16.296, rel=0.002)
    blind = replace(run('drift', path=str(path)), current_x=np.array([]), current_y=np.array([]))
    _, found = found_in([blind])
    assert combined_damping(found, 'd11').value < 14.0


def test_what_changes_is_not_steady(logs):
    clean = logs['lutra_prop'][0]
    speeding = replace(clean, u=clean.u + 0.02 * clean.time)
    changing = replace(clean, thrust=clean.thrust * (1.0 + 0.1 * np.sin(clean.time))[:, None])
    resting = replace(clean, u=0.0 * clean.u, thrust=0.0 * clean.thrust)
    assert steady_phases(speeding, BOAT) == [] and steady_phases(changing, BOAT) == []
    phases = steady_phases(resting, BOAT)
    assert damping_estimates(phases, BOAT.vessel) == []


def test_a_log_of_another_kind_is_refused():
    log = Log('a', Path('a'), np.arange(9.0), u=np.ones(9), r=np.ones(9), thrust=np.ones((9, 1)), thrusters=('one',))
    with pytest.raises(InputError, match=r'thrusters one; the boat lutra_prop has left, right'):
        steady_phases(log, BOAT)
    with pytest.raises(InputError, match='has no thrust'):
        steady_phases(replace(log, thrust=np.full((9, 1), np.nan)), BOAT)


def test_the_yaw_moment_of_the_wind_counts_in_d33(logs):
    """d33 r = N + N_wind: a moment of 1 N m of the wind is taken for drag where it is left out."""
    phases, _ = found_in(logs['lutra_prop'])
    turning = phases[2]
    blown = replace(turning, wind_yaw=1.0)
    d33, with_wind = (damping_estimates([phase], BOAT.vessel)[0].value for phase in (turning, blown))
    assert with_wind - d33 == pytest.approx(1.0 / turning.r.value, rel=1e-9)


@pytest.mark.parametrize('steady, count', [(5.0, 1), (4.5, 0)])
def test_a_phase_lasts_one_window_at_least(steady, count):
    """Thrust and speed rest for 5 s or less, and rise before and after."""
    time = np.arange(0.0, 30.0, 0.1)
    inside = (time > 10.0 - 1e-9) & (time < 10.0 + steady + 1e-9)
    speed = np.where(inside, 1.0, 0.2 + 0.1 * time)
    log = Log('rest', Path('rest.csv'), time, yaw=0.0 * time, u=speed, v=0.0 * time, r=0.0 * time,
              thrust=np.where(inside, 8.0, 8.0 * np.sin(3.0 * time))[:, None] * np.ones(2), thrusters=('left', 'right'))
    phases = steady_phases(log, BOAT, 5.0)
    assert len(phases) == count and all(phase.kind == 'a' and phase.u.value == pytest.approx(1.0) for phase in phases)


@pytest.mark.parametrize(('u', 'v', 'r', 'kind'), [
    (0.09, 0.0, 1.0, 'c'), (0.1, 0.0, 1.0, ''), (0.1, 0.02, 1.0, 'b'), (-0.09, 0.0, -1.0, 'c'), (0.1, 0.3, 0.5, 'b'),
    (0.04, 0.0, 0.5, 'c'), (0.0, 0.0, 0.02, ''), (1.0, 0.02, 0.02, 'a'), (-1.0, 0.02, 0.02, 'a'), (1.0, 0.03, 0.02, ''),
    (0.2, 0.02, 0.03, ''), (0.2, 0.01, 0.1, ''), (0.05, 0.02, 0.04, ''), (0.2, 0.02, 0.1, 'b'), (0.001, 0.0, 0.02, ''),
    (1.0, 0.02, 0.1, 'b'), (0.05, 0.0, 0.0, '')])
def test_what_a_phase_is_good_for(u, v, r, kind):
    """On the spot: the point about which it turns, u / r, is within 0.1 m; straight: sway and turning 5 % of surge."""
    none = Mean(0.0, 0.0)
    phase = SteadyPhase('log', 0.0, 9.0, Mean(u, 0.0), Mean(v, 0.0), Mean(r, 0.0), none, none, 0.0, 0.0, 0.0)
    assert phase.kind == kind


def test_a_rudder_s_force_is_in_the_balance_of_a_turn(tmp_path):
    """Straight ahead, then in a steady turn by rudder: d11 and d22 of the boat that moved."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'rudder boat', **KINDS['rudder']}))
    boat = read_boat(str(path))
    plant = Plant(boat.vessel, (0.0, 0.0, 0.3), lambda time, x, y: STILL, 0.02)
    rows = []
    for number in range(3000):
        asked = Setting((10.0,), (None,), (0.0 if number < 1200 else 0.4,))
        rows.append((plant.time, plant.state.yaw, *plant.velocity_over_ground(), *asked.commands, *asked.foils))
        plant.advance(asked)
    time, yaw, u, v, r, thrust, angle = np.array(rows).T
    log = Log('turn', path, time, yaw=yaw, u=u, v=v, r=r, thrust=thrust[:, None], thrusters=('screw',),
              foils=('rudder',), foil_angle=angle[:, None])
    found = {one.name: one.value for one in damping_estimates(steady_phases(log, boat), boat.vessel)}
    damping = boat.vessel.damping
    assert found['d11'] == pytest.approx(damping.d11, rel=0.01)
    assert found['d22'] == pytest.approx(damping.d22, rel=0.01)


def means(**known):
    """Return a phase with a hundredth of an error in each mean."""
    numbers = {'u': 0.0, 'v': 0.0, 'r': 0.0, 'surge_force': 0.0, 'yaw_moment': 0.0, 'sway_force': 0.0} | known
    return SteadyPhase('one', 10.0, 20.0, *(Mean(numbers[name], 0.01 * abs(numbers[name])) for name in (
        'u', 'v', 'r', 'surge_force', 'yaw_moment')), 0.5, 0.3, 0.1, Mean(numbers['sway_force'], 0.02))


def test_errors_of_damping_are_those_of_a_quotient():
    """d11 = X / u and d33 = N / r, each with 1 % of error; sway by the errors of u, v and r."""
    straight, = damping_estimates([means(u=1.2, surge_force=20.0)], BOAT.vessel)
    assert straight.value == pytest.approx(20.5 / 1.2)
    assert straight.error == pytest.approx(0.01 * np.hypot(20.0 / 1.2, 20.5 / 1.2))
    spot, = damping_estimates([means(r=-0.8, yaw_moment=-3.0)], BOAT.vessel)
    assert spot.name == 'd33' and spot.value == pytest.approx(-2.9 / -0.8)
    assert spot.error == pytest.approx(0.01 * np.hypot(3.0 / 0.8, 2.9 / 0.8))
    inertia = BOAT.vessel.inertia
    turning, = damping_estimates([means(u=1.0, v=-0.3, r=0.5, sway_force=1.0)], BOAT.vessel)
    assert turning.name == 'd22' and turning.value == pytest.approx((1.3 - inertia.m11 * 0.5) / -0.3)
    assert turning.error == pytest.approx(0.01 * 3.0 ** 0.5 * abs(turning.value))
    turned, = damping_estimates([means(u=0.02, v=0.5, r=0.8, yaw_moment=3.0)], BOAT.vessel)
    assert turned.value == pytest.approx((3.1 + (inertia.m11 - inertia.m22) * 0.02 * 0.5) / 0.8)


def test_coefficients_of_several_phases_weigh_by_their_lengths():
    """Errors of the weighted mean: the stated ones, or those of the scatter of n - 1 where they are larger."""
    found = [one._replace(phase=replace(one.phase, end=10.0 + length), value=value, error=error)
             for one, length, value, error in zip(damping_estimates([means(u=1.2, surge_force=20.0)] * 2, BOAT.vessel),
                                                  (10.0, 30.0), (16.0, 20.0), (0.4, 0.8))]
    mean = combined_damping(found, 'd11')
    assert mean.value == pytest.approx(19.0)
    assert mean.error == pytest.approx((0.25 * 9.0 + 0.75 * 1.0) ** 0.5)
    alike = [one._replace(value=16.0) for one in found]
    assert combined_damping(alike, 'd11') == pytest.approx((16.0, np.hypot(0.25 * 0.4, 0.75 * 0.8)))
    assert combined_damping(found[:1], 'd11') == pytest.approx((16.0, 0.4)) and combined_damping(found, 'd22') is None


@pytest.mark.parametrize(('change', 'rests'), [(0.999, True), (1.001, False), (-0.999, True)])
def test_thrust_rests_that_changes_by_little_of_the_largest_of_the_log(change, rests):
    """THRUST_CHANGE of 5 N, which is asked for elsewhere."""
    time = np.arange(0.0, 30.0, 0.1)
    asked = np.where(time > 25.0, 5.0, 2.0) + THRUST_CHANGE * 5.0 * change * ((time > 11.95) & (time < 12.15))
    log = Log('rest', Path('rest.csv'), time, yaw=0.0 * time, u=1.0 + 0.0 * time, v=0.0 * time, r=0.0 * time,
              thrust=np.column_stack([asked, asked]), thrusters=BOAT.thruster_names)
    first = steady_phases(log, BOAT)[0]
    assert (first.begin, first.end > 20.0) == ((0.0, True) if rests else (pytest.approx(0.0), False))


def test_angles_are_held_where_neither_the_step_before_nor_the_one_after_turns_them():
    angles = np.array([[0.0, 0.0], [0.0099, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, -0.0101], [0.0, -0.0101]])
    assert _has_constant_angles(angles).tolist() == [True, True, True, False, False, True]
    assert _has_constant_angles(np.zeros((3, 0))).tolist() == [True] * 3


@pytest.mark.parametrize(('rise', 'noise', 'rests'), [(0.0199, 0.0, True), (0.0201, 0.0, False), (-0.0201, 0.0, False),
                                                     (0.03, 0.3, True)])
def test_values_rest_that_rise_by_less_than_is_allowed_and_than_their_noise_tells(rise, noise, rests):
    """Allowed: ABSOLUTE, or RELATIVE of the mean where that is more; noise widens it by the slope's errors."""
    time = np.array([0.0, 1.0, 2.0, 3.5, 5.0, 6.0, 8.0, 10.0])
    values = 1e-3 + rise * (time - time.mean()) / 10.0 + noise * (-1.0) ** np.arange(8)
    assert _is_constant(time, values, 0.02) is rests
    assert _is_constant(time, 0.02 / RELATIVE - 1e-3 + values, 0.001) is rests


def test_a_slope_counts_against_its_standard_error():
    """Of n - 2 degrees of freedom: of a line with residuals orthogonal to it, exactly."""
    time = np.arange(5.0)
    odd = np.array([1.0, -2.0, 0.0, 2.0, -1.0])  # orthogonal to a constant and to a line
    error = np.sqrt(0.3 ** 2 * 10.0 / 3.0 / 10.0)
    for share, rests in ((0.999, True), (1.001, False)):
        slope = share * (0.01 / 4.0 + STANDARD_ERRORS * error)
        assert _is_constant(time, slope * (time - 2.0) + 0.3 * odd, 0.01) is rests


def test_a_mean_s_error_is_that_of_five_parts():
    """Of 5, 5, 5, 5, 4 samples: of 24 the first parts are longer."""
    values = np.repeat([1.0, 2.0, 4.0, 8.0, 16.0], [5, 5, 5, 5, 4])
    assert _mean(values) == pytest.approx((values.mean(), np.std([1, 2, 4, 8, 16], ddof=1) / 5.0 ** 0.5))


def test_the_flow_that_was_recorded_is_taken_out_in_the_boat_s_axes():
    """A current to the north, of a boat that heads 30 degrees north of east: half of it is ahead, the rest to port."""
    n, yaw = 4, np.full(4, np.pi / 6.0)
    log = Log('w', Path('w'), np.arange(4.0), yaw=yaw, u=np.full(n, 1.0), v=np.array([0.1, np.nan, 0.1, 0.1]),
              r=np.full(n, 0.2), current_x=np.zeros(n), current_y=np.full(n, 0.4))
    u, v, r = _through_water(log)
    np.testing.assert_allclose(u, 0.8)
    np.testing.assert_allclose(v, [0.1 - 0.4 * np.cos(np.pi / 6.0), 0.0, *[0.1 - 0.4 * np.cos(np.pi / 6.0)] * 2])
    np.testing.assert_allclose(r, 0.2)
    np.testing.assert_array_equal(_through_water(replace(log, current_y=np.zeros(n)))[0], log.u)


def test_the_wind_on_the_hull_and_on_a_rudder_is_the_apparent_one(tmp_path):
    """Wind to the west on a boat that heads north and drifts: air over its port side less the drift."""
    n = 6
    log = Log('w', Path('w'), np.arange(6.0), yaw=np.full(n, np.pi / 2.0), u=np.full(n, 1.0), v=np.full(n, 0.2),
              r=np.zeros(n), wind_x=np.full(n, -5.0), wind_y=np.full(n, 2.0), thrust=np.full((n, 2), 4.0),
              thrusters=BOAT.thruster_names)
    motion = _through_water(log)
    forces = _actuator_forces(log, motion, log.thrust, np.zeros((n, 0)), BOAT.vessel)
    ahead = sum(4.0 * thruster.efficiency_of_tilt for thruster in BOAT.vessel.thrusters)
    np.testing.assert_allclose(forces, [[ahead] * n, [0.0] * n, [0.0] * n], atol=1e-12)
    phase = _phase(log, slice(1, 6), motion, forces, BOAT.vessel)
    air = wind_force(2.0 - 1.0, 5.0 - 0.2, BOAT.vessel.windage)
    assert (phase.wind_surge, phase.wind_sway, phase.wind_yaw) == pytest.approx(air)
    assert (phase.begin, phase.end, phase.u.value, phase.v.value) == (1.0, 5.0, 1.0, pytest.approx(0.2))
    assert (phase.surge_force.value, phase.sway_force.value) == pytest.approx((ahead, 0.0))
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'rudder boat', **KINDS['rudder']}))
    boat = read_boat(str(path))
    at = Relative(*(one[0] for one in motion), 1.0, 4.8)
    wanted = drive_of_setting(at, Setting((4.0,), (None,), (0.3,)), boat.vessel)[:3]
    found = _actuator_forces(log, motion, np.full((n, 1), 4.0), np.full((n, 1), 0.3), boat.vessel)
    np.testing.assert_allclose(found[:, 2], [float(one) for one in wanted])


def rested_log(time):
    """Return a log of a boat that goes ahead at 1 m/s, and of its thrust."""
    return Log('rest', Path('rest'), time, yaw=0.0 * time, u=1.0 + 0.0 * time, v=0.0 * time, r=0.0 * time,
               thrust=np.full((time.size, 2), 8.0), thrusters=BOAT.thruster_names, max_gap=1.0)


def test_a_log_of_just_one_window_is_a_phase_and_one_that_is_shorter_is_none():
    assert [(one.begin, one.end) for one in steady_phases(rested_log(0.1 * np.arange(51)), BOAT, 5.0)] == [
        (0.0, pytest.approx(5.0))]
    assert steady_phases(rested_log(0.1 * np.arange(49)), BOAT, 5.0) == []


def test_a_phase_after_a_gap_has_the_times_of_its_own_piece():
    time = np.concatenate([0.1 * np.arange(81), 20.0 + 0.1 * np.arange(101)])
    found = [(one.begin, one.end) for one in steady_phases(rested_log(time), BOAT, 5.0)]
    np.testing.assert_allclose(found, [(0.0, 8.0), (20.0, 30.0)])


def test_what_a_rudder_cuts_off_of_a_phase_is_one_only_if_it_lasts_a_window(tmp_path):
    """Held for 3 s, turned by 0.02 rad, held for 10 s: speed and thrust rest all the time."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'rudder boat', **KINDS['rudder']}))
    time = 0.1 * np.arange(131)
    log = replace(rested_log(time), thrust=np.full((131, 1), 8.0), thrusters=('screw',), foils=('rudder',),
                  foil_angle=np.where(time < 2.95, 0.0, 0.02)[:, None], neutral=(), mirrored=(), places=(),
                  command=np.full((131, 1), np.nan), angle=np.full((131, 1), np.nan))
    assert [(one.begin, one.end) for one in steady_phases(log, read_boat(str(path)), 5.0)] == [
        (pytest.approx(3.1), pytest.approx(13.0))]


def test_a_window_has_three_samples_at_least():
    """Samples 5 s apart: five of one thrust are a phase, and of pairs that are alike none is."""
    log = replace(rested_log(5.0 * np.arange(5)), max_gap=6.0)
    assert [(one.begin, one.end) for one in steady_phases(log, BOAT, 5.0)] == [(0.0, 20.0)]
    pairs = np.array([8.0, 8.0, 4.0, 4.0, 8.0])[:, None] * np.ones(2)
    assert steady_phases(replace(log, thrust=pairs), BOAT, 5.0) == []
