"""
SDF with the same format everywhere (numbers in their shortest form, an indentation of two spaces), and sensors in it.

By the source of gz-sensors (6.9.0; 8 and later are alike), NavSat adds the noise of position to latitude and longitude
in degrees. NavSat and Magnetometer do not pass the elapsed time to their noise, so neither has slow noise. For an Imu,
slow noise and constant error are one variable, which loses its initial value with time.
"""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Sequence
from xml.etree.ElementTree import Element

from usv_energy.boats.sensor import Sensor, SensorErrors
from usv_energy.earth import metres_per_degree

Colour = tuple[float, float, float, float]  # red, green, blue, opacity, 0 to 1
DIGITS = 10  # Significant digits of a number: more than in any input, fewer than the round-off of a sum needs.


def number(value: float) -> str:
    """
    Return a number's text: at most 10 significant digits, no trailing zeros, never a negative zero.

    :raises ValueError: If it is not finite, which no reader of SDF accepts.
    """
    if not math.isfinite(value):
        raise ValueError(f'{value} has no place in an SDF file')
    text = f'{value:.{DIGITS}g}'
    return '0' if float(text) == 0.0 else text


def text_of(value: object) -> str:
    """Return the text of a number, a sequence of numbers, a truth value or a text."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, (tuple, list)):
        return ' '.join(number(one) for one in value)
    return str(value)


def add(parent: Element, tag: str, value: object = None, **attributes: object) -> Element:
    """
    Return a new last child of an element.

    :param value: Its content, as for `text_of`; None: no content.
    """
    child = ElementTree.SubElement(parent, tag, {key: text_of(one) for key, one in attributes.items()})
    if value is not None:
        child.text = text_of(value)
    return child


def add_all(parent: Element, values: dict[str, object]) -> None:
    """Add a child for each key of a mapping."""
    for tag, value in values.items():
        add(parent, tag, value)


def add_system(parent: Element, file_name: str, system_name: str) -> Element:
    """Return a new plugin of a world or a model: one of Gazebo's systems."""
    return add(parent, 'plugin', filename=f'gz-sim-{file_name}-system', name=f'gz::sim::systems::{system_name}')


def static_model(world: Element, name: str, pose: tuple[float, ...]) -> Element:
    """
    Return the only link of a new model that does not move.

    :param pose: x, y, z, m, and roll, pitch, yaw, rad.
    """
    model = add(world, 'model', name=name)
    add_all(model, {'static': True, 'pose': pose})
    return add(model, 'link', name='link')


def add_shape(link: Element, kind: str, name: str, shape: str, place: tuple[float, ...] = (0.0, 0.0, 0.0),
              turn: tuple[float, ...] = (0.0, 0.0, 0.0), **measures: object) -> Element:
    """
    Return a new shape of a link.

    :param kind: `visual` or `collision`.
    :param shape: `box`, `sphere`, `cylinder` or `plane`.
    :param place: x, y, z on the link, m.
    :param turn: Roll, pitch, yaw, rad.
    :param measures: Its size by SDF's names for the shape, m.
    """
    whole = add(link, kind, name=name)
    add(whole, 'pose', (*place, *turn))
    add_all(add(add(whole, 'geometry'), shape), measures)
    return whole


def paint(visual: Element, colour: Colour) -> None:
    """Set the colour of a visual."""
    add_all(add(visual, 'material'), {'ambient': colour, 'diffuse': colour})


def note(parent: Element, text: str) -> None:
    """Add a comment."""
    parent.append(ElementTree.Comment(f' {_comment_text(text)} '))


def document(root: Element, heading: str) -> str:
    """
    Return the whole text of an XML file.

    :param heading: Comment at the top: the command that wrote the file, and its inputs. Line breaks are kept.
    """
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding='unicode')
    lines = '\n'.join(f'  {line}' for line in _comment_text(heading).splitlines())
    return f'<?xml version="1.0" ?>\n<!--\n{lines}\n-->\n{body}\n'


