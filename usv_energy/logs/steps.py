"""
Steps of an estimator, and samples that cannot be, taken out of the series of a log.

Places are held against velocities, headings against yaw rates; where a log has no velocity, places against the velocity
of the places around. A lasting step of the places is taken off all later ones, since energy depends on motion only; a
lasting step of the heading is taken off the stretches that fit the course less, or the earlier ones where no course is
known. A value that is held between two measurements is none. All that is taken out is counted and noted.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.derive import derivative, mean_drift, unwrapped
from usv_energy.logs.heading_across_gaps import HeadingChange, changes_across_gaps, notes_on_gaps
from usv_energy.logs.integral_scale import turning_scale
from usv_energy.logs.log import EARTH_VELOCITY, WARNING, Note
from usv_energy.logs.motion.measured_series import held_values
from usv_energy.logs.motion.step_gate import (
    FASTEST,
    FASTEST_TURN,
    HARDEST_ACCELERATION,
    LARGEST_ACCELERATION,
    NEAR,
    PLACE_FLOOR,
    PLACE_SHARE,
    SPEED_FLOOR,
    TURNS,
    YAW_FLOOR,
    YAW_SHARE,
    Steps,
    listed,
    noise_limit,
    sharpened,
    steps_of,
)
from usv_energy.logs.quality import AT_REST_SPEED, AT_REST_TURN
from usv_energy.logs.two_tracks import taken_in_turns
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_earth

LEAST = 12            # Fewest samples for a search.
COARSE = 1.0          # s: steps spread over samples, as by interpolation, are looked for at this distance, too.
FEW = 0.05            # Largest share of impossible values that are taken out; more of them are another unit.
MANY, MANY_SHARE = 5, 0.01  # More steps than these, of all samples, are no steps: the series contradict each other.
FAR_LESS = 0.25       # Of the variance of the drift: with it steps are turns, though the yaw rate told all others.
# Of places alone: quantile of the speeds under way that a few steps do not change; times its top speed by which a boat
# may miss the median velocity around: that of a corner, or of a short leg between two of them, is off by 1.41.
NEARLY_ALWAYS, AROUND_CORNERS = 0.96, 1.5
SWINGS = 0.1          # rad/s: of a boat at rest whose yaw rate is not measured: to and fro within MANY samples, at most
IMPOSSIBLE = 10.0     # Times the longest way of the others in the same time, by which the first or last place may move.
IN_TURN = 0.3         # Share of a step of the heading that the gyro may have turned meanwhile.
LONGEST_EXCURSION = 10.0  # s that wrong velocities last at most.
SLOW = 0.2            # m/s: below this speed the course says nothing about the heading.
WANDER_OVER, WANDERS = 5.0, 0.1  # s; rad by which a heading at rest changes over it, without a turn in the yaw rate.

Series = dict[str, np.ndarray]


class _Cleaned(NamedTuple):
    """Values of a series without its steps, (n, k), its steps and their times, s, and which values are wrong, (n,)."""

    values: np.ndarray
    times: np.ndarray
    sizes: np.ndarray
    wrong: np.ndarray


def take_out_steps(known: Series, extra: Series, time: np.ndarray, max_gap: float, notes: list[Note]) -> None:
    """
    Correct series of a log in place, and note what was done.

    :param known: By the names of `assembled`, in house units and frames, each (n,).
    :param extra: As a Log has it; a velocity over ground may stand there.
    :param time: s, strictly rising, shape (n,).
    :param max_gap: Samples further apart than this, s, are not compared.
    """
    _take_out_impossible(known, extra, notes)
    _take_out_turns(known, notes)
    _take_out_excursions(known, extra, time, notes)
    if all(note.code != 'heading_from_course' for note in notes) and not _take_out_wander(known, extra, time, notes):
        _take_out_heading_steps(known, extra, time, max_gap, notes)
    places = _places_without_steps(known, extra, time, max_gap)
    if places is not None:
        known['x'], known['y'] = places.values.T
        _note_places(places, time, notes)


def _take_out_turns(known: Series, notes: list[Note]) -> None:
    """Move places that two receivers gave in turns to the middle between them."""
    if 'x' not in known or 'y' not in known:
        return
    places = np.column_stack([known['x'], known['y']])
    rows = _new_rows(places)
    if (found := taken_in_turns(places[rows])) is None:
        return
    last = np.zeros(len(places), dtype=int)  # A place that is repeated is of the receiver that gave it.
    last[rows] = np.arange(rows.size)
    known['x'], known['y'] = (places + found[0][np.maximum.accumulate(last)]).T
    notes.append(Note(WARNING, 'two_receivers', f'the places are of two receivers in turns, {found[1]:.2g} m apart: '
                      'the middle between them is taken', {'distance_m': found[1]}))


def _note_places(places: _Cleaned, time: np.ndarray, notes: list[Note]) -> None:
    if len(places.sizes):
        sizes = np.hypot(*places.sizes.T)
        notes.append(Note(
            WARNING, 'position_steps', f'{counted(len(sizes), "lasting step")} of the position that the velocities do '
            f'not explain (an estimator that was reset?), {listed(places.times, sizes, 1.0, "m")}: taken out, the '
            'later positions are moved back', {'steps': len(sizes), 'largest_m': float(sizes.max()),
                                               'first_s': float(places.times[0])}))
    if places.wrong.any():
        rows = np.flatnonzero(places.wrong)
        notes.append(Note(
            WARNING, 'position_outliers', f'{counted(len(rows), "position")} that the boat cannot have been at, the '
            f'first {time[rows[0]]:.1f} s after the begin: not used',
            {'samples': len(rows), 'first_s': float(time[rows[0]])}))


def _take_out_impossible(known: Series, extra: Series, notes: list[Note]) -> None:
    """Set single velocities and yaw rates that no boat has to NaN."""
    taken = 0
    for source, pair in ((known, ('u', 'v')), (known, ('velocity_x', 'velocity_y')), (known, ('speed',)),
                         (extra, EARTH_VELOCITY), (known, ('r',))):
        if pair[0] not in source:
            continue
        values = [source[name] for name in pair if name in source]
        wild = np.hypot.reduce(np.nan_to_num(np.array(values)), axis=0) > (FASTEST_TURN if pair == ('r',) else FASTEST)
        if wild.any() and wild.mean() < FEW:
            taken += int(wild.sum())
            for name in pair:
                if name in source:
                    source[name] = np.where(wild, math.nan, source[name])
    if taken:
        notes.append(Note(WARNING, 'velocity_outliers', f'{counted(taken, "value")} of velocity or yaw rate beyond '
                          f'{FASTEST:g} m/s or {FASTEST_TURN:g} rad/s, which no boat reaches: not used',
                          {'samples': taken}))


def _take_out_excursions(known: Series, extra: Series, time: np.ndarray, notes: list[Note]) -> None:
    """Set velocities to NaN that jump away, faster than a boat accelerates, and come back within LONGEST_EXCURSION."""
    taken = 0
    for source, pair in ((known, ('u', 'v')), (known, ('velocity_x', 'velocity_y')), (extra, EARTH_VELOCITY)):
        if not all(name in source for name in pair):
            continue
        values = np.column_stack([source[name] for name in pair])
        rows = np.flatnonzero(held_values(values).fresh)
        if rows.size < LEAST:
            continue
        changes = np.diff(values[rows], axis=0)
        found = steps_of(changes, SPEED_FLOOR + LARGEST_ACCELERATION * np.diff(time[rows]) + noise_limit(changes))
        wrong = _without_excursions(found, time[rows], LONGEST_EXCURSION).wrong
        if wrong.any() and wrong.sum() <= max(MANY, FEW * rows.size):
            taken += int(wrong.sum())
            for name in pair:
                source[name] = source[name].copy()
                source[name][rows[wrong]] = math.nan
    if taken:
        notes.append(Note(WARNING, 'velocity_excursions', f'{counted(taken, "sample")} of the velocity that jump '
                          'away faster than a boat accelerates, and come back: not used', {'samples': taken}))


def _without_excursions(found: Steps, time: np.ndarray, longest: float) -> Steps:
    """
    Return steps without those that go away and come back: the samples between these are wrong.

    :param found: The Steps of a series.
    :param time: Of its samples, s, shape (n,).
    :param longest: Time for which an excursion lasts at most, s; MANY samples it may last in any case.
    """
    wrong, kept, number = found.wrong.copy(), np.ones(len(found.rows), dtype=bool), 0
    while number + 1 < len(found.rows):
        begin, end = found.rows[number:number + 2]
        away, back = found.sizes[number:number + 2]
        short = time[end] - time[begin] < longest or end - begin <= MANY
        if short and np.hypot.reduce(away + back) < 0.5 * np.hypot.reduce(away):
            wrong[begin:end] = True
            kept[number:number + 2] = False
            number += 1
        number += 1
    return Steps(found.rows[kept], found.sizes[kept], wrong)


def _places_without_steps(known: Series, extra: Series, time: np.ndarray, max_gap: float,
                          spread: bool = True) -> _Cleaned | None:
    """
    Return the places without their steps; None where nothing can be said of them, or nothing is wrong.

    `spread`: whether steps that are spread over samples are looked for, too; a false heading may look like these.
    """
    if 'x' not in known or 'y' not in known:
        return None
    places = np.column_stack([known['x'], known['y']])
    velocity = _earth_velocity(known, extra)
    fresh = _new_rows(places)
    if fresh.size < LEAST:
        return None
    found = _searched(time, places, velocity, fresh, max_gap)
    coarse = fresh[np.unique(np.floor((time[fresh] - time[fresh[0]]) / COARSE), return_index=True)[1]]
    if spread and velocity is not None and LEAST <= coarse.size < 0.7 * fresh.size:
        found = _searched_again(found, time, velocity, coarse[~found.wrong[coarse]], max_gap)
    if not (len(found.sizes) or found.wrong.any()) or _is_too_much(len(found.sizes), fresh.size):
        return None
    if found.wrong.sum() > max(MANY, FEW * len(time)):
        return None
    held = np.zeros(len(time), dtype=int)  # A place that repeats a wrong one is wrong, too.
    held[fresh] = np.arange(fresh.size)
    held = fresh[np.maximum.accumulate(held)]
    wrong = found.wrong | (found.wrong[held] & np.isfinite(places).all(axis=1) & (places == places[held]).all(axis=1))
    return found._replace(values=np.where(wrong[:, None], math.nan, found.values), wrong=wrong)


def _new_rows(values: np.ndarray) -> np.ndarray:
    """Return the rows of values, (n, k), that are known and differ from the known row before: not held ones."""
    rows = np.flatnonzero(np.isfinite(values).all(axis=1))
    return rows[np.concatenate([[True], (np.diff(values[rows], axis=0) != 0.0).any(axis=1)])[:rows.size]]


def _is_too_much(steps: int, samples: int) -> bool:
    """Return whether a series has more steps than an estimator makes."""
    return steps > max(MANY, MANY_SHARE * samples)


def _earth_velocity(known: Series, extra: Series) -> np.ndarray | None:
    """Return the measured velocity over ground along east and north, m/s, (n, 2); None where none was measured."""
    if 'velocity_x' in known:
        return np.column_stack([known['velocity_x'], known['velocity_y']])
    if 'u' in known and 'v' in known and 'yaw' in known:
        return np.column_stack(to_earth(known['u'], known['v'], cos(known['yaw']), sin(known['yaw'])))
    if EARTH_VELOCITY[0] in extra:
        return np.column_stack([extra[name] for name in EARTH_VELOCITY])
    if 'speed' in known and 'course' in known:
        return np.column_stack(to_earth(known['speed'], 0.0, cos(known['course']), sin(known['course'])))
    return None


def _searched(time: np.ndarray, places: np.ndarray, velocity: np.ndarray | None, rows: np.ndarray,
              max_gap: float, are_all: bool = True) -> _Cleaned:
    """
    Return the places without the steps between some of their rows.

    :param time: s, shape (n,).
    :param places: m, shape (n, 2).
    :param velocity: m/s, shape (n, 2), or None.
    :param rows: Of places that are new, rising.
    :param max_gap: s.
    :param are_all: Whether these are all of them, so that what goes away and comes back is a few wrong places.
    """
    spans, moved = np.diff(time[rows]), np.diff(places[rows], axis=0)
    predicted = _median_velocity(moved / spans[:, None]) * spans[:, None]
    speeds = np.hypot(*(moved / spans[:, None]).T)
    way = np.maximum(np.hypot(*predicted.T), float(np.median(speeds)) * spans)
    of_turns = AROUND_CORNERS * np.maximum(way, _top_speed(speeds) * spans)
    allowed = PLACE_FLOOR + np.minimum(TURNS * way + HARDEST_ACCELERATION * spans * spans, of_turns)
    if velocity is not None:    # Which is not told at a cut end, say.
        made = _integrated(time, velocity, rows, max_gap)
        told = np.isfinite(made).all(axis=1)
        predicted = np.where(told[:, None], made, predicted)
        allowed = np.where(told, PLACE_FLOOR + PLACE_SHARE * np.hypot(*made.T), allowed)
    else:
        told = np.zeros(spans.size, dtype=bool)
    for end, others in ((0, speeds[1:]), (-1, speeds[:-1])):    # Nothing beyond them says that a boat does not go so.
        if not told[end]:
            allowed[end] = max(allowed[end], IMPOSSIBLE * float(np.max(others, initial=SLOW)) * spans[end])
    innovations = np.where((spans <= max_gap)[:, None], moved - predicted, 0.0)
    tolerances = allowed + noise_limit(innovations)
    found = steps_of(innovations, tolerances)
    found = _without_excursions(found, time[rows], 0.0) if are_all else found
    return _corrected(sharpened(found, innovations, time[rows]), time, places, rows)


def _top_speed(speeds: np.ndarray) -> float:
    """Return the speed of a boat that is under way, but for a few steps among its speeds, m/s; infinity: not known."""
    under_way = speeds[speeds > SLOW]
    return float(np.quantile(under_way, NEARLY_ALWAYS)) if under_way.size >= LEAST else math.inf


def _corrected(steps: Steps, time: np.ndarray, places: np.ndarray, rows: np.ndarray) -> _Cleaned:
    """Return the values of a series with its steps taken off, and its wrong ones marked."""
    wrong = np.zeros(len(time), dtype=bool)
    wrong[rows[steps.wrong]] = True
    if not len(steps.rows):
        return _Cleaned(places, np.zeros(0), steps.sizes, wrong)
    whole = Steps(rows[steps.rows], steps.sizes, wrong)
    return _Cleaned(places - whole.of_rows(len(time)), time[whole.rows], steps.sizes, wrong)


def _searched_again(found: _Cleaned, time: np.ndarray, velocity: np.ndarray, rows: np.ndarray,
                    max_gap: float) -> _Cleaned:
    """Return what is found at a coarser distance, with what was found before; between two rows of it all is wrong."""
    again = _searched(time, found.values, velocity, rows, max_gap, False)
    wrong = found.wrong | again.wrong
    for begin in np.searchsorted(rows, np.searchsorted(time, again.times)):
        wrong[rows[begin - 1] + 1:rows[begin]] = True
    times = np.concatenate([found.times, again.times])
    order = np.argsort(times, kind='stable')
    return _Cleaned(again.values, times[order], np.concatenate([found.sizes, again.sizes])[order], wrong)


def _median_velocity(velocity: np.ndarray) -> np.ndarray:
    """Return the running median of a velocity, shape (n, 2), over NEAR samples."""
    from numpy.lib.stride_tricks import sliding_window_view
    half = NEAR // 2
    padded = np.pad(velocity, ((half, half), (0, 0)), mode='reflect')  # The last one counts once.
    return np.median(sliding_window_view(padded, NEAR, axis=0), axis=2)


def _integrated(time: np.ndarray, velocity: np.ndarray, rows: np.ndarray, max_gap: float) -> np.ndarray:
    """Return the way that velocities make from each of some rows to the next, m, (rows - 1, 2); NaN over gaps."""
    good = np.flatnonzero(held_values(velocity).fresh)
    if good.size < LEAST:
        return np.full((rows.size - 1, velocity.shape[1]), math.nan)
    t, some = time[good], velocity[good]
    steps = np.diff(t)
    made = np.zeros_like(some)
    np.cumsum(0.5 * (some[1:] + some[:-1]) * steps[:, None], axis=0, out=made[1:])
    gaps = np.concatenate([[0], np.cumsum(steps > max_gap)])
    way = np.column_stack([np.interp(time[rows], t, column) for column in made.T])
    piece = np.interp(time[rows], t, gaps)
    before, after = time[rows[:-1]], time[rows[1:]]
    bad = (np.diff(piece) > 0.0) | (before < t[0]) | (after > t[-1])
    return np.where(bad[:, None], math.nan, np.diff(way, axis=0))


def _take_out_wander(known: Series, extra: Series, time: np.ndarray, notes: list[Note]) -> bool:
    """Put the yaw rate's own heading in place of one that wanders while the boat is at rest; return whether it did."""
    velocity = _earth_velocity(known, extra)
    if velocity is None or 'yaw' not in known or 'r' not in known or time[-1] < LEAST * WANDER_OVER:
        return False
    good = np.flatnonzero(np.isfinite(known['yaw']) & np.isfinite(known['r']) & np.isfinite(velocity).all(axis=1))
    if good.size < LEAST:
        return False
    fastest, hardest = (np.quantile(one, 0.99) for one in (np.hypot(*velocity[good].T), np.abs(known['r'][good])))
    if fastest > AT_REST_SPEED or hardest > AT_REST_TURN:
        return False
    rate, spans = known['r'][good], np.diff(time[good])
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * spans)])
    rest = np.unwrap(known['yaw'][good]) - turned
    changes = np.diff(np.interp(np.arange(time[good[0]], time[good[-1]], WANDER_OVER), time[good], rest))
    wander = float(np.std(changes - np.median(changes)))  # But for a bias of the yaw rate.
    if not wander > WANDERS:
        return False
    known['yaw'] = np.interp(time, time[good], float(np.median(rest)) + turned)
    extent = math.degrees(float(np.ptp(rest)))
    notes.append(Note(WARNING, 'heading_wanders', f'the heading wanders by {extent:.0f} deg while the boat is at rest, '
                      'without a turn in the yaw rate (an estimator that aligns itself?): the yaw rate is believed',
                      {'largest_deg': extent}))
    return True


