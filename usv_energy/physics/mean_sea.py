"""The mean force of a sea on a boat in the plane, by its own coefficients: for plants; floats, arrays, compiled."""

import math
from typing import NamedTuple

from .added_resistance import SeaAlong, added_resistance
from .elementwise import interpolate, kernel, wrapped
from .motion import WaveAction


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
