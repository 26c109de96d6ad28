"""Series that nobody fills in, or that stand still while the boat moves on, by what the others say: to be left out."""

import numpy as np

from usv_energy.logs.log import WARNING, Note
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_earth

MOVED = 5.0         # m: a boat that went so far by its velocities did not stay where it was.
WANDERED = 20.0     # m: the same by its positions, which wander at rest.
TURNED = 0.5        # rad: the same of its heading.
STANDS = 10.0       # s: positions that stand still for longer while the boat moves on are held.
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
    return known


def _without_held(known: Series, time: np.ndarray, notes: list[Note]) -> None:
    """Make NaN of the positions that stand still while the boat moves on; leave them out where all do."""
    there = np.flatnonzero(np.isfinite(known['x']) & np.isfinite(known['y']))
    way = _way(known, time)
    if there.size < LEAST or way is None:
        return
    x, y = known['x'][there], known['y'][there]
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(x) != 0.0) | (np.diff(y) != 0.0)]))
    ends = np.append(begins[1:], x.size)
    if begins.size == 1:
        moved = float(np.hypot(way[0] - way[0][0], way[1] - way[1][0]).max())
        if moved > MOVED:
            del known['x'], known['y']
            notes.append(Note(WARNING, 'position_never_filled', f'the position is the same in all samples, while the '
                              f'velocities take the boat {moved:.0f} m away: nobody filled it in; the velocities are '
                              'used', {'moved_m': moved}))
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
    known = np.nan_to_num(velocity)
    summed: np.ndarray = np.concatenate([[0.0], np.cumsum(0.5 * (known[1:] + known[:-1]) * steps)])
    return summed


def _all_zero(known: Series, *names: str) -> list[str]:
    """Return those of some series that are there, if all of them are 0 wherever they are known; else none."""
    there = [name for name in names if name in known and np.isfinite(known[name]).any()]
    return there if not any(np.nan_to_num(known[name]).any() for name in there) else []


def _finite(values: np.ndarray) -> np.ndarray:
    known: np.ndarray = values[np.isfinite(values)]
    return known


def _turned(yaw: np.ndarray) -> float:
    """Return by how much a heading turns, rad, but for a hundredth of its samples at either end."""
    known = _finite(yaw)
    return float(np.ptp(np.percentile(np.unwrap(known), (1.0, 99.0)))) if known.size else 0.0


def _spread(values: np.ndarray) -> float:
    return float(np.ptp(values)) if values.size else 0.0


def _extent(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.hypot(_spread(_finite(x)), _spread(_finite(y))))
