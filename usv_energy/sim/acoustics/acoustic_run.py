"""Vehicles on given tracks that exchange acoustic messages, without ROS: which messages arrive, and their energy."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.files.table import FINITE, cell_fault, read_table
from usv_energy.physics.acoustics import (
    AcousticSea,
    SeaWater,
    gain,
    modem_range,
    noise_in_band,
    received_level,
    sending_duration,
)
from usv_energy.sim.acoustics.hearing import Hearing, ModemFile, Reception, Transmission, off_axis, read_modem

COLUMNS = ('t_s', 'x_m', 'y_m', 'z_m')


class VehicleTrack(NamedTuple):
    """Times, s, ascending, and positions, m (ENU, z below 0 under water), shapes (N,) and (N, 3); N at least 1."""

    time: np.ndarray
    place: np.ndarray

    def at(self, time: float) -> tuple[float, float, float]:
        """Return the position at a time, s, by linear interpolation; constant before the first and after the last."""
        x, y, z = (float(np.interp(time, self.time, self.place[:, axis])) for axis in range(3))
        return x, y, z


def read_track(path: Path) -> VehicleTrack:
    """
    Return the track in a table (CSV) with the columns t_s, x_m, y_m, z_m; lines that begin with # are skipped.

    :raises InputError: If it cannot be read, lacks a column, or holds something other than numbers; the message names
        file, line, column and value.
    """
    table = read_table(path, COLUMNS, FINITE)
    time = table[COLUMNS[0]]
    late = np.flatnonzero(np.diff(time) <= 0.0)
    if late.size:
        raise cell_fault(path, int(late[0]) + 1, COLUMNS[0], 'must rise', FINITE)
    return VehicleTrack(time, np.column_stack([table[name] for name in COLUMNS[1:]]))


STEP = 1.0          # s
MOST_STEPS = 1_000_000
LEVEL_STEPS = 2000  # Times at which the level between two vehicles is computed.


class ModemVehicle(NamedTuple):
    """A vehicle: its name, modem, track, and the heading of its antenna, rad."""

    name: str
    modem: ModemFile
    track: VehicleTrack
    heading: float


class SendOrder(NamedTuple):
    """A message to be sent: the sender, the time, s, and the content."""

    sender: str
    time: float
    data: bytes


class AcousticPlan(NamedTuple):
    """The content of a plan's file: title, vehicles, messages in the order of time, the sea, duration and step, s."""

    title: str
    vehicles: tuple[ModemVehicle, ...]
    orders: tuple[SendOrder, ...]
    sea: AcousticSea
    duration: float
    step: float
    path: Path


class SentMessage(NamedTuple):
    """A message that was sent, its energy, J, and its outcome at each other vehicle, by name."""

    transmission: Transmission
    energy: float
    receptions: Mapping[str, Reception]


class AcousticContact(NamedTuple):
    """
    The sound between two vehicles over time.

    Times, s, distance, m, level of the first at the second, dB re 1 uPa, shapes (N,). `changes`: pairs of a time, s,
    and whether the second receives the first from then on; the first pair is at time 0.
    """

    sender: str
    receiver: str
    time: np.ndarray
    distance: np.ndarray
    level: np.ndarray
    needed: float
    changes: tuple[tuple[float, bool], ...]


def read_acoustic_plan(name: str) -> AcousticPlan:
    """
    Return a plan by its name in config/acoustics or by the path of its file.

    :raises InputError: If there is none, or it is wrong; the message names file, key, value and what is allowed.
    """
    path = resolve('acoustics', name)
    document = read_yaml(path)
    checked.check(document, 'acoustics', path)
    vehicles = tuple(_vehicle(entry, f'{path}: vehicles.{number}', path)
                     for number, entry in enumerate(document['vehicles']))
    names = [vehicle.name for vehicle in vehicles]
    for number, given in enumerate(names):
        if given in names[:number]:
            raise InputError(f'{path}: vehicles.{number}.name is {given!r} a second time; must be another')
    for number, entry in enumerate(document['messages']):
        if entry['from'] not in names:
            raise InputError(f'{path}: messages.{number}.from is {entry["from"]!r}; must be one of {", ".join(names)}')
    orders = tuple(sorted((SendOrder(entry['from'], float(entry['at']), entry['text'].encode())
                           for entry in document['messages']), key=lambda order: order.time))
    sea = sea_from(document.get('sea', {}))
    last = max((order.time + _busy(vehicles[names.index(order.sender)], order) for order in orders), default=0.0)
    duration, step = float(document.get('duration', last + 60.0)), float(document.get('step', STEP))
    if duration > MOST_STEPS * step:
        raise InputError(f'{path}: step is {step:g}; must be at least {duration / MOST_STEPS:g}, as '
                         f'the {duration:g} s may have {MOST_STEPS:.0e} steps')
    return AcousticPlan(document['title'], vehicles, orders, sea, duration, step, path)


