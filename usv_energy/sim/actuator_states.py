"""
Commands and states of a boat's actuators by name, as programs exchange them.

The mean power between the samples of a boat that runs: from motion, flow and the states of its actuators.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import Load
from usv_energy.physics.motion import Flow, Motion, Relative, WaveAction
from usv_energy.physics.waves.added_resistance import mean_added_resistance
from usv_energy.powering.actuators import Setting
from usv_energy.powering.loads import mean_load_powers, with_loads
from usv_energy.powering.measured_power import (
    MeasuredActuators,
    mean_power_by_known_foils,
    measured_mean_power,
    middle_of_measured,
)
from usv_energy.powering.power import CONVENTIONS, Power, mean_power_rep103
from usv_energy.thrusters.drive import thrust_of_rate, thrust_under_way
from usv_energy.thrusters.thruster import axis_of, inflow_along


class Command(NamedTuple):
    """Names of actuators, thrusts N (`efforts`) and angles rad (`positions`); NaN if not given."""

    names: tuple[str, ...]
    efforts: tuple[float, ...]
    positions: tuple[float, ...]

    def with_value(self, name: str, part: str, value: float) -> 'Command':
        """Return the Command with another thrust (`part` is 'efforts') or angle ('positions') of one actuator."""
        changed: dict[str, Any] = {part: tuple(value if one == name else old
                                               for one, old in zip(self.names, getattr(self, part)))}
        return self._replace(**changed)


def turning_names(boat: Boat) -> list[str]:
    """Return the names of the thrusters and foils that turn."""
    vessel = boat.vessel
    return [*(name for name, thruster in zip(boat.thruster_names, vessel.thrusters) if thruster.azimuth is not None),
            *(name for name, foil in zip(boat.foil_names, vessel.foils) if foil.steer is not None)]


def command_of_setting(setting: Setting, boat: Boat) -> Command:
    """Return a Setting as a Command: all thrusters, then the movable foils."""
    foils = [(name, angle) for name, angle in zip(boat.foil_names, setting.foils) if angle is not None]
    return Command((*boat.thruster_names, *(name for name, _ in foils)),
                   (*setting.commands, *(math.nan for _ in foils)),
                   (*(math.nan if angle is None else angle for angle in setting.angles),
                    *(angle for _, angle in foils)))


def setting_of_command(command: Command, boat: Boat) -> Setting | None:
    """Return a Command as a Setting; None if a thrust or the angle of a part that turns is missing or not finite."""
    efforts, positions = (dict(zip(command.names, values)) for values in (command.efforts, command.positions))
    thrusts = tuple(efforts.get(name, math.nan) for name in boat.thruster_names)
    vessel = boat.vessel
    angles = _angles(boat.thruster_names, [thruster.azimuth for thruster in vessel.thrusters], positions)
    foils = _angles(boat.foil_names, [foil.steer for foil in vessel.foils], positions)
    numbers = [*thrusts, *(angle for angle in (*angles, *foils) if angle is not None)]
    return Setting(thrusts, angles, foils) if all(map(math.isfinite, numbers)) else None


def _angles(names: Sequence[str], turning: Sequence[object], positions: dict[str, float]) -> tuple[float | None, ...]:
    return tuple(None if part is None else positions.get(name, math.nan) for name, part in zip(names, turning))


TURN = 2.0 * math.pi  # rad
KEPT = 32  # States that are kept of each actuator.
PROPELLER, ANGLE = '_propeller_joint', '_angle_joint'


class ActuatorState(NamedTuple):
    """The state of one actuator: angle rad, rate of turning rad/s, thrust N; NaN if not known."""

    position: float
    velocity: float
    effort: float


NOTHING = ActuatorState(math.nan, math.nan, math.nan)


def states_of_setting(setting: Setting, at: Relative, boat: Boat) -> dict[str, ActuatorState]:
    """Return the states of the actuators in a Setting at a Relative, without fixed foils."""
    states = {}
    for name, command, angle, thruster in zip(boat.thruster_names, setting.commands, setting.angles,
                                             boat.vessel.thrusters):
        states[name] = ActuatorState(math.nan if angle is None else angle, math.nan,
                                     float(thrust_under_way(command, angle, thruster, at)))
    return states | {name: ActuatorState(angle, math.nan, math.nan)
                     for name, angle in zip(boat.foil_names, setting.foils) if angle is not None}


def measured_states(states: Mapping[str, ActuatorState], at: Relative, boat: Boat) -> MeasuredActuators:
    """
    Return states as MeasuredActuators: thrusts at the boat's speed, NaN if not known.

    :param states: By the names of thrusters and foils; other names are ignored.
    :param at: The Relative, on which the thrust at a rate of turning depends.
    :param boat: The Boat.
    """
    vessel, thrusts, angles = boat.vessel, [], []
    turnings = [one.turning if one else None for one in boat.propellers] or [None] * len(vessel.thrusters)
    for name, thruster, turning in zip(boat.thruster_names, vessel.thrusters, turnings):
        state = states.get(name, NOTHING)
        angle = None if thruster.azimuth is None else state.position
        thrust = state.effort
        if not math.isfinite(thrust) and turning is not None and math.isfinite(state.velocity):
            inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
            thrust = thrust_of_rate(state.velocity / TURN, inflow, turning, thruster.propeller)
        thrusts.append(thrust)
        angles.append(angle)
    foils = tuple(None if foil.steer is None else states.get(name, NOTHING).position
                  for name, foil in zip(boat.foil_names, vessel.foils))
    return MeasuredActuators(tuple(thrusts), tuple(angles), foils)


def drives_are_known(measured: MeasuredActuators) -> bool:
    """Return whether all thrusts, and the angles of all thrusters that turn, are finite numbers."""
    return all(map(math.isfinite, measured.thrusts)) and all(
        angle is None or math.isfinite(angle) for angle in measured.angles)


def foils_are_known(measured: MeasuredActuators) -> bool:
    """Return whether the angle of any foil is a finite number."""
    return any(angle is not None and math.isfinite(angle) for angle in measured.foils)


def power_of_step(before: Relative, now: Relative, elapsed: float, boat: Boat,
                  measured: tuple[MeasuredActuators | None, MeasuredActuators | None],
                  waves: WaveAction | None = None) -> tuple[Power, bool]:
    """
    Return the mean Power of a step from the known actuator states, and whether measured thrusts were used.

    :param before: The Relative at its beginning.
    :param now: The Relative at its end.
    :param elapsed: Duration, s.
    :param boat: The Boat.
    :param measured: At both ends, NaN if not known; None without measurements. Only what is known at both ends is used.
    :param waves: The WaveAction over the step; None if no sea is known.
    """
    begin, end = measured
    if begin is not None and end is not None:
        middle = middle_of_measured(begin, end)
        if drives_are_known(middle):
            return measured_mean_power(before, now, elapsed, boat.vessel, middle, waves), True
        if foils_are_known(middle):
            return mean_power_by_known_foils(before, now, elapsed, boat.vessel, middle.foils, waves), False
    return mean_power_rep103(before, now, elapsed, boat.vessel, waves), False


def _of_joint(name: str, actuator: str, state: ActuatorState) -> ActuatorState:
    """Return the part of a state that its name implies: all for an actuator, only velocity or position for a joint."""
    if name == actuator:
        return state
    if name.endswith(PROPELLER):
        return ActuatorState(math.nan, state.velocity, math.nan)
    return ActuatorState(state.position, math.nan, math.nan)


def _updated(one: ActuatorState, other: ActuatorState) -> ActuatorState:
    """Return a state updated by another one: the finite numbers of the other replace those of the first."""
    return ActuatorState(*(b if math.isfinite(b) else a for a, b in zip(one, other)))


class ActuatorMemory:
    """The measured states of a boat's actuators; several sensors may measure some of them each."""

    def __init__(self, boat: Boat) -> None:
        """Begin without states."""
        self._boat = boat
        self._states: dict[str, deque[tuple[int, ActuatorState]]] = {}

    def add(self, stamp: int, states: Mapping[str, ActuatorState]) -> set[str]:
        """Add states with a stamp, ns; return the names that belong to no actuator of the boat."""
        unknown = {name for name in states if self._actuator(name) is None}
        for name, state in states.items():
            if name not in unknown:
                of_name = self._states.setdefault(name, deque(maxlen=KEPT))
                if of_name and stamp < of_name[-1][0]:  # The clock jumped back.
                    of_name.clear()
                of_name.append((stamp, state))
        return unknown

    def at(self, stamp: int, max_age: float) -> tuple[dict[str, ActuatorState], bool]:
        """
        Return the latest state of each actuator until a stamp, ns, and whether some are too old.

        :param max_age: Older states, s, are left out.
        """
        known = {name: next(((at, state) for at, state in reversed(of_name) if at <= stamp), of_name[0])
                 for name, of_name in self._states.items()}
        fresh = {name: state for name, (at, state) in known.items() if abs(stamp - at) <= max_age * 1e9}
        found: dict[str, ActuatorState] = {}
        for name, state in fresh.items():
            actuator = self._actuator(name) or name
            found[actuator] = _updated(found.get(actuator, NOTHING), _of_joint(name, actuator, state))
        return found, len(fresh) < len(known)

    def _actuator(self, name: str) -> str | None:
        """Return the actuator that a name of an actuator or of its joint stands for; None if it is not of this boat."""
        known = (*self._boat.thruster_names, *self._boat.foil_names)
        names = name, name.removesuffix(PROPELLER), name.removesuffix(ANGLE)
        return next((one for one in names if one in known), None)


