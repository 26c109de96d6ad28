"""A measured battery on the real graph: what it gives, and faults: none crashes, none is silently trusted."""

import math

import pytest
from harness import hear
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.ros.framework import qos
from usv_energy.ros.messages import convert
from usv_energy.studies.analyze.battery.battery_watch import BatteryStatus
from usv_energy_msgs.msg import BatteryEstimate

CELLS = """
base: lutra_prop
name: cells
battery: {chemistry: nmc, series: 4, capacity_ah: 15.6, nominal_voltage: 14.8, capacity_wh: null}
"""
START = 1000.0  # s; a stamp of 0 is none


@pytest.fixture
def boat(graph, tmp_path):
    """Return a function that makes a graph with a measured battery, of cells or counted watt-hours."""
    path = tmp_path / 'cells.yaml'
    path.write_text(CELLS)

    def make(cells=True, **change):
        one = graph(str(path) if cells else 'lutra_prop',
                    change={'energy_accumulator': {
                        'measured_battery': '/mavros/battery', 'measured_timeout': 3600.0, **change}})
        return Measured(one)

    return make


class Measured:
    """A graph, a publisher of the measured battery as MAVROS has it, and what is heard and logged."""

    def __init__(self, graph):
        self.graph = graph
        self.node = graph.nodes['energy_accumulator']
        self.out = self.another()
        self.estimates = hear(graph, BatteryEstimate, 'battery_estimate')
        self.warnings = []
        logger = self.node.get_logger()
        real = logger.warning
        logger.warning = lambda text, **options: (self.warnings.append(text), real(text, **options))
        self.node.get_logger = lambda: logger
        graph.until(lambda: self.out.get_subscription_count() > 0)

    def another(self):
        return self.graph.probe.create_publisher(BatteryState, '/mavros/battery', qos.SENSOR)

    def say(self, stamp, voltage=16.0, current=-5.0, **more):
        """Publish one reading, stamp in s after START; return the estimate that answers it."""
        wanted = round((START + stamp) * convert.NANOSECONDS)
        before = len(self.estimates)
        fields = {'present': True, 'percentage': 0.9,
                  'power_supply_status': BatteryState.POWER_SUPPLY_STATUS_DISCHARGING, **more}
        self.out.publish(BatteryState(header=Header(stamp=convert.stamp_of(wanted)), voltage=voltage, current=current,
                                      **fields))
        self.graph.until(lambda: wanted in [convert.nanoseconds(msg.header.stamp) for msg in self.estimates[before:]])
        return self.estimates[-1]

    def of_the_battery(self):
        return [text for text in self.warnings if 'measured battery' in text]


def test_the_bits_are_those_of_the_message():
    assert [bit.value for bit in BatteryStatus] == [
        BatteryEstimate.NOT_MEASURED, BatteryEstimate.MEASUREMENT_REFUSED, BatteryEstimate.MEASUREMENT_STALE,
        BatteryEstimate.SEVERAL_SOURCES, BatteryEstimate.BELOW_CUTOFF]
    assert BatteryStatus.NONE == BatteryEstimate.OK


def test_a_counter_counts_the_measured_joules_and_holds_them_to_the_modelled_ones(boat):
    one = boat(cells=False)
    for second in range(11):
        one.say(float(second), voltage=15.0, current=-6.0)
        answer = one.graph.tell(float(second), u=1.0)
    estimate = one.say(11.0, voltage=15.0, current=-6.0)
    assert estimate.status == BatteryEstimate.OK and estimate.message == ''
    assert estimate.state_of_charge == pytest.approx(1.0 - 90.0 * 11.0 / (148.0 * 3600.0))
    assert estimate.energy_left == pytest.approx(estimate.state_of_charge * 148.0 * 3600.0)
    assert math.isnan(estimate.resistance) and math.isnan(estimate.open_circuit_voltage)
    assert answer.measured_duration == pytest.approx(10.0)
    assert answer.measured_total == pytest.approx(900.0)
    assert answer.modelled_total == pytest.approx(answer.total)
    assert answer.state_of_charge == pytest.approx(1.0 - 900.0 / (148.0 * 3600.0))
    level = one.graph.heard['battery_state'][-1]
    assert (level.voltage, level.current) == (15.0, -6.0)
    one.graph.reset()
    answer = one.graph.tell(11.0, u=1.0)
    assert (answer.measured_duration, answer.measured_total) == pytest.approx((1.0, 90.0))


def test_cells_tell_their_charge_by_their_voltage(boat):
    one = boat()
    pack = read_boat(one.node.parameters.text('boat')).pack
    rest = float(pack.series * pack.cell.open_circuit[160])  # 0.8 of the charge; the file says 1
    for second in range(20):
        estimate = one.say(float(second), voltage=rest, current=-0.0)
    assert estimate.status == BatteryEstimate.OK
    assert estimate.state_of_charge == pytest.approx(0.8, abs=0.02)
    assert estimate.state_of_charge_std < 0.03
    assert estimate.open_circuit_voltage == pytest.approx(rest, abs=0.1)
    assert one.graph.tell(20.0).state_of_charge == pytest.approx(estimate.state_of_charge, abs=1e-3)


