import numpy as np
import pytest

from usv_energy.logs.motion.measured_series import knots_of, measured
from usv_energy.logs.motion.noise_levels import LevelSearch, fitted_levels


@pytest.mark.parametrize('start', [(0.02, 0.05), (0.5, 0.005)])
def test_trial_by_trial_it_goes_to_the_likeliest_levels(rng, start):
    time = 0.1 * np.arange(200)
    knots, knot = knots_of(time, 1.0)
    series = [measured(0, time, (np.sin(0.5 * time) + 0.05 * rng.standard_normal(200))[:, None], knots, knot),
              measured(1, time, (0.5 * np.cos(0.5 * time) + 0.1 * rng.standard_normal(200))[:, None], knots, knot)]
    wanted = fitted_levels(knots, series, (0.02, 0.05))
    search = LevelSearch(start, 0.05)
    for _ in range(150):
        search.try_once(knots, series)
    np.testing.assert_allclose(search.levels.noise, wanted.noise, rtol=0.12)
    assert abs(np.log(search.levels.calm / wanted.calm)) < 1.5


def test_it_stays_where_the_system_can_be_solved():
    """Nothing but zeros: every noise would do, the smaller the likelier."""
    time = 0.1 * np.arange(50)
    knots, knot = knots_of(time, 1.0)
    series = [measured(order, time, np.zeros((50, 1)), knots, knot) for order in (0, 1)]
    search = LevelSearch((0.02, 0.05), 0.05)
    for _ in range(120):
        search.try_once(knots, series)
    assert min(search.levels.noise) > 1e-9
    assert np.isfinite(search.levels.calm)


def walked(misfit, trials, noise=(1.0, 1.0), roughness=1.0):
    """Return the logarithms and steps after each trial on a function of them."""
    search, found = LevelSearch(noise, roughness), []
    search._misfit = lambda place, knots, series: misfit(place)
    for _ in range(trials):
        search.try_once(None, None)
        found.append((search._place.tolist(), search._step.tolist()))
    return found


def test_a_step_that_helps_grows_by_half_and_one_that_does_not_is_turned_and_then_halved():
    """One logarithm after the other: the first likes to rise, the second to stay, the third to fall."""
    found = walked(lambda place: -place[0] + 9.0 * abs(place[1]) + place[2], 9, roughness=np.exp(10.0))
    places, steps = zip(*[((*place[:2], place[2] - 10.0), step) for place, step in found])
    assert places[0] == pytest.approx([0.8, 0.0, 0.0]) and steps[0] == pytest.approx([1.0, 0.8, 0.8]), '1 at most'
    assert places[2] == pytest.approx([0.8, 0.0, 0.0]) and steps[2] == pytest.approx([1.0, 0.8, 0.8]), 'turned'
    assert places[5] == pytest.approx([1.8, 0.0, -0.8]) and steps[5] == pytest.approx([1.0, 0.4, 1.0])
    assert places[8] == pytest.approx([2.8, 0.0, -1.8]) and steps[8] == pytest.approx([1.0, 0.4, 1.0])


def test_steps_end_at_a_twentieth_and_what_hardly_helps_is_no_help():
    stays = walked(lambda place: 0.0, 60)
    assert stays[-1] == ([0.0] * 3, [0.05] * 3)
    for gain, moved in ((0.1249, False), (0.1251, True)):   # Times 0.8: a tenth of twice the log likelihood.
        (place, _), = walked(lambda place, gain=gain: -gain * place[0], 1)
        assert (place[0] > 0.0) is moved


@pytest.mark.parametrize(('noise', 'roughness', 'allowed'), [
    ((1.0, 402.0), 1.0, True), ((1.0, 404.0), 1.0, False), ((1.0, 1.0 / 402.0), 1.0, True),
    ((1.0, 1.0 / 404.0), 1.0, False), ((1.0, 1.0), 148.0 ** -1, True), ((1.0, 1.0), 149.0 ** -1, False),
    ((1.0, 1.0), 8.88e6, True), ((1.0, 1.0), 8.89e6, False), ((10.0, 10.0), 100.0, True),
    ((10.0, 10.0), 100.0 / 149.0, False), ((1.01e-6, 1e-6), 1e-12, True), ((0.99e-6, 1e-6), 1e-12, False)])
def test_ratios_of_noises_and_roughness_stay_within_e_to_the_sixth_and_from_minus_five_to_sixteen(
        noise, roughness, allowed):
    """The roughness against the square of the first noise; that is a millionth at least."""
    search = LevelSearch(noise, roughness)
    assert search._allowed(search._place) is allowed


@pytest.mark.parametrize(('place', 'allowed'), [
    ((0.0, 6.0, 16.0), True), ((0.0, -6.0, -5.0), True), ((0.0, 0.0, np.nextafter(16.0, 17.0)), False),
    ((0.0, 0.0, np.nextafter(-5.0, -6.0)), False), ((0.0, np.nextafter(6.0, 7.0), 0.0), False),
    ((np.log(1e-6), np.log(1e-6), 2.0 * np.log(1e-6)), False)])
def test_the_limits_themselves_are_within_but_the_least_noise(place, allowed):
    assert LevelSearch((1.0, 1.0), 1.0)._allowed(np.array(place)) is allowed
