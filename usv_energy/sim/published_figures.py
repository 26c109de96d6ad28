"""Figures that a source published for a scenario, and whether they apply to a scenario derived from another one."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from usv_energy.files.checked import base_path_of, read_with_base, values_of
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_yaml

# A file that changes one of these keys describes another run, to which the published figures do not apply.
OF_THE_RUN = ('boat', 'plant', 'start', 'waypoints', 'speed', 'current', 'wind')


@dataclass(frozen=True)
class Published:
    """
    Published figures of a scenario; NaN if not published.

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
    """Return the Published from the values under the key `published`."""
    numbers = {key: float(plain[key]) for key in ('duration', 'energy', 'distance', 'mean_speed', 'peak_speed')
               if key in plain}
    return Published(source=plain.get('source', ''), note=plain.get('note', ''), **numbers)


def read_scenario_document(path: Path) -> dict[str, Any]:
    """
    Return a scenario file merged with its base, without published figures of the base that are of another run.

    Another run has another boat, way, speed, current or wind; another controller does not count.

    :raises InputError: As `files.checked.read_with_base`.
    """
    document = read_with_base('scenarios', path)
    document.pop('published', None)
    figures = _figures(path, document)
    return {**document, 'published': figures} if figures else document


def _figures(path: Path, document: dict[str, Any]) -> dict[str, Any]:
    """Return the published figures of a file's run: its own, and those of its base if that has the same run."""
    own = read_yaml(path)
    base, figures = base_path_of('scenarios', own, path), own.get('published', {})
    if not isinstance(figures, dict | None):
        raise InputError(f'{path}: published is {str(figures)[:60]!r}; must be a mapping')
    if base is None or figures is None:
        return figures or {}
    below = read_with_base('scenarios', base)
    if any(values_of(document.get(key, {})) != values_of(below.get(key, {})) for key in OF_THE_RUN):
        return dict(figures)
    return {**_figures(base, below), **figures}
