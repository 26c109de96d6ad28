"""Where the pad on a boat is: from the boat's motion, and by time between two of its samples."""

import math

from .flight import Deck

Planar = tuple[float, float, float]


def pad_of(pose: Planar, velocity: Planar, pad: Planar, height: float = 0.0, rise: float = 0.0) -> Deck:
    """
    Return the pad of a boat.

    :param pose: Of the boat, m, m, rad (ENU); `velocity` over ground, body axes, m/s, m/s, rad/s.
    :param pad: Its middle ahead and to port of the boat's point, and above it, m.
    :param height: Of the boat's point, m; `rise`: its velocity up, m/s.
    """
    (x, y, yaw), (u, v, r), (ahead, port, high) = pose, velocity, pad
    c, s = math.cos(yaw), math.sin(yaw)
    u, v = u - r * port, v + r * ahead
    return Deck((x + c * ahead - s * port, y + s * ahead + c * port, height + high),
                (c * u - s * v, s * u + c * v, rise), yaw)


def between(before: Deck, after: Deck, share: float) -> Deck:
    """Return the pad between two of its samples, `share` of the way; beyond the second it goes on straight."""
    x, y, z = (a + share * (b - a) for a, b in zip(before.place, after.place))
    vx, vy, vz = (a + min(share, 1.0) * (b - a) for a, b in zip(before.velocity, after.velocity))
    turned = math.remainder(after.heading - before.heading, math.tau)
    return Deck((x, y, z), (vx, vy, vz), before.heading + share * turned)


class DeckTrack:
    """The pad by time, between the last two samples of a boat that is heard live."""

    def __init__(self, time: float, deck: Deck) -> None:
        """Begin with one sample, at a time, s."""
        self._before = self._after = (time, deck)

    def add(self, time: float, deck: Deck) -> None:
        """Take the next sample; one of the same time takes the place of the last."""
        if time > self._after[0]:
            self._before = self._after
        self._after = time, deck

    def at(self, time: float) -> Deck:
        """Return the pad at a time, s."""
        (begin, before), (end, after) = self._before, self._after
        return after if end <= begin else between(before, after, (time - begin) / (end - begin))
