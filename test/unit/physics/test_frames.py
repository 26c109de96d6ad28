import math

import numpy as np
import pytest

from usv_energy.physics import frames
from usv_energy.physics.parted_hull import Turn, vector_to_earth


def axes(yaw):
    return np.cos(yaw), np.sin(yaw)


def test_to_earth_undoes_to_body(rng):
    x, y, yaw = rng.uniform(-5.0, 5.0, size=(3, 1000))
    np.testing.assert_allclose(frames.to_earth(*frames.to_body(x, y, *axes(yaw)), *axes(yaw)), (x, y), atol=1e-14)
    np.testing.assert_allclose(frames.to_body(*frames.to_earth(x, y, *axes(yaw)), *axes(yaw)), (x, y), atol=1e-14)


def test_to_body_is_a_rotation_and_as_published_a_reflection(rng):
    for yaw in rng.uniform(-math.pi, math.pi, 50):
        for function, determinant in ((frames.to_body, 1.0), (frames.to_body_as_published, -1.0)):
            matrix = np.array([function(1.0, 0.0, *axes(yaw)), function(0.0, 1.0, *axes(yaw))]).T
            np.testing.assert_allclose(matrix @ matrix.T, np.eye(2), atol=1e-15)
            assert np.linalg.det(matrix) == pytest.approx(determinant, abs=1e-15)


def test_known_body_components():
    # A boat heading north: what flows north is ahead, what flows west is to port.
    north = (math.cos(math.pi / 2), math.sin(math.pi / 2))
    assert frames.to_body(0.0, 1.0, *north) == pytest.approx((1.0, 0.0), abs=1e-15)
    assert frames.to_body(-1.0, 0.0, *north) == pytest.approx((0.0, 1.0), abs=1e-15)


def test_as_published_is_the_same_vector_with_its_second_component_to_starboard(rng):
    x, y, yaw = rng.uniform(-5.0, 5.0, size=(3, 1000))
    forward, port = frames.to_body(x, y, *axes(yaw))
    np.testing.assert_array_equal(frames.to_body_as_published(x, y, *axes(yaw)), (forward, -port))
    # Thesis (4.15), (4.16): V cos(psi - beta) and V sin(psi - beta) of a flow V towards beta.
    speed, beta = np.hypot(x, y), np.arctan2(y, x)
    np.testing.assert_allclose(frames.to_body_as_published(x, y, *axes(yaw)),
                               (speed * np.cos(yaw - beta), speed * np.sin(yaw - beta)), atol=1e-14)


@pytest.mark.parametrize('direction, expected', [
    (0.0, (2.0, 0.0)), (90.0, (0.0, 2.0)), (180.0, (-2.0, 0.0)), (-90.0, (0.0, -2.0)),
    (45.0, (math.sqrt(2.0), math.sqrt(2.0)))])
def test_polar_directions_count_from_east_counter_clockwise(direction, expected):
    assert frames.polar_to_earth(2.0, direction) == pytest.approx(expected, abs=1e-15)


def test_wrapped_angles_lie_in_the_half_open_turn_and_are_the_same_angle(rng):
    for angle in rng.uniform(-50.0, 50.0, 500):
        wrapped = frames.wrap_angle(angle)
        assert -math.pi < wrapped <= math.pi
        turns = (angle - wrapped) / math.tau
        assert turns == pytest.approx(round(turns), abs=1e-12)


def test_wrapping_at_the_seam():
    assert frames.wrap_angle(math.pi) == math.pi
    assert frames.wrap_angle(-math.pi) == math.pi
    assert frames.wrap_angle(3.0 * math.pi) == pytest.approx(math.pi)
    assert frames.wrap_angle(0.0) == 0.0
    assert frames.wrap_angle(math.pi + 1e-9) == pytest.approx(-math.pi + 1e-9, abs=1e-15)


@pytest.mark.parametrize('angle', [math.nan, math.inf, -math.inf])
def test_no_angle_wraps_to_nan(angle):
    assert math.isnan(frames.wrap_angle(angle))


def test_yaw_goes_through_a_quaternion_and_back(rng):
    for yaw in [*rng.uniform(-math.pi, math.pi, 200), math.pi, 0.5 * math.pi, 0.0]:
        x, y, z, w = frames.quaternion_of_yaw(yaw)
        assert (x, y) == (0.0, 0.0) and z * z + w * w == pytest.approx(1.0, abs=1e-15)
        assert frames.yaw_of_quaternion(x, y, z, w) == pytest.approx(yaw, abs=1e-14)
        for scale in (-1.0, 3.0, 1e-3):
            scaled = frames.yaw_of_quaternion(scale * x, scale * y, scale * z, scale * w)
            assert frames.wrap_angle(scaled - yaw) == pytest.approx(0.0, abs=1e-14)


