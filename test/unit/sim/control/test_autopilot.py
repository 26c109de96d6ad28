import math
from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.control.control import course_gains
from usv_energy.sim.leg_energy import WaypointOrder
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario


def test_an_autopilot_that_is_done_asks_for_nothing():
    autopilot = Autopilot(read_scenario('1'))
    assert autopilot.steer(0.0, 240.0, 95.0, 0.0, (0.0, 0.0, 0.0)).commands == pytest.approx((11.5, 11.5))
    assert not autopilot.done
    assert autopilot.steer(1.0, 269.0, 95.0, 0.0, (0.0, 0.0, 0.0)) is None and autopilot.done
    assert autopilot.steer(2.0, 240.0, 95.0, 0.0, (0.0, 0.0, 0.0)) is None


def orders(*given, **options):
    """Return scenario 3's run along two legs of 20 m with orders for its waypoints."""
    return run_scenario(replace(read_scenario('3'), waypoints=((20.0, 0.0), (20.0, 20.0)), start=(0.0, 0.0, 0.0),
                                speed=0.6, lookahead=2.0, radius=1.0, timeout=300.0, orders=given, by_course=True,
                                **options))


def speeds_at(run, test):
    return [math.hypot(row.motion.u, row.motion.v) for row in run.rows if test(row)]


def test_each_leg_has_its_own_speed_and_a_hold_takes_its_time():
    still = {'current': UniformFlow(0.0, 0.0)}
    run = orders(WaypointOrder(speed=0.8), WaypointOrder(), **still)
    on_first, on_second = (lambda row: 10.0 < row.x < 15.0 and row.y < 1.0), (lambda row: 12.0 < row.y < 16.0)
    for speed, on_leg in ((0.8, on_first), (0.6, on_second)):
        assert max(abs(found - speed) for found in speeds_at(run, on_leg)) < 5e-3 * speed
    held = orders(WaypointOrder(speed=0.8, hold=40.0), WaypointOrder(), **still)
    assert held.duration - run.duration == pytest.approx(40.0, abs=6.0), 'and the way to a stop and from it'


@pytest.mark.parametrize('x, y', [(0.0, 0.3), (-0.2, 0.2), (0.15, -0.1)])
def test_by_course_a_boat_stays_on_its_leg_in_a_current_at_its_speed_over_ground(x, y):
    run = orders(current=UniformFlow(x, y))
    assert run.outcome == 'reached'
    on_first = [row for row in run.rows if 10.0 < row.x < 15.0 and row.y < 3.0]
    assert max(abs(row.y) for row in on_first) < 0.1
    for row in on_first:
        assert math.hypot(row.motion.u, row.motion.v) == pytest.approx(0.6, rel=0.02)


def test_by_course_a_leg_ends_at_the_line_across_its_end_too():
    """A radius of 1 mm is never met."""
    assert orders(WaypointOrder(radius=0.001), WaypointOrder(radius=0.001)).outcome == 'reached'


@pytest.mark.parametrize('x, y', [(0.35, 0.3), (-0.3, 0.25)])
def test_a_rudder_is_laid_by_the_water_and_not_by_the_ground(x, y):
    """
    A current up to twice as fast as the boat goes through it: on its line, at its speed over ground.

    With the rudder's angle reckoned from the motion over ground it never came in the first of these, and needed a
    fifth more time in the second.
    """
    boat = read_boat('lutra_rudder_t200')
    speed = max(0.35, 0.3 + x)
    scenario = replace(read_scenario('3'), boat=boat, plant=boat, start=(0.0, 0.0, 0.0), waypoints=((100.0, 0.0),),
                       current=UniformFlow(x, y), wind=UniformFlow(0.0, 0.0), speed=speed, lookahead=3.2, radius=1.6,
                       timeout=1000.0, by_course=True, gains=course_gains(boat.vessel, speed, 3.2)[0])
    run = run_scenario(scenario)
    assert run.outcome == 'reached'
    later = [row for row in run.rows if row.x > 60.0]
    assert max(abs(row.y) for row in later) < 0.2
    speeds = [math.hypot(row.motion.u, row.motion.v) for row in later]      # It swings by 0.13 m in the second.
    assert sum(speeds) / len(speeds) == pytest.approx(speed, rel=2e-3)
    assert speeds == pytest.approx([speed] * len(speeds), rel=0.05)
