"""Hull and propellers on the real graph: what a measured battery says of them, and what it does not."""

import math

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from harness import hear
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from usv_energy.ros.framework import qos
from usv_energy.ros.messages import convert
from usv_energy.studies.analyze.hull.hull_health import HullState
from usv_energy_msgs.msg import HullHealth

D11, VOLTS = 16.296, 15.0


def test_the_states_are_those_of_the_message():
    assert [state.value for state in HullState] == [
        HullHealth.UNKNOWN, HullHealth.HEALTHY, HullHealth.MORE_DRAG, HullHealth.CURRENT_UNKNOWN]


class Cruise:
    """A graph whose boat goes on lanes, and a battery that gives what its true drag takes in its true current."""

    def __init__(self, graph):
        self.graph = graph(change={'energy_accumulator': {'measured_battery': '/battery'}})
        self.battery = self.graph.probe.create_publisher(BatteryState, '/battery', qos.SENSOR)
        self.estimates = hear(self.graph, HullHealth, 'hull_health')
        self.diagnostics = []
        self.graph.probe.create_subscription(DiagnosticArray, '/diagnostics', self.diagnostics.append, 10)
        self.graph.until(lambda: self.battery.get_subscription_count() > 0)
        self.time = 1000.0

    def lane(self, yaw, drag, current=(0.0, 0.0), seconds=62.0):
        """Go along a lane at 1 m/s over ground, a sample a second; power is drag times speed through the water."""
        along = current[0] * math.cos(yaw) + current[1] * math.sin(yaw)
        port = current[1] * math.cos(yaw) - current[0] * math.sin(yaw)
        air = 0.5 * 1.184 * 0.08 * 0.68
        watts = (drag * D11 * (1.0 - along) + air) * (1.0 - along)
        for _ in range(round(seconds)):
            self.time += 1.0
            stamp = convert.stamp_of(round(self.time * convert.NANOSECONDS))
            self.battery.publish(BatteryState(
                header=Header(stamp=stamp), voltage=VOLTS, current=-watts / VOLTS, present=True,
                power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING))
            self.graph.tell(self.time, u=1.0, v=port, yaw=yaw)

    def status(self):
        """Return the last status of the hull on /diagnostics, once there is one newer than now."""
        self.diagnostics.clear()

        def mine():
            return [status for msg in self.diagnostics for status in msg.status if status.name.endswith(': hull')]

        self.graph.until(lambda: bool(mine()))
        return mine()[-1]


@pytest.fixture
def cruise(graph):
    """Return a cruise on the graph."""
    return Cruise(graph)


def test_more_drag_is_found_on_two_headings_and_said_on_diagnostics(cruise):
    for lane in range(6):
        cruise.lane(math.pi * (lane % 2), 1.0)
    healthy = cruise.estimates[-1]
    assert healthy.state == HullHealth.HEALTHY and healthy.drag_ratio == pytest.approx(1.0, abs=0.02)
    assert healthy.drag_ratio_lower < 1.0 < healthy.drag_ratio_upper < 1.2
    assert cruise.status().level == DiagnosticStatus.OK
    for lane in range(4):
        cruise.lane(math.pi * (lane % 2), 1.25)
    fouled = cruise.estimates[-1]
    assert fouled.state == HullHealth.MORE_DRAG and fouled.drag_ratio == pytest.approx(1.25, abs=0.03)
    assert fouled.drag_ratio_lower > 1.1 and 'weed or fouling' in fouled.message
    assert fouled.since > 0.0 and fouled.observed > 0.0
    status = cruise.status()
    assert status.level == DiagnosticStatus.WARN and 'weed or fouling' in status.message


def test_a_current_that_the_graph_does_not_know_is_no_drag(cruise):
    for lane in range(6):
        cruise.lane(math.pi * (lane % 2), 1.0, current=(-0.15, 0.1))
    last = cruise.estimates[-1]
    assert last.state == HullHealth.CURRENT_UNKNOWN and 'water current of 0.1' in last.message
    assert last.drag_ratio == pytest.approx(1.0, abs=0.05)
    assert HullHealth.MORE_DRAG not in {msg.state for msg in cruise.estimates}


def test_without_readings_nothing_is_said_of_the_hull(cruise):
    cruise.graph.tell_all([2000.0 + second for second in range(30)], u=1.0)
    cruise.graph.until(lambda: bool(cruise.estimates))
    assert [msg.state for msg in cruise.estimates] == [HullHealth.UNKNOWN]
    assert math.isnan(cruise.estimates[0].drag_ratio) and 'no steady cruising' in cruise.estimates[0].message
