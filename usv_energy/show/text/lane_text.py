"""What the direction of lanes costs: words for people, figures for JSON."""

import math
from typing import Any

import numpy as np

from ...files.json_file import without_nan
from ...planning.lane_direction import LaneChoice
from ..rounding import degrees, joules, percent, seconds


def lane_figures(choice: LaneChoice) -> dict[str, Any]:
    """Return the choice for JSON: units in the keys, degrees counter-clockwise from east, None where it cannot be."""
    return without_nan({
        'speed_m_s': choice.speed, 'speed_chosen': choice.speed_chosen,
        'best': {'angle_deg': degrees(choice.best), 'energy_j': choice.best_energy, 'time_s': choice.best_time},
        'fewest_lanes': {'angle_deg': degrees(choice.fewest), 'energy_j': choice.fewest_energy},
        'by_angle': [{'angle_deg': degrees(angle), 'energy_j': energy, 'time_s': time}
                     for angle, energy, time in zip(choice.angle.tolist(), choice.energy.tolist(),
                                                    choice.time.tolist())]})


def lane_text(choice: LaneChoice) -> str:
    """Return the choice in words, to stand before the number of places."""
    worst = int(np.nanargmax(choice.energy))
    saved = percent(choice.best_energy / float(choice.energy[worst]) - 1.0, 1)
    at = f'the cheapest speed, {choice.speed:.2f} m/s' if choice.speed_chosen else f'{choice.speed:.2f} m/s'
    fewest = ('' if math.isnan(choice.fewest_energy) else
              f', {percent(choice.best_energy / choice.fewest_energy - 1.0, 1)} to the fewest lanes '
              f'({degrees(choice.fewest):.0f} deg)')
    return (f'{joules(choice.best_energy)} in {seconds(choice.best_time)} at {at}: {saved} to the worst direction '
            f'({math.degrees(choice.angle[worst]):.0f} deg){fewest}; ')
