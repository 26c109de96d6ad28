"""The integral of a whole record against the sample-by-sample one, which has its own tests."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from usv_energy.physics.motion import Differentiator, differentiate
from usv_energy.powering.energy import (
    Accumulation,
    Energy,
    Sample,
    accumulate,
    derivatives,
    integrate,
    places_as_slice,
    steps_between,
)
from usv_energy.powering.power import Power


class Record(NamedTuple):
    """What comes sample by sample: stamps s, mean powers W, speed over ground m/s, whether the flow was stale."""

    time: np.ndarray
    power: Power
    speed_over_ground: np.ndarray
    stale: np.ndarray


def integral_of(record, max_gap):
    steps = steps_between(record.time, np.isfinite(record.power.total), max_gap)
    through_water = np.hypot(record.power.u_r, record.power.v_r)
    return integrate(steps, record.power, record.speed_over_ground, through_water, record.stale)


def record_of(rng, number, faults=True):
    time = np.cumsum(rng.choice([0.0, 0.02, 0.1, 0.4, 1.7], number, p=[0.1, 0.5, 0.2, 0.15, 0.05]))
    values = {name: rng.uniform(-20.0, 50.0, number) for name in Power._fields}
    stale = rng.random(number) < 0.1
    if faults:
        time[number // 2:] -= 0.6 * time[number // 2]  # a bag that loops
        for row in rng.integers(0, number, number // 10):
            for name in Power._fields:
                values[name][row] = rng.choice([math.nan, math.inf])
        time[rng.integers(0, number, 5)] = math.nan
    return Record(time, Power(**values), rng.uniform(0.0, 2.0, number), stale)


def one_by_one(record, max_gap):
    state, totals = Accumulation(), []
    for row in range(record.time.size):
        power = Power(*(float(values[row]) for values in record.power))
        sample = Sample(float(record.time[row]), power, float(record.speed_over_ground[row]),
                        math.hypot(power.u_r, power.v_r), bool(record.stale[row]))
        state = accumulate(state, sample, max_gap)
        totals.append(state.energy.total)
    return state.energy, totals


@pytest.mark.parametrize('max_gap', [0.05, 1.0, 100.0])
@pytest.mark.parametrize('number', [1, 2, 3, 400])
def test_it_is_what_the_accumulator_gives_with_gaps_jumps_and_invalid_samples(rng, number, max_gap):
    for _ in range(5):
        record = record_of(rng, number, faults=number > 10)
        integral, (energy, totals) = integral_of(record, max_gap), one_by_one(record, max_gap)
        # A sample that ends no step has no power for a record; the accumulator was given one all the same.
        counted = energy.samples - integral.energy.samples
        assert integral.energy.samples == integral.ends.size
        energy = energy._replace(samples=energy.samples - counted, invalid_samples=energy.invalid_samples + counted)
        for name in Energy._fields:
            assert getattr(integral.energy, name) == pytest.approx(getattr(energy, name), rel=1e-12, abs=1e-9), name
        np.testing.assert_allclose(integral.so_far(), totals, rtol=1e-12, atol=1e-9)


def test_a_single_quantity_is_integrated_over_holes_but_not_over_gaps():
    """The integral of 3 t + 1 is exact by trapezoids; the hole at 0.3 s is bridged, the step to 9 s is not."""
    time = np.array([0.0, 0.1, 0.3, 0.4, 9.0, 9.5])
    values = np.where(time == 0.3, math.nan, 3.0 * time + 1.0)
    steps = steps_between(time, np.isfinite(values), 1.0)
    assert steps.means(values)[1] == pytest.approx(1.15)
    assert steps.trapezoids(values).sum() == pytest.approx(1.5 * (0.4**2 + 9.5**2 - 9.0**2) + 0.9, rel=1e-12)
    assert (steps.invalid_samples, steps.samples, steps.gaps.tolist(), steps.segments) == (3, 3, [8.6], 1)


def test_a_record_of_nothing_has_no_energy():
    empty = Record(np.zeros(0), Power(*(np.zeros(0) for _ in Power._fields)), np.zeros(0), np.zeros(0, dtype=bool))
    assert integral_of(empty, 1.0).energy == Energy()
    bad = record_of(np.random.default_rng(1), 6, faults=False)._replace(time=np.full(6, math.nan))
    assert integral_of(bad, 1.0).energy == Energy(invalid_samples=6)


@pytest.mark.parametrize('time_constant', [0.0, 0.05, 0.3, 30.0])
def test_derivatives_are_those_of_the_differentiator(rng, time_constant):
    time = np.cumsum(rng.choice([0.0, 0.02, 0.1, 0.4, 1.7], 600, p=[0.1, 0.5, 0.2, 0.15, 0.05]))
    time[300:] -= 0.5 * time[300]
    vectors = np.cumsum(rng.normal(size=(600, 3)), axis=0)
    vectors[rng.integers(0, 600, 20), 1] = math.nan
    state, wanted = Differentiator(), []
    for stamp, vector in zip(time.tolist(), vectors.tolist()):
        state = differentiate(state, stamp, tuple(vector), time_constant, 1.0)
        wanted.append(state.derivative)
    np.testing.assert_allclose(derivatives(time, vectors, time_constant, 1.0), wanted, rtol=1e-9, atol=1e-9)


def test_derivatives_of_a_straight_line_are_its_slope(rng):
    time = np.cumsum(rng.uniform(0.01, 0.1, 50))
    slope = derivatives(time, np.column_stack([3.0 * time, -time]), 0.4, 1.0)
    np.testing.assert_allclose(slope[1:], np.tile([3.0, -1.0], (49, 1)), rtol=1e-9)
    assert np.isnan(slope[0]).all()
    assert derivatives(np.zeros(0), np.zeros((0, 2)), 0.4, 1.0).shape == (0, 2)


def test_places_without_a_hole_are_a_slice():
    values = np.arange(10.0)
    for places in (np.arange(3, 8), np.array([4])):
        found = places_as_slice(places)
        assert isinstance(found, slice)
        np.testing.assert_array_equal(values[found], values[places])
    for places in (np.array([1, 2, 4]), np.zeros(0, dtype=int)):
        assert places_as_slice(places) is places
