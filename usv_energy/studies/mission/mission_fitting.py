"""The beginning of a mission that fits into a battery, with the way home, as a mission of its own."""

from collections.abc import Iterator
from dataclasses import replace

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import GROUND_SPEED, itinerary_of
from usv_energy.missions.mission import CHANGE_SPEED, JUMPS, RETURN_TO_LAUNCH, Mission, MissionItem
from usv_energy.studies.mission.mission_bands import mission_bands
from usv_energy.studies.mission.mission_battery import GO
from usv_energy.studies.mission.mission_estimate import MissionCase
from usv_energy.studies.mission.mission_scenario import (
    ALL_LEGS,
    mission_scenario,
    reached_side_by_side,
    with_corners,
)
from usv_energy.studies.mission.mission_study import MissionStudy


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
