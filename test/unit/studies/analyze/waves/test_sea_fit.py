import functools
import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.flow.sea import SeaState, irregular_sea
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow
from usv_energy.studies.analyze.waves.hull_in_waves import encounter_frequency
from usv_energy.studies.analyze.waves.sea_fit import (
    DIRECTIONS,
    FREQUENCIES,
    PERIODS,
    _between,
    _period_between,
    _Response,
    sea_seen,
    sea_weights,
    spread_weights,
)
from usv_energy.studies.analyze.waves.wave_spectra import log_spectra
from usv_energy.studies.analyze.waves.waves_along_log import SurfaceFollower

TIME = np.arange(0.0, 1500.0, 0.1)


def follower(speed):
    return SurfaceFollower(0.0, 0.0, speed)


@functools.cache
def buoy(height, period, towards, speed, heading, seed):
    """Return the log of a point that goes with the surface of a drawn sea: elevation and slopes at its place."""
    sea = irregular_sea(SeaState(height, period, direction=math.radians(towards)), seed)
    yaw = math.radians(heading)
    c, s, n = math.cos(yaw), math.sin(yaw), TIME.size
    x, y = speed * c * TIME, speed * s * TIME
    w = sea.waves
    angle = np.outer(x, w.number * w.east) + np.outer(y, w.number * w.north) - np.outer(TIME, w.frequency) + w.phase
    rise, slope = np.cos(angle) @ w.amplitude, np.sin(angle)
    east, north = (-slope @ (w.amplitude * w.number * axis) for axis in (w.east, w.north))
    flat = np.zeros(n)
    return Log('buoy', Path('buoy'), TIME, x=x, y=y, yaw=np.full(n, yaw), u=np.full(n, speed), v=flat, r=flat, extra={
        'heave_m': rise, 'roll_rad': c * north - s * east, 'pitch_rad': -(c * east + s * north),
        'vertical_acceleration_m_s2': np.gradient(np.gradient(rise, TIME), TIME)})


def spectra_of(log, *names):
    flat = np.zeros(len(log))
    few = Log('few', log.path, log.time, yaw=log.yaw, u=log.u, v=log.v, r=log.r,
              extra={name: log.extra[name] for name in names})
    found, why = log_spectra(few, Flow(flat, flat, flat, flat))
    assert found is not None, why
    return found


def seen_by(log, *names):
    return sea_seen(spectra_of(log, *names), follower)


@pytest.mark.parametrize('height, period, towards, speed, heading', [
    (0.3, 2.5, 60.0, 0.0, 0.0), (0.5, 3.2, 180.0, 1.0, 0.0), (0.5, 3.2, 0.0, 1.0, 0.0), (0.2, 2.0, -70.0, 0.8, 150.0)])
def test_a_drawn_sea_is_seen_by_a_buoy(height, period, towards, speed, heading):
    # 25 min: the height of so long a record scatters by some 3 %, that of two by 2 %, its direction by a few degrees.
    found, other = (seen_by(buoy(height, period, towards, speed, heading, seed), 'heave_m', 'roll_rad', 'pitch_rad')
                    for seed in (7, 8))
    assert math.hypot(found.height, other.height) / math.sqrt(2.0) == pytest.approx(height, rel=0.05)
    assert found.period == pytest.approx(period, rel=0.05)
    off = math.remainder(found.direction - math.radians(towards), 2.0 * math.pi)
    assert abs(math.degrees(off)) < 8.0
    assert found.seen_from == 'heave, roll and pitch'


def test_the_acceleration_shows_the_same_sea():
    log = buoy(0.5, 3.2, 180.0, 1.0, 0.0, 7)
    found = seen_by(log, 'vertical_acceleration_m_s2', 'roll_rad', 'pitch_rad')
    assert found.height == pytest.approx(0.5, rel=0.08)
    assert found.period == pytest.approx(3.2, rel=0.06)
    assert abs(math.remainder(found.direction - math.pi, 2.0 * math.pi)) < math.radians(8.0)


@pytest.mark.parametrize('others', [(), ('roll_rad',), ('pitch_rad',)])
def test_heave_alone_or_with_one_slope_tells_no_direction(others):
    found = seen_by(buoy(0.3, 2.5, 60.0, 0.0, 0.0, 7), 'heave_m', *others)
    assert math.isnan(found.direction) and found.height == pytest.approx(0.3, rel=0.05)


def test_slopes_alone_tell_no_direction():
    """A sea and the one that runs the other way have the same slopes but for the sign of both."""
    assert math.isnan(seen_by(buoy(0.3, 2.5, 60.0, 0.0, 0.0, 7), 'roll_rad', 'pitch_rad').direction)


