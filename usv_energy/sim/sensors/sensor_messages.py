"""
Readings of sensors as standard messages, written as plain mappings of fields: for ROS and for bags.

Types and fields are those of sensor_msgs and geometry_msgs of ROS 2; the header is added by the caller.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from usv_energy.boats.sensor import Sensor
from usv_energy.earth import plane_about
from usv_energy.sim.sensors.sensor_suite import SensorReading

Fields = dict[str, Any]
UNKNOWN = 1e6  # Variance of a quantity that a sensor does not measure, in the unit of the field.
RTK = 0.1  # m: a position with a smaller error is assumed to have corrections.
GNSS_STATUS = {False: 0, True: 2}  # sensor_msgs/NavSatStatus: a fix, and a fix with ground corrections.
DIAGONAL_KNOWN, GPS_SERVICE, SONAR, DISCHARGING, NO_TECHNOLOGY = 2, 1, 0, 2, 0
NAVSAT, TWIST = 'sensor_msgs/msg/NavSatFix', 'geometry_msgs/msg/TwistWithCovarianceStamped'
IMU, MAGNETIC = 'sensor_msgs/msg/Imu', 'sensor_msgs/msg/MagneticField'
RANGE, PRESSURE = 'sensor_msgs/msg/Range', 'sensor_msgs/msg/FluidPressure'
VECTOR, BATTERY = 'geometry_msgs/msg/Vector3Stamped', 'sensor_msgs/msg/BatteryState'
# Topics of each kind, after the name of the sensor, their types, and the quantity that a topic requires.
TOPICS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    'gnss': (('fix', NAVSAT, 'position'), ('fix_velocity', TWIST, 'velocity')), 'imu': (('data', IMU, ''),),
    'magnetometer': (('mag', MAGNETIC, 'field'),), 'dvl': (('twist', TWIST, 'velocity'),),
    'range': (('range', RANGE, 'distance'),), 'pressure': (('pressure', PRESSURE, 'pressure'),),
    'anemometer': (('apparent_wind', VECTOR, 'speed'),), 'power': (('battery_state', BATTERY, ''),)}


class SensorMessage(NamedTuple):
    """A message without its header: topic (relative to the boat), type, and fields; vectors are mappings as well."""

    topic: str
    kind: str
    fields: Fields


def sensor_topics(sensor: Sensor) -> dict[str, str]:
    """Return the topics of a sensor, relative to the boat, and their types."""
    return {f'{sensor.name}/{topic}': kind for topic, kind, needs in TOPICS[sensor.kind]
            if not needs or needs in sensor.errors}


def sensor_messages(reading: SensorReading, origin: tuple[float, float]) -> list[SensorMessage]:
    """
    Return the messages of a reading.

    :param reading: The SensorReading.
    :param origin: Longitude and latitude of x = y = 0, degrees.
    """
    sensor = reading.sensor
    return [SensorMessage(f'{sensor.name}/{topic}', kind, FIELDS[topic](reading, origin))
            for topic, kind, needs in TOPICS[sensor.kind] if not needs or needs in reading.values]


def _vector(values: tuple[float, ...]) -> Fields:
    return dict(zip('xyz', map(float, values)))


def _variance(reading: SensorReading, name: str) -> float:
    """Return the variance of a quantity; UNKNOWN where it is not measured."""
    errors = reading.sensor.errors.get(name)
    return UNKNOWN if errors is None else errors.variance


def _diagonal(*values: float) -> list[float]:
    """Return a covariance matrix, row by row."""
    size = len(values)
    return [values[row] if row == column else 0.0 for row in range(size) for column in range(size)]


def _fix(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    x, y = reading.values['position']
    latitude, longitude = plane_about(origin[::-1]).degrees_of(x, y)
    variance = _variance(reading, 'position')
    return {'status': {'status': GNSS_STATUS[variance < RTK ** 2], 'service': GPS_SERVICE}, 'latitude': latitude,
            'longitude': longitude, 'altitude': reading.values.get('height', (math.nan,))[0],
            'position_covariance': _diagonal(variance, variance, _variance(reading, 'height')),
            'position_covariance_type': DIAGONAL_KNOWN}


def _twist(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    variance = _variance(reading, 'velocity')
    return {'twist': {'twist': {'linear': _vector(reading.values['velocity']), 'angular': _vector((0.0, 0.0, 0.0))},
                      'covariance': _diagonal(variance, variance, variance, UNKNOWN, UNKNOWN, UNKNOWN)}}


def quaternion_of(roll: float, pitch: float, yaw: float) -> Fields:
    """Return the quaternion of a rotation by yaw about z, then pitch about y, then roll about x, rad."""
    cr, sr, cp, sp = math.cos(0.5 * roll), math.sin(0.5 * roll), math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    return {'x': sr * cp * cy - cr * sp * sy, 'y': cr * sp * cy + sr * cp * sy,
            'z': cr * cp * sy - sr * sp * cy, 'w': cr * cp * cy + sr * sp * sy}


def _imu(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    """Return an Imu; a first variance of -1 means that a part is not measured, by the message's definition."""
    values = reading.values
    roll, pitch = values.get('roll_pitch', (0.0, 0.0))
    level, turn = _variance(reading, 'roll_pitch'), _variance(reading, 'heading')
    covariances = {'orientation': _diagonal(level, level, turn) if 'heading' in values else [-1.0, *[0.0] * 8]}
    vectors = {}
    for field, name in (('angular_velocity', 'gyro'), ('linear_acceleration', 'accelerometer')):
        vectors[field] = _vector(values.get(name, (0.0, 0.0, 0.0)))
        one = _variance(reading, name)
        covariances[field] = _diagonal(one, one, one) if name in values else [-1.0, *[0.0] * 8]
    return {'orientation': quaternion_of(roll, pitch, values.get('heading', (0.0,))[0]), **vectors,
            **{f'{field}_covariance': covariance for field, covariance in covariances.items()}}


