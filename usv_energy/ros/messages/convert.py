"""Conversion between messages and the types of the physics, in both directions; of batteries and diagnostics, too."""

import math
import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import (
    Accel,
    Point,
    Pose,
    PoseWithCovariance,
    Quaternion,
    Transform,
    TransformStamped,
    Twist,
    TwistWithCovariance,
    Vector3,
    Vector3Stamped,
)
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, JointState, PointCloud2, PointField
from std_msgs.msg import Header

from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.limits import LOGGED, RANGES
from usv_energy.flow.sea import SurfacePoints
from usv_energy.logs.motion.step_gate import FASTEST, FASTEST_TURN
from usv_energy.physics.batteries.cell import BatteryLevel, Pack
from usv_energy.physics.frames import quaternion_of_angles, quaternion_of_yaw, yaw_of_quaternion
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import CAUSES, Energy, Sample
from usv_energy.powering.power import Power
from usv_energy.ros.messages.messages import (
    BatteryEstimate,
    BoatState,
    EnergyStamped,
    GetSurface,
    HullHealth,
    PowerStamped,
    ThrusterPower,
    message_factory,
)
from usv_energy.sim.actuator_states import ActuatorState, Command
from usv_energy.sim.plants.plant import HullAttitude
from usv_energy.sim.plants.supplied_plant import SupplyState
from usv_energy.studies.analyze.battery.battery_readings import Reading
from usv_energy.studies.analyze.battery.battery_watch import BatteryReport
from usv_energy.studies.analyze.hull.hull_health import HullReport

NANOSECONDS = 1_000_000_000
UNKNOWN_COVARIANCE = np.zeros(36)  # By REP-105 and nav_msgs; all messages share it, so it is read-only.
UNKNOWN_COVARIANCE.flags.writeable = False
NO_NUMBERS = array('d')
NO_LOADS: Mapping[str, float] = {}
make_time = message_factory(Time)
make_header = message_factory(Header)
make_vector3 = message_factory(Vector3)
make_twist = message_factory(Twist)
make_pose_with_covariance = message_factory(PoseWithCovariance)
make_twist_with_covariance = message_factory(TwistWithCovariance)
make_odometry = message_factory(Odometry)
make_pose = message_factory(Pose)
make_point = message_factory(Point)
make_quaternion = message_factory(Quaternion)
make_boat_state = message_factory(BoatState)
make_accel = message_factory(Accel)
make_vector3_stamped = message_factory(Vector3Stamped)
make_joint_state = message_factory(JointState)
make_power_stamped = message_factory(PowerStamped)
make_energy_stamped = message_factory(EnergyStamped)
make_thruster_power = message_factory(ThrusterPower)
COUNTED = ('duration', 'distance_over_ground', 'distance_through_water', 'samples', 'invalid_samples', 'gaps',
           'gap_duration', 'stale_duration', 'segments', 'energy_per_meter')

STATUS_TEXTS = {
    PowerStamped.NO_ACCELERATION: 'no acceleration yet', PowerStamped.INVALID_STATE: 'NaN in the odometry',
    PowerStamped.TIME_JUMPED_BACK: 'time jumped back', PowerStamped.CURRENT_MISSING: 'no water current known: no power',
    PowerStamped.CURRENT_STALE: 'water current is old', PowerStamped.WIND_MISSING: 'no wind known: no power',
    PowerStamped.WIND_STALE: 'wind is old', PowerStamped.ACTUATORS_MISSING: 'not all thrusts are known',
    PowerStamped.ACTUATORS_STALE: "the actuators' states are old", EnergyStamped.SILENT: 'no power sample for a while',
    PowerStamped.TAKEN_OUT: 'a step or a wrong value was taken out',
}


def nanoseconds(stamp: Time) -> int:
    """Return a stamp in whole nanoseconds."""
    return int(stamp.sec * NANOSECONDS + stamp.nanosec)


def is_time(stamp: Time) -> bool:
    """Return whether a stamp is a time: not before 1970, with less than a second of nanoseconds."""
    return bool(stamp.sec >= 0 and stamp.nanosec < NANOSECONDS)


