"""From messages to rows and into a bag: one topic may lag far behind another, and what is lost is lost alone."""

import math
from types import SimpleNamespace

import pytest
from builtin_interfaces.msg import Time
from rclpy.serialization import serialize_message
from std_msgs.msg import Header

from usv_energy.ros.messages import convert
from usv_energy.ros.messages.bagfile import BagRecording, RowJoin, Topic
from usv_energy.ros.messages.messages import BoatState, EnergyStamped, PowerStamped, ThrusterPower

KINDS = (BoatState, PowerStamped, EnergyStamped, ThrusterPower)
COUNT = 900


def message(kind, number):
    return kind(header=convert.header_of(convert.stamp_of(number * 20_000_000), ''))


@pytest.mark.parametrize('late', KINDS)
def test_a_topic_that_lags_far_behind_costs_no_row(late):
    join = RowJoin(with_thrusters=True)
    early = [row for number in range(COUNT) for kind in KINDS if kind is not late
             for row in join.add(message(kind, number))]
    assert early == []
    rows = [row for number in range(COUNT) for row in join.add(message(late, number))]
    assert [stamp for stamp, _ in rows] == [number * 20_000_000 for number in range(COUNT)]
    assert all(not math.isnan(row.energy) and not math.isnan(row.x) for _, row in rows)


def test_a_lost_part_is_missing_from_its_own_row_which_keeps_its_place():
    join = RowJoin(with_thrusters=True)
    rows = [row for number in range(5) for kind in KINDS if (kind, number) != (ThrusterPower, 2)
            for row in join.add(message(kind, number))]
    assert [stamp // 20_000_000 for stamp, _ in rows] == [0, 1, 2, 3, 4]
    assert [math.isnan(row.thruster_power) for _, row in rows] == [False, False, True, False, False]


def test_what_never_gets_complete_is_given_at_the_end():
    join = RowJoin(with_thrusters=True)
    assert not any(join.add(message(kind, number)) for number in range(100) for kind in KINDS[:3])
    assert len(join.rest()) == 100


def test_a_message_from_before_1970_is_in_the_bag_at_the_latest_time_of_another():
    times = []
    bag = SimpleNamespace(add_topic=lambda *_: None, write=lambda name, data, time: times.append(time))
    recording = BagRecording(bag, lambda _: [], keep_repeats=True)
    for second in (5, -1, 6):
        header = Header(stamp=Time(sec=second))
        recording.add(Topic('/boat/power', PowerStamped), serialize_message(PowerStamped(header=header)))
    assert times == [5 * 10**9, 5 * 10**9, 6 * 10**9]
