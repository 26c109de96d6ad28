"""The round trip of `get_flow` for the six points of a boat's neighbourhood, to a flow server in another process."""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import rclpy
from options import Options
from report import Result
from session import DEADLINE, deferred_interrupt, ros

from usv_energy.flow.sample_files import MeanderingRiver, write_hecras
from usv_energy.ros.framework.process import make_executor
from usv_energy_msgs.srv import GetFlow

POINTS = 6
FLOW = 'medium: water\nfile: {{path: {path}}}\ntime: {{mode: loop}}\n'


def measure(options: Options) -> Result:
    """Return the latency of the service on a HEC-RAS file of our own, between two of its steps."""
    result = Result('flow_service')
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        write_hecras(folder / 'river.p01.hdf', MeanderingRiver(length=900.0))
        (folder / 'river.yaml').write_text(FLOW.format(path=folder / 'river.p01.hdf'))
        namespace = stack.enter_context(ros())
        stack.enter_context(_server(namespace, folder / 'river.yaml'))
        stopped = stack.enter_context(deferred_interrupt())
        times = _round_trips(namespace, 300 if options.quick else 3000, stopped)
    repeats = np.array_split(np.array(times), 3)
    result.add('p50_ms', [float(np.percentile(part, 50)) for part in repeats])
    result.add('p99_ms', [float(np.percentile(part, 99)) for part in repeats], aim=5.0)
    result.add('max_ms', [float(part.max()) for part in repeats])
    result.notes.append(f'{len(times)} calls of {POINTS} points each')
    return result


@contextlib.contextmanager
def _server(namespace: str, flow: Path) -> Iterator[None]:
    process = subprocess.Popen([
        sys.executable, '-m', 'usv_energy.nodes.flow_server', '--ros-args', '-r', f'__ns:={namespace}', '-p',
        'autostart:=true', '-p', f'water_current:={flow}', '--log-level', 'warn'])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _round_trips(namespace: str, count: int, stopped: Callable[[], bool]) -> list[float]:
    node = rclpy.create_node('asker', namespace=namespace)
    executor = make_executor()
    executor.add_node(node)
    client = node.create_client(GetFlow, 'water_current/get_flow')
    end = time.monotonic() + DEADLINE
    while not client.service_is_ready():
        if time.monotonic() > end:
            raise RuntimeError('the flow server did not come up')
        executor.spin_once(timeout_sec=0.1)
    rng = np.random.default_rng(20210917)
    times = []
    for number in range(count):
        if stopped():
            break
        x, y = rng.uniform(100.0, 110.0, POINTS), rng.uniform(-5.0, 5.0, POINTS)
        request = GetFlow.Request(x=x.tolist(), y=y.tolist())
        request.stamp.nanosec = number * 1000
        begin = time.perf_counter()
        future = client.call_async(request)
        while not future.done():
            executor.spin_once(timeout_sec=0.1)
        times.append(1e3 * (time.perf_counter() - begin))
    executor.remove_node(node)
    node.destroy_node()
    return times
