"""A boat made from facts: its file has the power that the facts leave, and the doubt in it, and says where from."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from made_cases import CATAMARAN, LAUNCH, made

from usv_energy.boats.boat_file import write_boat
from usv_energy.boats.boat_values import uncertain_numbers
from usv_energy.boats.correlation import joint_normals
from usv_energy.boats.numbers import given_numbers
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL
from usv_energy.studies.make.boat_facts import DERIVED, GUESSED, MEASURED, facts_from
from usv_energy.studies.make.made_boat import make_figures, make_text
from usv_energy.studies.make.power_fit import made_drive
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.plan.steady_motion import steady_state, top_speed


@pytest.fixture(scope='module', params=[CATAMARAN, LAUNCH], ids=['catamaran', 'launch'])
def boat_made(request, tmp_path_factory):
    found = made(request.param)
    return found, write_boat(found.document, tmp_path_factory.mktemp('made') / 'made.yaml')


def power(boat, speed):
    return float(steady_state(boat.vessel, 0.0, np.array([speed]), STILL._replace()).power.total[0])


def test_the_file_has_the_power_of_the_facts(boat_made):
    found, boat = boat_made
    for speed in found.speeds:
        assert power(boat, speed) == pytest.approx(float(found.fit.power(np.array([speed]))[0]), rel=0.005)
    assert top_speed(boat.vessel) == pytest.approx(found.top) and found.top >= found.speeds[-1]


@pytest.mark.parametrize('thrusters, said', [({}, 0), ({'max_power': 700.0}, 1), ({'control': 'resistors'}, 0)])
def test_the_file_holds_the_speeds_that_are_given(thrusters, said):
    """Guessed thrusters turn as fast as that needs; beyond their given power at standstill the text says so."""
    found = made(LAUNCH, thrusters={'number': 1, **thrusters}, top_speed=2.444)
    assert found.top == pytest.approx(2.444, rel=0.003)
    assert make_text(found).count('their pull at standstill is too large') == said
    assert found.drive.origins['largest power'].how == GUESSED


def test_what_was_read_is_held_by_drawn_boats_too(tmp_path):
    """Where no top speed is given, nor a largest power: in all but the draws with the most drag."""
    boat = write_boat(made(LAUNCH).document, tmp_path / 'made.yaml')
    held = [bool(steady_state(one.vessel, 0.0, 2.444, STILL).feasible)
            for one in drawn_boats(boat, read_doubts(boat), 60)]
    assert sum(held) >= 55


def test_a_given_power_is_the_end_of_the_map():
    """Times the factor of the fit, where no speed needs more; a bollard pull that is too weak for a speed is told."""
    strong = made(LAUNCH, thrusters={'number': 1, 'max_power': 2000.0})
    assert strong.fit.factors[2] * strong.drive.entry['propeller']['map'][-1][1] == pytest.approx(2000.0, rel=1e-3)
    weak = make_text(made(LAUNCH, thrusters={'number': 1, 'bollard': [[100.0, 200.0]]}))
    assert re.search(r'holds 1\.\d\d m/s, not the 2\.444 m/s that are given: its sheet or bollard pull', weak)


def test_every_number_says_where_it_comes_from(boat_made):
    found, _ = boat_made
    for path, node in given_numbers(found.document):
        if not path.startswith('battery.') and '.azimuth.' not in path:
            assert str(node['source']).split(':')[0] in (MEASURED, DERIVED, GUESSED), path
    assert 'base' not in found.document


def test_drawn_boats_have_the_doubt_of_the_fit(boat_made):
    """At the middle speed, in logarithms; drawn at once, with the correlation in the file."""
    found, boat = boat_made
    doubts = [doubt for doubt in read_doubts(boat) if not doubt.name.startswith(('windage', 'inertia'))]
    speed = found.speeds[2]
    logs = [math.log(power(one, speed)) for one in drawn_boats(boat, doubts, 60)]
    assert np.std(logs) == pytest.approx(float(found.fit.doubt(np.array([speed]))[0]), rel=0.35)


def test_equal_thrusters_are_drawn_as_one(boat_made):
    _, boat = boat_made
    names = list(uncertain_numbers(boat))
    assert joint_normals(boat.correlation, names).size == len(names) - (len(boat.vessel.thrusters) - 1)


def test_the_watts_of_a_blueboat_from_its_data_sheet():
    """Its maker's watts, on which nothing is fitted, are within the interval, a factor of 1.5 at all speeds of his."""
    found = made(CATAMARAN)
    speed = np.array([1.0, 1.5, 2.0, 2.5, 2.78])
    watts, here = np.array([12.6, 113.9, 197.8, 400.0, 507.6]), found.fit.power(speed)
    assert abs(here / watts - 1.0)[2:].max() < 0.15
    assert (abs(np.log(here / watts)) < 1.96 * found.fit.doubt(speed)).all()
    assert np.exp(1.96 * found.fit.doubt(np.arange(1.0, 2.8, 0.02))).max() < 1.5


