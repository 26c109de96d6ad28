"""
The 95 % interval of an energy for the errors by noise and by motion between samples.

Four parts, each computed on stretches of the log and scaled up to all of it:

- noise of the motion, and of measured flows: random measurement noise, smoothed as the measurements are,
  is added to the estimated motion (parametric bootstrap, Efron and Tibshirani (1993), chapter 6). The mean change of
  the energy is a bias, which is subtracted; its standard deviation counts 1.96 times;
- loss by smoothing: the energy, less that of the motion estimated with ROUGHER_BY times less roughness. As much again
  may be lost already: half of it moves the middle, all of it widens the interval;
- loss by the distance of the knots, if accelerations jump: the energy, less that of the estimate averaged with one knot
  before and after. It counts as the loss by smoothing does, since averaging once more loses about as much again (0.6 of
  it if a thrust reverses at once, 0.2 if it has a lag of 0.3 s);
- RESOLUTION of the energy for faster motion than these parts can show.

The coverage of the interval was measured with boats of another simulator (docs/analysis_accuracy.md).
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.logs.motion.jerk_prior import STATES, Knots, states_at
from usv_energy.logs.motion.measured_series import KNOT_STEP
from usv_energy.logs.motion.motion_estimate import MotionEstimate, MotionValues, motion_of
from usv_energy.logs.motion.noise_levels import Estimate, excerpt, picked
from usv_energy.logs.motion.series_estimate import information_of, solution, solved

DRAWS = 16
STRETCH_KNOTS = 1600
ROUGHER_BY = 8.0
RESOLUTION = 0.002
STEP = 0.05               # s, step at which the energy of a stretch is integrated,
MOST_STEPS = 200          # but no more than so many from knot to knot on average.
REACH = round(KNOT_STEP / STEP)   # Steps between the averaged points, for the loss by the knots' distance.
SIDED = 1.96
SEED = 20130905           # The same log gives the same interval.

EnergyOf = Callable[[np.ndarray, MotionValues, dict[str, np.ndarray]], float]


class EnergyInterval(NamedTuple):
    """
    The energy's 95 % interval, J, and its parts, J.

    `noise` (standard deviation) and `bias` by noise; `lost`: loss by smoothing; `rounded`: loss by the knots' distance;
    `waves`: error by the force of waves.
    """

    low: float
    high: float
    noise: float
    bias: float
    lost: float
    rounded: float = 0.0
    waves: float = 0.0


def energy_interval(estimate: MotionEstimate, energy: float, energy_of: EnergyOf,
                    flows: Mapping[str, Estimate]) -> EnergyInterval:
    """
    Return the interval that contains the energy of a motion in 95 of 100 logs.

    :param estimate: Of the motion.
    :param energy: By the estimate, J.
    :param energy_of: Returns the energy, J, of a motion at times, s, of stretches of the log, and with errors of flows
        there, m/s, by their names, shape (n, 2) each.
    :param flows: Estimates of those flows that were measured with noise, by their names.
    """
    rows, knots = excerpt(estimate.yaw.knots, STRETCH_KNOTS)
    share = _duration(knots) / _duration(estimate.yaw.knots)
    time = _times(knots)
    rng = np.random.default_rng(SEED)
    parts = [_Part(one, rows, knots) for one in (estimate.yaw, estimate.place)]

    def of(states: Sequence[np.ndarray], errors: dict[str, np.ndarray]) -> float:
        return energy_of(time, motion_of(knots, states[0], states[1], time), errors)

    here = of([part.states for part in parts], {})
    noises = [part.noise(rng) for part in parts]
    errors = {name: _flow_errors(flow, time, rng) for name, flow in flows.items()}
    drawn = np.array([of([part.states + noise[..., draw] for part, noise in zip(parts, noises)],
                         {name: error[..., draw] for name, error in errors.items()}) for draw in range(DRAWS)])
    lost = (here - of([part.smoother() for part in parts], {})) / share
    bias = float(drawn.mean() - here) / share
    noise = float(drawn.std(ddof=1)) / math.sqrt(share)
    motion = motion_of(knots, parts[0].states, parts[1].states, time)
    rounded = (here - energy_of(time, _averaged(motion, time), {})) / share
    middle = energy - bias + 0.5 * (lost + rounded)
    half = math.sqrt((SIDED * noise) ** 2 + lost ** 2 + rounded ** 2 + (RESOLUTION * energy) ** 2)
    return EnergyInterval(max(middle - half, 0.0), middle + half, noise, bias, lost, rounded)


def _averaged(motion: MotionValues, time: np.ndarray) -> MotionValues:
    """Return a motion averaged over three points one knot apart, weights 1/4, 1/2, 1/4, within its stretches."""
    before, here, after = slice(None, -2 * REACH), slice(REACH, -REACH), slice(2 * REACH, None)
    near = time[after] - time[before] < (2 * REACH + 0.5) * STEP

    def mean(values: np.ndarray) -> np.ndarray:
        result = values.copy()
        inner = 0.25 * values[before] + 0.5 * values[here] + 0.25 * values[after]
        result[here] = np.where(near, inner, values[here])
        return result

    return MotionValues(*map(mean, motion))


def _flow_errors(flow: Estimate, time: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return random errors of a flow's estimate at times, s, from drawn measurement noise, m/s, (n, 2, DRAWS)."""
    near = np.zeros(flow.knots.time.size, dtype=bool)
    near[np.clip(np.searchsorted(flow.knots.time, time), 0, near.size - 1)] = True
    rows = np.flatnonzero(near)
    knots = Knots(flow.knots.time[rows], (np.diff(rows) == 1) & flow.knots.joined[rows[:-1]])
    noise = _Part(flow, rows, knots).noise(rng)
    found = states_at(knots, noise.reshape(rows.size, STATES, -1), _held_times(knots, time))[:, 0]
    return found.reshape(time.size, -1, DRAWS)


