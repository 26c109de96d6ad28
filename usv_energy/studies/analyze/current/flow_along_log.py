"""Current and wind along a log's track: as recorded, as given by the user, or from a flow file."""

from datetime import datetime, timezone
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import laid_on_earth, place_words, remarks_of
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.motion.flow_series import flow_series
from usv_energy.logs.motion.noise_levels import Estimate
from usv_energy.physics.motion import Flow
from usv_energy.units import moment_words

ASKED = 20000             # Times at most at which an unsteady flow is asked along a track; between them it is linear.
ESTIMATED, RECORDED = MOTIONS = ('estimated', 'recorded')
AUTO, ALLOCATED = ACTUATORS = ('auto', 'allocated')
ASSUMED_STILL, FROM_THRUSTS = 'assumed still', 'estimated from the thrusts'
ONE_COURSE = 0.97         # Length of the mean unit vector of the headings above which a log has one course.
SINCE_1970 = 1e9          # s: a log that starts later than this says its date.
MEDIA = {'current': 'water', 'wind': 'air'}

FlowOverride = UniformFlow | FlowFile | None


class AnalysisOptions(NamedTuple):
    """
    How a log is analysed.

    Convention of the power; motion: `estimated` from all that the log has, or `recorded`, noise and all; water and air
    where they are not to be the log's; the share of the log's own wind that blows at the boat, (-); whether a flow that
    nobody says is looked for in the sway; who says the thrusts: the log where it does (`auto`), or always the cheapest
    way to give what the motion needs (`allocated`); whether waves are looked for in heave, roll and pitch, and how deep
    in the water, m, their drift was taken that the current holds (0 for a drifter at the surface; None: it holds none),
    and that drift itself, m/s (ENU), where it is known; the sea where it is told: significant height, m (0: calm),
    period of the peak, s, towards which it runs, rad (ENU).
    """

    convention: str = 'rep103'
    motion: str = ESTIMATED
    current: FlowOverride = None
    wind: FlowOverride = None
    wind_share: float = 1.0
    find_flow: bool = True
    actuators: str = AUTO
    waves: bool = True
    drift_depth: float | None = None
    drift: tuple[float, float] | None = None
    sea: tuple[float, float, float] | None = None


class FlowAlongLog(NamedTuple):
    """
    The Flow at every sample, arrays of shape (n,).

    `stale`, by `current` and `wind`: where another sample's value is held, the last known one; `early`: at how many
    samples at the start none was known yet, and the first one is held back; `sources`: where each comes from, in words;
    `estimates`: of those that were measured with noise.
    """

    flow: Flow
    stale: dict[str, np.ndarray]
    early: dict[str, int]
    sources: dict[str, str]
    notes: list[Note]
    estimates: dict[str, Estimate]


def laid_along_log(log: Log, options: AnalysisOptions) -> AnalysisOptions:
    """Return options whose flow files' flows lie where on the Earth, and files of data when, they and the log say."""
    plane = None if log.origin is None else LocalPlane(log.origin)
    current, wind = (_on_clock_of(log, laid_on_earth(flow, plane, 'the log'), name) if isinstance(flow, FlowFile)
                     else flow for name, flow in (('current', options.current), ('wind', options.wind)))
    return options._replace(current=current, wind=wind)


def _on_clock_of(log: Log, flow: FlowFile, name: str) -> FlowFile:
    """Return a flow in the time of a log, if it is a file of data that changes; InputError if the log is not in it."""
    zero = flow.zero
    if not (flow.is_data and flow.changes and zero is not None):
        return flow
    if log.start <= SINCE_1970:
        raise InputError(f'--{name} {flow.path}: changes, {flow.span_words}, and {log.path} does not say its date '
                         '(UTC); name the file in a flow file (YAML) with time: {mode: hold, start: S}, S being the '
                         "file's time, s from its first, when the log begins")
    on_clock = flow.from_moment(log.start)
    begin, end = (datetime.fromtimestamp(log.start + float(log.time[row]), timezone.utc) for row in (0, -1))
    if on_clock.clock.start + log.time[0] > flow.clock.last or on_clock.clock.start + log.time[-1] < flow.clock.first:
        raise InputError(f'--{name} {flow.path}: holds {flow.span_words}, and {log.path} is from {moment_words(begin)} '
                         f'to {moment_words(end)}')
    return on_clock


