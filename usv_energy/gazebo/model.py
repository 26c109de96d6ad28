"""
The SDF model of a boat, from its boat file: hull, floats, actuators, sensors, and the systems that move it.

The actuators of a model in SDF: propellers, the pods that turn them, foils, and Gazebo's systems for them.
"""

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple
from xml.etree.ElementTree import Element

from usv_energy.air.quadcopter import Vector
from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sensor import Sensor
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil
from usv_energy.gazebo.hull import (
    PROPELLER_DIAMETER,
    TURNS,
    WATER_DENSITY,
    Body,
    HullSize,
    Solid,
    ThrusterPlace,
    body_of,
    foil_fit,
    parameters_of,
)
from usv_energy.gazebo.sdf import (
    add,
    add_all,
    add_sensors,
    add_shape,
    add_system,
    document,
    note,
    paint,
    sensors_left_out,
)
from usv_energy.sim.actuator_states import turning_names
from usv_energy.sim.plants.live_thrusters import full_limits
from usv_energy.thrusters.thruster import WHOLE_TURN, Azimuth, Thruster

BASE_LINK = 'base_link'
FULL_SPIN = 30.0             # Rate of a propeller at full thrust, rad/s, for display only.
BLACK, WHITE, GREY = (0.08, 0.08, 0.08, 1.0), (0.95, 0.95, 0.95, 1.0), (0.45, 0.45, 0.48, 1.0)
EFFORT = 1e6                 # N m; without an effort limit Gazebo turns a joint beyond its angle limits.
# N m s/rad; the joint's controller begins in the third step, and the wind would turn a sail before that.
DAMPING = 1e4
THICKNESS = 0.01             # m, of the displayed foils and rings of fans.


def angle_joint(name: str) -> str:
    """Return the name of the joint that turns a thruster or a foil; its command is an angle from the bow, rad."""
    return f'{name}_angle_joint'


def air_namespace(model: str) -> str:
    """Return the namespace of links in the air; /model/<namespace>/ocean_current is the wind's topic, m/s (ENU)."""
    return f'{model}/air'


def add_thrusters(model: Element, body: Body) -> None:
    """Add each thruster's propeller, and the pod of one that turns."""
    for name, thruster, place in body.thrusters:
        if thruster.azimuth is not None:
            _add_pod(model, name, thruster, place, body)
        _add_propeller(model, name, place, body.small, f'{name}_pod' if thruster.azimuth else BASE_LINK)


def add_foils(model: Element, body: Body) -> None:
    """Add each foil as three links at its centre of effort, with the angles TURNS of `foil_fit`."""
    for name, foil, place in body.foils:
        for number, turn in enumerate(TURNS):
            link = add(model, 'link', name=foil_link(name, number))
            add(link, 'pose', (*place, 0.0, 0.0, turn))
            add_inertial(link, body.small)
            if number:
                _add_joint(model, f'{name}_foil_joint_{number}', 'fixed', foil_link(name, 0), foil_link(name, number))
            else:
                _add_blade(link, foil, body.size)
        if foil.steer is None:
            _add_joint(model, f'{name}_foil_joint', 'fixed', BASE_LINK, foil_link(name, 0))
        else:
            joint = _add_joint(model, angle_joint(name), 'revolute', BASE_LINK, foil_link(name, 0), foil.aft)
            _add_axis(joint, (0.0, 0.0, 1.0), foil.steer.least, foil.steer.largest, steered=True)


def add_thruster_systems(model: Element, body: Body, namespace: str,
                         limits: Sequence[tuple[float, float]]) -> None:
    """
    Add the systems that give each thruster its commanded thrust along the axis, N, and turn those that turn.

    :param namespace: The model's name.
    :param limits: The least and the largest command of each thruster, N.
    """
    for (name, thruster, _), (least, largest) in zip(body.thrusters, limits, strict=True):
        strongest = max(abs(thruster.min_thrust), abs(thruster.max_thrust))
        add_all(add_system(model, 'thruster', 'Thruster'), {
            'namespace': namespace, 'joint_name': f'{name}_propeller_joint',
            'min_thrust_cmd': least, 'max_thrust_cmd': largest, 'velocity_control': True,
            'fluid_density': WATER_DENSITY, 'propeller_diameter': PROPELLER_DIAMETER,
            'thrust_coefficient': strongest / (WATER_DENSITY * PROPELLER_DIAMETER ** 4 * FULL_SPIN ** 2)})
        if thruster.azimuth is not None:
            _add_steering(model, name, thruster.azimuth.least, thruster.azimuth.largest, thruster.azimuth.rate)


