"""What others order of a boat, as messages: velocities and paths, checked before the boat goes by them."""

import math
from collections.abc import Collection

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry, Path
from std_msgs.msg import Header

from usv_energy.files.errors import InputError
from usv_energy.ros.messages import convert
from usv_energy.sim.control.guidance import Point
from usv_energy.sim.control.velocity_control import Planar

EARTH_FRAMES = ('earth', 'map', 'odom')  # As REP-105 has them.
DAY = 86_400 * convert.NANOSECONDS  # Stamps that differ by more are of different clocks.


def velocity_of_twist(msg: Twist) -> Planar:
    """
    Return surge and sway, m/s, and yaw rate, rad/s.

    :raises InputError: Where one of the six numbers is not finite, as Nav2 refuses them: which.
    """
    for part in ('linear', 'angular'):
        for axis in 'xyz':
            value = getattr(getattr(msg, part), axis)
            if not math.isfinite(value):
                raise InputError(f'{part}.{axis} is {value}; must be a finite number')
    return convert.planar_velocity(msg)


def check_twist_header(header: Header, odometry: Odometry, timeout: float) -> None:
    """
    See whether the velocity of a TwistStamped is of the boat's frame, and of now.

    :param header: Of the velocity; an empty frame is the boat's, a stamp of zero is now, as in Nav2.
    :param odometry: The last one.
    :param timeout: How old a velocity may be, s.
    :raises InputError: If not.
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
    Return the places of a path, m, in the odometry's frame; none of an empty path, whatever its frame.

    :param msg: The path; orientations and heights are left out.
    :param odometry: The last one.
    :param frames: Frames that coincide with that of the odometry.
    :raises InputError: If the path is in another frame, or a place is not finite: which, and what is allowed.
    """
    earth = odometry.header.frame_id
    allowed = {earth, earth.rpartition('/')[2], *frames}
    places = []
    for number, pose in enumerate(msg.poses):
        frame, place = pose.header.frame_id or msg.header.frame_id, pose.pose.position
        if frame not in allowed:
            told = ' or '.join(repr(one) for one in sorted(allowed))
            raise InputError(f'pose {number} is in frame {frame!r}; must be in that of the odometry, {told} (other '
                             'frames that coincide with it: parameter path_frames)')
        if not (math.isfinite(place.x) and math.isfinite(place.y)):
            raise InputError(f'pose {number} lies at ({place.x}, {place.y}); must be finite numbers')
        places.append((place.x, place.y))
    return places
