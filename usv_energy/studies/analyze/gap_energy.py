"""
The energy of gaps in a log, estimated from the motion on both sides where a way between them fits.

The velocity over ground across a gap goes from the one before to the one after, with as much more or less in the middle
(a parabola) as the distance between both places needs. Where that is little, the boat did in the gap what it did before
and after it. Where it is much, it turned or stopped there: a short gap then has a share of the mean power on both
sides; in a longer one nothing is estimated, and it counts as a gap.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.motion.motion_estimate import MotionEstimate
from usv_energy.physics.elementwise import wrapped
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import CAUSES, IntegratedSteps, steps_between
from usv_energy.powering.power import Power
from usv_energy.studies.analyze.log_actuators import LogActuators
from usv_energy.studies.analyze.log_power import flow_at, mean_power, relative_motion

LONGEST = 120.0          # s: nothing is estimated across longer gaps.
SHORT = 5.0              # s up to which a gap may hold a turn, or a change of the speed.
FINE = 0.1               # s between the times at which a way across a gap is computed.
FITS, FITS_SHORT = 0.15, 0.5   # Share of the speed by which its mean may differ from that on both sides.
ALIKE = 0.25             # Share by which the velocities on both sides of a longer gap may differ.
TURN = 1.0               # rad: what a turn across a gap may differ from its yaw rates on both sides.
SLOW = 0.05              # m/s: differences below this are nothing.
# What the energy across a gap may be off (95 %), as a share of it: at least, and with `strained` of 1.
OFF, OFF_STRAINED = 0.08, 0.25
# s up to which a gap that no way fits is estimated all the same; s on each side whose mean power is taken; what a boat
# takes there as a share of that, and what this may be off (95 %): of 1490 gaps of twins with a turn 0.79 +- 0.3.
BLIND, NEAR, OF_MEAN, OFF_BLIND = 10.0, 30.0, 0.8, 0.75
ALWAYS = ('static_load', 'loads')  # Causes that no turn changes.


class GapWay(NamedTuple):
    """
    The way across a gap: the samples before and after it; times, s, and the Motion there, arrays; None: no way fits.

    `strained`: by how much the mean velocity differs from that on both sides, and these from each other, as a share of
    the speed, (-).
    """

    before: int
    after: int
    time: np.ndarray
    motion: Motion | None
    strained: float

    @property
    def duration(self) -> float:
        """How long the gap is, s."""
        return float(self.time[-1] - self.time[0])

    @property
    def off(self) -> float:
        """What its energy may be off, as a share of it, (-), 95 %."""
        return OFF_BLIND if self.motion is None else OFF + OFF_STRAINED * min(self.strained, 1.0)


def gaps_of(time: np.ndarray, known: np.ndarray, longest: float) -> list[tuple[int, int]]:
    """Return the samples before and after each gap, steps longer than `longest`, s, between known samples."""
    rows = np.flatnonzero(known)
    gaps = np.flatnonzero(np.diff(time[rows]) > longest)
    return [(int(rows[one]), int(rows[one + 1])) for one in gaps]


def ways_across(gaps: list[tuple[int, int]], time: np.ndarray, motion: Motion, estimate: MotionEstimate | None,
                places: tuple[np.ndarray, np.ndarray]) -> list[GapWay]:
    """
    Return the ways across those gaps whose energy can be estimated.

    :param gaps: The samples before and after each.
    :param time: Of the samples, s, shape (n,).
    :param motion: At the samples, over ground.
    :param estimate: Of the motion, whose places are then taken; None: the recorded ones.
    :param places: The recorded ones, m (ENU), (n,) each.
    """
    if not gaps:
        return []
    rows = np.array(gaps).ravel()
    x, y = places[0][rows], places[1][rows]
    if estimate is not None and estimate.of_places:
        values = estimate.at(time[rows])
        x, y = values.x, values.y
    moved = np.column_stack([x, y]).reshape(-1, 2, 2)
    found = (_way_across(one, time, motion, after - before) for one, (before, after) in zip(gaps, moved))
    return [way for way in found if way is not None]


def _way_across(gap: tuple[int, int], time: np.ndarray, motion: Motion, moved: np.ndarray) -> GapWay | None:
    """Return the way across a gap in which the boat moved so far, m (ENU), shape (2,); None where nothing is told."""
    rows = list(gap)
    duration = float(time[rows[1]] - time[rows[0]])
    (c, s), (u, v) = (np.cos(motion.yaw[rows]), np.sin(motion.yaw[rows])), (motion.u[rows], motion.v[rows])
    velocity = np.column_stack(to_earth(u, v, c, s))
    speed = max(float(np.hypot(*velocity.T).max()), SLOW)
    more = moved / duration - velocity.mean(axis=0)
    bent, changed = (float(np.hypot(*one)) / speed for one in (more, velocity[1] - velocity[0]))
    turned, rates = float(motion.yaw[rows[1]] - motion.yaw[rows[0]]), motion.r[rows]
    if not math.isfinite(bent + turned) or duration > LONGEST:
        return None
    short = duration <= SHORT
    if short:
        fits = bent < max(FITS_SHORT, SLOW / speed) and abs(turned - 0.5 * duration * float(rates.sum())) < TURN
    else:
        turned, rates = float(wrapped(turned)), np.full(2, float(wrapped(turned)) / duration)
        fits = max(bent / FITS, changed / ALIKE) < max(1.0, SLOW / (FITS * speed)) and abs(turned) < TURN
    if not fits:
        return GapWay(*gap, time[rows], None, 1.0) if duration <= BLIND else None
    share = np.linspace(0.0, 1.0, max(2, math.ceil(duration / FINE)) + 1)
    middle = 6.0 * share * (1.0 - share)
    east, north = (velocity[0][axis] + share * (velocity[1] - velocity[0])[axis] + middle * more[axis]
                   for axis in range(2))
    yaw, rate = _turn_across(share, duration, float(motion.yaw[rows[0]]), turned, rates)
    ahead, aside = to_body(east, north, np.cos(yaw), np.sin(yaw))
    nothing = np.zeros_like(share)
    return GapWay(*gap, time[rows[0]] + duration * share, Motion(yaw, ahead, aside, rate, nothing, nothing, nothing),
                  bent + (changed if short else 0.0))


def _turn_across(share: np.ndarray, duration: float, yaw: float, turned: float,
                 rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return heading, rad, and yaw rate, rad/s, at shares of a gap: the cubic of both headings and yaw rates."""
    first, last = rates * duration
    second, third = 3.0 * turned - 2.0 * first - last, first + last - 2.0 * turned
    heading = yaw + share * (first + share * (second + share * third))
    return heading, (first + share * (2.0 * second + share * 3.0 * third)) / duration


