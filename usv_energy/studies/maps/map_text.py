"""Maps as text, and as figures for JSON with units in the keys."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import wave_note
from usv_energy.earth import compass_text
from usv_energy.files.text_file import without_nan
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.text_table import degrees, fixed, formatted, text_table, wrapped_lines
from usv_energy.studies.maps.map_study import DIMS, BestSpeedMap, EnergyMap, MapStudy
from usv_energy.studies.maps.reach import COURSES, Reach
from usv_energy.studies.maps.time_energy_front import TimeEnergyFront
from usv_energy.studies.plan.boat_in_sea import sea_figures, sea_line, sea_notes

Figures = dict[str, Any]
EXTREMES = 'least_j_m', 'least_course_deg', 'least_speed_m_s', 'most_j_m'


def map_figures(study: MapStudy) -> Figures:
    """Return a map's figures for JSON, with None for NaN."""
    figures_of, _ = KINDS[type(study.result)]
    return without_nan({'boat': study.boat.name, 'static_load_w': study.boat.vessel.static_load,
                        **({} if study.boat.vessel.sea is None else {'sea': sea_figures(study.boat.vessel.sea)}),
                        **figures_of(study, study.result)})


def map_text(study: MapStudy) -> str:
    """Return a map as lines."""
    _, lines_of = KINDS[type(study.result)]
    sea = study.boat.vessel.sea
    note = wave_note(study.boat, float(np.max(study.speeds, initial=0.0)))
    return '\n'.join([*lines_of(study, study.result), *([] if sea is None else ['', sea_line(sea), *sea_notes(sea)]),
                      *wrapped_lines(f'{note}.' if note else '', '', '')])


def _energy_figures(study: MapStudy, result: EnergyMap) -> Figures:
    return {'courses': result.courses_deg.size, 'speeds': result.speeds.size, 'points': result.feasible.size,
            'wall_s': study.wall, 'feasible_share': result.feasible.mean(),
            'conditions': [{**row, **_extremes(result, place)} for place, row in _conditions(result)]}


def _extremes(result: EnergyMap, place: tuple[int, int]) -> Figures:
    """Return the least and the greatest energy per metre of one current and wind."""
    metre = result.fields['energy_per_meter'][:, :, place[0], place[1]]
    found = [math.nan] * len(EXTREMES)
    if np.isfinite(metre).any():
        course, speed = np.unravel_index(np.nanargmin(metre), metre.shape)
        found = [metre[course, speed], result.courses_deg[course], result.speeds[speed], np.nanmax(metre)]
    return {'feasible_share': np.isfinite(metre).mean(), **dict(zip(EXTREMES, found))}


def _energy_lines(study: MapStudy, result: EnergyMap) -> list[str]:
    rows = [['current, m/s', 'wind, m/s', 'feasible', 'least J/m', 'at course', 'speed m/s', 'most J/m']]
    rows += [[*_flows(row), f'{100 * row["feasible_share"]:.0f} %',
              *('-' if row[key] is None else compass_text(math.radians(row[key]), '') if key == 'least_course_deg' else
                formatted(row[key], '.4g') for key in EXTREMES)]
             for row in map_figures(study)['conditions']]
    sizes = ' x '.join(f'{size} {name}{"s" * (size != 1)}' for size, name in zip(result.feasible.shape, DIMS))
    return [*text_table(rows, 'r'), f'{_boat(study)}: {sizes} = {result.feasible.size} steady motions in '
            f'{study.wall:.2f} s']


def _best_figures(study: MapStudy, result: BestSpeedMap) -> Figures:
    return {'lowest_speed_m_s': study.speeds[0], 'conditions': [{
        **row, 'course_deg': result.courses_deg, 'best_speed_m_s': result.speed[:, n, m],
        'energy_per_meter_j_m': result.energy_per_meter[:, n, m], 'power_total_w': result.power[:, n, m],
        'at_lowest_speed': result.at_limit[:, n, m]} for (n, m), row in _conditions(result)]}


def _best_lines(study: MapStudy, result: BestSpeedMap) -> list[str]:
    number = result.courses_deg.size
    shown = [round(n * number / 8) for n in range(8) if number >= 8 or n % 2 == 0]
    rows = [['current, m/s', 'wind, m/s',
             *(compass_text(math.radians(course)) for course in result.courses_deg[shown].tolist())]]
    for (n, m), row in _conditions(result):
        cells = zip(*(values[shown, n, m] for values in (result.speed, result.energy_per_meter, result.at_limit)))
        rows.append([*_flows(row), *(f'{speed:.3f}{"*" * bool(lowest)} ({formatted(cost)})'
                                     if math.isfinite(speed) else '-' for speed, cost, lowest in cells)])
    lines = ['best speed over ground, m/s (energy, J/m), by course', *text_table(rows, 'r')]
    if result.at_limit.any():
        why = 'the flow carries the boat' if study.boat.vessel.static_load else 'the boat file has no hotel load'
        lines.append(f'* the lowest speed looked at, {formatted(study.speeds[0])} m/s: slower would be cheaper yet, '
                     f'since {why}')
    return lines


def _reach_figures(study: MapStudy, result: Reach) -> Figures:
    charge = None if result.needed is None or study.boat.battery is None else study.boat.battery.initial_state_of_charge
    return {'energy_j': None if result.on_cells else result.limit, 'on_cells': result.on_cells,
            'state_of_charge_at_start': charge, 'not_held_area_m2': result.not_held_area,
            'round_trip': result.back is not None, 'start_x_m': result.start[0],
            'start_y_m': result.start[1], 'area_m2': result.area, 'area_uniform_m2': result.uniform_area,
            'spacing_m': result.lattice.spacing, 'direction_error_relative': result.direction_error,
            'ends_where_the_flow_does': result.cut, 'course_deg': [degrees(course) for course in COURSES.tolist()],
            'distance_m': result.distances}


