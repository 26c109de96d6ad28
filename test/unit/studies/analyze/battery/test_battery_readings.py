"""Readings that cannot be true are refused, each by its own words; those that can are not."""

import math

import pytest

from usv_energy.boats.cell_file import read_cell, table_cell
from usv_energy.physics.batteries.cell import Battery, Pack
from usv_energy.studies.analyze.battery.battery_readings import Limits, Reading, judged, limits_of, most_current

PLAIN = table_cell(read_cell('nmc'))
LIMITS = limits_of(Battery(148.0, 14.8, 1.0), None)
GOOD = Reading(100.0, 15.2, 5.0, 0.8, 20.0, (3.8, 3.81, 3.79, 3.8), True)


def test_the_limits_of_a_counter_are_around_its_nominal_voltage():
    assert tuple(LIMITS) == pytest.approx((7.4, 22.2, 14.8, 10.0))


@pytest.mark.parametrize('change', [{}, {'cells': ()}, {'cells': (15.2,)}, {'percentage': math.nan},
                                    {'current': -0.2}, {'current': -8.0, 'discharging': False}, {'current': 29.0}])
def test_what_can_be_true_is_used(change):
    assert judged(GOOD._replace(**change), GOOD._replace(time=99.0), 70.0, LIMITS, 2.5) == (True, True, ())


@pytest.mark.parametrize(('change', 'word'), [
    ({'voltage': math.nan}, 'voltage: nan'), ({'voltage': 15200.0}, 'in mV?'), ({'voltage': 3.8}, 'voltage: 3.8 V'),
    ({'current': math.nan}, 'current: nan'), ({'current': 5000.0}, 'in mA?'), ({'current': -5.0}, 'sign wrong?'),
    ({'current': -0.01}, 'none is measured'), ({'present': False}, 'present:'), ({'time': 90.0}, 'stamp:'),
    ({'voltage': 11.0}, 'jump: of the voltage by -4.2 V'), ({'voltage': math.inf}, 'voltage: inf')])
def test_what_cannot_be_true_is_refused_in_words(change, word):
    found = judged(GOOD._replace(**change), GOOD._replace(time=99.0), 70.0, LIMITS, 2.5)
    assert not found.usable and not found.voltage_usable
    assert any(word in problem for problem in found.problems), found.problems


@pytest.mark.parametrize('cells', [(3.8, 0.1, 3.8, 3.8), (3.8, math.nan, 3.8, 3.8), (3.8, 3.2, 3.8, 3.8)])
def test_a_cell_that_dies_takes_the_voltage_away_but_not_the_watts(cells):
    found = judged(GOOD._replace(cells=cells), None, 70.0, LIMITS, 2.5)
    assert (found.usable, found.voltage_usable) == (True, False)
    assert found.problems[0].startswith('cell: 2 has ')


def test_a_percentage_of_a_hundred_is_told_and_the_volts_are_used():
    found = judged(GOOD._replace(percentage=87.0), None, 70.0, LIMITS, 2.5)
    assert found.usable and found.problems == ('percentage: 87, to be 0 to 1; it is not used',)


def test_the_largest_current_goes_by_the_model_between_three_and_thirty_capacities_an_hour():
    assert most_current(math.nan, LIMITS) == 300.0
    assert most_current(0.0, LIMITS) == 30.0
    assert most_current(74.0, LIMITS) == pytest.approx(20.0 * 5.0)
    assert most_current(5000.0, LIMITS) == 300.0


@pytest.mark.parametrize(('change', 'usable'), [
    ({'voltage': 7.4}, True), ({'voltage': 7.39}, False), ({'voltage': 22.2}, True), ({'voltage': 22.21}, False),
    ({'current': 30.0}, True), ({'current': 30.01}, False), ({'current': -30.0, 'discharging': False}, True),
    ({'current': -30.01, 'discharging': False}, False), ({'current': -0.5}, True), ({'current': -0.501}, False),
    ({'current': -0.011}, True), ({'current': -0.009}, True), ({'current': -0.01, 'discharging': False}, True),
    ({'current': -0.01 - 0.9e-6}, False), ({'current': -0.01 - 1.1e-6}, True)])
