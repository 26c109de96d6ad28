import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.analysis.analysed_log import analysed_log
from usv_energy.analysis.motion.flow_series import flow_series


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