def test_its_top_speed_is_the_one_that_is_given(tmp_path):
    """Its sheet has more thrust there than its drag by theory and sheet together: full throttle ends before."""
    found = made(CATAMARAN)
    boat = write_boat(found.document, tmp_path / 'made.yaml')
    assert top_speed(boat.vessel) == pytest.approx(3.0, rel=0.003)
    assert boat.vessel.thrusters[0].max_thrust < found.drive.origins['largest thrust'].value
    assert boat.vessel.thrusters[0].min_thrust > -boat.vessel.thrusters[0].max_thrust
    assert 'full throttle is what 3 m/s need' in make_text(found)


def test_a_reading_is_met_and_narrows():
    without, fitted = made(LAUNCH, speeds=[[1.5, 150.0]]), made(LAUNCH)
    assert float(fitted.fit.power(np.array([2.444]))[0]) == pytest.approx(600.0, rel=0.02)
    more, close = (made(LAUNCH, speeds=[slower, [2.444, 600.0]]) for slower in ([1.5, 150.0], [2.3, 500.0]))
    assert more.fit.shape < close.fit.shape == without.fit.shape, 'what lies between readings far apart is known better'
    speeds = np.array([2.0, 2.4])
    assert (more.fit.doubt(speeds) <= without.fit.doubt(speeds)).all()
    told = dict(more.next)
    assert min(told.values()) <= float(np.mean(more.fit.doubt(more.speeds)))


def test_readings_that_no_boat_has_widen_its_doubt():
    """From 450 W at 2.4 m/s to 2000 W at 2.5 m/s: what is made lies between, and says so."""
    found = made(LAUNCH, speeds=[[2.4, 450.0], [2.5, 2000.0]])
    off = np.log(found.fit.power(np.array([2.4, 2.5])) / [450.0, 2000.0])
    assert off[0] > 0.3 and off[1] < -0.3
    assert found.fit.missed ** 2 + found.fit.shape ** 2 > 0.999 * np.mean(off ** 2)
    assert make_text(found).count('it does not go with the other facts') == 2


def test_a_top_speed_that_goes_with_no_hull_is_said(tmp_path):
    """A limit of 0.6 m/s given for full throttle: 39 times the friction; the interval takes in theory's drag."""
    facts = {**CATAMARAN, 'mass': 65.0, 'hull': {'kind': 'catamaran', 'length': 2.0, 'width': 1.08},
             'thrusters': {'model': 't200', 'voltage': 16.0}, 'top_speed': 0.6}
    found = made(facts)
    assert 'top_speed of its facts' in found.document['caution'] and found.document['caution'] in make_text(found)
    assert 'by theory its thrusters hold 2.1' in make_text(found) and (found.fit.doubt(found.speeds) > 1.0).all()
    assert 'caution' not in made(facts, top_speed=2.2).document
    watts = [made(facts, top_speed=top).fit.power(np.array([0.6 * top]))[0] for top in (1.4, 1.5, 1.6)]
    assert max(watts) < 1.4 * min(watts)    # 41, 106, 47 W, if the least squares end in another valley at 1.5 m/s.


@pytest.mark.parametrize(('changed', 'words'), [
    ({'thrusters': {'max_power': 1500.0}, 'speeds': [[1.2, 90.0]]}, ['1500 W, does not count', 'more than its top']),
    ({}, ['holds 1.', ': 2 W for each kg'])])
def test_thrusters_that_pass_the_top_speed_say_so(changed, words):
    text = make_text(made({'mass': 65.0, 'top_speed': 1.5, 'hull': {'kind': 'catamaran', 'length': 2.0, 'width': 1.08},
                           **changed}))
    assert all(word in text for word in words)


def test_a_miss_is_of_the_power_as_a_whole():
    """Where the hotel load takes most of it up, too: watts that fall a little are within the interval."""
    found = made(LAUNCH, speeds=[[1.0, 290.0], [1.5, 200.0]])
    off = np.log(found.fit.power(np.array([1.0, 1.5])) / [290.0, 200.0])
    assert (abs(off) < 1.96 * found.fit.doubt(np.array([1.0, 1.5]))).all()
    assert found.fit.factors[3] > 100.0


def test_words_say_what_the_numbers_come_from():
    """A hotel load that readings moved, one that is given, and a drive's factor by top speed and largest power."""
    document = made(LAUNCH, speeds=[[1.0, 290.0], [1.5, 200.0]]).document
    assert ' by the readings' in document['static_load']['source'] and document['static_load']['value'] > 100.0
    pulled = {'number': 1, 'bollard': [[500.0, 2000.0]]}
    document = made(LAUNCH, hotel=10.0, speeds=[[1.0, 100.0], [1.5, 70.0]], thrusters=pulled).document
    assert document['static_load'] == {'value': 10.0, 'unit': 'W', 'source': 'measured: 10 W as given'}
    document = made({key: value for key, value in LAUNCH.items() if key != 'speeds'}, top_speed=2.4,
                    thrusters={'number': 1, 'max_power': 600.0}).document
    assert document['thrusters'][0]['power_scale']['source'] == 'derived: by facts'
    assert 'of the fastest reading, 1.47' in make_text(made(LAUNCH))
    assert 'of the top speed, 1.80' in make_text(made(LAUNCH, top_speed=3.0))


