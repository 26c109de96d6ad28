"""`usv-energy hil` on one host, the autopilot on another: network namespaces with a cable between them that fails."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from network_hosts import ADDRESSES, two_hosts
from places import ROOT

from usv_energy.sim.hil.sitl_frames import HilSession, ServoChannels, SitlFrame
from usv_energy.sim.scenario import read_scenario

FRAMES, PORT = 300, 9002
HERE = Path(__file__).parent
ENVIRONMENT = os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'}


@pytest.fixture
def hosts():
    with two_hosts() as laid:
        yield laid


@pytest.fixture
def started(hosts):
    """Return a function that starts a program on a host, and returns it once it has said a line with a word in it."""
    processes = []

    def start(host, arguments, word):
        process = subprocess.Popen(hosts.inside(host, [sys.executable, *map(str, arguments)]), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        processes.append(process)
        line = ''
        if word:
            line = (process.stderr if word == 'waiting' else process.stdout).readline()
            assert word in line, line + process.stderr.read()
        return process, line

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def boat(started, tmp_path, *arguments):
    process, _ = started(1, ['-m', 'usv_energy.cli.main', 'hil', '1', '--host', ADDRESSES[1], '--port', PORT, '--json',
                             tmp_path / 'hil.json', *arguments], 'waiting')
    return process


def test_delayed_and_lost_packets_change_no_joule(started, tmp_path):
    """
    Every tenth packet lost each way, 5 ms late: the boat does to the bit what it does beside its autopilot.

    A frame whose answer was lost comes twice, is no step, and is counted.
    """
    process = boat(started, tmp_path, '--duration', FRAMES * 0.02)
    link, line = started(0, [HERE / 'lossy_link.py', 0, f'{ADDRESSES[1]}:{PORT}', 0.005, 0.1, 20261123], 'ready')
    pilot, _ = started(0, [HERE / 'far_autopilot.py', line.split()[1], FRAMES - 1, 0.1], '')
    told = json.loads(pilot.communicate(timeout=240)[0])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    link.send_signal(signal.SIGTERM)
    lost = json.loads(link.communicate(timeout=60)[0])
    assert lost['there'] > 10 and lost['back'] > 10 and told['again'] >= lost['there'] + lost['back']
    figures = json.loads((tmp_path / 'hil.json').read_text())
    near = HilSession(read_scenario('1'), ServoChannels(read_scenario('1').plant, None))
    for count in range(FRAMES - 1):
        motion = near.on_frame(SitlFrame(50, count, (1500 + count % 400, 0, 1900 - count % 300, *[0] * 13)), 0.0)
    assert figures['energy_j'] == near.observer.energy.total
    assert (figures['x_m'], figures['y_m']) == motion.place[:2]
    assert told['answer']['position'] == [motion.place[1], motion.place[0], -0.0]
    assert figures['frames'] == FRAMES - 1 and figures['lost'] == figures['restarts'] == 0
    assert figures['doubled'] >= lost['back']


def test_a_cable_that_is_pulled_leaves_the_boat_with_its_last_order(hosts, started, tmp_path):
    """By the wall clock: what was not heard is counted, the time without is the boat's own, and it goes on after."""
    process = boat(started, tmp_path, '--realtime')
    arguments = [sys.executable, str(HERE / 'deaf_autopilot.py'), ADDRESSES[1], str(PORT)]
    pilot = subprocess.Popen(hosts.inside(0, arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        def frames(number):
            pilot.stdin.write(f'{number}\n')
            pilot.stdin.flush()
            return json.loads(pilot.stdout.readline())

        while frames(50)['answers'] == 0:
            pass
        hosts.cable('down')
        assert frames(60)['answers'] == 0
        hosts.cable('up')
        while frames(1)['answers'] == 0:  # Until the hosts have found each other again.
            pass
        last = frames(50)
        time.sleep(1.0)  # Until the last of them has come.
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        pilot.kill()
        pilot.communicate()
    figures = json.loads((tmp_path / 'hil.json').read_text())
    assert figures['frames'] + figures['lost'] == last['sent'] and figures['lost'] >= 60
    assert figures['late'] >= 1 and figures['longest_period_s'] > 1.0 and figures['held_s'] > 1.0
    assert figures['duration_s'] == pytest.approx(0.02 * figures['frames'] + figures['held_s'], abs=0.05)
    assert figures['energy_j'] == pytest.approx(figures['thruster_energy_j'], rel=1e-2)
