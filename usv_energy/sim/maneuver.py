"""A maneuver: thrusts over time, open loop, on any boat; read from config/maneuvers or any YAML file."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..boats.boat_file import Boat
from ..boats.thruster import Thruster
from ..files import checked
from ..files.checked import values_of
from ..files.errors import InputError
from ..files.locate import resolve
from ..flow.uniform import UniformFlow
from ..physics.frames import polar_to_earth
from ..physics.power import Flow
from .plant import Plant
from .record import Row
from .runner import PlantObserver, check_stable
from .scenario import checked_step_and_period
from .step_limit import check_step


@dataclass(frozen=True)
class ManeuverStep:
    """Thrusts that are held for a time: `duration` s; of each thruster a `share` of its limits (-), or a `thrust` N."""

    duration: float
    share: tuple[float, ...] | None
    thrust: tuple[float, ...] | None


@dataclass(frozen=True)
class Maneuver:
    """A maneuver, validated: `start` x, y m, yaw rad (ENU); `step` of the plant and `period` of the samples, s."""

    name: str
    title: str
    path: Path
    start: tuple[float, float, float]
    steps: tuple[ManeuverStep, ...]
    current: UniformFlow
    wind: UniformFlow
    step: float
    period: float

    def commands(self, boat: Boat) -> list[tuple[float, tuple[float, ...]]]:
        """Return each step's duration, s, and thrusts, N, for a boat; InputError for another number of thrusters."""
        thrusters = boat.vessel.thrusters
        found = []
        for number, step in enumerate(self.steps):
            values = step.share if step.share is not None else step.thrust or ()
            if len(values) != len(thrusters):
                raise InputError(f'{self.path}: steps.{number} has {len(values)} values; the boat {boat.name} has '
                                 f'{len(thrusters)} thruster(s)')
            found.append((step.duration, tuple(values) if step.share is None else tuple(
                thrust_of_share(value, thruster) for value, thruster in zip(values, thrusters))))
        return found


def thrust_of_share(share: float, thruster: Thruster) -> float:
    """Return a thrust, N, as a share of what a thruster can give, (-): -1 the least, 1 the most, 0 none."""
    return share * thruster.max_thrust if share >= 0.0 else -share * thruster.min_thrust


def read_maneuver(name: str) -> Maneuver:
    """Return a maneuver by its name in config/maneuvers or its file's path; InputError names file, key and value."""
    path = resolve('maneuvers', str(name))
    document = checked.read_with_base('maneuvers', path)
    checked.check(document, 'maneuver', path)
    plain: dict[str, Any] = values_of(document)
    start = plain.get('start', {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0})
    step, period = checked_step_and_period(plain['simulation'], path)
    return Maneuver(
        path.stem, plain.get('title', path.stem), path,
        (float(start['x']), float(start['y']), math.radians(start['heading_deg'])),
        tuple(_step(one, number, path) for number, one in enumerate(plain['steps'])),
        _flow(plain, 'current'), _flow(plain, 'wind'), step, period)


def _step(plain: dict[str, Any], number: int, path: Path) -> ManeuverStep:
    if ('share' in plain) == ('thrust' in plain):
        raise InputError(f'{path}: steps.{number} must have either share or thrust')
    share, thrust = (tuple(map(float, plain[key])) if key in plain else None for key in ('share', 'thrust'))
    return ManeuverStep(float(plain['duration']), share, thrust)


def _flow(plain: dict[str, Any], key: str) -> UniformFlow:
    flow = plain.get(key, {'speed': 0.0, 'direction_deg': 0.0})
    return UniformFlow(*polar_to_earth(float(flow['speed']), float(flow['direction_deg'])))


def run_maneuver(maneuver: Maneuver, boat: Boat, plant: Boat) -> tuple[list[Row], list[tuple[float, ...]]]:
    """
    Return the samples of a maneuver, with the power of the model beside the plant's own, and the thrusts commanded, N.

    :param maneuver: What to run.
    :param boat: Of the power model.
    :param plant: The boat that moves.
    :raises InputError: If the maneuver does not fit the plant, or its step is too long for it.
    """
    check_step(maneuver.step, plant, maneuver.path, maneuver.wind)
    flow = Flow(maneuver.current.x, maneuver.current.y, maneuver.wind.x, maneuver.wind.y)
    schedule = maneuver.commands(plant)
    moving = Plant(plant.vessel, maneuver.start, lambda time, x, y: flow, maneuver.step)
    observer = PlantObserver(boat, 'rep103')
    commanded: list[tuple[float, ...]] = []
    end, steps_per_period = 0.0, round(maneuver.period / maneuver.step)
    for duration, thrusts in schedule:
        end += duration
        while moving.time < end - 0.5 * maneuver.period:
            observer.observe(moving)
            commanded.append(thrusts)
            for _ in range(steps_per_period):
                moving.advance(thrusts)
            check_stable(moving, plant, maneuver.path)
    return observer.rows, commanded
