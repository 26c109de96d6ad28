"""What is left out of a thruster's readings, and named: repeats, values that cannot be, and the answers of others."""

import numpy as np
import pytest

from usv_energy.logs.tables.column_map import Column, ThrusterColumns
from usv_energy.logs.thruster_readings import _alone, readings_of, thrust_of_revolutions

THRUSTER = ThrusterColumns('bow', None, None, np.nan, {
    'revolutions': Column('speed', 1.0 / 60.0, limits=(-900.0, 900.0)),
    'volts': Column('volts', 1.0, limits=(20.0, 32.0)),
    'amperes': Column('amperes', 1.0, limits=(-5.0, 100.0))}, {'motor_current': (-5.0, 100.0)})


@pytest.fixture
def table():
    """600 rows of 0.1 s: a new message and a new current in every fifth, speeds and currents in two steps."""
    rows = np.arange(600)
    message = rows // 5 * 5
    speed = np.where(message < 300, 600.0, 300.0) + 0.01 * message
    return {'speed': speed, 'volts': 26.0 + 1e-4 * message, 'motor_current': 30.0 + 1e-4 * message,
            'amperes': np.where(message < 300, 18.0, 4.0) + 1e-4 * message}


def read(table, repeated=True):
    notes = []
    return readings_of(table, 0.1 * np.arange(600), THRUSTER, repeated, notes), notes


def test_repeats_are_no_measurements(table):
    found, notes = read(table)
    assert np.array_equal(np.flatnonzero(np.isfinite(found.revolutions)), np.arange(0, 600, 5))
    assert np.array_equal(np.flatnonzero(np.isfinite(found.amperes)), np.arange(0, 600, 5))
    assert found.revolutions[0] == pytest.approx(10.0) and not notes
    plain, _ = read(table, repeated=False)
    assert np.isfinite(plain.revolutions).all()


def test_values_that_cannot_be_are_named_with_their_number_and_condemn_their_message(table):
    table['volts'][100:110] = 1.92
    table['motor_current'][105:110] = -599.96
    table['amperes'][200:215] = 599.98
    table['speed'][400:405] = np.nan
    found, notes = read(table)
    texts = [note.text for note in notes]
    assert 'bow: volts is outside 20 to 32 in 10 of 600 rows: 1.92 (10)' in texts
    assert 'bow: motor_current is outside -5 to 100 in 5 of 600 rows: -599.96 (5)' in texts
    assert 'bow: amperes is outside -5 to 100 in 15 of 600 rows: 599.98 (15)' in texts
    assert 'bow: speed is no number in 5 of 600 rows' in texts
    assert any('15 of 600 rows a value is outside its limits; the whole message (speed, volts, motor_current)' in text
               for text in texts)
    assert np.isnan(found.revolutions[100:110]).all() and np.isnan(found.volts[100:110]).all()
    assert np.isfinite(found.amperes[100]) and np.isnan(found.amperes[200:215]).all()
    assert [note.figures['share'] for note in notes if note.code == 'bad_messages'] == [pytest.approx(15 / 600)]


def test_a_reading_that_stands_alone_against_the_other_sensor_is_left_out(table):
    table['speed'][150:155] = 2.0      # At rest for one reading, while 18 A flow: another thruster's answer.
    table['amperes'][450:455] = 35.0   # The other way round.
    found, notes = read(table)
    assert np.isnan(found.revolutions[150]) and np.isnan(found.amperes[450])
    assert np.isfinite(found.amperes[150]) and np.isfinite(found.revolutions[450])
    assert [note.code for note in notes] == ['contradicted', 'contradicted']
    assert '1 readings of revolutions stand alone' in notes[0].text and '15.0 s after the begin' in notes[0].text


def test_a_short_pulse_that_both_sensors_saw_stays(table):
    table['speed'][450:455], table['amperes'][450:455] = 800.0, 35.0
    found, notes = read(table)
    assert np.isfinite(found.revolutions[450]) and np.isfinite(found.amperes[450]) and not notes


