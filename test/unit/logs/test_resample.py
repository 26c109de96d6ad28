
import numpy as np

from usv_energy.logs.derive import held, interpolated


def test_commands_are_held_and_the_rest_interpolated_but_not_across_gaps():
    time = np.array([0.0, 1.0, 2.0, 10.0])
    values = np.array([0.0, 1.0, 4.0, 8.0])
    np.testing.assert_array_equal(interpolated(np.array([0.5, 1.5, 6.0, 10.0, 30.0]), time, values, 2.0),
                                  [0.5, 2.5, np.nan, 8.0, np.nan])
    np.testing.assert_array_equal(held(np.array([-1.0, 0.0, 0.9, 9.0]), time, values), [np.nan, 0.0, 0.0, 4.0])


def test_values_are_held_for_the_longest_step_before_the_first_and_after_the_last_sample():
    """At the limit itself, too; a line of just that length is drawn, and a hole's own ends are known."""
    time, values = np.array([0.0, 2.0, 5.0]), np.array([1.0, 3.0, 9.0])
    at = np.array([-2.001, -2.0, 0.0, 1.0, 2.0, 2.5, 5.0, 7.0, 7.001])
    np.testing.assert_array_equal(interpolated(at, time, values, 2.0), [np.nan, 1, 1, 2, 3, np.nan, 9, 9, np.nan])
    both = interpolated(at, time, np.column_stack([values, -values]), 3.0)
    np.testing.assert_array_equal(both[:, 1], [-1, -1, -1, -2, -3, -4, -9, -9, -9])
    for none, shape in ((values[:0], (9,)), (np.empty((0, 2)), (9, 2))):
        found = interpolated(at, time[:0], none, 2.0)
        assert found.shape == shape and np.isnan(found).all()
    np.testing.assert_array_equal(interpolated(at[:3], time[:1], values[:1], 2.0), [np.nan, 1, 1])


def test_a_value_is_held_as_long_as_it_is_not_too_old():
    time, values = np.array([0.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
    found = held(np.array([-0.1, 0.0, 1.5, 1.501, 2.0, 3.5, 3.501]), time, values, 1.5)
    np.testing.assert_array_equal(found[:, 1], [np.nan, 2, 2, np.nan, 4, 4, np.nan])
    np.testing.assert_array_equal(held(np.array([0.5, 99.0]), time, values), values)


def test_a_hole_after_the_first_sample_leaves_that_sample_known():
    found = interpolated(np.array([0.0, 0.1, 9.9, 10.0]), np.array([0.0, 10.0]), np.array([3.0, 4.0]), 1.0)
    np.testing.assert_array_equal(found, [3.0, np.nan, np.nan, 4.0])
