"""
A maneuver: thrusts or pulses over time without control, and the results of each of its steps.

Samples of a boat that is moored, as in a bollard pull test: the power of its thrusters at zero speed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files import checked
from usv_energy.files.checked import values_of
from usv_energy.files.errors import InputError
from usv_energy.files.limits import MANEUVER_STEPS
from usv_energy.files.locate import resolve
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.powering.actuators import Setting
from usv_energy.powering.loads import mean_load_powers
from usv_energy.powering.power import Power
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.step_limit import check_step
from usv_energy.sim.record import Row
from usv_energy.sim.runner import PlantObserver, check_stable
from usv_energy.sim.scenario import checked_step_and_period
from usv_energy.thrusters.drive import powers_of_thrusts
from usv_energy.thrusters.thruster import Thruster

AT_REST = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


def knows_bollard_power(vessel: Vessel) -> bool:
    """
    Return whether the power of a boat's thrusters at standstill is known.

    It needs a power map or propeller data, because an efficiency alone gives 0 W at standstill.
    """
    return bool(vessel.thrusters) and bool(
        vessel.losses.mapped or all(thruster.propeller is not None for thruster in vessel.thrusters))


def drawn_at_rest(setting: Setting, vessel: Vessel) -> float:
    """Return the electrical power of the thrusters at standstill, W; 0 if only an efficiency is known."""
    return float(powers_of_thrusts(setting.commands, setting.angles, vessel.thrusters, AT_REST, vessel.losses)[2])


class TiedObserver:
    """Takes the samples of a moored Plant, as `PlantObserver` does of a free one: losses, hotel load and loads."""

    def __init__(self, boat: Boat) -> None:
        """Start without samples; `boat` is that of the power model."""
        self._vessel = boat.vessel
        self.rows: list[Row] = []
        self._drawn = 0.0

    def observe(self, plant: Plant) -> None:
        """Append one more sample, a Row, to `rows`."""
        state, before = plant.state, self.rows[-1] if self.rows else None
        drawn = drawn_at_rest(plant.setting, self._vessel)
        static = self._vessel.static_load
        mean = 0.5 * (self._drawn + drawn)
        loads = (0.0,) * len(self._vessel.loads)
        if before is not None:
            loads = mean_load_powers(self._vessel.loads, before.time, plant.time, 0.0, 0.0)
        total = mean + static + sum(loads)
        energy = before.energy + total * (plant.time - before.time) if before is not None else 0.0
        self._drawn = drawn
        power = Power(**dict.fromkeys(Power._fields, 0.0))._replace(
            losses=mean, static_load=static, loads=sum(loads), total=total)
        motion = Motion(state.yaw, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self.rows.append(Row(plant.time, state.x, state.y, motion, plant.flow(), power, energy, 0.0, 0.0, 0,
                             loads=loads))


KINDS = ('share', 'thrust', 'pwm')


@dataclass(frozen=True)
class ManeuverStep:
    """
    The commands of the thrusters for a `duration`, s.

    `kind`: of the values: `share` of a thruster's limits (-), `thrust` at standstill (N), or `pwm`, pulse width (us).
    `values`: one per thruster, or one for all of them (`alike`).
    """

    duration: float
    kind: str
    values: tuple[float, ...]
    alike: bool = False

    @property
    def drives(self) -> bool:
        """Whether it commands anything; a pulse always counts."""
        return self.kind == 'pwm' or any(self.values)

    @property
    def words(self) -> str:
        """The commands as text."""
        shown = ', '.join(f'{100.0 * value:g} %' if self.kind == 'share' else f'{value:g}' for value in self.values)
        return {'share': shown, 'thrust': f'{shown} N', 'pwm': f'PWM {shown}'}[self.kind] if self.drives else 'off'


@dataclass(frozen=True)
class Maneuver:
    """
    A maneuver, validated: `start` x, y m, yaw rad (ENU); `step` of the plant and `period` of the samples, s.

    `tied`: whether the boat is moored, as in a bollard pull, in still water and air.
    """

    name: str
    title: str
    path: Path
    start: tuple[float, float, float]
    steps: tuple[ManeuverStep, ...]
    current: UniformFlow
    wind: UniformFlow
    step: float
    period: float
    tied: bool = False

    def with_pulses(self, pulses: Sequence[float]) -> 'Maneuver':
        """
        Return the maneuver with pulse widths, us, in place of its file's commands, equal for all thrusters.

        Its first step that drives is performed with each of the pulses, each followed by the steps without commands.

        :raises InputError: If it has no step that drives.
        """
        driving = next((step for step in self.steps if step.drives), None)
        if driving is None:
            raise InputError(f'{self.path}: no step drives the boat, so none takes a pulse')
        idle = tuple(step for step in self.steps if not step.drives)
        return replace(self, steps=tuple(step for pulse in pulses for step in (
            replace(driving, kind='pwm', values=(float(pulse),), alike=True), *idle)))

    def commands(self, boat: Boat) -> list[tuple[float, tuple[float, ...]]]:
        """Return each step's duration, s, and thrusts, N, for a boat; InputError for another number of thrusters."""
        found = []
        for number, step in enumerate(self.steps):
            values = step.values * len(boat.vessel.thrusters) if step.alike else step.values
            if len(values) != len(boat.vessel.thrusters):
                raise InputError(f'{self.path}: steps.{number} has {len(values)} values; the boat {boat.name} has '
                                 f'{len(boat.vessel.thrusters)} thruster(s)')
            place = f'{self.path}: steps.{number}.{step.kind}'
            found.append((step.duration, thrusts_of_pulses(values, boat, place) if step.kind == 'pwm' else tuple(
                thrust_of_share(value, thruster) if step.kind == 'share' else value
                for value, thruster in zip(values, boat.vessel.thrusters))))
        return found


