"""The force of the wind on the hull above water, and the wind profile over water."""

import math

from usv_energy.physics.elementwise import arctan2, kernel, sqrt

ROUGHNESS = 2e-4  # m, roughness length of open water: Wieringa (1992), J. Wind Eng. Ind. Aerodyn. 41, class "sea".
LOWEST = 0.01     # m, lowest height at which the profile is used; below it, waves shape the wind.


@kernel
def wind_force(u_aw, v_aw, windage):
    """
    Return the force of the wind on the hull in body axes: q A_F c_x cos(gamma), q A_L c_y sin(gamma), and yaw moment.

    V^2 cos(gamma) is written as V u_aw, so still air needs no special case. The side force acts at the centre of the
    lateral area, shifted forward by `yaw_arm` for each radian by which the wind comes from ahead of the beam. A wind
    from ahead therefore turns the bow away from the wind, and a wind from astern turns the stern away.

    :param u_aw: Velocity of the air relative to the hull (apparent wind, the direction it blows to), forward, m/s;
        float or array.
    :param v_aw: The same to port, m/s; same shape.
    :param windage: The Windage. Its `yaw_arm` is None in an ensemble in which no boat has one.
    :return: Surge force and sway force (to port), N, and yaw moment (counter-clockwise), N m.

    Source: Fossen (2011), (8.23) to (8.32), for hulls symmetric about their centre plane; thesis (4.18), (4.19). The
    moment: Blendermann (1994) as in Fossen (2011), section 8.1, C_N = (s_L / L - 0.18 (gamma - pi/2)) C_Y with gamma
    from the bow, 0 to pi; s_L is `lateral_x`, 0.18 L is `yaw_arm`. The thesis has none.
    """
    speed, half = sqrt(u_aw * u_aw + v_aw * v_aw), 0.5 * windage.air_density
    side_force = half * windage.lateral_area * windage.c_y * (speed * v_aw)
    arm = windage.lateral_x if windage.yaw_arm is None else (
        windage.lateral_x + windage.yaw_arm * arctan2(-u_aw, abs(v_aw)))
    return half * windage.frontal_area * windage.c_x * (speed * u_aw), side_force, arm * side_force


def share_at_height(height: float, given_at: float, roughness: float = ROUGHNESS) -> float:
    """
    Return the ratio of the mean wind speeds at two heights, (-), by the log law ln(z / z0) / ln(z_given / z0).

    It holds for neutral stability of the air, above the waves.

    :param height: Height z at which the wind is wanted, m above water, at least LOWEST.
    :param given_at: Height z_given at which it is known, m above water, at least LOWEST.
    :param roughness: Roughness length z0, m.

    Source: Stull (1988), An Introduction to Boundary Layer Meteorology, (9.7.1); with 2e-4 m it leaves 0.72 of the wind
    at 10 m for 0.5 m, and so 0.52 of its pressure.
    """
    return math.log(height / roughness) / math.log(given_at / roughness)
