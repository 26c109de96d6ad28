"""ArduPilot's own Rover (SITL) beside `usv-energy hil` and `usv-energy live`: all on loopback, in real time."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from places import ROOT

BINARY = os.environ.get('ARDUROVER') or shutil.which('ardurover')
ABSENT = 'no ardurover: build ArduPilot Rover for SITL, and name it in ARDUROVER or put it on the path'
HOME = 45.6073, 9.5524
METRES = 111_194.9266   # in a degree of latitude
AUTO, WAYPOINT, CHANGE_SPEED = 10, 16, 178
ARM, SET_MODE, INTERVAL = 400, 176, 511
# As sim_vehicle.py has them for a rover; a boat with a throttle on the left and one on the right. No battery: this one
# of the simulator is that of a car.
PARAMETERS = {
    'FRAME_CLASS': 2, 'SERVO1_FUNCTION': 73, 'SERVO3_FUNCTION': 74, 'SERVO1_MIN': 1100, 'SERVO1_MAX': 1900,
    'SERVO3_MIN': 1100, 'SERVO3_MAX': 1900, 'SERVO1_TRIM': 1500, 'SERVO3_TRIM': 1500, 'BATT_MONITOR': 0,
    'CRUISE_SPEED': 1.0, 'CRUISE_THROTTLE': 35, 'WP_SPEED': 1.0, 'WP_RADIUS': 3, 'ATC_STR_RAT_FF': 0.75,
    'ATC_SPEED_P': 0.4, 'RC1_MIN': 1000, 'RC1_MAX': 2000, 'RC3_MIN': 1000, 'RC3_MAX': 2000, 'FS_THR_ENABLE': 0,
    'FS_GCS_ENABLE': 0,
    **{f'INS_ACC{number}{what}_{axis}': value for number in ('', '2') for axis in 'XYZ'
       for what, value in (('OFFS', 0.001), ('SCAL', 1.001))},
    'SERIAL1_PROTOCOL': 2, 'LOG_DISARMED': 0}


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]


class Rover:
    """
    ardurover in a folder, its boat (`usv-energy hil`, or its own model), and `usv-energy live` on its second port.

    `pilot`: a ground station on its first port, `heard` all that it received, by name.
    """

    def __init__(self, folder, boat='blueboat', flows=(), model=None, parameters=(), speed_rate=400):
        self.folder, self._closing = folder, contextlib.ExitStack()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.heard = {}
        self.boat, self._flows = boat, flows
        self._environment = os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'}
        given = PARAMETERS | dict(parameters) | {'SIM_RATE_HZ': speed_rate}
        (folder / 'boat.parm').write_text(''.join(f'{name} {value:g}\n' for name, value in given.items()))
        (folder / 'scenario.yaml').write_text(
            f'base: "1"\ntitle: a boat with an autopilot\nboat: {boat}\n'
            'start: {x: 0.0, y: 0.0, heading_deg: 0.0}\nwaypoints: [{x: 30.0, y: 0.0}]\n')
        self.to_live, to_pilot = free_port(), free_port()
        from pymavlink import mavutil
        self.pilot = mavutil.mavlink_connection(f'udpin:127.0.0.1:{to_pilot}', source_system=255)
        self._closing.callback(self.pilot.close)
        if model is None:
            self._hil = self._command('hil', str(folder / 'scenario.yaml'), '--json', str(folder / 'hil.json'), *flows)
            self._wait_for_hil()
            model = 'JSON:127.0.0.1'
        else:
            self._hil = None
        self._start([BINARY, '--model', model, '--wipe', '--speedup', '1', '--defaults', str(folder / 'boat.parm'),
                     '--home', f'{HOME[0]},{HOME[1]},0,90', '--serial0', f'udpclient:127.0.0.1:{to_pilot}',
                     '--serial1', f'udpclient:127.0.0.1:{self.to_live}', '--serial2', 'none', '--serial3', 'GPS1',
                     '--serial4', 'none', '--sim-address', '127.0.0.1'], 'rover')

    def watch(self, *options):
        """Start `usv-energy live`; what it recorded is in the folder `live`."""
        self._command('live', str(self.to_live), '--boat', self.boat, '--record', str(self.folder / 'live'),
                      '--json', str(self.folder / 'live.jsonl'), *self._flows, *options)

    def _command(self, *arguments):
        return self._start([sys.executable, '-m', 'usv_energy.cli.main', *arguments], arguments[0])

    def _start(self, command, name):
        out = self._closing.enter_context((self.folder / f'{name}.txt').open('w'))
        process = subprocess.Popen(  # In the background of a shell it would not hear SIGINT.
            command, stdout=out, stderr=subprocess.STDOUT, cwd=self.folder, env=self._environment,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self._closing.callback(self._end, process)
        return process

    @staticmethod
    def _end(process):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _wait_for_hil(self):
        for _ in range(600):
            if 'waiting for an autopilot' in (self.folder / 'hil.txt').read_text():
                return
            time.sleep(0.1)
        raise AssertionError((self.folder / 'hil.txt').read_text())

    def hear(self, seconds, until=lambda message: False):
        """Take messages for a time, s, or until one of a kind; return that."""
        end, beat = time.monotonic() + seconds, 0.0
        while time.monotonic() < end:
            if time.monotonic() > beat:
                self.pilot.mav.heartbeat_send(6, 8, 0, 0, 4)
                beat = time.monotonic() + 1.0
            message = self.pilot.recv_match(blocking=True, timeout=0.2)
            if message is None:
                continue
            self.heard.setdefault(message.get_type(), []).append(message)
            if until(message):
                return message
        return None

    def command(self, number, *parameters, tries=30):
        """Give a command until it is accepted."""
        padded = [*parameters, *[0.0] * (7 - len(parameters))]
        for _ in range(tries):
            self.pilot.mav.command_long_send(1, 1, number, 0, *padded)
            answer = self.hear(2.0, lambda message: message.get_type() == 'COMMAND_ACK' and message.command == number)
            if answer is not None and answer.result == 0:
                return
            self.hear(1.0)
        texts = [message.text for message in self.heard.get('STATUSTEXT', [])]
        raise AssertionError(f'command {number} was not accepted: {texts[-8:]}')

    def upload(self, places, speed):
        """Give it a mission: places in m north and east of home, at a speed over ground, m/s."""
        from pymavlink.dialects.v20 import ardupilotmega as mavlink
        points = [(WAYPOINT, (0.0, 0.0), 0.0), (CHANGE_SPEED, (0.0, 0.0), speed), *(
            (WAYPOINT, place, 0.0) for place in places)]
        items = []
        for number, (command, (north, east), given) in enumerate(points):
            latitude = HOME[0] + north / METRES
            longitude = HOME[1] + east / METRES / 0.69952  # cos 45.6073 deg
            is_place = command == WAYPOINT
            items.append(mavlink.MAVLink_mission_item_int_message(
                1, 1, number, 3, command, 0, 1, 0.0 if is_place else 1.0, given, 0.0, 0.0,
                round(1e7 * latitude) * is_place, round(1e7 * longitude) * is_place, 0.0, 0))
        self.pilot.mav.mission_count_send(1, 1, len(items), 0)
        while True:
            asked = self.hear(10.0, lambda message: message.get_type() in (
                'MISSION_REQUEST', 'MISSION_REQUEST_INT', 'MISSION_ACK'))
            assert asked is not None, 'the mission was not asked for'
            if asked.get_type() == 'MISSION_ACK':
                assert asked.type == 0, asked
                return len(items) - 1
            self.pilot.mav.send(items[asked.seq])

    def drive(self, places, speed, longest, home=False):
        """Drive a mission from the first heartbeat to its end, or `home` from it; AssertionError if it takes longer."""
        assert self.hear(60.0, lambda message: message.get_type() == 'HEARTBEAT') is not None, 'no heartbeat'
        for kind in (33, 42, 74):  # GLOBAL_POSITION_INT, MISSION_CURRENT, VFR_HUD
            self.command(INTERVAL, kind, 2e5)
        self.hear(90.0, lambda message: message.get_type() == 'GPS_RAW_INT' and message.fix_type >= 3)
        self.upload(places, speed)
        self.command(ARM, 1.0)
        self.command(SET_MODE, 1.0, AUTO)
        last = 'Reached destination' if home else 'Mission Complete'
        done = self.hear(longest, lambda message: message.get_type() == 'STATUSTEXT' and last in message.text)
        texts = [message.text for message in self.heard.get('STATUSTEXT', [])]
        assert done is not None, texts[-8:]

    def answers(self):
        """
        Return energies, J, by who says them: the boat itself, `live`, and `analyze` of what both recorded.

        They are without the hotel load, since each begins at another time before the boat moves.
        """
        found = {}
        if self._hil is not None:
            told = json.loads((self.folder / 'hil.json').read_text())
            found['boat'] = told['energy_j'], told['duration_s']
        [live] = json.loads((self.folder / 'live' / 'summary.json').read_text())
        found['live'] = live['energy_total_j'], live['duration_s']
        for name, path in (('tlog', self.folder / 'live' / 'live.tlog'), ('bin', self.log)):
            target = self.folder / f'{name}.json'
            subprocess.run([sys.executable, '-m', 'usv_energy.cli.main', 'analyze', str(path), '--boat', self.boat,
                            *self._flows, '--json', str(target)], check=True, capture_output=True,
                           env=self._environment)
            told = json.loads(target.read_text())
            found[name] = told['energy_j'], told['duration_s']
        from usv_energy.boats.boat_file import read_boat
        load = read_boat(self.boat).vessel.static_load
        return {name: energy - load * duration for name, (energy, duration) in found.items()}

    def close(self):
        """End all of them; the last one first."""
        self._closing.close()

    @property
    def log(self):
        """The autopilot's own log."""
        return max(Path(self.folder / 'logs').glob('*.BIN'), key=lambda path: path.stat().st_size)
