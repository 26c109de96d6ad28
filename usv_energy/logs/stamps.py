"""
The times of a series whose stamps may be wrong: unset, of another clock, out of order, or of a clock that was set.

One rule for the readers of all files. What is left out, sorted or moved is noted, and never more than that: the stamps
themselves are believed. Parts of a recording whose clock was set in between follow each other, the longest at its own
stamps, each behind a gap: nothing is integrated from one part to the next.
"""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import PERIOD, SECONDS
from usv_energy.logs.log import CLOCK_SET, INFO, WARNING, Note
from usv_energy.physics.sampling import longest_interval, period_of

STRAYS = 3              # Stamps in a row, at most, that are wrong by themselves; more are a part of their own.
UNSET = 60.0            # s: a stamp of 0 further than this from all of a clock was not set.
TOGETHER = 60           # Samples, at most, that have these stamps: messages of several kinds, or a clock that stood.
MANY = 10               # Samples from which on a run of earlier stamps is looked at for what else was recorded then.
OCCUPIED = 0.2          # Share of such a run's samples from which on others were recorded at those times.
FEW_RUNS = 20           # Runs of earlier stamps, at most, of a clock that was set; more are messages out of order.
RISING = 0.4            # Share of the steps' sizes by which a run of such stamps must rise in all.
STEADY = 1.5            # Steps of a clock that was set back, at most, by which it passes its latest time before.
MOST_PARTS = 50         # Parts of one recording; a series with more is no series of times.
REBOOT = 5.0            # s: messages of several kinds that go back by less only came by two ways. Their least gap, too.
YEAR = 3.15e7           # s: no recording has such a hole; its clock was set.
SET_FORWARD = 10.0      # s: least jump ahead, without a pause of the recording, of a clock that was set.


class ClockPart(NamedTuple):
    """
    A part of a series in which its clock was not set: its samples, in order of arrival, and what moves it.

    `begin`, `end`: the first sample and the one after the last, among those that have a time; `shift`: s, added to its
    stamps; `first`, `last`: the earliest and the latest of these, s.
    """

    begin: int
    end: int
    shift: float
    first: float
    last: float


class CleanTimes(NamedTuple):
    """
    The times of a series.

    `time`: s, NaN for what is left out, in order of arrival, shape (n,). `rows`: the samples in order of time, each
    time once, shape (m,). `repeated`: samples whose time another has, shape (k,). `parts`: of the recording, in order;
    `order`: when samples arrived, rising, shape (n,), None where nobody knows.
    """

    time: np.ndarray
    rows: np.ndarray
    repeated: np.ndarray
    parts: tuple[ClockPart, ...]
    order: np.ndarray | None

    @property
    def rising(self) -> np.ndarray:
        """The times, s, strictly rising, shape (m,)."""
        return self.time[self.rows]


def clean_times(stamps: np.ndarray, what: str, path: Path, notes: list[Note], received: np.ndarray | None = None,
                mixed: bool = False) -> CleanTimes:
    """
    Return the times of a series by its stamps.

    Left out are stamps that are no number, those of 0 beside others far from 0, and up to three in a row that lie far
    from those before and after them. Stamps out of order are put in order. Where the clock was set back, or ahead by
    more than a recording pauses, a new part begins.

    :param stamps: s, in order of arrival, shape (n,).
    :param what: Whose stamps these are, for notes: `/odom`, `column 'time'`.
    :param path: Of the log, for errors.
    :param notes: What was found is added to these.
    :param received: When they arrived, s of a clock that was not set, shape (n,); None: not known.
    :param mixed: Whether the stamps are of messages of several kinds, which are never in order among each other.
    :raises InputError: If the stamps go back so often that they are no times.
    """
    steps = np.diff(stamps)
    order = received if received is not None and (np.diff(received) >= 0.0).all() else None
    period = period_of(stamps)
    longest = longest_interval(period)
    if stamps.size and np.isfinite(stamps).all() and (not steps.size or (steps.min() > 0.0 and steps.max() <= longest)):
        _check_span(stamps, what, path)
        whole = ClockPart(0, stamps.size, 0.0, float(stamps[0]), float(stamps[-1]))
        return CleanTimes(stamps, np.arange(stamps.size), np.zeros(0, dtype=int), (whole,), order)
    kept = _kept(stamps, what, longest, notes)
    values = stamps[kept]
    begins = _part_begins(values, longest, None if order is None else order[kept], mixed, what, path)
    gap = max(longest + (period if period > 0.0 else 0.0), REBOOT if mixed else 0.0)
    parts = _moved(values, begins, gap, None if order is None else order[kept])
    time = np.full(stamps.size, np.nan)
    for part in parts:
        time[kept[part.begin:part.end]] = values[part.begin:part.end] + part.shift
    _check_span(time[kept], what, path)
    _note_parts(parts, values, what, gap, notes)
    return _in_order(time, parts, order, '' if mixed else what, notes)


