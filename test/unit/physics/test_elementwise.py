import math

import numpy as np
import pytest

from usv_energy.physics import elementwise

ANGLES = np.linspace(-7.0, 7.0, 101)


@pytest.mark.parametrize('name', ['sin', 'cos'])
def test_floats_and_arrays_agree(name):
    function = getattr(elementwise, name)
    by_array = function(ANGLES)
    by_float = [function(float(angle)) for angle in ANGLES]
    assert all(type(value) is float for value in by_float)
    # math and numpy may round the last bit of a sine differently.
    np.testing.assert_allclose(by_array, by_float, rtol=0.0, atol=2.3e-16)
    np.testing.assert_allclose(elementwise.sin(ANGLES) ** 2 + elementwise.cos(ANGLES) ** 2, 1.0, rtol=1e-15)


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_sine_and_cosine_of_no_angle_are_nan_and_never_raise(value):
    assert math.isnan(elementwise.sin(value))
    assert math.isnan(elementwise.cos(value))


def test_square_root_is_nan_where_numpy_says_nan():
    values = [0.0, 2.0, 9.0, math.inf]
    assert [elementwise.sqrt(value) for value in values] == [math.sqrt(value) for value in values]
    assert math.isnan(elementwise.sqrt(-1.0))
    assert math.isnan(elementwise.sqrt(math.nan))
    with np.errstate(invalid='ignore'):
        np.testing.assert_array_equal(elementwise.sqrt(np.array([4.0, -1.0])), [2.0, math.nan])


@pytest.mark.parametrize('x, y', [(1.0, 2.0), (2.0, 1.0), (-1.0, -1.0), (math.inf, 0.0), (0.0, -math.inf)])
def test_larger_and_smaller_select(x, y):
    assert elementwise.larger(x, y) == max(x, y) == elementwise.larger(np.array([x]), np.array([y]))[0]
    assert elementwise.smaller(x, y) == min(x, y) == elementwise.smaller(np.array([x]), np.array([y]))[0]


@pytest.mark.parametrize('function', [elementwise.larger, elementwise.smaller])
@pytest.mark.parametrize('x, y', [(math.nan, 1.0), (1.0, math.nan), (math.nan, math.nan)])
def test_larger_and_smaller_keep_nan(function, x, y):
    assert math.isnan(function(x, y))
    assert math.isnan(function(np.array([x]), y)[0])


@pytest.mark.parametrize('kind', [float, lambda x: np.array([x])])
def test_what_is_held_within_limits_is_nan_where_it_is(kind):
    for x, low, high, held in ((0.3, -1.0, 1.0, 0.3), (-3.0, -1.0, 1.0, -1.0), (3.0, -1.0, 1.0, 1.0),
                               (math.inf, -1.0, 1.0, 1.0), (-math.inf, -1.0, 1.0, -1.0), (0.0, 2.0, -2.0, -2.0),
                               (math.nan, -1.0, 1.0, math.nan)):
        np.testing.assert_array_equal(elementwise.within(kind(x), kind(low), kind(high)), kind(held))


def test_an_axis_is_that_of_its_angle_and_of_what_it_turns_on_by():
    for angle in (0.3, ANGLES):
        axis = elementwise.axis_at(angle)
        np.testing.assert_allclose(axis, (np.cos(angle), np.sin(angle)), rtol=0.0, atol=2.3e-16)
        assert elementwise.axis_at(axis) is axis
        np.testing.assert_array_equal(elementwise.axis_on(axis, angle, 0.1), elementwise.axis_at(angle + 0.1))


def test_interpolation_is_linear_between_knots_and_constant_outside():
    knots_x, knots_y = np.array([-1.0, 0.0, 2.0]), np.array([4.0, 0.0, 6.0])
    x = np.array([-5.0, -1.0, -0.5, 0.0, 0.5, 2.0, 9.0])
    expected = [4.0, 4.0, 2.0, 0.0, 1.5, 6.0, 6.0]
    np.testing.assert_array_equal(elementwise.interpolate(x, knots_x, knots_y), expected)
    by_float = [elementwise.interpolate(float(value), knots_x, knots_y) for value in x]
    assert by_float == expected and all(type(value) is float for value in by_float)
    assert math.isnan(elementwise.interpolate(math.nan, knots_x, knots_y))


@pytest.mark.parametrize('form', [elementwise.select, elementwise.whole, elementwise.arctan2, elementwise.exp])
def test_other_forms_on_floats_and_arrays_agree(form):
    rows = {elementwise.select: [(True, 1.0, 2.0), (False, 1.0, 2.0)], elementwise.whole: [(-1.5,), (2.0,), (2.9,)],
            elementwise.arctan2: [(1.0, -2.0), (-1.0, -2.0)], elementwise.exp: [(0.0,), (1.0,)]}[form]
    assert form(*map(np.array, zip(*rows))).tolist() == [form(*row) for row in rows]


