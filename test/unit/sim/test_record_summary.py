import json
import math
from dataclasses import replace

import pytest

from usv_energy.powering.energy import Energy
from usv_energy.sim.record import Run, relative, summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Published, read_scenario


@pytest.fixture(scope='module')
def run():
    return run_scenario(read_scenario('3'))


def test_causes_add_up_and_means_are_the_quotients(run):
    summary = summary_of(run, 'usv-energy')
    causes = sum(summary[f'energy_{cause}_j'] for cause in ('inertia', 'damping', 'wind', 'side_force'))
    # Two orders of summation of the same thousand terms.
    assert causes == pytest.approx(summary['energy_thrust_j'], rel=1e-12)
    rest = sum(summary[f'energy_{cause}_j'] for cause in ('thrust', 'unrecovered', 'losses', 'static_load'))
    assert rest == pytest.approx(summary['energy_j'], rel=1e-12)
    assert summary['mean_power_w'] * run.energy.duration == pytest.approx(summary['energy_j'], rel=1e-12)
    assert summary['energy_per_meter_j_m'] * summary['distance_over_ground_m'] == pytest.approx(
        summary['energy_j'], rel=1e-12)


def test_what_was_published_stands_beside(run):
    summary = summary_of(run, 'ros')
    assert (summary['scenario'], summary['boat'], summary['plant']) == ('3', 'lutra_prop', 'lutra_prop')
    assert (summary['convention'], summary['run_by'], summary['outcome']) == ('rep103', 'ros', 'reached')
    assert (summary['published_duration_s'], summary['published_energy_j']) == (18.5, 573.78)
    assert 573.78 * (1.0 + summary['energy_relative']) == pytest.approx(summary['energy_j'], rel=1e-14)
    assert 18.5 * (1.0 + summary['duration_relative']) == pytest.approx(summary['duration_s'], rel=1e-14)


def test_no_number_becomes_null(run):
    scenario = replace(run.scenario, published=Published())
    summary = summary_of(Run(scenario, 'rep103', 'aborted', [], Energy(), math.nan), 'ros')
    for key in ('published_duration_s', 'published_energy_j', 'duration_relative', 'energy_relative',
                'closure_relative', 'thruster_energy_j', 'energy_per_meter_j_m', 'mean_power_w'):
        assert summary[key] is None, key
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_relative_to_nothing_is_no_number():
    assert relative(3.0, 2.0) == 0.5
    assert math.isnan(relative(3.0, 0.0))
    assert math.isnan(relative(3.0, math.nan))
