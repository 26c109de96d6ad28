"""
Sine, cosine, arc tangent and angle wrapping in arithmetic alone: what compiled code has in place of the libm's.

No call and no branch, so LLVM turns a loop over boats into vector instructions, on any processor and with no library
beside numba; and a sine and a cosine of one angle share their work. Right to a few units in the last place.
"""

import math

import numpy as np

from .elementwise import kernel, select

HALF_PI_HIGH = 1.57079632673412561417
HALF_PI_MIDDLE = 6.07710050630396597660e-11
HALF_PI_LOW = 2.02226624879595063154e-21
TWO_OVER_PI = 2.0 / math.pi


@kernel
def reduced(x):
    """
    Return an angle less the nearest quarter turn, rad, and the number of that quarter, 0 to 3; float or array.

    :param x: Angle, rad; right up to about 1e6, NaN for an infinite one.

    Source: Cody and Waite (1980), chapter 8, with pi / 2 split as in fdlibm's e_rem_pio2.c.
    """
    n = np.floor(x * TWO_OVER_PI + 0.5)
    return ((x - n * HALF_PI_HIGH) - n * HALF_PI_MIDDLE) - n * HALF_PI_LOW, n - 4.0 * np.floor(0.25 * n)


@kernel
def near_sine(x):
    """Return the sine of an angle within an eighth of a turn of 0, rad; float or array. Source: fdlibm, k_sin.c."""
    z = x * x
    tail = -1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (
        2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))))
    return x + x * z * tail


@kernel
def near_cosine(x):
    """Return the cosine of an angle within an eighth of a turn of 0, rad; float or array. Source: fdlibm, k_cos.c."""
    z = x * x
    tail = z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (
        2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * (
            2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))))
    head = 1.0 - 0.5 * z
    return head + (((1.0 - head) - 0.5 * z) + tail)


@kernel
def sine(x):
    """Return the sine of an angle, rad, NaN for an infinite one; float or array."""
    near, quarter = reduced(x)
    value = select((quarter == 1.0) | (quarter == 3.0), near_cosine(near), near_sine(near))
    return select(quarter >= 2.0, -value, value)


@kernel
def cosine(x):
    """Return the cosine of an angle, rad, NaN for an infinite one; float or array."""
    near, quarter = reduced(x)
    value = select((quarter == 1.0) | (quarter == 3.0), near_sine(near), near_cosine(near))
    return select((quarter == 1.0) | (quarter == 2.0), -value, value)


@kernel
def arc_tangent(y, x):
    """
    Return the angle of the point (x, y) from the x axis, rad, from -pi to pi; 0 for (0, 0); floats or arrays.

    Zeros have no sign here: the negative x axis is at pi.

    Source: Moshier's Cephes, atan.c, its argument folded into the first eighth of a turn.
    """
    width, height = abs(x), abs(y)
    steep = height > width
    low, high = select(steep, width, height), select(steep, height, width)
    far = low > 0.66 * high
    below = select(far, high + low, high)
    t = select(far, low - high, low) / select(below == 0.0, 1.0, below)
    z = t * t
    p = (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z
         - 1.228866684490136173410e2) * z - 6.485021904942025371773e1
    q = ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) * z
         + 4.853903996359136964868e2) * z + 1.945506571482613964425e2
    angle = t + t * (z * (p / q)) + select(far, 0.25 * math.pi, 0.0)
    angle = select(steep, 0.5 * math.pi - angle, angle)
    angle = select(x < 0.0, math.pi - angle, angle)
    return select(y < 0.0, -angle, angle)


@kernel
def less_whole_turns(angle):
    """Return the same angle in (-pi, pi], rad, NaN for an infinite one; float or array."""
    wrapped = angle - math.tau * np.floor(angle * (1.0 / math.tau) + 0.5)
    return select(wrapped <= -math.pi, wrapped + math.tau, wrapped)
