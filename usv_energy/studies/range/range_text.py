"""Range, endurance and polar diagrams as text tables, and as figures for JSON."""

import math
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import caution_figures, lacks_for_range, wave_note
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.text_file import without_nan
from usv_energy.phrases import AIR, WATER, compass_words, flow_words
from usv_energy.physics.sampling import round_up
from usv_energy.show.text_table import (
    compass,
    degrees,
    formatted,
    interval,
    metres,
    seconds,
    text_table,
    wrapped_lines,
)
from usv_energy.studies.plan.boat_in_sea import sea_figures, sea_line, sea_notes
from usv_energy.studies.plan.polar import PolarStudy
from usv_energy.studies.plan.steady_range import SLOWER_IS_BETTER, WORDS, BestSpeed, Polar, SpeedCurve
from usv_energy.studies.range.range_study import Band, RangeStudy
from usv_energy.units import speed_with_knots

ROWS = 12
NO_BATTERY = 'no battery: neither range nor endurance'
KEYS = {'speed': 'speed_m_s', 'through_water': 'speed_through_water_m_s', 'power': 'power_w',
        'energy_per_meter': 'energy_per_meter_j_m', 'endurance': 'endurance_h', 'range': 'range_m'}
SCALES = {'endurance': 1.0 / 3600.0}
TRIM_WORDS = {'half': "sail at half the apparent wind's angle", 'drive': 'sail where it drives ahead most'}
# Source: docs/papers_usvsim.md, `lutra_sail` beside USVsim's boat, which is free to heel, between 60 and 90 deg.
NO_HEEL = 'the boat does not heel here: one that does is slower close to the beam, by up to 14 % seen in 4 m/s of wind'
SHOWN_ANGLES = 13   # of the table, at most; those of wind from port, if there are any
HALF_TURN = 180.0   # deg


def range_figures(study: RangeStudy) -> dict[str, Any]:
    """Return the study for JSON: units in the keys, None for NaN."""
    best, flow, bands = study.best, study.flow, study.bands
    if best.kind == SLOWER_IS_BETTER:
        best = BestSpeed(best.kind, *(len(KEYS) * [math.nan]))
    rows = [_point(study, study.curve, bands.curve if bands else {}, row) for row in range(study.curve.speed.size)]
    if study.pack is not None:
        for row, energy in zip(rows, study.curve.endurance * study.curve.power):
            row['energy_j'] = float(energy)
    return without_nan({
        'boat': study.boat.name, 'energy_j': study.energy if study.with_energy else None,
        'battery': battery_figures(study),
        'course_deg': degrees(study.course), 'course_compass_deg': compass(study.course),
        'current': flow_words(flow.current_x, flow.current_y, WATER),
        'wind': flow_words(flow.wind_x, flow.wind_y, AIR),
        **{f'{name}_m_s': getattr(flow, name) for name in ('current_x', 'current_y', 'wind_x', 'wind_y')},
        **_in_sea_figures(study), 'wave_making_note': wave_note(study.boat, _fastest(study)),
        **caution_figures(study.boat), 'lacks_for_range': lacks_for_range(study.boat),
        'best': {'note': WORDS[best.kind], 'kind': best.kind, **_point(study, best, bands.best if bands else {}, 0)},
        'curve': rows, 'polar': _by_course(study, study.polar, 'best_speed_m_s'),
        **({} if study.polar_at_speed is None else {
            'at_speed': _by_course(study, study.polar_at_speed, 'speed_m_s')}),
        **({} if study.point_at_speed is None else {
            'along_course_at_speed': _point(study, study.point_at_speed, {}, 0)}),
        'uncertain': [{'parameter': doubt.name, 'value': doubt.value, 'std_below': doubt.below,
                       'std_above': doubt.above} for doubt in study.doubts],
        'band': None if bands is None else {
            'share': 0.95, 'boats_drawn': bands.boats, 'method': f'Monte Carlo, parameters {_together(study)[1]}'}})