@pytest.mark.parametrize('turn', [7, 23])
def test_a_boat_that_heads_another_way_sees_the_same_sea_turned_with_it(turn):
    spectra = spectra_of(buoy(0.5, 3.2, 180.0, 1.0, 0.0, 7), 'heave_m', 'roll_rad', 'pitch_rad')
    more = turn * math.tau / DIRECTIONS
    here = sea_seen(spectra, follower)
    there = sea_seen(spectra._replace(windows=[one._replace(heading=one.heading + more) for one in spectra.windows]),
                     follower)
    assert math.remainder(there.direction - here.direction - more, math.tau) == pytest.approx(0.0, abs=1e-9)
    assert there._replace(direction=0.0)[:2] == pytest.approx(here[:2], rel=1e-9)
    assert there[4:] == pytest.approx(here[4:], rel=1e-9)


@pytest.mark.parametrize('degrees', [-176.0, -52.0, -3.0, 2.0, 90.0, 178.0, 180.0])
def test_a_direction_is_the_peak_of_the_parabola_through_three(degrees):
    off = np.arange(DIRECTIONS) * 10.0 - degrees
    explained = 0.8 - 0.001 * ((off + 180.0) % 360.0 - 180.0) ** 2
    found = _between(explained, int(explained.argmax()))
    assert math.degrees(math.remainder(found - math.radians(degrees), math.tau)) == pytest.approx(0.0, abs=1e-9)
    assert -math.pi <= found <= math.pi
    assert _between(np.full(DIRECTIONS, 0.5), 8) == pytest.approx(math.radians(80.0))


def test_a_period_is_the_peak_of_the_parabola_of_its_logarithm():
    for place in (1, 20, PERIODS.size - 2):
        for period in PERIODS[place] * np.array([0.99, 1.0, 1.012]):
            explained = 0.8 - (np.log(PERIODS / period)) ** 2
            assert _period_between(explained, place) == pytest.approx(period, rel=1e-9)
    rising = np.linspace(0.1, 0.9, PERIODS.size)
    assert _period_between(rising, PERIODS.size - 1) == PERIODS[-1]
    assert _period_between(rising[::-1], 0) == PERIODS[0]
    assert _period_between(0.0 * rising, 5) == PERIODS[5]


def test_a_wave_is_smeared_as_by_the_window_of_hann():
    """Its amplitude by 1/2, and 1/4 on either side: its power by 4, and 1 on either side, in all what it was."""
    products = np.zeros((2, DIRECTIONS, 2, 2), dtype=complex)
    products[0, 3] = [[1.0, 2.0 - 1.0j], [2.0 + 1.0j, 5.0]]
    products[1, 3] = [[0.5, 0.0], [0.0, 0.0]]
    places = np.full((2, DIRECTIONS), 4)
    places[1] = 7
    found = _Response(products, places, 10, np.zeros((2, DIRECTIONS))).of(np.array([3.0, 2.0]))
    assert found.shape == (DIRECTIONS, 8, 2, 2) and not np.delete(found, 3, axis=0).any()
    for k, share in enumerate((0.0, 0.0, 1.0, 4.0, 1.0, 0.0, 0.0, 0.0)):
        more = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 4.0, 1.0)[k] / 6.0
        np.testing.assert_allclose(found[3, k], share / 6.0 * 3.0 * products[0, 3] + more * 2.0 * products[1, 3])


def test_noise_is_no_sea():
    log, rng = buoy(0.3, 2.5, 60.0, 0.0, 0.0, 7), np.random.default_rng(3)
    log = Log('noise', log.path, log.time, yaw=log.yaw, u=log.u, v=log.v, r=log.r, extra={
        name: 0.05 * rng.standard_normal(len(log)) for name in ('heave_m', 'roll_rad', 'pitch_rad')})
    assert seen_by(log, 'heave_m', 'roll_rad', 'pitch_rad') is None


def test_weights_are_the_variance_of_the_sea():
    assert sea_weights(0.5, 3.0).sum() == pytest.approx(0.5 ** 2 / 16.0)
    assert FREQUENCIES[int(np.argmax(sea_weights(0.5, 3.0) / np.gradient(FREQUENCIES)))] == pytest.approx(
        2.0 * math.pi / 3.0, rel=0.03)
    shares = spread_weights()
    assert shares.sum() == pytest.approx(1.0)
    half = 0.5 * math.tau / DIRECTIONS * np.arange(DIRECTIONS)
    np.testing.assert_allclose(shares / shares[0], np.cos(half) ** 20, atol=1e-15)


def test_nothing_slower_than_the_slowest_is_met():
    found = seen_by(buoy(0.5, 3.2, 180.0, 1.0, 0.0, 7), 'heave_m', 'roll_rad', 'pitch_rad')
    longest = encounter_frequency(np.array([0.6 * 2.0 * math.pi / 3.2]), np.array([math.pi]), 1.0)[0]
    assert longest < found.slowest < 2.0 * math.pi / 3.2 + (2.0 * math.pi / 3.2) ** 2 / 9.81
