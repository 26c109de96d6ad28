"""`usv-energy live` as it is typed: on a real socket in real time, and on a telemetry log."""

import json
import socket
import time
from pathlib import Path
from threading import Timer
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np
import pytest
from autopilot_twin import AutopilotTwin, sailing
from command_line import assert_refused

from usv_energy.cli.live import _new_packets

NEEDS = ('pymavlink',)


@pytest.fixture
def port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]


@pytest.fixture
def tape(tmp_path):
    """Return the telemetry log of an autopilot that ran for 12 s."""
    twin = AutopilotTwin(9)
    for _ in range(120):
        twin.step()
    twin.close()
    return twin.write(tmp_path / 'boat.tlog')


def test_a_boat_is_watched_in_real_time_and_recorded(cli, port, tmp_path):
    """What is recorded gives the same energy once more; the last line of JSON is the end."""
    with sailing(port) as twin:
        status, out, err = cli('live', port, '--boat', 'lutra_prop', '--duration', '4', '--period', '0.5', '--json',
                               '-', '--record', tmp_path / 'run')
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and len(lines) >= 6 and 'Traceback' not in err
    assert [line['energy_total_j'] for line in lines] == sorted(line['energy_total_j'] for line in lines)
    assert lines[-1]['energy_total_j'] > 20.0
    assert json.loads((tmp_path / 'run' / 'summary.json').read_text())[0]['vehicle'] == 'a boat'
    assert twin.count('NAMED_VALUE_FLOAT') and not twin.commands()
    status, out, _ = cli('live', tmp_path / 'run' / 'live.tlog', '--boat', 'lutra_prop', '--json', '-', '--record',
                         tmp_path / 'run')  # What is replayed is not recorded over.
    assert status == 0 and _new_packets(tmp_path / 'run') == tmp_path / 'run' / 'live_2.tlog'
    assert json.loads(out.splitlines()[-1])['energy_total_j'] == pytest.approx(lines[-1]['energy_total_j'], rel=1e-9)


def test_settings_of_the_page_begin_anew(cli, port, tmp_path):
    """Half the charge is set on the page while the boat is watched; it is in the file, and counts from then on."""
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        web = free.getsockname()[1]
    answers = []

    def set_the_charge(number):
        if number == 8:
            request = Request(f'http://127.0.0.1:{web}/settings', urlencode({'charge': '50%'}).encode())
            answers.append(urlopen(request, timeout=5.0).status)

    with sailing(port, set_the_charge):
        status, out, err = cli('live', port, '--boat', 'lutra_prop', '--duration', '3', '--period', '0.2', '--json',
                               '-', '--page', web, '--settings', tmp_path / 'settings.json')
    charges = [json.loads(line).get('state_of_charge') for line in out.splitlines()]
    assert status == 0 and answers == [200] and f'http://127.0.0.1:{web}/' in err
    assert charges[-1] == pytest.approx(0.5, abs=0.01)
    assert json.loads((tmp_path / 'settings.json').read_text()) == {'charge': '50%'}


def test_a_router_that_starts_later_is_waited_for_with_a_record(cli, tmp_path):
    with socket.socket() as router:
        router.bind(('127.0.0.1', 0))
        link = f'tcp:127.0.0.1:{router.getsockname()[1]}'
        status, _, err = cli('live', link, '--boat', 'lutra_prop')
        assert status == 2 and err.count('\n') == 1 and 'Connection refused' in err
        later = Timer(0.7, router.listen)
        later.start()
        status, _, err = cli('live', link, '--boat', 'lutra_prop', '--record', tmp_path, '--duration', '2')
        later.join()
    assert err.count('Connection refused: tried again once a second') == 1
    assert status == 2 and 'no boat was heard' in err


def test_a_rate_of_a_link_is_refused(cli, port):
    status, _, err = cli('live', port, '--boat', 'lutra_prop', '--rate', '2')
    assert status == 2 and f'--rate: {port} is no .tlog file' in err


