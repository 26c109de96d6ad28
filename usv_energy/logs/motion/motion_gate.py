"""The gates of `step_gate`, for a stream of poses and velocities that is judged sample by sample."""

import cmath
import math
from collections import Counter, deque
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from usv_energy.logs.motion.step_gate import (
    FASTEST,
    FASTEST_TURN,
    HARDEST_ACCELERATION,
    LARGEST_ACCELERATION,
    LONGER,
    NEAR,
    NOISES,
    OF_LINE,
    OF_PLANE,
    PLACE_FLOOR,
    PLACE_SHARE,
    SPEED_FLOOR,
    TURNS,
    UNDER_WAY,
    YAW_FLOOR,
    YAW_SHARE,
    StepGate,
    Verdict,
)
from usv_energy.physics.frames import to_earth

DRIFT_APART, DRIFT_BEFORE = 1.0, 120  # s between places that tell the drift; how many such drifts before a step tell
LEAST_DRIFTS, SLOW, TURN = 5, 0.2, 0.2  # which heading was right, and fewest; m/s, rad from one to the next, so far.
# Across a gap of up to so many s as many drifts before and after it are compared, of ways that differ by this share of
# one; rad, and standard deviations (neighbours are alike: twice as many), from which on a heading was set anew there.
COMPARED, SAME_WAY, LEAST_CHANGE, SURE = 60, 0.35, math.radians(12.0), 7.0
REMEMBERED = 101   # Innovations from which a stream's noise is known,
LEAST_KNOWN = 10   # and fewest of them; noise is assumed to be no larger than this before: m, rad, m/s.
REPEATED = 1.5     # A place that is repeated for so many times as long as usual under way is no measurement. It is
OLD, STEPS = 2.0, 2.0  # named from so many s on, where the boat went so many usual steps meanwhile: no slower receiver.
UNDECIDED = 1.0    # s for which a velocity that drops to 0 is not used, and longer where the places go on, or are
SPREAD = 3.0       # noisier: standard deviations that two places are apart by noise at most.
ASSUMED_PLACE, ASSUMED_YAW, ASSUMED_VELOCITY = 0.5, math.radians(2.0), 0.2
UNKNOWN = (math.nan, math.nan)
Triple = tuple[float, float, float]


class _Series:
    """A gate with the noise of the innovations so far."""

    def __init__(self, ratio: float, assumed: float) -> None:
        """Begin; `ratio`: OF_PLANE or OF_LINE; `assumed`: the noise of an innovation before it is known."""
        self._ratio, self._assumed = ratio, assumed
        self._sizes: deque[float] = deque(maxlen=REMEMBERED)
        self.begin()

    def begin(self) -> None:
        """Forget samples that wait for a verdict."""
        self._gate = StepGate()

    @property
    def waits(self) -> bool:
        """Whether the last sample waits for a verdict."""
        return self._gate.waits

    @property
    def noise(self) -> float:
        """Standard deviation of an innovation in one direction."""
        return median(self._sizes) / self._ratio if len(self._sizes) >= LEAST_KNOWN else self._assumed

    def judge(self, innovation: Sequence[float], allowed: float) -> Verdict:
        """Return the verdict on a sample; `allowed`: its largest innovation without noise."""
        waited = self._gate.waits
        verdict = self._gate.add(innovation, allowed + NOISES * self.noise)
        if verdict.used and not waited:
            self._sizes.append(math.hypot(*innovation))
        return verdict


