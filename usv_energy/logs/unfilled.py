"""Series that nobody fills in, or that stand still while the boat moves on, by what the others say: to be left out."""

import math

import numpy as np

from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.step_gate import FASTEST
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_earth

MOVED = 5.0         # m: a boat that went so far by its velocities did not stay where it was.
WANDERED = 20.0     # m: the same by its positions, which wander at rest.
TURNED = 0.5        # rad: the same of its heading.
STANDS = 10.0       # s: positions that stand still for longer while the boat moves on are held.
ON, STAYS = 20.0, 0.1  # s in which a boat under way goes MOVED, and share of that in which noise alone leaves a place.
LOOKED_AT = 2000    # Places, evenly spread, that a course is taken from.
CURVED = 1.0        # rad: a way that turns by so much has no constant heading.
LEAST = 30          # Samples from which on a series that never changes is looked at.
Series = dict[str, np.ndarray]
VELOCITIES = ('u', 'v', 'velocity_x', 'velocity_y', 'speed')


def without_unfilled(known: Series, time: np.ndarray, notes: list[Note]) -> Series:
    """
    Return the series of a log's motion without what was not filled in.

    Positions that stand still while the velocities say that the boat moves on, velocities that are 0 while the
    positions move, and yaw rates that are 0 while the heading turns.

    :param known: By name, in house units and frames, each of shape (n,).
    :param time: s, rising, shape (n,).
    :param notes: What was left out is added to these.
    """
    if time.size < LEAST:
        return known
    known = dict(known)
    still = _all_zero(known, *VELOCITIES)
    extent = _extent(known['x'], known['y']) if 'x' in known else 0.0
    if still and extent > WANDERED:
        for name in still:
            del known[name]
        notes.append(Note(WARNING, 'velocity_never_filled', f'{", ".join(still)} are 0 all the time, while the '
                          f'positions move by {extent:.0f} m: nobody filled them in; the positions are used',
                          {'moved_m': extent}))
    if 'yaw' in known and _all_zero(known, 'r') and (turned := _turned(known['yaw'])) > TURNED:
        del known['r']
        notes.append(Note(WARNING, 'yaw_rate_never_filled', 'the yaw rate is 0 all the time, while the heading turns '
                          f'by {turned:.2f} rad: nobody filled it in; the heading is used', {'turned_rad': turned}))
    if 'x' in known and not still:
        _without_held(known, time, notes)
    if 'x' in known and 'yaw' in known and (headings := _finite(known['yaw'])).size and not np.ptp(headings) and (
            turned := _course_turned(known['x'], known['y'], time)) > CURVED:
        del known['yaw']
        known.pop('r', None)
        notes.append(Note(WARNING, 'heading_never_filled', 'the heading is the same in all samples, while the way '
                          f'through the positions turns by {turned:.2f} rad: nobody filled it in; it is left out',
                          {'turned_rad': turned}))
    return known


