"""The mapping of an autopilot's servo channels to a boat's thrusts and angles."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Steer
from usv_energy.powering.actuators import Setting
from usv_energy.thrusters.thruster import WHOLE_TURN, Azimuth

NEUTRAL, REACH = 1500.0, 400.0      # us: no thrust, or amidships; distance to full deflection without a curve.
LEFT, RIGHT, THROTTLE, STEERING = 1, 3, 3, 1   # Channels of ArduPilot's Rover: skid-steered; with a rudder.
ANGLE = '.angle'                    # Suffix of an azimuth thruster's name for the channel of its angle.


class Servo(NamedTuple):
    """A channel, from 1; `least`, `largest`: angles at 1100 and 1900 us, rad, None for those of the boat file."""

    channel: int
    least: float = math.nan
    largest: float = math.nan


class ServoChannels:
    """The channels of a boat."""

    def __init__(self, boat: Boat, servos: Mapping[str, Servo] | Sequence[int] | None) -> None:
        """
        Assign a channel to each thruster and each part that turns.

        :param boat: The Boat.
        :param servos: By the names of thrusters, of foils that turn, and for the angles of azimuth thrusters
            `<name>.angle`; or channels in this order. None for those of an ArduPilot Rover, if the boat has a pair of
            fixed thrusters (1 and 3) or one thruster and a rudder (3 and 1).
        :raises InputError: If a part has no channel, or a channel no part.
        """
        self.boat = boat
        self.names = wanted_names(boat)
        given = _by_name(boat, self.names, servos)
        missing, unknown = [name for name in self.names if name not in given], sorted(given.keys() - set(self.names))
        usual = _rovers(self.names, boat) or range(1, len(self.names) + 1)
        example = ','.join(f'{name}={number}' for name, number in zip(self.names, usual))
        if missing or unknown:
            said = (f'{", ".join(missing)} has no channel' if missing
                    else f'{", ".join(unknown)} is nothing that a channel drives')
            raise InputError(f'{boat.path}: {said}; give one each for {", ".join(self.names)}, as --channels {example}')
        for name in boat.thruster_names:
            if not math.isnan(given[name].least):
                raise InputError(f'{boat.path}: {name} is a thrust and has no angles; give --channels {name}=CHANNEL')
        self._servos = dict(given)
        self._ranges = {name: _range(given[name], part) for name, part in _turning_parts(boat).items()}

    @property
    def largest(self) -> int:
        """The largest channel."""
        return max(servo.channel for servo in self._servos.values())

    def setting(self, pulses: Sequence[int]) -> Setting:
        """Return the commanded Setting for pulses, us; without a pulse (0) it is no thrust, or amidships."""
        boat, pulse = self.boat, {name: pulses[servo.channel - 1] for name, servo in self._servos.items()}

        def angle(name: str) -> float | None:
            return angle_of_pulse(pulse[name], *self._ranges[name]) if name in self._ranges else None

        return Setting(tuple(thrust_of_pulse(boat, number, pulse[name])
                             for number, name in enumerate(boat.thruster_names)),
                       tuple(angle(name + ANGLE) for name in boat.thruster_names),
                       tuple(angle(name) for name in boat.foil_names))


def wanted_names(boat: Boat) -> list[str]:
    """Return the names that need a channel: thrusters, angles of azimuth thrusters, foils that turn."""
    return [*boat.thruster_names, *_turning_parts(boat)]


def thrust_of_pulse(boat: Boat, number: int, pulse: int) -> float:
    """Return the thrust, N, of a boat's thruster with a given index at a pulse, us; by its curve if it has one."""
    thruster = boat.vessel.thrusters[number]
    if pulse == 0:
        return 0.0
    curve = boat.pulse_curves[number] if boat.pulse_curves else None
    if curve is not None:
        least, most = curve.limits
        return float(curve.thrust(min(max(float(pulse), least), most)))
    share = _share(pulse)
    return share * (thruster.max_thrust if share > 0.0 else -thruster.min_thrust)


def angle_of_pulse(pulse: int, least: float, largest: float) -> float:
    """
    Return the angle at a pulse, us, in rad: `least` at 1100, `largest` at 1900, 0 at 1500 if it is between them.

    ArduPilot's ground steering to starboard is above 1500. A rudder or thruster at the stern turns the boat to
    starboard at an angle above 0, counter-clockwise from the bow.
    """
    share = _share(pulse) if pulse else 0.0
    if least < 0.0 < largest:
        return share * (largest if share > 0.0 else -least)
    return least + 0.5 * (share + 1.0) * (largest - least)


def _share(pulse: int) -> float:
    return max(-1.0, min(1.0, (pulse - NEUTRAL) / REACH))


def _turning_parts(boat: Boat) -> dict[str, Azimuth | Steer]:
    vessel = boat.vessel
    turning: dict[str, Azimuth | Steer] = {
        name + ANGLE: thruster.azimuth for name, thruster in zip(boat.thruster_names, vessel.thrusters)
        if thruster.azimuth is not None}
    return turning | {name: foil.steer for name, foil in zip(boat.foil_names, vessel.foils) if foil.steer is not None}


def _range(servo: Servo, part: Azimuth | Steer) -> tuple[float, float]:
    if not math.isnan(servo.least):
        return servo.least, servo.largest
    if part.largest - part.least >= WHOLE_TURN:
        return -math.pi, math.pi
    return part.least, part.largest


def _by_name(boat: Boat, names: Sequence[str],
             servos: Mapping[str, Servo] | Sequence[int] | None) -> Mapping[str, Servo]:
    if isinstance(servos, Mapping):
        return servos
    if servos is None:
        servos = _rovers(names, boat)
    if len(servos) > len(names):
        raise InputError(f'{boat.path}: --channels has {len(servos)} channels; the boat needs {len(names)}, for '
                         f'{", ".join(names)}')
    return {name: Servo(channel) for name, channel in zip(names, servos)}


def _rovers(names: Sequence[str], boat: Boat) -> Sequence[int]:
    """Return the channels of an ArduPilot Rover with these parts; none if it has other parts."""
    return {(2, 2): (LEFT, RIGHT), (1, 2): (THROTTLE, STEERING)}.get((len(boat.thruster_names), len(names)), ())
