"""Read a quadcopter's file, which is shipped in config/quadcopters or a user's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from usv_energy.air.quadcopter import GRAVITY, Quadcopter
from usv_energy.boats.battery_sheet import BatterySheet, counter_of, pack_of
from usv_energy.boats.boat_file import battery_from
from usv_energy.boats.cell_file import KELVIN
from usv_energy.boats.numbers import boat_schema
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.batteries.cell import JOULES_PER_WH

ROTORS = 4


def read_quadcopter(name: str, beside: Path | None = None) -> Quadcopter:
    """
    Return a quadcopter by its name in config/quadcopters or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('quadcopters', name, beside)
    document = read_yaml(path)
    checked.check(document, 'quadcopter', path)
    given: dict[str, Any] = {key: float(value) for key, value in checked.values_of(document['quadcopter']).items()}
    inertia = (given.pop('inertia_x'), given.pop('inertia_y'), given.pop('inertia_z'))
    if ('battery' in document) == ('battery_wh' in given):
        raise InputError(f'{path}: gives battery and quadcopter.battery_wh, or neither; must give one: cells '
                         '(docs/batteries.md), or watt-hours alone')
    battery = (_battery(document, path) if 'battery' in document else
               {'battery': JOULES_PER_WH * given.pop('battery_wh')})
    weight, lift = given['mass'] * GRAVITY, ROTORS * given['most_thrust']
    if lift <= 1.2 * weight:
        raise InputError(f'{path}: quadcopter.most_thrust is {given["most_thrust"]:g} N; four rotors must lift 1.2 '
                         f'times its weight of {weight:.2f} N at least, to be steered')
    return Quadcopter(document['name'], inertia=inertia, **battery, **given)


def _battery(document: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return the fields of a Quadcopter for the file's `battery`, which has the form of that in a boat file."""
    checked.check({'battery': document['battery']}, _battery_schema, path)
    sheet: BatterySheet = battery_from(checked.values_of(document['battery']), path)
    counter, pack = counter_of(sheet), pack_of(sheet)
    if pack is None:
        return {'battery': JOULES_PER_WH * counter.capacity_wh}
    ambient = pack.cell.reference_temperature if sheet.ambient_degc is None else KELVIN + sheet.ambient_degc
    return {'battery': JOULES_PER_WH * counter.capacity_wh, 'pack': pack, 'ambient': float(ambient),
            'nominal_voltage': counter.nominal_voltage}


def _battery_schema() -> dict[str, Any]:
    whole = boat_schema()
    return {'type': 'object', 'properties': {'battery': whole['properties']['battery']}, '$defs': whole['$defs']}
