"""What a payload adds to a boat's inertia."""

from .vessel import Hull, Inertia


def with_payload(inertia: Inertia, hull: Hull) -> Inertia:
    """
    Return the inertia of a boat with its payload on board.

    The payload is a point mass at x, or two halves of it at x and plus and minus y: m11 and m22 get m more, m33 gets
    m (x^2 + y^2), and m23, which is m x_g - Y_rdot about the boat's point, gets m x. A payload wholly to one side would
    couple surge and yaw (-m y_g), which the model, of boats symmetric about their centre plane, does not have. That the
    boat lies deeper, with more drag and added mass, is left out: no file says how much.

    :param inertia: Of the boat without payload, as its file gives it; numbers or arrays.
    :param hull: With the payload, kg, and its place, m.

    Source: Fossen (2011), section 3.3: inertia of a rigid body about a point that is not its centre of mass.
    """
    mass, x, y = hull.payload, hull.payload_x, hull.payload_y
    return inertia._replace(m11=inertia.m11 + mass, m22=inertia.m22 + mass,
                            m33=inertia.m33 + mass * (x * x + y * y), m23=inertia.m23 + mass * x)


def without_payload(inertia: Inertia, hull: Hull) -> Inertia:
    """Return the inertia as the boat's file gives it from that with the payload: the inverse of `with_payload`."""
    return with_payload(inertia, hull._replace(payload=-1.0 * hull.payload))
