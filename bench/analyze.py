"""
How fast a long bag is analysed, and in how much memory: a million odometry samples, as MCAP, in a process of its own.

The bag is made here, from the float equations of a boat that swings about: 50 Hz odometry, 50 Hz thruster commands
and 1 Hz water current. Reading is measured apart from computing and from the report.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from options import Options
from report import Result, progress

SAMPLES, QUICK = 1_000_000, 50_000
RATE = 50


def measure(options: Options) -> Result:
    """Return seconds of reading, computing and reporting, and the memory at most."""
    result = Result('analyze')
    try:
        from rosbags.rosbag2 import Writer  # noqa: F401  (only whether it is there)
    except ImportError:
        result.skipped['all'] = 'needs rosbags (pip install rosbags)'
        return result
    number = QUICK if options.quick else SAMPLES
    with tempfile.TemporaryDirectory() as folder:
        progress(f'  analyze: writing a bag of {number} odometry samples')
        write_bag(Path(folder) / 'long', number)
        stages = [_process(Path(folder) / 'long') for _ in range(1 if options.quick else 3)]
    for key, aim in (('read', None), ('compute', None), ('summary', None), ('report', None)):
        result.add(f'{key}_ms', [1e3 * one[key] for one in stages], aim)
    result.add('analysis_of_all_ms', [1e3 * (one['read'] + one['compute'] + one['summary']) for one in stages],
               10_000.0)
    result.add('with_report_ms', [1e3 * sum(one[key] for key in ('read', 'compute', 'summary', 'report'))
                                  for one in stages], 10_000.0)
    result.add('processor_time_of_it_all_ms', [1e3 * one['processor'] for one in stages])
    result.add('share_of_reading_percent', [100.0 * one['read'] / (one['read'] + one['compute'] + one['summary'])
                                            for one in stages])
    result.add('memory_of_1000_mb_ratio', [one['peak_mb'] / 1000.0 for one in stages], 1.0)
    most = max(one['peak_mb'] for one in stages)
    result.notes.append(f'{number} samples at {RATE} Hz; the process takes {most:.0f} MB at most, its page has '
                        f'{stages[0]["page_kb"]:.0f} kB')
    return result


def write_bag(folder: Path, number: int) -> None:
    """Write a bag of a boat that swings about at 1 m/s: odometry, thruster commands, water current."""
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
    store = get_typestore(Stores.ROS2_JAZZY)
    types = store.types
    joint, vector = types['sensor_msgs/msg/JointState'], types['geometry_msgs/msg/Vector3Stamped']
    stamp, header = types['builtin_interfaces/msg/Time'], types['std_msgs/msg/Header']
    values, size, tail = _odometry(store, number)
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        odom = writer.add_connection('/boat/odom', 'nav_msgs/msg/Odometry', typestore=store)
        thrust = writer.add_connection('/boat/thruster_command', 'sensor_msgs/msg/JointState', typestore=store)
        current = writer.add_connection('/boat/water_current', 'geometry_msgs/msg/Vector3Stamped', typestore=store)
        for row in range(number):
            nanosecond = row * (1_000_000_000 // RATE)
            writer.write(odom, nanosecond, values[row * size:(row + 1) * size] + tail)
            if row % RATE:
                continue
            at = header(stamp=stamp(sec=row // RATE, nanosec=0), frame_id='odom')
            flow = vector(header=at, vector=types['geometry_msgs/msg/Vector3'](x=0.2, y=0.1, z=0.0))
            writer.write(current, nanosecond, store.serialize_cdr(flow, vector.__msgtype__))
            command = joint(header=at, name=['left', 'right'], position=np.zeros(0), velocity=np.zeros(0),
                            effort=np.array([8.0, 8.0]))
            writer.write(thrust, nanosecond, store.serialize_cdr(command, joint.__msgtype__))


def _odometry(store: Any, number: int) -> tuple[bytes, int, bytes]:
    """Return the changing part of all odometry messages, its size, and the part that is the same in all."""
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
    motion, stamp = _motion(number)
    head = message.size - 8 * 36
    rows = np.tile(message[:head], (number, 1))
    rows[:, 4:12] = stamp.view(np.uint8).reshape(number, 8)
    rows[:, first:first + 56] = np.ascontiguousarray(motion[:, :7]).view(np.uint8).reshape(number, 56)
    twist = first + 8 * 43
    rows[:, twist:twist + 48] = np.ascontiguousarray(motion[:, 7:]).view(np.uint8).reshape(number, 48)
    return rows.tobytes(), head, message[head:].tobytes()


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


def _process(bag: Path) -> dict[str, float]:
    """Return the figures that a process of this file prints of the analysis of a bag."""
    done = subprocess.run([sys.executable, __file__, str(bag)], stdout=subprocess.PIPE, text=True, timeout=1800)
    if done.returncode:
        raise RuntimeError(f'analysing {bag}: exit status {done.returncode}')
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def peak_mb() -> float:
    """Return the memory that this process took at most, MB; rusage's would count that of the process it came from."""
    status = Path('/proc/self/status').read_text(encoding='ascii')
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith('VmHWM')) / 1024.0


def analyse(bag: Path) -> None:
    """Analyse a bag and print what it took: seconds by stage, the memory at most, MB, and the size of the page, kB."""
    from usv_energy.analysis.analysed_log import analysed_log
    from usv_energy.analysis.log_report import log_report
    from usv_energy.boats.boat_file import read_boat
    from usv_energy.logs.read_log import read_log
    from usv_energy.show.page.report_page import report_html
    boat = read_boat('lutra_prop')
    marks = [time.perf_counter()]
    log = read_log(bag)
    marks.append(time.perf_counter())
    analysed = analysed_log(log, boat)
    marks.append(time.perf_counter())
    found = log_report(analysed)
    marks.append(time.perf_counter())
    page = report_html(found)
    marks.append(time.perf_counter())
    stages = dict(zip(('read', 'compute', 'summary', 'report'), np.diff(marks).tolist()))
    stages['peak_mb'] = peak_mb()
    stages['processor'] = time.process_time()
    stages['page_kb'] = len(page) / 1e3
    json.dump(stages, sys.stdout)


if __name__ == '__main__':
    analyse(Path(sys.argv[1]))
