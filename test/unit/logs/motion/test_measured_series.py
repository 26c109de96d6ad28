import numpy as np

from usv_energy.logs.motion.measured_series import knots_of, known_rows, measured


def test_samples_close_together_are_one_measurement_at_their_mean_time():
    time = np.array([0.0, 0.02, 0.04, 0.3, 0.5, 5.0])
    knots, knot = knots_of(time, longest=1.0)
    np.testing.assert_allclose(knots.time, [0.0, 0.3, 0.5, 5.0])
    assert knots.joined.tolist() == [True, True, False]
    values = np.array([1.0, 2.0, 6.0, np.nan, 4.0, 5.0])[:, None]
    found = measured(0, time, values, knots, knot)
    assert found.weight.tolist() == [3.0, 0.0, 1.0, 1.0]
    assert found.values[:, 0].tolist() == [3.0, 0.0, 4.0, 5.0]
    np.testing.assert_allclose(found.offset, [0.02, 0.0, 0.0, 0.0], atol=1e-12)


def test_what_is_not_used_is_no_measurement():
    time = 0.2 * np.arange(4)
    knots, knot = knots_of(time, longest=1.0)
    found = measured(1, time, np.ones((4, 2)), knots, knot, np.array([True, False, True, False]))
    assert found.weight.tolist() == [1.0, 0.0, 1.0, 0.0]


def test_a_measurement_sees_the_state_at_its_own_time():
    """A parabola, seen 0.03 s after its knots: the Taylor series is exact, for the value and for its derivative."""
    time = 0.5 * np.arange(5) + 0.03
    knots, knot = knots_of(np.append(0.0, time), longest=1.0)
    curve = np.polynomial.Polynomial([1.0, -2.0, 0.5])
    states = np.stack([curve(knots.time), curve.deriv()(knots.time), np.full(knots.time.size, 1.0)], axis=1)[:, :, None]
    for order in (0, 1):
        wanted = curve.deriv(order)(time) if order else curve(time)
        found = measured(order, time, wanted[:, None], knots, knot[1:])
        np.testing.assert_allclose(found.expected(states)[found.weight > 0.0, 0], wanted, rtol=1e-12)


def test_samples_as_far_apart_as_they_may_be_belong_together_and_a_little_further_do_not():
    for apart, joined in ((1.0, True), (1.0 + 1e-9, False)):
        knots, _ = knots_of(np.array([0.0, apart]), longest=1.0)
        assert knots.joined.tolist() == [joined]


def test_a_log_that_begins_later_has_the_same_knots_later():
    time = np.array([0.0, 0.02, 0.1, 0.3, 0.5, 5.0])
    knots, knot = knots_of(time, longest=1.0)
    later, same = knots_of(time + 64.0, longest=1.0)
    np.testing.assert_allclose(later.time, knots.time + 64.0, rtol=1e-14)
    assert same.tolist() == knot.tolist() == [0, 0, 1, 2, 3, 4] and (later.joined == knots.joined).all()


def test_a_row_is_known_that_has_a_number_in_each_of_any_number_of_columns():
    one = np.arange(4.0)
    columns = [np.where(np.arange(4) == k, np.nan, one) for k in range(3)]
    assert known_rows(columns).tolist() == [False, False, False, True]
    assert known_rows(columns[:1]).tolist() == [False, True, True, True]
