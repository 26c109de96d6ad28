"""
The study of a mission: its cost leg by leg, whether the battery suffices, and what would help.

The study of a mission as it is asked for: with speeds, departures, a free order, a reserve, a doubtful flow.

The beginning of a mission that fits into a battery, with the way home, as a mission of its own.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.boats.boat_values import UncertainNumber
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import DepartureTimes, departures_on_clock
from usv_energy.flow.flow_file import FlowFile
from usv_energy.missions.itinerary import GROUND_SPEED, itinerary_of
from usv_energy.missions.mission import CHANGE_SPEED, JUMPS, RETURN_TO_LAUNCH, Mission, MissionItem
from usv_energy.sim.record import REACHED
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.corner_costs import CornerCosts
from usv_energy.studies.mission.mission_alternatives import Advice, Departures, mission_advice, mission_departures
from usv_energy.studies.mission.mission_bands import CERTAIN, Bands, FlowDoubt, mission_bands
from usv_energy.studies.mission.mission_battery import (
    GO,
    NO_BATTERY,
    NO_GO,
    UNSURE,
    MissionBattery,
    PackHistory,
    battery_energy,
)
from usv_energy.studies.mission.mission_estimate import AtSpeed, LegEstimate, MissionCase, legs_estimate
from usv_energy.studies.mission.mission_order import OrderChoice, best_order, reordered
from usv_energy.studies.mission.mission_reserve import AtWorst, Reserve, SpeedRow, mission_reserve, speed_rows
from usv_energy.studies.mission.mission_scenario import (
    ALL_LEGS,
    MissionScenario,
    all_legs_at,
    legs_within_reach,
    mission_corners,
    mission_scenario,
    reached_side_by_side,
    with_corners,
)
from usv_energy.studies.plan.boat_in_sea import read_doubts
from usv_energy.units import moment_words

NO_INTERVALS = 'no intervals and no other speeds, so that GO and NO GO are without them'    # After Ctrl-C.
UNJUDGED = 'departures near the reserve have no interval of their own; those that suffice without one are UNSURE'
NEAR, NEAR_ALONE = 0.05, 0.01   # of the reserve: departures whose upper end, or whose energy, is nearer are run alone


class Simulated(NamedTuple):
    """The mission in the simulator: whether the boat arrived, time s, energy J."""

    reached: bool
    time: float
    energy: float


class MissionStudy(NamedTuple):
    """
    A mission's study.

    `legs`: the estimate; `ordered`: the ordered speeds over ground, m/s. A leg whose ordered speed the thrusters
    cannot hold (its `feasible` is false) is slowed; if no speed is possible, its energy is NaN. `departure`: the
    flow's time, s, at the start. `charge`: state of charge at the end of each leg, (-), below 0 when the battery is
    empty, None without a battery; `charge_at_start`; `reserve`: what must be left, (-). `verdict`: GO, UNSURE if
    the interval contains both outcomes, NO_GO, NO_BATTERY. `departures`: the cost of other departures. `order`: the
    chosen order of the waypoints, if it is free. `battery`: the battery at the start. `pack`: the cells along the
    mission, and `pack_ends`: the same with the most and the least energy of the interval; both None if the battery
    is a counter of watt-hours. `broken_off`: what the user's Ctrl-C left out, in words, '' for nothing. `zero`: the
    moment of the flow's time 0, None if it has no dates. `limits`: where the reserve ends, and the way home. `speeds`:
    the cost at other speeds, the mission as it is first, if its speeds can be held; `speeds_outside`: those, m/s, at
    which it leaves a flow file. `corners`: what its corners cost, None for a power curve alone. `land`: areas,
    lines and points where the boat must not go, geometries of shapely, in the mission's metres.
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
    doubts: list[UncertainNumber]
    uncertainty: FlowDoubt = CERTAIN
    departures: Departures | None = None
    order: OrderChoice | None = None
    battery: MissionBattery | None = None
    pack: PackHistory | None = None
    pack_ends: tuple[PackHistory, PackHistory] | None = None
    broken_off: str = ''
    ordered: np.ndarray = np.empty(0)
    zero: datetime | None = None
    limits: Reserve | None = None
    speeds: tuple[SpeedRow, ...] = ()
    speeds_outside: tuple[float, ...] = ()
    corners: CornerCosts | None = None
    land: tuple[Any, ...] = ()

    @property
    def is_possible(self) -> bool:
        """Whether the thrusters are strong enough for all legs at some speed, so that there is a time and an energy."""
        return math.isfinite(self.energy)

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
    def spare(self) -> float:
        """Energy of the battery down to the reserve, J; of cells at the mission's mean power; NaN without a battery."""
        if self.battery is not None and self.battery.boat.pack is not None:
            if not self.is_possible:
                return math.nan
            return self.battery.spare(self.energy, self.time)
        return (self.charge_at_start - self.reserve) * battery_energy(self.scenario)

    @property
    def legs_on_land(self) -> list[int]:
        """The numbers of the legs, from 1 on, that touch the land."""
        if not self.land:
            return []
        shapely = optional('shapely', 'flow', 'land and closed areas')
        points = np.array([self.scenario.start[:2], *self.scenario.waypoints], dtype=float)
        legs = shapely.linestrings(np.stack([points[:-1], points[1:]], axis=1))
        return [int(number) + 1 for number in np.unique(shapely.STRtree(self.land).query(legs, 'intersects')[0])]

    @property
    def charge_bands(self) -> np.ndarray | None:
        """95 % intervals (low, high) of the charge at the end of each leg, (-), shape (2, legs); None if unknown."""
        if self.bands is None or self.charge is None:
            return None
        if self.pack_ends is not None:
            return np.array([history.charge for history in self.pack_ends])
        return self.charge_at_start - self.bands.so_far[::-1] / battery_energy(self.scenario)


