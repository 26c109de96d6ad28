"""The tables of what waves take by speed and direction, and what is read from them, by closed forms."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.waves.linear_wave import GRAVITY, jonswap
from usv_energy.studies.analyze.waves.hull_in_waves import HullInWaves
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen
from usv_energy.studies.analyze.waves.waves_along_log import (
    DRIFT,
    FELT_DRIFT,
    OFF,
    PARTS,
    SPEEDS,
    WAYS,
    SurgeSource,
    _at,
    _drift_table,
    _held,
    _parts_table,
    _sea,
    drift_at,
    drift_of,
    less_drift,
    mean_square_with_sign,
    waves_along_log,
)

PARTED, PLAIN = read_boat('otter_parts'), read_boat('otter')
SEA = SeaSeen(0.3, 2.5, math.pi, 'heave', 1.0, 1.8)
TURNS = math.tau / WAYS * np.arange(WAYS)
TIME = np.arange(0.0, 40.0, 0.1)
STILL = np.zeros(TIME.size)


def along(sea, boat, yaw=0.0, speed=1.0, current=(0.0, 0.0)):
    """Return what a sea does to a boat that goes straight ahead; the speed is that over ground, along itself."""
    log = Log('log', Path('log'), TIME, yaw=STILL + yaw, u=STILL + speed, v=STILL, r=STILL)
    motion = Motion(log.yaw, log.u, STILL, STILL, STILL, STILL, STILL)
    flow = Flow(STILL + current[0], STILL + current[1], STILL, STILL)
    return waves_along_log(log, motion, flow, boat, sea, SurgeSource(1.0, False))


def test_a_table_is_read_by_straight_lines(rng):
    """In speed it is one throughout, and between two directions; beyond the fastest as there, and to 0 at rest."""
    speeds, by_way = np.linspace(0.3, 1.9, SPEEDS), rng.normal(size=WAYS)
    table = np.outer(2.0 - 3.0 * speeds, by_way)
    speed, way = rng.uniform(0.3, 1.9, 200), rng.uniform(-9.0, 9.0, 200)
    shape = np.interp(way, TURNS, by_way, period=math.tau)
    np.testing.assert_allclose(_at(speeds, table, speed, way), (2.0 - 3.0 * speed) * shape, atol=1e-12)
    np.testing.assert_allclose(_at(speeds, table, 1.9 + speed, way), (2.0 - 3.0 * 1.9) * shape, atol=1e-12)
    np.testing.assert_allclose(_at(speeds, table, 0.15 * speed, way), 0.5 * speed * (2.0 - 0.9) * shape, atol=1e-12)
    assert not _at(speeds, table, -speed, way).any()
    assert np.isnan(_at(speeds, table, np.array([math.nan, 1.0]), np.array([1.0, math.nan]))).all()


@pytest.mark.parametrize(('high', 'more'), [(5.0, ()), (8.0, (8.0,))])
def test_a_sea_has_its_variance_and_its_spread(high, more):
    frequency, variance, shares = _sea(SEA, *more)
    peak = math.tau / 2.5
    assert frequency[[0, -1]] == pytest.approx([0.6 * peak, high * peak])
    assert variance.sum() == pytest.approx(0.3 ** 2 / 16.0)
    density = variance / np.gradient(frequency)
    wanted = jonswap(frequency, 1.0, 2.5)
    np.testing.assert_allclose(density / density.max(), wanted / wanted.max(), rtol=1e-9)
    np.testing.assert_allclose(shares / shares[0], np.cos(0.5 * TURNS) ** 20, atol=1e-15)
    assert shares.sum() == pytest.approx(1.0)


def test_the_estimate_without_parts_is_the_drag_of_water_that_drifts_and_moves():
    """Wave by wave: a hull that goes with the water is left behind by 1 - omega / omega_e, held between -1 and 1."""
    speeds = np.array([0.0, 0.7, 2.0])
    damping = PLAIN.vessel.damping._replace(d11_q=30.0)  # Of which alone the water that moves takes more.
    table, slip = _drift_table(replace(PLAIN, vessel=PLAIN.vessel._replace(damping=damping)), SEA, speeds)
    assert table.shape == slip.shape == (3, WAYS) and not slip.any()
    frequency, variance, _ = _sea(SEA, 8.0)
    drift = FELT_DRIFT * drift_at(frequency, variance)
    for speed, row in zip(speeds, table):
        for way, found in zip(TURNS, row):
            square = 0.0
            for omega, part in zip(frequency, variance):
                met = 1.0 - omega / GRAVITY * speed * math.cos(way)
                square += part * (omega * min(max(1.0 - 1.0 / (0.3 if abs(met) < 0.3 else met), -1.0), 1.0)) ** 2
            past = speed - drift * math.cos(way)
            wanted = damping.d11 * (past - speed) + damping.d11_q * (
                float(mean_square_with_sign(np.array(past), math.sqrt(square))) - speed ** 2)
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    # Waves from abeam are met as often as they come: the hull goes with them, and they do not drift along it.
    np.testing.assert_allclose(table[:, [WAYS // 4, 3 * WAYS // 4]], 0.0, atol=1e-9)


def test_a_thrust_answers_as_the_surge_that_was_seen_says():
    """Of a boat half ahead of the waves and half across: gains that are tried come back, between them between."""
    ways = np.zeros(WAYS)
    ways[[2, 9]] = 0.5
    frequency, variance, shares = _sea(SEA)
    every, around = (part.ravel() for part in np.meshgrid(frequency, TURNS, indexing='ij'))
    mass = PARTED.vessel.inertia.m11

    def scatter(gain):
        surge = HullInWaves(PARTED.vessel, 1.0, gain).means(every, around).surge.reshape(frequency.size, WAYS)
        return math.sqrt(sum(0.5 * share * float(variance @ surge[:, (way + place) % WAYS])
                             for place in (2, 9) for way, share in enumerate(shares)))

    free, held = scatter(0.0), scatter(2.0 * mass)
    assert free > held
    assert _held(PARTED, SEA, ways, 1.0, held) == pytest.approx(2.0 * mass)
    assert 0.0 < _held(PARTED, SEA, ways, 1.0, 0.5 * (free + held)) < 2.0 * mass
    assert _held(PARTED, SEA, ways, 1.0, 1.1 * free) == 0.0
    assert _held(PARTED, SEA, ways, 1.0, 0.0) == pytest.approx(4.0 * mass)
    assert _held(PARTED, SEA, ways, 1.0, math.nan) == 0.0
    assert _held(PARTED, SEA._replace(direction=math.nan), ways, 1.0, held) == 0.0


def test_work_counts_as_a_force_at_the_speed_but_not_below_the_least():
    """By the means of each wave, a square of an amplitude being twice its variance; alike to port and starboard."""
    frequency, variance, shares = _sea(SEA)
    every, around = (part.ravel() for part in np.meshgrid(frequency, TURNS, indexing='ij'))
    speeds = np.array([0.1, 1.0])
    resistance, slip = _parts_table(PARTED, SEA, speeds)
    np.testing.assert_allclose(resistance[:, 1:], resistance[:, :0:-1], atol=2e-3 * np.abs(resistance).max())
    for row, (speed, divisor) in enumerate(((0.1, 0.3), (1.0, 1.0))):
        means = HullInWaves(PARTED.vessel, speed).means(every, around)
        force, work, way = (2.0 * variance @ part.reshape(frequency.size, WAYS) for part in means[:3])
        for place in (0, 5, 12):
            spread = np.roll(shares, place)
            assert resistance[row, place] == pytest.approx(spread @ (force + work / divisor), rel=1e-9)
            assert slip[row, place] == pytest.approx(spread @ way, rel=1e-9)


@pytest.mark.parametrize(('boat', 'told_by'), [(PLAIN, DRIFT), (PARTED, PARTS)])
def test_errors_go_by_the_worst_direction_and_where_none_is_known_by_all(boat, told_by):
    resistance, _ = (_parts_table if told_by == PARTS else _drift_table)(boat, SEA, np.array([1.0]))
    known, unknown = along(SEA, boat), along(SEA._replace(direction=math.nan), boat)
    assert known.told_by == unknown.told_by == told_by
    np.testing.assert_allclose(known.resistance, resistance[0, WAYS // 2], rtol=1e-9)
    np.testing.assert_allclose(known.off, OFF[told_by] * np.abs(resistance).max(), rtol=1e-9)
    mean = resistance.mean()
    np.testing.assert_allclose(unknown.resistance, mean, rtol=1e-9)
    np.testing.assert_allclose(unknown.off, 0.5 * np.ptp(resistance) + OFF[told_by] * abs(mean), rtol=1e-9)


def test_the_mean_motion_is_as_wide_as_the_slowest_waves_within_its_limits():
    for slowest, width in ((1.8, 2.5 / 1.8), (0.1, 5.0), (25.0, 0.5)):
        assert along(SEA._replace(slowest=slowest), PLAIN).width == pytest.approx(width)


@pytest.mark.parametrize('yaw', [0.7, -2.0])
def test_the_speed_is_that_through_the_water(yaw):
    """Carried by 0.4 m/s ahead and set aside, a boat meets a sea as one that goes 1 m/s in still water."""
    ahead, aside = np.array([math.cos(yaw), math.sin(yaw)]), np.array([-math.sin(yaw), math.cos(yaw)])
    still, carried = along(SEA, PLAIN, yaw), along(SEA, PLAIN, yaw, 1.4, 0.4 * ahead + 0.3 * aside)
    np.testing.assert_allclose(carried.resistance, still.resistance, rtol=1e-9)


def test_a_drift_goes_where_the_sea_goes_less_by_its_spread():
    sea = SEA._replace(direction=0.8)
    east, north = drift_of(sea, 0.3)
    frequency, variance, shares = _sea(sea, 8.0)
    wanted = float(shares @ np.cos(TURNS)) * drift_at(frequency, variance, 0.3)
    assert (east, north) == pytest.approx((wanted * math.cos(0.8), wanted * math.sin(0.8)))
    flow = less_drift(Flow(STILL + 0.5, STILL - 0.2, STILL, STILL), (0.1, 0.3))
    np.testing.assert_allclose([flow.current_x[0], flow.current_y[0]], [0.4, -0.5])


def test_a_table_begins_at_three_twentieths_of_the_fastest_speed_through_the_water(monkeypatch):
    looked_at = []

    def noted(boat, sea, speeds):
        looked_at.append(speeds)
        return _drift_table(boat, sea, speeds)

    monkeypatch.setattr('usv_energy.studies.analyze.waves.waves_along_log._drift_table', noted)
    along(SEA, replace(PLAIN, waves=None), speed=2.5, current=(0.5, 0.0))
    np.testing.assert_allclose(looked_at, [np.linspace(0.3, 2.0, SPEEDS)])
