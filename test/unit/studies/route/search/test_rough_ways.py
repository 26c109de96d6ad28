"""What the searches hand to the polish: ways from start to goal in time, and the speeds that they are made for."""

import math

import numpy as np
import pytest
from route_flows import four_vortices
from search_cases import problem_of
from test_label_search import sluice

from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.hop_search import rough_ways_by_hops
from usv_energy.studies.route.search.rough_ways import SearchOptions, rough_ways_by_labels, usual_speed


@pytest.mark.parametrize('search, settings', [
    (rough_ways_by_labels, {}),
    (rough_ways_by_hops, {'objective': 'energy', 'speed': None, 'cost': PowerLaw(1.0, 3.0, 1.0, 3.0)})])
def test_ways_lead_from_start_to_goal_in_rising_time(search, settings):
    problem = problem_of(four_vortices, goal=(6.0, 2.0), **settings)
    rough = search(problem, SearchOptions(points=3000, hop_points=2000), 40.0)
    assert len(rough.ways) >= 2 and not rough.ended
    for time, x, y in rough.ways:
        assert (np.diff(time) > 0.0).all() and time[0] == 0.0
        assert math.dist((x[0], y[0]), (0.0, 0.0)) < 1e-9 and math.dist((x[-1], y[-1]), (6.0, 2.0)) < 1e-9
    best = rough.ways[0][0][-1] if search is rough_ways_by_labels else rough.cost
    assert best == pytest.approx(rough.cost, rel=1e-6)


def test_usual_speeds():
    law = PowerLaw(1.0, 3.0, 1.0, 4.0)
    assert usual_speed(problem_of()) == 1.0
    assert usual_speed(problem_of(speed=None, cost=law)) == 4.0
    free = problem_of(speed=None, cost=law, objective='energy')
    assert usual_speed(free) == pytest.approx(0.5 ** (1 / 3), rel=0.01)
    assert usual_speed(free._replace(arrive_by=0.5)) == pytest.approx(2.0)


def test_the_race_is_waited_for():
    """In a strait that a race sweeps, the way lies still before it until it is over (see test_label_search)."""
    rough = rough_ways_by_labels(problem_of(sluice, extent=(-0.3, -0.15, 1.3, 0.15)), SearchOptions(points=1500), 4.0)
    time, x, y = rough.ways[0]
    still = (np.diff(x) == 0.0) & (np.diff(y) == 0.0)
    assert 0.3 < np.diff(time)[still].sum() < 1.2 and (x[:-1][still] < 0.36).all()
