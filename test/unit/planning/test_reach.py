"""Reach and front: the ellipse of a current, circles, orders of the lattice, detours around slow and no water."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import River
from usv_energy.flow.uniform import UniformFlow
from usv_energy.planning.lattice import Lattice, cheapest_ways, direction_error, move_costs, moves_of, reach_of, way_to
from usv_energy.planning.lattice_flow import Waters
from usv_energy.planning.reach import COURSES, reach
from usv_energy.planning.time_energy_front import front

LUTRA = read_boat('lutra_prop').vessel
STATIC, LIMIT = 5.0, 36000.0
BARE = LUTRA._replace(windage=LUTRA.windage._replace(frontal_area=0.0, lateral_area=0.0), static_load=STATIC)
D11 = BARE.damping.d11
SPEEDS = np.linspace(0.05, 1.7, 12)
STILL = UniformFlow()
CURRENT = 0.3


def ellipse(current):
    """Return what LIMIT reaches in a uniform current, an ellipse with the start in a focus: p and e = c / V."""
    speed = math.sqrt(current ** 2 + STATIC / D11)
    return LIMIT / (2.0 * D11 * speed), current / speed


def area(current):
    p, e = ellipse(current)
    return math.pi * p * p / (1.0 - e * e) ** 1.5


def test_every_move_stands_once_and_they_go_all_around():
    moves = moves_of(Lattice(0.0, 0.0, 0.3, 1.0, 9, 9), radius=5)
    assert len(set(zip(moves.columns, moves.rows))) == len(moves.columns) == 80
    np.testing.assert_allclose(np.cos(moves.direction - 0.3), moves.columns / np.hypot(moves.columns, moves.rows),
                               atol=1e-15)


def test_a_move_integrates_a_linear_cost_exactly():
    lattice = Lattice(0.0, 0.0, 0.0, 2.0, 12, 11)
    moves = moves_of(lattice)
    x, y = lattice.points()
    cost = np.repeat((1.0 + 0.3 * x + 0.2 * y)[..., None], moves.direction.size, axis=2)
    total = move_costs(lattice, moves, cost)
    inside = np.isfinite(total)
    row, column, k = np.nonzero(inside)
    middle_x, middle_y = 2.0 * column + moves.columns[k], 2.0 * row + moves.rows[k]
    length = 2.0 * np.hypot(moves.columns[k], moves.rows[k])
    np.testing.assert_allclose(total[inside], length * (1.0 + 0.3 * middle_x + 0.2 * middle_y), rtol=1e-12)
    row, column = row + moves.rows[k], column + moves.columns[k]
    assert ((row >= 0) & (row < 11) & (column >= 0) & (column < 12)).all()


def test_still_water_is_a_circle_within_the_error_stated():
    """1 / cos(half the widest gap between moves) - 1: gap atan(1 / 5) beside the axes."""
    found = reach(BARE, Waters(STILL, STILL), (3.0, -7.0), LIMIT, SPEEDS, points=81)
    radius = ellipse(0.0)[0]
    stated = 1.0 / math.cos(0.5 * math.atan(0.2)) - 1.0
    assert found.direction_error == pytest.approx(stated, rel=2e-3)
    assert found.uniform_area == pytest.approx(math.pi * radius ** 2, rel=1e-4)
    assert (found.distances <= radius * (1.0 + 1e-9)).all()
    assert (found.distances >= radius / (1.0 + stated) * (1.0 - 2e-3)).all()
    assert found.area == pytest.approx(math.pi * radius ** 2, rel=1e-2)
    assert not found.cut


def test_a_current_makes_it_an_ellipse_with_the_start_in_a_focus():
    found = reach(BARE, Waters(UniformFlow(CURRENT, 0.0), STILL), (0.0, 0.0), LIMIT, SPEEDS, points=101)
    p, e = ellipse(CURRENT)
    assert found.uniform_area == pytest.approx(area(CURRENT), rel=1e-4)
    assert found.area == pytest.approx(area(CURRENT), rel=1.5e-2)
    assert found.area < area(CURRENT)
    expected = p / (1.0 - e * np.cos(COURSES))
    assert (found.distances <= expected * (1.0 + 1e-6)).all()
    np.testing.assert_allclose(found.distances, expected, rtol=found.direction_error + 5e-3)
    assert found.distances[0] == pytest.approx(expected[0], rel=1e-9), 'along an axis there is no error'


def test_there_and_back_is_a_circle_in_any_current():
    """Out and back cost 2 d (V - c cos) + 2 d (V + c cos) = 4 d V a metre, in every direction."""
    found = reach(BARE, Waters(UniformFlow(CURRENT, 0.0), STILL), (0.0, 0.0), LIMIT, SPEEDS, points=81, round_trip=True)
    radius = LIMIT / (4.0 * D11 * math.sqrt(CURRENT ** 2 + STATIC / D11))
    assert found.uniform_area == pytest.approx(math.pi * radius ** 2, rel=1e-4)
    assert found.area == pytest.approx(math.pi * radius ** 2, rel=1e-2)
    np.testing.assert_allclose(found.distances, radius, rtol=0.012)
    origin = np.unravel_index(np.argmin(found.out), found.out.shape)
    assert found.back is not None and found.back[origin] == found.out[origin] == 0.0
    east, west = found.out[origin[0], origin[1] + 5], found.back[origin[0], origin[1] - 5]
    assert east == pytest.approx(west, rel=1e-12), 'from 5 points west back is as 5 points east out'


def test_more_moves_state_and_make_a_smaller_error():
    fine = np.radians(np.arange(0.0, 360.0, 0.25))
    lattice = Lattice(0.0, 0.0, 0.0, 1.0, 50, 50)
    errors = []
    for radius in (1, 2, 4, 8):
        moves = moves_of(lattice, radius)
        errors.append(direction_error(moves.direction, np.ones(moves.direction.size), fine, np.ones(fine.size)))
        assert errors[-1] == pytest.approx(1.0 / math.cos(0.5 * math.atan(1.0 / radius)) - 1.0, rel=2e-2)
    ratios = np.array(errors[1:]) / errors[:-1]
    assert (ratios < 0.34).all(), 'second order in the gap'


def test_a_dear_direction_is_gone_by_zigzag():
    directions = np.radians(np.arange(0.0, 360.0, 1.0))
    cost = np.where(np.abs(directions) < 1e-9, 50.0, 1.0)
    assert reach_of(directions, cost, np.zeros(1))[0] == pytest.approx(math.cos(math.radians(1.0)), rel=1e-12)


def test_where_one_direction_is_left_it_is_the_only_one_and_none_is_none():
    directions = np.radians(np.arange(0.0, 360.0, 10.0))
    one = np.where(np.arange(36) == 3, 2.0, np.inf)
    wanted = np.radians([25.0, 30.0, 210.0])
    np.testing.assert_array_equal(reach_of(directions, one, wanted), [0.0, 0.5, 0.0])
    np.testing.assert_array_equal(reach_of(directions, np.full(36, np.inf), wanted), 0.0)


def test_directions_that_the_moves_miss_altogether_are_an_error_without_end():
    coarse, fine = np.radians(np.arange(0.0, 360.0, 10.0)), np.radians(np.arange(0.0, 360.0, 1.0))
    cost = np.where((fine > np.radians(22.5)) & (fine < np.radians(28.5)), 1.0, np.inf)
    assert direction_error(coarse, cost[::10], fine, cost) == math.inf
    assert direction_error(fine, cost, fine, cost) == 0.0


def test_a_current_so_fast_that_only_one_direction_is_left_is_refused():
    boat = read_boat('lutra_prop').vessel._replace(static_load=5.0)
    with pytest.raises(InputError, match='so much faster than the boat'):
        reach(boat, Waters(UniformFlow(30.0, 0.0), UniformFlow(), 0.0), (0.0, 0.0), 3600.0, np.linspace(29.0, 31.0, 9),
              25)


def test_ways_go_around_what_has_no_water():
    """A wall with a gap: the way through the gap is its own length, to the lattice's error."""
    lattice = Lattice(0.0, 0.0, 0.0, 1.0, 41, 41)
    moves = moves_of(lattice)
    cost = np.ones((41, 41, moves.direction.size))
    cost[:35, 20] = np.inf
    costs, before = cheapest_ways(lattice, moves, move_costs(lattice, moves, cost), 10 * 41 + 5)
    expected = 2.0 * math.hypot(15.0, 25.0)
    assert expected <= costs[10, 35] <= 1.006 * expected
    rows, columns = np.divmod(way_to(before, 10 * 41 + 35), 41)
    assert (rows[columns == 20] >= 35).all()


