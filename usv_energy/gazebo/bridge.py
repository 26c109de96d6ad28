"""
The topics of ros_gz_bridge between Gazebo and the graphs of one or several boats, as the YAML file that it reads.

A gz-transport node advertises a topic only once, so all boats share one ROS topic for each topic of the world, such as
the wrenches.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sensor import Sensor
from usv_energy.gazebo.model import air_namespace, angle_joint, joint_state_topic
from usv_energy.gazebo.quadcopter_model import ENABLE, VELOCITY
from usv_energy.gazebo.sdf import TOPICS, sensor_topic, sensors_in_gazebo
from usv_energy.sim.actuator_states import turning_names
from usv_energy.sim.plants.live_thrusters import changes_thrust

GZ_TO_ROS, ROS_TO_GZ = 'GZ_TO_ROS', 'ROS_TO_GZ'
# As deep as the graph's streams (qos.py): at ten times real time a short queue silently loses odometry.
QUEUE = 1000
COMMAND = 'python3 -m usv_energy.gazebo.bridge'
THRUSTS, THRUSTS_TO_GAZEBO = 'cmd_thrust', 'gazebo/cmd_thrust'
WRENCH, WRENCH_CLEAR = '/gazebo/wrench/persistent', '/gazebo/wrench/clear'


class BridgedBoat(NamedTuple):
    """
    A bridged boat: its namespace in ROS, its model's name in Gazebo, the names of its thrusters.

    `turning`: names of the thrusters and foils that turn. `sails`: whether it has foils in the air. `answered`: whether
    gazebo_thrusters converts its thrust commands for Gazebo. `sensors`: its sensors.
    """

    namespace: str
    model: str
    thrusters: tuple[str, ...] = ('left', 'right')
    turning: tuple[str, ...] = ()
    sails: bool = False
    answered: bool = False
    sensors: tuple[Sensor, ...] = ()


class BridgedQuadcopter(NamedTuple):
    """A bridged quadcopter: its namespace in ROS, its model's name in Gazebo."""

    namespace: str
    model: str


