"""The picture of range and endurance: both over speed with their bands, and energy per metre by course."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from ...flow.flow_argument import flow_words
from ...planning.range_study import RangeStudy
from ...planning.steady_range import INSIDE
from ..figure import BLUE, GREEN, GREY, ORANGE, VERMILION, picture
from ..text.sea_text import sea_line


def plot_range(study: RangeStudy, path: Path) -> None:
    """Draw a study into a PNG. Raises OSError if it cannot be written."""
    flow = study.flow
    with picture(path, 12.6, 4.9) as figure:
        energy = f'{study.energy / 3600.0:.4g} Wh' if study.with_energy else 'no battery'
        sea = study.boat.vessel.sea
        waves = '' if sea is None else f'\n{sea_line(sea)}'
        figure.suptitle(f'{study.boat.name}: {energy}, static load {study.boat.vessel.static_load:g} W     current '
                        f'{flow_words(flow.current_x, flow.current_y)}     wind {flow_words(flow.wind_x, flow.wind_y)}'
                        f'{waves}',
                        x=0.012, ha='left', fontsize=11)
        course = f'course {math.degrees(study.course) % 360.0:.0f}\N{DEGREE SIGN}'
        shown = [('range', 1e-3, 'Range, km', BLUE), ('endurance', 1.0 / 3600.0, 'Endurance, h', GREEN)]
        if not study.with_energy:
            shown = [('energy_per_meter', 1.0, 'Energy per metre, J/m', BLUE), ('power', 1.0, 'Power, W', GREEN)]
        for place, (name, scale, title, colour) in enumerate(shown, start=1):
            _draw_curve(figure.add_subplot(1, 3, place), study, name, scale, f'{title} ({course})', colour)
        _draw_polar(figure.add_subplot(1, 3, 3, projection='polar'), study)


def _draw_curve(axes: Any, study: RangeStudy, name: str, scale: float, title: str, colour: str) -> None:
    speed, values = study.curve.speed, scale * getattr(study.curve, name)
    axes.set(title=title, xlabel='Speed over ground, m/s')
    axes.plot(speed, values, color=colour)
    if study.bands is not None and name in study.bands.curve:
        band = study.bands.curve[name]
        axes.fill_between(speed, scale * band.low, scale * band.high, color=colour, alpha=0.18, linewidth=0.0,
                          label='95 % of the drawn boats')
        axes.legend(loc='best')
    best = study.best
    if best.kind == INSIDE:
        height = scale * getattr(best, name)
        axes.plot([best.speed], [height], 'o', color=VERMILION, markersize=7, zorder=4)
        axes.annotate(f'{best.speed:.2f} m/s: {height:.3g}', (best.speed, height), xytext=(8, 6),
                      textcoords='offset points', color=VERMILION, fontsize=9)
    axes.set_xlim(left=0.0)
    if values.size:
        axes.set_ylim(bottom=0.0)
        finite = values[np.isfinite(values)]
        # Without a static load both go beyond all bounds towards standstill: show where boats go.
        if finite.size and name in ('range', 'endurance') and finite.max() > 3.0 * np.percentile(finite, 92):
            axes.set_ylim(top=2.0 * np.percentile(finite, 92))


def _draw_polar(axes: Any, study: RangeStudy) -> None:
    axes.set_title('Energy per metre by course, J/m', pad=14)
    closed = np.append(np.arange(study.polar.course.size), 0)
    course, cost = study.polar.course[closed], study.polar.energy_per_meter[closed]
    if np.isfinite(cost).any():
        axes.plot(course, cost, color=BLUE, label='at the best speed of each course')
    if study.held is not None:
        axes.plot(course, study.held.energy_per_meter[closed], color=ORANGE, linestyle='--',
                  label=f'at {study.held.speed[0]:.2f} m/s over ground')
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), ['E', 'NE', 'N', 'NW', 'W', 'SW', 'S', 'SE'])
    axes.set_rlim(bottom=0.0)
    axes.set_rlabel_position(22.5)
    axes.tick_params(axis='y', labelsize=8, labelcolor=GREY)
    axes.spines['polar'].set_visible(False)
    # Outside: beside a round plot no room is kept for a legend of its own.
    axes.figure.legend(*axes.get_legend_handles_labels(), loc='outside lower right', ncol=2)
