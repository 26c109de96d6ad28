"""The SDF model of a boat, from its boat file: hull, floats, actuators, sensors, and the systems that move it."""

from typing import NamedTuple
from xml.etree.ElementTree import Element

from usv_energy.air.quadcopter import Vector
from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sensor import Sensor
from usv_energy.files.errors import InputError
from usv_energy.gazebo.foil_fit import foil_fit
from usv_energy.gazebo.hull import Body, body_of, parameters_of
from usv_energy.gazebo.joints import (
    BASE_LINK,
    BLACK,
    GREY,
    add_foil_systems,
    add_foils,
    add_inertial,
    add_joint_states,
    add_thruster_systems,
    add_thrusters,
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
from usv_energy.sim.plants.live_thrusters import full_limits

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
