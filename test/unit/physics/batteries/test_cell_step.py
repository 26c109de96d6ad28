
import math

import numpy as np
import pytest
from cell_cases import KNOTS, ONE_PAIR, PACK, PLAIN, ROOM, WHOLE, at, states
from scipy.integrate import solve_ivp, trapezoid

from usv_energy.physics.batteries.cell import (
    CellState,
    Pack,
    cell_part,
    factors_of,
    open_circuit_voltage,
    rested,
    voltage,
)
from usv_energy.physics.batteries.cell_step import heat_of, step_at_current, step_at_power, step_beyond

NEVER_WARM = {'activation': 0.0, 'pair_activation': 0.0, 'lag_activation': 0.0, 'capacity_slope': 0.0}


def test_one_pair_follows_its_closed_form_in_steps_of_any_length():
    """V = U - R0 I - R1 I (1 - exp(-t / tau)), and after the current exp(-t / tau): to rounding, whatever the step."""
    pack, current, duration = Pack(ONE_PAIR, 1.0, 1.0), 2.0, 25.0
    for number in (1, 7, 100):
        state = rested(0.9, ROOM)
        for _ in range(number):
            state = step_at_current(state, current, duration / number, ROOM, pack)
        assert state.charge == pytest.approx(0.9 - current * duration / 3600.0, rel=1e-12)
        assert voltage(state, current, pack) == pytest.approx(
            3.6 - 0.05 * 2.0 - 0.03 * 2.0 * (1.0 - math.exp(-2.5)), rel=1e-10)
        rest = step_at_current(state, 0.0, 15.0, ROOM, pack)
        assert rest.fast == pytest.approx(0.06 * (1.0 - math.exp(-2.5)) * math.exp(-1.5), rel=1e-10)


def test_the_lag_follows_its_closed_form():
    """x = k I / Q (1 - exp(-t / tau_x)) of the charge, both k and tau_x larger by Arrhenius."""
    cell = PLAIN._replace(lag=200.0, lag_time=500.0, lag_activation=5000.0, conductance=1e6)
    cold = 278.15
    factor = math.exp(5000.0 * (1.0 / cold - 1.0 / ROOM))
    state = step_at_current(rested(0.9, cold), 1.0, 800.0, cold, Pack(cell, 1.0, 1.0))
    assert state.lag == pytest.approx(200.0 * factor / 3600.0 * (1.0 - math.exp(-800.0 / (500.0 * factor))), rel=1e-10)


def test_the_temperature_follows_its_closed_form():
    """A constant loss of 4 A in 50 mOhm warms by R I^2 / h (1 - exp(-h t / C))."""
    state = step_at_current(rested(0.9, ROOM), 4.0, 600.0, ROOM, Pack(PLAIN, 1.0, 1.0))
    assert state.temperature - ROOM == pytest.approx(0.8 / 0.1 * (1.0 - math.exp(-0.1 * 600.0 / 80.0)), rel=1e-10)


def test_a_constant_power_of_a_resistance_has_a_constant_current():
    state, supply = step_at_power(rested(0.9, ROOM), 7.0, 100.0, ROOM, Pack(PLAIN, 1.0, 1.0))
    current = (3.6 - math.sqrt(3.6 ** 2 - 4.0 * 0.05 * 7.0)) / 0.1
    assert supply == pytest.approx((7.0 / current, current, 7.0, 0.0))
    assert state.charge == pytest.approx(0.9 - current * 100.0 / 3600.0)


def after(power, steps, pack, duration=3000.0):
    state, energy = rested(0.95, ROOM), 0.0
    for _ in range(steps):
        state, supply = step_at_power(state, power, duration / steps, ROOM, pack)
        energy += supply.voltage * supply.current * duration / steps
    return np.array(state), energy


def test_steps_are_of_second_order():
    """Halving the step divides the error of the whole cell by four, where temperature does not act on resistances."""
    pack = PACK._replace(cell=WHOLE._replace(**NEVER_WARM, resistance=0.03 + 0.02 * (1.0 - KNOTS) ** 2,
                                             open_circuit=3.0 + 1.2 * KNOTS))
    best, _ = after(150.0, 12000, pack)
    coarse, fine = (np.abs(after(150.0, steps, pack)[0] - best)[:4] for steps in (600, 1200))
    np.testing.assert_array_less(np.log2(coarse / fine), 2.5)
    np.testing.assert_array_less(1.7, np.log2(coarse / fine))


def test_the_energy_given_is_the_energy_asked_for():
    _, energy = after(120.0, 300, PACK)
    assert energy == pytest.approx(120.0 * 3000.0, rel=1e-12)


def test_energy_is_conserved():
    """What the charge was worth at rest is given, turned to heat, or held in the capacitors (1/2 v^2 tau / R)."""
    cell = WHOLE._replace(**NEVER_WARM, open_circuit=3.0 + 1.2 * KNOTS, fast_resistance=0.012 + 0.0 * KNOTS,
                          slow_resistance=0.02 + 0.0 * KNOTS)
    pack, state, given, heat = Pack(cell, 1.0, 1.0), rested(0.9, ROOM), 0.0, 0.0
    factors, dt = factors_of(ROOM, pack), 1.0
    for number in range(1500):
        current = 8.0 if number % 300 < 200 else -3.0
        middle = step_at_current(state, current, 0.5 * dt, ROOM, pack)
        given += voltage(middle, current, pack) * current * dt
        heat += heat_of(middle, current, cell_part(middle, factors, cell)) * dt
        state = step_at_current(state, current, dt, ROOM, pack)
    charges = np.linspace(state.charge, 0.9, 4001)
    worth = trapezoid(open_circuit_voltage(charges, cell), charges) * cell.capacity
    held = 0.5 * (state.fast ** 2 * cell.fast_time / 0.012 + state.slow ** 2 * cell.slow_time / 0.02)
    assert given + heat + held == pytest.approx(worth, rel=1e-5)
    assert heat > 0.05 * worth and state.temperature > ROOM + 5.0


