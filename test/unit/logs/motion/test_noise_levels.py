import numpy as np
import pytest

from usv_energy.logs.motion.measured_series import knots_of, measured
from usv_energy.logs.motion.noise_levels import (
    _with_outliers_trusted_less,
    activity,
    averaged,
    density_of,
    estimate_of,
    excerpt,
    fitted_levels,
)
from usv_energy.logs.motion.series_estimate import Levels


def swing(rng, rate=10.0, duration=200.0, position=0.02, velocity=0.05):
    """A smooth swing in two coordinates, with white noise on place and velocity."""
    time = np.arange(0.0, duration, 1.0 / rate)
    value = np.column_stack([np.sin(0.5 * time), np.cos(0.3 * time)])
    slope = np.column_stack([0.5 * np.cos(0.5 * time), -0.3 * np.sin(0.3 * time)])
    knots, knot = knots_of(time, 1.0)
    return time, slope, knots, [
        measured(0, time, value + position * rng.standard_normal(value.shape), knots, knot),
        measured(1, time, slope + velocity * rng.standard_normal(value.shape), knots, knot)]


@pytest.mark.parametrize(('rate', 'position', 'velocity'), [(50.0, 0.02, 0.05), (10.0, 0.1, 0.02), (2.0, 0.02, 0.05)])
def test_the_noise_is_found_from_the_series_themselves(rng, rate, position, velocity):
    _, _, knots, series = swing(rng, rate, position=position, velocity=velocity)
    rows, few = excerpt(knots)
    picked = [one._replace(values=one.values[rows], offset=one.offset[rows], weight=one.weight[rows]) for one in series]
    for guess in ((0.02, 0.05), (1.0, 0.01)):
        np.testing.assert_allclose(fitted_levels(few, picked, guess).noise, (position, velocity), rtol=0.12)


def test_the_estimate_is_better_than_its_measurements(rng):
    """At 10 Hz and 0.05 m/s, places of 2 cm beside: what is left of a swing this smooth is a fifth of the noise."""
    _, slope, knots, series = swing(rng)
    found = estimate_of(knots, series, fitted_levels(knots, series, (0.02, 0.05)))
    assert np.sqrt(np.mean((found.states[:, 1] - slope) ** 2)) < 0.01


def test_the_roughness_follows_the_motion(rng):
    """Steady but for one sharp turn of the speed: there it is rougher by far."""
    time = np.arange(0.0, 60.0, 0.1)
    speed = np.where(time < 30.0, 1.0, 0.2)
    knots, knot = knots_of(time, 1.0)
    series = [measured(0, time, (np.cumsum(speed) * 0.1 + 0.01 * rng.standard_normal(600))[:, None], knots, knot),
              measured(1, time, (speed + 0.02 * rng.standard_normal(600))[:, None], knots, knot)]
    levels = fitted_levels(knots, series, (0.02, 0.05))
    found = estimate_of(knots, series, levels)
    assert 295 <= np.argmax(found.density) <= 305
    assert found.density.max() > 100.0 * np.median(found.density)
    calm = (time < 25.0) | (time > 35.0)
    one = estimate_of(knots, series, levels, rounds=0)
    error, flat = (np.std(states[calm, 1, 0] - speed[calm]) for states in (found.states, one.states))
    assert error < 0.7 * flat, 'less noise is left where nothing happens'


def test_the_estimate_does_not_depend_on_the_scale_of_the_activity(rng, monkeypatch):
    """
    A boat that sets off and goes straight on: between the rounds its activity grows by orders of magnitude.

    The search for the roughness begins at the common one all the same: else it begins where nothing is smoothed.
    """
    time = np.arange(0.0, 60.0, 0.1)
    speed = 0.6 * (1.0 - np.exp(-time))
    knots, knot = knots_of(time, 1.0)
    series = [measured(0, time, (np.cumsum(speed) * 0.1 + 0.02 * rng.standard_normal(600))[:, None], knots, knot),
              measured(1, time, (speed + 0.05 * rng.standard_normal(600))[:, None], knots, knot)]
    levels = fitted_levels(knots, series, (0.02, 0.05))
    found = estimate_of(knots, series, levels)
    scales = iter((1.0, 1e9))
    monkeypatch.setattr('usv_energy.logs.motion.noise_levels.activity',
                        lambda *given: next(scales) * activity(*given))
    np.testing.assert_allclose(estimate_of(knots, series, levels).states, found.states, atol=1e-6)
    assert np.std(found.states[time > 10.0, 1, 0]) < 0.005, 'of 0.05 m/s of noise on a steady way'