class MotionSample(NamedTuple):
    """
    The state at the end of one power's interval, where that of the next one begins.

    Its time, s, Motion, Flow, and the Relative of both. `measured`: the states of the actuators, NaN where unknown;
    None if nothing is known of them.
    """

    time: float
    motion: Motion
    flow: Flow
    relative: Relative
    measured: MeasuredActuators | None = None


NO_SAMPLE = MotionSample(math.nan, Motion(*[math.nan] * 7), Flow(*[math.nan] * 4), Relative(*[math.nan] * 5))


class PowerSteps:
    """Takes samples of a boat, and answers each with the mean power since the one before."""

    def __init__(self, convention: str = 'rep103', current_varies: bool = False) -> None:
        """
        Begin without a sample.

        :param convention: Of the power.
        :param current_varies: Whether the current comes with every sample, so that its change along the track changes
            the relative velocity.
        """
        self._convention, self._varies = CONVENTIONS[convention], current_varies
        self._before = self._latest = NO_SAMPLE

    def mean_power(self, now: MotionSample, boat: Boat, longest: float,
                   loads: Sequence[Load] = ()) -> tuple[Power, bool, tuple[float, ...]]:
        """
        Return the mean power since the last sample, NaN without one; whether it is measured; that of each load, W.

        :param now: The next sample; one with the time of the last sample replaces that.
        :param boat: The Boat, as it is now: its sea, and the voltage of its thrusters.
        :param longest: Step that is no gap, s.
        :param loads: The boat's loads, as they are now.
        """
        again = now.time == self._latest.time
        before = self._before if again else self._latest
        elapsed = now.time - before.time
        if not 0.0 < elapsed <= longest:
            before, elapsed = NO_SAMPLE, math.nan
        begin = before.relative
        if not self._varies and before.flow[:2] != now.flow[:2]:
            # A current that arrives now and then does not describe how it changed along the track.
            begin = self._convention.relative(before.motion, before.flow._replace(
                current_x=now.flow.current_x, current_y=now.flow.current_y))
        if not again and all(map(math.isfinite, now.relative)):
            self._before, self._latest = self._latest, now
        sea = boat.vessel.sea
        waves = None if sea is None else mean_added_resistance(sea, before.motion.yaw, now.motion.yaw)
        power, measured = self._convention.mean_power(begin, now.relative, elapsed, boat.vessel, waves), False
        if now.measured is not None and before.measured is not None:
            power, measured = power_of_step(begin, now.relative, elapsed, boat, (before.measured, now.measured),
                                            waves)
        if not loads:
            return power, measured, ()
        powers = mean_load_powers(loads, before.time, now.time, *(
            math.hypot(known.motion.u, known.motion.v) for known in (before, now)))
        return with_loads(power, sum(powers)), measured, powers
