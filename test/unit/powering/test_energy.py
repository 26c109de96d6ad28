import math

import numpy as np
import pytest

from usv_energy.powering.energy import CAUSES, Accumulation, Energy, Sample, accumulate, restarted, with_mean
from usv_energy.powering.power import Power

NO_POWER = Power(*(math.nan for _ in Power._fields))


def power_of(total, **causes):
    return Power(**{**dict.fromkeys(Power._fields, 0.0), 'total': total, **causes})


def sample(time, total, ground=1.0, water=1.0, stale=False):
    return Sample(time, power_of(total), ground, water, stale)


def accumulated(samples, max_gap=1.0, state=None):
    state = Accumulation() if state is None else state
    for one in samples:
        state = accumulate(state, one, max_gap)
    return state


def test_means_over_steps_are_integrated_exactly_whatever_the_stamps(rng):
    """Each sample holds the mean of 10 - 3 t since the one before it; the first one only begins."""
    times = np.cumsum(rng.uniform(0.01, 0.9, 50))
    means = 10.0 - 1.5 * (times[1:] + times[:-1])
    first = Sample(float(times[0]), power_of(math.nan), 1.0, 1.0, False)
    energy = accumulated([first, *(sample(t, mean) for t, mean in zip(times[1:], means))]).energy
    begin, end = times[0], times[-1]
    assert energy.total == pytest.approx(10.0 * (end - begin) - 1.5 * (end ** 2 - begin ** 2), rel=1e-13)
    assert energy.duration == pytest.approx(end - begin, rel=1e-13)
    assert (energy.samples, energy.gaps, energy.invalid_samples, energy.segments) == (49, 0, 1, 1)


def test_causes_are_integrated_apart_and_add_up(rng):
    samples = []
    for number, (inertia, damping, wind, losses) in enumerate(rng.uniform(-5.0, 20.0, size=(200, 4))):
        thrust = inertia + damping + wind - 1.0
        power = power_of(thrust + max(-thrust, 0.0) + losses + 2.0, inertia=inertia, damping=damping, wind=wind,
                         side_force=-1.0, thrust=thrust, unrecovered=max(-thrust, 0.0), losses=losses, static_load=2.0)
        samples.append(Sample(0.1 * number, power, 1.0, 1.0, False))
    energy = accumulated(samples).energy
    assert energy.thrust == pytest.approx(energy.inertia + energy.damping + energy.wind + energy.side_force, rel=1e-12)
    assert energy.total == pytest.approx(
        energy.thrust + energy.unrecovered + energy.losses + energy.static_load, rel=1e-12)
    assert energy.static_load == pytest.approx(2.0 * 19.9)
    for cause in CAUSES:
        assert getattr(energy, cause) == pytest.approx(0.1 * sum(getattr(one.power, cause) for one in samples[1:]),
                                                       rel=1e-12)


def test_distances():
    energy = accumulated([sample(0.0, 1.0, 0.0, 1.0), sample(1.0, 1.0, 2.0, 1.0), sample(2.0, 1.0, 2.0, 1.0)]).energy
    assert (energy.distance_over_ground, energy.distance_through_water) == (3.0, 2.0)
    assert energy.energy_per_meter == pytest.approx(2.0 / 3.0)
    assert math.isnan(Energy().energy_per_meter)


def test_a_gap_is_counted_and_not_integrated():
    energy = accumulated([sample(0.0, 8.0), sample(1.0, 8.0), sample(3.5, 8.0), sample(4.0, 8.0)], max_gap=2.0).energy
    assert (energy.total, energy.duration) == (12.0, 1.5)
    assert (energy.gaps, energy.gap_duration, energy.samples) == (1, 2.5, 4)
    at_the_limit = accumulated([sample(0.0, 8.0), sample(2.0, 8.0)], max_gap=2.0).energy
    assert (at_the_limit.total, at_the_limit.gaps) == (16.0, 0)


def test_a_sample_without_power_is_bridged_within_max_gap_and_else_a_gap():
    def lost(time):
        return Sample(time, NO_POWER, math.nan, math.nan, False)

    bridged = accumulated([sample(0.0, 4.0), lost(0.5), sample(1.0, 8.0)]).energy
    assert (bridged.total, bridged.invalid_samples, bridged.samples, bridged.gaps) == (8.0, 1, 2, 0)
    assert bridged.distance_over_ground == 1.0
    gap = accumulated([sample(0.0, 4.0), lost(0.5), lost(1.0), sample(1.5, 8.0), sample(2.0, 8.0)]).energy
    assert (gap.total, gap.invalid_samples, gap.gaps, gap.gap_duration) == (4.0, 2, 1, 1.5)
    only = accumulated([lost(0.0), lost(1.0)]).energy
    assert only == Energy(invalid_samples=2)


