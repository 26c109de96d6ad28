"""The polish finds the extremals that are known exactly, and never gives back what is worse than it was given."""

import numpy as np
import pytest
from route_flows import (
    ClosedForm,
    Plain,
    best_speed,
    bowed,
    double_gyre,
    four_vortices,
    least_energy,
    on_circle,
    shear,
    sink_and_vortex,
    spin,
    zermelo_time,
)

from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.polishing.polish import polished_route
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem

STILL = UniformFlow()
A, B = on_circle(30.0), on_circle(90.0)
# Flow, start, goal, speed through the water, least time, where the rough route's time is, extent of a grid and its
# spacing. Times of issue 17, by shooting.
TIMES = {
    'shear': (shear(-1.0), (3.66, -1.86), (0.0, 0.0), 1.0, 5.4578653, 5.0, (-6.0, -6.0, 8.0, 6.0), 0.2),
    'shear from beside': (shear(-1.0), (3.5, -1.8), (0.0, 0.0), 1.0, 5.2649321, 5.0, (-6.0, -6.0, 8.0, 6.0), 0.2),
    'against the spin': (spin(0.9), A, B, 1.0, 1.9749381, 2.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'with the spin': (spin(-0.9), A, B, 1.0, 0.5474319, 1.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'sink and vortex': (sink_and_vortex, A, B, 1.0, 1.0300835, 1.0, (-2.0, -2.0, 2.0, 2.0), 0.1),
    'gyre': (double_gyre, (1.5, 0.5), (0.5, 0.5), 1.0, 1.0057842, 1.0, (0.0, 0.0, 2.0, 1.0), 0.05),
    'gyre, slow boat': (double_gyre, (1.5, 0.5), (0.5, 0.5), 0.35, 2.9585086, 3.0, (0.0, 0.0, 2.0, 1.0), 0.05)}
# Flow, duration, exponent, least energy. Issue 17: closed forms for exponent 2, shooting for 3.
ENERGIES = {
    'shear, 1 s': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 1.0, 2.0, 12.0 / 13.0),
    'shear, 2 s': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 2.0, 2.0, 3.0 / 8.0),
    'shear, 1 s, cubic': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 1.0, 3.0, 0.8876386),
    'shear, 2 s, cubic': (shear(1.0), (0.0, 0.0), (1.0, 0.0), 2.0, 3.0, 0.1638543),
    'spin': (spin(0.9), A, B, 3.0, 2.0, 1.2147719),
    'spin, cubic': (spin(0.9), A, B, 3.0, 3.0, 0.7730036)}


def time_problem(flow, start, goal, speed=1.0, **more):
    return RouteProblem(start, goal, PowerLaw(1.0), flow, STILL, NoBarriers(), objective='time', speed=speed, **more)


def energy_problem(flow, start, goal, law, **more):
    return RouteProblem(start, goal, law, flow, STILL, NoBarriers(), **more)


@pytest.mark.parametrize(('degrees', 'exact'), [(0.0, 2.0 / 3.0), (90.0, 1.1547005), (135.0, 1.7186236), (180.0, 2.0)])
def test_least_time_in_a_uniform_current(degrees, exact):
    flow = UniformFlow(0.5 * np.cos(np.radians(degrees)), 0.5 * np.sin(np.radians(degrees)))
    found = polished_route(time_problem(flow, (0.0, 0.0), (1.0, 0.0)), bowed((0.0, 0.0), (1.0, 0.0), 1.5))
    assert found.cost == pytest.approx(exact, rel=1e-6)
    np.testing.assert_allclose(found.route.y, 0.0, atol=1e-4)
    np.testing.assert_allclose(found.route.speed, 1.0, rtol=1e-9)


@pytest.mark.parametrize('name', TIMES)
def test_least_time_in_flows_in_closed_form(name):
    flow, start, goal, speed, exact, duration, *_ = TIMES[name]
    found = polished_route(time_problem(ClosedForm(flow), start, goal, speed), bowed(start, goal, duration))
    assert found.converged
    assert found.cost == pytest.approx(exact, rel=1e-4)
    assert found.cost * (1.0 - found.gap) == pytest.approx(exact, rel=1e-5)
    assert (found.route.x[-1], found.route.y[-1]) == goal


