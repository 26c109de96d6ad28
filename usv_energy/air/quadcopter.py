"""
A quadcopter: a rigid body with four rotors that lag, in wind and ground effect; and the power of its flight.

World ENU, body FLU (REP 103). Rotor 1 is ahead to port, then clockwise seen from above: ahead to starboard, astern to
starboard, astern to port; 1 and 3 turn clockwise. Source of the equations: R. Mahony, V. Kumar, P. Corke (2012), IEEE
Robotics & Automation Magazine 19(3), 20. Integrated with fixed steps, of second order: rotors exactly, rotation by the
exponential of the mean rate, velocities and places by the mean slope.

Read a quadcopter's file, which is shipped in config/quadcopters or a user's own.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.boats.battery_sheet import BatterySheet, counter_of, pack_of
from usv_energy.boats.boat_file import battery_from
from usv_energy.boats.cell_file import KELVIN
from usv_energy.boats.numbers import boat_schema
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.batteries.cell import JOULES_PER_WH, Pack
from usv_energy.physics.rotor_in_air import AIR_DENSITY, ground_gain, ideal_power

GRAVITY = 9.81
GROUND_EFFECT_HEIGHT = 4.0   # Rotor radii above ground; above that the ground effect is less than 0.4 %.
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # w, x, y, z; from body to world.
Thrusts = tuple[float, float, float, float]


class Quadcopter(NamedTuple):
    """
    The numbers of a quadcopter.

    `mass`, kg. `inertia`: about the body axes, kg m^2. `arm`: from its middle to a rotor's, m. `rotor_radius`, m.
    `most_thrust`: largest thrust of a rotor, N. `torque`: torque of a rotor over its thrust, m. `lag`: time constant of
    a rotor's thrust, s. `drag`: N s/m. `figure_of_merit`: ideal over shaft power in hover. `efficiency`: of motors and
    controllers. `hotel`: hotel load, W. `battery`: energy of the full battery, J. `charge_power`, `charge_current`:
    largest at the battery's terminals, W and A. `charge_efficiency`: power at the terminals over that of the charger.
    `pack`: its cells; None if only watt-hours are known. `ambient`: temperature around them, K. `nominal_voltage`:
    voltage at which `most_thrust` holds, V. `rotor_constant`: thrust of a rotor over the square of its speed, N s^2;
    only for models with rotor speeds.
    """

    name: str
    mass: float
    inertia: Vector
    arm: float
    rotor_radius: float
    most_thrust: float
    torque: float
    lag: float
    drag: float
    figure_of_merit: float
    efficiency: float
    hotel: float
    battery: float
    charge_power: float
    charge_efficiency: float
    charge_current: float = math.inf
    pack: Pack | None = None
    ambient: float = math.nan
    nominal_voltage: float = math.nan
    rotor_constant: float = math.nan

    @property
    def disc(self) -> float:
        """Area of a rotor's disc, m^2."""
        return math.pi * self.rotor_radius ** 2

    @property
    def hover_power(self) -> float:
        """Electrical power of hovering far above ground by momentum theory, W."""
        each = 0.25 * self.mass * GRAVITY
        ideal = 4.0 * each * math.sqrt(each / (2.0 * AIR_DENSITY * self.disc))
        return ideal / (self.figure_of_merit * self.efficiency) + self.hotel


class FlightState(NamedTuple):
    """Place, m, and velocity, m/s, in the world; orientation; body rates, rad/s; thrusts of the rotors, N."""

    place: Vector
    velocity: Vector
    turn: Quaternion
    rates: Vector
    thrusts: Thrusts


def at_rest(place: Vector, yaw: float = 0.0, thrust: float = 0.0) -> FlightState:
    """Return a quadcopter upright at a place, m, with a heading, rad, and a thrust of each rotor, N."""
    return FlightState(place, (0.0, 0.0, 0.0), (math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw)), (0.0, 0.0, 0.0),
                       (thrust,) * 4)


def up_axis(turn: Quaternion) -> Vector:
    """Return the body's up_axis axis in the world."""
    w, x, y, z = turn
    return 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)


