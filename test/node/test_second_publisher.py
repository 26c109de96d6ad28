"""A second publisher on each topic: no joule and no margin is moved, none is lost, and it is named on /diagnostics."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Vector3, Vector3Stamped
from harness import hear, steady_power, steps
from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes.home_watch import HomeWatch
from usv_energy.ros.framework import qos
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import BatteryEstimate, BoatState, EnergyStamped, HomeMargin, PowerStamped

POWER = steady_power(1.0, read_boat('lutra_prop'))
HOUR = 3600.0
# What a second publisher says on each topic: by the stamp of the good message, s.
WRONG = {
    'odom': (Odometry, lambda at: convert.odometry_to_msg((9.0, 0.0, 1.0), (3.0, 0.0, 0.0), header(at), 'base_link')),
    'boat_state': (BoatState, lambda at: BoatState(header=header(at + HOUR), velocity=convert.twist_of((3.0, 0.0, 0.0)),
                                                   status=BoatState.TIME_JUMPED_BACK)),
    'water_current': (Vector3Stamped, lambda at: Vector3Stamped(header=header(at), vector=Vector3(x=1.0))),
    'wind': (Vector3Stamped, lambda at: Vector3Stamped(header=header(at), vector=Vector3(y=9.0))),
    'power': (PowerStamped, lambda at: PowerStamped(header=header(at), total=900.0,
                                                    status=PowerStamped.TIME_JUMPED_BACK)),
    'energy': (EnergyStamped, lambda at: EnergyStamped(header=header(at), total=math.nan, state_of_charge=0.2)),
    'battery_estimate': (BatteryEstimate, lambda at: BatteryEstimate(header=header(at), state_of_charge_std=0.5)),
}


def header(stamp):
    return Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id='odom')


def margins_of(one, home, second):
    """Return the margins of 2 s, and the last energy; `second`: publishers by topic."""
    margins = hear(one, HomeMargin, 'home_margin')
    for stamp in steps(100.0, 102.0, 0.1):
        for topic, publisher in second.items():
            for number in range(2):     # So they come to have sent more than the first ones.
                publisher.publish(WRONG[topic][1](stamp - 0.1 + 0.03 * number))
        one.say(stamp, x=100.0)
        # The next odometry comes when all have heard of this one.
        wanted = header(stamp).stamp
        one.until(lambda wanted=wanted: margins and margins[-1].header.stamp == wanted
                  and home._energy is not None and home._energy.header.stamp == wanted)
    return [(msg.margin, msg.status) for msg in margins], home._energy


@pytest.mark.parametrize('intra_process', [True, False])
def test_a_second_publisher_on_each_topic_moves_nothing_and_is_named(graph, attach, intra_process):
    """Beside a composed graph, and beside nodes that hear each other by DDS only, as separate processes do."""
    results = []
    for namespace, rivals in (('/calm', False), ('/boat', True)):
        one = graph(intra_process=intra_process, namespace=namespace)
        home = attach(one.composition, HomeWatch, namespace, boat='lutra_prop', homes=['pier:0,0'],
                      period=0.0)
        one.until(lambda home=home: home.count_publishers('energy'))
        one.tell_all((99.8, 99.9), x=100.0)
        one.until(lambda home=home: home._last is not None)     # So all of the good ones were heard.
        heard = hear(one, DiagnosticArray, '/diagnostics') if rivals else []
        second = {topic: one.probe.create_publisher(kind, topic, qos.LATCHED_STREAM)
                  for topic, (kind, _) in WRONG.items()} if rivals else {}
        one.until(lambda second=second: all(publisher.get_subscription_count() for publisher in second.values()))
        results.append(margins_of(one, home, second))
        energy = results[-1][1]
        assert (energy.segments, energy.gaps, energy.duration) == (1, 0, pytest.approx(2.2, abs=1e-6))
        assert energy.total == pytest.approx(POWER * energy.duration, rel=1e-9)
    (without, _), (beside, _) = results
    assert beside == without

    def named():
        return {f'{status.name} {topic}' for msg in heard for status in msg.status for topic in WRONG
                if status.name.endswith('other publishers') and f'/boat/{topic}: ' in status.message}

    one.until(lambda: named() >= {
        'boat/state_adapter: other publishers odom', 'boat/power_calculator: other publishers boat_state',
        'boat/power_calculator: other publishers wind', 'boat/power_calculator: other publishers water_current',
        'boat/energy_accumulator: other publishers power', 'boat/home_watch: other publishers energy',
        'boat/home_watch: other publishers battery_estimate', 'boat/home_watch: other publishers boat_state'})
