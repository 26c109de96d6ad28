"""
Roll-outs of boats with any arrangement, whose force depends on thrusts and angles along the log and on the motion.

Thrusts and angles follow their commands as in the plant (`plant_step.advanced`), independently of the boat's motion. So
they are computed first, once for all windows. The roll-out is compiled by numba or vectorized over all windows.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.engine.numba_engine import compiled
from usv_energy.engine.run_state import map_leaves, read_column
from usv_energy.physics.elementwise import kernel
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant_step import NO_FORCES, held_flow, rk4_step
from usv_energy.studies.identify.rollout.fit_parameters import (
    FitModel,
    compass_of,
    substeps_of,
    thrust_numbers,
    thrusts_of,
    vessel_of,
)
from usv_energy.studies.identify.rollout.rollout import held_within_bounds, measured_velocity, start_state
from usv_energy.studies.identify.rollout.thrust_course import ThrustCourses
from usv_energy.studies.identify.rollout.tracks import LogTrack


class DrivenModel(NamedTuple):
    """The fields of a Vessel that the plant's equations with actuators use, without power and energy."""

    inertia: Any
    damping: Any
    windage: Any
    thrusters: Any
    foils: Any


class DrivenInputs(NamedTuple):
    """
    The inputs of the roll-outs of one log.

    `steps`: s, (n - 1,). `template`: a Setting of zeros, for its types. `course`: numbers of the Setting at the
    beginning, middle and end of each of the `substeps` of a step, N and rad, (numbers, n - 1, substeps, 3), flat.
    `motion`, `flow` and `compass`: as in RolloutInputs.
    """

    steps: np.ndarray
    substeps: int
    template: Setting
    course: np.ndarray
    motion: np.ndarray
    flow: np.ndarray
    compass: tuple[float, float, float]


def driven_model(vessel: Vessel) -> DrivenModel:
    """Return the DrivenModel of a Vessel."""
    thrusters = tuple(thruster._replace(azimuth=None, sway_share=None, lag=0.0) for thruster in vessel.thrusters)
    foils = tuple(foil._replace(aspect=None, steer=None) for foil in vessel.foils)
    return DrivenModel(vessel.inertia, vessel.damping, vessel.windage, thrusters, foils)


def setting_template(vessel: Vessel) -> Setting:
    """Return a Setting of zeros for a boat's actuators; the angle is None for those that are fixed."""
    return Setting(tuple(0.0 for _ in vessel.thrusters),
                   tuple(None if thruster.azimuth is None else 0.0 for thruster in vessel.thrusters),
                   tuple(None if foil.steer is None else 0.0 for foil in vessel.foils))


@kernel
def driven_step(state, settings, flow, model, step):
    """
    Return the PlantState one time step (s) later by `plant_step.rk4_step`, velocities clipped to RUNAWAY.

    :param state: The PlantState; floats or arrays.
    :param settings: The Settings of the actuators at the step's beginning, middle and end.
    """
    return held_within_bounds(rk4_step(state, NO_FORCES, settings, 0.0, step, model, held_flow, (flow,)))


def roll_driven(starts: np.ndarray, samples: int, inputs: DrivenInputs, model: DrivenModel, out: np.ndarray) -> None:
    """
    Roll windows out one after the other. numba compiles this function; tests compare it with the plain Python.

    :param starts: First samples, (windows,).
    :param samples: Number of samples of a window after its start.
    :param out: Is filled with u, v, m/s, and r, rad/s, (windows, samples, 3).
    """
    steps, substeps, template, course, motion, flows, compass = inputs
    stride = 3 * substeps * len(steps)
    for window in range(len(starts)):
        k = starts[window]
        state = start_state(motion[k, 0], motion[k, 1], motion[k, 2], motion[k, 3], flows[k, 0], flows[k, 1], compass)
        for i in range(samples):
            row = flows[k + i]
            flow = Flow(row[0], row[1], row[2], row[3])
            step = steps[k + i] / substeps
            for j in range(substeps):
                place = 3 * ((k + i) * substeps + j)
                settings = (read_column(template, course, place, stride),
                            read_column(template, course, place + 1, stride),
                            read_column(template, course, place + 2, stride))
                state = driven_step(state, settings, flow, model, step)
            velocity = measured_velocity(state, row[0], row[1], compass)
            out[window, i, 0], out[window, i, 1], out[window, i, 2] = velocity


def roll_driven_together(starts: np.ndarray, samples: int, inputs: DrivenInputs, model: DrivenModel,
                         out: np.ndarray) -> None:
    """Roll all windows out at once, as arrays; used if numba is not installed. Parameters as `roll_driven`."""
    steps, substeps, template, course, motion, flows, compass = inputs
    numbers = course.reshape(-1, len(steps), substeps, 3)
    state = start_state(*motion[starts].T, flows[starts, 0], flows[starts, 1], compass)
    for i in range(samples):
        now = starts + i
        row = flows[now].T
        for j in range(substeps):
            settings = tuple(_setting_at(template, numbers[:, now, j, edge]) for edge in range(3))
            state = driven_step(state, settings, Flow(*row), model, steps[now] / substeps)
        out[:, i] = np.column_stack(measured_velocity(state, row[0], row[1], compass))


def _setting_at(template: Setting, numbers: np.ndarray) -> Setting:
    rows = iter(numbers)
    return map_leaves(lambda leaf: next(rows), template)


def driven_motion(track: LogTrack, windows: tuple[np.ndarray, int], values: np.ndarray, model: FitModel,
                  flow: np.ndarray, courses: ThrustCourses | None = None, keep: bool = True,
                  motion: np.ndarray | None = None) -> np.ndarray:
    """
    Return roll-outs of one log, u, v, m/s, and r, rad/s, (windows, samples, 3), of a boat of any arrangement.

    :param windows: Their first samples, (windows,), and how many samples follow.
    :param values: Of the model's parameters.
    :param flow: Steady current x, y and wind x, y in addition to those that the log recorded, m/s, (4,).
    :param courses: Cache of the actuators' courses along the logs of a fit.
    :param keep: Whether to keep this course in the cache.
    :param motion: Start states of the windows, as the log's motion, (n, 4); None for the log's own.
    """
    vessel = vessel_of(values, model)
    substeps = substeps_of(track, vessel)
    course = (courses or ThrustCourses()).settings(
        track, thrust_numbers(values, model), lambda: thrusts_of(track.thrust, values, model), vessel, substeps, keep)
    motion = track.motion if motion is None else motion
    inputs = DrivenInputs(track.steps, substeps, setting_template(vessel), course, motion,
                          track.flow + flow, compass_of(values, model))
    starts, samples = windows
    out = np.empty((len(starts), samples, 3))
    best_driven_roll()(starts, samples, inputs, driven_model(vessel), out)
    return out


@cache
def best_driven_roll() -> Callable[..., Any]:
    """Return the fastest roll-out function for any arrangement: compiled, or all windows at once."""
    try:
        return compiled(roll_driven)
    except ImportError:
        return roll_driven_together
