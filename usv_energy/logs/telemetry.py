"""
A log from a telemetry log (.tlog) of a ground station: what one vehicle sent of its motion, outputs and battery.

Read by pymavlink (an optional extra). Motion is in NED and FRD; times are those of the vehicle's own clock.

Source: MAVLink, common message set, https://mavlink.io/en/messages/common.html.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..earth import towards_of
from ..files.errors import InputError
from .assemble import Source, ThrusterSeries, assembled
from .batteries import RecordedBattery, together
from .log import INFO, WARNING, Log, Note
from .resample import interpolated
from .telemetry_vehicles import NO_AUTOPILOT, PX4, Sender, TelemetryVehicle, vehicles_in
from .throttles import throttles
from .vehicle import BOAT, Vehicle, named_in_errors, vehicle_note, vehicle_of_firmware, vehicle_of_type

POSITIONS = ('LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT')
OFTEN = 0.8    # Share of the global positions from which on the local ones, which are finer, are taken.
FIRST_PORT = 0  # Of SERVO_OUTPUT_RAW: the main outputs.
NO_FIX = 3     # GPS fix_type from which there is a 3D fix.
Table = dict[str, np.ndarray]


class _Motion(NamedTuple):
    """The message of the clock, and the motion at its times, ENU."""

    clock: str
    series: Table


def read_telemetry(path: Path, max_gap: float | None = None, system: int | None = None,
                   progress: Callable[[int], None] = lambda packets: None) -> Log:
    """
    Return the log of one vehicle in a telemetry log: the one that sends its attitude, or the boat among several.

    :param path: The .tlog file.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param system: MAVLink's system id of the vehicle, where there are several.
    :param progress: Called now and then with the number of packets read.
    :raises InputError: Where pymavlink is not installed; if it is no such file, holds no motion, or several vehicles.
    """
    senders, damaged, skipped = vehicles_in(path, progress)
    notes: list[Note] = []
    if damaged or skipped:
        notes.append(Note(WARNING, 'packets_damaged', f'{damaged} packets are damaged and {skipped} bytes belong to '
                          'none; they are left out', {'packets': damaged, 'bytes': skipped}))
    sender = _chosen(senders, path, system)
    vehicle = senders[sender]
    if kind := _kind_of(vehicle):
        notes.append(vehicle_note(kind))
    if not vehicle.has_clock:
        notes.append(Note(WARNING, 'times_of_receipt', 'the vehicle does not say when it sent what: the times are '
                          'those at which it was received, which jitter'))
    if vehicle.restarts:
        notes.append(Note(WARNING, 'restarted', f'the vehicle\'s clock began anew {vehicle.restarts} times: what '
                          'follows is put behind a gap', {'restarts': vehicle.restarts}))
    source = Source(path.stem, path, max_gap)
    with named_in_errors(kind):
        motion = _motion(vehicle, source, notes)
        time = motion.series.pop('time')
        series = motion.series | together(_batteries(vehicle), time, source, notes)
        notes.append(Note(INFO, 'messages', f'the vehicle is system {sender.system}; the clock is that of '
                          f'{motion.clock}'))
        return assembled(source._replace(notes=tuple(notes)), time, series, _commands(vehicle, time, notes))


def _kind_of(vehicle: TelemetryVehicle) -> Vehicle | None:
    """Return what a vehicle says it is: its firmware knows more of a boat than its type."""
    firmware = vehicle_of_firmware(vehicle.texts, vehicle.parameters)
    if firmware and firmware.kind == BOAT:
        return firmware
    known = [kind for number, _ in vehicle.types.most_common() if (kind := vehicle_of_type(number, 'HEARTBEAT'))]
    boats = [kind for kind in known if kind.kind == BOAT]  # ArduPilot's type is a rover's until it has read FRAME_CLASS
    return next(iter([*boats, *known]), firmware)


def _chosen(senders: dict[Sender, TelemetryVehicle], path: Path, system: int | None) -> Sender:
    moving = {sender: one for sender, one in senders.items() if one.count('ATTITUDE')
              and (system is None or sender.system == system)}
    flying = {sender: one for sender, one in moving.items() if one.autopilot != NO_AUTOPILOT} or moving
    most = {sender.system: sender for sender in sorted(flying, key=lambda sender: flying[sender].count('ATTITUDE'))}
    if not most:
        there = ', '.join(str(sender.system) for sender in senders) or 'none'
        raise InputError(f'{path}: no vehicle sends its attitude (ATTITUDE)'
                         f'{"" if system is None else f" as system {system}"}. There are the systems: {there}')
    boats = [sender for sender in most.values() if (kind := _kind_of(senders[sender])) and kind.kind == BOAT]
    if len(most) > 1 and len(boats) != 1:
        shown = ', '.join(f'{number} ({kind.words if (kind := _kind_of(senders[sender])) else "of no known type"})'
                          for number, sender in sorted(most.items()))
        raise InputError(f'{path}: has {len(most)} vehicles: system {shown}. Choose one by --system {min(most)}')
    return boats[0] if len(most) > 1 else next(iter(most.values()))


def _motion(vehicle: TelemetryVehicle, source: Source, notes: list[Note]) -> _Motion:
    local, world = (vehicle.count(kind) for kind in POSITIONS)
    fine = local > OFTEN * world and not vehicle.restarts  # whose origin is another after a restart
    clock = POSITIONS[0] if fine else POSITIONS[1] if world else 'GPS_RAW_INT'
    table = vehicle.table(clock)
    if not table:
        raise InputError(f'{source.path}: has no motion: neither {", ".join(POSITIONS)} nor GPS_RAW_INT of the vehicle')
    if clock == 'GPS_RAW_INT':
        fixed = table['fix_type'] >= NO_FIX
        if not fixed.any():
            raise InputError(f'{source.path}: its GPS never had a fix')
        table = {name: values[fixed] for name, values in table.items()}
        notes.append(Note(WARNING, 'gps_only', 'no estimator sends in this log: motion is the GPS\'s'))
        series = {'longitude': 1e-7 * table['lon'], 'latitude': 1e-7 * table['lat'], 'speed': 1e-2 * table['vel'],
                  'course': towards_of(1e-2 * table['cog'])}
    elif clock == 'GLOBAL_POSITION_INT':
        series = {'longitude': 1e-7 * table['lon'], 'latitude': 1e-7 * table['lat'], 'velocity_x': 1e-2 * table['vy'],
                  'velocity_y': 1e-2 * table['vx']}
    else:
        series = {'x': table['y'], 'y': table['x'], 'velocity_x': table['vy'], 'velocity_y': table['vx']}
    attitude = vehicle.table('ATTITUDE')
    longest = source.longest_step(attitude['time'])
    yaw, rate = (interpolated(table['time'], attitude['time'], values, longest)
                 for values in (np.unwrap(attitude['yaw']), attitude['yawspeed']))
    return _Motion(clock, {'time': table['time'], **series, 'yaw': 0.5 * np.pi - yaw, 'r': -rate})


def _batteries(vehicle: TelemetryVehicle) -> list[RecordedBattery]:
    """Return the batteries with a current: each that has messages of its own, else the one of the system's status."""
    tables = {f'battery {number}': vehicle.table('BATTERY_STATUS', number)
              for number in vehicle.numbers('BATTERY_STATUS')}
    found = [RecordedBattery(name, table['time'], 1e-3 * table['voltages'], _amperes(table))
             for name, table in tables.items()]
    found = [one for one in found if np.isfinite(one.amperes).any()]
    if found or not (status := vehicle.table('SYS_STATUS')):
        return found
    return [RecordedBattery('SYS_STATUS', status['time'], 1e-3 * status['voltage_battery'], _amperes(status))]


def _amperes(table: Table) -> np.ndarray:
    """Return the current of a battery's messages, A; NaN where it is not known (-1)."""
    return np.where(table['current_battery'] < 0.0, np.nan, 1e-2 * table['current_battery'])


def _commands(vehicle: TelemetryVehicle, time: np.ndarray, notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    output = vehicle.table('SERVO_OUTPUT_RAW', FIRST_PORT)
    if not output or vehicle.autopilot == PX4:  # whose outputs are whatever its parameters make of them
        return ()
    channels = {channel: output[f'servo{channel}_raw'] for channel in range(1, 17)}
    return throttles(time, output['time'], channels, vehicle.parameters, notes)
