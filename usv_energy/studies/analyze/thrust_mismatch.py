"""
Why a log's own thrusts and what its motion asks for differ: in surge or in yaw, and what would explain it.

Forces are compared as means over BLOCK. In surge the difference is held against a scale of the thrusts, one of those
ahead and one of those astern, a scale of the drag, one steady current, and what turning costs (terms in r^2, v r, v^2,
u |r|); in yaw against a moment of drift (sway or heading are off), a moment that goes with the total thrust (unequal
thrusters), and a scale of the thrusters' own moment. Each is fitted by least squares alone. The one that explains most
by the adjusted coefficient of determination is named, with the next where that is as good: on one course and at one
speed several fit alike. What no boat has is no cause.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.phrases import WATER, flow_words
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.motion import Relative
from usv_energy.powering.measured_power import MeasuredActuators, middle_of_measured
from usv_energy.powering.power import middle_of, needed_of, rate_of
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.log_actuators import in_doubt
from usv_energy.studies.analyze.log_power import pieces, relative_motion
from usv_energy.thrusters.drive import force_of_thrusts

BLOCK = 2.0       # s, over which forces are averaged: accelerations between samples are noise.
LEAST = 10        # Fewest blocks.
EXPLAINS = 0.5    # Share of the squared differences that a cause must explain to be named,
ALIKE = 0.1       # and by which another one may explain less and be named, too.
PROBE = 0.05      # m/s, by which the speed is changed for the slope of the drag.
FASTEST_FLOW = 1.0  # m/s: a faster current is no explanation,
MOST = 2.0        # nor is what is read, or stands in a file, so many times too large or too small,
LEVER = 0.5       # nor a lever of the total thrust of so much of that of a thruster.
UNSEEN = 0.3      # Singular values, as a share of the largest, below which a log says nothing of a direction of flow.
BETTER = 0.02     # By how much two scales must explain more than one.
TOLD = 2          # Causes that are named at most.
TERMS = 4         # Of turning.


_Ends = tuple[Relative, MeasuredActuators, np.ndarray]  # Where steps begin, or end; the last is the heading, rad.


class LikelyCause(NamedTuple):
    """A cause: what it is, in words with its size, and the share of the squared differences that it explains, (-)."""

    words: str
    explained: float


class Mismatch(NamedTuple):
    """
    By how much the thrusts of a log and its motion differ.

    `surge`, `yaw`: work of the thrusts less what the motion asks, in that direction, as a share of the thrusters' work,
    (-); `missed`: root mean square of the difference in surge, as a share of that of the thrusts, (-); `surge_causes`,
    `yaw_causes`: what explains most of the forces' differences, the best first; empty: nothing.
    """

    surge: float
    yaw: float
    missed: float
    surge_causes: tuple[LikelyCause, ...]
    yaw_causes: tuple[LikelyCause, ...]

    @property
    def net(self) -> float:
        """Work of the thrusts beyond what the motion asks, as a share of it, (-): the residual."""
        return self.surge + self.yaw


class _Forces(NamedTuple):
    """
    Means over blocks, (n,).

    Thrusts, those astern alone, and needs, N and N m; drag, N, and its slope, N s/m; speeds, m/s, rad/s; heading, rad;
    and the four terms of turning, (4, n).
    """

    thrust: np.ndarray
    astern: np.ndarray
    needed: np.ndarray
    moment: np.ndarray
    needed_moment: np.ndarray
    damping: np.ndarray
    slope: np.ndarray
    u_r: np.ndarray
    v_r: np.ndarray
    yaw: np.ndarray
    turning: np.ndarray


def thrust_mismatch(analysed: AnalysedLog, work: float) -> Mismatch | None:
    """
    Return by how much a log's thrusts and its motion differ, and why; None where the log tells no thrusts.

    None, too, for boats with foils, whose moments are not known, and in waves.

    :param work: Of the thrusters by the log, J.
    """
    told, vessel = analysed.actuators, analysed.boat.vessel
    if told is None or not analysed.by_thrusts or vessel.foils or analysed.waves is not None or not work > 0.0:
        return None
    relative = relative_motion(analysed.motion, analysed.flow, analysed.options.convention)
    steps, sure = analysed.integral.steps, ~in_doubt(analysed.log)
    whole = told.measured(told.time, relative, analysed.boat)
    blocks = np.cumsum(np.diff(np.floor(analysed.log.time[steps.begins] / BLOCK), prepend=-np.inf) != 0.0) - 1
    if not blocks.size:
        return None
    sums = np.zeros((3 + len(_Forces._fields) - 1 + TERMS, blocks[-1] + 1))
    for piece in pieces(blocks.size):
        begin, end = ((type(relative)(*(values[places] for values in relative)),
                       type(whole)(*(tuple(None if one is None else one[places] for one in part) for part in whole)),
                       analysed.motion.yaw[places]) for places in (steps.begins[piece], steps.ends[piece]))
        values = _at_steps(begin, end, steps.durations[piece], told.held, vessel)
        known = np.isfinite(values[1] + values[2]) & sure[steps.ends[piece]]
        for total, one in zip(sums, values):
            total += np.bincount(blocks[piece][known], (one * steps.durations[piece])[known], blocks[-1] + 1)
    spans, of_surge, of_yaw, *means = sums
    good = spans > 0.5 * BLOCK
    if good.sum() < LEAST:
        return None
    means = [one[good] / spans[good] for one in means]
    forces = _Forces(*(*means[:-TERMS], np.array(means[-TERMS:])))
    arm = max((abs(thruster.y) for thruster in vessel.thrusters), default=0.0)
    return Mismatch(float(of_surge.sum()) / work, float(of_yaw.sum()) / work,
                    _size(forces.thrust - forces.needed) / _size(forces.thrust),
                    _named(_surge_causes(forces)), _named(_yaw_causes(forces, LEVER * arm)))


def _at_steps(begin: _Ends, end: _Ends, durations: np.ndarray, held: bool, vessel: Vessel) -> tuple[np.ndarray, ...]:
    """
    Return 1, the powers left over in surge and yaw, W, and what _Forces has, in the middle of steps; arrays (n,).

    :param begin: Where the steps begin; `end`: where they end.
    :param durations: Of the steps, s, shape (n,).
    :param held: Whether actuators stay as they are at the begin.
    """
    at, rate = middle_of(begin[0], end[0]), rate_of(begin[0], end[0], durations)
    middle = begin[1] if held else middle_of_measured(begin[1], end[1])
    thrust, _, moment = force_of_thrusts(middle.thrusts, middle.angles, vessel.thrusters)
    astern = force_of_thrusts(tuple(np.minimum(one, 0.0) for one in middle.thrusts), middle.angles,
                              vessel.thrusters)[0]
    needed = needed_of(at, rate, vessel).force
    zero = (0.0 * at.u_r,) * 3
    damping = needed_of(at._replace(v_r=zero[0], r=zero[0]), zero, vessel).force[0]
    faster = needed_of(at._replace(u_r=at.u_r + PROBE, v_r=zero[0], r=zero[0]), zero, vessel).force[0]
    return (np.ones_like(durations), (thrust - needed[0]) * at.u_r, (moment - needed[2]) * at.r,
            thrust, astern, needed[0], moment, needed[2], damping, (faster - damping) / PROBE, at.u_r, at.v_r,
            0.5 * (begin[2] + end[2]), at.r * at.r, at.v_r * at.r, at.v_r * at.v_r, at.u_r * np.abs(at.r))


def _size(values: np.ndarray) -> float:
    """Return the root mean square of values, shape (n,)."""
    return math.sqrt(float(values @ values) / values.size)


def _surge_causes(forces: _Forces) -> list[LikelyCause]:
    missed = forces.thrust - forces.needed
    (scale,), by_scale = _fitted(missed, forces.thrust)
    (ahead, astern), by_ends = _fitted(missed, forces.thrust - forces.astern, forces.astern)
    (drag,), by_drag = _fitted(missed, forces.damping)
    current, by_current = _fitted(missed, *(-forces.slope * one for one in (cos(forces.yaw), sin(forces.yaw))))
    words = f'a steady current of {flow_words(current[0], current[1], WATER)}'
    causes = [LikelyCause(f'thrusts that are read {_off(1.0 - scale)}',
                          by_scale if _can_be(1.0 - scale) else 0.0),
              LikelyCause(f"a drag in the boat's file that is {_off(1.0 + drag)}",
                          by_drag if _can_be(1.0 + drag) else 0.0),
              LikelyCause(words, by_current if math.hypot(*current) < FASTEST_FLOW else 0.0),
              LikelyCause('what turning costs (sway, its drag, or where the motion was measured)',
                          _fitted(missed, *forces.turning)[1])]
    if _can_be(1.0 - ahead) and _can_be(1.0 - astern) and by_ends > by_scale + BETTER:
        causes.append(LikelyCause(f'thrusts ahead that are read {_off(1.0 - ahead)}, and astern {_off(1.0 - astern)}',
                                  by_ends))
    return causes


def _yaw_causes(forces: _Forces, longest: float) -> list[LikelyCause]:
    missed = forces.moment - forces.needed_moment
    (arm,), by_arm = _fitted(missed, forces.thrust)
    (scale,), by_scale = _fitted(missed, forces.moment)
    return [LikelyCause('a sway, or a heading, that is off', _fitted(missed, forces.u_r * forces.v_r)[1]),
            LikelyCause(f'thrusters that are read unequal (a lever of {1e3 * abs(arm):.0f} mm of all thrust)',
                        by_arm if abs(arm) < longest else 0.0),
            LikelyCause(f'a difference of the thrusts that is read {_off(1.0 - scale)}, or a yaw drag that is as far '
                        'off', by_scale if _can_be(1.0 - scale) else 0.0)]


def _can_be(factor: float) -> bool:
    """Return whether the truth may be so many times what was read."""
    return 1.0 / MOST < factor < MOST


def _off(factor: float) -> str:
    """Return in words by how much something is off whose truth is so many times as large."""
    off = 1.0 / factor - 1.0 if factor else math.inf
    return f'{100.0 * abs(off):.0f} % too {"large" if off > 0.0 else "small"}'


def _fitted(missed: np.ndarray, *columns: np.ndarray) -> tuple[tuple[float, ...], float]:
    """Return the factors of columns, (n,), nearest to what is missed, (n,), and the share of its squares explained."""
    matrix = np.column_stack(columns)
    factors = np.linalg.lstsq(matrix, missed, rcond=UNSEEN if len(columns) == 2 else None)[0]
    left, whole = (float(one @ one) for one in (missed - matrix @ factors, missed))
    number, free = missed.size, missed.size - len(columns)
    return tuple(map(float, factors)), 1.0 - left / whole * number / free if whole > 0.0 else 0.0


def _named(causes: list[LikelyCause]) -> tuple[LikelyCause, ...]:
    """Return the cause that explains most, and the next if it is as good; none where all explain too little."""
    found = sorted(causes, key=lambda cause: -cause.explained)
    least = max(EXPLAINS, found[0].explained - ALIKE)
    return tuple(cause for cause in found[:TOLD] if cause.explained >= least)
