"""A route's study: goals, departures, forecasts and the ways beside it, held to closed forms in uniform water."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from route_cases import STILL

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.mission.mission_battery import GO, NO_GO, UNSURE
from usv_energy.studies.route.barriers.area_barriers import NoBarriers, shape_barriers
from usv_energy.studies.route.costs.motion_table import tabulated
from usv_energy.studies.route.plan_route import RouteRequest, plan_route, table_notes
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.route_study import CHEAPEST, FASTEST, STRAIGHT

NEEDS = ('numba', 'shapely')
BOAT = with_static_load(read_boat('lutra_prop'), 6.0)


def asked(goals=((200.0, 0.0),), current=STILL, barriers=None, **more):
    given = {key: more.pop(key) for key in tuple(more) if key in RouteProblem._fields}
    problem = RouteProblem((0.0, 0.0), goals[-1], PowerLaw(1.0), current, STILL, barriers or NoBarriers(), **given)
    return RouteRequest(BOAT, problem, tuple(goals), (('given', current),), **more)


class Turning(NamedTuple):
    """Against the boat until 1000 s, with it afterwards."""

    most: float

    def velocity(self, t, x, y):
        along = self.most * math.tanh((t - 1000.0) / 50.0)
        return np.full(np.shape(x), along), np.zeros(np.shape(x)), np.ones(np.shape(x), dtype=bool)


def cheapest_per_metre(current):
    """J/m of the cheapest speed along a current, m/s, by the boat's own steady power: a search on a line."""
    from usv_energy.studies.route.costs.motion_table import SteadyCost
    cost = SteadyCost(BOAT.vessel)
    ground = np.linspace(0.2, 2.0, 4001)
    water = ground - current
    power = cost.power(water, np.full(ground.size, -current), np.zeros(ground.size))
    return float(np.nanmin(power / ground))


def test_in_a_current_along_the_way_the_route_is_straight_at_the_cheapest_speed():
    study = plan_route(asked(current=UniformFlow(0.2, 0.0)))
    assert study.route_energy == pytest.approx(200.0 * cheapest_per_metre(0.2), rel=1e-3)
    assert study.route.length == pytest.approx(200.0, rel=1e-4)
    kinds = {choice.kind: choice.route for choice in study.choices}
    assert kinds[FASTEST].duration < kinds[CHEAPEST].duration
    assert kinds[FASTEST].energy[-1] > kinds[CHEAPEST].energy[-1]
    assert kinds[STRAIGHT].energy[-1] >= study.route_energy * (1.0 - 1e-9)
    assert study.legs.time.size == 2


def test_a_boat_that_takes_nothing_at_rest_is_told_that_slower_is_cheaper():
    free = asked(((60.0, 0.0),), lowest_speed=0.3)._replace(boat=read_boat('lutra_prop'))
    assert 'slower is cheaper without end' in plan_route(free).notes[0]
    assert not any('slower' in note for note in plan_route(free._replace(boat=BOAT)).notes)
    timed = free._replace(problem=free.problem._replace(speed=0.5))
    assert not any('slower' in note for note in plan_route(timed).notes)


def test_a_table_that_does_not_follow_the_boat_s_power_is_told():
    problem = asked().problem
    table = tabulated(PowerLaw(1.0, 3.0, 1.0, 2.0), 1.0, 2.0, (9, 5))
    for table.error, table.worst, words in ((0.013, 0.12, 'more than 1.3 %, at the worst by 12 %'), (1e-3, 0.01, '')):
        told = table_notes(problem._replace(cost=table))
        assert [words in note for note in told] == ([True] if words else [])
    assert table_notes(problem) == []


def test_goals_are_passed_in_the_cheapest_order():
    places = ((200.0, 0.0), (50.0, 0.0), (120.0, 5.0))
    study = plan_route(asked(places, any_order=True))
    assert study.goals == (places[1], places[2], places[0])
    assert 'in the order 2, 3, 1' in study.notes[0]
    for x, y in places:
        assert float(np.hypot(study.route.x - x, study.route.y - y).min()) < 1e-6