def quadcopter_entries(copter: BridgedQuadcopter) -> list['Entry']:
    """Return the bridged topics of one quadcopter, all for the node gazebo_quadcopter."""
    ros, model = '/' + copter.namespace.strip('/'), f'/model/{copter.model}'
    return [
        Entry(f'{ros}/gazebo/odom', f'{model}/odometry', 'nav_msgs/msg/Odometry', 'gz.msgs.Odometry', GZ_TO_ROS),
        Entry(f'{ros}/gazebo/rotors', joint_state_topic(copter.model), 'sensor_msgs/msg/JointState', 'gz.msgs.Model',
              GZ_TO_ROS),
        Entry(f'{ros}/{VELOCITY}', f'{model}/{VELOCITY}', 'geometry_msgs/msg/Twist', 'gz.msgs.Twist', ROS_TO_GZ),
        Entry(f'{ros}/{ENABLE}', f'{model}/{ENABLE}', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', ROS_TO_GZ),
        Entry(f'{ros}/gazebo/wind', f'/model/{air_namespace(copter.model)}/ocean_current', 'geometry_msgs/msg/Vector3',
              'gz.msgs.Vector3d', ROS_TO_GZ)]


def bridged_boat(boat: Boat, name: str, sensors: tuple[Sensor, ...] | None = None) -> BridgedBoat:
    """Return the bridged boat with the same name on both sides; `sensors`: instead of its own."""
    return BridgedBoat(f'/{name}', name, boat.thruster_names, tuple(turning_names(boat)),
                       any(foil.in_air is not None for foil in boat.vessel.foils), changes_thrust(boat),
                       boat.sensors if sensors is None else sensors)


class Entry(NamedTuple):
    """One bridged topic. The fields are the keys that ros_gz_bridge reads (its src/bridge_config.cpp)."""

    ros_topic_name: str
    gz_topic_name: str
    ros_type_name: str
    gz_type_name: str
    direction: str
    lazy: bool = False


def boat_entries(boat: BridgedBoat) -> list[Entry]:
    """
    Return the bridged topics of one boat: those of its model's OdometryPublisher, its actuators and Hydrodynamics.

    Current and wind are bridged lazily. So they have a subscriber in ROS only if Gazebo's world has one, and
    `GazeboEnvironment` can detect a world without. The joint states are lazy because each step of the world sends one.
    """
    ros, model = '/' + boat.namespace.strip('/'), f'/model/{boat.model}'
    thrusts = THRUSTS_TO_GAZEBO if boat.answered else THRUSTS
    return [
        Entry(f'{ros}/odom', f'{model}/odometry', 'nav_msgs/msg/Odometry', 'gz.msgs.Odometry', GZ_TO_ROS),
        *(Entry(f'{ros}/{thrusts}/{thruster}', f'{model}/joint/{thruster}_propeller_joint/cmd_thrust',
                'std_msgs/msg/Float64', 'gz.msgs.Double', ROS_TO_GZ) for thruster in boat.thrusters),
        *(Entry(f'{ros}/cmd_angle/{name}', f'{model}/joint/{angle_joint(name)}/0/cmd_pos',
                'std_msgs/msg/Float64', 'gz.msgs.Double', ROS_TO_GZ) for name in boat.turning),
        Entry(f'{ros}/actuator_states', joint_state_topic(boat.model), 'sensor_msgs/msg/JointState', 'gz.msgs.Model',
              GZ_TO_ROS, lazy=True),
        *(Entry(f'{ros}/{sensor.name}/{TOPICS[sensor.kind][0]}', sensor_topic(boat.model, sensor),
                *TOPICS[sensor.kind][1:], GZ_TO_ROS, lazy=True) for sensor in sensors_in_gazebo(boat.sensors)),
        *(Entry(f'{ros}/gazebo/{ros_name}', f'/model/{fluid}/ocean_current', 'geometry_msgs/msg/Vector3',
                'gz.msgs.Vector3d', ROS_TO_GZ, lazy=True)
          for ros_name, fluid in (('ocean_current', boat.model), ('sail_wind', air_namespace(boat.model)))
          if ros_name == 'ocean_current' or boat.sails)]


def bridge_yaml(world: str, boats: Sequence[BridgedBoat], copters: Sequence[BridgedQuadcopter] = ()) -> str:
    """
    Return the content of the file for ros_gz_bridge's parameter `config_file`.

    :param world: The world's name in its SDF.
    :param boats: The boats in the world.
    :param copters: The quadcopters in the world.
    """
    lines = ['# ros_gz_bridge, parameter config_file. Made by: '
             f'{COMMAND} --world {world} --boats {" ".join(boat.model for boat in boats)}']
    of_world = [  # Its clock, and the wrenches of its system ApplyLinkWrench.
        Entry('/clock', f'/world/{world}/clock', 'rosgraph_msgs/msg/Clock', 'gz.msgs.Clock', GZ_TO_ROS, lazy=True),
        Entry(WRENCH, f'/world/{world}/wrench/persistent', 'ros_gz_interfaces/msg/EntityWrench',
              'gz.msgs.EntityWrench', ROS_TO_GZ, lazy=True),
        Entry(WRENCH_CLEAR, f'/world/{world}/wrench/clear', 'ros_gz_interfaces/msg/Entity',
              'gz.msgs.Entity', ROS_TO_GZ, lazy=True)]
    for entry in [*of_world, *(entry for boat in boats for entry in boat_entries(boat)),
                  *(entry for copter in copters for entry in quadcopter_entries(copter))]:
        pairs = {**entry._asdict(), 'lazy': str(entry.lazy).lower(), 'publisher_queue': QUEUE,
                 'subscriber_queue': QUEUE}
        lines += [f'{"-" if key == "ros_topic_name" else " "} {key}: {value}' for key, value in pairs.items()]
    return '\n'.join(lines) + '\n'


def control_argument(world: str) -> str:
    """Return the argument of `parameter_bridge` for the service that controls a world, which its YAML cannot have."""
    return f'/world/{world}/control@ros_gz_interfaces/srv/ControlWorld'


def named_boats(names: Iterable[str], answered: bool = False) -> list[BridgedBoat]:
    """Return boats with the same name on both sides; `answered` as in BridgedBoat."""
    return [BridgedBoat(f'/{name}', name, answered=answered) for name in names]


def main(argv: list[str] | None = None) -> None:
    """Print the YAML for boats with one name on both sides."""
    import argparse
    parser = argparse.ArgumentParser(COMMAND, description=main.__doc__, allow_abbrev=False)
    parser.add_argument('--world', default='open_water', help="the world's name in its SDF (%(default)s)")
    parser.add_argument('--boats', nargs='+', default=['diffboat'], metavar='NAME',
                        help='names of the models, and of their namespaces in ROS (diffboat)')
    parser.add_argument('--answered', action='store_true',
                        help='gazebo_thrusters answers their commands: battery, propellers in moving water, lag')
    args = parser.parse_args(argv)
    print(bridge_yaml(args.world, named_boats(args.boats, args.answered)), end='')


if __name__ == '__main__':
    main()
