"""The energy nodes on a real graph: closed forms, frames, sources of flow, battery, reset."""

import math

import numpy as np
import pytest
from geometry_msgs.msg import Vector3, Vector3Stamped
from harness import hear, steady_power, steps
from rclpy.lifecycle import TransitionCallbackReturn
from std_msgs.msg import Float64, Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import PowerStamped, RemainingRange
from usv_energy_msgs.srv import SetCharge

BOAT = read_boat('lutra_prop')


@pytest.mark.parametrize('name', ['lutra_prop', 'lutra_prop_usvsim'])
def test_steady_surge_is_the_closed_form(graph, name):
    """(d11 + d11_q u) u^2 and the drag of the hull in the air; the first sample only begins the first step."""
    answer = graph(name).tell_all(steps(0.0, 2.0), u=1.2)
    power = steady_power(1.2, read_boat(name))
    assert answer.total == pytest.approx(power * 2.0, rel=1e-12)
    assert answer.duration == pytest.approx(2.0)
    assert answer.distance_over_ground == pytest.approx(1.2 * 2.0)
    assert (answer.samples, answer.invalid_samples, answer.gaps, answer.segments) == (40, 1, 0, 1)


def test_first_sample_says_that_it_has_no_acceleration(graph):
    one = graph()
    power = one.tell(3.0, until='power')
    assert power.status == PowerStamped.NO_ACCELERATION
    assert math.isnan(power.total)


def test_drifting_with_the_current_costs_nothing(graph):
    one = graph(current=FlowOptions('global', 0.4, 45.0), wind=FlowOptions('global', 0.4, 45.0))
    side = 0.4 * math.sqrt(0.5)
    answer = one.tell_all(steps(0.0, 1.0), u=side, v=side)
    assert answer.total == pytest.approx(0.0, abs=1e-12)
    assert answer.distance_over_ground == pytest.approx(0.4)
    assert answer.distance_through_water == pytest.approx(0.0, abs=1e-12)


def test_as_published_charges_a_drifting_boat(graph):
    """Relative sway of 2 V sin(beta) where it is 0: 4 d22 (V sin beta)^2, the finding of model.md."""
    one = graph(convention='as_published', current=FlowOptions('global', 0.4, 45.0))
    side = 0.4 * math.sqrt(0.5)
    one.tell_all(steps(0.0, 0.5), u=side, v=side)
    assert one.heard['power'][-1].total == pytest.approx(4.0 * 10.193 * side * side)


@pytest.mark.parametrize(('adapter', 'said'), [
    ({'axes': 'ned'}, dict(x=20.0, y=10.0, yaw=math.pi / 2 - 0.3, u=1.0, v=-0.2, r=-0.1)),
    ({'twist_frame': 'world'}, dict(x=10.0, y=20.0, yaw=0.3, r=0.1, u=math.cos(0.3) - 0.2 * math.sin(0.3),
                                    v=math.sin(0.3) + 0.2 * math.cos(0.3))),
    ({'axes': 'ned', 'twist_frame': 'world'},
     dict(x=20.0, y=10.0, yaw=math.pi / 2 - 0.3, r=-0.1, v=math.cos(0.3) - 0.2 * math.sin(0.3),
          u=math.sin(0.3) + 0.2 * math.cos(0.3))),
])
def test_other_peoples_frames_give_the_same_state(graph, adapter, said):
    state = graph(adapter=adapter).tell(0.0, until='boat_state', **said)
    assert (state.pose.position.x, state.pose.position.y, state.yaw) == pytest.approx((10.0, 20.0, 0.3))
    assert convert.planar_velocity(state.velocity) == pytest.approx((1.0, 0.2, 0.1))


def test_acceleration_is_the_difference_over_stamps(graph):
    one = graph(adapter={'acceleration_time_constant': 0})
    for k in range(5):
        state = one.tell(0.1 * k, until='boat_state', u=0.3 * k, v=-0.2 * k, r=0.1 * k)
    acceleration = state.acceleration
    assert (acceleration.linear.x, acceleration.linear.y, acceleration.angular.z) == pytest.approx((3.0, -2.0, 1.0))


