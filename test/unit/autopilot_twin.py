"""A small autopilot on a real UDP socket: steps a boat by equations of its own, and speaks MAVLink as Rover does."""

import itertools
import math
import random
import socket
import struct
import threading
from contextlib import contextmanager

from pymavlink.dialects.v20 import ardupilotmega as mavlink

LATITUDE, LONGITUDE = 45.6073, 9.5524
METRES = 111_194.9266  # in a degree of latitude on the sphere of this twin
BOAT, ARDUPILOT, PX4 = 11, 3, 12
MANUAL, AUTO, RTL, ARMED = 0, 10, 11, 128
DO_SET_MODE, INVALID_SEQUENCE = 176, 13
EPOCH = 1.7e9          # s since 1970, at which its clock shows 0
PARAMETERS = {'FRAME_CLASS': 2.0, 'SERVO1_FUNCTION': 73.0, 'SERVO3_FUNCTION': 74.0, 'SERVO1_TRIM': 1500.0,
              'SERVO3_TRIM': 1500.0, 'SERVO1_REVERSED': 0.0, 'SERVO3_REVERSED': 0.0, 'CRUISE_SPEED': 1.5,
              'BATT_CAPACITY': 18_000.0}


class Boat:
    """A point with a heading: speed and turn follow the time in closed form, the way by Simpson's rule."""

    def __init__(self, speed=1.2, change=0.3, turn=0.1):
        self.mean, self.change, self.turn = speed, change, turn
        self.t = self.north = self.east = 0.0

    def speed(self, t):
        return self.mean + self.change * math.sin(0.4 * t)

    def yaw(self, t):
        """Return rad clockwise from north."""
        return 0.8 + self.turn / 0.15 * (1.0 - math.cos(0.15 * t))

    def velocity(self, t):
        """Return m/s north and east."""
        return self.speed(t) * math.cos(self.yaw(t)), self.speed(t) * math.sin(self.yaw(t))

    def rate(self, t):
        return self.turn * math.sin(0.15 * t)

    def step(self, seconds):
        begin, middle, end = self.t, self.t + 0.5 * seconds, self.t + seconds
        for number, axis in enumerate(('north', 'east')):
            way = sum(share * self.velocity(t)[number] for share, t in ((1, begin), (4, middle), (1, end)))
            setattr(self, axis, getattr(self, axis) + seconds / 6.0 * way)
        self.t = end


