"""Reach: the ellipse of a current, circles there and back, the banks, a reach without end."""

import math

import numpy as np
import pytest
from planning_boats import BARE, CURRENT, D11, LIMIT, SPEEDS, STATIC, STILL

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.reach import COURSES, reach


def ellipse(current):
    """Return what LIMIT reaches in a uniform current, an ellipse with the start in a focus: p and e = c / V."""
    speed = math.sqrt(current ** 2 + STATIC / D11)
    return LIMIT / (2.0 * D11 * speed), current / speed


def area(current):
    p, e = ellipse(current)
    return math.pi * p * p / (1.0 - e * e) ** 1.5


def test_still_water_is_a_circle_within_the_error_stated():
    """1 / cos(half the widest gap between moves) - 1: gap atan(1 / 5) beside the axes."""
    found = reach(BARE, CurrentAndWind(STILL, STILL), (3.0, -7.0), LIMIT, SPEEDS, points=81)
    radius = ellipse(0.0)[0]
    stated = 1.0 / math.cos(0.5 * math.atan(0.2)) - 1.0
    assert found.direction_error == pytest.approx(stated, rel=2e-3)
    assert found.uniform_area == pytest.approx(math.pi * radius ** 2, rel=1e-4)
    assert (found.distances <= radius * (1.0 + 1e-9)).all()
    assert (found.distances >= radius / (1.0 + stated) * (1.0 - 2e-3)).all()
    assert found.area == pytest.approx(math.pi * radius ** 2, rel=1e-2)
    assert not found.cut


def test_a_current_makes_it_an_ellipse_with_the_start_in_a_focus():
    found = reach(BARE, CurrentAndWind(UniformFlow(CURRENT, 0.0), STILL), (0.0, 0.0), LIMIT, SPEEDS, points=101)
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
    found = reach(BARE, CurrentAndWind(UniformFlow(CURRENT, 0.0), STILL), (0.0, 0.0), LIMIT, SPEEDS, points=81,
                  round_trip=True)
    radius = LIMIT / (4.0 * D11 * math.sqrt(CURRENT ** 2 + STATIC / D11))
    assert found.uniform_area == pytest.approx(math.pi * radius ** 2, rel=1e-4)
    assert found.area == pytest.approx(math.pi * radius ** 2, rel=1e-2)
    np.testing.assert_allclose(found.distances, radius, rtol=0.012)
    origin = np.unravel_index(np.argmin(found.out), found.out.shape)
    assert found.back is not None and found.back[origin] == found.out[origin] == 0.0
    east, west = found.out[origin[0], origin[1] + 5], found.back[origin[0], origin[1] - 5]
    assert east == pytest.approx(west, rel=1e-12), 'from 5 points west back is as 5 points east out'


def test_a_current_so_fast_that_only_one_direction_is_left_is_refused():
    boat = read_boat('lutra_prop').vessel._replace(static_load=5.0)
    with pytest.raises(InputError, match='so much faster than the boat'):
        reach(boat, CurrentAndWind(UniformFlow(30.0, 0.0), UniformFlow(), 0.0), (0.0, 0.0), 3600.0,
              np.linspace(29.0, 31.0, 9), 25)


def test_reach_refuses_a_start_on_land_and_stops_at_the_banks():
    river = River({'speed': 0.4, 'direction_deg': 0.0, 'width': 40.0, 'length': 300.0})
    with pytest.raises(InputError, match='no water'):
        reach(BARE, CurrentAndWind(river, STILL), (0.0, 21.0), LIMIT, SPEEDS, points=41)
    found = reach(BARE, CurrentAndWind(river, STILL), (0.0, 0.0), LIMIT, SPEEDS, points=101)
    assert found.cut
    spacing = found.lattice.spacing
    assert spacing < 40.0 / 23.0, 'a narrow water has its points, too'
    assert (300.0 - 2.0 * spacing) * (40.0 - 2.0 * spacing) <= found.area <= 12000.1, 'all, to a cell at the edge'


def test_a_boat_that_is_carried_for_nothing_has_no_end_of_reach():
    carried = CurrentAndWind(UniformFlow(3.0, 0.0), STILL)
    with pytest.raises(InputError, match='a metre costs nothing'):
        reach(BARE._replace(static_load=0.0), carried, (0.0, 0.0), LIMIT, SPEEDS + 1.5, points=21)
    found = reach(BARE._replace(static_load=0.0), carried, (0.0, 0.0), LIMIT, SPEEDS + 1.5, points=21,
                  extent=(-10.0, -10.0, 90.0, 10.0))
    assert found.cut and found.area > 100.0
