"""
Sine, cosine, arc tangent and angle wrapping by arithmetic alone, for compiled code in place of libm.

They have no calls and no branches, so LLVM vectorizes a loop over boats on any processor without another library, and
sine and cosine of one angle share their work. The error is a few units in the last place.
"""

import math
from typing import Any

import numpy as np

from usv_energy.physics.elementwise import kernel, select

HALF_PI_HIGH = 1.57079632673412561417
HALF_PI_MIDDLE = 6.07710050630396597660e-11
HALF_PI_LOW = 2.02226624879595063154e-21
TWO_OVER_PI = 2.0 / math.pi
LITTLE = 0.1  # rad, largest angle for which `turned_by_little` is exact to the last places.
LAST_BIT_IS_ONE = 6755399441055744.0  # 1.5 * 2^52: floats near it are integers.


def bits_of(number: Any) -> Any:
    """Return the bits of a float as a 64-bit integer; arrays for arrays."""
    return np.asarray(number, dtype=float).view(np.int64)


def signed_by(value: Any, bits: Any) -> Any:
    """Return a value with its sign changed where the second-lowest bit of `bits` is 1; arrays for arrays."""
    return np.where((bits & 2) == 2, -value, value)


@kernel
def reduced(x):
    """
    Return an angle minus the nearest multiple of a quarter turn, rad, and bits whose last two are that quarter, 0 to 3.

    :param x: Angle, rad, float or array; exact up to about 1e6, NaN for an infinite one.

    Adding a number so large that its last bit is 1 rounds to an integer, whose bits are the last bits of the sum.

    Source: Cody and Waite (1980), chapter 8, with pi / 2 split as in fdlibm's e_rem_pio2.c.
    """
    rounded = x * TWO_OVER_PI + LAST_BIT_IS_ONE
    n = rounded - LAST_BIT_IS_ONE
    return ((x - n * HALF_PI_HIGH) - n * HALF_PI_MIDDLE) - n * HALF_PI_LOW, bits_of(rounded)


@kernel
def near_sine(x):
    """Return the sine of an angle of at most pi/4, rad; float or array. Source: fdlibm, k_sin.c."""
    z = x * x
    tail = -1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (
        2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))))
    return x + x * z * tail


@kernel
def near_cosine(x):
    """Return the cosine of an angle of at most pi/4, rad; float or array. Source: fdlibm, k_cos.c."""
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
    return signed_by(select((quarter & 1) == 1, near_cosine(near), near_sine(near)), quarter)


@kernel
def cosine(x):
    """Return the cosine of an angle, rad, NaN for an infinite one; float or array."""
    near, quarter = reduced(x)
    return signed_by(select((quarter & 1) == 1, near_sine(near), near_cosine(near)), quarter + 1)


@kernel
def turned_by_little(axis, angle):
    """
    Return a unit vector turned by a small angle, rad, counter-clockwise; floats or arrays.

    It uses Taylor's series. Up to LITTLE the error is below half a unit in the last place. For a larger angle x it is
    below x^10 / 10!, which is negligible beside the error of a Runge-Kutta step with such a turn.
    """
    z = angle * angle
    s = angle + angle * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (1.0 / 362880.0))))
    c = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0))))
    return axis[0] * c - axis[1] * s, axis[0] * s + axis[1] * c


@kernel
def arc_tangent(y, x):
    """
    Return the angle of the point (x, y) from the x axis, rad, from -pi to pi; 0 for (0, 0); floats or arrays.

    Zeros have no sign here, so the negative x axis is at pi.

    Source: fdlibm, s_atan.c, with the argument reduced to a sixteenth of a turn, where the polynomial suffices.
    """
    width, height = abs(x), abs(y)
    steep = height > width
    low, high = select(steep, width, height), select(steep, height, width)
    far = low > 0.41421356237309503 * high
    below = select(far, high + low, high)
    t = select(far, low - high, low) / select(below == 0.0, 1.0, below)
    z = t * t
    w = z * z
    odd = z * (3.33333333333329318027e-01 + w * (1.42857142725034663711e-01 + w * (9.09088713343650656196e-02 + w * (
        6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))))
    even = w * (-1.99999999998764832476e-01 + w * (-1.11111104054623557880e-01 + w * (
        -7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))))
    angle = t - t * (odd + even) + select(far, 0.25 * math.pi, 0.0)
    angle = select(steep, 0.5 * math.pi - angle, angle)
    angle = select(x < 0.0, math.pi - angle, angle)
    return select(y < 0.0, -angle, angle)


@kernel
def less_whole_turns(angle):
    """Return the same angle in (-pi, pi], rad, NaN for an infinite one; float or array."""
    wrapped = angle - math.tau * np.floor(angle * (1.0 / math.tau) + 0.5)
    return select(wrapped <= -math.pi, wrapped + math.tau, wrapped)
