"""Drag and mass of glides that a hand-written equation makes: nothing of the simulator is in them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.stats import t as student

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.trials.coast_down import (
    MOST_LIKE,
    CoastDown,
    Glide,
    TrialEstimate,
    _autocorrelation,
    _first_guess,
    coast_down,
    coast_down_boat,
    gliding_speed,
)

BOAT = read_boat('lutra_prop_usvsim')  # m11 9.75 kg
TIME = np.arange(0.0, 12.0, 0.1)


def truth(drag, quadratic, mass, start, time=TIME):
    """Return the speed, m/s, by integration of m v' = -d v - q v^2."""
    return solve_ivp(lambda t, v: -(drag * v + quadratic * v * np.abs(v)) / mass, (0.0, time[-1]), [start], t_eval=time,
                     rtol=1e-11, atol=1e-12).y[0]


def noisy(rng, speed, sigma=0.03, like=0.0):
    """Return a speed with noise whose neighbours are correlated by `like`."""
    noise = rng.normal(0.0, sigma, len(speed))
    for i in range(1, len(noise)):
        noise[i] = like * noise[i - 1] + (1.0 - like ** 2) ** 0.5 * noise[i]
    return speed + noise


@pytest.mark.parametrize(('drag', 'quadratic'), [(4.0, 8.0), (0.0, 11.3), (16.3, 0.0), (1e-9, 8.0), (0.0, 0.0)])
def test_the_closed_form_is_the_equation(drag, quadratic):
    np.testing.assert_allclose(gliding_speed(TIME, 1.4, drag / 9.75, quadratic / 9.75),
                               truth(drag, quadratic, 9.75, 1.4), rtol=1e-7, atol=1e-11)


@pytest.mark.parametrize('form, drag, quadratic', [('both', 4.0, 8.0), ('linear', 12.0, 0.0), ('quadratic', 0.0, 11.0)])
def test_glides_without_noise_give_their_drag_and_with_a_payload_their_mass(form, drag, quadratic):
    glides = [Glide('glide', 0.0, TIME, truth(drag, quadratic, mass, start), extra)
              for mass, start, extra in ((9.0, 1.4, 0.0), (9.0, 1.1, 0.0), (12.0, 1.3, 3.0))]
    found = coast_down(glides, BOAT, form)
    assert found.mass_found and found.mass.value == pytest.approx(9.0, rel=1e-6)
    assert (found.linear.value, found.quadratic.value) == pytest.approx((drag, quadratic), rel=1e-6, abs=1e-9)
    assert found.starts == pytest.approx((1.4, 1.1, 1.3), rel=1e-6) and found.rms < 1e-8
    given = coast_down([glide._replace(extra=0.0) for glide in glides[:2]], BOAT, form)
    assert not given.mass_found and given.mass.value == 9.75 and given.mass.error == 0.0
    assert given.drag(1.0).value == pytest.approx(9.75 / 9.0 * (drag + quadratic), rel=1e-6)


@pytest.mark.parametrize(('extras', 'like'), [((0.0,), 0.0), ((0.0, 0.0, 3.0, 3.0), 0.0), ((0.0, 0.0), 0.8)])
def test_intervals_hold_the_truth_as_often_as_they_say(extras, like):
    """95 % of 30 draws: at least 26 and, with the widening for noise that hangs together, at most 30."""
    rng = np.random.default_rng(7)
    held = np.zeros(4)
    for _ in range(30):
        glides = [Glide('glide', 0.0, TIME, noisy(rng, truth(4.0, 8.0, 9.75 + extra, 1.4), like=like), extra)
                  for extra in extras]
        found = coast_down(glides, BOAT)
        pairs = ((found.linear, 4.0), (found.quadratic, 8.0), (found.mass, 9.75), (found.drag(1.0), 12.0))
        held += [estimate.low <= true <= estimate.high for estimate, true in pairs]
    assert np.all(held >= 26), held


def test_the_drag_is_known_better_than_its_parts():
    glides = [Glide('glide', 0.0, TIME, noisy(np.random.default_rng(1), truth(4.0, 8.0, 9.75, 1.4)), 0.0)]
    found = coast_down(glides, BOAT)
    assert found.drag(1.0).error < 0.7 * np.hypot(found.linear.error, found.quadratic.error)
    assert found.air == pytest.approx(0.5 * 1.184 * 0.08 * 0.68)


def test_no_glide_and_too_few_samples_are_named():
    with pytest.raises(InputError, match='no glide was found'):
        coast_down([], BOAT)
    with pytest.raises(InputError, match='3 samples of glides are too few for 3 unknowns'):
        coast_down([Glide('glide', 0.0, TIME[:3], TIME[:3], 0.0)], BOAT)


def test_the_likeness_of_neighbours_is_their_correlation_with_what_the_fit_took():
    """1, 2, 1, 2 in two glides: 2 + 2 + 2 and 2 + 2 + 2 of 20; Kendall's (1 + 3 r) / n for each unknown."""
    parts = [np.array([1.0, 2.0, 1.0, 2.0])] * 2
    like = 12.0 / 20.0
    assert _autocorrelation(parts, 0) == pytest.approx(like)
    assert _autocorrelation(parts, 1) == pytest.approx(like + (1.0 + 3.0 * like) / 8.0)
    assert _autocorrelation(parts, 9) == MOST_LIKE and _autocorrelation([np.zeros(4)], 0) == 0.0
    assert _autocorrelation([np.array([1.0, -1.0, 1.0])], 0) == 0.0, 'never below'


