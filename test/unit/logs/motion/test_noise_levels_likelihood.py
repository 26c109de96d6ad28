"""What the levels are by definition: those that make the measurements likeliest, and what follows from that."""

import numpy as np
import pytest

from usv_energy.logs.motion import noise_levels
from usv_energy.logs.motion.jerk_prior import Knots
from usv_energy.logs.motion.measured_series import Measured, knots_of, measured
from usv_energy.logs.motion.noise_levels import (
    FITTED_KNOTS,
    LEAST_NOISE,
    OUTLIER,
    activity,
    density_of,
    estimate_of,
    excerpt,
    fitted_levels,
    picked,
)
from usv_energy.logs.motion.series_estimate import Levels, fit_of, states_of


@pytest.fixture
def halting(rng):
    """Ten seconds of steady way at 10 Hz, a sharp stop, ten more; noise 0.01 m on the place, 0.02 m/s on the speed."""
    time = 0.1 * np.arange(200)
    speed = np.where(time < 10.0, 1.0, 0.2)
    knots, knot = knots_of(time, 1.0)
    place = 0.1 * np.cumsum(speed) + 0.01 * rng.standard_normal(200)
    return knots, [measured(0, time, place[:, None], knots, knot),
                   measured(1, time, (speed + 0.02 * rng.standard_normal(200))[:, None], knots, knot)]


def scaled(series, factor):
    return [one._replace(values=factor * one.values) for one in series]


def misfit(knots, series, noise, density):
    return fit_of(knots, series, noise, np.broadcast_to(density, knots.time.size - 1)).misfit


def test_one_roughness_and_the_noises_are_the_likeliest(halting):
    """Whichever of them is twice or half as large explains the series worse, and so do all of them together."""
    knots, series = halting
    levels = fitted_levels(knots, series, (0.03, 0.03))
    best = misfit(knots, series, levels.noise, levels.calm)
    for factor in (0.5, 2.0):
        for place in range(2):
            noise = [one * (factor if number == place else 1.0) for number, one in enumerate(levels.noise)]
            assert misfit(knots, series, noise, levels.calm) > best
        assert misfit(knots, series, levels.noise, factor ** 2 * levels.calm) > best
        together = [factor * one for one in levels.noise]
        assert misfit(knots, series, together, factor ** 2 * levels.calm) > best + 10.0


@pytest.mark.parametrize('rounds', [1, 2])
def test_the_shares_of_calm_and_lively_roughness_are_the_likeliest(halting, rounds):
    """Given the activity of the estimate before; noises stay. The search ends at 0.1 of the likelihood."""
    knots, series = halting
    levels = fitted_levels(knots, series, (0.01, 0.02))
    before = estimate_of(knots, series, levels, rounds - 1)
    active = activity(knots, before.states)
    found = estimate_of(knots, series, levels, rounds)
    best = misfit(knots, found.series, found.levels.noise, found.density)
    np.testing.assert_array_equal(found.density, density_of(found.levels, active))
    assert found.levels.noise == levels.noise and found.levels.lively > 0.0
    assert best < misfit(knots, found.series, levels.noise, levels.calm) - 10.0
    for calm, lively, worse in ((0.1, 1.0, -0.1), (10.0, 1.0, -0.1), (1e4, 1.0, 5.0), (1.0, 0.05, 5.0),
                                (1.0, 20.0, 5.0)):
        other = found.levels._replace(calm=calm * found.levels.calm, lively=lively * found.levels.lively)
        assert misfit(knots, found.series, other.noise, density_of(other, active)) > best + worse


def test_only_the_ratio_of_the_first_guesses_matters(halting):
    knots, series = halting
    few, many = fitted_levels(knots, series, (0.03, 0.05)), fitted_levels(knots, series, (30.0, 50.0))
    np.testing.assert_allclose([*many.noise, many.calm], [*few.noise, few.calm], rtol=1e-9)