def add_joint_states(model: Element, boat: Boat, namespace: str) -> None:
    """
    Add the system that publishes joint states: angles, rad, and rates of propellers, rad/s.

    Propellers whose thrust follows from their rate are left out. In Gazebo they turn at the rate of the thrust at
    standstill, and a reader of the rate would compute a lower thrust under way.
    """
    has_rate = [one is not None and one.turning is not None for one in boat.propellers]
    joints = [f'{name}_propeller_joint' for name, skipped in zip_longest(boat.thruster_names, has_rate) if not skipped]
    joints += [angle_joint(name) for name in turning_names(boat)]
    if joints:
        system = add_system(model, 'joint-state-publisher', 'JointStatePublisher')
        add(system, 'topic', joint_state_topic(namespace))
        for joint in joints:
            add(system, 'joint_name', joint)


def joint_state_topic(model: str) -> str:
    """Return the topic of a model's joint states in Gazebo; Gazebo's default contains the name of the world."""
    return f'/model/{model}/joint_state'


def add_foil_systems(model: Element, body: Body, namespace: str, current: tuple[float, float]) -> None:
    """
    Add the systems that give the foils their forces, and turn those that turn.

    :param namespace: The model's name, whose current the hull's Hydrodynamics also uses.
    :param current: Current of the water until one is sent, m/s (ENU).
    """
    for name, foil, _ in body.foils:
        fit = foil_fit(foil)
        for number, elements in enumerate(fit.links):
            system = add_system(model, 'hydrodynamics', 'Hydrodynamics')
            if not number:
                note(system, f'The foil {name}: three links give its lift and drag within {_percent(fit.error)} of its '
                             'largest force, at any angle to the flow.')
            add(system, 'link_name', foil_link(name, number))
            add(system, 'namespace', namespace if foil.in_air is None else air_namespace(namespace))
            if any(current) and foil.in_air is None:
                add(system, 'default_current', (*current, 0.0))
            add(system, 'disable_coriolis', True)
            add_all(system, dict(elements))
        if foil.steer is not None:
            _add_steering(model, name, foil.steer.least, foil.steer.largest, foil.steer.rate)


def foil_link(name: str, number: int) -> str:
    """Return the name of a link of a foil; the link 0 lies along its chord."""
    return f'{name}_foil' if number == 0 else f'{name}_foil_{number}'


def add_inertial(link: Element, solid: Solid) -> None:
    """Add a link's mass and moments of inertia."""
    inertial = add(link, 'inertial')
    if any(solid.centre):
        add(inertial, 'pose', (*solid.centre, 0.0, 0.0, 0.0))
    add(inertial, 'mass', solid.mass)
    x, y, z = solid.moments
    add_all(add(inertial, 'inertia'), {'ixx': x, 'iyy': y, 'izz': z, 'ixy': 0.0, 'ixz': 0.0, 'iyz': 0.0})


def _percent(share: float) -> str:
    return f'{100.0 * share:.1f} %'


def _add_propeller(model: Element, name: str, place: ThrusterPlace, solid: Solid, parent: str) -> None:
    link = add(model, 'link', name=f'{name}_propeller')
    add(link, 'pose', (*place.position, 0.0, place.pitch, place.yaw))
    add_inertial(link, solid)
    for number in range(2):
        size = (0.01, PROPELLER_DIAMETER, 0.012) if number == 0 else (0.012, 0.01, PROPELLER_DIAMETER)
        paint(add_shape(link, 'visual', f'blade_{number}', 'box', turn=(0.3, 0.0, 0.5 * math.pi * number), size=size),
              BLACK)
    _add_axis(_add_joint(model, f'{name}_propeller_joint', 'revolute', parent, f'{name}_propeller'),
              (1.0, 0.0, 0.0))


