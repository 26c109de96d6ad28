"""
What `usv-energy boat make` says of boats with public tables of speed and power, and of boats with a data sheet alone.

    ./run shell python3 bench/boat_make.py

prints the two tables of docs/hulls.md. Each table is calibrated at one of its rows in turn, the middle one and the last
but one, and its other rows are then predicted; so by quadratic drag with one efficiency ("parabola").
"""

from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.uncertain_numbers import NORMAL_95
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.hull_resistance import froude_number
from usv_energy.show.text_table import percent
from usv_energy.studies.make.boat_facts import facts_from
from usv_energy.studies.make.made_boat import MadeBoat, made_boat

PUBLIC = read_yaml(Path(__file__).with_name('public_boats.yaml'))


def made(name: str, facts: dict[str, Any]) -> MadeBoat:
    """Return the boat of some facts."""
    return made_boat(facts_from({'name': name, **facts}, Path(f'{name}.yaml')), {})


def interval(boat: MadeBoat, speed: float) -> tuple[float, float, float]:
    """Return the power at a speed, m/s, and the ends of its 95 % interval, W."""
    at = np.array([speed])
    power, doubt = float(boat.fit.power(at)[0]), float(boat.fit.doubt(at)[0])
    return power, power * np.exp(-NORMAL_95 * doubt), power * np.exp(NORMAL_95 * doubt)


def table_rows(name: str, table: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the rows of one boat's table: what is predicted of each row from one that is given."""
    rows = table['rows']
    found: list[tuple[str, ...]] = []
    places = sorted({len(rows) // 2, len(rows) - 2})
    for place in [None] if name == 'blueboat' else places:
        facts = dict(table['facts'])
        facts['top_speed'] = 3.0 if place is None else rows[-1][0]
        if place is not None:
            facts['speeds'] = [rows[place]]
        boat = made(name, facts)
        for number, (speed, power) in enumerate(rows):
            if number == place:
                continue
            here, low, high = interval(boat, speed)
            plain = '-' if place is None else percent(
                rows[place][1] * (speed / rows[place][0]) ** 3 / power - 1.0, 0)
            found.append((name, table['set'], 'data sheet' if place is None else f'{rows[place][0]:.2f} m/s',
                          f'{speed:.2f}', f'{froude_number(speed, boat.form.length):.2f}', f'{power:g}', f'{here:.0f}',
                          percent(here / power - 1.0, 0), f'{low:.0f} to {high:.0f}',
                          'yes' if low <= power <= high else 'no', plain))
    return found


def main() -> None:
    """Print both tables."""
    head = ('boat', 'set', 'calibrated at', 'm/s', 'Froude', 'W', 'made, W', 'error', '95 %, W', 'held', 'parabola')
    rows = [row for name, table in PUBLIC['tables'].items() for row in table_rows(name, table)]
    print_table(head, rows)
    held = sum(row[9] == 'yes' for row in rows)
    print(f'\n{held} of {len(rows)} within the interval\n')
    promises: list[tuple[str, ...]] = []
    for name, sheet in PUBLIC['sheets'].items():
        boat, speed = made(name, sheet['facts']), sheet['promised']['speed']
        power, low, high = interval(boat, speed)
        battery = boat.document.get('battery', {})
        energy = battery.get('capacity_wh')
        hours = '-' if energy is None else f'{energy / high:.1f} to {energy / low:.1f}'
        said = sheet['promised'].get('hours'), sheet['promised'].get('watts')
        promised = f'{said[0]:g} h' if said[0] else f'{said[1]:g} W' if said[1] else '-'
        promises.append((name, f'{speed:.2f}', f'{power:.0f}', f'{low:.0f} to {high:.0f}', hours, promised))
    print_table(('boat', 'm/s', 'made, W', '95 %, W', 'made, h', 'promised'), promises)


def print_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print rows as a table of Markdown."""
    for row in (head, ('---',) * len(head), *rows):
        print(f'| {" | ".join(row)} |')


if __name__ == '__main__':
    main()
