import numpy as np
import pytest

from usv_energy.logs.motion.measured_series import held_values


@pytest.mark.parametrize('length', [2, 10, 50])
def test_a_slower_source_in_a_faster_stream_is_found(rng, length):
    values = np.repeat(rng.standard_normal((60, 2)), length, axis=0)
    found = held_values(values)
    assert found.length == pytest.approx(length, rel=0.02)
    assert np.flatnonzero(found.fresh).tolist() == list(range(0, 60 * length, length))


def test_a_source_whose_clock_is_not_the_streams_is_found(rng):
    """7.5 Hz in 50 Hz: six samples or seven."""
    number = np.floor(np.arange(1500) * 0.15).astype(int)
    found = held_values(rng.standard_normal((226, 1))[number])
    assert found.length == pytest.approx(1.0 / 0.15, rel=0.02)
    assert found.fresh.sum() == number[-1] + 1


def test_a_source_that_comes_at_times_of_its_own_is_found_under_way_and_at_rest(rng):
    """A receiver's fixes each 0.5 to 3 s in 10 Hz, and a mooring of 40 s, where it keeps its place."""
    lengths = rng.integers(5, 31, 80)
    begins = np.cumsum(lengths) - lengths
    way = np.repeat(0.1 * begins + 0.02 * rng.standard_normal(80), lengths)
    found = held_values(np.column_stack([way, 0.5 * way]))
    assert np.flatnonzero(found.fresh).tolist() == begins.tolist()
    rests = np.repeat([way[0], *way[1:].tolist()], [400, *[1] * (way.size - 1)])[:, None]
    fresh = np.flatnonzero(held_values(rests).fresh)
    assert (fresh < 399 + lengths[0]).sum() > 15 and (fresh >= 399 + lengths[0]).sum() == 79


def test_rest_and_steady_motion_are_not_held(rng):
    steady = np.concatenate([rng.standard_normal(300), np.full(900, 0.5), rng.standard_normal(300)])[:, None]
    assert held_values(steady).length == 1.0, 'a simulator at a steady speed'
    assert held_values(np.zeros((1000, 2))).length == 1.0, 'at rest'
    rounded = np.round(np.sin(0.01 * np.arange(3000)), 1)[:, None]
    assert held_values(rounded).length == 1.0, 'coarse numbers: runs of all lengths'
    assert held_values(rng.standard_normal((500, 2))).fresh.all()
    assert held_values(np.repeat(rng.standard_normal((10, 1)), 3, axis=0)).length == 1.0, 'too few to tell'


def test_rows_without_a_number_are_no_measurements(rng):
    values = rng.standard_normal((100, 2))
    values[10:20, 1] = np.nan
    assert np.flatnonzero(~held_values(values).fresh).tolist() == list(range(10, 20))


def runs(*lengths):
    """Return a series whose values stand still for so many samples each."""
    return np.repeat(np.arange(float(len(lengths))), lengths)[:, None]


def test_forty_samples_with_twenty_whole_runs_are_the_least_that_tell_a_pattern():
    """The first and the last run may have been cut off and count for nothing."""
    alike = (1, *[2] * 18, 1, 1, 1)
    assert sum(alike) == 40 and held_values(runs(*alike)).length == pytest.approx(40.0 / 22.0)
    assert held_values(runs(1, *[2] * 17, 1, 1, 1, 1)).length == 1.0, '39 samples in as many runs'
    assert held_values(runs(2, *alike[1:-2], 2)).length == 1.0, '41 samples in 21 runs'


def test_runs_may_differ_by_one_sample_from_the_usual_one_and_a_fifth_of_the_samples_by_more():
    """Two new ones in three samples; then eight tenths of the samples in runs of two, the rest in runs of ten."""
    assert held_values(runs(*[1, 2] * 30)).length == pytest.approx(1.5, rel=0.02)
    whole = [2] * 40, [10] * 2
    assert held_values(runs(1, *whole[0], *whole[1], 1)).length == pytest.approx(102.0 / 44.0)
    assert held_values(runs(1, *whole[0], *whole[1], 3, 11, 1)).length == 1.0


def test_up_to_three_new_samples_in_four_a_series_may_be_held():
    assert held_values(runs(1, *[1, 2] * 25, *[1] * 23, 1)).length == pytest.approx(100.0 / 75.0)
    assert held_values(runs(1, *[1, 2] * 25, *[1] * 24, 1)).length == 1.0


def test_where_most_samples_stand_in_runs_of_one_nothing_is_held():
    assert held_values(runs(2, *[1, 2] * 23, *[1] * 27, 2)).length == 1.0


def test_long_runs_may_differ_by_a_third_of_the_usual_one():
    assert held_values(runs(1, *[8, 10, 12] * 10, 1)).length == pytest.approx(302.0 / 32.0)
    assert held_values(runs(1, *[5, 10, 16] * 10, 1)).length == 1.0
