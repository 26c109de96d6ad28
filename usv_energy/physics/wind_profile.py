"""The wind's profile over water: how much of the wind at one height blows at another."""

import math

ROUGHNESS = 2e-4  # Of open water, m: Wieringa (1992), J. Wind Eng. Ind. Aerodyn. 41, class "sea".
LOWEST = 0.01     # Height from which on the profile is used, m: below, waves make the wind.


def share_at_height(height: float, given_at: float, roughness: float = ROUGHNESS) -> float:
    """
    Return the mean wind speed at a height over that at another, (-): the log law ln(z / z0) / ln(z_given / z0).

    Stability of the air is neglected: it holds in neutral air, above the waves.

    :param height: At which the wind is wanted, m above water, at least LOWEST.
    :param given_at: At which it is known, m above water, at least LOWEST.
    :param roughness: Roughness length z0, m.

    Source: Stull (1988), An Introduction to Boundary Layer Meteorology, (9.7.1); with 2e-4 m it leaves 0.72 of the wind
    at 10 m for 0.5 m, and so 0.52 of its pressure.
    """
    return math.log(height / roughness) / math.log(given_at / roughness)