def stamp_of(nanosecond: int) -> Time:
    """Return the stamp of a time in whole nanoseconds."""
    return make_time(sec=nanosecond // NANOSECONDS, nanosec=nanosecond % NANOSECONDS)


def header_of(stamp: Time, frame_id: str) -> Header:
    """Return the header with a stamp and a frame."""
    return make_header(stamp=stamp, frame_id=frame_id)


def vector_of(x: float, y: float, z: float = 0.0) -> Vector3:
    """Return the message of a vector."""
    return make_vector3(x=x, y=y, z=z)


def has_header(kind: Any) -> bool:
    """Return whether a message class begins with a std_msgs/Header."""
    return next(iter(kind.get_fields_and_field_types().items()), None) == ('header', 'std_msgs/Header')


def header_nanoseconds(data: bytes) -> int:
    """
    Return the stamp, ns, of a serialized message that begins with a header.

    Source: OMG DDS-XTypes 1.3, 7.4: four bytes of encapsulation, then the fields in the sender's byte order.
    """
    second, nanosecond = struct.unpack_from('<iI' if data[1] & 1 else '>iI', data, 4)
    return int(second * NANOSECONDS + nanosecond)


class Epoch:
    """Seconds since the first stamp; seconds since 1970 in a float have a resolution of 0.2 us only."""

    def __init__(self) -> None:
        self._origin: int | None = None

    def seconds(self, stamp: Time) -> float:
        """Return a stamp in s since the first one."""
        if self._origin is None:
            self._origin = nanoseconds(stamp)
        return (nanoseconds(stamp) - self._origin) / NANOSECONDS


def twist_of(velocity: tuple[float, float, float]) -> Twist:
    """Return the message of (u, v, r), m/s and rad/s."""
    u, v, r = velocity
    return make_twist(linear=vector_of(u, v), angular=vector_of(0.0, 0.0, r))


def planar_velocity(twist: Twist) -> tuple[float, float, float]:
    """Return (u, v, r), m/s and rad/s, of a message."""
    return twist.linear.x, twist.linear.y, twist.angular.z


def pose_of_odometry(msg: Odometry) -> tuple[float, float, float]:
    """Return x, y, m, and yaw, rad, in the message's own frame; NaN if the orientation is (0, 0, 0, 0)."""
    place, turn = msg.pose.pose.position, msg.pose.pose.orientation
    return place.x, place.y, yaw_of_quaternion(turn.x, turn.y, turn.z, turn.w)


def odometry_to_msg(pose: tuple[float, float, float], velocity: tuple[float, float, float], header: Header,
                    child_frame_id: str) -> Odometry:
    """Return the odometry of a pose (m, m, rad; ENU) and a velocity over ground (body axes, m/s, rad/s)."""
    place: PoseWithCovariance = make_pose_with_covariance(pose=pose_of(*pose), covariance=UNKNOWN_COVARIANCE)
    twist: TwistWithCovariance = make_twist_with_covariance(twist=twist_of(velocity), covariance=UNKNOWN_COVARIANCE)
    return make_odometry(header=header, child_frame_id=child_frame_id, pose=place, twist=twist)


def floating_odometry_to_msg(attitude: HullAttitude, header: Header, child_frame_id: str) -> Odometry:
    """Return the odometry of a hull that heaves, rolls and pitches, with all six degrees of freedom."""
    turn = dict(zip('xyzw', quaternion_of_angles(attitude.roll, attitude.pitch, attitude.yaw)))
    pose = make_pose(position=make_point(x=attitude.x, y=attitude.y, z=attitude.z), orientation=make_quaternion(**turn))
    twist = make_twist(linear=make_vector3(x=attitude.u, y=attitude.v, z=attitude.w),
                       angular=make_vector3(x=attitude.p, y=attitude.q, z=attitude.r))
    return make_odometry(
        header=header, child_frame_id=child_frame_id,
        pose=make_pose_with_covariance(pose=pose, covariance=UNKNOWN_COVARIANCE),
        twist=make_twist_with_covariance(twist=twist, covariance=UNKNOWN_COVARIANCE))


def pose_of(x: float, y: float, yaw: float) -> Pose:
    """Return the message of a place, m, and a yaw, rad."""
    turn = dict(zip('xyzw', quaternion_of_yaw(yaw)))
    return make_pose(position=make_point(x=x, y=y, z=0.0), orientation=make_quaternion(**turn))


def transform_to_msg(odometry: Odometry) -> TransformStamped:
    """Return the transform from an odometry's earth frame to its body frame."""
    pose = odometry.pose.pose
    return TransformStamped(header=odometry.header, child_frame_id=odometry.child_frame_id, transform=Transform(
        translation=Vector3(x=pose.position.x, y=pose.position.y, z=pose.position.z), rotation=pose.orientation))


def boat_state_to_msg(pose: tuple[float, float, float], velocity: tuple[float, float, float],
                      derivative: Sequence[float], status: int, header: Header, child_frame_id: str) -> BoatState:
    """Return the boat state of a pose, a velocity over ground and its derivative."""
    u_dot, v_dot, r_dot = derivative
    return make_boat_state(
        header=header, child_frame_id=child_frame_id, pose=pose_of(*pose), yaw=pose[2], velocity=twist_of(velocity),
        acceleration=make_accel(linear=vector_of(u_dot, v_dot), angular=vector_of(0.0, 0.0, r_dot)), status=status)


def motion_from_msg(msg: BoatState) -> Motion:
    """Return the motion in a boat state."""
    rate = msg.acceleration
    return Motion(msg.yaw, *planar_velocity(msg.velocity), rate.linear.x, rate.linear.y, rate.angular.z)


def fault_of_state(msg: BoatState) -> str:
    """Return why a boat state cannot be of this graph's adapter, by its numbers; empty if it can. NaN is unknown."""
    place, rate = msg.pose.position, msg.acceleration
    u, v, r = planar_velocity(msg.velocity)
    if any(abs(one) > LOGGED for one in (place.x, place.y, msg.yaw, rate.linear.x, rate.linear.y, rate.angular.z)):
        return 'a place or an acceleration that no boat has'
    return 'a velocity that no boat has' if math.hypot(u, v) > FASTEST or abs(r) > FASTEST_TURN else ''


def fault_of_energy(msg: EnergyStamped | BatteryEstimate) -> str:
    """Return why an energy or an estimate of the battery cannot be of this graph's accumulator; empty if it can."""
    joules, std = (msg.total, 0.0) if isinstance(msg, EnergyStamped) else (msg.energy_left, msg.state_of_charge_std)
    charge = msg.state_of_charge
    wrong = abs(joules) > RANGES['J'] or charge < 0.0 or charge > 1.0 or std > 0.5
    return 'an energy or charge that no boat has' if wrong else ''


def body_header(msg: BoatState) -> Header:
    """Return a header with the stamp of a boat state, in its body frame."""
    return header_of(msg.header.stamp, msg.child_frame_id)


def vector_to_msg(x: float, y: float, header: Header) -> Vector3Stamped:
    """Return the message of an earth-frame flow, m/s."""
    return make_vector3_stamped(header=header, vector=vector_of(x, y))


def command_to_msg(command: Command, header: Header) -> JointState:
    """Return the message of a command: efforts are thrusts, N, positions are angles, rad; NaN where there is none."""
    positions = array('d', command.positions) if any(map(math.isfinite, command.positions)) else NO_NUMBERS
    return make_joint_state(
        header=header, name=list(command.names), position=positions, velocity=NO_NUMBERS,
        effort=array('d', command.efforts))


def command_from_msg(msg: JointState) -> Command:
    """Return the command in a message; NaN for missing values."""
    missing = [math.nan] * len(msg.name)
    return Command(tuple(msg.name), tuple([*msg.effort, *missing][:len(msg.name)]),
                   tuple([*msg.position, *missing][:len(msg.name)]))


def actuator_states_to_msg(states: Mapping[str, ActuatorState], header: Header) -> JointState:
    """Return the message of actuator states: positions in rad, velocities in rad/s, efforts in N; else NaN."""
    columns = [array('d', numbers) for numbers in zip(*states.values())] or [NO_NUMBERS] * 3
    position, velocity, effort = (one if any(map(math.isfinite, one)) else NO_NUMBERS for one in columns)
    return make_joint_state(header=header, name=list(states), position=position, velocity=velocity,
                            effort=effort)


def actuator_states_from_msg(msg: JointState) -> dict[str, ActuatorState]:
    """Return the actuator states in a message by name; NaN for missing values."""
    missing = [math.nan] * len(msg.name)
    columns = [[*column, *missing][:len(msg.name)] for column in (msg.position, msg.velocity, msg.effort)]
    return {name: ActuatorState(*numbers) for name, *numbers in zip(msg.name, *columns)}


def power_to_msg(power: Power, motion: Motion, flow: Flow, convention: str, status: int,
                 header: Header, measured: bool = False, loads: Mapping[str, float] = NO_LOADS) -> PowerStamped:
    """
    Return the message of a power and of its inputs.

    :param measured: Whether the thrusts are measured.
    :param loads: Mean powers of the loads that vary, W, by name.
    """
    causes = {cause: getattr(power, cause) for cause in CAUSES}
    return make_power_stamped(
        header=header, convention=convention, **causes, status=status,
        velocity=twist_of((motion.u, motion.v, motion.r)), relative_velocity=twist_of((power.u_r, power.v_r, power.r)),
        current_used=vector_of(flow.current_x, flow.current_y),
        wind_used=vector_of(flow.wind_x, flow.wind_y), actuators_measured=measured,
        load_names=list(loads), load_powers=array('d', loads.values()))


def power_from_msg(msg: PowerStamped) -> Power:
    """Return the power in a message."""
    return Power(**{cause: getattr(msg, cause) for cause in CAUSES},
                 **dict(zip(('u_r', 'v_r', 'r'), planar_velocity(msg.relative_velocity))))


def flow_from_msg(msg: PowerStamped) -> Flow:
    """Return the water and air that a power was computed with."""
    return Flow(msg.current_used.x, msg.current_used.y, msg.wind_used.x, msg.wind_used.y)


def sample_from_msg(msg: PowerStamped, epoch: Epoch) -> Sample:
    """Return the power sample in a message, for the energy's integral."""
    u, v, _ = planar_velocity(msg.velocity)
    u_r, v_r, _ = planar_velocity(msg.relative_velocity)
    stale = bool(msg.status & (PowerStamped.CURRENT_STALE | PowerStamped.WIND_STALE))
    return Sample(epoch.seconds(msg.header.stamp), power_from_msg(msg), math.hypot(u, v), math.hypot(u_r, v_r), stale)


def energy_to_msg(energy: Energy, state_of_charge: float, power: PowerStamped, leg: str = '',
                  loads: Sequence[float] = ()) -> EnergyStamped:
    """
    Return the message of an energy, with the stamp of its last power.

    :param leg: Name of the mission's leg, if there is one.
    :param loads: Energies of the loads that the power names, J.
    """
    fields: dict[str, Any] = {name: getattr(energy, name) for name in (*CAUSES, *COUNTED)}
    return make_energy_stamped(
        header=power.header, convention=power.convention, status=power.status, state_of_charge=state_of_charge,
        **fields, leg=leg, load_names=power.load_names, load_energies=array('d', loads), measured_total=math.nan,
        measured_duration=0.0, modelled_total=math.nan)


def energy_from_msg(msg: EnergyStamped) -> Energy:
    """Return the energy in a message."""
    return Energy(**{name: getattr(msg, name) for name in Energy._fields})


def problems_of(status: int) -> list[str]:
    """Return a short text for each bit of a status; empty for OK."""
    if not status:
        return []
    return [text for bit, text in STATUS_TEXTS.items() if status & bit]


NO_FLOATS = array('f')
make_battery_state = message_factory(BatteryState)
make_battery_estimate = message_factory(BatteryEstimate)
make_hull_health = message_factory(HullHealth)


def cloud_to_msg(columns: dict[str, np.ndarray], header: Header) -> PointCloud2:
    """Return a point cloud with a 32-bit float field for each column, all of shape (N,)."""
    data = np.stack(list(columns.values()), axis=1).astype('<f4')
    fields = [PointField(name=name, offset=4 * number, datatype=PointField.FLOAT32, count=1)
              for number, name in enumerate(columns)]
    return PointCloud2(header=header, height=1, width=len(data), fields=fields, is_bigendian=False,
                       point_step=4 * len(fields), row_step=data.nbytes, data=data.tobytes(), is_dense=True)


def fill_surface(response: GetSurface.Response, points: SurfacePoints) -> None:
    """Set the sea at some points in the response of the service `waves/get_surface`."""
    response.elevation = array('d', points.elevation)
    response.slope_x, response.slope_y = (array('d', part) for part in points.slope)
    for name, motion in (('velocity', points.velocity), ('acceleration', points.acceleration)):
        setattr(response, name, [make_vector3(x=float(x), y=float(y), z=float(z)) for x, y, z in zip(*motion)])


def battery_to_msg(level: BatteryLevel, header: Header) -> BatteryState:
    """Return the message of a battery's level; unknown values are NaN, as in the message's definition."""
    return make_battery_state(
        header=header, voltage=level.voltage, temperature=math.nan, current=level.current, charge=level.charge,
        capacity=level.capacity, design_capacity=level.capacity, percentage=level.state_of_charge,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_UNKNOWN,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN, present=True,
        cell_voltage=NO_FLOATS, cell_temperature=NO_FLOATS, location='', serial_number='')


def supply_to_msg(supply: SupplyState, pack: Pack, header: Header) -> BatteryState:
    """Return the message of a simulated battery of cells, without sensor errors; a current below 0 discharges."""
    new = pack.cell.capacity * pack.parallel / 3600.0  # Ah
    return make_battery_state(
        header=header, voltage=supply.voltage, temperature=supply.cells.temperature - KELVIN, current=-supply.current,
        charge=supply.cells.charge * new * pack.capacity_share, capacity=new * pack.capacity_share,
        design_capacity=new, percentage=supply.cells.charge,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_GOOD if supply.alive
        else BatteryState.POWER_SUPPLY_HEALTH_DEAD,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN, present=True,
        cell_voltage=NO_FLOATS, cell_temperature=NO_FLOATS, location='', serial_number='')


def reading_from_msg(msg: BatteryState, received: int) -> Reading:
    """
    Return the reading in a measured BatteryState; its current is negative while discharging, ours positive.

    :param received: Time of arrival, ns, for messages without a stamp.

    MAVROS (mavros/src/plugins/sys_status.cpp) has the same sign. It leaves the temperature at 0, so 0 means unknown.
    """
    return Reading((nanoseconds(msg.header.stamp) or received) / NANOSECONDS, msg.voltage, -msg.current, msg.percentage,
                   msg.temperature if -50.0 < msg.temperature < 100.0 and msg.temperature != 0.0 else math.nan,
                   tuple(msg.cell_voltage), msg.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
                   msg.present, msg.location)


def battery_estimate_to_msg(report: BatteryReport, header: Header) -> BatteryEstimate:
    """Return the message of a battery's report."""
    return make_battery_estimate(header=header, **{**report._asdict(), 'status': int(report.status)})


def hull_health_to_msg(report: HullReport, header: Header) -> HullHealth:
    """Return the message of a report on hull and propellers."""
    return make_hull_health(header=header, **{**report._asdict(), 'state': int(report.state)})


def diagnostics_to_msg(name: str, hardware: str, level: bytes, message: str, values: Mapping[str, Any],
                       stamp: Time) -> DiagnosticArray:
    """Return the message of one status in diagnostic_updater's layout; values become texts."""
    status = DiagnosticStatus(level=level, name=name, message=message, hardware_id=hardware,
                              values=[KeyValue(key=key, value=str(value)) for key, value in values.items()])
    return DiagnosticArray(header=Header(stamp=stamp), status=[status])
