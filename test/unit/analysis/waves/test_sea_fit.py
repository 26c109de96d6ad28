import functools
import math
from pathlib import Path

import numpy as np
import pytest

from usv_energy.analysis.waves.hull_in_waves import encounter_frequency
from usv_energy.analysis.waves.sea_fit import FREQUENCIES, sea_seen, sea_weights, spread_weights
from usv_energy.analysis.waves.surface_follower import SurfaceFollower
from usv_energy.analysis.waves.wave_spectra import log_spectra
from usv_energy.flow.sea import SeaState, irregular_sea
from usv_energy.logs.log import Log
from usv_energy.physics.power import Flow

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


def seen_by(log, *names):
    flat = np.zeros(len(log))
    few = Log('few', log.path, log.time, yaw=log.yaw, u=log.u, v=log.v, r=log.r,
              extra={name: log.extra[name] for name in names})
    found, why = log_spectra(few, Flow(flat, flat, flat, flat))
    assert found is not None, why
    return sea_seen(found, follower)


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


def test_heave_alone_tells_no_direction():
    found = seen_by(buoy(0.3, 2.5, 60.0, 0.0, 0.0, 7), 'heave_m')
    assert math.isnan(found.direction) and found.height == pytest.approx(0.3, rel=0.05)


def test_noise_is_no_sea():
    log, rng = buoy(0.3, 2.5, 60.0, 0.0, 0.0, 7), np.random.default_rng(3)
    log = Log('noise', log.path, log.time, yaw=log.yaw, u=log.u, v=log.v, r=log.r, extra={
        name: 0.05 * rng.standard_normal(len(log)) for name in ('heave_m', 'roll_rad', 'pitch_rad')})
    assert seen_by(log, 'heave_m', 'roll_rad', 'pitch_rad') is None


def test_weights_are_the_variance_of_the_sea():
    assert sea_weights(0.5, 3.0).sum() == pytest.approx(0.5 ** 2 / 16.0)
    assert FREQUENCIES[int(np.argmax(sea_weights(0.5, 3.0) / np.gradient(FREQUENCIES)))] == pytest.approx(
        2.0 * math.pi / 3.0, rel=0.03)
    assert spread_weights().sum() == pytest.approx(1.0) and spread_weights().argmax() == 0


def test_nothing_slower_than_the_slowest_is_met():
    found = seen_by(buoy(0.5, 3.2, 180.0, 1.0, 0.0, 7), 'heave_m', 'roll_rad', 'pitch_rad')
    longest = encounter_frequency(np.array([0.6 * 2.0 * math.pi / 3.2]), np.array([math.pi]), 1.0)[0]
    assert longest < found.slowest < 2.0 * math.pi / 3.2 + (2.0 * math.pi / 3.2) ** 2 / 9.81
