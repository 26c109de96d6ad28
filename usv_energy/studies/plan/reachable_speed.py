"""Whether a boat can hold the speed over ground that a scenario wants, on each of its legs."""

import math
from itertools import pairwise

import numpy as np

from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.plan.steady_motion import highest_speed
from usv_energy.studies.plan.steady_range import TRIED


def unreachable_speed(scenario: Scenario) -> str:
    """
    Return where a scenario wants a speed over ground that its boat cannot hold, as a sentence without its full stop.

    Empty where it can, and where the scenario wants none, or has water or wind that are not the same everywhere.
    """
    current, wind, vessel = scenario.current, scenario.wind, scenario.plant.vessel
    if scenario.speed is None or not vessel.thrusters:
        return ''
    if not isinstance(current, UniformFlow) or not isinstance(wind, UniformFlow):
        return ''
    places = [scenario.start[:2], *scenario.waypoints]
    courses = np.array([math.atan2(y1 - y0, x1 - x0) for (x0, y0), (x1, y1) in pairwise(places)])
    top = highest_speed(vessel, courses, Flow(current.x, current.y, wind.x, wind.y), TRIED)
    slowest = int(np.argmin(np.where(np.isnan(top), -1.0, top)))
    if top[slowest] >= scenario.speed:
        return ''
    able = 'no speed at all' if np.isnan(top[slowest]) else f'at most {top[slowest]:.3g} m/s'
    return (f'speed.target is {scenario.speed:g} m/s over ground; towards waypoint {slowest + 1} the boat '
            f'{scenario.plant.name} can hold {able} there, so it goes at full thrust')
