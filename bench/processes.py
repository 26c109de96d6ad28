"""What composing the nodes saves: the latency benchmark with a process for each node, at 50 Hz."""

import contextlib

from latency import Series, play_series
from options import Options
from probe import Probe
from report import Result
from session import GraphProcess, ros

NODES = ('state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator')


def measure(options: Options) -> Result:
    """Return latencies and processor share of the energy nodes as five processes."""
    result = Result('processes')
    with contextlib.ExitStack() as stack:
        namespace = stack.enter_context(ros())
        graphs = [stack.enter_context(GraphProcess(namespace, nodes=[name])) for name in NODES]
        for graph in graphs:
            graph.wait_ready()
        probe = stack.enter_context(Probe(namespace))
        probe.wait_for_graph()
        play_series(result, probe, graphs, Series(50.0, 1.5, 1) if options.quick else Series(50.0, 5.0, 3))
    result.notes.append(f'CPU: of all {len(NODES)} processes together')
    return result