def test_with_a_lag_states_come_later_without_their_noise_and_the_rest_at_the_end(graph, rng):
    one = graph(adapter={'lag': 0.5})
    stamps = [*steps(0.0, 5.9, 0.1), 6.2]
    for number, stamp in enumerate(stamps):
        noise = rng.normal(0.0, 0.05, 3)
        one.say(stamp, u=1.0 + noise[0], v=noise[1], x=stamp + 0.02 * rng.standard_normal(),
                y=0.02 * rng.standard_normal(), yaw=0.01 * rng.standard_normal(), r=0.01 * noise[2])
        one.until(lambda number=number: len(one.heard['boat_state']) >= number - 10)
    states = one.heard['boat_state']
    one.until(lambda: convert.nanoseconds(states[-1].header.stamp) > 5.6e9)  # The last odometry has come, too.
    assert convert.nanoseconds(states[-1].header.stamp) <= round((stamps[-1] - 0.5) * 1e9), 'none before its time'
    assert one.nodes['state_adapter'].trigger_deactivate() is TransitionCallbackReturn.SUCCESS
    one.until(lambda: convert.nanoseconds(states[-1].header.stamp) == round(1e9 * stamps[-1]))
    # While discovery is under way the first ones may be lost.
    assert [convert.nanoseconds(msg.header.stamp) for msg in states] == [
        round(1e9 * stamp) for stamp in stamps[-len(states):]]
    speeds = np.array([msg.velocity.linear.x for msg in states])
    assert np.std(speeds[10:]) < 0.025, 'of 0.05 m/s of noise'
    one.until(lambda: convert.nanoseconds(one.heard['energy'][-1].header.stamp) == round(1e9 * stamps[-1]))
    assert one.heard['energy'][-1].duration > 5.0


def test_odometry_that_ends_leaves_nothing_waiting_behind_a_lag(graph):
    """After the silence all states that wait for later odometry are given out: their joules are not lost."""
    one = graph(adapter={'lag': 0.5, 'silence': 2.0})
    stamps = steps(0.0, 3.0, 0.1)
    for number, stamp in enumerate(stamps):
        one.say(stamp, u=1.0, x=stamp)
        one.until(lambda number=number: len(one.heard['power']) >= number - 10)
    one.until(lambda: convert.nanoseconds(one.heard['energy'][-1].header.stamp) == round(1e9 * stamps[-1])
              if one.heard['energy'] else False)
    # While discovery is under way the first ones may be lost.
    last = one.heard['energy'][-1]
    assert last.gaps == 0 and last.duration > 2.0


def test_current_from_a_topic_goes_stale_and_recovers(graph):
    one = graph(current=FlowOptions('global', global_source='topic'), change={'current_client': {'max_age': 0.5}})
    publisher = one.probe.create_publisher(Vector3Stamped, 'water_current_global', qos.STREAM)
    one.until(lambda: publisher.get_subscription_count() > 0)

    def hear(stamp, x):
        header = Header(stamp=convert.stamp_of(round(stamp * 1e9)))
        publisher.publish(Vector3Stamped(header=header, vector=Vector3(x=x)))

    one.tell(0.0)
    missing = one.heard['power'][-1]
    assert missing.status & PowerStamped.CURRENT_MISSING
    assert math.isnan(missing.total)
    hear(0.1, 0.25)
    # The same stamp again until the current has come through: two topics have no order between them.
    one.until(lambda: (one.say(0.1), one.composition.executor.spin_once(timeout_sec=0.05),
                       one.heard['power'][-1].current_used.x == 0.25)[-1])
    one.tell_all(steps(0.2, 0.5, 0.1))
    assert one.heard['power'][-1].status == PowerStamped.OK
    assert one.heard['power'][-1].relative_velocity.linear.x == pytest.approx(0.75)
    one.tell(0.8)
    stale = one.heard['power'][-1]
    assert stale.status == PowerStamped.CURRENT_STALE
    assert stale.current_used.x == 0.25
    assert one.heard['energy'][-1].stale_duration == pytest.approx(0.3)
    assert math.isfinite(stale.total)


