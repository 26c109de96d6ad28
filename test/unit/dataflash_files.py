"""Write ArduPilot DataFlash files for tests: FMT messages, then packed ones (AP_Logger's binary format)."""

import math
import struct

HEADER = b'\xa3\x95'
PACKED = {'Q': 'Q', 'B': 'B', 'b': 'b', 'f': 'f', 'H': 'H', 'L': 'i', 'N': '16s', 'Z': '64s'}
KINDS = {
    'PARM': (64, 'QNff', 'TimeUS,Name,Value,Default'),
    'XKF1': (65, 'QBffffff', 'TimeUS,C,Yaw,VN,VE,PN,PE,PD'),
    'ATT': (66, 'Qff', 'TimeUS,Roll,Yaw'),
    'RCOU': (67, 'QHHHH', 'TimeUS,C1,C2,C3,C4'),
    'BAT': (68, 'QBff', 'TimeUS,Instance,Volt,Curr'),
    'XKF4': (71, 'QBb', 'TimeUS,C,PI'),
    'NKF1': (72, 'QBffffff', 'TimeUS,C,Yaw,VN,VE,PN,PE,PD'),
    'FMTU': (73, 'QBNN', 'TimeUS,FmtType,UnitIds,MultIds'),
    'MSG': (70, 'QZ', 'TimeUS,Message'),
    'GPS': (69, 'QBBLLff', 'TimeUS,I,Status,Lat,Lng,Spd,GCrs'),
}
SPEED, TURN, RATE = 1.2, 0.2, 10.0  # m/s, rad/s clockwise, Hz
PARAMETERS = (('SERVO1_FUNCTION', 73.0), ('SERVO3_FUNCTION', 74.0), ('SERVO1_TRIM', 1510.0), ('SERVO3_TRIM', 1490.0),
              ('SERVO1_REVERSED', 1.0), ('SERVO3_REVERSED', 0.0))


def _format(number, length, name, form, columns):
    return HEADER + struct.pack('<BBB4s16s64s', 128, number, length, name.encode(), form.encode(), columns.encode())


def write_dataflash(path, messages):
    """
    Write a DataFlash file.

    :param messages: (kind, values in the order of its columns), in order of time; a text or a number each.
    """
    parts = [_format(128, 89, 'FMT', 'BBnNZ', 'Type,Length,Name,Format,Columns')]
    codes = {}
    for name, (number, form, columns) in KINDS.items():
        codes[name] = struct.Struct('<' + ''.join(PACKED[letter] for letter in form))
        parts.append(_format(number, 3 + codes[name].size, name, form, columns))
    for kind, values in messages:
        packed = [value.encode() if isinstance(value, str) else value for value in values]
        parts.append(HEADER + bytes([KINDS[kind][0]]) + codes[kind].pack(*packed))
    path.write_bytes(b''.join(parts))


def amperes(t):
    """Return the current that the tests' boats draw, A: it is measured, so it varies."""
    return 2.5 + 0.5 * math.sin(t)


def circle(estimator=True, parameters=PARAMETERS, seconds=30, texts=(), current=amperes, second=lambda t: 99.0):
    """A boat that goes round clockwise from north, as its autopilot sees it: NED, degrees."""
    messages = [('PARM', (0, name, value, value)) for name, value in parameters]
    messages += [('MSG', (0, text)) for text in texts]
    for step in range(int(seconds * RATE)):
        t = step / RATE
        us, yaw = int(t * 1e6) + 1_000_000, TURN * t
        north, east = SPEED / TURN * math.sin(yaw), SPEED / TURN * (1.0 - math.cos(yaw))
        degrees = math.degrees(yaw) % 360.0
        if estimator:
            for core, shift in ((0, 0.0), (1, 50.0)):
                messages.append(('XKF1', (us, core, degrees, SPEED * math.cos(yaw), SPEED * math.sin(yaw),
                                          north + shift, east, 0.0)))
        messages.append(('ATT', (us, 0.0, degrees)))
        messages.append(('RCOU', (us, 1400, 0, 1600, 0)))
        messages.append(('BAT', (us, 0, 16.0, current(t))))
        messages.append(('BAT', (us, 1, 5.0, second(t))))
        messages.append(('GPS', (us, 0, 3, round(1e7 * (63.4 + north / 111500.0)), round(1e7 * 10.3), SPEED, degrees)))
    return messages