def heading(turn: Quaternion) -> float:
    """Return the yaw of the body, rad."""
    w, x, y, z = turn
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def in_body(turn: Quaternion, vector: Vector) -> Vector:
    """Return a vector of the world in the body's axes."""
    w, a, b, c = turn
    x, y, z = vector
    up = up_axis(turn)
    return ((1.0 - 2.0 * (b * b + c * c)) * x + 2.0 * (a * b + w * c) * y + 2.0 * (a * c - w * b) * z,
            2.0 * (a * b - w * c) * x + (1.0 - 2.0 * (a * a + c * c)) * y + 2.0 * (b * c + w * a) * z,
            up[0] * x + up[1] * y + up[2] * z)


def tilt(turn: Quaternion) -> tuple[float, float]:
    """Return roll and pitch, rad (ZYX)."""
    w, x, y, z = turn
    return (math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            math.asin(max(-1.0, min(1.0, 2.0 * (w * y - z * x)))))


def rotor_thrusts(craft: Quadcopter, thrust: float, torques: Vector) -> Thrusts:
    """
    Return the thrusts of the four rotors, N, for a total thrust, N, and torques about the body axes, N m.

    If a rotor would exceed its limits, the yaw torque is reduced first, then roll and pitch, then the thrust.
    """
    side = craft.arm / math.sqrt(2.0)
    roll, pitch, yaw = torques[0] / (4.0 * side), torques[1] / (4.0 * side), torques[2] / (4.0 * craft.torque)
    tilting = (roll - pitch, -roll - pitch, -roll + pitch, roll + pitch)
    base = max(0.0, min(0.25 * thrust, craft.most_thrust))
    room = min(base, craft.most_thrust - base)
    most = max(map(abs, tilting))
    share = 1.0 if most <= room else room / most if room > 0.0 else 0.0
    left = room - share * most
    turned = max(-left, min(left, yaw))
    return (base + share * tilting[0] + turned, base + share * tilting[1] - turned,
            base + share * tilting[2] + turned, base + share * tilting[3] - turned)


def next_state(craft: Quadcopter, state: FlightState, wanted: Thrusts, step: float, wind: Vector = (0.0, 0.0, 0.0),
            above: float = math.inf) -> FlightState:
    """
    Return the state a step later.

    :param wanted: Commanded thrusts, N.
    :param step: s.
    :param wind: Velocity of the air, world, m/s.
    :param above: Height of the rotors above ground or deck, m.
    """
    faded = math.exp(-step / craft.lag) if craft.lag > 0.0 else 0.0
    reached = [max(0.0, min(want, craft.most_thrust)) for want in wanted]
    a, b, c, d = [want + (have - want) * faded for want, have in zip(reached, state.thrusts)]
    # The mean of the thrusts over the step moves the body.
    mean = (craft.lag / step) * (1.0 - faded) if craft.lag > 0.0 else 0.0
    ma, mb, mc, md = [want + (have - want) * mean for want, have in zip(reached, state.thrusts)]
    gain = float(ground_gain(above, craft.rotor_radius)) if above < GROUND_EFFECT_HEIGHT * craft.rotor_radius else 1.0
    side = craft.arm / math.sqrt(2.0)
    torque = ((ma + md - mb - mc) * side * gain, (mc + md - ma - mb) * side * gain, (ma + mc - mb - md) * craft.torque)
    rates = _turned_rates(craft.inertia, state.rates, torque, step)
    turn = _turned(state.turn, _mean(state.rates, rates), step)
    up, up_after = up_axis(state.turn), up_axis(turn)
    lift = 0.5 * gain * (ma + mb + mc + md) / craft.mass
    slow = craft.drag / craft.mass
    half = 1.0 + 0.5 * step * slow
    vx, vy, vz = [(v + step * (lift * (u + w) - weight - slow * (0.5 * v - air))) / half
                  for v, u, w, air, weight in zip(state.velocity, up, up_after, wind, (0.0, 0.0, GRAVITY))]
    x, y, z = [p + 0.5 * step * (v + w) for p, v, w in zip(state.place, state.velocity, (vx, vy, vz))]
    return FlightState((x, y, z), (vx, vy, vz), turn, rates, (a, b, c, d))


def rotors_power(craft: Quadcopter, state: FlightState, wind: Vector = (0.0, 0.0, 0.0)) -> float:
    """
    Return the electrical power of a quadcopter, W: by momentum theory, over figure of merit and efficiency.

    It is never below the hotel load, because a rotor that the air drives gives no power back.
    """
    up, disc = up_axis(state.turn), craft.disc
    x, y, z = state.velocity[0] - wind[0], state.velocity[1] - wind[1], state.velocity[2] - wind[2]
    climb = up[0] * x + up[1] * y + up[2] * z
    along = math.sqrt(max(0.0, x * x + y * y + z * z - climb * climb))
    air = sum([ideal_power(thrust, disc, climb, along) for thrust in state.thrusts])
    return craft.hotel + max(0.0, air) / (craft.figure_of_merit * craft.efficiency)