def _by_course(study: RangeStudy, polar: Polar, speed_key: str) -> list[dict[str, float]]:
    return [{'course_deg': degrees(course), 'course_compass_deg': compass(course), speed_key: speed,
             'energy_per_meter_j_m': cost,
             'range_m': energy / cost if study.with_energy and cost > 0.0 else math.nan}
            for course, speed, cost, energy in zip(*(values.tolist() for values in (
                *polar, study.energy_at(polar.energy_per_meter * polar.speed))))]


def battery_figures(study: RangeStudy) -> dict[str, Any] | None:
    """Return the kind of battery, for JSON; None without one, or if the energy was given."""
    boat = study.boat
    if study.pack is not None:
        return {'kind': 'cells', 'ambient_degc': study.pack.ambient - KELVIN, 'state_of_charge': study.pack.charge,
                'reserve': study.pack.reserve, 'most_power_w': study.pack.most_power}
    return {'kind': 'counter', 'capacity_wh': boat.battery.capacity_wh} if has_counter(study) and boat.battery else None


def has_counter(study: RangeStudy) -> bool:
    """Return whether the energy is that of a counter of watt-hours, not of cells and not given."""
    return study.boat.battery is not None and study.pack is None and not study.energy_given


def _point(study: RangeStudy, values: SpeedCurve | BestSpeed, bands: dict[str, Band], row: int) -> dict[str, float]:
    figures = {}
    for name, key in KEYS.items():
        scale, value = SCALES.get(name, 1.0), np.ravel(getattr(values, name))[row]
        known = np.isfinite(value) and (study.with_energy or name not in ('endurance', 'range'))
        figures[key] = scale * value if known else math.nan
        for end, edge in bands[name]._asdict().items() if known and name in bands else ():
            figures[f'{key}_{end}'] = scale * np.ravel(edge)[row]
    return figures


def range_text(study: RangeStudy) -> str:
    """Return the study as lines: the boat, the best speed, a table over speed."""
    flow = study.flow
    energy = f'{formatted(study.energy / 3600.0, ".4g")} Wh to use'
    energy += '' if study.pack is None else _energy_condition(study)
    lines = [f'{study.boat.name}: {energy if study.with_energy else NO_BATTERY}; hotel load '
             f'{study.boat.vessel.static_load:g} W; course {compass_words(study.course)}; current '
             f'{flow_words(flow.current_x, flow.current_y, WATER)}; wind {flow_words(flow.wind_x, flow.wind_y, AIR)}',
             *battery_lines(study), *([lacking] if (lacking := lacks_for_range(study.boat)) else []),
             *wrapped_lines(f'{note}.' if (note := wave_note(study.boat, _fastest(study))) else '', '', ''),
             *([] if study.boat.vessel.sea is None else [sea_line(study.boat.vessel.sea)]), '']
    return '\n'.join([*lines, *_best_lines(study), *_in_sea_lines(study), *_asked_lines(study), *_table(study),
                      *(['', *sea_notes(study.boat.vessel.sea)] if sea_notes(study.boat.vessel.sea) else []),
                      *_uncertainty_lines(study)])


def _fastest(study: RangeStudy) -> float:
    """Return the highest speed through the water of the curve, m/s; NaN without one."""
    return float(np.nanmax(study.curve.through_water, initial=-math.inf))


def _asked_lines(study: RangeStudy) -> list[str]:
    """Return power and range at the requested speed along the course, as a line; empty without such a speed."""
    if study.point_at_speed is None:
        return []
    point = study.point_at_speed
    speed, _, power, metre, endurance, reach = (float(np.ravel(values)[0]) for values in point)
    if not math.isfinite(power):
        return [f'At {speed_with_knots(speed)} over ground: the boat cannot hold that along this course']
    last = f', range {metres(reach)}, endurance {seconds(endurance)}' if study.with_energy else ''
    return [f'At {speed_with_knots(speed)} over ground: {power:.2f} W, {metre:.2f} J/m{last}']


