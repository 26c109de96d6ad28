import math
import re
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import battery_label, with_battery
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.powering.energy import CAUSES as KEYS
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import seconds
from usv_energy.studies.mission.mission_alternatives import Departures
from usv_energy.studies.mission.mission_bands import FlowDoubt
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, UNSURE, battery_energy
from usv_energy.studies.mission.mission_page import mission_page_html
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
from usv_energy.studies.mission.mission_words import helpful
from usv_energy.studies.plan.steady_motion import top_speed

TABLE = read_boat('blueboat_watts_only')  # 266.4 Wh
STILL = UniformFlow()
TOP = 0.999 * top_speed(TABLE.vessel)


def study(places, speed, boat=TABLE, current=STILL, **options):
    way = tuple(Waypoint(LocalPlace(*place), number) for number, place in enumerate(places, start=1))
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, way)
    return mission_study(mission_scenario(itinerary, boat, current, STILL, speed), **options)


def test_the_charge_falls_by_what_was_used():
    """1.5 m/s: 113.9 W of 266.4 Wh; 10 km take 6667 s."""
    done = study([(5000.0, 0.0), (10000.0, 0.0)], 1.5)
    used = 113.9 * 10000.0 / 1.5 / 3600.0 / 266.4
    assert done.charge == pytest.approx([1.0 - used / 2.0, 1.0 - used], rel=1e-6)
    assert done.verdict == (GO if 1.0 - used >= 0.2 else NO_GO)


@pytest.mark.parametrize('reserve, verdict', [(0.15, GO), (0.25, NO_GO)])
def test_a_mission_is_go_if_the_reserve_is_left(reserve, verdict):
    """10.1 km at 1.5 m/s use 79.97 %."""
    assert study([(10100.0, 0.0)], 1.5, reserve=reserve).verdict == verdict


def test_an_interval_that_holds_both_is_unsure_and_says_so():
    certain = study([(9900.0, 0.0)], 1.5)
    unsure = study([(9900.0, 0.0)], 1.5, uncertainty=FlowDoubt(current=0.1))
    assert (certain.verdict, unsure.verdict) == (GO, UNSURE)
    low, high = unsure.bands.so_far[:, -1]
    assert low < certain.legs.total.sum() < high
    assert 'UNSURE' in mission_study_text(unsure) and 'GO: ' in mission_study_text(certain)


def test_the_interval_of_a_current_is_that_of_the_table_in_it():
    """Along the course, 0.05 m/s each way: 95 % of the drawn speeds through water lie within 1.96 of that."""
    done = study([(1000.0, 0.0)], 1.75, uncertainty=FlowDoubt(current=0.05))
    slow, fast = (study([(1000.0, 0.0)], 1.75, current=UniformFlow(x, 0.0)).legs.total.sum() for x in (0.098, -0.098))
    low, high = done.bands.so_far[:, -1]
    assert (low, high) == (pytest.approx(slow, rel=0.03), pytest.approx(fast, rel=0.03))


def test_what_would_help_is_what_is_found_when_it_is_tried():
    done = study([(14000.0, 0.0), (14000.0, 3000.0)], 2.0, current=UniformFlow(-0.2, 0.0))
    assert done.verdict == NO_GO
    advice = done.advice
    again = study([(14000.0, 0.0), (14000.0, 3000.0)], advice.fastest.speed, current=UniformFlow(-0.2, 0.0))
    assert again.verdict == GO and again.legs.total.sum() == pytest.approx(advice.fastest.energy, rel=1e-9)
    faster = study([(14000.0, 0.0), (14000.0, 3000.0)], advice.fastest.speed + 0.05,
                   current=UniformFlow(-0.2, 0.0))
    assert faster.verdict == NO_GO
    back = study([(14000.0, 0.0), (0.0, 0.0)], 2.0, current=UniformFlow(-0.2, 0.0))
    assert back.advice.reversed_energy == pytest.approx(back.legs.total.sum(), rel=1e-9), 'there and back is the same'
    text = mission_study_text(done)
    assert 'What would help:' in text and 'the fastest that leaves the reserve' in text