def _take_out_heading_steps(known: Series, extra: Series, time: np.ndarray, max_gap: float,
                            notes: list[Note]) -> None:
    """Take out lasting steps of the heading that no turn explains, and headings that the yaw rate rules out."""
    if 'yaw' not in known:
        return
    yaw = unwrapped(known['yaw'])
    rows = np.flatnonzero(held_values(yaw[:, None]).fresh)
    if rows.size < LEAST:
        return
    rests = 'r' not in known and _is_at_rest(known, extra)     # Then it only is known not to turn to and fro.
    turned = _integrated(time, known['r'][:, None], rows, max_gap) if 'r' in known else np.full(
        (rows.size - 1, 1), 0.0 if rests else math.nan)
    missed = np.where(np.isfinite(turned), np.remainder(np.diff(yaw[rows])[:, None] - turned + math.pi, math.tau)
                      - math.pi, 0.0)
    limit = noise_limit(missed[np.isfinite(turned).all(axis=1)])
    swings = SWINGS * np.diff(time[rows]) if rests else YAW_SHARE * np.abs(np.nan_to_num(turned[:, 0]))
    found = steps_of(missed, YAW_FLOOR + swings + limit)
    found = sharpened(_without_excursions(found, time[rows], 0.0), missed, time[rows])
    found = found._replace(rows=found.rows[:0], sizes=found.sizes[:0]) if rests else found
    has_gaps = bool((np.diff(time[rows]) > max_gap).any())
    if not (len(found.rows) or found.wrong.any() or has_gaps):
        return
    places = _places_without_steps(known, extra, time, max_gap, False)  # A step of the places is no turn of the course.
    there = known if places is None else {**known, **dict(zip('xy', places.values.T))}
    whole = Steps(rows[found.rows], found.sizes, np.zeros(0, dtype=bool)).of_rows(len(time))[:, 0]
    course, wrong = _course(there, time, max_gap), rows[found.wrong]
    if not _are_no_turns(found, yaw, whole, course, turned, known.get('r'), time, max_gap) or _is_too_much(
            len(found.rows), rows.size) or found.wrong.sum() > max(MANY, FEW * rows.size):
        found, whole, wrong = found._replace(rows=found.rows[:0], sizes=found.sizes[:0]), 0.0 * whole, wrong[:0]
    if len(found.rows):
        sizes, times = found.sizes[:, 0], time[rows[found.rows]]
        notes.append(Note(
            WARNING, 'heading_steps', f'{counted(len(sizes), "lasting step")} of the heading without a turn in the yaw '
            f'rate (an estimator that set it anew?), {listed(times, sizes, 180.0 / math.pi, "deg")}: the other '
            'headings are turned by as much', {'steps': len(sizes), 'first_s': float(times[0]),
                                               'largest_deg': math.degrees(float(np.abs(sizes).max()))}))
    if wrong.size:
        why = 'a boat at rest' if rests else 'the yaw rate'
        notes.append(Note(WARNING, 'heading_outliers', f'{counted(wrong.size, "heading")} that {why} rules out, '
                          f'the first {time[wrong[0]]:.1f} s after the begin: not used',
                          {'samples': int(wrong.size), 'first_s': float(time[wrong[0]])}))
    changes: list[HeadingChange] = []
    if has_gaps:
        within = yaw - whole
        within[wrong] = math.nan
        changes = changes_across_gaps(there, time, within, max_gap)
        for one in changes:
            whole = whole + one.size * one.is_step * (np.arange(len(time)) >= one.row)
    angle, other = _believed(course, yaw, whole) if whole.any() else (whole, 0.0)
    notes.extend(notes_on_gaps(changes, time, angle, other))
    if whole.any() or wrong.size:
        _turn(known, there, time, max_gap, yaw, angle)
    if wrong.size:
        good = np.setdiff1d(rows, wrong)
        known['yaw'] = known['yaw'].copy()
        known['yaw'][wrong] = np.interp(time[wrong], time[good], known['yaw'][good])


