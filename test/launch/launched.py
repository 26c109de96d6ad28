"""Processes that do not outlive their test, each the head of a group, and a probe that looks at their graph."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rclpy
import yaml
from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState
from rcl_interfaces.srv import GetParameters

from usv_energy.ros.framework.process import make_executor

ROOT = Path(__file__).resolve().parents[2]
# s of wall time. Tests wait for it only where they fail; eight processes took over 30 s to start on a machine with a
# load of 20, and a run of 13 s took over 90 beside a build.
DEADLINE = 300.0
# `ros2 launch` gives a process 5 s of wall time to end, which a busy machine may need, and then asks it by SIGTERM.
ASKED_AGAIN = "failed to terminate '5' seconds after receiving 'SIGINT', escalating to 'SIGTERM'"
POLL = 0.02
PATIENCE = 5.0  # s of wall time until a question is asked again.
QUESTIONS = GetState, GetParameters
COMPOSE = (sys.executable, '-m', 'usv_energy.ros.graph.compose')


def node_command(spec, namespace, folder, **parameters):
    """Return the command that runs a NodeSpec as a process of its own, as a launch file would."""
    path = Path(folder) / f'{spec.name}.yaml'
    path.write_text(yaml.safe_dump({'/**': {'ros__parameters': {**spec.parameters, **parameters}}}))
    rules = [f'__ns:={namespace}', f'__node:={spec.name}', *(f'{source}:={to}' for source, to in spec.remappings)]
    return [sys.executable, '-m', f'usv_energy.nodes.{spec.executable}', '--ros-args', '--params-file', str(path),
            *(part for rule in rules for part in ('-r', rule))]


def until(done, what, deadline=DEADLINE):
    """Poll until something is so; fail the test if it is not within the deadline (s of wall time)."""
    end = time.monotonic() + deadline
    while not done():
        assert time.monotonic() < end, f'not within {deadline} s: {what}'
        time.sleep(POLL)


class Started:
    """A process, its output in a file."""

    def __init__(self, command, log):
        self.log = log
        self.name = ' '.join(map(str, command))
        with log.open('wb') as file:
            self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=file,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def output(self):
        return self.log.read_text(errors='replace')

    def running(self):
        return self.process.poll() is None

    def exit_code(self, deadline=DEADLINE):
        """Wait for the end and return the exit code; fail the test if it does not come within the deadline."""
        try:
            return self.process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise AssertionError(f'still running after {deadline} s: {self.name}\n{self.output()}') from None

    def interrupt(self, number=signal.SIGINT, group=True):
        """Send a signal, to the whole group as a terminal does or to the process alone."""
        (os.killpg if group else os.kill)(self.process.pid, number)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Probe:
    """A node of the test's own in the domain of its processes."""

    def __init__(self):
        self.node = rclpy.create_node('probe')
        self.executor = make_executor()
        self.executor.add_node(self.node)

    def until(self, done, what, deadline=DEADLINE):
        """Spin until something is so; fail the test if it is not within the deadline (s of wall time)."""
        end = time.monotonic() + deadline
        while not done():
            assert time.monotonic() < end, f'not within {deadline} s: {what}'
            self.executor.spin_once(timeout_sec=POLL)

    def call(self, kind, name, request, deadline=DEADLINE):
        """
        Call a service once it is there and return its response.

        A process that starts may find whom it answers too late: what is only a question is asked again.
        """
        client, futures, asked = self.node.create_client(kind, name), [], -math.inf
        self.until(client.service_is_ready, f'service {name}', deadline)

        def answered():
            nonlocal asked
            if not futures or (kind in QUESTIONS and time.monotonic() - asked > PATIENCE):
                futures.append(client.call_async(request))
                asked = time.monotonic()
            return any(future.done() for future in futures)

        self.until(answered, f'an answer of {name}', deadline)
        self.node.destroy_client(client)
        return next(future.result() for future in futures if future.done())

    def endpoints(self):
        """
        Return who publishes or reads which topic, the probe aside: (topic, namespace, node, 'pub' or 'sub').

        An endpoint may be known a moment before the name of its node is.
        """
        found = set()
        for topic, _ in self.node.get_topic_names_and_types():
            for side, infos in (('pub', self.node.get_publishers_info_by_topic(topic)),
                                ('sub', self.node.get_subscriptions_info_by_topic(topic))):
                found |= {(topic, info.node_namespace, info.node_name, side) for info in infos
                          if info.node_name not in ('probe', '_NODE_NAME_UNKNOWN_')}
        return found

    def close(self):
        self.executor.remove_node(self.node)
        self.node.destroy_node()
        self.executor.shutdown()


def ros2(*arguments):
    """Return what a ros2 command that succeeds writes."""
    done = subprocess.run(['ros2', *arguments], capture_output=True, text=True, timeout=DEADLINE,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f'ros2 {" ".join(arguments)}\n{done.stdout}{done.stderr}'
    return done.stdout


def ros2_together(*commands):
    """Return what several ros2 commands write that may run at once: most of their time is waiting for discovery."""
    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(lambda command: ros2(*command.split()), commands))


def is_up(probe, node):
    """Wait until a node is active."""
    def active():
        answer = probe.call(GetState, f'{node}/get_state', GetState.Request())
        return answer.current_state.id == State.PRIMARY_STATE_ACTIVE
    probe.until(active, f'{node} active')


def assert_quiet(output):
    """Fail the test where somebody's output has a traceback or an error."""
    lines = [line for line in output.splitlines() if ASKED_AGAIN not in line and (
        'Traceback' in line or '[ERROR]' in line or '[FATAL]' in line)]
    assert not lines, output


def check_recording(folder):
    """Return the summary in a folder of which samples and bag are whole and agree."""
    readers = pytest.importorskip('rosbags.highlevel', reason='reading a bag needs rosbags')
    head, *rows = (folder / 'samples.csv').read_text().removesuffix('\n').split('\n')
    assert {row.count(',') for row in rows} == {head.count(',')}
    with readers.AnyReader([folder / 'bag']) as bag:
        counts = {connection.topic.rsplit('/', 1)[1]: connection.msgcount for connection in bag.connections}
        assert sum(1 for _ in bag.messages()) == sum(counts.values())
    assert counts['power'] >= len(rows) > 50
    return json.loads((folder / 'summary.json').read_text())