def mission_study(mission: MissionScenario, departure: float = 0.0, state_of_charge: float | None = None,
                  reserve: float = 0.2, uncertainty: FlowDoubt = CERTAIN, simulate: bool = False,
                  progress: Progress = no_progress, simulated: Progress = no_progress,
                  ambient: float | None = None, known_corners: CornerCosts | None = None,
                  is_first: bool = False, planned: MissionScenario | None = None,
                  is_alone: bool = False) -> MissionStudy:
    """
    Return the study of a mission.

    :param mission: From `mission_scenario`.
    :param departure: The world's time, s.
    :param state_of_charge: At the start, (-); None for that of the boat's file.
    :param reserve: State of charge that must be left at the end, (-).
    :param uncertainty: Of the flow.
    :param simulate: Also run it in the simulator, from the same departure.
    :param progress: Of the drawn boats.
    :param simulated: Progress of the simulator: simulated seconds, out of those that the estimate expects.
    :param ambient: Temperature around a battery of cells, K; None for that of the boat's file.
    :param known_corners: What the corners of these waypoints cost, from `mission_corners`, or about, see
        `corners_on_another_way`; None: they are computed.
    :param is_first: Whether intervals and what would help are left out: a first answer in a tenth of the time.
    :param planned: The mission with the speeds of its plan, which the table of speeds has then, too.
    :param is_alone: Whether other speeds and what would help are left out.
    :raises InputError: As `legs_estimate` and `run_scenario`.
    """
    scenario, boat = mission.scenario, mission.scenario.boat
    corners = known_corners or mission_corners(scenario, departure)
    legs = legs_estimate(scenario, departure, corners)
    doubts = [] if boat.power_curve is not None or is_first else read_doubts(boat)
    case = MissionCase(scenario, departure, corners)
    bands = None if is_first else mission_bands([case], doubts, uncertainty, progress)[0]
    ordered, legs = legs, _legs_at_possible_speeds(scenario, departure, corners, legs)
    gone = bool(np.isfinite(legs.total).all())
    battery = MissionBattery(boat, _charge_at_start(boat, state_of_charge), reserve,
                             boat.ambient if ambient is None else ambient)
    pack, ends = (battery.history(legs), battery.history_ends(legs, bands)) if gone else (None, None)
    charge = pack.charge if pack is not None else _charge_by_counter(battery, legs)
    verdict = battery.verdict(legs, bands)

    def judged(found: Sequence[AtSpeed]) -> list[str]:
        verdicts = [battery.verdict(one.legs, None) for one in found]
        doubtful = [] if bands is None else [number for number, one in enumerate(verdicts) if one == GO]
        cases = [MissionCase(found[number].scenario, departure, found[number].corners) for number in doubtful]
        for number, own in zip(doubtful, mission_bands(cases, doubts, uncertainty)):
            verdicts[number] = battery.verdict(found[number].legs, own)
        return verdicts
    speeds, outside = ([], []) if is_alone else speed_rows(
        scenario, departure, corners, ordered, battery, not is_first, verdict, judged,
        None if planned is None else planned.scenario)
    advice = None if is_first or is_alone else mission_advice(scenario, ordered, departure, corners, speeds)
    done = simulated_mission(scenario, departure, float(legs.end[-1]), simulated) if simulate else None
    return MissionStudy(mission, departure, legs, bands, battery.charge, charge, reserve,
                        verdict, advice, done, doubts, uncertainty, battery=battery, pack=pack, pack_ends=ends,
                        broken_off='the simulator had not arrived' if simulate and done is None else '',
                        ordered=ordered.speed,
                        limits=mission_reserve(scenario, departure, legs, charge, battery,
                                               _at_worst(battery, bands, ends)),
                        speeds=tuple(speeds), speeds_outside=tuple(outside), corners=corners)


