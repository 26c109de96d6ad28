"""The pictures of range and endurance, and of polar diagrams."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.phrases import AIR, WATER, compass_words, flow_words
from usv_energy.physics.sampling import round_up
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture, rose, rose_angle
from usv_energy.show.text_table import formatted
from usv_energy.studies.plan.boat_in_sea import sea_line
from usv_energy.studies.plan.polar import PolarStudy
from usv_energy.studies.plan.steady_range import INSIDE
from usv_energy.studies.range.range_study import RangeStudy
from usv_energy.units import speed_with_knots

LINES = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
# Of each curve: its scale, the title, the colour.
CURVES = {'range': (1e-3, 'Range, km', BLUE), 'endurance': (1.0 / 3600.0, 'Endurance, h', GREEN),
          'energy_per_meter': (1.0, 'Energy per metre, J/m', BLUE), 'power': (1.0, 'Power, W', GREEN)}
RINGS = 5
WHOLE_TURN = 360.0
# An axis that grows without bound towards standstill ends at so many times the value at this share of the top speed,
SLOW_SHARE, END_AT, CUT_FROM = 0.25, 1.5, 1.5   # if the greatest value is more than this many times that end


def plot_range(study: RangeStudy, path: Path) -> None:
    """Draw a study into a PNG. Raises OSError if it cannot be written."""
    flow = study.flow
    with picture(path, 12.6, 4.9) as figure:
        energy = f'{formatted(study.energy / 3600.0, ".4g")} Wh' if study.with_energy else 'no battery'
        sea = study.boat.vessel.sea
        waves = '' if sea is None else f'\n{sea_line(sea)}'
        figure.suptitle(f'{study.boat.name}: {energy}, hotel load {study.boat.vessel.static_load:g} W     current '
                        f'{flow_words(flow.current_x, flow.current_y, WATER)}     wind '
                        f'{flow_words(flow.wind_x, flow.wind_y, AIR)}{waves}',
                        x=0.012, ha='left', fontsize=11)
        names = ('range', 'endurance') if study.with_energy else ('energy_per_meter', 'power')
        for place, name in enumerate(names, start=1):
            _draw_curve(figure.add_subplot(1, 3, place), study, name)
        _draw_polar(figure.add_subplot(1, 3, 3, projection='polar'), study)


def range_panels(study: RangeStudy) -> dict[str, Callable[[Any], None]]:
    """Return the curves of a study by name, the main one first, as functions that draw into axes."""
    names = [name for name in CURVES if study.with_energy or name not in ('range', 'endurance')]
    return {name: partial(_draw_curve, study=study, name=name) for name in names}


def _draw_curve(axes: Any, study: RangeStudy, name: str) -> None:
    scale, title, colour = CURVES[name]
    speed, values = study.curve.speed, scale * getattr(study.curve, name)
    axes.set(title=f'{title}, course {compass_words(study.course)}', xlabel='Speed over ground, m/s')
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
        axes.annotate(f'{best.speed:.2f} m/s: {formatted(height)}', (best.speed, height), xytext=(8, 6),
                      textcoords='offset points', color=VERMILION, fontsize=9)
    axes.set_xlim(left=0.0)
    if values.size:
        axes.set_ylim(bottom=0.0)
        finite = values[np.isfinite(values)]
        # Without a hotel load both grow without bound towards standstill: show what there is at speeds that are gone.
        top = END_AT * float(np.interp(SLOW_SHARE * speed[-1], speed, values)) if finite.size else math.nan
        if name in ('range', 'endurance') and finite.size and not finite.max() <= CUT_FROM * top:
            axes.set_ylim(top=top)
            axes.annotate('more, the slower', (0.0, 1.0), xycoords='axes fraction', xytext=(24, -12),
                          textcoords='offset points', color=GREY, fontsize=9)


def _draw_polar(axes: Any, study: RangeStudy) -> None:
    axes.set_title('Energy per metre by course, J/m', pad=14)
    closed = np.append(np.arange(study.polar.course.size), 0)
    course, cost = rose_angle(study.polar.course[closed]), study.polar.energy_per_meter[closed]
    if np.isfinite(cost).any():
        axes.plot(course, cost, color=BLUE, label='at the best speed of each course')
    if study.polar_at_speed is not None:
        axes.plot(course, study.polar_at_speed.energy_per_meter[closed], color=ORANGE, linestyle='--',
                  label=f'at {study.polar_at_speed.speed[0]:.2f} m/s over ground')
    rose(axes)
    axes.set_rlim(bottom=0.0)
    top = axes.get_rmax()
    step = round_up(top / RINGS)
    axes.set_rgrids(np.arange(step, top, step), fontsize=8, color=GREY, angle=67.5)
    axes.spines['polar'].set_visible(False)
    # Outside the axes: a polar plot leaves no room for its own legend.
    axes.figure.legend(*axes.get_legend_handles_labels(), loc='outside lower right', ncol=2)


def plot_polar(study: PolarStudy, path: Path) -> None:
    """Draw a polar diagram into a PNG, one line per wind, with the best upwind and downwind marked. Raises OSError."""
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
                      linestyle=('-', '--', ':')[number // len(LINES) % 3], label=speed_with_knots(wind))
            if polar.trim is not None:
                _mark_best(axis, angles, speed, good[:, number], colour)
        step = round_up(top / RINGS)
        axis.set_rlim(0.0, 1.06 * top)
        axis.set_rgrids(np.arange(step, 1.06 * top, step), fontsize=8, color=GREY, angle=112.5)
        axis.set_thetagrids(np.arange(0, 360, 30), [f'{min(angle, 360 - angle)}°' for angle in range(0, 360, 30)],
                            fontsize=9)
        axis.annotate('wind', (0.5, 1.055), (0.5, 1.13), xycoords='axes fraction', ha='center', va='bottom', fontsize=9,
                      color=BLACK, arrowprops={'arrowstyle': '-|>', 'color': BLACK})
        figure.legend(title='True wind', loc='outside lower center', fontsize=9, ncol=4)
        what = 'under sail\ndots: best against and with the wind' if polar.trim else 'at full thrust'
        figure.suptitle(f'{study.boat.name}: speed through the water, m/s, {what}', fontsize=11, fontweight='bold')


def _mark_best(axis: Any, angles: np.ndarray, speed: np.ndarray, good: np.ndarray, colour: str) -> None:
    """Mark the highest speeds made good against and with the wind, on both tacks."""
    for sign in (1.0, -1.0):
        most = float(np.nanmax(sign * good, initial=0.0))
        if most > 0.0:
            some = np.flatnonzero(sign * good > most * (1.0 - 1e-4))
            axis.plot(angles[some], speed[some], marker='o', linestyle='', color=colour, markersize=5)
