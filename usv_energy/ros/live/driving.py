"""For nodes that drive a boat: checks of ordered velocities and paths, actuator commands, the apparent wind."""

import math
from collections.abc import Collection
from contextlib import ExitStack

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, Vector3Stamped
from nav_msgs.msg import Odometry, Path
from rclpy.duration import Duration
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Header

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import to_body
from usv_energy.powering.actuators import Setting
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.messages import convert
from usv_energy.sim.actuator_states import command_of_setting, turning_names
from usv_energy.sim.control.guidance import Point
from usv_energy.sim.control.motion_pilot import Planar

EARTH_FRAMES = ('earth', 'map', 'odom')  # Of REP-105.
DAY = 86_400 * convert.NANOSECONDS  # Stamps that differ by more are of different clocks.


class TransformBroadcaster:
    """
    Publishes the transform of each odometry once, while there is a subscriber.

    If tf2_msgs is not installed, as in the private environment of ./run, it publishes nothing. It needs no tf2_ros.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack) -> None:
        """Advertise until undone; for `configure`."""
        self._stamp = -1
        try:
            from tf2_msgs.msg import TFMessage
        except ImportError:
            self._publisher = None
            node.get_logger().debug('no transform on /tf: tf2_msgs is not installed')
            return
        self._message = TFMessage
        self._publisher = node.advertise(undo, TFMessage, '/tf')

    def send(self, odometry: Odometry) -> None:
        """Publish the transform of an odometry, unless its stamp was published before, of which tf2 would warn."""
        stamp = convert.nanoseconds(odometry.header.stamp)
        if self._publisher is None or stamp == self._stamp or not self._publisher.wanted:
            return
        self._stamp = stamp
        self._publisher.publish(self._message(transforms=[convert.transform_to_msg(odometry)]))


class ActuatorCommands:
    """
    Publishers of the commands for a boat's actuators.

    One stamped message has the commands for all actuators, which lockstep needs. Besides, each actuator has a topic
    with its command as a plain number.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Advertise the topics until undone; for `configure`."""
        self._boat = boat
        self._turning = turning_names(boat)
        self._stamped = node.advertise(undo, JointState, 'thruster_command')
        self._thrusts = [node.advertise(undo, Float64, f'cmd_thrust/{name}') for name in boat.thruster_names]
        self._angles = [node.advertise(undo, Float64, f'cmd_angle/{name}') for name in self._turning]

    def message(self, setting: Setting, stamp: Time) -> JointState:
        """Return the stamped message of a Setting; the stamp is that of the odometry that it answers."""
        return convert.command_to_msg(command_of_setting(setting, self._boat), convert.header_of(stamp, ''))

    def send(self, command: JointState) -> None:
        """Publish the commands of such a message on all topics."""
        angles = dict(zip(command.name, command.position))
        values = (*command.effort[:len(self._thrusts)], *(angles[name] for name in self._turning))
        for publisher, value in zip((*self._thrusts, *self._angles), values, strict=True):
            if publisher.wanted:
                publisher.publish(Float64(data=value))
        self._stamped.publish(command)

    def send_no_thrust(self) -> None:
        """Command no thrust on the plain topics, which lockstep does not wait for."""
        for publisher in self._thrusts:
            publisher.publish(Float64(data=0.0))

    def wait_for_readers(self, timeout: Duration) -> None:
        """Wait until readers outside of the process have all commands, which would be lost when the process ends."""
        for publisher in (self._stamped, *self._thrusts, *self._angles):
            publisher.wait_for_all_acked(timeout)


class WindVane:
    """The apparent wind of a boat, from the topic `wind` and its own motion; no wind for a boat without a sail."""

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Subscribe until undone, if the boat has a foil in air; for `activate`."""
        self._wind = (0.0, 0.0)
        if any(foil.in_air is not None for foil in boat.vessel.foils):
            node.listen(undo, Vector3Stamped, 'wind', self._on_wind)

    def apparent(self, yaw: float, msg: Odometry) -> tuple[float, float]:
        """Return the apparent wind in body axes, forward and to port, m/s: the last wind less the boat's motion."""
        u, v, _ = convert.planar_velocity(msg.twist.twist)
        forward, port = to_body(*self._wind, math.cos(yaw), math.sin(yaw))
        return forward - u, port - v

    def _on_wind(self, msg: Vector3Stamped) -> None:
        self._wind = msg.vector.x, msg.vector.y


def velocity_of_twist(msg: Twist) -> Planar:
    """
    Return surge and sway, m/s, and yaw rate, rad/s.

    :raises InputError: If one of the six numbers is not finite, which Nav2 refuses, too: which one.
    """
    for part in ('linear', 'angular'):
        for axis in 'xyz':
            value = getattr(getattr(msg, part), axis)
            if not math.isfinite(value):
                raise InputError(f'{part}.{axis} is {value}; must be a finite number')
    return convert.planar_velocity(msg)


def check_twist_header(header: Header, odometry: Odometry, timeout: float) -> None:
    """
    Check that the velocity of a TwistStamped is in the boat's frame, and recent.

    :param header: Header of the velocity; as in Nav2 an empty frame is the boat's, and a stamp of zero is now.
    :param odometry: The last odometry.
    :param timeout: The greatest age of a velocity, s.
    :raises InputError: If it is in another frame, or too old.
    """
    earth, body = odometry.header.frame_id, odometry.child_frame_id
    if header.frame_id in {earth, *EARTH_FRAMES} - {body, ''}:
        raise InputError(f"frame_id is {header.frame_id!r}, which is fixed to the earth; must be the boat's, {body!r}, "
                         'or empty')
    age = convert.nanoseconds(odometry.header.stamp) - convert.nanoseconds(header.stamp)
    if convert.nanoseconds(header.stamp) and timeout * convert.NANOSECONDS < age < DAY:
        raise InputError(f'its stamp is {age / convert.NANOSECONDS:.1f} s before that of the odometry; must be at most '
                         f'{timeout:g} s')


def places_of_path(msg: Path, odometry: Odometry, frames: Collection[str]) -> list[Point]:
    """
    Return the places of a path, m, in the odometry's frame. An empty path has none, and may have any frame.

    :param msg: The path; orientations and heights are ignored.
    :param odometry: The last odometry.
    :param frames: Frames that coincide with that of the odometry.
    :raises InputError: If the path is in another frame, or a place is not finite: which, and what is allowed.
    """
    earth = odometry.header.frame_id
    allowed = {earth, earth.rpartition('/')[2], *frames}
    places = []
    for number, pose in enumerate(msg.poses):
        frame, place = pose.header.frame_id or msg.header.frame_id, pose.pose.position
        if frame not in allowed:
            names = ' or '.join(repr(one) for one in sorted(allowed))
            raise InputError(f'pose {number} is in frame {frame!r}; must be in that of the odometry, {names} (other '
                             'frames that coincide with it: parameter path_frames)')
        if not (math.isfinite(place.x) and math.isfinite(place.y)):
            raise InputError(f'pose {number} lies at ({place.x}, {place.y}); must be finite numbers')
        places.append((place.x, place.y))
    return places
