"""The true state of a simulated boat, and the readings of sensors of each kind without errors."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from usv_energy.boats.sensor import WATER, Sensor
from usv_energy.physics.elementwise import direction_of
from usv_energy.physics.frames import to_body
from usv_energy.sim.plants.hull_attitude import hull_attitude
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.plant_step import NO_FORCES, state_rate
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, drawn_by_boat, supplied_vessel


class TrueState(NamedTuple):
    """
    The true state of a boat at a time, s.

    Position x, y, z m (ENU, z above still water); roll, pitch, yaw rad (yaw about z, then pitch about y, then roll
    about x: FLU, so a positive pitch is bow down). In body axes (FLU): velocity over ground u, v, w m/s, rates p, q, r
    rad/s, acceleration of the boat's origin in the earth frame a_x, a_y, a_z m/s^2, and the derivatives of the rates.
    Velocity of water and air, m/s (ENU). Volts and amperes of the battery, NaN without.
    """

    time: float
    x: float
    y: float
    z: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    u: float = 0.0
    v: float = 0.0
    w: float = 0.0
    p: float = 0.0
    q: float = 0.0
    r: float = 0.0
    a_x: float = 0.0
    a_y: float = 0.0
    a_z: float = 0.0
    p_dot: float = 0.0
    q_dot: float = 0.0
    r_dot: float = 0.0
    current_x: float = 0.0
    current_y: float = 0.0
    wind_x: float = 0.0
    wind_y: float = 0.0
    volts: float = math.nan
    amperes: float = math.nan


def between(one: TrueState, other: TrueState, share: float) -> TrueState:
    """Return the state at a share, (-), of the way from one state to another, by linear interpolation."""
    return TrueState(*(first + share * (second - first) for first, second in zip(one, other)))


def true_state(plant: Plant, nominal_volts: float | None = None) -> TrueState:
    """
    Return the true state of a boat: with heave, roll and pitch for a hull of parts, level for any other.

    The acceleration is that in a uniform and constant flow; for a hull of parts in its waves.

    :param plant: The Plant.
    :param nominal_volts: Voltage of a battery without cells, V; None without a battery.
    """
    state, flow = plant.state, plant.flow()
    vessel, volts, amperes = _supply(plant, nominal_volts)
    heading = direction_of(state.yaw)
    rate: Any = state_rate(state, NO_FORCES[0], plant.setting, flow, vessel, plant.water_around(0.0), heading)
    current = to_body(flow.current_x, flow.current_y, *heading)
    attitude = hull_attitude(plant)
    if attitude is not None:
        u, v, w, p, q, r = state.u_r, state.v_r, state.afloat.w, attitude.p, attitude.q, attitude.r
        return TrueState(
            plant.time, *attitude, rate.u_r + q * w - r * v, rate.v_r + r * u - p * w,
            rate.afloat.w + p * v - q * u, rate.afloat.p, rate.afloat.q, rate.r, flow.current_x,
            flow.current_y, flow.wind_x, flow.wind_y, volts, amperes)
    return TrueState(
        plant.time, state.x, state.y, yaw=state.yaw, u=state.u_r + current[0], v=state.v_r + current[1], r=state.r,
        a_x=rate.u_r - state.r * state.v_r, a_y=rate.v_r + state.r * state.u_r, r_dot=rate.r,
        current_x=flow.current_x, current_y=flow.current_y, wind_x=flow.wind_x, wind_y=flow.wind_y,
        volts=volts, amperes=amperes)


def _supply(plant: Plant, nominal_volts: float | None) -> tuple[Any, float, float]:
    """Return the Vessel at the battery's voltage, the voltage and the current."""
    if isinstance(plant, SuppliedPlant):
        vessel = supplied_vessel(plant.supply, plant.vessel, plant.on_board.curves)
        return vessel, float(plant.supply.voltage), float(plant.supply.current)
    if nominal_volts is None:
        return plant.vessel, math.nan, math.nan
    u, v, _ = plant.velocity_over_ground()
    drawn = drawn_by_boat(plant.relative(), plant.setting, plant.time, plant.time + plant.step, math.hypot(u, v),
                          plant.vessel)
    return plant.vessel, nominal_volts, float(drawn) / nominal_volts


GRAVITY = 9.80665  # m/s^2, standard gravity, CGPM (1901).
Vector = tuple[float, float, float]
Readings = dict[str, tuple[float, ...]]


def rotated(vector: Vector, roll: float, pitch: float, yaw: float) -> Vector:
    """Return a vector in body axes (FLU) along the axes of the earth (ENU); Fossen (2011), (2.18)."""
    x, y, z = vector
    c, s = math.cos(roll), math.sin(roll)
    y, z = c * y - s * z, s * y + c * z
    c, s = math.cos(pitch), math.sin(pitch)
    x, z = c * x + s * z, -s * x + c * z
    c, s = math.cos(yaw), math.sin(yaw)
    return c * x - s * y, s * x + c * y, z


