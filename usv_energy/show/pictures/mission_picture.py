"""The picture of a mission: its way coloured by power, and the charge, or the energy, along it."""

from pathlib import Path
from typing import Any

import numpy as np

from ...physics.battery import JOULES_PER_WH
from ...planning.mission_study import MissionStudy
from ..figure import BLUE, GREY, VERMILION, picture

NAMED = 12  # Waypoints, at most, whose numbers are written.


def plot_mission(study: MissionStudy, path: Path) -> None:
    """Draw a study into a PNG. Raises OSError if it cannot be written."""
    with picture(path, 12.6, 5.4) as figure:
        figure.suptitle(f'{study.scenario.name}: {study.scenario.boat.name}, '
                        f'{study.legs.total.sum() / JOULES_PER_WH:.3g} Wh in {study.legs.end[-1] / 60.0:.3g} min',
                        x=0.012, ha='left', fontsize=11)
        _draw_way(figure, figure.add_subplot(1, 2, 1), study)
        _draw_charge(figure.add_subplot(1, 2, 2), study)


def _draw_way(figure: Any, axes: Any, study: MissionStudy) -> None:
    from matplotlib.collections import LineCollection
    points = np.array([study.scenario.start[:2], *study.scenario.waypoints])
    legs = study.legs
    going = legs.total - legs.of_hold
    power = np.where(legs.under_way > 0.0, going / np.maximum(legs.under_way, 1e-9), np.nan)
    lines = LineCollection([*np.stack([points[:-1], points[1:]], axis=1)], array=power, cmap='viridis', linewidth=2.5)
    axes.add_collection(lines)
    axes.set(title='Way, coloured by mean power, W', xlabel='East, m', ylabel='North, m')
    axes.set_aspect('equal', adjustable='datalim')
    axes.plot(*points[0], 's', color=GREY, markersize=7, label='start')
    held = np.flatnonzero(legs.hold > 0.0)
    if held.size:
        axes.plot(*points[held + 1].T, 'o', color=VERMILION, markersize=6, label='hold')
    if len(points) <= NAMED:
        for number, point in enumerate(points[1:], start=1):
            axes.annotate(str(number), point, xytext=(5, 5), textcoords='offset points', color=GREY, fontsize=9)
    axes.autoscale_view()
    axes.legend(loc='best')
    figure.colorbar(lines, ax=axes, shrink=0.85)


def _draw_charge(axes: Any, study: MissionStudy) -> None:
    minutes = np.concatenate(([0.0], study.legs.end)) / 60.0
    values, band = _charge_along(study)
    if study.charge is None:
        axes.set(title='Energy so far, Wh', xlabel='Time, min')
    else:
        axes.set(title='State of charge, %', xlabel='Time, min')
        axes.axhline(100.0 * study.reserve, color=VERMILION, linewidth=1.0, linestyle=':')
        axes.annotate('reserve', (0.0, 100.0 * study.reserve), xytext=(4, 3), textcoords='offset points',
                      color=VERMILION, fontsize=9)
        axes.set_ylim(min(0.0, float(values[-1])), 100.0)
    if band is not None:
        axes.fill_between(minutes, *band, color=BLUE, alpha=0.18, linewidth=0.0, label='95 % of what was drawn')
        axes.legend(loc='best')
    axes.plot(minutes, values, color=BLUE)
    axes.set_xlim(0.0, minutes[-1])


def _charge_along(study: MissionStudy) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the charge, %, or without a battery the energy so far, Wh, at the start and each leg's end, its band."""
    if study.pack is not None:
        start = 100.0 * study.charge_at_start
        ends = study.charge_bands
        return np.append(start, 100.0 * study.pack.charge), None if ends is None else np.pad(
            100.0 * ends, ((0, 0), (1, 0)), constant_values=start)
    battery = study.scenario.boat.battery
    shift, scale = (0.0, 1.0 / JOULES_PER_WH) if battery is None else (
        100.0 * study.charge_at_start, -100.0 / (battery.capacity_wh * JOULES_PER_WH))
    spent = np.concatenate(([0.0], np.cumsum(study.legs.total)))
    band = None if study.bands is None else shift + scale * np.pad(study.bands.so_far, ((0, 0), (1, 0)))
    return shift + scale * spent, band
