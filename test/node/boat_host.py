"""A boat on a host of its own: all nodes of a scenario but its driver; ends with the recording. SCENARIO OUT WAIT."""

import itertools
import sys

import rclpy

from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.sim.scenario import read_scenario


def main(scenario: str, out: str, wait: str) -> None:
    rclpy.init(args=[])
    specs = [spec._replace(parameters=spec.parameters | {'controller_wait': float(wait)})
             if spec.executable == 'boat_simulator' else spec
             for spec in scenario_nodes(read_scenario(scenario), ScenarioOptions(out=out, plots=False, bag=False))
             if spec.executable != 'scenario_driver']
    with Composition(specs, '/boat') as composition:
        recorder, boat = composition.nodes['recorder'], composition.nodes['boat_simulator']
        print('ready', flush=True)
        for second in itertools.count(1):
            composition.spin_until(lambda end=second: recorder.summary is not None or boat._plant.time > end, 600.0)
            if recorder.summary is not None:
                return
            print(second, flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