def _reach_lines(study: MapStudy, result: Reach) -> list[str]:
    dear = f'at most {100 * result.direction_error:.2g} % too dear for their directions'
    if math.isinf(result.direction_error):
        dear = "too few: the flow is so much faster than the boat that the grid's directions miss some that it can go"
    error = f'ways are {dear}, and smoothed over a spacing of {formatted(result.lattice.spacing)} m'
    if math.isfinite(result.uniform_area):
        error += (f'; without the grid the area is {formatted(result.uniform_area / 1e6, ".4g")} km^2, '
                  f'{100.0 * (result.uniform_area / result.area - 1.0):.2g} % more')
    back = '' if result.back is None else ', there and back'
    given = f'{result.limit / JOULES_PER_WH:g} Wh'
    if result.on_cells and study.boat.battery is not None:
        given = f'on cells charged to {100.0 * study.boat.battery.initial_state_of_charge:g} %'
    lines = [f'{_boat(study)}, {given}{back}: {formatted(result.area / 1e6, ".4g")} km^2 '
             f'({result.lattice.columns} x {result.lattice.rows} points)', error,
             *text_table([['course', *(compass_text(value, '') for value in COURSES[::3].tolist())],
                          ['distance, m', *(fixed(value, 1) for value in result.distances[::3])]], 'r')]
    if result.not_held_area > 0.0:
        more = formatted(result.not_held_area / 1e6, '.4g')
        lines.append(f'{more} km^2 more it comes to, but cannot be held there: against current and wind the battery '
                     'does not give the power, or the thrust, at the voltage that is left')
    if result.cut:
        lines.append('the area ends where the flow, or --extent, does: the energy would last longer there')
    return lines + _slow_note(study)


def _front_figures(_: MapStudy, result: TimeEnergyFront) -> Figures:
    straight = result.straight and {'duration_s': result.straight.duration, 'energy_j': result.straight.energy}
    return {'spacing_m': result.lattice.spacing, 'cheapest_straight': straight, 'ways': [
        {'duration_s': route.duration, 'energy_j': route.energy, 'length_m': route.length,
         'mean_speed_m_s': route.length / route.duration, 'price_of_time_w': route.price, 'gap_relative': route.gap}
        for route in result.routes]}


def _front_lines(study: MapStudy, result: TimeEnergyFront) -> list[str]:
    rows = [('time, s', 'energy, J', 'length, m', 'mean, m/s', 'gap, %'), *(
        (f'{one.duration:.1f}', f'{one.energy:.1f}', f'{one.length:.1f}', f'{one.length / one.duration:.3f}',
         f'{100 * one.gap:.3g}' if math.isfinite(one.gap) else '-')
        for one in result.routes)]
    straight = 'the straight line cannot be gone'
    if result.straight is not None:
        saved = 1.0 - result.routes[-1].energy / result.straight.energy
        straight = (f'straight on, the cheapest takes {result.straight.duration:.1f} s and '
                    f'{result.straight.energy:.1f} J: the way saves {100 * saved:.1f} %')
    gap = (f'gap: how much dearer than the best way of all it may be, about at most, for the grid of '
           f'{result.lattice.spacing:.3g} m: its directions, and what twice the spacing changes; --points: a finer one')
    if not all(math.isfinite(one.gap) for one in result.routes):
        gap += '; -: the grid is too coarse to tell'
    return [*text_table(rows, 'r'), straight, *wrapped_lines(gap, '', ''), *_slow_note(study)]


def _slow_note(study: MapStudy) -> list[str]:
    return [] if study.boat.vessel.static_load > 0.0 else wrapped_lines(
        'the boat has no hotel load, so that slow is cheap: the result depends on the lowest speed over ground, '
        f'{study.speeds[0]:g} m/s. Give --hotel or --speeds', '', '')


def _conditions(result: EnergyMap | BestSpeedMap) -> list[tuple[tuple[int, int], Figures]]:
    """Return every pair of a current and a wind: its indices in the arrays, and its figures."""
    return [((n, m), {'current_speed_m_s': current[0], 'current_direction_deg': current[1],
                      'wind_speed_m_s': wind[0], 'wind_direction_deg': wind[1]})
            for n, current in enumerate(result.currents) for m, wind in enumerate(result.winds)]


def _flows(row: Figures) -> list[str]:
    return [condition_words((row[f'{name}_speed_m_s'], row[f'{name}_direction_deg']), name)
            for name in ('current', 'wind')]


def condition_words(condition: tuple[float, float], name: str, unit: str = '') -> str:
    """
    Return a current or wind of a map, m/s and degrees from east that it flows to, by its name, in words.

    :param unit: That stands behind the speed, as ' m/s'.
    """
    speed, direction = condition[0], math.radians(condition[1])
    if not speed:
        return '0'
    return f'{formatted(speed)}{unit} from {compass_text(direction + math.pi, "")}' if name == 'wind' else \
        f'{formatted(speed)}{unit} set {compass_text(direction, "")}'


def _boat(study: MapStudy) -> str:
    return f'{study.boat.name}, {study.boat.vessel.static_load:g} W hotel load'


KINDS: dict[type, tuple[Callable[..., Figures], Callable[..., list[str]]]] = {
    EnergyMap: (_energy_figures, _energy_lines), BestSpeedMap: (_best_figures, _best_lines),
    Reach: (_reach_figures, _reach_lines), TimeEnergyFront: (_front_figures, _front_lines)}
