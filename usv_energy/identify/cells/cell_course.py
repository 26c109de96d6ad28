"""The course of a cell's voltage and temperature under a measured current, by the physics' own step."""

from functools import cache
from typing import Any

import numpy as np

from ...engine.ensemble import has_numba
from ...physics.cell import Pack, rested, voltage
from ...physics.cell_step import step_at_current


def course_of(time: np.ndarray, current: np.ndarray, charge: float, ambient: float,
              pack: Pack) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Return voltage, V, temperature, K, and charge, (-), of a pack at the samples of a current.

    :param time: s, rising, shape (n,).
    :param current: Of the pack, A, discharging is positive, linear between the samples; shape (n,).
    :param charge: At the first one, at which its cells have rested, (-).
    :param ambient: Temperature around them, and of them at first, K.
    :param pack: The Pack.
    """
    out = np.empty((3, len(time)))
    _loop()(np.ascontiguousarray(time, dtype=float), np.ascontiguousarray(current, dtype=float),
            rested(float(charge), float(ambient)), float(ambient), pack, out)
    return out[0], out[1], out[2]


def _plain_loop(time: Any, current: Any, state: Any, ambient: float, pack: Pack, out: Any) -> None:
    for n in range(len(time)):
        out[0, n] = voltage(state, current[n], pack)
        out[1, n] = state.temperature
        out[2, n] = state.charge
        if n + 1 < len(time):
            state = step_at_current(state, 0.5 * (current[n] + current[n + 1]), time[n + 1] - time[n], ambient, pack)


@cache
def _loop() -> Any:
    """Return the loop, compiled where numba is there."""
    if not has_numba():
        return _plain_loop
    from numba import njit

    from ...physics.compiled_kernels import compile_kernels
    compile_kernels()
    return njit(nogil=True)(_plain_loop)
