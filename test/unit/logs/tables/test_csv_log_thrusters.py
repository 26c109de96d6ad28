"""What thrusters measured of themselves, in a single table."""

import numpy as np
import pytest

from usv_energy.logs.read_log import read_log

MAP = """
frames: {earth: ned, body: frd}
columns: {time: {column: t, unit: s}, volts: {column: V, unit: V}}
thrusters:
  - name: right
    place: [-1, -0.5]
    revolutions: {column: nr, unit: rpm, limits: [-900, 900]}
    angle: {column: ar, unit: deg}
  - {name: left, place: [-1, 0.5], revolutions: {column: nl, unit: rpm, sign: -1}, amperes: {column: I, unit: mA}}
"""


@pytest.fixture
def log(tmp_path):
    time = np.arange(0.0, 6.0, 0.1)
    rows = [f'{t},25,{60 * n},30,{-120.0 - n},{1000 * n}' for n, t in enumerate(time)]
    (tmp_path / 'a.csv').write_text('\n'.join(['t,V,nr,ar,nl,I', *rows, '']))
    (tmp_path / 'a.yaml').write_text(MAP)
    return read_log(tmp_path / 'a.csv', tmp_path / 'a.yaml')


def test_readings_are_in_house_units_and_from_port_to_starboard(log):
    """A starboard thruster that stands first is put second, with all that is its own."""
    assert log.thrusters == ('left', 'right') and log.places == ((-1.0, 0.5), (-1.0, -0.5))
    assert log.revolutions[3, 0] == pytest.approx(123.0 / 60.0) and log.revolutions[3, 1] == pytest.approx(3.0)
    assert log.angle[:, 1] == pytest.approx(-np.pi / 6.0) and np.isnan(log.angle[:, 0]).all()
    assert log.thruster_amperes[:, 0] == pytest.approx(np.arange(60.0))
    assert np.isnan(log.thruster_amperes[:, 1]).all() and np.isnan(log.thruster_volts).all()


def test_values_beyond_the_limits_are_left_out_and_named(log):
    """60 n rpm is beyond 900 from the 17th row on."""
    assert np.array_equal(np.isfinite(log.revolutions[:, 1]), np.arange(60) <= 15)
    assert any('right: nr is outside -900 to 900 in 44 of 60 rows' in note.text for note in log.warnings)


def test_thrusts_at_standstill_are_those_of_a_table_of_bollard_pulls(tmp_path):
    """Beside a thruster whose thrust is a column of its own; with no table at all no thrust is known."""
    rates = [-900.0, 0.0, 900.0, 900.0]
    rows = [f'{0.1 * n},{rate},{7 + n}' for n, rate in enumerate(rates)]
    (tmp_path / 'a.csv').write_text('\n'.join(['t,nl,F', *rows, '']))
    left = '{name: left, place: [-1, 0.5], revolutions: {column: nl, unit: rpm}%s}'
    (tmp_path / 'a.yaml').write_text(f'''
columns: {{time: {{column: t, unit: s}}}}
thrusters:
  - {left % ', bollard: {unit: rpm, rows: [[-900, -300], [0, 0], [900, 400]]}'}
  - {{name: right, place: [-1, -0.5], thrust: {{column: F, unit: N}}}}
''')
    log = read_log(tmp_path / 'a.csv', tmp_path / 'a.yaml')
    assert log.thrusters == ('left', 'right')
    np.testing.assert_allclose(log.thrust, np.column_stack([[-300.0, 0.0, 400.0, 400.0], [7.0, 8.0, 9.0, 10.0]]))
    (tmp_path / 'b.yaml').write_text(
        f"columns: {{time: {{column: t, unit: s}}}}\nthrusters:\n  - {left % ''}\n")
    assert not read_log(tmp_path / 'a.csv', tmp_path / 'b.yaml').known('thrust')


@pytest.mark.parametrize(('frame', 'sign'), [('frd', -1.0), ('flu', 1.0)])
def test_an_angle_is_counter_clockwise_in_flu_and_clockwise_in_frd(log, tmp_path, frame, sign):
    (tmp_path / 'b.yaml').write_text(MAP.replace('body: frd', f'body: {frame}'))
    again = read_log(tmp_path / 'a.csv', tmp_path / 'b.yaml')
    np.testing.assert_allclose(again.angle[:, again.thrusters.index('right')], sign * np.pi / 6.0)
