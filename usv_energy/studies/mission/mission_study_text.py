"""A mission's study as text, with a table by leg, the verdict and advice, and as figures for JSON."""

import math
from datetime import timedelta
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import caution_figures, lacks_for_range, wave_note
from usv_energy.boats.cell_file import KELVIN
from usv_energy.earth import LocalPlane, compass_text
from usv_energy.files.text_file import without_nan
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.powering.energy import CAUSES as KEYS
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import (
    charge_text,
    compass,
    degrees,
    fixed,
    formatted,
    interval,
    joules,
    metres,
    percent,
    seconds,
    shortened,
    text_list,
    text_table,
    wrapped_lines,
)
from usv_energy.sim.record import by_load_figures
from usv_energy.studies.mission.mission_alternatives import Advice, Departures
from usv_energy.studies.mission.mission_battery import NO_BATTERY, charge_left
from usv_energy.studies.mission.mission_reserve import PointOnWay
from usv_energy.studies.mission.mission_study import MissionStudy, departure_verdict
from usv_energy.studies.mission.mission_words import (
    COURSES,
    VERDICTS,
    battery_words,
    broken_off_words,
    brown_out_words,
    departs_words,
    departure_words,
    energy_words,
    help_title,
    helpful,
    is_shown,
    order_words,
    reserve_words,
    speed_note,
    speed_table,
    speed_words,
    time_doubt,
    time_words,
    unheld_words,
    verdict_reason,
    words_of_flow,
)
from usv_energy.studies.plan.boat_in_sea import sea_figures, sea_line, sea_notes

ROWS, MOST_ON_LAND = 60, 8
DEPARTURE_ROWS = 60
DEPARTURES_EQUAL = 'neither water nor air changes in time on the way: all departures cost the same'


def mission_study_figures(study: MissionStudy) -> dict[str, Any]:
    """Return the study for JSON: units in the keys, angles in degrees from east, those of the compass named so."""
    scenario, legs, bands = study.scenario, study.legs, study.bands
    energy = study.energy
    return without_nan({
        'mission': scenario.name, 'boat': scenario.boat.name, 'verdict': study.verdict,
        'speed_m_s': scenario.speed, 'speed_from': study.mission.speed_from,
        'current': _flow(scenario.current, 'current'), 'wind': _flow(scenario.wind, 'wind'), **_sea(study),
        'remarks': file_remarks(study), **caution_figures(scenario.boat),
        'lacks_for_range': lacks_for_range(scenario.boat),
        **({'legs_on_land': study.legs_on_land} if study.land else {}),
        'departure_s': study.departure, **_moments(study),
        'length_m': float(legs.length.sum()), 'time_s': study.time if study.is_possible else math.nan,
        'hold_s': float(legs.hold.sum()),
        'energy_j': energy, 'energy_wh': energy / JOULES_PER_WH,
        **({} if bands is None else {
            **_ends('energy', 'j', bands.so_far[:, -1]), **_ends('time', 's', bands.end[:, -1]),
            'interval_share': 0.95, 'draws': bands.draws, 'draws_slower': bands.slower,
            'draws_unable': bands.unable, 'time_held': bands.time_held}),
        'energy_by_cause_j': {key: float(legs.energy[row].sum()) for row, key in enumerate(KEYS)},
        **by_load_figures(scenario.boat.load_names, legs.by_load.sum(axis=1).tolist()),
        'of_corners_j': float(legs.of_corner.sum()), 'of_holds_j': float(legs.of_hold.sum()),
        'state_of_charge_at_start': study.charge_at_start,
        'state_of_charge_at_end': math.nan if study.charge is None else charge_left(float(study.charge[-1])),
        **_charge_ends(study, -1, '_at_end'),
        'reserve': study.reserve, **_limits(study), 'battery': _battery(study),
        'advice': None if study.advice is None else _advice(study, study.advice),
        'simulated': None if study.simulated is None else {
            'reached': study.simulated.reached, 'time_s': study.simulated.time, 'energy_j': study.simulated.energy,
            'estimate_time_error': float(legs.end[-1]) / study.simulated.time - 1.0,
            'estimate_energy_error': energy / study.simulated.energy - 1.0},
        'departures': departures_figures(study),
        'order': None if study.order is None else {
            'legs_of_file': [place + 1 for place in study.order.order], 'exact': study.order.exact,
            'energy_j': study.order.energy, 'as_given_j': study.order.as_given, 'bound_j': study.order.bound,
            'gap': study.order.gap},
        'legs': [_leg(study, number) for number in range(legs.length.size)],
        'uncertain': [{'parameter': doubt.name, 'value': doubt.value, 'std_below': doubt.below,
                       'std_above': doubt.above} for doubt in study.doubts]})


