from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.uniform import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.planning.mission_scenario import mission_scenario
from usv_energy.planning.mission_study import GO, NO_BATTERY, NO_GO, UNSURE, FlowDoubt, mission_study
from usv_energy.show.text.mission_study_text import mission_study_figures, mission_study_text

TABLE = read_boat('blueboat_table')  # 266.4 Wh
STILL = UniformFlow()


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
    again = study([(14000.0, 0.0), (14000.0, 3000.0)], 2.0 * advice.fastest, current=UniformFlow(-0.2, 0.0))
    assert again.verdict == GO and again.legs.total.sum() == pytest.approx(advice.fastest_energy, rel=1e-9)
    faster = study([(14000.0, 0.0), (14000.0, 3000.0)], 2.0 * (advice.fastest + 0.05), current=UniformFlow(-0.2, 0.0))
    assert faster.verdict == NO_GO
    back = study([(14000.0, 0.0), (0.0, 0.0)], 2.0, current=UniformFlow(-0.2, 0.0))
    assert back.advice.reversed_energy == pytest.approx(back.legs.total.sum(), rel=1e-9), 'there and back is the same'
    assert 'the fastest that leaves the reserve' in mission_study_text(done)


def test_what_the_thrusters_cannot_is_no_go_and_the_leg_is_named():
    done = study([(100.0, 0.0), (0.0, 0.0)], 2.5, current=UniformFlow(1.0, 0.0))
    assert done.verdict == NO_GO and 'cannot do leg 2 ' in mission_study_text(done)


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
