"""
Steps of the heading across gaps of a log, where no yaw rate tells how far the boat turned: by the drift on both sides.

The drift is the angle from the heading to the way through the water. A compass that is off, a current, a wind and a
turn leave one, which goes on across a gap; a heading that was set anew there changes it at once, on all courses alike.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.log import WARNING, Note
from usv_energy.logs.motion.step_gate import listed

BLOCK, LEAST_SAMPLES = 3.0, 4    # s, and samples, whose mean drift is one observation.
SLOW, TURNS = 0.2, 0.07          # m/s, rad/s: slower, or turning faster, the drift says nothing of the heading.
WINDOW = 120.0                   # s before and after a gap that tell of it.
LEAST_BLOCKS = 5                 # On each side.
LEAST, SURE = math.radians(4.0), 3.5  # A change of the drift that is larger, rad and standard deviations, is a step;
DOUBTFUL = 1.0                   # from so many on it may be one.
SIDED, EXPONENT = 2.0, 2.5        # Standard deviations of 95 %; of the power over the speed.
SECTOR = math.pi / 12.0          # rad, of courses that are taken for one.
LEAST_STD = math.radians(0.3)    # Of a block, rad: no drift is steadier.
TURNED, LEAST_WAY = math.pi / 4.0, 0.05   # rad, by which no boat turns in a second; m of its way in one.
HIDDEN = 2.0                     # Samples between which a boat goes on where only the stamps have a gap.
OUTLIER, ROUNDS = 1.5, 6         # Standard deviations from which a block counts less (Huber); rounds of the fit.
OTHERWISE = 2.0                  # How much further a change is off than its fit says: drifts go by more than its terms.
# Standard deviations before anything is known: of the step and of the mean drift, rad; of its parts by the cosine and
# the sine of the course (a current that nobody says, leeway), rad; of its change within WINDOW, rad; of the leeway by a
# wind of the log, rad s/m; of the drift by turning, s.
PRIORS = np.array([1.0, 0.3, 0.3, 0.3, 0.1, 0.02, 1.0])


class HeadingChange(NamedTuple):
    """The row of the first heading after a gap, by how far it was set anew there, rad, and the std of that, rad."""

    row: int
    size: float
    std: float

    @property
    def is_step(self) -> bool:
        """Whether it is more than how the drift changes by itself."""
        return abs(self.size) > max(LEAST, SURE * self.std)

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be a step."""
        return abs(self.size) > max(LEAST, DOUBTFUL * self.std)


class _Blocks(NamedTuple):
    """Means over a BLOCK: time, s, drift and course, rad, what leeway goes by, m/s, rad/s, whether it goes straight."""

    time: np.ndarray
    drift: np.ndarray
    course: np.ndarray
    wind: np.ndarray
    turn: np.ndarray
    straight: np.ndarray


def changes_across_gaps(known: Mapping[str, np.ndarray], time: np.ndarray, yaw: np.ndarray,
                        max_gap: float) -> list[HeadingChange]:
    """
    Return by how far the heading was set anew in each gap; those that are no steps may be nothing.

    :param known: Places without steps within stretches, current and wind, by the names of a Log, each (n,).
    :param time: s, rising, shape (n,).
    :param yaw: Without steps within stretches, rad, (n,); NaN where not known.
    :param max_gap: Headings further apart than this, s, have a gap between them.
    :return: In their order; empty where no places are known.

    The surest step is taken out of what follows before the other gaps are looked at again.
    """
    rows = np.flatnonzero(np.isfinite(yaw))
    after = rows[1:][np.diff(time[rows]) > max_gap]
    if not after.size or 'x' not in known or 'y' not in known:
        return []
    current, wind = (np.nan_to_num(known[f'{name}_x'] + 1j * known[f'{name}_y']) if f'{name}_x' in known else
                     np.zeros(len(time)) for name in ('current', 'wind'))
    place = known['x'] + 1j * known['y']
    blocks = _blocks(time, yaw, place, current, wind, after)
    left = [one for one in (_change_at(blocks, time, int(row), after[after != row]) for row in after)
            if not _turns_on_the_spot(one, rows, time, yaw, place)]
    found = []
    while any(one.is_step for one in left):
        surest = max((one for one in left if one.is_step), key=lambda one: abs(one.size) / one.std)
        found.append(surest)
        at = time[surest.row]
        blocks = blocks._replace(drift=blocks.drift + surest.size * (blocks.time > at))
        after = after[after != surest.row]
        left = [_change_at(blocks, time, one.row, after[after != one.row]) if abs(time[one.row] - at) < 2.0 * WINDOW
                else one for one in left if one is not surest]
    return sorted(found + left)


