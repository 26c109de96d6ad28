"""The least energy to the goal, backwards in time: cones in uniform currents, and second order."""

import numpy as np
import pytest
from route_flows import best_speed
from search_cases import problem_of

from usv_energy.studies.route.bounds.value_bound import ValueMarch
from usv_energy.studies.route.costs.power_table import energy_law, power_table
from usv_energy.studies.route.route_problem import PowerLaw

GOAL = (20, 10)


def marched(current, lasts, spacing=0.05, closed=None, **settings):
    """Return V before some time, from the straight way in the most helpful current on."""
    problem = problem_of(objective='energy', speed=None, cost=PowerLaw(1.0, 3.0, 1.0), **settings)
    law = energy_law(problem, power_table(problem.cost, 0.0, 5.0))
    row, column = np.indices((41, 61))
    is_open = np.ones(row.shape, dtype=bool) if closed is None else ~closed(row, column)
    march = ValueMarch(law, spacing, is_open, GOAL, None)
    off = spacing * np.hypot(row - GOAL[0], column - GOAL[1])
    strongest = float(np.hypot(*current))
    value, time = law.metre(strongest) * off, 0.0
    flow = np.stack([np.full(row.shape, part) for part in current])
    while time > -lasts:
        step = 0.45 * spacing / march.fastest(value, strongest)
        value = march.step(value, (flow, flow), time, step)
        time -= step
    return value, off


@pytest.mark.parametrize('current', [0.0, 0.4, -0.4])
def test_in_a_uniform_current_it_is_the_least_energy_of_a_metre(current):
    """Along the current and against it (issue 17, B), from the goal on as far as ways of the time lead."""
    value, off = marched((current, 0.0), 4.0)
    for column, against in ((40, current), (2, -current)):
        assert value[20, column] == pytest.approx(off[20, column] * best_speed(against)[1], rel=0.01)


def test_across_the_current_it_is_the_best_of_all_speeds():
    value, off = marched((0.0, 0.4), 4.0)
    made = np.linspace(0.05, 3.0, 20_000)
    metre = (((made ** 2 + 0.16) ** 1.5 + 1.0) / made).min()
    assert value[20, 40] == pytest.approx(off[20, 40] * metre, rel=0.01)


def test_at_anchor_a_second_costs_no_more_than_standing():
    """Against a current that no boat gets anywhere in before the end: V rises by the standing power, and no faster."""
    (first, _), (later, _) = (marched((-0.6, 0.0), lasts, may_wait=True) for lasts in (0.0, 0.3))
    assert np.all(later - first <= 0.36 + 1e-9)


def test_around_a_wall_it_is_the_way_around():
    """A wall across the straight way, open at one end: V behind it is that of the way by the end, no less."""
    def wall(row, column):
        return (column == 25) & (row > 8)

    value, _ = marched((0.0, 0.0), 8.0, closed=wall)
    by_the_end = 0.05 * 2.0 * np.hypot(15.0, 12.0)     # 15 points before the wall and behind, 12 aside.
    assert value[20, 40] > 0.97 * by_the_end * best_speed(0.0)[1]
    assert value[20, 40] < 1.1 * by_the_end * best_speed(0.0)[1]
