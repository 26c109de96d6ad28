"""Conversion of messages of batteries, hull health, diagnostics and the sea's surface."""

import math
from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from sensor_msgs.msg import BatteryState, PointCloud2, PointField
from std_msgs.msg import Header

from usv_energy.boats.cell_file import KELVIN
from usv_energy.flow.seas.sea import SurfacePoints
from usv_energy.physics.batteries.battery import BatteryLevel
from usv_energy.physics.batteries.cell import Pack
from usv_energy.ros.messages.convert import NANOSECONDS, make_vector3, nanoseconds
from usv_energy.ros.messages.messages import BatteryEstimate, GetSurface, HullHealth, message_factory
from usv_energy.sim.plants.supplied_plant import SupplyState
from usv_energy.studies.analyze.battery.battery_readings import Reading
from usv_energy.studies.analyze.battery.battery_watch import BatteryReport
from usv_energy.studies.analyze.hull.hull_health import HullReport

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
    msg: BatteryState = make_battery_state(
        header=header, voltage=level.voltage, temperature=math.nan, current=level.current, charge=level.charge,
        capacity=level.capacity, design_capacity=level.capacity, percentage=level.state_of_charge,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_UNKNOWN,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN, present=True,
        cell_voltage=NO_FLOATS, cell_temperature=NO_FLOATS, location='', serial_number='')
    return msg


def supply_to_msg(supply: SupplyState, pack: Pack, header: Header) -> BatteryState:
    """Return the message of a simulated battery of cells, without sensor errors; a current below 0 discharges."""
    new = pack.cell.capacity * pack.parallel / 3600.0  # Ah
    msg: BatteryState = make_battery_state(
        header=header, voltage=supply.voltage, temperature=supply.cells.temperature - KELVIN, current=-supply.current,
        charge=supply.cells.charge * new * pack.capacity_share, capacity=new * pack.capacity_share,
        design_capacity=new, percentage=supply.cells.charge,
        power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
        power_supply_health=BatteryState.POWER_SUPPLY_HEALTH_GOOD if supply.alive
        else BatteryState.POWER_SUPPLY_HEALTH_DEAD,
        power_supply_technology=BatteryState.POWER_SUPPLY_TECHNOLOGY_UNKNOWN, present=True,
        cell_voltage=NO_FLOATS, cell_temperature=NO_FLOATS, location='', serial_number='')
    return msg


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
    msg: BatteryEstimate = make_battery_estimate(header=header, **{**report._asdict(), 'status': int(report.status)})
    return msg


def hull_health_to_msg(report: HullReport, header: Header) -> HullHealth:
    """Return the message of a report on hull and propellers."""
    msg: HullHealth = make_hull_health(header=header, **{**report._asdict(), 'state': int(report.state)})
    return msg


def diagnostics_to_msg(name: str, hardware: str, level: bytes, message: str, values: Mapping[str, Any],
                       stamp: Time) -> DiagnosticArray:
    """Return the message of one status in diagnostic_updater's layout; values become texts."""
    status = DiagnosticStatus(level=level, name=name, message=message, hardware_id=hardware,
                              values=[KeyValue(key=key, value=str(value)) for key, value in values.items()])
    return DiagnosticArray(header=Header(stamp=stamp), status=[status])
