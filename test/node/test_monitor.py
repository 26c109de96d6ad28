"""The monitor beside a running boat, the remaining range on its topic, and the analysis of the bag that it leaves."""

import json
import math
import os
import subprocess
import sys
import time

import pytest
from harness import DEADLINE, steady_power, steps
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import read_boat
from usv_energy.earth import LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import FlowOptions, scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.graph.monitor import MonitorSession, MonitorWatch, boats_of
from usv_energy.sim.record import relative
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.studies.runs.monitor_view import frame

ORIGIN = 45.6073, 9.5524
ENERGY = 'usv_energy_msgs/msg/EnergyStamped'


def test_the_remaining_range_goes_on_after_a_reset(graph):
    boat = graph()
    heard = []
    boat.probe.create_subscription(Float64, 'remaining_range', heard.append, qos.STREAM)
    boat.until(lambda: boat.probe.count_publishers('/boat/remaining_range') > 0)
    boat.tell_all(steps(0.0, 0.5), u=1.0)
    boat.until(lambda: heard and math.isnan(heard[-1].data))
    boat.tell_all(steps(0.55, 3.0), u=1.0)
    vessel = read_boat('lutra_prop')
    wanted = vessel.battery.capacity_wh * 3600.0 / steady_power(1.0, vessel)
    boat.until(lambda: math.isfinite(heard[-1].data))
    assert heard[-1].data == pytest.approx(wanted, rel=1e-3)
    boat.reset()
    count = len(heard)
    boat.tell_all(steps(3.05, 3.5), u=1.0)
    boat.until(lambda: len(heard) >= count + 10)
    assert all(msg.data == pytest.approx(wanted, rel=1e-3) for msg in heard[count:])


def test_the_monitor_says_what_the_boat_says(graph):
    boat = graph(current=FlowOptions('global', 0.3, 90.0), without=('wind_client',),
                 change={'power_calculator': {'flow_wait': 0.02}})
    with MonitorSession('boat', 5.0) as watch:
        monitor = watch.monitor
        boat.composition.executor.add_node(monitor)
        boat.tell_all(steps(0.0, 2.0), u=1.0, until='power')
        boat.until(lambda: (monitor.state().get('stamp_s') or 0.0) >= 1.9)
        state = monitor.state()
        boat.composition.executor.remove_node(monitor)
    assert state['power_total_w'] is None, 'no wind is known, so there is no power'
    assert state['wind']['status'] == 'missing' and state['wind']['speed_m_s'] is None
    assert state['current']['speed_m_s'] == pytest.approx(0.3)
    assert any('wind' in problem for problem in state['problems'])
    json.dumps(state, allow_nan=False)
    assert 'no wind known' in '\n'.join(frame(state, 80, False))


def test_a_watch_in_a_thread_says_what_the_boat_says(graph, ros):
    boat = graph(current=FlowOptions('global', 0.3, 90.0), wind=FlowOptions('global', 0.0, 0.0))
    with MonitorWatch('boat', origin=LocalPlane(ORIGIN)) as watch:
        stamp, end = 0.0, time.monotonic() + DEADLINE
        while time.monotonic() < end and not any(
                one.get('power_total_w') and one['track_deg'] for one in watch.state()['boats']):
            boat.tell_all(steps(stamp, stamp + 0.5), u=1.0, x=30.0, y=-40.0)
            stamp += 0.55
        [state] = watch.state()['boats']
    assert state['map'] == {'place_deg': LocalPlane(ORIGIN).degrees_of(30.0, -40.0), 'home_deg': None,
                            'ring_deg': None, 'is_on_earth': True}
    assert state['track_deg'] == [state['map']['place_deg']]
    assert state['power_total_w'] > 1.0 and state['namespace'] == '/boat' and state['alarms'] == []
    assert state['heading_deg'] == 90.0 and state['yaw_deg'] == 0.0
    json.dumps(state, allow_nan=False)
    assert watch.state()['ended'] and watch.state()['error'] == ''


def test_a_watch_says_that_there_is_no_boat(ros):
    with MonitorWatch(None, 0.2) as watch:
        end = time.monotonic() + DEADLINE
        while not watch.state()['ended'] and time.monotonic() < end:
            time.sleep(0.02)
        assert 'no boat publishes its energy' in watch.state()['error'] and watch.state()['boats'] == []


@pytest.mark.parametrize('name', ['', '/', 'a b', '<b>', '1boat', 'a//b', '~x'])
def test_a_watch_refuses_what_is_no_namespace(name):
    with pytest.raises(InputError, match=r'namespace is .* must be letters'):
        MonitorWatch(name)


def test_boats_are_found_by_their_energy_and_a_second_convention_is_no_second_boat():
    topics = [('/a/energy', [ENERGY]), ('/a/as_published/energy', [ENERGY]), ('/b/energy', [ENERGY]),
              ('/c/energy', ['std_msgs/msg/Float64']), ('/d/power', [ENERGY])]
    assert boats_of(topics) == ['/a', '/b']


def test_no_boat_is_said(ros):
    with pytest.raises(InputError, match='no boat publishes its energy'):
        MonitorSession(None, 0.3)


def test_the_command_shows_a_running_boat_once_and_says_when_there_is_none(graph, ros):
    boat = graph(namespace='/diffboat')
    boat.tell_all(steps(0.0, 0.5), u=1.0)
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(ros)}

    def start(*arguments):
        return subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'monitor', *arguments], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)

    process, stamp, end = start('--once', '--json', '--wait', f'{DEADLINE}'), 0.5, time.monotonic() + DEADLINE
    while process.poll() is None and time.monotonic() < end:
        stamp += 0.05
        boat.tell(stamp, u=1.0)
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, err
    state = json.loads(out)
    assert state['namespace'] == '/diffboat'
    assert state['power_total_w'] == pytest.approx(steady_power(1.0, read_boat('lutra_prop')), rel=1e-9)
    drawn = state['energy_total_j'] / (read_boat('lutra_prop').battery.capacity_wh * 3600.0)
    assert state['state_of_charge'] == pytest.approx(1.0 - drawn, abs=1e-4), 'a sample may lie between the two topics'
    silent = start('--once', '--namespace', 'nobody', '--wait', '0.3')
    out, err = silent.communicate(timeout=DEADLINE)
    assert silent.returncode == 1
    assert 'nothing heard on /nobody/power and /nobody/energy' in err


def test_the_bag_of_a_demo_run_gives_the_live_energy_also_at_half_the_rate(ros, tmp_path):
    """By the motion to rounding, and within 0.2 % by every other odometry; by the thrusts within the closure."""
    pytest.importorskip('rosbags')
    graph = scenario_nodes(read_scenario('2'), ScenarioOptions(out=str(tmp_path), plots=False))
    with Composition(graph, '/diffboat') as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
        summary, = composition.summaries()
    log = read_log(tmp_path / '2_rep103' / 'bag')
    boat = read_boat('lutra_prop')
    by_motion = AnalysisOptions(actuators=ALLOCATED)
    energy = analysed_log(log, boat, by_motion).energy
    assert relative(energy.total, summary['energy_j']) == pytest.approx(0.0, abs=1e-9)
    half = analysed_log(log.part(slice(None, None, 2)), boat, by_motion).energy
    assert relative(half.total, summary['energy_j']) == pytest.approx(0.0, abs=0.002)
    assert relative(analysed_log(log, boat).energy.total, summary['energy_j']) == pytest.approx(0.0, abs=1e-5)