def fill_gaps(power: Power, ways: list[GapWay], time: np.ndarray, flow: Flow, boat: Boat, convention: str,
              actuators: LogActuators | None) -> None:
    """
    Fill in the mean power across gaps at the samples after them.

    :param power: Mean Power of each step at the sample that ends it, W, (n,); is changed.
    :param ways: Across the gaps.
    :param time: Of the samples, s, (n,).
    :param flow: The Flow at the samples.
    :param boat: The Boat.
    :param convention: Of the power.
    :param actuators: What is known of them; None where nothing is.
    """
    known = np.isfinite(power.total)
    known[[way.after for way in ways]] = False
    for way in ways:
        means = _power_beside(way, time, power, known) if way.motion is None else _mean_power(
            way, way.motion, time, flow, boat, convention, actuators)
        for cause, mean in zip(CAUSES, means):
            getattr(power, cause)[way.after] = mean


def with_gaps(steps: IntegratedSteps, ways: list[GapWay], gaps: list[tuple[int, int]],
              time: np.ndarray) -> IntegratedSteps:
    """Return the steps of a log with those across gaps that a way fits, and only the other gaps as gaps."""
    if not ways:
        return steps
    rows = {way.before: way.after for way in ways}
    begins, ends = np.array(list(rows)), np.array(list(rows.values()))
    order = np.argsort(np.concatenate([steps.ends, ends]), kind='stable')
    return steps._replace(
        begins=np.concatenate([steps.begins, begins])[order], ends=np.concatenate([steps.ends, ends])[order],
        durations=np.concatenate([steps.durations, time[ends] - time[begins]])[order],
        gaps=np.array([time[after] - time[before] for before, after in gaps if before not in rows]),
        samples=steps.samples + len(ways), invalid_samples=steps.invalid_samples - len(ways))


def _power_beside(way: GapWay, time: np.ndarray, power: Power, known: np.ndarray) -> list[float]:
    """Return the mean power in a gap that no way fits, W, by cause: of that on both sides, less for a turn."""
    near = known & (time > way.time[0] - NEAR) & (time < way.time[-1] + NEAR)
    share = np.diff(time, prepend=time[0])[near]
    total = float(share.sum())
    means = {cause: float(getattr(power, cause)[near] @ share) / total if total > 0.0 else math.nan for cause in CAUSES}
    spared = (1.0 - OF_MEAN) * (means['total'] - means['static_load'] - means['loads'])
    return [mean - spared if cause == 'total' else mean * (1.0 if cause in ALWAYS else OF_MEAN)
            for cause, mean in means.items()]


def _mean_power(way: GapWay, motion: Motion, time: np.ndarray, flow: Flow, boat: Boat, convention: str,
                actuators: LogActuators | None) -> list[float]:
    """Return the mean power on a way across a gap, W, by cause."""
    relative = relative_motion(motion, flow_at(way.time, time, flow), convention)
    between = steps_between(way.time, np.isfinite(sum(relative)), math.inf)
    measured = None if actuators is None else actuators.measured(way.time, relative, boat)
    power = mean_power(relative, between, boat, convention, measured, actuators is not None and actuators.held)
    return [float(getattr(power, cause)[between.ends] @ between.durations) / way.duration for cause in CAUSES]