def test_each_takes_the_members_one_by_one():
    assert elementwise.each(lambda a, b, c, d: (a - b) * c + d, (5.0, 7.0), [1.0, 2.0], (2.0, 3.0), (0.5, 0.25)) == (
        8.5, 15.25)


def test_conditions_and_largest_values_of_floats_and_arrays():
    assert elementwise.anywhere(True) is True and elementwise.anywhere(False) is False
    assert elementwise.anywhere(np.array([False, True])) is True
    assert elementwise.anywhere(np.array([False, False])) is False
    assert elementwise.highest(3.0) == 3.0 and elementwise.highest(np.array([1.0, 4.0, 2.0])) == 4.0


def test_a_fold_takes_the_members_in_turn_and_may_grow_a_tuple():
    def longer(total, member, given):
        return (*total, given * member)
    assert elementwise.folded(longer, (), (1.0, 2.0, 3.0), 2.0) == (2.0, 4.0, 6.0)
    assert elementwise.folded(longer, (0.0,), (), 2.0) == (0.0,)


def test_a_part_that_is_none_is_left_out_and_any_other_comes_first():
    assert elementwise.by_part(None, max, min, 1.0, 2.0) == 2.0
    assert elementwise.by_part(0.5, max, min, 1.0, 2.0) == 0.5


def test_what_is_replaced_is_asked_for_only_where_the_condition_holds():
    def halves(pair, scale):
        assert np.all(np.asarray(pair[0]) > 1.0) and isinstance(scale, float)
        return (pair[0] / 2.0, None), (pair[1] * scale,)
    x, y = np.array([1.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0])
    plain = (x, None), (y,)
    (half, none), (scaled,) = elementwise.replaced(x > 1.0, plain, halves, (x, y), 10.0)
    np.testing.assert_array_equal(half, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(scaled, [1.0, 20.0, 30.0])
    assert none is None and elementwise.replaced(x > 9.0, plain, halves, (x, y), 10.0) is plain
    assert elementwise.replaced(True, 0.0, halves, (4.0, 2.0), 3.0) == ((2.0, None), (6.0,))
    assert elementwise.replaced(False, 0.0, halves, (4.0, 2.0), 3.0) == 0.0


def test_interpolation_by_knots_of_each_run_is_that_of_each_run():
    """Two runs; below, at, between and beyond their knots, and at 0 below them."""
    knots_x, knots_y = ((1.0, -2.0), (2.0, 0.0), (4.0, 1.0)), ((5.0, 0.0), (7.0, 4.0), (1.0, 2.0))
    by_run = tuple(np.array(one) for one in knots_x), tuple(np.array(one) for one in knots_y)
    for x in (-3.0, 0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 9.0):
        expected = [np.interp(x, [knot[run] for knot in knots_x], [knot[run] for knot in knots_y]) for run in (0, 1)]
        np.testing.assert_allclose(elementwise.interpolate(np.full(2, x), *by_run), expected, rtol=1e-14)
    assert np.isnan(elementwise.interpolate(np.array([math.nan, 0.5]), *by_run)).tolist() == [True, False]


@pytest.mark.parametrize('turns', [-3, 0, 2])
@pytest.mark.parametrize(('angle', 'expected'), [(math.pi, math.pi), (-math.pi, math.pi), (3.0, 3.0), (-3.1, -3.1),
                                                 (0.0, 0.0), (3.5, 3.5 - math.tau)])
def test_wrapped_angles_are_in_the_turn_around_0_half_a_turn_being_positive(angle, expected, turns):
    """To the turns' own rounding; halves of a turn are exact without whole ones."""
    by_array = elementwise.wrapped(np.array([angle + turns * math.tau]))
    assert math.cos(by_array[0] - expected) == pytest.approx(1.0) and -math.pi < by_array[0] <= math.pi
    if turns == 0:
        assert elementwise.wrapped(angle) == expected and by_array[0] == expected
    assert math.isnan(elementwise.wrapped(math.inf)) and math.isnan(elementwise.wrapped(math.nan))


def test_knots_as_tuples_of_numbers_are_those_of_every_run_and_an_angle_may_be_of_mixed_kinds():
    assert elementwise.interpolate(0.5, (-1.0, 0.0, 2.0), (4.0, 0.0, 6.0)) == 1.5
    heights = (np.array([4.0, 1.0]), np.array([0.0, 2.0]))
    np.testing.assert_allclose(elementwise.interpolate(np.array([0.5, 0.25]), (0.0, 1.0), heights), [2.0, 1.25])
    places = (np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(elementwise.interpolate(np.array([0.25, 2.0]), places, (4.0, 0.0)), [3.0, 2.0])
    np.testing.assert_allclose(elementwise.arctan2(1.0, np.array([1.0, -1.0])), [0.25 * math.pi, 0.75 * math.pi])
    np.testing.assert_allclose(elementwise.arctan2(np.array([1.0, -1.0]), 0.0), [0.5 * math.pi, -0.5 * math.pi])