def sea_from(entry: Mapping[str, Any]) -> AcousticSea:
    """Return the sea from the values under the key `sea`, already checked against the schema."""
    water = SeaWater(**{key: float(entry[key]) for key in SeaWater._fields if key in entry})
    given: dict[str, Any] = {key: entry[key] if isinstance(entry[key], str) else float(entry[key])
                             for key in AcousticSea._fields[1:] if key in entry}
    return AcousticSea(water, **given)


def run_plan(plan: AcousticPlan) -> list[SentMessage]:
    """Return the outcome of each message, in the order in which they were sent."""
    ears = {vehicle.name: Hearing(vehicle.modem.modem, plan.sea) for vehicle in plan.vehicles}
    sent = _transmissions(plan)
    arrived: dict[tuple[str, int], dict[str, Reception]] = {(one.sender, one.number): {} for one in sent}
    waiting = list(sent)
    steps = math.ceil(plan.duration / plan.step)
    for number in range(steps + 1):
        time = min(number * plan.step, plan.duration)
        while waiting and waiting[0].begin <= time:
            one = waiting.pop(0)
            for name, ear in ears.items():
                if name == one.sender:
                    ear.sends(one.begin, one.duration)
                else:
                    ear.sent(one)
        for vehicle in plan.vehicles:
            for reception in ears[vehicle.name].at(time, vehicle.track.at(time), vehicle.heading):
                message = reception.transmission
                arrived[message.sender, message.number][vehicle.name] = reception
    return [SentMessage(one, one.modem.power * one.duration, arrived[one.sender, one.number]) for one in sent]


def contacts_of(plan: AcousticPlan) -> Iterator[AcousticContact]:
    """Return the AcousticContact of each pair of vehicles, in both directions."""
    times = np.linspace(0.0, plan.duration, LEVEL_STEPS)
    for sender in plan.vehicles:
        for receiver in plan.vehicles:
            if receiver is not sender:
                yield _contact(sender, receiver, plan.sea, times)


def ranges_of(plan: AcousticPlan) -> dict[str, float]:
    """Return the range of each vehicle's modem along its axis, m, by the vehicle's name."""
    return {vehicle.name: modem_range(vehicle.modem.modem, plan.sea) for vehicle in plan.vehicles}


def _vehicle(entry: Mapping[str, Any], where: str, path: Path) -> ModemVehicle:
    if ('track' in entry) == ('place' in entry):
        raise InputError(f'{where} must have place or track, one of them')
    if 'track' in entry:
        track = read_track((path.parent / entry['track']).resolve())
    else:
        track = VehicleTrack(np.zeros(1), np.array([entry['place']], dtype=float))
    return ModemVehicle(entry['name'], read_modem(entry['modem'], path.parent), track,
                   math.radians(float(entry.get('heading_deg', 0.0))))


def _busy(vehicle: ModemVehicle, order: SendOrder) -> float:
    return vehicle.modem.modem.latency + sending_duration(vehicle.modem.modem, len(order.data))


def _transmissions(plan: AcousticPlan) -> list[Transmission]:
    """Return the messages in the order of their beginnings; a modem sends one after the other."""
    free = {vehicle.name: 0.0 for vehicle in plan.vehicles}
    by_name = {vehicle.name: vehicle for vehicle in plan.vehicles}
    sent = []
    for number, order in enumerate(plan.orders):
        vehicle = by_name[order.sender]
        begin = max(order.time + vehicle.modem.modem.latency, free[order.sender])
        duration = sending_duration(vehicle.modem.modem, len(order.data))
        free[order.sender] = begin + duration
        sent.append(Transmission(order.sender, number, order.data, begin, duration, vehicle.track.at(begin),
                                 vehicle.heading, vehicle.modem.modem))
    return sorted(sent, key=lambda one: one.begin)


def _contact(sender: ModemVehicle, receiver: ModemVehicle, sea: AcousticSea, times: np.ndarray) -> AcousticContact:
    needed = float(noise_in_band(receiver.modem.modem, sea)) + receiver.modem.modem.threshold

    def above(time: float) -> float:
        a, b = sender.track.at(time), receiver.track.at(time)
        level = received_level(sender.modem.modem, math.dist(a, b), sea, off_axis(a, sender.heading, b))
        return float(level + gain(receiver.modem.modem, off_axis(b, receiver.heading, a))) - needed

    margins = np.array([above(float(time)) for time in times])
    distance = np.array([math.dist(sender.track.at(float(time)), receiver.track.at(float(time))) for time in times])
    hears = margins > 0.0
    changes = [(0.0, bool(hears[0]))]
    for place in np.flatnonzero(np.diff(hears)):
        low, high = float(times[place]), float(times[place + 1])
        while high - low > 1e-6:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if (above(middle) > 0.0) == hears[place] else (low, middle)
        changes.append((high, bool(hears[place + 1])))
    return AcousticContact(sender.name, receiver.name, times, distance, margins + needed, needed, tuple(changes))
