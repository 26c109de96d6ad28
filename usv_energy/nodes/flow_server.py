"""Services with water current and wind from flow files, and a coarse point cloud of them for RViz and Foxglove."""

from contextlib import ExitStack
from functools import partial

import numpy as np
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.limits import FLOW_POINTS, PICTURE_ACROSS, safe_name
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.flow.on_earth import laid_together, remarks_of, world_at
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Text, WholeNumber
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.live.flow_on_graph import (
    DATE,
    ORIGIN,
    SURFACE_PERIOD,
    SURFACE_POINTS,
    SURFACE_SIZE,
    TIME_ORIGIN,
    SurfaceService,
    WorldTime,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import GetFlow

MEDIA = {'water_current': 'water', 'wind': 'air'}


def _flow_file(topic: str, name: str) -> FlowFile:
    """Return the flow file, or the data with dates, of a parameter; InputError if there is none, or it is another's."""
    flow = flow_of(name, f'parameter {topic}', MEDIA[topic], dated=True)
    return flow if isinstance(flow, FlowFile) else read_flow(name)


def _check_flow_file(topic: str, name: str) -> None:
    _flow_file(topic, name).close()


class FlowServer(ManagedNode):
    """
    Serve `water_current/get_flow` and `wind/get_flow`; if the water has waves, `waves/get_surface`, too.

    Topics and parameters: docs/nodes.md.

    The world's time 0, at which a flow file's clock starts, is the stamp 0 (for a simulation), the first requested
    stamp (`time_origin: first`), or the file's date (`time_origin: date`, for stamps that are dates).
    """

    declared = (
        *(Text(topic, '', f'Flow file of the {medium}: a name in config/flows, or a path; or data with dates and '
               'places (netCDF, GRIB). Empty: none.',
               read=partial(_check_flow_file, topic)) for topic, medium in MEDIA.items()),
        Text('boat', '', 'Boat to whose height of windage a wind at another height is reduced: a name in '
             'config/boats, or the path of a YAML file.', read=read_boat),
        TIME_ORIGIN,
        ORIGIN,
        Text('frame_id', 'odom', 'Earth frame (ENU) of the points.'),
        WholeNumber('picture_points', 40, 'Points across the picture.', least=2, most=PICTURE_ACROSS),
        SURFACE_SIZE, SURFACE_POINTS, SURFACE_PERIOD,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and open the flow files."""
        self._frame = self.parameters.text('frame_id')
        self._cells = self.parameters.whole_number('picture_points')
        self._flows: dict[str, FlowFile] = {}
        for topic in MEDIA:
            if name := self.parameters.text(topic):
                flow = _flow_file(topic, name)
                undo.callback(flow.close)
                if flow.is_data and flow.changes and (origin := self.parameters.text(TIME_ORIGIN.name)) != DATE:
                    raise InputError(f'parameter {TIME_ORIGIN.name} is {origin!r}; must be {DATE!r}, since {flow.path} '
                                     f'changes by its dates, {flow.span_words}; stamps of a simulation need a flow '
                                     'file with `time`')
                self._flows[topic] = self._at_boat(flow) if topic == 'wind' else flow
        self._place_flows()
        if not self._flows:
            raise InputError(f'no flow file: give at least one of the parameters {", ".join(MEDIA)}')
        self._picture = {topic: self.advertise(undo, PointCloud2, f'{topic}/field', LATCHED) for topic in self._flows}

    def _place_flows(self) -> None:
        """Put the flows at the places on the Earth of their files, and log assumed places."""
        current, wind = (self._flows.get(topic, UniformFlow()) for topic in MEDIA)
        laid = laid_together(current, wind, world_at(self.parameters.text(ORIGIN.name), 'parameter origin'),
                             'the world')
        self._flows = {topic: flow for topic, flow in zip(MEDIA, laid) if isinstance(flow, FlowFile)}
        for remark in remarks_of(*laid):
            self.get_logger().warning(remark)

    def _at_boat(self, wind: FlowFile) -> FlowFile:
        """Return a wind reduced to the height of the boat's windage."""
        if wind.height is None:
            return wind
        if not (boat := self.parameters.text('boat')):
            raise InputError(f'{wind.path}: this wind holds at {wind.height:g} m, and the parameter boat is empty; '
                             "whose windage is it to be reduced to? (height: boat in the flow's file: to none)")
        return wind_at_boat(wind, read_boat(boat))

    def activate(self, undo: ExitStack) -> None:
        """Offer the services, and publish the picture of each flow at its start."""
        self._world = WorldTime(self.parameters.text(TIME_ORIGIN.name))
        for topic, flow in self._flows.items():
            service = self.create_service(GetFlow, f'{topic}/get_flow', partial(self._on_request, flow))
            undo.callback(self.destroy_service, service)
            cloud = self._cloud(flow)
            if cloud is not None:
                self._picture[topic].publish(cloud)
        water = self._flows.get('water_current')
        if water is not None and water.waves is not None:
            SurfaceService(self, undo, water, self._frame, lambda stamp: self._world.at(stamp, water.source.start))

    def _on_request(self, flow: FlowFile, request: GetFlow.Request, response: GetFlow.Response) -> GetFlow.Response:
        if fault := self._fault(request):
            self.refuse(f'get_flow: {fault}')
            response.message = fault
            return response
        stamp = convert.nanoseconds(request.stamp) / convert.NANOSECONDS
        time = self._world.at(stamp, flow.source.start)
        x = [point.x for point in request.points] or request.x
        y = [point.y for point in request.points] or request.y
        vx, vy, inside = flow.velocity(time, np.array(x), np.array(y))
        response.success, response.inside = True, inside.tolist()
        if request.points:
            response.velocity = [convert.vector_of(*one) for one in zip(vx.tolist(), vy.tolist())]
        else:
            response.vx, response.vy = vx.tolist(), vy.tolist()
        return response

    def _fault(self, request: GetFlow.Request) -> str:
        """Return what is wrong with a request; empty if nothing is."""
        count = len(request.x) + len(request.points)
        if len(request.x) != len(request.y):
            return f'{len(request.x)} x for {len(request.y)} y; must be as many'
        if len(request.x) and len(request.points):
            return f'{len(request.x)} x and y and {len(request.points)} points; must be one of the two'
        if count > FLOW_POINTS:
            return f'{count} points; must be at most {FLOW_POINTS} in a request: ask for parts'
        if request.frame_id not in ('', self._frame) and not request.frame_id.endswith(f'/{self._frame}'):
            return f'frame_id is {safe_name(request.frame_id)!r}; must be {self._frame!r} or empty'
        return ''

    def _cloud(self, flow: FlowFile) -> PointCloud2 | None:
        """Return a coarse point cloud of a flow at the world's time 0; None if the flow has no limits."""
        xmin, ymin, xmax, ymax = flow.extent
        if not np.isfinite(flow.extent).all():
            return None
        spacing = max(xmax - xmin, ymax - ymin) / self._cells
        x, y = (grid.ravel() for grid in np.meshgrid(np.arange(xmin, xmax, spacing), np.arange(ymin, ymax, spacing)))
        vx, vy, inside = flow.velocity(0.0, x, y)
        columns = {'x': x, 'y': y, 'z': np.zeros_like(x), 'vx': vx, 'vy': vy, 'speed': np.hypot(vx, vy)}
        return convert.cloud_to_msg({name: values[inside] for name, values in columns.items()},
                                    Header(frame_id=self._frame))


if __name__ == '__main__':
    FlowServer.main()
