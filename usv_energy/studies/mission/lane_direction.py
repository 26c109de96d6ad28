"""Which way the lanes of a survey should run, and how fast, for the least energy in this water and air."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.missions.patterns import angle_of_fewest_lanes, lawnmower
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.steady_motion import top_speed

STEP = 1.0              # deg: all directions are tried so far apart,
FINE = 0.1              # and this far about the best of them.
COARSE = 10.0           # deg: where speeds are tried.
SPEEDS = np.linspace(0.2, 1.0, 17)  # Of the top speed.

Cost = Callable[[float, float], tuple[float, float]]  # Of a direction, rad, at a speed, m/s: time, s, and energy, J.


class LaneChoice(NamedTuple):
    """
    What lanes cost by their direction at one speed.

    Directions rad (ENU), 0 to pi, rising; time s and energy J, NaN where the thrusters cannot; the speed over ground,
    m/s, and whether it was chosen, too. `best`: the direction of least energy, rad; `fewest`: that of the fewest lanes;
    energy, J, and time, s, of both.
    """

    angle: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    speed: float
    speed_chosen: bool
    best: float
    best_energy: float
    best_time: float
    fewest: float
    fewest_energy: float


def lane_choice(area: Sequence[LocalPlace], spacing: float, boat: Boat, current: UniformFlow | FlowFile,
                wind: UniformFlow | FlowFile, speed: float | None = None, start: LocalPlace | None = None,
                progress: Progress = no_progress) -> LaneChoice:
    """
    Return what lanes cost by their direction; all directions are tried.

    :param area: Its corners, m.
    :param spacing: Of the lanes, at most, m.
    :param boat: The boat.
    :param current: Water, in the area's metres.
    :param wind: Air at the boat.
    :param speed: Over ground, m/s; None: that of the least energy, too.
    :param start: Where the boat comes from, m.
    :raises InputError: If the boat can go no lanes at all; as `lawnmower`.
    """
    chosen, done = speed is None, 0
    number = round(180.0 / STEP) + round(2.0 * STEP / FINE) + (SPEEDS.size * round(180.0 / COARSE) if chosen else 0)

    def cost(angle: float, at: float) -> tuple[float, float]:
        nonlocal done
        done += 1
        progress(min(done, number), number)
        places = lawnmower(area, spacing, angle, start).places
        way = tuple(Waypoint(place, number) for number, place in enumerate(places))
        itinerary = Itinerary('lanes', places[0], False, way)
        legs = legs_estimate(mission_scenario(itinerary, boat, current, wind, at).scenario)
        return (float(legs.end[-1]), float(legs.total.sum())) if legs.feasible.all() else (math.nan, math.nan)

    if speed is None:
        speed = _best_speed(cost, top_speed(boat.vessel))
    angles = np.radians(np.arange(0.0, 180.0, STEP))
    time, energy = _costs(cost, angles, speed)
    if np.isnan(energy).all():
        raise InputError(f'{boat.path}: {boat.name} can go lanes at {speed:g} m/s over ground in no direction in this '
                         'current and wind')
    middle = angles[int(np.nanargmin(energy))]
    about = middle + np.radians(np.arange(-STEP + FINE, STEP - 0.5 * FINE, FINE))
    fine_time, fine_energy = _costs(cost, about, speed)
    at = int(np.nanargmin(fine_energy))
    fewest = angle_of_fewest_lanes(area)
    best = float(np.round(about[at], 9) % math.pi)
    return LaneChoice(angles, time, energy, speed, chosen, best, float(fine_energy[at]), float(fine_time[at]),
                      fewest, cost(fewest, speed)[1])


def _costs(cost: Cost, angles: np.ndarray, speed: float) -> tuple[np.ndarray, np.ndarray]:
    time, energy = np.array([cost(angle, speed) for angle in angles.tolist()]).T
    return time, energy


def _best_speed(cost: Cost, top: float) -> float:
    """Return the speed at which the cheapest of a few directions is cheapest, m/s."""
    if not math.isfinite(top):
        raise InputError('the boat has no speed ahead; lanes need one')
    least = []
    for share in SPEEDS.tolist():
        _, energy = _costs(cost, np.radians(np.arange(0.0, 180.0, COARSE)), share * top)
        least.append(math.inf if np.isnan(energy).all() else float(np.nanmin(energy)))
    if not math.isfinite(min(least)):
        raise InputError('the boat can go no lanes at any speed in this current and wind')
    return round(float(SPEEDS[int(np.argmin(least))]) * top, 3)
