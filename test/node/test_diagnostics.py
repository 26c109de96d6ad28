"""What /diagnostics tells: a status a node, once a second; good, doubtful, useless and silent streams differ."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from harness import steps
from nav_msgs.msg import Odometry

from usv_energy.ros.framework import qos
from usv_energy.ros.framework.diagnostics import SampleHealth
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import BatteryEstimate, EnergyStamped

OK, WARN, ERROR, STALE = (DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.STALE)
NAMES = {'boat/state_adapter: odometry', 'boat/current_client: water_current', 'boat/wind_client: wind',
         'boat/power_calculator: power', 'boat/energy_accumulator: energy'}


@pytest.fixture
def statuses(graph):
    """Return a function that makes an energy graph; it returns the graph and the newest status of each name."""
    def make(**options):
        one, newest = graph(**options), {}

        def keep(msg):
            newest.update({status.name: (status, {entry.key: entry.value for entry in status.values})
                           for status in msg.status})
        one.probe.create_subscription(DiagnosticArray, '/diagnostics', keep, 10)
        return one, newest

    return make


def level(newest, name):
    return next((status.level for key, (status, _) in newest.items() if key.endswith(name)), None)


def test_every_energy_node_says_how_it_is(statuses):
    one, newest = statuses()
    one.until(lambda: set(newest) == NAMES and all(status.level == STALE for status, _ in newest.values()))
    assert newest['boat/state_adapter: odometry'][0].message == 'no odometry yet'
    last = one.tell_all(steps(0.0, 1.0))
    one.until(lambda: newest['boat/energy_accumulator: energy'][1].get('energy (J)') == f'{last.total:.3f}')
    status, values = newest['boat/energy_accumulator: energy']
    assert status.hardware_id == 'boat'
    assert (values['samples'], values['invalid samples'], values['gaps']) == ('21', '1', '0')
    assert values['last stamp (s)'] == '1.000'
    assert values['age of the last stamp (s)'] == 'of another clock than the node has'
    assert float(values['state of charge (%)']) == pytest.approx(100.0 * last.state_of_charge, abs=0.005)
    values = newest['boat/state_adapter: odometry'][1]
    assert (values['topic'], values['subscription']) == ('/boat/odom', 'reliable')


def test_good_samples_are_ok_bad_ones_are_not_and_silence_is_stale(statuses):
    one, newest = statuses()
    stamps = iter(steps(0.0, 600.0))

    def going(wanted, name, **motion):
        """Publish odometry until a node has a level."""
        one.until(lambda: (one.tell(next(stamps), **motion), level(newest, name) == wanted)[-1])
        return next(value for key, value in newest.items() if key.endswith(name))

    status, values = going(OK, 'odometry')
    assert status.message.startswith('odometry at ')
    assert float(values['rate (Hz)']) > 0.0
    going(OK, 'power'), going(OK, 'energy'), going(OK, 'wind')
    status, values = going(ERROR, 'odometry', u=math.nan)
    assert 'twist.linear.x is nan' in status.message
    assert int(values['invalid samples']) > 0
    assert 'NaN in the odometry' in going(ERROR, 'energy', u=math.nan)[0].message
    going(OK, 'energy')
    one.until(lambda: level(newest, 'odometry') == level(newest, 'energy') == STALE)
    assert newest['boat/energy_accumulator: energy'][0].message.startswith('no power samples for ')


def test_a_flow_that_is_missing_is_an_error_of_client_and_power(statuses):
    one, newest = statuses(current=FlowOptions('local'))
    stamps = iter(steps(0.0, 600.0))
    one.until(lambda: (one.tell(next(stamps)), level(newest, 'water_current') == level(newest, 'power') == ERROR)[-1])
    status, _ = newest['boat/power_calculator: power']
    assert 'no water current known: no power' in status.message
    status, values = newest['boat/current_client: water_current']
    assert 'nothing is known for this time' in status.message
    assert values['source'] == 'mode local: asked of /boat/water_current/get_flow at the boat'


def test_an_inactive_node_says_nothing(statuses):
    one, newest = statuses()
    one.until(lambda: set(newest) == NAMES)
    one.nodes['power_calculator'].trigger_deactivate()
    newest.clear()

    def others_speak():
        """Return whether all others have spoken since the last word of this one, which may have been under way."""
        if 'boat/power_calculator: power' in newest:
            newest.clear()
        return set(newest) == NAMES - {'boat/power_calculator: power'}

    one.until(others_speak)
    assert one.probe.count_publishers('/diagnostics') >= 4


def test_some_doubtful_samples_are_a_warning_and_the_age_goes_by_the_nodes_clock():
    samples = SampleHealth('samples')
    samples.add(10 * convert.NANOSECONDS)
    samples.add(11 * convert.NANOSECONDS, 'wind is old')
    health = samples.health(13 * convert.NANOSECONDS, {'boat': 'mine'})
    assert (health.level, health.message) == (WARN, 'wind is old (1 of 2)')
    assert health.values['age of the last stamp (s)'] == '2.000'
    assert (health.values['samples'], health.values['invalid samples'], health.values['doubtful samples']) == (2, 0, 1)
    assert health.values['boat'] == 'mine'
    assert samples.health(13 * convert.NANOSECONDS, {}).level == WARN, 'nothing new within the patience'
    samples.add(14 * convert.NANOSECONDS)
    assert samples.health(15 * convert.NANOSECONDS, {}).level == OK


def test_a_second_publisher_is_told_and_a_topic_of_one_is_not(statuses, capfd):
    one, newest = statuses()
    other = one.probe.create_publisher(EnergyStamped, 'energy', qos.LATCHED_STREAM)
    second = one.probe.create_publisher(Odometry, 'odom', qos.STREAM)
    estimate = one.probe.create_publisher(BatteryEstimate, 'battery_estimate', qos.LATCHED_STREAM)
    try:
        for name, topic, who in (
                ('energy_accumulator: energy', 'energy', '/boat/energy_accumulator and /boat/probe'),
                ('energy_accumulator: energy', 'battery_estimate', '/boat/energy_accumulator and /boat/probe'),
                ('state_adapter: odometry', 'odom', '/boat/probe')):
            said = f'/boat/{topic} has 2 publishers: {who}'
            one.until(lambda name=name, said=said: f'boat/{name}' in newest
                      and said in newest[f'boat/{name}'][0].message)
            assert level(newest, name) in (WARN, STALE)
        assert 'publishers' not in newest['boat/power_calculator: power'][0].message
    finally:
        one.probe.destroy_publisher(estimate)
        one.probe.destroy_publisher(other)
        one.probe.destroy_publisher(second)
    one.until(lambda: 'publishers' not in newest['boat/energy_accumulator: energy'][0].message)
    said = capfd.readouterr().err
    assert [said.count(f'/boat/{topic} has 2 publishers') for topic in ('energy', 'battery_estimate')] == [1, 1]
