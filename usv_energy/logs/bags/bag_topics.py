"""Which topics of a bag are the boat's, and which are sensors that a motion can be made of."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from usv_energy.files.errors import InputError

ODOMETRY, BOAT_STATE = 'nav_msgs/msg/Odometry', 'usv_energy_msgs/msg/BoatState'
POSES = ('geometry_msgs/msg/PoseStamped', 'geometry_msgs/msg/PoseWithCovarianceStamped')
WANTED = ('goal', 'initial', 'setpoint', 'target', 'waypoint')  # In topics of poses that are asked for.
VECTOR, FLOAT, JOINTS = 'geometry_msgs/msg/Vector3Stamped', 'std_msgs/msg/Float64', 'sensor_msgs/msg/JointState'
HEADER, LEG_BEGIN, NAMED_LEG = 'std_msgs/msg/Header', 'leg_begin', 'usv_energy_msgs/msg/LegBegin'
LEG_NAMES = {HEADER: 'frame_id', NAMED_LEG: 'name'}  # The field with the name of a leg.
BATTERY, POWER = 'sensor_msgs/msg/BatteryState', 'usv_energy_msgs/msg/PowerStamped'
# Ends of the names that estimators give their odometry: robot_localization, MAVROS. Beside them stand raw ones.
ESTIMATORS = ('odometry/filtered', 'local_position/odom')
COMMON = ('odom', 'odometry', 'mavros')  # First words of names that stand for no boat.
ENERGY, THRUSTERS = 'usv_energy_msgs/msg/EnergyStamped', 'usv_energy_msgs/msg/ThrusterPower'
APPARENT = 'apparent'  # In names of topics of the wind that a boat feels, which is not that over ground.
HOME_MARGIN, SIMULATED_BATTERY = 'usv_energy_msgs/msg/HomeMargin', 'simulated_battery'

NAVSAT, IMU, MAGNETIC = 'sensor_msgs/msg/NavSatFix', 'sensor_msgs/msg/Imu', 'sensor_msgs/msg/MagneticField'
TWISTS = ('geometry_msgs/msg/TwistWithCovarianceStamped', 'geometry_msgs/msg/TwistStamped')
# Last words of topics of velocities along east and north: drivers of u-blox, of NMEA 0183, MAVROS.
EARTH_VELOCITIES = ('fix_velocity', 'fix_vel', 'gps_vel', 'vel', 'velocity')
COMPASS = 'compass_hdg'  # Ends the topic of MAVROS's heading of the autopilot, Float64, deg clockwise from north.
DVL, THROUGH_WATER = ('dvl', 'bottom'), 'water'  # Words in topics of velocities along the body, and in those of no use.


class Topics(NamedTuple):
    """
    The topics of one boat, '' for those that there are none of.

    `joints`: what is asked of actuators, `actuators`: what they do; `thrust`, `angle`: of std_msgs/Float64 topics, by
    the actuator's name; `legs`: which leg of a mission began when; `home`: what is
    said of the way home; `cells`: how a simulated battery does; `batteries`: besides `battery`, further ones.
    """

    odometry: str
    current: str
    wind: str
    joints: str
    actuators: str
    thrust: dict[str, str]
    angle: dict[str, str]
    battery: str
    power: str
    energy: str
    thrusters: str
    legs: str
    home: str
    cells: str
    batteries: tuple[str, ...] = ()

    def names(self) -> set[str]:
        """Return all of them."""
        return {*(topic for topic in self if isinstance(topic, str) and topic), *self.thrust.values(),
                *self.angle.values(), *self.batteries}


def chosen_topics(kinds: Mapping[str, str], path: Path, odom: str | None = None,
                  namespace: str | None = None) -> Topics:
    """
    Return the topics of the boat that is asked for, or of the only one there is.

    :param kinds: Types of the bag's topics by their names.
    :param path: Of the bag, for errors.
    :param odom: Topic of its odometry; needed where there are several.
    :param namespace: Of the boat; topics elsewhere are left alone.
    :raises InputError: If there is no odometry, or several, naming them and how to choose.
    """
    odometry = _odometry(kinds, path, odom, namespace)
    return topics_near(kinds, f'/{namespace.strip("/")}' if namespace else odometry.rsplit('/', 1)[0], odometry)


def has_odometry(kinds: Mapping[str, str], namespace: str | None = None) -> bool:
    """Return whether there is an odometry among topics, or among those of a namespace."""
    return any(kind in (ODOMETRY, BOAT_STATE) and (namespace is None or name.startswith(f'/{namespace.strip("/")}/'))
               for name, kind in kinds.items())


def topics_near(kinds: Mapping[str, str], home: str, odometry: str = '') -> Topics:
    """
    Return the topics of the boat whose namespace is `home`, `/boat` or empty.

    :param kinds: Types of the bag's topics by their names.
    :param home: The boat's namespace.
    :param odometry: Topic of its odometry.
    """
    def near(kind: str, *words: str) -> str:
        """Return the topic of a type whose name ends in a word, in the boat's namespace, the shortest first."""
        there = [name for name, its in kinds.items() if its == kind and name.startswith(f'{home}/')
                 and APPARENT not in name and (not words or any(word in name.rsplit('/', 1)[1] for word in words))]
        return min(there, key=lambda name: (name.count('/'), len(name)), default='')

    return Topics(odometry, near(VECTOR, 'current'), near(VECTOR, 'wind'), near(JOINTS, 'thruster', 'thrust'),
                  near(JOINTS, 'actuator_state'),
                  _topics_of_actuators(kinds, home, ('cmd_thrust', 'thrust')),
                  _topics_of_actuators(kinds, home, ('cmd_angle', 'angle')), near(BATTERY), near(POWER),
                  near(ENERGY), near(THRUSTERS), near(NAMED_LEG) or near(HEADER, LEG_BEGIN), near(HOME_MARGIN),
                  near(BATTERY, SIMULATED_BATTERY), _batteries(kinds, home, near(BATTERY)))


