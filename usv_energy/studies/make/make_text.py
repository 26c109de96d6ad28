"""A boat made from facts as text: its numbers by origin, its power, and what one measurement more would tell."""

import math
from typing import Any

import numpy as np

from usv_energy.boats.uncertain_numbers import NORMAL_95
from usv_energy.files.text_file import without_nan
from usv_energy.physics.hull_resistance import froude_number, wave_source
from usv_energy.show.text_table import text_table
from usv_energy.studies.make.boat_facts import DERIVED, GUESSED, MEASURED
from usv_energy.studies.make.made_boat import MadeBoat

TITLES = {MEASURED: 'Measured, as given:', DERIVED: 'Derived:', GUESSED: 'Guessed:'}


def make_figures(made: MadeBoat) -> dict[str, Any]:
    """Return the made boat for JSON: units in the keys, None for NaN."""
    power, low, high = _powers(made)
    return without_nan({
        'boat': made.facts.name, 'waves': wave_source(made.form),
        'factors_on_theory': dict(zip(('friction', 'waves', 'drive'), made.fit.factors.tolist())),
        'power': [{'speed_m_s': speed, 'froude': float(froude_number(speed, made.form.length)), 'power_w': middle,
                   'power_low_w': least, 'power_high_w': most} for speed, middle, least, most in zip(
                       made.speeds.tolist(), power.tolist(), low.tolist(), high.tolist())],
        'numbers': [{'number': name, 'value': number.value, 'std': std or math.nan, 'how': number.how,
                     'source': number.words} for name, number, std in _numbers(made)],
        'doubt_in_power': float(np.mean(made.fit.doubt(made.speeds))),
        'measurements': [{'what': name, 'doubt_in_power': left} for name, left in made.next]})


def curve_figures(made: MadeBoat, number: int = 60) -> list[dict[str, float]]:
    """Return the power over speed and its 95 % interval as `make_figures` does, at more speeds, up to the fastest."""
    speeds = np.linspace(made.fit.theory.speed[0], made.speeds[-1], number)
    return [{'speed_m_s': speed, 'power_w': middle, 'power_low_w': low, 'power_high_w': high}
            for speed, middle, low, high in zip(speeds.tolist(), *(row.tolist() for row in _powers(made, speeds)))]


def _powers(made: MadeBoat, speeds: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the power at speeds, by default the shown ones, W, and the ends of its 95 % interval."""
    speeds = made.speeds if speeds is None else speeds
    power, doubt = made.fit.power(speeds), made.fit.doubt(speeds)
    return power, power * np.exp(-NORMAL_95 * doubt), power * np.exp(NORMAL_95 * doubt)


def _numbers(made: MadeBoat) -> list[tuple[str, Any, float]]:
    """Return names, origins and standard deviations of the boat's numbers, those of its shape and drive included."""
    shape = [(f'hull, {name}', number, 0.0) for name, number in made.shape.items()]
    drive = [(f'thruster, {name}', number, 0.0) for name, number in made.drive.origins.items()]
    return shape + drive + [(path, number, std) for path, (number, std) in made.origins.items()]


def make_text(made: MadeBoat) -> str:
    """Return the made boat as lines."""
    power, low, high = _powers(made)
    lines = [f'{made.facts.name}: {made.facts.displacement:g} kg, {made.form.length:.3g} m on the water; waves by '
             f'{wave_source(made.form)}', '']
    head = ('speed, m/s', 'Froude', 'power, W', '95 %, W')
    lines += text_table([head, *(
        (f'{speed:.2f}', f'{froude_number(speed, made.form.length):.2f}', f'{middle:.0f}', f'{least:.0f} to {most:.0f}')
        for speed, middle, least, most in zip(made.speeds, power, low, high))], 'r', rule=True)
    for how, title in TITLES.items():
        rows = [(f'  {name}', f'{number.value:.4g}', f'+- {std:.2g}' if std else '', number.words)
                for name, number, std in _numbers(made) if number.how == how]
        lines += ['', title, *text_table(rows)] if rows else []
    doubt = float(np.mean(made.fit.doubt(made.speeds)))
    lines += ['', f'The power is known to {100.0 * doubt:.0f} % (one standard deviation). One measurement more would '
              'leave:', *text_table([(f'  {100.0 * left:.0f} %', name) for name, left in made.next])]
    return '\n'.join(lines)