def test_departures_take_the_cheapest_of_a_current_that_turns():
    study = plan_route(asked(((60.0, 0.0),), Turning(0.25), departures=(0.0, 2000.0)))
    found = study.departures
    assert found.best == 1
    turns = study.energy / study.route_energy       # The same share of each.
    assert abs(turns - 1.0) > 1e-3
    for place, current in ((0, -0.25), (1, 0.25)):
        assert found.energy[place] == pytest.approx(turns * 60.0 * cheapest_per_metre(current), rel=5e-3)
    assert study.route.time[0] == 2000.0 and found.energy[1] == pytest.approx(study.energy, rel=1e-12)
    assert found.duration[1] == pytest.approx(study.time, rel=1e-12)


def test_each_departure_has_the_verdict_of_a_mission_and_one_near_the_reserve_that_of_its_own_plan():
    request = asked(((60.0, 0.0),), Turning(0.002), departures=(0.0, 2000.0))
    alone = plan_route(request._replace(departures=(0.0,)))
    capacity = BOAT.battery.capacity_wh * 3600.0

    def judged_with(spare, one=request):
        return plan_route(one._replace(state_of_charge=0.2 + spare / capacity)).departures
    for share, verdicts in ((1.001, (GO, GO)), (0.999, (NO_GO, GO))):
        assert judged_with(share * alone.energy).verdicts == verdicts
    # What a lattice alone knows to 2 % decides only beyond that.
    rough = request._replace(problem=request.problem._replace(current=Turning(0.25)))
    costs = judged_with(capacity, rough)
    assert costs.about(0) and costs.verdicts == (GO, GO)
    for share, verdict in ((1.01, UNSURE), (0.96, NO_GO)):
        assert judged_with(share * costs.energy[0], rough).verdicts == (verdict, GO)


def test_forecasts_are_planned_for_and_priced():
    flows = UniformFlow(0.2, 0.0), UniformFlow(-0.2, 0.0)
    study = plan_route(asked(current=flows[0])._replace(currents=tuple(zip('ab', flows))))
    assert study.forecasts.ways == ('mean', 'a', 'b')
    assert study.legs.energy[-1] == pytest.approx(study.route_energy, rel=3e-3)
    mean, low, high = study.forecasts.spread
    assert mean == pytest.approx(study.forecasts.energy.mean(axis=1).min())
    # At one time over ground the forecast against the boat costs more, and the mean more than the mean of currents.
    assert high > low and mean > 200.0 * cheapest_per_metre(0.0)


def test_a_goal_on_land_is_named():
    import shapely
    barriers = shape_barriers([shapely.box(150.0, -10.0, 300.0, 10.0)], 3.0)
    with pytest.raises(InputError, match=r'the goal, x = 200 m, y = 0 m, lies on land.*by 13 m'):
        plan_route(asked(barriers=barriers))


def test_a_start_without_water_is_named():
    class Pond:
        extent = (100.0, -50.0, 300.0, 50.0)

        def velocity(self, t, x, y):
            inside = (x >= 100.0) & (x <= 300.0)
            return np.where(inside, 0.0, np.nan), np.where(inside, 0.0, np.nan), inside

    with pytest.raises(InputError, match='the start, x = 0 m, y = 0 m, has no water at 0 s'):
        plan_route(asked(current=Pond()))


def test_forecasts_are_not_simulated():
    given = asked(simulate=True)
    with pytest.raises(InputError, match='--simulate goes with one current'):
        plan_route(given._replace(currents=(*given.currents, ('b', STILL))))


def test_several_goals_have_no_common_arrival():
    with pytest.raises(InputError, match='--arrive-by goes with one goal'):
        plan_route(asked(((100.0, 0.0), (200.0, 0.0)), arrive_by=900.0))
