"""
The run of `usv-energy live`: from the messages of a link to the accounts of its boats, and what is sent back.

A live session followed in a thread of its own, and what a page shows of it, as plain data for JSON.
"""

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any, NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.live.announcer import Announcer, Said, statustext
from usv_energy.live.boat_account import MISSION_SPEEDS, BoatAccount, LiveTerms
from usv_energy.live.boat_follower import BoatFollower, alarm_rows, extend_track
from usv_energy.live.link import ALLOWED, Heard, Link, is_for
from usv_energy.live.live_vehicle import SILENCE, LiveVehicle
from usv_energy.live.onboard_mission import MissionDownload, study_of_rest, what_is_left
from usv_energy.live.parameter_check import parameter_differences
from usv_energy.live.return_order import OrderState, Requests, ReturnOrder, mode_numbers
from usv_energy.live.same_id import RIVAL_TIME, BesideRefused
from usv_energy.logs.autopilots.telemetry import NO_AUTOPILOT, Sender
from usv_energy.logs.autopilots.vehicle import AIR, BOAT, OTHER, ROVER, vehicle_of_type
from usv_energy.logs.motion.fixed_lag import Smoothed
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.mission.mission_study_text import mission_study_figures
from usv_energy.studies.mission.mission_words import verdict_reason

WAIT = 0.1             # s for which the link is waited for at once
KEPT_TEXTS = 100       # of what was said, the last ones
TURN_PERIOD = 5.0      # s between two looks for the item to turn back before
STUDY_PERIOD = 60.0    # s between two answers about the mission on the same item
FARTHEST_HOMES = 50.0  # m between the autopilot's home and that of --home, from which on that is said
OLD_VALUES = 5.0       # s since the boat's last position, after which no values of it are sent
TICK = 0.1             # s, at least, between two looks at what is due
DEVICES = 6, 18, 26, 27, *range(30, 35), *range(36, 43), 44  # MAV_TYPE of ground stations and parts of vehicles
EVERYBODY = 0          # As a target that is every system on the link, and nobody's own number.
GENERIC, NO_TYPE = 0, 0  # MAV_AUTOPILOT and MAV_TYPE that say nothing
LEAST_HEARTBEATS = 3   # after which a vehicle is believed to be what it says


class LiveOptions(NamedTuple):
    """
    What a session does.

    `terms`: of the boat. `system`: MAVLink's system id of its vehicle; None: the only boat. `any_vehicle`: take what
    says that it is no boat. `mode`: that the boat may be commanded into when its margin is gone; None: none.
    """

    terms: LiveTerms = LiveTerms()
    system: int | None = None
    any_vehicle: bool = False
    mode: str | None = None


