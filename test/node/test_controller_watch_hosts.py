"""Boat and controller on two hosts (network namespaces), in lockstep over the cable between them, which is pulled."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness import at_ten_hertz
from network_hosts import ADDRESSES, two_hosts
from places import ROOT

from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

HERE = Path(__file__).parent


class Boat:
    """The two programs, each on its host; the boat tells its time."""

    def __init__(self, hosts, scenario, out, wait):
        driver = [sys.executable, '-m', 'usv_energy.nodes.scenario_driver', '--ros-args', '-r', '__ns:=/boat', '-p',
                  'autostart:=true', '-p', f'scenario:={scenario}']
        boat = [sys.executable, str(HERE / 'boat_host.py'), scenario, str(out), str(wait)]
        self.processes = [subprocess.Popen(
            hosts.inside(host, arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}', 'ROS_DOMAIN_ID': '41',
                              'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', 'ROS_STATIC_PEERS': ADDRESSES[1 - host]})
            for host, arguments in ((0, driver), (1, boat))]
        assert 'ready' in self.processes[1].stdout.readline()

    def until(self, seconds):
        for line in self.processes[1].stdout:
            if float(line) >= seconds:
                return

    def end(self):
        self.processes[1].communicate(timeout=240)
        assert self.processes[1].returncode == 0

    def close(self):
        for process in self.processes:
            process.kill()
            process.communicate()


@pytest.fixture
def boat(tmp_path):
    """Return a function that starts boat and driver, and the hosts that they are on."""
    with two_hosts() as hosts:
        made = []

        def start(name, wait):
            made.append(Boat(hosts, at_ten_hertz(name, tmp_path), tmp_path / 'out', wait))
            return made[-1], hosts

        yield start
        for one in made:
            one.close()


def figures(tmp_path):
    return json.loads(next((tmp_path / 'out').rglob('summary.json')).read_text())


def test_lockstep_over_a_cable_is_as_without(boat, tmp_path):
    one, _ = boat('3', 0.0)
    one.end()
    plain, summary = run_scenario(read_scenario(at_ten_hertz('3', tmp_path))), figures(tmp_path)
    assert summary['energy_j'] == pytest.approx(plain.energy.total, rel=1e-9)
    assert summary['duration_s'] == pytest.approx(plain.duration, abs=1e-9)
    assert (summary['controller']['late_periods'], summary['controller']['restarts']) == (0, 0)


def test_a_cable_that_is_pulled_is_a_silence_and_no_sample_is_lost(boat, tmp_path):
    """Without the cable for 5 s the boat goes on with its last order, and follows its driver again after."""
    one, hosts = boat('1', 0.5)
    one.until(2.0)
    hosts.cable('down')
    time.sleep(5.0)
    hosts.cable('up')
    one.end()
    summary = figures(tmp_path)
    seen = summary['controller']
    assert seen['silences'] == 1 and seen['longest_silence_s'] > 2.0 and seen['late_periods'] > 10
    assert seen['restarts'] == 0
    assert summary['complete'] and summary['gaps'] == 0
    assert abs(summary['closure_relative']) < 0.005