def _turned_rates(inertia: Vector, rates: Vector, torque: Vector, step: float) -> Vector:
    """Return the rates a step later by Euler's equations, midpoint rule."""
    first = _change_of_rates(inertia, rates, torque)
    middle = _change_of_rates(inertia, _moved(rates, 0.5 * step, first), torque)
    return _moved(rates, step, middle)


def _change_of_rates(inertia: Vector, rates: Vector, torque: Vector) -> Vector:
    (jx, jy, jz), (p, q, r) = inertia, rates
    return ((torque[0] + (jy - jz) * q * r) / jx, (torque[1] + (jz - jx) * r * p) / jy,
            (torque[2] + (jx - jy) * p * q) / jz)


def _moved(start: Vector, step: float, slope: Vector) -> Vector:
    return start[0] + step * slope[0], start[1] + step * slope[1], start[2] + step * slope[2]


def _mean(one: Vector, other: Vector) -> Vector:
    return 0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1]), 0.5 * (one[2] + other[2])


def _turned(turn: Quaternion, rates: Vector, step: float) -> Quaternion:
    """Return the orientation after a rotation with constant rates about the body's axes."""
    size = math.sqrt(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])
    half = 0.5 * step * size
    share = math.sin(half) / size if size > 0.0 else 0.5 * step
    c, x, y, z = math.cos(half), rates[0] * share, rates[1] * share, rates[2] * share
    w0, x0, y0, z0 = turn
    new = (w0 * c - x0 * x - y0 * y - z0 * z, w0 * x + x0 * c + y0 * z - z0 * y,
           w0 * y - x0 * z + y0 * c + z0 * x, w0 * z + x0 * y - y0 * x + z0 * c)
    scale = 1.0 / math.sqrt(new[0] * new[0] + new[1] * new[1] + new[2] * new[2] + new[3] * new[3])
    return new[0] * scale, new[1] * scale, new[2] * scale, new[3] * scale


ROTORS = 4


def read_quadcopter(name: str, beside: Path | None = None) -> Quadcopter:
    """
    Return a quadcopter by its name in config/quadcopters or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('quadcopters', name, beside)
    document = read_yaml(path)
    checked.check(document, 'quadcopter', path)
    given: dict[str, Any] = {key: float(value) for key, value in checked.values_of(document['quadcopter']).items()}
    inertia = (given.pop('inertia_x'), given.pop('inertia_y'), given.pop('inertia_z'))
    if ('battery' in document) == ('battery_wh' in given):
        raise InputError(f'{path}: gives battery and quadcopter.battery_wh, or neither; must give one: cells '
                         '(docs/batteries.md), or watt-hours alone')
    battery = (_battery(document, path) if 'battery' in document else
               {'battery': JOULES_PER_WH * given.pop('battery_wh')})
    weight, lift = given['mass'] * GRAVITY, ROTORS * given['most_thrust']
    if lift <= 1.2 * weight:
        raise InputError(f'{path}: quadcopter.most_thrust is {given["most_thrust"]:g} N; four rotors must lift 1.2 '
                         f'times its weight of {weight:.2f} N at least, to be steered')
    return Quadcopter(document['name'], inertia=inertia, **battery, **given)


def _battery(document: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the fields of a Quadcopter for the file's `battery`, which has the form of that in a boat file."""
    checked.check({'battery': document['battery']}, _battery_schema, path)
    sheet: BatterySheet = battery_from(checked.values_of(document['battery']), path)
    counter, pack = counter_of(sheet), pack_of(sheet)
    if pack is None:
        return {'battery': JOULES_PER_WH * counter.capacity_wh}
    ambient = pack.cell.reference_temperature if sheet.ambient_degc is None else KELVIN + sheet.ambient_degc
    return {'battery': JOULES_PER_WH * counter.capacity_wh, 'pack': pack, 'ambient': float(ambient),
            'nominal_voltage': counter.nominal_voltage}


def _battery_schema() -> dict[str, Any]:
    whole = boat_schema()
    return {'type': 'object', 'properties': {'battery': whole['properties']['battery']}, '$defs': whole['$defs']}
