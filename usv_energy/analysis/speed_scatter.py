"""
How much the speed through the water scatters: eddies and the slow errors of the odometry, as a boat's sway shows them.

Both forget themselves (a Gauss-Markov process each: the eddies in the earth frame, the odometry's errors along the
boat and across), so that a minute on one heading tells less than so many blocks. How strong they are differs from water
to water. A bank of Kalman filters, each with another strength, follows the sway alone: more drag leaves that as it
is, so weed is not taken for eddies. Each is weighed by the likelihood of what it foretold.
"""

import math

import numpy as np

from .hull_response import CURRENT, UNKNOWNS

EDDY, ODOMETRY = slice(UNKNOWNS, UNKNOWNS + 2), slice(UNKNOWNS + 2, UNKNOWNS + 4)
STATES = UNKNOWNS + 4
EDDY_SPREAD, EDDY_TIME = 0.02, 60.0          # m/s in each direction, and s within which they go.
ODOMETRY_SPREAD, ODOMETRY_TIME = 0.015, 30.0  # Likewise, ahead and to port.
STRENGTHS = np.geomspace(0.7, 4.0, 6)        # Times these spreads.
MEMORY = 3600.0                              # s of cruising over which they are weighed.
DOUBT = 0.5                                  # Standard deviation of the strength's logarithm beforehand, about 1.
FAR = 9.0                                    # Squares of deviations beyond which a surprise counts as so large.


def with_scatter(slopes: np.ndarray, yaw: float) -> np.ndarray:
    """
    Return the slopes by the unknowns, shape (n, 2, 6), with those by eddies and odometry behind: (n, 2, 10).

    An eddy is a current that goes. An error of the odometry is one, too, along the bow at `yaw`, rad, and to port.
    """
    by_current = slopes[:, :, CURRENT]
    c, s = math.cos(yaw), math.sin(yaw)
    return np.concatenate([slopes, by_current, by_current @ np.array([[c, -s], [s, c]])], axis=2)


def scatter_of(strength: np.ndarray) -> np.ndarray:
    """Return the standard deviations of eddies and odometry, m/s, shape (..., 4), of a strength (...)."""
    return np.asarray(strength[..., None] * np.array([EDDY_SPREAD, EDDY_SPREAD, ODOMETRY_SPREAD, ODOMETRY_SPREAD]))


def kept_scatter(elapsed: float) -> np.ndarray:
    """Return the shares of eddies and odometry that are left after a time, s, shape (4,)."""
    eddy, odometry = math.exp(-elapsed / EDDY_TIME), math.exp(-elapsed / ODOMETRY_TIME)
    return np.array([eddy, eddy, odometry, odometry])


class SpeedScatter:
    """The bank: rows of the arrays are strengths."""

    def __init__(self, covariance: np.ndarray) -> None:
        """Begin with the covariance of the unknowns beforehand, shape (6, 6)."""
        number = STRENGTHS.size
        self._mean = np.zeros((number, STATES))
        self._covariance = np.zeros((number, STATES, STATES))
        self._covariance[:, :UNKNOWNS, :UNKNOWNS] = covariance
        self._spread = scatter_of(STRENGTHS)
        self._covariance[:, UNKNOWNS:, UNKNOWNS:] = self._spread[:, :, None] ** 2 * np.eye(4)
        self._beforehand = -0.5 * (np.log(STRENGTHS) / DOUBT) ** 2
        self._evidence = np.zeros(number)    # Logarithms of likelihoods.

    @property
    def strength(self) -> float:
        """The strength, (-): root of the mean square over all, each as likely as it is."""
        likely = self._evidence + self._beforehand
        weight = np.exp(likely - likely.max())
        return math.sqrt(float(weight @ STRENGTHS ** 2 / weight.sum()))

    def predict(self, elapsed: float, keep: np.ndarray, added: np.ndarray) -> None:
        """Let time go by, s; `keep` and `added`: of the unknowns, the share that is left and the new variance, (6,)."""
        fading = kept_scatter(elapsed)
        share = np.concatenate([keep, fading])
        more = np.zeros((STRENGTHS.size, STATES))
        more[:, :UNKNOWNS], more[:, UNKNOWNS:] = added, self._spread ** 2 * (1.0 - fading ** 2)
        self._mean = self._mean * share
        self._covariance = self._covariance * share[:, None] * share + more[:, :, None] * np.eye(STATES)
        self._evidence = self._evidence * math.exp(-elapsed / MEMORY)

    def update(self, sway: float, slope: np.ndarray, noise: float) -> None:
        """
        Take the sway of a block, as it would be seen if no unknown were other than 0.

        :param sway: In m/s.
        :param slope: By the states, shape (10,).
        :param noise: Its variance, m^2/s^2.
        """
        surprise = sway - self._mean @ slope
        gain = self._covariance @ slope
        variance = gain @ slope + noise
        square = np.minimum(surprise ** 2 / variance, FAR)
        self._evidence = self._evidence - 0.5 * (square + np.log(variance))
        self._evidence = self._evidence - self._evidence.max()
        gain = gain / variance[:, None]
        self._mean = self._mean + gain * surprise[:, None]
        self._covariance = self._covariance - gain[:, :, None] * gain[:, None, :] * variance[:, None, None]
