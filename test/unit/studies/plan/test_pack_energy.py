import numpy as np
import pytest
from ohmic_boat import AMPERE_HOURS, RESISTANCE, VOLTAGE, current_at, ohmic_boat

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.batteries.cell import rested
from usv_energy.physics.batteries.cell_discharge import discharge
from usv_energy.studies.plan.pack_energy import PackEnergy

ROOM = 298.15


def test_the_energy_of_a_constant_voltage_and_a_resistance(tmp_path):
    """P (z - z_r) Q / I, with V I - R I^2 = P; none beyond 144 W, where the voltage is the cutoff."""
    energy = PackEnergy(ohmic_boat(tmp_path).pack, 0.9, 0.3, ROOM)
    powers = np.array([[1.0, 50.0], [143.9, 144.1]])
    found = energy(powers)
    wanted = [power * 0.6 * AMPERE_HOURS * 3600.0 / current_at(power) for power in (1.0, 50.0, 143.9)]
    assert found.ravel() == pytest.approx([*wanted, 0.0], rel=1e-7)
    assert energy.most_power == pytest.approx(12.0 * (VOLTAGE - 12.0) / RESISTANCE, rel=1e-6)
    assert np.isnan(energy(np.array([np.nan]))).all()


def test_a_table_is_the_same_within_thousandths(tmp_path):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\n'
                     'battery: {chemistry: nmc, series: 4, capacity_wh: null, parallel: 4}\n')
    energy = PackEnergy(read_boat(str(cells)).pack, 1.0, 0.1, ROOM)
    powers = np.geomspace(0.5, 0.9 * energy.most_power, 25)
    assert energy.as_table()(powers) == pytest.approx(energy(powers), rel=3e-3)
    beyond = energy.as_table()(np.array([1.01 * energy.most_power, np.nan]))
    assert beyond[0] == 0.0 and np.isnan(beyond[1])


def test_without_a_reserve_it_is_what_a_discharge_gives(tmp_path):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\n'
                     'battery: {chemistry: nmc, series: 4, capacity_wh: null, parallel: 4}\n')
    pack = read_boat(str(cells)).pack
    course = discharge(rested(1.0, 283.15), 283.15, pack, power=150.0)
    assert PackEnergy(pack, 1.0, 0.0, 283.15)(np.array([150.0])) == pytest.approx(course.energy[-1], rel=2e-3)