def _is_at_rest(known: Series, extra: Series) -> bool:
    """Return whether the measured velocity over ground says that the boat lies still, but for single samples."""
    velocity = _earth_velocity(known, extra)
    speed = np.zeros(0) if velocity is None else np.hypot(*velocity[np.isfinite(velocity).all(axis=1)].T)
    return speed.size >= LEAST and bool(np.quantile(speed, 0.99) < AT_REST_SPEED)


def _are_no_turns(found: Steps, yaw: np.ndarray, whole: np.ndarray, course: np.ndarray, turned: np.ndarray,
                  rate: np.ndarray | None, time: np.ndarray, max_gap: float) -> bool:
    """Return whether steps of the heading, `whole` up to each sample, rad, are none that the boat itself turned by."""
    if rate is None or not (len(found.rows) or found.wrong.any()):
        return True
    gyro = turning_scale(time, yaw - whole, rate, max_gap)
    in_turn = (np.abs(np.nan_to_num(turned[found.rows - 1])) > IN_TURN * np.abs(found.sizes)).any()
    is_believed = abs(gyro.factor - 1.0) < YAW_SHARE and gyro.std < 0.5 * YAW_SHARE
    as_turns, as_steps = _scatter(course, yaw), _scatter(course, yaw - whole)
    return not (as_turns < (FAR_LESS if is_believed else 1.0) * as_steps or (in_turn and not is_believed))


