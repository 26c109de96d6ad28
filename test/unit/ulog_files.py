"""
Write ULog files (.ulg) for tests, byte for byte.

Source: PX4, ULog file format, https://docs.px4.io/main/en/dev_log/ulog_file_format.html.
"""

import math
import struct

SPEED, TURN, RATE = 1.2, 0.2, 10.0  # m/s, rad/s clockwise, Hz
BOAT, QUADROTOR, ROVER = 11, 2, 10
OLD_GPS = {'vehicle_gps_position': 'uint64_t timestamp;int32_t lat;int32_t lon;float vel_n_m_s;float vel_e_m_s;'
                                   'float cog_rad;uint8_t fix_type'}  # Up to PX4 1.14.
COUNTED = {'vehicle_local_position': 'uint64_t timestamp;uint64_t timestamp_sample;float x;float y;float vx;float vy;'
                                     'bool xy_valid;bool v_xy_valid;float[2] delta_xy;uint8_t xy_reset_counter;'
                                     'float[2] delta_vxy;uint8_t vxy_reset_counter;float delta_heading;'
                                     'uint8_t heading_reset_counter',
           'vehicle_attitude': 'uint64_t timestamp;uint64_t timestamp_sample;float[4] q;float[4] delta_q_reset;'
                               'uint8_t quat_reset_counter'}  # What counts an estimator's resets.
CODES = {'uint64_t': 'Q', 'float': 'f', 'double': 'd', 'uint8_t': 'B', 'bool': '?', 'uint32_t': 'I', 'int32_t': 'i'}
TOPICS = {
    'vehicle_local_position': 'uint64_t timestamp;uint64_t timestamp_sample;float x;float y;float vx;float vy;'
                              'bool xy_valid;bool v_xy_valid',
    'vehicle_attitude': 'uint64_t timestamp;uint64_t timestamp_sample;float[4] q',
    'vehicle_angular_velocity': 'uint64_t timestamp;float[3] xyz',
    'vehicle_gps_position': 'uint64_t timestamp;double latitude_deg;double longitude_deg;float vel_n_m_s;'
                            'float vel_e_m_s;float cog_rad;uint8_t fix_type',
    'actuator_motors': 'uint64_t timestamp;float[12] control',
    'actuator_outputs': 'uint64_t timestamp;uint32_t noutputs;float[16] output',
    'battery_status': 'uint64_t timestamp;float voltage_v;float current_a;bool connected;uint8_t source',
    'vehicle_status': 'uint64_t timestamp;uint8_t vehicle_type;uint8_t system_type',
}


class UlogFile:
    """Collects the messages of a file: `put` a topic's values, then `write`."""

    def __init__(self, parameters=(), topics=None):
        self.data, self.numbers, self.topics = [], {}, {**TOPICS, **(topics or {})}
        self.head = [b'ULog\x01\x12\x35\x01' + struct.pack('<Q', 0)]
        self.head += [self._message('F', f'{name}:{fields};'.encode()) for name, fields in self.topics.items()]
        for name, value in parameters:
            key = f'{"int32_t" if isinstance(value, int) else "float"} {name}'.encode()
            self.head.append(self._message('P', bytes([len(key)]) + key
                                           + struct.pack('<i' if isinstance(value, int) else '<f', value)))

    def put(self, topic, time, *values, instance=0):
        """Log a topic at a time, s; lists are spread."""
        number = self.numbers.get((topic, instance))
        if number is None:
            number = self.numbers[topic, instance] = len(self.numbers)
            self.data.append(self._message('A', struct.pack('<BH', instance, number) + topic.encode()))
        form = ''.join(CODES[kind.partition('[')[0]] * int((kind.partition('[')[2] or '1]')[:-1])
                       for kind in (field.split()[0] for field in self.topics[topic].split(';')))
        flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
        self.data.append(self._message('D', struct.pack(f'<H{form}', number, round(1e6 * time), *flat)))

    def dropout(self, milliseconds):
        """Say that messages were lost."""
        self.data.append(self._message('O', struct.pack('<H', milliseconds)))

    def write(self, path):
        path.write_bytes(b''.join([*self.head, *self.data]))
        return path

    @staticmethod
    def _message(kind, payload):
        return struct.pack('<HB', len(payload), ord(kind)) + payload


def circle(kind=BOAT, seconds=30.0, estimator=True, motors=(-0.5, 0.25), current=lambda t: 2.5 + 0.5 * math.sin(t),
           second=None, parameters=()):
    """A vehicle that goes round clockwise from north; `motors`: of the right and the left one, from -1 to 1."""
    file = UlogFile(parameters)
    unknown = [math.nan] * (12 - len(motors))
    for step in range(int(seconds * RATE)):
        t = 100.0 + step / RATE
        yaw = TURN * (t - 100.0)
        us = round(1e6 * t)
        north, east = SPEED / TURN * math.sin(yaw), SPEED / TURN * (1.0 - math.cos(yaw))
        if step % 10 == 0:
            file.put('vehicle_status', t, 0, kind)
        file.put('vehicle_attitude', t + 0.004, us, [math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw)])
        file.put('vehicle_angular_velocity', t, [0.0, 0.0, TURN])
        file.put('vehicle_local_position', t + 0.007, us, north, east, SPEED * math.cos(yaw), SPEED * math.sin(yaw),
                 estimator, estimator)
        file.put('vehicle_gps_position', t, 63.4 + north / 111_500.0, 10.3 + east / (111_320.0 * math.cos(
            math.radians(63.4))), SPEED * math.cos(yaw), SPEED * math.sin(yaw), yaw, 3)
        file.put('actuator_motors', t, [*motors, *unknown])
        file.put('battery_status', t, 16.0, current(t), True, 0)
        if second is not None:
            file.put('battery_status', t, 15.0, second(t), True, 0, instance=1)
    return file
