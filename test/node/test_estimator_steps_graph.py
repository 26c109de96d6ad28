"""Steps of an estimator and wrong samples, live: no joule of them in the account, and each of them named."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from harness import steady_power, steps

from usv_energy.boats.boat_file import read_boat
from usv_energy_msgs.msg import BoatState, PowerStamped

POWER = steady_power(1.0, read_boat('lutra_prop'))
PERIOD, NUMBER, FAULT = 0.1, 300, 150
BEHIND = 25  # Samples at most that wait for a lag of 1 s.


def heard_by(one):
    """Return what was said on /diagnostics of the odometry, last."""
    said = [status for message in one.said for status in message.status if status.name.endswith(': odometry')]
    return {pair.key: pair.value for pair in said[-1].values} if said else {}


def after_a_lag(one, fault):
    """Return the last energy of 30 s with a fault, once all its samples have been given out."""
    one.said = []
    one.probe.create_subscription(DiagnosticArray, '/diagnostics', one.said.append, 10)
    for k in range(NUMBER):
        stamp = round(PERIOD * k, 6)
        one.say(stamp, **{'x': stamp, **fault(k, stamp)})
        one.until(lambda k=k: len(one.heard['boat_state']) >= k - BEHIND)
    one.until(lambda: one.heard['energy'][-1].samples + one.heard['energy'][-1].invalid_samples >= NUMBER)
    assert one.heard['energy'][-1].duration > 0.8 * PERIOD * NUMBER, 'but for the first samples all have a power'
    one.until(lambda: 'samples' in heard_by(one) and int(heard_by(one)['samples']) >= NUMBER)
    return one.heard['energy'][-1]


def step_of(size):
    """Return a fault: from one sample on the boat is said to be so much further, m."""
    return lambda k, stamp: {'x': stamp + size} if k >= FAULT else {}


CASES = {**{f'a step of {size:g} m': (step_of(size), 'position steps', 1) for size in (2.0, 10.0, 100.0)},
         'one sample 20 m away': (lambda k, stamp: {'y': 20.0} if k == FAULT else {}, 'positions not used', 1),
         'twenty samples at 1e6 m/s': (lambda k, stamp: {'u': 1e6} if FAULT <= k < FAULT + 20 else {},
                                       'velocities not used', 20)}


@pytest.mark.parametrize(('name', 'lag'), [
    ('a step of 2 m', 1.0), ('a step of 100 m', 1.0), ('one sample 20 m away', 1.0), ('twenty samples at 1e6 m/s', 1.0),
    ('a step of 10 m', 0.0), ('twenty samples at 1e6 m/s', 0.0)])
def test_the_account_is_that_of_the_boat_and_the_fault_is_named(graph, name, lag):
    fault, count, number = CASES[name]
    one = graph(change={'state_adapter': {'lag': lag}})
    energy = after_a_lag(one, fault)
    assert energy.total == pytest.approx(POWER * energy.duration, rel=0.01)
    assert heard_by(one)[count] == str(number)
    marked = [message for message in one.heard['boat_state'] if message.status & BoatState.TAKEN_OUT]
    assert marked and all(math.isfinite(message.pose.position.x) for message in marked)
    assert any(message.status & PowerStamped.TAKEN_OUT for message in one.heard['power'])


def test_a_second_message_of_one_stamp_is_not_used_and_named(graph):
    """A boat cannot be at two places at once: one 20 m beside it, of a second publisher, had cost 162 kJ."""
    one = graph(change={'state_adapter': {'lag': 1.0}})

    def again(k, stamp):
        if k in (FAULT, FAULT + 1):
            one.say(round(PERIOD * (k - 1), 6), x=0.0, y=-100.0, u=0.0)
        return {}

    energy = after_a_lag(one, again)
    assert energy.total == pytest.approx(POWER * energy.duration, rel=0.01)
    assert any('a second message of one stamp' in status.message for message in one.said for status in message.status)


def test_positions_beyond_all_earth_leave_the_energy_of_the_rest(graph):
    """350 km from the origin, as in UTM, five of 1e308 m had cost 1e13 J."""
    one = graph(change={'state_adapter': {'lag': 1.0}})
    energy = after_a_lag(one, lambda k, stamp: {'x': 1e308 if FAULT <= k < FAULT + 5 else 3.5e5 + stamp})
    assert energy.total == pytest.approx(POWER * energy.duration, rel=0.01)
    assert heard_by(one)['invalid samples'] == '5'


def test_a_message_that_was_overtaken_is_not_counted_twice(graph):
    one = graph(change={'state_adapter': {'lag': 0.0}})
    one.tell_all(steps(0.0, 2.0))
    before = one.heard['energy'][-1]
    one.say(1.52)
    answer = one.tell_all(steps(2.05, 3.0))
    assert answer.segments == 1
    assert answer.duration == pytest.approx(before.duration + 1.0)
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-9)


def test_stamps_before_the_clock_are_no_gap_of_fifty_years(graph):
    one = graph(change={'state_adapter': {'lag': 0.0}})
    one.tell_all([0.0, 0.05, 0.1])
    answer = one.tell_all(steps(1.8e9, 1.8e9 + 1.0))
    assert (answer.gaps, answer.gap_duration, answer.segments) == (0, 0.0, 2)
    assert answer.total == pytest.approx(POWER * answer.duration, rel=1e-6)
