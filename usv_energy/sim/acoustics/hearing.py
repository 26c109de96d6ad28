"""
The reception of acoustic messages by one modem: each message is received, or lost for a reason.

One vehicle's acoustic modem: its file, and its messages over time: waiting, being sent, and arriving.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.acoustics import (
    AcousticSea,
    Modem,
    gain,
    noise_in_band,
    overlap,
    received_level,
    sending_duration,
    sound_speed,
)
from usv_energy.sim.obstacle import Footprint, Obstacle, clearances

RECEIVED, OUT_OF_RANGE, INTERFERENCE, BLOCKED, CUT_OFF, SENDING = range(6)  # As in AcousticMessage.msg.
OUTCOMES = ('received', 'out of range', 'interference', 'blocked', 'cut off', 'sending itself')
Place = tuple[float, float, float]


class Transmission(NamedTuple):
    """
    A message that a modem sends.

    `begin`, s. `duration`, s. `place`: of the antenna at the beginning, m (ENU, z up, so it is negative). `heading`: of
    the antenna's axis, rad. `cut_off`: time at which the modem was switched off, s, inf if it was not.
    """

    sender: str
    number: int
    data: bytes
    begin: float
    duration: float
    place: Place
    heading: float
    modem: Modem
    cut_off: float = math.inf


class Reception(NamedTuple):
    """
    The result of a message at a receiver: the outcome, and the arrival times of its beginning and end, s.

    `distance`: from where it was sent to where it was received, m. `level`: there, `noise`: in the band, dB re 1 uPa.
    """

    transmission: Transmission
    outcome: int
    arrival: float
    end: float
    distance: float
    level: float
    noise: float


class _Arrival(NamedTuple):
    transmission: Transmission
    arrival: float
    distance: float
    level: float
    audible: bool
    blocked: bool


class Hearing:
    """The receiver of one modem; calls must be in the order of time."""

    def __init__(self, modem: Modem, sea: AcousticSea) -> None:
        """
        Begin without messages.

        :param modem: The receiving modem: its threshold, band and directivity.
        :param sea: The AcousticSea.
        """
        self._modem, self._sea = modem, sea
        self._speed = float(sound_speed(sea.water))
        self._travelling: list[Transmission] = []
        self._arriving: list[_Arrival] = []
        self._past: list[_Arrival] = []
        self._own: list[tuple[float, float]] = []
        self._last: tuple[float, Place] | None = None

    def sent(self, transmission: Transmission) -> None:
        """Add a message that another modem begins to send."""
        if overlap(transmission.modem, self._modem):
            self._travelling.append(transmission)

    def sends(self, begin: float, duration: float) -> None:
        """Add a time, s, and duration, s, in which this modem sends and cannot receive."""
        self._own.append((begin, begin + duration))

    def cut(self, sender: str, time: float) -> None:
        """Cut off what a sender is sending at a time, s, because it was switched off."""
        self._travelling = [_cut(one, sender, time) for one in self._travelling]
        self._arriving = [one._replace(transmission=_cut(one.transmission, sender, time)) for one in self._arriving]

    def at(self, time: float, place: Place, heading: float = 0.0,
           blocked: Callable[[Place, Place], bool] | None = None) -> list[Reception]:
        """
        Return the messages that have ended since the last call, in the order of their ends.

        :param time: s, after that of the last call.
        :param place: Position of the antenna now, m (ENU); between calls it moves along a straight line.
        :param heading: Of its axis, rad.
        :param blocked: Function of two positions that returns whether something solid lies between them; None if
            nothing does.
        """
        begin, start = self._last or (time, place)
        self._last = time, place
        still = []
        for one in self._travelling:
            met = _first_contact(one, self._speed, (begin, start), (time, place))
            if met is None:
                still.append(one)
            else:
                self._arriving.append(self._arrival_of(one, *met, heading, blocked))
        self._travelling = still
        ended = sorted((one for one in self._arriving if _end(one) <= time), key=_end)
        results = [self._result(one) for one in ended]
        self._arriving = [one for one in self._arriving if _end(one) > time]
        self._past = [one for one in [*self._past, *ended]
                      if any(_end(one) > other.arrival for other in self._arriving)]
        return results

    def _arrival_of(self, one: Transmission, arrival: float, place: Place, heading: float,
             blocked: Callable[[Place, Place], bool] | None) -> _Arrival:
        distance = math.dist(one.place, place)
        level = float(received_level(one.modem, distance, self._sea, off_axis(one.place, one.heading, place)))
        own_gain = float(gain(self._modem, off_axis(place, heading, one.place)))
        heard = level + own_gain - float(noise_in_band(self._modem, self._sea))
        return _Arrival(one, arrival, distance, level, heard > self._modem.threshold,
                         blocked is not None and blocked(one.place, place))

    def _result(self, one: _Arrival) -> Reception:
        end = _end(one)
        others = [other for other in [*self._past, *self._arriving] if other is not one]
        if one.blocked:
            outcome = BLOCKED
        elif not one.audible:
            outcome = OUT_OF_RANGE
        elif one.transmission.cut_off < one.transmission.begin + one.transmission.duration:
            outcome = CUT_OFF
        elif any(begin < end and one.arrival < finish for begin, finish in self._own):
            outcome = SENDING
        elif any(other.audible and not other.blocked and other.arrival < end and one.arrival < _end(other)
                 for other in others):
            outcome = INTERFERENCE
        else:
            outcome = RECEIVED
        return Reception(one.transmission, outcome, one.arrival, end, one.distance, one.level,
                         float(noise_in_band(self._modem, self._sea)))


def off_axis(place: Place, heading: float, other: Place) -> float:
    """
    Return the angle, rad, 0 to pi, between an antenna's horizontal axis and the direction of another position.

    :param place: Of the antenna, m.
    :param heading: Of its axis, rad (ENU).
    :param other: m; if it is the same position, the angle is 0.
    """
    x, y, z = (b - a for a, b in zip(place, other))
    ahead, port = x * math.cos(heading) + y * math.sin(heading), y * math.cos(heading) - x * math.sin(heading)
    return math.atan2(math.hypot(port, z), ahead)


def _cut(one: Transmission, sender: str, time: float) -> Transmission:
    running = one.sender == sender and one.begin <= time < one.begin + one.duration
    return one._replace(cut_off=min(one.cut_off, time)) if running else one


def _end(one: _Arrival) -> float:
    """Return the arrival time of the end of a message: the beginning plus the duration of sending."""
    sent = min(one.transmission.duration, one.transmission.cut_off - one.transmission.begin)
    return one.arrival + sent


def _first_contact(one: Transmission, speed: float, before: tuple[float, Place], now: tuple[float, Place],
             ) -> tuple[float, Place] | None:
    """Return time and position at which a sound first reaches a receiver on a straight line; None if not yet."""
    (begin, start), (end, stop) = before, now
    if math.dist(one.place, stop) > speed * (end - one.begin):
        return None

    def at(share: float) -> Place:
        x, y, z = (a + share * (b - a) for a, b in zip(start, stop))
        return x, y, z

    # The distance minus the path of the sound decreases monotonically, because no vehicle is as fast as sound.
    if math.dist(one.place, start) <= speed * (begin - one.begin):  # It arrived before this step.
        return one.begin + math.dist(one.place, start) / speed, start
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        met = math.dist(one.place, at(middle)) <= speed * (begin + middle * (end - begin) - one.begin)
        low, high = (low, middle) if met else (middle, high)
    return begin + high * (end - begin), at(high)


def is_blocked(obstacles: Sequence[Obstacle], a: Place, b: Place) -> bool:
    """Return whether the straight line between two positions, m (ENU), meets an obstacle."""
    middle = np.array([[0.5 * (a[axis] + b[axis])] for axis in (0, 1)])
    way = Footprint(math.hypot(b[0] - a[0], b[1] - a[1]), 0.0)  # A hull without width.
    yaw = np.array([math.atan2(b[1] - a[1], b[0] - a[0])])
    return any(float(clearances(obstacle, middle[0], middle[1], yaw, way)[0]) == 0.0 for obstacle in obstacles)


HALF_TURN = 180.0  # deg


class ModemFile(NamedTuple):
    """The name and the description of a modem, its file, and its numbers."""

    name: str
    description: str
    path: Path
    modem: Modem


def read_modem(name: str, beside: Path | None = None) -> ModemFile:
    """
    Return a modem by its name in config/modems or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('modems', name, beside)
    document = read_yaml(path)
    checked.check(document, 'modem', path)
    given = document['modem']
    rows = given.pop('directivity', {}).get('rows', [])
    numbers = {key: float(value) for key, value in checked.values_of(given).items()}
    if numbers['bandwidth'] >= 2.0 * numbers['frequency']:
        raise InputError(f'{path}: modem.bandwidth is {numbers["bandwidth"]:g} Hz; must be below twice the frequency, '
                         f'{numbers["frequency"]:g} Hz, in its middle')
    _check_directivity(rows, path)
    modem = Modem(**numbers, angles=tuple(math.radians(angle) for angle, _ in rows),
                  gains=tuple(float(gain) for _, gain in rows))
    return ModemFile(document['name'], document.get('description', ''), path, modem)


