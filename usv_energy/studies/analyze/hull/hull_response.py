"""Steady stretches of a cruise, and their response to unknown drag, current, wind and compass deviation."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Flow, Motion, relative_rep103
from usv_energy.powering.actuators import foils_of_force
from usv_energy.powering.power import needed_of, power_rep103

PERIOD = 10.0                       # s of a block.
LEAST_SAMPLES = 4
LONGEST_STEP = 3.0                  # s between two samples of one block.
SWING = math.radians(15.0)          # Largest difference of the heading from that at the block's begin.
TURN = math.radians(8.0)            # Largest turn over a block.
SPEED_CHANGE = 0.1                  # Of the speed, over a block.

DRAG, CURRENT, WIND, TURNED = 0, slice(1, 3), slice(3, 5), 5
UNKNOWNS = 6
STEPS = np.array([0.01, 0.01, 0.01, 0.1, 0.1, 0.005])  # Of the central differences.
SWAY_STEP = 0.02      # m/s, likewise.
LEAST_POWER = 1e-3    # Share of the block's measured power: keeps the logarithm finite if the model's power is 0.


class CruiseSample(NamedTuple):
    """
    One sample: time s; yaw rad, u and v over ground, m/s, body axes; current and wind as known, m/s, earth frame.

    `watts`: as measured at the battery; `loads`: what of them is no propulsion, as the boat file has it. NaN: unknown.
    """

    time: float
    yaw: float
    u: float
    v: float
    current_x: float
    current_y: float
    wind_x: float
    wind_y: float
    watts: float
    loads: float


class CruiseBlock(NamedTuple):
    """Means of a steady stretch, as CruiseSample has them; `time` is its end, and `u_dot` the slope of u, m/s^2."""

    time: float
    yaw: float
    u: float
    v: float
    current_x: float
    current_y: float
    wind_x: float
    wind_y: float
    watts: float
    loads: float
    u_dot: float


class CruiseBlocks:
    """Collects samples into blocks."""

    def __init__(self, slowest: float, period: float = PERIOD) -> None:
        """Begin; `slowest`: the speed through the water, as known, from which the boat cruises, m/s."""
        self._slowest, self._period = slowest, period
        self._samples: list[CruiseSample] = []
        self._turned: list[float] = []

    def add(self, sample: CruiseSample) -> CruiseBlock | None:
        """Add a sample; return the block that it completes, if that was steady."""
        if not math.isfinite(sum(sample)):
            self._begin()
            return None
        if self._samples:
            step = sample.time - self._samples[-1].time
            if step == 0.0:
                return None
            turned = wrap_angle(sample.yaw - self._samples[0].yaw)
            if not 0.0 < step <= LONGEST_STEP or abs(turned) > SWING:
                self._begin()
            else:
                self._turned.append(turned)
        if not self._samples:
            self._turned = [0.0]
        self._samples.append(sample)
        if sample.time - self._samples[0].time < self._period:
            return None
        block = self._block()
        self._begin()
        return block

    def _begin(self) -> None:
        self._samples, self._turned = [], []

    def _block(self) -> CruiseBlock | None:
        samples = self._samples
        number, begin = len(samples), samples[0].time
        if number < LEAST_SAMPLES:
            return None
        duration = samples[-1].time - begin
        means = [math.fsum(values) / number for values in zip(*samples)]
        _, _, u, v, current_x, current_y, wind_x, wind_y, watts, loads = means
        turned = math.fsum(self._turned) / number
        yaw = wrap_angle(samples[0].yaw + turned)
        middle = math.fsum(sample.time - begin for sample in samples) / number
        lever = [sample.time - begin - middle for sample in samples]
        spread = math.fsum(at * at for at in lever)
        u_dot = math.fsum(at * sample.u for at, sample in zip(lever, samples)) / spread
        turn = math.fsum(at * angle for at, angle in zip(lever, self._turned)) / spread * duration
        through = math.hypot(u - current_x * math.cos(yaw) - current_y * math.sin(yaw),
                             v + current_x * math.sin(yaw) - current_y * math.cos(yaw))
        if abs(turn) > TURN or abs(u_dot) * duration > SPEED_CHANGE * abs(u) or through < self._slowest or u <= 0.0:
            return None
        return CruiseBlock(samples[-1].time, yaw, u, v, current_x, current_y, wind_x, wind_y, watts, loads, u_dot)


def joined_blocks(blocks: Sequence[CruiseBlock], most: int) -> list[tuple[CruiseBlock, int]]:
    """
    Return blocks of which those that follow each other on one heading at one speed are joined, and of how many each is.

    :param blocks: In order of time.
    :param most: Largest number that is joined.
    """
    groups: list[list[CruiseBlock]] = []
    for block in blocks:
        group = groups[-1] if groups else []
        if group and len(group) < most and 0.0 < block.time - group[-1].time < PERIOD + LONGEST_STEP and (
                abs(wrap_angle(block.yaw - group[0].yaw)) < SWING and
                abs(block.u - group[0].u) < SPEED_CHANGE * group[0].u):
            group.append(block)
        else:
            groups.append([block])
    joined = []
    for group in groups:
        mean = CruiseBlock(*(math.fsum(values) / len(group) for values in zip(*group)))
        turned = math.fsum(wrap_angle(block.yaw - group[0].yaw) for block in group) / len(group)
        joined.append((mean._replace(time=group[-1].time, yaw=wrap_angle(group[0].yaw + turned)), len(group)))
    return joined


def tells_sway(vessel: Vessel) -> bool:
    """Return whether a boat's sway is informative: its thrusters push straight ahead, and it has sway drag."""
    damping = vessel.damping
    ahead = all(thruster.axis is None and thruster.azimuth is None for thruster in vessel.thrusters)
    return ahead and damping.d22 + damping.d22_u > 0.0