def test_reach_refuses_a_start_on_land_and_stops_at_the_banks():
    river = River({'speed': 0.4, 'direction_deg': 0.0, 'width': 40.0, 'length': 300.0})
    with pytest.raises(InputError, match='no water'):
        reach(BARE, Waters(river, STILL), (0.0, 21.0), LIMIT, SPEEDS, points=41)
    found = reach(BARE, Waters(river, STILL), (0.0, 0.0), LIMIT, SPEEDS, points=101)
    assert found.cut
    spacing = found.lattice.spacing
    assert spacing < 40.0 / 23.0, 'a narrow water has its points, too'
    assert (300.0 - 2.0 * spacing) * (40.0 - 2.0 * spacing) <= found.area <= 12000.1, 'all, to a cell at the edge'


def test_a_boat_that_is_carried_for_nothing_has_no_end_of_reach():
    carried = Waters(UniformFlow(3.0, 0.0), STILL)
    with pytest.raises(InputError, match='a metre costs nothing'):
        reach(BARE._replace(static_load=0.0), carried, (0.0, 0.0), LIMIT, SPEEDS + 1.5, points=21)
    found = reach(BARE._replace(static_load=0.0), carried, (0.0, 0.0), LIMIT, SPEEDS + 1.5, points=21,
                  extent=(-10.0, -10.0, 90.0, 10.0))
    assert found.cut and found.area > 100.0


