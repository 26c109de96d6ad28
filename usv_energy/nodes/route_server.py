"""Routes of least energy, or least time, in forecast water and wind; planned again if the forecast turns out wrong."""

import math
from collections import deque
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseStamped, Vector3Stamped
from nav_msgs.msg import Path
from nav_msgs.srv import GetPlan
from std_msgs.msg import Float64, Header

from usv_energy.boats.boat_file import read_boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED, safe_name
from usv_energy.flow.flow_file import read_flow
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT, SEA, SEA_PARTS, Flag, Number, Text, Texts
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.live.flow_on_graph import ORIGIN, TIME_ORIGIN, WorldTime, sea_text
from usv_energy.ros.live.route_planning import (
    CHECK_PERIOD,
    DEACTIVATED,
    RoutePlanner,
    ServiceThread,
    offer_compute_path,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles
from usv_energy.studies.route.route_order import PlannedWay, Point, RouteOrder, RouteWatch, WatchLimits

ENERGY, TIME = 'energy', 'time'


class RouteServer(ManagedNode):
    """
    Serve `get_plan`, and `compute_path_to_pose` if nav2_msgs is there. Topics and parameters: docs/nodes.md.

    Another process finds the routes, so the node is not blocked.
    """

    declared = (
        BOAT,
        Text('water_current', '', 'Flow file of the water: a name in config/flows, or a path; empty: still water.'),
        Text('wind', '', 'Flow file of the air, likewise.'),
        SEA, *SEA_PARTS,
        Texts('land', [''], 'Files with land and closed areas: GeoJSON, shapefiles.'),
        Flag('land_metres', False, 'The files of land are in metres of frame_id, not in degrees.'),
        Number('clearance', -1.0, "Distance to keep from land and from the ends of the water, m; below 0: the default "
               "of the command `route`, from the boat's length; 0: none."),
        Text('objective', ENERGY, "'energy': least energy; 'time': earliest arrival.", allowed=(ENERGY, TIME)),
        Number('speed', 0.0, 'Speed through the water, m/s; 0: the best.', least=0.0),
        TIME_ORIGIN,
        ORIGIN,
        Text('frame_id', 'odom', 'Earth frame (ENU) of the places.'),
        Flag('replan', True, 'Plan again if the boat or the water deviates from the plan.'),
        Number('off_route', 30.0, 'Distance from the route above which it is planned again, m.', live=True, above=0),
        Number('late', 120.0, 'Deviation from the time of the route above which it is planned again, s.', live=True,
               above=0),
        Number('current_difference', 0.1, 'Mean difference of the current from the forecast, over a window, above '
               'which the route is planned again, m/s.', live=True, above=0),
        Number('window', 30.0, 'Window of that mean, and shortest time between two plans, s.', live=True, above=0),
    )

    def configure(self, undo: ExitStack) -> None:
        """Check the boat, and read the dates of the flow files, which the other process opens again."""
        require_motion(read_boat(self.parameters.text('boat')), 'a route')
        names = {name: self.parameters.text(name) for name in ('water_current', 'wind')}
        self._start = None
        for name, medium in (('water_current', 'water'), ('wind', 'air')):
            if names[name]:
                flow = read_flow(names[name])
                flow.close()
                if flow.medium not in ('', medium):
                    raise InputError(f'parameter {name} is {names[name]!r}, a flow of {flow.medium}; must be of '
                                     f'{medium}')
                self._start = self._start or flow.source.start
        land, off = tuple(filter(None, self.parameters.texts('land'))), self.parameters.number('clearance')
        self._order = RouteOrder(
            self.parameters.text('boat'), names['water_current'], names['wind'],
            BarrierFiles(land=land, clearance=off if off >= 0.0 else None, metres=self.parameters.flag('land_metres')),
            'time' if self.parameters.text('objective') == TIME else 'energy', self.parameters.number('speed') or None,
            sea=sea_text(self.parameters), origin=self.parameters.text(ORIGIN.name))
        self._order.boat_in_its_sea()
        self._frame = self.parameters.text('frame_id')
        self._path = self.advertise(undo, Path, 'path', LATCHED)
        self._energy = self.advertise(undo, Float64, 'route_energy', LATCHED)

    def activate(self, undo: ExitStack) -> None:
        """Offer the services; there is no route and no message yet."""
        self._world = WorldTime(self.parameters.text(TIME_ORIGIN.name))
        self._forecast_error: Point = (0.0, 0.0)     # Measured less forecast current, m/s.
        self._current, self._state = (math.nan, math.nan), None
        self._watch: RouteWatch | None = None
        self._goal: Point | None = None
        self._replan_reason, self._summary = '', 'no route was asked for yet'
        self._samples = SampleHealth('boat states')
        self._planning = RoutePlanner(self, undo)
        publish_health(self, undo, 'route', self._health)
        self.listen(undo, Vector3Stamped, 'water_current', self._on_current)
        self.listen(undo, BoatState, 'boat_state', self._on_state)
        self._requests: deque[tuple[PoseStamped | None, PoseStamped, Future[tuple[Path, str]]]] = deque()
        self.every(undo, CHECK_PERIOD, self._plan_requests)
        answers = ServiceThread(self, undo)
        undo.callback(self._refuse_all)     # First, because the thread waits for these answers.
        answers.node.create_service(GetPlan, 'get_plan', self._on_plan)
        offer_compute_path(answers.node, undo, self._wait_for_plan)
        answers.start()

    def log_summary(self) -> str:
        """Return the boat, water, wind and objective."""
        order = self._order
        return (f'boat {order.boat}, water {order.water_current or "still"}, wind {order.wind or "none"}, '
                f'{f"sea {order.sea}, " if order.sea else ""}least {order.objective}')

    def _on_plan(self, request: GetPlan.Request, response: GetPlan.Response) -> GetPlan.Response:
        """Answer the service; in the thread of services."""
        start = request.start if request.start.header.frame_id else None
        path, why = self._wait_for_plan(start, request.goal)
        if why:
            self.get_logger().warning(f'get_plan: no route: {why}')
        response.plan = path
        return response

    def _wait_for_plan(self, start: PoseStamped | None, goal: PoseStamped) -> tuple[Path, str]:
        """
        Return a route, and the reason if there is none; in the thread of services.

        :param start: None: the boat's place.
        :param goal: Where the route ends.
        """
        future: Future[tuple[Path, str]] = Future()
        self._requests.append((start, goal, future))
        return future.result()

    def _plan_requests(self) -> None:
        while self._requests:
            start, goal, future = self._requests.popleft()
            self._plan(start, goal, lambda path, why, future=future: future.set_result((path, why)))

    def _refuse_all(self) -> None:
        while self._requests:
            self._requests.popleft()[2].set_result((Path(header=Header(frame_id=self._frame)), DEACTIVATED))

    def _plan(self, start: PoseStamped | None, goal: PoseStamped, answer: Any) -> None:
        try:
            begin = self._here() if start is None else self._place(start, 'start')
            end = self._place(goal, 'goal')
        except InputError as error:
            self.refuse(f'route: {error}')
            answer(Path(header=Header(frame_id=self._frame)), str(error))
            return
        stamp = goal.header.stamp if start is None else start.header.stamp
        at = convert.nanoseconds(stamp) or (0 if self._state is None else convert.nanoseconds(self._state.header.stamp))
        self._forecast_error = 0.0, 0.0
        self._find(begin, end, at, answer)

    def _find(self, begin: Point, end: Point, stamp: int, answer: Any) -> None:
        time = self._world.at(stamp / convert.NANOSECONDS, self._start)
        if not math.isfinite(time):
            answer(Path(header=Header(frame_id=self._frame)), 'no flow file has a date, and time_origin is date')
            return
        self._planning.find(self._order, begin, end, time, self._forecast_error,
                            partial(self._on_found, end, stamp, time, answer))

    def _on_found(self, goal: Point, stamp: int, time: float, answer: Any, way: PlannedWay | None, why: str) -> None:
        """Publish a route that was found; if there is none, keep the last one."""
        if way is None:
            self._summary = f'no route: {why}'
            answer(Path(header=Header(frame_id=self._frame)), why)
            return
        path = self._path_of(way, stamp, time)
        self._goal, self._watch = goal, RouteWatch(way, self._limits())
        self._summary = (f'{float(way.energy[-1]):.0f} J, {float(way.time[-1] - way.time[0]):.0f} s to '
                      f'({goal[0]:g}, {goal[1]:g})')
        self.get_logger().info(f'route: {self._summary}')
        self._path.publish(path)
        self._energy.publish(Float64(data=float(way.energy[-1])))
        answer(path, '')

    def _path_of(self, way: PlannedWay, stamp: int, time: float) -> Path:
        """Return the message of a route; each pose has the time of passing, and the heading to the next one."""
        path = Path(header=convert.header_of(convert.stamp_of(stamp), self._frame))
        for number in range(way.time.size):
            near = min(number, way.time.size - 2)
            yaw = math.atan2(way.y[near + 1] - way.y[near], way.x[near + 1] - way.x[near])
            at = stamp + round((float(way.time[number]) - time) * convert.NANOSECONDS)
            pose = PoseStamped(header=convert.header_of(convert.stamp_of(at), self._frame))
            pose.pose.position.x, pose.pose.position.y = float(way.x[number]), float(way.y[number])
            pose.pose.orientation.z, pose.pose.orientation.w = math.sin(0.5 * yaw), math.cos(0.5 * yaw)
            path.poses.append(pose)
        return path

    def _here(self) -> Point:
        if self._state is None:
            raise InputError('no start is given, and no boat_state was heard that would say where the boat is')
        here = self._state.pose.position
        return here.x, here.y

    def _place(self, pose: PoseStamped, name: str) -> Point:
        frame, place = pose.header.frame_id, pose.pose.position
        if frame not in ('', self._frame) and not frame.endswith(f'/{self._frame}'):
            raise InputError(f'the {name} is in frame {safe_name(frame)!r}; must be {self._frame!r} (parameter '
                             'frame_id) or empty')
        if not (abs(place.x) <= LOGGED and abs(place.y) <= LOGGED):
            raise InputError(f'the {name} lies at {place.x:g}, {place.y:g}; must be finite numbers, m, at most '
                             f'{LOGGED:g} in magnitude')
        return place.x, place.y

    def _limits(self) -> WatchLimits:
        return WatchLimits(*map(self.parameters.number, ('off_route', 'late', 'current_difference', 'window')))

    def _on_current(self, msg: Vector3Stamped) -> None:
        self._current = msg.vector.x, msg.vector.y

    def _on_state(self, msg: BoatState) -> None:
        """Plan again if the boat is off the route or late, or if the current differs from the forecast."""
        self._state = msg
        stamp, here = convert.nanoseconds(msg.header.stamp), msg.pose.position
        self._samples.add(stamp, '', useless=not (math.isfinite(here.x) and math.isfinite(here.y)))
        if self._watch is None or self._goal is None or self._planning.is_busy or not self.parameters.flag('replan'):
            return
        time = self._world.at(stamp / convert.NANOSECONDS, self._start)
        if not (why := self._watch.replanning_reason(time, here.x, here.y, self._current)):
            return
        self._replan_reason = why
        self.get_logger().warning(f'{why}: planned anew')
        east, north = self._watch.difference
        self._forecast_error, self._watch = (self._forecast_error[0] + east, self._forecast_error[1] + north), None
        self._find((here.x, here.y), self._goal, stamp, lambda path, why: None)

    def _health(self, now: int) -> Health:
        return self._samples.health(now, {
            'route': self._summary, 'planned anew because': self._replan_reason or 'it was not'})


if __name__ == '__main__':
    RouteServer.main()
