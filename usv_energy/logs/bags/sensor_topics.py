"""Which topics of a bag without odometry are the sensors that a motion can be made of: by their types and names."""

from collections.abc import Mapping
from typing import NamedTuple

NAVSAT, IMU, MAGNETIC = 'sensor_msgs/msg/NavSatFix', 'sensor_msgs/msg/Imu', 'sensor_msgs/msg/MagneticField'
TWISTS = ('geometry_msgs/msg/TwistWithCovarianceStamped', 'geometry_msgs/msg/TwistStamped')
# Last words of topics of velocities along east and north: drivers of u-blox, of NMEA 0183, MAVROS.
EARTH_VELOCITIES = ('fix_velocity', 'fix_vel', 'gps_vel', 'vel', 'velocity')
DVL, THROUGH_WATER = ('dvl', 'bottom'), 'water'  # Words in topics of velocities along the body, and in those of no use.


class SensorTopics(NamedTuple):
    """
    Topics of sensors, '' for those that there are none of.

    `fix`: NavSatFix; `earth_velocity`, `body_velocity`: twists along east and north, and along the body (a DVL's, over
    ground); `imu`: Imu, which may have an orientation; `magnetic`: MagneticField, where no Imu is there.
    """

    fix: str
    earth_velocity: str
    body_velocity: str
    imu: str
    magnetic: str

    @property
    def home(self) -> str:
        """The boat's namespace: the first word of the GPS's topic, `/boat` of /boat/gps/fix, none of /gps/fix."""
        words = self.fix.split('/')
        return f'/{words[1]}' if len(words) > 3 else ''

    def names(self) -> set[str]:
        """Return all of them that there are."""
        return {topic for topic in self if topic}


def chosen_sensors(kinds: Mapping[str, str], namespace: str | None = None) -> SensorTopics | None:
    """
    Return the topics that a motion can be made of; None where nothing in a bag says where the boat is.

    Of several of one kind the one with the shortest name is taken, then the first: `imu/data` before `imu/data_raw`.

    :param kinds: Types of the bag's topics by their names.
    :param namespace: Of the boat; topics elsewhere are left alone.
    """
    inside = {name: kind for name, kind in kinds.items()
              if namespace is None or name.startswith(f'/{namespace.strip("/")}/')}

    def first(names: list[str]) -> str:
        return min(names, key=lambda name: (len(name), name), default='')

    def of_kind(*wanted: str) -> list[str]:
        return [name for name, kind in inside.items() if kind in wanted]

    fix = first(of_kind(NAVSAT))
    if not fix:
        return None
    twists = of_kind(*TWISTS)
    body = [name for name in twists if any(word in name.lower() for word in DVL) and THROUGH_WATER not in name.lower()]
    earth = [name for name in twists if name not in body and name.rsplit('/', 1)[1] in EARTH_VELOCITIES]
    return SensorTopics(fix, first(earth), first(body), first(of_kind(IMU)), first(of_kind(MAGNETIC)))
