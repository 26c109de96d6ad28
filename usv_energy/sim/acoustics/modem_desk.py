"""
One vehicle's acoustic modem over time, free of ROS: what is to be sent, what is on its way, what has arrived.

Who sends says so twice: when the first of a message leaves, and when the last has left. Where the second word does not
come, the sender died in the middle, and what it sent is not understood.
"""

import math
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ...physics.acoustics.link import AcousticSea, Modem, sending_duration
from .hearing import CUT_OFF, RECEIVED, Hearing, Place, Reception, Transmission

PATIENCE = 2.0  # s after a message's end until its sender's second word is missed.
LONGEST_QUEUE = 100  # Messages that wait; a modem of 20 bit/s takes half an hour for them.


class SendReceipt(NamedTuple):
    """What an order to send gets: the message's number, how long it is sent, s, and what that takes, J."""

    number: int
    duration: float
    energy: float


class DeskNews(NamedTuple):
    """What has happened since the last step: what began to be sent, what has been sent, what ended here."""

    begun: list[Transmission]
    sent: list[Transmission]
    heard: list[Reception]


class ModemDesk:
    """Keeps the order of one modem's messages; its time goes forward by `step`."""

    def __init__(self, name: str, modem: Modem, sea: AcousticSea) -> None:
        """Begin without a message; `name` is that of the vehicle."""
        self._name, self._modem = name, modem
        self._ears = Hearing(modem, sea)
        self._waiting: deque[tuple[int, bytes, float]] = deque()
        self._sending: Transmission | None = None
        self._open: dict[tuple[str, int], bool] = {}
        self._held: list[Reception] = []
        self._number = 0

    @property
    def sending(self) -> Transmission | None:
        """What it is sending now; None: nothing."""
        return self._sending

    def order(self, data: bytes, time: float) -> SendReceipt | None:
        """Take a message to be sent from a time, s, on, after those that wait; None: too many wait."""
        if len(self._waiting) >= LONGEST_QUEUE:
            return None
        self._number += 1
        self._waiting.append((self._number, data, time + self._modem.latency))
        duration = sending_duration(self._modem, len(data))
        return SendReceipt(self._number, duration, self._modem.power * duration)

    def tell(self, transmission: Transmission) -> None:
        """Hear of what another one begins to send."""
        self._open[transmission.sender, transmission.number] = False
        self._ears.sent(transmission)

    def tell_end(self, sender: str, number: int, cut_off: float = math.inf) -> None:
        """Hear that another one has sent a message to its end, or went off at a time, s."""
        self._open[sender, number] = True
        if cut_off < math.inf:
            self._ears.cut(sender, cut_off)

    def step(self, time: float, place: Place, heading: float,
             blocked: Callable[[Place, Place], bool] | None = None) -> DeskNews:
        """Go on to a time, s, at which the antenna is at a place, m (ENU), its axis at a heading, rad."""
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
            self._ears.sends(begin, self._sending.duration)
            begun.append(self._sending)
        self._held += self._ears.at(time, place, heading, blocked)
        return DeskNews(begun, sent, self._ripe(time))

    def _ripe(self, time: float) -> list[Reception]:
        """Return what is known for good: lost messages at once, others when their senders lived to the end."""
        ripe, held = [], []
        for one in self._held:
            key = one.transmission.sender, one.transmission.number
            if one.outcome != RECEIVED or self._open.get(key):
                ripe.append(one)
                self._open.pop(key, None)
            elif time > one.end + PATIENCE:
                ripe.append(one._replace(outcome=CUT_OFF))
                self._open.pop(key, None)
            else:
                held.append(one)
        self._held = held
        return ripe
