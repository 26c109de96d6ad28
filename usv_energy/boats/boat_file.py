"""A boat as its file in config/boats describes it, read and written: `Vessel`, name, hull, battery and more."""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from usv_energy.boats.battery_sheet import BatterySheet, check_sheet, counter_of, pack_of
from usv_energy.boats.cell_file import KELVIN, read_cell
from usv_energy.boats.checks import check_keys, check_places, check_vessel, with_arrangement
from usv_energy.boats.correlation import Correlation, correlation_from
from usv_energy.boats.load import LoadRule, load_from
from usv_energy.boats.numbers import BOAT_NUMBERS, boat_schema
from usv_energy.boats.parted_hull_file import Floating, HullPart, HullSheet, parted_hull_of, with_loads_on_parts
from usv_energy.boats.power_curve import PowerCurve, power_curve_from, with_vessel
from usv_energy.boats.sensor import Sensor, check_sensors, sensors_from
from usv_energy.boats.sname import with_sname
from usv_energy.boats.vessel import (
    Damping,
    Hull,
    Inertia,
    LogMeaning,
    Losses,
    Vessel,
    WaveMaking,
    Windage,
    meaning_from,
    with_payload,
)
from usv_energy.files import checked
from usv_energy.files.alike import Alike
from usv_energy.files.errors import Caution, InputError
from usv_energy.files.locate import resolve
from usv_energy.files.parsed_text import parsed_yaml
from usv_energy.files.text_file import write_text
from usv_energy.files.what_file import BOAT, refuse_other_file
from usv_energy.foils.foil import foil_from
from usv_energy.physics.batteries.cell import Battery, Pack
from usv_energy.physics.waves.added_resistance import WaveCoefficients
from usv_energy.show.text_table import formatted
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.pulse_curve import PulseCurve, curve_from
from usv_energy.thrusters.thruster import Azimuth, Thruster, with_shares

MOST_DIRECTION = 180.0  # deg, direction of following seas.


