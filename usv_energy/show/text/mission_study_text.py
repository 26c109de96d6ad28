"""What a mission costs as figures: a table by leg, the verdict and what would help for people, JSON for programs."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...files.json_file import without_nan
from ...flow.flow_argument import flow_words
from ...flow.uniform import UniformFlow
from ...physics.battery import JOULES_PER_WH
from ...physics.energy import CAUSES as KEYS
from ...planning.mission_study import GO, NO_BATTERY, NO_GO, Advice, MissionStudy
from ..causes import CAUSES
from ..rounding import fixed, joules, metres, percent, seconds
from ..text_table import shortened, text_list, text_table

ROWS = 60
VERDICTS = {GO: 'GO', NO_GO: 'NO GO'}


def mission_study_figures(study: MissionStudy) -> dict[str, Any]:
    """Return the study for JSON: units in the keys, angles in degrees counter-clockwise from east."""
    scenario, legs, bands = study.scenario, study.legs, study.bands
    energy = float(legs.total.sum())
    return without_nan({
        'mission': scenario.name, 'boat': scenario.boat.name, 'verdict': study.verdict,
        'speed_m_s': scenario.speed, 'speed_from': study.mission.speed_from,
        'current': _flow(scenario.current), 'wind': _flow(scenario.wind),
        'length_m': float(legs.length.sum()), 'time_s': float(legs.end[-1]), 'hold_s': float(legs.hold.sum()),
        'energy_j': energy, 'energy_wh': energy / JOULES_PER_WH,
        **({} if bands is None else {'energy_low_j': float(bands.so_far[0, -1]),
                                     'energy_high_j': float(bands.so_far[1, -1]),
                                     'interval_share': 0.95, 'draws': bands.draws, 'draws_unable': bands.unable}),
        'energy_by_cause_j': {key: float(legs.energy[row].sum()) for row, key in enumerate(KEYS)},
        'of_corners_j': float(legs.of_corner.sum()), 'of_holds_j': float(legs.of_hold.sum()),
        'state_of_charge_at_start': study.charge_at_start,
        'state_of_charge_at_end': math.nan if study.charge is None else float(study.charge[-1]),
        'reserve': study.reserve, 'advice': None if study.advice is None else _advice(study, study.advice),
        'simulated': None if study.simulated is None else {
            'reached': study.simulated.reached, 'time_s': study.simulated.time, 'energy_j': study.simulated.energy,
            'estimate_time_error': float(legs.end[-1]) / study.simulated.time - 1.0,
            'estimate_energy_error': energy / study.simulated.energy - 1.0},
        'legs': [_leg(study, number) for number in range(legs.length.size)],
        'uncertain': [{'parameter': doubt.name, 'value': doubt.value, 'std_below': doubt.below,
                       'std_above': doubt.above} for doubt in study.doubts]})


def _flow(flow: Any) -> dict[str, Any]:
    return {'x_m_s': flow.x, 'y_m_s': flow.y} if isinstance(flow, UniformFlow) else {'file': str(flow.path)}


def _advice(study: MissionStudy, advice: Advice) -> dict[str, Any]:
    return {'cheapest': {'speed_ratio': advice.cheapest, 'energy_j': advice.cheapest_energy,
                         'time_s': advice.cheapest_time},
            'fastest_within_reserve': {'speed_ratio': advice.fastest, 'energy_j': advice.fastest_energy,
                                       'time_s': advice.fastest_time},
            'reversed_energy_j': advice.reversed_energy}


def _leg(study: MissionStudy, number: int) -> dict[str, Any]:
    scenario, legs, bands = study.scenario, study.legs, study.bands
    x, y = scenario.waypoints[number]
    return {
        'leg': number + 1, 'item': study.mission.items[number], 'name': scenario.order_of(number).name, 'x': x, 'y': y,
        'length_m': float(legs.length[number]), 'course_deg': math.degrees(legs.course[number]) % 360.0,
        'speed_m_s': float(legs.speed[number]), 'begin_s': float(legs.begin[number]),
        'under_way_s': float(legs.under_way[number]), 'hold_s': float(legs.hold[number]),
        'feasible': bool(legs.feasible[number]), 'energy_j': float(legs.total[number]),
        **({} if bands is None else {'energy_low_j': float(bands.energy[0, number]),
                                     'energy_high_j': float(bands.energy[1, number])}),
        'of_corner_j': float(legs.of_corner[number]), 'of_hold_j': float(legs.of_hold[number]),
        'energy_by_cause_j': {key: float(legs.energy[row, number]) for row, key in enumerate(KEYS)},
        'state_of_charge': math.nan if study.charge is None else float(study.charge[number])}


def mission_study_text(study: MissionStudy) -> str:
    """Return the study as lines: the boat, the verdict, energy by cause, the legs, what would help."""
    scenario, legs = study.scenario, study.legs
    words = [_words(flow) for flow in (scenario.current, scenario.wind)]
    lines = [f'{scenario.name}: {scenario.boat.name}; current {words[0]}; wind {words[1]}']
    if scenario.speed is not None:
        lines.append(f'{scenario.speed:.3g} m/s over ground where the mission says none: {study.mission.speed_from}')
    lines += ['', *_verdict(study), '', *_causes(study), '', *_legs(study)]
    if study.simulated is not None:
        done = study.simulated
        lines += ['', f'Simulated: {seconds(done.time)}, {joules(done.energy)}'
                  + ('' if done.reached else '; IT DID NOT ARRIVE') + '; the estimate is off by '
                  f'{percent(float(legs.end[-1]) / done.time - 1.0, 2)} in time and '
                  f'{percent(float(legs.total.sum()) / done.energy - 1.0, 2)} in energy']
    return '\n'.join([*lines, *text_list('What would help:', _help(study))])


def _words(flow: Any) -> str:
    return flow_words(flow.x, flow.y) if isinstance(flow, UniformFlow) else str(flow.path)


def _verdict(study: MissionStudy) -> list[str]:
    legs, bands = study.legs, study.bands
    energy = joules(float(legs.total.sum()))
    if bands is not None:
        low, high = (float(end) / JOULES_PER_WH for end in bands.so_far[:, -1])
        energy += f' [{low:.3g} to {high:.3g} Wh]'
    first = f'{metres(float(legs.length.sum()))} in {seconds(float(legs.end[-1]))}: {energy}'
    if not legs.feasible.all():
        number = int(np.argmin(legs.feasible)) + 1
        return [first, f'NO GO: the thrusters cannot do leg {number} in this current and wind at '
                       f'{legs.speed[number - 1]:.3g} m/s over ground']
    if study.verdict == NO_BATTERY or study.charge is None:
        return [first, f'The file of {study.scenario.boat.name} has no battery: whether it makes it is not known']
    end = f'{100.0 * study.charge[-1]:.1f} % of the battery left at the end, {100.0 * study.reserve:.0f} % to be left'
    if study.verdict in VERDICTS:
        return [first, f'{VERDICTS[study.verdict]}: {end}']
    return [first, f'UNSURE: {end}, and the interval goes below that']


def _causes(study: MissionStudy) -> list[str]:
    legs = study.legs
    total = float(legs.total.sum())
    rows = [('by cause', 'Wh', '%')]
    for cause in CAUSES:
        value = float(legs.energy[KEYS.index(cause.key)].sum())
        if abs(value) > 5e-4 * abs(total):
            rows.append((cause.name, f'{value / JOULES_PER_WH:.3g}', f'{100.0 * value / total:.1f}'))
    corners, holds = float(legs.of_corner.sum()), float(legs.of_hold.sum())
    rows += [(f'in all of this {name}', f'{value / JOULES_PER_WH:.3g}', f'{100.0 * value / total:.1f}')
             for name, value in (('corners and starts', corners), ('holds', holds)) if value]
    return text_table(rows, 'lr', rule=True)


def _legs(study: MissionStudy) -> list[str]:
    legs = study.legs
    head = ['leg', 'to', 'length, m', 'course, deg', 'm/s', 'hold, s', 'arrival', 'Wh']
    head += ['95 %'] if study.bands is not None else []
    head += ['charge, %'] if study.charge is not None else []
    rows = [head]
    for number in range(min(legs.length.size, ROWS)):
        row = [str(number + 1), shortened(study.scenario.order_of(number).name or f'item {study.mission.items[number]}',
                                          24),
               f'{legs.length[number]:.1f}', f'{round(math.degrees(legs.course[number])) % 360}',
               f'{legs.speed[number]:.2f}', fixed(legs.hold[number], 0) if legs.hold[number] else '',
               seconds(float(legs.begin[number] + legs.under_way[number])),
               f'{legs.total[number] / JOULES_PER_WH:.3g}' + ('' if legs.feasible[number] else ' (cannot)')]
        if study.bands is not None:
            row.append(' to '.join(f'{end / JOULES_PER_WH:.3g}' for end in study.bands.energy[:, number]))
        if study.charge is not None:
            row.append(f'{100.0 * study.charge[number]:.1f}')
        rows.append(row)
    more = legs.length.size - ROWS
    return text_table(rows, 'rlr', rule=True) + ([f'and {more} more; --json has all'] if more > 0 else [])


def _help(study: MissionStudy) -> Iterator[str]:
    advice, energy = study.advice, float(study.legs.total.sum())
    if advice is None:
        yield 'nothing that was tried: no speed at which the thrusters could do it all'
        return
    if abs(advice.cheapest - 1.0) > 0.03:
        yield (f'{_speed(study, advice.cheapest)}: {joules(advice.cheapest_energy)} in '
               f'{seconds(advice.cheapest_time)}, the least of all speeds from {0.3:g} to {2.0:g} times')
    if math.isfinite(advice.fastest) and abs(advice.fastest - 1.0) > 0.03:
        yield (f'{_speed(study, advice.fastest)}: {joules(advice.fastest_energy)} in {seconds(advice.fastest_time)}, '
               'the fastest that leaves the reserve')
    elif study.charge is not None and not math.isfinite(advice.fastest):
        yield 'no speed leaves the reserve: a larger battery, less current or a shorter way'
    if abs(advice.reversed_energy - energy) > 0.005 * energy:
        yield f'the other way round: {joules(advice.reversed_energy)}'


def _speed(study: MissionStudy, ratio: float) -> str:
    if study.scenario.speed is not None and all(order.speed is None for order in study.scenario.orders):
        return f'{ratio * study.scenario.speed:.2f} m/s over ground'
    return f'all speeds times {ratio:.2f}'
