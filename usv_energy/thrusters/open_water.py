"""Open-water curves of screws: straight lines, inflow corrections, and the Wageningen B-series."""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError

WATER_DENSITY = 998.2  # Fresh water at 20 deg C, kg/m^3 (ITTC 7.5-02-01-03).
SCREW = ('pitch_ratio', 'area_ratio', 'blades')
ADVANCES = np.linspace(0.0, 2.0, 401)  # Advance ratios at which the B-series' polynomials are evaluated.


class OpenWater(NamedTuple):
    """A screw's curves: advance J (-), ascending from 0; K_T and K_Q (-) at it; K_T falls through 0 within it."""

    advance: np.ndarray
    thrust: np.ndarray
    torque: np.ndarray

    @property
    def advance_without_thrust(self) -> float:
        """J at which K_T is 0, or that of the last knot if K_T stays above 0."""
        below = np.flatnonzero(self.thrust <= 0.0)
        if not below.size:
            return float(self.advance[-1])
        n = int(below[0])
        share = self.thrust[n - 1] / (self.thrust[n - 1] - self.thrust[n])
        return float(self.advance[n - 1] + share * (self.advance[n] - self.advance[n - 1]))


def inflow_of(curves: OpenWater, diameter: float, density: float = WATER_DENSITY) -> tuple[float, float]:
    """
    Return the inflow coefficient c, N^0.5 s/m, and the torque ratio g, (-), of `bollard_map.py` for a screw.

    Both follow from the straight lines from K_T0 and K_Q0 with the least squared difference from the curves between J =
    0 and the J at which K_T is 0.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param density: Of the water, kg/m^3.
    """
    j = np.linspace(0.0, curves.advance_without_thrust, 201)
    slopes = []
    for knots in (curves.thrust, curves.torque):
        fall = 1.0 - np.interp(j, curves.advance, knots) / knots[0]
        slopes.append(float(fall @ j / (j @ j)))
    return (density * float(curves.thrust[0])) ** 0.5 * diameter * slopes[0], slopes[1] / slopes[0]


def b_screw(numbers: dict[str, Any], where: str) -> OpenWater:
    """
    Return the curves of a Wageningen B-screw, up to the advance ratio without thrust.

    :param numbers: Its `pitch_ratio`, `area_ratio` and `blades`.
    :param where: Prefix of a key in error messages.
    :raises InputError: Outside the range of the series.
    """
    screw = [float(numbers[key]) for key in SCREW]
    try:
        kt, kq = thrust_coefficient(ADVANCES, *screw), torque_coefficient(ADVANCES, *screw)
    except ValueError as error:
        raise InputError(f'{where}.{error}') from None
    last = int(np.argmax(kt <= 0.0)) + 1
    return OpenWater(ADVANCES[:last], kt[:last], kq[:last])


# Rows of c, s, t, u, v.
THRUST_TERMS = (
    (8.80496e-3, 0, 0, 0, 0), (-2.04554e-1, 1, 0, 0, 0), (1.66351e-1, 0, 1, 0, 0), (1.58114e-1, 0, 2, 0, 0),
    (-1.47581e-1, 2, 0, 1, 0), (-4.81497e-1, 1, 1, 1, 0), (4.15437e-1, 0, 2, 1, 0), (1.44043e-2, 0, 0, 0, 1),
    (-5.30054e-2, 2, 0, 0, 1), (1.43481e-2, 0, 1, 0, 1), (6.06826e-2, 1, 1, 0, 1), (-1.25894e-2, 0, 0, 1, 1),
    (1.09689e-2, 1, 0, 1, 1), (-1.33698e-1, 0, 3, 0, 0), (6.38407e-3, 0, 6, 0, 0), (-1.32718e-3, 2, 6, 0, 0),
    (1.68496e-1, 3, 0, 1, 0), (-5.07214e-2, 0, 0, 2, 0), (8.54559e-2, 2, 0, 2, 0), (-5.04475e-2, 3, 0, 2, 0),
    (1.0465e-2, 1, 6, 2, 0), (-6.48272e-3, 2, 6, 2, 0), (-8.41728e-3, 0, 3, 0, 1), (1.68424e-2, 1, 3, 0, 1),
    (-1.02296e-3, 3, 3, 0, 1), (-3.17791e-2, 0, 3, 1, 1), (1.8604e-2, 1, 0, 2, 1), (-4.10798e-3, 0, 2, 2, 1),
    (-6.06848e-4, 0, 0, 0, 2), (-4.9819e-3, 1, 0, 0, 2), (2.5983e-3, 2, 0, 0, 2), (-5.60528e-4, 3, 0, 0, 2),
    (-1.63652e-3, 1, 2, 0, 2), (-3.28787e-4, 1, 6, 0, 2), (1.16502e-4, 2, 6, 0, 2), (6.90904e-4, 0, 0, 1, 2),
    (4.21749e-3, 0, 3, 1, 2), (5.65229e-5, 3, 6, 1, 2), (-1.46564e-3, 0, 3, 2, 2))
