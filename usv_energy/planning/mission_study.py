"""All that there is to say of a mission: what it costs leg by leg, whether the battery makes it, what would help."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..boats.doubts import Doubt
from ..files.progress_protocol import Progress, no_progress
from ..flow.uniform import UniformFlow
from ..physics.battery import JOULES_PER_WH
from ..sim.record import REACHED
from ..sim.runner import run_scenario
from ..sim.scenario import Scenario
from .corner_costs import CornerCosts, corner_costs, manner_of
from .mission_estimate import LegEstimate, corner_speeds, legs_estimate
from .mission_scenario import MissionScenario
from .steady_motion import top_speed
from .uncertain_boat import drawn_boats, read_doubts

BOATS = 60                              # That are drawn for the intervals.
SEED = 20261122
RATIOS = np.linspace(0.3, 2.0, 35)      # Of the mission's speeds, at which it is tried whether that would help.
GO, UNSURE, NO_GO, NO_BATTERY = 'go', 'unsure', 'no_go', 'no_battery'


class FlowDoubt(NamedTuple):
    """Standard deviations, m/s, of current and wind, each way, beside what the boat's file says of its numbers."""

    current: float = 0.0
    wind: float = 0.0


CERTAIN = FlowDoubt()


class Bands(NamedTuple):
    """
    95 % intervals, (low, high): the energy of each leg and the energy so far at its end, J, shapes (2, legs).

    `draws`: boats and flows that were drawn; `unable`: how many of them could not go the mission.
    """

    energy: np.ndarray
    so_far: np.ndarray
    draws: int
    unable: int


class Advice(NamedTuple):
    """
    What would help: the ratio of speeds that costs least, that of the fastest way that the battery makes (NaN: none).

    `cheapest_energy` J and `cheapest_time` s of the former; `fastest_energy`, `fastest_time` of the latter;
    `reversed_energy`: of the legs the other way round, J, NaN where the thrusters cannot.
    """

    cheapest: float
    cheapest_energy: float
    cheapest_time: float
    fastest: float
    fastest_energy: float
    fastest_time: float
    reversed_energy: float


class Simulated(NamedTuple):
    """What the simulator makes of the mission: whether it arrived, time s, energy J."""

    reached: bool
    time: float
    energy: float


class MissionStudy(NamedTuple):
    """
    A mission's study.

    `charge`: state of charge at the end of each leg, (-), below 0 where there is none left; None without a battery;
    `charge_at_start`; `reserve`: what is to be left, (-). `verdict`: GO, UNSURE where the interval holds both, NO_GO,
    NO_BATTERY.
    """

    mission: MissionScenario
    legs: LegEstimate
    bands: Bands | None
    charge_at_start: float
    charge: np.ndarray | None
    reserve: float
    verdict: str
    advice: Advice | None
    simulated: Simulated | None
    doubts: list[Doubt]

    @property
    def scenario(self) -> Scenario:
        """The mission as a scenario."""
        return self.mission.scenario


def mission_study(mission: MissionScenario, departure: float = 0.0, state_of_charge: float | None = None,
                  reserve: float = 0.2, uncertainty: FlowDoubt = CERTAIN, simulate: bool = False,
                  progress: Progress = no_progress, simulated: Progress = no_progress) -> MissionStudy:
    """
    Return the study of a mission.

    :param mission: From `mission_scenario`.
    :param departure: The world's time, s.
    :param state_of_charge: At the start, (-); None for that of the boat's file.
    :param reserve: Of the battery, that is to be left at the end, (-).
    :param uncertainty: Of the flow.
    :param simulate: Also run it in the simulator, where water and air begin at their time 0.
    :param progress: Of the drawn boats.
    :param simulated: Of the simulator: seconds that are simulated, of those that the estimate expects.
    :raises InputError: As `legs_estimate` and `run_scenario`.
    """
    scenario, boat = mission.scenario, mission.scenario.boat
    corners = None if boat.power_curve is not None else corner_costs(
        scenario.plant.vessel, manner_of(scenario), corner_speeds(_speeds(scenario)))
    legs = legs_estimate(scenario, departure, corners)
    doubts = [] if boat.power_curve is not None else read_doubts(boat)
    bands = _bands(scenario, departure, corners, doubts, uncertainty, progress)
    start = math.nan
    if boat.battery is not None:
        start = boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    charge = None if boat.battery is None else start - np.cumsum(legs.total) / _capacity(scenario)
    return MissionStudy(mission, legs, bands, start, charge, reserve, _verdict(scenario, legs, bands, start, reserve),
                        _advice(scenario, departure, corners, start, reserve),
                        _simulated(scenario, float(legs.end[-1]), simulated) if simulate else None, doubts)


def _capacity(scenario: Scenario) -> float:
    return math.nan if scenario.boat.battery is None else scenario.boat.battery.capacity_wh * JOULES_PER_WH


