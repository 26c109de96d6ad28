"""Dumps of an NMEA 2000 bus."""

import base64
import math
import struct

import east_files
import numpy as np
import pytest

from usv_energy.earth import metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.logs.file_kind import NMEA_2000, kind_of
from usv_energy.logs.marine.nmea2000 import is_bus_dump, read_nmea2000


def line(time, number, data, sender=35):
    return f'({time:.6f}) can0 {0x08000000 | number << 8 | sender:08X}#{data.hex().upper()}'


def position(k, east=0.0, sender=35):
    return line(100.0 + k, 129025, struct.pack('<ii', 450000000, round(1e7 * (9.0 + east)) + 100 * k), sender)


def of_lines(folder, *lines):
    (folder / 'a.log').write_text('\n'.join(lines) + '\n')
    return read_nmea2000(folder / 'a.log')


@pytest.mark.parametrize('name', ['candump.log', 'bus.raw', 'bus.ebl'])
def test_motion_and_battery_come_out_of_both_forms(tmp_path, name):
    east_files.FILES[name](tmp_path / name)
    log = read_nmea2000(tmp_path / name)
    assert log.start == pytest.approx(east_files.BEGIN.timestamp())
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-4)
    np.testing.assert_allclose(log.u, 1.0, atol=1e-6)
    np.testing.assert_allclose(log.volts, 24.1)
    np.testing.assert_allclose(log.amperes, 3.5)  # always negative: drawn


def test_signs_of_turns_needles_and_winds(tmp_path):
    """8 deg/s to starboard is -; 90 deg of a needle with 3 deg E is 93 deg; a wind from starboard blows to port."""
    lines = []
    for k in range(40):
        lines += [position(0) if k == 0 else line(100.0 + k, 129025, struct.pack('<ii', 450000000, 90000000)),
                  line(100.0 + k, 129026, struct.pack('<BBHHH', 1, 0xFC, 0, 0, 0xFFFF)),
                  line(100.0 + k, 127250, struct.pack('<BHhhB', 1, round(0.5e4 * math.pi), 0x7FFF, 524, 0xFD)),
                  line(100.0 + k, 127251, struct.pack('<Bi', 1, round(math.radians(8.0) * 32e6))),
                  line(100.0 + k, 130306, struct.pack('<BHHB', 1, 500, round(0.5e4 * math.pi), 0xFA))]
    log = of_lines(tmp_path, *lines)
    np.testing.assert_allclose(np.degrees(log.yaw), -3.0, atol=0.01)
    np.testing.assert_allclose(log.r, -math.radians(8.0), atol=1e-6)
    np.testing.assert_allclose(np.hypot(log.wind_x, log.wind_y), 5.0, atol=1e-3)
    # The boat heads nearly east, port is north.
    np.testing.assert_allclose(np.degrees(np.arctan2(log.wind_y, log.wind_x)), 87.0, atol=0.02)


def test_a_needle_s_heading_gets_the_variation_of_another_message(tmp_path):
    log = of_lines(tmp_path, *(one for k in range(20) for one in (
        position(k), line(100.0 + k, 127258, struct.pack('<BBHhH', 1, 0xF5, 0xFFFF, 524, 0xFFFF)),
        line(100.0 + k, 127250, struct.pack('<BHhhB', 1, round(0.5e4 * math.pi), 0x7FFF, 0x7FFF, 0xFD)))))
    np.testing.assert_allclose(np.degrees(log.yaw), -3.0, atol=0.01)
    assert 'magnetic_heading' not in {note.code for note in log.notes}


def test_of_two_senders_the_one_that_sends_most_is_taken_and_others_messages_are_left(tmp_path):
    lines = [one for k in range(30) for one in (position(k), *([position(k, 0.5, 36)] if k % 2 else []),
                                                line(100.0 + k, 126992, bytes(8)), 'nothing')]
    log = of_lines(tmp_path, *lines)
    assert len(log) == 30 and log.origin.longitude == pytest.approx(9.0)


