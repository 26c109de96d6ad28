"""The added resistance of a boat in waves, by its own coefficients or by the STAWAVE-1 estimate."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import cos, interpolate, kernel, wrapped
from usv_energy.physics.motion import WaveAction
from usv_energy.physics.waves.linear_wave import GRAVITY

HEAD_SEAS = math.radians(45.0)  # rad off the bow, largest wave direction for which STAWAVE-1 is valid.


class WaveCoefficients(NamedTuple):
    """
    Added resistance divided by the square of the significant wave height, N/m^2, over wave direction and period.

    `directions`: direction the waves come from, rad off the bow, ascending from 0 (head seas) to pi (following seas);
    the same for port and starboard. `periods`: peak periods in an earth-fixed frame, s, ascending.
    `rows`: for each direction the coefficients at the periods, N/m^2; negative where waves push the boat ahead. They
    are interpolated linearly and constant outside the table. `errors`: their standard errors in the same layout,
    N/m^2; None if not known.
    """

    directions: tuple[float, ...]
    periods: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    errors: tuple[tuple[float, ...], ...] | None = None


class WaveEstimate(NamedTuple):
    """The STAWAVE-1 estimate: `coefficient`, N/m^2, for waves from within 45 degrees off the bow, and 0 for others."""

    coefficient: float


class SeaAlong(NamedTuple):
    """
    A sea for plans of steady motion, with the boat's response.

    `height`: significant wave height Hs, m. `period`: peak period Tp, s. `towards`: direction the waves run to, rad
    (ENU). `resistance`: the boat's coefficients of added resistance.
    """

    height: float
    period: float
    towards: float
    resistance: WaveCoefficients | WaveEstimate


def stawave1_coefficient(beam: float, bow_length: float, density: float) -> float:
    """
    Return the added resistance in head seas divided by the square of the significant height, N/m^2, by STAWAVE-1.

    STAWAVE-1 is meant for ships that hardly pitch and heave, in waves short compared with the hull. It contains only
    the reflection of waves at the bow, without an effect of speed. For a small boat it gives the order of magnitude.

    :param beam: Largest beam on the waterline, m.
    :param bow_length: Distance from the bow to where the waterline has 95 % of that beam, m.
    :param density: Of the water, kg/m^3.

    Source: ITTC 7.5-04-01-01.1 (2017), Preparation, Conduct and Analysis of Speed/Power Trials, appendix D:
        R_AWL = rho g Hs^2 B sqrt(B / L_BWL) / 16, relative wave directions from 0 to 45 degrees off the bow.
    """
    return density * GRAVITY * beam * math.sqrt(beam / bow_length) / 16.0


def off_the_bow(towards: Any, yaw: Any) -> Any:
    """
    Return the direction that waves come from, rad off the bow, in [0, pi].

    :param towards: Direction the waves run to, rad (ENU).
    :param yaw: Heading of the boat, rad (ENU); float or array.
    """
    return np.arccos(np.clip(-cos(np.asarray(yaw, dtype=float) - towards), -1.0, 1.0))


def added_resistance(sea: SeaAlong, yaw: Any) -> Any:
    """Return the added resistance of a boat at a yaw, rad (ENU), N, positive astern; shaped like the yaw."""
    off_bow = off_the_bow(sea.towards, yaw)
    table = sea.resistance
    if isinstance(table, WaveEstimate):
        coefficient = np.where(off_bow <= HEAD_SEAS, table.coefficient, 0.0)
    else:
        coefficient = _in_table(table, table.rows, sea.period, off_bow)
    return coefficient * sea.height ** 2


def resistance_error(sea: SeaAlong, yaw: Any) -> Any:
    """Return the standard error of `added_resistance`, N; NaN if the coefficients have no standard errors."""
    table = sea.resistance
    if isinstance(table, WaveEstimate) or table.errors is None:
        return np.full(np.shape(yaw), np.nan)
    return _in_table(table, table.errors, sea.period, off_the_bow(sea.towards, yaw)) * sea.height ** 2


def _in_table(table: WaveCoefficients, rows: tuple[tuple[float, ...], ...], period: float, off_bow: Any) -> Any:
    return np.interp(off_bow, table.directions, [np.interp(period, table.periods, row) for row in rows])


def wave_action_along(sea: SeaAlong, yaw: Any) -> WaveAction:
    """Return the added resistance at a yaw, rad (ENU), as a WaveAction; it acts along the hull."""
    return _astern(added_resistance(sea, yaw))


def mean_added_resistance(sea: SeaAlong, yaw_before: Any, yaw: Any) -> WaveAction:
    """Return the WaveAction over a step between two yaws, rad (ENU): the mean of the forces at its ends."""
    return _astern(0.5 * (added_resistance(sea, yaw_before) + added_resistance(sea, yaw)))


def _astern(resistance: Any) -> WaveAction:
    return WaveAction(-resistance, 0.0 * resistance, 0.0 * resistance)


class MeanSea(NamedTuple):
    """
    The added resistance of a boat in one sea, tabulated over wave direction.

    `towards`: direction the waves run to, rad (ENU). `off_bow`: directions they come from, rad off the bow, ascending
    from 0 to pi. `resistance`: the added resistance there, N, positive astern; linear between the knots, the same for
    port and starboard.
    """

    towards: float
    off_bow: tuple[float, ...]
    resistance: tuple[float, ...]


def mean_sea(sea: SeaAlong) -> MeanSea:
    """Return the MeanSea of a SeaAlong whose `resistance` is a WaveCoefficients."""
    inner = [one for one in sea.resistance.directions if 0.0 < one < math.pi]  # type: ignore[union-attr]
    knots = (0.0, *inner, math.pi)
    yaws = [sea.towards - math.pi + one for one in knots]
    return MeanSea(sea.towards, knots, tuple(float(one) for one in added_resistance(sea, yaws)))


@kernel
def mean_sea_resistance(sea, yaw):
    """Return the added resistance in a MeanSea at a yaw, rad (ENU), N; as `added_resistance`."""
    return interpolate(abs(wrapped(yaw - sea.towards + math.pi)), sea.off_bow, sea.resistance)


@kernel
def mean_sea_action(sea, yaw_before, yaw):
    """Return the WaveAction of a MeanSea over a step between two yaws, rad (ENU): the mean of those at its ends."""
    force = -0.5 * (mean_sea_resistance(sea, yaw_before) + mean_sea_resistance(sea, yaw))
    nothing = 0.0 * force
    return WaveAction(force, nothing, nothing, nothing, nothing, nothing)