def test_a_step_is_no_reading_that_stands_alone(table):
    found, notes = read(table)
    assert np.isfinite(found.revolutions[300]) and not notes


def alone(values, other, step=0.1):
    """Return which readings stand alone, one a row of both sensors."""
    every = np.ones(len(values), dtype=bool)
    values, other = np.array(values, dtype=float), np.array(other, dtype=float)
    return _alone(step * np.arange(len(values)), values, every, other, every)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_reading_stands_alone_that_is_a_quarter_of_the_range_off_while_the_other_moves_by_an_eighth_at_most(side):
    """Of 100 and 10 at the 99th percentile; beyond both neighbours, not beyond one."""
    base = [100.0] * 40 if side > 0.0 else [-100.0] * 40
    still = [10.0] * 40
    for off, far in ((25.1, True), (25.0, False), (24.9, False)):
        wrong = list(base)
        wrong[20] -= side * off
        assert alone(wrong, still).nonzero()[0].tolist() == ([20] if far else [])
        step = list(base)
        step[20:] = [base[0] - side * off] * 20
        assert not alone(step, still).any()
    wrong = list(base)
    wrong[20] -= side * 60.0
    for moved, calm in ((1.19, True), (1.21, False)):
        other = list(still)
        other[20] -= moved
        assert alone(wrong, other).any() == calm
        early = list(still)
        early[17] -= moved
        assert alone(wrong, early).any(), 'before the last reading that still held'
    assert alone(wrong, [0.0] * 40).any(), 'a sensor that reads nothing all the time does not move'


def test_the_other_sensor_must_have_been_read_meanwhile_and_within_three_seconds():
    """Readings every 4 s; of the other one those within 3 s count, and the one that held when these began."""
    time = 0.5 * np.arange(60)
    own = np.arange(60) % 8 == 0
    values, other = np.full(60, 100.0), np.full(60, 10.0)
    values[24] = 20.0
    every = np.ones(60, dtype=bool)
    for row, counts in ((16, False), (17, True), (30, True), (31, False)):
        moved = other.copy()
        moved[row] = 5.0
        assert _alone(time, values, own, moved, every)[24] == (not counts)
    seldom = np.zeros(60, dtype=bool)
    seldom[[0, 1, 59]] = True
    assert not _alone(time, values, own, other, seldom).any(), 'nobody read it meanwhile'
    assert not _alone(time[:17], values[:17], own[:17] & (time[:17] > 0.0), other[:17], every[:17]).any()


def test_thrust_goes_as_the_square_of_the_revolutions_on_lines_up_to_three_periods_long():
    """10 N at 10/s and -4 N at -8/s; beyond them as the square, too; between readings on a straight line."""
    table = ((-8.0, -4.0), (0.0, 0.0), (10.0, 10.0))
    time = np.arange(0.0, 8.0, 0.5)
    rates = np.full(time.size, np.nan)
    rates[[0, 2, 4, 6, 14]] = 10.0, 5.0, 20.0, -16.0, -4.0
    found = thrust_of_revolutions(time, rates, table)
    np.testing.assert_allclose(found[:7], [10.0, 5.625, 2.5, 15.625, 40.0, 0.4, -16.0])
    assert np.isnan(found[7:14]).all() and found[14] == pytest.approx(-1.0)
    linked = thrust_of_revolutions(time, rates, table, 4.0)
    assert linked[10] == pytest.approx(-4.0 * (10.0 / 8.0) ** 2)
    assert np.isnan(thrust_of_revolutions(time, rates, ())).all()
    assert np.isnan(thrust_of_revolutions(time, np.where(time == 0.0, 1.0, np.nan), table)).all()
    ahead = thrust_of_revolutions(time, np.abs(rates), table[1:])
    assert ahead[4] == pytest.approx(40.0) and ahead[6] == pytest.approx(25.6)
