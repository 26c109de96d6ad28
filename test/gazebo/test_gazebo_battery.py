"""A boat on cells in a real Gazebo server: empty where the embedded simulator is, and then it stops."""

import math
from itertools import pairwise

import pytest
import yaml
from graph_drift import WALL, server_and_bridge
from launched_gazebo import REASON, summary_in

from usv_energy.sim.plants.supplied_plant import plant_at_start
from usv_energy.sim.record import BATTERY_EMPTY
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or 'there is all')
PERIOD = 0.02
CHARGE = 0.011


@pytest.fixture
def far(tmp_path):
    """Return a scenario that a nearly empty battery does not last for: a BlueBoat with two T200 at full throttle."""
    thrusters = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                 for name, y in (('left', 0.295), ('right', -0.295))]
    (tmp_path / 'boat.yaml').write_text(yaml.safe_dump({
        'base': 'blueboat', 'name': '4s', 'thrusters': thrusters,
        'hull': {'length': 1.2, 'width': 0.93, 'height': 0.3},
        'battery': {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 15.6, 'capacity_wh': None,
                    'initial_state_of_charge': CHARGE}}))
    path = tmp_path / 'far.yaml'
    path.write_text(yaml.safe_dump({
        'base': '1', 'published': None, 'boat': 'boat.yaml', 'speed': {'mode': 'full_thrust'},
        'start': {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0}, 'waypoints': [{'x': 900.0, 'y': 0.0}],
        'stop': {'radius': 2.0, 'timeout': 60.0}}))
    return path


def seconds(msg):
    return msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec


def is_dead(msg):
    return msg.power_supply_health == msg.POWER_SUPPLY_HEALTH_DEAD


@pytest.fixture
def domain(monkeypatch):
    from domain_coordinator import domain_id
    with domain_id() as number:
        monkeypatch.setenv('ROS_DOMAIN_ID', str(number))
        monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        yield number


def assert_charge_is_of_the_current(batteries, pack):
    """By a formula that shares no code: the charge that went is what the current took."""
    taken = sum(-0.5 * (a.current + b.current) * (seconds(b) - seconds(a)) for a, b in pairwise(batteries))
    capacity = 3600.0 * batteries[0].capacity
    assert batteries[0].percentage - batteries[-1].percentage == pytest.approx(taken / capacity, rel=0.01)
    assert capacity == pytest.approx(pack.cell.capacity * pack.parallel * pack.capacity_share, rel=1e-5)


@pytest.mark.parametrize('pace, share', [('lockstep', 0.01), ('free', 0.02)])
def test_a_battery_is_empty_where_that_of_the_embedded_simulator_is(launched, far, tmp_path, pace, share):
    """At a free pace commands are late by what the world is ahead: while it gains speed, it gets too much thrust."""
    from graph_listener import listening
    from nav_msgs.msg import Odometry
    from sensor_msgs.msg import BatteryState
    plain = run_scenario(read_scenario(str(far)))
    assert plain.outcome == BATTERY_EMPTY
    with listening(batteries=(BatteryState, '/diffboat/simulated_battery'),
                   odometry=(Odometry, '/diffboat/odom')) as topics:
        code, said = launched(scenario=far, pace=pace, real_time_factor='0' if pace == 'lockstep' else '2').result()
    summary = summary_in(tmp_path / 'out/far_rep103')
    assert code == 1 and 'the battery gives no more' in said and 'its goal was not reached' in said, said
    assert summary['outcome'] == BATTERY_EMPTY
    assert summary['duration_s'] == pytest.approx(plain.duration, rel=share)
    assert summary['energy_j'] == pytest.approx(plain.energy.total, rel=share)
    batteries = sorted(topics['batteries'], key=seconds)
    alive = [msg for msg in batteries if not is_dead(msg)]
    fastest = max(math.hypot(msg.twist.twist.linear.x, msg.twist.twist.linear.y) for msg in topics['odometry'])
    assert fastest == pytest.approx(max(math.hypot(row.motion.u, row.motion.v) for row in plain.rows), rel=0.01)
    assert min(msg.voltage for msg in alive) == pytest.approx(min(row.supply.voltage for row in plain.rows), rel=0.01)
    assert_charge_is_of_the_current(alive, read_scenario(str(far)).plant.pack)


def at_full_throttle(scenario, duration):
    """Return what the battery said and the speed with each odometry, s: V, A, whether it is dead, m/s; in lockstep."""
    from rclpy.parameter import Parameter
    from std_msgs.msg import Float64

    from usv_energy.nodes.gazebo_pacer import GazeboPacer
    from usv_energy.ros.framework.qos import STREAM
    from usv_energy.ros.graph.compose import Composition
    from usv_energy.ros.graph.graph import NodeSpec
    with Composition([NodeSpec('gazebo_settler', 'gazebo_settler', {})]) as settling:
        assert settling.spin_until(lambda: settling.nodes['gazebo_settler'].exit_status() == 0, WALL)
    specs = [NodeSpec('gazebo_thrusters', 'gazebo_thrusters', {'boat': str(scenario.plant.path)})]
    with Composition(specs, '/diffboat') as graph:
        pacer = GazeboPacer(parameter_overrides=[
            Parameter('pace', value='lockstep'), Parameter('readers', value=['gazebo_thrusters']),
            Parameter('awaited', value=['gazebo/thruster_command'])])
        throttles = [pacer.create_publisher(Float64, f'/diffboat/cmd_thrust/{name}', STREAM)
                     for name in scenario.plant.thruster_names]
        states, node = [], graph.nodes['gazebo_thrusters']

        def hear(msg):
            states.append((seconds(msg), is_dead(msg), node._motion.speed))
            for publisher in throttles:  # Whoever drives goes on asking for full throttle.
                publisher.publish(Float64(data=100.0))

        from sensor_msgs.msg import BatteryState
        pacer.create_subscription(BatteryState, '/diffboat/simulated_battery', hear, STREAM)
        graph.executor.add_node(pacer)
        assert pacer.bring_up()
        assert graph.spin_until(lambda: len(states) >= round(duration / PERIOD), 2.0 * WALL)
        graph.executor.remove_node(pacer)
        pacer.close()
    return states


def test_an_empty_boat_stops_whatever_is_asked_of_its_thrusters(far, tmp_path, domain, compiled):
    """It coasts as the embedded one does: both are asked for full throttle all the time."""
    import loopback
    import rclpy
    scenario = read_scenario(str(far))
    with server_and_bridge(scenario, tmp_path, compiled):
        loopback.init()
        try:
            states = at_full_throttle(scenario, 50.0)
        finally:
            rclpy.shutdown()
    plant = plant_at_start(scenario.plant, scenario.plant, (0.0, 0.0, 0.0), scenario.flow_at(), PERIOD)
    speeds = []
    for _ in states:
        plant.advance((100.0, 100.0))
        speeds.append((plant.time, not plant.supply.alive, plant.state.u_r))
    empty, plain_empty = (next(number for number, state in enumerate(run) if state[1]) for run in (states, speeds))
    assert PERIOD * empty == pytest.approx(PERIOD * plain_empty, rel=0.01)
    assert all(state[1] for state in states[empty:])
    for later in (5.0, 10.0, 20.0):
        number = round(later / PERIOD)
        assert states[empty + number][2] == pytest.approx(speeds[plain_empty + number][2], rel=0.02, abs=1e-3)
    assert states[-1][2] < 0.1 * states[empty - 1][2]
