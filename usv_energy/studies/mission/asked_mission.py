"""The study of a mission as it is asked for: with speeds, departures, a free order, a reserve, a doubtful flow."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import DepartureTimes, departures_on_clock
from usv_energy.flow.flow_file import FlowFile
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import Mission
from usv_energy.phrases import moment_words
from usv_energy.studies.mission.mission_alternatives import mission_departures
from usv_energy.studies.mission.mission_bands import CERTAIN, FlowDoubt
from usv_energy.studies.mission.mission_order import best_order, reordered
from usv_energy.studies.mission.mission_scenario import MissionScenario, all_legs_at, mission_scenario
from usv_energy.studies.mission.mission_study import MissionStudy, mission_study, with_departures


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
    study = mission_study(placed, begin, None, terms.reserve, terms.uncertainty, terms.simulate, progress.boats,
                          progress.simulated, terms.ambient, planned=planned)
    return (study if window is None else with_departures(study, window))._replace(order=order)
