"""Maps as a person asks for them: conditions, speeds that suit the boat, what there is to use."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import CurrentAndWind
from usv_energy.studies.maps.map_study import (
    LEAST_SPEED,
    best_speed_study,
    conditions_of,
    energy_study,
    fastest_current,
    front_study,
    reach_study,
)
from usv_energy.studies.plan.steady_motion import top_speed
from usv_energy.studies.plan.steady_range import polar

BOAT = with_static_load(read_boat('lutra_prop'), 5.0)
STILL = UniformFlow()


def test_rest_is_the_same_in_all_directions_and_stands_once():
    assert conditions_of([0.0, 0.3], [10.0, 200.0]) == [(0.0, 10.0), (0.3, 10.0), (0.3, 200.0)]
    assert conditions_of([0.3], [10.0, 200.0]) == [(0.3, 10.0), (0.3, 200.0)]


def test_a_static_load_takes_the_place_of_the_boat_s_own():
    assert with_static_load(BOAT, 7.0).vessel == BOAT.vessel._replace(static_load=7.0)
    assert with_static_load(BOAT, None) is BOAT


def test_speeds_go_up_to_the_top_speed_in_the_fastest_current_unless_they_are_given():
    study = energy_study(BOAT, 4, [(0.0, 0.0), (0.4, 90.0)], [(0.0, 0.0)], 5)
    np.testing.assert_allclose(study.speeds, np.linspace(LEAST_SPEED, top_speed(BOAT.vessel) + 0.4, 5))
    np.testing.assert_array_equal(study.result.courses_deg, [0.0, 90.0, 180.0, 270.0])
    given = best_speed_study(BOAT, 4, [(0.0, 0.0)], [(0.0, 0.0)], [0.3, 0.5, 0.7])
    assert given.speeds.tolist() == [0.3, 0.5, 0.7]
    motionless = replace(BOAT, vessel=BOAT.vessel._replace(thrusters=tuple(
        thruster._replace(max_thrust=1e-6) for thruster in BOAT.vessel.thrusters)))
    with pytest.raises(InputError, match='cannot go faster'):
        energy_study(motionless, 4, [(0.0, 0.0)], [(0.0, 0.0)])


def test_the_best_speed_by_course_is_that_of_the_range():
    """Wind and water carry a BlueBoat along: energy over speed has two valleys, and 24 speeds missed one by 47 %."""
    boat, courses = read_boat('blueboat'), np.radians(np.arange(0.0, 360.0, 5.0))
    found = best_speed_study(boat, courses.size, [(0.514, 0.0)], [(6.17, 225.0)]).result
    flow = Flow(0.514, 0.0, 6.17 * math.cos(math.radians(225.0)), 6.17 * math.sin(math.radians(225.0)))
    least = polar(boat.vessel, flow, courses).energy_per_meter
    assert np.abs(found.energy_per_meter[:, 0, 0] / least - 1.0).max() < 0.05


def test_a_map_too_large_for_the_memory_is_refused_before_it_is_begun():
    with pytest.raises(InputError, match='at most 20000000'):
        energy_study(BOAT, 72, [(0.1, float(n)) for n in range(400)], [(0.0, 0.0)], 1000)


def test_the_fastest_current_is_looked_for_where_it_is():
    river = River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0})
    assert fastest_current(CurrentAndWind(river, STILL), (0.0, 0.0)) == pytest.approx(0.6, rel=1e-3)
    assert fastest_current(CurrentAndWind(UniformFlow(0.3, -0.4), STILL), (0.0, 0.0)) == pytest.approx(0.5)


def test_the_reach_is_that_of_the_battery_unless_an_energy_is_given():
    fields = CurrentAndWind(STILL, STILL)
    of_battery = reach_study(BOAT, fields, (0.0, 0.0), None, [0.3, 0.55, 0.8], 25)
    assert of_battery.result.limit == 148.0 * 3600.0
    half = reach_study(BOAT, fields, (0.0, 0.0), 74.0 * 3600.0, [0.3, 0.55, 0.8], 25)
    assert half.result.distances[0] == pytest.approx(0.5 * of_battery.result.distances[0], rel=1e-9)
    with pytest.raises(InputError, match='has no battery'):
        reach_study(replace(BOAT, battery=None), fields, (0.0, 0.0))


def test_the_front_ends_at_the_best_speed_of_the_course():
    study = front_study(BOAT, CurrentAndWind(STILL, STILL), (0.0, 0.0), (60.0, 80.0), points=11)
    best = best_speed_study(BOAT, 4, [(0.0, 0.0)], [(0.0, 0.0)]).result
    cheapest = study.result.routes[-1]
    assert cheapest.energy == pytest.approx(100.0 * float(best.energy_per_meter[0, 0, 0]), rel=1e-6)
    assert math.isclose(cheapest.length, 100.0)


def test_a_start_outside_the_extent_is_refused():
    still = CurrentAndWind(UniformFlow(), UniformFlow())
    with pytest.raises(InputError, match=r'the start, x = 0 m, y = 0 m: lies outside the extent, 5, 5, 6, 6 m'):
        reach_study(read_boat('lutra_prop'), still, (0.0, 0.0), 1000.0, extent=(5.0, 5.0, 6.0, 6.0))


def test_a_lattice_too_fine_for_the_memory_is_refused_before_it_is_made():
    boat, still = read_boat('lutra_prop'), CurrentAndWind(UniformFlow(), UniformFlow())
    with pytest.raises(InputError, match=r'a grid of 1000000 points .*; must be at most 1000'):
        reach_study(boat, still, (0.0, 0.0), 1000.0, points=1_000_000)
    with pytest.raises(InputError, match=r'a grid of 1001 points .*; must be at most 1000'):
        front_study(boat, still, (0.0, 0.0), (10.0, 0.0), points=1001)
