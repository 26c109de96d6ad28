"""The actuators of a model in SDF: propellers, the pods that turn them, foils, and Gazebo's systems for them."""

import math
from collections.abc import Sequence
from itertools import zip_longest
from xml.etree.ElementTree import Element

from usv_energy.boats.boat_file import Boat
from usv_energy.foils.foil import Foil
from usv_energy.gazebo.foil_fit import TURNS, foil_fit
from usv_energy.gazebo.hull import PROPELLER_DIAMETER, WATER_DENSITY, Body, HullSize, Solid, ThrusterPlace
from usv_energy.gazebo.sdf import add, add_all, add_shape, add_system, note, paint
from usv_energy.sim.actuator_states import turning_names
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