def file_remarks(study: MissionStudy) -> list[str]:
    """Return what of the mission's file was left out or read as something else, and of its scenario."""
    return [*study.mission.itinerary.remarks, *study.scenario.remarks]


def _flow(flow: Any, name: str) -> dict[str, Any]:
    return {'words': words_of_flow(flow, name),
            **({'x_m_s': flow.x, 'y_m_s': flow.y} if isinstance(flow, UniformFlow) else {'file': str(flow.path)})}


def _moments(study: MissionStudy) -> dict[str, str]:
    """Return when the mission departs and arrives, in ISO 8601; nothing where the flow's time has no dates."""
    if not math.isfinite(study.time):
        return {}
    return _moment('departs', study, study.departure) | _moment('arrives', study, study.departure + study.time)


def _moment(name: str, study: MissionStudy, time: float) -> dict[str, str]:
    """Return a time of the flow, s, as a moment by its name; nothing where that time has no dates."""
    return {} if study.zero is None else {name: (study.zero + timedelta(seconds=time)).isoformat()}


def _limits(study: MissionStudy) -> dict[str, Any]:
    """Return where the reserve is reached, from where home is, the batteries and the speeds."""
    speeds = [row._asdict() for row in study.speeds]
    renamed = {'speed': 'speed_m_s', 'time': 'time_s', 'energy': 'energy_j', 'charge': 'state_of_charge_at_end',
               'verdict': 'verdict'}
    found: dict[str, Any] = {'speeds': [
        {**{renamed[name]: value for name, value in row.items()}, renamed['charge']: charge_left(row['charge'])}
        for row in speeds]}
    if study.speeds_outside:
        found['speeds_outside_flow_m_s'] = list(study.speeds_outside)
    if study.limits is None:
        return found
    limits, back = study.limits, study.limits.way_back
    return {**found, 'batteries_needed': limits.batteries, 'batteries_needed_high': limits.most_batteries,
            'reserve_reached': _point(study, limits.reached), 'battery_empty': _point(study, limits.empty),
            'turn_back_by': _point(study, limits.turn_back),
            'way_home_from_end': None if back is None else {
                'length_m': back.length, 'time_s': back.duration, 'energy_j': back.energy,
                'state_of_charge_at_home': charge_left(back.charge)}}


def _point(study: MissionStudy, point: PointOnWay | None) -> dict[str, Any] | None:
    if point is None:
        return None
    place: dict[str, float] = {}
    if study.mission.origin is not None:
        latitude, longitude = LocalPlane(study.mission.origin).degrees_of(point.x, point.y)
        place = {'latitude': latitude, 'longitude': longitude}
    return {'leg': point.leg + 1, 'along_m': point.along, 'x_m': point.x, 'y_m': point.y, **place,
            'time_s': point.time, 'state_of_charge': point.charge}


def _ends(name: str, unit: str, ends: Any) -> dict[str, float]:
    """Return the ends of an interval as a mapping from keys."""
    return {f'{name}_low_{unit}': float(ends[0]), f'{name}_high_{unit}': float(ends[1])}


def _charge_ends(study: MissionStudy, number: int, suffix: str = '') -> dict[str, float]:
    ends = study.charge_bands
    return {} if ends is None else {f'state_of_charge{suffix}_{end}': charge_left(float(row[number]))
                                    for end, row in zip(('low', 'high'), ends)}


