import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.logs.motion.flow_series import flow_series
from usv_energy.studies.analyze.analysed_log import analysed_log


def test_a_noisy_current_is_smoothed(rng):
    time = 0.02 * np.arange(3000)
    x, y = 0.2 + 0.05 * np.sin(0.1 * time), np.full(3000, -0.1)
    found_x, found_y, (note,), _ = flow_series('current', time, x + 0.02 * rng.standard_normal(3000),
                                            y + 0.02 * rng.standard_normal(3000), 1.0)
    assert np.sqrt(np.mean((found_x - x) ** 2)) < 0.003
    assert np.sqrt(np.mean((found_y - y) ** 2)) < 0.003
    assert note.figures['noise_m_s'] == pytest.approx(0.02, rel=0.1)


def test_a_flow_without_noise_stays_as_it_is():
    time = 0.02 * np.arange(500)
    for x in (np.full(500, 0.3), 0.3 + 0.1 * np.sin(0.2 * time), np.full(500, np.nan)):
        found_x, found_y, notes, _ = flow_series('current', time, x, 0.5 * x, 1.0)
        np.testing.assert_array_equal(found_x, x)
        np.testing.assert_array_equal(found_y, 0.5 * x)
        assert notes == []


def test_what_is_not_known_stays_unknown(rng):
    time = 0.1 * np.arange(300)
    x = 0.2 + 0.02 * rng.standard_normal(300)
    x[100:120] = np.nan
    found, *_ = flow_series('wind', time, x, x, 1.0)
    assert np.flatnonzero(np.isnan(found)).tolist() == list(range(100, 120))


def test_a_noisy_current_hardly_moves_the_energy(independent, rng):
    log, work = independent('current', 50.0)
    noise = 0.02 * rng.standard_normal((2, len(log)))
    noisy, _ = independent('current', 50.0, current_x=log.current_x + noise[0], current_y=log.current_y + noise[1])
    assert abs(analysed_log(noisy, BOAT).energy.total / work - 1.0) < 0.005


def test_twelve_noisy_samples_are_the_least_that_are_smoothed(rng):
    time = 0.5 * np.arange(12)
    x, y = 0.3 + 0.1 * rng.standard_normal((2, 12))
    assert len(flow_series('wind', time, x, y, 1.0)[2]) == 1
    assert flow_series('wind', time[:11], x[:11], y[:11], 1.0)[2:] == ([], None)


def test_a_flow_that_swings_as_far_to_either_side_is_one_that_changes(rng):
    """Noise about nothing, each value once with each sign."""
    half = 0.05 * rng.standard_normal((2, 100))
    x, y = np.concatenate([half, -half], axis=1)
    found_x, found_y, notes, _ = flow_series('current', 0.1 * np.arange(200), x, y, 1.0)
    assert len(notes) == 1 and np.mean(found_x ** 2 + found_y ** 2) < 0.1 * np.mean(x ** 2 + y ** 2)