def _legs_at_possible_speeds(scenario: Scenario, departure: float, corners: CornerCosts | None,
                             ordered: LegEstimate) -> LegEstimate:
    """Return legs, slowed if the thrusters cannot hold the ordered speed; their energies are NaN if no speed helps."""
    if ordered.feasible.all():
        return ordered
    legs, _ = legs_within_reach(scenario, departure, corners)

    def known(values: np.ndarray) -> np.ndarray:
        return np.where(legs.feasible, values, np.nan)
    return legs._replace(energy=known(legs.energy), of_hold=known(legs.of_hold), of_corner=known(legs.of_corner),
                         by_load=known(legs.by_load), feasible=ordered.feasible)


def _charge_at_start(boat: Boat, state_of_charge: float | None) -> float:
    if boat.battery is None:
        return math.nan
    return boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge


def _charge_by_counter(battery: MissionBattery, legs: LegEstimate) -> np.ndarray | None:
    """Return the charge of a counter of watt-hours at the end of each leg, (-); None without a battery."""
    return None if battery.boat.battery is None else battery.charge - np.cumsum(legs.total) / battery.capacity


def _at_worst(battery: MissionBattery, bands: Bands | None,
              ends: tuple[PackHistory, PackHistory] | None) -> AtWorst | None:
    """Return a mission at the upper end of its interval; None without an interval or a battery."""
    if bands is None or math.isnan(battery.charge):
        return None
    energy = bands.so_far[1]
    return AtWorst(float(energy[-1]), battery.charge - energy / battery.capacity if ends is None else ends[0].charge)


def with_departures(study: MissionStudy, found: Departures, progress: Progress = no_progress) -> MissionStudy:
    """
    Return a study with other departures; each near the reserve is judged by an interval of its own.

    After Ctrl-C, before or here, those near it that would suffice without one are UNSURE, which `broken_off` says.
    """
    study = study._replace(departures=found)
    asked, battery = departures_near_reserve(study, found), study.battery
    if battery is None or not asked:
        return study
    cases = [MissionCase(study.scenario, float(found.departure[number]), found.corners[number]) for number in asked]
    try:
        if found.broken_off and study.bands is not None:
            raise KeyboardInterrupt
        bands = mission_bands(cases, study.doubts, study.uncertainty, progress)
    except KeyboardInterrupt:
        return study._replace(broken_off=UNJUDGED, departures=found._replace(
            verdicts={number: UNSURE for number in asked if departure_verdict(study, number) == GO}))
    verdicts = {number: battery.verdict(legs, own)
                for number, own, (legs, _) in zip(asked, bands, reached_side_by_side(cases))}
    return study._replace(departures=found._replace(verdicts=verdicts))


def departures_near_reserve(study: MissionStudy, found: Departures) -> list[int]:
    """Return the numbers of the other departures that are too near the reserve to be judged in proportion."""
    worst, spare = _worst_ratio(study), study.spare
    if not spare > 0.0:
        return []
    share = np.where(found.held, found.energy, math.nan) / spare
    near = (np.abs(worst * share - 1.0) <= NEAR) | (np.abs(share - 1.0) <= NEAR_ALONE)
    if study.uncertainty != CERTAIN:    # The same doubt is more of a little energy than of much.
        near = share <= 1.0 + NEAR_ALONE
    asked = near & (share <= 1.0 + NEAR_ALONE) & (found.departure != study.departure)
    return [int(number) for number in np.flatnonzero(asked)]


