"""What carries a hull of parts along: it moves with the waves, and so has their drift already; never twice."""

import math

import pytest
import yaml

from usv_energy.files.locate import resolve
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario

STEP, CALM_DOWN, PERIODS = 0.04, 10, 25


def drift(tmp_path, height, period, depth):
    """Return the mean velocity, m/s, of a boat without thrust in a regular wave that runs east, and its current."""
    sea, scenario = tmp_path / 'sea.yaml', tmp_path / 'run.yaml'
    sea.write_text(yaml.safe_dump({'title': 'a wave', 'medium': 'water', 'waves': {
        'kind': 'regular', 'height': height, 'period': period, 'direction_deg': 0.0, 'drift_depth': depth}}))
    shipped = resolve('scenarios', 'waves/otter_head_sea')
    document = yaml.safe_load(shipped.read_text()) | {
        'base': str(read_scenario('1').path.with_name('_thesis.yaml')), 'current': {'flow': str(sea)}}
    scenario.write_text(yaml.safe_dump(document))
    one = read_scenario(str(scenario))
    plant = Plant(one.plant.vessel, one.start, one.flow_at(), STEP, one.surroundings())
    places, every = [], round(period / STEP)
    for number in range((CALM_DOWN + PERIODS) * every):
        if number % every == 0:
            places.append(plant.state.x)
        plant.advance((0.0, 0.0))
    return (places[-1] - places[CALM_DOWN]) / ((len(places) - 1 - CALM_DOWN) * every * STEP), plant.flow().current_x


@pytest.mark.parametrize('depth', [0.0, 1.0])
def test_a_boat_without_thrust_drifts_with_the_stokes_drift(tmp_path, depth):
    """a^2 omega k in deep water (G.G. Stokes, 1847), whatever depth the current's was taken at: its own counts."""
    height, period = 0.4, 4.0
    omega = 2.0 * math.pi / period
    number = omega ** 2 / 9.81
    stokes = (0.5 * height) ** 2 * omega * number
    found, current = drift(tmp_path, height, period, depth)
    assert current == pytest.approx(stokes * math.exp(-2.0 * number * depth), rel=1e-9)
    assert found == pytest.approx(stokes, rel=0.04)
