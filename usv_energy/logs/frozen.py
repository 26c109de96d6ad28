"""Stretches of a log in which series repeat their last value, or are 0, while others show that the boat moves on."""

import math
import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.step_gate import LONGER, UNDER_WAY

FROZEN = 1.0       # s: values that stay the same for longer are looked at.
ZEROS = 0.5        # s: likewise of velocities that are 0.
MOVED = 1.0        # m: positions that move by so much are not those of a boat at rest.
JUMP, JUMPS = 0.4, 2.0  # m, and so many usual steps: a step beyond both is a jump.
# m: usual steps of positions without velocities that are too coarse for their rate, where less than this share of them
COARSE, REPEATED, THIN, LEAST = 0.3, 0.5, 0.4, 40  # are new; s, of which one is kept then; fewest samples.
CELL = 0.05        # m, and share of a cell of a grid: less is none.
# m: std of a place whose time is exact; share of the squared errors of times that is left to a spline; borders up to
SURE, LEFT, LEAST_CROSSED = 0.02, 0.2, 4  # which it goes through all of them.
NEAR = 3           # Borders that say the speed before the first and after the last.
JUMPED = 2.5       # A change by more cells of a grid is no way from one to the next.
FAR = 5.0          # m: a first position this far from 0, 0 does not follow from it.
TURNED = 0.2       # rad: a heading that stands still for so much of a turn is held.
EVERY = ('x', 'y', 'yaw', 'u', 'v', 'r', 'velocity_x', 'velocity_y')

Series = dict[str, np.ndarray]


def without_frozen(known: Series, time: np.ndarray, notes: list[Note]) -> Series:
    """
    Return the series of a log's motion without values that are held or 0 while the boat moves on.

    All series that stand still at once, positions and velocities that are 0 before the first of them, and velocities
    that are 0 while the positions move, become NaN there, and so do positions that stand still and then jump, with
    velocities that do likewise; a heading that stands still while the yaw rate turns is that of the yaw rate.

    :param known: By name, in house units and frames, each of shape (n,).
    :param time: s, rising, shape (n,).
    :param notes: What was left out is added to these.
    """
    if time.size < 2:
        return known
    known, pair = dict(known), _velocities(known)
    places = [name for name in ('x', 'y') if name in known]
    if places and pair:
        _leave_out(known, [*places, *pair], list(_zeros_before(known, pair)), time, notes, 'series_not_begun',
                   'position and velocity are 0, and then the position is elsewhere: nobody filled them in')
        every = [name for name in EVERY if name in known]
        frozen = [(begin + 1, end) for begin, end in _held(known, every, time, FROZEN)
                  if math.hypot(*(known[name][begin] for name in pair)) > UNDER_WAY]
        _leave_out(known, every, frozen, time, notes, 'series_frozen',
                   'nothing changes while the boat is under way: the values are old ones')
        zeros = [run for run in _held(known, pair, time, ZEROS) if not known[pair[0]][run[0]]
                 and not known[pair[1]][run[0]] and _extent(known, places, *run) > MOVED]
        _leave_out(known, pair, zeros, time, notes, 'velocity_zero',
                   'the velocity is 0 while the positions move on: it is not used there')
    if places:
        _leave_out(known, [*places, *pair], list(_old_places(known, [*places, *pair], time)), time, notes,
                   'position_held', f'the position {"and the velocity stand" if pair else "stands"} still, and then it '
                   'is elsewhere at once: the values are old ones')
    if places and not pair:
        _thin_coarse(known, time, notes)
    if pair and 'yaw' in known and 'r' in known:
        _turn_by_gyro(known, time, notes)
    return known


def _velocities(known: Series) -> tuple[str, ...]:
    """Return the names of the velocities that a log has."""
    return next((pair for pair in (('u', 'v'), ('velocity_x', 'velocity_y')) if all(one in known for one in pair)),
                ())


def _held(known: Series, names: Sequence[str], time: np.ndarray, longest: float
          ) -> Iterator[tuple[int, int]]:
    """Yield begins and ends of runs in which all of some series stay the same, for longer than is usual."""
    new = np.ones(time.size, dtype=bool)
    new[1:] = np.any([known[name][1:] != known[name][:-1] for name in names], axis=0)
    begins = np.flatnonzero(new)
    ends = np.append(begins[1:], time.size)
    lengths = ends - begins
    usual = float(np.median(np.repeat(lengths, lengths)))
    last = time[ends - 1] - time[begins]
    for row in np.flatnonzero((last > longest) & (lengths > LONGER * usual)):
        yield int(begins[row]), int(ends[row])