@dataclass(frozen=True, eq=False)
class Boat(Alike):
    """
    A boat as its file describes it.

    `vessel`: with the payload of `hull` on board, so its inertia is that of the file plus the payload's. `correlation`:
    of the errors of its numbers, None if not given. `propellers`: description of each thruster's propeller, None
    without. `pulse_curves`: thrust over pulse width of each thruster, None without. `power_curve`: of a boat that is
    described only by its power over speed; its `vessel` then has that power in steady motion and is not valid
    otherwise. `load_rules`: names of the vessel's loads, and what switches them beside time and speed. `sensors`: on
    board. `hull_sheet`: the parts of its hull as in the file, None without; the vessel's `parts` follow from it.
    `waves`: its added resistance in waves, None if not given. `log_meaning`: the meaning of thrust and heading in the
    logs that it was identified from, None if not given. `caution`: what its numbers are not for, empty if nothing.
    """

    name: str
    description: str
    path: Path
    vessel: Vessel
    hull: Hull
    thruster_names: tuple[str, ...]
    battery: Battery | None
    correlation: Correlation | None = None
    foil_names: tuple[str, ...] = ()
    propellers: tuple[DescribedPropeller | None, ...] = ()
    pulse_curves: tuple[PulseCurve | None, ...] = ()
    power_curve: PowerCurve | None = None
    battery_sheet: BatterySheet | None = None
    load_rules: tuple[LoadRule, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    hull_sheet: HullSheet | None = None
    waves: WaveCoefficients | None = None
    log_meaning: LogMeaning | None = None
    caution: str = ''

    def __repr__(self) -> str:
        """Return its name, mass, actuators, battery and file; the fields have all numbers."""
        battery = 'no battery' if self.battery is None else (
            f'{formatted(self.battery.capacity_wh, ".4g")} Wh{" of cells" if self.pack is not None else ""}')
        vessel = self.vessel
        return (f'<Boat {self.name}: {vessel.inertia.m11:.4g} kg with added mass, {len(vessel.thrusters)} thrusters, '
                f'{len(vessel.foils)} foils, {battery}, hotel load {vessel.static_load:g} W; {self.path}>')

    @property
    def pack(self) -> Pack | None:
        """The battery's cells; None without a battery, or if only watt-hours are known."""
        return None if self.battery is None or self.battery_sheet is None else pack_of(self.battery_sheet)

    @property
    def ambient(self) -> float:
        """The ambient temperature of the battery's cells, K, by default their reference; NaN without cells."""
        if self.pack is None or self.battery_sheet is None:
            return math.nan
        given = self.battery_sheet.ambient_degc
        return float(self.pack.cell.reference_temperature) if given is None else KELVIN + given

    @property
    def load_names(self) -> tuple[str, ...]:
        """Names of the varying loads, in the order of the file."""
        return tuple(rule.name for rule in self.load_rules)


def read_boat(name: str, beside: Path | None = None, payload: float | None = None) -> Boat:
    """
    Return a boat by its name in config/boats or by the path of its YAML file.

    :param name: A shipped one, or a path.
    :param beside: Folder of the file that names it, for relative paths.
    :param payload: Mass on board, kg, in place of the file's `hull.payload`, at the position in the file.
    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.
    :warns Caution: Of the file's own `caution`, once a process.
    """
    path = resolve('boats', name, beside)
    refuse_other_file(path, BOAT)
    document = checked.read_with_base('boats', path)
    if payload is not None:
        if 'power_curve' in document:
            raise InputError(f'{path}: a payload of {payload:g} kg cannot be put on a boat that is known by its power '
                             'over speed alone: the table does not say what it costs')
        document['hull'] = {**document.get('hull', {}), 'payload': payload}
    boat = boat_from(document, path)
    if boat.caution:
        warnings.warn(f'{boat.name}: {boat.caution}', Caution, stacklevel=1)
    return boat


def boat_from(document: dict[str, Any], path: Path) -> Boat:
    """
    Return a boat from the content of its file.

    :raises InputError: As `read_boat`.
    """
    faults: list[str] = []
    document = with_sname(document, path, faults)
    known = power_curve_from(document, path) if 'power_curve' in document else None
    document = document if known is None else with_vessel(document, known, path)
    propellers = tuple(_propeller(entry, f'{path}: thrusters.{number}.propeller')
                       for number, entry in enumerate(_entries(document, 'thrusters')))
    curves = tuple(curve_from(entry, described, f'{path}: thrusters.{number}')
                   for number, (entry, described) in enumerate(zip(_entries(document, 'thrusters'), propellers)))
    document = _with_limits(document, propellers, curves)
    checked.check(document, boat_schema, path, every=True, before=faults)
    plain: dict[str, Any] = checked.values_of(document)
    check_keys(plain, f'{path}: ')
    names, foil_names, _ = (_names(plain.get(key, ()), key, path) for key in ('thrusters', 'foils', 'loads'))
    loads = [load_from(entry, _numbers, f'{path}: loads.{number}')
             for number, entry in enumerate(plain.get('loads', ()))]
    hull = Hull(**_numbers(plain, 'hull'))
    knots = plain.get('losses', {}).get('map')
    map_thrust, map_power = np.array(knots or [[0.0, 0.0], [1.0, 0.0]], dtype=float).T.copy()
    vessel = Vessel(
        inertia=with_payload(Inertia(**_numbers(plain, 'vessel', 'inertia')), hull),
        damping=_damping(plain, path),
        windage=Windage(**_numbers(plain, 'vessel', 'windage')),
        thrusters=with_shares(_thruster(*pair) for pair in zip(plain['thrusters'], propellers)),
        losses=Losses(mapped=float(knots is not None), map_thrust=map_thrust, map_power=map_power,
                      **_numbers(plain, 'vessel', 'losses')),
        foils=tuple(foil_from(foil, _numbers, names, f'{path}: foils.{number}')
                    for number, foil in enumerate(plain.get('foils', ()))),
        loads=tuple(load for load, _ in loads), **_numbers(plain, 'vessel'))
    vessel = with_arrangement(vessel)
    check_vessel(vessel, f'{path}: ')
    afloat = _hull_sheet(plain, path)
    if afloat is not None:
        inertia = with_loads_on_parts(vessel.inertia, afloat)
        vessel = vessel._replace(inertia=inertia, parts=parted_hull_of(afloat, hull, inertia, f'{path}: '))
    check_places(vessel, hull, f'{path}: ')
    sheet = battery_from(plain['battery'], path) if 'battery' in plain else None
    correlation = correlation_from(plain['correlation'], f'{path}: ') if 'correlation' in plain else None
    sensors = sensors_from(document.get('sensors', ()), path)
    check_sensors(sensors, sheet is not None, path)
    return Boat(plain['name'], plain.get('description', ''), path, vessel, hull, names,
                None if sheet is None else counter_of(sheet), correlation, foil_names, propellers, curves, known, sheet,
                tuple(rule for _, rule in loads), sensors, afloat,
                wave_coefficients_from(plain['waves'], path) if 'waves' in plain else None, meaning_from(document),
                plain.get('caution', ''))


def _damping(plain: dict[str, Any], path: Path) -> Damping:
    """Return the damping of a file; InputError if the table of its wave-making resistance is not valid."""
    damping, wave = Damping(**_numbers(plain, 'vessel', 'damping')), plain['damping'].get('wave')
    if wave is None:
        return damping
    speeds, forces = (tuple(float(row[column]) for row in wave['table']) for column in (0, 1))
    if not all(before < after for before, after in pairwise((0.0, *speeds))):
        raise InputError(f'{path}: damping.wave.table has the speeds {list(speeds)} m/s; must rise, from above 0')
    for slow, fast, low, high in zip(speeds, speeds[1:], forces, forces[1:]):
        if high < low:
            raise InputError(f'{path}: damping.wave.table has {low:g} N at {slow:g} m/s and {high:g} N at {fast:g} '
                             'm/s; must not fall')
    return damping._replace(wave=WaveMaking(
        speed=speeds, coefficient=tuple(force / speed ** 2 for speed, force in zip(speeds, forces)),
        **_numbers(plain, 'vessel', 'damping', 'wave')))


def _hull_sheet(plain: Mapping[str, Any], path: Path) -> HullSheet | None:
    """Return the HullSheet of `parts` and `floating`, with plain numbers; InputError if only one of them is given."""
    if ('parts' in plain) != ('floating' in plain):
        has, lacks = ('parts', 'floating') if 'parts' in plain else ('floating', 'parts')
        raise InputError(f'{path}: has {has} and lacks the key {lacks}: a hull of parts needs both')
    if 'parts' not in plain:
        return None
    _names(plain['parts'], 'parts', path)
    parts = tuple(HullPart(**_numbers(entry, 'parts')) for entry in plain['parts'])
    return HullSheet(parts, Floating(**_numbers(dict(plain), 'floating')))


def battery_from(given: Mapping[str, Any], path: Path) -> BatterySheet:
    """
    Return the battery entry of a file, of a boat or of another vehicle.

    :param given: Its content, with plain numbers, checked against the schema.
    :param path: Of the file.
    :raises InputError: If it is inconsistent; the message names file, key and what is allowed.
    """
    try:
        cell = read_cell(given['chemistry'], path.parent) if 'chemistry' in given else None
    except InputError as error:
        raise InputError(f'{path}: battery.chemistry: {error}') from None
    sheet = BatterySheet(**_numbers({'battery': given}, 'battery'), cell=cell)
    check_sheet(sheet, path)
    return sheet


def _names(entries: Iterable[Mapping[str, Any]], key: str, path: Path) -> tuple[str, ...]:
    """Return the names of thrusters, foils or loads; InputError if one occurs twice."""
    names = tuple(entry['name'] for entry in entries)
    if len(set(names)) != len(names):
        raise InputError(f'{path}: {key} have the names {", ".join(names)}; each name must stand once')
    return names


def require_motion(boat: Boat, purpose: str) -> None:
    """
    Check that more is known of a boat than its power over speed.

    :param purpose: What needs more, as the beginning of a sentence: 'a simulation'.
    :raises InputError: If not; the message names the file and what such a boat can be used for.
    """
    if boat.power_curve is not None:
        raise InputError(f'{boat.path}: {purpose} needs mass, drag and thrusters; {boat.name} is known by its power '
                         'over speed alone, which does for range, map, mission and boat check')


def write_boat(document: Mapping[str, Any], path: Path, heading: str = '') -> Boat:
    """
    Write a boat file, atomically, and return the boat that it describes.

    The text is read back as `read_boat` would, with its base, before anything is written to `path`.

    :param document: The content; with a `base`, null removes a key of the base.
    :param path: Where to; the base's path is relative to its folder.
    :param heading: A comment for the first line, without its `#`.
    :raises InputError: If `path` does not end in .yaml, or it is not a valid boat; the message names path, key, value
        and what is allowed. An existing file at `path` stays.
    :raises OSError: If it cannot be written.
    """
    if path.suffix not in ('.yaml', '.yml'):
        raise InputError(f'{path}: is to be a boat file; its name must end in .yaml')
    body = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    text = f'# {heading}\n{body}' if heading else body
    boat = boat_from(checked.with_base('boats', parsed_yaml(text, path), path), path)
    write_text(text, path)
    return boat


def _entries(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the entries of a list of an unchecked file; none if there is no such list."""
    entries = document.get(key)
    return [entry if isinstance(entry, Mapping) else {} for entry in entries] if isinstance(entries, list) else []


def _propeller(entry: Mapping[str, Any], where: str) -> DescribedPropeller | None:
    given = entry.get('propeller')
    return propeller_from(given, where) if isinstance(given, dict) else None


def _with_limits(document: dict[str, Any], propellers: tuple[DescribedPropeller | None, ...],
                 curves: tuple[PulseCurve | None, ...]) -> dict[str, Any]:
    """Return the content of a file in which thrusters without limits have those of their propeller or curve."""
    if not any(propellers) and not any(curves):
        return document
    known = [described.limits if described is not None else curve.thrust_limits if curve is not None else None
             for described, curve in zip(propellers, curves)]
    thrusters = [{**dict(zip(('min_thrust', 'max_thrust'), limits)), **entry} if limits else entry
                 for entry, limits in zip(document['thrusters'], known)]
    return {**document, 'thrusters': thrusters}


def _thruster(plain: dict[str, Any], described: DescribedPropeller | None) -> Thruster:
    """Return a thruster from its entry in the file, still without shares."""
    azimuth = Azimuth(**_numbers(plain, 'vessel', 'thrusters', 'azimuth')) if 'azimuth' in plain else None
    return Thruster(**_numbers(plain, 'vessel', 'thrusters'), surge_share=0.0, yaw_share=0.0, azimuth=azimuth,
                    in_air=1.0 if plain.get('medium') == 'air' else None,
                    propeller=described.propeller if described else None)


def _numbers(plain: dict[str, Any], *fields: str) -> dict[str, Any]:
    """Return the numbers of a part of a Boat by field names, from the file's content or an entry of it."""
    found = {}
    for row in BOAT_NUMBERS.values():
        if row.fields[:-1] == fields:
            node: Any = plain
            for key in row.path.rpartition('*.')[2].split('.'):
                node = node.get(key) if node is not None else None
            value = row.default if node is None else float(node)
            found[row.fields[-1]] = None if value is None else row.from_file(value)
    return found


def wave_coefficients_from(given: Mapping[str, Any], path: Path) -> WaveCoefficients:
    """
    Return the added resistance of the entry `waves` of a boat's file.

    :param given: Its content, checked against the schema: `directions_deg` the waves come from off the bow, ascending
        from 0 to 180; `periods`, s, of the peak, ascending; `coefficients`, N/m^2, a row for each direction, a column
        for each period, and `std`, their standard errors in the same layout, or none.
    :param path: Of the file.
    :raises InputError: If they are inconsistent; the message names file, key, value and what is allowed.
    """
    directions, periods = ([float(value) for value in given[key]] for key in ('directions_deg', 'periods'))
    for key, values, unit in (('directions_deg', directions, 'deg'), ('periods', periods, 's')):
        if not all(before < after for before, after in pairwise(values)):
            raise InputError(f'{path}: waves.{key} is {values} {unit}; must rise')
    if directions[0] < 0.0 or directions[-1] > MOST_DIRECTION:
        raise InputError(f'{path}: waves.directions_deg is {directions}; must be from 0 (waves from ahead) to 180')
    if periods[0] <= 0.0:
        raise InputError(f'{path}: waves.periods is {periods} s; must be greater than 0')
    rows = _wave_rows('coefficients', given['coefficients'], len(directions), len(periods), path)
    errors = _wave_rows('std', given['std'], len(directions), len(periods), path) if 'std' in given else None
    return WaveCoefficients(tuple(math.radians(value) for value in directions), tuple(periods), rows, errors)


def _wave_rows(key: str, given: Sequence[Sequence[float]], directions: int, periods: int, path: Path,
          ) -> tuple[tuple[float, ...], ...]:
    rows = tuple(tuple(float(value) for value in row) for row in given)
    if len(rows) != directions or any(len(row) != periods for row in rows):
        raise InputError(f'{path}: waves.{key} has rows of {", ".join(str(len(row)) for row in rows)} numbers; must be '
                         f'a row for each of {directions} directions, with a number for each of {periods} periods')
    if not all(math.isfinite(value) for row in rows for value in row):
        raise InputError(f'{path}: waves.{key} has a value that is no number; must be finite, N/m^2')
    return rows
