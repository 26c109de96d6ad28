import math

import pytest

from usv_energy.sim.record import Missing, missing_in_words, missing_samples, summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

TIMES = [0.05 * k for k in range(101)]  # 5 s


def test_a_whole_recording_lacks_nothing():
    assert missing_samples(TIMES, 5.0, 101) == Missing()
    assert missing_samples(TIMES, math.nan, 101).nothing


@pytest.mark.parametrize(('kept', 'missing'), [
    (slice(30, None), Missing(at_start=30)),
    (slice(None, 61), Missing(at_end=40)),
    (slice(10, 91), Missing(at_start=10, at_end=10)),
])
def test_what_is_cut_off_is_counted_against_the_duration_of_the_scenario(kept, missing):
    assert missing_samples(TIMES[kept], 5.0, 101) == missing


def test_what_is_missing_within_is_counted_by_the_recordings_own_period():
    kept = [*TIMES[:20], *TIMES[23:60], *TIMES[61:]]
    assert missing_samples(kept, 5.0, 101) == Missing(within=4)


def test_what_the_energy_was_not_counted_over_is_missing_from_it():
    """An accumulator that came late says so by its count alone: it has no gap."""
    assert missing_samples(TIMES, 5.0, 68) == Missing(from_energy=33)
    assert missing_samples(TIMES, 5.0, 300).nothing, 'it may have counted before the run'


@pytest.mark.parametrize('times', [[], [0.0], [1.0, 1.0]])
def test_too_few_samples_say_nothing(times):
    assert missing_samples(times, 5.0, 0).nothing


def test_what_is_missing_is_said_with_its_place():
    assert missing_in_words(Missing(at_end=2, from_energy=1), 98) == (
        'the recording is incomplete: 2 of 100 samples are missing (2 at the end); the energy lacks 1 samples')


def test_a_summary_tells_a_whole_run_from_one_that_lacks_its_start():
    run = run_scenario(read_scenario('3'))
    whole = summary_of(run, 'ros')
    assert whole['complete']
    assert whole['duration_from'] == 'scenario'
    late = summary_of(run._replace(rows=run.rows[137:]), 'ros')
    assert not late['complete']
    assert late['samples_missing_at_start'] == 137
    assert late['duration_s'] == whole['duration_s'], 'the duration is that of the scenario'
    cut_off = summary_of(run._replace(rows=run.rows[:500], driven=math.nan), 'ros')
    assert cut_off['duration_from'] == 'samples'
    assert cut_off['duration_s'] == pytest.approx(499 * 0.02)
