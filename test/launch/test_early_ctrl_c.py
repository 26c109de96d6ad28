"""Ctrl-C in the first seconds of a node, while it imports, brings ROS up or configures: no traceback, status 0."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from domain_coordinator import domain_id
from places import ROOT

from usv_energy.ros.framework.process import END_WITH_LAUNCH, HOLD_SIGNALS

START = ("import sys; sys.argv = ['{name}', '--ros-args', '-p', 'autostart:=true', '-p', 'boat:=lutra_prop']; "
         "from usv_energy.start import main; print('begun', flush=True); sys.exit(main())")


LAUNCH = 'import subprocess, sys; subprocess.run(sys.argv[1:])'


def started(name, domain, prefix=()):
    """Start a node."""
    return subprocess.Popen(
        [*prefix, sys.executable, '-c', START.format(name=name)], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
             'PYTHONPATH': os.pathsep.join([str(ROOT), os.environ.get('PYTHONPATH', '')])})


def check_end(process, number):
    """Send a signal, and check that the node ends well."""
    process.send_signal(number)
    err = process.communicate(timeout=60.0)[1]
    assert process.returncode == 0 and 'Traceback' not in err, err


@pytest.mark.parametrize('name', ['power_calculator', 'energy_accumulator'])
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_first_second_is_no_traceback(name, number):
    rng = random.Random(f'{name}{number}')
    with domain_id() as domain:
        process = started(name, domain)
        assert process.stdout.readline() == 'begun\n'
        time.sleep(rng.uniform(0.01, 1.0))     # No wait: the signal comes at any moment of the start.
        check_end(process, number)


def is_python_that_holds(process, number):
    """Return whether the prefix has made way for Python; until it runs, the process has the name of this one."""
    status = dict(re.findall(r'(\w+):\s+(\S+)', Path(f'/proc/{process.pid}/status').read_text()))
    return 'python' in status['Name'] and bool(int(status['SigBlk'], 16) >> (number - 1) & 1)


@pytest.mark.skipif(sys.platform != 'linux', reason='the prefix is for the env of Linux')
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_python_itself_starts_is_no_traceback_under_our_launch_files(number):
    """The moment is the first at which Python is the process; without the prefix its traceback is of site's import."""
    with domain_id() as domain:
        process = started('power_calculator', domain, HOLD_SIGNALS.split())
        end = time.monotonic() + 1.0    # Of a machine so busy that the moment passes unseen: the end is the same later.
        while not is_python_that_holds(process, number) and time.monotonic() < end:
            time.sleep(0.0001)
        check_end(process, number)


@pytest.mark.skipif(sys.platform != 'linux', reason='the prefixes are for Linux')
@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGKILL])
def test_a_node_ends_well_when_what_launched_it_is_ended(number):
    """The node holds the ends of the pipes, which close when it has ended."""
    with domain_id() as domain:
        launch = started('power_calculator', domain, [
            sys.executable, '-c', LAUNCH, *HOLD_SIGNALS.split(), *END_WITH_LAUNCH.split()])
        try:
            assert launch.stdout.readline() == 'begun\n'
            launch.send_signal(number)
            assert 'Traceback' not in launch.communicate(timeout=60.0)[1]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(launch.pid, signal.SIGKILL)