def _in_sea_figures(study: RangeStudy) -> dict[str, Any]:
    found = study.in_sea
    if found is None or study.boat.vessel.sea is None:
        return {}
    return {'sea': {**sea_figures(study.boat.vessel.sea), 'waves_power_w': found.power, 'thrust_power_w': found.thrust,
                    'waves_share_of_thrust': found.power / found.thrust if found.thrust > 0.0 else math.nan,
                    'calm_best_speed_m_s': found.calm.speed, 'calm_energy_per_meter_j_m': found.calm.energy_per_meter,
                    'calm_range_m': found.calm.range if study.with_energy else math.nan}}


def _in_sea_lines(study: RangeStudy) -> list[str]:
    """Return the effect of waves at the best speed, as lines; empty in calm water or without a best speed."""
    found = study.in_sea
    if found is None or not math.isfinite(found.power) or not found.thrust > 0.0:
        return []
    line = (f'  against waves {found.power:.2f} W of {found.thrust:.2f} W that the thrusters give '
            f'({100.0 * found.power / found.thrust:.1f} %)')
    if math.isfinite(found.calm.energy_per_meter) and found.calm.kind != SLOWER_IS_BETTER:
        line += f'; in calm water {found.calm.energy_per_meter:.2f} J/m at {found.calm.speed:.3f} m/s'
        line += f', range {metres(found.calm.range)}' if study.with_energy else ''
    return [line]


def _energy_condition(study: RangeStudy) -> str:
    """Return the condition under which cells give the available energy."""
    if not math.isfinite(study.best.endurance):
        return ' at its rated current'
    return ' if drained slowly' if study.best.kind == SLOWER_IS_BETTER else ' at the best speed'


def battery_lines(study: RangeStudy) -> list[str]:
    """Return the kind of battery, and which powers it cannot give, as lines; empty without one."""
    boat, pack = study.boat, study.pack
    if pack is None:
        return ['The battery is a counter of watt-hours, which knows of no sag, cold or cutoff '
                '(docs/batteries.md makes cells of it)'] if has_counter(study) else []
    cell = boat.battery_sheet.cell if boat.battery_sheet else None
    lines = [f'The battery is of cells, {cell.name if cell else ""}, {pack.pack.series:g} in series, '
             f'{100.0 * pack.charge:.0f} % charged, {pack.ambient - KELVIN:.3g} degC around them; it gives each power '
             + ('until its cutoff under load' if pack.reserve <= 0.0 else
                f'until its cutoff under load or {100.0 * pack.reserve:.0f} % charge')]
    powers = study.curve.power[np.isfinite(study.curve.power)]
    if powers.size and powers.max() > pack.most_power:
        lines.append(f'It gives at most {formatted(pack.most_power, ".4g")} W: speeds that take more last no time')
    return lines