def _course(known: Series, time: np.ndarray, max_gap: float) -> np.ndarray:
    """Return the course through the water, or over ground where no current was recorded, rad, (n,); NaN if slow."""
    if 'velocity_x' not in known and not ('x' in known and 'y' in known):
        return np.full(len(time), math.nan)
    east, north = ((known[f'velocity_{axis}'] if 'velocity_x' in known else derivative(time, known[axis], max_gap))
                   - np.nan_to_num(known.get(f'current_{axis}', np.zeros(1))) for axis in ('x', 'y'))
    return np.where(np.hypot(east, north) > SLOW, np.arctan2(north, east), math.nan)


def _scatter(course: np.ndarray, yaw: np.ndarray) -> float:
    """Return the circular variance of the drift, the course less the heading, (-), 0 to 1; NaN if nothing is known."""
    drift = (course - yaw)[np.isfinite(course - yaw)]
    return 1.0 - float(np.hypot(np.cos(drift).mean(), np.sin(drift).mean())) if drift.size else math.nan


def _believed(course: np.ndarray, yaw: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, float]:
    """
    Return what is added to the heading, rad, (n,), so that it has no step, and what more may have to be, rad.

    :param course: As `_course`, rad, (n,).
    :param yaw: As it was recorded, unwrapped, rad, (n,).
    :param steps: The steps up to each sample, rad, (n,).

    The heading of the last stretch is believed all along, unless that of another one is nearer to the course through
    the water, by at least half of the step between them. A drift counts with its sign: on courses there and back that
    of a current or a wind averages out, which a false heading does not. One that is nearer, but by less, may be the
    right one.
    """
    last = best = float(steps[-1])
    drift = np.remainder(course - yaw + steps - last + math.pi, math.tau) - math.pi  # Of a heading without steps.
    rows = np.isfinite(drift)
    if rows.sum() >= LEAST:
        mean = mean_drift(course[rows], drift[rows])[0]
        sizes = {level: abs(math.remainder(mean + last - level, math.tau)) for level in np.unique(steps).tolist()}
        best = min(sizes, key=sizes.__getitem__)
        if sizes[last] - sizes[best] > max(YAW_FLOOR, 0.5 * abs(best - last)):
            last = best
    return last - steps, best - last


