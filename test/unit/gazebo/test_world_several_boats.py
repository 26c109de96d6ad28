"""Boats that a launch asks for, and those that run the same scenario side by side."""

import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.gazebo.world import boat_orders, scenario_at
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario


@pytest.mark.parametrize(('text', 'wanted'), [
    ('1', [('diffboat', '3', 0)]),
    ('2', [('diffboat', '3', 0), ('diffboat_2', '3', 1)]),
    ('red,blue', [('red', '3', 0), ('blue', '3', 1)]),
    ('red=6, blue', [('red', '6', 0), ('blue', '3', 0)]),
    ('a=3,b,c=6', [('a', '3', 0), ('b', '3', 1), ('c', '6', 0)]),
])
def test_boats_asked_for(text, wanted):
    assert boat_orders(text, '3') == wanted


@pytest.mark.parametrize('text', ['', '0', '-1', 'a,,b', 'a,a', 'a=', '2boats', 'a b'])
def test_boats_that_cannot_be(text):
    with pytest.raises(InputError, match='boats is'):
        boat_orders(text, '1')


@pytest.mark.parametrize('name', ['4', '6', 'river/crossing_current'])
def test_a_boat_beside_another_runs_the_same(name, tmp_path):
    first = read_scenario(name)
    path = tmp_path / 'second.yaml'
    path.write_text(yaml.safe_dump(scenario_at(first, 1)))
    second = read_scenario(str(path))
    moved = [b - a for a, b in zip(first.start, second.start)]
    assert moved[0] ** 2 + moved[1] ** 2 == pytest.approx((3.0 * 1.06) ** 2)
    assert moved[2] == pytest.approx(0.0, abs=1e-12)
    for one, other in zip(first.waypoints, second.waypoints):
        assert (other[0] - one[0], other[1] - one[1]) == pytest.approx(tuple(moved[:2]))
    if name in '46':
        runs = [run_scenario(scenario) for scenario in (first, second)]
        assert runs[1].energy.total == pytest.approx(runs[0].energy.total, rel=1e-9)