def _check_directivity(rows: Sequence[Sequence[float]], path: Path) -> None:
    """Check that a directivity has angles from 0 to 180 degrees, ascending, and no gain above that on the axis."""
    angles = [angle for angle, _ in rows]
    if rows and (angles[0] != 0.0 or angles[-1] != HALF_TURN or any(a >= b for a, b in pairwise(angles))):
        raise InputError(f'{path}: modem.directivity.rows have the angles {angles}; must rise from 0 to 180 deg')
    for angle, level in rows:
        if level > 0.0:
            raise InputError(f'{path}: modem.directivity.rows give {level:g} dB at {angle:g} deg; must be at most 0: '
                             'level is that of the loudest direction')


PATIENCE = 2.0  # s after a message's end: then the report that its sender has finished counts as missing.
LONGEST_QUEUE = 100  # Most messages that wait; a modem of 20 bit/s takes half an hour for them.


class SendReceipt(NamedTuple):
    """The answer to an order to send: number of the message, duration of sending, s, and its energy, J."""

    number: int
    duration: float
    energy: float


class ModemEvents(NamedTuple):
    """The events since the last step: messages that this modem began to send, has sent, and whose reception ended."""

    begun: list[Transmission]
    sent: list[Transmission]
    heard: list[Reception]


class ModemQueue:
    """The messages of one modem: waiting, being sent, and arriving; `step` advances the time."""

    def __init__(self, name: str, modem: Modem, sea: AcousticSea) -> None:
        """Begin without messages; `name` is that of the vehicle."""
        self._name, self._modem = name, modem
        self._receiver = Hearing(modem, sea)
        self._waiting: deque[tuple[int, bytes, float]] = deque()
        self._sending: Transmission | None = None
        self._open: dict[tuple[str, int], bool] = {}
        self._pending: list[Reception] = []
        self._number = 0

    @property
    def sending(self) -> Transmission | None:
        """The message that is being sent; None if there is none."""
        return self._sending

    def order(self, data: bytes, time: float) -> SendReceipt | None:
        """Add a message to be sent after a time, s, and after those that wait; return None if too many wait."""
        if len(self._waiting) >= LONGEST_QUEUE:
            return None
        self._number += 1
        self._waiting.append((self._number, data, time + self._modem.latency))
        duration = sending_duration(self._modem, len(data))
        return SendReceipt(self._number, duration, self._modem.power * duration)

    def tell(self, transmission: Transmission) -> None:
        """Add a message that another modem begins to send."""
        self._open[transmission.sender, transmission.number] = False
        self._receiver.sent(transmission)

    def tell_end(self, sender: str, number: int, cut_off: float = math.inf) -> None:
        """Report that another modem has finished a message, or was switched off at a time, s."""
        self._open[sender, number] = True
        if cut_off < math.inf:
            self._receiver.cut(sender, cut_off)

    def step(self, time: float, place: Place, heading: float,
             blocked: Callable[[Place, Place], bool] | None = None) -> ModemEvents:
        """Advance to a time, s, at which the antenna is at a position, m (ENU), with its axis at a heading, rad."""
        begun, sent = [], []
        while True:
            if self._sending is not None:
                if self._sending.begin + self._sending.duration > time:
                    break
                sent.append(self._sending)
                self._sending = None
            if not self._waiting or self._waiting[0][2] > time:
                break
            number, data, ready = self._waiting.popleft()
            begin = max(ready, sent[-1].begin + sent[-1].duration) if sent else ready
            self._sending = Transmission(self._name, number, data, begin, sending_duration(self._modem, len(data)),
                                         place, heading, self._modem)
            self._receiver.sends(begin, self._sending.duration)
            begun.append(self._sending)
        self._pending += self._receiver.at(time, place, heading, blocked)
        return ModemEvents(begun, sent, self._final_results(time))

    def _final_results(self, time: float) -> list[Reception]:
        """Return final results: lost messages at once, others after their senders have reported the end."""
        final, pending = [], []
        for one in self._pending:
            key = one.transmission.sender, one.transmission.number
            if one.outcome != RECEIVED or self._open.get(key):
                final.append(one)
                self._open.pop(key, None)
            elif time > one.end + PATIENCE:
                final.append(one._replace(outcome=CUT_OFF))
                self._open.pop(key, None)
            else:
                pending.append(one)
        self._pending = pending
        return final
