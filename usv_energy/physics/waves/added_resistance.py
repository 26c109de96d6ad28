"""The mean force of waves on a boat under way: its added resistance, by its own coefficients or an estimate."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import cos, interpolate, kernel, wrapped
from usv_energy.physics.motion import WaveAction
from usv_energy.physics.waves.linear_wave import GRAVITY

HEAD_SEAS = math.radians(45.0)  # Off the bow, within which STAWAVE-1 holds.


class WaveCoefficients(NamedTuple):
    """
    Added resistance over the square of the significant height, N/m^2, by where waves come from and their period.

    `directions`: off the bow, rad, rising from 0 (head) to pi (following), alike on both sides; `periods`: of the peak
    as a place at rest sees it, s, rising; `rows`: of each direction the coefficients by period, N/m^2. Linear between
    them and constant beyond; below 0 where waves push. `errors`: their standard errors in the same rows, N/m^2; None
    where nobody says.
    """

    directions: tuple[float, ...]
    periods: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    errors: tuple[tuple[float, ...], ...] | None = None


class WaveEstimate(NamedTuple):
    """STAWAVE-1's numbers, (-): `coefficient`, N/m^2, in seas within 45 degrees off the bow, and 0 in all others."""

    coefficient: float


class SeaAlong(NamedTuple):
    """A sea that a steady motion is in: Hs, m; Tp, s; towards which it runs, rad (ENU); what it does to the boat."""

    height: float
    period: float
    towards: float
    resistance: WaveCoefficients | WaveEstimate


def stawave1_coefficient(beam: float, bow_length: float, density: float) -> float:
    """
    Return STAWAVE-1's mean added resistance of head seas over the square of the significant height, N/m^2.

    It is made for ships that do not pitch and heave much in short waves, bow waves' reflection alone: their speed is
    not in it. For a small boat it is an order of magnitude.

    :param beam: Largest, on the waterline, m.
    :param bow_length: From the bow to where the waterline has 95 % of that beam, m.
    :param density: Of the water, kg/m^3.

    Source: ITTC 7.5-04-01-01.1 (2017), Preparation, Conduct and Analysis of Speed/Power Trials, appendix D:
        R_AWL = rho g Hs^2 B sqrt(B / L_BWL) / 16, relative wave directions from 0 to 45 degrees off the bow.
    """
    return density * GRAVITY * beam * math.sqrt(beam / bow_length) / 16.0


def off_the_bow(towards: Any, yaw: Any) -> Any:
    """Return where waves that run towards a direction come from, off the bow, rad, 0 to pi; both rad (ENU), arrays."""
    return np.arccos(np.clip(-cos(np.asarray(yaw, dtype=float) - towards), -1.0, 1.0))


def added_resistance(sea: SeaAlong, yaw: Any) -> Any:
    """Return the added resistance of a boat that heads along a yaw, rad (ENU), N; positive astern; like the yaw."""
    off_bow = off_the_bow(sea.towards, yaw)
    table = sea.resistance
    if isinstance(table, WaveEstimate):
        coefficient = np.where(off_bow <= HEAD_SEAS, table.coefficient, 0.0)
    else:
        coefficient = _in_table(table, table.rows, sea.period, off_bow)
    return coefficient * sea.height ** 2


def resistance_error(sea: SeaAlong, yaw: Any) -> Any:
    """Return the standard error of `added_resistance` by those of its coefficients, N; NaN where they have none."""
    table = sea.resistance
    if isinstance(table, WaveEstimate) or table.errors is None:
        return np.full(np.shape(yaw), np.nan)
    return _in_table(table, table.errors, sea.period, off_the_bow(sea.towards, yaw)) * sea.height ** 2


def _in_table(table: WaveCoefficients, rows: tuple[tuple[float, ...], ...], period: float, off_bow: Any) -> Any:
    return np.interp(off_bow, table.directions, [np.interp(period, table.periods, row) for row in rows])


def wave_action_along(sea: SeaAlong, yaw: Any) -> WaveAction:
    """Return the WaveAction of a sea's added resistance, which acts along the hull, at a yaw, rad (ENU)."""
    return _astern(added_resistance(sea, yaw))


def mean_added_resistance(sea: SeaAlong, yaw_before: Any, yaw: Any) -> WaveAction:
    """Return the WaveAction over a step between two yaws, rad (ENU): the mean of the forces at its ends."""
    return _astern(0.5 * (added_resistance(sea, yaw_before) + added_resistance(sea, yaw)))


def _astern(resistance: Any) -> WaveAction:
    return WaveAction(-resistance, 0.0 * resistance, 0.0 * resistance)



class MeanSea(NamedTuple):
    """
    A sea's mean force on a boat along its hull.

    `towards`: where it runs, rad (ENU); `off_bow`: from where its waves come, off the bow, rad, rising from 0 to pi;
    `resistance`: what they take there, N, positive astern: linear between, alike on both sides.
    """

    towards: float
    off_bow: tuple[float, ...]
    resistance: tuple[float, ...]


def mean_sea(sea: SeaAlong) -> MeanSea:
    """Return the MeanSea of a sea and a boat's own coefficients in it."""
    inner = [one for one in sea.resistance.directions if 0.0 < one < math.pi]  # type: ignore[union-attr]
    knots = (0.0, *inner, math.pi)
    yaws = [sea.towards - math.pi + one for one in knots]
    return MeanSea(sea.towards, knots, tuple(float(one) for one in added_resistance(sea, yaws)))


@kernel
def mean_sea_resistance(sea, yaw):
    """Return what a MeanSea takes of a boat that heads along a yaw, rad (ENU), N; like `added_resistance`."""
    return interpolate(abs(wrapped(yaw - sea.towards + math.pi)), sea.off_bow, sea.resistance)


@kernel
def mean_sea_action(sea, yaw_before, yaw):
    """Return the WaveAction of a MeanSea over a step between two yaws, rad (ENU): the mean of those at its ends."""
    force = -0.5 * (mean_sea_resistance(sea, yaw_before) + mean_sea_resistance(sea, yaw))
    nothing = 0.0 * force
    return WaveAction(force, nothing, nothing, nothing, nothing, nothing)
