"""
The flow of a log without thrusts, from its surge: in the true flow, the thrust is steady.

If a boat crabs along a lane, its sway cannot distinguish a current from a wind. On one heading a sway v over ground
results from a current v on the beam, and exactly as well from a wind whose side force is d22 v, and nothing says which
thrust the surge took. But most pilots hold something constant. If the throttle (or the speed through the water) is
constant, the thrust is steady in the true flow, and in no other as soon as the boat turns a little. A constant speed
over ground is equally steady in every flow, and a varying one in none; both give no information.

Source: the idea is that of finding wind from an aircraft's ground speed on several headings at one airspeed (Gray 1998,
Using GPS to accurately establish true airspeed); likelihoods are mixtures with outliers (Sivia and Skilling 2006,
Data Analysis, section 8.3).
"""

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import held_speed
from usv_energy.physics.motion import Flow, Motion
from usv_energy.studies.analyze.current.sway_error import hull_forces

BLOCK = 2.0               # s over which a thrust is averaged.
MEMORY = 6.0              # s of a log that count as one observation, since a pilot's actions last.
HELD = 0.01               # m/s: scatter of a speed that a pilot holds.
ROUGHLY = 0.1             # Share of the speed: its scatter if nobody holds it.
ASIDE = 0.3               # Share of the time in which a pilot does something else: turns, stops.
SLOWEST = 0.05            # m/s: lower bound of the typical speed.
MIDDLES, ITERATIONS = 19, 15


class SteadyThrust:
    """Steadiness of the thrust along a log's motion, as a function of the flow."""

    def __init__(self, time: np.ndarray, motion: Motion, vessel: Vessel) -> None:
        """
        Take a motion.

        :param time: Of equal steps, s, shape (n,): see `sway_error.even_times`.
        :param motion: Over ground; NaN where it is not known.
        :param vessel: The Vessel.
        """
        self._vessel = vessel
        block = np.floor((time - time[0]) / BLOCK).astype(int)
        known = np.isfinite(sum(motion))
        step = float(time[1] - time[0]) if time.size > 1 else BLOCK
        full = np.bincount(block[known], minlength=block[-1] + 1) > 0.5 * BLOCK / step
        self._used = known & full[block]
        self._block = np.unique(block[self._used], return_inverse=True)[1]
        self._motion = Motion(*(one[self._used] for one in motion))
        over_ground = self._means(self._motion.u)
        self._anyhow = max(likelihood(over_ground, HELD), likelihood(over_ground, ROUGHLY * typical(over_ground)))

    def evidence(self, flow: Flow) -> float:
        """Return the log likelihood of the log's surge in a flow, m/s (ENU)."""
        return BLOCK / MEMORY * max(likelihood(self.speeds(flow), HELD), self._anyhow)

    def speeds(self, flow: Flow) -> np.ndarray:
        """Return the speed in still water and air that the mean thrust of each block would hold, m/s, (blocks,)."""
        flows = Flow(*(np.broadcast_to(one, self._used.shape)[self._used] for one in flow))
        thrust = self._means(hull_forces(self._motion, flows, self._vessel)[0])
        return np.asarray(held_speed(thrust, self._vessel.damping))

    def _means(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self._block, values) / np.maximum(np.bincount(self._block), 1)


def typical(speed: np.ndarray) -> float:
    """Return the median size of some speeds, m/s, at least SLOWEST."""
    return max(float(np.median(np.abs(speed))), SLOWEST) if speed.size else SLOWEST


def likelihood(speed: np.ndarray, deviation: float) -> float:
    """
    Return the largest log likelihood of speeds about one of them, with uniformly distributed outliers.

    :param speed: m/s, shape (n,).
    :param deviation: Standard deviation of those that are held, m/s.

    Found from several starts by expectation and maximisation.
    """
    if not speed.size:
        return 0.0
    middle = np.quantile(speed, np.linspace(0.05, 0.95, MIDDLES))[:, None]
    aside = ASIDE / (2.0 * typical(speed))

    def held() -> np.ndarray:
        near = np.exp(-0.5 * ((speed - middle) / deviation) ** 2)
        return np.asarray((1.0 - ASIDE) / (np.sqrt(2.0 * np.pi) * deviation) * near)

    for _ in range(ITERATIONS):
        share = held() / (held() + aside) + 1e-12
        middle = (share * speed).sum(axis=1, keepdims=True) / share.sum(axis=1, keepdims=True)
    return float(np.log(held() + aside).sum(axis=1).max())