class PlaceGate:
    """
    Judges places by the velocities between them, or by the velocity of the last places where there is none.

    `age`: how many times as long as usual the last place has stood still while the velocities take the boat on;
    `is_old`: whether that is more than a slower receiver, or one with few digits, makes of it; `noise`: of a place, m.
    """

    def __init__(self) -> None:
        """Begin without a place."""
        self._noise = _Series(OF_PLANE, ASSUMED_PLACE)
        self._recent: deque[tuple[float, float]] = deque(maxlen=NEAR)
        self._spans: deque[float] = deque(maxlen=NEAR)
        self._steps: deque[float] = deque(maxlen=NEAR)
        self.age, self.is_old = 0.0, False
        self.begin()

    @property
    def noise(self) -> float:
        """Return the noise of an innovation, m."""
        return self._noise.noise

    def begin(self) -> None:
        """Forget the last place, as after a gap; steps so far are forgotten, too."""
        self._noise.begin()
        self.offset = (0.0, 0.0)
        self._place: tuple[float, float] = UNKNOWN
        self._time = self._moved_at = self._counted = math.nan
        self._velocity: tuple[float, float] = UNKNOWN
        self._way = [0.0, 0.0]

    def move(self, time: float, velocity: tuple[float, float]) -> None:
        """Take a velocity over ground, east and north, m/s, at a time, s."""
        if not math.isfinite(velocity[0] + velocity[1]):
            return
        if velocity == self._velocity:  # Perhaps held: what it did meanwhile is told by the next one.
            self._moved_at = time
            return
        if math.isfinite(self._velocity[0]):
            span = time - self._counted
            for axis in (0, 1):
                self._way[axis] += 0.5 * span * (self._velocity[axis] + velocity[axis])
        self._velocity, self._moved_at, self._counted = velocity, time, time

    def add(self, time: float, place: tuple[float, float]) -> Verdict:
        """
        Judge a place, m, at a time, s, after the velocity of that time, where it has one.

        Steps that the verdict confirms are in `offset` from then on, m: what to take off the places.
        """
        self.age, self.is_old = 0.0, False
        if place == self._place and not self._noise.waits:  # Held between two fixes: no measurement.
            if self._spans and self._moved_at >= self._time and math.hypot(*self._velocity) > UNDER_WAY:
                self.age = (time - self._time) / median(self._spans)
                self.is_old = (self.age > LONGER and time - self._time > OLD and
                               math.hypot(*self._velocity) * (time - self._time) > STEPS * median(self._steps))
            return Verdict(self.age <= REPEATED)
        before, span = self._place, time - self._time
        way, self._way = self._way, [0.0, 0.0]
        counted, self._counted = self._counted, time
        self._place, self._time = place, time
        if not math.isfinite(before[0]) or not span > 0.0:
            return Verdict(True)
        self._spans.append(span)
        moved = place[0] - before[0], place[1] - before[1]
        self._steps.append(math.hypot(*moved))
        if math.isfinite(self._velocity[0]):
            rest, age = time - counted, time - self._moved_at  # The velocities may be older than the place.
            way = [done + rest * speed for done, speed in zip(way, self._velocity)]
            allowed = PLACE_FLOOR + PLACE_SHARE * math.hypot(*way)
            allowed += (TURNS * math.hypot(*self._velocity) + HARDEST_ACCELERATION * age) * age
        else:
            way = [span * median(values) for values in zip(*self._recent)] if self._recent else [0.0, 0.0]
            speed = median(math.hypot(*one) for one in self._recent) if self._recent else math.inf
            allowed = PLACE_FLOOR + TURNS * max(math.hypot(*way), speed * span) + HARDEST_ACCELERATION * span * span
        verdict = self._noise.judge((moved[0] - way[0], moved[1] - way[1]), allowed)
        if verdict.used and verdict.step is None:
            self._recent.append((moved[0] / span, moved[1] / span))
        if verdict.step is not None:
            self.offset = self.offset[0] + verdict.step[0], self.offset[1] + verdict.step[1]
        return verdict


class YawGate:
    """Judges headings by the yaw rates between them."""

    def __init__(self) -> None:
        """Begin without a heading."""
        self._noise = _Series(OF_LINE, ASSUMED_YAW)
        self.begin()

    def begin(self) -> None:
        """Forget the last heading, as after a gap."""
        self._noise.begin()
        self._yaw = self._rate = self._counted = math.nan
        self._turned = 0.0

    def turn(self, time: float, rate: float) -> None:
        """Take a yaw rate, rad/s, at a time, s."""
        if not math.isfinite(rate):
            return
        if math.isfinite(self._rate):
            self._turned += 0.5 * (time - self._counted) * (self._rate + rate)
        self._rate = rate
        self._counted = time

    def add(self, time: float, yaw: float) -> Verdict:
        """Judge a heading, rad, at a time, s; without a yaw rate all are used."""
        if yaw == self._yaw and not self._noise.waits:  # Held, as a place.
            return Verdict(True)
        before, self._yaw = self._yaw, yaw
        turned, self._turned = self._turned, 0.0
        counted, self._counted = self._counted, time
        if not (math.isfinite(before) and math.isfinite(self._rate)):
            return Verdict(True)
        turned += (time - counted) * self._rate
        missed = math.remainder(yaw - before - turned, math.tau)
        return self._noise.judge((missed,), YAW_FLOOR + YAW_SHARE * abs(turned))


