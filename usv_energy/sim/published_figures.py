"""What a source printed for a scenario, and whether it still is of the scenario that a file makes of another one."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from usv_energy.files.checked import base_path_of, read_with_base, read_yaml, values_of

# What a source's boat did: a file that changes one of these has another run than the source's.
OF_THE_RUN = ('boat', 'plant', 'start', 'waypoints', 'speed', 'current', 'wind')


@dataclass(frozen=True)
class Published:
    """
    What a source printed for a scenario; NaN where it printed nothing.

    Duration s, energy J; distance m, mean and peak speed m/s, all three over ground.
    """

    duration: float = math.nan
    energy: float = math.nan
    source: str = ''
    note: str = ''
    distance: float = math.nan
    mean_speed: float = math.nan
    peak_speed: float = math.nan


def published_of(plain: dict[str, Any]) -> Published:
    """Return the Published of the values under the key `published`."""
    numbers = {key: float(plain[key]) for key in ('duration', 'energy', 'distance', 'mean_speed', 'peak_speed')
               if key in plain}
    return Published(source=plain.get('source', ''), note=plain.get('note', ''), **numbers)


def read_scenario_document(path: Path) -> dict[str, Any]:
    """
    Return a scenario file laid over its base, without those of the base's `published` that are of another run.

    Another run has another boat, way, speed, current or wind. What steers it is nothing that a source prints.

    :raises InputError: As `files.checked.read_with_base`.
    """
    document = read_with_base('scenarios', path)
    document.pop('published', None)
    figures = _figures(path, document)
    return {**document, 'published': figures} if figures else document


def _figures(path: Path, document: dict[str, Any]) -> dict[str, Any]:
    """Return what is published of a file's run: by itself, and by its base where that has the same run."""
    own = read_yaml(path)
    base, figures = base_path_of('scenarios', own, path), own.get('published', {})
    if base is None or figures is None:
        return figures or {}
    below = read_with_base('scenarios', base)
    if any(values_of(document.get(key, {})) != values_of(below.get(key, {})) for key in OF_THE_RUN):
        return dict(figures)
    return {**_figures(base, below), **figures}