def _speeds(scenario: Scenario) -> np.ndarray:
    given = [scenario.order_of(number).speed or scenario.speed or math.nan
             for number in range(len(scenario.waypoints))]
    return np.array([speed for speed in given if math.isfinite(speed)] or [1.0])


def _verdict(scenario: Scenario, legs: LegEstimate, bands: Bands | None, start: float, reserve: float) -> str:
    if not legs.feasible.all():
        return NO_GO
    if scenario.boat.battery is None:
        return NO_BATTERY
    spare = (start - reserve) * _capacity(scenario)
    if float(legs.total.sum()) > spare:
        return NO_GO
    worst = float(legs.total.sum()) if bands is None else float(bands.so_far[1, -1])
    return GO if worst <= spare and (bands is None or bands.unable <= 0.025 * bands.draws) else UNSURE


def _bands(scenario: Scenario, departure: float, corners: CornerCosts | None, doubts: list[Doubt],
           uncertainty: FlowDoubt, progress: Progress) -> Bands | None:
    if not doubts and uncertainty == CERTAIN:
        return None
    rng = np.random.default_rng(SEED)
    boats = list(drawn_boats(scenario.boat, doubts, BOATS)) if doubts else [scenario.boat] * BOATS
    totals, unable = [], 0
    for number, boat in enumerate(boats, start=1):
        drawn = replace(scenario, boat=boat, plant=boat, current=_moved(scenario.current, uncertainty.current, rng),
                        wind=_moved(scenario.wind, uncertainty.wind, rng))
        legs = legs_estimate(drawn, departure, corners)
        unable += not legs.feasible.all()
        totals.append(legs.total)
        progress(number, BOATS)
    percent = (2.5, 97.5)
    return Bands(np.percentile(totals, percent, axis=0, method='hazen'),
                 np.percentile(np.cumsum(totals, axis=1), percent, axis=0, method='hazen'), BOATS, unable)


class _MovedFlow(NamedTuple):
    """A flow with the same velocity added everywhere, m/s."""

    flow: Any
    x: float
    y: float

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the velocity at many points; see FlowField.velocity."""
        vx, vy, inside = self.flow.velocity(t, x, y)
        return vx + self.x, vy + self.y, inside


def _moved(flow: Any, deviation: float, rng: np.random.Generator) -> Any:
    x, y = deviation * rng.standard_normal(2)
    if isinstance(flow, UniformFlow):
        return UniformFlow(flow.x + x, flow.y + y)
    return flow if deviation == 0.0 else _MovedFlow(flow, x, y)


def _advice(scenario: Scenario, departure: float, corners: CornerCosts | None, start: float,
            reserve: float) -> Advice | None:
    """Return what other speeds, and the way back to front, would cost."""
    top = top_speed(scenario.boat.vessel)
    tried = [(ratio, legs_estimate(_at_speeds(scenario, ratio), departure, corners))
             for ratio in RATIOS.tolist() if ratio * float(_speeds(scenario).max()) <= 1.2 * top]
    able = [(ratio, float(legs.total.sum()), float(legs.end[-1])) for ratio, legs in tried if legs.feasible.all()]
    if not able:
        return None
    cheapest = min(able, key=lambda one: one[1])
    spare = (start - reserve) * _capacity(scenario)
    makes_it = [one for one in able if one[1] <= spare]
    fastest = makes_it[-1] if makes_it else (math.nan, math.nan, math.nan)
    back = legs_estimate(_reversed(scenario), departure, corners)
    other_way = float(back.total.sum()) if back.feasible.all() else math.nan
    return Advice(cheapest[0], cheapest[1], cheapest[2], fastest[0], fastest[1], fastest[2], other_way)


def _at_speeds(scenario: Scenario, ratio: float) -> Scenario:
    """Return the scenario with all speeds multiplied."""
    orders = tuple(order._replace(speed=None if order.speed is None else ratio * order.speed)
                   for order in scenario.orders)
    return replace(scenario, orders=orders, speed=None if scenario.speed is None else ratio * scenario.speed)


def _reversed(scenario: Scenario) -> Scenario:
    """Return the scenario's places from the last one to the first, what is done at each with it."""
    points = (scenario.start[:2], *scenario.waypoints)
    orders = [scenario.order_of(number) for number in range(len(scenario.waypoints))]
    speeds = [order.speed for order in orders]
    ahead = [*(order._replace(speed=speed) for order, speed in zip(orders[-2::-1], speeds[:0:-1])),
             orders[0]._replace(hold=0.0, heading=None)]
    x, y = points[-1]
    return replace(scenario, start=(x, y, scenario.start[2]), waypoints=tuple(points[-2::-1]), orders=tuple(ahead))


def _simulated(scenario: Scenario, expected: float, progress: Progress) -> Simulated:
    number = math.ceil(expected)
    run = run_scenario(scenario, lambda time: progress(min(int(time), number), number))
    progress(number, number)
    return Simulated(run.outcome == REACHED, run.duration, run.energy.total)