def _advice(study: MissionStudy, advice: Advice) -> dict[str, Any]:
    rows = {'cheapest': advice.cheapest, 'fastest_within_reserve': advice.fastest}
    return {**{name: row and {'speed_m_s': row.speed, 'energy_j': row.energy, 'time_s': row.time}
               for name, row in rows.items()},
            'reversed_energy_j': advice.reversed_energy,
            'as_fast_as_it_can': {'energy_j': advice.slowed_energy, 'time_s': advice.slowed_time,
                                  'slowest_m_s': advice.slowed_speed}}


def _battery(study: MissionStudy) -> dict[str, Any] | None:
    """Return the kind of battery, a counter of watt-hours or cells, and the brown-out of cells."""
    if study.charge is None:
        return None
    if study.pack is None or study.battery is None:
        return {'kind': 'counter', 'capacity_wh': study.scenario.boat.battery.capacity_wh
                if study.scenario.boat.battery else math.nan}
    found = study.pack.brown_out
    return {'kind': 'cells', 'ambient_degc': study.battery.ambient - KELVIN,
            'spare_wh': study.spare / JOULES_PER_WH, 'voltage_lowest_v': float(study.pack.voltage.min()),
            'brown_out': None if found is None else {
                'leg': found.leg + 1, 'asked_w': found.asked, 'state_of_charge': found.charge, 'most_w': found.most,
                'words': brown_out_words(study, found)}}


def _leg(study: MissionStudy, number: int) -> dict[str, Any]:
    scenario, legs, bands = study.scenario, study.legs, study.bands
    x, y = scenario.waypoints[number]
    return {
        'leg': number + 1, 'item': study.mission.items[number], 'name': scenario.order_of(number).name,
        'x_m': x, 'y_m': y,
        'length_m': float(legs.length[number]), 'course_deg': degrees(float(legs.course[number])),
        'course_compass_deg': compass(float(legs.course[number])),
        'speed_m_s': float(legs.speed[number]), 'ordered_speed_m_s': float(study.ordered[number]),
        'begin_s': float(legs.begin[number]),
        'under_way_s': float(legs.under_way[number]), 'hold_s': float(legs.hold[number]),
        'end_s': float(legs.end[number]),
        'feasible': bool(legs.feasible[number]), 'energy_j': float(legs.total[number]),
        **({} if bands is None else {**_ends('energy', 'j', bands.energy[:, number]),
                                     **_ends('duration', 's', bands.duration[:, number]),
                                     **_ends('end', 's', bands.end[:, number])}),
        'of_corner_j': float(legs.of_corner[number]), 'of_hold_j': float(legs.of_hold[number]),
        'energy_by_cause_j': {key: float(legs.energy[row, number]) for row, key in enumerate(KEYS)},
        **by_load_figures(scenario.boat.load_names, legs.by_load[:, number].tolist()),
        'state_of_charge': math.nan if study.charge is None else charge_left(float(study.charge[number])),
        **_charge_ends(study, number),
        **({} if study.pack is None else {'voltage_lowest_v': float(study.pack.voltage[number]),
                                          'cell_temperature_degc': float(study.pack.temperature[number]) - KELVIN,
                                          'most_power_w': float(study.pack.most_power[number])})}


def _sea(study: MissionStudy) -> dict[str, Any]:
    sea = study.scenario.boat.vessel.sea
    return {} if sea is None else {'sea': sea_figures(sea)}


