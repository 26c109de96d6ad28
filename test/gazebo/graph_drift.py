"""
A free boat in wind, in a real server through the bridge and gazebo_environment, beside the closed form.

python3 graph_drift.py --pipe PROGRAM [SPEED] [DIRECTION_DEG...]: prints a table of both. Terminal means after 40 s.
"""

import argparse
import contextlib
import math
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

import gz_world
import yaml
from gz_compile import compiled_pipe
from scipy.optimize import fsolve

from usv_energy.gazebo.bridge import bridge_yaml, bridged_boat
from usv_energy.gazebo.world import boat_placements, world_text
from usv_energy.physics.dynamics import damping_force
from usv_energy.physics.wind import wind_force
from usv_energy.sim.scenario import read_scenario

HERE = Path(__file__).resolve().parent
DURATION = 40.0
WALL = 120.0


def closed_form(vessel, wind):
    """Return u, v, m/s, where the wind's force, wind.py, is the drag; the boat points east, the wind is (x, y), m/s."""
    def excess(velocity):
        u, v = velocity
        x, y, _ = wind_force(wind[0] - u, wind[1] - v, vessel.windage)
        drag = damping_force(u, v, 0.0, vessel.damping)
        return x - drag[0], y - drag[1]
    return tuple(map(float, fsolve(excess, (0.1 * wind[0], 0.1 * wind[1]))))


@contextlib.contextmanager
def server_and_bridge(scenario, folder, pipe):
    """Have a paused world with the scenario's boat, and the bridge to it."""
    partition = uuid.uuid4().hex
    environment = {**os.environ, 'IGN_PARTITION': partition, 'GZ_PARTITION': partition}
    world, config = Path(folder) / 'open_water.sdf', Path(folder) / 'bridge.yaml'
    world.write_text(world_text(scenario, 'open_water', boat_placements(scenario, 1), 0.0, 'graph_drift.py'))
    config.write_text(bridge_yaml('open_water', [bridged_boat(scenario.plant, 'diffboat')]))
    commands = ([*gz_world.server().command, '-s', str(world)],
                [sys.executable, '-P', str(HERE / 'graph_bridge.py'), str(config), 'open_water', '--pipe', str(pipe)])
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
                 for command in commands]
    try:
        yield
    finally:
        for process in processes:
            os.killpg(process.pid, 9)
            process.wait()


def drift(scenario, speed, direction_deg, duration=DURATION):
    """Return u, v, m/s, of the boat after a time, s; the graph runs in this process, in lockstep."""
    from rclpy.parameter import Parameter

    from usv_energy.nodes.gazebo_pacer import GazeboPacer
    from usv_energy.nodes.gazebo_settler import GazeboSettler
    from usv_energy.ros.framework.qos import STREAM
    from usv_energy.ros.graph.compose import Composition
    from usv_energy.ros.graph.graph import FlowOptions, NodeSpec, energy_nodes
    from usv_energy_msgs.msg import BoatState
    with Composition([NodeSpec('gazebo_settler', 'gazebo_settler', {})]) as settling:
        assert isinstance(settling.nodes['gazebo_settler'], GazeboSettler)
        assert settling.spin_until(lambda: settling.nodes['gazebo_settler'].exit_status() == 0, WALL)
    boat = str(scenario.boat.path)
    specs = [*energy_nodes(boat, 'rep103', FlowOptions(), FlowOptions('global', speed, direction_deg), None, 30.0),
             NodeSpec('gazebo_environment', 'gazebo_environment', {'boat': boat})]
    with Composition(specs, '/diffboat') as graph:
        pacer = GazeboPacer(parameter_overrides=[
            Parameter('pace', value='lockstep'), Parameter('readers', value=['state_adapter']),
            Parameter('awaited', value=['gazebo/handed', 'power'])])
        states = []
        pacer.create_subscription(BoatState, '/diffboat/boat_state', states.append, STREAM)
        graph.executor.add_node(pacer)
        assert pacer.bring_up()
        assert graph.spin_until(lambda: len(states) >= round(duration / scenario.period), WALL)
        graph.executor.remove_node(pacer)
        pacer.close()
    last = states[-1]
    return last.velocity.linear.x, last.velocity.linear.y, last.yaw


def measured(scenario, speed, directions, pipe):
    """Return a row for each direction: degrees, closed form and Gazebo, u and v, m/s."""
    import loopback
    import rclpy
    rows = []
    for direction in directions:
        angle = math.radians(direction)
        wanted = closed_form(scenario.plant.vessel, (speed * math.cos(angle), speed * math.sin(angle)))
        with tempfile.TemporaryDirectory(prefix='usv_energy_gz_') as folder, \
                server_and_bridge(scenario, folder, pipe):
            loopback.init()
            try:
                got = drift(scenario, speed, direction)
            finally:
                rclpy.shutdown()
        rows.append((direction, wanted, got))
    return rows


def scenario_of(boat, folder):
    path = Path(folder) / 'free.yaml'
    path.write_text(yaml.safe_dump({'base': '1', 'boat': boat, 'published': None}))
    return read_scenario(str(path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('speed', nargs='?', type=float, default=5.0)
    parser.add_argument('direction_deg', nargs='*', type=float, default=[0.0, 180.0, 90.0])
    parser.add_argument('--boat', default='lutra_prop')
    parser.add_argument('--pipe', type=Path, required=True)
    args = parser.parse_args()
    if not args.pipe.exists():
        compiled_pipe(args.pipe)
    with tempfile.TemporaryDirectory() as folder:
        scenario = scenario_of(args.boat, folder)
        print(f'{gz_world.server()}, {args.boat}, wind {args.speed} m/s\n\n'
              '| wind to, deg | u, m/s | closed form | v, m/s | closed form | drift | yaw, deg |\n'
              '|---|---|---|---|---|---|---|')
        for direction, wanted, (u, v, yaw) in measured(scenario, args.speed, args.direction_deg, args.pipe):
            share = math.hypot(u, v) / math.hypot(*wanted) - 1.0
            print(f'| {direction:.0f} | {u:.4f} | {wanted[0]:.4f} | {v:.4f} | {wanted[1]:.4f} | {share:+.2%} '
                  f'| {math.degrees(yaw):.2f} |')


if __name__ == '__main__':
    sys.path.append(str(Path(__file__).parents[1]))
    main()
