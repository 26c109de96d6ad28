import math
from dataclasses import replace

import numpy as np
import pytest
from mission_boats import long_mission, mission_of_boat

from usv_energy.boats.boat_file import read_boat
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.missions.itinerary import CIRCLE, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.runner import run_scenario
from usv_energy.studies.mission.corner_runs import run_stops
from usv_energy.studies.mission.mission_estimate import corners_of, corners_on_another_way, legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario

STILL = UniformFlow()
BOX = ((50.0, 0.0), (50.0, 50.0), (0.0, 50.0), (0.0, 0.0))
LANES = tuple((60.0 * (number % 4 in (0, 1)), 10.0 * ((number + 1) // 2)) for number in range(9))
THERE_AND_BACK = (80.0, 0.0), (0.0, 0.0), (80.0, 0.0), (40.0, 0.0)
SHORT = ((20.0, 0.0), (28.0, 6.0), (36.0, 0.0), (44.0, 8.0), (52.0, 0.0), (70.0, 0.0), (75.0, 5.0), (80.0, 15.0),
         (70.0, 30.0))
FAR = np.random.default_rng(1).uniform(0.0, 100.0, (7, 2)).tolist()


def mission(boat, places, speed=None, current=STILL, wind=STILL, **orders):
    """Return a mission from 0, 0 through places as scenario; `holds`, `speeds`, `headings` by the place's index."""
    holds, speeds, headings = (orders.get(name, {}) for name in ('holds', 'speeds', 'headings'))
    way = tuple(Waypoint(LocalPlace(*place), number, hold=holds.get(number, 0.0), speed=speeds.get(number),
                         heading=headings.get(number))
                for number, place in enumerate(places))
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, way)
    return mission_scenario(itinerary, read_boat(boat), current, wind, speed).scenario


@pytest.mark.parametrize('speed, watts', [(1.0, 12.59), (1.5, 113.9)])
@pytest.mark.parametrize('against', [0.0, 0.3])
def test_a_kilometre_of_a_power_curve_costs_the_table_s_watts(speed, watts, against):
    """The BlueBoat's measured table; in a head current the boat goes slower over ground for the same watts."""
    over_ground = speed - against
    legs = legs_estimate(mission('blueboat_watts_only', [(1000.0, 0.0)], over_ground, UniformFlow(-against, 0.0)))
    # Against the current it is slower over ground, and so through the air, too.
    assert legs.total.sum() == pytest.approx(watts * 1000.0 / over_ground, rel=0.01 if against else 1e-9)
    assert legs.end[-1] == pytest.approx(1000.0 / over_ground, rel=1e-12)


@pytest.mark.parametrize('places, speed, options', [
    (LANES, 0.7, {}),
    (BOX, 0.6, {'current': UniformFlow(0.15, 0.1)}),
    (FAR, 0.6, {'wind': UniformFlow(-3.0, 1.0)}),
    (BOX, 0.6, {'current': UniformFlow(0.2, -0.1), 'wind': UniformFlow(2.0, 0.0), 'holds': {0: 60.0, 2: 120.0},
                'speeds': {2: 0.8}}),
    (FAR, 0.8, {'current': UniformFlow(-0.2, 0.15), 'wind': UniformFlow(2.0, 2.0)})])
def test_time_and_energy_are_those_of_the_simulator_within_three_percent(places, speed, options):
    scenario = mission('lutra_prop', places, speed, **options)
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert run.outcome == 'reached' and legs.feasible.all()
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.03)
    assert legs.total.sum() == pytest.approx(run.energy.total, rel=0.03)


@pytest.mark.parametrize('boat, course', [
    ('blueboat_start', 'box, holds, speeds, current, wind'), ('wamv', 'any way, hold, speeds, current, wind'),
    ('otter', 'box, holds, speeds, current, wind'), ('lutra_rudder', 'any way, wind'),
    ('kayak', 'any way, hold, speeds, current, wind'), ('lutra_airboat', 'any way, wind')])
def test_boats_of_other_kinds_and_sizes_too(boat, course):
    """`./run bench --only mission` prints all of them, those that are further off with them."""
    scenario = mission_of_boat(boat, course)
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert run.outcome == 'reached' and legs.feasible.all()
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.03)
    assert legs.total.sum() == pytest.approx(run.energy.total, rel=0.03)


