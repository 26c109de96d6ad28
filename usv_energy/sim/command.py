"""What is asked of a boat's actuators, by their names: how a Setting travels between programs."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..boats.boat_file import Boat
from ..powering.actuators import Setting


class Command(NamedTuple):
    """Names of actuators, thrusts N (`efforts`) and angles rad (`positions`); NaN where there is none."""

    names: tuple[str, ...]
    efforts: tuple[float, ...]
    positions: tuple[float, ...]


def turning_names(boat: Boat) -> list[str]:
    """Return the names of the thrusters and foils that turn."""
    vessel = boat.vessel
    return [*(name for name, thruster in zip(boat.thruster_names, vessel.thrusters) if thruster.azimuth is not None),
            *(name for name, foil in zip(boat.foil_names, vessel.foils) if foil.steer is not None)]


def command_of_setting(setting: Setting, boat: Boat) -> Command:
    """Return a Setting as a Command: all thrusters, then the foils that turn."""
    foils = [(name, angle) for name, angle in zip(boat.foil_names, setting.foils) if angle is not None]
    return Command((*boat.thruster_names, *(name for name, _ in foils)),
                   (*setting.commands, *(math.nan for _ in foils)),
                   (*(math.nan if angle is None else angle for angle in setting.angles),
                    *(angle for _, angle in foils)))


def setting_of_command(command: Command, boat: Boat) -> Setting | None:
    """Return a Command as a Setting; None if a thrust, or an angle of what turns, is missing or no finite number."""
    efforts, positions = (dict(zip(command.names, values)) for values in (command.efforts, command.positions))
    thrusts = tuple(efforts.get(name, math.nan) for name in boat.thruster_names)
    vessel = boat.vessel
    angles = _angles(boat.thruster_names, [thruster.azimuth for thruster in vessel.thrusters], positions)
    foils = _angles(boat.foil_names, [foil.steer for foil in vessel.foils], positions)
    numbers = [*thrusts, *(angle for angle in (*angles, *foils) if angle is not None)]
    return Setting(thrusts, angles, foils) if all(map(math.isfinite, numbers)) else None


def _angles(names: Sequence[str], turning: Sequence[object], positions: dict[str, float]) -> tuple[float | None, ...]:
    return tuple(None if part is None else positions.get(name, math.nan) for name, part in zip(names, turning))
