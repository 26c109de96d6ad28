import numpy as np

from usv_energy.boats.vessel import Thruster, with_shares


def thruster(y, tilt=1.0):
    return Thruster(-0.4, y, -10.0, 10.0, tilt, 0.0, 0.0, 0.0)


def test_the_shares_of_a_pair():
    """T = X / (2 cos) -+ N / (2 y cos): closed form of the pseudo-inverse of two thrusters at plus and minus y."""
    tilt = 0.9
    port, starboard = with_shares((thruster(0.25, tilt), thruster(-0.25, tilt)))
    np.testing.assert_allclose([port.surge_share, starboard.surge_share], 0.5 / tilt)
    np.testing.assert_allclose([port.yaw_share, starboard.yaw_share], [-0.5 / 0.25 / tilt, 0.5 / 0.25 / tilt])


def test_three_thrusters_give_what_is_asked_with_the_least_thrust():
    given = with_shares((thruster(0.5), thruster(0.1), thruster(-0.4, 0.8)))
    arrangement = np.array([[t.efficiency_of_tilt, -t.y * t.efficiency_of_tilt] for t in given]).T
    shares = np.array([[t.surge_share, t.yaw_share] for t in given])
    np.testing.assert_allclose(arrangement @ shares, np.eye(2), atol=1e-12)
    free = np.linalg.svd(arrangement)[2][2]     # thrusts that cancel each other
    np.testing.assert_allclose(free @ shares, 0.0, atol=1e-12)


def test_arrays_give_each_run_the_shares_of_its_own():
    arms = np.array([0.1, 0.25, 0.7])
    port, starboard = with_shares((thruster(arms), thruster(-arms)))
    for n, arm in enumerate(arms):
        alone = with_shares((thruster(float(arm)), thruster(-float(arm))))
        found = [port.yaw_share[n], starboard.yaw_share[n]]
        np.testing.assert_allclose(found, [t.yaw_share for t in alone], rtol=1e-14)
        assert isinstance(alone[0].yaw_share, float)