def test_what_is_not_known_is_nan_and_a_dump_without_our_messages_is_refused(tmp_path):
    absent, out_of_range = (line(119.0 + k, 129025, struct.pack('<ii', *(2 * [0x7FFFFFFF - k]))) for k in range(2))
    log = of_lines(tmp_path, *map(position, range(19)), absent, out_of_range)
    assert len(log) == 21 and np.isfinite(log.x).sum() == 19
    with pytest.raises(InputError, match='none of the messages of NMEA 2000 that are read: 127250'):
        of_lines(tmp_path, line(1.0, 126992, bytes(8)))


FORMS = {
    'Yacht Devices': lambda when, number, data: f'{when:%H:%M:%S.%f} R {0x08000000 | number << 8 | 35:08X} '
                                                f'{data.hex(" ").upper()}',
    'iKonvert': lambda when, number, data: f'!PDGY,{number},2,35,255,{when.timestamp():.3f},'
                                           f'{base64.b64encode(data).decode()}',
    'analyzer': lambda when, number, data: f'{when:%Y-%m-%dT%H:%M:%S.%f} 2 035 255 {number} : {data.hex(" ")}',
    'Garmin': lambda when, number, data: f'7,{1e3 * when.timestamp():.0f},{number},Name,Garmin,35,255,2,1,8,0x'
                                         f'{data.hex().upper()}'}

ELAPSED = {
    'candump -x': lambda s, can, data: f' ({s:.6f})  can0  RX - -  {can}   [8]  {data}   \'........\'',
    'Vector': lambda s, can, data: f'   {s:.6f} 1  {can}x       Rx   d 8 {data}  Length = 0',
    'PCAN 1': lambda s, can, data: f'     1)  {1e3 * s:.1f}  Rx     {can}  8  {data}',
    'PCAN 2': lambda s, can, data: f'      1       {1e3 * s:.3f} DT     {can} Rx 8  {data}',
    'SavvyCAN': lambda s, can, data: f'{1e6 * s:.0f},{can},true,Rx,0,8,{data.replace(" ", ",")}'}


@pytest.mark.parametrize('form', ELAPSED)
def test_the_traces_of_can_programs_count_from_their_begin(tmp_path, form):
    width = 8 if form == 'candump -x' else 1  # The others may leave out zeros before an identifier.
    lines = [ELAPSED[form](time, f'{0x08000000 | number << 8 | 35:0{width}X}', data.hex(' ').upper())
             for time, number, data in east_files.bus_frames()]
    log = of_lines(tmp_path, 'date Wed May 1', *lines)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.u, 1.0, atol=1e-6)


@pytest.mark.parametrize('form', ['PCDIN', 'MXPGN'])
def test_messages_in_nmea_0183_are_dated_by_the_bus(tmp_path, form):
    lines = []
    for time, number, data in east_files.bus_frames():
        if number == 129025:
            day, second = divmod(east_files.moment(time).timestamp(), 86_400.0)
            lines.append((126992, struct.pack('<2xHI', int(day), round(1e4 * second))))
        lines.append((number, data))
    path = tmp_path / 'a'
    path.write_text('\n'.join(east_files.sentence(f'PCDIN,{number:06X},00000000,23,{data.hex().upper()}')
                              if form == 'PCDIN' else
                              east_files.sentence(f'MXPGN,{number:06X},6823,{data[::-1].hex().upper()}')
                              for number, data in lines) + '\n')
    assert kind_of(path) == NMEA_2000
    log = read_nmea2000(path)
    np.testing.assert_allclose(np.diff(log.x), np.diff(log.time), atol=0.01)
    assert log.duration == pytest.approx(119.2, abs=1.0)


@pytest.mark.parametrize('form', FORMS)
def test_the_lines_of_gateways_are_read_over_midnight(tmp_path, form):
    lines = [FORMS[form](east_files.moment(time), number, data) for time, number, data in east_files.bus_frames()]
    assert is_bus_dump(lines[0].encode())
    log = of_lines(tmp_path, 'Sequence #,Timestamp,PGN', *lines)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.time, east_files.TIME, atol=1e-3)


def test_dumps_are_known_by_their_lines():
    assert is_bus_dump(b'(1436509052.249713) vcan0 09F8027F#00\n') and is_bus_dump(
        b'2011-11-24-22:42:04.388,2,127251,36,255,8,7d,0b,7d,02,00,ff,ff,ff\n')
    assert not is_bus_dump(b'2011-11-24 22:42:04.388,2.5,127251\n')
    assert is_bus_dump(b'  can0  09F8027F   [8]  00 FC FF FF 00 00 FF FF\n') and is_bus_dump(
        b'<0x09f8027f> [8] 00 fc ff ff 00 00 ff ff\n')
    assert not is_bus_dump(b'row 12345678 [8] columns\n')


