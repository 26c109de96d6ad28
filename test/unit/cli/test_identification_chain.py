"""From logs to range for every shipped boat: identify, identify electrical, analyze, range, one after the other."""

import csv
import json

import numpy as np
import pytest
import yaml
from twin_log import twin_log

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main
from usv_energy.files.locate import names

HOTEL_LOAD, VOLTS = 20.0, 24.0      # W, V
DURATION = 30.0                     # s
SPECIFIC_POWER = 15.0               # W per N of thrust, of a thruster that is known.
COLUMNS = (('time', 's'), ('x', 'm'), ('y', 'm'), ('yaw', 'rad'), ('u', 'm/s'), ('v', 'm/s'), ('r', 'rad/s'),
           ('volts', 'V'), ('amperes', 'A'))


def has_fixed_thrusters_alone(name):
    boat = read_boat(name)
    vessel = boat.vessel
    return boat.power_curve is None and bool(vessel.thrusters) and not vessel.foils and all(
        one.axis is None and one.in_air is None for one in vessel.thrusters)


def has_propellers(name):
    return any(thruster.propeller is not None for thruster in read_boat(name).vessel.thrusters)


# But for other numbers of a hull that is there.
FIXED = [name for name in names('boats') if not name.startswith('lutra_prop_') and has_fixed_thrusters_alone(name)
         and not has_propellers(name)]


@pytest.fixture
def logs(request, tmp_path):
    """Return a folder with two logs of a boat as tables, what its thrusters draw in them, and their column map."""
    boat = read_boat(request.param)
    rng = np.random.default_rng(20210917)
    (tmp_path / 'map.yaml').write_text(yaml.safe_dump({
        'frames': {'earth': 'enu', 'body': 'flu'},
        'columns': {name: {'column': name, 'unit': unit} for name, unit in COLUMNS},
        'thrusters': [{'name': name, 'thrust': {'column': name, 'unit': 'N'}} for name in boat.thruster_names]}))
    for name in ('one', 'other'):
        log = twin_log(boat, rng, name, DURATION)
        power = HOTEL_LOAD + SPECIFIC_POWER * np.abs(log.thrust).sum(axis=1) + rng.normal(0.0, 0.1, len(log))
        rows = np.column_stack([log.time, log.x, log.y, log.yaw, log.u, log.v, log.r, np.full(len(log), VOLTS),
                                power / VOLTS, log.thrust])
        with (tmp_path / f'{name}.csv').open('w', newline='') as file:
            csv.writer(file).writerows([[*(column for column, _ in COLUMNS), *boat.thruster_names], *rows.tolist()])
    return tmp_path


def figures(capsys, *words):
    """Run a command, which must end well, and return its figures."""
    assert main([*map(str, words), '--json', '-']) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize('logs', FIXED, indirect=True, ids=str)
def test_every_boat_goes_from_logs_to_range(logs, request, capsys):
    base = read_boat(request.node.callspec.params['logs'])
    reading = ('--columns', logs / 'map.yaml')
    identified, mapped = logs / 'identified.yaml', logs / 'mapped.yaml'
    figures(capsys, 'identify', logs / 'one.csv', *reading, '--boat', base.name, '--form', 'linear', '--horizon', '5',
            '--no-current', '--out', identified)
    assert read_boat(str(identified)).vessel.inertia.m11 == pytest.approx(base.vessel.inertia.m11, rel=0.4)
    figures(capsys, 'identify', 'electrical', logs / 'one.csv', *reading, '--boat', identified, '--out', mapped)
    boat = read_boat(str(mapped))
    assert boat.vessel.inertia == read_boat(str(identified)).vessel.inertia
    assert boat.vessel.static_load == pytest.approx(HOTEL_LOAD, rel=0.1)
    full = boat.vessel.thrusters[0].max_thrust
    assert np.interp(full, boat.vessel.losses.map_thrust, boat.vessel.losses.map_power) == pytest.approx(
        SPECIFIC_POWER * full, rel=0.1)
    assert list(yaml.safe_load(mapped.read_text())['identification']) == ['rollout', 'electrical']
    summary = figures(capsys, 'analyze', logs / 'other.csv', *reading, '--boat', mapped)
    assert summary['energy_j'] > HOTEL_LOAD * 0.95 * DURATION
    assert figures(capsys, 'range', '--boat', mapped, '--battery', '100Wh', '--no-band')


@pytest.mark.parametrize('logs', ['blueboat'], indirect=True)
def test_a_shipped_boat_without_losses_gets_a_map_and_a_file_may_be_its_own_base(logs, capsys):
    """BlueBoat's file has no losses at all: there is no efficiency to take away."""
    words = ('identify', 'electrical', logs / 'one.csv', '--columns', logs / 'map.yaml', '--out', logs / 'mapped.yaml')
    for base in ('blueboat_start', logs / 'mapped.yaml'):
        figures(capsys, *words, '--boat', base)
        boat = read_boat(str(logs / 'mapped.yaml'))
        assert boat.vessel.losses.mapped == 1.0 and boat.vessel.losses.efficiency == 1.0


@pytest.mark.parametrize('logs', ['lutra_prop'], indirect=True)
def test_a_map_reaches_thrust_limits_of_any_number_of_digits(logs, capsys):
    (logs / 'odd.yaml').write_text('base: lutra_prop\nname: odd\nthrusters:\n' + ''.join(
        f'  - {{name: {name}, x: -0.5, y: {y}, min_thrust: -11.12344, max_thrust: 11.12344}}\n'
        for name, y in (('left', 0.2), ('right', -0.2))))
    figures(capsys, 'identify', 'electrical', logs / 'one.csv', '--columns', logs / 'map.yaml', '--boat',
            logs / 'odd.yaml', '--out', logs / 'mapped.yaml')
    assert read_boat(str(logs / 'mapped.yaml')).vessel.losses.map_thrust[[0, -1]].tolist() == [-11.12344, 11.12344]


@pytest.mark.parametrize(('name', 'reason'), [('lutra_sail', 'has no thrusters'),
                                              ('blueboat_watts_only', 'needs mass, drag and thrusters')])
def test_a_boat_that_cannot_be_identified_is_refused_by_name(name, reason, tmp_path, capsys):
    table = tmp_path / 'log.csv'
    table.write_text('time,yaw,u,v,r,a\n' + ''.join(f'{0.1 * n:.1f},0,1,0,0,1\n' for n in range(100)))
    (tmp_path / 'map.yaml').write_text(yaml.safe_dump({
        'columns': {column: {'column': column, 'unit': unit} for column, unit in (
            ('time', 's'), ('yaw', 'rad'), ('u', 'm/s'), ('v', 'm/s'), ('r', 'rad/s'))},
        'thrusters': [{'name': 'a', 'thrust': {'column': 'a', 'unit': 'N'}}]}))
    assert main(['identify', str(table), '--columns', str(tmp_path / 'map.yaml'), '--boat', name]) == 2
    told = capsys.readouterr().err
    assert f'{name}.yaml: ' in told and reason in told
