import math

import pytest
from table_files import MAP, mapped

from usv_energy.files.errors import InputError
from usv_energy.logs.tables.column_map import Column, _bollard, read_columns


@pytest.mark.parametrize(('columns', 'more', 'says'), [
    ({**MAP, 'u': {'column': 'u', 'unit': 'deg'}}, {}, "columns.u.unit is 'deg', which no speed can have.*m/s"),
    ({**MAP, 'u': {'column': 'u'}}, {}, "lacks the key 'unit'"),
    ({**MAP, 'surge': {'column': 'u', 'unit': 'm/s'}}, {}, "unknown key 'surge'"),
    ({name: MAP[name] for name in ('time', 'x')}, {}, 'has x without y'),
    ({**MAP, 'x': {**MAP['x'], 'frame': 'enu'}, 'y': {**MAP['y'], 'frame': 'ned'}}, {}, 'must be the same'),
    ({**MAP, **{name: {'column': name, 'unit': 'deg'} for name in ('latitude', 'longitude')}}, {}, 'say the same'),
    (MAP, {'thrusters': [{'name': 'left'}]}, 'neither thrust nor command'),
    (MAP, {'thrusters': [{'name': 'left', 'command': {'column': 'c', 'unit': 'N'}}]}, 'no command can have'),
    (MAP, {'thrusters': [{'name': 'left', 'command': {'column': 'c', 'unit': 'us', 'sign': -1}}]}, 'not given'),
])
def test_faults_of_a_column_map_are_named(tmp_path, columns, more, says):
    with pytest.raises(InputError, match=says):
        mapped(tmp_path, columns, **more)


def test_the_shipped_maps_are_sound_and_may_be_a_base(tmp_path):
    for name in ('samples', 'blueboat', 'blueboat_electrical'):
        assert read_columns(name).names()
    path = tmp_path / 'mine.yaml'
    path.write_text('base: blueboat\ncolumns: {u: {column: speed, unit: km/h}}\n')
    own = read_columns(path)
    assert own.columns['u'].header == 'speed' and own.columns['u'].frame == 'frd'
    assert own.columns['v'] == read_columns('blueboat').columns['v']


@pytest.mark.parametrize(('rows', 'says'), [
    ([[-60, -5], [0, 0], [60, 9]], ''), ([[0, 0], [60, 0]], 'must both rise'), ([[0, 0], [0, 3]], 'must both rise'),
    ([[60, 9], [0, 0]], 'must both rise'), ([[30, 1], [60, 9]], r'must hold \[0, 0\]')])
def test_a_bollard_table_rises_through_nought(rows, says):
    """60 turns a minute are one a second."""
    plain = {'unit': 'rpm', 'rows': rows}
    if says:
        with pytest.raises(InputError, match=f'thrusters.0.bollard.rows is .*{says}'):
            _bollard(plain, 'thrusters.0.bollard')
    else:
        assert _bollard(plain, '') == ((-1.0, -5.0), (0.0, 0.0), (1.0, 9.0)) and _bollard(None, '') == ()


def test_a_column_says_by_itself_what_its_values_are_and_takes_all_of_them():
    plain = Column('a', 1.0)
    assert (plain.sign, plain.limits, plain.towards) == (1.0, (-math.inf, math.inf), True)
