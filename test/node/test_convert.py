"""Messages to types and back, and what is read from serialized bytes."""

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Twist, Vector3, Vector3Stamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Float64, Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import Energy
from usv_energy.powering.power import power_rep103
from usv_energy.ros.messages import convert
from usv_energy.sim.actuator_states import Command
from usv_energy.studies.analyze.battery.battery_watch import BatteryReport, BatteryStatus
from usv_energy_msgs.msg import BoatState, EnergyStamped, PowerStamped

VESSEL = read_boat('lutra_prop').vessel


def through_the_wire(msg):
    return deserialize_message(serialize_message(msg), type(msg))


def header(nanosecond=1_700_000_000_123_456_789):
    return Header(stamp=convert.stamp_of(nanosecond), frame_id='base_link')


@pytest.mark.parametrize('nanosecond', [0, 1, 999_999_999, 1_000_000_000, 1_700_000_000_123_456_789])
def test_stamps_keep_every_nanosecond(nanosecond):
    msg = through_the_wire(BoatState(header=header(nanosecond)))
    assert convert.nanoseconds(msg.header.stamp) == nanosecond
    assert convert.header_nanoseconds(serialize_message(msg)) == nanosecond


def test_seconds_are_exact_for_stamps_since_1970():
    """A float of seconds since 1970 would be off by up to 0.12 us, 6e-6 of a 50 Hz step."""
    epoch, begin = convert.Epoch(), 1_700_000_000_000_000_000
    assert epoch.seconds(convert.stamp_of(begin)) == 0.0
    assert epoch.seconds(convert.stamp_of(begin + 20_000_001)) == 0.020000001
    assert epoch.seconds(convert.stamp_of(begin - 5)) == -5e-9


def test_which_messages_begin_with_a_header():
    assert convert.has_header(PowerStamped)
    assert not convert.has_header(Float64)


def test_odometry_round_trip(rng):
    for _ in range(50):
        pose = (*rng.uniform(-1e4, 1e4, 2), rng.uniform(-math.pi, math.pi))
        velocity = tuple(rng.uniform(-2.0, 2.0, 3))
        msg = through_the_wire(convert.odometry_to_msg(pose, velocity, header(), 'base_link'))
        assert convert.pose_of_odometry(msg) == pytest.approx(pose, abs=1e-15)
        assert convert.planar_velocity(msg.twist.twist) == velocity


def test_boat_state_and_power_round_trip(rng):
    for _ in range(50):
        motion = Motion(*rng.uniform(-2.0, 2.0, 7).tolist())
        flow = Flow(*rng.uniform(-0.5, 0.5, 2).tolist(), *rng.uniform(-5.0, 5.0, 2).tolist())
        power = power_rep103(motion, flow, VESSEL)
        state = through_the_wire(convert.boat_state_to_msg(
            (1.0, 2.0, motion.yaw), (motion.u, motion.v, motion.r), motion[4:], 3, header(), 'base_link'))
        assert convert.motion_from_msg(state) == motion
        assert (state.status, state.child_frame_id) == (3, 'base_link')
        msg = through_the_wire(convert.power_to_msg(power, motion, flow, 'rep103', 17, header()))
        assert convert.power_from_msg(msg) == power
        assert convert.flow_from_msg(msg) == flow
        sample = convert.sample_from_msg(msg, convert.Epoch())
        assert sample.power == power
        assert sample.speed_over_ground == pytest.approx(math.hypot(motion.u, motion.v))
        assert sample.stale, 'status 17 holds CURRENT_STALE'


def test_energy_round_trip(rng):
    numbers = {name: float(value) for name, value in zip(Energy._fields, rng.uniform(1.0, 9.0, len(Energy._fields)))}
    counts = {name: int(numbers[name]) for name in ('samples', 'invalid_samples', 'gaps', 'segments')}
    energy = Energy(**{**numbers, **counts})
    msg = through_the_wire(convert.energy_to_msg(energy, 0.7, PowerStamped(header=header(), convention='rep103')))
    assert convert.energy_from_msg(msg) == energy
    assert (msg.state_of_charge, msg.convention) == (0.7, 'rep103')
    assert msg.energy_per_meter == energy.total / energy.distance_over_ground


