"""Flow files and waves on a live graph: the time of a stamp in flow files, the sea's surface, a boat in its sea."""

import math
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from functools import partial

import numpy as np
from nav_msgs.msg import Odometry
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Header

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.files.limits import LOGGED, SURFACE_ACROSS, SURFACE_POINTS_ASKED, safe_name
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import world_at
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.node_parameters import NodeParameters
from usv_energy.ros.framework.parameters import SEA, SEA_PARTS, WAVE_ESTIMATE, Number, Text, WholeNumber
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import GetSurface
from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_state_of

SERVICE, PICTURE = 'waves/get_surface', 'waves/surface'
SURFACE_SIZE = Number('surface_size', 0.0, f'Width of the surface around the boat on {PICTURE}, m; 0: none.', least=0.0)
SURFACE_POINTS = WholeNumber('surface_points', 40, f'Points across {PICTURE}.', least=2, most=SURFACE_ACROSS)
SURFACE_PERIOD = Number('surface_period', 0.2, f'Period of {PICTURE}, s of the odometry.', above=0)

DATE = 'date'
TIME_ORIGIN = Text('time_origin', 'zero', "The world's time 0: 'zero' (stamp 0), 'first' (the first requested stamp) "
                   "or 'date' (the file's start).", allowed=('zero', 'first', DATE))
ORIGIN = Text('origin', '', 'Place on the Earth of x = y = 0 of frame_id, LATITUDE,LONGITUDE in degrees, for flow '
              'files with a place on the Earth. Empty: unknown; the world is then that of the water\'s file.',
              read=partial(world_at, name='parameter origin'))


def sea_text(given: NodeParameters) -> str:
    """
    Return the sea of a node's parameters SEA and SEA_PARTS as a text of SEA; empty if there is none.

    :raises InputError: If both say one.
    """
    text, (height, period, direction) = given.text(SEA.name), (given.number(one.name) for one in SEA_PARTS)
    if text and height:
        raise InputError(f'sea is {text!r} and sea_height {height:g}: both are given; must be one of them')
    return f'{height!r},{period!r},{direction!r}' if height else text


def boat_in_given_sea(boat: Boat, given: NodeParameters) -> Boat:
    """
    Return a boat in the sea of a node's sea parameters; the boat itself if there is no sea.

    :raises InputError: If the parameters do not fit together, or the boat's file lacks numbers for waves.
    """
    sea, estimate = sea_text(given), given.text(WAVE_ESTIMATE.name)
    if sea:
        return boat_in_sea(boat, sea_state_of(sea, 'parameter sea'), estimate or None)
    if estimate:
        raise InputError(f'parameter wave_estimate is {estimate!r}, and there is no sea; must be empty, or go with a '
                         'parameter sea')
    return boat


class SurfaceService:
    """The service of the sea's surface at points, and a point cloud of the surface around the boat of `odom`."""

    def __init__(self, node: ManagedNode, undo: ExitStack, flow: FlowFile, frame: str,
                 time_of: Callable[[float], float]) -> None:
        """
        Offer the service until undone, and publish the point cloud if `surface_size` is not 0; for `activate`.

        :param node: The node, which declares SURFACE_SIZE, SURFACE_POINTS and SURFACE_PERIOD.
        :param undo: Stack of undo functions.
        :param flow: The water, with waves.
        :param frame: Earth frame (ENU) of the points.
        :param time_of: Returns the world's time, s, of a stamp, s.
        """
        self._flow, self._frame, self._time_of, self._refuse = flow, frame, time_of, node.refuse
        service = node.create_service(GetSurface, SERVICE, self._on_request)
        undo.callback(node.destroy_service, service)
        self._size = node.parameters.number(SURFACE_SIZE.name)
        self._points = node.parameters.whole_number(SURFACE_POINTS.name)
        self._period = node.parameters.number(SURFACE_PERIOD.name)
        self._shown = -math.inf
        if self._size > 0.0:
            self._picture = node.create_publisher(PointCloud2, PICTURE, STREAM)
            undo.callback(node.destroy_publisher, self._picture)
            node.listen(undo, Odometry, 'odom', self._on_odometry)

    def _on_request(self, request: GetSurface.Request, response: GetSurface.Response) -> GetSurface.Response:
        if fault := self._fault(request):
            self._refuse(f'{SERVICE}: {fault}')
            response.message = fault
            return response
        time = self._time_of(convert.nanoseconds(request.stamp) / convert.NANOSECONDS)
        x, y, depth = np.array(request.x), np.array(request.y), np.array(request.z) if len(request.z) else 0.0
        middle = (float(x.mean()), float(y.mean())) if x.size else (0.0, 0.0)
        sea = self._flow.sea_around(time, *middle)
        if sea is None:
            response.message = f'the water has no waves at x = {middle[0]:g} m, y = {middle[1]:g} m, t = {time:g} s'
            self._refuse(f'{SERVICE}: {response.message}')
            return response
        convert.fill_surface(response, sea.at(time, x, y, depth))
        state = self._flow.sea_state(time, *middle)
        response.significant_height, response.peak_period, response.direction = state
        response.success = True
        return response

    def _fault(self, request: GetSurface.Request) -> str:
        """Return what is wrong with a request; empty if nothing is."""
        if len(request.x) != len(request.y) or len(request.z) not in (0, len(request.x)):
            return (f'{len(request.x)} x, {len(request.y)} y and {len(request.z)} z; must be as many, or no z for the '
                    'water at rest')
        if len(request.x) > SURFACE_POINTS_ASKED:
            return f'{len(request.x)} points; must be at most {SURFACE_POINTS_ASKED} in a request: ask for parts'
        if request.frame_id not in ('', self._frame) and not request.frame_id.endswith(f'/{self._frame}'):
            return f'frame_id is {safe_name(request.frame_id)!r}; must be {self._frame!r} or empty'
        points = np.array([*request.x, *request.y, *request.z])
        if not (np.abs(points) <= LOGGED).all():
            return f'x, y and z must be finite numbers, m, at most {LOGGED:g} in magnitude'
        if len(request.z) and max(request.z) > 0.0:
            return f'z is {max(request.z):g} m; must be at most 0, the water at rest'
        return ''

    def _on_odometry(self, msg: Odometry) -> None:
        stamp = convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS
        if self._shown <= stamp < self._shown + self._period:
            return
        self._shown = stamp
        place = msg.pose.pose.position
        across = np.linspace(-0.5 * self._size, 0.5 * self._size, self._points)
        x, y = (grid.ravel() for grid in np.meshgrid(place.x + across, place.y + across))
        time = self._time_of(stamp)
        sea = self._flow.sea_around(time, place.x, place.y)
        if sea is None:
            return
        height = sea.elevation(time, x, y)
        self._picture.publish(convert.cloud_to_msg({'x': x, 'y': y, 'z': height, 'elevation': height},
                                                   Header(stamp=msg.header.stamp, frame_id=self._frame)))


class WorldTime:
    """The world's time of stamps. Its time 0 is the stamp 0, the first stamp, or the date of a flow file."""

    def __init__(self, origin: str) -> None:
        """Store the value of TIME_ORIGIN; there was no stamp yet."""
        self._origin = origin
        self._first: float | None = None

    def at(self, stamp: float, start: datetime | None) -> float:
        """
        Return the world's time of a stamp, s; NaN if the origin is the file's date, and it has none.

        :param stamp: s.
        :param start: Date of the flow file's first time.
        """
        if self._origin == DATE:
            return math.nan if start is None else stamp - start.timestamp()
        if self._origin == 'first':
            self._first = stamp if self._first is None else self._first
            return stamp - self._first
        return stamp