@pytest.mark.parametrize('boat, speed, places', [
    ('kayak', 1.5, THERE_AND_BACK), ('blueboat', 1.72, THERE_AND_BACK), ('kayak', 1.5, SHORT)])
def test_reversals_and_rows_of_short_legs_go_as_the_boat_comes_to_them(boat, speed, places):
    """It goes beside its line in a wind, which decides to which side it turns round; on a short leg it still turns."""
    scenario = mission(boat, places, speed, UniformFlow(0.0, 0.15), UniformFlow(-2.12, -2.12))
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.015)
    assert legs.total.sum() == pytest.approx(run.energy.total, rel=0.015)


@pytest.mark.parametrize('boat', ['lutra_prop', 'blueboat', 'wamv'])
@pytest.mark.parametrize('length, hold', [(3.0, 0.0), (6.0, 30.0), (12.0, 0.0), (25.0, 30.0)])
def test_a_leg_shorter_than_the_run_up_takes_what_it_does_in_the_simulation(boat, length, hold):
    """Of the boat's usual speed; a WAM-V lies within the radius of a place that is 6 m off, and does not move."""
    scenario = mission(boat, [(length, 0.0)], holds={0: hold})
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.02, abs=0.1)   # The simulation's period.
    assert legs.total[0] == pytest.approx(run.energy.total, rel=0.02, abs=4.0)  # J, of a lutra's last 0.1 s.
    assert legs.total[0] >= 0.0


@pytest.mark.parametrize('boat', ['lutra_prop', 'wamv'])
def test_short_legs_after_each_other_take_each_what_they_do_in_the_simulation(boat):
    """The first of them ends within the WAM-V's radius and takes nothing; none takes less."""
    scenario = mission(boat, [(6.0, 0.0), (12.0, 3.0), (24.0, 0.0), (24.0, 12.0)])
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    by_leg = [0.0] * (4 - len(run.legs)) + [leg.of('total') for leg in run.legs]
    assert legs.total == pytest.approx(by_leg, rel=0.05, abs=0.01 * run.energy.total) and (legs.total >= 0.0).all()
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.02)


def test_corners_that_are_alike_are_run_once_and_change_nothing():
    """A mission of a hundred equal lanes costs per lane what one of ten costs."""
    short, long = (legs_estimate(long_mission('lutra_prop', number, False)) for number in (20, 200))
    assert long.total[8:18] == pytest.approx(short.total[8:18], rel=1e-12)
    assert long.total[108:118] == pytest.approx(short.total[8:18], rel=1e-9)


