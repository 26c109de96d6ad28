from usv_energy.boats.boat_remarks import ASSUMED, LACKS
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.boats.vessel import Inertia
from usv_energy.cli.main import main
from usv_energy.files.locate import names
from usv_energy.studies.check.boat_check_text import (
    boat_check_text,
    boat_number_rows,
    boat_number_text,
    inertia_text,
    shipped_entries,
    shipped_text,
)

FIGURES = {
    'boat': 'b', 'kind': 'a boat', 'known_by_power_curve': False, 'thrusters': 1, 'foils': 1,
    'top_speed_ahead_m_s': 1.25, 'top_speed_astern_m_s': None,
    'bollard_ahead': {'thrust_n': 10.0, 'power_w': 55.5}, 'bollard_astern': {'thrust_n': 0.0, 'power_w': None},
    'cheapest_speed': None, 'over_speed': [], 'turning_circle': {
        'varied': 'throttle', 'angles_deg': [-30.0],
        'circles': [{'share': 0.5, 'speed_m_s': 0.8, 'radius_m': 4.0, 'rate_deg_s': 11.0, 'drift_deg': None},
                    {'share': 0.55, 'speed_m_s': 0.9, 'radius_m': 4.0, 'rate_deg_s': 12.0, 'drift_deg': 7.0}]},
    'coasting': {'from_m_s': 1.25, 'to_m_s': 0.125, 'time_s': None, 'way_m': None}, 'full_astern': None,
    'remarks': [{'kind': ASSUMED, 'key': 'x', 'text': 'y'}, {'kind': LACKS, 'key': 'battery', 'text': 'none'}]}


def test_what_there_is_stands_there_and_what_there_is_not_is_said():
    assert boat_check_text(FIGURES).splitlines() == [
        'b: a boat', '',
        'Top speed     1.250 m/s ahead, none astern',
        'Bollard pull  10.00 N for 55.5 W ahead, 0.00 N astern',
        'Coasting      from 1.250 to 0.125 m/s with thrusters off: it does not within the time that is looked at', '',
        'Steady turns to port at full angle (-30 deg), by share of the throttle:',
        'share  speed, m/s  radius, m  yaw rate, deg/s  drift, deg',
        ' 0.50       0.800       4.00            11.00           -', '',
        'What the file leaves out:', '  - battery: none', '', 'What is assumed:', '  - x: y']


def test_a_boat_without_thrusters_is_sent_to_its_polar_diagram():
    lines = boat_check_text({**FIGURES, 'thrusters': 0, 'turning_circle': None}).splitlines()
    assert lines[2] == 'Top speed  that of its sails in the wind, which usv-energy map polar has; it has no thrusters'
    assert lines[3:5] == ['', 'What the file leaves out:']


def test_every_shipped_file_is_listed_with_what_it_says_of_itself():
    entries = shipped_entries()
    assert [entry['name'] for entry in entries['boats']] == names('boats')
    assert all(entry['description'] for entry in entries['boats']) and all(entry['title'] for entry in
                                                                           entries['scenarios'])
    blocks = shipped_text(entries).split('\n\n')
    assert [block.splitlines()[0] for block in blocks] == ['Scenarios', 'Boats', 'Sensors']
    assert [len(block.splitlines()) - 1 for block in blocks] == [len(rows) for rows in entries.values()]


def test_every_number_of_a_boat_file_is_listed_with_unit_and_limits(capsys):
    head, *lines = boat_number_text().splitlines()
    assert head.split() == ['number', 'unit', 'limits', 'left', 'out', 'meaning']
    assert [line.split()[0] for line in lines] == list(BOAT_NUMBERS) == [row['path'] for row in boat_number_rows()]
    assert main(['list', '--boat-numbers']) == 0
    assert capsys.readouterr().out == boat_number_text() + '\n'


def test_every_number_says_what_it_means():
    assert [row['path'] for row in boat_number_rows() if not (row['meaning'] and row['unit'])] == []


def test_an_estimate_names_its_source_and_what_it_is_of():
    text = inertia_text(Inertia(9.75, 10.3641, 1.15772), {'mass': 9.7, 'thruster_distance': 0.16})
    assert 'mass 9.7, thruster distance 0.16' in text
    assert '  m33: {value: 1.1577, unit: kg m^2, source: "estimated after Touzout (2021), (5.3)"}' in text