def _course_turned(x: np.ndarray, y: np.ndarray, time: np.ndarray) -> float:
    """Return by how much the way through some places turns, rad, in steps of at least MOVED within ON."""
    there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    there = there[::max(there.size // LOOKED_AT, 1)]
    courses, last = [], None
    for at in zip(time[there].tolist(), x[there].tolist(), y[there].tolist()):
        if last is None or math.dist(at[1:], last[1:]) > MOVED:
            if last is not None and MOVED < math.dist(at[1:], last[1:]) < FASTEST * (at[0] - last[0]) < FASTEST * ON:
                courses.append(math.atan2(at[2] - last[2], at[1] - last[1]))
            last = at
    return float(np.ptp(np.unwrap(courses))) if courses else 0.0


def _without_held(known: Series, time: np.ndarray, notes: list[Note]) -> None:
    """Make NaN of the positions that stand still while the boat moves on; leave them out where all do."""
    there = np.flatnonzero(np.isfinite(known['x']) & np.isfinite(known['y']))
    way = _way(known, time)
    if there.size < LEAST or way is None:
        return
    x, y = known['x'][there], known['y'][there]
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(x) != 0.0) | (np.diff(y) != 0.0)]))
    ends = np.append(begins[1:], x.size)
    noise = _noise_alone(x, y, way, time)
    if begins.size == 1 or noise:
        moved = float(np.hypot(way[0] - way[0][0], way[1] - way[1][0]).max())
        if moved > MOVED:
            del known['x'], known['y']
            what = 'hardly changes' if noise and begins.size > 1 else 'is the same in all samples'
            notes.append(Note(WARNING, 'position_never_filled', f'the position {what}, while the velocities take the '
                              f'boat {moved:.0f} m away: nobody filled it in; the velocities are used',
                              {'moved_m': moved}))
        return
    long = np.flatnonzero(time[there[ends - 1]] - time[there[begins]] > STANDS)
    held, lost, moved = 0, 0.0, 0.0
    for begin, end in zip(begins[long], ends[long]):
        rows = there[begin:end]
        gone = float(np.hypot(way[0][rows] - way[0][rows[0]], way[1][rows] - way[1][rows[0]]).max())
        if gone > MOVED:
            out = rows if begin == 0 else rows[1:]
            for name in ('x', 'y'):
                known[name] = known[name].copy()
                known[name][out] = np.nan
            held, lost, moved = held + 1, lost + float(time[rows[-1]] - time[rows[0]]), max(moved, gone)
    if held:
        where = 'one stretch' if held == 1 else f'{held} stretches'
        notes.append(Note(WARNING, 'position_held', f'the position stands still in {where}, {lost:.1f} s in all, while '
                          f'the velocities take the boat up to {moved:.0f} m on: it is not used there',
                          {'stretches': held, 'duration_s': lost, 'moved_m': moved}))


def _noise_alone(x: np.ndarray, y: np.ndarray, way: tuple[np.ndarray, np.ndarray], time: np.ndarray) -> bool:
    """Return whether positions stay where they are, but for noise, while the velocities take the boat on and on."""
    later = np.searchsorted(time, time + ON)
    rows = np.flatnonzero(later < time.size)
    if not rows.size:
        return False
    usual = float(np.median(np.hypot(*(one[later[rows]] - one[rows] for one in way))))
    extent = max(float(np.ptp(np.percentile(one, (1.0, 99.0)))) for one in (x, y))
    return usual > MOVED and extent < STAYS * usual


def _way(known: Series, time: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return how far the velocities take the boat, m east and north, shape (n,) each; None where they are not known."""
    if 'velocity_x' in known:
        east, north = known['velocity_x'], known['velocity_y']
    elif 'u' in known and 'yaw' in known:
        east, north = to_earth(known['u'], known.get('v', np.zeros(time.size)), cos(known['yaw']), sin(known['yaw']))
    elif 'speed' in known or 'u' in known:
        east, north = known.get('speed', known.get('u', np.zeros(time.size))), np.zeros(time.size)
    else:
        return None
    steps = np.diff(time)
    return _summed(east, steps), _summed(north, steps)


def _summed(velocity: np.ndarray, steps: np.ndarray) -> np.ndarray:
    known = np.where(np.abs(velocity) < FASTEST, velocity, 0.0)
    return np.concatenate([[0.0], np.cumsum(0.5 * (known[1:] + known[:-1]) * steps)])


def _all_zero(known: Series, *names: str) -> list[str]:
    """Return those of some series that are there, if all of them are 0 wherever they are known; else none."""
    there = [name for name in names if name in known and np.isfinite(known[name]).any()]
    return there if not any(np.nan_to_num(known[name]).any() for name in there) else []


def _finite(values: np.ndarray) -> np.ndarray:
    return values[np.isfinite(values)]


def _turned(yaw: np.ndarray) -> float:
    """Return by how much a heading turns, rad, but for a hundredth of its samples at either end."""
    known = _finite(yaw)
    return float(np.ptp(np.percentile(np.unwrap(known), (1.0, 99.0)))) if known.size else 0.0


def _spread(values: np.ndarray) -> float:
    return float(np.ptp(values)) if values.size else 0.0


def _extent(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.hypot(_spread(_finite(x)), _spread(_finite(y))))