def notes_on_gaps(changes: list[HeadingChange], time: np.ndarray, turned: np.ndarray, other: float) -> list[Note]:
    """
    Return the notes on changes of the heading across gaps of a log with times, s, (n,): what were steps, what may be.

    :param turned: What was added to the heading, rad, (n,), so that it has no step.
    :param other: Likewise what more may have to be added all along, rad.

    Of what may be a step `off_relative` is what it leaves open (95 %), as a share of the energy. Power goes with the
    speed ahead to the power of 2.5 or so, and that with the cosine of an error of the heading, which the shorter part
    of the log has. Of the steps, `open_rad` is by how much the one known least may be further, `open_s` its time; the
    headings from then on are off by it, or (`of_later` 0) those before.
    """
    notes = []
    for code, are_steps, words in (
            ('heading_steps_in_gaps', True, 'the heading was set anew in {}, by the course on both sides, {}: the '
             'other headings are turned by as much'),
            ('heading_changes_in_gaps', False, 'the heading may have been set anew in {}, by the course on both sides, '
             '{}: it is left as it was recorded')):
        some = [one for one in changes if one.is_step == are_steps and (are_steps or one.is_doubtful)]
        if some:
            sizes, std = (np.array([getattr(one, name) for one in some]) for name in ('size', 'std'))
            at = time[[one.row for one in some]]
            loosest = int(np.argmax(std))
            shorter = np.minimum(at - time[0], time[-1] - at) / (time[-1] - time[0])
            off = 0.5 * EXPONENT * shorter * (np.abs(sizes) + SIDED * std) ** 2
            left = {'other_rad': other, 'open_rad': SIDED * float(std[loosest]), 'open_s': float(at[loosest]),
                    'of_later': float(turned[some[loosest].row] != 0.0)} if are_steps else {
                        'off_relative': float(np.hypot.reduce(off))}
            notes.append(Note(WARNING, code, words.format(counted(len(some), 'gap'),
                                                          listed(at, sizes, 180.0 / math.pi, 'deg')),
                              {'steps': len(some), 'first_s': float(at[0]), **left,
                               'largest_deg': math.degrees(float(np.abs(sizes).max()))}))
    return notes


def _blocks(time: np.ndarray, yaw: np.ndarray, place: np.ndarray, current: np.ndarray, wind: np.ndarray,
            after: np.ndarray) -> _Blocks:
    """Return the blocks of a log in which the boat moves, none of them across a gap before one of the rows `after`."""
    good = np.flatnonzero(np.isfinite(yaw) & np.isfinite(place))
    if not good.size:
        none = np.zeros(0)
        return _Blocks(none, none, none, none, none, none > 0.0)
    t, angle = time[good], yaw[good]
    length = max(BLOCK, LEAST_SAMPLES * float(np.median(np.diff(t)))) if t.size > 1 else BLOCK
    begins = np.flatnonzero(np.diff(np.floor(t / length) + np.searchsorted(after, good, 'right'), prepend=-1.0))
    counts = np.diff(np.append(begins, t.size))

    def mean(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, begins) / counts

    def slope(values: np.ndarray) -> np.ndarray:
        return mean(off * values) / np.maximum(mean(off * off), 1e-9)

    off = t - np.repeat(mean(t), counts)
    way, turn, blown = slope(place[good]) - mean(current[good]), slope(angle), mean(wind[good])
    felt = np.where(blown == 0.0, 0.0, blown - way)
    turns = np.abs(turn) > TURNS
    turns[1:] |= turns[:-1].copy()  # The sway of a turn goes on for a while.
    by_wind = np.abs(felt) * (felt * np.exp(-1j * np.angle(way))).imag / np.maximum(np.abs(way), SLOW)
    moves = (np.abs(way) > SLOW) & (counts >= LEAST_SAMPLES - 1)
    return _Blocks(*(values[moves] for values in (mean(t), np.angle(way) - mean(angle), np.angle(way), by_wind, turn,
                                                  ~turns)))


