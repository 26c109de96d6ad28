"""A running boat on a ROS graph, followed in a thread of its own; what a page shows of it, as plain data for JSON."""

import re
from typing import Any

import rclpy
from rclpy.signals import SignalHandlerOptions

from usv_energy.earth import LocalPlane, Place, plane_about
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.live.boat_follower import BoatFollower, alarm_rows, extend_track
from usv_energy.ros.graph.monitor import MonitorSession

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
                    self._look(session.monitor.state())
        except InputError as error:
            self._error = '' if self._over.is_set() else str(error)
        finally:
            if begun:
                rclpy.try_shutdown()
            self._ended = True

    def _look(self, figures: dict[str, Any]) -> None:
        x, y = figures['x_m'], figures['y_m']
        place = None if x is None or y is None else self._plane.degrees_of(x, y)
        extend_track(self._track, place)
        with self._lock:
            self._boats = [{**figures, 'map': {'place_deg': place, 'is_on_earth': self._is_on_earth},
                            'track_deg': list(self._track), 'alarms': alarm_rows(figures)}]
