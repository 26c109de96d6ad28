"""The place and motion of the landing pad on a boat: from the boat's motion, and interpolated in time."""

import math

import numpy as np

from usv_energy.air.flight import Deck
from usv_energy.air.quadcopter import Vector
from usv_energy.boats.parted_hull_file import turn_of
from usv_energy.flow.sea import Sea
from usv_energy.physics.parted_hull import PartedHull, vector_to_earth
from usv_energy.sim.plants.plant import HullAttitude, Plant, hull_attitude

Planar = tuple[float, float, float]
HALF_STEP = 0.02  # s, of the central difference for the vertical velocity of the water's surface.
STEPS = np.array([-HALF_STEP, 0.0, HALF_STEP])


def pad_of(pose: Planar, velocity: Planar, pad: Planar, height: float = 0.0, rise: float = 0.0) -> Deck:
    """
    Return the pad of a boat that moves in the plane.

    :param pose: Pose of the boat, m, m, rad (ENU).
    :param velocity: Velocity over ground, body axes, m/s, m/s, rad/s.
    :param pad: Place of the pad's middle ahead and to port of the boat's reference point, and above it, m.
    :param height: Height of the reference point, m.
    :param rise: Velocity of the reference point upwards, m/s.
    """
    (x, y, yaw), (u, v, r), (ahead, port, high) = pose, velocity, pad
    c, s = math.cos(yaw), math.sin(yaw)
    u, v = u - r * port, v + r * ahead
    return Deck((x + c * ahead - s * port, y + s * ahead + c * port, height + high),
                (c * u - s * v, s * u + c * v, rise), yaw)


def interpolated_deck(before: Deck, after: Deck, share: float) -> Deck:
    """Return the pad between two samples, at a share of their time; a share above 1 extrapolates the place."""
    turned = math.remainder(after.heading - before.heading, math.tau)
    return Deck(_interpolated(before.place, after.place, share),
                _interpolated(before.velocity, after.velocity, min(share, 1.0)),
                before.heading + share * turned, _interpolated(before.up, after.up, share))


def _interpolated(before: Vector, after: Vector, share: float) -> Vector:
    return (before[0] + share * (after[0] - before[0]), before[1] + share * (after[1] - before[1]),
            before[2] + share * (after[2] - before[2]))


def deck_of_plant(plant: Plant, pad: Planar, bare: PartedHull | None = None, sea: Sea | None = None) -> Deck:
    """
    Return the present pad of a simulated boat.

    The pad on a hull of parts heaves, rolls and pitches with it. The pad on a boat in the plane moves up and down with
    the surface of the water.

    :param plant: The simulated boat.
    :param pad: Place of the pad's middle ahead and to port of the boat's reference point, and above water at rest, m.
    :param bare: The hull of parts without load on the deck; the height of `pad` is for this hull.
    :param sea: Waves under a boat in the plane; None: flat water.
    """
    attitude, hull = hull_attitude(plant), plant.vessel.parts
    if attitude is not None and bare is not None:
        # A load on the deck moves the reference point within the hull.
        risen = bare.columns[0].bottom - hull.columns[0].bottom
        return tilted_pad(attitude._replace(z=attitude.z + hull.rest_height),
                          (*pad[:2], pad[2] - bare.rest_height - risen))
    state, velocity = plant.state, plant.velocity_over_ground()
    deck = pad_of((state.x, state.y, state.yaw), velocity, pad)
    if sea is None:
        return deck
    x, y, z = deck.place
    before, now, after = sea.elevation(plant.time + STEPS, x + STEPS * deck.velocity[0],
                                       y + STEPS * deck.velocity[1]).tolist()
    return deck._replace(place=(x, y, z + now), velocity=(*deck.velocity[:2], (after - before) / (2.0 * HALF_STEP)))


def tilted_pad(at: HullAttitude, arm: Planar) -> Deck:
    """Return the pad of a hull with an attitude; `arm`: from the hull's reference point to the pad, body axes, m."""
    turn = turn_of(at.roll, at.pitch, at.yaw)
    ahead, port, up = arm
    velocity = (at.u + at.q * up - at.r * port, at.v + at.r * ahead - at.p * up, at.w + at.p * port - at.q * ahead)
    x, y, z = vector_to_earth(*arm, turn)
    return Deck((at.x + x, at.y + y, at.z + z), vector_to_earth(*velocity, turn), at.yaw,
                vector_to_earth(0.0, 0.0, 1.0, turn))


class DeckTrack:
    """The pad as a function of time, interpolated between the last two samples."""

    def __init__(self, time: float, deck: Deck) -> None:
        """Begin with one sample, at a time, s."""
        self._before = self._after = (time, deck)
        self._last = (math.nan, deck)  # The last result, since a step begins at the time at which the last one ended.

    def add(self, time: float, deck: Deck) -> None:
        """Add the next sample; one with the same time replaces the last."""
        if time > self._after[0]:
            self._before = self._after
        self._after, self._last = (time, deck), (math.nan, deck)

    def at(self, time: float) -> Deck:
        """Return the pad at a time, s."""
        if time != self._last[0]:
            (begin, before), (end, after) = self._before, self._after
            deck = after if end <= begin else interpolated_deck(before, after, (time - begin) / (end - begin))
            self._last = time, deck
        return self._last[1]
