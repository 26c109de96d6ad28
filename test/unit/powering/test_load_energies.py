"""Energy by name goes over the same steps as the energy of all causes: gaps, stamps seen twice, time going back."""

import math

import pytest

from usv_energy.powering.energy import Accumulation, Sample, accumulate, restarted
from usv_energy.powering.loads import accumulated_loads, with_load_step
from usv_energy.powering.power import Power

MAX_GAP = 1.0


def sample(time, loads):
    """Return a sample of some loads' powers, W, and 3 W of static load; None: of no power."""
    if loads is None:
        return Sample(time, Power(*(math.nan for _ in Power._fields)), math.nan, math.nan, False), ()
    power = Power(**dict.fromkeys(Power._fields, 0.0))
    return Sample(time, power._replace(static_load=3.0, loads=sum(loads), total=3.0 + sum(loads)), 0.0, 0.0,
                  False), loads


def accumulated(samples):
    state, energies = Accumulation(), ()
    for one, loads in samples:
        before, state = state, accumulate(state, one, MAX_GAP)
        energies = accumulated_loads(energies, loads or (math.nan,) * 2, before, state)
    return state.energy, energies


@pytest.mark.parametrize('times', [[0.0, 0.5, 1.0, 1.5], [0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 4.0, 4.5],
                                   [5.0, 5.5, 2.0, 2.5]])
def test_the_names_sum_to_the_cause(times, rng):
    energy, by_name = accumulated([sample(time, tuple(rng.uniform(0.0, 9.0, 2).tolist())) for time in times])
    assert energy.loads > 0.0
    assert sum(by_name) == pytest.approx(energy.loads, rel=1e-13)


def test_each_load_by_hand_over_a_gap_and_a_sample_without_power():
    energy, by_name = accumulated([
        sample(0.0, (1.0, 10.0)), sample(0.5, (2.0, 20.0)), sample(0.7, None), sample(1.0, (4.0, 0.0)),
        sample(3.0, (100.0, 100.0)), sample(3.5, (0.0, 8.0))])
    assert by_name == pytest.approx((2.0 * 0.5 + 4.0 * 0.5, 20.0 * 0.5 + 8.0 * 0.5))
    assert energy.gaps == 1 and sum(by_name) == pytest.approx(energy.loads)


def test_a_restart_begins_the_names_anew():
    first, second = sample(0.0, (1.0, 2.0)), sample(0.5, (1.0, 2.0))
    before = restarted(accumulate(Accumulation(), first[0], MAX_GAP))
    after = accumulate(before, second[0], MAX_GAP)
    assert accumulated_loads((), second[1], before, after) == (0.5, 1.0)


def test_a_step_without_power_adds_nothing():
    assert with_load_step((1.0, 2.0), (5.0, 5.0), 1.0, math.nan) == (1.0, 2.0)