def test_the_front_in_uniform_water_is_the_closed_form():
    """E = (d (V - c)^2 + s) D / V, T = D / V, on the straight line, from the cheapest speed to the fastest."""
    distance = 100.0
    current = UniformFlow(CURRENT * 0.6, CURRENT * 0.8)
    found = front(BARE, Waters(current, STILL), (5.0, 5.0), (65.0, 85.0), SPEEDS, points=21, number=9)
    for way in found.ways:
        speed = distance / way.duration
        assert way.energy == pytest.approx((D11 * (speed - CURRENT) ** 2 + STATIC) * distance / speed, rel=1e-9)
        assert way.length == pytest.approx(distance, rel=1e-9)
    assert distance / found.ways[-1].duration == pytest.approx(math.sqrt(CURRENT ** 2 + STATIC / D11), rel=1e-9)
    full = sum(t.max_thrust * t.efficiency_of_tilt for t in BARE.thrusters)
    assert distance / found.ways[0].duration == pytest.approx(full / D11 + CURRENT, rel=1e-4)
    durations, energies = np.array([way[1:3] for way in found.ways]).T
    assert (np.diff(durations) > 0.0).all() and (np.diff(energies) < 0.0).all() and len(found.ways) > 4


def test_upstream_the_cheapest_way_keeps_to_the_bank():
    river = River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0})
    found = front(BARE, Waters(river, STILL), (100.0, 0.0), (-100.0, 0.0), SPEEDS, points=41, margin=0.25, number=5)
    assert found.straight is not None
    top = sum(t.max_thrust * t.efficiency_of_tilt for t in BARE.thrusters) / D11
    speed = min(math.sqrt(0.36 + STATIC / D11), top - 0.6)
    assert found.straight.energy == pytest.approx(200.0 * (D11 * (speed + 0.6) ** 2 + STATIC) / speed, rel=1e-5)
    assert found.ways[-1].energy < 0.65 * found.straight.energy
    assert np.abs(found.ways[-1].points[:, 1]).max() > 24.0


def test_the_front_refuses_a_goal_on_land():
    river = River({'speed': 0.4, 'direction_deg': 0.0, 'width': 40.0, 'length': 300.0})
    with pytest.raises(InputError, match='the goal'):
        front(BARE, Waters(river, STILL), (0.0, 0.0), (0.0, 50.0), SPEEDS, points=11)
    with pytest.raises(InputError, match='same place'):
        front(BARE, Waters(river, STILL), (0.0, 0.0), (0.0, 0.0), SPEEDS)
