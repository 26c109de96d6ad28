"""
Open-loop roll-outs of the plant from measured states, compiled by numba or vectorized over all windows.

The equations of motion are those of the plant (`plant_step.rk4_step`); commands are constant between samples, thrusts
follow them with a lag.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Damping, Inertia, Windage
from usv_energy.engine.numba_engine import compiled
from usv_energy.physics.elementwise import cos, kernel, larger, sin, smaller
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Flow
from usv_energy.sim.plants.plant_step import PlantState, held_flow, rk4_step

LONGEST_STEP = 0.1   # Of the integration, s: its fourth-order error is below that of thrusts and noise.
RATE_OF_STEP = 2.0   # Largest damping rate times step, (-): RK4 is stable up to 2.78.
MOST_SUBSTEPS = 60   # Substeps between two samples; this bounds the cost of a trial.
RUNAWAY = 50.0       # Velocities are clipped to this, m/s and rad/s: bad trial values then give large errors, not NaN.


class HullModel(NamedTuple):
    """The fields of a Vessel that the plant's equations use, without thrusters and losses."""

    inertia: Inertia
    damping: Damping
    windage: Windage


class RolloutInputs(NamedTuple):
    """
    The inputs of the roll-outs of one log.

    `steps`: s, (n - 1,). `forces`: on the hull over each of the `substeps` of a step, as `thruster_forces` returns
    them, N and N m, (n - 1, substeps, 6). `motion`: as in LogTrack. `flow`: current x, y and wind x, y, m/s, (n, 4).
    `compass`: deviation of the measured heading, rad: constant, and with the cosine and sine of the heading.
    """

    steps: np.ndarray
    substeps: int
    forces: np.ndarray
    motion: np.ndarray
    flow: np.ndarray
    compass: tuple[float, float, float]


@kernel
def advanced_within_bounds(state, force, flow, hull, step):
    """
    Return the PlantState one time step (s) later by `plant_step.rk4_step`, velocities clipped to RUNAWAY.

    :param state: The PlantState; floats or arrays.
    :param force: Of the thrusters, linear over the step: means of surge N, sway N, yaw moment N m, then their changes
        from the middle to the end.
    """
    x, y, n, more_x, more_y, more_n = force
    forces = (x - more_x, y - more_y, n - more_n), (x, y, n), (x + more_x, y + more_y, n + more_n)
    return held_within_bounds(rk4_step(state, forces, (None, None, None), 0.0, step, hull, held_flow, (flow,)))


@kernel
def held_within_bounds(new):
    """Return a PlantState with velocities clipped to RUNAWAY."""
    return PlantState(new.x, new.y, new.yaw, smaller(larger(new.u_r, -RUNAWAY), RUNAWAY),
                      smaller(larger(new.v_r, -RUNAWAY), RUNAWAY), smaller(larger(new.r, -RUNAWAY), RUNAWAY), new.work,
                      new.afloat)


@kernel
def start_state(yaw, u, v, r, current_x, current_y, compass):
    """
    Return the PlantState of a measured motion.

    If the measured heading is too far to port by an angle e, velocities measured in the earth frame appear turned by -e
    in the body frame. The deviation turns them back.

    :param yaw: Measured, rad; float or array. u, v m/s and r rad/s over ground likewise.
    :param current_x: Earth frame, m/s; `current_y` likewise.
    :param compass: The three numbers of the deviation, rad.
    """
    c, s = cos(yaw), sin(yaw)
    deviation = compass[0] + compass[1] * c + compass[2] * s
    ahead, port = to_earth(u, v, cos(deviation), sin(deviation))
    current = to_body(current_x, current_y, c, s)
    zero = 0.0 * yaw
    return PlantState(zero, zero, yaw, ahead - current[0], port - current[1], r, zero, None)


@kernel
def measured_velocity(state, current_x, current_y, compass):
    """Return u, v, m/s, and r, rad/s, over ground as they are measured in a state: the inverse of `start_state`."""
    c, s = cos(state.yaw), sin(state.yaw)
    deviation = compass[0] + compass[1] * c + compass[2] * s
    current = to_body(current_x, current_y, c, s)
    u, v = to_body(state.u_r + current[0], state.v_r + current[1], cos(deviation), sin(deviation))
    return u, v, state.r


def roll(starts: np.ndarray, samples: int, inputs: RolloutInputs, hull: HullModel, out: np.ndarray) -> None:
    """
    Roll windows out one after the other. numba compiles this function; tests compare it with the plain Python.

    :param starts: First samples, (windows,).
    :param samples: Number of samples of a window after its start.
    :param out: Is filled with u, v, m/s, and r, rad/s, (windows, samples, 3).
    """
    steps, substeps, forces, motion, flows, compass = inputs
    for window in range(len(starts)):
        k = starts[window]
        state = start_state(motion[k, 0], motion[k, 1], motion[k, 2], motion[k, 3], flows[k, 0], flows[k, 1], compass)
        for i in range(samples):
            row, force = flows[k + i], forces[k + i]
            flow = Flow(row[0], row[1], row[2], row[3])
            step = steps[k + i] / substeps
            for j in range(substeps):
                line = (force[j, 0], force[j, 1], force[j, 2], force[j, 3], force[j, 4], force[j, 5])
                state = advanced_within_bounds(state, line, flow, hull, step)
            velocity = measured_velocity(state, row[0], row[1], compass)
            out[window, i, 0], out[window, i, 1], out[window, i, 2] = velocity


def roll_together(starts: np.ndarray, samples: int, inputs: RolloutInputs, hull: HullModel, out: np.ndarray) -> None:
    """Roll all windows out at once, as arrays; used if numba is not installed. Parameters: as `roll`."""
    steps, substeps, forces, motion, flows, compass = inputs
    state = start_state(*motion[starts].T, flows[starts, 0], flows[starts, 1], compass)
    for i in range(samples):
        now = starts + i
        row, force = flows[now].T, forces[now]
        flow = Flow(row[0], row[1], row[2], row[3])
        step = steps[now] / substeps
        for j in range(substeps):
            state = advanced_within_bounds(state, force[:, j].T, flow, hull, step)
        out[:, i] = np.column_stack(measured_velocity(state, row[0], row[1], compass))


@cache
def compiled_roll() -> Callable[..., Any]:
    """
    Return `roll`, compiled so that it releases the interpreter's lock.

    :raises ImportError: If numba is not installed.
    """
    return compiled(roll)


@cache
def best_roll() -> Callable[..., Any]:
    """Return the fastest roll-out function on this machine: compiled, or all windows at once."""
    try:
        return compiled_roll()
    except ImportError:
        return roll_together
