"""What a boat's file says of how well its numbers are known."""

import numpy as np
import pytest

from usv_energy.api.boat_files import fit_out
from usv_energy.api.plans import range_study
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import UncertainNumber, bandable_numbers, uncertain_numbers


def test_standard_deviations_and_intervals_are_read_with_their_base(yaml_file):
    base = yaml_file('base: lutra_prop\nstatic_load: {value: 5.0, unit: W, std: 0.5}', 'base.yaml')
    boat = read_boat(str(yaml_file(f'base: {base}\ninertia: {{m11: {{value: 2.0, unit: kg, interval: [1.0, 4.0]}}}}')))
    found = uncertain_numbers(boat)
    assert set(found) == {'static_load', 'inertia.m11'}
    assert found['static_load'] == UncertainNumber('static_load', 5.0, 0.5, 0.5)
    assert found['inertia.m11'][1:] == pytest.approx((2.0, 1.0 / 1.959964, 2.0 / 1.959964))
    assert 'damping.linear.d11' in bandable_numbers(boat) and 'hull.length' not in bandable_numbers(boat)


def test_values_at_deviations_have_two_halves():
    np.testing.assert_allclose(UncertainNumber('a', 1.0, 0.5, 2.0).at(np.array([-1.0, 0.0, 1.0])), [0.5, 1.0, 3.0])


FITTED = """
base: blueboat
static_load: {value: 20.0, unit: W, interval: [16.0, 26.0]}
hull: {payload: {value: 2.0, unit: kg, std: 0.5}}
battery: {capacity_wh: {value: 200.0, unit: Wh, std: 5.0}, initial_state_of_charge: {value: 1.0, unit: "-", std: 0.02}}
"""


@pytest.mark.parametrize(('option', 'path', 'value'), [
    ({'hotel': 40.0}, 'static_load', 40.0), ({'payload': 9.0}, 'hull.payload', 9.0),
    ({'battery': '50Wh'}, 'battery.capacity_wh', 50.0), ({'charge': 0.5}, 'battery.initial_state_of_charge', 0.5)])
def test_what_an_option_gives_is_as_doubtful_as_the_number_of_the_file(yaml_file, option, path, value):
    file = str(yaml_file(FITTED))
    of_file, fitted = uncertain_numbers(read_boat(file)), uncertain_numbers(fit_out(file, **option))
    assert {name for name in of_file if fitted[name] != of_file[name]} == {path}
    assert fitted[path].value == value
    assert fitted[path][2:] == pytest.approx(of_file[path][2:], rel=1e-12)


@pytest.mark.parametrize('option', [{'hotel': 40.0}, {'payload': 9.0}, {'battery': '50Wh'}], ids=str)
def test_an_interval_holds_its_estimate_under_each_option(option):
    study = range_study(fit_out('blueboat', **option), bands=True)
    for name in ('range', 'endurance'):
        low, high = study.bands.best[name]
        assert low < getattr(study.best, name) < high
