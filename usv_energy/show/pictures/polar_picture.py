"""A picture of a polar diagram: the bow is up, the angle is that of the true wind off the bow, the radius the speed."""

from pathlib import Path
from typing import Any

import numpy as np

from ...physics.round_numbers import round_up
from ...planning.polar import PolarStudy
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture

LINES = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
RINGS = 5
WHOLE_TURN = 360.0


def plot_polar(study: PolarStudy, path: Path) -> None:
    """Draw a polar diagram into a PNG, a line a wind, the best made good against and with it marked. Raises OSError."""
    polar, good = study.polar, study.polar.made_good()
    angles = np.radians(polar.angles_deg)
    closed = WHOLE_TURN - np.ptp(polar.angles_deg) <= 1.5 * np.max(np.diff(polar.angles_deg))
    top = float(np.nanmax(polar.speed, initial=0.0)) or 1.0
    with picture(path, 7.4, 7.0) as figure:
        axis: Any = figure.add_subplot(projection='polar')
        axis.set_theta_zero_location('N')
        for number, wind in enumerate(polar.wind_speeds):
            speed, colour = polar.speed[:, number], LINES[number % len(LINES)]
            line = np.append(speed, speed[0]) if closed else speed
            axis.plot(np.append(angles, angles[0]) if closed else angles, line, color=colour, linewidth=1.8,
                      linestyle=('-', '--', ':')[number // len(LINES) % 3], label=f'{wind:g} m/s')
            if polar.trim is not None:
                _mark_best(axis, angles, speed, good[:, number], colour)
        step = round_up(top / RINGS)
        axis.set_rlim(0.0, 1.06 * top)
        axis.set_rgrids(np.arange(step, 1.06 * top, step), fontsize=8, color=GREY, angle=112.5)
        axis.set_thetagrids(np.arange(0, 360, 30), [f'{min(angle, 360 - angle)}°' for angle in range(0, 360, 30)],
                            fontsize=9)
        axis.annotate('wind', (0.5, 1.055), (0.5, 1.13), xycoords='axes fraction', ha='center', va='bottom', fontsize=9,
                      color=BLACK, arrowprops={'arrowstyle': '-|>', 'color': BLACK})
        axis.legend(title='True wind', loc='upper left', bbox_to_anchor=(-0.12, 1.1), fontsize=9)
        what = 'under sail\ndots: best against and with the wind' if polar.trim else 'at full thrust'
        figure.suptitle(f'{study.boat.name}: speed through the water, m/s, {what}', fontsize=11, fontweight='bold')


def _mark_best(axis: Any, angles: np.ndarray, speed: np.ndarray, good: np.ndarray, colour: str) -> None:
    """Mark where the speed made good against the wind is highest, and where that with it is, on both tacks."""
    for sign in (1.0, -1.0):
        most = float(np.nanmax(sign * good, initial=0.0))
        if most > 0.0:
            some = np.flatnonzero(sign * good > most * (1.0 - 1e-4))
            axis.plot(angles[some], speed[some], marker='o', linestyle='', color=colour, markersize=5)
