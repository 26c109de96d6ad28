"""
How a scenario is steered with another boat than the one that it was written for, and what it is called then.

Gains, look-ahead distance and radius of a scenario suit its boat. Boats whose files lie over one another (`base`) are
one boat in several versions, and keep them; any other boat is steered by its own inertia, damping and length.
"""

import itertools
import math
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..boats.boat_file import Boat, read_boat
from ..files.checked import base_path_of, read_with_base, read_yaml
from ..files.errors import InputError
from .course_gains import course_gains
from .step_limit import top_speed_bound

if TYPE_CHECKING:
    from .scenario import Scenario

LENGTH = 1.2                    # m: of a boat whose file says none.
RADIUS, LOOKAHEAD = 1.5, 3.0    # Boat lengths: where a waypoint counts as reached; how far ahead a leg is aimed at.
PATIENCE = 4.0                  # Times the time of the way until a run is given up.
TITLE, GAINS, AHEAD, WITHIN = 'title', 'controller', 'lookahead', 'radius'


def are_versions(one: Boat, other: Boat) -> bool:
    """Return whether the files of two boats lie over one and the same file."""
    return _lowest(one.path) == _lowest(other.path)


def _lowest(path: Path) -> Path:
    """Return the boat file below all others that a boat file lies over; itself where it lies over none."""
    seen = {path.resolve()}
    while (base := base_path_of('boats', read_yaml(path), path)) is not None and base.resolve() not in seen:
        path = base
        seen.add(path.resolve())
    return path.resolve()


def for_other_boat(scenario: 'Scenario', own: Collection[str] = ()) -> 'Scenario':
    """
    Return a scenario with gains, look-ahead distance, radius, title and timeout that suit its boat.

    :param scenario: Of another boat than it was written for.
    :param own: What is the boat's own already: TITLE, GAINS, AHEAD, WITHIN.
    """
    plant = scenario.plant
    length = plant.hull.length or LENGTH
    speed = scenario.speed or float(top_speed_bound(plant.vessel))
    gains, ahead = course_gains(plant.vessel, speed, LOOKAHEAD * length)
    title = f'{scenario.title}, {plant.name}'
    if not are_versions(plant, scenario.boat):
        title += f', power of {scenario.boat.name}'
    places = [scenario.start[:2], *scenario.waypoints]
    way = sum(math.dist(*pair) for pair in itertools.pairwise(places))
    timeout = max(scenario.timeout, PATIENCE * way / speed) if speed > 0.0 else scenario.timeout
    return replace(
        scenario, title=scenario.title if TITLE in own else title, gains=scenario.gains if GAINS in own else gains,
        lookahead=scenario.lookahead if scenario.lookahead is None or AHEAD in own else ahead,
        radius=scenario.radius if WITHIN in own else max(scenario.radius, RADIUS * length),
        timeout=timeout)


def as_of_file(scenario: 'Scenario', path: Path) -> 'Scenario':
    """Return the scenario of a file, steered as suits its boat where it is over a scenario of another boat."""
    own: set[str] = set()
    while True:
        document = read_yaml(path)
        own |= {key for key in (TITLE, GAINS) if key in document}
        own |= {key for key, part in ((AHEAD, 'guidance'), (WITHIN, 'stop')) if key in (document.get(part) or {})}
        base = base_path_of('scenarios', document, path)
        if base is None:
            return scenario
        path, below = base, read_with_base('scenarios', base)
        moved = below.get('plant', below.get('boat'))
        if moved is not None and not are_versions(_boat(moved, path), scenario.plant):
            return for_other_boat(scenario, own)


def _boat(plain: Any, path: Path) -> Boat:
    try:
        return read_boat(str(plain), beside=path.parent)
    except InputError as error:
        raise InputError(f'{path}: boat: {error}') from None
