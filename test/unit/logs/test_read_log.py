import json

import east_files
import numpy as np
import pytest
from table_files import MAP, circle_ned, mapped, write_columns

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log, write_column_map
from usv_energy.sim.run_files import LegBegin


def test_a_table_without_a_map_says_what_is_missing(tmp_path):
    path = write_columns(tmp_path / 'a.csv', circle_ned())
    path.write_text(path.read_text().replace('psi', 'a').replace('surge', 'b').replace('t,', 'c,', 1))
    with pytest.raises(InputError, match=r"no column is known for the time.*'c', 'n'.*--write-columns.*blueboat"):
        read_log(path)
    with pytest.raises(InputError, match='--odom does not go with'):
        read_log(path, mapped(tmp_path, MAP), odom='/odom')
    with pytest.raises(InputError, match='no such file'):
        read_log(tmp_path / 'b.csv')


def test_legs_of_a_run_begin_in_the_time_of_its_log(tmp_path):
    columns = circle_ned()
    columns['t'] = columns['t'] + 1e4
    path, other = (write_columns(tmp_path / name, columns) for name in ('samples.csv', 'other.csv'))
    assert read_log(path, mapped(tmp_path, MAP)).legs == ()
    (tmp_path / 'legs.csv').write_text('leg,begin_s\na,12.0\nb,20.5\n')
    log = read_log(path, mapped(tmp_path, MAP))
    assert log.start == pytest.approx(10.0) and log.legs == (LegBegin(2.0, 'a'), LegBegin(10.5, 'b'))
    assert read_log(other, mapped(tmp_path, MAP)).legs == ()


def test_a_column_map_for_what_is_no_table_is_noted_and_not_written(tmp_path):
    east_files.FILES['boat.alog'](tmp_path / 'a')
    assert 'columns_unused' in {note.code for note in read_log(tmp_path / 'a', 'samples').notes}
    with pytest.raises(InputError, match='is no table but of the kind moos, which needs no column map'):
        write_column_map(tmp_path / 'a', tmp_path / 'map.yaml')


def test_the_map_of_a_log_of_json_is_written_edited_and_read(tmp_path):
    """A unit that nothing tells is asked for; the map that says knots gives the log in m/s."""
    path = tmp_path / 'a.clog'
    path.write_text(json.dumps([{'epoch': 1714608000000 + 1000 * k, 'data': {'Speed': {'value': f'{2 + k % 2}',
                                                                            'displayName': 'Speed'}}}
                                for k in range(60)]))
    with pytest.raises(InputError, match=r"'data\.Speed' is a speed, but nothing tells.*--write-columns"):
        read_log(path)
    write_column_map(path, tmp_path / 'map.yaml')
    text = (tmp_path / 'map.yaml').read_text()
    (tmp_path / 'map.yaml').write_text(text.replace("unit: ''", 'unit: kn'))
    np.testing.assert_allclose(read_log(path, tmp_path / 'map.yaml').u, (2.0 + np.arange(60) % 2) * 1852.0 / 3600.0)
    (tmp_path / 'map.yaml').write_text(text.replace("unit: ''", 'unit: kn').replace('data.Speed', 'data.Way'))
    with pytest.raises(InputError, match=r"no record has 'data\.Way'; there are: 'epoch', 'data\.Speed'"):
        read_log(path, tmp_path / 'map.yaml')


@pytest.mark.parametrize('name', ['cockpit.clog', 'cockpit.ass', 'records.jsonl'])
def test_the_map_that_is_written_of_json_gives_the_same_log(tmp_path, name):
    """Times are numbers, or text in one or two values."""
    path = tmp_path / name
    east_files.FILES[name](path)
    write_column_map(path, tmp_path / 'map.yaml')
    with_map, without = read_log(path, tmp_path / 'map.yaml'), read_log(path)
    for series in ('x', 'y', 'yaw', 'u', 'volts', 'time'):
        np.testing.assert_array_equal(getattr(with_map, series), getattr(without, series))
