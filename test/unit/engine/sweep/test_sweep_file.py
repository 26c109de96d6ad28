"""Sweep files: which runs they stand for, and what is wrong with them, said before anything runs."""

import numpy as np
import pytest
import yaml

from usv_energy.engine.sweep.sweep_file import read_sweep
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names

GRID = {'speed.target': [0.8, 1.0], 'current.speed': {'from': 0.0, 'to': 0.2, 'number': 3}}
DRAWN = {'samples': 5, 'seed': 3, 'parameters': {
    'boat.damping.linear.d11': {'distribution': 'normal', 'mean': 16.0, 'std': 1.0, 'min': 10.0}}}


@pytest.fixture
def sweep(tmp_path):
    """Return a function that reads a sweep with these contents."""
    def read(**content):
        path = tmp_path / 'my.yaml'
        path.write_text(yaml.safe_dump({'scenario': '6', **content}, sort_keys=False))
        return read_sweep(str(path))
    return read


def test_runs_are_the_product_of_the_axes_the_last_fastest(sweep):
    made = sweep(grid=GRID, monte_carlo=DRAWN)
    assert made.shape == (2, 3, 5) and made.number == 30
    assert made.dims == ('speed_target', 'current_speed', 'sample')
    values = made.cases(0, 30).values
    np.testing.assert_array_equal(values['speed.target'], np.repeat([0.8, 1.0], 15))
    np.testing.assert_allclose(values['current.speed'], np.tile(np.repeat([0.0, 0.1, 0.2], 5), 2))
    drawn = values['boat.damping.linear.d11'].reshape(6, 5)
    np.testing.assert_array_equal(drawn, np.tile(drawn[0], (6, 1)))  # the same samples everywhere
    assert made.units == {'speed.target': 'm/s', 'current.speed': 'm/s', 'boat.damping.linear.d11': 'N s/m'}


@pytest.mark.parametrize('chunk', [1, 4, 7, 13])
def test_any_part_of_the_runs_is_that_part_of_all(sweep, chunk):
    made = sweep(grid=GRID, monte_carlo=DRAWN, set={'stop.timeout': 50.0})
    whole = made.cases(0, 30).values
    for first in range(0, 30, chunk):
        last = min(first + chunk, 30)
        for path, values in made.cases(first, last).values.items():
            np.testing.assert_array_equal(values, whole[path][first:last], err_msg=path)


def test_an_unknown_parameter_is_refused_with_those_that_are_close(sweep):
    with pytest.raises(InputError, match=r"my.yaml: no parameter 'boat.damping.linear.d1' .*boat.damping.linear.d11"):
        sweep(grid={'boat.damping.linear.d1': [1.0, 2.0]})


def test_samples_that_a_boat_cannot_have_are_refused_before_anything_runs(sweep):
    """None of the first samples is below 0; the least of all 3000 is, at 3.3 deviations."""
    wide = {'samples': 3000, 'seed': 1, 'parameters': {
        'boat.damping.linear.d11': {'distribution': 'normal', 'mean': 16.0, 'std': 5.2}}}
    with pytest.raises(InputError, match=r'boat.damping.linear.d11 goes from -.* must be at least 0'):
        sweep(monte_carlo=wide)


@pytest.mark.parametrize(('content', 'words'), [
    ({}, 'varies nothing; must hold grid or monte_carlo'),
    ({'grid': {'speed.target': [1.0, 1.0]}}, 'grid.speed.target has a value twice'),
    ({'grid': GRID, 'set': {'speed.target': 1.0}}, 'speed.target stands under both set and grid'),
    ({'grid': {'speed.target': {'from': 1.0, 'to': 2.0}}}, "grid.speed.target lacks the key 'number'"),
    ({'grid': GRID, 'colour': 'red'}, "unknown key 'colour'"),
    ({'grid': GRID, 'boat': 'nowhere'}, 'boat: no boat named'),
    ({'grid': {'current.speed': [0.1]}, 'scenario': 'river/crossing_current'}, 'lacks the key flow_grid.current'),
    ({'grid': GRID, 'flow_grid': {'wind': {'spacing': 1.0}}}, 'the same everywhere; leave it out'),
    ({'grid': {'speed.target': [1.0]}, 'scenario': 'river/crossing_wind',
      'flow_grid': {'wind': {'spacing': 5.0, 'extent': [0, 0, 300, 200]}}}, 'flow_grid.wind.times'),
])
def test_what_is_wrong_is_said(sweep, content, words):
    with pytest.raises(InputError) as caught:
        sweep(**content)
    assert words in str(caught.value)
    assert 'my.yaml' in str(caught.value)


def test_the_fingerprint_knows_everything_that_results_depend_on(sweep, tmp_path):
    boat = tmp_path / 'boat.yaml'
    boat.write_text('base: lutra_prop\nstatic_load: 3.0\n')
    first = sweep(grid=GRID, boat='boat.yaml').fingerprint
    assert sweep(grid=GRID, boat='boat.yaml').fingerprint == first
    assert sweep(grid=GRID, boat='boat.yaml', convention='as_published').fingerprint != first
    assert sweep(grid={**GRID, 'speed.target': [0.8, 1.1]}, boat='boat.yaml').fingerprint != first
    boat.write_text('base: lutra_prop\nstatic_load: 4.0\n')
    assert sweep(grid=GRID, boat='boat.yaml').fingerprint != first


def test_a_field_is_sampled_and_counts_in_the_fingerprint(sweep):
    content = {'scenario': 'river/crossing_current', 'grid': {'speed.target': [1.0]}}
    extent = [160.0, 65.0, 300.0, 125.0]
    coarse = sweep(**content, flow_grid={'current': {'spacing': 4.0, 'extent': extent}})
    fine = sweep(**content, flow_grid={'current': {'spacing': 2.0, 'extent': extent}})
    errors = [one.flows['current'].error_against(one.scenario.current) for one in (coarse, fine)]
    assert 0.0 < errors[1] < 0.3 * errors[0], 'second order in the spacing'
    assert coarse.fingerprint != fine.fingerprint


@pytest.mark.parametrize('name', names('sweeps'))
def test_the_shipped_sweeps_can_be_read(name):
    assert read_sweep(name).number > 1000


def test_a_battery_of_cells_varies_by_charge_age_and_temperature_and_a_counter_by_nothing(sweep, tmp_path):
    vary = {f'boat.battery.{name}': [0.4, 0.8] for name in (
        'initial_state_of_charge', 'capacity_share', 'resistance_factor', 'ambient_degc')}
    with pytest.raises(InputError, match=r"no parameter 'boat.battery.initial_state_of_charge'"):
        sweep(grid={'boat.battery.initial_state_of_charge': [0.4, 0.8]})
    (tmp_path / 'cells.yaml').write_text(yaml.safe_dump({'base': 'lutra_prop', 'battery': {
        'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0, 'capacity_wh': None}}))
    made = sweep(boat='cells.yaml', grid=vary)
    assert made.number == 16 and made.units['boat.battery.ambient_degc'] == 'degC'
    with pytest.raises(InputError, match=r'capacity_share goes from 0 to 1 -; must be greater than 0'):
        sweep(boat='cells.yaml', grid={'boat.battery.capacity_share': [0.0, 1.0]})
    with pytest.raises(InputError, match=r"no parameter 'boat.battery.capacity_ah'"):
        sweep(boat='cells.yaml', grid={'boat.battery.capacity_ah': [5.0, 10.0]})
