"""Range and endurance as figures: a table for people, JSON for programs."""

import math
from typing import Any

import numpy as np

from ...files.json_file import without_nan
from ...flow.flow_argument import flow_words
from ...physics.round_numbers import round_up
from ...planning.range_bands import Band
from ...planning.range_study import RangeStudy
from ...planning.steady_range import SLOWER_IS_BETTER, WORDS, Polar
from ...planning.uncertain_boat import Doubt
from ..rounding import metres, seconds
from ..text_table import text_table

ROWS = 12
KEYS = {'speed': 'speed_m_s', 'through_water': 'speed_through_water_m_s', 'power': 'power_w',
        'energy_per_meter': 'energy_per_meter_j_m', 'endurance': 'endurance_h', 'range': 'range_m'}
SCALES = {'endurance': 1.0 / 3600.0}


def range_figures(study: RangeStudy) -> dict[str, Any]:
    """Return the study for JSON: units in the keys, None where there is no number."""
    there, flow, bands = study.best.kind != SLOWER_IS_BETTER, study.flow, study.bands
    best = {'note': WORDS[study.best.kind], 'kind': study.best.kind,
            **_point({name: getattr(study.best, name) if there else math.nan for name in KEYS},
                     bands.best if bands else {}, None, study.with_energy)}
    rows = [_point({name: float(getattr(study.curve, name)[row]) for name in KEYS}, bands.curve if bands else {}, row,
                   study.with_energy) for row in range(study.curve.speed.size)]
    return without_nan({
        'boat': study.boat.name, 'energy_j': study.energy if study.with_energy else None,
        'course_deg': math.degrees(study.course) % 360.0, 'current_x_m_s': flow.current_x,
        'current_y_m_s': flow.current_y, 'wind_x_m_s': flow.wind_x, 'wind_y_m_s': flow.wind_y,
        'best': best, 'curve': rows, 'polar': _by_course(study, study.polar, 'best_speed_m_s'),
        **({} if study.held is None else {'at_speed': _by_course(study, study.held, 'speed_m_s')}),
        'uncertain': [{'parameter': doubt.name, 'value': doubt.value, 'std_below': doubt.below,
                       'std_above': doubt.above} for doubt in study.doubts],
        'band': None if bands is None else {
            'share': 0.95, 'boats_drawn': bands.boats, 'method': 'Monte Carlo, parameters independent'}})


def _by_course(study: RangeStudy, polar: Polar, speed_key: str) -> list[dict[str, float]]:
    return [{'course_deg': math.degrees(course), speed_key: speed, 'energy_per_meter_j_m': cost,
             'range_m': study.energy / cost if study.with_energy and cost > 0.0 else math.nan}
            for course, speed, cost in zip(*(values.tolist() for values in polar))]


def _point(values: dict[str, float], bands: dict[str, Band], row: int | None, battery: bool) -> dict[str, float]:
    figures = {}
    for name, value in values.items():
        if name in ('endurance', 'range') and not battery:
            value = math.nan
        scale = SCALES.get(name, 1.0)
        figures[KEYS[name]] = scale * value
        if name in bands and math.isfinite(value):
            for end in Band._fields:
                edge = getattr(bands[name], end)
                figures[f'{KEYS[name]}_{end}'] = scale * float(edge if row is None else edge[row])
    return figures


def range_text(study: RangeStudy) -> str:
    """Return the study as lines: the boat, the best speed, a table over speed."""
    flow = study.flow
    energy = 'no battery: neither range nor endurance'
    if study.with_energy:
        energy = f'{study.energy / 3600.0:.4g} Wh to use'
    lines = [f'{study.boat.name}: {energy}; static load {study.boat.vessel.static_load:g} W; course '
             f'{math.degrees(study.course) % 360.0:.0f} deg; current {flow_words(flow.current_x, flow.current_y)}; '
             f'wind {flow_words(flow.wind_x, flow.wind_y)}', '', *_best_lines(study), *_table(study)]
    return '\n'.join([*lines, *_foot(study)])


def _best_lines(study: RangeStudy) -> list[str]:
    best = study.best
    if not math.isfinite(best.speed) or best.kind == SLOWER_IS_BETTER:
        return [f'Best speed for range: none; {WORDS[best.kind]}']
    lines = [f'Best speed for range: {best.speed:.3f} m/s over ground{_spread(study, "speed", 1.0, "")} '
             f'({best.through_water:.3f} m/s through the water); {WORDS[best.kind]}']
    line = f'  {best.power:.2f} W, {best.energy_per_meter:.2f} J/m'
    if study.with_energy:
        line += (f', range {metres(best.range)}{_spread(study, "range", 1e-3, " km")}'
                 f', endurance {seconds(best.endurance)}{_spread(study, "endurance", 1.0 / 3600.0, " h")}')
    return [*lines, line]


def _spread(study: RangeStudy, name: str, scale: float, unit: str) -> str:
    if study.bands is None or name not in study.bands.best:
        return ''
    band = study.bands.best[name]
    return f' [{scale * float(band.low):.3g} to {scale * float(band.high):.3g}{unit}]'


def _table(study: RangeStudy) -> list[str]:
    curve = study.curve
    if not curve.speed.size:
        return []
    head = ['speed, m/s', 'through water, m/s', 'power, W', 'J/m']
    head += ['endurance, h', 'range, km'] if study.with_energy else []
    banded = study.with_energy and study.bands is not None
    head += ['95 % of range, km'] if banded else []
    rows = [head]
    step = round_up(curve.speed[-1] / ROWS)
    whole = np.abs(curve.speed / step - np.round(curve.speed / step)) < 1e-6
    for row in np.append(np.flatnonzero(whole[:-1]), curve.speed.size - 1):
        cells = [f'{curve.speed[row]:.3f}', f'{curve.through_water[row]:.3f}', f'{curve.power[row]:.2f}',
                 f'{curve.energy_per_meter[row]:.2f}']
        if study.with_energy:
            cells += [f'{curve.endurance[row] / 3600.0:.2f}', f'{curve.range[row] / 1e3:.2f}']
        if banded and study.bands is not None:
            band = study.bands.curve['range']
            known = np.isfinite(band.low[row])
            cells.append(f'{band.low[row] / 1e3:.2f} to {band.high[row] / 1e3:.2f}' if known else '-')
        rows.append(cells)
    return ['', *text_table(rows, 'r')]


def _foot(study: RangeStudy) -> list[str]:
    if not study.doubts:
        return ['', 'No band: no number of the boat file is taken with a std or an interval; '
                    '--std damping.linear.d11=5% says one.']
    rows = [[f'  {doubt.name}', f'{doubt.value:g}', _plus_minus(doubt)] for doubt in study.doubts]
    return ['', f'Bands hold 95 % of {study.bands.boats if study.bands else 0} boats drawn from these numbers, each '
                'by itself:', *text_table(rows)]


def _plus_minus(doubt: Doubt) -> str:
    if math.isclose(doubt.below, doubt.above):
        return f'std {doubt.above:.3g}'
    return f'std {doubt.below:.3g} below, {doubt.above:.3g} above'