def test_levels_are_in_the_unit_of_the_series(halting):
    """A thousand times the numbers: noises a thousand times as large, the density of the jerk a million times."""
    knots, series = halting
    metres = fitted_levels(knots, series, (0.01, 0.02))
    millimetres = fitted_levels(knots, scaled(series, 1000.0), (10.0, 20.0))
    np.testing.assert_allclose([*millimetres.noise, millimetres.calm],
                               [1e3 * metres.noise[0], 1e3 * metres.noise[1], 1e6 * metres.calm], rtol=1e-3)


def test_a_boat_at_rest_has_the_least_noise_and_stays_at_rest(halting):
    """Zeros without any noise: nothing is active, so there is nothing to tell calm from lively by."""
    knots, series = halting
    levels = fitted_levels(knots, scaled(series, 0.0), (0.01, 0.02))
    assert min(levels.noise) == LEAST_NOISE
    found = estimate_of(knots, scaled(series, 0.0), levels)
    assert found.levels == levels
    assert not found.states.any()


@pytest.mark.parametrize('number', [1, 2])
def test_one_or_two_knots_keep_one_roughness(number):
    """The states are those of the levels as they are; through two places and speeds goes a cubic without any noise."""
    time = 0.1 * np.arange(number)
    knots, knot = knots_of(time, 1.0)
    series = [measured(0, time, (3.0 + 2.0 * time)[:, None], knots, knot),
              measured(1, time, np.full((number, 1), 2.0), knots, knot)]
    levels = Levels((1e-3, 1e-3), 1.0)
    found = estimate_of(knots, series, levels)
    assert found.levels == levels
    np.testing.assert_array_equal(found.density, np.ones(number - 1))
    np.testing.assert_allclose(found.states[:, 0, 0], 3.0 + 2.0 * time, atol=1e-4)
    np.testing.assert_allclose(found.states[:, 1, 0], 2.0, atol=1e-4)


def test_a_measurement_far_off_weighs_as_huber_says(halting):
    """By 5 standard deviations over its error; the others and the absent keep theirs."""
    knots, series = halting
    values, weight = series[0].values.copy(), series[0].weight.copy()
    values[50] += 0.6
    weight[60], weight[70] = 0.0, 4.0
    series = [series[0]._replace(values=values, weight=weight), series[1]]
    levels = Levels((0.01, 0.02), 0.05)
    states = states_of(knots, series, levels.noise, np.full(199, levels.calm))
    error = np.abs(values - series[0].expected(states))[:, 0] * np.sqrt(weight) / 0.01
    found = estimate_of(knots, series, levels, 0).series[0].weight
    assert error[50] > 40.0
    np.testing.assert_allclose(found, np.where(error > OUTLIER, weight * OUTLIER / np.maximum(error, OUTLIER), weight))
    assert found[60] == 0.0 and found[70] == 4.0


def test_the_activity_of_a_steady_jerk_is_the_square_of_its_mean_square():
    """1 and -3 m/s^3 in the two coordinates: ((1 + 9) / 2)^2."""
    knots, _ = knots_of(0.2 * np.arange(40), 1.0)
    states = np.zeros((40, 3, 2))
    states[:, 2] = np.outer(knots.time, [1.0, -3.0])
    np.testing.assert_allclose(activity(knots, states), 25.0, rtol=1e-12)


@pytest.mark.parametrize(('step', 'spread'), [(0.1, 3.0), (0.05, 6.0), (2.0, 0.6)])
def test_the_activity_of_a_jolt_falls_off_as_the_square_of_a_gaussian(step, spread):
    """0.3 s wide; where steps are longer than that, the steps beside are averaged all the same (0.6 steps)."""
    knots = Knots(step * np.arange(101), np.ones(100, dtype=bool))
    states = np.zeros((101, 3, 1))
    states[51:, 2] = 1.0
    active = activity(knots, states)
    away = np.arange(-2, 3)
    np.testing.assert_allclose(active[50 + away] / active[50], np.exp(-(away / spread) ** 2), rtol=1e-9)
    np.testing.assert_allclose(np.sqrt(active).sum(), step ** -2, rtol=1e-9, err_msg='an average keeps the sum')