@pytest.mark.parametrize('name', TIMES)
def test_least_time_on_grids(name):
    """The grids' cells are a tenth to a twentieth of the way: their own error is most of what is left."""
    flow, start, goal, speed, exact, duration, extent, spacing = TIMES[name]
    times = np.linspace(0.0, 3.0, 7) if name == 'sink and vortex' else (0.0,)
    grid = gridded_flow(Plain(flow), extent, spacing, times)
    found = polished_route(time_problem(grid, start, goal, speed), bowed(start, goal, duration))
    assert found.cost == pytest.approx(exact, rel=2e-3)


def test_the_issue_s_times_are_those_of_shooting():
    """A twin that shares nothing with the package: Zermelo's equation by scipy."""
    headings = {'shear': np.radians(105.0), 'against the spin': 3.5, 'sink and vortex': 2.2, 'gyre': 3.1}
    for name, heading in headings.items():
        flow, start, goal, speed, exact, *_ = TIMES[name]
        angle, duration = zermelo_time(flow, start, goal, heading, exact * 1.01, speed)
        assert duration == pytest.approx(exact, rel=2e-7), name
        if name == 'shear':
            assert np.degrees(angle) == pytest.approx(105.0191, abs=1e-3)


def test_the_heading_through_the_shear_turns_as_zermelo_s_does():
    flow, start, goal, speed, *_ = TIMES['shear']
    route = polished_route(time_problem(ClosedForm(flow), start, goal, speed), bowed(start, goal, 5.0)).route
    middle = 0.5 * (route.y[1:] + route.y[:-1])
    step = np.diff(route.time)
    heading = np.degrees(np.arctan2(np.diff(route.y) / step, np.diff(route.x) / step + middle)) % 360.0
    ends = 1.5 * heading[[0, -1]] - 0.5 * heading[[1, -2]]  # From the first and last parts' middles to their ends.
    assert ends == pytest.approx([105.0191, 239.9818], abs=0.3)


@pytest.mark.parametrize('current', [0.0, 0.5, -0.5])
def test_least_energy_against_a_current_at_a_time_that_is_free(current):
    law, (speed, cost) = PowerLaw(1.0, 3.0, hotel=1.0), best_speed(current)
    problem = energy_problem(UniformFlow(-current, 0.0), (0.0, 0.0), (1.0, 0.0), law)
    found = polished_route(problem, bowed((0.0, 0.0), (1.0, 0.0), 1.5))
    assert found.cost == pytest.approx(cost, rel=1e-6)
    np.testing.assert_allclose(found.route.speed, speed, rtol=1e-4)
    assert cost == pytest.approx({0.0: 1.8898816, 0.5: 3.8773599, -0.5: 1.1053736}[current], rel=1e-6)


@pytest.mark.parametrize('name', ENERGIES)
def test_least_energy_for_an_arrival_time(name):
    flow, start, goal, duration, exponent, exact = ENERGIES[name]
    for field, allowed in ((ClosedForm(flow), 1e-4), (gridded_flow(Plain(flow), (-2.0, -2.0, 2.0, 2.0), 0.1), 1e-4)):
        problem = energy_problem(field, start, goal, PowerLaw(1.0, exponent), arrive_by=duration)
        found = polished_route(problem, bowed(start, goal, duration))
        assert found.cost == pytest.approx(exact, rel=allowed)
        assert found.route.time[-1] == pytest.approx(duration, rel=1e-12)
        assert found.route.energy[-1] == found.cost


def test_the_issue_s_energies_are_those_of_shooting():
    firsts = {'shear, 1 s, cubic': (0.9, 0.4), 'shear, 2 s, cubic': (0.3, 0.4), 'spin, cubic': (-0.6, 0.2)}
    for name, first in firsts.items():
        flow, start, goal, duration, exponent, exact = ENERGIES[name]
        assert least_energy(flow, start, goal, duration, exponent, first) == pytest.approx(exact, rel=2e-6), name


@pytest.mark.parametrize(('bow', 'exact'), [(0.4, 9.1218621), (0.6, 8.9494562)])
def test_among_four_vortices_each_rough_route_leads_to_its_own_optimum(bow, exact):
    problem = time_problem(ClosedForm(four_vortices), (0.0, 0.0), (6.0, 2.0))
    found = polished_route(problem, bowed((0.0, 0.0), (6.0, 2.0), 8.0, bow))
    assert found.cost == pytest.approx(exact, rel=1e-4)
    assert found.gap < 5e-5
