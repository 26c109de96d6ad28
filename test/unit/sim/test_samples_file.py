import math
import struct

import pytest

from usv_energy.files.errors import InputError
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import Power
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import SAMPLE_COLUMNS, read_samples, write_samples


def row_of(numbers, status):
    """Return a row of 34 numbers, in the order of the columns."""
    return Row(*numbers[:3], Motion(*numbers[3:10]), Flow(*numbers[10:14]), Power(*numbers[14:31]), *numbers[31:34],
               status)


def bits(row):
    """Return the bytes of a row's numbers: equal for equal NaN, different for 0.0 and -0.0."""
    return struct.pack('34d', *row[:3], *row.motion, *row.flow, *row.power, *row[6:9]), row.status


@pytest.fixture
def table(tmp_path):
    """Return a function that writes a table of two rows, changed by a function of its text, and returns its path."""
    def write(change=lambda text: text):
        path = tmp_path / 'samples.csv'
        write_samples([row_of([0.5] * 34, 0), row_of([1.5] * 34, 1)], path)
        path.write_text(change(path.read_text()))
        return path
    return write


def test_every_number_comes_back_bit_for_bit(tmp_path, rng):
    special = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3.0]
    rows = [row_of([special[(index + start) % 8] for index in range(34)], start) for start in range(8)]
    rows += [row_of(list(rng.standard_normal(34) * 10.0 ** rng.integers(-300, 300, 34)), 8) for _ in range(200)]
    write_samples(rows, tmp_path / 'samples.csv')
    assert [bits(row) for row in read_samples(tmp_path / 'samples.csv')] == [bits(row) for row in rows]


def test_a_table_from_before_waves_were_a_cause_has_none(tmp_path):
    rows = [row_of([float(number) for number in range(34)], 0), row_of([0.5] * 34, 1)]
    write_samples(rows, tmp_path / 'samples.csv')
    place = SAMPLE_COLUMNS.index('power_waves_w')
    lines = [line.split(',') for line in (tmp_path / 'samples.csv').read_text().splitlines()]
    (tmp_path / 'old.csv').write_text('\n'.join(','.join([*line[:place], *line[place + 1:]]) for line in lines) + '\n')
    assert read_samples(tmp_path / 'old.csv') == [row._replace(power=row.power._replace(waves=0.0)) for row in rows]


def test_a_table_without_rows_comes_back(tmp_path):
    write_samples([], tmp_path / 'samples.csv')
    assert read_samples(tmp_path / 'samples.csv') == []


def test_lines_are_plain(table):
    lines = table().read_bytes().split(b'\n')
    assert lines[0].decode() == ','.join(SAMPLE_COLUMNS)
    assert lines[1:] == [b'0.5,' * 34 + b'0', b'1.5,' * 34 + b'1', b'']


def test_a_column_has_the_value_that_its_name_says(tmp_path):
    row = row_of([float(number) for number in range(34)], 64)
    write_samples([row], tmp_path / 'samples.csv')
    header, line = (tmp_path / 'samples.csv').read_text().splitlines()
    found = dict(zip(header.split(','), map(float, line.split(','))))
    assert found['time_s'] == row.time
    assert (found['x_m'], found['y_m'], found['yaw_rad']) == (row.x, row.y, row.motion.yaw)
    assert [found[f'{name}_m_s2'] for name in ('u_dot', 'v_dot')] == [row.motion.u_dot, row.motion.v_dot]
    assert [found[f'{name}_m_s'] for name in ('u', 'v')] == [row.motion.u, row.motion.v]
    assert [found[f'{name}_m_s'] for name in ('u_r', 'v_r')] == [row.power.u_r, row.power.v_r]
    assert [found[f'{name}_m_s'] for name in ('current_x', 'current_y', 'wind_x', 'wind_y')] == [
        row.flow.current_x, row.flow.current_y, row.flow.wind_x, row.flow.wind_y]
    for cause in ('inertia', 'damping', 'wind', 'waves', 'thrust', 'unrecovered', 'losses', 'static_load', 'total'):
        assert found[f'power_{cause}_w'] == getattr(row.power, cause)
    assert (found['energy_j'], found['thruster_power_w'], found['thruster_energy_j'], found['status']) == (
        row.energy, row.thruster_power, row.thruster_energy, row.status)


@pytest.mark.parametrize(('change', 'message'), [
    (lambda text: '', 'is empty'),
    (lambda text: text.replace('x_m,', 'x_ft,', 1), "line 1: has no column 'x_m'; did you mean"),
    (lambda text: text.replace(',status', '', 1), "line 1: has no column 'status'. There are"),
    (lambda text: text[:-4], 'line 3: 34 cells; the header has 35'),
    (lambda text: text.replace('1.5,', 'fast,', 1), "line 3: column 'time_s' is 'fast'; must be a number"),
    (lambda text: text.replace(',1\n', ',1.5\n'), "line 3: column 'status' is '1.5'; must be a whole number"),
])
def test_a_wrong_table_is_refused(table, change, message):
    path = table(change)
    with pytest.raises(InputError) as error:
        read_samples(path)
    assert str(error.value).startswith(f'{path}: {message}')


def test_a_missing_table_and_a_binary_one_are_refused(tmp_path):
    with pytest.raises(InputError, match=r'none\.csv: cannot be read'):
        read_samples(tmp_path / 'none.csv')
    (tmp_path / 'binary.csv').write_bytes(b'\xff\xfe\x00')
    with pytest.raises(InputError, match=r'binary\.csv: line 1'):
        read_samples(tmp_path / 'binary.csv')


def test_a_failed_write_leaves_the_old_table_and_no_other_file(table):
    path = table()
    before = path.read_bytes()

    def rows():
        yield row_of([0.0] * 34, 0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_samples(rows(), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
