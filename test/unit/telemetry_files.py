"""Write telemetry logs (.tlog) for tests with pymavlink: the packets of a vehicle, each after its time of receipt."""

import math
import struct

SPEED, TURN, RATE = 1.2, 0.2, 5.0  # m/s, rad/s clockwise, Hz
BOAT, QUADROTOR, ROVER, GROUND_STATION = 11, 2, 10, 6
PARAMETERS = (('SERVO1_FUNCTION', 73.0), ('SERVO3_FUNCTION', 74.0), ('SERVO1_TRIM', 1510.0), ('SERVO3_TRIM', 1490.0),
              ('SERVO1_REVERSED', 1.0), ('SERVO3_REVERSED', 0.0))
TIMED = ('ATTITUDE', 'LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT')  # These say when they were sent.
START = 1.7e9  # s since 1970, at which a vehicle's clock shows 0


class Station:
    """
    Takes packets down as a ground station does.

    `late`: how long each is under way, s, a function of its number; `clock`: how fast the vehicles' clocks go.
    """

    def __init__(self, late=lambda number: 0.0):
        from pymavlink.dialects.v20 import ardupilotmega
        self.dialect, self.late, self.parts, self.clock = ardupilotmega, late, [], 1.0

    def put(self, time, kind, *values, system=1, component=1, version=2):
        """Take down a message that was sent at a time, s after START."""
        if kind in TIMED:
            values = (round(self.clock * values[0]), *values[1:])
        message = getattr(self.dialect, f'MAVLink_{kind.lower()}_message')(*values)
        link = self.dialect.MAVLink(None, system, component)
        stamp = struct.pack('>Q', round(1e6 * (START + time + self.late(len(self.parts)))))
        self.parts.append(stamp + message.pack(link, force_mavlink1=version == 1))

    def write(self, path):
        path.write_bytes(b''.join(self.parts))
        return path


def vehicle(station, kind=BOAT, seconds=30.0, system=1, parameters=PARAMETERS, local=True, begin=0.0, boot=None,
            current=lambda t: 250.0 + 50.0 * math.sin(t), heading=0.0, version=2, texts=()):
    """
    Take down what a vehicle sends that goes round clockwise, from north where `heading` is 0.

    `begin`: when, s after START; `boot`: what its clock then shows, s; None: the same; `current`: 1e-2 A.
    """
    boot = begin if boot is None else boot

    def put(time, message, *values):
        station.put(time, message, *values, system=system, version=version)

    put(begin, 'HEARTBEAT', kind, 3, 0, 0, 4, 3)
    for text in texts:
        put(begin, 'STATUSTEXT', 6, text.encode())
    for number, (name, value) in enumerate(parameters):
        put(begin, 'PARAM_VALUE', name.encode(), value, 9, len(parameters), number)
    for step in range(int(seconds * RATE)):
        t = step / RATE
        now, ms, yaw = begin + t, round(1e3 * (boot + t)), TURN * t + heading
        north = SPEED / TURN * (math.sin(yaw) - math.sin(heading))
        east = SPEED / TURN * (math.cos(heading) - math.cos(yaw))
        north_speed, east_speed = SPEED * math.cos(yaw), SPEED * math.sin(yaw)
        put(now, 'ATTITUDE', ms, 0.0, 0.0, math.remainder(yaw, 2.0 * math.pi), 0.0, 0.0, TURN)
        if local:
            put(now, 'LOCAL_POSITION_NED', ms, north, east, 0.0, north_speed, east_speed, 0.0)
        put(now, 'GLOBAL_POSITION_INT', ms, round(1e7 * (63.4 + north / 111_500.0)),
            round(1e7 * (10.3 + east / (111_320.0 * math.cos(math.radians(63.4))))), 0, 0, round(100.0 * north_speed),
            round(100.0 * east_speed), 0, 0)
        put(now, 'SERVO_OUTPUT_RAW', ms * 1000 % 2**32, 0, 1400, 0, 1600, 0, 0, 0, 0, 0)
        put(now, 'SERVO_OUTPUT_RAW', ms * 1000 % 2**32, 1, 900, 0, 900, 0, 0, 0, 0, 0)
        put(now, 'SYS_STATUS', 0, 0, 0, 0, 16_000, round(current(t)), 50, 0, 0, 0, 0, 0, 0)
