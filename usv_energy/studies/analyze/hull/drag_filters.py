"""
Parallel hypotheses for a boat's power: unchanged drag, a changed water current, or a changed drag.

Each hypothesis is an extended Kalman filter. Its state has the six unknowns of `hull_response.py`, then the present
eddies and slow errors of the odometry, whose strength `SpeedScatter` estimates. The base hypothesis has no change. At
every block of cruising, four alternatives branch off from it. In two of them the current may have changed (with the
wind, or along the heading only, which resembles a drag most), in the third the drag, in the fourth both. Their log
likelihoods say which one the data support. The fourth shows whether the headings since then distinguish drag from
current at all. Of the older alternatives every other one is dropped in time, but none of those with the most likely
drag: it holds what was learnt of a change before the turn that distinguishes it from a current.

The test is that of Shiryaev and Roberts: the likelihood ratio of a changed drag to the best hypothesis without one is
summed over all possible times of the change, and the change is accepted when the sum reaches ODDS. A hypothesis with a
changed current is weighted with its prior probability, PRIORS. While nothing changes, the sum less the number of those
times is a supermartingale. So a false alarm takes ODDS blocks on average, 6 h of cruising (Pollak, Annals of Statistics
13 (1985) 206), and the headings must also agree. That holds for the assumed noise; a changing current shortens the time
by its prior. bench/hull_health.py counts false alarms for other noise.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.studies.analyze.current.flow_from_sway import (
    EDDY,
    ODOMETRY,
    STATES,
    SpeedScatter,
    kept_scatter,
    scatter_of,
    with_scatter,
)
from usv_energy.studies.analyze.hull.hull_response import (
    CURRENT,
    DRAG,
    PERIOD,
    UNKNOWNS,
    WIND,
    CruiseBlock,
    linear_response,
    tells_sway,
)

BASE, OTHER_CURRENT, OTHER_DRAG, OTHER_BOTH = 0, 1, 2, 3
# Alternatives that branch off together: current and wind; current along the heading; drag; drag and current.
RIVALS = OTHER_CURRENT, OTHER_CURRENT, OTHER_DRAG, OTHER_BOTH
CURRENT_PERIOD = 1200.0  # s, prior mean time between sudden changes of the current.
PRIORS = np.array([PERIOD / CURRENT_PERIOD, PERIOD / CURRENT_PERIOD, 1.0, 1.0])  # Prior probabilities.
TOLD = 0.12             # Standard deviation of the last one's log drag below which the headings determine the drag.
CHANCE = 21600.0        # s of cruising per false alarm.
ODDS = CHANCE / PERIOD
CERTAIN = math.log(20.0)  # Evidence at which a changed current becomes the base.
TIMES = 20              # Largest number of alternatives that are kept, older ones more sparsely,
LIKELIEST = 3           # but for so many of them whose changed drag is likelier than that of the others.
LONGEST = 7200.0        # s for which an alternative is kept.
DRAG_SPREAD = 0.25      # Prior standard deviation of the log drag.
CHANGE, CHANGE_SPREAD = 0.15, 0.15  # Mean and deviation of a change of the log drag: 10 to 50 % more.
DRAG_DRIFT = 0.02 / math.sqrt(3600.0)  # Of the log drag, per root of a second; includes the model's error.
TURNED_SPREAD = 0.03    # rad.
WIND_TIME = 300.0       # s, correlation time of an error of the wind.
CURRENT_DRIFT = 0.0012  # m/s per root of a second: a tide changes by 0.02 in 5 min.
SPEED_NOISE = 0.012     # m/s: odometry's error in the mean of a block, independent between blocks.
GUSTS = 0.12            # Share of the wind, at least GUST: difference of a block's mean from the known wind.
GUST = 0.2              # m/s.
RELATIVE_NOISE = 0.02   # Of the power.
SPEED_MEMORY = 30.0     # Blocks over which the speed is smoothed for the derivatives.
CLIP = 3.0              # Standard deviations to which a block's innovation is clipped.
NOISE_MEMORY = 60.0     # Blocks over which the scatter is averaged.
MOST_NOISE = 9.0        # Limits of the scatter, relative to the expected variance.


class FlowSpread(NamedTuple):
    """Standard deviations of the known water current and wind, m/s, in each direction."""

    current: float = 0.3
    wind: float = 1.0


class DragFilters:
    """The hypotheses of one boat. Rows of arrays are filters, the base first; columns are unknowns, then scatter."""

    def __init__(self, vessel: Vessel, doubt: FlowSpread) -> None:
        """Begin with the prior of the drag."""
        self._vessel, self._doubt = vessel, doubt
        self._sway = tells_sway(vessel)
        spread = np.array([DRAG_SPREAD, doubt.current, doubt.current, doubt.wind, doubt.wind, TURNED_SPREAD])
        self.mean = np.zeros((1, STATES))
        self.covariance = np.diag(np.concatenate([spread, scatter_of(np.array(1.0))]) ** 2)[None]
        self._water = SpeedScatter(np.diag(spread * spread))
        self.evidence = np.zeros(1)          # Log likelihoods.
        self.kind = np.zeros(1, dtype=int)
        self.born = np.zeros(1)
        self._time = self._speed = math.nan
        self._scatter = np.ones(2)
        self.sum = 0.0                       # Log evidence for a changed drag, relative to ODDS.
        self._mixture: tuple[np.ndarray, np.ndarray] | None = None

    def take(self, block: CruiseBlock) -> bool:
        """Update by a block; return whether a changed drag is accepted now and has become the base."""
        elapsed = 0.0 if math.isnan(self._time) else max(block.time - self._time, 0.0)
        self._time, self._mixture = block.time, None
        self._predict(elapsed)
        self._branch(block.time, block.yaw)
        self._update(block)
        return self._decide(block.time)

    def forget_time(self) -> None:
        """After a jump back in time, let the next block follow the last directly, and drop the alternatives."""
        self._time, self._mixture = math.nan, None
        self._restart_from(0)

    def _predict(self, elapsed: float) -> None:
        """Predict the states over a time, s."""
        doubt = self._doubt
        slow = max(2.0 * doubt.current ** 2 / CURRENT_DRIFT ** 2, 60.0)
        keep, fading = np.ones(UNKNOWNS), kept_scatter(elapsed)
        keep[CURRENT], keep[WIND] = math.exp(-elapsed / slow), math.exp(-elapsed / WIND_TIME)
        added = np.zeros(UNKNOWNS)
        added[DRAG] = DRAG_DRIFT ** 2 * elapsed
        added[CURRENT] = doubt.current ** 2 * (1.0 - keep[CURRENT] ** 2)
        added[WIND] = doubt.wind ** 2 * (1.0 - keep[WIND] ** 2)
        self._water.predict(elapsed, keep, added)
        scatter = scatter_of(np.array(self._water.strength)) ** 2 * (1.0 - fading ** 2)
        share = np.concatenate([keep, fading])
        self.mean = self.mean * share
        self.covariance = self.covariance * share[:, None] * share + np.diag(np.concatenate([added, scatter]))

    def _branch(self, time: float, yaw: float) -> None:
        """Branch alternatives off from the base, on a heading, rad."""
        self._thin(time)
        along = np.array([math.cos(yaw), math.sin(yaw)])
        number, every = len(RIVALS), self._doubt.current ** 2 * np.eye(2)
        changed = np.zeros((number, STATES, STATES))
        changed[0, CURRENT, CURRENT], changed[3, CURRENT, CURRENT] = every, every
        changed[0, WIND, WIND] = self._doubt.wind ** 2 * np.eye(2)
        changed[1, CURRENT, CURRENT] = self._doubt.current ** 2 * np.outer(along, along)
        changed[2, DRAG, DRAG], changed[3, DRAG, DRAG] = CHANGE_SPREAD ** 2, DRAG_SPREAD ** 2
        means = np.repeat(self.mean[:1], number, axis=0)
        means[2, DRAG] += CHANGE
        self.mean = np.concatenate([self.mean, means])
        self.covariance = np.concatenate([self.covariance, self.covariance[0] + changed])
        self.evidence = np.append(self.evidence, self.evidence[0] + np.log(PRIORS))
        self.kind = np.append(self.kind, RIVALS)
        self.born = np.append(self.born, np.full(number, time))

    def _thin(self, time: float) -> None:
        """Drop alternatives that are too old and, of too many, unlikely ones with the closest neighbours in age."""
        self._keep((self.kind == BASE) | (time - self.born <= LONGEST))
        drags = self.kind == OTHER_DRAG      # One for each branching time, the oldest first.
        born, evidence = self.born[drags], self.evidence[drags]
        if born.size >= TIMES:
            gaps = (born[2:] - born[:-2]) / (time - born[1:-1])
            gaps[np.argsort(evidence[1:-1])[-LIKELIEST:]] = math.inf
            self._keep((self.kind == BASE) | (self.born != born[1 + int(np.argmin(gaps))]))

    def _keep(self, which: np.ndarray) -> None:
        self.mean, self.covariance, self.evidence, self.kind, self.born = (
            rows[which] for rows in (self.mean, self.covariance, self.evidence, self.kind, self.born))

    def _update(self, block: CruiseBlock) -> None:
        self._speed = block.u if math.isnan(self._speed) else self._speed + (block.u - self._speed) / SPEED_MEMORY
        c, s = math.cos(block.yaw), math.sin(block.yaw)
        shown = self.mean[:, :UNKNOWNS].copy()
        shown[:, CURRENT] += self.mean[:, EDDY] + self.mean[:, ODOMETRY] @ np.array([[c, s], [-s, c]])
        slow = self.mean[:, :UNKNOWNS]       # Without the eddies: the slopes must not correlate with the block's noise.
        expected, slopes = linear_response(block, self._speed, slow, self._vessel, self._sway, shown)
        slopes = with_scatter(slopes, block.yaw)
        seen = np.array([math.log(block.watts - block.loads), 0.0])
        noise = self._noise(block, slopes) * self._scatter
        before = self.mean
        if self._sway:
            self._water.update(float(seen[1] - expected[0, 1] + slopes[0, 1] @ before[0]), slopes[0, 1],
                               float(noise[0, 1]))
        for channel in range(2 if self._sway else 1):
            slope = slopes[:, channel]
            surprise = seen[channel] - expected[:, channel] - np.einsum('ni,ni->n', slope, self.mean - before)
            gain = np.einsum('nij,nj->ni', self.covariance, slope)
            variance = np.einsum('ni,ni->n', gain, slope) + noise[:, channel]
            far = np.maximum(abs(surprise) / np.sqrt(variance) / CLIP, 1.0) ** 2
            best = int(np.argmax(self.evidence))
            self._follow_scatter(channel, float(surprise[best] ** 2 / variance[best]))
            variance = variance * far
            self.evidence = self.evidence - 0.5 * (surprise ** 2 / variance + np.log(variance))
            gain = gain / variance[:, None]
            self.mean = self.mean + gain * surprise[:, None]
            self.covariance = self.covariance - np.einsum('ni,nj->nij', gain, gain) * variance[:, None, None]

    def _noise(self, block: CruiseBlock, slopes: np.ndarray) -> np.ndarray:
        """Return the measurement variances of a block's two numbers, shape (n, 2)."""
        gust = max(GUST, GUSTS * math.hypot(block.wind_x, block.wind_y))
        by_speed = np.sum(slopes[:, :, CURRENT] ** 2, axis=2) * SPEED_NOISE ** 2
        by_wind = np.sum(slopes[:, :, WIND] ** 2, axis=2) * gust ** 2
        return np.asarray(by_speed + by_wind + np.array([RELATIVE_NOISE ** 2, 0.0]))

    def _follow_scatter(self, channel: int, surprise: float) -> None:
        """Update the ratio of actual to expected scatter; squared normalized innovations are 1 on average."""
        now = self._scatter[channel]
        later = now * (1.0 + (min(surprise, CLIP * CLIP) - 1.0) / NOISE_MEMORY)
        self._scatter[channel] = min(max(later, 1.0), MOST_NOISE)

    def _decide(self, time: float) -> bool:
        """Compare the hypotheses; an alternative may become the base."""
        drag, without = (np.flatnonzero(which) for which in (
            self.kind == OTHER_DRAG, (self.kind == BASE) | (self.kind == OTHER_CURRENT)))
        best = int(without[np.argmax(self.evidence[without])])
        self.sum = float(np.exp(np.minimum(self.evidence[drag] - self.evidence[best], 700.0)).sum())
        if self.sum >= ODDS and self._is_changed(found := int(drag[np.argmax(self.evidence[drag])])):
            self._restart_from(found)
            return True
        if self.evidence[best] > self.evidence[0] + CERTAIN:
            for rows in (self.mean, self.covariance, self.evidence):
                rows[0] = rows[best]
        self.evidence = self.evidence - self.evidence[0]
        return False

    def _is_changed(self, which: int) -> bool:
        """Return whether the drag changed even if the current changed, too; one heading alone cannot show that."""
        both = int(np.flatnonzero((self.kind == OTHER_BOTH) & (self.born == self.born[which]))[0])
        deviation = math.sqrt(self.covariance[both, DRAG, DRAG])
        change, anyhow = (self.mean[one, DRAG] - self.mean[0, DRAG] for one in (which, both))
        return bool(deviation < TOLD and anyhow * math.copysign(1.0, change) > deviation)

    def _restart_from(self, which: int) -> None:
        self.mean, self.covariance = self.mean[which:which + 1], self.covariance[which:which + 1]
        self.evidence, self.kind, self.born = np.zeros(1), np.zeros(1, dtype=int), np.zeros(1)
        self.sum = 0.0

    @property
    def base_drag(self) -> tuple[float, float]:
        """The base's log ratio of the drag to the boat file's, and its standard deviation."""
        return float(self.mean[0, DRAG]), math.sqrt(self.covariance[0, DRAG, DRAG])

    def mixture(self) -> tuple[np.ndarray, np.ndarray]:
        """Return mean (6,) and covariance (6, 6) of the unknowns over all hypotheses, by their probabilities."""
        if self._mixture is None:
            self._mixture = self._mixed()
        return self._mixture

    def _mixed(self) -> tuple[np.ndarray, np.ndarray]:
        prior = np.where(self.kind == OTHER_DRAG, 1.0 / ODDS, np.where(self.kind == OTHER_BOTH, 0.0, 1.0))
        weight = prior * np.exp(self.evidence - self.evidence.max())
        weight = weight / weight.sum()
        means, covariances = self.mean[:, :UNKNOWNS], self.covariance[:, :UNKNOWNS, :UNKNOWNS]
        mean = weight @ means
        apart = means - mean
        return mean, np.einsum('n,nij->ij', weight, covariances + np.einsum('ni,nj->nij', apart, apart))