class VelocityGate:
    """Judges velocities by what a boat can reach, and by the ones before."""

    def __init__(self) -> None:
        """Begin without a velocity."""
        self._noise = _Series(OF_PLANE, ASSUMED_VELOCITY)
        self.begin()

    def begin(self) -> None:
        """Forget the last velocity, as after a gap."""
        self._noise.begin()
        self._velocity, self._time = UNKNOWN, math.nan
        self._stopped: tuple[float, tuple[float, ...]] | None = None  # When and where it dropped to 0,
        self._farthest = 0.0                                          # and how far the places went since.

    def drops(self, time: float, place: tuple[float, ...], noise: float) -> bool | None:
        """
        Return whether a velocity of 0 at a time, s, and a place, m, follows one under way and the places go on.

        None: they do not tell yet; `noise`: of a change of the place, m.
        """
        if not math.hypot(*self._velocity) > UNDER_WAY:
            return False
        if self._stopped is None:
            self._stopped, self._farthest = (time, place), 0.0
        span = time - self._stopped[0]
        self._farthest = max(self._farthest, math.dist(place, self._stopped[1]))
        apart = SPREAD * noise if math.isfinite(sum(place)) else 0.0
        if self._farthest > UNDER_WAY * span + apart:
            return True
        return None if span < max(UNDECIDED, apart / UNDER_WAY) else False

    def add(self, time: float, velocity: tuple[float, float]) -> bool:
        """Return whether a velocity, m/s, at a time, s, can be the boat's."""
        self._stopped = None
        if math.hypot(*velocity) > FASTEST:
            return False
        if velocity == self._velocity and not self._noise.waits:  # Held, as a place.
            return True
        before, span = self._velocity, time - self._time
        self._velocity, self._time = velocity, time
        if not math.isfinite(before[0]):
            return True
        changed = velocity[0] - before[0], velocity[1] - before[1]
        return self._noise.judge(changed, SPEED_FLOOR + LARGEST_ACCELERATION * span).used


class _Drift:
    """
    The course over ground less the heading so far, by which it is told whether a heading that is set anew is right.

    A compass that is right leaves a current's and a wind's drift, which differs from course to course.
    """

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._known: deque[tuple[complex, complex]] = deque(maxlen=DRIFT_BEFORE)  # Drift as a rotation; way, m/s.
        self._last: tuple[float, complex, float] | None = None

    def add(self, time: float, place: tuple[float, float], yaw: float) -> float:
        """
        Take a place, m, without steps, and a heading, rad, of a time, s; NaN where they are not known.

        :return: The drift that they tell, rad; NaN where it is none.
        """
        here, drift = complex(*place), math.nan
        if self._last is not None:
            before, there, heading = self._last
            span, way, turned = time - before, here - there, yaw - heading
            if span < DRIFT_APART or not math.isfinite(abs(way) + yaw):
                return drift
            turned = math.remainder(turned, math.tau)
            if abs(way) > SLOW * span and abs(turned) < TURN and span < 3.0 * DRIFT_APART:
                self._known.append((way / abs(way) * cmath.rect(1.0, 0.5 * turned - yaw), way / span))
                drift = cmath.phase(self._known[-1][0])
        if math.isfinite(abs(here) + yaw):
            self._last = time, here, yaw
        return drift

    @property
    def is_known(self) -> bool:
        """Whether it is known well enough to be compared."""
        return len(self._known) >= LEAST_DRIFTS

    def step_since(self, before: '_Drift') -> float:
        """
        Return by how much the heading was set anew since another drift, rad; NaN where that is not sure.

        Only of ways like the last one, course and speed: there a current and a wind leave the same drift as before.
        """
        last = self._known[-1][1]
        now, then = ([drift for drift, way in list(one._known)[-COMPARED:] if abs(way - last) < SAME_WAY * abs(last)]
                     for one in (self, before))
        if min(len(now), len(then)) < LEAST_DRIFTS:
            return math.nan
        variance = 0.0
        for some in (now, then):
            middle = sum(some)
            variance += sum(cmath.phase(one / middle) ** 2 for one in some) / len(some) ** 2
        step = cmath.phase(sum(then) / sum(now))
        return step if abs(step) > max(LEAST_CHANGE, SURE * math.sqrt(variance)) else math.nan

    def tells_old(self, step: float) -> bool:
        """Return whether the heading before a step, rad, was nearer to the course, by half of the step at least."""
        if not self.is_known:
            return False
        before = cmath.phase(sum(drift for drift, _ in self._known))
        return abs(math.remainder(before - step, math.tau)) - abs(before) > 0.5 * abs(step)


