import gc
import os
import shutil
import subprocess

import pytest


@pytest.fixture
def domain(monkeypatch, tmp_path):
    """Have this test and its processes in a domain of their own, on this machine only; return the domain."""
    from domain_coordinator import domain_id
    from launched import ROOT
    with domain_id() as domain:
        for name, value in {
                'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
                'ROS_LOG_DIR': str(tmp_path / 'log'), 'PYTHONUNBUFFERED': '1',
                'PYTHONPATH': os.pathsep.join([str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])])}.items():
            monkeypatch.setenv(name, value)
        yield domain


@pytest.fixture
def ros2_tools():
    """Skip the test where there is no `ros2 launch`, or no usv_energy that it finds."""
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix
    pytest.importorskip('launch_ros', reason='needs launch_ros (a full ROS 2)')
    if shutil.which('ros2') is None:
        pytest.skip('needs the ros2 command line (a full ROS 2)')
    try:
        get_package_prefix('usv_energy')
    except PackageNotFoundError:
        pytest.skip('needs usv_energy built by colcon, and its setup file sourced')


@pytest.fixture
def daemon(domain):
    """Have the ros2 daemon of the test's domain up, and ended with the test."""
    from launched import DEADLINE, ros2
    ros2('daemon', 'start')
    yield
    subprocess.run(['ros2', 'daemon', 'stop'], capture_output=True, timeout=DEADLINE)


@pytest.fixture
def start(domain, tmp_path):
    """Return a function that starts a process; every one is killed at the end, with all that it started."""
    from launched import Started
    processes = []

    def one(*command):
        processes.append(Started(command, tmp_path / f'process{len(processes)}.log'))
        return processes[-1]

    yield one
    for process in processes:
        process.kill()


@pytest.fixture
def probe(domain):
    """Return a node of the test's own."""
    import loopback
    import rclpy
    from launched import Probe
    loopback.init()
    probe = Probe()
    yield probe
    probe.close()
    gc.collect()
    rclpy.shutdown()