def _check_span(time: np.ndarray, what: str, path: Path) -> None:
    """Raise InputError for times that no recording spans: of another unit, or damaged."""
    span = float(np.ptp(time)) if time.size else 0.0
    if span > SECONDS:
        raise InputError(f'{path}: the stamps of {what} go over {span:.3g} s; must be at most {SECONDS:.3g} s, ten '
                         'years (of another unit? a column map says so)')
    if (period := period_of(np.sort(time))) > PERIOD:
        raise InputError(f'{path}: the stamps of {what} are {period:.3g} s apart; must be at most {PERIOD:g} s, for '
                         'the motion in between (of another unit? a column map says so)')


def times_of_clock(stamps: np.ndarray, clock: CleanTimes, what: str, notes: list[Note],
                   order: np.ndarray | None = None) -> CleanTimes:
    """
    Return the times of a series by its stamps of a clock that another series has, too.

    :param stamps: s, in order of arrival, shape (n,).
    :param clock: The other series, whose parts are moved as they are.
    :param what: Whose stamps these are, for notes.
    :param notes: What was found is added to these.
    :param order: When they arrived, on the clock of `clock.order`, shape (n,); None: not known.
    """
    longest = longest_interval(period_of(stamps))
    kept = np.flatnonzero(np.isfinite(stamps))
    if not any(part.first - UNSET < 0.0 < part.last + UNSET for part in clock.parts):
        kept = kept[stamps[kept] != 0.0]
    if kept.size < stamps.size:
        notes.append(Note(INFO, 'stamps_unset', f'{stamps.size - kept.size} of {stamps.size} stamps of {what} are 0 or '
                          'no number; what they belong to is left out', {'samples': int(stamps.size - kept.size)}))
    time = np.full(stamps.size, np.nan)
    values = stamps[kept]
    shifts = np.array([part.shift for part in clock.parts])
    if len(clock.parts) == 1:
        number = np.zeros(values.size, dtype=int)
    elif order is not None and clock.order is not None and (np.diff(order) >= 0.0).all():
        number = _part_by_arrival(values, order[kept], clock)
    else:
        back = np.diff(values, prepend=values[:1]) < -longest
        number = np.minimum(np.cumsum(back), len(clock.parts) - 1)
    time[kept] = values + shifts[number]
    return _in_order(time, clock.parts, order, what, notes, INFO)


def _part_by_arrival(values: np.ndarray, order: np.ndarray, clock: CleanTimes) -> np.ndarray:
    """Return in which part of a clock each sample arrived; between two, that of the closer stamp."""
    assert clock.order is not None
    arrived = clock.order[np.isfinite(clock.time)]
    begins = np.array([arrived[part.begin] for part in clock.parts])
    ends = np.array([arrived[part.end - 1] for part in clock.parts])
    number = np.maximum(np.searchsorted(begins, order, side='right') - 1, 0)
    after = np.minimum(number + 1, len(clock.parts) - 1)
    last, first = (np.array([getattr(part, name) for part in clock.parts]) for name in ('last', 'first'))
    closer = (order > ends[number]) & (np.abs(values - first[after]) < np.abs(values - last[number]))
    return np.where(closer, after, number)


def _kept(stamps: np.ndarray, what: str, longest: float, notes: list[Note]) -> np.ndarray:
    """Return the samples whose stamps are times, by place; note the others."""
    known = np.isfinite(stamps)
    if not known.all():
        notes.append(Note(WARNING, 'stamps_missing', f'{int((~known).sum())} of {stamps.size} stamps of {what} are no '
                          'number; what they belong to is left out', {'samples': int((~known).sum())}))
    zero = known & (stamps == 0.0)
    others = stamps[known & ~zero]
    if zero.any() and others.size and np.abs(others).min() > max(longest, longest_interval(period_of(others))):
        known &= ~zero
        notes.append(Note(WARNING, 'stamps_unset', f'{int(zero.sum())} of {stamps.size} stamps of {what} are 0, far '
                          'from all others: nobody set them (sent before the first /clock?); what they belong to is '
                          'left out', {'samples': int(zero.sum())}))
    kept = np.flatnonzero(known)
    strays = _strays(stamps[kept], longest)
    if strays.any():
        first = int(strays.argmax())
        near = stamps[kept[~strays]]
        off = float(np.abs(near - stamps[kept[first]]).min())
        notes.append(Note(WARNING, 'stamps_astray', f'{int(strays.sum())} of {stamps.size} stamps of {what} lie far '
                          f'from those before and after, the first {off:.6g} s from the closest other one: of another '
                          'clock, or damaged; what they belong to is left out',
                          {'samples': int(strays.sum()), 'first_off_s': off}))
        kept = kept[~strays]
    return kept


