"""
How fast a long bag is analysed, and in how much memory: a million odometry samples, as MCAP, in a process of its own.

The bag is made here, from the float equations of a boat that swings about: 50 Hz odometry, without noise and with it,
thruster commands and water current at 1 Hz. Once by stage, and as the command from its start to its end, report
included. `python3 bench/analyze.py 4320000` does the latter for a bag of a day with noise.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from options import Options
from report import Result, progress

SAMPLES, QUICK = 1_000_000, 50_000
RATE = 50
PORTION = 100_000         # Messages that are made together.
NOISE = {'places': 0.02, 'velocities': 0.05, 'turn': 0.01}  # Standard deviations, m, m/s, rad/s.
DEADLINE = 1800           # s, for one process.


def measure(options: Options) -> Result:
    """Return seconds of reading, computing and reporting, those of the command, and the memory at most."""
    result = Result('analyze')
    try:
        from rosbags.rosbag2 import Writer  # noqa: F401  (only whether it is there)
    except ImportError:
        result.skipped['all'] = 'needs rosbags (pip install rosbags)'
        return result
    number = QUICK if options.quick else SAMPLES
    repeats = 1 if options.quick else 3
    with tempfile.TemporaryDirectory() as folder:
        progress(f'  analyze: writing two bags of {number} odometry samples')
        bags = {name: Path(folder) / name for name in ('long', 'noisy')}
        for name, bag in bags.items():
            write_bag(bag, number, name == 'noisy')
        stages = [_process('stages', bags['long']) for _ in range(repeats)]
        commands = {name: [_process('command', bag) for _ in range(repeats)] for name, bag in bags.items()}
    for key in ('read', 'compute', 'summary', 'report'):
        result.add(f'{key}_ms', [1e3 * one[key] for one in stages])
    for name, key in (('long', 'command'), ('noisy', 'command_with_noise')):
        result.add(f'{key}_ms', [1e3 * one['wall'] for one in commands[name]], 4000.0)
        result.add(f'{key}_processor_time_ms', [1e3 * one['processor'] for one in commands[name]])
    every = [*stages, *commands['long'], *commands['noisy']]
    result.add('memory_of_1000_mb_ratio', [one['peak_mb'] / 1000.0 for one in every], 1.0)
    result.notes.append(f'{number} samples at {RATE} Hz; the process takes {max(one["peak_mb"] for one in every):.0f} '
                        f'MB at most, beside that which draws; its page has {stages[0]["page_kb"]:.0f} kB')
    return result


def write_bag(folder: Path, number: int, noisy: bool = False) -> None:
    """Write a bag of a boat that swings about at 1 m/s: odometry, thruster commands, water current."""
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
    store = get_typestore(Stores.ROS2_JAZZY)
    types = store.types
    joint, vector = types['sensor_msgs/msg/JointState'], types['geometry_msgs/msg/Vector3Stamped']
    stamp, header = types['builtin_interfaces/msg/Time'], types['std_msgs/msg/Header']
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        odom = writer.add_connection('/boat/odom', 'nav_msgs/msg/Odometry', typestore=store)
        thrust = writer.add_connection('/boat/thruster_command', 'sensor_msgs/msg/JointState', typestore=store)
        current = writer.add_connection('/boat/water_current', 'geometry_msgs/msg/Vector3Stamped', typestore=store)
        for row, message in enumerate(_odometry(store, number, noisy)):
            nanosecond = row * (1_000_000_000 // RATE)
            writer.write(odom, nanosecond, message)
            if row % RATE:
                continue
            at = header(stamp=stamp(sec=row // RATE, nanosec=0), frame_id='odom')
            flow = vector(header=at, vector=types['geometry_msgs/msg/Vector3'](x=0.2, y=0.1, z=0.0))
            writer.write(current, nanosecond, store.serialize_cdr(flow, vector.__msgtype__))
            command = joint(header=at, name=['left', 'right'], position=np.zeros(0), velocity=np.zeros(0),
                            effort=np.array([8.0, 8.0]))
            writer.write(thrust, nanosecond, store.serialize_cdr(command, joint.__msgtype__))


def _odometry(store: Any, number: int, noisy: bool) -> Iterator[bytes]:
    """Give odometry messages."""
    kind = 'nav_msgs/msg/Odometry'
    types = store.types
    zero = types['geometry_msgs/msg/Vector3'](x=0.0, y=0.0, z=0.0)
    blank = types[kind](
        header=types['std_msgs/msg/Header'](stamp=types['builtin_interfaces/msg/Time'](sec=0, nanosec=0),
                                            frame_id='odom'), child_frame_id='base_link',
        pose=types['geometry_msgs/msg/PoseWithCovariance'](
            pose=types['geometry_msgs/msg/Pose'](position=types['geometry_msgs/msg/Point'](x=0.0, y=0.0, z=0.0),
                                                 orientation=types['geometry_msgs/msg/Quaternion'](
                                                     x=0.0, y=0.0, z=0.0, w=1.0)), covariance=np.zeros(36)),
        twist=types['geometry_msgs/msg/TwistWithCovariance'](
            twist=types['geometry_msgs/msg/Twist'](linear=zero, angular=zero), covariance=np.zeros(36)))
    message = np.frombuffer(bytes(store.serialize_cdr(blank, kind)), dtype=np.uint8)
    # The numbers are the last 7 + 36 + 6 + 36 doubles; the stamp follows the encapsulation.
    first = message.size - 8 * 85
    motions, stamps = _motion(number)
    rng = np.random.default_rng(1)
    for begin in range(0, number, PORTION):
        motion, stamp = motions[begin:begin + PORTION], stamps[begin:begin + PORTION]
        if noisy:
            for columns, deviation in zip((slice(0, 2), slice(7, 9), slice(12, 13)), NOISE.values()):
                motion[:, columns] += deviation * rng.standard_normal(motion[:, columns].shape)
        rows = np.tile(message, (len(motion), 1))
        rows[:, 4:12] = stamp.view(np.uint8).reshape(-1, 8)
        rows[:, first:first + 56] = np.ascontiguousarray(motion[:, :7]).view(np.uint8)
        twist = first + 8 * 43
        rows[:, twist:twist + 48] = np.ascontiguousarray(motion[:, 7:]).view(np.uint8)
        yield from map(bytes, rows)


def _motion(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return pose and twist, shape (n, 13), and stamps, shape (n, 2), of a boat that swings about."""
    row = np.arange(number)
    time = row / RATE
    yaw = 0.6 * np.sin(0.05 * time)
    u, v, r = 1.0 + 0.2 * np.sin(0.3 * time), 0.02 * np.sin(0.2 * time), 0.03 * np.cos(0.05 * time)
    x = np.cumsum(u * np.cos(yaw) - v * np.sin(yaw)) / RATE
    y = np.cumsum(u * np.sin(yaw) + v * np.cos(yaw)) / RATE
    zero = np.zeros(number)
    columns = [x, y, zero, zero, zero, np.sin(0.5 * yaw), np.cos(0.5 * yaw), u, v, zero, zero, zero, r]
    stamp = np.column_stack([row // RATE, (row % RATE) * (1_000_000_000 // RATE)]).astype('<u4')
    return np.column_stack(columns), np.ascontiguousarray(stamp)


def _process(what: str, bag: Path) -> dict[str, float]:
    """
    Return the figures that a process prints of the analysis of a bag; `wall`: s from begin to end.

    As where the package is installed, its bytecode is on disk from the second process on, wherever this one keeps none.
    """
    environment = {**os.environ, 'PYTHONPYCACHEPREFIX': str(bag.parent / 'bytecode')}
    environment.pop('PYTHONDONTWRITEBYTECODE', None)
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, Path(__file__).with_name('analyze_process.py'), what, str(bag)],
                          stdout=subprocess.PIPE, text=True, timeout=DEADLINE, env=environment)
    if done.returncode:
        raise RuntimeError(f'analysing {bag}: exit status {done.returncode}')
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**figures, 'wall': time.perf_counter() - begin}


def once(number: int) -> dict[str, float]:
    """Return what the command takes for a bag of so many samples with noise."""
    with tempfile.TemporaryDirectory() as folder:
        write_bag(Path(folder) / 'bag', number, noisy=True)
        return _process('command', Path(folder) / 'bag')


if __name__ == '__main__':
    print(once(int(sys.argv[1])))