def test_the_drag_at_a_speed_has_the_error_of_both_parts_together():
    part = TrialEstimate(1.0, 0.0, 1.0, 1.0)
    found = CoastDown((), part._replace(value=4.0), part._replace(value=8.0), 0.0, part, False, (), 0.0, 0.0,
                      np.array([[0.25, -0.1], [-0.1, 0.09]]), 2.0)
    drag = found.drag(2.0)
    error = (4.0 * 0.25 - 2.0 * 8.0 * 0.1 + 16.0 * 0.09) ** 0.5
    assert (drag.value, drag.error) == pytest.approx((40.0, error))
    assert (drag.low, drag.high) == pytest.approx((40.0 - 2.0 * error, 40.0 + 2.0 * error))


def test_errors_are_those_of_least_squares_widened_by_the_likeness_of_neighbours(rng):
    """(J' J)^-1 s^2 (1 + l) / (1 - l), J by differences of the closed form; t with as much fewer degrees of freedom."""
    time = np.arange(0.0, 10.0, 0.25)
    glide = Glide('glide', 0.0, time, noisy(rng, truth(4.0, 8.0, 9.75, 1.4, time), 0.01, 0.5), 0.0)
    found = coast_down([glide], BOAT)
    best = np.array([*found.starts, found.linear.value, found.quadratic.value])

    def speed(numbers):
        return gliding_speed(time, numbers[0], numbers[1] / 9.75, numbers[2] / 9.75)

    slopes = np.column_stack([(speed(best + step) - speed(best - step)) / 2e-4 for step in 1e-4 * np.eye(3)])
    error = speed(best) - glide.speed
    like = found.correlation
    assert found.rms == pytest.approx(np.sqrt(np.mean(error ** 2))) and 0.1 < like < 0.9
    np.testing.assert_allclose(slopes.T @ error, 0.0, atol=1e-6)
    covariance = np.linalg.inv(slopes.T @ slopes) * (error @ error) / 37.0 * (1.0 + like) / (1.0 - like)
    np.testing.assert_allclose(found.covariance, covariance[1:, 1:], rtol=1e-3)
    assert found.quantile == pytest.approx(student.ppf(0.975, 37.0 * (1.0 - like) / (1.0 + like)))
    for number, place in ((found.linear, 1), (found.quadratic, 2)):
        assert number.error == pytest.approx(covariance[place, place] ** 0.5, rel=1e-3)
        assert (number.low, number.high) == pytest.approx(
            interval_above(0.0, number.value, found.quantile * number.error))
    windage = BOAT.vessel.windage
    assert found.air == pytest.approx(0.5 * windage.air_density * windage.frontal_area * windage.c_x)


def test_a_search_begins_with_half_of_the_drag_each():
    """A fall to 1/e in 5 s: m / 5 s is the drag, of which d v and q v^2 are half each at the speed of the begin."""
    time = np.linspace(0.0, 5.0, 20)
    glides = [Glide('glide', 0.0, time, 2.0 * np.exp(-time / 5.0), 0.0)]
    linear, quadratic = _first_guess(glides, BOAT)
    assert (linear, 2.0 * quadratic) == pytest.approx((0.5 * 9.75 / 5.0, 0.5 * 9.75 / 5.0))


def test_the_written_boat_glides_as_the_glides_did(tmp_path):
    """Air and payload stand in the file by themselves; drag and mass of the whole boat are those that were found."""
    boat = read_boat('lutra_airboat', payload=2.0)
    rng = np.random.default_rng(3)
    glides = [Glide('glide', 0.0, TIME, gliding_speed(TIME, 0.7, 1.0 / mass, 6.0 / mass) + rng.normal(0.0, 0.003, 120),
                    mass - 13.0) for mass in (13.0, 16.0)]
    found = coast_down(glides, boat)
    written = write_boat(coast_down_boat(found, boat, 'mine', {'date': 'today'}), tmp_path / 'mine.yaml')
    assert written.hull.payload == 2.0 and found.mass_found
    assert written.vessel.inertia.m11 == pytest.approx(found.mass.value, rel=1e-5)
    assert written.vessel.damping.d11 == pytest.approx(found.linear.value, rel=1e-5)
    air = 0.5 * 1.184 * 0.08 * 0.68
    assert written.vessel.damping.d11_q == pytest.approx(found.quadratic.value - air, rel=1e-5)
    assert written.vessel.damping.d22_q == boat.vessel.damping.d22_q
    assert "'today'" in repr(coast_down_boat(found, boat, 'mine', {'date': 'today'})['identification'])


def test_without_a_second_mass_the_base_s_is_kept(tmp_path):
    boat = read_boat('lutra_airboat')
    found = coast_down([Glide('glide', 0.0, TIME, gliding_speed(TIME, 0.7, 0.0, 0.6), 0.0)], boat)
    written = write_boat(coast_down_boat(found, boat, 'mine', {}), tmp_path / 'mine.yaml')
    assert written.vessel.inertia == boat.vessel.inertia
    assert written.vessel.damping.d11_q == pytest.approx(0.6 * 12.05 - 0.5 * 1.184 * 0.08 * 0.68, rel=1e-4)
