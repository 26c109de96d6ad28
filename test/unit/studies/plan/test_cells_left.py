"""What cells give until the cutoff, from a table: that of the discharge itself; corrections by what is measured."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.batteries.cell import rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power
from usv_energy.studies.plan.pack_energy import CellsLeft

WARM = 298.15


@pytest.fixture(scope='module')
def pack(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nbattery: {chemistry: nmc, series: 4, capacity_ah: 10, nominal_voltage: 14.8, '
                    'capacity_wh: null, internal_resistance: 0.08}\n')
    return read_boat(str(path)).pack


@pytest.mark.parametrize('charge', [1.0, 0.55, 0.23])
@pytest.mark.parametrize('power', [20.0, 90.0, 200.0])
def test_between_its_knots_the_table_is_the_discharge_itself(charge, power, pack):
    table = CellsLeft(pack, WARM)
    truth = float(energy_left(rested(charge, WARM), power, WARM, pack).energy)
    full = float(energy_left(rested(1.0, WARM), 20.0, WARM, pack).energy)
    assert table.until_cutoff(charge, power) == pytest.approx(truth, abs=4e-3 * full)


def test_the_more_is_asked_the_less_there_is_and_nothing_above_what_the_pack_gives(pack):
    table = CellsLeft(pack, WARM)
    left = [table.until_cutoff(0.6, power) for power in (10.0, 50.0, 150.0, 300.0)]
    assert left == sorted(left, reverse=True) and left[0] > left[-1]
    assert table.until_cutoff(1.0, 1.01 * float(most_power(rested(1.0, WARM), pack))) == 0.0
    assert table.until_cutoff(0.0, 50.0) == 0.0
    assert math.isnan(table.until_cutoff(math.nan, 50.0))


def test_what_is_measured_at_one_power_corrects_the_other_by_its_share(pack):
    table = CellsLeft(pack, WARM)
    known = 0.8 * table.until_cutoff(0.5, 30.0)
    assert table.corrected(0.5, 120.0, known, 30.0) == pytest.approx(0.8 * table.until_cutoff(0.5, 120.0))
    assert table.corrected(0.5, 120.0, math.nan, 30.0) == table.until_cutoff(0.5, 120.0)
    assert table.corrected(0.5, 120.0, 10.0 * known, 30.0) == table.until_cutoff(0.5, 120.0)