def test_corners_of_a_way_that_was_changed_are_about_those_before():
    """Turned, in still water, they are the same; one place moved of many leaves the rest; another way has none."""
    before = mission('lutra_prop', LANES, 0.6)
    corners = corners_of(before)
    turned = mission('lutra_prop', [(-y, x) for x, y in LANES], 0.6)
    same = corners_on_another_way(corners, before, turned, 0.0)
    np.testing.assert_allclose(same.energy, corners_of(turned).energy, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(same.of_stop, corners_of(turned).of_stop, rtol=1e-6, atol=1e-6)
    assert corners_on_another_way(corners, before, mission('lutra_prop', FAR, 0.6), 0.0) is None

    wind = UniformFlow(2.0)
    lanes = [(60.0 * (number % 4 in (0, 1)), 10.0 * ((number + 1) // 2)) for number in range(60)]
    before = mission('blueboat', lanes, 0.7, wind=wind)
    moved = mission('blueboat', [*lanes[:30], (12.0, 150.0), *lanes[31:]], 0.7, wind=wind)
    about = legs_estimate(moved, 0.0, corners_on_another_way(corners_of(before), before, moved, 0.0))
    exact, steady = legs_estimate(moved), legs_estimate(moved, 0.0, corners_of(moved)._replace(
        energy=np.zeros((len(CAUSES), 60)), of_stop=np.zeros((len(CAUSES), 60)), time=np.zeros(60)))
    assert about.total.sum() == pytest.approx(exact.total.sum(), rel=0.015)
    assert steady.total.sum() < 0.9 * exact.total.sum(), 'there is much to carry over'
    assert about.end[-1] == pytest.approx(exact.end[-1], rel=0.005)


def test_a_corner_of_no_angle_costs_nothing_and_causes_sum():
    one = legs_estimate(mission('lutra_prop', [(80.0, 0.0)], 0.6))
    two = legs_estimate(mission('lutra_prop', [(30.0, 0.0), (80.0, 0.0)], 0.6))
    assert two.total.sum() == pytest.approx(one.total.sum(), rel=2e-3)
    assert two.end[-1] == pytest.approx(one.end[-1], rel=2e-3)
    by_cause = dict(zip(CAUSES, legs_estimate(mission('lutra_prop', BOX, 0.6, UniformFlow(0.1, 0.1))).energy))
    parts = [by_cause[name] for name in ('thrust', 'unrecovered', 'losses', 'allocation', 'static_load', 'loads')]
    assert sum(parts) == pytest.approx(by_cause['total'], rel=1e-12)
    thrust = [by_cause[name] for name in ('inertia', 'damping', 'wind', 'foils', 'side_force', 'residual')]
    assert sum(thrust) == pytest.approx(by_cause['thrust'], rel=1e-9)


def test_a_mirrored_way_costs_the_same():
    left, right = (legs_estimate(mission('lutra_prop', [(x, sign * y) for x, y in FAR], 0.6)) for sign in (1.0, -1.0))
    assert left.total == pytest.approx(right.total, rel=1e-9)


def test_a_hold_costs_the_current_s_drag():
    scenario = mission('lutra_prop', [(40.0, 0.0)], 0.5, UniformFlow(0.0, 0.4), holds={0: 4000.0})
    # Of the stop a few joules are in it.
    assert legs_estimate(scenario).of_hold[0] == pytest.approx(4000.0 * 16.296 * 0.4 ** 2, rel=2e-3)


def test_a_flow_that_changes_is_taken_where_the_boat_is():
    """Obliquely across the river's bank layer, where the water runs slower the nearer the bank."""
    river = read_flow('river')
    begin, end = np.array([160.0, 70.0]), np.array([240.0, 110.0])
    scenario = replace(mission('lutra_prop', [tuple(end)], 0.9), current=river, start=(*begin, 0.0))
    velocity = 0.9 * (end - begin) / math.dist(begin, end)
    x, y = (begin + (end - begin) * (np.arange(4000)[:, None] + 0.5) / 4000).T
    vx, vy, _ = river.velocity(0.0, x, y)
    exact = 16.296 * np.mean((velocity[0] - vx) ** 2 + (velocity[1] - vy) ** 2) * math.dist(begin, end) / 0.9
    legs = legs_estimate(scenario)
    river.close()
    assert legs.total[0] - legs.of_corner[0] == pytest.approx(exact, rel=0.01)


def test_what_the_thrusters_cannot_is_said_leg_by_leg():
    legs = legs_estimate(mission('lutra_prop', [(50.0, 0.0), (0.0, 0.0)], 1.0, UniformFlow(0.5, 0.0)))
    assert legs.feasible.tolist() == [True, False]


def test_holds_that_begin_alike_are_run_once(monkeypatch):
    """Three times over, the boat begins each hold at the place where it ended the one before; two others are alike."""
    places, holds = [(90.0, 0.0)] * 4 + [(90.0, 200.0), (0.0, 0.0)], {0: 30.0, 1: 30.0, 2: 30.0, 3: 30.0, 4: 50.0}
    counts = []

    def counted(vessel, gains, begin, *more):
        counts.append(begin.state.x.size)
        return run_stops(vessel, gains, begin, *more)

    monkeypatch.setattr('usv_energy.studies.mission.corner_costs.run_stops', counted)
    asked = mission('lutra_prop', places, 0.7, holds=holds)
    known = legs_estimate(asked)
    assert max(counts) == 1, 'in still water it does not matter from where the boat comes'
    north = mission('lutra_prop', [(0.0, 90.0), (200.0, 90.0)], 0.7, holds={0: 30.0, 1: 50.0})
    assert legs_estimate(north).of_hold == pytest.approx(known.of_hold[[0, 4]], rel=1e-6)


def test_of_many_holds_similar_ones_share_a_run(monkeypatch):
    """Three holds in a current along the way, their headings 2 degrees apart: one run stands for all."""
    places, holds = [(90.0, 0.0), (190.0, 0.0), (290.0, 0.0)], dict.fromkeys(range(3), 40.0)
    asked = mission('lutra_prop', places, 0.7, holds=holds, current=UniformFlow(0.2, 0.0),
                    headings={0: 0.0, 1: 0.035, 2: 0.07})
    known = legs_estimate(asked)
    monkeypatch.setattr('usv_energy.studies.mission.corner_costs.MOST_RUNS', 1)
    assert legs_estimate(asked).of_hold == pytest.approx(known.of_hold, rel=0.05)


def test_a_circle_of_more_turns_than_a_mission_may_have_legs_is_refused():
    way = (Waypoint(LocalPlace(50.0, 0.0), 1, CIRCLE, turns=-3000.0, circle_radius=5.0),)
    with pytest.raises(InputError, match='has 72001 legs, 24 for each turn of a circle; must be at most 65535'):
        mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), read_boat('lutra_prop'), STILL, STILL, 0.7)


def test_a_mission_in_degrees_is_as_long_as_its_geodesics_and_circles_are_gone_round():
    home = Place(48.0, -4.0)
    way = (Waypoint(Place(48.01, -4.0), 1), Waypoint(Place(48.01, -4.0), 2, CIRCLE, turns=2.0, circle_radius=20.0))
    placed = mission_scenario(Itinerary('m', home, True, way), read_boat('lutra_prop'), STILL, STILL, 0.6)
    legs = legs_estimate(placed.scenario)
    # GeographicLib: 48 to 48.01 degrees north on WGS84 is 1111.95 m.
    assert legs.length[0] == pytest.approx(1111.95, abs=0.05)
    around = 2.0 * 24.0 * 2.0 * 20.0 * math.sin(math.pi / 24.0)
    assert legs.length[1:].sum() == pytest.approx(20.0 + around, rel=1e-3)
    assert placed.items[0] == 1 and set(placed.items[1:]) == {2}


def test_speeds_come_from_the_mission_the_plan_or_the_boat():
    with_speed = mission('lutra_prop', BOX, 0.6, speeds={1: 0.9})
    assert legs_estimate(with_speed).speed.tolist() == [0.6, 0.9, 0.6, 0.6]
    own = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(9.0, 0.0), 1),)),
                           read_boat('lutra_prop'), STILL, STILL)
    assert 'of the top speed' in own.speed_from
    planned = mission_scenario(replace(Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(9.0, 0.0), 1),)),
                                       speed=0.4), read_boat('lutra_prop'), STILL, STILL)
    assert planned.scenario.speed == 0.4 and planned.speed_from == 'as the mission was planned'


def test_a_mission_that_goes_nowhere_is_refused():
    with pytest.raises(InputError, match='goes nowhere'):
        mission('lutra_prop', [(0.0, 0.0)], 0.5)


def test_a_corner_of_a_ferry_is_known_within_five_percent():
    """Four thrusters that turn all around; corner and run are steered alike, or they differ by half."""
    scenario = mission('milliampere', [(40.0, 0.0), (40.0, 40.0)], 0.8)
    legs, run = legs_estimate(scenario), run_scenario(scenario)
    assert run.outcome == 'reached'
    assert legs.end[-1] == pytest.approx(run.duration, rel=0.05)
    assert legs.total.sum() == pytest.approx(run.energy.total, rel=0.05)