def test_an_outlier_moves_the_estimate_little(rng):
    _, _, knots, series = swing(rng, 5.0)
    wild = series[0].values.copy()
    wild[400] += 3.0
    states = [estimate_of(knots, one, Levels((0.02, 0.05), 0.05)).states
              for one in (series, [series[0]._replace(values=wild), series[1]])]
    assert np.abs(states[1][400, 0] - states[0][400, 0]).max() < 0.15


def test_an_excerpt_is_stretches_all_along(rng):
    knots, _ = knots_of(0.1 * np.arange(20_000), 1.0)
    rows, few = excerpt(knots, 1000)
    assert rows.size == few.time.size == 1000
    assert rows[0] == 0 and rows[-1] == 19_999
    assert (~few.joined).sum() == 3
    short, _ = knots_of(0.1 * np.arange(500), 1.0)
    assert excerpt(short, 1000)[0].size == 500


def test_a_density_stays_where_the_system_can_be_solved():
    levels = Levels((0.02,), 1e-30, 1e30)
    density = density_of(levels, np.array([0.0, 1.0]))
    np.testing.assert_allclose(np.log(density / 0.02 ** 2), [-5.0, 16.0])


def test_activity_is_nothing_across_gaps():
    knots, _ = knots_of(np.concatenate([0.1 * np.arange(50), 100.0 + 0.1 * np.arange(50)]), 1.0)
    states = np.zeros((100, 3, 1))
    states[50:, 2] = 7.0
    assert not activity(knots, states).any()


@pytest.mark.parametrize(('number', 'width'), [(2, 3.0), (30, 0.6), (500, 3.0)])
def test_the_average_is_scipys_gaussian_filter(rng, number, width):
    from scipy.ndimage import gaussian_filter1d
    values = rng.uniform(size=number)
    np.testing.assert_array_equal(averaged(values, width), gaussian_filter1d(values, width, mode='nearest'))


def test_activity_is_the_square_of_the_jerks_mean_square():
    """Of accelerations that rise by 2 and 4 m/s^3 all the time: (4 + 16) / 2, squared; faster samples say the same."""
    for step in (0.1, 0.4):
        knots, _ = knots_of(step * np.arange(60), 5.0)
        states = np.zeros((knots.time.size, 3, 2))
        states[:, 2, 0], states[:, 2, 1] = 2.0 * knots.time, -4.0 * knots.time
        np.testing.assert_allclose(activity(knots, states), 100.0, rtol=1e-9)


def test_one_jerk_is_spread_over_a_third_of_a_second_or_the_steps_beside():
    """A Gaussian of 0.3 s about it; with seldom knots one 0.6 steps wide."""
    for step, width in ((0.05, 6.0), (1.0, 0.6)):
        knots, _ = knots_of(step * np.arange(81), 9.0)
        states = np.zeros((knots.time.size, 3, 1))
        usual = np.median(np.diff(knots.time))
        width = max(0.3 / usual, 0.6)
        states[41:, 2, 0] = usual
        shape = np.exp(-0.5 * (np.arange(-40, 40) / width) ** 2)
        found = activity(knots, states)[:80]
        if knots.time.size == 81:
            np.testing.assert_allclose(found, (shape / shape.sum()) ** 2, atol=1e-3)


def test_a_measurement_counts_less_from_five_deviations_on():
    """Huber: by five over how many it is off; of two quantities the worse one says it; by its own weight."""
    time = np.arange(4.0)
    knots, knot = knots_of(time, 9.0)
    one = measured(0, time, np.zeros((4, 2)), knots, knot)
    one = one._replace(values=np.array([[0.0, 0.0], [0.49, 0.0], [0.0, -1.0], [1.0, 0.3]]), offset=np.zeros(4),
                       weight=np.array([1.0, 1.0, 1.0, 4.0]))
    states = np.zeros((knots.time.size, 3, 2))
    found = _with_outliers_trusted_less(one, states, 0.1)
    assert found.weight == pytest.approx([1.0, 1.0, 0.5, 4.0 * 5.0 / 20.0])


def test_a_density_is_calm_and_what_the_activity_adds():
    levels = Levels((1.0,), 2.0, 3.0)
    np.testing.assert_allclose(density_of(levels, np.array([0.0, 1.0, 10.0])), [2.0, 5.0, 32.0])
