"""FollowedPublisher: by the numbers of messages one publisher of several is heard, and all of its messages are."""

import numpy as np
import pytest
from geometry_msgs.msg import Point, Pose, PoseWithCovariance, Twist, TwistWithCovariance, Vector3
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from std_msgs.msg import Header

from usv_energy.ros.framework.followed_publisher import SILENCE, FollowedPublisher
from usv_energy.ros.messages.convert import stamp_of

PERIOD = 50_000_000  # ns, of the good publisher.
SPEEDS = {'good': 1.0, 'slow': 1.0, 'other': 1.5, 'evil': 3.0}  # m/s, and noise of 0.05 m/s.


@pytest.fixture
def heard():
    """Return a function that plays messages, (time in ns, name, number), and returns those that are taken."""
    def play(messages, publishers=2):
        left_out = []
        followed = FollowedPublisher(Odometry, lambda: left_out.append(1))
        followed.count = publishers if callable(publishers) else lambda: publishers
        taken, rng = [], np.random.default_rng(2)
        for at, name, number in sorted(messages):
            data = serialize_message(Odometry(
                header=Header(stamp=stamp_of(at)), pose=PoseWithCovariance(pose=Pose(position=Point(x=at * 1e-9))),
                twist=TwistWithCovariance(twist=Twist(linear=Vector3(x=SPEEDS[name] + rng.normal(0.0, 0.05))))))
            if followed.takes(data, {'publication_sequence_number': number, 'received_timestamp': at}):
                taken.append((name, number))
        assert len(taken) + len(left_out) == len(messages)
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


def test_lost_messages_of_the_one_that_is_followed_are_no_other_publisher(heard):
    rng = np.random.default_rng(1)
    good = [one for one in stream('good', 400) if one[2] == 1 or rng.random() > 0.3]
    others = stream('evil', 190, 2 * PERIOD, 7)
    assert heard(good + others) == [('good', number) for _, _, number in good]
    assert heard(good, publishers=1) == [('good', number) for _, _, number in good]


def test_a_restart_a_takeover_and_a_middleware_without_numbers(heard):
    again = stream('good', 30) + stream('good', 30, begin=40 * PERIOD)
    assert len(heard(again, publishers=1)) == 60, 'a publisher that was started again'
    # A second one of which the first is ended: of what comes in the first seconds of its silence nothing is taken.
    taken = heard(stream('good', 30) + stream('other', 100, begin=7))
    assert taken[:30] == [('good', number) for number in range(1, 31)]
    assert taken[30:] == [('other', number) for number in range(101 - len(taken[30:]), 101)]
    assert 100 - len(taken[30:]) == pytest.approx(30 + SILENCE * 1e9 / PERIOD, abs=1)
    # One that is slow is waited for, once its period is known.
    slow = heard(stream('slow', 9, 5 * 10**9) + stream('other', 600, begin=5 * 10**9 + 7))
    assert slow == [('slow', number) for number in range(1, 10)]
    assert len(heard([(at, name, None) for at, name, _ in again])) == 60