def test_without_a_measured_battery_the_cells_sag_as_the_model_says(graph, tmp_path):
    path = tmp_path / 'cells.yaml'
    path.write_text(CELLS)
    one = graph(str(path))
    estimates = hear(one, BatteryEstimate, 'battery_estimate')
    answer = one.tell_all([0.0, 1.0, 2.0, 3.0], u=1.5)
    one.until(lambda: estimates and convert.nanoseconds(estimates[-1].header.stamp) == 3_000_000_000)
    known, level = estimates[-1], one.heard['battery_state'][-1]
    assert known.status == BatteryEstimate.NOT_MEASURED and 'nothing is measured' in known.message
    assert level.voltage < known.open_circuit_voltage
    assert level.voltage * -level.current == pytest.approx(one.heard['power'][-1].total, rel=1e-5)
    assert math.isnan(answer.measured_total) and answer.measured_duration == 0.0


@pytest.mark.parametrize('cells', [True, False])
@pytest.mark.parametrize(('fault', 'word'), [
    ({'voltage': math.nan}, 'voltage: nan'), ({'current': math.nan}, 'current: nan'),
    ({'current': -5000.0}, 'mA?'), ({'current': 5.0}, 'sign'), ({'voltage': 16000.0}, 'mV?'),
    ({'voltage': 12.5}, 'jump'), ({'present': False}, 'present')])
def test_a_reading_that_cannot_be_is_refused_and_said_once(boat, fault, word, cells):
    one = boat(cells)
    for second in range(5):
        good = one.say(float(second))
    assert good.status == BatteryEstimate.OK
    for second in (5.0, 6.0):
        bad = one.say(second, **fault)
        assert bad.status & BatteryEstimate.MEASUREMENT_REFUSED and word in bad.message
        assert bad.state_of_charge == pytest.approx(good.state_of_charge, abs=1e-3)
    again = one.say(7.0)
    assert again.status == BatteryEstimate.OK
    assert len(one.of_the_battery()) == 1 and word in one.of_the_battery()[0]


def test_a_percentage_of_a_hundred_is_said_and_not_used(boat):
    one = boat()
    told = one.say(0.0, percentage=87.0)
    assert told.status == BatteryEstimate.MEASUREMENT_REFUSED and 'percentage: 87' in told.message
    assert told.state_of_charge < 1.0
    one.say(1.0, percentage=87.0)
    assert len(one.of_the_battery()) == 1


def test_a_cell_that_dies_is_named_and_does_not_pass_for_an_empty_battery(boat):
    one = boat()
    good = [one.say(float(second), cell_voltage=[4.0] * 4) for second in range(5)][-1]
    dead = one.say(5.0, voltage=15.0, cell_voltage=[4.0, 4.0, 3.0 - 0.8, 4.0])
    assert dead.status == BatteryEstimate.MEASUREMENT_REFUSED | BatteryEstimate.BELOW_CUTOFF
    assert 'cell: 3 has 2.2 V' in dead.message
    assert dead.state_of_charge == pytest.approx(good.state_of_charge, abs=1e-3)
    assert len(one.of_the_battery()) == 1


def test_readings_that_stop_are_followed_by_the_model(boat):
    one = boat(cells=False, measured_timeout=0.3)
    one.say(0.0)
    one.graph.tell(0.0, u=1.5)
    one.graph.until(lambda: one.estimates[-1].status & BatteryEstimate.MEASUREMENT_STALE)
    before = one.estimates[-1].state_of_charge
    answer = one.graph.tell(1.0, u=1.5)
    one.graph.until(lambda: one.estimates[-1].state_of_charge < before)
    assert one.estimates[-1].state_of_charge == pytest.approx(before - answer.total / (148.0 * 3600.0))
    assert one.estimates[-1].state_of_charge_std > 0.0
    assert len(one.of_the_battery()) == 1 and 'no good reading' in one.of_the_battery()[0]
    assert one.say(100.0).status == BatteryEstimate.OK


@pytest.mark.usefixtures('without_numbers')
def test_of_two_publishers_that_are_not_told_apart_none_is_used(boat):
    one = boat(cells=False)
    one.say(0.0)
    other = one.another()
    one.graph.until(lambda: one.estimates[-1].status & BatteryEstimate.SEVERAL_SOURCES)
    told = one.say(1.0)
    assert told.status & BatteryEstimate.SEVERAL_SOURCES and '2 publishers (/boat/probe)' in told.message
    assert told.state_of_charge == 1.0
    assert len(one.of_the_battery()) == 1
    one.graph.probe.destroy_publisher(other)
    one.graph.until(lambda: not one.estimates[-1].status & BatteryEstimate.SEVERAL_SOURCES)


def test_of_two_publishers_the_first_one_is_used(boat):
    one = boat(cells=False)
    first = one.say(0.0, voltage=15.0, current=-6.0)
    other = one.another()
    one.graph.until(lambda: other.get_subscription_count() > 0)
    for second in range(1, 11):
        other.publish(BatteryState(voltage=12.0, current=-1.0, present=True))
        estimate = one.say(float(second), voltage=15.0, current=-6.0)
    assert estimate.status == BatteryEstimate.OK
    assert first.energy_left - estimate.energy_left == pytest.approx(90.0 * 10.0)
    one.graph.until(lambda: one.node._refusals._left_out == {'/mavros/battery': 10})
    one.graph.probe.destroy_publisher(other)


def test_two_batteries_of_one_publisher_are_not_mixed(boat):
    one = boat(cells=False)
    one.say(0.0, location='id0')
    told = one.say(1.0, location='id1', voltage=14.0)
    assert told.status & BatteryEstimate.SEVERAL_SOURCES and "of 'id1' among those of 'id0'" in told.message
