"""What people order by `ros2`: velocities, a path, the file of a mission, and places to go back to."""

import json
import math
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml
from launched import assert_quiet, is_up, ros2, ros2_together, until
from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from usv_energy.ros.framework import qos
from usv_energy.ros.messages import convert
from usv_energy.sim.runner import run_scenario
from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run
from usv_energy_msgs.msg import HomeMargin

pytestmark = [pytest.mark.ros2cli, pytest.mark.usefixtures('ros2_tools')]
LAUNCH = ('ros2', 'launch', 'usv_energy')
DRIVER, WATCH = '/diffboat/motion_driver', '/diffboat/home_watch'
PUBLISH = ('ros2', 'topic', 'pub', '-r', '20', '/diffboat/cmd_vel')
LENGTH = 1.06   # m, of lutra_prop: docs/papers.md, table 5.1 of the thesis
WAYPOINTS = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t45.6073\t9.5524\t0\t1
1\t0\t3\t16\t0\t0\t0\t0\t45.6073\t9.5526\t0\t1
2\t0\t3\t16\t8\t0\t0\t0\t45.6074\t9.5526\t0\t1
"""
D11, HOTEL, CAPACITY = 16.296, 6.0, 148.0 * 3600.0


def end(launch):
    """End a launch as Ctrl-C does, and hold it to an end without an error."""
    launch.interrupt()
    assert launch.exit_code() == 0, launch.output()
    assert_quiet(launch.output())
    assert launch.output().count('process started') == launch.output().count('finished cleanly')


@pytest.fixture
def driven(start, probe):
    """Return a launch of a boat to drive, a process a node, and what is heard of its odometry."""
    heard = []
    probe.node.create_subscription(Odometry, '/diffboat/odom', heard.append, qos.STREAM)
    launch = start(*LAUNCH, 'drive.launch.py', 'boat:=lutra_prop', 'composed:=false', 'pace:=2.0')
    is_up(probe, DRIVER)
    return launch, heard


def moves(heard, surge, yaw_rate):
    """Return whether the boat does what is asked of it, to within 1 %."""
    u, _, r = convert.planar_velocity(heard[-1].twist.twist) if heard else (math.nan,) * 3
    return u == pytest.approx(surge, rel=0.01, abs=0.01) and r == pytest.approx(yaw_rate, rel=0.01, abs=0.002)


def test_velocities_of_either_type_and_what_is_said_where_they_end(driven, start, probe, daemon):
    launch, heard = driven
    twist = start(*PUBLISH, 'geometry_msgs/msg/Twist', '{linear: {x: 0.8}, angular: {z: 0.1}}')
    probe.until(lambda: moves(heard, 0.8, 0.1), 'the velocity of a Twist')
    twist.interrupt()
    probe.until(lambda: 'no cmd_vel for 1 s: the boat is told to stop' in launch.output(), 'a word of the stop')
    probe.until(lambda: moves(heard, 0.0, 0.0), 'the stop')
    stamped = start(*PUBLISH, 'geometry_msgs/msg/TwistStamped',
                    '{header: {frame_id: diffboat/base_link}, twist: {linear: {x: 0.5}, angular: {z: -0.2}}}')
    probe.until(lambda: moves(heard, 0.5, -0.2), f'the velocity of a TwistStamped\n{launch.output()}')
    assert '/diffboat/cmd_vel is published as TwistStamped now' in launch.output()
    assert 'Transitioning successful' in ros2('lifecycle', 'set', DRIVER, 'deactivate')
    until(lambda: 'still waiting for thruster_command' in launch.output(), 'the simulator wait for its driver')
    state, energy, described = ros2_together(f'lifecycle get {DRIVER}', 'topic echo --once /diffboat/energy',
                                             f'param describe {DRIVER} cmd_vel_timeout')
    assert 'inactive [2]' in state
    assert float(re.search(r'^total: (\S+)$', energy, re.MULTILINE)[1]) > 10.0, 'not that of the start'
    assert 'Type: double' in described and 's of message time' in described
    assert 'Transitioning successful' in ros2('lifecycle', 'set', DRIVER, 'activate')
    at = len(heard)
    probe.until(lambda: len(heard) > at + 100 and moves(heard, 0.5, -0.2), 'the same velocity again')
    stamped.interrupt()
    end(launch)


def test_a_path_is_followed_to_its_end_and_the_place_is_kept(driven, probe):
    launch, heard = driven
    probe.until(lambda: heard, 'odometry')
    x, y, yaw = convert.pose_of_odometry(heard[-1])
    places = [(x + way * math.cos(yaw), y + way * math.sin(yaw)) for way in (4.0, 8.0, 12.0)]
    poses = ', '.join(f'{{pose: {{position: {{x: {px:.3f}, y: {py:.3f}}}}}}}' for px, py in places)
    order = ('topic', 'pub', '--once', '/diffboat/path', 'nav_msgs/msg/Path')
    ros2(*order, f'{{header: {{frame_id: map}}, poses: [{poses}]}}')
    until(lambda: 'path is refused' in launch.output(), 'a refusal of a frame that is nowhere')
    ros2(*order, f'{{header: {{frame_id: diffboat/odom}}, poses: [{poses}]}}')
    first = len(heard)
    probe.until(lambda: 'the end of the path is reached, and kept' in launch.output(), 'the end of the path')
    probe.until(lambda: moves(heard, 0.0, 0.0), 'the boat at rest')
    off = [math.cos(yaw) * (py - y) - math.sin(yaw) * (px - x)
           for px, py, _ in map(convert.pose_of_odometry, heard[first:])]
    assert max(map(abs, off)) < 0.1, 'straight ahead in still water'
    assert math.dist(convert.pose_of_odometry(heard[-1])[:2], places[-1]) < LENGTH
    launch.interrupt()
    assert launch.exit_code() == 0


@pytest.mark.parametrize('composed', ['true', 'false'])
def test_the_legs_of_a_mission_file_are_those_without_ros(start, tmp_path, composed):
    path = tmp_path / 'survey.waypoints'
    path.write_text(WAYPOINTS)
    echo = start('ros2', 'topic', 'echo', '/diffboat/energy', 'usv_energy_msgs/msg/EnergyStamped', '--field', 'leg')
    launch = start(*LAUNCH, 'scenario.launch.py', f'scenario:={path}', 'boat:=lutra_prop', 'speed:=0.6',
                   'current:=0.2,90', 'wind:=3,200', 'wind_height:=10', f'composed:={composed}', 'bag:=false',
                   'plots:=false', f'out:={tmp_path / "out"}')
    assert launch.exit_code() == 0, launch.output()
    assert_quiet(launch.output())
    summary = json.loads((tmp_path / 'out/survey_rep103/summary.json').read_text())
    alone = run_scenario(scenario_to_run(str(path), RunChoice('lutra_prop', '', 0.6, '0.2,90', '3,200', 10.0)))
    legs = ['item 1', 'item 2', 'hold at item 2']
    assert [leg['leg'] for leg in summary['legs']] == legs
    assert summary['energy_j'] == pytest.approx(alone.energy.total, rel=1e-9)
    until(lambda: set(legs) <= set(re.sub("'", '', echo.output()).splitlines()), f'all legs\n{echo.output()}')
    missing = start(*LAUNCH, 'scenario.launch.py', f'scenario:={path}')
    assert missing.exit_code() == 1
    assert 'is a mission, which says nothing of its boat: give a boat' in missing.output()


@pytest.fixture
def watched(start, probe, tmp_path):
    """Return a launch with a watch of the way home, without doubt of anything, and what is heard of its margins."""
    boat, parameters, heard = tmp_path / 'boat.yaml', tmp_path / 'sure.yaml', []
    boat.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'with_hotel', 'static_load': HOTEL,
                                    'windage': {'frontal_area': 0.0, 'lateral_area': 0.0}}))
    parameters.write_text(yaml.safe_dump({WATCH: {'ros__parameters': {
        'confidence': 0.5, 'reserve': 0.0, 'charge_std': 0.0, 'current_std': 0.0, 'wind_std': 0.0}}}))
    probe.node.create_subscription(HomeMargin, '/diffboat/home_margin', heard.append, qos.STREAM)
    launch = start(*LAUNCH, 'energy.launch.py', f'boat:={boat}', 'homes:=pier:0,0', 'lag:=0.0', 'composed:=false',
                   f'params_file:={parameters}')
    is_up(probe, WATCH)
    return launch, heard


def test_the_way_home_by_its_closed_form_and_a_home_by_service(watched, probe, daemon):
    """A metre costs 2 sqrt(h d11) at the cheapest speed in still water with a hotel load h; the boat goes east."""
    launch, heard = watched
    odometry = probe.node.create_publisher(Odometry, '/diffboat/odom', qos.STREAM)
    sent = []

    def send():
        stamp = convert.stamp_of(len(sent) * 100_000_000)
        sent.append(convert.odometry_to_msg((100.0 + 0.05 * len(sent), 0.0, 0.0), (0.5, 0.0, 0.0),
                                            Header(stamp=stamp, frame_id='odom'), 'base_link'))
        odometry.publish(sent[-1])

    def margin(found, what):
        probe.until(lambda: heard and heard[-1].status == HomeMargin.OK and found(heard[-1]), what)
        return heard[-1]

    probe.node.create_timer(0.1, send)
    msg = margin(lambda msg: msg.home == 'pier', 'a margin')
    metre = 2.0 * math.sqrt(HOTEL * D11)
    assert msg.distance == pytest.approx(100.0 + 0.5 * convert.nanoseconds(msg.header.stamp) / 1e9, abs=1e-6)
    assert msg.energy_home == pytest.approx(msg.distance * metre, rel=3e-3) == msg.energy_home_upper
    assert msg.energy_left == pytest.approx(CAPACITY, rel=1e-3)
    assert_services_and_parameters(probe, margin)
    end(launch)


def assert_services_and_parameters(probe, margin):
    """Set a home, refuse a wrong one, and change what is kept for it, all by ros2."""
    with ThreadPoolExecutor(1) as pool:
        def meanwhile(*arguments):
            """Run ros2 while the odometry goes on."""
            done = pool.submit(ros2, *arguments)
            probe.until(done.done, ' '.join(arguments))
            return done.result()

        kind = ('service', 'call', '/diffboat/set_home', 'usv_energy_msgs/srv/SetHome')
        assert 'success=True' in meanwhile(*kind, '{names: [slip], places: [{x: 0.0, y: 30.0}], reserve: 1000.0}')
        msg = margin(lambda msg: msg.home == 'slip', 'a margin of the slip')
        east = 100.0 + 0.5 * convert.nanoseconds(msg.header.stamp) / 1e9
        assert msg.distance == pytest.approx(math.hypot(east, 30.0), abs=1e-6)
        assert (msg.reserve, msg.margin) == (1000.0, pytest.approx(msg.energy_left - msg.energy_home_upper - 1000.0))
        wrong = meanwhile(*kind, '{names: [a, b], places: [{x: 0.0}], reserve: .nan}')
        assert 'success=False' in wrong and '2 names for 1 places' in wrong
        assert 'success=True' in meanwhile(*kind, '{reserve: .nan}')
        assert margin(lambda msg: msg.home == 'home', 'the way here').distance < 60.0
        assert 'Set parameter successful' in meanwhile('param', 'set', WATCH, 'confidence', '0.99')
        described = meanwhile('param', 'describe', WATCH, 'homes')
        assert 'Type: string array' in described and 'NAME:X,Y' in described
        assert 'home: home' in meanwhile('topic', 'echo', '--once', '/diffboat/home_margin')
        assert 'Transitioning successful' in meanwhile('lifecycle', 'set', WATCH, 'deactivate')
        assert 'inactive [2]' in meanwhile('lifecycle', 'get', WATCH)