def _worst_ratio(study: MissionStudy) -> float:
    """Return the upper end of the energy's interval as a ratio to the energy."""
    return 1.0 if study.bands is None else float(study.bands.so_far[1, -1]) / study.energy


def departure_verdict(study: MissionStudy, number: int) -> str:
    """
    Return the verdict on one of the other departures, by its number.

    Its interval is that of the study, in proportion to its energy, unless `with_departures` has judged it.
    """
    departures = study.departures
    assert departures is not None
    if not departures.held[number]:
        return NO_GO
    if departures.departure[number] == study.departure:
        return study.verdict
    if number in departures.verdicts:
        return departures.verdicts[number]
    spare, energy = study.spare, float(departures.energy[number])
    if math.isnan(spare) or energy > spare:
        return NO_BATTERY if math.isnan(spare) else NO_GO
    return GO if _worst_ratio(study) * energy <= spare else UNSURE


def simulated_mission(scenario: Scenario, departure: float, expected: float, progress: Progress) -> Simulated | None:
    """
    Return a mission as the simulator runs it; None if the user interrupted it.

    :param scenario: The mission as a scenario.
    :param departure: The world's time when it begins, s.
    :param expected: How long it takes, s, for the progress.
    """
    number = math.ceil(expected)
    begun = replace(scenario, current=scenario.current.later(departure), wind=scenario.wind.later(departure))
    try:
        run = run_scenario(begun, lambda time: progress(min(int(time), number - 1), number))
    except KeyboardInterrupt:
        return None
    progress(number, number)
    return Simulated(run.outcome == REACHED, run.duration, run.energy.total)


class MissionTerms(NamedTuple):
    """
    What is asked of a mission.

    `speed`: over ground, m/s, where the mission says none; `all_legs_at`: on all legs, m/s. `depart`: as of
    `departure_window`, several of which the cheapest is taken. `any_order`: the order of the waypoints is free.
    `reserve`: share of the battery that must be left, (-). `uncertainty`: of the flow. `ambient`: temperature around
    cells, K; None for the boat file's. `simulate`: also run it in the simulator.
    """

    speed: float | None = None
    all_legs_at: float | None = None
    depart: str | None = None
    any_order: bool = False
    reserve: float = 0.2
    uncertainty: FlowDoubt = CERTAIN
    ambient: float | None = None
    simulate: bool = False


class MissionProgress(NamedTuple):
    """Progress of the departures, of the drawn boats, and of the simulator in simulated seconds."""

    departures: Progress = no_progress
    boats: Progress = no_progress
    simulated: Progress = no_progress


def asked_mission(mission: Mission, boat: Boat, current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile,
                  terms: MissionTerms, progress: MissionProgress = MissionProgress(),  # noqa: B008  # a constant
                  say: Callable[[str], None] = lambda text: None) -> MissionStudy:
    """
    Return the study of a mission.

    :param boat: With its payload, its battery and its sea.
    :param current: Water.
    :param wind: Air at the boat.
    :param say: Called with a remark on what changes nothing.
    :raises InputError: As `mission_study`; if the terms contradict each other or the boat.
    """
    if terms.speed is not None and terms.all_legs_at is not None:
        raise InputError('--speed is for legs without a speed, and --all-legs-at for all; must be one of the two')
    if terms.simulate:
        require_motion(boat, 'a simulation')
        if boat.vessel.sea is not None:
            raise InputError('--simulate does not go with --sea: what is simulated has the waves of its current')
    times, (current, wind) = departures_of_mission(mission, terms.depart, (current, wind), say)
    placed = mission_scenario(itinerary_of(mission), boat, current, wind, terms.speed, mission.path)
    planned = None
    if terms.all_legs_at is not None:
        planned, placed = placed, all_legs_at(placed, terms.all_legs_at)
    if terms.speed is not None and all(order.speed is not None for order in placed.scenario.orders):
        say(f'--speed changes nothing: {mission.source} says a speed on every leg; --all-legs-at goes against it')
    study = _study(placed, planned, times.seconds, terms, progress)
    return study._replace(zero=times.zero)


