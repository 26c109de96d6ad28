"""
The SDF model of a quadcopter: body, rotors, and the systems of Gazebo that move and steer it.

MulticopterMotorModel gives each rotor thrust and torque in proportion to the square of its speed, which lags. The drag
of the air comes from Hydrodynamics with the air as its fluid (`joints.air_namespace`), including the wind.
MulticopterVelocityControl is the inverse kinematics of `air.flight_control` with a velocity as its goal: the thrust
points along the desired acceleration, and the attitude follows the same second-order system.
"""

import math
from typing import NamedTuple
from xml.etree.ElementTree import Element

from usv_energy.air.flight_control import GAINS
from usv_energy.air.quadcopter import Quadcopter, Vector
from usv_energy.files.errors import InputError
from usv_energy.gazebo.hull import Solid
from usv_energy.gazebo.model import (
    BASE_LINK,
    BLACK,
    GREY,
    LEGS,
    ODOMETRY_FREQUENCY,
    SDF_VERSION,
    add_inertial,
    air_namespace,
    joint_state_topic,
)
from usv_energy.gazebo.sdf import add, add_all, add_shape, add_system, document, note, paint

SLOWDOWN = 10.0         # Speed of rotors over that of Gazebo's joints, so that a step is a small part of a turn.
ROTOR_SHARE = 0.005     # Mass of a rotor's link over that of the quadcopter.
SMALLEST_LAG = 1e-6     # s; Gazebo divides by the lag.
VELOCITY, ENABLE = 'cmd_vel', 'enable'
SYSTEMS = ('MulticopterMotorModel', 'MulticopterVelocityControl')


class RotorPlace(NamedTuple):
    """A rotor: its name, its place x, y, m, and whether it turns counter-clockwise seen from above."""

    name: str
    x: float
    y: float
    counter_clockwise: bool


def rotor_places(craft: Quadcopter) -> tuple[RotorPlace, ...]:
    """Return the rotors in the order of `air.quadcopter`: ahead to port, then clockwise; 1 and 3 turn clockwise."""
    side = craft.arm / math.sqrt(2.0)
    return tuple(RotorPlace(f'rotor_{number}', x * side, y * side, number % 2 == 0)
                 for number, (x, y) in enumerate(((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)), start=1))


def rotor_joint(name: str) -> str:
    """Return the name of a rotor's joint."""
    return f'{name}_joint'


def quadcopter_model(craft: Quadcopter, name: str, place: Vector = (0.0, 0.0, 0.0), yaw: float = 0.0,
                     odometry_frequency: float = ODOMETRY_FREQUENCY) -> Element:
    """
    Return a quadcopter as an SDF model element; its origin is its centre of mass.

    Its topics, below /model/<name>: odometry, joint_state (the rotors' speeds over SLOWDOWN), cmd_vel (velocity in body
    axes, m/s, and yaw rate, rad/s), enable (starts the rotors), and air/ocean_current (the wind).

    :param place: x, y, z, m.
    :param yaw: rad (ENU).
    :param odometry_frequency: Hz; its period must be a whole number of the world's steps.
    :raises InputError: If its file has no rotor_constant.
    """
    if math.isnan(craft.rotor_constant):
        raise InputError(f'the quadcopter {craft.name} has no quadcopter.rotor_constant; a Gazebo model needs the '
                         'thrust of a rotor over the square of its speed, N s^2')
    model = Element('model', {'name': name})
    add(model, 'pose', (*place, 0.0, 0.0, yaw))
    rotors = rotor_places(craft)
    rotor = Solid(ROTOR_SHARE * craft.mass, (0.0, 0.0, 0.0), (_rotor_inertia(craft),) * 3)
    _add_body(model, craft, rotors, rotor)
    for one in rotors:
        _add_rotor(model, craft, one, rotor)
    for number, one in enumerate(rotors):
        _add_motor(model, craft, one, number, name)
    _add_control(model, craft, rotors, name)
    _add_drag(model, craft, name)
    states = add_system(model, 'joint-state-publisher', 'JointStatePublisher')
    add(states, 'topic', joint_state_topic(name))
    for one in rotors:
        add(states, 'joint_name', rotor_joint(one.name))
    add_all(add_system(model, 'odometry-publisher', 'OdometryPublisher'), {
        'odom_frame': f'{name}/odom', 'robot_base_frame': f'{name}/{BASE_LINK}',
        'odom_publish_frequency': odometry_frequency, 'dimensions': 3})
    return model


def quadcopter_text(craft: Quadcopter, name: str, heading: str,
                    odometry_frequency: float = ODOMETRY_FREQUENCY) -> str:
    """Return the text of a model.sdf; `heading`: its first comment; other parameters as in `quadcopter_model`."""
    root = Element('sdf', {'version': SDF_VERSION})
    root.append(quadcopter_model(craft, name, odometry_frequency=odometry_frequency))
    return document(root, heading)


def thrust_of(craft: Quadcopter, joint_speed: float) -> float:
    """Return the thrust of a rotor, N, for the speed of its joint in Gazebo, rad/s, with either sign."""
    return craft.rotor_constant * (SLOWDOWN * joint_speed) ** 2


def _rotor_inertia(craft: Quadcopter) -> float:
    """Return the moment of inertia of a rotor's link, kg m^2: that of a small ball, so that it does not vibrate."""
    return 0.4 * ROTOR_SHARE * craft.mass * (0.2 * craft.rotor_radius) ** 2


