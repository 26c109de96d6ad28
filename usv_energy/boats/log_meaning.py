"""What a boat file says of the logs that its numbers were identified from: what their thrusts and headings mean."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

NORMAL_95 = 1.96  # Standard deviations of a normal distribution on each side that hold 95 %.
COMPASS = 'constant', 'cosine', 'sine'


class LogMeaning(NamedTuple):
    """
    What `usv-energy identify` found of its logs' thrusts and headings (docs/identify.md, "Roll-outs").

    `ahead`, `astern`: what the logs call full thrust of one thruster, N. `scale`, `astern_scale`, `asymmetry`,
    `exponent`: (-), as `thrusts`. `of_pulses`: the thrusts were made of pulses by the boat's file.
    `compass`: constant, cosine and sine of the deviation of the measured heading, rad. `scale_std`: how well the scale
    is known, standard deviation, (-); NaN where the file does not say.
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
        Return the commands, as thrusts at standstill, N, that the thrusts of a log stand for.

        scale (1 +- asymmetry / 2) F sign(f) |f / F|^exponent, F the full thrust that way, astern times its own scale;
        of two thrusters the first has the plus.

        :param thrust: As the log has it, N, (n, thrusters), in the order of the boat's thrusters.
        """
        full = np.where(thrust > 0.0, self.ahead, self.astern)
        bent = np.sign(thrust) * full * np.abs(thrust / full) ** self.exponent
        sides = np.array([0.5, -0.5]) if thrust.shape[1] == 2 else np.zeros(thrust.shape[1])
        return np.asarray(np.where(bent < 0.0, self.astern_scale, 1.0) * bent * self.scale
                          * (1.0 + self.asymmetry * sides))

    def deviation(self, yaw: np.ndarray) -> np.ndarray:
        """Return by how much a measured heading, rad, is too far to port, rad; same shape."""
        constant, cosine, sine = self.compass
        return np.asarray(constant + cosine * np.cos(yaw) + sine * np.sin(yaw))


def meaning_from(document: Mapping[str, Any]) -> LogMeaning | None:
    """Return the LogMeaning of a boat file's `identification`; None where it has none."""
    rollout = (document.get('identification') or {}).get('rollout') or {}
    told = rollout.get('thrust_of_log')
    if not told:
        return None

    def number(part: Mapping[str, Any], name: str, usual: float) -> float:
        value = part.get(name, usual)
        return float(value['value'] if isinstance(value, Mapping) else value)

    compass = rollout.get('compass') or {}
    return LogMeaning(number(told, 'full_ahead_n', 1.0), number(told, 'full_astern_n', 1.0), number(told, 'scale', 1.0),
                      number(told, 'astern', 1.0), number(told, 'asymmetry', 0.0), number(told, 'exponent', 1.0),
                      bool(told.get('of_pulses', False)),
                      (number(compass, 'constant', 0.0), number(compass, 'cosine', 0.0), number(compass, 'sine', 0.0)),
                      _std(told.get('scale')))


def _std(value: Any) -> float:
    """Return the standard deviation beside a number of a boat file; NaN where it says none."""
    if not isinstance(value, Mapping):
        return math.nan
    if 'std' in value:
        return float(value['std'])
    if 'interval' in value:
        low, high = map(float, value['interval'])
        return (high - low) / (2.0 * NORMAL_95)
    return math.nan
