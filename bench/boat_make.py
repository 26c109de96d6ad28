"""
What `usv-energy boat make` says of boats with public tables of speed and power, and of boats with a data sheet alone.

    ./run shell python3 bench/boat_make.py

prints the tables of docs/hulls.md, with --json all figures. Each table is calibrated at one of its rows in turn, the
middle one and the last but one, and its other rows are then predicted by the boat file as written, as `range` has it;
so by quadratic drag with one efficiency ("parabola"). The scatter of a table is what its own rows differ by from a
curve, a parabola in logarithms, through all of them. That curve, set to the row of the calibration, says what a method
could reach that knew its shape ("by the curve"). The last table compares this with a calibration at the fastest row,
and at two rows at once.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import boat_from
from usv_energy.boats.boat_values import NORMAL_95
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.hull_resistance import froude_number
from usv_energy.physics.motion import STILL
from usv_energy.show.text_table import percent
from usv_energy.studies.make.boat_facts import facts_from
from usv_energy.studies.make.made_boat import MadeBoat, made_boat
from usv_energy.studies.plan.steady_motion import steady_state

PUBLIC = read_yaml(Path(__file__).with_name('public_boats.yaml'))


def made(name: str, facts: dict[str, Any]) -> MadeBoat:
    """Return the boat of some facts."""
    return made_boat(facts_from({'name': name, **facts}, Path(f'{name}.yaml')), {})


def interval(boat: MadeBoat, speed: float) -> tuple[float, float, float]:
    """Return the power of the boat's file at a speed, m/s, and the ends of its 95 % interval, W; NaN if not held."""
    state = steady_state(boat_from(boat.document, boat.facts.path).vessel, 0.0, speed, STILL)
    power, doubt = float(state.power.total), float(boat.fit.doubt(np.array([speed]))[0])
    power = power if bool(state.feasible) else np.nan
    return power, power * np.exp(-NORMAL_95 * doubt), power * np.exp(NORMAL_95 * doubt)


