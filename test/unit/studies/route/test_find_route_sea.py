"""
Routes in a sea, in closed form: straight on, by way of tacks where head seas cost more than a detour, and turned.

With P = h + d v^2 + R(bearing) v a metre costs d v + R + h / v, least at v = sqrt(h / d) whatever R is.
"""

import math

import numpy as np
import pytest
from route_flows import ClosedForm

from usv_energy.engine.numba_engine import compiled
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.label_search import ROUTE_SOURCES
from usv_energy.studies.route.search.move_kernels import move, power_at, top_at
from usv_energy.studies.route.search.rough_ways import SearchOptions, prepared_search

HOTEL, DRAG, TOP = 6.0, 16.0, 3.0
CALM = 2.0 * math.sqrt(HOTEL * DRAG)     # J/m
SOME = SearchOptions(points=6_000, hop_points=3_000)


class InSea:
    """A boat with that power; `force` as pairs of an angle off the bow, deg, and N, linear between them."""

    def __init__(self, force, towards=math.pi, slower=0.0):
        self.angles, self.forces = np.radians(force[0]), force[1]
        self.towards, self.slower = towards, slower

    def force(self, bearing):
        off = np.arccos(np.clip(-np.cos(bearing - self.towards), -1.0, 1.0))
        return np.interp(off, self.angles, self.forces)

    def power(self, speed, along, across, bearing=None):
        speed, *_ = np.broadcast_arrays(np.asarray(speed, dtype=float), along, across)
        force = 0.0 if bearing is None else self.force(bearing)
        watts = HOTEL + DRAG * speed ** 2 + force * speed
        return np.where(speed <= self.top_speed(along, across, bearing), watts, np.nan)

    def top_speed(self, along, across, bearing=None):
        force = 0.0 if bearing is None else self.force(bearing)
        return TOP - self.slower * force + 0.0 * np.asarray(along) + 0.0 * np.asarray(across)


def problem_of(cost, goal=(1000.0, 0.0), **settings):
    return RouteProblem((0.0, 0.0), goal, cost, UniformFlow(), UniformFlow(), NoBarriers(), **settings)


@pytest.mark.parametrize(('angle', 'force'), [(0.0, 4.0), (math.pi, -2.0), (0.5 * math.pi, 1.0)])
def test_a_straight_way_takes_the_waves_force_on_every_metre(angle, force):
    """At the best speed, and by an arrival time: h T + d s^2 / T + R s."""
    cost, goal = InSea(((0.0, 90.0, 180.0), (4.0, 1.0, -2.0))), (1000.0 * math.cos(angle), 1000.0 * math.sin(angle))
    found = find_route(problem_of(cost, goal), SOME)
    assert found.cost == pytest.approx(1000.0 * (CALM + force), rel=2e-3)
    assert found.bound <= found.cost and found.gap < 0.03
    np.testing.assert_allclose(found.best.speed, math.sqrt(HOTEL / DRAG), rtol=0.1)
    in_time = find_route(problem_of(cost, goal, arrive_by=1000.0), SOME)
    assert in_time.cost == pytest.approx(HOTEL * 1000.0 + DRAG * 1000.0 + 1000.0 * force, rel=3e-3)
    assert in_time.bound <= in_time.cost


@pytest.mark.parametrize('towards', [math.pi, 1.0, -2.5])
def test_where_waves_from_ahead_cost_more_than_a_detour_the_boat_tacks(towards):
    """
    No force from 45 degrees off the bow on: sqrt(2) times the way, against CALM + R straight on.

    Whichever way the lattice is turned. The bound holds as far as the lattice resolves it: with moves of 45 degrees
    alone its points are of two kinds, half a move apart.
    """
    goal = -1000.0 * math.cos(towards), -1000.0 * math.sin(towards)
    cost = InSea(((0.0, 45.0, 180.0), (20.0, 0.0, 0.0)), towards)
    found = find_route(problem_of(cost, goal), SOME)
    exact = math.sqrt(2.0) * 1000.0 * CALM
    assert exact * (1.0 - 1e-6) < found.cost < 1.01 * exact
    assert found.bound < 1.005 * exact and found.gap < 0.03
    off = np.angle(np.exp(1j * (np.arctan2(np.diff(found.best.y), np.diff(found.best.x)) - towards + math.pi)))
    assert np.median(abs(np.degrees(off))) == pytest.approx(45.0, abs=2.0)
    assert float(found.straight.energy[-1]) == pytest.approx(1000.0 * (CALM + 20.0), rel=1e-3)


