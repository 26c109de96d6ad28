"""What the motion in a log took: power by cause at every sample, and its energy, by the physics of the live nodes."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..flow.flow_file import FlowFile
from ..flow.uniform import UniformFlow
from ..logs.derive import derivative
from ..logs.log import INFO, MAX_GAP, WARNING, Log, Note
from ..physics.battery import state_of_charge
from ..physics.elementwise import cos, sin, sqrt
from ..physics.energy import Energy
from ..physics.frames import to_body
from ..physics.power import CONVENTIONS, Flow, Motion, Power
from ..physics.record_energy import Integral, Record, derivatives, integrate
from ..sim.plant import hull_force

CHUNK = 1 << 16           # Samples computed together: what they need then stays in the processor's cache.
ASKED = 20000             # Times at most at which an unsteady flow is asked along a track; between them it is linear.
STALE_AFTER = 2.0         # s: as power_calculator's max_flow_age.
UNDER_WAY = 0.2           # m/s from which a course is one.
FLOWS = {'current': 'water', 'wind': 'air'}
# Bits of PowerStamped.status; this layer knows no messages.
NO_ACCELERATION, INVALID, MISSING, STALE = 1, 2, {'current': 8, 'wind': 32}, {'current': 16, 'wind': 64}

GivenFlow = UniformFlow | FlowFile | None


class Options(NamedTuple):
    """
    How a log is taken.

    Convention of the power; time constant of the low-pass on the acceleration, s (None: the log's own accelerations
    where it has them, else no low-pass); longest time between samples that is differentiated and integrated over, s;
    water and air where they are not to be the log's.
    """

    convention: str = 'rep103'
    time_constant: float | None = None
    max_gap: float = MAX_GAP
    current: GivenFlow = None
    wind: GivenFlow = None


@dataclass(frozen=True, eq=False)
class Drive:
    """
    A log with its power and energy. Arrays have one row a sample.

    `status`: bits of PowerStamped; `sources`: where current and wind come from, in words; `notes`: of the log and of
    the analysis.
    """

    log: Log
    boat: Boat
    options: Options
    motion: Motion
    flow: Flow
    power: Power
    status: np.ndarray
    integral: Integral
    sources: dict[str, str]
    notes: tuple[Note, ...]

    @property
    def energy(self) -> Energy:
        """Energy by cause, J, and what it was integrated over."""
        return self.integral.energy

    @property
    def speed_over_ground(self) -> np.ndarray:
        """Speed over ground at each sample, m/s."""
        return sqrt(self.motion.u * self.motion.u + self.motion.v * self.motion.v)

    @property
    def warnings(self) -> list[Note]:
        """The notes that ask for a look."""
        return [note for note in self.notes if note.level == WARNING]

    def charge(self) -> np.ndarray | None:
        """Return what is left of the boat's battery at each sample, 0 to 1; None without a battery."""
        if self.boat.battery is None:
            return None
        return state_of_charge(self.integral.so_far(), self.boat.battery)


DEFAULT = Options()


def drive_of(log: Log, boat: Boat, options: Options = DEFAULT) -> Drive:
    """
    Return what the motion in a log took.

    :param log: The Log; heading, surge, sway and yaw rate are needed, or at least a speed.
    :param boat: The Boat.
    :param options: How it is taken.
    :raises InputError: If the log lacks what is needed; if a flow file has no value along the whole way.
    """
    notes: list[Note] = []
    flow, stale, missing, sources = _flow(log, options, notes)
    log = _with_heading(log, options, flow, notes)
    velocity = np.column_stack([log.u, log.v, log.r])
    motion = Motion(log.yaw, log.u, log.v, log.r, *_accelerations(log, velocity, options, notes))
    power = _power(motion, flow, boat, options.convention)
    known = np.isfinite(velocity).all(axis=1) & np.isfinite(log.yaw)
    status = np.where(known, 0, INVALID | NO_ACCELERATION)
    status |= np.where(np.isfinite(motion.u_dot + flow.current_x_rate) | (missing['current']), 0, NO_ACCELERATION)
    for name in FLOWS:
        status |= np.where(missing[name], MISSING[name], 0) | np.where(stale[name], STALE[name], 0)
    any_stale = stale['current'] | stale['wind']
    record = Record(log.time, power, sqrt(log.u * log.u + log.v * log.v), any_stale)
    integral = integrate(record, options.max_gap)
    return Drive(log, boat, options, motion, flow, power, status.astype(np.int32), integral, sources,
                 (*log.notes, *notes))


