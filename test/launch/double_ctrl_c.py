"""
Ctrl-C twice while a graph runs, or once while it starts: do all processes end in order?

python3 test/launch/double_ctrl_c.py --runs 100 --busy 2     # needs `ros2 launch`; exit status 1 if a run fails
python3 test/launch/double_ctrl_c.py --runs 20 --graph node --within 1     # in the first second of an executable
"""

import argparse
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import rclpy
from ament_index_python.packages import get_package_prefix
from domain_coordinator import domain_id
from launched import Probe, Started
from nav_msgs.msg import Odometry

BUSY_LOOP = 'while True: pass'
LAUNCH = ('ros2', 'launch', 'usv_energy', 'energy.launch.py', 'boat:=lutra_prop')
LAUNCHED = 'Default logging verbosity'   # What launch says before it reads a launch file.
NODE = 'lib/usv_energy/power_calculator'    # Below what is installed; it is run as `ros2 run` runs it.
GRAPHS = {'processes': (*LAUNCH, 'composed:=false'), 'composed': (*LAUNCH, 'composed:=true'),
          'node': (NODE, '--ros-args', '-p', 'autostart:=true', '-p', 'boat:=lutra_prop')}
PERIOD = 0.02
END = 60.0      # s of wall time: launch itself kills what is left after 10 s.
MARK = 'USV_ENERGY_DOUBLE_CTRL_C'
FAULTS = {'SIGTERM': 'SIGTERM', 'SIGKILL': 'SIGKILL', 'traceback': 'Traceback', 'died': 'process has died',
          'error': r'\[(?:ERROR|FATAL)\]'}


class Boat:
    """Publishes odometry of a boat that speeds up and slows down, and hears its energy."""

    def __init__(self):
        self.probe = Probe()
        from usv_energy.ros.framework.qos import STREAM
        from usv_energy_msgs.msg import EnergyStamped
        self.heard = 0
        self.publisher = self.probe.node.create_publisher(Odometry, '/diffboat/odom', STREAM)
        self.probe.node.create_subscription(EnergyStamped, '/diffboat/energy', self._on_energy, STREAM)
        self.probe.node.create_timer(PERIOD, self._publish)

    def _on_energy(self, _):
        self.heard += 1

    def _publish(self):
        msg = Odometry()
        msg.header.stamp = self.probe.node.get_clock().now().to_msg()
        msg.pose.pose.orientation.w = 1.0
        msg.twist.twist.linear.x = 1.0 + 0.2 * (msg.header.stamp.sec % 5)
        self.publisher.publish(msg)

    def spin(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self.probe.executor.spin_once(timeout_sec=left)


def processes(mark):
    """Return the command lines of the processes whose environment has a mark."""
    found = {}
    for folder in Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            if f'{MARK}={mark}'.encode() in (folder / 'environ').read_bytes().split(b'\0'):
                found[int(folder.name)] = (folder / 'cmdline').read_bytes().replace(b'\0', b' ').decode()
    return found


def faults_of_run(boat, number, folder, chance, command, within):
    """
    Start a command, press Ctrl-C, and return the faults, what it wrote, and how long it took to end, s.

    :param within: Once, at a moment in the first so many seconds (of a launch: since it says that it is up); None:
        twice, once energy is heard.
    """
    os.environ[MARK] = mark = f'{os.getpid()}.{number}'
    launch = Started(command, folder / f'{number}.log')
    try:
        before = boat.heard
        if within is None:
            boat.probe.until(lambda: boat.heard > before + 5, 'energy')
        elif command[0] == 'ros2':  # Until then a traceback is that of ros2cli, whose imports are interrupted.
            boat.probe.until(lambda: LAUNCHED in launch.output(), 'launch')
        boat.spin(chance.uniform(0.0, within or 1.0))
        began = time.monotonic()
        launch.interrupt()
        if within is None:
            boat.spin(chance.uniform(0.1, 0.5))
            with contextlib.suppress(ProcessLookupError):
                launch.interrupt()
        while launch.running() and time.monotonic() < began + END:
            boat.spin(PERIOD)
        seconds = time.monotonic() - began
        faults = ['does not end'] if launch.running() else []
        faults += [name for name, text in FAULTS.items() if re.search(text, launch.output())]
        if left := processes(mark):
            faults.append(f'left: {", ".join(left.values())}')
        return faults, launch.output(), seconds
    finally:
        launch.kill()
        for process in processes(mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=100)
    parser.add_argument('--busy', type=int, default=0, help='loops beside the runs')
    parser.add_argument('--graph', choices=GRAPHS, default='processes', help='what is started (%(default)s)')
    parser.add_argument('--within', type=float, metavar='S', help='Ctrl-C once, in the first so many seconds')
    parser.add_argument('--seed', type=int, default=1, help='of the moments at which Ctrl-C is pressed')
    args = parser.parse_args()
    chance = random.Random(args.seed)
    command = GRAPHS[args.graph]
    if args.graph == 'node':
        if args.within is None:
            parser.error('--graph node has no energy: give --within')
        command = (Path(get_package_prefix('usv_energy')) / command[0], *command[1:])
    counts = Counter()
    loops = [subprocess.Popen([sys.executable, '-c', BUSY_LOOP], start_new_session=True) for _ in range(args.busy)]
    try:
        with domain_id() as domain, tempfile.TemporaryDirectory(prefix='usv_energy_ctrl_c_') as folder:
            os.environ |= {'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': f'{folder}/log', 'PYTHONUNBUFFERED': '1',
                           'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
            rclpy.init(args=[])
            boat = Boat()
            for number in range(1, args.runs + 1):
                faults, output, seconds = faults_of_run(boat, number, Path(folder), chance, command,
                                                       args.within)
                counts.update([fault.partition(':')[0] for fault in faults] or ['clean'])
                print(f'run {number}: {"; ".join(faults) or "clean"} ({seconds:.1f} s from the first Ctrl-C, '
                      f'load {os.getloadavg()[0]:.1f})', *([output] if faults else []), sep='\n' if faults else '',
                      flush=True)
            boat.probe.close()
            rclpy.shutdown()
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    clean = counts.pop('clean', 0)
    failed = ''.join(f', {number} with {what}' for what, number in counts.items())
    print(f'{clean} of {args.runs} runs clean{failed}')
    return int(clean < args.runs)


if __name__ == '__main__':
    sys.exit(main())