def test_a_mirrored_sea_in_a_mirrored_current_costs_the_same():
    def turned(sign):
        return lambda t, x, y: (0.1 + 2e-4 * sign * y, sign * (0.05 + 0.0 * x))
    costs = []
    for sign in (1.0, -1.0):
        cost = InSea(((0.0, 90.0, 180.0), (4.0, 1.0, -2.0)), sign * 2.0)
        problem = problem_of(cost, (900.0, sign * 300.0))._replace(current=ClosedForm(turned(sign)))
        costs.append(find_route(problem, SOME).cost)
    assert costs[0] == pytest.approx(costs[1], rel=1e-3)


@pytest.mark.parametrize(('goal', 'speed'), [((1000.0, 0.0), 2.6), ((-1000.0, 0.0), 3.2)])
def test_the_least_time_is_at_the_highest_speed_on_the_way(goal, speed):
    cost = InSea(((0.0, 180.0), (4.0, -2.0)), slower=0.1)
    found = find_route(problem_of(cost, goal, objective='time'), SOME)
    assert found.cost == pytest.approx(1000.0 / speed, rel=2e-3)
    assert found.bound <= found.cost * (1.0 + 1e-9)


def test_a_fixed_speed_pays_the_waves():
    found = find_route(problem_of(InSea(((0.0, 180.0), (4.0, -2.0))), speed=1.0), SOME)
    assert found.cost == pytest.approx(1000.0 * (HOTEL + DRAG + 4.0), rel=1e-3) and found.gap < 0.03


def looked_up(field, angle, found):
    for n in range(len(angle)):
        c, s = math.cos(angle[n]), math.sin(angle[n])
        found[n, 0], found[n, 1] = power_at(field, 1.3, 0.0, 0.0, c, s), top_at(field, 0.0, 0.0, c, s)
        found[n, 2], found[n, 3] = move(field, 1.0, 0.0, (4.0, 5.0), (3.0 * c, 3.0 * s), 3, 1.0)


def test_the_search_looks_waves_up_by_the_bearing_on_a_lattice_of_any_angle():
    """Exact where the coefficients' corners are at knots; compiled as in Python."""
    cost = InSea(((0.0, 90.0, 180.0), (4.0, 1.0, -2.0)), 0.6, slower=0.1)
    prepared = prepared_search(problem_of(cost, (300.0, 400.0), objective='time'), 600, 0.5, 1e4)
    angle = np.linspace(-7.0, 7.0, 60)
    found = np.empty((60, 4))
    looked_up(prepared.field, angle, found)
    force = cost.force(angle + prepared.grid.lattice.angle)
    np.testing.assert_allclose(found[:, 0], HOTEL + DRAG * 1.3 ** 2 + 1.3 * force, rtol=1e-3)
    np.testing.assert_allclose(found[:, 1], TOP - 0.1 * force, rtol=1e-9)
    np.testing.assert_allclose(found[:, 3] / found[:, 2], HOTEL + DRAG + force, rtol=1e-3)
    pytest.importorskip('numba')
    quick = np.empty((60, 4))
    compiled(looked_up, ROUTE_SOURCES)(prepared.field, angle, quick)
    np.testing.assert_allclose(quick, found, rtol=1e-6)     # The flow is of float32.