def thrusts_of_pulses(pulses: Sequence[float], boat: Boat, place: str) -> tuple[float, ...]:
    """
    Return the thrusts at standstill, N, for pulse widths, us, one per thruster.

    :param place: Key of the pulses, for error messages.
    :raises InputError: If the boat's file has no pulse curve, or a pulse is outside it.
    """
    for pulse, curve, name in zip(pulses, boat.pulse_curves, boat.thruster_names):
        if curve is None:
            raise InputError(f'{place} is {pulse:g} us; {boat.path} does not say what thrust the thruster {name} gives '
                             'for a pulse: it needs pwm')
        if not curve.knows(pulse):
            low, high = curve.limits
            raise InputError(f'{place} is {pulse:g} us; must be from {low:g} to {high:g} us, what {boat.path} knows of '
                             f'the thruster {name}')
    return tuple(curve.thrust(pulse) for pulse, curve in zip(pulses, boat.pulse_curves) if curve is not None)


def thrust_of_share(share: float, thruster: Thruster) -> float:
    """Return a thrust, N, for a share of a thruster's limits, (-): -1 the least, 1 the most, 0 none."""
    return share * thruster.max_thrust if share >= 0.0 else -share * thruster.min_thrust


def read_maneuver(name: str) -> Maneuver:
    """Return a maneuver by its name in config/maneuvers or its file's path; InputError names file, key and value."""
    path = resolve('maneuvers', str(name))
    document = checked.read_with_base('maneuvers', path)
    checked.check(document, 'maneuver', path)
    plain: dict[str, Any] = values_of(document)
    start = plain.get('start', {'x': 0.0, 'y': 0.0, 'heading_deg': 0.0})
    step, period = checked_step_and_period(plain['simulation'], path)
    tied = bool(plain.get('tied', False))
    for key in ('current', 'wind'):
        if tied and plain.get(key, {}).get('speed'):
            raise InputError(f'{path}: {key}.speed is {plain[key]["speed"]:g} beside tied; a boat is tied in still '
                             'water and air')
    return Maneuver(
        path.stem, plain.get('title', path.stem), path,
        (float(start['x']), float(start['y']), math.radians(start['heading_deg'])),
        tuple(_step(one, number, path) for number, one in enumerate(plain['steps'])),
        _flow(plain, 'current'), _flow(plain, 'wind'), step, period, tied)


def _step(plain: dict[str, Any], number: int, path: Path) -> ManeuverStep:
    given = [key for key in KINDS if key in plain]
    if len(given) != 1:
        raise InputError(f'{path}: steps.{number} has {" and ".join(given) or "nothing to ask for"}; must have either '
                         'share, thrust or pwm')
    values = plain[given[0]]
    alike = not isinstance(values, list)
    return ManeuverStep(float(plain['duration']), given[0], tuple(map(float, [values] if alike else values)), alike)


def _flow(plain: dict[str, Any], key: str) -> UniformFlow:
    flow = plain.get(key, {'speed': 0.0, 'direction_deg': 0.0})
    return UniformFlow(*polar_to_earth(float(flow['speed']), float(flow['direction_deg'])))


class ManeuverRun(NamedTuple):
    """
    The result of a maneuver.

    `rows`: the samples, with the power of the model and that of the plant. For each of them `commanded`: commanded
    thrusts at standstill, N; `ahead`: surge force of the actuators on the hull, N; `step`: index of the step, from 0.
    """

    rows: list[Row]
    commanded: list[tuple[float, ...]]
    ahead: list[float]
    step: list[int]