def test_the_battery_that_is_advised_where_no_speed_suffices_is_enough_and_a_smaller_one_is_not():
    boat, way = read_boat('blueboat'), [(200.0, 0.0), (200.0, 25.0)]

    def with_label(label):
        return study(way, 1.2, boat=with_battery(boat, battery_label(label, 'it')))

    short = with_label('3Wh')
    assert short.verdict == NO_GO
    number, size = re.search(r'no speed .* it takes (\d+) batteries of 3 Wh, or one of ([\d.]+) Wh, or a shorter way',
                             ' '.join(helpful(short))).groups()
    assert int(number) == math.ceil(float(size) / 3.0 - 1e-9) and f'; {short.limits.most_batteries:.2f}' in (
        mission_study_text(short))
    assert with_label(f'{size}Wh').verdict == GO
    assert with_label(f'{float(size) - 0.2:.1f}Wh').verdict != GO


def test_where_the_thrusters_are_too_weak_no_number_of_batteries_is_said_to_do():
    done = study([(200.0, 0.0), (0.0, 0.0)], 1.2, boat=read_boat('blueboat'), current=UniformFlow(2.57, 0.0))
    text = ' '.join(mission_study_text(done).split())
    assert done.verdict == NO_GO and 'No number of batteries makes it at these speeds' in text
    assert 'It takes' not in text


def test_the_end_of_what_was_tried_is_not_told_as_the_fastest():
    text = mission_study_text(study([(100.0, 0.0)], 0.5))
    assert 'which leaves the reserve, too' in text and 'the fastest that leaves the reserve' not in text


def test_back_to_front_stays_as_long_as_ahead():
    """Across the course the current costs as much either way; a stay in 0.5 m/s the table's watts less still air's."""
    way = (Waypoint(LocalPlace(500.0, 0.0), 1), Waypoint(LocalPlace(1000.0, 0.0), 2, hold=3600.0))
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, way)
    done = mission_study(mission_scenario(itinerary, TABLE, UniformFlow(0.0, 0.5), STILL, 1.0))
    assert done.legs.of_hold.sum() == pytest.approx(2.08 * 3600.0, rel=0.01)
    assert done.advice.reversed_energy == pytest.approx(done.energy, rel=1e-9)
    assert 'the other way round' not in mission_study_text(done)


def test_back_to_front_is_a_help_only_where_it_costs_less():
    """Around a triangle in a current; of a way that ends elsewhere the other end is no choice."""
    ahead, against = sorted((study([*places, (0.0, 0.0)], 1.0, current=UniformFlow(0.3, 0.0)) for places in (
        [(400.0, 0.0), (400.0, 300.0)], [(400.0, 300.0), (400.0, 0.0)])), key=lambda one: one.energy)
    assert ahead.advice.reversed_energy == pytest.approx(against.energy, rel=2e-3) and ahead.energy < against.energy
    assert 'the other way round' not in mission_study_text(ahead)
    assert 'the other way round' in mission_study_text(against)
    assert 'the other way round' not in mission_study_text(study([(1000.0, 0.0)], 1.0, current=UniformFlow(-0.3, 0.0)))


def test_a_stay_alone_has_no_speed_that_would_help():
    way = (Waypoint(LocalPlace(0.0, 0.0), 1, hold=3600.0),)
    itinerary = Itinerary('m', LocalPlace(0.0, 0.0), True, way)
    done = mission_study(mission_scenario(itinerary, TABLE, UniformFlow(0.5, 0.0), STILL, 1.0))
    assert 'What would' not in mission_study_text(done)


def test_an_empty_battery_is_named_by_its_leg():
    """1.5 m/s: 113.9 W of 266.4 Wh; each leg of 20 km takes 158 %."""
    text = mission_study_text(study([(20000.0, 0.0), (40000.0, 0.0)], 1.5))
    assert 'NO GO: the battery is empty on leg 1; the mission takes 317 % of one, 20 % to be left' in text


