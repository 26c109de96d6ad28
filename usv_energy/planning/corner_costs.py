"""
What a corner of a way, and a start from rest, cost beyond steady motion along the legs: time, s, and energy, J.

They follow from the simulator's own steps: a boat comes along a leg at its speed, in still water, and turns onto the
next as its autopilot steers it. All angles and speeds are run side by side, on arrays. Between the angles that are run,
what a corner costs is linear.
"""

from typing import Any, NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..physics.energy import CAUSES, Energy
from ..physics.frames import wrap_angle
from ..physics.power import CONVENTIONS, STILL, Relative
from ..sim.control import Gains, controlled_setting, wanted_setting
from ..sim.guidance import heading_on_leg, heading_over_ground, leg_between
from ..sim.observation import NOTHING_OBSERVED, integrated, observed
from ..sim.plant import PlantState, advanced, held_flow, thruster_lags
from ..sim.scenario import Scenario
from .steady_motion import steady_state

ANGLES = np.radians([0.0, 20.0, 45.0, 70.0, 90.0, 110.0, 135.0, 160.0, 180.0])  # rad: of the corners that are run.
KEPT = 64               # Boats, speeds and controllers whose corners are remembered.
SETTLED = 0.01          # Of speed, heading (rad) and radius: a corner is over.
LONGEST = 90.0          # Times the look-ahead distance: a corner that is not over after this way is taken as it is.


class Manner(NamedTuple):
    """How a boat is steered round corners: look-ahead distance m, radius of waypoints m, step s, steps a period."""

    gains: Gains
    lookahead: float | None
    radius: float
    step: float
    steps: int


class CornerCosts(NamedTuple):
    """
    Extra time, s, and energy, J, by cause as in `physics.energy.CAUSES`, of corners of ANGLES and of a start from rest.

    Shapes: (angles, speeds), (causes, angles, speeds), (speeds,), (causes, speeds).
    """

    speeds: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    start_time: np.ndarray
    start_energy: np.ndarray

    def at(self, angle: np.ndarray, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """
        Return extra time, shape (n,), and energy, (causes, n), of corners.

        :param angle: From course to course, rad, either way, shape (n,).
        :param speed: One of `speeds` each, m/s, shape (n,).
        """
        column = np.searchsorted(self.speeds, speed)
        turn = np.minimum(np.abs(angle), np.pi)
        row = np.clip(np.searchsorted(ANGLES, turn, side='right') - 1, 0, ANGLES.size - 2)
        share = (turn - ANGLES[row]) / (ANGLES[row + 1] - ANGLES[row])
        mixed = (1.0 - share) * self.time[row, column] + share * self.time[row + 1, column]
        energy = (1.0 - share) * self.energy[:, row, column] + share * self.energy[:, row + 1, column]
        return mixed, energy


def manner_of(scenario: Scenario) -> Manner:
    """Return how a scenario steers its boat."""
    return Manner(scenario.gains, scenario.lookahead, scenario.radius, scenario.step, scenario.steps_per_period)


_remembered: dict[tuple[int, Manner, tuple[float, ...]], tuple[Vessel, CornerCosts]] = {}


def corner_costs(vessel: Vessel, manner: Manner, speeds: np.ndarray) -> CornerCosts:
    """
    Return what corners and starts cost at speeds; the last ones asked for are remembered.

    :param speeds: m/s over ground, rising, above 0, shape (s,).
    """
    key = id(vessel), manner, tuple(speeds.tolist())
    found = _remembered.get(key)
    if found is None or found[0] is not vessel:
        if len(_remembered) >= KEPT:
            _remembered.clear()
        found = _remembered[key] = vessel, _corners(vessel, manner, speeds)
    return found[1]


def _corners(vessel: Vessel, manner: Manner, speeds: np.ndarray) -> CornerCosts:
    angles = np.append(ANGLES, 0.0)                      # The last one is the start from rest.
    turn, speed = (part.ravel() for part in np.meshgrid(angles, speeds, indexing='ij'))
    at_rest = np.repeat(np.arange(angles.size) == ANGLES.size, speeds.size)
    with np.errstate(all='ignore'):
        time, energy = _run(vessel, manner, turn, speed, at_rest)
    shape = angles.size, speeds.size
    time, energy = time.reshape(shape), energy.reshape(len(CAUSES), *shape)
    return CornerCosts(speeds, time[:-1], energy[:, :-1], time[-1], energy[:, -1])


def _run(vessel: Vessel, manner: Manner, turn: np.ndarray, speed: np.ndarray,
         at_rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return extra time and energy by cause of each corner, shapes (n,) and (causes, n)."""
    zero, radius = 0.0 * speed, manner.radius
    steady = steady_state(vessel, zero, speed, STILL)
    far = 50.0 * (radius + (manner.lookahead or radius))
    leg = leg_between(zero, zero, far * np.cos(turn), far * np.sin(turn))
    state = PlantState(zero - radius, zero, zero, np.where(at_rest, 0.0, speed), zero, zero, zero)
    # The corner's leg begins at once: the boat is as far from it as its radius.
    setting = wanted_setting(np.where(at_rest, 0.0, steady.surge_force), zero,
                             Relative(state.u_r, zero, zero, -state.u_r, zero), vessel)
    integral = np.where(at_rest, 0.0, steady.surge_force)
    lags, period = thruster_lags(vessel, manner.step), manner.step * manner.steps
    convention, seen = CONVENTIONS['rep103'], NOTHING_OBSERVED
    energy: Any = Energy()
    length = max(manner.lookahead or radius, radius)
    for number in range(int(LONGEST * length / float(speed.min()) / period) + 1):
        before, seen = seen, observed(seen, number * period + zero, state, STILL, vessel, convention.relative,
                                      convention.mean_power)
        energy = integrated(energy, before, seen) if number else energy
        heading = heading_on_leg(state.x, state.y, leg, manner.lookahead)
        if number and _settled(state, speed, heading, leg, radius):
            break
        heading, ahead = heading_over_ground(heading, speed, seen.motion.v)
        at = Relative(seen.motion.u, zero, state.r, seen.relative.u_w, seen.relative.v_w)
        integral, wanted = controlled_setting(integral, np.nan if number == 0 else period, heading, ahead, state.yaw,
                                              at, seen.motion.u, manner.gains, vessel)
        for step in range(manner.steps):
            state, setting = advanced(state, setting, wanted, lags, (number * manner.steps + step) * manner.step,
                                      manner.step, vessel, held_flow, (STILL,))
    along = state.x * leg.cosine + state.y * leg.sine
    steady_time = (radius + along) / speed
    took = seen.time - steady_time
    spent = np.array([np.broadcast_to(getattr(energy, cause), speed.shape)
                      - steady_time * getattr(steady.power, cause) for cause in CAUSES])
    return took, spent


def _settled(state: PlantState, speed: np.ndarray, heading: np.ndarray, leg: Any, radius: float) -> bool:
    across = state.y * leg.cosine - state.x * leg.sine
    return bool(np.all((abs(state.u_r - speed) < SETTLED * speed) & (abs(across) < 3.0 * SETTLED * radius)
                       & (abs(wrap_angle(heading - state.yaw)) < SETTLED)))
