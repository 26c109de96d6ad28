"""An SDF model of a boat: hull, floats, thrusters, and the systems of Gazebo that move it as its boat file says."""

import math
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ..boats.boat_file import Boat
from ..boats.vessel import Thruster
from .hull import (
    PROPELLER_SHARE,
    WATER_DENSITY,
    Floats,
    HullSize,
    Solid,
    ThrusterPlace,
    floats_of,
    hull_size,
    hull_solid,
    propeller,
    rigid_mass,
    thruster_place,
)
from .hydrodynamics import parameters_of
from .xml import add, add_all, document, note

SDF_VERSION = '1.9'          # Fortress reads up to 1.9, Harmonic up to 1.11.
BASE_LINK = 'base_link'
ODOMETRY_FREQUENCY = 50.0    # Hz; the thesis's scenarios sample at it.
PROPELLER_DIAMETER = 0.08    # m, of the picture: the Thruster system gives the commanded thrust whatever it is.
FULL_SPIN = 30.0             # rad/s at full thrust, of the picture.
FREEBOARD = (0.25, 2.0 / 3.0)  # Of the hull's height, above the water: the box that others collide with.
YELLOW, GREY, BLACK = (0.95, 0.75, 0.1, 1.0), (0.45, 0.45, 0.48, 1.0), (0.08, 0.08, 0.08, 1.0)


class Placement(NamedTuple):
    """A boat in a world: name, start x, y, m, and yaw, rad (ENU), and the water's current, m/s, until one is sent."""

    boat: Boat
    name: str
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    current: tuple[float, float] = (0.0, 0.0)


class _Parts(NamedTuple):
    size: HullSize
    floats: Floats
    hull: Solid
    thrusters: tuple[tuple[str, Thruster, ThrusterPlace, Solid], ...]


def boat_model(placement: Placement, odometry_frequency: float = ODOMETRY_FREQUENCY) -> Element:
    """
    Return a boat as an SDF model element.

    Its topics are Gazebo's usual ones (`bridge.py`): /model/<name>/odometry, ocean_current, and
    joint/<thruster>_propeller_joint/cmd_thrust, N along the thruster's own axis.

    :param odometry_frequency: Hz; its period must be whole steps of the world, or Gazebo rounds it up to some.
    :raises InputError: If the boat's file lacks what a body needs.
    """
    parts = _parts_of(placement.boat)
    model = Element('model', {'name': placement.name})
    add(model, 'pose', (placement.x, placement.y, 0.0, 0.0, 0.0, placement.yaw))
    _add_hull(model, parts)
    for name, _, place, solid in parts.thrusters:
        _add_propeller(model, name, place, solid)
    _add_hydrodynamics(model, parts, placement)
    for name, thruster, _, _ in parts.thrusters:
        _add_thruster_system(model, name, thruster, placement.name)
    system = _system(model, 'odometry-publisher', 'OdometryPublisher')
    add_all(system, {'odom_frame': f'{placement.name}/odom', 'robot_base_frame': f'{placement.name}/{BASE_LINK}',
                     'odom_publish_frequency': odometry_frequency, 'dimensions': 3})
    return model


def model_text(boat: Boat, name: str, heading: str) -> str:
    """
    Return the text of a model.sdf.

    :param name: Of the model, and of its topics.
    :param heading: First comment in the file: the command that wrote it, and its inputs.
    """
    root = Element('sdf', {'version': SDF_VERSION})
    root.append(boat_model(Placement(boat, name)))
    return document(root, heading)


def config_text(boat: Boat, heading: str) -> str:
    """Return the text of a model.config, by which Gazebo finds a model."""
    root = Element('model')
    add(root, 'name', boat.name)
    add(root, 'version', '1.0')
    add(root, 'sdf', 'model.sdf', version=SDF_VERSION)
    add(root, 'description', boat.description or boat.name)
    return document(root, heading)


def lagging(boat: Boat) -> list[str]:
    """Return the thrusters whose lag Gazebo's Thruster system leaves out: it answers at once."""
    return [name for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters) if thruster.lag > 0.0]


def _parts_of(boat: Boat) -> _Parts:
    size, inertia = hull_size(boat), boat.vessel.inertia
    mass = rigid_mass(inertia)
    places = [thruster_place(thruster) for thruster in boat.vessel.thrusters]
    solids = [propeller(PROPELLER_SHARE * mass, 0.5 * PROPELLER_DIAMETER) for _ in places]
    return _Parts(size, floats_of(mass, size), hull_solid(inertia, list(zip(places, solids))),
                  tuple(zip(boat.thruster_names, boat.vessel.thrusters, places, solids)))


def _add_hull(model: Element, parts: _Parts) -> None:
    link = add(model, 'link', name=BASE_LINK)
    _add_inertial(link, parts.hull)
    low, high = (share * parts.size.height for share in FREEBOARD)
    _add_shape(link, 'collision', 'freeboard', 'box', (0.0, 0.0, 0.5 * (low + high)),
               size=(parts.size.length, parts.size.width, high - low))
    for number, place in enumerate(parts.floats.places):
        ball = _add_shape(link, 'collision', f'float_{number}', 'sphere', place, radius=parts.floats.radius)
        add(add(add(ball, 'surface'), 'contact'), 'collide_bitmask', 0)
    _add_pictures(link, parts.size)


