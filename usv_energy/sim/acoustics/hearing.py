"""What one vehicle's modem makes of all that is sent: each message is received, or lost for a reason."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.physics.acoustics import AcousticSea, Modem, gain, noise_in_band, overlap, received_level, sound_speed
from usv_energy.sim.obstacle import Footprint, Obstacle, clearances

RECEIVED, OUT_OF_RANGE, INTERFERENCE, BLOCKED, CUT_OFF, SENDING = range(6)  # As in AcousticMessage.msg.
OUTCOMES = ('received', 'out of range', 'interference', 'blocked', 'cut off', 'sending itself')
Place = tuple[float, float, float]


class Transmission(NamedTuple):
    """
    Sound that a modem sends.

    `begin`, s; `duration`, s; `place` of the antenna when it begins, m (ENU, z up: negative); `heading` of its axis,
    rad; `cut_off`: the time, s, at which the modem went off, inf if it did not.
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
    What became of a message at a receiver: the outcome, above; when the first and the last of it arrived, s.

    `distance` from where it was sent to where it was met, m; `level` there and `noise` in the band, dB re 1 uPa.
    """

    transmission: Transmission
    outcome: int
    arrival: float
    end: float
    distance: float
    level: float
    noise: float


class _Arriving(NamedTuple):
    transmission: Transmission
    arrival: float
    distance: float
    level: float
    audible: bool
    blocked: bool


class Hearing:
    """The ears of one modem; told what is sent and where it is, in the order of time."""

    def __init__(self, modem: Modem, sea: AcousticSea) -> None:
        """Hear nothing yet; `modem`: its own, whose threshold, band and directivity count."""
        self._modem, self._sea = modem, sea
        self._speed = float(sound_speed(sea.water))
        self._travelling: list[Transmission] = []
        self._arriving: list[_Arriving] = []
        self._past: list[_Arriving] = []
        self._own: list[tuple[float, float]] = []
        self._last: tuple[float, Place] | None = None

    def sent(self, transmission: Transmission) -> None:
        """Take note of what another modem has begun to send."""
        if overlap(transmission.modem, self._modem):
            self._travelling.append(transmission)

    def sends(self, begin: float, duration: float) -> None:
        """Take note that the own modem sends from a time, s, for a duration, s: it hears nothing else meanwhile."""
        self._own.append((begin, begin + duration))

    def cut(self, sender: str, time: float) -> None:
        """Take note that a sender went off at a time, s: what it is sending then stops there."""
        self._travelling = [_cut(one, sender, time) for one in self._travelling]
        self._arriving = [one._replace(transmission=_cut(one.transmission, sender, time)) for one in self._arriving]

    def at(self, time: float, place: Place, heading: float = 0.0,
           blocked: Callable[[Place, Place], bool] | None = None) -> list[Reception]:
        """
        Return what has ended since the last call, in the order of its ends.

        :param time: s, after that of the last call.
        :param place: Where the antenna is now, m (ENU); between the calls it moves straight.
        :param heading: Of its axis, rad.
        :param blocked: A function of two places that says whether something solid lies between; None: nothing does.
        """
        begin, start = self._last or (time, place)
        self._last = time, place
        still = []
        for one in self._travelling:
            met = _meeting(one, self._speed, (begin, start), (time, place))
            if met is None:
                still.append(one)
            else:
                self._arriving.append(self._met(one, *met, heading, blocked))
        self._travelling = still
        ended = sorted((one for one in self._arriving if _end(one) <= time), key=_end)
        results = [self._result(one) for one in ended]
        self._arriving = [one for one in self._arriving if _end(one) > time]
        self._past = [one for one in [*self._past, *ended]
                      if any(_end(one) > other.arrival for other in self._arriving)]
        return results

    def _met(self, one: Transmission, arrival: float, place: Place, heading: float,
             blocked: Callable[[Place, Place], bool] | None) -> _Arriving:
        distance = math.dist(one.place, place)
        level = float(received_level(one.modem, distance, self._sea, off_axis(one.place, one.heading, place)))
        own_gain = float(gain(self._modem, off_axis(place, heading, one.place)))
        heard = level + own_gain - float(noise_in_band(self._modem, self._sea))
        return _Arriving(one, arrival, distance, level, heard > self._modem.threshold,
                         blocked is not None and blocked(one.place, place))

    def _result(self, one: _Arriving) -> Reception:
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
    Return the angle, rad, 0 to pi, between an antenna's level axis and the direction of another place.

    :param place: Of the antenna, m; `heading` of its axis, rad (ENU).
    :param other: m; where it is the same place, 0.
    """
    x, y, z = (b - a for a, b in zip(place, other))
    ahead, port = x * math.cos(heading) + y * math.sin(heading), y * math.cos(heading) - x * math.sin(heading)
    return math.atan2(math.hypot(port, z), ahead)


def _cut(one: Transmission, sender: str, time: float) -> Transmission:
    running = one.sender == sender and one.begin <= time < one.begin + one.duration
    return one._replace(cut_off=min(one.cut_off, time)) if running else one


def _end(one: _Arriving) -> float:
    """When the last of a message is there: as long after the first as the modem sent."""
    sent = min(one.transmission.duration, one.transmission.cut_off - one.transmission.begin)
    return one.arrival + sent


def _meeting(one: Transmission, speed: float, before: tuple[float, Place], now: tuple[float, Place],
             ) -> tuple[float, Place] | None:
    """Return when and where the first of a sound meets a receiver that goes straight; None if not until now."""
    (begin, start), (end, stop) = before, now
    if math.dist(one.place, stop) > speed * (end - one.begin):
        return None

    def at(share: float) -> Place:
        x, y, z = (a + share * (b - a) for a, b in zip(start, stop))
        return x, y, z

    # The distance less the way of the sound falls all the time: no vehicle is as fast as sound.
    if math.dist(one.place, start) <= speed * (begin - one.begin):  # It was there before: told late.
        return one.begin + math.dist(one.place, start) / speed, start
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        met = math.dist(one.place, at(middle)) <= speed * (begin + middle * (end - begin) - one.begin)
        low, high = (low, middle) if met else (middle, high)
    return begin + high * (end - begin), at(high)


def is_blocked(obstacles: Sequence[Obstacle], a: Place, b: Place) -> bool:
    """Return whether the straight way from one place to another, m (ENU), meets one of some obstacles."""
    middle = np.array([[0.5 * (a[axis] + b[axis])] for axis in (0, 1)])
    way = Footprint(math.hypot(b[0] - a[0], b[1] - a[1]), 0.0)  # A hull of no width.
    yaw = np.array([math.atan2(b[1] - a[1], b[0] - a[0])])
    return any(float(clearances(obstacle, middle[0], middle[1], yaw, way)[0]) == 0.0 for obstacle in obstacles)
