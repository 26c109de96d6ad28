"""Boats of many arrangements of thrusters, and demands that they can and cannot give."""

import math

import numpy as np

from usv_energy.allocation.allocate import NO_START, allocate, force_of
from usv_energy.allocation.problem import Actuator, convex_part
from usv_energy.thrusters.thruster import WHOLE_TURN, Azimuth

TURN = (-math.pi, math.pi)


def fixed(x, y, degrees, low, high, cost=1.0):
    """Return a fixed thruster whose axis points so many degrees to port of the bow."""
    angle = math.radians(degrees)
    return Actuator(x, y, math.cos(angle), math.sin(angle), low, high, cost)


def turning(least, largest):
    """Return the Azimuth of a thruster that turns from one angle to another, rad."""
    if largest - least >= WHOLE_TURN:
        return Azimuth(least, largest, 1.0)
    ends = tuple((math.cos(angle), math.sin(angle)) for angle in (least, 0.5 * (least + largest), largest))
    return Azimuth(least, largest, 1.0, ends=ends)


def azimuth(x, y, low, high, angles=TURN, cost=1.0):
    """Return an azimuth thruster, which turns between two angles, rad."""
    return Actuator(x, y, 1.0, 0.0, low, high, cost, azimuth=turning(*angles))


def allocated(demand, actuators, start=NO_START):
    """Return thrusts, N, and angles, rad, that give a demand."""
    return allocate(demand, actuators, start)[:2]


def moving(actuators, u, v=0.0, r=0.0):
    """Return the actuators of a boat that moves through the water, m/s, m/s, and turns, rad/s."""
    return tuple(one._replace(u=u - r * one.y, v=v + r * one.x) for one in actuators)


PAIR = fixed(-0.4, 0.3, 0.0, -11.5, 11.5), fixed(-0.4, -0.3, 0.0, -11.5, 11.5)
TWO_SIZES = tuple(fixed(-0.4, y, 0.0, -high, high, cost)
                  for y, high, cost in ((0.3, 20.0, 1.0), (-0.3, 20.0, 1.0), (0.15, 5.0, 2.0), (-0.15, 5.0, 2.0)))
SINGLE = (fixed(-0.4, 0.0, 0.0, -5.0, 10.0),)
ANGLED = tuple(fixed(x, y, angle, -30.0, 40.0)
               for x, y, angle in ((0.5, 0.3, -30.0), (0.5, -0.3, 30.0), (-0.5, 0.3, 30.0), (-0.5, -0.3, -30.0)))
TUNNEL = (*ANGLED, fixed(0.7, 0.0, 90.0, -15.0, 15.0, 2.5))
FERRY = tuple(azimuth(x, y, 0.0, 500.0, cost=0.5) for x in (1.8, -1.8) for y in (0.8, -0.8))
LIMITED = (azimuth(-1.0, 0.4, 0.0, 100.0, (-0.6, 0.6)), azimuth(-1.0, -0.4, 0.0, 100.0, (-0.6, 0.6)),
           azimuth(1.0, 0.0, 0.0, 60.0, (-1.5, 1.5), 1.5))
OUTBOARD = (azimuth(-1.0, 0.0, -60.0, 100.0, (-0.6, 0.6)),)
OUTBOARDS = azimuth(-1.0, 0.4, -60.0, 100.0, (-0.6, 0.6)), azimuth(-1.0, -0.4, -60.0, 100.0, (-0.6, 0.6))
WIDE = (azimuth(-1.0, 0.0, -30.0, 100.0, (-2.4, 2.4)), azimuth(1.0, 0.0, 0.0, 80.0, (-2.0, 2.0)))
ARRANGEMENTS = {'pair': PAIR, 'two sizes': TWO_SIZES, 'single': SINGLE, 'angled': ANGLED, 'tunnel': TUNNEL,
                'ferry': FERRY, 'limited': LIMITED, 'outboard': OUTBOARD, 'outboards': OUTBOARDS, 'wide': WIDE}


def parts_of(actuators):
    """Return each actuator's part as the search takes it, the first one of those that have a choice."""
    return tuple(convex_part(one, 0.0) for one in actuators)


def turns_round(actuator):
    """Return whether a thruster is one that turns through a full circle, and so never thrusts astern."""
    return actuator.azimuth is not None and actuator.azimuth.ends is None


def random_settings(rng, actuators, number):
    """Return thrusts and angles within the limits, half of them at one."""
    thrusts, angles = [], []
    for actuator in actuators:
        low = max(actuator.low, 0.0) if turns_round(actuator) else actuator.low
        thrusts.append(_drawn(rng, low, actuator.high, number))
        turn = actuator.azimuth
        angles.append(None if turn is None else _drawn(rng, turn.least, turn.largest, number))
    return tuple(thrusts), tuple(angles)


def _drawn(rng, low, high, number):
    return np.clip(rng.uniform(low - 0.5 * (high - low), high + 0.5 * (high - low), number), low, high)


def feasible(rng, actuators, number):
    """Return demands that the actuators can give, surge, sway and yaw."""
    return force_of(*random_settings(rng, actuators, number), actuators)


def wild(rng, actuators, number):
    """Return demands up to three times what the actuators can give, and a sway of 5 N where they can give none."""
    return tuple(rng.uniform(-3.0, 3.0, number) * max(float(np.max(np.abs(part))), 5.0)
                 for part in feasible(rng, actuators, 1000))


def one_by_one(demand, number=None):
    """Return demands of arrays as tuples of floats."""
    return [tuple(map(float, row)) for row in zip(*demand)][:number]