def _add_body(model: Element, craft: Quadcopter, rotors: tuple[RotorPlace, ...], rotor: Solid) -> None:
    """Add the body, so that body and rotors together have the mass and the moments of inertia of the file."""
    taken_x = sum(rotor.moments[0] + rotor.mass * one.y ** 2 for one in rotors)
    taken_y = sum(rotor.moments[1] + rotor.mass * one.x ** 2 for one in rotors)
    taken_z = sum(rotor.moments[2] + rotor.mass * (one.x ** 2 + one.y ** 2) for one in rotors)
    x, y, z = craft.inertia
    link = add(model, 'link', name=BASE_LINK)
    add_inertial(link, Solid(craft.mass - len(rotors) * rotor.mass, (0.0, 0.0, 0.0),
                             (x - taken_x, y - taken_y, z - taken_z)))
    side = craft.arm / math.sqrt(2.0)
    size = (2.0 * side, 2.0 * side, 0.2 * LEGS)
    add_shape(link, 'collision', 'legs', 'box', (0.0, 0.0, 0.1 * LEGS - LEGS), size=size)
    for number, turn in enumerate((0.25 * math.pi, -0.25 * math.pi)):
        paint(add_shape(link, 'visual', f'arm_{number}', 'box', (0.0, 0.0, 0.0), (0.0, 0.0, turn),
                        size=(2.0 * craft.arm, 0.02, 0.015)), BLACK)
    paint(add_shape(link, 'visual', 'skids', 'box', (0.0, 0.0, 0.1 * LEGS - LEGS), size=(side, side, 0.2 * LEGS)), GREY)


def _add_rotor(model: Element, craft: Quadcopter, place: RotorPlace, solid: Solid) -> None:
    link = add(model, 'link', name=place.name)
    add(link, 'pose', (place.x, place.y, 0.0, 0.0, 0.0, 0.0))
    add_inertial(link, solid)
    paint(add_shape(link, 'visual', 'disc', 'cylinder', (0.0, 0.0, 0.02), radius=craft.rotor_radius, length=0.004),
          GREY)
    joint = add(model, 'joint', name=rotor_joint(place.name), type='revolute')
    add_all(joint, {'parent': BASE_LINK, 'child': place.name})
    axis = add(joint, 'axis')
    add(axis, 'xyz', (0.0, 0.0, 1.0))
    add_all(add(axis, 'limit'), {'lower': '-inf', 'upper': 'inf'})


def _add_motor(model: Element, craft: Quadcopter, place: RotorPlace, number: int, name: str) -> None:
    lag = max(craft.lag, SMALLEST_LAG)
    add_all(add_system(model, 'multicopter-motor-model', 'MulticopterMotorModel'), {
        'robotNamespace': f'model/{name}', 'jointName': rotor_joint(place.name), 'linkName': place.name,
        'turningDirection': 'ccw' if place.counter_clockwise else 'cw', 'timeConstantUp': lag, 'timeConstantDown': lag,
        'maxRotVelocity': math.sqrt(craft.most_thrust / craft.rotor_constant), 'motorConstant': craft.rotor_constant,
        'momentConstant': craft.torque, 'commandSubTopic': 'rotor_speeds', 'motorNumber': number,
        'rotorDragCoefficient': 0.0, 'rollingMomentCoefficient': 0.0, 'rotorVelocitySlowdownSim': SLOWDOWN,
        'motorType': 'velocity'})


def _add_control(model: Element, craft: Quadcopter, rotors: tuple[RotorPlace, ...], name: str) -> None:
    gains = GAINS
    system = add_system(model, 'multicopter-control', 'MulticopterVelocityControl')
    note(system, 'The gains of air/flight_control.py: frequency^2 J and 2 damping frequency J; mass times braking.')
    x, y, z = craft.inertia
    stiff, damp = gains.frequency ** 2, 2.0 * gains.damping * gains.frequency
    most = 9.81 * math.tan(gains.most_tilt)
    add_all(system, {
        'robotNamespace': f'model/{name}', 'commandSubTopic': VELOCITY, 'enableSubTopic': ENABLE,
        'comLinkName': BASE_LINK, 'velocityGain': (gains.braking * craft.mass,) * 3,
        'attitudeGain': (stiff * x, stiff * y, gains.yaw_frequency ** 2 * z),
        'angularRateGain': (damp * x, damp * y, 2.0 * gains.yaw_frequency * z),
        'maximumLinearAcceleration': (most, most, 0.8 * 9.81)})
    configuration = add(system, 'rotorConfiguration')
    for one in rotors:
        add_all(add(configuration, 'rotor'), {
            'jointName': rotor_joint(one.name), 'forceConstant': craft.rotor_constant, 'momentConstant': craft.torque,
            'direction': 1 if one.counter_clockwise else -1})


def _add_drag(model: Element, craft: Quadcopter, name: str) -> None:
    system = add_system(model, 'hydrodynamics', 'Hydrodynamics')
    note(system, 'The drag of the air, in proportion to the speed through it; its current is the wind.')
    add_all(system, {'link_name': BASE_LINK, 'namespace': air_namespace(name), 'disable_coriolis': True,
                     'xU': -craft.drag, 'yV': -craft.drag, 'zW': -craft.drag})
