"""`usv-energy hil` in a process of its own, and a stand-in of ArduPilot's side of the protocol."""

import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys

import pytest
from places import ROOT

from usv_energy.cli.main import main


class StandIn:
    """An autopilot's side: packs pulses as the protocol says, reads the answer's line; in lockstep."""

    def __init__(self, port):
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.settimeout(30.0)
        self.to = '127.0.0.1', port

    def frame(self, count, left, right):
        self.link.sendto(struct.pack('<HHI16H', 18458, 50, count, left, 0, right, *[0] * 13), self.to)
        return json.loads(self.link.recv(4096))


@pytest.fixture
def served(tmp_path):
    """Return a function that starts the command with arguments, and gives the process and its port."""
    processes = []

    def start(*arguments):
        scenario = arguments[0] if arguments and arguments[0].endswith('.yaml') else '1'
        arguments = [one for one in arguments if one != scenario]
        process = subprocess.Popen(
            [sys.executable, '-m', 'usv_energy.cli.main', 'hil', scenario, '--port', '0', '--json',
             str(tmp_path / 'hil.json'), *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'})
        processes.append(process)
        line = process.stderr.readline()
        assert 'waiting for an autopilot' in line, line
        return process, int(line.split(' (UDP)')[0].rpartition(':')[2])

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def test_an_autopilot_drives_a_square_corner_and_both_sides_agree(served, tmp_path):
    process, port = served('--duration', '20', '--hotel', '15', '--out', str(tmp_path / 'run'))
    pilot, answers = StandIn(port), []
    for count in range(1000):  # 10 s ahead, then a turn to starboard with the left thruster.
        answers.append(pilot.frame(count, 1900, 1900 if count < 500 else 1500))
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    figures = json.loads((tmp_path / 'hil.json').read_text())
    assert figures['frames'] == 1000 and figures['lost'] == figures['doubled'] == 0
    assert [answers[-1]['position'][1], answers[-1]['position'][0]] == pytest.approx([figures['x_m'], figures['y_m']])
    assert answers[499]['timestamp'] == pytest.approx(10.0)
    assert answers[499]['velocity'][1] > 1.0                       # East.
    assert answers[-1]['imu']['gyro'][2] > 0.05                    # To starboard: positive about the axis down.
    assert figures['energy_j'] == pytest.approx(figures['thruster_energy_j'] + 300.0, rel=1e-3)  # No losses.
    assert '1000' in out and (tmp_path / 'run' / 'summary.json').is_file()


def test_a_boat_with_a_rudder_is_steered_by_its_channel(served, tmp_path):
    """Another boat than the scenario's; throttle on channel 3, the rudder on 1, to port below 1500 us."""
    process, port = served('--duration', '20', '--boat', 'lutra_rudder', '--current', '0.1,90')
    pilot, answers = StandIn(port), []
    for count in range(1000):
        answers.append(pilot.frame(count, 1300, 1900))
    process.communicate(timeout=60)
    figures = json.loads((tmp_path / 'hil.json').read_text())
    assert figures['boat'] == 'lutra_rudder'
    assert answers[-1]['imu']['gyro'][2] < -0.1
    assert answers[0]['velocity'][0] == pytest.approx(0.1, abs=0.01)  # North, with the current.


def test_ctrl_c_keeps_what_was_done(served, tmp_path):
    process, port = served()
    pilot = StandIn(port)
    for count in range(50):
        pilot.frame(count, 1900, 1900)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads((tmp_path / 'hil.json').read_text())['frames'] == 50


def test_a_boat_that_leaves_its_flow_keeps_what_it_did_until_then(served, tmp_path):
    """The river ends east of 300 m: exit status 2, one line, and the figures all the same."""
    scenario = tmp_path / 'edge.yaml'
    base = ROOT / 'config/scenarios/river/crossing_current.yaml'
    scenario.write_text(f'base: {base}\ntitle: the edge\nstart: {{x: 260.0, y: 100.0, heading_deg: 0.0}}\n')
    process, port = served(str(scenario))
    pilot = StandIn(port)
    pilot.link.settimeout(0.5)
    count = 0
    while process.poll() is None and count < 20000:
        with contextlib.suppress(TimeoutError):  # Of the frame at which it ends no answer comes.
            pilot.frame(count, 1900, 1900)
        count += 1
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and 'Traceback' not in err
    assert json.loads((tmp_path / 'hil.json').read_text())['frames'] > 50


def test_noise_on_the_port_is_passed_over(served):
    _, port = served()
    pilot = StandIn(port)
    for noise in (b'', b'hello', bytes(40)):
        pilot.link.sendto(noise, pilot.to)
    assert pilot.frame(0, 1500, 1500)['timestamp'] == pytest.approx(0.02)


@pytest.mark.parametrize(('arguments', 'words'), [
    (['nowhere'], 'nowhere'), (['1', '--channels', '1'], 'right has no channel'),
    (['1', '--hold', '3'], '--hold goes with --realtime'),
    (['1', '--boat', 'blueboat_start', '--charge', '50%'], '--battery gives'),
    (['1', '--host', '203.0.113.9'], 'cannot listen there')])
def test_faults(capsys, arguments, words):
    assert main(['hil', *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize('arguments', [
    ('--port', '99999'), ('--port', 'x'), ('--channels', '0,3'), ('--channels', '33'), ('--channels', 'a=1,a=2'),
    ('--channels', 'a=1:3'), ('--channels', 'a=1:40:-40'), ('--channels', 'a=1:x:y'), ('--channels', '=1')])
def test_wrong_numbers_are_refused_by_name(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(['hil', '1', *arguments])
    assert caught.value.code == 2
    assert arguments[0] in capsys.readouterr().err