def _with_heading(log: Log, options: Options, flow: Flow, notes: list[Note]) -> Log:
    """Return a log with heading, sway and yaw rate: places will do, or in still water and air a speed alone."""
    needed = ('yaw', 'u', 'v', 'r')
    missing = [name for name in needed if not log.known(name)]
    if not missing:
        return log
    if 'yaw' in missing and log.known('x', 'y'):
        return _by_places(log, flow, notes)
    flows = [name for name in FLOWS if _moves(log, options, name)]
    if 'u' in missing:
        log.require(*needed)
    if flows:
        raise InputError(f'{log.path}: has no {", ".join(missing)}, and in a {" and ".join(flows)} the power '
                         'depends on where the boat heads: record the heading, or positions that a course can be '
                         f'made of, or leave the {" and the ".join(flows)} out')
    notes.append(Note(WARNING, 'straight_ahead', f'the log has no {", ".join(missing)}: the boat is taken to go '
                      'straight ahead in still water and air; turning and drifting are not counted, so the energy is a '
                      'lower bound'))
    zero = np.zeros(len(log))
    return replace(log, **{name: zero for name in missing})  # type: ignore[arg-type]


def _by_places(log: Log, flow: Flow, notes: list[Note]) -> Log:
    """Return a log whose motion is made of its places: bow first through the water; held where that stands still."""
    x_dot, y_dot = (derivative(log.time, values, log.max_gap) for values in (log.x, log.y))
    x_water, y_water = x_dot - flow.current_x, y_dot - flow.current_y
    under_way = sqrt(x_water * x_water + y_water * y_water) > UNDER_WAY
    if not under_way.any():
        raise InputError(f'{log.path}: has no heading, and its places say none: the boat is never faster than '
                         f'{UNDER_WAY:g} m/s')
    last = np.maximum.accumulate(np.where(under_way, np.arange(len(log)), int(np.argmax(under_way))))
    yaw = np.unwrap(np.arctan2(y_water, x_water)[last])
    u, v = to_body(x_dot, y_dot, cos(yaw), sin(yaw))
    r = np.where(under_way, derivative(log.time, yaw, log.max_gap), 0.0)
    notes.append(Note(WARNING, 'motion_from_places', 'the log has no heading: velocities are smoothed derivatives of '
                      'the places, and the boat is taken to go bow first through the water, without sway'))
    kept = tuple(note for note in log.notes if note.code != 'at_rest')
    return replace(log, yaw=yaw, u=u, v=v, r=np.where(np.isfinite(u), r, np.nan), notes=kept)


def _moves(log: Log, options: Options, name: str) -> bool:
    given: GivenFlow = getattr(options, name)
    if given is not None:
        return not isinstance(given, UniformFlow) or given.speed > 0.0
    series = getattr(log, f'{name}_x'), getattr(log, f'{name}_y')
    return any(bool((np.abs(values[np.isfinite(values)]) > 0.0).any()) for values in series)


def _flow(log: Log, options: Options, notes: list[Note]) -> tuple[Flow, dict, dict, dict[str, str]]:
    """Return the Flow along the way, where each is stale and where missing, and where each comes from."""
    values, stale, missing, sources = {}, {}, {}, {}
    for name, medium in FLOWS.items():
        (x, y), sources[name] = _velocity(log, getattr(options, name), name, notes)
        x, y, stale[name], missing[name] = _held(log.time, x, y)
        values[name] = x, y
        _note_holes(log, name, medium, stale[name], missing[name], notes)
    current = np.column_stack(values['current'])
    known = np.isfinite(current).all(axis=1)
    rate = np.zeros_like(current)
    if known.any() and np.ptp(current[known], axis=0).any():
        rate = derivatives(log.time, current, options.time_constant or 0.0, options.max_gap)
    flow = Flow(*values['current'], rate[:, 0], rate[:, 1], *values['wind'])
    return flow, stale, missing, sources


def _velocity(log: Log, given: GivenFlow, name: str, notes: list[Note]) -> tuple[tuple[np.ndarray, np.ndarray], str]:
    n = len(log)
    if isinstance(given, UniformFlow):
        return (np.full(n, given.x), np.full(n, given.y)), 'given'
    if given is not None:
        return _along(log, given, name), f'flow file {given.path}'
    if log.known(f'{name}_x', f'{name}_y'):
        return (np.array(getattr(log, f'{name}_x')), np.array(getattr(log, f'{name}_y'))), 'log'
    what = {'current': 'water current', 'wind': 'wind'}[name]
    notes.append(Note(WARNING, f'{name}_assumed_none', f'the log has no {what} and none was given (--{name}): it is '
                      'taken as still' + (', so the wind is what the boat makes itself' if name == 'wind' else '')))
    return (np.zeros(n), np.zeros(n)), 'assumed still'


