"""What is said of a route is what its study holds, in words and as figures."""

import json

import numpy as np
import pytest
from route_cases import steady_route, study

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.text_file import without_nan
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.mission.mission_battery import GO, NO_GO, UNSURE
from usv_energy.studies.mission.mission_study import Simulated
from usv_energy.studies.route.departures import NOT_TRIED, MeanFlow
from usv_energy.studies.route.route_study import OTHER, STRAIGHT, RouteChoice
from usv_energy.studies.route.route_text import (
    choice_name,
    departure_rows,
    notes,
    route_figures,
    route_text,
)
from usv_energy.units import moment_of


def test_the_text_says_energies_ways_legs_departures_and_forecasts():
    """5 W + 2 W (1 m/s)^3 for 616.23 s are 1.198 Wh; 21 W for 250 s are 1.458 Wh."""
    text = route_text(study())
    assert max(map(len, text.splitlines())) <= 120
    for words in ('GO: ', '1.198', '1.458', '+0.26 Wh', 'a barrier, too strong a current, or too early', '4 min 10 s',
                  'at most 2 % below this', 'no way', 'best', '1.22 Wh expected, 1.11 to 1.33 Wh', 'chosen',
                  '(0, 0) m to (300, 400) m', ' 072 deg', ' 000 deg',
                  '(courses in degrees of the compass, true)', 'a note with <angles>',
                  'a minute more saves', '0.0426 Wh', '2 of the 3 arrival times'):
        assert words in text, words


def test_a_gap_of_all_is_written_out():
    assert 'at most 100 % below this' in route_text(study(gap=0.9999))


def test_forecasts_are_named_by_their_number():
    made = study()
    mean = MeanFlow([UniformFlow(0.1, 0.0), UniformFlow(0.2, 0.0)])
    assert 'mean of 2 forecasts' in route_text(made._replace(problem=made.problem._replace(current=mean)))


def test_the_figures_are_json_with_units():
    figures = route_figures(study(simulated=Simulated(True, 630.0, 4400.0)))
    assert json.loads(json.dumps(figures)) == figures
    assert figures['route_energy_j'] == pytest.approx(7.0 * (100.0 * 10.0 ** 0.5 + 300.0))
    assert figures['simulated']['energy_against_promise'] == pytest.approx(4400.0 / figures['energy_j'] - 1.0)
    assert [leg['speed_over_ground_m_s'] for leg in figures['legs']] == pytest.approx([1.0, 1.0])
    assert figures['departures']['best_s'] == 600.0
    assert [one['time_s'] for one in figures['front']] == pytest.approx([250.0, figures['route_time_s']])
    assert figures['departures']['energy_j'][2] is None
    assert figures['choices'][2] == {'way': 'straight', 'name': 'straight, at one speed',
                                     'why_not': 'a barrier, too strong a current, or too early', 'energy_j': None,
                                     'time_s': None, 'length_m': None}
    assert figures == without_nan(figures)


@pytest.mark.parametrize(('places', 'name'), [
    ([(0.0, 0.0), (40.0, -30.0), (100.0, 0.0)], 'another way, 30.0 m to the S'),
    ([(5.0, 5.0), (5.0, 105.0), (105.0, 105.0)], 'another way, 70.7 m to the NW'),
    ([(0.0, 0.0), (12.0, 50.0), (-3.0, 70.0), (0.0, 100.0)], 'another way, 12.0 m to the E')])
def test_another_way_is_named_by_its_side(places, name):
    assert choice_name(RouteChoice(OTHER, steady_route(places, 1.0))) == name
    assert choice_name(RouteChoice(STRAIGHT, steady_route(places, 1.0))) == 'straight, at one speed'


def test_places_are_degrees_where_the_world_lies_on_the_earth():
    frame = LocalPlane(Place(46.2, 6.15))
    made = study(frame=frame)
    latitude, longitude = frame.to_geodetic(np.array([300.0]), np.array([400.0]))
    assert f'46.20000, 6.15000 to {latitude[0]:.5f}, {longitude[0]:.5f}' in route_text(made)
    assert route_figures(made)['route']['latitude_deg'][0] == pytest.approx(46.2)


def test_without_a_plan_the_legs_cannot_be_judged_and_that_is_said():
    made = study(plan=None, unjudged='the flow ends')
    text, figures = route_text(made), route_figures(made)
    assert 'UNSURE: the legs cannot be judged as a mission: the flow ends' in text and 'charge' not in text
    assert figures['verdict'] == 'unsure' and figures['state_of_charge_at_end'] is None
    assert figures['energy_j'] == pytest.approx(figures['route_energy_j'])


def test_a_boat_that_does_not_arrive_in_the_simulator_is_said():
    text = route_text(study(simulated=Simulated(False, 3000.0, 9000.0)))
    assert 'the boat does not arrive: 50 min 00 s' in text


def test_notes_say_what_the_plan_takes_against_the_route():
    made = study()
    more = made.energy / (7.0 * (100.0 * 10.0 ** 0.5 + 300.0)) - 1.0
    assert list(notes(made))[-1].endswith(f'the plan {100.0 * more:+.2f} %')


def test_departures_are_moments_where_the_flow_says_dates_and_untried_ones_are_said_to_be():
    made = study()
    zero = moment_of('2026-06-01T09:00+02:00', '--depart')
    text = route_text(made._replace(zero=zero))
    assert 'from 2026-06-01 09:' in text and '2026-06-01 09:20 +02:00' in text and "of the flow's time" not in text
    why = '', '', NOT_TRIED
    broken = made._replace(departures=made.departures._replace(why=why), broken_off=True)
    text, figures = route_text(broken), route_figures(broken)
    assert '\nDepartures, each without starts, turns and stops\n' in text
    assert 'not tried' in text and 'no way' not in text.split('Departures')[1].split('Notes')[0]
    words = '1 of 3 departures were not tried, that at 20 min'
    assert figures['broken_off'] and figures['departures']['why_not'] == [None, None, NOT_TRIED]
    judged = broken._replace(departures=broken.departures._replace(verdicts=('go', 'go', 'no_go')))
    assert route_figures(judged)['departures']['verdict'] == ['go', 'go', 'not_tried']
    assert any(words in note for note in notes(broken)) and any(words in note for note in figures['notes'])


def test_departures_that_the_search_alone_knows_are_marked():
    made = study()
    made = made._replace(departures=made.departures._replace(polished=(False, True, False)))
    assert [row[4] for row in departure_rows(made)][1:] == ['about', 'best', 'no way']
    judged = made._replace(departures=made.departures._replace(verdicts=(UNSURE, GO, NO_GO)))
    assert [row[3:] for row in departure_rows(judged)][1:] == [('UNSURE', 'about'), ('GO', 'best'), ('', 'no way')]
    assert '\nDepartures, with starts, turns and stops in proportion to those of the best\n' in route_text(judged)
    assert route_figures(judged)['departures']['verdict'] == [UNSURE, GO, NO_GO]
    assert 'departures with `about`' in route_text(made) and '`about`' not in route_text(study())
    assert route_figures(made)['departures']['about'] == [True, False, False]
    assert 'more than 3 % dearer' in route_text(made)
    assert 'more than 3 % dearer' not in route_text(made._replace(broken_off=True))