def _batteries(kinds: Mapping[str, str], home: str, main: str) -> tuple[str, ...]:
    """Return the batteries of a boat whose topics are called like one of its, but for one word, in order."""
    boats = {name.split('/')[1] for name, kind in kinds.items()
             if kind in (ODOMETRY, BOAT_STATE) and name.count('/') > 1}
    computed = {name.rsplit('/', 1)[0] for name, kind in kinds.items() if kind == ENERGY}  # By our own nodes.
    words = main.split('/')

    def alike(name: str) -> bool:
        other = name.split('/')
        return len(other) == len(words) and sum(one != its for one, its in zip(words, other)) == 1 and (
            bool(home) or other[1] == words[1] or other[1] not in boats)

    return tuple(sorted(name for name, kind in kinds.items() if kind == BATTERY and name.startswith(f'{home}/')
                        and name.rsplit('/', 1)[0] not in computed and alike(name)
                        and SIMULATED_BATTERY not in (name.rsplit('/', 1)[1], words[-1])))


def _odometry(kinds: Mapping[str, str], path: Path, odom: str | None, namespace: str | None) -> str:
    if odom is not None:
        name = odom if odom in kinds or odom.startswith('/') else f'/{odom}'
        if name not in kinds:
            raise InputError(f'{path}: has no topic {odom!r}. There are: {_listed(kinds)}')
        if kinds[name] not in (ODOMETRY, BOAT_STATE, *POSES):
            raise InputError(f'{path}: the topic {name} is {kinds[name]}; must be {ODOMETRY}. There are: '
                             f'{_listed({n: k for n, k in kinds.items() if k == ODOMETRY}) or "none"}')
        return name
    inside = {name: kind for name, kind in kinds.items()
              if namespace is None or name.startswith(f'/{namespace.strip("/")}/')}
    for wanted in (ODOMETRY, BOAT_STATE):
        found = sorted(name for name, kind in inside.items() if kind == wanted)
        if estimated := _estimate_among(found):
            return estimated
        if len(found) > 1:
            raise InputError(f'{path}: has {len(found)} topics of odometry: {", ".join(found)}. Choose one by '
                             f'--odom {found[0]}, or a boat by --namespace')
        if found:
            return found[0]
    poses = sorted(name for name, kind in inside.items() if kind in POSES
                   and not any(word in name.lower() for word in WANTED))
    if len(poses) > 1:
        raise InputError(f'{path}: has no odometry, and {len(poses)} topics of poses: {", ".join(poses)}. Choose '
                         f'one by --odom {poses[0]}')
    if poses:
        return poses[0]
    where = f' in the namespace {namespace}' if namespace is not None else ''
    raise InputError(f'{path}: has no odometry ({ODOMETRY}){where}. There are: {_listed(kinds) or "no topics"}')


def _estimate_among(topics: list[str]) -> str:
    """Return the estimator's odometry among several of one boat; empty where there is none, or several boats."""
    boats = {first if rest and first not in COMMON else '' for first, _, rest in
             (name.strip('/').partition('/') for name in topics)}
    found = [name for name in topics if name.endswith(ESTIMATORS)]
    return found[0] if len(found) == 1 and len(boats) == 1 else ''


def _topics_of_actuators(kinds: Mapping[str, str], home: str, words: tuple[str, str]) -> dict[str, str]:
    """
    Return Float64 topics of thrusts, N, or angles, rad, by actuator: `cmd_thrust/left`, or `thrusters/left/thrust`.

    :param words: The first as in `cmd_thrust`, the second as in `thrust`.
    """
    found: dict[str, str] = {}
    for name in sorted(kinds):
        parts = name.split('/')
        if kinds[name] != FLOAT or not name.startswith(f'{home}/') or len(parts) < 3:
            continue
        if parts[-2] == words[0]:
            found[parts[-1]] = name
        elif parts[-1] in words:
            found[parts[-2]] = name
    return found


def _listed(kinds: Mapping[str, str]) -> str:
    return ', '.join(f'{name} ({kind})' for name, kind in sorted(kinds.items()))


class SensorTopics(NamedTuple):
    """
    Topics of sensors, '' for those that there are none of.

    `fix`: NavSatFix; `earth_velocity`, `body_velocity`: twists along east and north, and along the body (a DVL's, over
    ground); `imu`: Imu, which may have an orientation; where it has none, `compass`: MAVROS's heading, or `magnetic`:
    MagneticField.
    """

    fix: str
    earth_velocity: str
    body_velocity: str
    imu: str
    magnetic: str
    compass: str = ''

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
    return SensorTopics(fix, first(earth), first(body), first(of_kind(IMU)), first(of_kind(MAGNETIC)),
                        first([name for name in of_kind(FLOAT) if name.endswith(COMPASS)]))