class BoatSession:
    """One vehicle on the link: its messages, its account, and what is sent to it. `said`: the latest words."""

    def __init__(self, sender: Sender, boat: Boat, options: LiveOptions) -> None:
        """Begin without a message."""
        self.sender, self._boat, self._options = sender, boat, options
        self.vehicle = LiveVehicle(boat)
        self.account = BoatAccount(boat, options.terms, self.vehicle)
        self.download = MissionDownload(sender.system)
        self.order = None if options.mode is None else ReturnOrder(options.mode)
        self.said: list[str] = []
        self.differences: list[str] = []
        self.mission: MissionStudy | None = None
        self.mission_error = ''
        self.turn_back: int | None = None  # Item of the mission from which the boat would not get home.
        self._rival_words = f'two vehicles send as system {sender.system}: only the first one counts'
        self.opened = math.nan         # s since 1970, when its first heartbeat came,
        self.heard = -math.inf         # and the last message.
        self._ticked = self._silent_at = -math.inf  # When it was last silent, s.
        self._announcer, self._requests = Announcer(), Requests(sender.system)
        self._missing_mode: str | None = None      # That was to be commanded, and that the vehicle does not have.
        self._compared: dict[str, float] = {}
        self._once: set[str] = set()
        self._study: Future[MissionStudy] | None = None
        self._turned_at = -math.inf    # When the item to turn back before was last looked for, s.
        self._studied: tuple[int, int] = (0, -1)   # Version of the mission and item of the last answer,
        self._studied_at = -math.inf               # and when it was asked for, s.

    def take(self, heard: Heard) -> list[Any]:
        """Take a message of the vehicle; return the messages to send."""
        states = self.vehicle.take(heard)
        if states is None:
            return []
        self._add(states)
        self.heard = heard.received
        if heard.kind == 'COMMAND_ACK' and self.order is not None and is_for(heard.message, self.sender.system):
            return self._say(self.order.acknowledge(heard.received, heard.message.command, heard.message.result))
        if heard.kind == 'NAMED_VALUE_FLOAT':
            self.account.read_value(heard.message.name, self.vehicle.clock.about(heard.received), heard.message.value)
        if heard.kind.startswith('MISSION_'):
            try:
                return self.download.take(heard, heard.received, self.vehicle.is_px4)
            except InputError as error:
                self._say_once(str(error))
                return []
        return []

    def tick(self, now: float, pool: ThreadPoolExecutor | None) -> list[Any]:
        """
        Do what is due at a time, s since 1970; return the messages to send.

        :param pool: Where missions are studied; None: at once.
        """
        if 0.0 <= now - self._ticked < TICK:
            return []
        self._ticked = now
        self.account.has_rival = self.vehicle.same_id.has_rival(now)
        self._add(self.vehicle.waits(self.vehicle.clock.about(now)))
        figures = self.account.figures_of_margin()
        has_state = self.account.state is not None
        silence, age = now - self.heard, self.vehicle.clock.about(now) - self.vehicle.moved
        self._silent_at = now if silence > SILENCE else self._silent_at
        has_home = self.vehicle.home is not None or self._options.terms.home is not None
        messages = self._say(self._announcer.changes(
            {**figures, 'turn_back_before_item': self.turn_back, 'second_vehicle': self.account.has_rival,
             'missing_mode': self._missing_mode}, now, silence if has_state else 0.0,
            min(age - silence, now - self._silent_at) if has_state else 0.0, 0.0 if has_home else self.account.elapsed))
        is_old = not has_state or not age <= OLD_VALUES
        messages += self._announcer.values(now, self.vehicle.clock.time, {} if is_old else figures)
        if self.vehicle.autopilot != NO_AUTOPILOT:
            messages += self._requests.due(now, self.vehicle.home is not None, self.vehicle.parameters,
                                           self.vehicle.is_px4)
        messages += self.download.due(now)
        if self.order is not None and self._may_command(self.order):
            sent, said = self.order.tick(now, self.account.wants_home, now - self.heard < SILENCE, self.vehicle,
                                         self.sender.system, self.account.has_rival)
            messages += [*sent, *self._say(said)]
        self._notice()
        self._study_mission(now, pool)
        self._look_for_turn(now)
        return messages

    def end(self) -> None:
        """Take the states that still wait, and the answer about the mission."""
        self._add(self.vehicle.rest())
        if self._study is not None:
            self._finish_study(self._study)

    def figures(self, now: float) -> dict[str, Any]:
        """Return the boat's figures at a time, s since 1970, as `monitor` shows them."""
        kind = self.vehicle.vehicle
        counts = self.vehicle.counts
        problems = [*self.account.problems(), *(f'{number} {words}' for words, number in counts.items()),
                    *self.differences, *self.said[-3:]]
        if self.account.has_rival:
            problems.insert(0, self._rival_words)
        if now - self.heard > SILENCE:
            problems.insert(0, f'nothing heard for {now - self.heard:.0f} s')
        return {
            'namespace': f'system {self.sender.system}', 'age_s': max(now - self.heard, 0.0),
            'vehicle': None if kind is None else kind.words, 'mode': self.vehicle.mode.number,
            'armed': self.vehicle.mode.armed, 'second_vehicle': self.account.has_rival, **self.account.figures(),
            'problems': problems,
            'left_out': counts, 'parameter_differences': self.differences,
            'command': None if self.order is None else {'mode': self.order.mode, 'state': self.order.state.name.lower(),
                                                        'sent': self.order.sent},
            'mission': self._mission_figures()}

    def _add(self, states: Iterable[Smoothed]) -> None:
        for state in states:
            self.account.take(state)

    def _say(self, said: Iterable[Said]) -> list[Any]:
        said = list(said)
        self.said = [*self.said, *(one.text for one in said)][-KEPT_TEXTS:]
        return [statustext(one) for one in said]

    def _say_once(self, text: str) -> None:
        if text not in self._once:
            self._once.add(text)
            self.said = [*self.said, text][-KEPT_TEXTS:]

    def _may_command(self, order: ReturnOrder) -> bool:
        """Return whether the vehicle is known to have the mode; what is not is said once."""
        kind = self.vehicle.vehicle
        if kind is None:
            return False
        if kind.kind not in (BOAT, ROVER):
            self._say_once(f'{kind.words} is never commanded, since its modes have other numbers than a boat\'s')
            return False
        try:
            mode_numbers(order.mode, self.vehicle.is_px4)
        except InputError as error:
            self._say_once(f'{error}. Nothing will be commanded')
            self._missing_mode, order.state = order.mode, OrderState.REFUSED
            return False
        return True

    def _notice(self) -> None:
        """Say once what an operator should know of vehicle, parameters, outputs and homes."""
        vehicle = self.vehicle
        self.said = [*self.said, *vehicle.new_faults()][-KEPT_TEXTS:]
        kind = vehicle.vehicle
        if kind is not None and kind.kind == ROVER and sum(vehicle.types.values()) >= LEAST_HEARTBEATS:
            self._say_once(f'it says that it is {kind.words} ({kind.evidence}): is it on the water? Boats that run '
                           'ArduPilot say so by FRAME_CLASS 2')
        if vehicle.parameters != self._compared:
            self._compared = dict(vehicle.parameters)
            self.differences = parameter_differences(vehicle.parameters, self._boat)
        if self.account.has_rival:
            self._say_once(self._rival_words)
        home = self._options.terms.home
        if home is not None and vehicle.home is not None and vehicle.plane is not None:
            (x, y), (east, north) = (vehicle.plane.projected(*place) for place in (home, vehicle.home))
            if (away := math.hypot(x - east, y - north)) > FARTHEST_HOMES:
                self._say_once(f'the home of --home is {away:.0f} m from that of the autopilot, to which its own modes '
                               'return')

    def _study_mission(self, now: float, pool: ThreadPoolExecutor | None) -> None:
        """Answer the mission, again when it or the item that the boat goes to has changed."""
        if self._study is not None:
            if self._study.done():
                self._finish_study(self._study)
            return
        mission, state = self.download.mission, self.account.state
        if mission is None:
            self.mission, self.mission_error, self.turn_back = None, '', None
        if mission is None or state is None or self.vehicle.mission_item < 0 or mission.is_local:
            return
        wanted = self.download.version, self.vehicle.mission_item
        if wanted == self._studied and now - self._studied_at < STUDY_PERIOD:
            return
        self._studied, self._studied_at = wanted, now
        if mission.is_endless:
            self._say_once('the mission goes round without end: the answer is for the rest of this round')
        account, plane = self.account, self.vehicle.plane
        assert plane is not None
        rest = what_is_left(mission, wanted[1], Place(*plane.degrees_of(*state.pose[:2])))
        arguments = (rest, self._boat, account.current_now, account.wind_now,
                     self.vehicle.ordered_speed(*MISSION_SPEEDS), account.elapsed, account.charge,
                     self._options.terms.reserve)
        if pool is not None:
            self._study = pool.submit(study_of_rest, *arguments)
            return
        self._study = Future()
        try:
            self._study.set_result(study_of_rest(*arguments))
        except InputError as error:
            self._study.set_exception(error)

    def _look_for_turn(self, now: float) -> None:
        """Look for the item of the mission from which the boat would not get home."""
        if self.mission is not None and now - self._turned_at >= TURN_PERIOD:
            self._turned_at = now
            leg = self.account.turning_leg(self.mission)
            self.turn_back = None if leg is None else self.mission.mission.items[leg]

    def _finish_study(self, study: 'Future[MissionStudy]') -> None:
        self._study = None
        if self.download.mission is None:
            return  # It was cleared meanwhile.
        try:
            self.mission, self.mission_error = study.result(), ''
            self._turned_at = -math.inf
        except (InputError, ArithmeticError, ValueError) as error:  # It must not end the watch over the way home.
            self.mission, self.mission_error, self.turn_back = None, str(error), None
            self._say_once(self.mission_error)

    def _mission_figures(self) -> dict[str, Any] | None:
        if self.mission is None:
            return {'error': self.mission_error} if self.mission_error else None
        found = mission_study_figures(self.mission)
        kept = ('verdict', 'length_m', 'time_s', 'energy_j', 'state_of_charge_at_end', 'reserve')
        return {'item': self._studied[1], 'turn_back_before_item': self.turn_back,
                'reason': verdict_reason(self.mission),
                **{name: found[name] for name in kept}}


