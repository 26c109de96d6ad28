"""Energy maps: energy per metre over course and speed, in many currents and winds; the best speed by course."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.cheapest_speed import cheapest_motions
from usv_energy.studies.plan.steady_motion import steady_state

Conditions = Sequence[tuple[float, float]]  # Speed, m/s, and where it flows to, degrees counter-clockwise from east.
DIMS = ('course', 'speed', 'current', 'wind')
FIELDS = {
    'energy_per_meter': ('J m-1', 'energy per metre over ground'),
    'power_total': ('W', 'electrical power, static load included'),
    'heading': ('degree', 'heading, counter-clockwise from east, 0 to 360'),
    'drift': ('degree', 'from the heading to the motion through the water, to port positive'),
    'speed_through_water': ('m s-1', 'speed through the water'),
}


@dataclass(frozen=True)
class EnergyMap:
    """
    Steady motions over course, speed, current and wind: arrays of the shape (courses, speeds, currents, winds).

    `fields`: by the names in FIELDS; NaN if the thrusters cannot hold the motion. `feasible`: whether they can.
    `courses_deg`: counter-clockwise from east. `speeds`: over ground, m/s.
    """

    courses_deg: np.ndarray
    speeds: np.ndarray
    currents: Conditions
    winds: Conditions
    fields: dict[str, np.ndarray]
    feasible: np.ndarray


def energy_map(vessel: Vessel, courses_deg: np.ndarray, speeds: np.ndarray, currents: Conditions, winds: Conditions,
               progress: Progress = no_progress) -> EnergyMap:
    """
    Return the energy map of a boat.

    :param courses_deg: Over ground, degrees counter-clockwise from east, shape (C,).
    :param speeds: Over ground, m/s, above 0, shape (S,).
    :param currents: Speeds, m/s, and directions that they flow to, degrees; likewise `winds`.
    """
    shape = courses_deg.size, speeds.size, len(currents), len(winds)
    fields = {name: np.empty(shape) for name in FIELDS}
    feasible = np.empty(shape, dtype=bool)
    current, wind = _earth_components(currents)[:, :, None], _earth_components(winds)[:, None, :]
    flow = Flow(current[0], current[1], wind[0], wind[1])
    for number, course in enumerate(np.radians(courses_deg)):
        steady = steady_state(vessel, course, speeds[:, None, None], flow)
        feasible[number] = steady.feasible
        values = {
            'energy_per_meter': steady.power.total / speeds[:, None, None], 'power_total': steady.power.total,
            'heading': np.degrees(steady.yaw) % 360.0, 'drift': np.degrees(np.arctan2(steady.v_r, steady.u_r)),
            'speed_through_water': np.hypot(steady.u_r, steady.v_r)}
        for name, value in values.items():
            fields[name][number] = np.where(steady.feasible, value, np.nan)
        progress(number + 1, courses_deg.size)
    return EnergyMap(courses_deg, speeds, currents, winds, fields, feasible)


@dataclass(frozen=True)
class BestSpeedMap:
    """
    The speeds over ground of least energy per metre, m/s, that energy, J/m, and the power, W.

    Shape (courses, currents, winds); NaN if no speed can be held. `at_limit`: the least is at the lowest speed
    allowed; a lower speed would cost less.
    """

    courses_deg: np.ndarray
    currents: Conditions
    winds: Conditions
    speed: np.ndarray
    energy_per_meter: np.ndarray
    power: np.ndarray
    at_limit: np.ndarray


def best_speeds(vessel: Vessel, courses_deg: np.ndarray, speeds: np.ndarray, currents: Conditions,
                winds: Conditions) -> BestSpeedMap:
    """
    Return the speed of least energy per metre for each course, between the lowest and the highest of `speeds`.

    Dead before a strong wind the cheapest motion is to drift across it with hardly any thrust. It exists at a sharply
    defined speed only, so it may be missed between two of `speeds`, while courses a few degrees off find it.

    :param courses_deg: Degrees counter-clockwise from east, shape (C,).
    :param speeds: Over ground, m/s, rising; the least is interpolated between them.
    :param currents: As for `energy_map`; likewise `winds`.
    """
    shape = courses_deg.size, len(currents), len(winds)
    current, wind = _earth_components(currents)[:, None, :, None], _earth_components(winds)[:, None, None, :]
    courses = np.radians(courses_deg)[:, None, None]
    course, *flow = (part.ravel() for part in np.broadcast_arrays(courses, *current, *wind))
    found = cheapest_motions(vessel, course, Flow(flow[0], flow[1], flow[2], flow[3]), speeds, (0.0,))
    held = np.isfinite(found.cost[0])
    speed, cost = np.where(held, 1.0 / found.slowness[0], np.nan), np.where(held, found.cost[0], np.nan)
    return BestSpeedMap(courses_deg, currents, winds, *(values.reshape(shape) for values in (
        speed, cost, cost * speed, speed == speeds[0])))


def _earth_components(conditions: Conditions) -> np.ndarray:
    """Return the east and north components, m/s, of flows given by speed and direction; shape (2, N)."""
    return np.array([polar_to_earth(*condition) for condition in conditions]).T.reshape(2, -1)
