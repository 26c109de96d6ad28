"""The mission in an autopilot: read over the link item by item, and what is left of it, answered as `mission` does."""

import math
from typing import Any

from usv_energy.boats.boat_file import Boat
from usv_energy.earth import Place
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.live.link import Heard, dialect
from usv_energy.live.return_order import AUTOPILOT
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import (
    CHANGE_SPEED,
    JUMP,
    SET_HOME,
    WAYPOINT,
    WITH_PLACE,
    Mission,
    MissionItem,
    checked_item,
)
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import MissionStudy, mission_study

ANSWER_TIME = 1.5    # s without an answer after which a request is sent again,
MOST_SENT = 5        # as often as this in a row; then the mission is asked for anew
AGAIN = 60.0         # after this time, s: as long as a mission is believed to stay what it is without a word.
ITEM_AGAIN = 0.5     # s between two items that are read again to see whether they are still the same
MISSION, DEGREES = 0, 1e-7  # MAV_MISSION_TYPE; of the integers of places
DENIED = 14          # MAV_MISSION_RESULT
LOCAL_FRAMES, MILLIMETRES = (1, 4), 1e-4  # MAV_FRAME; places in local metres are tenths of millimetres
BEFORE = 0           # The number of items that are put before those of the mission.


class MissionDownload:
    """
    Reads the mission of one vehicle; `mission`: the last that was read whole, None before.

    `version` counts missions that differ from the one before.
    """

    def __init__(self, system: int) -> None:
        """Begin with nothing asked; `system`: the vehicle's system id."""
        self._system = system
        self.mission: Mission | None = None
        self.version = 0
        self._items: list[MissionItem] = []
        self._count: int | None = None
        self._is_reading = False
        self._asked = self._finished = -math.inf
        self._sent = self._again = 0    # Requests without an answer; the item that was last read again.
        self._known: tuple[int, int] | None = None  # Number of items and id, as MISSION_CURRENT has them.
        self._is_stale = False          # Whether it changed while it was read.

    def due(self, now: float) -> list[Any]:
        """
        Return the messages to send at a time, s: a request without an answer again, or a mission anew.

        In between, one item after the other where the autopilot has no ids of missions: a changed one shows it.
        """
        if not self._is_reading:
            if now - self._finished < AGAIN:
                others = len(self._items) - 1  # than the first one, which ArduPilot's home moves
                if others < 1 or (self._known and self._known[1]) or now - self._asked < ITEM_AGAIN:
                    return []
                self._asked, self._again = now, self._again % others + 1
                return [self._item_request(self._again)]
            self._is_reading, self._items, self._count, self._sent, self._is_stale = True, [], None, 0, False
        elif now - self._asked < ANSWER_TIME:
            return []
        elif self._sent >= MOST_SENT:
            self._is_reading, self._finished = False, now
            return []
        return [self._request(now)]

    def take(self, heard: Heard, now: float, px4: bool) -> list[Any]:
        """
        Take a message of the vehicle at a time, s; return the messages to send.

        :param px4: Whether the autopilot is PX4, whose first item is no home.
        """
        message = heard.message
        if heard.kind == 'MISSION_CURRENT':
            self._ask_if_changed((message.total, _mission_id(message)))
        if getattr(message, 'mission_type', MISSION) != MISSION:
            return []
        if not self._is_reading:
            if heard.kind == 'MISSION_ACK' or (heard.kind == 'MISSION_ITEM_INT'
                                               and _item(message) not in self._items[message.seq:][:1]):
                self._finished = -math.inf    # Somebody gives it another one, or it has no such item.
            return []
        if heard.kind == 'MISSION_ACK' and message.type == DENIED:
            self._sent = 0                    # Somebody still gives it one.
        if heard.kind == 'MISSION_COUNT' and self._count is None:
            self._count, self._sent = message.count, 0
            return self._next(now, px4)
        if heard.kind == 'MISSION_ITEM_INT' and self._count is not None and message.seq == len(self._items):
            self._items.append(_item(message))
            self._sent = 0
            return self._next(now, px4)
        return []

    def _ask_if_changed(self, known: tuple[int, int]) -> None:
        """Ask for the mission anew where the vehicle has another number of items, or id, than before."""
        if known != self._known:
            if self._known is not None:
                self._is_stale, self._finished = self._is_reading, -math.inf
            self._known = known

    def _next(self, now: float, px4: bool) -> list[Any]:
        if len(self._items) < (self._count or 0):
            return [self._request(now)]
        self._is_reading, self._finished = False, -math.inf if self._is_stale else now
        found = _mission(self._items, px4)
        if found != self.mission:
            self.mission, self.version = found, self.version + 1
        return [dialect().MAVLink_mission_ack_message(self._system, AUTOPILOT, 0, MISSION)]

    def _request(self, now: float) -> Any:
        self._asked = now
        self._sent += 1
        if self._count is None:
            return dialect().MAVLink_mission_request_list_message(self._system, AUTOPILOT, MISSION)
        return self._item_request(len(self._items))

    def _item_request(self, number: int) -> Any:
        return dialect().MAVLink_mission_request_int_message(self._system, AUTOPILOT, number, MISSION)