def _turn(known: Series, there: Series, time: np.ndarray, max_gap: float, yaw: np.ndarray, angle: np.ndarray) -> None:
    """
    Turn the heading by an angle, rad, (n,), and velocities of the body back, unless places, `there`, say otherwise.

    An estimator turns its velocity over ground by the heading, so that it stays as it was; that of a log of the bottom
    (DVL) is measured in the body's axes and does not change with the heading.
    """
    known['yaw'] = yaw + angle
    if 'u' not in known or 'v' not in known or not angle.any() or _of_body(there, time, max_gap, yaw, angle):
        return
    c, s = np.cos(angle), np.sin(angle)
    for ahead, aside in (('u', 'v'), ('u_dot', 'v_dot')):
        if ahead in known and aside in known:
            u, v = known[ahead], known[aside]
            known[ahead], known[aside] = c * u + s * v, c * v - s * u


def _of_body(known: Series, time: np.ndarray, max_gap: float, yaw: np.ndarray, angle: np.ndarray) -> bool:
    """Return whether the places agree better with velocities along the body's axes of the turned heading."""
    if 'x' not in known or 'y' not in known:
        return False
    places = np.column_stack([known['x'], known['y']])
    rows = np.flatnonzero(np.isfinite(places).all(axis=1) & (angle != 0.0))
    rows = rows[np.unique(np.floor(time[rows] / COARSE), return_index=True)[1]]
    if rows.size < LEAST:
        return False
    misses = []
    for heading in (yaw, yaw + angle):
        velocity = np.column_stack(to_earth(known['u'], known['v'], cos(heading), sin(heading)))
        made = _integrated(time, velocity, rows, max_gap)
        misses.append(float(np.nansum((np.diff(places[rows], axis=0) - made) ** 2)))
    return misses[1] < misses[0]
