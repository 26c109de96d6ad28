"""gazebo.launch.py as a process of its own, with a real server; and what is missing for that, if anything is."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from importlib.util import find_spec
from pathlib import Path

import gz_world
from graph_measure import LAUNCH
from graph_prefix import ROOT, make_prefix

NEEDED = {'launch_ros': 'launch_ros (a full ROS 2)', 'ros_gz_interfaces': 'ros_gz_interfaces (ros-jazzy-ros-gz)',
          'rclpy': 'ROS 2 (rclpy)', 'ros2launch': 'ros2 launch'}
ABSENT = [f'needs {what}' for module, what in NEEDED.items() if find_spec(module) is None]
REASON = ABSENT[0] if ABSENT else gz_world.missing()
DEADLINE, PATIENCE = 120.0, 20.0      # s; for the launch, and for what it started after it.


class Launched:
    """The launch file as a process; its lines are kept, and `when` does something when one is said."""

    def __init__(self, folder, pipe, when=(), partition=None, **arguments):
        partition = partition or uuid.uuid4().hex
        environment = {**make_prefix(folder / 'prefix', gz_world.server().command, pipe),
                       'IGN_PARTITION': partition, 'GZ_PARTITION': partition, 'ROS_LOG_DIR': str(folder / 'log')}
        words = [f'{name}:={value}' for name, value in {
            'headless': 'true', 'real_time_factor': '0', 'pace': 'lockstep', 'bag': 'false', 'plots': 'false',
            'use_sim_time': 'false', 'out': folder / 'out', **arguments}.items()]
        self.process = subprocess.Popen(
            [sys.executable, '-P', '-c', LAUNCH, str(ROOT / 'launch/gazebo.launch.py'), *words], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, cwd=folder)
        self.lines = []
        self.when = list(when)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            for entry in [entry for entry in self.when if entry[0] in line]:
                self.when.remove(entry)
                entry[1](self)

    def result(self):
        """Return the exit code and all that was said."""
        try:
            code = self.process.wait(DEADLINE)
            end = time.monotonic() + PATIENCE
            while (left := self.processes()) and time.monotonic() < end:
                time.sleep(0.1)
        finally:
            self.end()
        said = ''.join(self.lines)
        assert not left, f'left behind: {left}\n{said}'
        return code, said

    def processes(self):
        """Return the command lines of all processes that the launch started and that are still there."""
        found = {}
        for folder in Path('/proc').iterdir():
            with contextlib.suppress(OSError, ValueError):
                # After the name in brackets: state, parent, group, session.
                state, _, _, session = (folder / 'stat').read_text().rpartition(')')[2].split()[:4]
                if int(session) == self.process.pid and state != 'Z':
                    found[int(folder.name)] = (folder / 'cmdline').read_bytes().replace(b'\0', b' ').decode()
        return found

    def end(self):
        for pid in {*self.processes(), self.process.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join(10.0)

    def pid_of(self, name):
        """Return the process that launch started under a name."""
        line = next(line for line in self.lines if f'[{name}' in line and 'started with pid' in line)
        return int(line.rsplit('[', 1)[1].rstrip(']\n'))


def summary_in(folder):
    """Return the summary.json in a folder of results."""
    return json.loads((folder / 'summary.json').read_text())
