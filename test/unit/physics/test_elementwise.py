import math
from typing import Any, NamedTuple

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


def test_a_direction_is_the_cosine_and_sine_of_its_angle_and_of_what_it_turns_by():
    for angle in (0.3, ANGLES):
        direction = elementwise.direction_of(angle)
        np.testing.assert_allclose(direction, (np.cos(angle), np.sin(angle)), rtol=0.0, atol=2.3e-16)
        np.testing.assert_allclose(elementwise.direction_turned(direction, angle, 0.1),
                                   (np.cos(angle + 0.1), np.sin(angle + 0.1)), rtol=0.0, atol=2.3e-16)


def test_the_floor_of_a_number_is_the_whole_one_below_it_and_none_of_what_is_none():
    values = [-1.5, -1.0, 0.0, 2.9, math.inf, math.nan]
    by_float = [elementwise.floor(value) for value in values]
    assert by_float[:5] == [-2.0, -1.0, 0.0, 2.0, math.inf] and all(type(value) is float for value in by_float)
    np.testing.assert_array_equal(elementwise.floor(np.array(values)), by_float)


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
    """Of one to three tuples, and what is the same for all behind them."""
    assert elementwise.each(lambda a, d: a + d, (0.5,), (5.0, 7.0)) == (5.5, 7.5)
    assert elementwise.each(lambda a, b: a - b, (), (5.0, 7.0), (1.0, 2.0)) == (4.0, 5.0)
    assert elementwise.each(lambda a, b, c, d, e: ((a - b) * c + d) * e, (0.5, 2.0), (5.0, 7.0), (1.0, 2.0),
                            (2.0, 3.0)) == (17.0, 31.0)
    assert elementwise.each(max, (0.0,), ()) == ()


def test_totals_are_of_each_place_and_begin_with_zeros():
    assert elementwise.total((0.0, 1.0), ((2.0, 3.0), (4.0, 5.0))) == (6.0, 9.0)
    assert elementwise.total((0.0,), ()) == (0.0,)
    np.testing.assert_array_equal(elementwise.total((0.0,), ((np.array([1.0, 2.0]),), (3.0,)))[0], [4.0, 5.0])


def test_whether_a_condition_holds_anywhere():
    assert elementwise.anywhere(True) is True and elementwise.anywhere(False) is False
    assert elementwise.anywhere(np.array([False, True])) is True
    assert elementwise.anywhere(np.array([False, False])) is False


class Inner(NamedTuple):
    """A record in another."""

    first: Any
    second: Any = None


class Outer(NamedTuple):
    """A record of a number, a record, a tuple and a part that may be missing."""

    number: Any
    inner: Inner
    pair: tuple[Any, Any]
    part: Any = None


YES, NO = Outer(1.0, Inner(2.0), (3.0, 4.0)), Outer(5.0, Inner(6.0), (7.0, 8.0))


@pytest.mark.parametrize('name', Outer._fields)
def test_a_record_with_one_field_changed_keeps_every_other(name):
    changed = elementwise.with_field(YES, name, 'another')
    assert type(changed) is Outer and changed._asdict() == {**YES._asdict(), name: 'another'}


def test_a_record_where_a_condition_holds_has_the_numbers_of_one_else_of_the_other():
    """Floats or arrays, however deep they lie; a part that is missing stays missing."""
    assert elementwise.record_where(True, YES, NO) == YES and elementwise.record_where(False, YES, NO) == NO
    mixed = elementwise.record_where(np.array([True, False]), YES, NO)
    assert type(mixed) is Outer and type(mixed.inner) is Inner and mixed.part is None is mixed.inner.second
    np.testing.assert_array_equal([mixed.number, mixed.inner.first, *mixed.pair], [[1, 5], [2, 6], [3, 7], [4, 8]])


@pytest.mark.parametrize('share', [0.0, 0.1, 0.9])
def test_a_function_is_evaluated_only_where_a_condition_holds_if_that_is_for_few(rng, share):
    """And then by the same arithmetic, element by element; a number stands for all elements, None stays None."""
    condition, x, y, sizes = rng.random(400) < share, rng.random(400), Inner(rng.random(400), 3.0), []

    def double(one, two, nothing):
        sizes.append(one.size)
        return Inner(one * two.first, two.second + one)

    assert 0 < condition.sum() < 400 or share == 0.0
    whole = double(x, y, None)
    found = elementwise.only_where(condition, double, (x, y, None), Inner(x, 1.0))
    for value, given, other in zip(found, whole, (x, 1.0)):
        np.testing.assert_array_equal(value, np.where(condition, given, other))
    assert sizes[1:] == ([] if share == 0.0 else [condition.sum() if share < 0.5 else 400])
    assert elementwise.only_where(True, double, (x, y, None), None)[0] is not x
    assert elementwise.only_where(False, double, (x, y, None), 5.0) == 5.0


def test_a_kernel_with_a_body_a_type_takes_the_one_of_its_argument():
    @elementwise.by_type('shape')
    def area(size, shape):
        """Return the area of a shape."""

    elementwise.register_body(area, Inner, lambda size, shape: size * shape.first)
    elementwise.register_body(area, type(None), lambda size, shape: size * size)
    assert area(3.0, Inner(2.0)) == 6.0 and area(3.0, None) == 9.0 and area.__doc__ == 'Return the area of a shape.'
    with pytest.raises(TypeError, match='area: nothing is registered for shape of type Outer'):
        area(3.0, YES)
    with pytest.raises(TypeError, match='takes shape, size; must take size, shape'):
        elementwise.register_body(area, Outer, lambda shape, size: 0.0)


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
