"""
The error of a log's sway against that of a boat whose thrusters push ahead, which depends on the flow.

A fixed thruster that points ahead gives no side force, so inertia, Coriolis force, drag and wind on the hull sum to
zero in sway. The remainder, filtered by the hull's own sway dynamics (a first-order low-pass), is the difference
between the logged sway and that of a boat in this flow. The filter suppresses the noise of accelerations.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.logs.derive import decaying_sum
from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
from usv_energy.physics.motion import Flow, Motion, relative_rep103
from usv_energy.physics.wind import wind_force

STEP = 0.1                # s, between the times at which the sway is computed; in long logs LONGEST_STEP.
LONGEST_STEP, TIMES = 0.25, 6000
BLOCK = 2.0               # s over which an error is averaged.
SETTLED = 4.0             # Sway time constants after which the start of a stretch no longer matters.
QUICKEST, SLOWEST = 0.2, 20.0   # s, limits of the time constant.
STEADY = 0.998            # Length of the mean unit vector of the headings above which a boat held one: 3.6 deg (rms).


class Tune(NamedTuple):
    """Nuisance parameters: log factors on sway drag and lateral area; compass deviation, rad."""

    drag: float = 0.0
    area: float = 0.0
    turned: float = 0.0


class SwayError:
    """The error of the sway along a log's motion, as a function of flow and nuisance parameters."""

    def __init__(self, time: np.ndarray, motion: Motion, vessel: Vessel) -> None:
        """
        Take a motion.

        :param time: Of equal steps, s, shape (n,): see `even_times`.
        :param motion: Over ground; NaN where it is not known.
        :param vessel: The Vessel.
        """
        self.vessel = vessel
        self._step = float(time[1] - time[0]) if time.size > 1 else STEP
        self._known = np.isfinite(sum(motion))
        self._motion = Motion(*(np.where(self._known, one, 0.0) for one in motion))
        damping, sway, speed = vessel.damping, *(float(np.sqrt(np.mean(one * one))) for one in self._motion[2:0:-1])
        self._slope = damping.d22 + 2.0 * damping.d22_q * sway + damping.d22_u * speed
        lag = vessel.inertia.m22 / self._slope if self._slope > 0.0 else np.inf
        self.lag = float(np.clip(lag, QUICKEST, SLOWEST))
        self._slope = vessel.inertia.m22 / self.lag
        edges = np.flatnonzero(np.diff(np.concatenate(([False], self._known, [False])).astype(int)))
        self._runs = [slice(begin, end) for begin, end in edges.reshape(-1, 2)]
        used = np.zeros(time.size, dtype=bool)
        for run in self._runs:
            used[run.start + round(SETTLED * self.lag / self._step):run.stop] = True
        block = np.floor((time - time[0]) / BLOCK).astype(int) if time.size else np.zeros(0, dtype=int)
        full = np.bincount(block[used], minlength=block.max(initial=-1) + 1) > 0.5 * BLOCK / self._step
        self._used = np.flatnonzero(used & full[block])
        self._block = np.unique(block[self._used], return_inverse=True)[1]
        self.blocks = int(self._block.max(initial=-1)) + 1
        self.block_times = BLOCK * (np.unique(block[self._used]) + 0.5)  # s after the first.
        mean = np.exp(1j * motion.yaw[self._known]).mean() if self._known.any() else 0.0
        self.course = float(np.angle(mean)) if abs(mean) > STEADY else math.nan  # rad, of a heading that is held.

    def means(self, flow: Flow, tune: Tune) -> np.ndarray:
        """Return the mean error of the sway in each block, m/s, for a flow, m/s (ENU), and nuisance parameters."""
        error = self._error(flow, tune)[self._used]
        return np.bincount(self._block, error, self.blocks) / np.bincount(self._block, minlength=self.blocks)

    def _error(self, flow: Flow, tune: Tune) -> np.ndarray:
        force = side_force(_turned(self._motion, tune.turned), flow, _tuned(self.vessel, tune))
        keep = float(np.exp(-self._step / self.lag))
        gain = 0.5 * (1.0 - keep) / self._slope
        error = np.zeros(force.size)
        for run in self._runs:
            given = gain * force[run]
            given[1:] += gain * force[run][:-1]
            error[run] = decaying_sum(given, keep)
        return error


def even_times(first: float, last: float) -> np.ndarray:
    """Return times, s, of equal steps, at which the sway of a log is computed."""
    return np.arange(first, last, min(max(STEP, (last - first) / TIMES), LONGEST_STEP))


def side_force(motion: Motion, flow: Flow, vessel: Vessel) -> np.ndarray:
    """Return the force to port that hull, water and wind do not explain, N, as `hull_forces` does."""
    return hull_forces(motion, flow, vessel)[1]


def hull_forces(motion: Motion, flow: Flow, vessel: Vessel) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the forces ahead and to port that hull, water and wind do not explain, N (parts of tau).

    :param motion: Over ground; arrays of one shape.
    :param flow: The Flow, which does not change at the boat.
    :param vessel: The Vessel.

    Source: thesis (4.17), Fossen (2011), (6.107) to (6.114).
    """
    at = relative_rep103(motion, flow)
    current = motion.u - at.u_r, motion.v - at.v_r
    rate = relative_acceleration((motion.u_dot, motion.v_dot), current, motion.r)
    parts = (inertia_force(*rate, motion.r_dot, vessel.inertia), coriolis_force(at.u_r, at.v_r, at.r, vessel.inertia),
             damping_force(at.u_r, at.v_r, at.r, vessel.damping), wind_force(at.u_w, at.v_w, vessel.windage))
    ahead, port, _ = (inertia + coriolis + damping - wind for inertia, coriolis, damping, wind in zip(*parts))
    return ahead, port


def _turned(motion: Motion, angle: float) -> Motion:
    """Return the motion of a boat whose compass reads too high by an angle, rad, to first order."""
    return motion._replace(yaw=motion.yaw - angle, u=motion.u - angle * motion.v, v=motion.v + angle * motion.u,
                           u_dot=motion.u_dot - angle * motion.v_dot, v_dot=motion.v_dot + angle * motion.u_dot)


def _tuned(vessel: Vessel, tune: Tune) -> Vessel:
    scale, damping, windage = float(np.exp(tune.drag)), vessel.damping, vessel.windage
    return vessel._replace(
        damping=damping._replace(d22=scale * damping.d22, d22_q=scale * damping.d22_q, d22_u=scale * damping.d22_u),
        windage=windage._replace(lateral_area=float(np.exp(tune.area)) * windage.lateral_area))