def _best_lines(study: RangeStudy) -> list[str]:
    best = study.best
    if not math.isfinite(best.speed) or best.kind == SLOWER_IS_BETTER:
        return [f'Best speed for range: none; {WORDS[best.kind]}']
    lines = [f'Best speed for range: {speed_with_knots(best.speed, 3)} over ground{_spread(study, "speed", 1.0, "")} '
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
    return f' [{interval((float(band.low), float(band.high)), scale)}{unit}]'


def _table(study: RangeStudy) -> list[str]:
    curve = study.curve
    if not curve.speed.size:
        return []
    quantities = [('speed, m/s', curve.speed, 3), ('through water, m/s', curve.through_water, 3),
                  ('power, W', curve.power, 2), ('J/m', curve.energy_per_meter, 2)]
    if study.pack is not None:
        quantities.append(('Wh', curve.endurance * curve.power / 3600.0, 1))
    if study.with_energy:
        quantities += [('endurance, h', curve.endurance / 3600.0, 2), ('range, km', curve.range / 1e3, 2)]
    step = round_up(curve.speed[-1] / ROWS)
    shown = np.abs(curve.speed / step - np.round(curve.speed / step)) < 1e-6
    shown[-1] = True
    columns = [[head, *(f'{value:.{digits}f}' for value in values[shown])] for head, values, digits in quantities]
    if study.with_energy and study.bands is not None:
        ends = zip(*(1e-3 * end[shown] for end in study.bands.curve['range']))
        texts = ('-' if np.isnan(low) else f'{low:.2f} to {high:.2f}' for low, high in ends)
        columns.append(['95 % of range, km', *texts])
    return ['', *text_table(list(zip(*columns)), 'r')]


def _uncertainty_lines(study: RangeStudy) -> list[str]:
    if not study.doubts:
        return ['', 'No band: no number of the boat file is taken with a std or an interval; '
                    '--std damping.linear.d11=5% says one.']
    rows = [[f'  {doubt.name}', f'{doubt.value:g}', f'std {doubt.above:.3g}' if math.isclose(doubt.below, doubt.above)
             else f'std {doubt.below:.3g} below, {doubt.above:.3g} above'] for doubt in study.doubts]
    return ['', f'Bands hold 95 % of {study.bands.boats if study.bands else 0} boats drawn from these numbers, '
                f'{_together(study)[0]}:', *text_table(rows)]


def _together(study: RangeStudy) -> tuple[str, str]:
    """Return how the uncertain numbers are drawn, in words and in one."""
    if study.boat.correlation is None:
        return 'each by itself', 'independent'
    return "together as the file's correlation says", 'correlated'


def polar_figures(study: PolarStudy) -> dict[str, Any]:
    """Return the figures of a polar diagram for JSON, with None for NaN."""
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
    shown = some[np.unique(np.round(np.linspace(0, some.size - 1, SHOWN_ANGLES)).astype(int))]
    rows = [['wind, m/s', *(f'{angle:.0f} deg' for angle in polar.angles_deg[shown])]]
    rows += [[formatted(speed), *(_number(value) for value in polar.speed[shown, n])]
             for n, speed in enumerate(polar.wind_speeds)]
    how = TRIM_WORDS[polar.trim] if polar.trim else 'full thrust'
    lines = [f"{study.boat.name}, {how}: speed through the water, m/s, by the true wind's angle off the bow",
             *text_table(rows, 'r')]
    for row in polar_figures(study)['conditions'] if polar.trim else ():
        lines.append(f'in {formatted(row["wind_speed_m_s"])} m/s: {_best_words(row["fastest"], "at its fastest")}, '
                     f'{_best_words(row["upwind"], "made good against the wind")}, '
                     f'{_best_words(row["downwind"], "made good with it")}')
    if polar.trim:
        lines.append(NO_HEEL)
    if np.isnan(polar.speed).any():
        lines.append('- no steady motion: rudder or thrusters cannot hold the heading')
    return '\n'.join(lines)


def _best(angles: np.ndarray, speeds: np.ndarray) -> dict[str, float] | None:
    """Return the highest of some speeds, m/s, and its angle, deg; None if none is above 0."""
    if not np.nanmax(speeds, initial=0.0) > 0.0:
        return None
    at = int(np.argmax(speeds >= np.nanmax(speeds) * (1.0 - 1e-9)))  # Both tacks are equal: take the first.
    return {'wind_angle_deg': float(angles[at]), 'speed_m_s': float(speeds[at])}


def _best_words(best: dict[str, float] | None, what: str) -> str:
    return f'nothing {what}' if best is None else f'{best["speed_m_s"]:.3f} m/s {what} ({best["wind_angle_deg"]:g} deg)'


def _number(value: float) -> str:
    return f'{value:.3f}' if math.isfinite(value) else '-'