@pytest.mark.skipif(not Path('/dev/full').exists(), reason='there is no /dev/full')
def test_a_full_disk_ends_the_files_and_not_the_watch(cli, port, tape, tmp_path):
    status, _, err = cli('live', tape, '--boat', 'lutra_prop', '--json', '/dev/full')
    assert status == 0 and err.count('/dev/full: No space left on device: nothing more is written there') == 1
    (tmp_path / 'live.tlog').symlink_to('/dev/full')
    with sailing(port):
        status, out, err = cli('live', port, '--boat', 'lutra_prop', '--duration', '3', '--json', '-', '--record',
                               tmp_path)
    before, last = (json.loads(line) for line in out.splitlines()[-2:])
    assert last['age_s'] < 1.0 and last['energy_total_j'] > 0.0 and 'No space left' in before['problems'][0]
    assert status == 0 and err.count('No space left') == 1


def test_the_last_frame_of_a_log_is_shown(cli, tape):
    began = time.monotonic()
    status, out, said = cli('live', tape, '--boat', 'blueboat', '--home', '45.6073,9.5524', '--current', '0.2,90',
                            '--wind', '24004G12KT')
    assert status == 0 and time.monotonic() - began < 10.0
    assert "usv-energy: --wind is '24004G12KT': the gust of 12 kn is not used, the mean wind is\n" in said
    for _ in range(2):   # As docs/live.md has it, today and tomorrow.
        assert cli('live', tape, '--boat', 'blueboat', '--json', tape.with_suffix('.jsonl'))[0] == 0
    for words in ('system 1', 'Energy', 'Way home', 'home, 1', 'Current           0.20 m/s'):
        assert words in out


def test_a_file_of_data_is_on_the_clock_of_the_link(cli, tape, tmp_path):
    """The log begins on 2023-11-14, 22:13:20 UTC; the current goes to east and gains 0.36 m/s an hour from 22:00 on."""
    pytest.importorskip('netCDF4')
    from netcdf_files import dataset, written
    data = dataset(np.linspace(9.5, 9.6, 5), np.linspace(45.55, 45.65, 6), units='m s-1')
    data['uo'][:] = 1e-4 * 3600.0 * data['time'].values[:, None, None]
    data['vo'][:] = 0.0
    for hour, is_there in ((22, True), (10, False)):
        data['time'].attrs['units'] = f'hours since 2023-11-14 {hour}:00:00'
        path = written(tmp_path, data, f'{hour}.nc')
        status, out, err = cli('live', tape, '--boat', 'lutra_prop', '--current', path, '--json', '-')
        if is_there:
            current = json.loads(out.splitlines()[-1])['current']
            assert status == 0 and current['x_m_s'] == pytest.approx(1e-4 * 811.0, abs=3e-4)
        else:
            assert status == 2 and 'holds from 2023-11-14 10:00 UTC' in err and '2023-11-14 22:13 UTC' in err


@pytest.mark.parametrize('arguments, words', [
    (('--boat', 'no_such_boat'), 'no_such_boat'), (('--boat', 'blueboat', '--home', 'here'), "--home is 'here'"),
    (('--boat', 'blueboat', '--may-command', 'FLY'), "--may-command is 'FLY'"),
    (('--boat', 'blueboat', '--may-command'), 'is a log, and nobody would hear the command'),
    (('--boat', 'blueboat', '--current', 'fast'), 'fast'),
    (('--boat', 'blueboat', '--system', '256'), "'256' must be a whole number from 1 to 255"),
    (('--boat', 'blueboat', '--system', '9'), 'no boat was heard')])
def test_what_is_wrong_is_said_in_one_line(cli, tape, arguments, words):
    assert_refused(cli('live', tape, *arguments), words)


def test_a_port_that_is_taken_is_said(cli, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(('127.0.0.1', port))
        assert_refused(cli('live', port, '--boat', 'blueboat', '--duration', '0.1'),
                       f'another program listens on port {port}')


def test_ctrl_c_before_a_boat_is_heard_is_no_error(cli, port, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr('usv_energy.live.session.LiveSession.step', interrupted)
    status, _, err = cli('live', port, '--boat', 'blueboat')
    assert status == 130 and 'no boat was heard' not in err
