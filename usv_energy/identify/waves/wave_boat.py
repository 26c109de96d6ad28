"""The boat file of coefficients of added resistance: the base boat with `waves`."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...boats.boat_file import Boat
from ...files import checked
from ...files.counted import counted
from .wave_fit import WaveFit

DIGITS = 4


def wave_boat(fit: WaveFit, boat: Boat, logs: Sequence[str], name: str, provenance: Mapping[str, Any],
              ) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with the coefficients that logs show in place of its own.

    :param fit: The WaveFit.
    :param boat: The base.
    :param logs: Names of the logs.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    document = checked.read_with_base('boats', boat.path)
    rows = {'coefficients': [[_rounded(one.value) for one in row] for row in fit.coefficients],
            'std': [[_rounded(one.error, 3) for one in row] for row in fit.coefficients]}
    count = counted(len(logs), 'log')
    return document | {
        'name': name, 'description': f'{boat.name} with the added resistance of {count}',
        'waves': {'source': f'usv-energy identify-waves, {fit.legs.force.size} stretches of {count}: see '
                            'identification',
                  'directions_deg': [_rounded(math.degrees(one)) for one in fit.nodes.directions],
                  'periods': [_rounded(one) for one in fit.nodes.periods], **rows},
        'identification': {**document.get('identification', {}), 'waves': {
            **provenance, 'logs': sorted(logs), 'drag_over_file': _rounded(1.0 + fit.drag),
            'scatter_of_wave_force': _rounded(math.hypot(fit.grouped, fit.moved), 3)}}}


def _rounded(value: float, digits: int = DIGITS) -> float:
    return float(f'{value:.{digits}g}') + 0.0