def _add_pod(model: Element, name: str, thruster: Thruster, place: ThrusterPlace, body: Body) -> None:
    """Add the pod that turns a propeller. A fan's ring is shown above the deck, but its thrust acts without heeling."""
    azimuth: Azimuth = thruster.azimuth  # type: ignore[assignment]  # The caller checks that it turns.
    link = add(model, 'link', name=f'{name}_pod')
    add(link, 'pose', (*place.position, 0.0, 0.0, 0.0))
    add_inertial(link, body.small)
    radius = 0.5 * PROPELLER_DIAMETER if thruster.in_air is None else 0.25 * body.size.width
    height = 0.0 if thruster.in_air is None else body.size.height + radius
    paint(add_shape(link, 'visual', 'ring', 'cylinder', (0.0, 0.0, height), (0.0, 0.5 * math.pi, 0.0), radius=radius,
                    length=2.0 * THICKNESS), GREY)
    joint = _add_joint(model, angle_joint(name), 'revolute', BASE_LINK, f'{name}_pod')
    if azimuth.largest - azimuth.least >= WHOLE_TURN:
        _add_axis(joint, (0.0, 0.0, 1.0), steered=True)
    else:
        _add_axis(joint, (0.0, 0.0, 1.0), azimuth.least, azimuth.largest, steered=True)


def _add_blade(link: Element, foil: Foil, size: HullSize) -> None:
    """Add the visual of a foil: twice as high as its chord, below the hull or above the deck."""
    chord = math.sqrt(0.5 * foil.area)
    middle = -chord - size.height / 3.0 if foil.in_air is None else chord + size.height
    paint(add_shape(link, 'visual', 'blade', 'box', (0.0, 0.0, middle), size=(chord, THICKNESS, 2.0 * chord)),
          GREY if foil.in_air is None else WHITE)


def _add_joint(model: Element, name: str, kind: str, parent: str, child: str, ahead: float = 0.0) -> Element:
    """Return a new joint; `ahead`: distance of its place ahead of the child's origin, m."""
    joint = add(model, 'joint', name=name, type=kind)
    if ahead:
        add(joint, 'pose', (ahead, 0.0, 0.0, 0.0, 0.0, 0.0))
    add_all(joint, {'parent': parent, 'child': child})
    return joint


def _add_axis(joint: Element, along: tuple[float, float, float], least: float | None = None,
              largest: float | None = None, steered: bool = False) -> None:
    axis = add(joint, 'axis')
    add(axis, 'xyz', along)
    add_all(add(axis, 'limit'), {'lower': '-inf' if least is None else least,
                                 'upper': 'inf' if largest is None else largest,
                                 **({'effort': EFFORT} if steered else {})})
    if steered:
        add(add(axis, 'dynamics'), 'damping', DAMPING)


def _add_steering(model: Element, name: str, least: float, largest: float, rate: float) -> None:
    """Add the controller that turns a joint to the commanded angle, rad, at a rate, rad/s; it starts closest to 0."""
    begin = min(max(0.0, least), largest)
    add_all(add_system(model, 'joint-position-controller', 'JointPositionController'), {
        'joint_name': angle_joint(name), 'use_velocity_commands': True, 'cmd_max': rate, 'cmd_min': -rate,
        **({'initial_position': begin} if begin else {})})


SDF_VERSION = '1.9'          # Fortress reads up to 1.9, Harmonic up to 1.11.
ODOMETRY_FREQUENCY = 50.0    # Hz; the thesis's scenarios sample at it.
FREEBOARD = (0.25, 2.0 / 3.0)  # Bottom and top of the collision box above water, as shares of the hull's height.
YELLOW = (0.95, 0.75, 0.1, 1.0)
LEFT_TO_NODE = 'is left to the node gazebo_thrusters'
LEGS = 0.05                  # Height of a quadcopter's centre of mass above the deck on which it stands, m.
DECK = (0.6, 0.6, 0.02)      # Size of the deck for a quadcopter, m.
COARSE_FIT = 0.02            # Error of a foil's fit, as a share of the largest force, above which there is a warning.


