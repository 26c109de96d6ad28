"""
How many seconds of a team's time a second of processor time gives: without ROS, and in lockstep on a graph.

Without ROS each team file is run by what `usv-energy team` runs, reading and writing left out, and the time is that of
its longest boat. On the graph it is one boat's nodes and its quadcopter's in one process. The least processor time of
several turns counts, which a busy machine hardly changes.

    python3 bench/team_speed.py box windy three_boats --graph
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from own_command import at_least, ended_by, figures_parser, kept

from usv_energy.air.team_plan import TeamPlan, read_team
from usv_energy.air.team_run import run_team

DEADLINE = 300.0  # s of wall time, for a graph.


def alone(plan: TeamPlan) -> tuple[float, float]:
    """Return simulated and processor time of a team without ROS, s."""
    begin = time.process_time()
    run = run_team(plan)
    return max(boat.rows[-1].time for boat in run.boats), time.process_time() - begin


def on_graph(plan: TeamPlan) -> tuple[float, float]:
    """Return simulated and processor time of a team of one boat and one quadcopter on a graph in one process, s."""
    from rclpy.parameter import Parameter
    from session import ros

    from usv_energy.nodes.quadcopter_simulator import QuadcopterSimulator
    from usv_energy.ros.graph.compose import Composition, is_done
    from usv_energy.ros.graph.graph import scenario_nodes
    from usv_energy.ros.graph.graph_options import ScenarioOptions
    craft = plan.crafts[0]
    given = {'quadcopter': str(craft.path), 'controller': craft.controller, 'battery': craft.battery,
             'take_off': craft.orders.take_off, 'land': craft.orders.land, 'height': craft.orders.height}
    with ros() as namespace, Composition(scenario_nodes(plan.boats[0].scenario, ScenarioOptions()),
                                         namespace) as composition:
        flyer = QuadcopterSimulator(
            namespace=f'{namespace}/air', intra_process=composition._intra_process,
            parameter_overrides=[Parameter(name, value=value) for name, value in given.items()],
            cli_args=['--ros-args', '-r', f'boat_odom:={namespace}/odom', '-r', f'boat_wind:={namespace}/wind'])
        composition.executor.add_node(flyer)
        flyer.bring_up()
        begin = time.process_time()
        if not composition.spin_until(lambda: is_done(composition), DEADLINE):
            raise RuntimeError(f'{plan.path}: not over within {DEADLINE:g} s')
        spent, flight = time.process_time() - begin, flyer._flight
        composition.executor.remove_node(flyer)
        flyer.close()
    if flight is None or flight.touchdown is None:
        raise RuntimeError(f'{plan.path}: the quadcopter has not landed')
    return flight.time, spent


def _is_small(plan: TeamPlan) -> bool:
    return len(plan.boats) == len(plan.crafts) == 1 and plan.waves is None


def speed(name: str, way: Callable[[TeamPlan], tuple[float, float]], turns: int) -> dict[str, Any]:
    """Return the figures of a team file, by the least processor time of some turns."""
    plan = read_team(name)
    simulated, spent = min((way(plan) for _ in range(turns)), key=lambda times: times[1])
    return {'team': name, 'way': 'graph' if way is on_graph else 'alone', 'boats': len(plan.boats),
            'quadcopters': len(plan.crafts), 'simulated_s': simulated, 'processor_s': spent,
            'simulated_s_per_processor_s': simulated / spent}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('teams', nargs='*', default=['box', 'windy', 'three_boats'],
                        help='names or paths (%(default)s)')
    parser.add_argument('--graph', action='store_true',
                        help='also on a graph, those of one boat and one quadcopter without waves')
    parser.add_argument('--turns', type=at_least(1), default=5, help='of which the least counts (%(default)s)')
    args = parser.parse_args()
    small = [name for name in args.teams if _is_small(read_team(name))]
    rows: list[dict[str, Any]] = []
    with kept({'turns': args.turns, 'teams': rows}, args.json) as out:
        for name, way in [(name, alone) for name in args.teams] + [(name, on_graph) for name in small if args.graph]:
            rows.append(speed(name, way, args.turns))
            print('{team:12s} {way:5s} boats {boats}, quadcopters {quadcopters}: {simulated_s:.1f} s in '
                  '{processor_s:.2f} s of processor time: {simulated_s_per_processor_s:.1f}'.format(**rows[-1]),
                  file=out, flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