def test_the_density_is_calm_and_lively_by_activity():
    np.testing.assert_allclose(density_of(Levels((1.0,), 0.5, 2.0), np.array([0.0, 1.0, 10.0])), [0.5, 2.5, 20.5])


def test_gaps_stay_gaps_in_an_excerpt_and_measurements_go_along(rng):
    """Of 10 000 knots, 4 stretches of 100: the log's own gap after the 50th, and three between the stretches."""
    joined = np.ones(9999, dtype=bool)
    joined[49] = False
    knots = Knots(0.1 * np.arange(10_000), joined)
    rows, few = excerpt(knots, 400)
    np.testing.assert_array_equal(np.flatnonzero(~few.joined), [49, 99, 199, 299])
    np.testing.assert_array_equal(few.time, knots.time[rows])
    np.testing.assert_array_equal(rows, np.concatenate([begin + np.arange(100) for begin in (0, 3300, 6600, 9900)]))
    one = Measured(1, rng.uniform(size=(10_000, 2)), rng.uniform(size=10_000), rng.uniform(size=10_000))
    part = picked(one, rows)
    assert part.order == 1
    for whole, some in zip(one[1:], part[1:]):
        np.testing.assert_array_equal(some, whole[rows])


def test_a_log_longer_than_what_is_fitted_is_fitted_by_stretches_along_it(rng):
    """The one lively stretch, at the end, is among them, and its activity is that of its own steps."""
    number = FITTED_KNOTS + 400
    time = 0.1 * np.arange(number)
    knots, knot = knots_of(time, 1.0)
    speed = np.where(time < time[-1] - 5.0, 1.0, 0.2)
    series = [measured(1, time, (speed + 0.02 * rng.standard_normal(number))[:, None], knots, knot)]
    found = estimate_of(knots, series, Levels((0.02,), 1e-3), 1)
    rows, few = excerpt(knots)
    assert few.time.size == FITTED_KNOTS
    active = activity(knots, estimate_of(knots, series, Levels((0.02,), 1e-3), 0).states)[rows[:-1]]
    part = [picked(one, rows) for one in found.series]
    best = misfit(few, part, found.levels.noise, density_of(found.levels, active))
    for factor in (0.2, 5.0):
        other = found.levels._replace(lively=factor * found.levels.lively)
        assert misfit(few, part, other.noise, density_of(other, active)) > best


@pytest.mark.parametrize('roughness', [-4.0, 0.0, 4.0, 8.0, 12.0])
def test_a_search_begins_at_the_likeliest_of_roughnesses_that_are_four_apart(rng, monkeypatch, roughness):
    """Of a motion whose jerk is white noise of e^roughness times the square of the noise on its places."""
    starts = []
    monkeypatch.setattr(noise_levels, '_least', lambda misfit, start, *others: starts.append(start) or start)
    t, number = 0.1, 600
    step = np.array([[1.0, t, 0.5 * t * t], [0.0, 1.0, t], [0.0, 0.0, 1.0]])
    added = np.linalg.cholesky(np.exp(roughness) * np.array([
        [t ** 5 / 20.0, t ** 4 / 8.0, t ** 3 / 6.0], [t ** 4 / 8.0, t ** 3 / 3.0, t * t / 2.0],
        [t ** 3 / 6.0, t * t / 2.0, t]]))
    states = [np.zeros(3)]
    for _ in range(number - 1):
        states.append(step @ states[-1] + added @ rng.standard_normal(3))
    knots, knot = knots_of(t * np.arange(number), 1.0)
    places = np.array(states)[:, :1] + rng.standard_normal((number, 1))
    fitted_levels(knots, [measured(0, knots.time, places, knots, knot)], (1.0,))
    np.testing.assert_array_equal(starts, [[roughness]])