class Placement(NamedTuple):
    """
    A boat in a world: name, start x, y, m, yaw, rad (ENU), current of the water until one is sent, m/s, and sensors.

    `pad`: place of a quadcopter on the deck, ahead, to port and up from the boat's reference point, m; None: no deck.
    """

    boat: Boat
    name: str
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    current: tuple[float, float] = (0.0, 0.0)
    sensors: tuple[Sensor, ...] = ()
    pad: Vector | None = None


def boat_model(placement: Placement, odometry_frequency: float = ODOMETRY_FREQUENCY) -> Element:
    """
    Return a boat as an SDF model element.

    Its topics are Gazebo's usual ones (`bridge.py`), below /model/<name>: odometry, ocean_current, joint_state,
    joint/<thruster>_propeller_joint/cmd_thrust (thrust along the thruster's axis, N), joint/<name of a thruster or
    foil>_angle_joint/0/cmd_pos (angle from the bow, rad), and air/ocean_current (wind of a sail).

    :param odometry_frequency: Hz; its period must be a whole number of the world's steps, or Gazebo rounds it up.
    :raises InputError: If the boat's file lacks numbers for the body.
    """
    body = body_of(placement.boat)
    model = Element('model', {'name': placement.name})
    add(model, 'pose', (placement.x, placement.y, 0.0, 0.0, 0.0, placement.yaw))
    link = _add_hull(model, body)
    if placement.pad is not None:
        _add_deck(link, body, placement.pad)
    add_sensors(link, placement.sensors, placement.name)
    add_thrusters(model, body)
    add_foils(model, body)
    _add_hydrodynamics(model, body, placement)
    add_thruster_systems(model, body, placement.name, full_limits(placement.boat))
    add_foil_systems(model, body, placement.name, placement.current)
    add_joint_states(model, placement.boat, placement.name)
    add_all(add_system(model, 'odometry-publisher', 'OdometryPublisher'), {
        'odom_frame': f'{placement.name}/odom', 'robot_base_frame': f'{placement.name}/{BASE_LINK}',
        'odom_publish_frequency': odometry_frequency, 'dimensions': 3})
    return model


def model_text(boat: Boat, name: str, heading: str, odometry_frequency: float = ODOMETRY_FREQUENCY,
               sensors: tuple[Sensor, ...] | None = None, pad: Vector | None = None) -> str:
    """
    Return the text of a model.sdf.

    :param name: Name of the model and of its topics.
    :param heading: First comment in the file: the command that wrote it, and its inputs.
    :param odometry_frequency: As in `boat_model`.
    :param sensors: Sensors instead of the boat's own.
    :param pad: As in Placement.
    """
    root = Element('sdf', {'version': SDF_VERSION})
    carried = boat.sensors if sensors is None else sensors
    root.append(boat_model(Placement(boat, name, sensors=carried, pad=pad), odometry_frequency))
    return document(root, heading)


def config_text(name: str, description: str, heading: str) -> str:
    """Return the text of a model.config, by which Gazebo finds a model."""
    root = Element('model')
    add_all(root, {'name': name, 'version': '1.0'})
    add(root, 'sdf', 'model.sdf', version=SDF_VERSION)
    add(root, 'description', description or name)
    return document(root, heading)


