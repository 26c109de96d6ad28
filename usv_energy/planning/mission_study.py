"""All that there is to say of a mission: what it costs leg by leg, whether the battery makes it, what would help."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..boats.doubts import Doubt
from ..files.progress_protocol import Progress, no_progress
from ..sim.record import REACHED
from ..sim.runner import run_scenario
from ..sim.scenario import Scenario
from .mission_advice import Advice, battery_energy, mission_advice
from .mission_bands import CERTAIN, Bands, FlowDoubt, mission_bands
from .mission_departures import Departures
from .mission_estimate import LegEstimate, legs_estimate
from .mission_order import OrderChoice
from .mission_reachable import mission_corners
from .mission_scenario import MissionScenario
from .uncertain_boat import read_doubts

GO, UNSURE, NO_GO, NO_BATTERY = 'go', 'unsure', 'no_go', 'no_battery'
FEW = 0.025     # Of the drawn boats and flows, that may be unable in a mission that is go.


class Simulated(NamedTuple):
    """What the simulator makes of the mission: whether it arrived, time s, energy J."""

    reached: bool
    time: float
    energy: float


class MissionStudy(NamedTuple):
    """
    A mission's study.

    `departure`: the flow's time, s, when it begins. `charge`: state of charge at the end of each leg, (-), below 0
    where there is none left; None without a battery; `charge_at_start`; `reserve`: what is to be left, (-). `verdict`:
    GO, UNSURE where the interval holds both, NO_GO, NO_BATTERY. `departures`: what others than this one would cost.
    `order`: the waypoints' order that was taken, where it is free.
    """

    mission: MissionScenario
    departure: float
    legs: LegEstimate
    bands: Bands | None
    charge_at_start: float
    charge: np.ndarray | None
    reserve: float
    verdict: str
    advice: Advice | None
    simulated: Simulated | None
    doubts: list[Doubt]
    uncertainty: FlowDoubt = CERTAIN
    departures: Departures | None = None
    order: OrderChoice | None = None

    @property
    def scenario(self) -> Scenario:
        """The mission as a scenario."""
        return self.mission.scenario

    @property
    def energy(self) -> float:
        """Energy of the mission, J."""
        return float(self.legs.total.sum())

    @property
    def time(self) -> float:
        """How long it takes, s."""
        return float(self.legs.end[-1])

    @property
    def charge_bands(self) -> np.ndarray | None:
        """95 % intervals (low, high) of the charge at the end of each leg, (-), shape (2, legs); None without."""
        if self.bands is None or self.charge is None:
            return None
        return self.charge_at_start - self.bands.so_far[::-1] / battery_energy(self.scenario)


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
    :param simulate: Also run it in the simulator, from the same departure.
    :param progress: Of the drawn boats.
    :param simulated: Of the simulator: seconds that are simulated, of those that the estimate expects.
    :raises InputError: As `legs_estimate` and `run_scenario`.
    """
    scenario, boat = mission.scenario, mission.scenario.boat
    corners = mission_corners(scenario, departure)
    legs = legs_estimate(scenario, departure, corners)
    doubts = [] if boat.power_curve is not None else read_doubts(boat)
    bands = mission_bands(scenario, departure, corners, doubts, uncertainty, progress)
    start = math.nan
    if boat.battery is not None:
        start = boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    charge = None if boat.battery is None else start - np.cumsum(legs.total) / battery_energy(scenario)
    spare = (start - reserve) * battery_energy(scenario)
    return MissionStudy(mission, departure, legs, bands, start, charge, reserve, _verdict(legs, bands, spare),
                        mission_advice(scenario, legs, departure, corners, spare),
                        _simulated(scenario, departure, float(legs.end[-1]), simulated) if simulate else None, doubts,
                        uncertainty)


def _verdict(legs: LegEstimate, bands: Bands | None, spare: float) -> str:
    """Return what is to be said where so much energy, J, may be spent; NaN without a battery."""
    if not legs.feasible.all():
        return NO_GO
    if math.isnan(spare):
        return NO_BATTERY
    if float(legs.total.sum()) > spare:
        return NO_GO
    if bands is None:
        return GO
    return GO if float(bands.so_far[1, -1]) <= spare and bands.unable <= FEW * bands.draws else UNSURE


def departure_verdict(study: MissionStudy, number: int) -> str:
    """Return GO or NO_GO, or NO_BATTERY, of one of the departures that were looked at, by its number."""
    departures = study.departures
    assert departures is not None
    if not departures.held[number]:
        return NO_GO
    spare = (study.charge_at_start - study.reserve) * battery_energy(study.scenario)
    return NO_BATTERY if math.isnan(spare) else GO if departures.energy[number] <= spare else NO_GO


def _simulated(scenario: Scenario, departure: float, expected: float, progress: Progress) -> Simulated:
    number = math.ceil(expected)
    begun = replace(scenario, current=scenario.current.later(departure), wind=scenario.wind.later(departure))
    run = run_scenario(begun, lambda time: progress(min(int(time), number), number))
    progress(number, number)
    return Simulated(run.outcome == REACHED, run.duration, run.energy.total)
