import json

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main

MAP = {'title': 'made by hand', 'frames': {'earth': 'enu', 'body': 'flu'},
       'columns': {'time': {'column': 't', 'unit': 's'}, 'x': {'column': 'x', 'unit': 'm'},
                   'y': {'column': 'y', 'unit': 'm'}, 'volts': {'column': 'volts', 'unit': 'V'},
                   'amperes': {'column': 'amperes', 'unit': 'A'}}}


def written(folder, watts):
    """Write a table of minutes there and back at 0.8, 1.2 and 1.6 m/s in a current of 0.2 m/s east; return its path."""
    rows, x, time = ['t,x,y,volts,amperes'], 0.0, 0.0
    for speed in (0.8, 1.2, 1.6):
        for sign in (1.0, -1.0):
            for _ in range(60):
                rows.append(f'{time},{x:.4f},0.0,15.0,{watts(speed) / 15.0:.6f}')
                time, x = time + 1.0, x + sign * speed + 0.2
    (folder / 'map.yaml').write_text(yaml.safe_dump(MAP))
    (folder / 'log.csv').write_text('\n'.join(rows) + '\n')
    return str(folder / 'log.csv')


def test_a_table_becomes_a_boat_and_the_boat_goes_a_mission(tmp_path, capsys):
    log = written(tmp_path, lambda speed: 8.0 + 20.0 * speed ** 3)
    arguments = ['identify', 'speed-power', log, '--columns', str(tmp_path / 'map.yaml')]
    assert main([*arguments, '--out', str(tmp_path / 'mine.yaml'), '--out', str(tmp_path / 'mine.png'),
                 '--json', str(tmp_path / 'mine.json')]) == 0
    boat = read_boat(str(tmp_path / 'mine.yaml'))
    speeds = np.array(boat.power_curve.speeds)
    assert boat.power_curve.powers == pytest.approx(8.0 + 20.0 * speeds ** 3, rel=0.02)
    assert (tmp_path / 'mine.png').read_bytes().startswith(b'\x89PNG')
    found = json.loads((tmp_path / 'mine.json').read_text())
    assert found['logs'][0]['current_east_m_s'] == pytest.approx(0.2, abs=0.01)
    capsys.readouterr()
    plan = str(tmp_path / 'box.plan')
    assert main(['mission', 'make', 'box', '--size', '100', '100', '--at', '45.6', '9.5', '--speed', '1.2', '--out',
                 plan]) == 0
    assert main(['mission', plan, '--boat', str(tmp_path / 'mine.yaml'), '--json', str(tmp_path / 'm.json')]) == 0


def test_a_current_sensor_that_says_nothing_is_named(tmp_path, capsys):
    log = written(tmp_path, lambda speed: 0.0)
    assert main(['identify', 'speed-power', log, '--columns', str(tmp_path / 'map.yaml')]) == 2
    assert 'its current is 0 all the time' in capsys.readouterr().err