def _comment_text(text: str) -> str:
    """Return a text for a comment, in which XML forbids two hyphens."""
    while '--' in text:
        text = text.replace('--', '- -')
    return text + ' ' if text.endswith('-') else text


SYSTEMS = {'gnss': ('navsat', 'NavSat'), 'imu': ('imu', 'Imu'), 'magnetometer': ('magnetometer', 'Magnetometer')}
# Last part of the topic, the same as in the embedded simulator, and the types in ROS and Gazebo.
TOPICS = {'gnss': ('fix', 'sensor_msgs/msg/NavSatFix', 'gz.msgs.NavSat'),
          'imu': ('data', 'sensor_msgs/msg/Imu', 'gz.msgs.IMU'),
          'magnetometer': ('mag', 'sensor_msgs/msg/MagneticField', 'gz.msgs.Magnetometer')}
DEGREE = metres_per_degree(45.0)[1]  # m, of latitude; 0.5 % less at the equator, 0.5 % more at the poles.
FINEST = 1e-6                        # Resolution of readings below which Gazebo does not round.
NO_ERRORS = SensorErrors()


def sensor_topic(model: str, sensor: Sensor) -> str:
    """Return the topic of a model's sensor in Gazebo."""
    return f'/model/{model}/{sensor.name}/{TOPICS[sensor.kind][0]}'


def sensors_in_gazebo(sensors: Iterable[Sensor]) -> list[Sensor]:
    """Return the sensors for which Gazebo has a system."""
    return [sensor for sensor in sensors if sensor.kind in SYSTEMS]


def systems_of(sensors: Iterable[Sensor]) -> list[tuple[str, str]]:
    """Return the systems that sensors need in a world: names of the plugin files, and of the systems."""
    return sorted({SYSTEMS[sensor.kind] for sensor in sensors_in_gazebo(sensors)})


def add_sensors(link: Element, sensors: Iterable[Sensor], model: str) -> None:
    """Add a boat's sensors to its link at their places, without those for which Gazebo has no system."""
    for sensor in sensors_in_gazebo(sensors):
        whole = add(link, 'sensor', name=sensor.name, type='navsat' if sensor.kind == 'gnss' else sensor.kind)
        add_all(whole, {'pose': (*sensor.place, 0.0, 0.0, 0.0), 'topic': sensor_topic(model, sensor),
                        'update_rate': sensor.rate, 'always_on': True, 'gz_frame_id': f'{model}/{sensor.name}'})
        CONTENTS[sensor.kind](whole, sensor)


def add_sensor_systems(world: Element, sensors: Sequence[Sensor], origin: tuple[float, float]) -> None:
    """
    Add the systems, the spherical coordinates and the magnetic field that sensors need to a world.

    :param origin: Longitude and latitude of x = y = 0, degrees.
    """
    present = sensors_in_gazebo(sensors)
    for file_name, system_name in systems_of(present):
        system = add_system(world, file_name, system_name)
        if system_name == 'Magnetometer':  # Gazebo from Harmonic on would have gauss, ahead, starboard and down.
            add_all(system, {'use_units_gauss': False, 'use_earth_frame_ned': False})
    if present:
        add_all(add(world, 'spherical_coordinates'), {
            'surface_model': 'EARTH_WGS84', 'world_frame_orientation': 'ENU', 'latitude_deg': origin[1],
            'longitude_deg': origin[0], 'elevation': 0.0, 'heading_deg': 0.0})
    field = next((sensor for sensor in present if sensor.kind == 'magnetometer'), None)
    if field is not None:
        north, horizontal = 0.5 * math.pi - field.number('declination'), field.number('horizontal')
        add(world, 'magnetic_field', (horizontal * math.cos(north), horizontal * math.sin(north),
                                      -field.number('down')))


