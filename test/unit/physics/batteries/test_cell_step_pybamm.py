"""The cell's circuit against PyBaMM's, which shares no code with it: equal numbers, a drive cycle."""

import os
from itertools import pairwise

import numpy as np
import pytest
from cell_cases import KNOTS, ROOM, WHOLE

from usv_energy.physics.batteries.cell import Pack, rested, voltage
from usv_energy.physics.batteries.cell_step import step_at_current

os.environ['PYBAMM_DISABLE_TELEMETRY'] = 'true'
NEEDS = ('pybamm',)
START, STEP, STEPS = 0.9, 1.0, 1200
# Without the lag, which PyBaMM has in another form, and with as much capacity in the cold.
CELL = WHOLE._replace(lag=0.0, capacity_slope=0.0)


@pytest.fixture(scope='module')
def cycle():
    """Amperes at the ends of steps, linear between them: sprints, cruising, rests and charging."""
    rng = np.random.default_rng(20261122)
    held = np.repeat(rng.choice([0.0, 2.0, 5.0, 12.0, -4.0], STEPS // 30 + 1, p=[0.2, 0.3, 0.3, 0.1, 0.1]), 30)
    return np.convolve(np.pad(held[:STEPS + 1], 5, mode='edge'), np.full(11, 1.0 / 11.0), mode='valid')


def ours(cycle, pack):
    """Return volts and kelvin at the ends of the steps."""
    state = rested(START, ROOM)
    volts, kelvin = [voltage(state, float(cycle[0]), pack)], [ROOM]
    for before, after in pairwise(cycle):
        state = step_at_current(state, float(0.5 * (before + after)), STEP, ROOM, pack)
        volts.append(voltage(state, float(after), pack))
        kelvin.append(state.temperature)
    return np.array(volts), np.array(kelvin)


def theirs(cycle, pack):
    import pybamm
    cell = pack.cell

    def factor(activation, celsius):
        return pybamm.exp(activation * (1.0 / (celsius + 273.15) - 1.0 / cell.reference_temperature))

    def table(values, name):
        return lambda soc: pybamm.Interpolant(KNOTS, np.asarray(values), soc, name=name, interpolator='linear')

    ocv, r0 = table(cell.open_circuit, 'ocv'), table(cell.resistance, 'r0')
    pairs = {1: (table(cell.fast_resistance, 'r1'), cell.fast_time), 2: (table(cell.slow_resistance, 'r2'),
                                                                        cell.slow_time)}
    numbers = {
        'chemistry': 'ecm', 'Initial SoC': START, 'Initial temperature [K]': ROOM, 'Ambient temperature [K]': ROOM,
        'Cell capacity [A.h]': cell.capacity / 3600.0, 'Nominal cell capacity [A.h]': cell.capacity / 3600.0,
        'Upper voltage cut-off [V]': 6.0, 'Lower voltage cut-off [V]': 1.0,
        'Cell thermal mass [J/K]': cell.heat_capacity, 'Cell-jig heat transfer coefficient [W/K]': cell.conductance,
        'Jig thermal mass [J/K]': 1e12, 'Jig-air heat transfer coefficient [W/K]': 1.0,
        'Entropic change [V/K]': 0.0, 'Open-circuit voltage [V]': ocv,
        'Current function [A]': pybamm.Interpolant(STEP * np.arange(STEPS + 1), cycle, pybamm.t,
                                                   interpolator='linear'),
        'R0 [Ohm]': lambda celsius, current, soc: r0(soc) * factor(cell.activation, celsius)}
    for number, (resistance, duration) in pairs.items():
        numbers |= {
            f'R{number} [Ohm]': lambda celsius, current, soc, of=resistance: of(soc) * factor(cell.pair_activation,
                                                                                             celsius),
            f'C{number} [F]': lambda celsius, current, soc, of=resistance, tau=duration: tau / (
                of(soc) * factor(cell.pair_activation, celsius)),
            f'Element-{number} initial overpotential [V]': 0.0}
    model = pybamm.equivalent_circuit.Thevenin(options={'number of rc elements': len(pairs)})
    solver = pybamm.IDAKLUSolver(rtol=1e-8, atol=1e-10, options={'dt_max': 2.0})
    simulation = pybamm.Simulation(model, parameter_values=pybamm.ParameterValues(numbers), solver=solver)
    times = STEP * np.arange(STEPS + 1)
    solution = simulation.solve(times)
    return solution['Voltage [V]'](times), solution['Cell temperature [K]'](times)


@pytest.mark.parametrize(('heat_capacity', 'most_rms', 'most_kelvin'), [(1e12, 1e-4, 1e-6), (75.0, 1e-3, 0.3)],
                         ids=['as warm as before', 'warming'])
def test_a_drive_cycle_is_that_of_pybamm_s_thevenin_model(cycle, heat_capacity, most_rms, most_kelvin):
    """
    At most 1 mV of root mean square error, and a tenth of that where temperature stays out of it.

    PyBaMM heats the cell with all that goes into a pair, we with what its resistance turns to heat: what the capacitors
    hold makes a quarter of a kelvin.
    """
    pack = Pack(CELL._replace(heat_capacity=heat_capacity), 1.0, 1.0)
    (volts, kelvin), (their_volts, their_kelvin) = ours(cycle, pack), theirs(cycle, pack)
    assert np.ptp(their_volts) > 0.5 and (np.ptp(their_kelvin) > 2.0) == (heat_capacity < 1e3)
    assert np.sqrt(np.mean((volts - their_volts) ** 2)) < most_rms
    assert np.abs(kelvin - their_kelvin).max() < most_kelvin