class LiveSession:
    """All vehicles on a link; `boats` by who sends."""

    def __init__(self, link: Link, boat: Boat, options: LiveOptions, threads: bool = True) -> None:
        """
        Begin without a message.

        :param link: The Link.
        :param boat: The Boat of every vehicle.
        :param options: The LiveOptions.
        :param threads: Whether missions are studied beside the link, which needs time; else at once.
        """
        self._link, self._boat, self._options = link, boat, options
        self.boats: dict[Sender, BoatSession] = {}
        self.refused: dict[Sender, str] = {}
        self._beside: dict[tuple[Sender, Any], BesideRefused] = {}  # By sender and address,
        self._ways: set[tuple[Sender, Any]] = set()  # and those whose heartbeat was taken: nothing else counts.
        self._pool = ThreadPoolExecutor(1) if threads else None

    def step(self, longest: float) -> None:
        """Take the messages that are there, waiting for them for a time, s, at most; send what is due."""
        if not sum(self._take(one) for one in self._link.receive(longest)):
            self._tick(self._link.now)

    def states(self, period: float, is_over: Callable[[], bool]) -> Iterator[list[dict[str, Any]]]:
        """
        Yield the figures of the boats while the link is followed, the first at once, until no message can come.

        :param period: s of the clock on the wall between two of them.
        :param is_over: Asked before and after each look at the link, whether to end.
        """
        last = -math.inf
        while not (is_over() or self._link.ended):
            self.step(min(WAIT, period))
            if time.monotonic() - last >= period:
                last = time.monotonic()
                yield self.figures()

    def end(self) -> None:
        """Take what still waits, and stop."""
        for one in self.boats.values():
            one.end()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def figures(self) -> list[dict[str, Any]]:
        """Return the figures of each boat now."""
        link = {'packets_damaged': self._link.reader.damaged, 'bytes_of_no_packet': self._link.reader.noise}
        return [{**one.figures(self._link.now), **link} for one in self.boats.values()]

    def _take(self, heard: Heard) -> bool:
        """Take a message; return whether it is of a boat."""
        way, kind = (heard.sender, heard.source), _kind_of(heard)
        beside = self._beside.get(way)
        if beside is not None and not beside.is_boats(
                heard.message.get_seq(), heard.received, None if heard.kind != 'HEARTBEAT' else kind in (BOAT, ROVER)):
            return False
        if heard.kind == 'HEARTBEAT':
            if not self._is_wanted(heard) or (kind in (AIR, OTHER) and self._is_refused(heard, way)):
                return False
            self._ways.add(way)
        elif way not in self._ways:
            return False
        session = self.boats.get(heard.sender)
        if session is None:
            if heard.kind != 'HEARTBEAT':
                return False
            session = self.boats[heard.sender] = BoatSession(heard.sender, self._boat, self._options)
            session.opened = heard.received
        self._tick(heard.received)  # First: what is due before the message is done before it, however late it is read.
        self._send(session, session.take(heard))
        return True

    def _is_wanted(self, heard: Heard) -> bool:
        message, system = heard.message, self._options.system
        is_device = message.autopilot == NO_AUTOPILOT or message.type in DEVICES or (
            (message.autopilot, message.type) == (GENERIC, NO_TYPE) and not self._options.any_vehicle)
        return not is_device and heard.sender.system != EVERYBODY and system in (None, heard.sender.system)

    def _is_refused(self, heard: Heard, way: tuple[Sender, Any]) -> bool:
        """
        Leave a vehicle alone whose heartbeat says that it is no boat, with what its address sends; return whether.

        An account that began just before, from that address, may be of both, and is begun anew. One that has gone on
        for long is the boat's, whose messages are told by their clock.
        """
        session, kind = self.boats.get(heard.sender), vehicle_of_type(heard.message.type, heard.kind)
        if kind is None or self._options.any_vehicle:
            return False
        if session is not None and way in self._ways:
            if heard.received - session.opened > RIVAL_TIME:
                return False
            del self.boats[heard.sender]
        self.refused[heard.sender] = (f'system {heard.sender.system} is {kind.words} ({kind.evidence}) and no {BOAT}: '
                                      'left alone; --any-vehicle takes it')
        self._beside[way] = BesideRefused(heard.message.get_seq(), heard.received)
        return True

    def _tick(self, now: float) -> None:
        for one in self.boats.values():
            self._send(one, one.tick(now, self._pool))

    def _send(self, session: BoatSession, messages: Iterable[Any]) -> None:
        for message in messages:
            self._link.send(session.sender.system, message)

    @property
    def refused_command(self) -> bool:
        """Whether an autopilot refused the command home, or did not answer it."""
        failed = OrderState.REFUSED, OrderState.UNANSWERED, OrderState.DELAYED, OrderState.LOST
        return any(one.order is not None and one.order.state in failed for one in self.boats.values())


