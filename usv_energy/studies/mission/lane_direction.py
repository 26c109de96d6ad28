"""The direction and the speed of a survey's lanes that cost the least energy in given water and air."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.missions.patterns import angle_of_fewest_lanes, lawnmower
from usv_energy.show.text_table import degrees, joules, percent, seconds
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.steady_motion import top_speed

STEP = 1.0              # deg, between the directions that are tried,
FINE = 0.1              # and between those around the best of them
COARSE = 10.0           # deg, between the directions for which a speed is chosen
SPEEDS = np.linspace(0.2, 1.0, 17)  # of the top speed

Cost = Callable[[float, float], tuple[float, float]]  # from direction, rad, and speed, m/s, to time, s, and energy, J


class LaneChoice(NamedTuple):
    """
    What lanes cost by their direction at one speed.

    `angle`: directions, rad (ENU), 0 to pi, rising, with `time` s and `energy` J, NaN if the thrusters are too weak.
    `speed`: over ground, m/s; `speed_chosen`: whether it was chosen here. `best`: the direction of least energy, rad;
    `fewest`: the direction of the fewest lanes, rad.
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
                progress: Progress = no_progress, holes: Sequence[Sequence[LocalPlace]] = ()) -> LaneChoice:
    """
    Return what lanes cost by their direction.

    :param area: Its corners, m.
    :param spacing: Largest distance of the lanes, m.
    :param boat: The boat.
    :param current: Water, in the area's metres.
    :param wind: Air at the boat.
    :param speed: Over ground, m/s; None: the speed of least energy is chosen, too.
    :param start: Where the boat comes from, m.
    :param holes: In the area, as `lawnmower`.
    :raises InputError: If the thrusters are too weak in every direction; as `lawnmower`.
    """
    chosen, done = speed is None, 0
    number = round(180.0 / STEP) + round(2.0 * STEP / FINE) + (SPEEDS.size * round(180.0 / COARSE) if chosen else 0)

    def cost(angle: float, at: float) -> tuple[float, float]:
        nonlocal done
        done += 1
        progress(min(done, number), number)
        places = lawnmower(area, spacing, angle, start, holes).places
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
    """Return the speed, m/s, at which the cheapest of a few directions costs least."""
    if not math.isfinite(top):
        raise InputError('the boat has no speed ahead; lanes need one')
    least = []
    for share in SPEEDS.tolist():
        _, energy = _costs(cost, np.radians(np.arange(0.0, 180.0, COARSE)), share * top)
        least.append(math.inf if np.isnan(energy).all() else float(np.nanmin(energy)))
    if not math.isfinite(min(least)):
        raise InputError('the boat can go no lanes at any speed in this current and wind')
    return round(float(SPEEDS[int(np.argmin(least))]) * top, 3)


def lane_figures(choice: LaneChoice) -> dict[str, Any]:
    """Return the choice for JSON: units in the keys, degrees counter-clockwise from east, None for NaN."""
    return without_nan({
        'speed_m_s': choice.speed, 'speed_chosen': choice.speed_chosen,
        'best': {'angle_deg': degrees(choice.best), 'energy_j': choice.best_energy, 'time_s': choice.best_time},
        'fewest_lanes': {'angle_deg': degrees(choice.fewest), 'energy_j': choice.fewest_energy},
        'by_angle': [{'angle_deg': degrees(angle), 'energy_j': energy, 'time_s': time}
                     for angle, energy, time in zip(choice.angle.tolist(), choice.energy.tolist(),
                                                    choice.time.tolist())]})


def lane_text(choice: LaneChoice) -> str:
    """Return the choice as the beginning of a line; the number of places follows."""
    worst = int(np.nanargmax(choice.energy))
    saved = percent(choice.best_energy / float(choice.energy[worst]) - 1.0, 1)
    at = f'the cheapest speed, {choice.speed:.2f} m/s' if choice.speed_chosen else f'{choice.speed:.2f} m/s'
    fewest = ('' if math.isnan(choice.fewest_energy) else
              f', {percent(choice.best_energy / choice.fewest_energy - 1.0, 1)} to the fewest lanes '
              f'({degrees(choice.fewest):.0f} deg)')
    return (f'{joules(choice.best_energy)} in {seconds(choice.best_time)} at {at}: {saved} to the worst direction '
            f'({math.degrees(choice.angle[worst]):.0f} deg){fewest}; ')