def test_a_reading_is_used_up_to_its_limits(change, usable):
    assert judged(GOOD._replace(**change), None, 0.0, LIMITS, 2.5).usable is usable


def test_a_voltage_in_millivolts_is_told_from_one_that_cannot_be():
    for voltage, hint in ((7400.0, True), (7399.0, False), (22200.0, True), (22201.0, False)):
        problem, = judged(GOOD._replace(voltage=voltage), None, 0.0, LIMITS).problems
        assert problem.startswith('voltage: ') and ('is it in mV?' in problem) is hint
    whole = Limits(8.0, 24.0, 15.0, 10.0)  # Floats that the limits are to the last digit.
    for voltage in (8.0, 24.0):
        assert judged(GOOD._replace(voltage=voltage), None, 0.0, whole).usable
        assert 'is it in mV?' in judged(GOOD._replace(voltage=1000.0 * voltage), None, 0.0, whole).problems[0]
    assert judged(GOOD._replace(voltage=18.0), GOOD._replace(voltage=15.0), 0.0, whole).usable
    signs = [judged(GOOD._replace(current=current), None, 0.0, LIMITS).problems[0] for current in (5000.0, -5.0)]
    assert signs[0].startswith('current: -5000 A, to be at most 30 A') and signs[1].startswith('current: 5 A, above 0')


def test_the_course_of_readings_may_jump_by_a_fifth_of_the_nominal_voltage_and_stand_still():
    """2.96 V either way; the same stamp is none that goes back."""
    before = GOOD._replace(voltage=15.0)
    for voltage, usable in ((17.95, True), (17.97, False), (12.05, True), (12.03, False)):
        assert judged(GOOD._replace(voltage=voltage, time=101.0), before, 0.0, LIMITS).usable is usable
    assert judged(before, before, 0.0, LIMITS).usable
    late, = judged(before._replace(time=99.5), before, 0.0, LIMITS).problems
    assert late == 'stamp: 0.5 s before the one before'


def test_a_cell_is_bad_half_a_volt_below_the_middle_one_or_below_the_cutoff():
    """Of an even number the upper one of the two in the middle; zeros alone are no cells; one number is the pack's."""
    for cells, cutoff, bad in (((4.0, 3.5, 4.0), 2.5, ()), ((4.0, 3.499, 4.0), 2.5, (2,)), ((3.0, 3.0), 3.0, ()),
                               ((3.0, 2.99), 3.0, (2,)), ((3.6, 4.0), 2.5, ()), ((3.4, 4.0), 2.5, (1,)),
                               ((0.0, 0.0), 2.5, ()), ((math.nan, 0.0), 2.5, ()), ((2.0,), 2.5, ()),
                               ((3.9, 3.2, 3.8, 3.1), 2.5, (2, 4))):
        found = judged(GOOD._replace(cells=cells), None, 0.0, LIMITS, cutoff)
        assert found.usable and found.voltage_usable is not bool(bad)
        if bad:
            assert found.problems[0].startswith('cell: ' + ', '.join(f'{n} has {cells[n - 1]:.3g} V' for n in bad))


def test_a_percentage_may_be_a_hundredth_above_1_and_the_limits_of_cells_are_those_of_their_pack():
    assert judged(GOOD._replace(percentage=1.01), None, 0.0, LIMITS).problems == ()
    assert len(judged(GOOD._replace(percentage=1.011), None, 0.0, LIMITS).problems) == 1
    pack = Pack(PLAIN, 4.0, 2.0)
    assert tuple(limits_of(Battery(148.0, 14.8, 1.0), pack)) == pytest.approx(
        (0.5 * 4.0 * PLAIN.cutoff_voltage, 1.1 * 4.0 * PLAIN.full_voltage, 14.8, 10.0))
