"""The check of a boat file as text and figures; the numbers of a boat file, and the shipped files, as tables."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from usv_energy.boats.boat_remarks import ASSUMED, CAUTION, CORRECTED, LACKS, lacks_for_range
from usv_energy.boats.numbers import BOAT_NUMBERS
from usv_energy.boats.vessel import Inertia
from usv_energy.files.checked import read_with_base
from usv_energy.files.locate import names, resolve
from usv_energy.files.text_file import without_nan
from usv_energy.show.text_table import fixed, metres, seconds, text_list, text_table
from usv_energy.studies.check.boat_check import BatteryCurve, BoatCheck, Bollard, FullThrottle, SpeedCurves
from usv_energy.studies.check.turning_circle import DIFFERENCE, MOMENT, THROTTLE, Stop, TurningCircles
from usv_energy.studies.plan.steady_range import SLOWER_IS_BETTER, WORDS

TITLES = {CAUTION: 'What it is not for:', LACKS: 'What the file leaves out:', ASSUMED: 'What is assumed:',
          CORRECTED: 'What follows from a correction, not from measurements:'}
TURNS_SHOWN = (0.1, 0.25, 0.5, 0.75, 1.0)  # shares of TurningCircles that the table shows
SIGNS = {'minimum': '>=', 'exclusiveMinimum': '>', 'maximum': '<=', 'exclusiveMaximum': '<'}
HEAD = ('number', 'unit', 'limits', 'left out', 'meaning')
SHIPPED_KEYS = {'scenarios': ('title', 'boat'), 'boats': ('description',), 'sensors': ('kind', 'description')}
# The other kinds of shipped files, which are listed by their names alone.
LISTED_ALONE = {'thrusters': ('description',), 'batteries': ('description',), 'columns': ('title',),
                'flows': ('medium', 'title'), 'teams': ('title',), 'sweeps': ('title',), 'maneuvers': ('title',),
                'modems': ('description',), 'quadcopters': ('description',)}
LISTED = (*SHIPPED_KEYS, *LISTED_ALONE)

Entries = dict[str, list[dict[str, str]]]


def boat_check_figures(check: BoatCheck) -> dict[str, Any]:
    """Return the figures for JSON: units in the keys, None for NaN."""
    best = check.best
    with_best = best is not None and best.kind != SLOWER_IS_BETTER and math.isfinite(best.speed)
    return without_nan({
        'boat': check.boat.name, 'file': str(check.boat.path), 'kind': check.kind,
        'known_by_power_curve': check.boat.power_curve is not None,
        'thrusters': len(check.boat.vessel.thrusters), 'foils': len(check.boat.vessel.foils),
        'top_speed_ahead_m_s': check.top_ahead, 'top_speed_astern_m_s': check.top_astern,
        'bollard_ahead': _bollard(check.bollard_ahead), 'bollard_astern': _bollard(check.bollard_astern),
        'cheapest_speed': None if best is None else {
            'note': WORDS[best.kind], 'speed_m_s': best.speed if with_best else math.nan,
            'power_w': best.power if with_best else math.nan,
            'endurance_h': best.endurance / 3600.0 if with_best else math.nan,
            'range_m': best.range if with_best else math.nan},
        'over_speed': _rows(check.table), 'curves': _rows(check.curves),
        'turning_circle': None if check.turning is None else _turning(check.turning),
        'coasting': None if check.coasting is None else _stop(check.coasting),
        'full_astern': None if check.crash_stop is None else _stop(check.crash_stop),
        'battery_discharges': [_discharge(curve) for curve in check.battery],
        'full_throttle_by_charge': _throttle(check.throttle),
        'full_throttle_by_sheet': [{
            'voltage_v': point.voltage, 'state_of_charge': point.charge, 'bollard_n': point.bollard,
            'speed_m_s': point.speed, 'power_w': point.power} for point in check.sheets],
        'lacks_for_range': lacks_for_range(check.boat),
        'remarks': [remark._asdict() for remark in check.remarks]})


def _throttle(found: FullThrottle | None) -> list[dict[str, float]]:
    """Return the discharge at full throttle, at round charges and at its end."""
    if found is None or not found.time.size:
        return []
    steps = [int(np.argmin(abs(found.charge - charge))) for charge in np.linspace(1.0, 0.1, 10)]
    return [{'state_of_charge': float(found.charge[step]), 'time_s': float(found.time[step]),
             'voltage_v': float(found.voltage[step]), 'current_a': float(found.current[step]),
             'bollard_n': float(found.bollard[step]), 'speed_m_s': float(found.speed[step]),
             'power_w': float(found.power[step])} for step in sorted({*steps, found.time.size - 1})]


def _discharge(curve: BatteryCurve) -> dict[str, float]:
    course = curve.course
    return {'current_a': curve.current, 'ambient_degc': curve.ambient - 273.15, 'charge_ah': curve.charge / 3600.0,
            'energy_wh': float(course.energy[-1]) / 3600.0, 'time_h': float(course.time[-1]) / 3600.0,
            'voltage_begin_v': float(course.voltage[0]), 'voltage_end_v': float(course.voltage[-1]),
            'warmest_degc': float(course.temperature.max()) - 273.15}


def _bollard(bollard: Bollard) -> dict[str, float]:
    return {'thrust_n': bollard.thrust + 0.0, 'power_w': bollard.power}


def _rows(curves: SpeedCurves) -> list[dict[str, float]]:
    keys = ('speed_m_s', 'drag_n', 'available_thrust_n', 'power_w')
    return [dict(zip(keys, row)) for row in zip(*(values.tolist() for values in curves))]


def _turning(turning: TurningCircles) -> dict[str, Any]:
    keys = ('share', 'speed_m_s', 'radius_m', 'rate_deg_s', 'drift_deg')
    degrees = 180.0 / math.pi
    columns = (turning.share, turning.speed, turning.radius, degrees * turning.rate, degrees * turning.drift)
    return {'varied': turning.by, 'angles_deg': [degrees * angle for angle in turning.angles],
            'circles': [dict(zip(keys, row)) for row in zip(*(values.tolist() for values in columns))]}


def _stop(stop: Stop) -> dict[str, float]:
    return {'from_m_s': stop.begin, 'to_m_s': stop.end, 'time_s': stop.time, 'way_m': stop.way}


def boat_check_text(figures: dict[str, Any]) -> str:
    """Return the figures of `boat_check_figures` as text: facts, tables, and what the file lacks."""
    lines = [f'{figures["boat"]}: {figures["kind"]}', '', *text_table(list(_facts(figures)))]
    for part in (_speed_table(figures['over_speed']), _turning_table(figures['turning_circle']),
                 _battery_table(figures.get('battery_discharges', [])),
                 _throttle_table(figures.get('full_throttle_by_charge', []),
                                 figures.get('full_throttle_by_sheet', []))):
        lines += ['', *part] if part else []
    for kind, title in TITLES.items():
        lines += text_list(title, (f'{remark["key"]}: {remark["text"]}' for remark in figures['remarks']
                                   if remark['kind'] == kind))
    return '\n'.join(lines)


def _facts(figures: dict[str, Any]) -> list[tuple[str, str]]:
    if not figures['thrusters']:
        return [('Top speed', 'that of its sails in the wind, which usv-energy map polar has; it has no thrusters')]
    facts = [('Top speed', _speeds(figures))]
    if not figures['known_by_power_curve']:
        pulls = (_pull(figures[f'bollard_{way}']) for way in ('ahead', 'astern'))
        facts.append(('Bollard pull', ' ahead, '.join(pulls) + ' astern'))
    if (best := figures['cheapest_speed']) is not None:
        words = f'none; {best["note"]}' if best['speed_m_s'] is None else (
            f'{best["speed_m_s"]:.3f} m/s, {best["power_w"]:.2f} W: range {metres(best["range_m"])}, endurance '
            f'{seconds(3600.0 * best["endurance_h"])}; {best["note"]}')
        facts.append(('Cheapest speed', words))
    if figures.get('lacks_for_range'):
        facts.append(('Range', figures['lacks_for_range']))
    for name, key, words in (('Coasting', 'coasting', 'with thrusters off'),
                             ('Stopping', 'full_astern', 'with all thrust astern')):
        if (stop := figures[key]) is not None:
            way = 'it does not within the time that is looked at' if stop['time_s'] is None else (
                f'{stop["time_s"]:.2f} s, {stop["way_m"]:.2f} m')
            facts.append((name, f'from {stop["from_m_s"]:.3f} to {stop["to_m_s"]:.3f} m/s {words}: {way}'))
    return facts


def _speeds(figures: dict[str, Any]) -> str:
    ahead, astern = figures['top_speed_ahead_m_s'], figures['top_speed_astern_m_s']
    if figures['known_by_power_curve']:
        return f'{ahead:.3f} m/s, the fastest of its table'
    if ahead is None:
        return 'none: its thrusters hold no straight course in still water'
    return f'{ahead:.3f} m/s ahead, ' + ('none astern' if astern is None else f'{astern:.3f} m/s astern')


def _pull(bollard: dict[str, Any]) -> str:
    power = '' if bollard['power_w'] is None else f' for {bollard["power_w"]:.1f} W'
    return f'{abs(bollard["thrust_n"]):.2f} N{power}'


def _speed_table(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    if all(row['drag_n'] is None for row in rows):
        return text_table([('speed, m/s', 'electrical power, W'),
                           *((fixed(row['speed_m_s'], 3), fixed(row['power_w'])) for row in rows)], 'r')
    head = ('speed, m/s', 'drag, N', 'available thrust, N', 'electrical power, W')
    return text_table([head, *((fixed(row['speed_m_s'], 3), fixed(row['drag_n']), fixed(row['available_thrust_n']),
                                fixed(row['power_w'])) for row in rows)], 'r')


def _battery_table(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    head = ('current, A', 'around it, degC', 'charge, Ah', 'energy, Wh', 'time, h', 'voltage, V', 'warmest, degC')
    return ['The battery from full until its cutoff, at constant currents:', *text_table([head, *(
        (fixed(row['current_a']), fixed(row['ambient_degc'], 0), fixed(row['charge_ah']), fixed(row['energy_wh'], 1),
         fixed(row['time_h']), f'{row["voltage_begin_v"]:.2f} to {row["voltage_end_v"]:.2f}',
         fixed(row['warmest_degc'], 1)) for row in rows)], 'r')]


def _throttle_table(rows: list[dict[str, Any]], sheets: list[dict[str, float]]) -> list[str]:
    if not rows:
        return []
    head = ('charge, %', 'after, min', 'V', 'A', 'standstill, N', 'top speed, m/s', 'power, W')
    return ['Full throttle by charge, the thrusters at the voltage under load:', *text_table([head, *(
        (f'{100.0 * row["state_of_charge"]:.0f}', f'{row["time_s"] / 60.0:.1f}', f'{row["voltage_v"]:.2f}',
         f'{row["current_a"]:.1f}', f'{row["bollard_n"]:.1f}', f'{row["speed_m_s"]:.2f}', f'{row["power_w"]:.0f}')
        for row in rows)], 'r', rule=True), *(
            f"By the maker's sheet at {one['voltage_v']:g} V, {_passed(one['state_of_charge'])}: "
            f'{one["bollard_n"]:.1f} N, {one["speed_m_s"]:.2f} m/s, {one["power_w"]:.0f} W' for one in sheets)]


def _passed(charge: float | None) -> str:
    """Return at which charge, (-), full throttle passes a voltage, in words; None or NaN: never under that load."""
    known = charge is not None and math.isfinite(charge)
    return f'passed at {100.0 * (charge or 0.0):.0f} % charge' if known else 'which the pack has at less load only'


def _turning_table(turning: dict[str, Any] | None) -> list[str]:
    if turning is None:
        return []
    angles = ', '.join(f'{angle:.0f}' for angle in turning['angles_deg'])
    title = {THROTTLE: f'Steady turns to port at full angle ({angles} deg), by share of the throttle:',
             DIFFERENCE: 'Steady turns to port, by share of the largest thrust difference, with all the thrust left:',
             MOMENT: 'Steady turns to port, by share of the largest yaw moment, with all the thrust left:'}
    shown = [row for row in turning['circles'] if any(math.isclose(row['share'], share) for share in TURNS_SHOWN)]
    head = ('share', 'speed, m/s', 'radius, m', 'yaw rate, deg/s', 'drift, deg')
    return [title[turning['varied']], *text_table([head, *(
        (fixed(row['share']), fixed(row['speed_m_s'], 3), fixed(row['radius_m']), fixed(row['rate_deg_s']),
         fixed(row['drift_deg'], 1)) for row in shown)], 'r')]


def boat_number_rows() -> list[dict[str, Any]]:
    """Return the numbers of a boat file for JSON: path, unit, limits, default, meaning."""
    return [{'path': path, 'unit': row.unit, 'limits': dict(row.limits), 'required': row.required,
             'default': row.default, 'meaning': row.meaning} for path, row in BOAT_NUMBERS.items()]


def boat_number_text() -> str:
    """Return the numbers of a boat file as a text table."""
    rows = [HEAD]
    for path, row in BOAT_NUMBERS.items():
        limits = ', '.join(f'{SIGNS[name]} {limit:g}' for name, limit in row.limits.items())
        left_out = 'required' if row.required else '-' if row.default is None else f'{row.default:g}'
        rows.append((path, row.unit, limits or 'any', left_out, row.meaning))
    return '\n'.join(text_table(rows))


def inertia_text(inertia: Inertia, given: Mapping[str, float]) -> str:
    """Return an estimated inertia as a part of a boat file; `given`: the inputs of the estimate by name, in SI."""
    of = ', '.join(f'{name.replace("_", " ")} {value:g}' for name, value in given.items())
    lines = [f'# Estimated by usv-energy estimate-mass, in SI: {of}', 'inertia:']
    for name, equation in (('m11', '5.1'), ('m22', '5.2'), ('m33', '5.3')):
        value, unit = getattr(inertia, name), BOAT_NUMBERS[f'inertia.{name}'].unit
        source = f'estimated after Touzout (2021), ({equation})'
        lines.append(f'  {name}: {{value: {value:.5g}, unit: {unit}, source: "{source}"}}')
    return '\n'.join(lines)


def shipped_entries(kind: str | None = None) -> Entries:
    """
    Return the names of the shipped files by kind, with some of their keys; the files are not checked.

    :param kind: One of LISTED; None: those of SHIPPED_KEYS.
    """
    wanted = SHIPPED_KEYS if kind is None else {kind: {**SHIPPED_KEYS, **LISTED_ALONE}[kind]}
    return {one: [_entry(one, name, keys) for name in names(one)] for one, keys in wanted.items()}


def _entry(kind: str, name: str, keys: tuple[str, ...]) -> dict[str, str]:
    document = read_with_base(kind, resolve(kind, name))
    return {'name': name, **{key: str(document.get(key, '')) for key in keys}}


def shipped_text(entries: Entries) -> str:
    """Return the lists as text."""
    blocks = [[kind.capitalize(), *text_table([list(entry.values()) for entry in rows], indent='  ')]
              for kind, rows in entries.items()]
    return '\n\n'.join('\n'.join(block) for block in blocks)
