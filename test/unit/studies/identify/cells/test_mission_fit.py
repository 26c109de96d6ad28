"""A pack from a mission: truth of formulas that share no code; what it cannot tell. By PyBaMM: *_pybamm.py."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from mission_twin import mission
from scipy.stats import norm

from usv_energy.boats.battery_sheet import pulse_resistance
from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.identify.cells import mission_fit
from usv_energy.studies.identify.cells.cell_fit import course_of
from usv_energy.studies.identify.cells.mission_fit import (
    FACTORS,
    PRIOR,
    MissionRun,
    correlated_samples,
    fit_mission,
    mission_run,
    pack_with,
    with_slow_pair,
)

NEEDS = ('numba',)     # Without numba a fit takes minutes.


@pytest.fixture(scope='module')
def pack(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nbattery: {chemistry: nmc, series: 4, capacity_ah: 10, capacity_wh: null}\n')
    return read_boat(str(path)).pack


def test_resistance_charge_and_capacity_lie_in_their_intervals(pack):
    rng = np.random.default_rng(7001)
    own, time, current, volts = mission(rng, pack.cell, 2400)
    found = fit_mission(mission_run('twin', time, current, volts, 298.15), pack)
    for one, truth in ((found.pulse, own['pulse']), (found.capacity, own['capacity']), (found.charge, own['charge'])):
        assert one.low < truth < one.high
    assert found.pulse.determined and found.pulse.value == pytest.approx(own['pulse'], rel=0.08)
    assert found.noise == pytest.approx(0.0104, rel=0.2), 'what is left are the sensor\'s 10 mV and its rounding'


def test_a_short_mission_tells_the_resistance_and_not_the_capacity(pack):
    own, time, current, volts = mission(np.random.default_rng(7003), pack.cell, 420)
    found = fit_mission(mission_run('short', time, current, volts, 298.15), pack)
    assert found.pulse.determined and found.pulse.low < own['pulse'] < found.pulse.high
    assert not found.capacity.determined and found.capacity.low < own['capacity'] < found.capacity.high


def test_correlated_samples_are_those_of_a_first_order_process(rng):
    """An AR(1) of coefficient c: (1 + c) / (1 - c) samples count as one."""
    noise = rng.normal(size=200_000)
    values = np.empty(noise.size)
    values[0] = noise[0]
    for n in range(1, noise.size):
        values[n] = 0.8 * values[n - 1] + noise[n]
    assert correlated_samples(values) == pytest.approx(9.0, rel=0.1)
    assert correlated_samples(noise) == pytest.approx(1.0, abs=0.1)


def test_correlated_samples_are_summed_until_the_first_correlation_below_a_twentieth(rng):
    values = np.convolve(rng.normal(size=300), [1.0, 0.9, 0.7, 0.2, -0.4], 'valid') + 3.0
    centred = values - values.mean()
    correlation = [centred[:values.size - lag] @ centred[lag:] / (centred @ centred) for lag in range(values.size)]
    last = next(lag for lag, one in enumerate(correlation) if one < 0.05)
    assert last > 1 and correlated_samples(values) == pytest.approx(1.0 + 2.0 * sum(correlation[1:last]))
    assert correlated_samples(np.full(9, 3.0)) == 1.0 and correlated_samples((-1.0) ** np.arange(9)) == 1.0


def test_quantiles_of_a_mixture_are_where_its_distribution_says(rng):
    middles, errors, weight = np.array([0.3, -1.4, 2.0]), np.array([0.2, 0.5, 1.1]), np.array([0.5, 0.2, 0.3])
    for share, at in zip((0.025, 0.5, 0.975), mission_fit._quantiles(middles, errors, weight)):
        assert norm.cdf((at - middles) / errors) @ weight == pytest.approx(share, abs=1e-4)


def older(pack):
    """Return such a pack of two strings, four fifths of a new one's capacity, with a slow pair and a lag."""
    pack = with_slow_pair(pack._replace(parallel=2.0, capacity_share=0.8, resistance_factor=1.3))
    return pack._replace(cell=pack.cell._replace(lag=90.0, lag_time=15.0))


def test_slopes_of_the_resistance_to_ten_seconds_are_the_parts_shares(pack):
    """With e = exp(-10 / t1): by ln R0 R0 / P, by ln R1 R1 (1 - e) / P, by ln t1 -R1 e (10 / t1) / P."""
    pack = older(pack)
    cell, middle = pack.cell, 100
    whole = pulse_resistance(cell)
    wanted = dict.fromkeys(FACTORS, 0.0) | {'resistance': cell.resistance[middle] / whole}
    for name in ('fast', 'slow'):
        ohms, time = getattr(cell, f'{name}_resistance')[middle], getattr(cell, f'{name}_time')
        wanted[f'{name}_resistance'] = ohms * (1.0 - math.exp(-10.0 / time)) / whole
        wanted[f'{name}_time'] = -ohms * math.exp(-10.0 / time) * 10.0 / time / whole
    wanted['lag'] = 1.0 - sum(wanted[name] for name in ('resistance', 'fast_resistance', 'slow_resistance'))
    wanted['capacity'] = -wanted['lag']
    slopes = mission_fit._pulse_slopes(pack, np.zeros(len(FACTORS)))
    assert dict(zip(FACTORS, slopes)) == pytest.approx(wanted, abs=1e-6) and wanted['lag'] > 0.01
    assert mission_fit._pulse_resistance(pack) == pytest.approx(whole * pack.series / 2.0 * 1.3)
    shares = {'resistance': cell.activation, 'fast_resistance': cell.pair_activation,
              'slow_resistance': cell.pair_activation}
    assert mission_fit._pulse_activation([0.5 * slopes, 1.5 * slopes], cell) == pytest.approx(
        sum(wanted[name] * kelvin for name, kelvin in shares.items()))