def mission_study_text(study: MissionStudy) -> str:
    """Return the study as lines: the boat, the verdict, energy by cause, the legs, what would help."""
    scenario, legs = study.scenario, study.legs
    words = [words_of_flow(flow, name) for flow, name in ((scenario.current, 'current'), (scenario.wind, 'wind'))]
    lines = [f'{scenario.name}: {scenario.boat.name}; current {words[0]}; wind {words[1]}']
    sea = scenario.boat.vessel.sea
    lines += [] if sea is None else [sea_line(sea), *sea_notes(sea)]
    lines += [line for remark in file_remarks(study) for line in wrapped_lines(remark, '', '')]
    lines += [said] if (said := speed_words(study)) else []
    lines += [lacking] if (lacking := lacks_for_range(scenario.boat)) else []
    fastest = float(np.max(study.legs.speed, initial=0.0))
    lines += wrapped_lines(f'{note}.', '', '') if (note := wave_note(scenario.boat, fastest)) else []
    lines += [said] if (said := departs_words(study)) else []
    lines += [broken_off] if (broken_off := broken_off_words(study)) else []
    lines += ['', *_verdict(study), *(line for words in (*land_words(study), *reserve_words(study))
                                      for line in wrapped_lines(words, '', ''))]
    lines += [line for part in (_causes(study), _legs(study)) if part for line in ('', *part)]
    if study.speeds:
        lines += ['', 'All legs at one speed:', *text_table(speed_table(study), 'rrrrrl', rule=True)]
        lines += [speed_note(study)] if speed_note(study) else []
    if study.order is not None:
        lines += ['', *wrapped_lines(order_words(study), '', '')]
    if study.departures is not None:
        lines += ['', *departures_text(study, study.departures)]
    if study.simulated is not None:
        done = study.simulated
        lines += ['', f'Simulated: {seconds(done.time)}, {joules(done.energy)}'
                  + ('' if done.reached else '; IT DID NOT ARRIVE') + '; the estimate is off by '
                  f'{percent(float(legs.end[-1]) / done.time - 1.0, 2)} in time and '
                  f'{percent(float(legs.total.sum()) / done.energy - 1.0, 2)} in energy']
    return '\n'.join([*lines, *text_list(f'{help_title(study)}:', helpful(study))])


def land_words(study: MissionStudy) -> list[str]:
    """Return which legs touch the land, a sentence in a list; an empty one if none does."""
    legs = study.legs_on_land
    if not legs:
        return []
    some = ', '.join(map(str, legs[:MOST_ON_LAND])) + (f' and {len(legs) - MOST_ON_LAND} more' if len(
        legs) > MOST_ON_LAND else '')
    return [f'{"Leg" if len(legs) == 1 else "Legs"} {some} {"touches" if len(legs) == 1 else "touch"} the land: '
            'usv-energy route finds a way around it.']


def _verdict(study: MissionStudy) -> list[str]:
    first = f'{metres(float(study.legs.length.sum()))} in {time_words(study)}: {energy_words(study)}'
    unheld = unheld_words(study)
    if not study.is_possible:
        first = metres(float(study.legs.length.sum()))
    reason = verdict_reason(study)
    second = (f'{reason[0].upper()}{reason[1:]}' if study.verdict == NO_BATTERY else
              f'{VERDICTS[study.verdict]}: {reason}')
    lines = [second, f'{first}, {unheld}'] if unheld else [first, second]
    return [*lines, *(words for words in (battery_words(study), time_doubt(study)) if words)]


def _causes(study: MissionStudy) -> list[str]:
    legs = study.legs
    total = float(legs.total.sum())
    if not math.isfinite(total):
        return []
    rows = [('by cause', 'Wh', '%')]
    for cause in CAUSES:
        value = float(legs.energy[KEYS.index(cause.key)].sum())
        if is_shown(value, total):
            rows.append((cause.name, formatted(value / JOULES_PER_WH), f'{100.0 * value / total:.1f}'))
        if cause.key == 'loads':
            rows += [(f'- {name}', formatted(one / JOULES_PER_WH), f'{100.0 * one / total:.1f}')
                     for name, one in zip(study.scenario.boat.load_names, legs.by_load.sum(axis=1).tolist())
                     if is_shown(one, total)]
    corners, holds = float(legs.of_corner.sum()), float(legs.of_hold.sum())
    rows += [(f'in all of this {name}', formatted(value / JOULES_PER_WH), f'{100.0 * value / total:.1f}')
             for name, value in (('corners and starts', corners), ('holds', holds)) if is_shown(value, total)]
    return text_table(rows, 'lr', rule=True)