def rotated_back(vector: Vector, roll: float, pitch: float, yaw: float) -> Vector:
    """Return a vector along the axes of the earth in body axes: the inverse of `rotated`."""
    x, y, z = vector
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = c * x + s * y, -s * x + c * y
    c, s = math.cos(pitch), math.sin(pitch)
    x, z = c * x - s * z, s * x + c * z
    c, s = math.cos(roll), math.sin(roll)
    return x, c * y + s * z, -s * y + c * z


def cross_product(one: Vector, other: Vector) -> Vector:
    """Return the cross product of two vectors."""
    return (one[1] * other[2] - one[2] * other[1], one[2] * other[0] - one[0] * other[2],
            one[0] * other[1] - one[1] * other[0])


def plus(one: Vector, other: Vector) -> Vector:
    """Return the sum of two vectors."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def attitude_of(state: TrueState) -> Vector:
    """Return roll, pitch and yaw, rad."""
    return state.roll, state.pitch, state.yaw


def place_of(state: TrueState, sensor: Sensor) -> Vector:
    """Return the position of a sensor, m, east, north and up."""
    return plus((state.x, state.y, state.z), rotated(sensor.place, *attitude_of(state)))


def velocity_of(state: TrueState, sensor: Sensor) -> Vector:
    """Return the velocity of a sensor over ground, m/s, in body axes, including its lever arm."""
    return plus((state.u, state.v, state.w), cross_product((state.p, state.q, state.r), sensor.place))


def _gnss(state: TrueState, sensor: Sensor) -> Readings:
    east, north, up = place_of(state, sensor)
    return {'position': (east, north), 'height': (up,),
            'velocity': rotated(velocity_of(state, sensor), *attitude_of(state))}


def _imu(state: TrueState, sensor: Sensor) -> Readings:
    turning, turning_dot = (state.p, state.q, state.r), (state.p_dot, state.q_dot, state.r_dot)
    arm = plus(cross_product(turning_dot, sensor.place), cross_product(turning, cross_product(turning, sensor.place)))
    upward = rotated_back((0.0, 0.0, GRAVITY), *attitude_of(state))
    return {'gyro': turning, 'accelerometer': plus(plus((state.a_x, state.a_y, state.a_z), arm), upward),
            'roll_pitch': (state.roll, state.pitch), 'heading': (state.yaw,)}


def _magnetometer(state: TrueState, sensor: Sensor) -> Readings:
    north = 0.5 * math.pi - sensor.number('declination')  # Of the needle, counter-clockwise from east.
    horizontal = sensor.number('horizontal')
    field = horizontal * math.cos(north), horizontal * math.sin(north), -sensor.number('down')
    return {'field': rotated_back(field, *attitude_of(state))}


def _dvl(state: TrueState, sensor: Sensor) -> Readings:
    velocity = velocity_of(state, sensor)
    if sensor.velocity_of == WATER:
        current = rotated_back((-state.current_x, -state.current_y, 0.0), *attitude_of(state))
        return {'velocity': plus(velocity, current)}
    altitude = sensor.number('water_depth') + place_of(state, sensor)[2]
    if altitude < sensor.number('least_altitude') or altitude > sensor.number('most_altitude'):
        return {}
    return {'velocity': velocity}


def _range(state: TrueState, sensor: Sensor) -> Readings:
    return {'distance': (max(sensor.number('water_depth') + place_of(state, sensor)[2], 0.0),)}


def _pressure(state: TrueState, sensor: Sensor) -> Readings:
    depth = max(-place_of(state, sensor)[2], 0.0)
    return {'pressure': (sensor.number('air_pressure') + sensor.number('water_density') * GRAVITY * depth,)}


def _anemometer(state: TrueState, sensor: Sensor) -> Readings:
    wind = rotated_back((state.wind_x, state.wind_y, 0.0), *attitude_of(state))
    u, v, _ = velocity_of(state, sensor)
    ahead, port = wind[0] - u, wind[1] - v
    return {'speed': (math.hypot(ahead, port),), 'direction': (math.atan2(port, ahead),)}


def _power(state: TrueState, sensor: Sensor) -> Readings:
    return {'voltage': (state.volts,), 'current': (state.amperes,)}


TRUE_READINGS: Mapping[str, Callable[[TrueState, Sensor], Readings]] = {
    'gnss': _gnss, 'imu': _imu, 'magnetometer': _magnetometer, 'dvl': _dvl, 'range': _range, 'pressure': _pressure,
    'anemometer': _anemometer, 'power': _power}


def true_readings(state: TrueState, sensor: Sensor) -> Readings:
    """
    Return the readings of a sensor without errors, by the names of `boats.sensor.QUANTITIES`.

    Directions of wind are where it blows to, from the bow, counter-clockwise. There are none if it cannot measure: a
    DVL too close to the bottom, or too far above it.

    :param state: The TrueState.
    :param sensor: The Sensor, whose position is that on the boat.
    """
    return TRUE_READINGS[sensor.kind](state, sensor)