def test_a_pack_without_pairs_gets_one_that_follows_from_the_resistance(pack):
    cell = pack.cell._replace(fast_resistance=0.0 * pack.cell.resistance, slow_resistance=0.0 * pack.cell.resistance)
    found = with_slow_pair(pack._replace(cell=cell)).cell
    np.testing.assert_allclose(found.fast_resistance, 0.5 * cell.resistance)
    np.testing.assert_allclose(found.slow_resistance, 0.25 * cell.resistance)
    assert found.slow_time == pytest.approx(10.0 * cell.fast_time)
    own = older(pack)
    assert with_slow_pair(own) is not None and with_slow_pair(own).cell == own.cell
    factors = {name: 1.0 + 0.1 * number for number, name in enumerate(FACTORS)}
    for name in FACTORS:
        np.testing.assert_allclose(getattr(pack_with(own, factors).cell, name), factors[name] * getattr(own.cell, name))


@pytest.fixture
def ramp(pack):
    """Return an older pack and a run that draws 0.02 of its charge between samples, by trapezoids of 1 and 3."""
    own = older(pack)
    whole = own.cell.capacity * 0.8 * 2.0
    current = np.array([1.0, 3.0] * 4)
    time = 0.02 * whole / 2.0 * np.arange(8.0)
    return own, MissionRun('ramp', time, current, 14.0 + 0.1 * np.arange(8.0), 298.15)


def test_unknowns_are_a_walk_over_the_charge_that_is_drawn_back_and_what_is_left_of_the_past(ramp):
    """Covariance between charges: (4 cells of OCV_STD)^2 exp(-distance / OCV_LENGTH)."""
    pack, run = ramp
    basis = mission_fit._voltage_basis(run, pack, 0.03)
    charge = 0.02 * np.arange(8.0)
    walk = basis[:, :-1] @ basis[:, :-1].T
    np.testing.assert_allclose(walk, 0.12 ** 2 * np.exp(-np.abs(charge[:, None] - charge) / 0.15), rtol=1e-9)
    cell = pack.cell
    ohms = np.mean(cell.fast_resistance + cell.slow_resistance) * 4.0 / 2.0
    np.testing.assert_allclose(basis[:, -1], ohms * np.exp(-run.time / cell.slow_time))
    fast = pack._replace(cell=cell._replace(slow_time=0.2))
    back = run._replace(current=-run.current, time=run.time / run.time[1])
    np.testing.assert_allclose(mission_fit._voltage_basis(back, fast, 0.03)[:, -1], ohms * np.exp(-np.arange(8.0)))


def test_what_is_left_without_the_unknowns_is_where_they_cost_what_they_save(ramp, rng):
    """Least squares of noise and unknowns together: B' off / noise^2 = unknowns; the first charge is at rest."""
    pack, run = ramp
    problem = mission_fit._MissionResiduals(run, pack, 0.05, 0.02)
    theta = rng.normal(0.0, 0.1, len(FACTORS))
    volts, charge = problem.course(theta, 0.9)
    model = pack_with(pack, dict(zip(FACTORS, np.exp(theta))))
    for found, wanted in zip((volts, charge), np.array(course_of(run.time, run.current, 0.9, 298.15, model))[[0, 2]]):
        np.testing.assert_allclose(found, wanted)
    off, unknown, modelled = problem.split(theta, 0.9)
    np.testing.assert_allclose(problem.basis.T @ off / 0.05 ** 2, unknown, atol=1e-9)
    np.testing.assert_allclose(modelled, volts + problem.basis @ unknown)
    np.testing.assert_allclose(off, run.voltage - modelled)
    np.testing.assert_allclose(problem.residuals_with_charge(np.append(theta, 0.9)),
                               np.concatenate([off / 0.05, unknown, theta / list(PRIOR.values())]))
    kelvin = course_of(run.time, run.current, 0.9, 298.15, model)[1]
    rise = (kelvin - 298.15) @ run.current ** 2 / (run.current @ run.current)
    assert problem.warmth_std(theta, 0.9) == pytest.approx(math.hypot(0.5, 0.2 * rise))
    share = np.linspace(0.0, 1.0, pack.cell.open_circuit.size)
    at_rest = [4.0 * np.interp(one, share, pack.cell.open_circuit) for one in (0.4, 0.6, 0.8)]
    first = run._replace(voltage=np.array([at_rest[0]] * 8 + [at_rest[1], at_rest[0], at_rest[2]]))
    assert mission_fit._initial_charge(first, pack) == pytest.approx(0.6)
    for volts, least in ((1.0, 0.05), (99.0, 1.0)):
        assert mission_fit._initial_charge(run._replace(voltage=np.full(8, volts)), pack) == least