class AutopilotTwin:
    """
    Sends to a port of this machine, and takes what comes back; `heard` holds it, `forward` is a second client.

    `answers`: MAV_RESULT of DO_SET_MODE, None for none; `obeys`: whether the mode then changes.
    """

    def __init__(self, port, system=1, kind=BOAT, boot=0.0, boat=None, autopilot=ARDUPILOT, seed=1):
        self.boat = boat or Boat()
        self.system, self.kind, self.boot, self.autopilot = system, kind, boot, autopilot
        self.parameters, self.mission, self.item = dict(PARAMETERS), [], 0
        self.mode, self.armed, self.answers, self.obeys = AUTO, True, 0, True
        self.amperes, self.volts, self.wind = 6.0, 15.2, None
        self.shift = 0.0          # m, by which its estimator is too far north
        self.home = (LATITUDE, LONGITUDE)
        self.lost = self.doubled = self.swapped = 0.0
        self.heard, self.waiting = [], []
        self.random = random.Random(seed)
        self.port = port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 0))
        self.socket.setblocking(False)
        self.client = None
        self.link, self.ears = mavlink.MAVLink(None, system, 1), mavlink.MAVLink(None)
        self.tape = []            # of all that was sent, as a telemetry log has it

    def close(self):
        self.socket.close()

    def write(self, path):
        """Write all that was sent as a telemetry log; return its path."""
        path.write_bytes(b''.join(self.tape))
        return path

    @property
    def now(self):
        """The time of its boat, s since 1970."""
        return EPOCH + self.boat.t

    def put(self, name, *values):
        """Send a message; it may get lost, double or late on its way."""
        packet = getattr(mavlink, f'MAVLink_{name.lower()}_message')(*values).pack(self.link)
        self.link.seq = (self.link.seq + 1) % 256
        self.tape.append(round(1e6 * self.now).to_bytes(8, 'big') + packet)
        if self.random.random() < self.lost:
            return
        self.waiting += [packet] * (2 if self.random.random() < self.doubled else 1)

    def flush(self):
        if len(self.waiting) > 1 and self.random.random() < self.swapped:
            self.random.shuffle(self.waiting)
        for packet in self.waiting:
            self.socket.sendto(packet, ('127.0.0.1', self.port))
        self.waiting = []

    def send_raw(self, data):
        self.socket.sendto(data, ('127.0.0.1', self.port))

    def step(self, seconds=0.1):
        """Go on, and send what a Rover sends after that time."""
        boat, number = self.boat, round(self.boat.t / seconds)
        ms, yaw, velocity = round(1e3 * (self.boot + boat.t)), boat.yaw(boat.t), boat.velocity(boat.t)
        if number % 10 == 0:
            self.put('HEARTBEAT', self.kind, self.autopilot, 1 | (ARMED if self.armed else 0), self.mode, 4, 3)
            self.put('MISSION_CURRENT', self.item, max(len(self.mission) - 1, 0))
            if self.wind is not None:
                self.put('WIND', *self.wind, 0.0)
        self.put('ATTITUDE', ms, 0.0, 0.0, math.remainder(yaw, math.tau), 0.0, 0.0, boat.rate(boat.t))
        if self.autopilot == PX4:
            self.put('LOCAL_POSITION_NED', ms, boat.north, boat.east, 0.0, *velocity, 0.0)
        if self.autopilot != PX4 or number % 5 == 0:
            self._put_place(ms, velocity)
        push = [1560 + round(60.0 * math.hypot(*velocity))] * 2
        self.put('SERVO_OUTPUT_RAW', ms * 1000 % 2 ** 32, 0, push[0], 0, push[1], 0, 0, 0, 0, 0)
        if number % 5 == 0:
            cells = [round(1e3 * self.volts), *[0xFFFF] * 9]
            amperes = self.amperes + 0.5 * math.sin(0.4 * boat.t)
            self.put('BATTERY_STATUS', 0, 0, 0, 32_767, cells, round(100.0 * amperes), -1, -1, -1)
        self.flush()
        boat.step(seconds)

    def _put_place(self, ms, velocity):
        boat = self.boat
        self.put('GLOBAL_POSITION_INT', ms, round(1e7 * (LATITUDE + (boat.north + self.shift) / METRES)),
                 round(1e7 * (LONGITUDE + boat.east / METRES / math.cos(math.radians(LATITUDE)))), 0, 0,
                 round(100.0 * velocity[0]), round(100.0 * velocity[1]), 0, 0)

    def listen(self):
        """Take what came back, answer it, and hand it on to the second client."""
        while True:
            try:
                data = self.socket.recv(65_535)
            except BlockingIOError:
                return
            if self.client is not None:
                self.socket.sendto(data, self.client)
            for message in self.ears.parse_buffer(data) or []:
                self.heard.append(message)
                self._answer(message)
            self.flush()

    def _answer(self, message):
        kind = message.get_type()
        if kind == 'PARAM_REQUEST_READ' and message.param_id in self.parameters:
            value = self.parameters[message.param_id]
            if self.autopilot == PX4 and isinstance(value, int):  # in the bytes of a float
                self.put('PARAM_VALUE', message.param_id.encode(), *struct.unpack('<f', struct.pack('<i', value)), 6,
                         1, 0)
            else:
                self.put('PARAM_VALUE', message.param_id.encode(), value, 9, 1, 0)
        elif kind == 'MISSION_REQUEST_LIST':
            self.put('MISSION_COUNT', 255, 0, len(self.mission), 0)
        elif kind == 'MISSION_REQUEST_INT':
            if message.seq < len(self.mission):
                self.put('MISSION_ITEM_INT', *self.mission[message.seq])
            else:
                self.put('MISSION_ACK', 255, 0, INVALID_SEQUENCE, 0)
        elif kind == 'COMMAND_LONG' and message.command == 512 and self.home is not None:
            self.put('HOME_POSITION', round(1e7 * self.home[0]), round(1e7 * self.home[1]), 0, 0.0, 0.0, 0.0,
                     [1.0, 0.0, 0.0, 0.0], 0.0, 0.0, 0.0)
        elif kind == 'COMMAND_LONG' and message.command == DO_SET_MODE and self.answers is not None:
            self.put('COMMAND_ACK', DO_SET_MODE, self.answers)
            if self.answers == 0 and self.obeys:
                self.mode = int(message.param2)

    def set_mission(self, places, commands=16):
        """Take a mission of places, m north and east; its first item is home."""
        self.mission = []
        for number, (north, east) in enumerate([(0.0, 0.0), *places]):
            self.mission.append((255, 0, number, 3, commands, 0, 1, 0.0, 0.0, 0.0, 0.0,
                                 round(1e7 * (LATITUDE + north / METRES)),
                                 round(1e7 * (LONGITUDE + east / METRES / math.cos(math.radians(LATITUDE)))), 0.0, 0))

    def count(self, kind):
        return sum(message.get_type() == kind for message in self.heard)

    def commands(self):
        return [message for message in self.heard
                if message.get_type() == 'COMMAND_LONG' and message.command == DO_SET_MODE]

    def texts(self):
        return [message.text for message in self.heard if message.get_type() == 'STATUSTEXT']


@contextmanager
def sailing(port, after_step=None):
    """Yield a twin that goes on in real time and speaks to a port; `after_step` is called with each step's number."""
    twin, over = AutopilotTwin(port), threading.Event()
    twin.boot = 60.0

    def sail():
        for number in itertools.count():
            if over.wait(0.1):
                return
            twin.step()
            twin.listen()
            if after_step is not None:
                after_step(number)

    thread = threading.Thread(target=sail)
    thread.start()
    try:
        yield twin
    finally:
        over.set()
        thread.join()
        twin.listen()
        twin.close()
