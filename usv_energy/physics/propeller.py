"""
Propellers in moving water: the thrust that one gives at a speed, and the electrical power that it draws for it.

Every description of a propeller becomes one of two forms when it is read (`boats/propeller_file.py`):

- A bollard map, from the thrust at standstill to electrical power, with a correction for the water that flows in. At
  equal rate of turning, K_T(J) = K_T0 (1 - J / J0) makes of the thrust at standstill B the thrust

      T = B - c sqrt(B) v,                     c = sqrt(density K_T0) D / J0, in N^0.5 s/m,

  and the power falls with the torque, which reaches zero later: P = map(B) (1 - g c v / sqrt(B)), with g = J0 / J_Q0
  the ratio of the slopes of K_Q and K_T. Water from astern is the same mirrored.

  The water unloads the motor, which then turns faster at the same command. Of the voltage V = e n + R I that it gets,
  R I / (e n) = k sqrt(B) at standstill, since the current goes with the torque. With y = k sqrt(B) / (1 + k sqrt(B))
  and q = 1 - g c v / sqrt(B) what is left of the torque, the power at the same rate is map(B) ((1 - y) q + y q^2), and
  the rate at the same voltage r times that at standstill: y r^2 + (1 - y - y g c v / sqrt(B)) r = 1. k = 0 is a motor
  without resistance: the same rate, P = map(B) q.
- A table of electrical power over thrust and speed, with the limits of thrust at each speed.

What drives a propeller that turns slower than the water (windmilling) is drag here, at most c^2 v^2 / 4, and draws
nothing; thrust against the inflow (braking hard) is taken as at standstill, plus that drag. All of it is continuous.

Source: the bilinear form is Fossen (2011), Handbook of marine craft, section 9.3, and (3) of the Thetis simulator.
"""

from typing import Any, NamedTuple

import numpy as np

from .elementwise import interpolate, kernel, larger, select, smaller, sqrt

SLOWEST = 1e-12  # Root of a thrust, N^0.5, below which a propeller is taken to stand still.


class Propeller(NamedTuple):
    """
    One propeller with its motor: numbers, and knots as arrays or, for compiled code, as short tuples.

    `map_thrust` (N at standstill, rising, astern below 0) and `map_power` (W electrical): the bollard map.
    `inflow`: c, N^0.5 s/m; 0 where inflow does not count. `torque_ratio`: g, (-). `voltage_drop`: k, N^-0.5.
    `tabled`: 1.0 where the table is used in place of the map, else 0.0.
    `table_speed` (m/s, rising), `table_place` (0, 1, 2 ...: the number of each of its knots), `table_thrust` (N,
    rising), `table_power` (W, a row a speed), `table_least` and `table_most`: limits of thrust at each speed, N.
    """

    map_thrust: Any
    map_power: Any
    inflow: float = 0.0
    torque_ratio: float = 1.0
    tabled: float = 0.0
    table_speed: Any = (0.0,)
    table_place: Any = (0.0,)
    table_thrust: Any = (0.0,)
    table_power: Any = ((0.0,),)
    table_least: Any = (0.0,)
    table_most: Any = (0.0,)
    voltage_drop: float = 0.0


def with_tuples(propeller: Propeller) -> Propeller:
    """Return a Propeller whose knots are tuples of floats, as compiled code unrolls them."""
    return Propeller(*(_as_tuples(value) for value in propeller))


def _as_tuples(value: Any) -> Any:
    if np.ndim(value) == 0:
        return float(value)
    return tuple(_as_tuples(inner) for inner in value)


@kernel
def bollard_thrust(thrust, speed, propeller):
    """
    Return the thrust at standstill, N, of a propeller that turns as fast as it must for a thrust in moving water.

    :param thrust: N along the axis, astern below 0; float or array.
    :param speed: Of the water into the propeller along its axis, m/s: above 0 going ahead; same shape.
    :param propeller: The Propeller; one with a table has no such thrust, and gets `thrust` back.
    """
    if propeller.tabled != 0.0:
        return thrust + 0.0 * speed
    slip = propeller.inflow * abs(speed)
    along = select(speed < 0.0, -thrust, thrust)
    root = 0.5 * (slip + sqrt(larger(slip * slip + 4.0 * along, 0.0)))
    drag = 0.25 * slip * slip
    bollard = select(along >= -drag, along + slip * root, along + drag)
    return select(speed < 0.0, -bollard, bollard)


@kernel
def thrust_at(bollard, speed, propeller):
    """
    Return the thrust in moving water, N, of a propeller that turns as fast as for a thrust at standstill.

    It is the inverse of `bollard_thrust`, and rises with `bollard`; between standing still and half of the rate that
    gives no thrust it is the drag of a propeller that the water turns, the same for all rates.

    :param bollard: Thrust at standstill, N, astern below 0; float or array.
    :param speed: Of the water into the propeller, m/s; same shape.
    :param propeller: The Propeller; of one with a table it is `bollard` itself.
    """
    if propeller.tabled != 0.0:
        return bollard + 0.0 * speed
    slip = propeller.inflow * abs(speed)
    along = select(speed < 0.0, -bollard, bollard)
    root = sqrt(larger(along, 0.0))
    drag = 0.25 * slip * slip
    turned = select(2.0 * root >= slip, along - slip * root, -drag)
    thrust = select(along >= 0.0, turned, along - drag)
    return select(speed < 0.0, -thrust, thrust)


