import csv

import pytest

from usv_energy.files.errors import InputError
from usv_energy.powering.energy import Energy
from usv_energy.sim.leg_energy import LegEnergies
from usv_energy.sim.run_files import LegBegin, read_leg_begins, write_legs

NAMES = ['2', 'pier, north', 'hold at "pier"\nnew', 'Sör']


@pytest.fixture
def table(tmp_path):
    """Return the path of a table of four legs, of 0.1 J each, and then a third of a joule more."""
    legs = LegEnergies()
    for number, name in enumerate(NAMES):
        legs.add(name, number / 3.0, Energy(total=number * 0.1, duration=number / 3.0))
        legs.add(name, number / 3.0 + 0.1, Energy(total=number * 0.1 + 0.05, duration=number / 3.0 + 0.1))
    write_legs(legs.legs(), tmp_path / 'legs.csv')
    return tmp_path / 'legs.csv'


def test_names_and_begins_come_back(table):
    begins = read_leg_begins(table)
    assert [begin.name for begin in begins] == NAMES
    assert begins[0] == LegBegin(0.0, '2')
    with table.open(newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    assert [row['leg'] for row in rows] == NAMES
    assert sum(float(row['energy_j']) for row in rows) == pytest.approx(0.35, rel=1e-12)


@pytest.mark.parametrize(('change', 'fault'), [
    (lambda text: text.replace('begin_s', 'begins', 1), "line 1: has no column 'begin_s'; did you mean 'begins'"),
    (lambda text: text.replace('2,0.0', '2,soon', 1), "line 2: column 'begin_s' is 'soon'; must be a number")])
def test_a_wrong_table_is_an_error_with_its_line(table, change, fault):
    table.write_text(change(table.read_text()))
    with pytest.raises(InputError, match=fault):
        read_leg_begins(table)
