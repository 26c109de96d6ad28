"""What an autopilot is told of a boat in waves: its accelerometers and gyros agree with where it goes."""

import numpy as np
import pytest

from usv_energy.sim.hil.sitl_frames import HilSession, ServoChannels, SitlFrame
from usv_energy.sim.plants.plant import hull_attitude
from usv_energy.sim.scenario import read_scenario


def rotation(attitude):
    """Return R of body to earth, written out anew: Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(attitude), np.sin(attitude)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]])


@pytest.fixture(scope='module')
def motions():
    scenario = read_scenario('waves/otter_head_sea')
    session = HilSession(scenario, ServoChannels(scenario.plant, None))
    return session, [session.on_frame(SitlFrame(50, count, (1650, 0, 1650, *[0] * 13)), 0.0) for count in range(1000)]


def test_a_hull_of_parts_is_told_with_heave_roll_and_pitch(motions):
    session, told = motions
    at = hull_attitude(session.plant)
    assert told[-1].place == (at.x, at.y, at.z)
    assert told[-1].attitude == pytest.approx((at.roll, at.pitch, at.yaw))
    assert np.std([one.place[2] for one in told]) > 0.01
    assert np.std([one.attitude[1] for one in told]) > 0.005


def test_the_integral_of_acceleration_is_the_velocity_and_that_of_velocity_the_place(motions):
    """An autopilot's filter integrates what its IMU feels; within the differences' own error of order 1."""
    _, told = motions
    at = [rotation(np.array(one.attitude)) for one in told]
    acceleration = np.array([turn @ one.acceleration for turn, one in zip(at, told)])
    velocity = np.array([turn @ one.velocity for turn, one in zip(at, told)])
    place = np.array([one.place for one in told])
    passed = np.diff([one.time for one in told])[:, None]
    np.testing.assert_allclose(np.cumsum(acceleration[1:] * passed, axis=0), velocity[1:] - velocity[0], atol=1e-9)
    middle = 0.5 * (velocity[1:] + velocity[:-1])
    np.testing.assert_allclose(np.cumsum(middle * passed, axis=0), place[1:] - place[0], atol=2e-3)


def test_the_gyros_turn_the_boat_as_its_attitude_does(motions):
    """R' = R [w]x: the rates' middle over a frame turns one attitude into the next."""
    _, told = motions
    for before, after in zip(told[200:800:20], told[201:801:20]):
        p, q, r = 0.5 * (np.array(before.rates) + after.rates) * (after.time - before.time)
        turned = rotation(np.array(before.attitude)) @ (np.eye(3) + np.array([[0, -r, q], [r, 0, -p], [-q, p, 0]]))
        np.testing.assert_allclose(turned, rotation(np.array(after.attitude)), atol=2e-4)
