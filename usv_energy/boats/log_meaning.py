"""What a boat file says of the logs that its numbers were identified from: what their thrusts and headings mean."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

COMPASS = 'constant', 'cosine', 'sine'


class LogMeaning(NamedTuple):
    """
    What `usv-energy identify` found of its logs' thrusts and headings (docs/identify.md, "Roll-outs").

    `ahead`, `astern`: what the logs call full thrust of one thruster, N. `scale`, `astern_scale`, `asymmetry`,
    `exponent`: (-), as `thrusts`. `of_pulses`: the thrusts were made of pulses by the boat's file.
    `compass`: constant, cosine and sine of the deviation of the measured heading, rad.
    """

    ahead: float
    astern: float
    scale: float = 1.0
    astern_scale: float = 1.0
    asymmetry: float = 0.0
    exponent: float = 1.0
    of_pulses: bool = False
    compass: tuple[float, float, float] = (0.0, 0.0, 0.0)

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
                      (number(compass, 'constant', 0.0), number(compass, 'cosine', 0.0), number(compass, 'sine', 0.0)))
