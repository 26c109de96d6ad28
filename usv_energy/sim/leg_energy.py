"""What a boat does on its way to a waypoint, and the energy of each leg: differences between changes of legs."""

import math
from typing import Any, NamedTuple

from usv_energy.boats.load import HOLD_AT
from usv_energy.powering.energy import CAUSES, Energy


class WaypointOrder(NamedTuple):
    """
    The order of a mission for one waypoint.

    Speed over ground on the way there, m/s (None: the scenario's); duration of the stay, s, and the heading during it
    if water and air allow, rad, ENU (None: any); distance at which the waypoint is reached, m (None: the scenario's);
    `name` of the leg, for tables and reports; length, m, and course, rad, ENU, of the way there where it is so far from
    the plane's origin that the plane has others (None: those of the plane).
    """

    speed: float | None = None
    hold: float = 0.0
    heading: float | None = None
    radius: float | None = None
    name: str = ''
    way: tuple[float, float] | None = None


NOTHING_ORDERED = WaypointOrder()


def leg_name(order: WaypointOrder, number: int, holding: bool) -> str:
    """Return the name of a leg to a waypoint, or of the stay at it: its own name, or its number from 1."""
    name = order.name or str(number)
    return f'{HOLD_AT}{name}' if holding else name


class LegEnergy(NamedTuple):
    """
    A leg of a run: a stretch of samples with one name; a leg that is sailed twice counts as two.

    `begin` and `end`: stamps of its first and last sample, s. `before` and `after`: the run's Energy so far at these,
    so that the legs of a run add up to the whole.
    """

    name: str
    begin: float
    end: float
    before: Energy
    after: Energy

    def of(self, quantity: str) -> float:
        """Return the part of a quantity of Energy in the leg: a cause, J; duration, s; distance_over_ground, m."""
        return float(getattr(self.after, quantity)) - float(getattr(self.before, quantity))

    @property
    def mean_power(self) -> float:
        """Energy divided by duration, W; NaN if nothing was integrated."""
        return self.of('total') / self.of('duration') if self.of('duration') > 0.0 else math.nan


class LegEnergies:
    """
    Collects the legs of a run, sample by sample.

    If the energy is reset to 0 (`reset_energy`), the collection begins anew.
    """

    def __init__(self) -> None:
        """Begin without legs."""
        self._legs: list[LegEnergy] = []

    def add(self, name: str, time: float, energy: Energy) -> None:
        """
        Add a sample.

        :param name: Name of the leg to which the step before this sample belongs; empty for none.
        :param time: Stamp of the sample, s.
        :param energy: Energy up to this sample.
        """
        if self._legs and energy.duration < self._legs[-1].after.duration:
            self._legs.clear()
        if not self._legs:
            self._legs.append(LegEnergy(name, time, time, Energy(), energy))
            return
        last = self._legs[-1]
        if name == last.name:
            self._legs[-1] = last._replace(end=time, after=energy)
        elif last.of('duration') == 0.0:  # until here nothing was integrated, as before the first step
            self._legs[-1] = last._replace(name=name, end=time, after=energy)
        else:
            self._legs.append(LegEnergy(name, last.end, time, last.after, energy))

    def legs(self) -> tuple[LegEnergy, ...]:
        """Return the legs so far, without those that have no step; none if no sample had a leg."""
        if not any(leg.name for leg in self._legs):
            return ()
        return tuple(self._legs)


def leg_figures(leg: LegEnergy) -> dict[str, Any]:
    """Return a leg for JSON and tables; units are in the keys."""
    return {
        'leg': leg.name, 'begin_s': leg.begin, 'end_s': leg.end, 'duration_s': leg.of('duration'),
        'distance_over_ground_m': leg.of('distance_over_ground'),
        'distance_through_water_m': leg.of('distance_through_water'),
        'energy_j': leg.of('total'), 'mean_power_w': leg.mean_power,
        **{f'energy_{cause}_j': leg.of(cause) for cause in CAUSES if cause != 'total'}}


class LegTimes:
    """The beginnings of legs, to find the leg of a stamp; keeps the last hundred."""

    KEPT = 100

    def __init__(self) -> None:
        """Begin without a leg."""
        self._begins: list[tuple[int, str]] = []

    def begin(self, stamp: int, name: str) -> None:
        """Add the beginning of a leg, ns; later ones are removed."""
        earlier = [one for one in self._begins if one[0] < stamp]
        self._begins = [*earlier[1 - self.KEPT:], (stamp, name)]

    def has(self, stamp: int, name: str) -> bool:
        """Return whether a leg is known to begin at a stamp, ns."""
        return (stamp, name) in self._begins

    def at(self, stamp: int) -> str:
        """Return the leg of the step that ends at a stamp, ns; the first one before all of them; empty without legs."""
        before = [name for begin, name in self._begins if begin < stamp]
        if before:
            return before[-1]
        return self._begins[0][1] if self._begins else ''