def stretch_response(block: CruiseBlock, unknowns: np.ndarray, vessel: Vessel, sway: bool,
                     surge: np.ndarray | None = None) -> np.ndarray:
    """
    Return the logarithm of the power, ln W, and the sway beyond the balanced one, m/s (0 without `sway`): shape (n, 2).

    :param block: The block.
    :param unknowns: Shape (n, 6), as the module's docstring has them.
    :param vessel: The Vessel.
    :param sway: Whether the boat `tells_sway`.
    :param surge: Speed over ground ahead of each, m/s, shape (n,); None: the block's.
    """
    u = block.u if surge is None else surge
    drag, current_x, current_y, wind_x, wind_y, turned = unknowns.T
    zero = np.zeros_like(drag)
    motion = Motion(block.yaw - turned, u - turned * block.v, block.v + turned * u, zero,
                    np.full_like(drag, block.u_dot), zero, zero)
    flow = Flow(block.current_x + current_x, block.current_y + current_y, block.wind_x + wind_x, block.wind_y + wind_y)
    damping, scale = vessel.damping, np.exp(drag)
    wave = damping.wave if damping.wave is None else damping.wave._replace(scale=scale * damping.wave.scale)
    dragged = vessel._replace(damping=damping._replace(d11=scale * damping.d11, d11_q=scale * damping.d11_q, wave=wave))
    power = power_rep103(motion, flow, dragged)
    drawn = np.maximum(power.total - power.static_load, LEAST_POWER * abs(block.watts))
    return np.column_stack([np.log(drawn), _sway(motion, flow, dragged) if sway else zero])


def _sway(motion: Motion, flow: Flow, vessel: Vessel) -> np.ndarray:
    """Return the boat's sway through the water less that at a balance of side forces, m/s."""
    at = relative_rep103(motion, flow)
    rest = (np.zeros_like(at.u_r),) * 3
    there = at._replace(v_r=at.v_r + np.array([[-SWAY_STEP], [0.0], [SWAY_STEP]]))
    needed = needed_of(there, rest, vessel).force
    forces = needed[1] - foils_of_force(there, needed, vessel)[1]
    slope = np.maximum((forces[2] - forces[0]) / (2.0 * SWAY_STEP), 1e-9)
    return np.asarray(forces[1] / slope)


def linear_response(block: CruiseBlock, speed: float, means: np.ndarray, vessel: Vessel,
                    sway: bool, shown: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the response at some states, shape (n, 2), and its derivatives by central differences, shape (n, 2, 6).

    All are computed in one call, since for a few states numpy's calls take longer than their numbers.

    :param speed: Over ground ahead, m/s, smoothed, at which the derivatives are taken. A block's own speed errs, and
        the slope of the power over speeds that err looks like that in another current ("regression dilution").
    :param means: States at which the derivatives are taken, shape (n, 6).
    :param shown: States whose response is returned, shape (n, 6); None: `means`.
    """
    number = means.shape[0]
    shifts = np.concatenate([np.diag(STEPS), -np.diag(STEPS)])
    tried = (means[:, None, :] + shifts).reshape(-1, UNKNOWNS)
    surge = np.append(np.full(number, block.u), np.full(tried.shape[0], speed))
    every = np.concatenate([means if shown is None else shown, tried])
    response = stretch_response(block, every, vessel, sway, surge)
    found = response[number:].reshape(number, 2 * UNKNOWNS, 2)
    slopes = (found[:, :UNKNOWNS] - found[:, UNKNOWNS:]) / (2.0 * STEPS[:, None])
    return response[:number], np.swapaxes(slopes, 1, 2)