def sensors_left_out(sensors: Iterable[Sensor]) -> list[str]:
    """Return a line for each sensor with errors or a kind that Gazebo lacks."""
    lines = []
    for sensor in sensors:
        if sensor.kind not in SYSTEMS:
            lines.append(f'the sensor {sensor.name} is left out: no system of Gazebo is a sensor of the kind '
                         f'{sensor.kind} without rendering')
            continue
        parts = [words for words, is_left in _left_out(sensor) if is_left]
        if parts:
            lines.append(f'of the sensor {sensor.name} Gazebo has no {", ".join(parts)}')
    return lines


def _left_out(sensor: Sensor) -> list[tuple[str, bool]]:
    errors = sensor.errors
    has_time = sensor.kind == 'imu'
    return [
        ('delay', sensor.delay > 0.0), ('drop-outs', sensor.drop_share > 0.0 or sensor.drop_interval is not None),
        ('random walk', any(one.walk for one in errors.values())),
        ('error of scale', any(one.scale_std for one in errors.values())),
        ('limits', any(math.isfinite(one.least) or math.isfinite(one.most) for one in errors.values())),
        ('slow noise (a constant of its size is drawn)', not has_time and any(one.slow_noise for one in
                                                                              errors.values())),
        ('errors of heading and level', 'heading' in errors or 'roll_pitch' in errors),
        ('velocity in NavSatFix', sensor.kind == 'gnss' and 'velocity' in errors)]


def _add_noise(parent: Element, errors: SensorErrors, *, unit: float = 1.0, has_time: bool = False) -> None:
    """
    Add the noise of a quantity.

    :param unit: SI value of the unit that Gazebo uses.
    :param has_time: Whether Gazebo's sensor passes the elapsed time to its noise.
    """
    slow = errors.slow_noise / unit
    precision = errors.resolution / unit
    noise = add(parent, 'noise', type='gaussian_quantized' if precision > FINEST else 'gaussian')
    add_all(noise, {'mean': 0.0, 'stddev': errors.noise / unit, 'bias_mean': errors.bias / unit,
                    'bias_stddev': math.hypot(errors.bias_std / unit, slow)})
    if slow and has_time:
        # In Gazebo it is the white noise that drives the process, whose stationary standard deviation is that noise
        # times sqrt(correlation time / 2).
        add_all(noise, {'dynamic_bias_stddev': slow * math.sqrt(2.0 / errors.slow_time),
                        'dynamic_bias_correlation_time': errors.slow_time})
    if precision > FINEST:
        add(noise, 'precision', precision)


def _navsat(whole: Element, sensor: Sensor) -> None:
    navsat = add(whole, 'navsat')
    position, height = (sensor.errors.get(name, NO_ERRORS) for name in ('position', 'height'))
    sensing = add(navsat, 'position_sensing')
    _add_noise(add(sensing, 'horizontal'), position, unit=DEGREE)
    _add_noise(add(sensing, 'vertical'), height)
    sensing, velocity = add(navsat, 'velocity_sensing'), sensor.errors.get('velocity', NO_ERRORS)
    for direction in ('horizontal', 'vertical'):
        _add_noise(add(sensing, direction), velocity)


def _imu(whole: Element, sensor: Sensor) -> None:
    imu = add(whole, 'imu')
    add(add(imu, 'orientation_reference_frame'), 'localization', 'ENU')
    add(imu, 'enable_orientation', 'heading' in sensor.errors)
    for tag, name in (('angular_velocity', 'gyro'), ('linear_acceleration', 'accelerometer')):
        sensing = add(imu, tag)
        for axis in 'xyz':
            _add_noise(add(sensing, axis), sensor.errors.get(name, NO_ERRORS), has_time=True)


def _magnetometer(whole: Element, sensor: Sensor) -> None:
    magnetometer = add(whole, 'magnetometer')
    for axis in 'xyz':
        _add_noise(add(magnetometer, axis), sensor.errors['field'])


CONTENTS: dict[str, Callable[[Element, Sensor], None]] = {
    'gnss': _navsat, 'imu': _imu, 'magnetometer': _magnetometer}