def test_yaw_is_read_out_of_roll_pitch_and_yaw(rng):
    for yaw, pitch, roll in zip(rng.uniform(-3.1, 3.1, 200), rng.uniform(-0.3, 0.3, 200), rng.uniform(-0.3, 0.3, 200)):
        (sr, sp, sy), (cr, cp, cy) = np.sin((roll / 2, pitch / 2, yaw / 2)), np.cos((roll / 2, pitch / 2, yaw / 2))
        # Fossen (2011), (2.27), z-y-x order.
        quaternion = (sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                      cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy)
        assert frames.yaw_of_quaternion(*quaternion) == pytest.approx(yaw, abs=1e-13)


@pytest.mark.parametrize('quaternion', [
    (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, math.nan, 1.0), (0.0, 0.0, math.inf, 1.0), (0.0, -math.inf, 0.0, 1.0)])
def test_what_is_no_orientation_has_no_yaw(quaternion):
    assert math.isnan(frames.yaw_of_quaternion(*quaternion))


def test_half_a_turn_about_the_port_axis_looks_astern():
    assert frames.yaw_of_quaternion(0.0, 1.0, 0.0, 0.0) == math.pi


def test_ned_and_enu_are_each_others_inverse(rng):
    for pose in rng.uniform(-3.0, 3.0, size=(200, 3)):
        assert frames.enu_of_ned(*frames.enu_of_ned(*pose)) == pytest.approx(tuple(pose), abs=1e-14)


@pytest.mark.parametrize('ned, enu', [
    ((5.0, 2.0, 0.0), (2.0, 5.0, 0.5 * math.pi)),               # heading north
    ((5.0, 2.0, 0.5 * math.pi), (2.0, 5.0, 0.0)),               # heading east
    ((0.0, 0.0, math.pi), (0.0, 0.0, -0.5 * math.pi)),          # heading south
    ((0.0, 0.0, -0.5 * math.pi), (0.0, 0.0, math.pi))])         # heading west
def test_known_poses_in_ned_and_enu(ned, enu):
    assert frames.enu_of_ned(*ned) == pytest.approx(enu, abs=1e-15)


def test_frd_and_flu_describe_the_same_velocity(rng):
    """The path over ground is the same, whether velocity and yaw are given in ENU/FLU or in NED/FRD."""
    for north, east, heading, u, v, r in rng.uniform(-3.0, 3.0, size=(100, 6)):
        north_rate = u * math.cos(heading) - v * math.sin(heading)
        east_rate = u * math.sin(heading) + v * math.cos(heading)
        _, _, yaw = frames.enu_of_ned(north, east, heading)
        assert frames.to_earth(*frames.flu_of_frd(u, v, r)[:2], math.cos(yaw), math.sin(yaw)) == pytest.approx(
            (east_rate, north_rate), abs=1e-13)
        assert frames.flu_of_frd(*frames.flu_of_frd(u, v, r)) == (u, v, r)
        assert frames.flu_of_frd(u, v, r)[2] == -r


def test_yaw_is_that_of_the_rotation_whatever_roll_and_pitch(rng):
    """atan2(R21, R11) of the rotation's matrix, as scipy has it; for half turns about x or y, too."""
    from scipy.spatial.transform import Rotation
    some = np.concatenate([rng.normal(size=(200, 4)), np.eye(4), [[0.6, 0.7, 0.1, 0.2], [0.1, 0.8, 0.5, 0.2]]])
    for quaternion in some:
        matrix = Rotation.from_quat(quaternion).as_matrix()
        expected = math.atan2(matrix[1, 0], matrix[0, 0])
        assert math.remainder(frames.yaw_of_quaternion(*quaternion.tolist()) - expected, math.tau) == pytest.approx(
            0.0, abs=1e-12)


def test_a_quaternion_of_angles_turns_as_rz_ry_rx():
    roll, pitch, yaw = 0.3, -0.2, 2.4
    x, y, z, w = frames.quaternion_of_angles(roll, pitch, yaw)
    turn = Turn(*(part for angle in (roll, pitch, yaw) for part in (math.cos(angle), math.sin(angle))))
    matrix = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                       [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                       [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    for axis in np.eye(3):
        np.testing.assert_allclose(matrix @ axis, vector_to_earth(*axis, turn), atol=1e-12)
    assert frames.quaternion_of_angles(0.0, 0.0, yaw) == pytest.approx(frames.quaternion_of_yaw(yaw))