def test_a_sample_whose_velocity_is_known_begins_what_the_next_power_holds_since():
    def begun(time):
        return Sample(time, power_of(math.nan), 1.0, 1.0, False)

    energy = accumulated([begun(0.0), sample(0.5, 8.0), sample(1.0, 4.0)]).energy
    assert (energy.total, energy.duration, energy.samples, energy.invalid_samples, energy.gaps) == (6.0, 1.0, 2, 1, 0)
    after_a_gap = accumulated([begun(0.0), sample(0.5, 8.0), begun(3.0), sample(3.5, 6.0)]).energy
    assert (after_a_gap.total, after_a_gap.gaps, after_a_gap.gap_duration) == (7.0, 1, 2.5)
    assert after_a_gap.duration == 1.0
    # A calculator that was restarted has no power for its first sample; the next one holds since the last before it.
    restart = accumulated([sample(0.0, 8.0), sample(0.25, 8.0), begun(0.5), sample(0.75, 4.0)]).energy
    assert (restart.total, restart.gaps, restart.duration) == (4.0, 0, 0.75)


@pytest.mark.parametrize('total', [math.inf, -math.inf])
def test_an_infinite_power_is_no_power(total):
    energy = accumulated([sample(0.0, 4.0), sample(0.5, total), sample(1.0, 4.0)]).energy
    assert (energy.total, energy.invalid_samples) == (4.0, 1)


def test_a_stamp_already_seen_changes_nothing():
    state = accumulated([sample(0.0, 4.0), sample(1.0, 4.0)])
    assert accumulate(state, sample(1.0, 999.0), 1.0) is state
    lost = accumulate(state, Sample(2.0, NO_POWER, 0.0, 0.0, False), 1.0)
    assert accumulate(lost, sample(2.0, 999.0), 1.0) is lost


def test_time_going_back_starts_a_segment_and_keeps_the_energy():
    first = accumulated([sample(10.0, 4.0), sample(11.0, 4.0)])
    again = accumulated([sample(0.0, 100.0)], state=first)
    assert again.energy == first.energy._replace(segments=2, samples=3)
    on = accumulated([sample(1.0, 100.0), sample(2.0, 100.0)], state=again).energy
    assert (on.total, on.duration, on.segments, on.gaps) == (204.0, 3.0, 2, 0)
    # Back in time with a sample that has no power: the segment starts all the same.
    lost = accumulated([Sample(0.0, NO_POWER, 0.0, 0.0, False), sample(0.5, 100.0), sample(1.0, 100.0)], state=first)
    assert (lost.energy.total, lost.energy.segments, lost.energy.invalid_samples) == (54.0, 2, 1)


def test_a_stamp_that_is_no_number_spoils_nothing():
    samples = [sample(0.0, 4.0), sample(math.nan, 4.0), sample(1.0, 4.0), sample(math.inf, 4.0), sample(2.0, 4.0)]
    energy = accumulated(samples).energy
    assert (energy.total, energy.duration, energy.invalid_samples, energy.samples) == (8.0, 2.0, 2, 3)
    assert (energy.gaps, energy.segments) == (0, 1)


def test_stale_time_is_integrated_and_counted():
    energy = accumulated([sample(0.0, 4.0), sample(1.0, 4.0, stale=True), sample(2.0, 4.0), sample(3.0, 4.0)]).energy
    assert (energy.total, energy.duration, energy.stale_duration) == (12.0, 3.0, 2.0)


def test_energy_before_and_after_a_reset_is_the_whole_energy():
    """Powers and stamps are short binary fractions, so the sums are exact."""
    samples = [sample(0.25 * number, 0.5 * (number * number % 7)) for number in range(40)]
    whole = accumulated(samples).energy
    for cut in (0, 1, 17, 39, 40):
        before = accumulated(samples[:cut])
        after = accumulated(samples[cut:], state=restarted(before)).energy
        for field in ('total', 'duration', 'samples', 'distance_over_ground', 'distance_through_water'):
            assert getattr(before.energy, field) + getattr(after, field) == getattr(whole, field)


def test_a_reset_forgets_counts_but_not_where_it_stands():
    state = restarted(accumulated([sample(0.0, 4.0), sample(5.0, 4.0), sample(1.0, 4.0)]))
    assert state.energy == Energy()
    assert accumulate(state, sample(1.0, 4.0), 1.0) is state
    assert accumulate(state, sample(1.5, 4.0), 1.0).energy.total == 2.0


def test_every_part_of_a_power_is_integrated_by_its_own_name(rng):
    """Two steps of 0.5 and 0.25 s of means that are all different; `with_mean` is the same for one number."""
    parts = [name for name in Power._fields if name in Energy._fields]
    assert len(parts) >= 13
    means = rng.normal(size=(2, len(parts)))
    powers = [Power(**{**dict.fromkeys(Power._fields, 0.0), **dict(zip(parts, row.tolist()))}) for row in means]
    begin = Sample(1.0, powers[0], 1.0, 1.0, False)
    energy = accumulated([begin, *(Sample(time, power, 1.0, 1.0, False) for time, power in zip((1.5, 1.75), powers))])
    for name, (first, second) in zip(parts, means.T):
        expected = 0.5 * first + 0.25 * second
        assert getattr(energy.energy, name) == pytest.approx(expected, rel=1e-12), name
        assert with_mean(0.5 * first, second, 0.25, True) == pytest.approx(expected, rel=1e-12)
    assert with_mean(3.0, 2.0, 0.25, False) == 3.0
