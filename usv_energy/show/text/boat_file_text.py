"""What may stand in a boat file, as a table, and an estimate of its inertia, as text to put into one."""

from collections.abc import Mapping
from typing import Any

from ...boats.numbers import BOAT_NUMBERS
from ...boats.vessel import Inertia
from ..text_table import text_table

SIGNS = {'minimum': '>=', 'exclusiveMinimum': '>', 'maximum': '<=', 'exclusiveMaximum': '<'}
HEAD = ('number', 'unit', 'limits', 'left out', 'meaning')


def boat_number_rows() -> list[dict[str, Any]]:
    """Return the numbers of a boat file for JSON: path, unit, limits, what they are where left out, meaning."""
    return [{'path': path, 'unit': row.unit, 'limits': dict(row.limits), 'required': row.required,
             'default': row.default, 'meaning': row.meaning} for path, row in BOAT_NUMBERS.items()]


def boat_number_text() -> str:
    """Return the numbers of a boat file as a table for people."""
    rows = [HEAD]
    for path, row in BOAT_NUMBERS.items():
        limits = ', '.join(f'{SIGNS[name]} {limit:g}' for name, limit in row.limits.items())
        left_out = 'required' if row.required else '-' if row.default is None else f'{row.default:g}'
        rows.append((path, row.unit, limits or 'any', left_out, row.meaning))
    return '\n'.join(text_table(rows))


def inertia_text(inertia: Inertia, given: Mapping[str, float]) -> str:
    """Return an estimated inertia as the part of a boat file; `given` is what it was estimated from, by name, in SI."""
    of = ', '.join(f'{name.replace("_", " ")} {value:g}' for name, value in given.items())
    lines = [f'# Estimated by usv-energy estimate-mass, in SI: {of}', 'inertia:']
    for name, equation in (('m11', '5.1'), ('m22', '5.2'), ('m33', '5.3')):
        value, unit = getattr(inertia, name), BOAT_NUMBERS[f'inertia.{name}'].unit
        source = f'estimated after Touzout (2021), ({equation})'
        lines.append(f'  {name}: {{value: {value:.5g}, unit: {unit}, source: "{source}"}}')
    return '\n'.join(lines)
