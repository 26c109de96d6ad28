"""What sensors of each kind would read without errors, of the true state, at their place on the boat; SI units, rad."""

import math
from collections.abc import Callable, Mapping

from ...boats.sensor import WATER, Sensor
from .true_state import TrueState

GRAVITY = 9.80665  # m/s^2, standard gravity, CGPM (1901).
Vector = tuple[float, float, float]
Readings = dict[str, tuple[float, ...]]


def rotated(vector: Vector, roll: float, pitch: float, yaw: float) -> Vector:
    """Return a vector of the body's axes (FLU) along those of the earth (ENU); Fossen (2011), (2.18)."""
    x, y, z = vector
    c, s = math.cos(roll), math.sin(roll)
    y, z = c * y - s * z, s * y + c * z
    c, s = math.cos(pitch), math.sin(pitch)
    x, z = c * x + s * z, -s * x + c * z
    c, s = math.cos(yaw), math.sin(yaw)
    return c * x - s * y, s * x + c * y, z


def turned_back(vector: Vector, roll: float, pitch: float, yaw: float) -> Vector:
    """Return a vector of the earth's axes along those of the body: the inverse of `rotated`."""
    x, y, z = vector
    c, s = math.cos(yaw), math.sin(yaw)
    x, y = c * x + s * y, -s * x + c * y
    c, s = math.cos(pitch), math.sin(pitch)
    x, z = c * x - s * z, s * x + c * z
    c, s = math.cos(roll), math.sin(roll)
    return x, c * y + s * z, -s * y + c * z


def crossed(one: Vector, other: Vector) -> Vector:
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
    """Return where a sensor is, m, east, north and up."""
    return plus((state.x, state.y, state.z), rotated(sensor.place, *attitude_of(state)))


def velocity_of(state: TrueState, sensor: Sensor) -> Vector:
    """Return how fast a sensor moves over ground, m/s, along the axes of the body: its lever arm turns with it."""
    return plus((state.u, state.v, state.w), crossed((state.p, state.q, state.r), sensor.place))


def _gnss(state: TrueState, sensor: Sensor) -> Readings:
    east, north, up = place_of(state, sensor)
    return {'position': (east, north), 'height': (up,),
            'velocity': rotated(velocity_of(state, sensor), *attitude_of(state))}


def _imu(state: TrueState, sensor: Sensor) -> Readings:
    turning, turning_dot = (state.p, state.q, state.r), (state.p_dot, state.q_dot, state.r_dot)
    arm = plus(crossed(turning_dot, sensor.place), crossed(turning, crossed(turning, sensor.place)))
    upward = turned_back((0.0, 0.0, GRAVITY), *attitude_of(state))
    return {'gyro': turning, 'accelerometer': plus(plus((state.a_x, state.a_y, state.a_z), arm), upward),
            'roll_pitch': (state.roll, state.pitch), 'heading': (state.yaw,)}


def _magnetometer(state: TrueState, sensor: Sensor) -> Readings:
    north = 0.5 * math.pi - sensor.number('declination')  # of the needle, counter-clockwise from east
    horizontal = sensor.number('horizontal')
    field = horizontal * math.cos(north), horizontal * math.sin(north), -sensor.number('down')
    return {'field': turned_back(field, *attitude_of(state))}


def _dvl(state: TrueState, sensor: Sensor) -> Readings:
    velocity = velocity_of(state, sensor)
    if sensor.velocity_of == WATER:
        current = turned_back((-state.current_x, -state.current_y, 0.0), *attitude_of(state))
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
    wind = turned_back((state.wind_x, state.wind_y, 0.0), *attitude_of(state))
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
    Return what a sensor would read without errors, by the names of `boats.sensor_numbers.QUANTITIES`.

    Directions of wind are where it blows to, from the bow, counter-clockwise. Nothing where it cannot measure: a DVL
    too close to the bottom, or too far above it.

    :param state: The TrueState.
    :param sensor: The Sensor, whose place is that on the boat.
    """
    return TRUE_READINGS[sensor.kind](state, sensor)