def flow_along_log(log: Log, options: AnalysisOptions) -> FlowAlongLog:
    """Return current and wind along a log's track; InputError if a flow file has no value on it at all."""
    values: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    stale, early, sources, notes, estimates = {}, {}, {}, [], {}
    for name, medium in MEDIA.items():
        given = getattr(options, name)
        notes += [Note(WARNING, f'{name}_place', remark) for remark in remarks_of(given)]
        x, y, sources[name] = _velocity(log, given, name)
        if name == 'wind' and sources[name] == 'log':
            x, y = options.wind_share * x, options.wind_share * y
        if sources[name] == ASSUMED_STILL:
            notes.append(_assumed_still(log, name))
        if sources[name] == 'log' and options.motion == ESTIMATED:
            x, y, said, estimate = flow_series(name, log.time, x, y, log.max_gap)
            notes += said
            if estimate is not None:
                estimates[name] = estimate
        x, y, stale[name], early[name] = _held(x, y)
        values[name] = x, y
        notes += _note_holes(name, medium, stale[name], early[name])
    return FlowAlongLog(Flow(*values['current'], *values['wind']), stale, early, sources, notes, estimates)


def moves(log: Log, options: AnalysisOptions, name: str) -> bool:
    """Return whether the current or the wind, as the options or else the log have it, is anything but still."""
    given: FlowOverride = getattr(options, name)
    if given is not None:
        return not isinstance(given, UniformFlow) or given.speed > 0.0
    series = getattr(log, f'{name}_x'), getattr(log, f'{name}_y')
    return any(bool((np.abs(values[np.isfinite(values)]) > 0.0).any()) for values in series)


def _velocity(log: Log, given: FlowOverride, name: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Return a flow's velocity at every sample, m/s (ENU), and where it comes from."""
    n = len(log)
    if isinstance(given, UniformFlow):
        return np.broadcast_to(given.x, n), np.broadcast_to(given.y, n), 'given'
    if given is not None:
        return *_of_flow_file(log, given, name), f'flow file {given.path}'
    if log.known(f'{name}_x', f'{name}_y'):
        return np.array(getattr(log, f'{name}_x')), np.array(getattr(log, f'{name}_y')), 'log'
    return np.broadcast_to(0.0, n), np.broadcast_to(0.0, n), ASSUMED_STILL


def _assumed_still(log: Log, name: str) -> Note:
    what = {'current': 'water current', 'wind': 'wind'}[name]
    more = {'current': ': on the one course of this log a current along it leaves no trace in the motion, so energy '
                       'and interval hold for a still one only' if _on_one_course(log) else '',
            'wind': ', so the wind is what the boat makes itself'}[name]
    return Note(WARNING, f'{name}_assumed_none',
                f'the log has no {what} and none was given (--{name}): it is taken as still{more}')


def _on_one_course(log: Log) -> bool:
    """Return whether a log's headings lie within some 14 degrees: by the length of the mean of their unit vectors."""
    yaw = log.yaw[np.isfinite(log.yaw)] if log.known('yaw') else np.empty(0)
    return len(yaw) > 0 and bool(abs(np.exp(1j * yaw).mean()) > ONE_COURSE)


def _of_flow_file(log: Log, flow: FlowFile, name: str) -> tuple[np.ndarray, np.ndarray]:
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
                         f'{np.nanmax(log.y):.1f} m: {_where(log, flow)}')
    return np.where(inside, x, np.nan), np.where(inside, y, np.nan)


def _where(log: Log, flow: FlowFile) -> str:
    """Return where a log's way begins on the flow's map, in words."""
    row = int(np.argmax(np.isfinite(log.x) & np.isfinite(log.y)))
    return f'it begins at {place_words(flow, float(log.x[row]), float(log.y[row]))}; is its transform right?'


def _held(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return a flow with its last known value held, and the first one before it; where it is held; samples before."""
    known = np.isfinite(x) & np.isfinite(y)
    if known.all():
        return x, y, ~known, 0
    first = int(known.argmax())
    last = np.maximum(np.maximum.accumulate(np.where(known, np.arange(x.size), -1)), first)
    return x[last], y[last], ~known, first


def _note_holes(name: str, medium: str, stale: np.ndarray, early: int) -> list[Note]:
    notes = []
    for rows, code, where, then in (
            (early, 'missing', 'is not known at the start of', 'the first known one is used there'),
            (int(stale.sum()) - early, 'stale', 'is missing in', 'the last known one is used there')):
        if rows:
            share = rows / stale.size
            notes.append(Note(WARNING, f'{name}_{code}', f'the {name} ({medium}) {where} {100.0 * share:.1f} % of the '
                              f'samples; {then}', {'share': share}))
    return notes
