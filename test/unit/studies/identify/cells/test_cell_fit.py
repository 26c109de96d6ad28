from types import SimpleNamespace

import numpy as np
import pytest
from made_cell import CELL
from scipy import optimize

from usv_energy.studies.identify.cells.cell_fit import (
    KELVIN,
    KNOTS,
    SCALARS,
    TABLES,
    Heat,
    Scales,
    _discharge_residuals,
    _left,
    _prior_residuals,
    _pulse_residuals,
    cell_of,
    fit_cell,
    names_of_fit,
    replayed,
    start_charge,
    start_of,
)
from usv_energy.studies.identify.cells.cell_recordings import CellRun


def test_the_logarithms_stand_for_a_cell():
    logarithms = start_of(CELL)
    assert len(logarithms) == len(names_of_fit()) == len(SCALARS) + len(TABLES) * len(KNOTS)
    made = {'capacity': 5000.0, 'conductance': 0.02, 'resistance 0.4': 0.123, 'fast_resistance 0': 0.05,
            'fast_resistance 0.2': 0.04, 'slow_resistance 0.7': 0.03, 'slow_resistance 1': 0.02}
    for name, value in made.items():
        logarithms[names_of_fit().index(name)] = np.log(value)
    cell = cell_of(logarithms, CELL)
    for name, value in made.items():
        table, _, charge = name.partition(' ')
        found = getattr(cell, table)
        assert (found[round(200 * float(charge))] if charge else found) == pytest.approx(value), name
    assert cell.open_circuit is CELL.open_circuit and cell.cutoff_voltage == CELL.cutoff_voltage


def test_the_start_scales_with_the_capacity():
    """A cell of twice the capacity has half the resistance and twice the heat capacity."""
    one, two = (cell_of(start_of(CELL._replace(capacity=hours * 3600.0)), CELL) for hours in (1.0, 2.0))
    assert one.resistance[0] == pytest.approx(2.0 * two.resistance[0])
    assert 2.0 * one.heat_capacity == pytest.approx(two.heat_capacity) and one.lag == pytest.approx(two.lag)


def test_the_charge_at_the_start_is_given_or_that_of_the_voltage_at_rest():
    nothing = np.zeros(2)
    run = CellRun('x', nothing, nothing, nothing, nothing, float(CELL.open_circuit[120]))
    assert start_charge(run, CELL) == pytest.approx(0.6)
    assert start_charge(run._replace(charge=0.3), CELL) == 0.3


def test_a_fit_begins_with_a_small_cell_as_published_ones_are():
    """Per ampere hour: resistances against it, heat with it, times and temperatures as they are."""
    start = dict(zip(names_of_fit(), np.exp(start_of(CELL._replace(capacity=7200.0)))))
    for name, value in (('capacity', 7200.0), ('fast_time', 8.0), ('slow_time', 200.0), ('lag', 100.0),
                        ('lag_time', 500.0), ('activation', 1500.0), ('pair_activation', 4000.0),
                        ('lag_activation', 3000.0), ('heat_capacity', 28.0), ('conductance', 0.03)):
        assert start[name] == pytest.approx(value)
    for knot in KNOTS:
        assert [start[f'{name} {knot:g}'] for name in TABLES] == pytest.approx([0.06, 0.025, 0.025])


def test_residuals_of_a_discharge_weigh_by_time_and_its_end_apart():
    """20 mV and 2 K off: squares are shares of the time; the last voltage by 0.3 V; half a volt counts at most."""
    time = np.array([0.0, 10.0, 20.0, 50.0, 100.0])
    rest = float(CELL.open_circuit[-1])
    run = CellRun('x', time, 1.0 + 0.0 * time, 0.0 * time, np.full(5, 298.15), rest)
    volts, kelvin, charge = replayed(run, CELL)
    assert np.all(np.diff(charge) < 0.0) and np.all(np.diff(volts) < 0.0) and kelvin[-1] > kelvin[0]
    weight = np.gradient(time) / 100.0
    assert kelvin[0] == 298.15
    off = run._replace(voltage=volts - 0.02, temperature=np.append(298.15, kelvin[1:] - 2.0))
    by_volts, by_kelvin, at_end = _discharge_residuals(off, CELL)
    assert by_volts ** 2 == pytest.approx(weight) and by_kelvin[1:] == pytest.approx(np.sqrt(weight[1:]))
    assert at_end == pytest.approx([0.02 / 0.3]) and np.all(by_volts > 0.0)
    far, unknown, end = _discharge_residuals(off._replace(voltage=volts + 3.0, temperature=np.full(5, np.nan)), CELL)
    assert far == pytest.approx(-0.5 / 0.02 * np.sqrt(weight)) and end == pytest.approx([-0.5 / 0.3])
    assert not unknown.any(), 'a temperature that nobody measured has no error'


