"""Late, dead and restarted controllers on the graph: what the boat does, what is told, and that no joule is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from harness import DEADLINE, at_ten_hertz
from network_hosts import ADDRESSES, two_hosts
from places import ROOT

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.live.controller_watch import lateness_of_msg
from usv_energy.sim.hil.order_watch import lateness_in_words
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.runner import PlantObserver, run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import EnergyStamped, ThrusterPower

BEFORE, AFTER = (11.0, 10.0), (6.0, 9.0)  # N, of the controller and of the one that takes its place.
NAMESPACE = '/boat'


class Steered:
    """A graph without a driver, whose boat is steered by a program of its own; what is told is kept."""

    def __init__(self, scenario, domain, **parameters):
        self.scenario = read_scenario(scenario)
        pace = parameters.pop('pace', 'lockstep')
        specs = [spec._replace(parameters=spec.parameters | parameters) if spec.executable == 'boat_simulator' else spec
                 for spec in scenario_nodes(self.scenario, ScenarioOptions(pace=pace))
                 if spec.executable != 'scenario_driver']
        self.composition = Composition(specs, NAMESPACE)
        self.node = self.composition.nodes['boat_simulator']
        self.probe = rclpy.create_node('probe', namespace=NAMESPACE)
        self.energies, self.powers, self.told, self.statuses = {}, {}, [], []
        kept = qos.STREAM
        self.probe.create_subscription(EnergyStamped, 'energy', lambda msg: self._keep(self.energies, msg), kept)
        self.probe.create_subscription(ThrusterPower, 'thruster_power', lambda msg: self._keep(self.powers, msg), kept)
        self.probe.create_subscription(DiagnosticArray, 'controller_lateness', self.told.append, qos.LATCHED)
        self.probe.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)
        self.composition.executor.add_node(self.probe)
        self._processes, self._domain = [], domain

    def _keep(self, by_time, msg):
        by_time[round(msg.header.stamp.sec + 1e-9 * msg.header.stamp.nanosec, 6)] = msg

    def _on_diagnostics(self, msg):
        self.statuses += [status for status in msg.status if status.name.endswith('boat_simulator: controller')]

    @property
    def time(self):
        return self.node._plant.time

    def until(self, done):
        assert self.composition.spin_until(done, DEADLINE), f'not within {DEADLINE} s; t = {self.time}'

    def control(self, thrusts):
        """Start a controller."""
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name('constant_controller.py')), NAMESPACE, *map(str, thrusts)],
            env=os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'})
        self._processes.append(process)
        return process

    def close(self):
        for process in self._processes:
            process.kill()
            process.wait()
        self.composition.executor.remove_node(self.probe)
        self.probe.destroy_node()
        self.composition.close()

    def twin(self, order_at, end):
        """Return plant and energy of a run without ROS, by what was ordered at each time, until an end, s."""
        one = self.scenario
        plant = Plant(one.plant.vessel, one.start, one.flow_at(), one.step)
        observer = PlantObserver(one.boat, one.convention)
        observer.observe(plant)
        while plant.time < end - 1e-9:
            order = order_at(plant.time)
            for _ in range(one.steps_per_period):
                plant.advance(order)
            observer.observe(plant)
        return plant, observer.energy


@pytest.fixture
def steered(ros, tmp_path):
    made = []

    def make(**parameters):
        made.append(Steered(at_ten_hertz('1', tmp_path), ros, **parameters))
        return made[-1]

    yield make
    for one in made:
        one.close()


def latest(one):
    return lateness_of_msg(one.told[-1])


def test_a_killed_controllers_last_order_is_kept_and_no_joule_is_lost(steered, capfd):
    """SIGKILL for 5 s, then another one with other orders: energy, work and place are those of a twin, to the bit."""
    one = steered(controller_wait=0.5)
    first = one.control(BEFORE)
    one.until(lambda: one.time > 3.0)
    first.send_signal(signal.SIGKILL)
    first.wait()
    killed, dead_until = one.time, time.monotonic() + 5.0
    one.until(lambda: time.monotonic() > dead_until)
    back = one.time
    assert back - killed > 1.0, 'the boat goes on by the wall clock'
    one.control(AFTER)
    one.until(lambda: one.powers[max(one.powers)].force[1] == AFTER[1])
    switched = min(at for at, msg in one.powers.items() if at > 1.0 and msg.force[1] == AFTER[1])
    end = round(switched + 4.0, 6)
    one.until(lambda: end in one.energies)
    plant, energy = one.twin(lambda at: BEFORE if at < switched - one.scenario.period - 1e-9 else AFTER, end)
    assert one.powers[end].energy == plant.state.work
    found = one.energies[end]
    assert found.total == pytest.approx(energy.total, rel=1e-12)
    assert found.gaps == 0 and found.samples + found.invalid_samples == round(end / one.scenario.period) + 1
    one.until(lambda: latest(one)['restarts'] == 1)
    seen = latest(one)
    assert seen['silences'] == 1
    assert seen['longest_silence_s'] == pytest.approx(switched - killed, abs=5.0 * one.scenario.period)
    assert seen['longest_age_s'] == pytest.approx(seen['longest_silence_s'], abs=2.0 * one.scenario.period)
    said = capfd.readouterr().err
    assert said.count('the last one is kept, for ever') == 1, said
    assert said.count('orders come again after') == 1
    assert said.count('of constant_controller') == 1
    assert any('the last one is kept' in status.message for status in one.statuses)


def test_after_its_hold_a_dead_controllers_thrusters_stop_at_a_free_pace(steered):
    """The thrusters stop 2 s of simulated time after the last order, and the work done grows no more."""
    one = steered(pace='2.0', controller_wait=0.2, order_hold=2.0)
    first = one.control(BEFORE)
    one.until(lambda: one.time > 3.0)
    first.send_signal(signal.SIGKILL)
    first.wait()
    one.until(lambda: one.powers[max(one.powers)].force[0] == 0.0 and max(one.powers) > 3.0)
    stopped = min(at for at, msg in one.powers.items() if at > 1.0 and msg.force[0] == 0.0)
    one.until(lambda: stopped + 3.0 < max(one.powers))
    assert one.powers[max(one.powers)].energy == pytest.approx(one.powers[stopped].energy, rel=1e-3)
    one.until(lambda: latest(one)['stopped_s'] > 3.0)
    assert any('stand still' in status.message for status in one.statuses)
    one.control(AFTER)
    one.until(lambda: one.powers[max(one.powers)].force[1] == AFTER[1])
    one.until(lambda: latest(one)['restarts'] == 1)
    seen = latest(one)
    assert seen['silences'] == 1 and seen['longest_age_s'] > 2.0
    assert one.energies[max(one.energies)].gaps == 0


def test_a_controller_on_time_is_late_by_nothing_in_lockstep(steered):
    one = steered(controller_wait=DEADLINE)
    one.control(BEFORE)
    one.until(lambda: one.time > 10.0 and latest(one)['periods'] > 50)
    seen = latest(one)
    assert (seen['late_periods'], seen['silences'], seen['longest_age_s'], seen['held_s']) == (0, 0, 0.0, 0.0)
    assert 0.0 < seen['mean_answer_wall_s'] <= seen['longest_answer_wall_s']
    assert seen['orders'] == pytest.approx(seen['periods'], abs=2)


def test_a_recorded_run_keeps_how_late_its_controller_was(ros, tmp_path):
    specs = scenario_nodes(read_scenario(at_ten_hertz('3', tmp_path)),
                           ScenarioOptions(out=str(tmp_path / 'out'), plots=False))
    with Composition(specs, NAMESPACE) as composition:
        assert composition.spin_until(lambda: is_done(composition), DEADLINE)
        summary = composition.nodes['recorder'].summary
    seen = json.loads(next((tmp_path / 'out').rglob('summary.json')).read_text())['controller']
    assert seen == summary['controller']
    assert seen['periods'] == round(summary['duration_s'] / 0.1) == seen['orders']
    assert (seen['late_periods'], seen['silences'], seen['restarts'], seen['stopped_s']) == (0, 0, 0, 0.0)
    assert lateness_in_words(seen) == ''


def test_without_a_wait_lockstep_waits_for_ever(steered):
    one = steered()
    first = one.control(BEFORE)
    one.until(lambda: one.time > 1.0)
    first.send_signal(signal.SIGKILL)
    first.wait()
    end = time.monotonic() + 1.0
    one.until(lambda: time.monotonic() > end)
    stands = one.time
    end = time.monotonic() + 2.0
    one.until(lambda: time.monotonic() > end)
    assert one.time == stands
    one.control(BEFORE)
    one.until(lambda: one.time > stands + 1.0)
    plant, _ = one.twin(lambda at: BEFORE, max(one.powers))
    assert one.powers[max(one.powers)].energy == plant.state.work


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