def left_out(boat: Boat, sensors: tuple[Sensor, ...] | None = None) -> list[str]:
    """
    Return a line for each feature of the boat's file that its model lacks.

    :param sensors: Sensors instead of the boat's own.
    """
    thrusters = list(zip(boat.thruster_names, boat.vessel.thrusters))
    foils = list(zip(boat.foil_names, boat.vessel.foils))
    lines = []
    if lagging := [name for name, thruster in thrusters if thruster.lag > 0.0]:
        lines.append(f'the lag of {", ".join(lagging)} {LEFT_TO_NODE}: Gazebo\'s Thruster answers at once')
    if screws := [name for name, thruster in thrusters if thruster.propeller is not None]:
        lines.append(f'what the propellers of {", ".join(screws)} lose under way {LEFT_TO_NODE}: Gazebo\'s Thruster '
                     'gives what is commanded at any speed')
    if boat.vessel.damping.wave is not None:
        lines.append('the waves that the hull makes are in its quadratic drag, all that Gazebo knows: right at one '
                     'speed, near the end of damping.wave')
    if boat.pack is not None:
        lines.append(f'the battery {LEFT_TO_NODE}: without it the thrusters never stop')
    if washed := [name for name, foil in foils if foil.wash is not None]:
        lines.append(f'the slipstream at {", ".join(washed)} is left out: no system of Gazebo knows of it')
    for name, foil in foils:
        error = foil_fit(foil).error
        if error > COARSE_FIT:
            lines.append(f'the curve of the foil {name} is met within {100.0 * error:.0f} % of its largest force')
    return lines + sensors_left_out(boat.sensors if sensors is None else sensors)


def _add_hull(model: Element, body: Body) -> Element:
    """Return the hull's link, which is new."""
    link = add(model, 'link', name=BASE_LINK)
    add_inertial(link, body.hull)
    low, high = (share * body.size.height for share in FREEBOARD)
    add_shape(link, 'collision', 'freeboard', 'box', (0.0, 0.0, 0.5 * (low + high)),
              size=(body.size.length, body.size.width, high - low))
    for number, place in enumerate(body.floats.places):
        ball = add_shape(link, 'collision', f'float_{number}', 'sphere', place, radius=body.floats.radius)
        add(add(add(ball, 'surface'), 'contact'), 'collide_bitmask', 0)
    # Visuals: a body with a pointed bow, a box of electronics, a mast.
    length, width, height = body.size
    outline = [(-0.5, 0.42), (0.2, 0.5), (0.4, 0.32), (0.5, 0.04)]
    outline += [(x, -y) for x, y in reversed(outline)]
    visual = add(link, 'visual', name='hull')
    add(visual, 'pose', (0.0, 0.0, -height / 3.0, 0.0, 0.0, 0.0))
    polyline = add(add(visual, 'geometry'), 'polyline')
    for x, y in outline:
        add(polyline, 'point', (x * length, y * width))
    add(polyline, 'height', height)
    paint(visual, YELLOW)
    deck = height * FREEBOARD[1]
    box = add_shape(link, 'visual', 'electronics', 'box', (-0.1 * length, 0.0, deck + 0.2 * height),
                    size=(0.35 * length, 0.4 * width, 0.4 * height))
    paint(box, GREY)
    mast = add_shape(link, 'visual', 'mast', 'cylinder', (-0.2 * length, 0.0, deck + height),
                     radius=0.012 * length, length=2.0 * height)
    paint(mast, BLACK)
    return link


def _add_deck(link: Element, body: Body, pad: Vector) -> None:
    """
    Add a deck without mass for a quadcopter.

    :raises InputError: If it would be within the hull, or under water.
    """
    x, y, z = pad
    top, least = z - LEGS, FREEBOARD[1] * body.size.height
    if top - DECK[2] < least:
        raise InputError(f'the pad is {z:g} m up; its deck is {LEGS + DECK[2]:g} m lower, and the hull reaches to '
                         f'{least:g} m: must be at least {least + LEGS + DECK[2]:g} m')
    for kind in ('collision', 'visual'):
        shape = add_shape(link, kind, f'deck_{kind}', 'box', (x, y, top - 0.5 * DECK[2]), size=DECK)
        if kind == 'visual':
            paint(shape, GREY)


def _add_hydrodynamics(model: Element, body: Body, placement: Placement) -> None:
    system = add_system(model, 'hydrodynamics', 'Hydrodynamics')
    add(system, 'link_name', BASE_LINK)
    add(system, 'namespace', placement.name)
    if any(placement.current):
        add(system, 'default_current', (*placement.current, 0.0))
    note(system, 'The Coriolis force of the added mass stands below as products of velocities: the system\'s own is '
                 'wrong. Heave, roll and pitch: critical damping.')
    add(system, 'disable_coriolis', True)
    add_all(system, dict(parameters_of(placement.boat.vessel, body.floats, body.hull)))
