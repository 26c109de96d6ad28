"""A boat with another battery, as its label says (`148Wh`, `4S18Ah`, `12V 100Ah AGM`), charge or hotel load."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.boats.battery_sheet import counter_of
from usv_energy.boats.boat_file import Boat, battery_from
from usv_energy.boats.cell_file import read_cell
from usv_energy.files.errors import InputError
from usv_energy.show.text_table import formatted

NUMBER = r'(\d+(?:[.,]\d+)?)'
CHEMISTRIES = {**dict.fromkeys(('lipo', 'li-po', 'li-ion', 'liion', 'lithium-ion', 'nmc', 'nca'), 'nmc'),
               **dict.fromkeys(('lifepo4', 'lfp'), 'lfp'), 'lto': 'lto',
               **dict.fromkeys(('agm', 'lead', 'lead-acid'), 'agm')}
LABELLED_CELL = 3.7     # V: at which the cells of a lithium-ion pack without a named chemistry are labelled
UNKNOWN_VOLTAGE = 12.0  # V, of a battery that is known by its Wh alone: it changes no watt-hour
HOW = 'as 148Wh, 4S18Ah, 14.8V 18Ah or 12V 100Ah AGM'


class BatteryLabel(NamedTuple):
    """A battery as the entry of a boat's file, and how its label was understood, in words."""

    entry: dict[str, Any]
    words: str


def battery_label(text: str, name: str) -> BatteryLabel:
    """
    Return the battery of a label.

    With a named chemistry it is cells, else a counter of watt-hours. It is full at the start.

    :param text: The label; `2x` before it says that there are two in parallel.
    :param name: Of the option or key, for errors.
    :raises InputError: If it is none, or has two readings, which are given.
    """
    plain, number = _taken(rf'^{NUMBER}\s*[x×]\s*', ' '.join(text.lower().split()))
    plain, chemistry = _taken_chemistry(plain)
    plain, energy = _taken(rf'{NUMBER}\s*(k?wh)\b', plain)
    plain, charge = _taken(rf'{NUMBER}\s*(m?ah)\b', plain)
    plain, series = _taken(rf'{NUMBER}\s*s(?:eries)?(?![a-z])', plain)
    plain, strings = _taken(rf'{NUMBER}\s*p(?![a-z])', plain)
    plain, volts = _taken(rf'{NUMBER}\s*v(?:olts?)?\b', plain)
    if plain.strip(' ,') or (energy is None and charge is None):
        of_file = '; a file is read by `usv-energy identify battery`' if re.search(r'\.[a-z]{3,4}$', plain) else ''
        raise InputError(f'{name} is {text!r}; must be the label of a battery, {HOW}{of_file}')
    if strings is not None and strings > 1.0 and charge is not None and energy is None:
        raise InputError(f'{name} is {text!r}: {charge:g} Ah are of the pack or of each of its {strings:g} strings; '
                         f'say `{series or 1:g}S{charge:g}Ah` or `{series or 1:g}S{strings * charge:g}Ah`')
    for what, value in (('the energy', energy), ('the charge', charge), ('the number of cells', series),
                        ('the voltage', volts), ('the number of batteries', number)):
        if value is not None and not value > 0.0:
            raise InputError(f'{name} is {text!r}: {what} is 0; must be greater')
    times = number or 1.0
    if chemistry is not None and (series or volts):
        return _cells(chemistry, series, volts, energy, charge, times)
    if energy is None:
        assert charge is not None
        nominal = volts or (LABELLED_CELL * series if series else None)
        if nominal is None:
            raise InputError(f'{name} is {text!r}: {charge:g} Ah at which voltage? must be {HOW}')
        energy = nominal * charge
        how = f'{charge:g} Ah at {formatted(nominal, ".4g")} V'
        how += '' if volts else f', {series:g} cells of {LABELLED_CELL} V'
    else:
        nominal, how = volts or (LABELLED_CELL * series if series else None), ''
    entry: dict[str, Any] = {'capacity_wh': times * energy, 'nominal_voltage': nominal or UNKNOWN_VOLTAGE,
                             'initial_state_of_charge': 1.0}
    how = f'{times:g} times {how or f"{energy:g} Wh"}' if times != 1.0 else how
    whole = formatted(times * energy, '.4g')
    return BatteryLabel(entry, f'{whole} Wh{f" ({how})" if how else ""}, a counter of watt-hours')


def _cells(chemistry: str, series: float | None, volts: float | None, energy: float | None, charge: float | None,
           times: float) -> BatteryLabel:
    """Return a pack of cells of a named chemistry, whose number in series follows from the voltage, if need be."""
    cell = read_cell(chemistry, Path())
    number = series or max(1.0, float(round((volts or 0.0) / cell.known('nominal_voltage'))))
    entry: dict[str, Any] = {'chemistry': chemistry, 'series': number, 'initial_state_of_charge': 1.0}
    entry |= {} if energy is None else {'capacity_wh': times * energy}
    entry |= {} if charge is None else {'capacity_ah': times * charge}
    rated = ', '.join(words for words in ('' if charge is None else f'{times * charge:g} Ah',
                                          '' if energy is None else f'{times * energy:g} Wh') if words)
    return BatteryLabel(entry, f'{number:g} cells ({chemistry}) in series, {rated}')


def _taken(pattern: str, text: str) -> tuple[str, float | None]:
    """Return a text without the first match of a pattern, and its number in Wh, Ah, V or (-); None without."""
    found = re.search(pattern, text)
    if found is None:
        return text, None
    unit = found[2] if len(found.groups()) > 1 else ''
    factor = {'kwh': 1000.0, 'mah': 0.001}.get(unit, 1.0)
    return f'{text[:found.start()]} {text[found.end():]}', factor * float(found[1].replace(',', '.'))


def _taken_chemistry(text: str) -> tuple[str, str | None]:
    for word in sorted(CHEMISTRIES, key=len, reverse=True):
        without, count = re.subn(rf'(?<![a-z]){re.escape(word)}(?![a-z0-9])', ' ', text)
        if count:
            return without, CHEMISTRIES[word]
    return text, None


def with_battery(boat: Boat, label: BatteryLabel) -> Boat:
    """Return a boat with the battery of a label, full; InputError if no battery can be as it says."""
    sheet = battery_from(label.entry, boat.path)
    return replace(boat, battery=counter_of(sheet), battery_sheet=sheet)


def with_charge(boat: Boat, charge: float | None) -> Boat:
    """Return a boat whose battery begins with a state of charge, (-); the boat itself for None."""
    if charge is None:
        return boat
    if boat.battery is None:
        raise InputError(f'{boat.path}: has no battery; --charge goes with one, which --battery gives')
    sheet = boat.battery_sheet
    return replace(boat, battery=boat.battery._replace(initial_state_of_charge=charge),
                   battery_sheet=sheet and sheet._replace(initial_state_of_charge=charge))


def with_static_load(boat: Boat, load: float | None) -> Boat:
    """Return a boat with another hotel load, W, `static_load` of its file; the boat itself for None."""
    return boat if load is None else replace(boat, vessel=boat.vessel._replace(static_load=load))
