"""
The doubts of an energy, one by one: the same names, shares and words for a log that is analysed and for a live boat.

A doubt says by how much the energy may be off for its reason alone (95 %), and what to do about it.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.powering.energy import Energy
from usv_energy.show.text_table import joules, percent, seconds

WIDE = 0.05       # Half width of an interval, as a share of the energy, from which something should be done about it.
WHOLE = 0.98      # Share of the time that should be integrated.
HARDER = 1.5      # Of the mean power, at most, in the time that was not.
# What a boat's file may be off at one speed whose numbers have no std, as a share of the energy (95 %): how far the
# linear and quadratic drag nearest to another law is from it, and unequal thrusters from equal ones.
UNSTATED = 0.03
# Logarithm of the ratio of two speeds at which the drag is off alike (correlation exp(-1/2)), 1 below KNOWN_FROM;
# steps of it in which speeds are counted, and how many (up to 44 m/s).
ALIKE, SPEED_STEP, SPEEDS = 0.1, 0.05, 100
# What is added to that at rest, less with the speed until none is left at KNOWN_FROM, m/s: a drag that was found from
# there on is off so far below it (95 % of 800 drawn cubic drags: 10 % at 0.2 m/s, 17 % at 0.1 m/s).
SLOW, KNOWN_FROM = 0.22, 0.3
# The same where the power is that of the log's own thrusts, whose closure is a doubt of its own; and where the current
# was found from them as it changes: it follows an error of the drag from leg to leg.
OF_THRUSTS, LEG_BY_LEG = 0.006, 0.014
ASIDE = 1.5       # Error of the energy over the share of a side force that a wrong heading, flow or drag leaves.
SIDEWAYS = 0.05   # Share of the thrust energy from which to report the side force.
CLOSED = 0.10     # Share of the thrusters' own work that the model may miss before a closer look,
RESIDUAL = 0.05   # and that may be left over on balance.
SHOWN = 2         # Numbers without a std that are named.
NUMBERS = 'numbers of the boat'
SIDE_FORCE = 'side force that no thruster gives'
INTEGRATED = 'time that was integrated'
UNSEEN = 'energy without data, estimated'
CLOSURE = "motion against the thrusters' own work"
MEASURED = 'energy against the measured one'
HELD_FLOW = 'current or wind that is old'
TAKEN_OUT = 'steps and values taken out'


class Doubt(NamedTuple):
    """
    One reason for doubt.

    `name`: what is doubtful; `low`, `high`: by how much the energy may be less and more, J (95 %), NaN where that has
    no bound, 0 where it does not widen the interval; `amount` and `advice`: in words.
    """

    name: str
    low: float
    high: float
    amount: str
    advice: str


def ranked(doubts: Iterable[Doubt | None]) -> list[Doubt]:
    """Return the doubts that there are, the worst first: those without a bound, then the widest."""
    return sorted((doubt for doubt in doubts if doubt is not None), key=_rank)


def _rank(doubt: Doubt) -> tuple[bool, float]:
    size = doubt.low + doubt.high
    return not math.isnan(size), -size if size == size else 0.0


def not_said(media: Sequence[str]) -> str:
    """Return the name of the doubt that nobody says what the current or the wind is."""
    return f'{" and ".join(media)}: not said, taken as still'


def drag_off(speed: np.ndarray) -> np.ndarray:
    """Return what a drag without std may be off at speeds, m/s, as a share of it (95 %)."""
    return UNSTATED + SLOW * np.maximum(1.0 - np.abs(speed) / KNOWN_FROM, 0.0)


def off_by_speed(speed: np.ndarray, driven: np.ndarray) -> np.ndarray:
    """Return what energies that move a boat may be off at their speeds, m/s, by a drag without std, J, (SPEEDS,)."""
    step = np.round(np.log(np.maximum(np.abs(speed) / KNOWN_FROM, 1.0)) / SPEED_STEP)
    return np.bincount(np.minimum(step, SPEEDS - 1).astype(int), drag_off(speed) * driven, SPEEDS)


def unstated_share(off: np.ndarray, idle: float, energy: float) -> float:
    """
    Return what an energy may be off by a boat's numbers without std, as a share of it, (-).

    The drag is off at each speed by a share of its own, alike at speeds that are ALIKE: over many, errors average out.

    :param off: As of `off_by_speed`, J.
    :param idle: What of the energy does not move the boat, J.
    :param energy: All of it, J.
    """
    steps = SPEED_STEP / ALIKE * np.arange(SPEEDS)
    of_drag = math.sqrt(float(off @ np.exp(-0.5 * (steps[:, None] - steps) ** 2) @ off))
    return (of_drag + UNSTATED * idle) / energy if energy > 0.0 else UNSTATED


def numbers_doubt(energy: float, found: Doubt | None, without_std: Sequence[str], unstated: float = UNSTATED,
                  by_thrusts: float = 0.0, leg_by_leg: bool = False) -> Doubt:
    """
    Return the doubt by the boat's numbers: those with a std; all others by a share of the energy.

    :param energy: J.
    :param found: By the numbers with a std; None where no number has one.
    :param without_std: Paths of those that have none.
    :param unstated: What these are off where the drag is one of them, as of `unstated_share`, (-).
    :param by_thrusts: Share of the time whose power is that of the log's own thrusts, (-): OF_THRUSTS there.
    :param leg_by_leg: Whether these thrusts tell the current as it changes, too: LEG_BY_LEG.
    """
    share = unstated if found is None or any(path.startswith('damping') for path in without_std) else UNSTATED
    share += by_thrusts * ((LEG_BY_LEG if leg_by_leg else OF_THRUSTS) - share)
    off = share * energy
    if found is None:
        where = f' at speeds below {KNOWN_FROM:g} m/s' if share > 2.0 * UNSTATED else ''
        return Doubt(NUMBERS, off, off, f'taken as right to {100.0 * share:.2g} %{where}',
                     'no std in its file: usv-energy identify')
    if not without_std:
        return found
    more = len(without_std) - SHOWN
    shown = ', '.join(without_std[:SHOWN]) + (f' and {more} more' if more > 0 else '')
    return found._replace(low=math.hypot(found.low, off), high=math.hypot(found.high, off),
                          amount=f'{found.amount}, and {100.0 * share:.2g} % for those without a std',
                          advice=f'no std of {shown}: usv-energy identify')


def side_force_share(energy: Energy) -> float:
    """Return the energy of the side force that no thruster gives, as a share of what the thrusters give, (-)."""
    given = energy.thrust + energy.unrecovered
    return energy.side_force / given if given else math.nan


def side_force_doubt(energy: float, share: float, found: str = '') -> Doubt:
    """
    Return the doubt by the side force that no thruster gives.

    :param energy: J.
    :param share: Of the energy of the thrust, (-); NaN where there is none.
    :param found: The flow that was found from it; empty: none.
    """
    large = abs(share) > SIDEWAYS
    advice = 'look at heading, current, wind or sway drag' if large else 'current, wind and sway drag fit'
    if found and not large:
        advice = f'a {found} was found from it: say what there was (--{found})'
    off = ASIDE * abs(share) * energy if large else 0.0
    return Doubt(SIDE_FORCE, off, off, percent(share, 1) + ('' if share != share else ' of the thrust'), advice)


def time_doubt(energy: float, share: float, remedy: str) -> Doubt:
    """
    Return the doubt by time that was not integrated: at the mean power, and half as much again.

    :param energy: J.
    :param share: Of the time that is in the energy, (-).
    :param remedy: What to do where that is not all of it.
    """
    missing = HARDER * (1.0 / share - 1.0) * energy if share > 0.0 else 0.0
    return Doubt(INTEGRATED, 0.0, missing, '-' if share != share else f'{100.0 * share:.1f} %',
                 'whole' if share >= WHOLE else remedy)


def estimated_doubt(energy: float, duration: float, off: float) -> Doubt | None:
    """
    Return the doubt by energy that was estimated where motion or flow is not known; None where none was.

    :param energy: That energy, J.
    :param duration: Of that time, s.
    :param off: What it may be off, J (95 %).
    """
    if not duration > 0.0:
        return None
    return Doubt(UNSEEN, off, off, f'{joules(energy)} in {seconds(duration)}', 'see the note')


def held_flow_doubt(energy: float, share: float) -> Doubt | None:
    """Return the doubt by a current or wind that was too old in a share of the time, (-); None where it never was."""
    if not share > 0.0:
        return None
    return Doubt(HELD_FLOW, 0.0, 0.0, f'in {100.0 * share:.1f} % of the time', 'held at its last value: see its source')


def closure_doubt(energy: float, propulsion: float, closure: float, residual: float,
                  explained: bool = False) -> Doubt | None:
    """
    Return the doubt by the difference of the model to the work of the thrusters; None where that is not known.

    :param energy: J; `propulsion`: what of it goes by the thrusters, J.
    :param closure: By how much what the model has each thruster give exceeds its own work, as a share of it, (-).
    :param residual: Work of the thrusters beyond what the motion asks of them together, as a share of it, (-).
    :param explained: Whether the verdict says why.
    """
    if not math.isfinite(closure):
        return None
    off = max(abs(closure), abs(residual) if math.isfinite(residual) else 0.0) * max(propulsion, 0.0)
    large = abs(closure) > CLOSED or abs(residual) > RESIDUAL or off > WIDE * energy
    off += UNSTATED * energy if large else 0.0  # The motion's own figure, to which it reaches, is off itself.
    amount = percent(closure, 1) + (f'; left over {percent(residual, 1)}' if math.isfinite(residual) else '')
    advice = 'why: see the verdict' if explained else 'boat, current or scale of the thrusts'
    return Doubt(CLOSURE, off, off, amount, advice if large or explained else 'small')


def measured_doubt(energy: float, relative: float, measured: float) -> Doubt | None:
    """
    Return the doubt by a measured electrical energy, to which the interval reaches; None where none was measured.

    :param energy: J.
    :param relative: By how much the model's energy exceeds the measured one, as a share of it, (-); NaN: none.
    :param measured: What was measured, J.
    """
    if not math.isfinite(relative) or not relative > -1.0:
        return None
    more = energy / (1.0 + relative) - energy
    small = abs(more) <= WIDE * energy
    return Doubt(MEASURED, max(-more, 0.0), max(more, 0.0), f'{percent(relative, 1)} of {joules(measured)}',
                 'small' if small else 'losses or hotel load of the boat, or the sensor')
