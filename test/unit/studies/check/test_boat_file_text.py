from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.boats.vessel import Inertia
from usv_energy.cli.main import main
from usv_energy.studies.check.boat_check_text import boat_number_rows, boat_number_text, inertia_text


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
