"""Goals one after the other: each stretch begins when the one before ends, and the stretch without a way is named."""

import numpy as np
import pytest
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.studies.route.route_through_goals import route_through_goals
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