def _change_at(blocks: _Blocks, time: np.ndarray, row: int, others: np.ndarray) -> HeadingChange:
    """
    Return by how far the heading was set anew before a row; with a std of inf where there is too little to say.

    By least squares of the drifts within WINDOW with the priors above. Blocks in turns count where there are not enough
    others. In the gaps beside, before the rows `others`, it may have been set anew, too, or not: the surer is taken.
    """
    at = float(time[row])
    near = np.abs(blocks.time - at) < WINDOW
    for some in (near & blocks.straight, near):
        sides = blocks.time[some] > at
        if min(sides.sum(), (~sides).sum()) >= LEAST_BLOCKS:
            break
    else:
        return HeadingChange(row, 0.0, math.inf)
    when, drift, course, wind, turn, _ = (values[some] for values in blocks)
    drift = np.remainder(drift - np.angle(np.exp(1j * drift).mean()) + math.pi, math.tau) - math.pi
    course = np.rint(course / SECTOR) * SECTOR  # The drift has the noise of the course, too, and must not go by it.
    terms = np.column_stack([-1.0 * sides, np.ones(when.size), np.cos(course), np.sin(course), (when - at) / WINDOW,
                             wind, turn])
    place = int(np.searchsorted(others, row))
    beside = [one for one in others[max(place - 1, 0):place + 1] if abs(time[one] - at) < WINDOW]
    fits = [_fit(drift, terms, PRIORS)]
    if beside:
        steps = np.column_stack([1.0 * (when > time[one]) for one in beside])
        fits.append(_fit(drift, np.column_stack([terms, steps]), np.append(PRIORS, np.full(len(beside), PRIORS[0]))))
    return HeadingChange(row, *min(fits, key=lambda fit: fit[1]))


def _turns_on_the_spot(change: HeadingChange, rows: np.ndarray, time: np.ndarray, yaw: np.ndarray,
                       place: np.ndarray) -> bool:
    """Return whether a boat that goes on where it was, as after a clock was set, would have turned at once with it."""
    at = int(np.searchsorted(rows, change.row))
    last = rows[at - 1]
    first = rows[np.searchsorted(time[rows[:at]], time[last] - BLOCK)]
    way = abs(place[last] - place[first]) / max(time[last] - time[first], 1e-9)
    turned = math.remainder(yaw[change.row] - yaw[last] - change.size, math.tau)
    hidden = min(HIDDEN * float(np.median(np.diff(time[rows]))), 1.0)
    return abs(turned) > TURNED and bool(abs(place[change.row] - place[last]) < hidden * way and way > LEAST_WAY)


def _fit(drift: np.ndarray, terms: np.ndarray, priors: np.ndarray) -> tuple[float, float]:
    """
    Return the factor of the first term, and its std, by robust least squares of drifts, rad, (k,).

    What the terms, (k, m), with priors of these standard deviations, leave is correlated from block to block.
    """
    weight, std, prior = np.ones(drift.size), priors[1], np.diag(priors ** -2)
    for _ in range(ROUNDS):
        found = np.linalg.solve((terms.T * weight) @ terms + std ** 2 * prior, terms.T @ (weight * drift))
        rest = drift - terms @ found
        std = max(1.4826 * float(np.median(np.abs(rest))), LEAST_STD)
        weight = np.minimum(1.0, OUTLIER * std / np.maximum(np.abs(rest), 1e-12))
    rest = rest * weight
    alike = float(np.clip(rest[1:] @ rest[:-1] / max(rest @ rest, 1e-12), 0.0, 0.9))
    wide = OTHERWISE * std * math.sqrt((1.0 + alike) / (1.0 - alike))
    return float(found[0]), math.sqrt(np.linalg.inv((terms.T * weight) @ terms / wide ** 2 + prior)[0, 0])