def test_battery_state_counts_down(graph):
    one = graph()
    answer = one.tell_all(steps(0.0, 5.0, 0.5), u=1.0)
    level = one.heard['battery_state'][-1]
    power = steady_power(1.0, BOAT)
    assert level.percentage == pytest.approx(1.0 - answer.total / (148.0 * 3600.0))
    assert level.current == pytest.approx(-power / 14.8)
    assert level.capacity == pytest.approx(10.0)
    assert level.charge == pytest.approx(10.0 * level.percentage)
    assert answer.state_of_charge == pytest.approx(level.percentage)


def test_reset_gives_the_energy_since_the_reset(graph):
    one = graph()
    before = one.tell_all(steps(0.0, 1.0), u=1.0).total
    response = one.reset()
    assert response.success
    assert f'{before:.2f} J' in response.message
    answer = one.tell_all(steps(1.05, 2.0), u=1.0)
    assert answer.total == pytest.approx(steady_power(1.0, BOAT) * 1.0)
    assert answer.duration == pytest.approx(1.0)
    drawn = before + answer.total
    assert one.heard['battery_state'][-1].percentage == pytest.approx(1.0 - drawn / (148.0 * 3600.0))


def test_a_wind_at_ten_metres_is_less_at_the_boat(graph):
    """The boat goes at 1 m/s against it: drag in the air of (1 + W share)^2, share by the log law at half of 0.15 m."""
    share = math.log(0.075 / 2e-4) / math.log(10.0 / 2e-4)
    one = graph(wind=FlowOptions('global', 5.0, 180.0), change={'wind_client': {'height': 10.0, 'boat': 'lutra_prop'}})
    one.tell_all(steps(0.0, 0.5), u=1.0)
    assert one.heard['power'][-1].wind_used.x == pytest.approx(-5.0 * share)
    assert one.heard['power'][-1].thrust == pytest.approx(
        16.296 + 0.5 * 1.184 * 0.08 * 0.68 * (1.0 + 5.0 * share) ** 2)


def test_a_battery_that_was_swapped_has_its_charge_from_the_next_power_on(graph):
    one = graph()
    ranges, plain = hear(one, RemainingRange, 'remaining_range_stamped'), hear(one, Float64, 'remaining_range')
    client = one.probe.create_client(SetCharge, 'set_charge')
    one.until(client.service_is_ready)

    def call(charge, std=math.nan):
        future = client.call_async(SetCharge.Request(state_of_charge=charge, state_of_charge_std=std))
        one.until(future.done)
        return future.result().success, future.result().message

    before = one.tell_all(steps(0.0, 60.0, 1.0))
    left = 100.0 * before.state_of_charge
    assert call(0.5) == (True, f'battery swapped or charged: {left:.1f} % until here, 50 % from now on')
    after = one.tell(61.0)
    drawn = after.total - before.total
    assert drawn > 0.0 and after.state_of_charge == pytest.approx(0.5 - drawn / (148.0 * 3600.0), rel=1e-12)
    one.until(lambda: ranges and ranges[-1].header.stamp.sec == 61 and len(plain) == len(ranges))
    told = ranges[-1]
    assert told.range == plain[-1].data == pytest.approx(after.state_of_charge * 148.0 * 3600.0 / told.energy_per_meter)
    for wrong, words in (((1.5,), 'is 1.5; must be from 0 to 1'), ((math.nan,), 'is nan; must be from 0 to 1'),
                         ((0.5, 0.7), 'is 0.7; must be from 0 to 0.5')):
        success, message = call(*wrong)
        assert not success and words in message
    assert one.tell(62.0).state_of_charge < 0.5
    assert call(-0.0)[1].endswith('until here, 0 % from now on')
