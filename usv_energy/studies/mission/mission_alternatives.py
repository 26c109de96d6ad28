"""What a mission would cost otherwise: at other speeds, in the opposite direction, at other times of departure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import MOST_TOGETHER, CornerCosts
from usv_energy.studies.mission.mission_estimate import LegEstimate, MissionCase, legs_estimate
from usv_energy.studies.mission.mission_reserve import SpeedRow, cheapest_row
from usv_energy.studies.mission.mission_scenario import (
    legs_within_reach,
    reached_side_by_side,
    with_corners,
)

SAME = 1e-9     # relative difference of energies and times that counts as none


class Advice(NamedTuple):
    """
    Speeds and directions that would help the mission; None or NaN for what does not exist.

    `cheapest`: the row of its speeds that costs least; `fastest`: that which takes least time of those that are GO.
    `reversed_energy`: of the legs in the opposite direction, J. `slowed_energy` and `slowed_time`: of the mission as
    fast as the thrusters can, if they cannot hold its speeds; `slowed_speed`: the lowest speed over ground of the
    slowed legs, m/s.
    """

    cheapest: SpeedRow | None
    fastest: SpeedRow | None
    reversed_energy: float
    slowed_energy: float
    slowed_time: float
    slowed_speed: float


def mission_advice(scenario: Scenario, legs: LegEstimate, departure: float, corners: CornerCosts | None,
                   rows: Sequence[SpeedRow]) -> Advice | None:
    """
    Return what other speeds, and the opposite direction, would cost; None if the thrusters can hold none of them.

    :param scenario: The mission as a scenario.
    :param legs: Its estimate as it is.
    :param departure: The world's time, s.
    :param corners: Of the boat.
    :param rows: What it costs at several speeds.
    """
    slowed = _slowed_cost(scenario, legs, departure, corners)
    if not rows:
        return None if math.isnan(slowed[0]) else Advice(None, None, math.nan, *slowed)
    back = legs_estimate(_reversed(scenario), departure, corners)
    return Advice(rows[cheapest_row(rows)],
                  min((row for row in rows if row.suffices), key=lambda row: row.time, default=None),
                  float(back.total.sum()) if back.feasible.all() else math.nan, *slowed)


def _slowed_cost(scenario: Scenario, legs: LegEstimate, departure: float,
                 corners: CornerCosts | None) -> tuple[float, float, float]:
    """Return energy, J, time, s, and lowest speed, m/s, as fast as the thrusters can; NaN if they hold all speeds."""
    if legs.feasible.all():
        return math.nan, math.nan, math.nan
    found, slow = legs_within_reach(scenario, departure, corners)
    if not found.feasible.all():
        return math.nan, math.nan, math.nan
    return float(found.total.sum()), float(found.end[-1]), float(found.speed[slow].min())


def _reversed(scenario: Scenario) -> Scenario:
    """Return the scenario with its places in the opposite order; speeds stay with their legs, holds with places."""
    points = (scenario.start[:2], *scenario.waypoints)
    orders = [scenario.order_of(number) for number in range(len(scenario.waypoints))]
    legs = [(order.speed, order.way and (order.way[0], order.way[1] + math.pi)) for order in orders]
    ahead = [*(order._replace(speed=speed, way=way) for order, (speed, way) in zip(orders[-2::-1], legs[:0:-1])),
             orders[0]._replace(hold=0.0, heading=None, way=legs[0][1])]
    places = list(points[-2::-1])
    x, y = points[-1]
    if orders[-1].hold > 0.0:   # A hold at the start takes a leg of no length.
        ahead, places = [orders[-1]._replace(way=None), *ahead], [(x, y), *places]
    return replace(scenario, start=(x, y, scenario.start[2]), waypoints=tuple(places), orders=tuple(ahead))


class Departures(NamedTuple):
    """
    Time and energy of a mission by its departure, arrays of one shape, (n,).

    `departure`: the flow's time, s; `time` s and `energy` J, NaN if the flow has no value on the way, or the thrusters
    are too weak at any speed; `held`: whether they hold the ordered speeds; if not, the boat goes as fast as it can.
    `wanted`: the number of departures that were requested; Ctrl-C leaves fewer. `verdicts`: by the number of a
    departure, of those that were judged by an interval of their own. `corners`: what the corners of each cost.
    """

    departure: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    held: np.ndarray
    wanted: int
    verdicts: Mapping[int, str]
    corners: tuple[CornerCosts | None, ...] = ()

    @property
    def broken_off(self) -> bool:
        """Whether the user interrupted the search."""
        return self.departure.size < self.wanted

    @property
    def best(self) -> int:
        """
        Index of the departure of least energy, among those that hold the speeds or, if none does, among all.

        The first of several that cost the same.
        """
        among = self.held if self.held.any() else np.isfinite(self.energy)
        energy = np.where(among, self.energy, np.inf)
        return int(np.argmax(energy <= (1.0 + SAME) * energy.min()))

    @property
    def changing(self) -> bool:
        """Whether it matters when the mission begins."""
        return any(not np.allclose(values, values[0], rtol=SAME, atol=0.0, equal_nan=True)
                   for values in (self.energy, self.time))


def mission_departures(scenario: Scenario, departures: Sequence[float], corners: CornerCosts | None = None,
                       progress: Progress = no_progress) -> Departures:
    """
    Return what a mission costs by its departure. Ctrl-C ends it with those that are done, if there are any.

    :param scenario: The mission as a scenario.
    :param departures: The world's times, s, at least one.
    :param corners: Of the boat.
    :raises InputError: If none of them can be estimated: the reason for the first.
    """
    rows: list[_Row] = []
    fault: InputError | None = None
    # All corners are run.
    together = len(departures) if corners else max(1, MOST_TOGETHER // len(scenario.waypoints))
    try:
        while len(rows) < len(departures):
            some = departures[len(rows):len(rows) + together]
            found, reason = _costs([MissionCase(scenario, departure, corners) for departure in some])
            fault = fault or reason
            for row in found:
                rows.append(row)
                progress(len(rows), len(departures))
    except KeyboardInterrupt:
        if not any(np.isfinite(row[1]) for row in rows):
            raise
    time, energy, held, known = zip(*rows)
    if fault is not None and np.isnan(energy).all():
        raise fault
    return Departures(np.array(departures[:len(rows)], dtype=float), np.array(time), np.array(energy), np.array(held),
                      len(departures), {}, known)


_Row = tuple[float, float, bool, CornerCosts | None]


def _costs(cases: Sequence[MissionCase]) -> tuple[list[_Row], InputError | None]:
    """Return time, s, energy, J, whether speeds are held, and corners, of cases; and why there is no flow for one."""
    try:
        cases = cases if cases[0].corners else with_corners(cases)
        found = reached_side_by_side(cases)
    except InputError as error:     # At one of them there is no flow, say.
        if len(cases) == 1:
            return [(np.nan, np.nan, False, None)], error
        each = [_costs([case]) for case in cases]
        return [row for rows, _ in each for row in rows], next((reason for _, reason in each if reason), None)
    return [(float(legs.end[-1]), float(legs.total.sum()), not slow.any(), case.corners) if legs.feasible.all()
            else (np.nan, np.nan, False, None) for case, (legs, slow) in zip(cases, found)], None
