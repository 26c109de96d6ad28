"""A boat on cells in the simulator: must-show C of issue 16, and a battery that ends on the way."""

import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from scipy.optimize import brentq

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import share_folder
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, on_board_of, plant_at_start
from usv_energy.sim.record import BATTERY_EMPTY, summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

T200 = yaml.safe_load((share_folder() / 'config' / 'thrusters' / 't200.yaml').read_text())
BATTERY = {'chemistry': 'nmc', 'series': 4, 'capacity_wh': None, 'capacity_ah': 5.2, 'internal_resistance': 0.004,
           'most_current': 120.0, 'initial_state_of_charge': 1.0}


@pytest.fixture(scope='module')
def boat(tmp_path_factory):
    """Return a BlueBoat with two T200 on a small 4S pack, so stiff that it passes 16 V under load."""
    path = tmp_path_factory.mktemp('boat') / 'blueboat_4s.yaml'
    thrusters = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
                 for name, y in (('left', 0.295), ('right', -0.295))]
    path.write_text(yaml.safe_dump({'base': 'blueboat', 'name': '4s', 'thrusters': thrusters, 'battery': BATTERY}))
    return read_boat(str(path))


def scenario_of(boat, **changes):
    scenario = read_scenario('1').with_options(boat=str(boat.path))
    return replace(scenario, start=(0.0, 0.0, 0.0), waypoints=((9000.0, 0.0),), timeout=3600.0, step=0.05, period=0.2,
                   **changes)


@pytest.fixture(scope='module')
def run(boat):
    return run_scenario(scenario_of(boat))


def held(boat, voltage):
    """
    Return speed, m/s, and all power, W, at full throttle of a sheet of the maker's, by formulas that share no code.

    With x the rate, sqrt(B) at standstill, T = x^2 - c x u holds the drag. The motor's voltage stays: e n + R I gives
    x + k x (x - g c u) = sqrt(B) + k B, and the power goes with the current, which goes with the torque, x^2 - g c x u.
    """
    sheet = next(sheet for sheet in T200['sheets'] if sheet['voltage'] == voltage)
    bollard, watts, rpm = (sheet[key][-1] for key in ('thrusts', 'powers', 'rpm'))
    propeller, drag, air = boat.vessel.thrusters[0].propeller, boat.vessel.damping, boat.vessel.windage
    c, g = propeller.inflow, propeller.torque_ratio
    windage = 0.5 * air.air_density * air.frontal_area * air.c_x
    part = 1.0 - rpm / T200['motor']['rpm_per_volt'] / voltage      # R I over the voltage, at standstill
    k = part / (1.0 - part) / math.sqrt(bollard)

    def rate(u):
        half = 0.5 * (1.0 - k * g * c * u)
        return (math.sqrt(half * half + k * (math.sqrt(bollard) + k * bollard)) - half) / k

    u = brentq(lambda u: 2.0 * (rate(u) ** 2 - c * rate(u) * u)
               - drag.d11 * u - (drag.d11_q + windage) * u * u, 0.1, 5.0)
    return u, 2.0 * watts * (rate(u) ** 2 - g * c * rate(u) * u) / bollard + boat.vessel.static_load


@pytest.mark.parametrize('voltage', [16.0, 12.0])
def test_full_throttle_is_that_of_the_sheet_where_the_pack_is_at_its_voltage(voltage, boat, run):
    """Thrust, speed and power fall with the charge as the T200's sheets at 16 and 12 V say: within 0.5 %."""
    rows = run.rows[150:-50]
    number = next(n for n, row in enumerate(rows) if row.supply.voltage < voltage)
    before, after = (row.supply.voltage for row in rows[number - 1:number + 1])
    share = (before - voltage) / (before - after)
    speed, power = (np.interp(share, [0.0, 1.0], pair) for pair in zip(
        *((row.motion.u, row.power.total) for row in rows[number - 1:number + 1])))
    by_sheet = held(boat, voltage)
    assert speed == pytest.approx(by_sheet[0], rel=5e-3)
    assert power == pytest.approx(by_sheet[1], rel=5e-3)


def test_thrust_and_speed_and_power_fall_with_the_charge(run):
    rows = run.rows[150:-50:250]
    for series in ([row.supply.voltage for row in rows], [row.motion.u for row in rows],
                   [row.power.total for row in rows]):
        assert np.all(np.diff(series) < 0.0)


def test_from_cell_to_hull_the_energy_closes(run):
    """What the cells gave at their terminals is the model's energy, its thrust the plant's work: within 0.1 %."""
    told = summary_of(run, 'test')
    assert abs(told['battery_energy_relative']) < 1e-3 and abs(told['closure_relative']) < 1e-3
    by_rows = sum(0.5 * (after.supply.voltage * after.supply.current + before.supply.voltage * before.supply.current)
                  * (after.time - before.time) for before, after in zip(run.rows[1:], run.rows[2:]))
    assert by_rows == pytest.approx(told['battery_energy_j'], rel=2e-3)


def test_an_empty_battery_ends_the_run_and_says_when_and_where(boat, run):
    told = summary_of(run, 'test')
    assert run.outcome == told['outcome'] == BATTERY_EMPTY
    assert told['battery_empty_at'] == {'time_s': run.rows[-1].time, 'x_m': run.rows[-1].x, 'y_m': run.rows[-1].y}
    assert 0.0 < told['battery_charge_at_end'] < 0.2, 'what the lag leaves at 8 C'
    # The pack had what it gave: its cells' cutoff times four was the lowest voltage, or just above.
    cutoff = 4.0 * boat.pack.cell.cutoff_voltage
    assert cutoff - 1e-6 <= told['battery_lowest_voltage_v'] < cutoff + 0.3


def test_after_the_end_the_boat_coasts_and_nothing_is_drawn(boat):
    scenario = scenario_of(boat)
    on_board = on_board_of(boat, boat)._replace(charge=0.002)
    plant = SuppliedPlant(boat, on_board, scenario.start, scenario.flow_at(), 0.1)
    wanted = tuple(thruster.max_thrust for thruster in boat.vessel.thrusters)
    while plant.supply.alive and plant.time < 600.0:
        plant.advance(wanted)
    energy, speed, work = plant.supply.energy, plant.state.u_r, plant.state.work
    for _ in range(1800):
        plant.advance(wanted)
    assert plant.time < 600.0 and plant.supply.alive == 0.0 and plant.supply.energy == energy
    assert plant.thrusts == pytest.approx((0.0, 0.0), abs=0.7) and plant.state.u_r < 0.1 * speed
    assert plant.state.work == pytest.approx(work, rel=2e-2)


def test_a_boat_without_cells_is_the_plain_plant():
    scenario = read_scenario('1')
    plant = plant_at_start(scenario.plant, scenario.boat, scenario.start, scenario.flow_at(), 0.02)
    assert type(plant) is Plant and on_board_of(scenario.plant, scenario.boat) is None