@kernel
def drawn_power(thrust, speed, propeller):
    """
    Return the electrical power that a propeller draws, W, never below 0.

    :param thrust: N along the axis, astern below 0; float or array.
    :param speed: Of the water into the propeller along its axis, m/s; same shape.
    :param propeller: The Propeller. Beyond the knots of a table, or of a map without inflow, the power is that of the
        end; with an inflow it goes on as B^1.5 (1 + k sqrt(B)), a screw's torque and the motor's voltage, since
        under way a motor turns faster than it ever does at standstill.
    """
    if propeller.tabled != 0.0:
        return _tabled_power(thrust, speed, propeller)
    bollard = bollard_thrust(thrust, speed, propeller)
    slip = propeller.inflow * abs(speed)
    along = select(speed < 0.0, -bollard, bollard)
    root = larger(sqrt(larger(along, 0.0)), SLOWEST)
    torque = larger(1.0 - propeller.torque_ratio * slip / root, 0.0)
    drop = propeller.voltage_drop * root
    share = select(along > 0.0, torque * (1.0 + drop * torque) / (1.0 + drop), 1.0 + 0.0 * torque)
    power = interpolate(bollard, propeller.map_thrust, propeller.map_power) * _reach(bollard, propeller)
    return larger(power * share, 0.0)


@kernel
def _reach(bollard, propeller):
    """Return by what the power of a map's end is multiplied for a thrust at standstill beyond it, (-), at least 1."""
    astern, ahead = propeller.map_thrust[0], propeller.map_thrust[-1]
    behind = bollard * astern / larger(astern * astern, SLOWEST)
    beyond = larger(larger(behind, bollard * ahead / larger(ahead * ahead, SLOWEST)), 1.0)
    voltage = 1.0 + propeller.voltage_drop * sqrt(abs(bollard))
    at_end = 1.0 + propeller.voltage_drop * sqrt(abs(bollard) / beyond)
    return select(propeller.inflow > 0.0, beyond * sqrt(beyond) * voltage / at_end, 1.0 + 0.0 * beyond)


@kernel
def bollard_under_way(bollard, speed, propeller):
    """
    Return the thrust at standstill, N, of the rate at which a propeller turns in moving water, its command as before.

    :param bollard: Thrust at standstill that the command gives there, N, astern below 0; float or array.
    :param speed: Of the water into the propeller along its axis, m/s; same shape.
    :param propeller: The Propeller; without inflow or voltage drop it is `bollard` itself.
    """
    slip = propeller.inflow * abs(speed)
    along = select(speed < 0.0, -bollard, bollard)
    root = sqrt(larger(along, 0.0))
    drop = propeller.voltage_drop * root
    y = drop / (1.0 + drop)
    slope = 1.0 - y - propeller.voltage_drop * propeller.torque_ratio * slip / (1.0 + drop)
    rise = 2.0 / larger(slope + sqrt(slope * slope + 4.0 * y), SLOWEST)
    return select(along > 0.0, bollard * rise * rise, bollard)


@kernel
def largest_thrust(speed, limit, propeller):
    """
    Return the largest thrust that a propeller gives in moving water, N.

    :param speed: Of the water into the propeller along its axis, m/s; float or array.
    :param limit: Largest thrust at standstill, N; same shape or one.
    :param propeller: The Propeller. A motor with a `voltage_drop` is at the voltage that gives the limit at standstill;
        without one it turns as fast as at standstill, which is on the low side.
    """
    if propeller.tabled != 0.0:
        return smaller(limit, interpolate(speed, propeller.table_speed, propeller.table_most))
    return thrust_at(bollard_under_way(limit + 0.0 * speed, speed, propeller), speed, propeller)


@kernel
def least_thrust(speed, limit, propeller):
    """
    Return the least thrust (astern below 0) that a propeller gives in moving water, N.

    :param speed: Of the water into the propeller along its axis, m/s; float or array.
    :param limit: Least thrust at standstill, N; same shape or one.
    :param propeller: The Propeller.
    """
    if propeller.tabled != 0.0:
        return larger(limit, interpolate(speed, propeller.table_speed, propeller.table_least))
    return thrust_at(bollard_under_way(limit + 0.0 * speed, speed, propeller), speed, propeller)


@kernel
def _tabled_power(thrust, speed, propeller):
    """Return what `drawn_power` does, by linear interpolation along thrust and along speed."""
    place = interpolate(speed, propeller.table_speed, propeller.table_place)
    power = 0.0 * (thrust + speed)
    for number, row in enumerate(propeller.table_power):
        weight = larger(1.0 - abs(place - number), 0.0)
        power = power + weight * interpolate(thrust, propeller.table_thrust, row)
    return power
