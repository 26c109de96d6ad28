"""Which executor: rclpy's events executor against its single-threaded one, on the same graph, in turns."""

from contextlib import ExitStack

from latency import add_latencies
from options import Options
from probe import Answers, Probe
from report import Result, percentile, progress
from session import CpuShare, GraphProcess, ros

KINDS = ('events', 'single')
# Frequency, Hz; duration, s; turns.
FULL = ((50.0, 3.0, 3), (200.0, 2.0, 3))
QUICK = ((50.0, 0.8, 1), (200.0, 0.5, 1))


def measure(options: Options) -> Result:
    """Return latency and processor time an odometry of both, and their ratios turn by turn."""
    result = Result('executors')
    try:
        from rclpy.experimental import EventsExecutor  # noqa: F401  (only whether it is there)
    except ImportError:
        result.skipped['all'] = 'this rclpy has no events executor'
        return result
    with ExitStack() as stack:
        namespace = stack.enter_context(ros())
        graphs = {kind: stack.enter_context(GraphProcess(f'{namespace}_{kind}', kind)) for kind in KINDS}
        for graph in graphs.values():
            graph.wait_ready()
        probes = {kind: stack.enter_context(Probe(f'{namespace}_{kind}')) for kind in KINDS}
        for probe in probes.values():
            probe.wait_for_graph()
        for frequency, duration, turns in QUICK if options.quick else FULL:
            _compare(result, graphs, probes, (frequency, duration, turns))
    result.notes.append('CPU: of the process with all energy nodes, an odometry (seven callbacks, seven publications)')
    return result


def _compare(result: Result, graphs: dict[str, GraphProcess], probes: dict[str, Probe],
             series: tuple[float, float, int]) -> None:
    frequency, duration, turns = series
    answers: dict[str, list[Answers]] = {kind: [] for kind in KINDS}
    costs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for turn in range(turns):
        progress(f'  executors: {frequency:g} Hz, turn {turn + 1} of {turns}')
        for kind in KINDS:
            watch = CpuShare([graphs[kind]])
            answers[kind].append(probes[kind].play(frequency, duration))
            costs[kind].append(1e6 * watch.seconds() / answers[kind][-1].sent)
    at = f'at_{frequency:g}_hz'
    medians = {kind: [percentile(answer.latencies, 0.5) for answer in answers[kind]] for kind in KINDS}
    for kind in KINDS:
        add_latencies(result, f'{kind}_{at}', answers[kind])
        result.add(f'{kind}_{at}_cpu_us', costs[kind])
    result.add(f'events_over_single_{at}_p50_ratio', _ratios(medians))
    result.add(f'events_over_single_{at}_cpu_ratio', _ratios(costs))


def _ratios(values: dict[str, list[float]]) -> list[float]:
    return [events / single for events, single in zip(*(values[kind] for kind in KINDS))]
