"""Polar diagrams as text for people, and as figures for JSON with units in the keys."""

import math
from typing import Any

import numpy as np

from ...files.json_file import without_nan
from ...planning.polar import PolarStudy
from ..text_table import text_table

TRIM_WORDS = {'half': "sail at half the apparent wind's angle", 'drive': 'sail where it drives ahead most'}
SHOWN = 13          # Angles of the table, at most; of wind from port, where there are any.
HALF_TURN = 180.0   # deg


def polar_figures(study: PolarStudy) -> dict[str, Any]:
    """Return the figures of a polar diagram for JSON: None where there is no number."""
    polar, good = study.polar, study.polar.made_good()
    return without_nan({
        'boat': study.boat.name, 'trim': polar.trim, 'wind_angle_deg': polar.angles_deg, 'wall_s': study.wall,
        'conditions': [{
            'wind_speed_m_s': speed, 'speed_m_s': polar.speed[:, n], 'made_good_m_s': good[:, n],
            'leeway_deg': polar.leeway_deg[:, n], 'sail_deg': polar.sail_deg[:, n],
            'rudder_deg': polar.rudder_deg[:, n], 'power_total_w': polar.power[:, n],
            'fastest': _best(polar.angles_deg, polar.speed[:, n]), 'upwind': _best(polar.angles_deg, good[:, n]),
            'downwind': _best(polar.angles_deg, -good[:, n])} for n, speed in enumerate(polar.wind_speeds)]})


def polar_text(study: PolarStudy) -> str:
    """Return a polar diagram as lines: speeds by the wind's angle, and the best angles against and with the wind."""
    polar = study.polar
    half = np.flatnonzero((polar.angles_deg >= 0.0) & (polar.angles_deg <= HALF_TURN))
    some = half if half.size else np.arange(polar.angles_deg.size)
    shown = some[np.unique(np.round(np.linspace(0, some.size - 1, SHOWN)).astype(int))]
    rows = [['wind, m/s', *(f'{angle:.0f} deg' for angle in polar.angles_deg[shown])]]
    rows += [[f'{speed:g}', *(_number(value) for value in polar.speed[shown, n])]
             for n, speed in enumerate(polar.wind_speeds)]
    how = TRIM_WORDS[polar.trim] if polar.trim else 'full thrust'
    lines = [f"{study.boat.name}, {how}: speed through the water, m/s, by the true wind's angle off the bow",
             *text_table(rows, 'r')]
    for row in polar_figures(study)['conditions'] if polar.trim else ():
        lines.append(f'in {row["wind_speed_m_s"]:g} m/s: {_words(row["fastest"], "at its fastest")}, '
                     f'{_words(row["upwind"], "made good against the wind")}, '
                     f'{_words(row["downwind"], "made good with it")}')
    if np.isnan(polar.speed).any():
        lines.append('- no steady motion: rudder or thrusters cannot hold the heading')
    return '\n'.join(lines)


def _best(angles: np.ndarray, speeds: np.ndarray) -> dict[str, float] | None:
    """Return the highest of some speeds, m/s, and its angle, deg; None where none is above 0."""
    if not np.nanmax(speeds, initial=0.0) > 0.0:
        return None
    at = int(np.argmax(speeds >= np.nanmax(speeds) * (1.0 - 1e-9)))  # The first of those that tie: both tacks do.
    return {'wind_angle_deg': float(angles[at]), 'speed_m_s': float(speeds[at])}


def _words(best: dict[str, float] | None, what: str) -> str:
    return f'nothing {what}' if best is None else f'{best["speed_m_s"]:.3f} m/s {what} ({best["wind_angle_deg"]:g} deg)'


def _number(value: float) -> str:
    return f'{value:.3f}' if math.isfinite(value) else '-'
