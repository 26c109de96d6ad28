"""Why there is no route, by name: land, current, the flow's end, the arrival time, start and goal."""

from pathlib import Path

import numpy as np
import pytest
from route_flows import Box, Disc, Several
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import PowerLaw
from usv_energy.studies.route.search.rough_ways import SearchOptions

FEW = SearchOptions(points=2000, hop_points=1000)
WALLS = Several(Box(0.4, -9.0, 0.5, 9.0))


def growing(number):
    east = np.full((number, 3, 3), -0.5)
    east *= np.linspace(1.0, 1.1, number)[:, None, None]
    return GriddedFlow(0.2 * np.arange(number), (-3.0, -3.0, 4.0, 3.0), east, 0.0 * east, Path('forecast'))


@pytest.mark.parametrize('settings, why', [
    ({'barriers': WALLS}, 'land or closed areas are in the way'),
    ({'function': lambda t, x, y: (-1.3 + 0.0 * x, 0.0 * y)}, 'the current is too strong for the boat'),
    ({'current': growing(4)}, r'the flow ends at 0.6 s, before the boat could arrive'),
    ({'arrive_by': 0.5}, r'cannot be reached by 0.5 s: the earliest arrival is about 1 s'),
    ({'arrive_by': 0.5, 'speed': None, 'objective': 'energy', 'cost': PowerLaw(1.0, 3.0, 0.0, 1.0)},
     r'cannot be reached by 0.5 s: the earliest arrival is about 1 s'),
    ({'barriers': Disc(1.0, 0.0, 0.1)}, r'the goal, x = 1 m, y = 0 m, cannot be gone to: a barrier'),
    ({'function': lambda t, x, y: (np.where(x > 0.1, 0.0, np.nan), 0.0 * y)}, 'the start, .*: there is no water there'),
    ({'depart': 3.0, 'arrive_by': 2.0}, 'must be after the departure, 3 s'),
    ({'speed': None, 'cost': PowerLaw(1.0)}, 'the boat has no top speed'),
    ({'speed': 9.0, 'cost': PowerLaw(1.0, 3.0, 0.0, 2.0)}, 'at 9 m/s through the water: the boat holds at most 2 m/s'),
    ({'goal': (0.0, 0.0)}, 'must be two places')])
def test_reasons(settings, why):
    with pytest.raises(InputError, match=why):
        find_route(problem_of(**settings), FEW)


def test_just_after_the_earliest_arrival_there_is_a_route():
    """Around a disc, as a taut string, at the speed that the time left asks for: layers of time find none there."""
    reach, off = 0.1, 0.5
    length = 2.0 * ((off ** 2 - reach ** 2) ** 0.5 + reach * np.arcsin(reach / off))
    cost = PowerLaw(1.0, 3.0, 0.0, 1.0)
    found = find_route(problem_of(barriers=Disc(off, 0.0, reach), arrive_by=1.02 * length, speed=None,
                                  objective='energy', cost=cost), FEW)
    assert found.cost == pytest.approx(length / 1.02 ** 2, rel=2e-3)


def test_the_straight_way_is_at_its_best_speed():
    """Of h + v^3 watts: v^3 = h / 2 in still water, found between the speeds that are tried first."""
    hotel = 0.7
    found = find_route(problem_of(speed=None, objective='energy', cost=PowerLaw(1.0, 3.0, hotel)), FEW)
    speed = (0.5 * hotel) ** (1.0 / 3.0)
    assert float(found.straight.energy[-1]) == pytest.approx((hotel + speed ** 3) / speed, rel=1e-6)