TORQUE_TERMS = (
    (3.79368e-3, 0, 0, 0, 0), (8.86523e-3, 2, 0, 0, 0), (-3.2241e-2, 1, 1, 0, 0), (3.44778e-3, 0, 2, 0, 0),
    (-4.08811e-2, 0, 1, 1, 0), (-1.08009e-1, 1, 1, 1, 0), (-8.85381e-2, 2, 1, 1, 0), (1.88561e-1, 0, 2, 1, 0),
    (-3.70871e-3, 1, 0, 0, 1), (5.13696e-3, 0, 1, 0, 1), (2.09449e-2, 1, 1, 0, 1), (4.74319e-3, 2, 1, 0, 1),
    (-7.23408e-3, 2, 0, 1, 1), (4.38388e-3, 1, 1, 1, 1), (-2.69403e-2, 0, 2, 1, 1), (5.58082e-2, 3, 0, 1, 0),
    (1.61886e-2, 0, 3, 1, 0), (3.18086e-3, 1, 3, 1, 0), (1.5896e-2, 0, 0, 2, 0), (4.71729e-2, 1, 0, 2, 0),
    (1.96283e-2, 3, 0, 2, 0), (-5.02782e-2, 0, 1, 2, 0), (-3.0055e-2, 3, 1, 2, 0), (4.17122e-2, 2, 2, 2, 0),
    (-3.97722e-2, 0, 3, 2, 0), (-3.50024e-3, 0, 6, 2, 0), (-1.06854e-2, 3, 0, 0, 1), (1.10903e-3, 3, 3, 0, 1),
    (-3.13912e-4, 0, 6, 0, 1), (3.5985e-3, 3, 0, 1, 1), (-1.42121e-3, 0, 6, 1, 1), (-3.83637e-3, 1, 0, 2, 1),
    (1.26803e-2, 0, 2, 2, 1), (-3.18278e-3, 2, 3, 2, 1), (3.34268e-3, 0, 6, 2, 1), (-1.83491e-3, 1, 1, 0, 2),
    (1.12451e-4, 3, 2, 0, 2), (-2.97228e-5, 3, 6, 0, 2), (2.69551e-4, 1, 0, 1, 2), (8.3265e-4, 2, 0, 1, 2),
    (1.55334e-3, 0, 2, 1, 2), (3.02683e-4, 0, 6, 1, 2), (-1.843e-4, 0, 0, 2, 2), (-4.25399e-4, 0, 3, 2, 2),
    (8.69243e-5, 3, 3, 2, 2), (-4.659e-4, 0, 6, 2, 2), (5.54194e-5, 1, 6, 2, 2))
# Range of the measured screws: blades, pitch ratio P/D, expanded area ratio A_E/A_0.
SCREWS = {'blades': (2.0, 7.0), 'pitch_ratio': (0.5, 1.4), 'area_ratio': (0.3, 1.05)}


def thrust_coefficient(advance: Any, pitch_ratio: float, area_ratio: float, blades: float) -> Any:
    """
    Return K_T = T / (density n^2 D^4), (-).

    :param advance: J = v / (n D), (-), at least 0; float or array.
    :param pitch_ratio: P/D, (-).
    :param area_ratio: A_E/A_0, expanded blade area over that of the disc, (-).
    :param blades: Z.
    :raises ValueError: Outside the screws that the polynomials were fitted to.
    """
    return _sum(THRUST_TERMS, advance, pitch_ratio, area_ratio, blades)


def torque_coefficient(advance: Any, pitch_ratio: float, area_ratio: float, blades: float) -> Any:
    """Return K_Q = Q / (density n^2 D^5), (-); parameters as `thrust_coefficient`."""
    return _sum(TORQUE_TERMS, advance, pitch_ratio, area_ratio, blades)


def _sum(terms: tuple[tuple[float, ...], ...], advance: Any, pitch_ratio: float, area_ratio: float,
         blades: float) -> Any:
    given = {'blades': blades, 'pitch_ratio': pitch_ratio, 'area_ratio': area_ratio}
    for name, (low, high) in SCREWS.items():
        if not low <= given[name] <= high:
            raise ValueError(f'{name} is {given[name]:g}; the Wageningen B-series goes from {low:g} to {high:g}')
    powers = [0.0, 0.0, 0.0, 0.0]  # Powers of J.
    for c, s, t, u, v in terms:
        powers[int(s)] += c * pitch_ratio ** t * area_ratio ** u * blades ** v
    return powers[0] + advance * (powers[1] + advance * (powers[2] + advance * powers[3]))