def test_what_the_thrusters_cannot_is_no_go_and_the_leg_is_named():
    done = study([(100.0, 0.0), (0.0, 0.0)], 2.5, current=UniformFlow(1.0, 0.0))
    text = mission_study_text(done)
    assert done.verdict == NO_GO and 'cannot do leg 2 ' in text
    assert text.index('NO GO') < text.index(
        'as fast as the thrusters can: what is ordered cannot be held on 1 of 2 legs')
    assert 'as fast as' not in mission_study_text(study([(100.0, 0.0)], 1.0))


def test_a_speed_that_cannot_be_held_has_the_energy_of_the_fastest_that_can():
    """QGroundControl plans with 15 m/s where nobody says more; the boat makes less than 3 in still water."""
    done, there = study([(100.0, 0.0), (200.0, 0.0)], 15.0), study([(100.0, 0.0), (200.0, 0.0)], TOP)
    assert done.verdict == NO_GO and 'cannot do leg 1 in this current and wind at 15 m/s' in mission_study_text(done)
    assert done.legs.speed == pytest.approx([TOP, TOP], rel=2e-3)
    assert done.energy == pytest.approx(there.energy, rel=5e-3)
    causes = np.array([done.legs.energy[KEYS.index(cause.key)].sum() for cause in CAUSES])
    assert (causes > -1e-6).all() and causes.sum() == pytest.approx(done.energy, rel=1e-6)
    assert done.charge[-1] == pytest.approx(1.0 - done.energy / battery_energy(done.scenario), rel=1e-6)


def test_a_leg_that_can_be_gone_at_no_speed_has_no_energy():
    done = study([(100.0, 0.0)], 1.0, current=UniformFlow(-8.0, 0.0))
    figures, text = mission_study_figures(done), mission_study_text(done)
    assert done.verdict == NO_GO and 'the thrusters can go leg 1 at no speed from that ordered to a tenth' in text
    assert figures['energy_j'] is None and figures['time_s'] is None and figures['legs'][0]['energy_j'] is None
    assert 'nan' not in text


def test_a_boat_without_a_battery_is_neither_and_the_figures_add_up():
    done = study([(100.0, 0.0), (100.0, 50.0)], 1.5, replace(TABLE, battery=None))
    assert done.verdict == NO_BATTERY and done.charge is None
    figures = mission_study_figures(done)
    assert figures['state_of_charge_at_end'] is None
    assert sum(leg['energy_j'] for leg in figures['legs']) == pytest.approx(figures['energy_j'], rel=1e-12)
    assert figures['energy_j'] / 3600.0 == figures['energy_wh']
    assert figures['time_s'] == pytest.approx(100.0)


def test_the_boat_file_s_own_doubts_are_drawn(tmp_path):
    """Drag is known to 10 %: so is the energy, which is drag times way."""
    path = tmp_path / 'doubtful.yaml'
    drag = '{value: 16.296, unit: N s/m, std: 1.6}'
    path.write_text(f'base: lutra_prop\nname: doubtful\ndamping: {{linear: {{d11: {drag}}}}}\n')
    done = study([(500.0, 0.0)], 0.6, read_boat(str(path)))
    low, high = done.bands.so_far[:, -1] / done.legs.total.sum()
    assert (low, high) == (pytest.approx(1.0 - 1.96 * 1.6 / 16.296, abs=0.02),
                           pytest.approx(1.0 + 1.96 * 1.6 / 16.296, abs=0.02))
    assert np.all(done.bands.energy[0] < done.legs.total) and done.doubts[0].name == 'damping.linear.d11'


def test_speeds_that_are_held_leave_the_time_certain_and_that_is_said():
    done = study([(1000.0, 0.0)], 1.5, uncertainty=FlowDoubt(current=0.05))
    figures = mission_study_figures(done)
    assert figures['time_held'] and figures['time_low_s'] == figures['time_high_s'] == figures['time_s']
    assert 'so the time is the same' in mission_study_text(done)
    assert figures['legs'][0]['duration_low_s'] == figures['time_s'] == pytest.approx(1000.0 / 1.5)
    low, high = (1.0 - figures[f'energy_{end}_j'] / 266.4 / 3600.0 for end in ('high', 'low'))
    assert (figures['state_of_charge_at_end_low'], figures['state_of_charge_at_end_high']) == pytest.approx((low, high))