@pytest.mark.parametrize(('label', 'words'), [
    ('4S 18Ah', ('derived: by its label', 'derived: by its label', 'guessed: full')),
    ('12V 148 Wh', ('derived: by its label: 148 Wh', 'derived: by its label', 'guessed: full')),
    ('148 Wh', ('derived: by its label: 148 Wh', 'guessed: its label has none', 'guessed: full'))])
def test_battery_and_steering_say_where_they_come_from(label, words):
    document = made(LAUNCH, battery=label).document
    assert [number['source'].startswith(word) for number, word in zip(
        document['battery'].values(), words, strict=True)] == [True] * 3
    turn = document['thrusters'][0]['azimuth']
    assert {number['source'] for number in turn.values()} == {'guessed: as of an outboard'}


def test_a_pull_above_the_ideal_is_refused():
    with pytest.raises(InputError, match='200 N for 100 W of a thruster, for which the best propeller takes'):
        made(LAUNCH, thrusters={'number': 1, 'bollard': [[200.0, 100.0]]}, speeds=[[1.0, 60.0]])


def test_what_a_bollard_pull_tells():
    """The drive's doubt is that of a sheet, and the pull is the boat's."""
    found = made(LAUNCH, thrusters={'number': 1, 'bollard': [[500.0, 2000.0]]})
    assert found.drive.described.limits[1] == pytest.approx(500.0) and found.fit.shape < made(LAUNCH).fit.shape
    assert float(found.drive.power(np.array([500.0]), np.array([0.0]))[0]) == pytest.approx(2000.0, rel=1e-3)
    assert all('bollard' not in name for name, _ in found.next)


def test_a_motor_behind_resistors_draws_with_its_thrust():
    """Battery volts times a current that goes with the torque, and a fifth of it without thrust; else
    the power 1.5 of the thrust, and a tenth with its root."""
    drives = {control: made_drive(facts_from({'name': 'made', **LAUNCH, 'thrusters': {
        'number': 1, 'max_power': 800.0, 'control': control}}, Path('facts.yaml')))
              for control in ('resistors', 'electronic')}
    most = drives['resistors'].described.limits[1]
    shares = np.array([2.0 / 9.0, 5.0 / 9.0, 1.0])
    by_torque, by_duty = (drive.power(shares * most, np.zeros(3)) / 800.0 for drive in drives.values())
    np.testing.assert_allclose(by_torque, 0.2 + 0.8 * shares, rtol=1e-3)
    np.testing.assert_allclose(by_duty, 0.9 * shares ** 1.5 + 0.1 * shares ** 0.5, rtol=0.02)  # Between rows.
    assert drives['resistors'].standby == 0.0 < drives['electronic'].standby


def test_a_transom_in_the_water_makes_a_boat_less_steep():
    """Given one power, it has more of its drag at all speeds, and needs more at half of that speed."""
    hull = LAUNCH['hull']
    slow = [float(made(LAUNCH, hull={**hull, 'stern': stern}).fit.power(np.array([1.2]))[0])
            for stern in ('fine', 'transom')]
    assert slow[1] > 1.05 * slow[0]
    assert made(LAUNCH, hull={**hull, 'stern': 'transom'}).shape['transom'].how == GUESSED


def test_a_hull_that_planes_is_refused():
    with pytest.raises(InputError, match=r'facts.yaml: top_speed has 9 m/s, a Froude number of 2\.6\d on 1\.15 m'):
        made(CATAMARAN, top_speed=9.0)


def test_its_text_and_figures(boat_made):
    found, _ = boat_made
    text, figures = make_text(found), make_figures(found)
    for title in ('Measured, as given:', 'Derived:', 'Guessed:'):
        assert title in text
    rows = figures['power']
    assert all(row['power_low_w'] < row['power_w'] < row['power_high_w'] for row in rows)
    assert [one['doubt_in_power'] for one in figures['measurements']] == sorted(
        one['doubt_in_power'] for one in figures['measurements'])


def test_thrusters_of_unknown_power_reach_the_top_speed_that_is_said(tmp_path):
    """Of 60 W a thruster at 1 m/s; a top speed of twice that was out of reach."""
    found = made({'mass': 62.0, 'hotel': 0.0, 'top_speed': 2.0, 'speeds': [[1.0, 120.0]],
                  'hull': {'kind': 'catamaran', 'length': 2.0, 'width': 1.08}, 'thrusters': {'number': 2}})
    boat = write_boat(found.document, tmp_path / 'made.yaml')
    assert top_speed(boat.vessel) == pytest.approx(2.0, rel=0.25)
    assert boat.vessel.static_load < 0.05 * 120.0, 'idling thrusters are not most of what the boat takes'
