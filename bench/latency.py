"""How long odometry takes to become power, over DDS: the nodes composed in one process, the odometry from another."""

from collections.abc import Sequence
from typing import NamedTuple

from options import Options
from probe import Answers, Probe
from report import Result, percentile, progress
from session import CpuShare, GraphProcess, ros

AIM_P99_MS = 5.0


class Series(NamedTuple):
    """Odometry at a frequency, Hz, for a duration, s, repeated; the aim for its p99, ms, if there is one."""

    frequency: float
    duration: float
    repeats: int
    aim: float | None = None


FULL = (Series(50.0, 5.0, 5, AIM_P99_MS), Series(200.0, 3.0, 5), Series(500.0, 20.0, 3))
QUICK = (Series(50.0, 2.0, 1, AIM_P99_MS), Series(200.0, 1.0, 1), Series(500.0, 1.0, 1))


def measure(options: Options) -> Result:
    """Return latencies, processor share and losses of the composed energy nodes."""
    result = Result('latency')
    with ros() as namespace, GraphProcess(namespace) as graph:
        graph.wait_ready()
        with Probe(namespace) as probe:
            probe.wait_for_graph()
            for series in QUICK if options.quick else FULL:
                play_series(result, probe, [graph], series)
    result.notes.append('from before the publication of an odometry to the callback with its power, both in the '
                        "probe's process; CPU: of the nodes' process, 100 % is a core")
    result.notes.append('probe_late: how far behind its schedule the probe published; where that is milliseconds, the '
                        'machine was busy with something else')
    return result


def play_series(result: Result, probe: Probe, graphs: Sequence[GraphProcess], series: Series) -> None:
    """Play a series to graphs that answer one probe; add its figures."""
    answers, shares = [], []
    for turn in range(series.repeats):
        progress(f'  {result.name}: {series.frequency:g} Hz for {series.duration:g} s, turn {turn + 1} of '
                 f'{series.repeats}')
        watch = CpuShare(graphs)
        answers.append(probe.play(series.frequency, series.duration))
        shares.append(watch.percent())
    prefix = f'at_{series.frequency:g}_hz'
    add_latencies(result, prefix, answers, series.aim)
    result.add(f'{prefix}_probe_late_p99_ms', [1e3 * percentile(answer.lateness, 0.99) for answer in answers])
    result.add(f'{prefix}_cpu_percent', shares)
    result.add(f'{prefix}_lost_count', [sum(answer.lost for answer in answers)], 0)
    result.add(f'{prefix}_stale_flow_count', [sum(answer.unpaired for answer in answers)])


def add_latencies(result: Result, prefix: str, answers: Sequence[Answers], aim: float | None = None) -> None:
    """Add p50, p99 and maximum of each repeat; the aim is for p99."""
    for name, share, wanted in (('p50', 0.5, None), ('p99', 0.99, aim), ('max', 1.0, None)):
        result.add(f'{prefix}_{name}_ms', [1e3 * percentile(answer.latencies, share) for answer in answers], wanted)