def test_an_aged_cell_has_less_charge_and_more_resistance():
    new, old = Pack(ONE_PAIR, 1.0, 1.0), Pack(ONE_PAIR, 1.0, 1.0, 0.8, 1.5)
    fresh, aged = (step_at_current(rested(1.0, ROOM), 1.0, 360.0, ROOM, pack) for pack in (new, old))
    assert 1.0 - aged.charge == pytest.approx((1.0 - fresh.charge) / 0.8)
    assert aged.fast == pytest.approx(1.5 * fresh.fast)


def test_arrays_are_floats_one_by_one(rng):
    state, power = states(rng, 40), rng.uniform(-100.0, 2000.0, 40)
    ended, supply = step_at_power(state, power, 2.0, 290.0, PACK)
    for number in range(40):
        one, given = step_at_power(at(state, number), float(power[number]), 2.0, 290.0, PACK)
        np.testing.assert_allclose(one, [values[number] for values in ended], rtol=1e-12)
        np.testing.assert_allclose(given, [values[number] for values in supply], rtol=1e-12, atol=1e-12)


COLD, STEP = 283.0, 0.5
CELL = WHOLE._replace(heat_capacity=1e12)  # Its temperature stays, and so do all factors.
START = CellState(0.61, 0.02, 0.03, 0.01, COLD)


def course(current_of):
    """Return charge, fast, slow and lag after STEP; `current_of`: of a cell's voltage without current, and R0."""
    factor = [scale * math.exp(activation * (1.0 / COLD - 1.0 / ROOM)) for scale, activation in (
        (1.2, CELL.activation), (1.2, CELL.pair_activation), (1.0, CELL.lag_activation))]

    def rates(time, values):
        charge, fast, slow, lag = values
        left = 1.0 - (1.0 - charge) / (1.0 + CELL.capacity_slope * (COLD - ROOM))
        table = {name: np.interp(left, KNOTS, getattr(CELL, name))
                 for name in ('resistance', 'fast_resistance', 'slow_resistance')}
        volts = np.interp(left - lag, KNOTS, CELL.open_circuit) - fast - slow
        current = current_of(volts, factor[0] * table['resistance'])
        share = current / (CELL.capacity * 0.95)
        return (-share, (factor[1] * table['fast_resistance'] * current - fast) / CELL.fast_time,
                (factor[1] * table['slow_resistance'] * current - slow) / CELL.slow_time,
                (CELL.lag * factor[2] * share - lag) / (CELL.lag_time * factor[2]))

    return solve_ivp(rates, (0.0, STEP), START[:4], rtol=1e-11, atol=1e-13, max_step=0.1).y[:, -1]


@pytest.mark.parametrize('step', ['current', 'power', 'beyond'])
def test_a_step_is_the_circuits(step):
    """12 cells, 4 in series: 60 A of the pack are 20 A of a cell, 600 W are 50 W; what is left is of third order."""
    pack = PACK._replace(cell=CELL)
    if step == 'current':
        found, expected = step_at_current(START, 60.0, STEP, COLD, pack), course(lambda volts, resistance: 20.0)
    else:
        expected = course(lambda volts, resistance: (
            (volts - math.sqrt(volts * volts - 4.0 * resistance * 50.0)) / (2.0 * resistance)))
        found = (step_beyond(START, 600.0, STEP, COLD, pack) if step == 'beyond'
                 else step_at_power(START, 600.0, STEP, COLD, pack)[0])
    np.testing.assert_allclose(np.subtract(found[:4], START[:4]), expected - START[:4], rtol=3e-4)


@pytest.mark.parametrize('step', ['current', 'power', 'beyond'])
def test_the_lag_heats_by_what_it_is_in_the_middle_of_a_step(step):
    """A cell without resistance and U = 3 + 1.2 z: 1.2 V times the lag times the current, C in closed form."""
    cell = WHOLE._replace(open_circuit=3.0 + 1.2 * KNOTS, resistance=0.0 * KNOTS, fast_resistance=0.0 * KNOTS,
                          slow_resistance=0.0 * KNOTS, capacity_slope=0.0, most_current=math.inf)
    pack, factor = PACK._replace(cell=cell), math.exp(cell.lag_activation * (1.0 / COLD - 1.0 / ROOM))
    capacity, watts = cell.capacity * 0.95, 600.0 / 12.0
    current = 20.0 if step == 'current' else watts / (3.0 + 1.2 * 0.6)
    middle = cell.lag * factor * current / capacity * (1.0 - math.exp(-30.0 / (cell.lag_time * factor)))
    if step != 'current':
        current = watts / (3.0 + 1.2 * (0.6 - 30.0 * current / capacity - middle))
    warmer = 1.2 * middle * current / cell.conductance * (1.0 - math.exp(-60.0 * cell.conductance / cell.heat_capacity))
    start = CellState(0.6, 0.0, 0.0, 0.0, COLD)
    found = (step_at_current(start, 60.0, 60.0, COLD, pack) if step == 'current'
             else step_beyond(start, 600.0, 60.0, COLD, pack) if step == 'beyond'
             else step_at_power(start, 600.0, 60.0, COLD, pack)[0])
    assert found.temperature - COLD == pytest.approx(warmer, rel=1e-9)
