"""Arithmetic alone against numpy, in twice the precision."""

import math

import numpy as np
import pytest

from usv_energy.physics import elementwise, vector_forms

LONG = np.longdouble


@pytest.mark.parametrize('size', [1.0, 100.0, 1e6])
def test_sine_and_cosine_are_right_to_the_last_places(rng, size):
    x = rng.uniform(-size, size, 20000)
    for form, exact in ((vector_forms.sine, np.sin), (vector_forms.cosine, np.cos)):
        assert np.abs(form(x) - exact(x.astype(LONG))).max() < 2.3e-16


def test_arc_tangent_is_right_to_the_last_places_all_around(rng):
    y, x = rng.normal(size=(2, 20000)) * 10.0 ** rng.uniform(-6.0, 6.0, (2, 20000))
    exact = np.arctan2(y.astype(LONG), x.astype(LONG))
    assert np.abs(vector_forms.arc_tangent(y, x) / exact - 1.0).max() < 4.5e-16
    axes = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (-1.0, -1.0)]
    assert [vector_forms.arc_tangent(*np.array(point)) for point in axes] == [np.arctan2(*point) for point in axes]


@pytest.mark.parametrize('form', [vector_forms.sine, vector_forms.cosine, vector_forms.less_whole_turns])
def test_no_angle_is_nan(form):
    with np.errstate(invalid='ignore'):
        assert np.isnan(form(np.array([np.nan, np.inf, -np.inf]))).all()


def test_angles_are_wrapped_alike_by_floats_arrays_and_arithmetic(rng):
    angles = np.concatenate((rng.uniform(-50.0, 50.0, 1000), [np.pi, -np.pi, 3 * np.pi, 0.0]))
    by_float = np.array([elementwise.wrapped(float(angle)) for angle in angles])
    for form in (elementwise.wrapped, vector_forms.less_whole_turns):
        wrapped = form(angles)
        assert (wrapped > -np.pi).all() and (wrapped <= np.pi).all()
        np.testing.assert_allclose(np.exp(1j * wrapped), np.exp(1j * by_float), rtol=0.0, atol=3e-14)


def test_within_an_eighth_of_a_turn_both_are_right_to_less_than_one_last_place():
    """As fdlibm has them: the cosine with what its head 1 - z / 2 was rounded by."""
    x = np.linspace(-0.25 * np.pi, 0.25 * np.pi, 200_001)
    assert np.abs(vector_forms.near_cosine(x) - np.cos(x.astype(LONG))).max() < 1.1e-16
    there = x[x != 0.0]
    assert np.abs(vector_forms.near_sine(there) / np.sin(there.astype(LONG)) - 1.0).max() < 1.6e-16


def test_an_axis_turned_by_little_is_right_to_the_last_places_and_by_more_is_not(rng):
    x, little = rng.uniform(-3.0, 3.0, 20000), rng.uniform(-vector_forms.LITTLE, vector_forms.LITTLE, 20000)
    for turn, within in ((little, True), (little + np.copysign(0.5, little), False)):
        found = vector_forms.turned_by_little((np.cos(x), np.sin(x)), turn)
        end = x.astype(LONG) + turn
        worst = max(np.abs(found[0] - np.cos(end)).max(), np.abs(found[1] - np.sin(end)).max())
        assert bool(worst < 4.5e-16) is within  # Two units in the last place of 1: of the axis, and of the product.


@pytest.mark.parametrize('angle', [0.5, 1.0, -1.0, 2.0])
def test_an_axis_turned_by_more_is_wrong_by_what_follows_in_the_series(angle):
    """By x^10 / 10! and a little less."""
    found = vector_forms.turned_by_little((1.0, 0.0), angle)
    error = math.hypot(found[0] - math.cos(angle), found[1] - math.sin(angle))
    follows = angle ** 10 / math.factorial(10)
    assert 0.8 * follows < error < 1.1 * follows
