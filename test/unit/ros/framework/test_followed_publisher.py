"""FollowedPublisher: by the numbers of messages one publisher of several is heard, and all of its messages are."""

from types import SimpleNamespace

import numpy as np
import pytest
from geometry_msgs.msg import Point, Pose, PoseWithCovariance, Quaternion, Twist, TwistWithCovariance, Vector3
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from std_msgs.msg import Header

from usv_energy.ros.framework import followed_publisher
from usv_energy.ros.framework.followed_publisher import MOST_HELD, FollowedPublisher
from usv_energy.ros.messages.convert import stamp_of

PERIOD = 50_000_000  # ns, of the good publisher.
SECOND = 10**9
SPEEDS = {'good': 1.0, 'slow': 1.0, 'again': 1.0, 'other': 1.5, 'evil': 3.0}  # m/s


def odometry(at, speed, rng):
    """Return a boat that goes on from x = 0, with noise in each field, as an estimator has."""
    def noise(scale):
        return rng.normal(0.0, scale, 3)

    place = noise(0.01) + np.array((speed * at * 1e-9, 0.0, 0.0))
    return serialize_message(Odometry(
        header=Header(stamp=stamp_of(at)),
        pose=PoseWithCovariance(pose=Pose(position=Point(**dict(zip('xyz', place))),
                                          orientation=Quaternion(**dict(zip('xyz', noise(0.01)))))),
        twist=TwistWithCovariance(twist=Twist(
            linear=Vector3(**dict(zip('xyz', noise(0.05) + np.array((speed, 0.0, 0.0))))),
            angular=Vector3(**dict(zip('xyz', noise(0.02))))))))


@pytest.fixture
def heard(monkeypatch):
    """
    Return a function that plays messages, (time in ns, name, number), and returns those that are taken.

    `set_by`: s by which the wall clock is set after 5 s.
    """
    def play(messages, publishers=2, set_by=0):
        left_out, names, taken, rng = [], {}, [], np.random.default_rng(2)
        followed = FollowedPublisher(Odometry, lambda: left_out.append(1))
        followed.count = lambda: publishers
        heard_at = 0
        for at, name, number in sorted(messages):
            wall = at + 10**18 + (set_by * SECOND if at > 5 * SECOND else 0)
            monkeypatch.setattr(followed_publisher, 'time', SimpleNamespace(
                time_ns=lambda wall=wall: wall, monotonic_ns=lambda at=at: at))
            data = odometry(at, SPEEDS[name], rng)
            names[data] = name, number
            if at - heard_at > SECOND:  # A timer runs before what is queued is read.
                taken += [names[one] for one in followed.overdue()]
            heard_at = at
            taken += [names[one] for one in followed.use(
                data, {'publication_sequence_number': number, 'received_timestamp': wall})]
        assert len(taken) + len(left_out) + sum(len(one.held) for one in followed._known) == len(messages)
        return taken
    return play