def _strays(stamps: np.ndarray, longest: float) -> np.ndarray:
    """Return which stamps are single ones, up to three in a row, that no neighbour goes with, shape (n,)."""
    stray = np.zeros(stamps.size, dtype=bool)
    begins = np.concatenate([[0], np.flatnonzero(np.abs(np.diff(stamps)) > longest) + 1]).tolist()
    if len(begins) < 2:
        return stray
    edges = [*begins, stamps.size]
    total = float(np.sum(np.diff(stamps), where=np.abs(np.diff(stamps)) <= longest))
    first, last = 0, len(begins) - 1
    while first < last and _few(stamps[edges[first]:edges[first + 1]]):
        ahead = stamps[edges[first + 1]] - stamps[edges[first + 1] - 1]
        if 0.0 < ahead <= max(total, longest):
            break
        stray[edges[first]:edges[first + 1]] = True
        first += 1
    while last > first and _few(stamps[edges[last]:edges[last + 1]]):
        ahead = stamps[edges[last]] - stamps[edges[last] - 1]
        if 0.0 < ahead <= max(total, longest):
            break
        stray[edges[last]:edges[last + 1]] = True
        last -= 1
    run = first + 1
    while run < last:
        before = stamps[edges[run] - 1]
        goes_on = run
        while goes_on <= last and _few(stamps[edges[run]:edges[goes_on]]) and \
                (goes_on == run or not abs(stamps[edges[goes_on]] - before) <= 2.0 * longest):
            goes_on += 1
        if goes_on <= last and _few(stamps[edges[run]:edges[goes_on]]):
            stray[edges[run]:edges[goes_on]] = True
            run = goes_on
        run += 1
    return stray


def _few(stamps: np.ndarray) -> bool:
    """Return whether these are so few different stamps that they may be wrong by themselves."""
    return stamps.size <= STRAYS or (stamps.size <= TOGETHER and np.unique(stamps).size <= STRAYS)


def _part_begins(values: np.ndarray, longest: float, order: np.ndarray | None, mixed: bool, what: str,
                 path: Path) -> list[int]:
    """Return the samples with which parts begin: the first, and those at which the clock was set."""
    steps = np.diff(values)
    ahead = steps > YEAR
    if order is not None and steps.size:
        waited = np.diff(order)
        ahead |= (steps > SET_FORWARD) & (waited <= longest) & (0.5 * np.sum(steps, where=np.abs(steps) <= longest)
                                                                < order[-1] - order[0])
    begins = [0, *(np.flatnonzero(ahead) + 1).tolist()]
    found = []
    for begin, end in zip(begins, [*begins[1:], values.size]):
        at = begin
        found.append(at)
        while (later := _set_back(values[at:end], longest, mixed)) is not None:
            at += later
            found.append(at)
            if len(found) > MOST_PARTS:
                raise InputError(f'{path}: the stamps of {what} go back more than {MOST_PARTS} times: they are no '
                                 'times of one recording')
    return found


def _set_back(values: np.ndarray, longest: float, mixed: bool) -> int | None:
    """
    Return the first sample from which on the clock of a series was set back; None where it never was.

    A run of stamps earlier than one before it is late if its end leaps over that one, as if nothing had been, if
    nothing else was recorded in its time, or if it is itself in no order. Else the clock was set back.
    """
    if values.size < 2 or (np.diff(values) >= 0.0).all():
        return None
    high = np.maximum.accumulate(values)
    found = []
    begins, ends = _runs(values < high)
    if not mixed and begins.size <= FEW_RUNS:
        for begin, end in zip(begins, ends):
            steps = np.diff(values[begin:end])
            if steps.size and end < values.size and steps.min() > 0.0 and \
                    values[end] - values[end - 1] <= STEADY * steps.mean():
                found.append(int(begin))
                break
    begins, ends = _runs(values < high - (max(longest, REBOOT) if mixed else longest))
    long = (ends - begins >= MANY) | ((ends - begins > STRAYS) & (ends == values.size))
    for begin, end in zip(begins[long], ends[long]):
        run, before = values[begin:end], values[:begin]
        low, top = float(run.min()), float(run.max())
        alone = ((before >= low) & (before <= top)).sum() <= OCCUPIED * run.size
        rises = run[-1] - run[0] >= RISING * float(np.abs(np.diff(run)).sum())
        if (rises or mixed) and (not alone or top + longest < before[0] or run.size < MANY):
            found.append(int(begin))
            break
    return min(found, default=None)