class Judged(NamedTuple):
    """
    A sample after the gates.

    `pose`: without the steps of the position, and of the heading where the one before was right, NaN where it was not
    used; `velocity`: two components and yaw rate, NaN where it was not used, along the axes of that heading; `faults`:
    what was found, in words; `turned`: whether the heading made a lasting step that is believed, so that an estimate
    has to begin anew.
    """

    pose: Triple
    velocity: Triple
    faults: tuple[str, ...] = ()
    turned: bool = False


class MotionGate:
    """
    Judges poses and velocities together; what was not measured is NaN.

    `counts`: of what was taken out, in words. Where a heading is set anew and the one before was right, it is turned
    back, and velocities with it: an estimator turns them by its heading, a log of the bottom (DVL) does not, which the
    drift tells second by second.
    """

    def __init__(self) -> None:
        """Begin."""
        self._places, self._yaws, self._velocities = PlaceGate(), YawGate(), VelocityGate()
        self._drift = _Drift()
        self._before: _Drift | None = None  # A gap, after which the heading may be another.
        self._asides: list[complex] = []    # Direction of the velocity less the drift, since then.
        self._anew = self._time = math.nan
        self._set_off, self._of_estimator = 0.0, 0
        self.counts: Counter[str] = Counter()

    @property
    def offset(self) -> tuple[float, float]:
        """Sum of the lasting steps of the position since the last gap, m."""
        return self._places.offset

    def judge(self, time: float, pose: Triple, velocity: Triple, longest: float, of_earth: bool = False) -> Judged:
        """
        Judge a sample.

        :param time: Stamp, s.
        :param pose: x, y m and yaw rad (ENU).
        :param velocity: Over ground: u, v m/s (FLU), and yaw rate, rad/s.
        :param longest: Step that is no gap, s; after a gap, or a step back in time, all begins anew.
        :param of_earth: Whether the velocity is along east and north.
        """
        if not 0.0 <= time - self._time <= longest:
            for gate in (self._places, self._yaws, self._velocities):
                gate.begin()
            if self._drift.is_known:
                self._before = self._drift
            if not 0.0 <= time - self._time <= COMPARED:
                self._before = None
            self._drift, self._set_off, self._of_estimator = _Drift(), 0.0, 0
            self._asides, self._anew = [], math.nan
        self._time = time
        faults: list[str] = []
        turned_back = self._turns_back(faults)
        u, v, r = velocity
        goes_on = (u, v) == (0.0, 0.0) and self._velocities.drops(time, pose[:2], self._places.noise)
        if goes_on is not False:
            u = v = math.nan
            if goes_on:
                self._note('velocities not used', 'a velocity of 0 under way', faults)
        if math.isfinite(u + v) and not self._velocities.add(time, (u, v)):
            u = v = math.nan
            self._note('velocities not used', 'a velocity that the boat cannot have', faults)
        if math.isfinite(r) and abs(r) > FASTEST_TURN:
            r = math.nan
            self._note('yaw rates not used', 'a yaw rate that no boat has', faults)
        yaw, turned = self._judged_yaw(time, pose[2], r, faults)
        if of_earth:
            self._places.move(time, (u, v))
        elif math.isfinite(pose[2]) and not math.isfinite(yaw):
            u = v = math.nan  # An estimator turns its velocity by the heading.
        elif math.isfinite(pose[2]) and math.isfinite(u + v):
            if self._set_off and self._of_estimator >= 0:
                u, v = to_earth(u, v, math.cos(self._set_off), math.sin(self._set_off))
            heading = pose[2] - self._set_off
            self._places.move(time, to_earth(u, v, math.cos(heading), math.sin(heading)))
        place = self._judged_place(time, pose, faults)
        drift = self._drift.add(time, place, yaw)
        if self._set_off and math.isfinite(drift + velocity[0] + velocity[1]):
            aside = math.atan2(velocity[1], velocity[0])
            of_estimator, of_body = (abs(math.remainder(aside - drift + one, math.tau)) for one in (self._set_off, 0.0))
            self._of_estimator += 1 if of_estimator < of_body else -1
        if self._before is not None and math.isfinite(drift):
            is_told = math.isfinite(velocity[0] + velocity[1])
            self._asides.append(cmath.rect(1.0, math.atan2(velocity[1], velocity[0]) - drift) if is_told else 0j)
            self._anew = self._drift.step_since(self._before)
            if len(self._asides) > COMPARED:
                self._before = None
        return Judged((*place, yaw), (u, v, r), tuple(faults), turned or turned_back)

    def _turns_back(self, faults: list[str]) -> bool:
        """Return whether headings are turned back from now on, as they were set anew in a gap, by the course."""
        step, before = self._anew, self._before
        if before is None or not math.isfinite(step):
            return False
        self._before, self._anew = None, math.nan
        words = f'a step of the heading by {math.degrees(step):.3g} deg in a gap'
        self._note('heading steps', words, faults)
        if not before.tells_old(step):
            return False
        aside = cmath.phase(sum(self._asides))
        self._of_estimator = 1 if abs(aside) < abs(math.remainder(aside - step, math.tau)) else -1
        self._set_off += step
        self._drift = _Drift()
        faults[-1] = f'{words}, by the course a wrong one'
        return True

    def _note(self, count: str, words: str, faults: list[str]) -> None:
        self.counts[count] += 1
        faults.append(words)

    def _judged_yaw(self, time: float, yaw: float, rate: float, faults: list[str]) -> tuple[float, bool]:
        """Return a heading, NaN where it is not used, and whether it made a lasting step that is believed."""
        self._yaws.turn(time, rate)
        if not math.isfinite(yaw):
            return yaw, False
        verdict = self._yaws.add(time, yaw)
        if verdict.step is None and not verdict.used:
            self._note('headings not used', 'a heading without a turn', faults)
            return math.nan, False
        turned = False
        if verdict.step is not None:
            step, = verdict.step
            words = f'a step of the heading by {math.degrees(step):.3g} deg'
            self._note('heading steps', words, faults)
            turned = not self._drift.tells_old(step)
            if turned:
                self._drift = _Drift()
            else:
                self._set_off += step
                faults[-1] = f'{words}, by the course a wrong one'
        return yaw - self._set_off, turned

    def _judged_place(self, time: float, pose: Triple, faults: list[str]) -> tuple[float, float]:
        """Return a place without the steps so far, NaN where it is not used."""
        if not math.isfinite(pose[0] + pose[1]):
            return UNKNOWN
        verdict = self._places.add(time, pose[:2])
        if verdict.step is not None:
            self._note('position steps', f'a step of the position by {math.hypot(*verdict.step):.3g} m', faults)
        elif not verdict.used:
            if not self._places.age or self._places.is_old:
                self._note('positions not used', 'a position that stands still under way' if self._places.age else
                           'a position that the boat cannot be at', faults)
            return UNKNOWN
        x, y = self.offset
        return pose[0] - x, pose[1] - y
