"""Flow files on the real graph: a scenario in local mode is the plain run; a boat that is carried costs nothing."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timezone

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from harness import DEADLINE, at_ten_hertz
from nav_msgs.msg import Odometry
from needs import NEEDS_XARRAY
from rclpy.parameter import Parameter
from sensor_msgs.msg import PointCloud2

from usv_energy.flow.flow_file import read_flow
from usv_energy.nodes.flow_server import FlowServer
from usv_energy.physics.motion import STILL, Motion, Relative, relative_rep103
from usv_energy.powering.energy import Accumulation, Sample, accumulate
from usv_energy.powering.power import mean_power_rep103
from usv_energy.ros.framework.qos import LATCHED
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import FlowOptions, scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import PowerStamped
from usv_energy_msgs.srv import GetFlow, GetSurface


def test_a_scenario_in_local_mode_is_the_plain_run(ros, tmp_path):
    """Promised within 0.1 %; the server answers for every state at its own place, so only rounding is left."""
    scenario = read_scenario(at_ten_hertz('river/crossing_both', tmp_path))
    plain = run_scenario(scenario)
    options = ScenarioOptions(out=str(tmp_path), plots=False, bag=False)
    with Composition(scenario_nodes(scenario, options), '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
        summary, = composition.summaries()
    assert summary['duration_s'] == pytest.approx(plain.duration, abs=1e-9)
    assert summary['energy_j'] == pytest.approx(plain.energy.total, rel=1e-9)
    assert summary['stale_duration_s'] == 0.0
    assert json.loads((tmp_path / f'{plain.scenario.name}_rep103/summary.json').read_text()) == summary


def served(one, **parameters):
    """Add a flow server to an energy graph."""
    server = FlowServer(namespace='/boat', parameter_overrides=[
        Parameter(key, value=value) for key, value in parameters.items()])
    one.composition.nodes['flow_server'] = server
    one.composition.executor.add_node(server)
    assert server.bring_up()
    return server


def ask(one, topic, **request):
    client = one.probe.create_client(GetFlow, f'{topic}/get_flow')
    one.until(client.service_is_ready)
    future = client.call_async(GetFlow.Request(**request))
    one.until(future.done)
    return future.result()


def test_the_service_gives_the_field_and_says_where_there_is_none(graph):
    one = graph()
    served(one, water_current='vortex')
    x, y = [260.0, 255.0, 1e6], [100.0, 117.0, 0.0]
    answer = ask(one, 'water_current', x=x, y=y)
    assert answer.success
    vx, vy, inside = read_flow('vortex').velocity(0.0, np.array(x), np.array(y))
    assert list(answer.inside) == inside.tolist() == [True, True, False]
    assert list(answer.vx)[:2] == vx[:2].tolist()
    assert list(answer.vy)[:2] == vy[:2].tolist()
    assert math.isnan(answer.vx[2])
    points = ask(one, 'water_current', points=[Point(x=east, y=north, z=7.0) for east, north in zip(x, y)])
    assert [(one.x, one.y, one.z) for one in points.velocity[:2]] == [(*one, 0.0) for one in zip(vx[:2], vy[:2])]
    assert points.inside == answer.inside and not points.vx and not points.vy and not answer.velocity
    both = ask(one, 'water_current', x=x, y=y, points=[Point()])
    assert not both.success and both.message == '3 x and y and 1 points; must be one of the two'


@NEEDS_XARRAY
@pytest.mark.parametrize(('origin', 'north'), [('45.0,10.8', 0.5), ('45.0,8.2', 0.0), ('', 0.0)])
def test_a_flow_in_degrees_lies_where_its_file_says(graph, tmp_path, origin, north):
    """0.5 m/s to the north east of 9.55 E; without an origin x = y = 0 is the middle of the file, 9.5 E, as before."""
    import xarray
    longitude, latitude = np.arange(8.0, 11.01, 0.1), np.arange(44.0, 46.01, 0.1)
    speeds = np.broadcast_to(np.where(longitude > 9.55, 0.5, 0.0), (latitude.size, longitude.size))
    xarray.Dataset({name: (('latitude', 'longitude'), values, {'units': 'm s-1'})
                    for name, values in (('uo', 0.0 * speeds), ('vo', speeds))},
                   {'latitude': ('latitude', latitude, {'units': 'degrees_north'}),
                    'longitude': ('longitude', longitude, {'units': 'degrees_east'})}).to_netcdf(tmp_path / 'f.nc')
    (tmp_path / 'f.yaml').write_text('medium: water\nfile: {path: f.nc}\n')
    one = graph()
    served(one, water_current=str(tmp_path / 'f.yaml'), **({'origin': origin} if origin else {}))
    answer = ask(one, 'water_current', x=[0.0], y=[0.0])
    assert answer.inside == [True] and answer.vy[0] == pytest.approx(north, abs=1e-6)


def surface(one, **request):
    client = one.probe.create_client(GetSurface, 'waves/get_surface')
    one.until(client.service_is_ready)
    future = client.call_async(GetSurface.Request(**request))
    one.until(future.done)
    return future.result()


def test_the_surface_is_that_of_the_flow_files_sea(graph):
    one = graph()
    served(one, water_current='sea')
    x, y, z = [1.0, -5.0], [2.0, 7.0], [0.0, -0.4]
    answer = surface(one, stamp=Time(sec=3, nanosec=500_000_000), x=x, y=y, z=z)
    sea = read_flow('sea').sea
    points = sea.at(3.5, np.array(x), np.array(y), np.array(z))
    assert answer.success
    np.testing.assert_allclose(answer.elevation, points.elevation, rtol=1e-12)
    np.testing.assert_allclose([answer.slope_x, answer.slope_y], points.slope, rtol=1e-12)
    np.testing.assert_allclose([(v.x, v.y, v.z) for v in answer.velocity], np.transpose(points.velocity), rtol=1e-12)
    np.testing.assert_allclose([(v.x, v.y, v.z) for v in answer.acceleration], np.transpose(points.acceleration),
                               rtol=1e-12)
    assert (answer.significant_height, answer.peak_period) == pytest.approx((0.3, 2.5))
    assert abs(answer.direction) == pytest.approx(math.pi)


@pytest.mark.parametrize(('request_', 'said'), [
    (dict(x=[1.0, 2.0], y=[1.0]), '2 x, 1 y and 0 z'), (dict(x=[1.0], y=[1.0], z=[0.5]), 'z is 0.5 m'),
    (dict(x=[math.nan], y=[1.0]), 'finite'), (dict(x=[1e308], y=[1.0]), 'at most 1e+09'),
    (dict(x=[1.0], y=[1.0], frame_id='utm'), "frame_id is 'utm'")])
def test_a_wrong_question_of_the_surface_is_refused(graph, request_, said):
    one = graph()
    served(one, water_current='sea')
    answer = surface(one, **request_)
    assert not answer.success
    assert said in answer.message


def test_the_picture_of_the_surface_lies_around_the_boat(graph):
    one = graph()
    served(one, water_current='sea', surface_size=8.0, surface_points=5)
    clouds = []
    one.probe.create_subscription(PointCloud2, 'waves/surface', clouds.append, 10)
    odometry = one.probe.create_publisher(Odometry, 'odom', 10)
    msg = Odometry()
    msg.header.stamp, msg.pose.pose.position.x = Time(sec=2), 100.0
    one.until(lambda: clouds or odometry.publish(msg))
    x, y, z, _ = np.frombuffer(bytes(clouds[0].data), '<f4').reshape(25, 4).T.astype(float)
    assert (x.min(), x.max(), y.min(), y.max()) == (96.0, 104.0, -4.0, 4.0)
    np.testing.assert_allclose(z, read_flow('sea').sea.elevation(2.0, x, y), atol=1e-6)


@pytest.mark.parametrize(('request_', 'said'), [
    (dict(x=[1.0, 2.0], y=[1.0]), '2 x for 1 y'),
    (dict(x=[1.0], y=[1.0], frame_id='utm'), "frame_id is 'utm'")])
def test_a_wrong_question_is_refused(graph, request_, said):
    one = graph()
    served(one, water_current='vortex')
    answer = ask(one, 'water_current', **request_)
    assert not answer.success
    assert said in answer.message


def test_the_picture_is_latched_and_holds_the_field(graph):
    one = graph()
    served(one, water_current='river')
    clouds = []
    one.probe.create_subscription(PointCloud2, 'water_current/field', clouds.append, LATCHED)
    one.until(lambda: clouds)
    cloud = clouds[0]
    values = np.frombuffer(bytes(cloud.data), '<f4').reshape(cloud.width, len(cloud.fields))
    columns = dict(zip((field.name for field in cloud.fields), values.T))
    vx, vy, inside = read_flow('river').velocity(0.0, columns['x'].astype(float), columns['y'].astype(float))
    assert cloud.width > 100
    assert inside.all()
    np.testing.assert_allclose(columns['vx'], vx, atol=1e-4)
    np.testing.assert_allclose(columns['speed'], np.hypot(vx, vy), atol=1e-4)


def test_a_wind_at_ten_metres_is_served_as_it_is_at_the_boat(ros, graph, tmp_path, capfd):
    path = tmp_path / 'wind.yaml'
    path.write_text('medium: air\nheight: 10\nanalytic: {kind: uniform, speed: 5, direction_deg: 0}\n')
    nobody = FlowServer(parameter_overrides=[Parameter('wind', value=str(path))])
    try:
        assert not nobody.bring_up()
        assert 'this wind holds at 10 m, and the parameter boat is empty' in capfd.readouterr().err
    finally:
        nobody.close()
    one = graph()
    served(one, wind=str(path), boat='lutra_prop')
    share = math.log(0.075 / 2e-4) / math.log(10.0 / 2e-4)
    assert ask(one, 'wind', x=[0.0], y=[0.0]).vx[0] == pytest.approx(5.0 * share)


@NEEDS_XARRAY
def test_data_with_dates_are_served_by_stamps_that_are_dates(ros, graph, tmp_path, capfd):
    """A forecast as it was downloaded: half an hour after its first time, at the place of x = y = 0."""
    from netcdf_files import LATITUDE, LONGITUDE, dataset, u_of, written
    path = str(written(tmp_path, dataset(), 'tide.nc'))
    simulated = FlowServer(parameter_overrides=[Parameter('water_current', value=path)])
    try:
        assert not simulated.bring_up()
        assert "time_origin is 'zero'; must be 'date', since" in capfd.readouterr().err
    finally:
        simulated.close()
    one = graph()
    served(one, water_current=path, time_origin='date', origin=f'{LATITUDE[1]},{LONGITUDE[1]}')
    stamp = int(datetime(2024, 5, 1, 6, 30, tzinfo=timezone.utc).timestamp())
    answer = ask(one, 'water_current', x=[0.0], y=[0.0], stamp=Time(sec=stamp))
    assert answer.vx[0] == pytest.approx(u_of(1800.0, LONGITUDE[1], LATITUDE[1]), abs=1e-6)
    assert not ask(one, 'water_current', x=[0.0], y=[0.0], stamp=Time(sec=stamp - 3600)).inside[0]


@pytest.mark.parametrize(('parameters', 'said'), [
    ({}, 'no flow file'), ({'wind': 'river'}, "parameter wind is 'river', a flow of water; must be one of air"),
    ({'water_current': 'reiver'}, "no flow named 'reiver'. Did you mean 'river'?")])
def test_a_server_without_a_right_file_does_not_come_up(ros, capfd, parameters, said):
    node = FlowServer(parameter_overrides=[Parameter(key, value=value) for key, value in parameters.items()])
    try:
        assert not node.bring_up()
        assert said in capfd.readouterr().err
    finally:
        node.close()


def carried_boat():
    """Return what odometry says, every 0.05 s for 60 s, of a boat with its engines off in an eddy."""
    scenario = replace(read_scenario('1'), current=read_flow('vortex'))
    plant = Plant(scenario.plant.vessel, (270.0, 95.0, 0.3), scenario.flow_at(), 0.01)
    plant.state = plant.state._replace(r=0.02)
    told = []
    for _ in range(1200):
        state, (u, v, r) = plant.state, plant.velocity_over_ground()
        told.append((plant.time, dict(x=state.x, y=state.y, yaw=state.yaw, u=u, v=v, r=r)))
        for _ in range(5):
            plant.advance((0.0, 0.0))
    return told


def energy_under_power(told):
    """Return the energy, J, of the same motion in still water."""
    vessel, state = read_scenario('1').boat.vessel, Accumulation()
    before, since = Relative(*[math.nan] * 5), math.nan
    for time, at in told:
        now = relative_rep103(Motion(at['yaw'], at['u'], at['v'], at['r'], 0.0, 0.0, 0.0), STILL)
        power = mean_power_rep103(before, now, time - since, vessel)
        before, since = now, time
        state = accumulate(state, Sample(time, power, 0.0, 0.0, False), 1.0)
    return state.energy.total


def test_a_boat_carried_around_an_eddy_costs_nothing(graph):
    """Below 0.1 % of the same way under power in still water."""
    told = carried_boat()
    one = graph(current=FlowOptions('local'), change={
        'power_calculator': {'current_varies': True},
        'current_client': {'wait_for_answer': True, 'deadline': DEADLINE}})
    served(one, water_current='vortex')
    one.until(lambda: one.nodes['current_client']._client.service_is_ready())
    for time, at in told:
        one.tell(time, **at)
    carried, power = one.heard['energy'][-1], one.heard['power'][-1]
    assert power.status == PowerStamped.OK
    assert carried.distance_over_ground > 10.0
    assert carried.invalid_samples == 1
    assert carried.total < 0.001 * energy_under_power(told)


def start_server():
    return subprocess.Popen([sys.executable, '-m', 'usv_energy.nodes.flow_server', '--ros-args', '-r',
                             '__ns:=/diffboat', '-p', 'autostart:=true', '-p', 'water_current:=river', '-p',
                             'wind:=gusts'], env=dict(os.environ))


def test_a_server_killed_on_the_way_and_started_anew_changes_nothing(ros, tmp_path):
    """Lockstep waits for it, and asks it again for the state that its predecessor took along."""
    scenario = read_scenario(at_ten_hertz('river/crossing_both', tmp_path))
    plain = run_scenario(scenario)
    specs = [spec for spec in scenario_nodes(scenario, ScenarioOptions()) if spec.name != 'flow_server']
    process = start_server()
    try:
        with Composition(specs, '/diffboat') as composition:
            plant = composition.nodes['boat_simulator']
            assert composition.spin_until(lambda: plant._plant.time > 5.0, DEADLINE)
            process.kill()
            process.wait()
            assert composition.spin_until(lambda: plant._lockstep.waited > 0.4, DEADLINE)
            stopped_at = plant._plant.time
            assert composition.spin_until(lambda: plant._lockstep.waited > 0.8, DEADLINE)
            assert plant._plant.time == stopped_at
            process = start_server()
            assert composition.spin_until(lambda: is_done(composition), DEADLINE)
            result = composition.nodes['scenario_driver'].ended
    finally:
        process.kill()
        process.wait()
    assert result.energy.total == pytest.approx(plain.energy.total, rel=1e-9)
    assert result.energy.stale_duration == 0.0
