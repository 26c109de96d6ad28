"""Readings that cannot be true are refused, each by its own words; those that can are not."""

import math

import pytest

from usv_energy.analysis.battery_readings import Reading, judged, limits_of, most_current
from usv_energy.physics.battery import Battery

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