def _mag(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    variance = _variance(reading, 'field')
    return {'magnetic_field': _vector(reading.values['field']),
            'magnetic_field_covariance': _diagonal(variance, variance, variance)}


def _range(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    errors = reading.sensor.errors['distance']
    return {'radiation_type': SONAR, 'field_of_view': reading.sensor.number('field_of_view'),
            'min_range': max(errors.least, 0.0), 'max_range': errors.most, 'range': reading.values['distance'][0],
            'variance': errors.variance}


def _pressure(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    return {'fluid_pressure': reading.values['pressure'][0], 'variance': _variance(reading, 'pressure')}


def _wind(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    speed, direction = reading.values['speed'][0], reading.values.get('direction', (math.nan,))[0]
    return {'vector': _vector((speed * math.cos(direction), speed * math.sin(direction), 0.0))}


def _battery(reading: SensorReading, origin: tuple[float, float]) -> Fields:
    """Return a BatteryState: current is negative while discharging; what is not measured is NaN."""
    nothing = dict.fromkeys(('temperature', 'charge', 'capacity', 'design_capacity', 'percentage'), math.nan)
    return {'voltage': reading.values.get('voltage', (math.nan,))[0],
            'current': -reading.values.get('current', (math.nan,))[0], **nothing,
            'power_supply_status': DISCHARGING, 'power_supply_health': 0, 'power_supply_technology': NO_TECHNOLOGY,
            'present': True, 'cell_voltage': [], 'cell_temperature': [], 'location': reading.sensor.name,
            'serial_number': ''}


FIELDS = {'fix': _fix, 'fix_velocity': _twist, 'twist': _twist, 'data': _imu, 'mag': _mag, 'range': _range,
          'pressure': _pressure, 'apparent_wind': _wind, 'battery_state': _battery}