def departures_of_mission(mission: Mission, text: str | None, flows: Sequence[UniformFlow | FlowFile],
                          say: Callable[[str], None]) -> tuple[DepartureTimes, list[UniformFlow | FlowFile]]:
    """Return departures and flows on one clock; by default that which the mission plans, where the flows cover it."""
    if text is None and mission.departure is not None:
        planned = f'the departure that {mission.source} plans, {moment_words(mission.departure)},'
        try:
            found = departures_on_clock(mission.departure.isoformat(), flows, '--depart')
            say(f'{planned} is taken')
            return found
        except InputError as error:
            say(f'{planned} is not taken: {error}')
    return departures_on_clock(text, flows, '--depart')


def _study(placed: MissionScenario, planned: MissionScenario | None, departures: tuple[float, ...], terms: MissionTerms,
           progress: MissionProgress) -> MissionStudy:
    order = None
    if terms.any_order:
        order = best_order(placed, departures[0])
        placed = reordered(placed, order.order)
        planned = None if planned is None else reordered(planned, order.order)
    window = None
    if len(departures) > 1:
        window = mission_departures(placed.scenario, departures, progress=progress.departures)
    begin = departures[0] if window is None else float(window.departure[window.best])
    corners = None if window is None else window.corners[window.best]
    try:
        study = mission_study(placed, begin, None, terms.reserve, terms.uncertainty, terms.simulate, progress.boats,
                              progress.simulated, terms.ambient, corners, planned=planned)
    except KeyboardInterrupt:
        if window is None:
            raise
        study = mission_study(placed, begin, None, terms.reserve, terms.uncertainty, ambient=terms.ambient,
                              known_corners=corners, is_first=True)._replace(broken_off=NO_INTERVALS)
    study = study._replace(departures=window, order=order)
    return study if window is None or study.broken_off else with_departures(study, window, progress.boats)


def fitting_mission(mission: Mission, study: MissionStudy) -> Mission:
    """
    Return the longest beginning of a mission, in whole legs, whose verdict is GO with the way home counted.

    :param mission: As in its file.
    :param study: Of it; its battery, speeds, water and air hold.
    :raises InputError: Without a battery; for a mission with jumps, whose legs are not in the order of its items; if
        not even the first leg fits.
    """
    if study.limits is None or study.battery is None:
        raise InputError(f'{mission.source}: what fits into a battery is not known without one, or without an energy')
    if any(item.command in JUMPS for item in mission.items):
        raise InputError(f'{mission.source}: has jumps; what fits can be cut off only where its items are in order')
    if study.mission.speed_from == ALL_LEGS:    # Else what is written would not be what was judged.
        mission = _at_one_speed(mission, study.scenario.speed)
    for beginning in _beginnings(mission, study):
        if _suffices(beginning, study):
            return beginning
    raise InputError(f'{mission.source}: home is not reached with the reserve left from the end of its first leg: '
                     'nothing of it fits')


def _at_one_speed(mission: Mission, speed: float | None) -> Mission:
    """Return a mission planned with a speed over ground, m/s, to which all of its changes of speed change."""
    items = tuple(item._replace(parameters=(GROUND_SPEED, speed, -1.0, 0.0)) if item.command == CHANGE_SPEED else item
                  for item in mission.items)
    return replace(mission, items=items, speed=speed)


def _beginnings(mission: Mission, study: MissionStudy) -> Iterator[Mission]:
    """Yield the mission, and its beginnings with a return to launch, the longest first that may fit."""
    items, turn_back = study.mission.items, study.limits and study.limits.turn_back
    if study.limits is not None and study.limits.way_back is None:
        yield mission
    legs = len(items) if turn_back is None else turn_back.leg
    # An item with several legs, a circle, is kept whole or not at all.
    for last in sorted({number for number in items[:legs] if number not in items[legs:]}, reverse=True):
        kept = tuple(item._replace(survey=None) for item in mission.items if item.number <= last)
        back = MissionItem(RETURN_TO_LAUNCH, kept[-1].number + 1, frame=kept[-1].frame)
        yield replace(mission, items=(*kept, back), surveys=())


def _suffices(mission: Mission, study: MissionStudy) -> bool:
    scenario, battery = study.scenario, study.battery
    placed = mission_scenario(itinerary_of(mission), scenario.boat, scenario.current, scenario.wind, scenario.speed,
                              mission.path)
    case, = with_corners([MissionCase(placed.scenario, study.departure)])
    (legs, _), = reached_side_by_side([case])
    if battery is None or not battery.suffices(legs):
        return False
    bands = None if study.bands is None else mission_bands([case], study.doubts, study.uncertainty)[0]
    return battery.verdict(legs, bands) == GO