@pytest.mark.parametrize(('middle', 'wide', 'low', 'high'), [(0.5, 0.01, 0.35, 0.65), (0.5, 0.05, 0.3, 0.7),
                                                             (0.9, 0.1, 0.5, 1.02), (0.1, 0.1, 0.03, 0.5)])
def test_charges_are_looked_at_until_they_are_unlikely_or_none(middle, wide, low, high):
    """A normal distribution is 8 lower at four standard deviations; 0.15 in any case; between 0.02 and 1.03."""
    def at(charge, theta):
        return mission_fit._FitAtCharge(charge, theta + 1.0, None, -0.5 * ((charge - middle) / wide) ** 2)

    nodes = mission_fit._fits_over_charge(SimpleNamespace(fit_at=at), np.array([0.0, middle]))
    charges = [node.charge for node in nodes]
    np.testing.assert_allclose(np.diff(charges), 0.01)
    assert (charges[0], charges[-1]) == (pytest.approx(low, abs=0.0101), pytest.approx(high, abs=0.0101))
    steps = np.abs(np.array(charges) - middle) / 0.01
    np.testing.assert_allclose([node.theta[0] for node in nodes], 1.0 + steps, atol=1e-6)


def test_what_is_told_is_the_mixture_over_charges_and_what_the_sensor_and_the_warmth_add(ramp):
    """Two charges, the second e times less likely: medians between them, spreads with those of gain and warmth."""
    pack, run = ramp
    problem = mission_fit._MissionResiduals(run, pack, 0.05, 0.02)
    size = len(FACTORS)
    one, two = 0.02 * np.arange(size), 0.02 * np.arange(size) + 0.01
    variance = np.diag(np.full(size, 0.04 ** 2))
    nodes = [mission_fit._FitAtCharge(0.80, one, variance, 3.0), mission_fit._FitAtCharge(0.81, two, variance, 2.0)]
    found = mission_fit._mixture(problem, nodes, 0.011, 7.0)
    weight = np.array([1.0, math.exp(-1.0)]) / (1.0 + math.exp(-1.0))
    warm = problem.warmth_std(one, 0.80) / 298.15 ** 2
    cell = pack.cell
    for number, name in enumerate(FACTORS):
        beside = {'resistance': math.hypot(0.02, warm * cell.activation),
                  'fast_resistance': math.hypot(0.02, warm * cell.pair_activation),
                  'slow_resistance': math.hypot(0.02, warm * cell.pair_activation), 'capacity': 0.02}.get(name, 0.0)
        error = math.hypot(0.04, beside)
        wanted = mission_fit._quantiles(np.array([one[number], two[number]]), np.full(2, error), weight)
        number = found.factors[name]
        np.testing.assert_allclose([number.low, number.value, number.high], np.exp(wanted), rtol=1e-9)
        assert number.determined
    charge = mission_fit._quantiles(np.array([0.80, 0.81]), np.full(2, 0.02), weight)
    assert (found.charge.low, found.charge.value, found.charge.high) == pytest.approx(charge)
    assert found.charge.determined
    assert found.capacity.value == pytest.approx(found.factors['capacity'].value * cell.capacity * 1.6)
    assert found.pulse.value == pytest.approx(found.pulse_factor.value * mission_fit._pulse_resistance(pack))
    assert (found.noise, found.correlated) == (0.011, 7.0) and found.course.charge[0] == pytest.approx(0.80)
    np.testing.assert_allclose(found.course.modelled, problem.split(one, 0.80)[2])
    slopes = [mission_fit._pulse_slopes(pack, theta) for theta in (one, two)]
    ratio = [math.log(mission_fit._pulse_resistance(pack_with(pack, dict(zip(FACTORS, np.exp(theta)))))
                      / mission_fit._pulse_resistance(pack)) for theta in (one, two)]
    beside = math.hypot(0.02, warm * mission_fit._pulse_activation(slopes, cell))
    errors = np.array([math.sqrt(slope @ variance @ slope + beside ** 2) for slope in slopes])
    assert found.pulse_factor[:3] == pytest.approx(np.exp(mission_fit._quantiles(np.array(ratio), errors, weight))[
        [1, 0, 2]])
    for share, told in ((0.49, True), (0.51, False)):
        wide = [node._replace(covariance=np.diag((share * np.array(list(PRIOR.values()))) ** 2)) for node in nodes[:1]]
        numbers = mission_fit._mixture(problem, wide, 0.011, 7.0).factors
        assert {numbers[name].determined for name in ('lag', 'heat_capacity', 'conductance', 'fast_time')} == {told}
