"""Goals one after the other: each stretch begins when the one before ends, and the stretch without a way is named."""

import numpy as np
import pytest
from route_flows import ClosedForm, Disc
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.route_through_goals import route_through_goals, shortest_route, straight_line_is_open
from usv_energy.studies.route.search.rough_ways import SearchOptions

NEEDS = ('numba',)
FEW = SearchOptions(points=800, hop_points=400)


def test_the_second_stretch_sees_the_current_of_its_own_time():
    """At 1 m/s: 1 m in water that stands until 1 s, then 1 m with 0.5 m/s behind."""
    pulse = problem_of(lambda t, x, y: (np.where(t < 1.0, 0.0, 0.5) + 0.0 * x, 0.0 * x))
    found = route_through_goals(((1.0, 0.0), (2.0, 0.0)), pulse, FEW)
    assert found.cost == pytest.approx(1.0 + 1.0 / 1.5, rel=2e-2)
    assert found.best.time[-1] == pytest.approx(found.cost, rel=1e-9)
    assert np.hypot(found.best.x - 1.0, found.best.y).min() < 1e-9


def test_the_goal_without_a_way_is_numbered():
    with pytest.raises(InputError, match='on the way to goal 1: '):
        route_through_goals(((1.0, 0.0), (2.0, 0.0)), problem_of(lambda t, x, y: (0.0 * x - 9.0, 0.0 * x)), FEW)


DISC = Disc(0.5, 0.05, 0.2)
ENERGY = {'cost': PowerLaw(1.0, 3.0, 1.0, 2.0), 'objective': 'energy', 'speed': None}


def test_it_is_as_long_as_in_still_water():
    problem = problem_of(lambda t, x, y: (0.0 * x, 0.3 + 0.0 * x), barriers=DISC, **ENERGY)
    found = shortest_route([(1.0, 0.0)], problem)
    sides = [Disc(0.5, off, 0.2).shortest((0.0, 0.0), (1.0, 0.0)) for off in (0.05, -0.05)]
    assert found.length == pytest.approx(min(sides), rel=2e-3)
    ground = np.hypot(np.diff(found.x), np.diff(found.y)) / np.diff(found.time)
    np.testing.assert_allclose(ground, ground.mean(), rtol=1e-4)    # Shares are rounded, of short pieces, too.


def test_where_the_straight_way_is_open_it_is_that():
    problem = problem_of(lambda t, x, y: (0.1 + 0.0 * x, 0.0 * x), **ENERGY)
    assert straight_line_is_open(problem) and shortest_route([(1.0, 0.0), (1.0, 1.0)], problem) is None
    pond = ClosedForm(lambda t, x, y: (np.where(np.hypot(x - 0.5, y) < 0.1, np.nan, 0.0), 0.0 * x))
    dry = problem._replace(current=pond)
    assert not straight_line_is_open(dry)


def test_a_current_too_strong_for_it_is_named():
    problem = problem_of(lambda t, x, y: (-5.0 + 0.0 * x, 0.0 * x), barriers=DISC, **ENERGY)
    with pytest.raises(InputError, match='too strong'):
        shortest_route([(1.0, 0.0)], problem)