def test_status_bits_of_state_and_power_are_the_same():
    """power_calculator passes the state's bits on as they are."""
    assert (BoatState.NO_ACCELERATION, BoatState.INVALID, BoatState.TIME_JUMPED_BACK) == (
        PowerStamped.NO_ACCELERATION, PowerStamped.INVALID_STATE, PowerStamped.TIME_JUMPED_BACK)
    bits = [PowerStamped.NO_ACCELERATION, PowerStamped.INVALID_STATE, PowerStamped.TIME_JUMPED_BACK,
            PowerStamped.CURRENT_MISSING, PowerStamped.CURRENT_STALE, PowerStamped.WIND_MISSING,
            PowerStamped.WIND_STALE, PowerStamped.SILENT]
    assert bits == (1 << np.arange(8)).tolist() and EnergyStamped.SILENT == PowerStamped.SILENT


def test_messages_made_at_once_are_those_of_their_constructors():
    """Field by field, nested ones too: nothing is forgotten, and nothing is of another type after the wire."""
    motion, flow = Motion(0.3, 1.2, -0.1, 0.05, 0.2, 0.0, 0.01), Flow(0.4, 0.1, 3.0, 4.0)
    power = convert.power_to_msg(power_rep103(motion, flow, VESSEL), motion, flow, 'rep103', 16, header())
    velocity = (1.0, 2.0, 3.0)
    command = JointState(header=header(), name=['left', 'right'], effort=[1.0, -2.0])
    assert convert.command_to_msg(Command(('left', 'right'), (1.0, -2.0), (math.nan, math.nan)), header()) == command
    assert convert.vector_to_msg(1.0, 2.0, header()) == Vector3Stamped(header=header(), vector=Vector3(x=1.0, y=2.0))
    assert convert.header_of(convert.stamp_of(5), 'odom') == Header(stamp=Time(nanosec=5), frame_id='odom')
    assert convert.twist_of(velocity) == Twist(linear=Vector3(x=1.0, y=2.0), angular=Vector3(z=3.0))
    energy = convert.energy_to_msg(Energy(total=2.0, distance_over_ground=1.0), 0.5, power)
    assert math.isnan(energy.measured_total) and math.isnan(energy.modelled_total)
    energy.measured_total = energy.modelled_total = 2.0  # as NaN they would equal nothing
    for msg in (power, energy,
                convert.odometry_to_msg((1.0, 2.0, 0.3), velocity, header(), 'base_link'),
                convert.boat_state_to_msg((1.0, 2.0, 0.3), velocity, (0.1, 0.2, 0.3), 4, header(), 'base_link')):
        fields = {name: getattr(msg, name) for name in msg.get_fields_and_field_types()}
        assert type(msg)(**fields) == msg == through_the_wire(msg)


def test_the_estimate_of_a_battery_goes_into_its_message_field_by_field():
    """One of the fields is called `message`, as a message within the function that makes messages was."""
    report = BatteryReport(0.5, 0.02, 0.03, 0.004, 15.0, 20.0, 3e5, BatteryStatus.REFUSED, 'current: nan')
    msg = convert.battery_estimate_to_msg(report, Header(frame_id='base_link'))
    assert [getattr(msg, name) for name in BatteryReport._fields] == [*report[:-2], int(report.status), 'current: nan']
    assert msg.header.frame_id == 'base_link'


def test_a_measured_battery_is_read_with_discharging_positive_and_zero_degrees_as_unknown():
    msg = BatteryState(voltage=15.0, current=-4.0, percentage=0.5, present=True, cell_voltage=[3.75] * 4,
                       location='id0', power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING)
    reading = convert.reading_from_msg(msg, 7_000_000_000)
    assert reading[:4] == (7.0, 15.0, 4.0, 0.5) and math.isnan(reading.temperature)
    assert reading[5:] == ((3.75,) * 4, True, True, 'id0')
