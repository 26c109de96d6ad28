"""How long and how fast a wave on water is: the dispersion of linear waves, at any depth."""

from .elementwise import exp, kernel, smaller, sqrt

GRAVITY = 9.81      # m/s^2
DEEP = 300.0        # k h beyond which tanh(k h) is 1 to rounding, many times over.
STEPS = 4           # Newton's, from a start that is 1.7 % off at most: the error is squared by each.


@kernel
def wave_number(frequency, depth):
    """
    Return the wave number k of a wave, rad/m: omega^2 = g k tanh(k h); float or array.

    :param frequency: omega, rad/s, above 0.
    :param depth: h of the water, m, above 0; inf for deep water.

    Source: J.D. Fenton, W.D. McKee (1990), Coastal Engineering 14, 499, for the start; Newton's method from there.
    """
    deep = frequency * frequency / GRAVITY
    scaled = smaller(deep * depth, DEEP + 0.0 * deep)
    ratio = _tanh(scaled ** 0.75) ** (-2.0 / 3.0)
    for _ in range(STEPS):
        steep = _tanh(ratio * scaled)
        ratio = ratio - (ratio * steep - 1.0) / (steep + ratio * scaled * (1.0 - steep * steep))
    return deep * ratio


@kernel
def wave_celerity(frequency, depth):
    """Return the speed of a wave's crests, omega / k, m/s; parameters as `wave_number`."""
    return frequency / wave_number(frequency, depth)


@kernel
def group_speed(frequency, depth):
    """
    Return the speed of a wave's energy, d omega / d k, m/s; parameters as `wave_number`.

    Source: R.G. Dean, R.A. Dalrymple (1991), Water Wave Mechanics for Engineers and Scientists, (4.82).
    """
    number = wave_number(frequency, depth)
    scaled = smaller(number * depth, DEEP + 0.0 * number)
    faded = exp(-2.0 * scaled)
    return 0.5 * frequency / number * (1.0 + 4.0 * scaled * faded / (1.0 - faded * faded))


@kernel
def wave_frequency(number, depth):
    """Return omega, rad/s, of a wave number, rad/m, above 0: `wave_number` the other way."""
    return sqrt(GRAVITY * number * _tanh(smaller(number * depth, DEEP + 0.0 * number)))


@kernel
def _tanh(x):
    """Return the hyperbolic tangent of x, at least 0; float or array."""
    faded = exp(-2.0 * x)
    return (1.0 - faded) / (1.0 + faded)
