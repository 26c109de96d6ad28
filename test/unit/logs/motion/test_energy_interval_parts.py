"""What an interval is put together from: by hand, and against the covariance of the linear system."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.logs.motion import energy_interval as module
from usv_energy.logs.motion.energy_interval import RESOLUTION, ROUGHER_BY, energy_interval
from usv_energy.logs.motion.jerk_prior import Knots, prior_band
from usv_energy.logs.motion.measured_series import knots_of, measured
from usv_energy.logs.motion.series_estimate import Levels, solved

WHOLE = Knots(np.arange(9.0), np.array([True] * 3 + [False] + [True] * 4))   # 7 s in two stretches
FEW = Knots(np.arange(5.0, 9.0), np.ones(3, dtype=bool))                     # 3 s of it


class Part:
    """A stretch whose states are a number: 10 by yaw, 20 by place; a smoother motion takes 1 off each."""

    def __init__(self, estimate, rows, knots):
        assert rows == 'rows' and knots is FEW
        self.states = np.array([estimate.states])

    def noise(self, rng):
        return np.array([np.arange(16.0)]) * (1.0 if self.states[0] == 10.0 else 0.5)

    def smoother(self):
        return self.states - 1.0


@pytest.fixture
def parted(monkeypatch):
    """Put stretches in by hand, whose energy is 2 yaw + 3 place, in J; averaged over a knot it is 5 J less."""
    monkeypatch.setattr(module, 'excerpt', lambda knots, most: ('rows', FEW) if most == 1600 else None)
    monkeypatch.setattr(module, '_Part', Part)
    monkeypatch.setattr(module, 'motion_of', lambda knots, yaw, place, time: 2.0 * yaw[0] + 3.0 * place[0])
    monkeypatch.setattr(module, '_averaged', lambda motion, time: motion - 5.0)
    return SimpleNamespace(yaw=SimpleNamespace(knots=WHOLE, states=10.0), place=SimpleNamespace(states=20.0))


def test_parts_of_an_interval_are_scaled_to_the_whole_and_add_up_as_squares(parted):
    """Of 3 of 7 s: 80 J; draws add 3.5 k J for k = 0 to 15, of mean 26.25 J, and of standard deviation 16.66 J."""
    found = energy_interval(parted, 190.0, lambda time, motion, errors: motion, {})
    scale = 7.0 / 3.0
    noise = 3.5 * math.sqrt((16.0 ** 2 - 1.0) / 12.0 * 16.0 / 15.0) * math.sqrt(scale)
    assert (found.noise, found.bias) == (pytest.approx(noise, rel=1e-12), pytest.approx(26.25 * scale, rel=1e-12))
    assert (found.lost, found.rounded) == (pytest.approx(5.0 * scale), pytest.approx(5.0 * scale))
    middle = 190.0 - 26.25 * scale + 5.0 * scale
    half = math.hypot(1.96 * noise, found.lost, found.rounded, 0.002 * 190.0)
    assert (found.low, found.high) == (max(middle - half, 0.0), pytest.approx(middle + half, rel=1e-12))
    more = energy_interval(parted, 590.0, lambda time, motion, errors: motion, {})
    assert more.low == pytest.approx(middle + 400.0 - math.hypot(1.96 * noise, 5.0 * scale, 5.0 * scale, 1.18))
    assert RESOLUTION == 0.002


def test_flows_that_were_measured_are_drawn_with_the_motion(parted, monkeypatch):
    monkeypatch.setattr(module, 'DRAWS', 2000)
    monkeypatch.setattr(Part, 'noise', lambda self, rng: np.zeros((1, 2000)))
    monkeypatch.setattr(module, '_flow_errors', lambda flow, time, rng: np.full((time.size, 2, 2000), flow))
    seen = []

    def energy_of(time, motion, errors):
        if errors:
            assert errors['wind'].shape == (time.size, 2) and np.all(errors['wind'] == 7.0)
            seen.append(errors)
        return motion

    found = energy_interval(parted, 190.0, energy_of, {'wind': 7.0})
    assert len(seen) == 2000 and found.noise == found.bias == 0.0


def test_errors_of_a_flow_are_those_of_its_own_knots_and_go_on_over_no_gap(monkeypatch):
    """Noise of 0, 10, 20 ... at the knots and no rate: half way between two of a stretch it is their mean."""
    flow = SimpleNamespace(knots=Knots(np.arange(7.0), np.array([True, True, False, True, True, True])))
    draws = np.arange(1.0, 17.0)

    class Noise:
        def __init__(self, estimate, rows, knots):
            assert rows.tolist() == [1, 2, 3, 6] and knots.joined.tolist() == [True, False, False]
            self.values = 10.0 * rows

        def noise(self, rng):
            states = np.zeros((4, 3, 2, 16))
            states[:, 0, 0], states[:, 0, 1] = self.values[:, None] * draws, -self.values[:, None] * draws
            return states

    monkeypatch.setattr(module, '_Part', Noise)
    time = np.array([0.9, 1.5, 2.4, 2.6, 5.9, 6.5])
    found = module._flow_errors(flow, time, None)
    assert found.shape == (6, 2, 16)
    np.testing.assert_allclose(found[:, 0], np.outer([10.0, 15.0, 20.0, 30.0, 60.0, 60.0], draws))
    np.testing.assert_allclose(found[:, 1], -found[:, 0])


@pytest.fixture
def estimate(rng):
    """Return an estimate of two quantities at knots of which one has no place, one no rate, and a gap between."""
    time = np.array([0.0, 0.2, 0.5, 0.6, 3.0, 3.1, 3.4, 3.6])
    knots, knot = knots_of(time, longest=1.0)
    places, rates = rng.standard_normal((2, 8, 2))
    places[2], rates[5] = np.nan, np.nan
    series = [measured(0, time, places, knots, knot), measured(1, time, rates, knots, knot)]
    density = rng.uniform(0.5, 2.0, 7)
    return SimpleNamespace(knots=knots, series=series, levels=Levels((0.3, 0.5), 1.0), density=density,
                           states=solved(knots, series, (0.3, 0.5), density).states)


def test_drawn_noise_has_the_covariance_that_the_noise_of_the_measurements_gives(estimate, rng, monkeypatch):
    """Of x = A^-1 H' W y: A^-1 H' W H A^-1 with A = P + H' W H, P what is known before; alike for both quantities."""
    monkeypatch.setattr(module, 'DRAWS', 20_000)
    found = module._Part(estimate, np.arange(8), estimate.knots).noise(rng)
    assert found.shape == (8, 3, 2, 20_000)
    rows = np.zeros((24, 24))
    for one, deviation in zip(estimate.series, estimate.levels.noise):
        for k in range(8):
            row = np.zeros(24)
            row[3 * k:3 * k + 3] = one.rows()[k]
            rows += np.outer(row, row) * one.weight[k] / deviation ** 2
    band, _ = prior_band(estimate.knots, estimate.density)
    prior = sum(np.diag(band[d, :24 - d], -d) + (np.diag(band[d, :24 - d], d) if d else 0.0) for d in range(6))
    inverse = np.linalg.inv(prior + rows)
    wanted = np.sqrt(np.diag(inverse @ rows @ inverse))
    for quantity in range(2):
        np.testing.assert_allclose(found[:, :, quantity].reshape(24, -1).std(axis=1), wanted, rtol=0.03)


def test_a_smoother_motion_is_the_estimate_by_an_eighth_of_its_roughness(estimate):
    part = module._Part(estimate, np.arange(8), estimate.knots)
    np.testing.assert_allclose(part.smoother(), solved(estimate.knots, estimate.series, (0.3, 0.5),
                                                       estimate.density / 8.0).states, rtol=1e-9)
    assert ROUGHER_BY == 8.0 and part.states is not None


def test_errors_of_a_flow_are_held_in_its_holes_and_before_its_first_value():
    knots = Knots(np.array([5.0, 5.1, 5.2, 40.0, 40.1]), np.array([True, True, False, True]))
    time = np.array([0.0, 4.9, 5.05, 5.2, 20.0, 39.9, 40.05, 90.0])
    held = module._held_times(knots, time)
    np.testing.assert_array_equal(held, [5.0, 5.0, 5.05, 5.2, 5.2, 40.0, 40.05, 40.1])