def _kind_of(heard: Heard) -> str | None:
    """Return the kind of the vehicle that a heartbeat says; None for one that says none, or another message."""
    kind = vehicle_of_type(heard.message.type, heard.kind) if heard.kind == 'HEARTBEAT' else None
    return None if kind is None else kind.kind


PERIOD = 0.5            # s between two looks at the boats
NETWORKED = re.compile(r'(udpin|udp|udpout|tcp|tcpin):(\[[^]]*\]|[^:]*):\d+', re.ASCII)


def loopback_connection(text: str) -> str:
    """
    Return a connection of this machine alone, as somebody typed it in a page: a port, or udpin:127.0.0.1:PORT.

    :raises InputError: If it leads elsewhere: to another host, a device, a file.
    """
    text = text.strip()
    if text.isascii() and text.isdecimal() and 0 < int(text) < 1 << 16:
        return text
    found = NETWORKED.fullmatch(text)
    if found is None or not _is_loopback(found[2].strip('[]')):
        raise InputError(f'connection is {text!r}; must be a port of this machine, as 14551, or its address, as '
                         f'udpin:127.0.0.1:14551 or tcp:127.0.0.1:5777 (usv-energy live takes {ALLOWED})')
    return text


def _is_loopback(host: str) -> bool:
    try:
        return host == 'localhost' or ip_address(host).is_loopback
    except ValueError:
        return False


