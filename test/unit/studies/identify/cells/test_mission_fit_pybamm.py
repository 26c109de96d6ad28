"""A pack from a mission whose volts are those of PyBaMM's Thevenin model."""

import os

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.identify.cells.mission_fit import fit_mission, mission_run

os.environ['PYBAMM_DISABLE_TELEMETRY'] = 'true'
NEEDS = ('numba', 'pybamm')     # Without numba a fit takes minutes.


@pytest.fixture(scope='module')
def pack(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nbattery: {chemistry: nmc, series: 4, capacity_ah: 10, capacity_wh: null}\n')
    return read_boat(str(path)).pack


def test_pybamm_s_thevenin_model_is_found_from_its_volts(pack):
    """One pair, constant numbers, as warm as before: a cell's resistances within 3 %, at a sensor without error."""
    import pybamm
    cell, seconds, start = pack.cell, 1500, 0.93
    rng = np.random.default_rng(7004)
    current = np.repeat(rng.choice([1.0, 4.0, 9.0], seconds // 30 + 1), 30)[:seconds + 1].astype(float)
    current = np.convolve(np.pad(current, 2, mode='edge'), np.full(5, 0.2), mode='valid')
    share, times = np.linspace(0.0, 1.0, cell.open_circuit.size), np.arange(seconds + 1.0)
    r0, r1, tau = 1.3 * float(cell.resistance[100]), 0.8 * float(cell.fast_resistance[100]), 22.0
    numbers = pybamm.ParameterValues({
        'chemistry': 'ecm', 'Initial SoC': start, 'Initial temperature [K]': 298.15, 'Ambient temperature [K]': 298.15,
        'Cell capacity [A.h]': cell.capacity / 3600.0, 'Nominal cell capacity [A.h]': cell.capacity / 3600.0,
        'Upper voltage cut-off [V]': 6.0, 'Lower voltage cut-off [V]': 1.0, 'Cell thermal mass [J/K]': 1e12,
        'Cell-jig heat transfer coefficient [W/K]': 1.0, 'Jig thermal mass [J/K]': 1e12,
        'Jig-air heat transfer coefficient [W/K]': 1.0, 'Entropic change [V/K]': 0.0,
        'Open-circuit voltage [V]': lambda soc: pybamm.Interpolant(share, np.asarray(cell.open_circuit), soc, name='u',
                                                                  interpolator='linear'),
        'Current function [A]': pybamm.Interpolant(times, current, pybamm.t, interpolator='linear'),
        'R0 [Ohm]': r0, 'R1 [Ohm]': r1, 'C1 [F]': tau / r1, 'Element-1 initial overpotential [V]': 0.0})
    model = pybamm.equivalent_circuit.Thevenin()
    volts = pybamm.Simulation(model, parameter_values=numbers).solve(times)['Voltage [V]'](times)
    cool = pack._replace(cell=cell._replace(heat_capacity=1e12))
    found = fit_mission(mission_run('pybamm', times, current, 4.0 * volts, 298.15), cool)
    pulse = 4.0 * (r0 + r1 * (1.0 - np.exp(-10.0 / tau)))
    assert found.pulse.low < pulse < found.pulse.high and found.pulse.value == pytest.approx(pulse, rel=0.03)
    assert found.charge.low < start < found.charge.high