def performed(maneuver: Maneuver, boat: Boat, plant: Boat) -> ManeuverRun:
    """
    Return the result of a maneuver.

    :param maneuver: The Maneuver.
    :param boat: Of the power model.
    :param plant: The boat that is simulated.
    :raises InputError: If the maneuver does not fit the plant or lasts too long, or its step is too long for it.
    """
    check_step(maneuver.step, plant, maneuver.path, maneuver.wind)
    flow = Flow(maneuver.current.x, maneuver.current.y, maneuver.wind.x, maneuver.wind.y)
    schedule = maneuver.commands(plant)
    if (lasts := sum(duration for duration, _ in schedule)) > MANEUVER_STEPS * maneuver.step:
        raise InputError(f'{maneuver.path}: its steps last {lasts:g} s; must be at most {MANEUVER_STEPS} times '
                         f'simulation.step, {MANEUVER_STEPS * maneuver.step:g} s')
    moving = Plant(plant.vessel, maneuver.start, lambda time, x, y: flow, maneuver.step)
    tied = moving.state
    observer = TiedObserver(boat) if maneuver.tied else PlantObserver(boat, 'rep103')
    run = ManeuverRun(observer.rows, [], [], [])
    end, steps_per_period = 0.0, round(maneuver.period / maneuver.step)
    for number, (duration, thrusts) in enumerate(schedule):
        end += duration
        while moving.time < end - 0.5 * maneuver.period:
            observer.observe(moving)
            run.commanded.append(thrusts)
            run.ahead.append(moving.force()[0])
            run.step.append(number)
            for _ in range(steps_per_period):
                moving.advance(thrusts)
                if maneuver.tied:
                    moving.state = tied
            check_stable(moving, plant, maneuver.path)
    return run


def run_maneuver(maneuver: Maneuver, boat: Boat, plant: Boat) -> tuple[list[Row], list[tuple[float, ...]]]:
    """Return the samples of a maneuver, and the thrusts commanded, N; parameters and errors as `performed`."""
    run = performed(maneuver, boat, plant)
    return run.rows, run.commanded


SETTLING = 5.0     # s at the end of a step in which a settled speed or pull changes little.
SETTLED = 0.005    # Relative change that counts as little, (-).
DRIVEN = 1e-9      # N


class StepFigures(NamedTuple):
    """
    The results of a step of a maneuver.

    `words`: the commands. `pulses`: pulse widths, us, None without. `begin`, `end`: s. `ahead`: surge force of the
    actuators at its end, N, which is the pull of a moored boat. `speed_begin`, `speed_end`: over ground, m/s.
    `settled`: whether the speed, or the pull of a moored boat, was constant at the end. `distance`: m. `power`:
    electrical power at its end, W, NaN if the boat's file does not determine that of a moored boat.
    """

    words: str
    pulses: tuple[float, ...] | None
    begin: float
    end: float
    ahead: float
    speed_begin: float
    speed_end: float
    settled: bool
    distance: float
    power: float


def step_figures(maneuver: Maneuver, run: ManeuverRun, boat: Boat) -> list[StepFigures]:
    """
    Return the results of each step.

    :param maneuver: The Maneuver.
    :param run: Its result.
    :param boat: Of the power model.
    """
    time = np.array([row.time for row in run.rows])
    speed = np.hypot([row.motion.u for row in run.rows], [row.motion.v for row in run.rows])
    place = np.array([(row.x, row.y) for row in run.rows])
    ahead, step = np.array(run.ahead), np.array(run.step)
    known = not maneuver.tied or knows_bollard_power(boat.vessel)
    found = []
    for number, one in enumerate(maneuver.steps):
        own = np.flatnonzero(step == number)
        if not len(own):
            continue
        first, last = int(own[0]), int(own[-1])
        late = own[time[own] >= time[last] - min(SETTLING, 0.25 * (time[last] - time[first]))]
        resting = ahead if maneuver.tied else speed
        rests = float(np.ptp(resting[late])) <= SETTLED * max(abs(float(resting[last])), DRIVEN)
        path = place[first:last + 1]
        found.append(StepFigures(
            one.words, one.values if one.kind == 'pwm' else None, float(time[first]), float(time[first]) + one.duration,
            float(ahead[last]), float(speed[first]), float(speed[last]), rests,
            float(np.hypot(*np.diff(path, axis=0).T).sum()), run.rows[last].power.total if known else float('nan')))
    return found