class LiveWatch(BoatFollower):
    """Follows the boats of a link until it is left; `state` may be asked from any thread."""

    def __init__(self, link: Link, boat: Boat, options: LiveOptions) -> None:
        """
        Begin without a message.

        :param link: The Link, which is closed at the end.
        :param boat: The Boat of every vehicle.
        :param options: The LiveOptions.
        """
        super().__init__('live')
        self._link, self._session = link, LiveSession(link, boat, options)
        self._tracks: dict[Sender, list[tuple[float, float]]] = {}

    def _follow(self) -> None:
        try:
            for figures in self._session.states(PERIOD, self._over.is_set):
                self._look(figures)
        except (InputError, OSError) as error:
            self._error = str(error)
        finally:
            self._session.end()
            self._look(self._session.figures())
            self._link.close()
            self._ended = True

    def _look(self, figures: list[dict[str, Any]]) -> None:
        """Keep what the boats are now."""
        boats = [self._boat_state(*one) for one in zip(self._session.boats.values(), figures)]
        with self._lock:
            self._boats, self._refused = boats, list(self._session.refused.values())

    def _boat_state(self, one: BoatSession, figures: dict[str, Any]) -> dict[str, Any]:
        found = one.account.map_figures()
        track = self._tracks.setdefault(one.sender, [])
        extend_track(track, found['place_deg'])
        return {**figures, 'map': found, 'track_deg': list(track), 'said': list(one.said),
                'alarms': alarm_rows(figures)}
