"""Few legs cost about what the route does, keep off what it keeps off, and are at its places at its times."""

import numpy as np
import pytest
from route_cases import problem, steady_route
from route_flows import ClosedForm

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers, shape_barriers
from usv_energy.studies.route.route_cost import route_along_path
from usv_energy.studies.route.route_legs import legs_with_energy, simplified_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.route_through_goals import concatenated_route

NEEDS = ('shapely',)


def around_a_disc(corners=90):
    """A way along 1.02 of a disc's radius of 100 m, half a turn, at 1 m/s."""
    angle = np.linspace(np.pi, 0.0, corners + 1)
    return steady_route(np.column_stack([102.0 * np.cos(angle), 102.0 * np.sin(angle)]), 1.0)


def test_a_straight_route_is_one_leg():
    places = np.column_stack([np.linspace(0.0, 300.0, 50), np.linspace(0.0, 400.0, 50)])
    legs = simplified_route(steady_route(places, 1.0), problem())
    assert legs.time.size == 2
    assert legs.energy[-1] == pytest.approx(7.0 * 500.0)


def test_a_change_of_speed_is_a_corner_in_time():
    slow = steady_route([(0.0, 0.0), (100.0, 0.0)], 0.5)
    fast = steady_route([(100.0, 0.0), (200.0, 0.0)], 2.0)
    both = concatenated_route([slow, fast])
    legs = simplified_route(both, problem())
    np.testing.assert_allclose(legs.time, [0.0, 200.0, 250.0])
    np.testing.assert_allclose(legs.energy, both.energy)


def test_legs_around_a_disc_are_few_and_keep_off_it():
    import shapely
    route = around_a_disc()
    barriers = shape_barriers([shapely.Point(0.0, 0.0).buffer(100.0, quad_segs=64)])
    legs = simplified_route(route, problem()._replace(barriers=barriers))
    assert 6 < legs.time.size < 40
    assert not barriers.crossed(legs.x[:-1], legs.y[:-1], legs.x[1:], legs.y[1:]).any()
    assert np.isin(legs.time, route.time).all()
    # A chord is shorter than its arc, and gone in the same time: legs are never dearer in still water.
    assert legs.energy[-1] <= route.energy[-1]


def test_a_stop_stays_a_leg_of_its_own():
    way = steady_route([(0.0, 0.0), (50.0, 0.0), (100.0, 0.0)], 1.0)
    time = np.array([0.0, 50.0, 350.0, 400.0])
    route = way._replace(time=time, x=np.array([0.0, 50.0, 50.0, 100.0]), y=np.zeros(4),
                         speed=np.array([1.0, 0.0, 1.0]), energy=np.array([0.0, 350.0, 1850.0, 2200.0]))
    legs = simplified_route(route, problem(may_wait=True))
    np.testing.assert_allclose(legs.time, time)
    np.testing.assert_allclose(legs.energy, route.energy)


def test_legs_cost_a_hundredth_more_at_most_and_no_point_can_be_left_out_for_less():
    """Carried by a stream across its heading, the boat goes in a bend: any chord of it takes more."""
    law = problem(current=ClosedForm(lambda t, x, y: (0.0 * x, 2.0 * np.sin(np.pi * x / 200.0))))
    x = np.linspace(0.0, 400.0, 81)
    route = legs_with_energy(law, x, x, 400.0 / np.pi * (1.0 - np.cos(np.pi * x / 200.0)))
    legs = simplified_route(route, law)
    assert 4 < legs.time.size < 20
    assert legs.energy[-1] <= 1.01 * route.energy[-1]
    for left_out in range(1, legs.time.size - 1):
        kept = np.delete(np.arange(legs.time.size), left_out)
        fewer = legs_with_energy(law, *(part[kept] for part in (legs.time, legs.x, legs.y)))
        assert fewer.energy[-1] > 1.01 * route.energy[-1]


def test_short_legs_around_a_corner_of_land_are_joined_where_they_meet():
    """A bevel of 4 m at the corner of a square: the corner itself keeps off the square, too, and no leg is short."""
    import shapely
    route = steady_route([(-200.0, 2.0), (0.0, 2.0), (3.0, -1.0), (3.0, -200.0)], 1.0)
    barriers = shape_barriers([shapely.box(-300.0, -300.0, 1.4, 0.4)])
    given = problem(start=(-200.0, 2.0), goal=(3.0, -200.0))._replace(barriers=barriers)
    assert simplified_route(route, given).time.size == 4
    legs = simplified_route(route, given, 10.0)
    np.testing.assert_allclose([legs.x, legs.y], [[-200.0, 3.0, 3.0], [2.0, 2.0, -200.0]])
    assert legs.energy[-1] <= 1.01 * route.energy[-1]


def test_a_leg_is_short_where_land_asks_for_it():
    """A gap of 4 m in a wall, which is passed askew: its leg is 6 m."""
    import shapely
    route = steady_route([(0.0, 0.0), (100.0, 50.0), (106.0, 50.0), (206.0, 0.0)], 1.0)
    barriers = shape_barriers([shapely.box(101.0, -500.0, 105.0, 49.5), shapely.box(101.0, 50.5, 105.0, 500.0)])
    given = problem(start=(0.0, 0.0), goal=(206.0, 0.0))._replace(barriers=barriers)
    legs = simplified_route(route, given, 20.0)
    np.testing.assert_allclose([legs.x, legs.y], [route.x, route.y])


@pytest.mark.parametrize('objective', ['time', 'energy'])
def test_at_the_highest_speed_few_legs_take_a_hundredth_more(objective):
    """Across a stream that bends, a chord cannot be gone in the time of its arc at the speed that is the highest."""
    law = PowerLaw(2.0, 3.0, 5.0, highest=1.5)
    given = RouteProblem((0.0, 0.0), (400.0, 0.0), law, ClosedForm(
        lambda t, x, y: (0.0 * x, 0.5 * np.sin(np.pi * x / 200.0))), UniformFlow(), NoBarriers(), objective='time')
    x = np.linspace(0.0, 400.0, 201)
    route = route_along_path(given, x, 40.0 * (1.0 - np.cos(np.pi * x / 200.0)))
    legs = simplified_route(route, given._replace(objective=objective), 4.0)
    assert 2 < legs.time.size < 30 and np.hypot(np.diff(legs.x), np.diff(legs.y)).min() >= 4.0
    assert np.isfinite(legs.energy[-1]) and route.duration < legs.duration <= 1.02 * route.duration
    of_legs, of_route = (one.duration if objective == 'time' else one.energy[-1] for one in (legs, route))
    assert of_legs <= 1.01 * of_route
