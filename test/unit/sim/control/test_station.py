import math
from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.sim.control.control import Gains
from usv_energy.sim.control.guidance import STEERAGE, Helm, helm_of
from usv_energy.sim.leg_energy import WaypointOrder
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.steady_motion import top_speed

HOLD = 200.0  # s
PLACE = (6.0, 0.0)


def held(name, current, direction=0.0, heading=None):
    """Return the rows of a boat at its place, the last 50 s of the time that it stays there."""
    boat = read_boat(name)
    inertia = boat.vessel.inertia
    run = run_scenario(replace(
        read_scenario('3'), boat=boat, plant=boat, waypoints=(PLACE,), speed=0.5, lookahead=3.0, by_course=True,
        gains=Gains(inertia.m33, 1.5 * inertia.m33, 0.5 * inertia.m11, 0.2 * inertia.m11), wind=UniformFlow(0.0, 0.0),
        current=UniformFlow(current * math.cos(direction), current * math.sin(direction)), timeout=400.0, radius=1.0,
        start=(0.0, 0.0, 0.0), orders=(WaypointOrder(hold=HOLD, heading=heading),)))
    assert run.outcome == 'reached'
    return [row for row in run.rows if row.time > run.duration - 50.0]


@pytest.mark.parametrize('name, watts', [
    ('lutra_prop', 16.296 * 0.4 ** 2),         # d11 U^2
    ('lutra_prop_usvsim', 11.28 * 0.4 ** 3)])  # d11_q U^3
def test_a_place_is_held_for_what_the_current_s_drag_costs(name, watts):
    """Thesis 6.3.2: 0.40 m/s."""
    direction = 2.0
    rows = held(name, 0.4, direction)
    assert sum(row.power.thrust for row in rows) / len(rows) == pytest.approx(watts, rel=2e-3)
    assert max(math.hypot(row.x - PLACE[0], row.y - PLACE[1]) for row in rows) < 0.05
    assert math.cos(rows[-1].motion.yaw - direction) == pytest.approx(-1.0, abs=1e-3), 'the bow is against the current'


def test_in_still_water_a_place_costs_nothing_and_the_ordered_heading_is_taken():
    rows = held('lutra_prop', 0.0, heading=2.5)
    assert sum(row.power.thrust for row in rows) / len(rows) < 1e-6
    assert rows[-1].motion.yaw == pytest.approx(2.5, abs=1e-3)


def test_a_boat_that_needs_way_to_turn_keeps_near_its_place():
    assert helm_of(read_boat('lutra_rudder').vessel) == Helm(STEERAGE, None)
    rows = held('lutra_rudder', 0.3)
    assert max(math.hypot(row.x - PLACE[0], row.y - PLACE[1]) for row in rows) < 5.0


@pytest.mark.parametrize(('name', 'moment'), [
    ('lutra_prop', 2 * 11.5 * 0.966 * 0.08),    # As much astern as ahead, by its tilt.
    ('blueboat', 2 * 25.05 * 0.295)])           # 25 N astern, 50 N ahead: more ahead than astern would drive it off.
def test_the_most_that_turns_a_boat_on_the_spot_is_set_by_its_weaker_thrust(name, moment):
    helm = helm_of(read_boat(name).vessel)
    assert (helm.steerage, helm.arm) == (0.0, None)
    assert helm.most == pytest.approx(moment, rel=0.05)


@pytest.mark.parametrize(('name', 'current', 'watts'), [('blueboat', 0.0, 15.0), ('wamv', 0.0, 15.0)])
def test_a_boat_brakes_with_its_thrust_astern_and_does_not_circle_about_its_place(name, current, watts):
    """It turned about to brake, drove ahead by what it turned with, and circled for hundreds of watts."""
    rows = held(name, current)
    power = sum(row.power.total - row.power.static_load for row in rows) / len(rows)
    assert power < watts
    assert max(math.hypot(row.x - PLACE[0], row.y - PLACE[1]) for row in rows) < 2.5


def test_a_boat_that_arrives_stops_near_its_place_and_does_not_circle_about_it():
    """It glided on below the least force that counts, left its place, turned back, and so for ever: 36 W more."""
    place = Waypoint(LocalPlace(6.0, 0.0), 0, hold=100.0)
    still, boat = UniformFlow(), read_boat('blueboat')
    run = run_scenario(mission_scenario(Itinerary('place', LocalPlace(0.0, 0.0), True, (place,)), boat, still, still,
                                        0.4 * top_speed(boat.vessel)).scenario)
    rows = [row for row in run.rows if row.time > run.duration - 50.0]
    assert max(abs(row.motion.r) for row in rows) < 1e-3
    assert max(math.hypot(row.x - 6.0, row.y) for row in rows) < 1.0


def test_a_ferry_that_pushes_sideways_lies_in_a_current_and_does_not_spin():
    """Its bow followed each push, so that it spun and slid around its place by 1.1 m/s, for 2 kW."""
    place = Waypoint(LocalPlace(30.0, 0.0), 0, hold=120.0)
    boat = read_boat('milliampere')
    run = run_scenario(mission_scenario(Itinerary('place', LocalPlace(0.0, 0.0), True, (place,)), boat,
                                        UniformFlow(0.3, -0.1), UniformFlow(), 1.0).scenario)
    rows = [row for row in run.rows if row.time > run.duration - 60.0]
    assert max(math.hypot(row.x - 30.0, row.y) for row in rows) < 1.0
    assert sum(row.power.total for row in rows) / len(rows) < 100.0
