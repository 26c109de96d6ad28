"""The present energy, power and battery of a running boat: for a terminal, a page or another program."""

import math
import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Float64

from usv_energy.earth import LocalPlane, Place, compass_degrees, plane_about
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.text_file import without_nan
from usv_energy.live.boat_follower import BoatFollower, alarm_rows, extend_track, home_on_map
from usv_energy.ros.framework.process import POLL
from usv_energy.ros.framework.qos import LATCHED_STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.convert import problems_of
from usv_energy.ros.messages.messages import (
    BatteryEstimate,
    BoatState,
    EnergyStamped,
    HomeMargin,
    HullHealth,
    PowerStamped,
    type_name,
)
from usv_energy.studies.runs.boat_figures import (
    energy_figures,
    estimate_figures,
    flow_figures,
    home_figures,
    hull_figures,
    level_figures,
    power_figures,
)

# A view needs only the latest message, and must not slow down the publishers.
LATEST = QoSProfile(reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST, depth=1)
TOPICS: dict[str, type] = {'power': PowerStamped, 'energy': EnergyStamped, 'battery_state': BatteryState,
                           'remaining_range': Float64, 'boat_state': BoatState, 'battery_estimate': BatteryEstimate,
                           'hull_health': HullHealth, 'home_margin': HomeMargin}
# Topics with few messages: a late view gets the last one.
LATCHED_TOPICS = 'battery_estimate', 'hull_health', 'home_margin'
NEEDED = ('power', 'energy')


class Monitor(Node):
    """Subscribes to a boat's topics, and keeps the last message of each."""

    def __init__(self, namespace: str, **options: Any) -> None:
        """
        Subscribe to the boat's topics.

        :param namespace: Namespace of the boat, like '/diffboat'.
        :param options: Options of rclpy's Node.
        """
        super().__init__('usv_energy_monitor', **options)
        self.boat = namespace.rstrip('/')
        self._last: dict[str, Any] = {}
        self._at = math.nan
        for topic, kind in TOPICS.items():
            profile = LATCHED_STREAM if topic in LATCHED_TOPICS else LATEST
            self.create_subscription(kind, f'{self.boat}/{topic}', partial(self._keep, topic), profile)

    def _keep(self, topic: str, msg: Any) -> None:
        self._last[topic] = msg
        if topic in NEEDED:
            self._at = time.monotonic()

    @property
    def complete(self) -> bool:
        """Whether there is a message of power, of energy, and of every other topic that has a publisher."""
        published = [topic for topic in TOPICS if self.count_publishers(f'{self.boat}/{topic}')]
        return all(topic in self._last for topic in {*NEEDED, *published})

    @property
    def missing(self) -> list[str]:
        """The needed topics without a message."""
        return [f'{self.boat}/{topic}' for topic in NEEDED if topic not in self._last]

    @property
    def home(self) -> HomeMargin | None:
        """The last answer on the way home; None before the first."""
        return self._last.get('home_margin')

    def state(self) -> dict[str, Any]:
        """Return the state of the boat for JSON, with units in the keys; None for what is unknown."""
        boat = self._last.get('boat_state')
        place = None if boat is None else boat.pose.position
        return without_nan({
            'namespace': self.boat or '/', 'age_s': time.monotonic() - self._at,
            **self._power(), **self._energy(), **self._battery(), **hull_figures(self._last.get('hull_health')),
            **estimate_figures(self._last.get('battery_estimate')),
            **home_figures(self._last.get('home_margin')),
            'x_m': None if place is None else place.x, 'y_m': None if place is None else place.y,
            'yaw_deg': None if boat is None else math.degrees(boat.yaw),
            'heading_deg': None if boat is None else compass_degrees(boat.yaw)})

    def _power(self) -> dict[str, Any]:
        msg: PowerStamped | None = self._last.get('power')
        if msg is None:
            return {'problems': ['no power heard']}
        sample = convert.sample_from_msg(msg, convert.Epoch())
        return {
            'stamp_s': convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS, 'convention': msg.convention,
            **power_figures(msg),
            'speed_over_ground_m_s': sample.speed_over_ground, 'speed_through_water_m_s': sample.speed_through_water,
            'current': flow_figures(msg.current_used.x, msg.current_used.y, _word(
                msg.status, PowerStamped.CURRENT_MISSING, PowerStamped.CURRENT_STALE)),
            'wind': flow_figures(msg.wind_used.x, msg.wind_used.y, _word(
                msg.status, PowerStamped.WIND_MISSING, PowerStamped.WIND_STALE)),
            'status': msg.status, 'problems': problems_of(msg.status)}

    def _energy(self) -> dict[str, Any]:
        msg: EnergyStamped | None = self._last.get('energy')
        if msg is None:
            return {}
        figures = energy_figures(msg) | {'state_of_charge': msg.state_of_charge}
        if msg.status & EnergyStamped.SILENT:
            figures |= {'status': msg.status, 'problems': problems_of(EnergyStamped.SILENT)}
        return figures

    def _battery(self) -> dict[str, Any]:
        level: BatteryState | None = self._last.get('battery_state')
        reach: Float64 | None = self._last.get('remaining_range')
        figures: dict[str, Any] = {'remaining_range_m': None if reach is None else reach.data}
        if level is not None:
            figures |= level_figures(level.percentage, level.voltage, level.current, level.charge)
        return figures