def _held_times(knots: Knots, time: np.ndarray) -> np.ndarray:
    """Return times, s, those outside of the stretches of knots as that of the nearest one, whose value is held."""
    last = knots.time.size - 1
    left = np.clip(np.searchsorted(knots.time, time, side='right') - 1, 0, last)
    right = np.minimum(left + 1, last)
    inside = np.append(knots.joined, False)[left] & (time >= knots.time[0])
    nearest = np.where(time - knots.time[left] <= knots.time[right] - time, knots.time[left], knots.time[right])
    return np.where(inside, time, nearest)


def _duration(knots: Knots) -> float:
    return float(np.diff(knots.time)[knots.joined].sum())


def _times(knots: Knots) -> np.ndarray:
    """Return times STEP apart in every stretch of knots, or further where the knots lie far apart."""
    step = max(STEP, _duration(knots) / max(int(knots.joined.sum()), 1) / MOST_STEPS)
    edges = [*knots.begins, knots.time.size]
    return np.concatenate([np.linspace(knots.time[begin], knots.time[end - 1], max(
        2, math.ceil((knots.time[end - 1] - knots.time[begin]) / step) + 1))
        for begin, end in itertools.pairwise(edges) if end > begin + 1] or [knots.time[:1]])


class _Part:
    """The stretches of an estimate: their states, drawn deviations, and the states of a smoother estimate."""

    def __init__(self, estimate: Estimate, rows: np.ndarray, knots: Knots) -> None:
        self.knots = knots
        self.series = [picked(one, rows) for one in estimate.series]
        self.deviations = estimate.levels.noise
        self.density = estimate.density[rows[:-1]]
        self.states = estimate.states[rows]

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        """Return the states' deviations by drawn noise, shape (n, 3, k, DRAWS)."""
        number, quantities = self.states.shape[0], self.states.shape[2]
        drawn = []
        for one, deviation in zip(self.series, self.deviations):
            spread = deviation / np.sqrt(np.where(one.weight > 0.0, one.weight, np.inf))
            drawn.append(spread[:, None] * rng.standard_normal((number, quantities * DRAWS)))
        factor = solved(self.knots, self.series, self.deviations, self.density).factor
        states = solution(factor, information_of(self.series, self.deviations, drawn))
        return states.reshape(number, STATES, quantities, DRAWS)

    def smoother(self) -> np.ndarray:
        """Return the states estimated with ROUGHER_BY times less roughness."""
        return solved(self.knots, self.series, self.deviations, self.density / ROUGHER_BY).states
