"""The charge estimate against a cell that is written out by hand here and shares no code with physics/."""

import math

import numpy as np
import pytest

from usv_energy.analysis.charge_estimate import ChargeFilter
from usv_energy.physics.cell import INTERVALS, Cell, Pack

ROOM = 298.15
SERIES, PARALLEL, CAPACITY = 4, 3, 18000.0
R0, R_FAST, R_SLOW, TAU_FAST, TAU_SLOW = 0.030, 0.012, 0.015, 8.0, 240.0
KNOTS = np.linspace(0.0, 1.0, INTERVALS + 1)


def rest_volts(z):
    """Return the open-circuit voltage of the cell of these tests, V."""
    return 3.0 + 1.2 * z - 0.35 * np.exp(-25.0 * z)


MODEL = Pack(Cell(
    capacity=CAPACITY, capacity_slope=0.0, open_circuit=rest_volts(KNOTS), resistance=R0 + 0.0 * KNOTS,
    fast_resistance=R_FAST + 0.0 * KNOTS, slow_resistance=R_SLOW + 0.0 * KNOTS, fast_time=TAU_FAST, slow_time=TAU_SLOW,
    lag=0.0, lag_time=600.0, activation=0.0, pair_activation=0.0, lag_activation=0.0, reference_temperature=ROOM,
    heat_capacity=75.0, conductance=0.12, cutoff_voltage=2.5, full_voltage=4.2, most_current=math.inf),
    float(SERIES), float(PARALLEL))


class TruePack:
    """The equations of one cell by Euler steps of 0.1 s; its resistances are `aged` times those of the model."""

    def __init__(self, charge, aged=1.0):
        self.z, self.fast, self.slow, self.aged = charge, 0.0, 0.0, aged

    def run(self, current, duration):
        each = current / PARALLEL
        for _ in range(round(duration / 0.1)):
            self.z -= 0.1 * each / CAPACITY
            self.fast += 0.1 * (self.aged * R_FAST * each - self.fast) / TAU_FAST
            self.slow += 0.1 * (self.aged * R_SLOW * each - self.slow) / TAU_SLOW

    def volts(self, current):
        return SERIES * (rest_volts(self.z) - self.fast - self.slow - self.aged * R0 * current / PARALLEL)


def followed(seed, start, told, gain=1.02, aged=1.2, until=0.5, dt=1.0, offset=0.0):
    """Return the filter and the true pack after a mission of changing current down to a charge."""
    rng = np.random.default_rng(seed)
    true, known = TruePack(start, aged), ChargeFilter(MODEL, told, 0.15, ROOM)
    reading, current = None, 0.0
    while true.z > until:
        if rng.random() < 0.05:
            current = rng.uniform(2.0, 30.0)
        true.run(current, dt)
        reading = gain * current + rng.normal(0.0, 0.05)
        known.go_on_by_current(reading, dt)
        known.take_voltage(true.volts(current) + SERIES * (offset + rng.normal(0.0, 0.010)), reading)
    return known.estimate, true


@pytest.mark.parametrize('gain', [0.98, 1.02])
@pytest.mark.parametrize(('start', 'told'), [(1.0, 0.8), (0.8, 1.0), (0.9, 0.7)])
def test_started_20_percent_wrong_it_is_within_3_percent_at_half_charge(start, told, gain):
    """Issue 16, D: 2 % gain error, 10 mV a cell and 50 mA of noise, resistances 20 % above the model's."""
    for seed in range(2):
        estimate, true = followed(seed, start, told, gain)
        assert estimate.charge == pytest.approx(true.z, abs=0.03)
        assert estimate.charge_std < 0.03


def test_the_interval_holds_the_truth():
    """Over seeds, gain, offset, age and start drawn as the filter is told: 95 % within 1.96 deviations."""
    rng = np.random.default_rng(7)
    normalised = []
    for seed in range(24):
        start = rng.uniform(0.75, 0.95)
        told, gain = start + 0.15 * rng.uniform(-1.0, 1.0), 1.0 / (1.0 + rng.normal(0.0, 0.02))
        estimate, true = followed(seed, start, told, gain,
                                  math.exp(rng.normal(0.0, 0.15)), dt=4.0,
                                  offset=rng.normal(0.0, 0.005))
        normalised.append((estimate.charge - true.z) / estimate.charge_std)
    inside = np.mean(np.abs(normalised) < 1.96)
    assert inside >= 0.83, normalised  # 20 of 24: below that with a probability of 1 % where it is 95 %
    assert np.std(normalised) > 0.3, 'intervals are not several times too wide'


def test_the_resistance_is_found():
    estimate, _ = followed(1, 0.9, 0.9, gain=1.0, aged=1.3)
    true = 1.3 * R0 * SERIES / PARALLEL
    assert estimate.resistance == pytest.approx(true, rel=0.05)
    assert abs(estimate.resistance - true) < 3.0 * estimate.resistance_std


def test_a_voltage_that_cannot_be_is_not_used():
    known = ChargeFilter(MODEL, 0.8, 0.02, ROOM)
    for _ in range(30):
        known.go_on_by_current(3.0, 1.0)
        assert known.take_voltage(SERIES * rest_volts(0.8), 3.0) == 0.0
    before = known.estimate
    assert known.take_voltage(SERIES * rest_volts(0.8) - 3.0, 3.0) == pytest.approx(-3.0, abs=0.3)
    assert known.estimate == before


def test_by_modelled_power_the_interval_widens_by_a_fifth_of_what_was_drawn():
    known = ChargeFilter(MODEL, 0.9, 0.02, ROOM)
    before = known.estimate
    for _ in range(600):
        known.go_on_by_power(150.0, 1.0)
    after = known.estimate
    assert after.charge_std - before.charge_std == pytest.approx(0.2 * (before.charge - after.charge), rel=1e-6)
    assert after.voltage < after.open_circuit_voltage
