"""Where the reserve ends and home is out of reach, by hand: a boat of known watts, in still water and in a current."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_charge, with_static_load
from usv_energy.boats.power_curve import power_at
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint, itinerary_of
from usv_energy.missions.mission import (
    CHANGE_SPEED,
    JUMP,
    LOCAL_NED,
    RETURN_TO_LAUNCH,
    WAYPOINT,
    LocalPlace,
    Mission,
    MissionItem,
)
from usv_energy.physics.motion import Flow
from usv_energy.studies.mission.mission_battery import GO, NO_GO, UNSURE, lines_to_empty
from usv_energy.studies.mission.mission_page import LEG_HEADS, leg_row
from usv_energy.studies.mission.mission_pictures import charge_curve_of
from usv_energy.studies.mission.mission_scenario import all_legs_at, mission_scenario
from usv_energy.studies.mission.mission_study import fitting_mission, mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
from usv_energy.studies.mission.mission_words import enough_charge, speed_table
from usv_energy.studies.plan import steady_range

BOAT = read_boat('blueboat_watts_only')
STILL = UniformFlow()
USABLE = 0.8 * 266.4 * 3600.0  # J down to the reserve


def watts(speed):
    return float(power_at(BOAT.power_curve, speed))


def study(places, speed, current=STILL, boat=BOAT, holds=(), speeds=()):
    way = tuple(Waypoint(LocalPlace(*place), number, hold=dict(holds).get(number, 0.0), speed=dict(speeds).get(number))
                for number, place in enumerate(places, start=1))
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, way)
    return mission_study(mission_scenario(itinerary, boat, current, STILL, speed))


def test_in_still_water_the_boat_turns_back_half_way_to_where_its_reserve_begins():
    done = study([(8000.0, 0.0), (8000.0, 12000.0)], 1.5)
    reach = USABLE / watts(1.5) * 1.5
    reached, back = done.limits.reached, done.limits.turn_back
    assert (reached.leg, reached.x) == (1, 8000.0)
    assert reached.along == pytest.approx(reach - 8000.0, rel=1e-6)
    assert reached.time == pytest.approx(reach / 1.5, rel=1e-6) and reached.charge == pytest.approx(0.2)
    assert (back.leg, back.y) == (0, 0.0)
    assert 0.0 <= 0.5 * reach - back.x <= 8000.0 / 200.0, 'the last of 200 points of the leg before it'
    assert done.limits.batteries == pytest.approx(20000.0 / reach, rel=1e-6)
    assert done.limits.way_back.energy == pytest.approx(watts(1.5) * math.hypot(8000.0, 12000.0) / 1.5, rel=1e-6)
    assert done.verdict == NO_GO
    text = mission_study_text(done)
    assert f'The reserve of 20 % is reached on leg 2, {reach / 1e3 - 8.0:.2f} km along it' in text
    assert 'It takes 2 batteries of 266.4 Wh each' in text and 'Turn back at the latest' in text


def test_against_the_current_home_is_nearer():
    """Out with 0.3 m/s at 1.5 over ground, 1.2 through the water, and back at 1.8."""
    done = study([(9000.0, 0.0)], 1.5, current=UniformFlow(0.3, 0.0))
    turn = USABLE * 1.5 / (watts(1.2) + watts(1.8))
    assert 0.0 <= turn - done.limits.turn_back.x <= 9000.0 / 400.0
    assert done.limits.reached is None and done.verdict == GO


def test_a_hold_can_take_the_reserve():
    """Two hours at 0.5 m/s of current, of 2.08 W more than nothing, are less than a stay of 200 h."""
    done = study([(1000.0, 0.0), (0.0, 0.0)], 1.0, current=UniformFlow(0.0, 0.5), holds={1: 200 * 3600.0})
    reached = done.limits.reached
    assert (reached.leg, reached.along, reached.x) == (0, 1000.0, 1000.0)
    of_hold = float(done.legs.of_hold[0]) / (200 * 3600.0)
    under_way = float(done.legs.total[0] - done.legs.of_hold[0])
    assert reached.time == pytest.approx(1000.0 + (USABLE - under_way) / of_hold, rel=1e-6)


def test_a_mission_that_ends_at_home_says_so():
    done = study([(1000.0, 0.0), (0.0, 0.0)], 1.0)
    assert done.limits.way_back is None and done.limits.turn_back is None
    text = mission_study_text(done)
    assert 'It ends at home.' in text and 'From everywhere on its way the boat gets straight home' in text


@pytest.mark.parametrize('speeds', [{}, {1: 1.0, 2: 2.0}])
def test_each_row_of_the_speeds_is_the_mission_at_that_speed(speeds):
    done = study([(3000.0, 0.0), (3000.0, 2000.0)], 1.5, speeds=speeds, current=UniformFlow(0.2, 0.0))
    own, *others = done.speeds
    assert math.isnan(own.speed) == bool(speeds)
    assert (own.energy, own.time, own.charge) == pytest.approx((done.energy, done.time, float(done.charge[-1])))
    for row in others:
        again = mission_study(all_legs_at(done.mission, row.speed))
        assert (again.energy, again.time) == pytest.approx((row.energy, row.time), rel=1e-9)
        assert (again.verdict == GO) == row.suffices
    marked = [row for row in speed_table(done)[1:] if 'least energy' in row[-1]]
    assert len(marked) == 1
    least = min(row.energy for row in done.speeds)
    assert float(marked[0][3]) == pytest.approx(least / 3600.0, abs=0.05)
    assert ("the plan's" in {row[0] for row in speed_table(done)}) == bool(speeds)


def test_the_speed_of_least_energy_is_found_in_a_second_valley():
    """Set along and blown, a BlueBoat drifts at 0.43 m/s for half of what the watts at 1 m/s cost."""
    boat, course = read_boat('blueboat'), math.radians(-80.0)
    water, air = UniformFlow(0.514, 0.0), UniformFlow(-4.365, -4.365)
    way = Waypoint(LocalPlace(500.0 * math.cos(course), 500.0 * math.sin(course)), 1)
    done = mission_study(mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, (way,)), boat, water, air, 1.0))
    least = min(done.speeds, key=lambda row: row.energy)
    best = steady_range.best_speed(boat.vessel, 1.0, course, Flow(0.514, 0.0, -4.365, -4.365))
    assert abs(least.speed - best.speed) < 0.006
    assert least.energy == pytest.approx(500.0 * best.power / best.speed, rel=0.02)
    assert all(least.energy < 0.7 * row.energy for row in done.speeds if abs(row.speed - least.speed) > 0.01)


def test_rows_and_help_are_the_run_where_turns_cost():
    """Six turns of a boat with thrusters: corners are run at each speed, and end with those of their mission."""
    lanes_there = [(100.0 * (number // 2 % 2), 20.0 * ((number + 1) // 2)) for number in range(1, 8)]
    done = study(lanes_there, 1.5, boat=read_boat('blueboat'), current=UniformFlow(0.1, 0.1))
    for row in done.speeds[1::12]:
        again = mission_study(all_legs_at(done.mission, row.speed))
        assert (again.energy, again.time) == pytest.approx((row.energy, row.time), rel=1e-9), row.speed
    assert done.advice.cheapest == min(done.speeds, key=lambda row: row.energy), 'one grid of speeds'


def test_the_fastest_row_is_the_last_that_leaves_the_reserve():
    done = study([(9000.0, 0.0)], 1.0)
    enough = [row for row in done.speeds if watts(row.speed) * 9000.0 / row.speed <= USABLE]
    assert {row.suffices for row in done.speeds} == {True, False}
    fastest = max(enough, key=lambda row: row.speed)
    row = next(row for row in speed_table(done)[1:] if 'fastest within the reserve' in row[-1])
    assert row[0] == f'{fastest.speed:.2f}' and row[5] == 'GO'


def test_no_charge_is_below_0_and_where_the_battery_is_empty_is_said():
    done = study([(8000.0, 0.0), (8000.0, 12000.0)], 1.5)
    reach = 1.25 * USABLE / watts(1.5) * 1.5
    figures, text, (head, *rows) = mission_study_figures(done), mission_study_text(done), speed_table(done)
    assert figures['battery_empty']['along_m'] == pytest.approx(reach - 8000.0, rel=1e-6)
    assert f'empty, at 0 %, on leg 2, {reach / 1e3 - 8.0:.2f} km along it' in text
    assert done.charge[-1] < 0.0 == figures['legs'][-1]['state_of_charge'] == figures['state_of_charge_at_end']
    assert figures['way_home_from_end']['state_of_charge_at_home'] == 0.0
    assert min(row['state_of_charge_at_end'] for row in figures['speeds']) == 0.0
    assert all(float(row[head.index('charge, %')]) >= 0.0 for row in rows)
    cells = dict(zip(LEG_HEADS[1:], leg_row(done, 1).cells))
    assert cells['charge, %'][0] == '0' and '-' not in cells['charge, %'][1]
    curve = charge_curve_of(done)
    assert np.interp(reach / 1.5 / 3600.0, curve.time, curve.values) == pytest.approx(0.0, abs=1e-6)
    assert np.interp(0.9 * reach / 1.5 / 3600.0, curve.time, curve.values) == pytest.approx(10.0, rel=1e-6)
    assert curve.values.min() == 0.0
    at, (one, other) = lines_to_empty(np.array([0.0, 1.0, 3.0]), [np.array([2.0, 1.0, -1.0]),
                                                                  np.array([3.0, 2.0, 0.5])])
    np.testing.assert_allclose((at, one, other), ([0.0, 1.0, 2.0, 3.0], [2.0, 1.0, 0.0, 0.0], [3.0, 2.0, 1.25, 0.5]))


def test_the_figures_hold_what_the_text_says():
    done = study([(8000.0, 0.0), (8000.0, 12000.0)], 1.5)
    figures = mission_study_figures(done)
    assert figures['reserve_reached']['leg'] == 2 and figures['turn_back_by']['leg'] == 1
    assert figures['batteries_needed'] == done.limits.batteries
    assert figures['way_home_from_end']['length_m'] == pytest.approx(math.hypot(8000.0, 12000.0))
    assert [row['energy_j'] for row in figures['speeds']] == [row.energy for row in done.speeds]


def test_without_a_hotel_load_slow_is_not_called_a_help():
    boat = with_static_load(read_boat('lutra_prop'), 0.0)
    for load, help_is_offered in ((0.0, False), (5.0, True)):
        text = mission_study_text(study([(500.0, 0.0)], 1.1, boat=with_static_load(boat, load)))
        assert ('the least energy of those tried' in text) == help_is_offered
        assert ('slower always costs less' in text) != help_is_offered


def test_against_a_current_slow_is_dear_without_a_hotel_load_and_nothing_else_is_said():
    boat = read_boat('lutra_prop')
    told = [mission_study_text(study([(1000.0, 0.0)], 0.8, boat=boat, current=UniformFlow(x, 0.0)))
            for x in (0.0, -0.3)]
    assert ['slower always costs less' in text for text in told] == [True, False]


def test_no_row_of_a_table_shows_a_part_of_nothing():
    done = study([(1000.0, 0.0), (0.0, 0.0)], 1.0)
    table = mission_study_text(done).split('by cause')[1].split('leg  to')[0]
    shares = [line.split()[-1] for line in table.splitlines() if line and not line.startswith('-')]
    assert '-0.0' not in shares and '0.0' not in shares
    assert np.isfinite([float(share) for share in shares[1:]]).all()


def lanes(limit, **more):
    """Return a mission of five waypoints 2 km apart northwards, and its study with a battery of so many full ones."""
    items = tuple(MissionItem(WAYPOINT, number, x=2000.0 * number, y=0.0, frame=LOCAL_NED)
                  for number in range(1, 6))
    mission = Mission('m', items, home=LocalPlace(0.0, 0.0), **more)
    boat = with_charge(BOAT, limit)
    return mission, mission_study(mission_scenario(itinerary_of(mission), boat, STILL, STILL, 1.5))


def test_what_fits_is_the_whole_legs_from_whose_end_home_is_reached():
    """There and back at 1.5 m/s takes 2 x 113.9 W x 2000 m / 1.5 m/s = 84.4 Wh a leg: 0.317 of the battery."""
    mission, done = lanes(0.2 + 2.5 * 2.0 * watts(1.5) * 2000.0 / 1.5 / (266.4 * 3600.0))
    fitting = fitting_mission(mission, done)
    assert [item.command for item in fitting.items] == [WAYPOINT, WAYPOINT, RETURN_TO_LAUNCH]
    boat = with_charge(BOAT, done.charge_at_start)
    again = mission_study(mission_scenario(itinerary_of(fitting), boat, STILL, STILL, 1.5))
    assert again.verdict == GO and again.limits.way_back is None
    assert again.limits.turn_back is None, 'from everywhere on it home is reached'
    assert again.charge[-1] == pytest.approx(0.2 + 0.5 * 2.0 * watts(1.5) * 2000.0 / 1.5 / (266.4 * 3600.0), rel=1e-3)


def test_the_charge_that_is_enough_is_said_and_is():
    """10 km at 1.5 m/s take 113.9 W x 6667 s = 210.9 Wh of 266.4, 79.2 %, and 20 % are to be left."""
    _, done = lanes(0.5)
    assert enough_charge(done) == 1.0 and lanes(1.0)[1].verdict == GO and lanes(0.99)[1].verdict == NO_GO
    assert 'charged to 100 % at the start, in place of 50 %, leaves the reserve' in mission_study_text(done)
    assert 'The boat departs with less than the reserve of 20 %.' in mission_study_text(lanes(0.15)[1])


def test_what_cannot_be_cut_is_said():
    mission, done = lanes(0.3)
    with pytest.raises(InputError, match='nothing of it fits'):
        fitting_mission(mission, done)
    with pytest.raises(InputError, match='without one'):
        fitting_mission(mission, done._replace(limits=None))
    looped = replace(mission, items=(*mission.items, MissionItem(JUMP, 6, (1.0, 1.0, None, None))))
    with pytest.raises(InputError, match='jumps'):
        fitting_mission(looped, done)


def test_no_row_and_no_advice_says_go_where_the_run_is_unsure():
    """Half a battery for 9 km: each row and the advice have the verdict of the command that follows them."""
    boat = with_charge(read_boat('blueboat'), 0.5)
    done = study([(9000.0, 0.0)], 1.2, boat=boat)
    assert {GO, UNSURE, NO_GO} <= {row.verdict for row in done.speeds}
    rows = done.speeds[1:]
    beside_another = {one.speed for pair in pairwise(rows) for one in pair if pair[0].verdict != pair[1].verdict}
    for row in (row for row in rows if row.speed in beside_another):
        assert mission_study(all_legs_at(done.mission, row.speed)).verdict == row.verdict
    advised = mission_study(all_legs_at(done.mission, done.advice.fastest.speed))
    faster = mission_study(all_legs_at(done.mission, done.advice.fastest.speed + 0.05))
    assert (advised.verdict, faster.verdict) == (GO, UNSURE)


def test_what_fits_at_another_speed_is_written_with_that_speed():
    mission, done = lanes(0.9)
    change = MissionItem(CHANGE_SPEED, 0, (1.0, 1.0, -1.0, 0.0))
    fitting = fitting_mission(replace(mission, speed=1.0, items=(change, *mission.items)),
                              mission_study(all_legs_at(done.mission, 2.0)))
    again = mission_scenario(itinerary_of(fitting), BOAT, STILL, STILL, None)
    assert {order.speed or again.scenario.speed for order in again.scenario.orders} == {2.0}


def test_at_one_speed_the_table_has_the_plan_with_its_own_speeds_too():
    done = study([(3000.0, 0.0), (3000.0, 2000.0)], 1.5, speeds={1: 1.0, 2: 2.0})
    again = mission_study(all_legs_at(done.mission, 1.5), planned=done.mission)
    own, = (row for row in again.speeds if math.isnan(row.speed))
    assert (own.energy, own.time) == pytest.approx((done.energy, done.time), rel=1e-9)


def test_a_way_home_that_the_battery_cannot_give_is_no_charge_below_nothing():
    done = study([(12000.0, 0.0)], 1.5, boat=with_charge(BOAT, 0.96))
    assert done.limits.way_back.charge < 0.0
    words = ' '.join(mission_study_text(done).split())
    lacking = 100.0 * (done.reserve - done.limits.way_back.charge)
    assert lacking > 20.0 and f'for both, the reserve kept, the battery lacks {lacking:.1f} % of its charge.' in words


def test_a_mission_that_takes_nothing_is_a_go():
    """Ways of a micrometre and holds in still water, by a boat without a hotel load: nothing is divided by 0 J."""
    found = study([(1e-6, 0.0), (0.0, 0.0)], 0.7, boat=read_boat('lutra_prop'), holds={1: 50.0, 2: 20.0})
    assert found.energy == 0.0 and found.verdict == GO
    assert '0 J' in mission_study_text(found)
