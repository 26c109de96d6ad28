"""What a mission costs by its departure: a table for people, figures for JSON."""

import math
from typing import Any

from ...physics.battery import JOULES_PER_WH
from ...planning.mission_departures import Departures
from ...planning.mission_study import MissionStudy, departure_verdict
from ..rounding import fixed, seconds
from ..text_table import text_table
from .mission_words import VERDICTS

ROWS = 60
SAME = 'neither water nor air changes in time on the way: all departures cost the same'


def departures_figures(study: MissionStudy) -> dict[str, Any] | None:
    """Return the departures for JSON, units in the keys; None where only one was asked for."""
    found = study.departures
    if found is None:
        return None
    return {'best_s': float(found.departure[found.best]), 'matters': found.changing, 'wanted': found.wanted, 'each': [
        {'departure_s': float(found.departure[number]), 'time_s': float(found.time[number]),
         'energy_j': float(found.energy[number]), 'speeds_held': bool(found.held[number]),
         'verdict': departure_verdict(study, number)} for number in range(found.departure.size)]}


def departures_text(study: MissionStudy, found: Departures) -> list[str]:
    """Return the table of departures as lines, the best one marked; one line where they do not matter."""
    lines = [] if found.departure.size == found.wanted else [
        f'Broken off: {found.departure.size} of {found.wanted} departures were looked at']
    if not found.changing:
        return [*lines, f'Departures: {SAME}']
    rows = [('departs at', 'takes', 'Wh', '', '')]
    step = math.ceil(found.departure.size / ROWS)
    for number in range(found.departure.size):
        if number % step == 0 or number == found.best:
            rows.append((seconds(float(found.departure[number])), takes(found, number),
                         fixed(found.energy[number] / JOULES_PER_WH, 2), VERDICTS[departure_verdict(study, number)],
                         'best' if number == found.best else ''))
    more = [] if step == 1 else [f'(every {step}th of {found.departure.size}; --json has all)']
    return [*lines, *text_table(rows, 'rrrll', rule=True), *more]


def takes(found: Departures, number: int) -> str:
    """Return how long the mission takes from one of the departures, and whether that is as long as was ordered."""
    if not math.isfinite(found.time[number]):
        return 'cannot'
    return seconds(float(found.time[number])) + ('' if found.held[number] else ' (slowed)')
