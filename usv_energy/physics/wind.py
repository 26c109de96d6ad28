"""The wind's force on the hull above water."""

from .elementwise import kernel, sqrt


@kernel
def wind_force(u_aw, v_aw, windage):
    """
    Return the wind's force on the hull, in body axes: q A_F c_x cos(gamma), q A_L c_y sin(gamma).

    With the angle written as components, V^2 cos(gamma) is V u_aw: no angle, no special case in still air.

    :param u_aw: Velocity of the air relative to the hull (apparent wind, where it blows to), forward, m/s; float or
        array.
    :param v_aw: The same to port, m/s; same shape.
    :param windage: The Windage.
    :return: Surge force and sway force (to port), N. The model has no yaw moment.

    Source: Fossen (2011), (8.23) to (8.32), for hulls symmetric about their centre plane; thesis (4.18), (4.19).
    """
    pressure = 0.5 * windage.air_density * sqrt(u_aw * u_aw + v_aw * v_aw)
    return (pressure * windage.frontal_area * windage.c_x * u_aw, pressure * windage.lateral_area * windage.c_y * v_aw)