def test_residuals_of_a_pulse_are_of_its_drop_and_all_pulses_weigh_as_four_discharges():
    time = np.linspace(0.0, 10.0, 11)
    run = CellRun('x', time, 3.0 + 0.0 * time, 0.0 * time, np.full(11, np.nan), 3.7, 0.5)
    volts, _, _ = replayed(run, CELL)
    drop = volts - CELL.open_circuit[100]
    measured = run._replace(voltage=3.7 + drop - 0.02)
    for number in (1, 5):
        found = _pulse_residuals(measured, CELL, number)
        assert found == pytest.approx(np.full(11, np.sqrt(4.0 / (number * 11))))
    assert drop[0] == pytest.approx(-3.0 * CELL.resistance[100], rel=1e-6)


def test_priors_hold_numbers_near_their_start_and_knots_near_each_other():
    start = start_of(CELL)
    moved = start.copy()
    moved[1] += 0.5
    moved[len(SCALARS) + 1] += 0.25
    scalars, knots, steps = _prior_residuals(moved, start)
    assert np.abs(scalars[0]) == pytest.approx(0.05) and np.count_nonzero(scalars) == 1 and len(scalars) == 9
    assert np.abs(knots[1]) == pytest.approx(0.005) and np.count_nonzero(knots) == 1
    assert np.abs(steps[:2]) == pytest.approx([0.0075, 0.0075]) and np.count_nonzero(steps) == 2 and len(steps) == 18
    assert steps[0] == -steps[1]
    place = SCALARS.index('heat_capacity')
    warmer = start + 0.2 * (np.arange(len(start)) == place)
    assert _prior_residuals(warmer, start, Heat(20.0, 0.1))[0][place - 1] == pytest.approx(np.sqrt(4.0 * np.log(2.0)))
    assert np.exp(start_of(CELL, Heat(20.0, 0.1))[place]) == pytest.approx(20.0)


@pytest.mark.parametrize(('discharges', 'pulses', 'cost', 'count'), [(3, 4, 0.7, 64), (0, 30, 0.7, 50), (0, 2, 0.7, 22),
                                                                    (2, 0, 0.0, 40)])
def test_errors_are_those_of_least_squares_of_twenty_samples_a_discharge(monkeypatch, discharges, pulses, cost, count):
    """Variance: twice the cost over what counts less the numbers, one at least; so a small cost is no certainty."""
    start = start_of(CELL)
    scale = 1.0 + np.arange(len(start))
    monkeypatch.setattr(optimize, 'least_squares', lambda *given, **more: SimpleNamespace(
        x=given[1] + 0.1, cost=cost, jac=np.diag(scale)))
    found = fit_cell([None] * pulses, [None] * discharges, CELL)
    variance = max(2.0 * cost, 1e-12) / max(count - len(start), 1.0)
    np.testing.assert_allclose(found.errors, np.sqrt(variance) / scale)
    np.testing.assert_allclose(found.logarithms, start + 0.1)
    assert found.cell.capacity == pytest.approx(CELL.capacity * np.exp(0.1))


def test_noise_of_temperatures_counts_as_often_as_it_was_read_what_goes_on_once(rng):
    time = np.linspace(0.0, 400.0, 401)
    run = CellRun('d', time, 2.0 + 0.0 * time, 3.9 + 0.0 * time, np.full(401, 298.15), 4.1)
    warm = replayed(run, CELL)[1]
    for wrong, one in ((np.ones(401), 1.0), (rng.normal(size=401), 0.05)):
        left, scales = _left([run._replace(temperature=warm + np.append(0.0, wrong[1:]))], CELL)
        assert left == pytest.approx(1.0, rel=0.1) and scales.kelvin == pytest.approx(one, rel=0.2)
    unknown = run._replace(temperature=np.full(401, np.nan), voltage=replayed(run, CELL)[0] - 0.012)
    assert _left([unknown], CELL) == (KELVIN, pytest.approx(Scales(0.012, KELVIN), rel=0.01))
    assert [_left([unknown._replace(voltage=unknown.voltage + more)], CELL)[1].volts
            for more in (0.012, -0.02)] == [0.003, 0.02]


def test_a_fit_is_of_all_discharges_pulses_and_priors_at_once(monkeypatch):
    time = np.array([0.0, 10.0, 20.0, 50.0, 100.0])
    nothing = np.full(5, np.nan)
    discharges = [CellRun('d', time, amperes + 0.0 * time, 3.9 - 0.001 * time, nothing, 4.1) for amperes in (1.0, 2.0)]
    pulses = [CellRun('p', 0.1 * time, 3.0 + 0.0 * time, 3.6 - 0.001 * time, nothing, 3.7, charge)
              for charge in (0.3, 0.5, 0.7)]
    asked = []
    monkeypatch.setattr(optimize, 'least_squares', lambda function, start, **more: asked.append(function)
                        or SimpleNamespace(x=start, cost=0.7, jac=np.eye(len(start))))
    fit_cell(pulses, discharges, CELL)
    start = start_of(CELL)
    moved = start + 0.01 * np.arange(len(start))
    cell = cell_of(moved, CELL)
    parts = [*_discharge_residuals(discharges[0], cell), *_discharge_residuals(discharges[1], cell),
             *(_pulse_residuals(run, cell, 3) for run in pulses), *_prior_residuals(moved, start)]
    np.testing.assert_allclose(asked[0](moved), np.concatenate(parts))