def _slowed_mark(study: MissionStudy, number: int) -> str:
    """Return the mark behind the energy of a leg whose ordered speed the thrusters cannot hold."""
    if study.legs.feasible[number]:
        return ''
    return ' (slower)' if math.isfinite(study.legs.total[number]) else ' (cannot)'


def _legs(study: MissionStudy) -> list[str]:
    legs = study.legs
    head = ['leg', 'to', 'length, m', 'course', 'm/s', 'hold, s', 'arrival', 'Wh']
    varies = study.bands is not None and not study.bands.time_held
    head[7:7] = ['at the latest'] if varies else []
    head += ['95 %'] if study.bands is not None else []
    head += ['charge, %'] if study.charge is not None else []
    head += ['lowest V'] if study.pack is not None else []
    rows = [head]
    for number in range(min(legs.length.size, ROWS)):
        row = [str(number + 1), shortened(study.scenario.order_of(number).name or f'item {study.mission.items[number]}',
                                          24),
               f'{legs.length[number]:.1f}', compass_text(float(legs.course[number]), ''),
               f'{legs.speed[number]:.2f}', fixed(legs.hold[number], 0) if legs.hold[number] else '',
               seconds(float(legs.begin[number] + legs.under_way[number])),
               formatted(legs.total[number] / JOULES_PER_WH) + _slowed_mark(study, number)]
        if study.bands is not None:
            row[7:7] = [seconds(float(study.bands.end[1, number] - legs.hold[number]))] if varies else []
            row.append(interval(study.bands.energy[:, number], 1.0 / JOULES_PER_WH))
        if study.charge is not None:
            row.append(charge_text(study.charge[number]))
        if study.pack is not None:
            brown_out = study.pack.brown_out is not None and study.pack.brown_out.leg == number
            row.append(f'{study.pack.voltage[number]:.2f}' + (' (browns out)' if brown_out else ''))
        rows.append(row)
    more = legs.length.size - ROWS
    return [*text_table(rows, 'rlr', rule=True), *([f'and {more} more; --json has all'] if more > 0 else []),
            COURSES]


def departures_figures(study: MissionStudy) -> dict[str, Any] | None:
    """Return the departures for JSON, units in the keys; None if no other ones were requested."""
    found = study.departures
    if found is None:
        return None
    return {'best_s': float(found.departure[found.best]), 'matters': found.changing, 'wanted': found.wanted,
            'broken_off': found.broken_off or bool(study.broken_off), 'each': [
        {'departure_s': float(found.departure[number]), **_moment('departs', study, float(found.departure[number])),
         'time_s': float(found.time[number]),
         'energy_j': float(found.energy[number]), 'speeds_held': bool(found.held[number]),
         'verdict': departure_verdict(study, number)} for number in range(found.departure.size)]}


def departures_text(study: MissionStudy, found: Departures) -> list[str]:
    """Return the table of departures as lines, with the best one marked; one line if all cost the same."""
    if not found.changing:
        return [f'Departures: {DEPARTURES_EQUAL}']
    rows = [('departs', 'takes', 'Wh', '', '')]
    step = math.ceil(found.departure.size / DEPARTURE_ROWS)
    for number in range(found.departure.size):
        if number % step == 0 or number == found.best:
            rows.append((departure_words(study, float(found.departure[number])), takes(found, number),
                         fixed(found.energy[number] / JOULES_PER_WH, 2), VERDICTS[departure_verdict(study, number)],
                         'best' if number == found.best else ''))
    more = [] if step == 1 else [f'(one of {step}, of {found.departure.size}; --json has all)']
    return [*text_table(rows, 'rrrll', rule=True), *more]


def takes(found: Departures, number: int) -> str:
    """Return how long the mission takes from one of the departures, marked if the boat must go slower than ordered."""
    if not math.isfinite(found.time[number]):
        return 'cannot'
    return seconds(float(found.time[number])) + ('' if found.held[number] else ' (slowed)')