def _mission_id(message: Any) -> int:
    """Return the id of the mission in a MISSION_CURRENT, which pymavlink leaves out; 0 where there is none."""
    return int.from_bytes(message.get_msgbuf()[16:min(20, 10 + message.get_header().mlen)], 'little')


def _item(message: Any) -> MissionItem:
    """Return an item of a message; InputError if its place is none."""
    x, y = float(message.x), float(message.y)
    if message.command in WITH_PLACE:
        unit = MILLIMETRES if message.frame in LOCAL_FRAMES else DEGREES
        x, y = unit * x, unit * y
    first, second, third, fourth = (None if math.isnan(value) else value for value in (
        message.param1, message.param2, message.param3, message.param4))
    return checked_item(MissionItem(message.command, message.seq, (first, second, third, fourth), x, y, message.z,
                                    message.frame, bool(message.autocontinue)), 'the mission of the autopilot')


def _mission(items: list[MissionItem], px4: bool) -> Mission | None:
    """Return the mission of items; None of an empty one. ArduPilot's first item is home, and others follow from 1."""
    home = items[0].place if items and not px4 else None
    kept = items if px4 else items[1:]
    if not kept:
        return None
    return Mission('mission of the autopilot', tuple(kept), home=home)


def what_is_left(mission: Mission, item: int, here: Place) -> Mission:
    """
    Return what is left of a mission for a boat under way in it.

    Jumps count as if none had been taken before, and those without end as taken; a speed that was ordered before
    holds on.

    :param mission: In degrees.
    :param item: Number of the item that the boat goes to, as MISSION_CURRENT has it.
    :param here: Where the boat is.
    """
    before = [MissionItem(WAYPOINT, BEFORE, x=here.latitude, y=here.longitude, z=0.0)]
    if mission.home is not None:
        x, y = mission.home
        before.append(MissionItem(SET_HOME, BEFORE, (0.0, None, None, None), x, y, 0.0))
    before += [one._replace(number=BEFORE) for one in mission.items
               if one.command == CHANGE_SPEED and one.number < item][-1:]
    if any(one.number == item for one in mission.items):
        before.append(MissionItem(JUMP, BEFORE, (float(item), 1.0, None, None)))
    rest = Mission(mission.name, (*before, *mission.items))
    return rest.with_rounds(1) if rest.is_endless else rest


def study_of_rest(mission: Mission, boat: Boat, current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile,
                  speed: float | None, departure: float, charge: float, reserve: float) -> MissionStudy:
    """
    Return the study of what is left of a mission, as `usv-energy mission` has it.

    :param mission: From `what_is_left`.
    :param boat: The Boat.
    :param current: Water, in m about the place where the boat's metres begin; `wind`: air, likewise.
    :param speed: Over ground, m/s, where the mission says none; None: the cheapest.
    :param departure: Time of the flows now, s.
    :param charge: State of charge now, (-); NaN where unknown.
    :param reserve: That must be left, (-).
    :raises InputError: As `itinerary_of` and `mission_scenario`.
    """
    placed = mission_scenario(itinerary_of(mission), boat, current, wind, speed)
    return mission_study(placed, departure, charge if math.isfinite(charge) else None, reserve)