def _old_places(known: Series, names: Sequence[str], time: np.ndarray) -> Iterator[tuple[int, int]]:
    """
    Yield runs in which some series repeat their values, where the position then jumps as of a boat under way.

    Not where the speed says that it rests, or, if none is told, next to another such run: at a mooring a receiver may
    keep its place, and set it anew at times.
    """
    steps = np.hypot(np.diff(known['x']), np.diff(known['y']))
    usual = float(np.median(steps[steps > 0.0])) if (steps > 0.0).any() else 0.0
    speed = np.hypot(*(known[name] for name in names[2:])) if names[2:] else known.get('speed', np.nan * time)
    runs = list(_held(known, names, time, FROZEN))
    ends, begins = {end for _, end in runs}, {begin for begin, _ in runs}
    for begin, end in runs:
        if end < time.size and steps[end - 1] > max(JUMP, JUMPS * usual, UNDER_WAY * (time[end] - time[begin])):
            told = np.median(np.abs(speed[[begin, begin + 1, end]]))
            if told > UNDER_WAY or (np.isnan(told) and begin not in ends and end not in begins):
                yield begin + 1, end


def _thin_coarse(known: Series, time: np.ndarray, notes: list[Note]) -> None:
    """Take places on a grid of COARSE and more where they change, on the border of two cells; keep one in THIN s."""
    there = np.flatnonzero(np.isfinite(known['x']) & np.isfinite(known['y']))
    at, places = time[there], np.column_stack([known['x'][there], known['y'][there]])
    apart = np.abs(np.diff(places, axis=0))
    apart = np.where(apart > CELL, apart, 0.0)
    new = (apart > 0.0)[:, 0] | (apart > 0.0)[:, 1]
    changes = apart[new]
    moves_on = np.count_nonzero(new[1:] & new[:-1]) >= REPEATED * len(changes)  # Where it does not rest.
    if there.size < LEAST or moves_on or len(changes) >= REPEATED * there.size:
        return
    size = np.min(np.where(changes > 0.0, changes, math.inf), axis=0)
    cells = changes / size
    one_way = (cells.min(axis=1) == 0.0).mean() > REPEATED  # Those of a slower source change both ways at once.
    if size.min() < COARSE or not one_way or (np.abs(cells - np.round(cells)) > CELL).any():
        return
    far = np.concatenate([[False], (apart > JUMPED * size).any(axis=1), [False]])
    near = ~(far[1:] & far[:-1])                            # But for single ones that are elsewhere.
    there, at, places = there[near], at[near], places[near]
    rows = np.diff(np.floor(at / THIN), prepend=-1.0) > 0.0
    for name, values, cell in zip('xy', places.T, size.tolist()):
        known[name] = np.full(time.size, math.nan)
        known[name][there[rows]] = _between_borders(at, values, cell)[rows]
    crossed = np.flatnonzero((np.abs(np.diff(places, axis=0)) > CELL).any(axis=1))
    # One that rested there sets off slowly beside it.
    ends = {'first_s': float(at[crossed[0] + 1]) + FROZEN, 'last_s': float(at[crossed[-1]]) - FROZEN}
    step = float(np.median(np.hypot(*changes.T)))
    notes.append(Note(WARNING, 'coarse_places', f'the positions come in steps of {step:.2g} m (too few digits?): they '
                      'are taken where they change, halfway', {'step_m': step, **ends}))


