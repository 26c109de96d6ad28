"""How late a controller is, counted by hand; simulated and wall times are given to it."""

import math

import pytest

from usv_energy.sim.hil.order_watch import OrderLateness, OrderWatch, lateness_figures, lateness_in_words

PERIOD = 0.1


def on_time(watch, number, begin=0, answer=0.01):
    """Have each state answered at once: an order with its stamp, then the period."""
    said = []
    for count in range(begin, begin + number):
        now = count * PERIOD
        watch.sent(now, now)
        said += watch.order(now, now, now + answer)
        said += watch.begin_period(now)
    return said


def silent(watch, number, begin):
    return [line for count in range(begin, begin + number) for line in watch.begin_period(count * PERIOD)]


def test_nothing_is_late_of_a_controller_that_answers_every_state():
    watch = OrderWatch(PERIOD)
    assert on_time(watch, 50) == []
    seen = watch.lateness(5.0)
    assert (seen.orders, seen.periods, seen.late, seen.held, seen.restarts) == (50, 50, 0, 0.0, 0)
    assert seen.mean_age == seen.longest_age == 0.0
    assert seen.mean_answer == pytest.approx(0.01) and seen.longest_answer == pytest.approx(0.01)


def test_a_silence_is_counted_from_the_last_order_to_the_next():
    """Five seconds without orders: ages of 0.1 to 5.0 s, of which those above 0.3 s are late; one line, once."""
    watch = OrderWatch(PERIOD)
    on_time(watch, 10)                                  # The last order at 0.9 s.
    said = silent(watch, 50, 10)                        # Periods from 1.0 to 5.9 s.
    assert len(said) == 1 and 'the last one is kept, for ever' in said[0]
    assert watch.silent and watch.alive
    said = on_time(watch, 1, 60)                        # The next at 6.0 s.
    assert said == ['orders come again after 5.10 s']
    seen = watch.lateness(6.0)
    assert (seen.periods, seen.late, seen.silences) == (61, 50 - 3, 1)
    assert seen.silent == seen.longest_silence == pytest.approx(5.1)
    assert seen.held == pytest.approx(5.0) and seen.longest_age == pytest.approx(5.0)
    assert seen.mean_age == pytest.approx(PERIOD * 50 * 51 / 2 / 61)


def test_a_silence_that_lasts_is_told_as_far_as_it_went():
    watch = OrderWatch(PERIOD)
    on_time(watch, 10)
    silent(watch, 20, 10)
    assert watch.lateness(3.0).silent == pytest.approx(3.0 - 0.9)
    assert watch.lateness(3.0).silences == 1


def test_after_the_hold_the_thrusters_stop_until_an_order_comes():
    watch = OrderWatch(PERIOD, hold=2.0)
    on_time(watch, 10)
    said = silent(watch, 19, 10)
    assert watch.alive and len(said) == 1
    said = silent(watch, 10, 29)                        # 2.9 s is 2.0 s after the last order.
    assert not watch.alive and said == ['no order for 2.00 s: the thrusters stop']
    assert watch.lateness(3.9).stopped == pytest.approx(1.0)
    assert 'the thrusters follow them' in on_time(watch, 1, 39)[0] and watch.alive


def test_a_hold_below_a_second_stops_as_well():
    watch = OrderWatch(PERIOD, hold=0.2)
    on_time(watch, 10)
    assert silent(watch, 2, 10) == ['no order for 0.20 s: the thrusters stop']
    assert watch.lateness(1.2).silences == 1


def test_a_slower_controller_is_held_but_not_late():
    """One order for two states, both its age and half the time held."""
    watch = OrderWatch(PERIOD)
    for count in range(100):
        if count % 2 == 0:
            watch.order(count * PERIOD, count * PERIOD, 0.0)
        watch.begin_period(count * PERIOD)
    seen = watch.lateness(10.0)
    assert seen.late == 0 and seen.held == pytest.approx(5.0)
    assert seen.mean_age == pytest.approx(0.05) and seen.longest_age == pytest.approx(0.1)


def test_stamps_that_go_back_are_a_restart_and_so_told_once():
    watch = OrderWatch(PERIOD)
    on_time(watch, 100)
    said = watch.order(0.0, 10.0, 20.0)
    assert 'stamps went back from 9.900 to 0.000' in said[0]
    assert watch.restarted(20.5, 'a new publisher') == []
    assert watch.lateness(10.0).restarts == 1
    assert len(watch.restarted(30.0, 'a new publisher')) == 1
    assert watch.lateness(10.0).restarts == 2


@pytest.mark.parametrize('stamp', [None, 1.7e9])
def test_orders_without_a_stamp_of_this_clock_are_as_old_as_the_time_since_they_came(stamp):
    watch = OrderWatch(PERIOD)
    said = watch.order(stamp, 2.0, 0.0)
    assert len(said) == (stamp is not None)
    watch.begin_period(2.4)
    assert watch.lateness(2.4).longest_age == pytest.approx(0.4)


def test_who_has_steered_to_the_end_owes_nothing_after_it():
    """The last state of a run is not answered: what a boat does until it hears of the end is no lateness."""
    watch = OrderWatch(PERIOD)
    on_time(watch, 10)
    silent(watch, 30, 10)
    assert watch.lateness_at_end(1.0, 4.0).late == 0
    assert watch.lateness_at_end(3.9, 4.0).late == 27


def test_without_an_order_nothing_is_late():
    watch = OrderWatch(PERIOD, hold=0.5)
    assert silent(watch, 100, 0) == [] and watch.alive
    assert watch.lateness(10.0) == OrderLateness()
    assert math.isnan(lateness_figures(watch.lateness(10.0))['mean_age_s'])


def test_in_words():
    watch = OrderWatch(PERIOD, hold=2.0)
    on_time(watch, 10)
    assert lateness_in_words(lateness_figures(watch.lateness(1.0))) == lateness_in_words(None) == ''
    silent(watch, 30, 10)
    on_time(watch, 1, 40)
    said = lateness_in_words(lateness_figures(watch.lateness(4.0)))
    assert '27 of 41 periods' in said and '1 silences of 3.10 s' in said and 'stopped for 1.10 s' in said