def _runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the runs of a mask begin and end, shape (k,) each."""
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    return edges[::2], edges[1::2]


def _moved(values: np.ndarray, begins: Sequence[int], gap: float, order: np.ndarray | None) -> tuple[ClockPart, ...]:
    """Return the parts that begin with some samples, all but the longest moved so that they follow each other."""
    edges = [*begins, values.size]
    parts = [ClockPart(begin, end, 0.0, float(values[begin:end].min()), float(values[begin:end].max()))
             for begin, end in itertools.pairwise(edges) if end > begin]
    if len(parts) < 2:
        return tuple(parts)
    latest = [part.begin + int(values[part.begin:part.end].argmax()) for part in parts]
    holes = [gap if order is None else max(gap, float(order[after.begin] - order[before] + after.first
                                                      - values[after.begin]))
             for before, after in zip(latest, parts[1:])]
    main = max(range(len(parts)), key=lambda number: (parts[number].last - parts[number].first, -number))
    for number in range(main + 1, len(parts)):
        before, part = parts[number - 1], parts[number]
        parts[number] = part._replace(shift=before.last + before.shift + holes[number - 1] - part.first)
    for number in range(main - 1, -1, -1):
        after, part = parts[number + 1], parts[number]
        parts[number] = part._replace(shift=after.first + after.shift - holes[number] - part.last)
    return tuple(parts)


def _note_parts(parts: Sequence[ClockPart], values: np.ndarray, what: str, gap: float, notes: list[Note]) -> None:
    """Note that a clock was set; a hole as long as `gap`, s, is none that was measured."""
    if len(parts) < 2:
        return
    holes = [after.first + after.shift - before.last - before.shift for before, after in itertools.pairwise(parts)]
    unknown = [hole for hole in holes if hole < gap + 1e-6]
    jumps = [float(values[after.begin] - values[after.begin - 1]) for after in parts[1:]]
    shown = ', '.join(f'{jump:+.6g} s' for jump in jumps[:STRAYS])
    durations = ', '.join(f'{part.last - part.first:.1f} s' for part in parts[:2 * STRAYS])
    notes.append(Note(WARNING, CLOCK_SET, f'the clock of {what} was set {counted(len(jumps), "time")} ({shown}'
                      f'{", ..." if len(jumps) > STRAYS else ""}), or began anew: the recording has {len(parts)} parts '
                      f'({durations}{", ..." if len(parts) > 2 * STRAYS else ""}), which are taken one after the '
                      'other, each behind a gap; times are those of the longest',
                      {'parts': len(parts), 'first_jump_s': jumps[0], 'between_s': sum(unknown)}))


def _in_order(time: np.ndarray, parts: tuple[ClockPart, ...], order: np.ndarray | None, what: str,
              notes: list[Note], level: str = WARNING) -> CleanTimes:
    """Return times with their order; what is out of order is noted, unless `what` is empty."""
    kept = np.flatnonzero(np.isfinite(time))
    values = time[kept]
    late = values < np.maximum.accumulate(values) if values.size else np.zeros(0, dtype=bool)
    if what and late.any():
        notes.append(Note(level, 'stamps_out_of_order', f'{int(late.sum())} of {time.size} stamps of {what} are '
                          'earlier than one before them; they are put in order of their stamps',
                          {'samples': int(late.sum())}))
    rows = in_order(time)
    return CleanTimes(time, rows, np.setdiff1d(kept, rows, assume_unique=True), parts, order)


def in_order(time: np.ndarray) -> np.ndarray:
    """Return the samples in order of their times, each time once, the first to arrive; those of NaN are left out."""
    kept = np.flatnonzero(np.isfinite(time))
    values = time[kept]
    if (np.diff(values) < 0.0).any():
        kept = kept[np.argsort(values, kind='stable')]
        values = time[kept]
    return kept[np.diff(values, prepend=-np.inf) > 0.0]
