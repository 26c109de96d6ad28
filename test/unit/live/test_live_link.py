"""Packets of a stream, of datagrams and of a record; connections that cannot be opened."""

import io
import os
import pty
import socket
import time

import pytest
from autopilot_twin import EPOCH, AutopilotTwin

from usv_energy.files.errors import InputError
from usv_energy.live.link import KINDS, LiveLink, MessageReader, ReplayedLink, dialect, heartbeat, open_link
from usv_energy.live.session import LiveOptions, LiveSession
from usv_energy.logs.autopilots.telemetry import STAMP

NEEDS = 'pymavlink', 'serial'


@pytest.fixture
def packets():
    """Return packets that an autopilot sent, some of them of kinds that are not used."""
    twin = AutopilotTwin(9)
    for _ in range(20):
        twin.put('VFR_HUD', 1.0, 1.0, 90, 50, 0.0, 0.0)
        twin.step()
    twin.close()
    return [part[STAMP.size:] for part in twin.tape]


def kinds(heard):
    return [one.kind for one in heard]


def test_a_stream_gives_the_same_messages_in_any_pieces(packets):
    whole = MessageReader(True)
    expected = [one for packet in packets for one in whole.take(1.0, packet)]
    stream, pieces = b''.join(packets), MessageReader(False)
    heard = [one for at in range(0, len(stream), 7) for one in pieces.take(1.0, stream[at:at + 7])]
    assert kinds(heard) == kinds(expected) and 'VFR_HUD' not in KINDS
    assert [one.message.to_dict() for one in heard] == [one.message.to_dict() for one in expected]
    assert (pieces.noise, pieces.damaged, whole.noise, whole.damaged) == (0, 0, 0, 0)


def test_what_is_broken_in_a_stream_costs_nothing_else(packets):
    expected = kinds(MessageReader(False).take(1.0, b''.join(packets)))
    number = next(number for number, packet in enumerate(packets) if packet[7] == 30)  # an ATTITUDE
    broken = bytearray(packets[number])
    broken[15] ^= 0xFF
    reader = MessageReader(False)
    heard = reader.take(1.0, b''.join([*packets[:number], bytes(broken), b'\xfd\xfe noise', *packets[number + 1:]]))
    left = expected.copy()
    left.remove('ATTITUDE')
    assert sorted(kinds(heard)) == sorted(left) and reader.damaged >= 1
    assert reader.noise == len(broken) + 8


def test_a_record_is_a_telemetry_log_of_what_was_received(packets, tmp_path):
    record = io.BytesIO()
    heard = MessageReader(True).take(EPOCH + 0.25, b''.join(packets), record)
    path = tmp_path / 'live.tlog'
    path.write_bytes(record.getvalue())
    link = ReplayedLink(path)
    again = []
    while not link.ended:
        again += link.receive(0.0)
    assert kinds(again) == kinds(heard)
    assert {one.received for one in again} == {EPOCH + 0.25}


@pytest.mark.parametrize('connection, words', [
    ('udpin:nowhere.invalid:1', 'cannot be opened'), ('/dev/no_such_port', 'cannot be opened|pip install pyserial'),
    ('udpin:127.0.0.1', 'cannot be opened'), ('/dev/ttyACM0,fast', 'must be the rate of a serial port'),
    ('udpin:127.0.0.1:70000', 'the port is 70000; must be 0 to 65535'),
    ('boat.bin', 'a file whose name does not end in .tlog'),
    ('no_such.tlog', 'cannot be read: No such file'), ('empty.tlog', 'holds no MAVLink packet')])
def test_a_connection_that_cannot_be_opened_is_said(connection, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'empty.tlog').write_bytes(b'')
    (tmp_path / 'boat.bin').write_bytes(b'x')
    with pytest.raises(InputError, match=words):
        open_link(connection)


@pytest.mark.parametrize('shares', [False, True])
def test_a_port_on_which_another_program_listens_is_refused(shares):
    """Whether that lets others have the port, too, or is another `live`, which does not."""
    if shares:
        first = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        first.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        first.bind(('127.0.0.1', 0))
        port = first.getsockname()[1]
    else:
        first = LiveLink('0')
        port = first._connection.port.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as late, pytest.raises(OSError, match='in use'):
            late.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            late.bind(('127.0.0.1', port))
    with pytest.raises(InputError, match=f'another program listens on port {port}'):
        LiveLink(str(port))
    first.close()


def test_a_clock_that_is_set_back_goes_on(packets, tmp_path, monkeypatch):
    """The computer's clock steps by 600 s: a record goes on from where it was, and a live link does not see it."""
    path, half = tmp_path / 'back.tlog', len(packets) // 2
    path.write_bytes(b''.join(STAMP.pack(round(1e6 * (EPOCH + 0.1 * number - (600.0 if number >= half else 0.0))))
                              + packet for number, packet in enumerate(packets)))
    link, received = ReplayedLink(path), []
    while not link.ended:
        received += [one.received for one in link.receive(0.0)]
    assert received == sorted(received)
    assert received[-1] == pytest.approx(EPOCH + 0.1 * (len(packets) - 1), abs=0.3)
    live = LiveLink('0')
    before = live.now
    monkeypatch.setattr('time.time', lambda: EPOCH)
    assert 0.0 <= live.now - before < 5.0
    live.close()