def test_a_current_that_may_be_too_strong_makes_the_time_uncertain_and_that_is_said():
    """The table ends at 3 m/s through the water: 2.5 against 0.4 m/s is near it."""
    done = study([(1000.0, 0.0)], 2.5, current=UniformFlow(-0.4, 0.0), uncertainty=FlowDoubt(current=0.2))
    figures, text = mission_study_figures(done), mission_study_text(done)
    assert figures['time_low_s'] == pytest.approx(400.0, rel=1e-6) and figures['time_high_s'] > 420.0
    assert f"In {figures['draws_slower']} of 60 draws the thrusters cannot hold" in text
    assert f'{seconds(done.time)} [' in text


def test_where_the_thrusters_cannot_what_they_can_is_said():
    """Against a current of 1 m/s it is the top speed less 1 m/s, and a little more: it is slower through the air."""
    done = study([(100.0, 0.0)], 2.5, current=UniformFlow(-1.0, 0.0))
    top = top_speed(TABLE.vessel)
    assert done.advice.slowed_speed == pytest.approx(top - 1.0, abs=0.01)
    assert done.advice.slowed_time == pytest.approx(100.0 / (top - 1.0), rel=6e-3)
    assert f'{done.advice.slowed_speed:.2f} m/s over ground on the slowest leg' in mission_study_text(done)


def test_the_simulator_departs_when_the_estimate_does():
    """A current that turns: with the boat from 100 s on, against it before; the simulator has the same."""
    way = (Waypoint(LocalPlace(40.0, 0.0), 1),)
    gusts = read_flow('gusts')
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), read_boat('lutra_prop'), STILL, gusts,
                               0.6)
    times, energies = (0.0, 40.0), []
    for time in times:
        done = mission_study(mission, time, simulate=True)
        # Gusts of seconds, to which the boat answers late, are quasi-steady in the estimate.
        assert done.simulated.reached and done.legs.total.sum() == pytest.approx(done.simulated.energy, rel=0.05)
        energies.append(done.simulated.energy)
    gusts.close()
    assert energies[0] != pytest.approx(energies[1], rel=0.005)


def test_departures_are_a_table_whose_best_is_marked():
    mission = mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(900.0, 0.0), 1),)),
                               TABLE, STILL, STILL, 1.0)
    found = Departures(np.array([0.0, 60.0, 120.0]), np.array([900.0, 900.0, np.nan]),
                       np.array([36000.0, 18000.0, np.nan]), np.array([True, True, False]), 5, {})
    done = mission_study(mission)._replace(departures=found)
    text = mission_study_text(done).splitlines()
    assert 'Broken off: 2 of 5 departures were not tried; the best is that of the 3 before' in text
    assert '2 of 5 departures were not tried' in mission_page_html(done)
    assert mission_study_figures(done)['departures']['broken_off'] is True
    below = text[next(number for number, line in enumerate(text) if line.strip().startswith('departs ')):]
    rows = [line.strip().split('  ') for line in below if line.endswith(('best', 'NO GO', '  GO'))]
    assert [row[0] for row in rows] == ['0.0 s', '60.0 s', '2 min 00 s'] and rows[1][-1].strip() == 'best'
    figures = mission_study_figures(done)['departures']
    assert figures['best_s'] == 60.0 and figures['each'][2] == {
        'departure_s': 120.0, 'time_s': None, 'energy_j': None, 'speeds_held': False, 'verdict': 'no_go'}
    same = done._replace(departures=found._replace(energy=np.full(3, 1.0), time=np.full(3, 1.0), held=found.time > 0.0))
    assert 'all departures cost the same' in mission_study_text(same)


def test_what_was_left_out_of_the_file_is_said():
    left = 'the complex item "StructureScan" holds no ways, and is left out'
    way = Itinerary('m', LocalPlace(0.0, 0.0), True, (Waypoint(LocalPlace(900.0, 0.0), 1),), remarks=(left,))
    done = mission_study(mission_scenario(way, TABLE, STILL, STILL, 1.5))
    assert left in ' '.join(mission_study_text(done).split()) and mission_study_figures(done)['remarks'] == [left]