def _add_pictures(link: Element, size: HullSize) -> None:
    """Add what is seen of the hull: a body with a pointed bow, a box of electronics, a mast."""
    length, width, height = size
    outline = [(-0.5, 0.42), (0.2, 0.5), (0.4, 0.32), (0.5, 0.04)]
    outline += [(x, -y) for x, y in reversed(outline)]
    visual = add(link, 'visual', name='hull')
    add(visual, 'pose', (0.0, 0.0, -height / 3.0, 0.0, 0.0, 0.0))
    polyline = add(add(visual, 'geometry'), 'polyline')
    for x, y in outline:
        add(polyline, 'point', (x * length, y * width))
    add(polyline, 'height', height)
    _paint(visual, YELLOW)
    deck = height * FREEBOARD[1]
    box = _add_shape(link, 'visual', 'electronics', 'box', (-0.1 * length, 0.0, deck + 0.2 * height),
                     size=(0.35 * length, 0.4 * width, 0.4 * height))
    _paint(box, GREY)
    mast = _add_shape(link, 'visual', 'mast', 'cylinder', (-0.2 * length, 0.0, deck + height),
                      radius=0.012 * length, length=2.0 * height)
    _paint(mast, BLACK)


def _add_propeller(model: Element, name: str, place: ThrusterPlace, solid: Solid) -> None:
    link = add(model, 'link', name=f'{name}_propeller')
    add(link, 'pose', (*place.position, 0.0, place.pitch, 0.0))
    _add_inertial(link, solid)
    for number in range(2):
        blade = _add_shape(link, 'visual', f'blade_{number}', 'box', (0.0, 0.0, 0.0),
                           (0.3, 0.0, 0.5 * math.pi * number),
                           size=(0.01, PROPELLER_DIAMETER, 0.012) if number == 0 else (0.012, 0.01, PROPELLER_DIAMETER))
        _paint(blade, BLACK)
    joint = add(model, 'joint', name=f'{name}_propeller_joint', type='revolute')
    add(joint, 'parent', BASE_LINK)
    add(joint, 'child', f'{name}_propeller')
    axis = add(joint, 'axis')
    add(axis, 'xyz', (1.0, 0.0, 0.0))
    add_all(add(axis, 'limit'), {'lower': '-inf', 'upper': 'inf'})


def _add_hydrodynamics(model: Element, parts: _Parts, placement: Placement) -> None:
    system = _system(model, 'hydrodynamics', 'Hydrodynamics')
    add(system, 'link_name', BASE_LINK)
    add(system, 'namespace', placement.name)
    if any(placement.current):
        add(system, 'default_current', (*placement.current, 0.0))
    note(system, 'The Coriolis force of the added mass stands below as products of velocities: the system\'s own is '
                 'wrong. Heave, roll and pitch: critical damping.')
    add(system, 'disable_coriolis', True)
    add_all(system, dict(parameters_of(placement.boat.vessel, parts.floats, parts.hull)))


def _add_thruster_system(model: Element, name: str, thruster: Thruster, namespace: str) -> None:
    system = _system(model, 'thruster', 'Thruster')
    strongest = max(abs(thruster.min_thrust), abs(thruster.max_thrust))
    add_all(system, {
        'namespace': namespace, 'joint_name': f'{name}_propeller_joint', 'min_thrust_cmd': thruster.min_thrust,
        'max_thrust_cmd': thruster.max_thrust, 'velocity_control': True, 'fluid_density': WATER_DENSITY,
        'propeller_diameter': PROPELLER_DIAMETER,
        'thrust_coefficient': strongest / (WATER_DENSITY * PROPELLER_DIAMETER ** 4 * FULL_SPIN ** 2)})


def _system(parent: Element, file_name: str, system_name: str) -> Element:
    return add(parent, 'plugin', filename=f'gz-sim-{file_name}-system', name=f'gz::sim::systems::{system_name}')


def _add_inertial(link: Element, solid: Solid) -> None:
    inertial = add(link, 'inertial')
    if any(solid.centre):
        add(inertial, 'pose', (*solid.centre, 0.0, 0.0, 0.0))
    add(inertial, 'mass', solid.mass)
    x, y, z = solid.moments
    add_all(add(inertial, 'inertia'), {'ixx': x, 'iyy': y, 'izz': z, 'ixy': 0.0, 'ixz': 0.0, 'iyz': 0.0})


def _add_shape(link: Element, kind: str, name: str, shape: str, place: tuple[float, float, float],
               turn: tuple[float, float, float] = (0.0, 0.0, 0.0), **measures: object) -> Element:
    """Return a new collision or visual of a link: a box, sphere or cylinder."""
    whole = add(link, kind, name=name)
    add(whole, 'pose', (*place, *turn))
    add_all(add(add(whole, 'geometry'), shape), measures)
    return whole


def _paint(visual: Element, colour: tuple[float, float, float, float]) -> None:
    add_all(add(visual, 'material'), {'ambient': colour, 'diffuse': colour})