def test_lines_without_a_time_are_dated_by_the_clock_of_the_bus(tmp_path):
    """candump without options, and its old form; the bus tells the time once in 5 s, and its lines are even."""
    begin = east_files.BEGIN.timestamp()

    def untimed(frame, number, data):
        return frame.format(f'{0x08000000 | number << 8 | 35:08X}', data.hex(' '))

    for frame, clock, form in (('  can0  {}   [8]  {}', 126992, '<2xHI'), ('<0x{}> [8] {}', 129033, '<HI2x')):
        lines = []
        for count, (time, number, data) in enumerate(east_files.bus_frames()):
            if count % 20 == 0:
                day, second = divmod(begin + float(time), 86_400.0)
                lines.append(untimed(frame, clock, struct.pack(form, round(day), round(1e4 * second))))
            lines.append(untimed(frame, number, data))
        log = of_lines(tmp_path, *lines)
        assert log.start == pytest.approx(begin, abs=0.3) and log.u == pytest.approx(1.0)
        assert np.interp(50.0, log.x, log.time + log.start - begin) == pytest.approx(50.0, abs=0.3)
        with pytest.raises(InputError, match=r'says no times: its lines.*126992, 129033 or 129029\); record it with'):
            of_lines(tmp_path, *(one for one in lines if f'{0x08000000 | clock << 8 | 35:08X}' not in one))


@pytest.mark.parametrize('begin', ['A0900{:02d}.000 23FF2 1F801 ',
                                   '17145540{0:02d}000;A;2024-05-01T09:00:{0:02d}.000Z,2,129025,1,255,8,'])
def test_n2k_ascii_and_logs_of_signal_k_s_server_are_read(tmp_path, begin):
    """Positions of one second each, 100 units of 1e-7 degrees further east."""
    data = [struct.pack('<ii', 450000000, 90000000 + 100 * k) for k in range(40)]
    lines = [begin.format(k) + (one.hex().upper() if begin[0] == 'A' else one.hex(',')) for k, one in enumerate(data)]
    assert is_bus_dump(lines[0].encode())
    log = of_lines(tmp_path, *lines)
    np.testing.assert_allclose(log.time, np.arange(40.0), atol=1e-6)
    assert log.x[-1] == pytest.approx(39e-5 * metres_per_degree(45.0)[0], rel=1e-4)


def fix(k, method=1, day=19844):
    """Give the message 129029 of one second, 1e-5 degrees further east each; day 19844 is 2024-05-01."""
    return struct.pack('<BHIqqqBBBhhiB', 0, day, 10_000 * (32_400 + k), 450_000_000_000_000_000,
                       90_000_000_000_000_000 + k * 10**11, 0, method << 4 | 2, 0xFC, 12, 80, 120, 4000, 0)