def _along(log: Log, flow: FlowFile, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a flow file's velocity along the track, m/s; NaN where it has none."""
    log.require('x', 'y')
    if flow.clock.first == flow.clock.last:
        x, y, inside = flow.velocity(0.0, log.x, log.y)
    else:
        at = np.unique(np.linspace(0, len(log) - 1, min(len(log), ASKED)).round().astype(int))
        found = [flow.velocity(float(log.time[row]), log.x[row:row + 1], log.y[row:row + 1]) for row in at]
        asked = np.array([(float(vx[0]), float(vy[0])) for vx, vy, _ in found])
        inside = np.interp(log.time, log.time[at], [float(one[2][0]) for one in found]) > 1.0 - 1e-9
        x, y = (np.interp(log.time, log.time[at], column) for column in asked.T)
    if not inside.any():
        raise InputError(f'--{name} {flow.path}: has no value anywhere along the way of {log.path}, x '
                         f'{np.nanmin(log.x):.1f} to {np.nanmax(log.x):.1f} m, y {np.nanmin(log.y):.1f} to '
                         f'{np.nanmax(log.y):.1f} m; is its transform right?')
    return np.where(inside, x, np.nan), np.where(inside, y, np.nan)


def _held(time: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return a flow with its last known value held, where that is too old, and where none was ever known."""
    known = np.isfinite(x) & np.isfinite(y)
    if known.all():
        return x, y, np.zeros(x.size, dtype=bool), np.zeros(x.size, dtype=bool)
    rows = np.arange(x.size)
    last = np.maximum.accumulate(np.where(known, rows, -1))
    missing = last < 0
    last = np.maximum(last, 0)
    stale = ~known & ~missing
    return (np.where(missing, np.nan, x[last]), np.where(missing, np.nan, y[last]), stale, missing)


def _note_holes(log: Log, name: str, medium: str, stale: np.ndarray, missing: np.ndarray, notes: list[Note]) -> None:
    for rows, code, text in ((missing, 'missing', 'is not known at the start of'), (stale, 'stale', 'is missing in')):
        if rows.any():
            share = float(rows.mean())
            after = 'no power there' if code == 'missing' else 'the last known one is used there'
            notes.append(Note(WARNING, f'{name}_{code}', f'the {name} ({medium}) {text} {100.0 * share:.1f} % of the '
                              f'samples; {after}', {'share': share}))


def _accelerations(log: Log, velocity: np.ndarray, options: Options, notes: list[Note]) -> tuple[np.ndarray, ...]:
    own = ('u_dot', 'v_dot', 'r_dot')
    if options.time_constant is None and log.known(*own):
        notes.append(Note(INFO, 'acceleration_of_the_log', 'the accelerations are those in the log'))
        return tuple(np.array(getattr(log, name)) for name in own)
    rates = derivatives(log.time, velocity, options.time_constant or 0.0, options.max_gap)
    return tuple(np.ascontiguousarray(column) for column in rates.T)


def _power(motion: Motion, flow: Flow, boat: Boat, convention: str) -> Power:
    """Return the Power at every sample, computed in pieces: a million samples at once would need a gigabyte."""
    kernel: Callable[[Motion, Flow, object], Power] = CONVENTIONS[convention]
    n = motion.u.size
    power = Power(*(np.empty(n) for _ in Power._fields))
    with np.errstate(invalid='ignore'):
        for first in range(0, n, CHUNK):
            piece = slice(first, first + CHUNK)
            part = kernel(Motion(*(values[piece] for values in motion)), Flow(*(values[piece] for values in flow)),
                          boat.vessel)
            for whole, values in zip(power, part):
                whole[piece] = values
    return power


def thruster_power(drive: Drive) -> np.ndarray | None:
    """
    Return the mechanical power of the thrusters themselves, W: the recorded thrusts times the velocity through water.

    None where the log has no thrusts of the boat's thrusters. Beside the model's thrust power it is the closure.
    """
    thrust = thrusts_of(drive.log, drive.boat)
    if thrust is None:
        return None
    surge, sway, yaw = hull_force(list(thrust.T), drive.boat.vessel)
    return surge * drive.power.u_r + sway * drive.power.v_r + yaw * drive.power.r


def thrusts_of(log: Log, boat: Boat) -> np.ndarray | None:
    """Return the thrusts in a log in the order of the boat's thrusters, N, shape (n, thrusters); None if not there."""
    if len(log.thrusters) != len(boat.thruster_names) or not log.known('thrust'):
        return None
    if set(log.thrusters) == set(boat.thruster_names):
        return log.thrust[:, [log.thrusters.index(name) for name in boat.thruster_names]]
    return log.thrust


def course_over_ground(drive: Drive) -> np.ndarray:
    """Return the course over ground at each sample, rad (ENU)."""
    return drive.motion.yaw + np.arctan2(drive.motion.v, drive.motion.u)


def mean_or_nan(values: np.ndarray) -> float:
    """Return the mean of the numbers among values; NaN of none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else math.nan
