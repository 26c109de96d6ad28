"""Five missions of turns, holds, changes of speed, current and wind, for any boat by its size and its top speed."""

from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.plan.steady_motion import top_speed

STILL = UniformFlow()
BOX = (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)
LANES = tuple((1.2 * (number % 4 in (0, 1)), 0.2 * ((number + 1) // 2)) for number in range(9))
FAR = tuple(np.random.default_rng(1).uniform(0.0, 2.0, (7, 2)).tolist())
LENGTHS, LEAST = 25.0, 50.0     # The side of a box: boat lengths, and m at least.


class Course(NamedTuple):
    """Places in sides of a box; speeds and current as shares of the top speed; wind m/s; holds s, by place."""

    places: tuple
    speed: float
    current: tuple = (0.0, 0.0)
    wind: tuple = (0.0, 0.0)
    holds: dict = {}  # noqa: RUF012  # never written to
    speeds: dict = {}  # noqa: RUF012  # never written to


COURSES = {
    'lanes': Course(LANES, 0.6),
    'box, current': Course(BOX, 0.5, (0.12, 0.08)),
    'any way, wind': Course(FAR, 0.5, (0.0, 0.0), (-3.0, 1.0)),
    'box, holds, speeds, current, wind': Course(BOX, 0.5, (0.15, -0.08), (2.0, 0.0), {0: 60.0, 2: 120.0}, {2: 0.7}),
    'any way, hold, speeds, current, wind': Course(FAR, 0.6, (-0.15, 0.1), (2.0, 2.0), {3: 30.0}, {4: 0.4}),
}


def mission_of_boat(name, course):
    """Return the scenario of one of COURSES, by its name, for a boat."""
    boat, given = read_boat(name), COURSES[course]
    top, side = top_speed(boat.vessel), max(LEAST, LENGTHS * (boat.hull.length or 1.2))
    way = tuple(Waypoint(LocalPlace(side * x, side * y), number, hold=given.holds.get(number, 0.0),
                         speed=given.speeds[number] * top if number in given.speeds else None)
                for number, (x, y) in enumerate(given.places))
    return mission_scenario(Itinerary(course, LocalPlace(0.0, 0.0), True, way), boat,
                            UniformFlow(*(top * part for part in given.current)), UniformFlow(*given.wind),
                            given.speed * top).scenario


def long_mission(name, number, random, current=0.0):
    """Return the scenario of a mission of many waypoints, lanes or in any direction; current of the top speed."""
    boat = read_boat(name)
    top, side = top_speed(boat.vessel), LENGTHS * (boat.hull.length or 1.2)
    if random:
        places = np.cumsum(np.random.default_rng(3).uniform(-2.0, 2.0, (number, 2)), axis=0)
    else:
        places = np.array([(4.0 * (k % 4 in (0, 1)), (k + 1) // 2) for k in range(number)], dtype=float)
    way = tuple(Waypoint(LocalPlace(*place), k) for k, place in enumerate((side * places).tolist()))
    return mission_scenario(Itinerary('long', LocalPlace(0.0, 0.0), True, way), boat,
                            UniformFlow(current * top, 0.5 * current * top), STILL, 0.6 * top).scenario
