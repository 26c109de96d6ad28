"""Write ArduPilot DataFlash files for tests: FMT messages, then packed ones (AP_Logger's binary format)."""

import struct

HEADER = b'\xa3\x95'
PACKED = {'Q': 'Q', 'B': 'B', 'f': 'f', 'H': 'H', 'L': 'i', 'N': '16s'}
KINDS = {
    'PARM': (64, 'QNff', 'TimeUS,Name,Value,Default'),
    'XKF1': (65, 'QBffffff', 'TimeUS,C,Yaw,VN,VE,PN,PE,PD'),
    'ATT': (66, 'Qff', 'TimeUS,Roll,Yaw'),
    'RCOU': (67, 'QHHHH', 'TimeUS,C1,C2,C3,C4'),
    'BAT': (68, 'QBff', 'TimeUS,Instance,Volt,Curr'),
    'GPS': (69, 'QBBLLff', 'TimeUS,I,Status,Lat,Lng,Spd,GCrs'),
}


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