def calibrations(number: int) -> dict[str, tuple[int, ...]]:
    """Return the places of the rows that a table of a number of rows is calibrated at, by name."""
    slow = 1 if number > 4 else 0       # The slowest row of a long table is often near the idling of the motor.
    return {'middle': (number // 2,), 'last but one': (number - 2,), 'fastest': (number - 1,),
            'slow and fastest': (slow, number - 1), 'slow and middle': (slow, number // 2)}


def table_rows(name: str, table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is predicted of each row of one boat's table from those that are given, or from its data sheet."""
    rows, found = table['rows'], []
    left = from_curve(rows)
    for calibration, places in {'data sheet': ()}.items() if name == 'blueboat' else calibrations(len(rows)).items():
        if calibration == 'last but one' and places == calibrations(len(rows))['middle']:
            continue
        given = [rows[place] for place in places]
        top = 3.0 if not given else max(speed for speed, _ in rows)
        boat = made(name, {**table['facts'], 'top_speed': top, **({'speeds': given} if given else {})})
        for number, (speed, power) in enumerate(rows):
            if number not in places:
                here, low, high = interval(boat, speed)
                found.append({
                    'boat': name, 'set': table['set'], 'calibration': calibration, 'calibrated_at_m_s': [
                        at for at, _ in given], 'speed_m_s': speed, 'power_w': power,
                    'froude': float(froude_number(speed, boat.form.length)), 'made_w': here,
                    'error': here / power - 1.0, 'low_w': low, 'high_w': high, 'held': bool(low <= power <= high),
                    'parabola': given[0][1] * (speed / given[0][0]) ** 3 / power - 1.0 if len(given) == 1 else None,
                    'curve': float(np.exp(left[places[0]] - left[number])) - 1.0 if len(given) == 1 else None})
    return found


def sheet_row(name: str, sheet: dict[str, Any]) -> dict[str, Any]:
    """Return what is made of a data sheet, and what its source promises."""
    boat, speed = made(name, sheet['facts']), sheet['promised']['speed']
    power, low, high = interval(boat, speed)
    energy = boat.origins['battery.capacity_wh'][0].value if 'battery' in sheet['facts'] else None
    return {'boat': name, 'speed_m_s': speed, 'made_w': power, 'low_w': low, 'high_w': high,
            'hours': None if energy is None else [energy / high, energy / low],
            'promised_hours': sheet['promised'].get('hours'), 'promised_w': sheet['promised'].get('watts'),
            'promised_words': sheet['promised'].get('words')}


def from_curve(rows: list[list[float]]) -> np.ndarray:
    """Return the logarithms of the powers less a parabola of the logarithm of the speed through them, (n,)."""
    speed, power = np.log(np.array(rows)).T
    return np.asarray(power - np.polyval(np.polyfit(speed, power, 2), speed))


def summary(rows: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Return of each boat, set or calibration how many predictions are close, and how many within the interval."""
    found = []
    for name in dict.fromkeys(row[key] for row in rows):
        some = [row for row in rows if row[key] == name]
        logs = np.log([row['made_w'] / row['power_w'] for row in some])
        one = {key: name, 'rows': len(some), 'held': sum(row['held'] for row in some),
               'rms_of_logarithm': float(np.sqrt(np.mean(logs ** 2))), 'curve_within_15_percent': sum(
                   row['curve'] is not None and abs(row['curve']) <= 0.15 for row in some),
               'up_to_froude_0.5': sum(row['froude'] <= 0.5 for row in some), 'within_15_percent_to_froude_0.5': sum(
                   row['froude'] <= 0.5 and abs(row['error']) <= 0.15 for row in some),
               **{f'within_{share}_percent': sum(abs(row['error']) <= 0.01 * share for row in some)
                  for share in (15, 25)}}
        if key == 'boat':
            left = from_curve(PUBLIC['tables'][name]['rows'])
            one['scatter'] = float(np.sqrt(left @ left / (left.size - 3)))
        found.append(one)
    return found


def main() -> None:
    """Print the tables, or all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--json', action='store_true', help='all figures as JSON')
    as_json = parser.parse_args().json
    rows = [row for name, table in PUBLIC['tables'].items() for row in table_rows(name, table)]
    once = [row for row in rows if row['calibration'] in ('middle', 'last but one', 'data sheet')]
    sums = {'boat': once, 'set': once, 'calibration': rows}
    sheets = [sheet_row(name, sheet) for name, sheet in PUBLIC['sheets'].items()]
    if as_json:
        print(json.dumps({'tables': rows, 'summary': [one for key, some in sums.items() for one in summary(some, key)],
                          'sheets': sheets}, indent=1))
        return
    head = ('boat', 'set', 'calibrated at', 'm/s', 'Froude', 'W', 'made, W', 'error', '95 %, W', 'held', 'parabola')
    print_table(head, [
        (row['boat'], row['set'], ' and '.join(f'{at:.2f}' for at in row['calibrated_at_m_s']) or 'data sheet',
         f'{row["speed_m_s"]:.2f}', f'{row["froude"]:.2f}', f'{row["power_w"]:g}', f'{row["made_w"]:.0f}',
         percent(row['error'], 0), f'{row["low_w"]:.0f} to {row["high_w"]:.0f}', 'yes' if row['held'] else 'no',
         '-' if row['parabola'] is None else percent(row['parabola'], 0)) for row in rows])
    for key, some in sums.items():
        print()
        print_table((key, 'rows', 'within 15 %', 'so up to Froude 0.5', 'by the curve', 'within 25 %',
                     'within the interval', 'rms', 'scatter'), [
            (one[key], str(one['rows']), str(one['within_15_percent']),
             f'{one["within_15_percent_to_froude_0.5"]} of {one["up_to_froude_0.5"]}',
             str(one['curve_within_15_percent']), str(one['within_25_percent']), str(one['held']),
             f'{100.0 * one["rms_of_logarithm"]:.0f} %', f'{100.0 * one["scatter"]:.0f} %' if 'scatter' in one else '-')
            for one in summary(some, key)])
    print()
    print_table(('boat', 'm/s', 'made, W', '95 %, W', 'made, h', 'promised'), [
        (one['boat'], f'{one["speed_m_s"]:.2f}', f'{one["made_w"]:.0f}', f'{one["low_w"]:.0f} to {one["high_w"]:.0f}',
         '-' if one['hours'] is None else '{:.1f} to {:.1f}'.format(*one['hours']),
         f'{one["promised_hours"]:g} h' if one['promised_hours'] else
         f'{one["promised_w"]:g} W' if one['promised_w'] else one['promised_words'] or '-') for one in sheets])


def print_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print rows as a table of Markdown."""
    for row in (head, ('---',) * len(head), *rows):
        print(f'| {" | ".join(row)} |')


if __name__ == '__main__':
    main()
