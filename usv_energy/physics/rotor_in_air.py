"""A lifting rotor by momentum theory: ideal power, and the effect of the ground."""

import math

AIR_DENSITY = 1.225     # kg/m^3, at 15 degC at sea level.
STEPS = 6  # Newton steps for the induced velocity, from a start that is at most twice too large.
NEAREST = 0.5  # In radii: closer to the ground Cheeseman's formula was not measured.
# Induced velocity over the speed of descent, from -2 to 0, both divided by the hover velocity: a fit to measurements,
# since momentum theory fails in the rotor's wake. J.G. Leishman (2006), Principles of Helicopter Aerodynamics, 2.13.
DESCENT = (-1.125, -1.372, -1.718, -0.655)
STEEPEST = -2.0  # At faster descent the rotor is a windmill, which gives no power back here.


def ideal_power(thrust: float, area: float, climb: float = 0.0, along: float = 0.0) -> float:
    """
    Return the power that a rotor without losses gives to the air, W.

    :param thrust: N; 0 or less takes no power.
    :param area: Of the disc, m^2.
    :param climb: Speed of the rotor along its thrust through the air, m/s; negative in descent.
    :param along: Speed in the plane of its disc, m/s.

    Source: H. Glauert (1926), for the velocity v through the disc: v sqrt(along^2 + (climb + v)^2) = hover^2, with
    hover^2 = thrust / (2 density area); in descent the fit above.
    """
    if thrust <= 0.0:
        return 0.0
    hover = math.sqrt(thrust / (2.0 * AIR_DENSITY * area))
    rise, aside = climb / hover, along / hover
    v, flown, aside = 1.0, max(rise, 0.0), aside * aside
    for _ in range(STEPS):
        through = flown + v
        speed = math.sqrt(aside + through * through)
        v -= (v * speed - 1.0) / (speed + v * through / speed)
    if rise < 0.0:
        x, (first, second, third, fourth) = max(rise, STEEPEST), DESCENT
        v *= 1.0 + x * (first + x * (second + x * (third + x * fourth)))
    return thrust * (climb + v * hover)


def ground_gain(height: float, radius: float) -> float:
    """
    Return the ratio of the thrust near the ground to that far above it, at the same power.

    :param height: Of the rotor above ground, deck or water, m.
    :param radius: Of the rotor, m.

    Source: I.C. Cheeseman, W.E. Bennett (1955), ARC R&M 3021: 1 / (1 - (R / 4 z)^2).
    """
    near = 0.25 * radius / max(height, NEAREST * radius)
    return 1.0 / (1.0 - near * near)