def packets(data, sequence):
    """Give the frames of a message of several: a counter, first the number of bytes, then seven bytes each."""
    rest = bytes([len(data)]) + data
    return [bytes([sequence << 5 | at // 7]) + rest[at:at + 7].ljust(7, b'\xff') for at in range(0, len(rest), 7)]


def test_positions_of_several_frames_are_joined_and_date_times_of_day(tmp_path):
    """A frame that was lost costs its message, and one of another sender between them none."""
    lines = ['09:59:59.900 R 09F8057F FF FF']
    for k in range(30):
        frames = [(35, frame) for frame in packets(fix(k), k % 8)]
        frames.insert(3, (36, packets(fix(k, 0), 1)[0]))
        lines += [f'09:{k // 60:02d}:{k % 60:02d}.100 R {0x0DF80500 | sender:08X} {frame.hex(" ").upper()}'
                  for sender, frame in frames if not (k == 7 and frame[0] & 0x1F == 4)]
    log = of_lines(tmp_path, *lines)
    assert len(log) == 29
    assert log.start == pytest.approx(1714554000.0, abs=0.2)  # 2024-05-01 09:00 UTC
    assert log.x[-1] == pytest.approx(29e-5 * metres_per_degree(45.0)[0], rel=1e-4)
    with pytest.raises(InputError, match='neither positions nor a speed'):
        of_lines(tmp_path, *(line(1e9 + k, 129029, frame) for k in range(9) for frame in packets(fix(k, 0), k % 8)))


def test_whole_positions_are_read_and_the_faster_message_of_two_is_taken(tmp_path):
    whole = [f'2024-05-01-09:00:{k:02d}.000,3,129029,35,255,43,{fix(k).hex(",")}' for k in range(30)]
    log = of_lines(tmp_path, *whole)
    assert log.x[-1] == pytest.approx(29e-5 * metres_per_degree(45.0)[0], rel=1e-4)
    some = [f'2024-05-01-09:00:{k:02d}.000,2,129025,35,255,8,{bytes(8).hex(",")}' for k in range(0, 30, 9)]
    assert len(of_lines(tmp_path, *whole, *some)) == 30


def can_frame(number, data, milliseconds):
    """Give a frame as Actisense's gateway sends it raw (BST-95)."""
    return struct.pack('<BBHI', 0x95, 6 + len(data), milliseconds % 2**16, 0x08000000 | number << 8 | 35) + data


def latest(number, data, milliseconds):
    """Give a message in its latest form (BST-D0)."""
    return struct.pack('<BHBBHBBI', 0xD0, 13 + len(data), 255, 35, number & 0xFFFF, number >> 16, 0,
                       milliseconds % 2**32) + data


@pytest.mark.parametrize('form', [can_frame, latest, east_files.bst])
@pytest.mark.parametrize('way', ['one moment, raw frames', 'no moment', 'no log'])
def test_what_a_gateway_of_actisense_sent_is_read_by_its_count(tmp_path, form, way):
    """The count turns over twice in 2 minutes, and messages that a host sent, or with a wrong checksum, are left."""
    messages = [form(number, data, 60_000 + int(1e3 * time)) for time, number, data in east_files.bus_frames()]
    sent = can_frame(129025, bytes(8), 0)
    sent = sent[:7] + bytes([sent[7] | 0x80]) + sent[8:]
    begin = [] if way != 'one moment, raw frames' else [east_files.ebl_moment(0.0)]
    if way == 'no log':
        parts = list(map(east_files.bdtp, messages))
        parts.insert(9, east_files.bdtp(messages[0])[:-3] + b'\x00\x10\x03')
    elif begin:
        parts = [east_files.ebl_tag(7, message) for message in messages]
        parts.insert(9, east_files.ebl_tag(7, sent))
    else:
        parts = [east_files.ebl_tag(1, b'\xea\x03\x00\x00'),
                 *(east_files.bdtp(message).replace(b'\x1b', b'\x1b\x1b') for message in messages)]
    (tmp_path / 'a.ebl').write_bytes(b''.join(begin + parts))
    log = read_nmea2000(tmp_path / 'a.ebl')
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.time, east_files.TIME, atol=1e-6)
    assert log.start == pytest.approx(east_files.BEGIN.timestamp() if begin else 60.0, abs=0.01)


@pytest.mark.parametrize(('time', 'start'), [
    ('({last:010.6f})', 0.0), ('({now:010.6f})', 0.0), ('({date:%Y-%m-%d %H:%M:%S.%f})', east_files.BEGIN.timestamp())])
def test_candump_s_times_since_the_line_before_since_its_begin_and_with_a_date(tmp_path, time, start):
    """Of four messages a second each one comes 10 ms after the other; unread ones count, too."""
    lines, last = [], 0.0
    for count, (second, number, data) in enumerate(east_files.bus_frames()):
        for unread in (False, True):
            now = float(second) + 0.01 * (count % 4) + 0.005 * unread
            stamp = time.format(last=now - last, now=now, date=east_files.moment(now))
            last = now
            lines.append(f' {stamp}  can0  {0x08000000 | (126993 if unread else number) << 8 | 35:08X}   [8]  '
                         f'{data.hex(" ").upper()}')
    log = of_lines(tmp_path, *lines)
    np.testing.assert_allclose(log.x, east_files.TIME, atol=0.01)
    np.testing.assert_allclose(log.time, east_files.TIME, atol=1e-3)
    assert log.start == pytest.approx(start)
