"""The meaning of thrusts and headings in the logs that a boat was identified from, as its file states it."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

NORMAL_95 = 1.96  # Standard deviations of a normal distribution on each side that hold 95 %.
COMPASS = 'constant', 'cosine', 'sine'


class LogMeaning(NamedTuple):
    """
    The thrusts and headings of logs, as found by `usv-energy identify` (docs/identify_method.md).

    `ahead`, `astern`: full thrust of one thruster in the logs, N. `scale`, `astern_scale`, `asymmetry`, `exponent`:
    (-), as in `thrusts`. `of_pulses`: whether the thrusts were derived from pulses by the boat's file. `compass`:
    constant, cosine and sine of the deviation of the measured heading, rad. `scale_std`: standard deviation of the
    scale, (-); NaN if the file does not state it.
    """

    ahead: float
    astern: float
    scale: float = 1.0
    astern_scale: float = 1.0
    asymmetry: float = 0.0
    exponent: float = 1.0
    of_pulses: bool = False
    compass: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale_std: float = math.nan

    def thrusts(self, thrust: np.ndarray) -> np.ndarray:
        """
        Return the commands, as thrusts at standstill, N, for the thrusts of a log.

        They are scale (1 +- asymmetry / 2) F sign(f) |f / F|^exponent, where F is the full thrust in that direction.
        Thrusts astern are also multiplied by their own scale. Of two thrusters the first has the plus sign.

        :param thrust: As in the log, N, (n, thrusters), in the order of the boat's thrusters.
        """
        full = np.where(thrust > 0.0, self.ahead, self.astern)
        bent = np.sign(thrust) * full * np.abs(thrust / full) ** self.exponent
        sides = np.array([0.5, -0.5]) if thrust.shape[1] == 2 else np.zeros(thrust.shape[1])
        return np.asarray(np.where(bent < 0.0, self.astern_scale, 1.0) * bent * self.scale
                          * (1.0 + self.asymmetry * sides))

    def deviation(self, yaw: np.ndarray) -> np.ndarray:
        """Return the error of a measured heading, rad, positive to port, rad; same shape."""
        constant, cosine, sine = self.compass
        return np.asarray(constant + cosine * np.cos(yaw) + sine * np.sin(yaw))


def meaning_from(document: Mapping[str, Any]) -> LogMeaning | None:
    """Return the LogMeaning of a boat file's `identification`; None if it has none."""
    rollout = (document.get('identification') or {}).get('rollout') or {}
    entry = rollout.get('thrust_of_log')
    if not entry:
        return None

    def number(part: Mapping[str, Any], name: str, usual: float) -> float:
        value = part.get(name, usual)
        return float(value['value'] if isinstance(value, Mapping) else value)

    compass = rollout.get('compass') or {}
    return LogMeaning(
        number(entry, 'full_ahead_n', 1.0), number(entry, 'full_astern_n', 1.0), number(entry, 'scale', 1.0),
        number(entry, 'astern', 1.0), number(entry, 'asymmetry', 0.0), number(entry, 'exponent', 1.0),
        bool(entry.get('of_pulses', False)),
        (number(compass, 'constant', 0.0), number(compass, 'cosine', 0.0), number(compass, 'sine', 0.0)),
        _std(entry.get('scale')))


def _std(value: Any) -> float:
    """Return the standard deviation beside a number of a boat file; NaN without."""
    if not isinstance(value, Mapping):
        return math.nan
    if 'std' in value:
        return float(value['std'])
    if 'interval' in value:
        low, high = map(float, value['interval'])
        return (high - low) / (2.0 * NORMAL_95)
    return math.nan
