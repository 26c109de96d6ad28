"""One vehicle's acoustic modem: its file, and its messages over time: waiting, being sent, and arriving."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.acoustics import AcousticSea, Modem, sending_duration
from usv_energy.sim.acoustics.hearing import CUT_OFF, RECEIVED, Hearing, Place, Reception, Transmission

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
    for angle, gain in rows:
        if gain > 0.0:
            raise InputError(f'{path}: modem.directivity.rows give {gain:g} dB at {angle:g} deg; must be at most 0: '
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