def _between_borders(time: np.ndarray, values: np.ndarray, cell: float) -> np.ndarray:
    """
    Return values on a grid of cells as splines by the borders that they cross, within their cells.

    Samples tell when a border was crossed to a step of time: a spline through all of them would sway between them.
    """
    from scipy.interpolate import CubicSpline, UnivariateSpline
    fine, steps = values.copy(), np.abs(np.diff(values))
    jumps = [0, *(np.flatnonzero(steps > JUMPED * cell) + 1).tolist(), time.size]
    for begin, end in pairwise(jumps):
        crossed = begin + np.flatnonzero(steps[begin:end - 1] > CELL)
        if not crossed.size:
            continue
        when, where = (0.5 * (one[crossed] + one[crossed + 1]) for one in (time, values))
        new = (np.diff(when, prepend=-math.inf) > THIN) | (np.diff(where, prepend=math.inf) != 0.0)
        group = np.cumsum(new) - 1                          # To and fro over one border is one crossing.
        when, where = (np.bincount(group, one) / np.bincount(group) for one in (when, where))
        inside = np.clip(time[begin:end], when[0], when[-1])
        if when.size > LEAST_CROSSED:
            off = np.hypot(SURE, np.gradient(where, when) * np.median(np.diff(time)) / math.sqrt(12.0))
            with warnings.catch_warnings(action='ignore'):  # That it leaves a little more.
                spline = UnivariateSpline(when, where, w=1.0 / off, s=LEFT * when.size)(inside)
        else:
            spline = CubicSpline(when, where)(inside) if when.size > 1 else where[0]
        if when.size > 1:                                   # Beyond the first and the last border at the speed there.
            near, beyond = min(when.size, NEAR) - 1, time[begin:end] - inside
            spline = spline + np.where(beyond < 0.0, (where[near] - where[0]) / (when[near] - when[0]),
                                       (where[-1] - where[~near]) / (when[-1] - when[~near])) * beyond
        fine[begin:end] = np.clip(spline, values[begin:end] - 0.5 * cell, values[begin:end] + 0.5 * cell)
    return fine


def _zeros_before(known: Series, pair: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the run of positions and velocities of 0 that a log begins with, if the position jumps away from there."""
    moved = np.flatnonzero(np.any([known[name] != 0.0 for name in ('x', 'y', *pair)], axis=0))
    if moved.size and moved[0] > 1 and math.hypot(known['x'][moved[0]], known['y'][moved[0]]) > FAR:
        yield 0, int(moved[0])


def _extent(known: Series, places: Sequence[str], begin: int, end: int) -> float:
    found = [known[name][begin:end] for name in places]
    found = [one[np.isfinite(one)] for one in found]
    return float(math.hypot(*(np.ptp(one) for one in found if one.size)))


def _leave_out(known: Series, names: Sequence[str], runs: list[tuple[int, int]], time: np.ndarray, notes: list[Note],
               code: str, words: str) -> None:
    """Make NaN of some series in runs of samples, with a note."""
    if not runs:
        return
    for name in names:
        known[name] = known[name].copy()
        for begin, end in runs:
            known[name][begin:end] = math.nan
    lost = sum(float(time[end - 1] - time[begin]) for begin, end in runs)
    notes.append(Note(WARNING, code, f'{_stretches(len(runs))} of {lost:.1f} s in all, from '
                      f'{time[runs[0][0]]:.1f} s on: {words}', {'stretches': len(runs), 'duration_s': lost}))


def _stretches(number: int) -> str:
    return 'one stretch' if number == 1 else f'{number} stretches'


def _turn_by_gyro(known: Series, time: np.ndarray, notes: list[Note]) -> None:
    """Replace headings that are held in a turn by those of the yaw rate, which end where the heading goes on."""
    steps = np.diff(time)
    rate = np.nan_to_num(known['r'])
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * steps)])
    held, lost = 0, 0.0
    for begin, end in list(_held(known, ('yaw',), time, FROZEN)):
        if not np.ptp(turned[begin:end]) > TURNED or not np.isfinite(known['yaw'][begin]):
            continue
        rows = np.arange(begin, min(end + 1, time.size))
        way = turned[rows] - turned[begin]
        if end < time.size and np.isfinite(known['yaw'][end]):
            missed = math.remainder(float(known['yaw'][end] - known['yaw'][begin] - way[-1]), math.tau)
            way = way + missed * (time[rows] - time[begin]) / (time[end] - time[begin])
        known['yaw'] = known['yaw'].copy()
        known['yaw'][begin:end] = known['yaw'][begin] + way[:end - begin]
        held, lost = held + 1, lost + float(time[end - 1] - time[begin])
    if held:
        notes.append(Note(WARNING, 'heading_held', f'the heading stands still in {counted(held, "turn")}, '
                          f'{lost:.1f} s in all: that of the yaw rate is used there',
                          {'stretches': held, 'duration_s': lost}))
