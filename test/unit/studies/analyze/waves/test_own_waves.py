
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import Sea
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.waves.felt_waves import PlaceInSea, column_waves
from usv_energy.physics.waves.linear_wave import GRAVITY, LinearWave
from usv_energy.sim.plants.floating import Afloat, floating_rate
from usv_energy.sim.plants.plant_step import PlantState
from usv_energy.sim.plants.water_around import felt_sea
from usv_energy.studies.analyze.waves.own_waves import (
    PARTS,
    HullMotion,
    _as_wet_as_at_rest,
    _own_waves,
    _rates,
    _seen,
    _thruster_power,
    _told_and_slopes,
    _unit_waves,
    _waves_beforehand,
    hull_motion,
    own_work,
)
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen

OTTER = read_boat('otter_parts').vessel
ALL = slice(None)
# Not the sea that the waves were drawn from: what spectra of half a minute show is as far off.
SEEN = SeaSeen(0.25, 2.8, math.radians(120.0), 'heave, roll and pitch', 0.6, 1.5)


def test_the_very_waves_give_the_work_of_the_thrusters(moved):
    found, = own_work(hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    # The plant's own work is counted at the steps of its integration; mean forces of waves are 7 % of it.
    assert found.work == pytest.approx(np.diff(np.interp([found.begin, found.end], moved.log.time, moved.work))[0],
                                       rel=5e-3)
    assert found.missed < 0.05


def test_port_and_starboard_are_alike(moved):
    log = replace(moved.log, extra={**moved.log.extra, 'roll_rad': -moved.log.extra['roll_rad']})
    motion = moved.motion._replace(yaw=-moved.motion.yaw, v=-moved.motion.v, r=-moved.motion.r)
    here, = own_work(hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    there, = own_work(hull_motion(log, motion, moved.flow, OTTER, ALL), SEEN._replace(direction=-SEEN.direction), OTTER)
    assert there.work == pytest.approx(here.work, rel=1e-4)  # Of single precision, in which waves are found


def test_a_steady_current_changes_nothing_but_the_way_over_ground(moved):
    c, s = np.cos(moved.motion.yaw), np.sin(moved.motion.yaw)
    over_ground = moved.motion._replace(u=moved.motion.u + 0.4 * c, v=moved.motion.v - 0.4 * s)
    flow = moved.flow._replace(current_x=moved.flow.current_x + 0.4)
    still, carried = (hull_motion(moved.log, motion, water, OTTER, ALL)
                      for motion, water in ((moved.motion, moved.flow), (over_ground, flow)))
    for one, other in zip(still.state[:6], carried.state[:6]):
        np.testing.assert_allclose(other, one, atol=1e-9)


def test_the_way_is_that_of_the_places(moved):
    found = hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL)
    at = np.searchsorted(moved.log.time, found.time - 1e-9)
    # Velocities are along the axes of a hull that pitches and rolls: their way over ground is that of its places.
    np.testing.assert_allclose(found.state.x, (moved.log.x - moved.log.x[0])[at], atol=2e-3)
    np.testing.assert_allclose(found.state.y, (moved.log.y - moved.log.y[0])[at], atol=2e-3)


def test_noise_is_no_wave(moved):
    noise = 0.005 * np.random.default_rng(1).standard_normal((3, len(moved.log)))
    extra = {name: values + one for (name, values), one in zip(moved.log.extra.items(), noise)}
    found, = own_work(hull_motion(replace(moved.log, extra=extra), moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    assert found.missed > 0.5


HULL = OTTER.parts
SEA = SeaSeen(0.25, 2.8, math.radians(120.0), 'heave, roll and pitch', 0.6, 1.5)


def any_motion(rng, number=4):
    """Return the HullMotion of a hull that lies and moves anyhow."""
    x, y, yaw, u, v, r, heave, roll, pitch, w, p, q = rng.uniform(-0.2, 0.2, (12, number))
    flow = Flow(*rng.uniform(-0.5, 0.5, (4, number)))
    state = PlantState(20.0 * x, 20.0 * y, 10.0 * yaw, 1.0 + u, v, r, 0.0 * x,
                       Afloat(HULL.rest_height + heave, roll, pitch, w, p, q))
    return HullMotion(np.sort(rng.uniform(0.0, 9.0, number)), state, flow, tuple(rng.normal(size=(6, number))))


def test_what_is_looked_for_has_the_variance_of_the_sea_and_its_spread():
    """Seas of three periods, as likely each; cos^10 of half the angle to its direction, every 15 degrees to 105."""
    frequency, direction, variance = _waves_beforehand(SEA, 60.0)
    ways = np.unique(direction.round(9))
    np.testing.assert_allclose(ways, math.radians(120.0) + np.radians(np.arange(-105.0, 106.0, 15.0)), atol=1e-8)
    by_way = np.array([variance[np.isclose(direction, way)].sum() for way in ways])
    np.testing.assert_allclose(by_way / by_way[7], np.cos(0.5 * (ways - SEA.direction)) ** 10, rtol=1e-7)
    # Below 0.45 of the peak and beyond 12 rad/s next to nothing is left out; the one of the longest period loses some.
    assert variance.sum() == pytest.approx(SEA.height ** 2 / 16.0, rel=0.01)
    assert frequency[np.isclose(direction, ways[0])] == pytest.approx(np.unique(frequency))
    steps = np.diff(np.unique(frequency))
    np.testing.assert_allclose(steps, 2.0 * math.pi / 90.0)


@pytest.mark.parametrize(('period', 'highest'), [(2.8, 12.0), (0.8, 5.0 * math.pi), (8.0, 1.5 * math.pi)])
def test_waves_are_looked_for_up_to_what_a_hull_feels(period, highest):
    """12 rad/s; of a sea whose peak is shorter twice that of its peak, of a long one six times."""
    frequency, _, _ = _waves_beforehand(SEA._replace(period=period), 400.0)
    step = math.pi / 300.0
    assert frequency.min() == pytest.approx(0.9 * math.pi / period)
    assert highest - step <= frequency.max() < highest


@pytest.mark.parametrize('towards', [20.0, 200.0])
def test_a_wave_of_one_metre_is_that_which_the_plant_has(rng, towards):
    """In single precision."""
    moved, frequency, way = any_motion(rng), np.array([1.7, 6.0]), np.radians([towards, towards + 75.0])
    found = _unit_waves(moved, frequency, way, OTTER)
    state = moved.state
    place = PlaceInSea(state.x, state.y, np.cos(state.yaw), np.sin(state.yaw), moved.time)
    for half, phase in enumerate((0.0, -0.5 * math.pi)):
        for k in range(2):
            sea = Sea(LinearWave(1.0, frequency[k], frequency[k] ** 2 / GRAVITY, math.cos(way[k]), math.sin(way[k]),
                                 phase, math.inf))
            wanted = column_waves(felt_sea(sea, HULL), place, HULL)
            np.testing.assert_allclose(found[..., 2 * half + k], np.array(wanted), rtol=1e-4, atol=1e-4)


def test_velocities_are_those_of_a_hull_that_turns_as_its_angles_say():
    """Places and angles by closed forms; R = Rz(yaw) Ry(pitch) Rx(roll) gives its velocity and turning along itself."""
    def course(t):
        return (np.array([1.2 * t + 0.1 * np.sin(1.1 * t), 0.5 * t - 0.2 * np.cos(0.9 * t), 0.15 * np.sin(1.3 * t)]),
                np.array([0.4 + 0.3 * np.sin(0.5 * t), 0.20 * np.sin(1.2 * t), 0.3 + 0.25 * np.cos(1.4 * t)]))

    time, h = np.arange(0.0, 12.0, 0.02), 1e-4

    def along_itself(t):
        """Return velocities ahead, to port, up, and of turning, each (3, n)."""
        (later, turned_on), (before, turned) = course(t + h), course(t - h)
        rotation = Rotation.from_euler('ZYX', course(t)[1].T)
        turning = (Rotation.from_euler('ZYX', turned.T).inv() * Rotation.from_euler('ZYX', turned_on.T)).as_rotvec()
        return rotation.inv().apply((later - before).T / (2.0 * h)).T, turning.T / (2.0 * h)

    (x, y, z), (yaw, pitch, roll) = course(time)
    (u, v, w), (p, q, r) = along_itself(time)
    current = 0.3, -0.2
    c, s = np.cos(yaw), np.sin(yaw)
    # The current carries the boat along the level: on top of what its own axes show.
    log = Log('log', Path('log'), time, x=x, y=y, yaw=yaw, u=u, v=v, r=r,
              extra={'heave_m': z, 'roll_rad': roll, 'pitch_rad': pitch})
    none = 0.0 * time
    motion = Motion(yaw, u + c * current[0] + s * current[1], v + c * current[1] - s * current[0], r, none, none, none)
    found = hull_motion(log, motion, Flow(none + current[0], none + current[1], none, none), OTTER, slice(100, 500))
    at = np.searchsorted(time, found.time - 1e-9)
    assert np.all(np.diff(at) == 5)
    assert time[at[[0, -1]]] == pytest.approx([2.4, 9.5], abs=0.1)
    for got, wanted in zip((*found.state[3:6], *found.state.afloat[1:6]), (u, v, r, roll, pitch, w, p, q)):
        np.testing.assert_allclose(got, wanted[at], atol=1e-6)
    np.testing.assert_allclose(found.state.afloat.height, HULL.rest_height + z[at])
    np.testing.assert_allclose(found.state.x, (x - x[100])[at], atol=1e-6)
    np.testing.assert_allclose(found.state.y, (y - y[100])[at], atol=1e-6)
    np.testing.assert_allclose(found.state.yaw, yaw[at])
    (after, turn_after), (before, turn_before) = along_itself(time + 1e-3), along_itself(time - 1e-3)
    slopes, turns = (after - before) / 2e-3, (turn_after - turn_before) / 2e-3
    for got, wanted in zip(found.rates, (slopes[0], slopes[1], turns[2], slopes[2], turns[0], turns[1])):
        np.testing.assert_allclose(got, wanted[at], atol=2e-4)


def test_a_column_is_as_wet_as_at_rest_by_the_waves_to_begin_with(rng):
    """The surface rises with the height of the column's place over the water, beyond what that is at rest."""
    moved = any_motion(rng)
    waves = _as_wet_as_at_rest(moved, OTTER)
    assert not waves[:, 1:].any() and waves.shape == (len(HULL.columns), PARTS, 4)
    afloat = moved.state.afloat
    for column, wave in zip(HULL.columns, waves):
        # The height over the water of a place (x, y) of a plane: bow down as it pitches, port up as it rolls.
        height = afloat.height - column.x * afloat.pitch + column.y * afloat.roll
        rest = HULL.rest_height - column.x * HULL.rest_pitch + column.y * HULL.rest_roll
        np.testing.assert_allclose(wave[0], height - rest, atol=1e-12)


def test_no_thrust_ahead_is_seen_in_what_the_waves_are_told_by(rng):
    moved = any_motion(rng)
    still = np.zeros((len(HULL.columns), PARTS, 4))
    free = _rates(moved, still, OTTER)
    driven = floating_rate(moved.state.afloat, moved.state, (50.0, 0.0, 0.0), None, moved.flow, OTTER, None)
    by_thrust = driven.u_r, driven.v_r, driven.r, driven.afloat.w, driven.afloat.p, driven.afloat.q
    np.testing.assert_allclose(_seen(by_thrust, OTTER), _seen(free, OTTER), atol=1e-12)
    assert np.abs(np.array(by_thrust)[[0, 5]] - np.array(free)[[0, 5]]).min() > 0.01
    np.testing.assert_allclose(_seen(free, OTTER)[:3], np.array([free[1], free[3], free[4]]))


def test_slopes_are_those_of_the_accelerations(rng):
    moved = any_motion(rng)
    waves = 0.02 * rng.normal(size=(len(HULL.columns), PARTS, 4))
    told, slopes = _told_and_slopes(moved, waves, OTTER)
    np.testing.assert_array_equal(told, _seen(_rates(moved, waves, OTTER), OTTER))
    way = rng.normal(size=waves.shape)
    ahead, back = (_seen(_rates(moved, waves + step * way, OTTER), OTTER) for step in (1e-4, -1e-4))
    wanted = (ahead - back) / 2e-4
    np.testing.assert_allclose(np.einsum('ocpn,cpn->on', slopes, way), wanted, atol=2e-3 * np.abs(wanted).max())


def test_thrusters_give_what_the_motion_needs_beyond_its_waves_past_the_moving_water(rng):
    """Of 40 N and 5 N m in water that runs 0.3 m/s north everywhere: 40 (u - 0.3 sin yaw) + 5 r."""
    moved = any_motion(rng)
    waves = 0.01 * rng.normal(size=(len(HULL.columns), PARTS, 4))
    waves[:, 3], waves[:, 4] = 0.0, 0.3
    u_dot, v_dot, r_dot, *others = _rates(moved, waves, OTTER)
    pushed = moved._replace(rates=(u_dot + 40.0 / OTTER.inertia.m11, v_dot, r_dot + 5.0 / OTTER.inertia.m33, *others))
    # What turns the columns' water, by their places, is nothing for water that runs alike everywhere.
    turning = sum(column.turn * (column.x * 0.3 * np.cos(moved.state.yaw) - column.y * 0.3 * np.sin(moved.state.yaw))
                  for column in HULL.columns)
    wanted = 40.0 * (moved.state.u_r - 0.3 * np.sin(moved.state.yaw)) + 5.0 * (moved.state.r - turning)
    np.testing.assert_allclose(_thruster_power(pushed, waves, OTTER), wanted, rtol=1e-9)


def test_windows_lie_all_along_and_each_has_its_margins(monkeypatch):
    """Of 8 W + t: the work of a window is its integral; of 100 s five windows, or the share of the most, all along."""
    def own(piece, sea, vessel):
        widths.append(piece.time[[0, -1]])
        return piece.time, 0.25

    monkeypatch.setattr('usv_energy.studies.analyze.waves.own_waves._own_waves', own)
    monkeypatch.setattr('usv_energy.studies.analyze.waves.own_waves._thruster_power',
                        lambda moved, waves, vessel: 8.0 + waves)
    time = np.arange(0.0, 100.05, 0.1)
    nothing = 0.0 * time
    state = PlantState(*[nothing] * 7, Afloat(*[nothing] * 6))
    moved = HullMotion(time, state, Flow(*[nothing] * 4), (nothing,) * 6)
    for share, begins in (((), range(0, 100, 20)), ((0.25,), (0, 40, 80)), ((0.0,), (0,))):
        widths = []
        found = list(own_work(moved, SEA, OTTER, *share))
        assert [one.begin for one in found] == pytest.approx(list(begins), abs=1e-9)
        for one, width in zip(found, widths):
            assert one.end == pytest.approx(one.begin + 20.0)
            assert one.work == pytest.approx(8.0 * 20.0 + 0.5 * (one.end ** 2 - one.begin ** 2)) and one.missed == 0.25
            assert width == pytest.approx([max(one.begin - 2.0, 0.0), min(one.end + 2.0, 100.0)])
    assert [one.begin for one in own_work(moved._replace(time=1000.0 + time), SEA, OTTER)] == pytest.approx(
        list(range(1000, 1100, 20)))
    widths = []
    short, = own_work(moved.piece(slice(0, 61)), SEA, OTTER)
    assert (short.begin, short.end, short.work) == pytest.approx((0.0, 6.0, 8.0 * 6.0 + 18.0))


def steady_in_a_wave(height):
    """Return 4 s of a hull that is carried ahead at 1 m/s as it rests, without thrust, and the wave that it is in."""
    time = 0.1 * np.arange(40)
    nothing = 0.0 * time
    state = PlantState(time, nothing, nothing, nothing + 1.0, nothing, nothing, nothing, Afloat(
        nothing + HULL.rest_height, nothing + HULL.rest_roll, nothing + HULL.rest_pitch, nothing, nothing, nothing))
    moved = HullMotion(time, state, Flow(*[nothing] * 4), (nothing,) * 6)
    unit = _unit_waves(moved, np.array([2.0 * math.pi / 2.8]), np.array([SEA.direction]), OTTER)
    waves = 0.5 * height * unit[..., 0].astype(float)
    return moved._replace(rates=_rates(moved, waves, OTTER)), waves


@pytest.mark.parametrize('height', [0.1, 0.003, 0.001])
def test_the_wave_that_moves_a_hull_without_thrust_leaves_nothing_to_thrusters(height):
    """What a wave does, however low, is found to NOISE, 3 %; the thrusters' share is nothing beside the wave's own."""
    moved, waves = steady_in_a_wave(height)
    found, missed = _own_waves(moved, SEA, OTTER)
    assert missed < 0.03
    seen, told = _seen(moved.rates, OTTER), _seen(_rates(moved, found, OTTER), OTTER)
    assert missed == pytest.approx(math.sqrt(np.mean(((seen - told) / seen.std(axis=1)[:, None]) ** 2)))
    calm = _thruster_power(moved, 0.0 * waves, OTTER)
    assert np.abs(_thruster_power(moved, found, OTTER)).max() < 0.1 * np.abs(calm).max()
    # Of the surface itself: along the hull it is that wave.
    assert np.abs(found[:, 0] - waves[:, 0]).max() < 0.1 * np.abs(waves[:, 0]).max()


def test_where_all_is_noise_no_wave_is_looked_for(monkeypatch):
    """Then waves are as beforehand, none: what calm water leaves of the accelerations is missed."""
    moved, waves = steady_in_a_wave(0.1)
    monkeypatch.setattr('usv_energy.studies.analyze.waves.own_waves.NOISE', 1e6)
    found, missed = _own_waves(moved, SEA, OTTER)
    assert np.abs(found).max() < 1e-9
    seen, calm = _seen(moved.rates, OTTER), _seen(_rates(moved, 0.0 * waves, OTTER), OTTER)
    assert missed == pytest.approx(math.sqrt(np.mean((seen - calm) ** 2 / seen.std(axis=1)[:, None] ** 2)), rel=1e-6)
