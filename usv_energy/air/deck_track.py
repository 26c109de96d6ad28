"""Where the pad on a boat is: from the boat's motion, and by time between two of its samples."""

import math

import numpy as np

from usv_energy.air.flight import Deck
from usv_energy.air.quadcopter import Vector
from usv_energy.boats.parted_hull_file import turn_of
from usv_energy.flow.seas.sea import Sea
from usv_energy.physics.parted_hull import PartedHull, vector_to_earth
from usv_energy.sim.plants.hull_attitude import HullAttitude, hull_attitude
from usv_energy.sim.plants.plant import Plant

Planar = tuple[float, float, float]
SHORTLY = 0.02  # s, over which the rise of the water's surface is taken.
AROUND = np.array([-SHORTLY, 0.0, SHORTLY])


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
    turned = math.remainder(after.heading - before.heading, math.tau)
    return Deck(_between(before.place, after.place, share), _between(before.velocity, after.velocity, min(share, 1.0)),
                before.heading + share * turned, _between(before.up, after.up, share))


def _between(before: Vector, after: Vector, share: float) -> Vector:
    return (before[0] + share * (after[0] - before[0]), before[1] + share * (after[1] - before[1]),
            before[2] + share * (after[2] - before[2]))


def deck_of_plant(plant: Plant, pad: Planar, bare: PartedHull | None = None, sea: Sea | None = None) -> Deck:
    """
    Return the pad of a boat that is simulated, now.

    That of a hull of parts heaves, rolls and pitches with it. That of a boat in the plane goes up and down with the
    surface of the water.

    :param plant: The boat that moves.
    :param pad: Of its middle ahead and to port of the boat's point, and above the water in which the boat lies, m.
    :param bare: The hull of parts without what is on the deck, as which `pad` has its height.
    :param sea: Under a boat in the plane; None: flat water.
    """
    attitude, hull = hull_attitude(plant), plant.vessel.parts
    if attitude is not None and bare is not None:
        risen = bare.columns[0].bottom - hull.columns[0].bottom  # The hull's point, by what is on the deck.
        return tilted_pad(attitude._replace(z=attitude.z + hull.rest_height),
                       (*pad[:2], pad[2] - bare.rest_height - risen))
    state, velocity = plant.state, plant.velocity_over_ground()
    deck = pad_of((state.x, state.y, state.yaw), velocity, pad)
    if sea is None:
        return deck
    x, y, z = deck.place
    before, now, after = sea.elevation(plant.time + AROUND, x + AROUND * deck.velocity[0],
                                       y + AROUND * deck.velocity[1]).tolist()
    return deck._replace(place=(x, y, z + now), velocity=(*deck.velocity[:2], (after - before) / (2.0 * SHORTLY)))


def tilted_pad(at: HullAttitude, arm: Planar) -> Deck:
    """Return the pad of a hull whose point is `z`, m, over the water; `arm`: from that point, along its axes, m."""
    turn = turn_of(at.roll, at.pitch, at.yaw)
    ahead, port, up = arm
    velocity = (at.u + at.q * up - at.r * port, at.v + at.r * ahead - at.p * up, at.w + at.p * port - at.q * ahead)
    x, y, z = vector_to_earth(*arm, turn)
    return Deck((at.x + x, at.y + y, at.z + z), vector_to_earth(*velocity, turn), at.yaw,
                vector_to_earth(0.0, 0.0, 1.0, turn))


class DeckTrack:
    """The pad by time, between the last two samples of a boat that is heard live."""

    def __init__(self, time: float, deck: Deck) -> None:
        """Begin with one sample, at a time, s."""
        self._before = self._after = (time, deck)
        self._last = (math.nan, deck)  # Asked for: a step ends when the next one begins.

    def add(self, time: float, deck: Deck) -> None:
        """Take the next sample; one of the same time takes the place of the last."""
        if time > self._after[0]:
            self._before = self._after
        self._after, self._last = (time, deck), (math.nan, deck)

    def at(self, time: float) -> Deck:
        """Return the pad at a time, s."""
        if time != self._last[0]:
            (begin, before), (end, after) = self._before, self._after
            deck = after if end <= begin else between(before, after, (time - begin) / (end - begin))
            self._last = time, deck
        return self._last[1]