def stream(name, count, period=PERIOD, begin=0, first=1, burst=1):
    return [(begin + (number // burst) * period * burst + number % burst, name, first + number)
            for number in range(count)]


# Of the other one: begin, period, ns, first number, and how many come at once.
@pytest.mark.parametrize(('begin', 'period', 'first', 'burst'), [
    (3, PERIOD, 1, 1),                              # Both start together.
    (5 * PERIOD + 7, PERIOD, 1, 1),
    (20 * PERIOD + 7, PERIOD // 3, 1, 1),           # It counts faster, and overtakes the good one.
    (20 * PERIOD + 7, PERIOD // 3, 1, 3),
    (20 * PERIOD - 7, PERIOD // 10, 1, 10),
    (20 * PERIOD + 7, 2 * PERIOD, 1, 1),
    (20 * PERIOD + 7, PERIOD // 100, 1, 1),
    (20 * PERIOD + 7, 3 * PERIOD, 150, 1),          # The good one overtakes it.
    (20 * PERIOD + 7, PERIOD, 40, 1)])              # A few numbers ahead.
def test_no_message_of_another_publisher_is_taken_and_none_of_the_first_is_lost(heard, begin, period, first, burst):
    good = stream('good', 200)
    others = stream('evil', min(2000, (200 * PERIOD - begin) // period), period, begin, first, burst)
    assert heard(good + others) == [('good', number) for number in range(1, 201)]


def some(messages, share, rng):
    return [one for one in messages if rng.random() > share]


@pytest.mark.parametrize('share', [0.05, 0.2, 0.5])
@pytest.mark.parametrize(('begin', 'period', 'first'), [
    (PERIOD // 2, PERIOD, 1),               # Both have sent equally many.
    (50 * PERIOD + 7, PERIOD // 2, 1),      # It overtakes.
    (50 * PERIOD + 7, PERIOD, 48),          # A few numbers behind.
    (7, 2 * PERIOD, 1)])
def test_losses_of_both_swap_none(heard, share, begin, period, first):
    rng = np.random.default_rng(5)
    good = stream('good', 30) + some(stream('good', 370, begin=30 * PERIOD, first=31), share, rng)
    others = some(stream('evil', (400 * PERIOD - begin) // period, period, begin, first), share, rng)
    taken = heard(good + others)
    assert taken == [('good', number) for _, _, number in good][:len(taken)]
    assert len(taken) > len(good) - 3, 'a new chain may wait at the end'
    assert heard(good, publishers=1) == [('good', number) for _, _, number in good]


@pytest.mark.parametrize('set_by', [2.5, 30, 3600, -3600])
def test_a_clock_that_is_set_changes_nothing(heard, set_by):
    good = stream('good', 400)
    taken = [('good', number) for number in range(1, 401)]
    assert heard(good + stream('evil', 400, begin=PERIOD // 3, first=1000), set_by=set_by) == taken
    # Killed after it was set, and started again.
    again = [*stream('good', 110), *stream('again', 300, begin=111 * PERIOD)]
    assert [number for _, number in heard(again, set_by=set_by)] == [number for _, _, number in again]


@pytest.mark.parametrize('evil_first', [False, True])
def test_a_stall_of_the_graph_changes_nothing_beside_another_live_publisher(heard, evil_first):
    def stalled(name, begin, woken):
        # From 9.4 to 12 s; the last ten messages of it are in the queue, and received after it.
        queued = [(woken + number, name, 231 + number) for number in range(10)]
        return stream(name, 188, begin=begin) + queued + stream(name, 200, begin=begin + 240 * PERIOD, first=241)

    good = stalled('good', 0, 12 * SECOND - 1000)
    evil = stalled('evil', PERIOD // 2, 12 * SECOND - (2000 if evil_first else 500))
    assert heard(good + evil) == [(name, number) for _, name, number in good]


def test_a_restart_while_the_dead_one_is_counted_loses_nothing(heard):
    at_once = stream('good', 100) + stream('again', 200, begin=100 * PERIOD)
    assert heard(at_once) == [(name, number) for _, name, number in at_once]
    missions = [one for mission in range(5) for one in stream('good', 60, begin=mission * 61 * PERIOD)]
    assert [number for _, number in heard(missions)] == [number for _, _, number in missions]
    # A burst after a stall of 1 s, one of which is lost, beside a publisher that is silent.
    burst = [(6 * SECOND + number * 100_000, 'good', 101 + number) for number in range(20) if number != 5]
    stalled = stream('good', 100) + burst + stream('good', 100, begin=6 * SECOND + PERIOD, first=121)
    assert heard(stalled) == [(name, number) for _, name, number in stalled]
    # It was not dead after all.
    pause = stream('good', 100) + stream('good', 100, begin=130 * PERIOD, first=101)
    assert heard(pause + stream('evil', 30, begin=100 * PERIOD + 7)) == [(name, number) for _, name, number in pause]
    # No more than some hundred are held: those before are left out.
    flood = heard(stream('good', 100) + stream('again', 3000, period=10**6, begin=100 * PERIOD))
    assert len(flood) == pytest.approx(100 + MOST_HELD + 1050, abs=60)
    assert flood[100:] == [('again', number) for number in range(3101 - len(flood), 3001)]


def test_a_restart_a_takeover_and_a_middleware_without_numbers(heard):
    again = stream('good', 30) + stream('good', 30, begin=40 * PERIOD)
    assert len(heard(again, publishers=1)) == 60, 'a publisher that was started again'
    # A second one of which the first is ended.
    taken = heard(stream('good', 30) + stream('other', 100, begin=7))
    assert taken[:30] == [('good', number) for number in range(1, 31)]
    assert taken[30:] == [('other', number) for number in range(30, 101)]
    # One that is slow is waited for, once its period is known.
    slow = heard(stream('slow', 9, 5 * 10**9) + stream('other', 600, begin=5 * 10**9 + 7))
    assert slow == [('slow', number) for number in range(1, 10)]
    assert len(heard([(at, name, None) for at, name, _ in again])) == 60