def _word(status: int, missing: int, stale: int) -> str:
    return 'missing' if status & missing else 'stale' if status & stale else 'ok'


def boats_of(topics: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """
    Return the namespaces of the boats whose energy is published, sorted.

    A second convention's energy (`/boat/as_published/energy`) belongs to the boat above it.

    :param topics: Names and types, as rclpy gives them.
    """
    found = sorted(name.removesuffix('/energy') for name, kinds in topics
                   if type_name(EnergyStamped) in kinds and name.endswith('/energy'))
    return [name for name in found if not any(name.startswith(f'{other}/') for other in found)]


class MonitorSession(AbstractContextManager['MonitorSession']):
    """A monitor and the executor that spins it; a context manager."""

    def __init__(self, namespace: str | None, wait: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """
        Find the boat if none is named, and subscribe to its topics.

        :param namespace: Namespace of the boat; None: the only one that is running.
        :param wait: How long to look for it, s.
        :param stopped: Returns whether the user has stopped the command.
        :raises InputError: If no boat is running, or more than one.
        """
        self._stopped = stopped
        self.executor = SingleThreadedExecutor()
        if namespace is None:
            finder = rclpy.create_node('usv_energy_finder')
            self.executor.add_node(finder)
            try:
                self.spin(lambda: bool(boats_of(finder.get_topic_names_and_types())), wait)
                boats = boats_of(finder.get_topic_names_and_types())
            finally:
                self.executor.remove_node(finder)
                finder.destroy_node()
            if not boats:
                raise InputError(f'no boat publishes its energy (a topic of type {type_name(EnergyStamped)}) within '
                                 f'{wait:g} s; is one running, in this ROS_DOMAIN_ID?')
            if len(boats) > 1:
                raise InputError(f'{len(boats)} boats are running: {", ".join(boats)}; choose one with --namespace')
            namespace = boats[0]
        self.monitor = Monitor(f'/{namespace.strip("/")}' if namespace.strip('/') else '')
        self.executor.add_node(self.monitor)

    def wait_for_all(self, seconds: float) -> list[str]:
        """Spin until the monitor is complete, or for a time, s; return the needed topics without a message."""
        self.spin(lambda: self.monitor.complete, seconds)
        return self.monitor.missing

    def spin(self, done: Callable[[], bool], seconds: float) -> bool:
        """Spin until `done` returns true, for a time, s, or until the user stops; return whether `done` did."""
        end = time.monotonic() + seconds
        while not done():
            left = end - time.monotonic()
            if left <= 0.0 or self._stopped():
                return False
            self.executor.spin_once(timeout_sec=min(POLL, left))
        return True

    def __exit__(self, *_: object) -> None:
        """End the node."""
        self.executor.remove_node(self.monitor)
        self.monitor.destroy_node()
        self.executor.shutdown()


WAIT = 5.0          # s for which a boat is looked for
NAMESPACE = re.compile(r'/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*')
PERIOD = 0.5        # s between two looks at it
NOWHERE = Place(0.0, 0.0)   # About which local metres are laid that say no place on the Earth.


class MonitorWatch(BoatFollower):
    """
    Follows a boat of the graph until it is left; `state` may be asked from any thread.

    It begins and ends rclpy, unless this process has begun it: then that goes on.
    """

    def __init__(self, namespace: str | None, wait: float = WAIT, origin: LocalPlane | None = None) -> None:
        """
        Begin without a message.

        :param namespace: Of the boat; None: the only one that runs.
        :param wait: How long to look for it, s.
        :param origin: Of the graph's earth frame, which no topic says; None: not known.
        :raises InputError: If the namespace is none.
        """
        if namespace is not None and not NAMESPACE.fullmatch(namespace):
            raise InputError(f'namespace is {safe_name(namespace)!r}; must be letters, digits, _ and /, as diffboat')
        super().__init__('monitor')
        self._namespace, self._wait, self._is_on_earth = namespace, wait, origin is not None
        self._plane, self._track = origin or plane_about(NOWHERE), []   # type: LocalPlane, list[tuple[float, float]]

    def _follow(self) -> None:
        begun = not rclpy.ok()
        try:
            if begun:
                rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
            with MonitorSession(self._namespace, self._wait, self._over.is_set) as session:
                while not self._over.is_set():
                    session.spin(lambda: False, PERIOD)
                    self._look(session.monitor.state(), session.monitor.home)
        except InputError as error:
            self._error = '' if self._over.is_set() else str(error)
        finally:
            if begun:
                rclpy.try_shutdown()
            self._ended = True

    def _look(self, figures: dict[str, Any], home: HomeMargin | None) -> None:
        x, y = figures['x_m'], figures['y_m']
        place = None if x is None or y is None else self._plane.degrees_of(x, y)
        extend_track(self._track, place)
        on_map = {'place_deg': place, **home_on_map(home, self._plane), 'is_on_earth': self._is_on_earth}
        with self._lock:
            self._boats = [{**figures, 'map': on_map, 'track_deg': list(self._track), 'alarms': alarm_rows(figures)}]
