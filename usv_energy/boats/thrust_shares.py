"""How much thrust each thruster gives for a surge force and a yaw moment, from where the thrusters are."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .vessel import Thruster


def with_shares(thrusters: Iterable[Thruster]) -> tuple[Thruster, ...]:
    """
    Return thrusters with their shares of a surge force and a yaw moment: the pseudo-inverse of their arrangement.

    :param thrusters: Their numbers; arrays of a number a run in place of numbers give arrays of shares.
    """
    given = tuple(thrusters)
    every = np.broadcast_arrays(*(value for t in given for value in (t.efficiency_of_tilt, t.y)))
    tilts, arms = np.stack(every[0::2], -1), np.stack(every[1::2], -1)
    shares = np.linalg.pinv(np.stack((tilts, -arms * tilts), axis=-2))
    return tuple(thruster._replace(surge_share=_number(shares[..., n, 0]), yaw_share=_number(shares[..., n, 1]))
                 for n, thruster in enumerate(given))


def _number(value: np.ndarray) -> Any:
    return value if value.ndim else float(value)
