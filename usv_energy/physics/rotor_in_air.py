"""A lifting rotor by momentum theory: induced velocity, ideal power, and the effect of the ground."""

from typing import Any

import numpy as np

AIR_DENSITY = 1.225     # kg/m^3, at 15 degC at sea level.
STEPS = 12  # Newton steps for the induced velocity, exact from a start that is at most twice too large.
NEAREST = 0.5  # In radii: closer to the ground Cheeseman's formula was not measured.
# Induced velocity over the speed of descent, from -2 to 0, both divided by the hover velocity: a fit to measurements,
# since momentum theory fails in the rotor's wake. J.G. Leishman (2006), Principles of Helicopter Aerodynamics, 2.13.
DESCENT = (1.0, -1.125, -1.372, -1.718, -0.655)
STEEPEST = -2.0  # At faster descent the rotor is a windmill, and momentum theory holds again.


def hover_velocity(thrust: Any, area: float, density: float = AIR_DENSITY) -> Any:
    """Return the induced velocity, m/s, of a hovering rotor with a disc area, m^2, and a thrust, N."""
    return np.sqrt(np.maximum(thrust, 0.0) / (2.0 * density * area))


def induced_velocity(thrust: Any, area: float, climb: Any = 0.0, along: Any = 0.0,
                     density: float = AIR_DENSITY) -> Any:
    """
    Return the velocity, m/s, that a rotor gives the air through its disc; floats or arrays.

    :param thrust: N, at least 0.
    :param area: Of the disc, m^2.
    :param climb: Speed of the rotor along its thrust through the air, m/s; negative in descent.
    :param along: Speed in the plane of its disc, m/s.

    Source: H. Glauert (1926): v sqrt(along^2 + (climb + v)^2) = hover_velocity^2; in descent the fit above.
    """
    hover = hover_velocity(thrust, area, density)
    safe = np.where(hover > 0.0, hover, 1.0)
    rise, aside = np.asarray(climb) / safe, np.asarray(along) / safe
    level = _glauert(np.maximum(rise, 0.0), aside)
    sinking = np.clip(rise, STEEPEST, 0.0)
    fit = sum(factor * sinking ** power for power, factor in enumerate(DESCENT))
    windmill = -0.5 * rise - np.sqrt(np.maximum(0.25 * rise * rise - 1.0, 0.0))
    ratio = np.where(rise >= STEEPEST, level * fit, windmill)  # The fit is 1 without descent.
    return np.where(hover > 0.0, ratio * hover, 0.0)


def ideal_power(thrust: Any, area: float, climb: Any = 0.0, along: Any = 0.0, density: float = AIR_DENSITY) -> Any:
    """Return the power, W, that a rotor without losses gives to the air; parameters as `induced_velocity`."""
    return thrust * (climb + induced_velocity(thrust, area, climb, along, density))


def ground_gain(height: Any, radius: float) -> Any:
    """
    Return the ratio of the thrust near the ground to that far above it, at the same power.

    :param height: Of the rotor above ground, deck or water, m.
    :param radius: Of the rotor, m.

    Source: I.C. Cheeseman, W.E. Bennett (1955), ARC R&M 3021: 1 / (1 - (R / 4 z)^2).
    """
    near = 0.25 * radius / np.maximum(height, NEAREST * radius)
    return 1.0 / (1.0 - near * near)


def _glauert(rise: Any, aside: Any) -> Any:
    """Solve v sqrt(aside^2 + (rise + v)^2) = 1 for v, between 0 and 1."""
    v = np.ones(np.broadcast_shapes(rise.shape, aside.shape))
    for _ in range(STEPS):
        through = rise + v
        speed = np.sqrt(aside * aside + through * through)
        v = v - (v * speed - 1.0) / (speed + v * through / speed)
    return v