def test_a_port_alone_is_of_this_machine_only():
    link = LiveLink('0')
    assert link._connection.port.getsockname()[0] == '127.0.0.1'
    link.close()


def test_a_stream_that_is_cut_is_no_error(packets):
    """A server sends packets in two parts, and goes away: what it sent arrives, and the link waits."""
    stream = b''.join(packets)
    with socket.socket() as server:
        server.bind(('127.0.0.1', 0))
        server.listen()
        link = LiveLink(f'tcp:127.0.0.1:{server.getsockname()[1]}')
        peer, _ = server.accept()
        heard = []
        for part in (stream[:101], stream[101:]):
            peer.sendall(part)
            heard += link.receive(1.0)
        peer.close()
        again = link.receive(0.1)
        assert kinds(heard) == kinds(MessageReader(False).take(1.0, stream)) and again == []
        link.close()


def test_a_lost_connection_stops_nothing_and_comes_again(packets):
    """pymavlink tries for 6 s in each call; meanwhile silence was not seen."""
    stream = b''.join(packets)
    expected = kinds(MessageReader(False).take(1.0, stream))
    with socket.create_server(('127.0.0.1', 0)) as server:
        link, port = LiveLink(f'tcp:127.0.0.1:{server.getsockname()[1]}'), server.getsockname()[1]
        server.accept()[0].close()
    began = time.monotonic()
    for _ in range(5):
        assert link.receive(0.02) == []
        link.send(1, heartbeat())
    assert time.monotonic() - began < 1.0
    with socket.create_server(('127.0.0.1', port)) as server:
        peer, _ = server.accept()
        peer.sendall(stream)
        heard, end = [], time.monotonic() + 5.0
        while len(heard) < len(expected) and time.monotonic() < end:
            heard += link.receive(0.1)
        peer.close()
    link.close()
    assert kinds(heard) == expected


def test_a_connection_without_a_word_is_made_again(packets, monkeypatch):
    """A cable is pulled: nobody resets the connection, which stays open at both ends."""
    monkeypatch.setattr('usv_energy.live.link.STILL', 0.2)
    monkeypatch.setattr('usv_energy.live.link.CONNECT_PERIOD', 0.01)
    with socket.create_server(('127.0.0.1', 0)) as server:
        link = LiveLink(f'tcp:127.0.0.1:{server.getsockname()[1]}')
        still, _ = server.accept()
        still.sendall(packets[0])
        heard, end = [], time.monotonic() + 5.0
        server.settimeout(0.0)
        while time.monotonic() < end:
            heard += link.receive(0.05)
            try:
                again, _ = server.accept()
            except BlockingIOError:
                continue
            again.sendall(packets[1])
            break
        while len(heard) < 2 and time.monotonic() < end:
            heard += link.receive(0.05)
        still.close()
        again.close()
    link.close()
    assert kinds(heard) == kinds(MessageReader(True).take(1.0, packets[0]) + MessageReader(True).take(1.0, packets[1]))


def test_who_waits_for_a_first_word_gets_a_heartbeat(packets):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(('127.0.0.1', 0))
        server.settimeout(2.0)
        link = LiveLink(f'udpout:127.0.0.1:{server.getsockname()[1]}')
        link.receive(0.0)
        data, client = server.recvfrom(300)
        [message] = dialect().MAVLink(None).parse_buffer(data)
        assert (message.get_type(), message.get_srcComponent()) == ('HEARTBEAT', 191)
        server.sendto(b''.join(packets[:5]), client)
        assert link.receive(1.0) != []
        link.close()


class SerialLine:
    """The autopilot's end of a serial line, in the place of its socket."""

    def __init__(self):
        self.end, self.other = pty.openpty()
        os.set_blocking(self.end, False)

    def sendto(self, data, _):
        assert os.write(self.end, data) == len(data)

    def recv(self, most):
        return os.read(self.end, most)  # BlockingIOError if there is nothing, as a socket has it

    def close(self):
        os.close(self.end)
        os.close(self.other)


def test_a_serial_port_is_a_link_in_both_directions(rig):
    """A pseudo terminal: the same packets give the joules that they give over UDP, and what is asked for comes."""
    plain = rig()
    plain.run(15.0).end()
    one, line = rig(), SerialLine()
    one.twin.socket.close()
    one.twin.socket = line
    one.link.close()
    one.link = LiveLink(f'{os.ttyname(line.other)},57600', clock=lambda: one.twin.now)
    one.session = LiveSession(one.link, one.session._boat, LiveOptions(), threads=False)
    one.run(15.0).end()
    assert one.figures['energy_total_j'] == pytest.approx(plain.figures['energy_total_j'], rel=1e-6)
    assert one.one.vehicle.parameters == plain.one.vehicle.parameters != {}
    assert one.figures['bytes_of_no_packet'] == one.figures['packets_damaged'] == 0
    assert one.twin.count('NAMED_VALUE_FLOAT') > 50
