"""The boat file of a curve of power over speed: `power_curve` at speeds that were measured, and the hotel load."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .speed_power import SpeedPowerFit

KNOTS = 8     # Points of the table beside the hotel load.


def table_speeds(result: SpeedPowerFit) -> np.ndarray:
    """Return the speeds through water of the table, m/s: from the slowest to the fastest that was measured."""
    speeds: np.ndarray = np.linspace(float(result.speeds.min()), float(result.speeds.max()), KNOTS)
    return speeds


def speed_power_boat(result: SpeedPowerFit, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file.

    :param result: The curve.
    :param name: Of the boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    speeds = table_speeds(result)
    rows = [[0.0, float(f'{result.hotel:.6g}')]]
    rows += [[round(float(speed), 4), float(f'{power:.6g}')] for speed, power in zip(speeds, result.power(speeds))]
    over_ground = ', '.join(one for one, told in zip(result.names, result.told) if not told)
    source = (f'usv-energy identify-speed-power, {provenance.get("date", "")}: {provenance.get("command", "")}; '
              f'{np.unique(result.blocks.stretch).size} steady stretches of {", ".join(result.names)}; '
              f'{result.hotel:.4g} + {result.factor:.4g} v^{result.exponent:.3f} W, scatter '
              f'{100.0 * result.scatter:.1f} %; 0 m/s is the curve, not a measurement')
    if over_ground:
        source += f'; over ground, the current unknown: {over_ground}'
    return {'name': name, 'description': 'known by its power over speed through water, from logs',
            'power_curve': rows, 'power_curve_source': source}
