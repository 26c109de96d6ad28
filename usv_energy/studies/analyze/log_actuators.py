"""Thrusts and angles of a boat's actuators along a log, corrected by the boat's file."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import LogMeaning, Vessel
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.physics.dynamics import held_speed
from usv_energy.physics.elementwise import wrapped
from usv_energy.physics.frames import to_earth
from usv_energy.physics.motion import Relative
from usv_energy.powering.measured_power import MeasuredActuators
from usv_energy.powering.power import needed_of
from usv_energy.thrusters.drive import force_of_thrusts, limited_command, thrust_of_rate, thrust_under_way
from usv_energy.thrusters.thruster import axis_of, inflow_along

IN_DOUBT = 'thrusts_in_doubt'  # Series of a log that `without_silent_thrusts` adds.
THRUST_MEANING, COMPASS_MEANING = 'thrust_of_log', 'compass_of_log'

LONGEST_LINE = 12.0  # s: a bus that loses messages repeats the last one; a thruster at rest also repeats its reading.
BEYOND = 1.02        # Times a limit: commands beyond it are said,
SELDOM = 0.01        # where they are more than this share of the samples.
WHOLE = 0.98         # Share of the samples whose thrusts should be known.
# s of thrusts that are 0 from which on, times the mass over the drag in which a boat has coasted out, share of the
# speed that the other thrusts hold at which it is driven on all the same, and the least of it, m/s, and of samples.
SILENT, COASTS, DRIVEN, LEAST_SPEED, LEAST = 5.0, 3.0, 0.5, 0.05, 5
BESIDE = 10.0        # s before such thrusts and after coasting, which are compared.


def as_identified(log: Log, boat: Boat) -> Log:
    """
    Return a log with thrusts and headings corrected by the boat's file, and notes of that.

    Thrusts are corrected if they are of the kind that the fit used: the log's commanded newtons, or made of pulses by
    the boat's file. A log that was corrected before is returned unchanged.

    :param log: The Log.
    :param boat: The boat, whose file `usv-energy identify` wrote, or says the same.
    """
    meaning = boat.log_meaning
    if meaning is None:
        return log
    done = {note.code for note in log.notes}
    if THRUST_MEANING not in done and _has_such_thrusts(log, boat, meaning, 'thrust_of_pulses' in done):
        log = _with_thrusts(log, boat, meaning)
    if COMPASS_MEANING not in done and any(meaning.compass) and log.known('yaw', 'u', 'v'):
        log = _with_heading(log, boat, meaning)
    return log


def _has_such_thrusts(log: Log, boat: Boat, meaning: LogMeaning, of_pulses: bool) -> bool:
    return (log.known('thrust') and not log.thrust_given and not log.known('revolutions')
            and len(log.thrusters) == len(boat.thruster_names) and of_pulses == meaning.of_pulses)


def _with_thrusts(log: Log, boat: Boat, meaning: LogMeaning) -> Log:
    names = boat.thruster_names
    alike = set(names) == set(log.thrusters)
    order = [log.thrusters.index(name) for name in names] if alike else list(range(len(names)))
    thrust = log.thrust.copy()
    thrust[:, order] = meaning.thrusts(log.thrust[:, order])
    text = f'thrusts are read as {boat.name} says (identification, thrust_of_log): {meaning.scale:.3g} times ' \
           f'the power {meaning.exponent:.3g} of their share of {meaning.ahead:.4g} N ahead, ' \
           f'{meaning.astern:.4g} N astern'
    return replace(log, thrust=thrust).noted(Note(INFO, THRUST_MEANING, text))


def _with_heading(log: Log, boat: Boat, meaning: LogMeaning) -> Log:
    deviation = meaning.deviation(log.yaw)
    c, s = np.cos(deviation), np.sin(deviation)
    u, v = to_earth(log.u, log.v, c, s)
    rates = {}
    if log.known('u_dot', 'v_dot'):
        rates['u_dot'], rates['v_dot'] = to_earth(log.u_dot, log.v_dot, c, s)
    most = math.degrees(float(np.nanmax(np.abs(deviation))))
    return replace(log, yaw=log.yaw - deviation, u=u, v=v, **rates).noted(Note(
        INFO, COMPASS_MEANING, f'headings are put right by the deviation that {boat.name} says (identification, '
        f'compass): up to {most:.1f} degrees'))


class LogActuators(NamedTuple):
    """
    The actuators of a boat at the samples of a log, arrays of shape (n,), NaN where not known.

    `thrusts` (N) or `rates` (1/s) of each thruster, None for the other; `angles` and `foils` rad, None of what does not
    turn; `asked`: the thrusts are what was commanded, N at standstill; `held`: they hold until the next; `source`: what
    they are, in words.
    """

    time: np.ndarray
    thrusts: tuple[np.ndarray | None, ...]
    rates: tuple[np.ndarray | None, ...]
    angles: tuple[np.ndarray | None, ...]
    foils: tuple[np.ndarray | None, ...]
    asked: bool
    held: bool
    source: str

    @property
    def tells_thrusts(self) -> bool:
        """Whether the thrusts of all thrusters, and the angles of those that turn, are known anywhere."""
        return bool(self.known.any())

    @property
    def known(self) -> np.ndarray:
        """Whether the thrusts of all thrusters, and the angles of those that turn, are known at a sample, (n,)."""
        known = np.full(self.time.size, bool(self.angles))
        for one in (*self.thrusts, *self.rates, *self.angles):
            known &= np.isfinite(one) if one is not None else True
        return known

    def measured(self, time: np.ndarray, at: Relative, boat: Boat) -> MeasuredActuators:
        """
        Return the MeasuredActuators at some times, s, shape (m,): thrusts as they are at the speed of the boat there.

        :param at: The Relative at these times; arrays (m,).
        """
        angles = tuple(None if one is None else self._angle(time, one) for one in self.angles)
        thrusts = []
        for number, thruster in enumerate(boat.vessel.thrusters):
            angle, rate, thrust = angles[number], self.rates[number], self.thrusts[number]
            if rate is not None:
                inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
                described = boat.propellers[number]
                assert described is not None and described.turning is not None
                thrusts.append(thrust_of_rate(self._line(time, rate), inflow, described.turning, described.propeller))
            elif thrust is not None:
                there = self._last(time, thrust) if self.held else self._line(time, thrust)
                thrusts.append(thrust_under_way(limited_command(there, thruster), angle, thruster, at)
                               if self.asked else there)
        foils = tuple(None if one is None else self._angle(time, one) for one in self.foils)
        return MeasuredActuators(tuple(thrusts), angles, foils)

    def _line(self, time: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return values on straight lines between neighbouring samples; NaN beside those without one."""
        if time is self.time:
            return values
        return np.asarray(np.interp(time, self.time, values))

    def _last(self, time: np.ndarray, values: np.ndarray) -> np.ndarray:
        if time is self.time:
            return values
        return values[np.clip(np.searchsorted(self.time, time, side='right') - 1, 0, None)]

    def _angle(self, time: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return angles on the shorter way between neighbouring samples, rad."""
        if time is self.time:
            return values
        place = np.clip(np.searchsorted(self.time, time, side='right') - 1, 0, max(values.size - 2, 0))
        after = np.minimum(place + 1, values.size - 1)
        span = self.time[after] - self.time[place]
        share = np.where(span > 0.0, (time - self.time[place]) / np.where(span > 0.0, span, 1.0), 0.0)
        return values[place] + share * wrapped(values[after] - values[place])


def actuators_of(log: Log, boat: Boat) -> tuple[LogActuators | None, list[Note]]:
    """
    Return the LogActuators of a boat, None if the log has no such data, and notes.

    :param log: Its thrusters by the boat file's names, or else as many of them in its order.
    """
    columns = _columns(log, boat)
    foils = _foils(log, boat)
    if columns is None and not any(one is not None for one in foils):
        return None, []
    turns = [thruster.azimuth is not None for thruster in boat.vessel.thrusters]
    nothing = np.full(len(log), np.nan)
    thrusts: tuple[np.ndarray | None, ...] = (nothing,) * len(turns)
    rates: tuple[np.ndarray | None, ...] = (None,) * len(turns)
    angles, source = tuple(nothing if turn else None for turn in turns), 'angles of foils'
    asked = held = False
    if columns is not None:
        source, asked = _what(log, boat), not (_has_rates(log, boat) or log.thrust_given)
        lags = [thruster.lag for thruster in boat.vessel.thrusters]
        held = asked and not any(lags) and not log.known('revolutions')
        if _has_rates(log, boat):
            thrusts, rates = (None,) * len(turns), tuple(_filled(log, log.revolutions[:, one]) for one in columns)
        else:
            late = asked and not log.known('revolutions')  # What a rate says is given already.
            thrusts = tuple(_answered(log.time, log.thrust[:, one], lag) if late and lag else log.thrust[:, one]
                            for one, lag in zip(columns, lags))
        angles = tuple(np.asarray(log.angle[:, one]) if turn else None for one, turn in zip(columns, turns))
    found = LogActuators(log.time, thrusts, rates, angles, foils, asked, held, source)
    return found, [*_notes(found, turns, boat), *_beyond_limits(found, boat)]


def _columns(log: Log, boat: Boat) -> list[int] | None:
    """Return the columns of a log's thrusters in the boat's order; None where it tells of others, or of nothing."""
    if len(log.thrusters) != len(boat.thruster_names) or not boat.thruster_names:
        return None
    if not (log.known('thrust') or _has_rates(log, boat)):
        return None
    if set(log.thrusters) == set(boat.thruster_names):
        return [log.thrusters.index(name) for name in boat.thruster_names]
    return list(range(len(log.thrusters)))


def _has_rates(log: Log, boat: Boat) -> bool:
    """Return whether a log has rates of turning, and the boat's file says for all propellers what they stand for."""
    return log.known('revolutions') and len(boat.propellers) == len(boat.thruster_names) and all(
        one is not None and one.turning is not None for one in boat.propellers)


def _what(log: Log, boat: Boat) -> str:
    turning = ' and angles' if log.known('angle') else ''
    if _has_rates(log, boat):
        return f'rates of turning{turning}'
    if log.known('revolutions'):
        return f'rates of turning{turning}'
    return f'thrusts{turning} as measured' if log.thrust_given else f'commanded thrusts{turning}'


def _foils(log: Log, boat: Boat) -> tuple[np.ndarray | None, ...]:
    """Return the angles of a boat's foils in a log, NaN where not told, None of fixed ones."""
    nothing = np.full(len(log), np.nan)
    return tuple(
        None if foil.steer is None else
        log.foil_angle[:, log.foils.index(name)] if name in log.foils else nothing
        for name, foil in zip(boat.foil_names, boat.vessel.foils))


def _filled(log: Log, readings: np.ndarray) -> np.ndarray:
    """
    Return readings of a rate at all samples of a log, its power on straight lines between those not too far apart.

    The cube of the rate is linear in time. It is unknown when a thruster changed its rate in between, and the mean of
    the powers before and after is then the expected power. A linear rate would give only about half of that after
    cubing.
    """
    known = np.flatnonzero(np.isfinite(readings))
    if known.size < 2:
        return readings
    own = log.time[known]
    cubes = np.interp(log.time, own, readings[known] ** 3, left=np.nan, right=np.nan)
    after = np.clip(np.searchsorted(own, log.time), 1, own.size - 1)
    cubes[(own[after] - own[after - 1] > LONGEST_LINE) & (log.time > own[after - 1]) & (log.time < own[after])] = np.nan
    return np.asarray(np.cbrt(cubes))


def _answered(time: np.ndarray, command: np.ndarray, lag: float) -> np.ndarray:
    """Return the thrust of a thruster with a lag, s, at the times of held commands; it starts at the first one."""
    thrust: np.ndarray = command.copy()
    keep = np.exp(-np.diff(time) / lag).tolist()
    for row, (wanted, left) in enumerate(zip(command.tolist(), keep), start=1):
        now = wanted + (float(thrust[row - 1]) - wanted) * left
        thrust[row] = now if now == now else command[row]
    return thrust


def _beyond_limits(found: LogActuators, boat: Boat) -> list[Note]:
    """Return notes on commands beyond the thrusters' limits in the boat's file."""
    if not found.asked:
        return []
    shares = {}
    for name, thruster, thrust in zip(boat.thruster_names, boat.vessel.thrusters, found.thrusts):
        if thrust is not None and thrust.size:
            share = float(np.mean((thrust > BEYOND * thruster.max_thrust + 1e-9)
                                  | (thrust < BEYOND * thruster.min_thrust - 1e-9)))
            if share > SELDOM:
                shares[name] = share
    if not shares:
        return []
    shown = ', '.join(f'{name} {100.0 * share:.0f} %' for name, share in shares.items())
    return [Note(WARNING, 'thrusts_beyond_limits', f'commanded thrusts are beyond what {boat.name} can give, and count '
                 f'as full thrust there: {shown} of the samples',
                 {f'{name}_share': share for name, share in shares.items()})]


def _notes(found: LogActuators, turns: list[bool], boat: Boat) -> list[Note]:
    known = found.known
    share = float(known.mean()) if known.size else 0.0
    if share == 0.0:
        lacking = [name for name, turn, angle in zip(boat.thruster_names, turns, found.angles)
                   if turn and angle is not None and not np.isfinite(angle).any()]
        why = f'no angle of {", ".join(lacking)}' if lacking else 'never all of them at once'
        if found.source == 'angles of foils':
            return [Note(INFO, 'foil_angles', 'angles of foils are the log\'s own; the thrusts are the cheapest way')]
        return [Note(WARNING, 'actuators_unusable', f'the log has {found.source}, but {why}: the thrusts are the '
                     'cheapest way to give what the motion needs')]
    text = f'thrusts are the log\'s {found.source}, in {100.0 * share:.1f} % of the samples; --actuators allocated ' \
           'takes the cheapest way'
    if share < WHOLE:
        return [Note(WARNING, 'actuators_partly', f'{text}, which the others are, too', {'share': share})]
    return [Note(INFO, 'actuators_used', text, {'share': share})]


def without_silent_thrusts(log: Log, boat: Boat) -> Log:
    """
    Return a log without thrusts of 0 while the boat is driven on all the same: their stream ended.

    A boat whose thrusters stand still coasts, and drifts with the water: by the log's current, or, where it says none,
    over ground less the speed that the other thrusts hold. A stretch of 0 is left out in which the boat, after the time
    that it coasts, goes ahead through the water of just before at DRIVEN of the speed that it was driven at, through
    that of all the log at DRIVEN of the usual one, and as fast over ground as DRIVEN of usual. Where a log begins with
    0, it is the water of just after, once a boat that was set going has its speed; but such a boat may have been towed
    there, which is usual, and its thrusts stay. All such stretches are marked as IN_DOUBT.
    """
    columns, vessel = _columns(log, boat), boat.vessel
    if columns is None or log.known('revolutions') or not log.known('thrust', 'yaw', 'u', 'v') or any(
            thruster.azimuth is not None for thruster in vessel.thrusters):
        return log
    thrust = log.thrust[:, columns]
    edges = np.flatnonzero(np.diff((thrust == 0.0).all(axis=1).astype(np.int8), prepend=0, append=0))
    runs = [run for run in edges.reshape(-1, 2).tolist() if log.time[run[1] - 1] - log.time[run[0]] > SILENT]
    c, s = np.cos(log.yaw), np.sin(log.yaw)
    speed = held_speed(force_of_thrusts(tuple(thrust.T), (None,) * len(columns), vessel.thrusters)[0], vessel.damping)
    over_ground = np.stack(to_earth(log.u, log.v, c, s))
    water = over_ground - np.stack(to_earth(speed, 0.0, c, s))
    driven = (thrust != 0.0).any(axis=1) & np.isfinite(water).all(axis=0)
    if not runs or not driven.any():
        return log
    own, usual = (float(np.median(np.abs(one[driven]))) for one in (speed, np.hypot(*over_ground)))
    told = log.known('current_x', 'current_y')
    flow, coasts = np.median(water[:, driven], axis=1, keepdims=True), time_to_slow(own, vessel)
    silent, late = np.zeros((2, len(log)), dtype=bool)
    current = np.stack([log.current_x, log.current_y]) if told else np.repeat(flow, len(log), axis=1)
    through = over_ground - current
    for begin, end in runs:
        since = log.time - log.time[begin]
        before = driven & (since < 0.0) & (since > -BESIDE)
        after = (since > coasts) & (np.arange(len(log)) < end) & np.isfinite(through).all(axis=0)
        just = after & (since < coasts + BESIDE)
        if begin == 0:                                      # The other way round: at its end it would have sped up.
            until = log.time - log.time[end - 1]
            before, just = driven & (until > coasts) & (until < coasts + BESIDE), after & (until > -BESIDE)
        if min(before.sum(), just.sum()) <= LEAST or DRIVEN * own < LEAST_SPEED:
            continue
        near = current[:, just] if told else np.median(water[:, before], axis=1, keepdims=True)
        ahead = float(np.median(((over_ground[:, just] - near) * np.stack([c, s])[:, just]).sum(axis=0)))
        was = float(np.median(speed[before]))
        if ahead * np.sign(was) > DRIVEN * abs(was) and _size(through[:, after]) > DRIVEN * own and _size(
                over_ground[:, after]) > DRIVEN * usual:
            (silent if begin else late)[begin:end] = True
    if late.any():
        share, until = float(late.mean()), float(log.time[late][-1])
        log = log.noted(Note(
            WARNING, 'thrusts_late', f'the thrusts are 0 until {until:.1f} s while the boat goes as by those of after: '
            'it was towed, as is taken here, or their stream began late; then cut the log there, or leave thrusts out '
            'with --actuators allocated', {'share': share, 'until_s': until}))
    if silent.any():
        share = float(silent.mean())
        log = replace(log, thrust=np.where(silent[:, None], np.nan, log.thrust)).noted(Note(
            WARNING, 'thrusts_silent', f'the thrusts are 0 in {100.0 * share:.0f} % of the samples, from '
            f'{log.time[silent.argmax()]:.1f} s on, while the boat goes on as by those of the others: they are not '
            'used there; if it was towed, cut the log there', {'share': share}))
    if late.any() or silent.any():
        log = replace(log, extra={**log.extra, IN_DOUBT: (late | silent).astype(float)})
    return log


def of_sure_thrusts(log: Log) -> Log:
    """Return a log without thrusts of 0 of a boat that goes on all the same, which may be none."""
    doubted = in_doubt(log)
    return replace(log, thrust=np.where(doubted[:, None], np.nan, log.thrust)) if doubted.any() else log


def in_doubt(log: Log) -> np.ndarray:
    """Return where a log's thrusts are 0 while the boat goes on all the same, (n,)."""
    return log.extra.get(IN_DOUBT, np.zeros(len(log))) > 0.0


def _size(velocity: np.ndarray) -> float:
    """Return the root mean square of velocities, m/s, shape (2, n)."""
    return math.sqrt(float(np.mean(np.square(velocity).sum(axis=0))))


def time_to_slow(speed: float, vessel: Vessel) -> float:
    """Return in which time a boat that coasts loses nearly all of its speed, m/s; s."""
    zero = np.zeros(())
    at = Relative(np.asarray(speed), zero, zero, zero, zero)
    drag, pushed = (float(needed_of(at, (np.asarray(rate), zero, zero), vessel).force[0]) for rate in (0.0, 1.0))
    return COASTS * (pushed - drag) * speed / drag if drag > 0.0 else math.inf
