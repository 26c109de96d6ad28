"""
Remarks on a boat's file: missing values, and numbers that are assumptions or corrections.

How fast a boat may go before its drag is no longer what its file describes: waves, planing, shallow water.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import uncertain_numbers
from usv_energy.boats.cell_file import guessed_numbers
from usv_energy.boats.checks import can_turn, rudders_of
from usv_energy.boats.numbers import given_numbers
from usv_energy.boats.power_curve import PowerCurve
from usv_energy.files import checked
from usv_energy.physics.hull_resistance import GRAVITY

CAUTION, LACKS, ASSUMED, CORRECTED = KINDS = 'caution', 'lacks', 'assumed', 'corrected'
GUESSED = ('assum', 'guess', 'estimat', 'unknown')  # Words in a source that mark a number as not measured.

NO_BATTERY = 'no battery: neither range nor endurance'
COUNTED = ('watt-hours alone: a counter of energy at the nominal voltage, which knows of no sag, cold, age or cutoff '
           '(chemistry and series make cells of it)')
NO_WINDAGE = 'no windage ahead: wind costs nothing'
NO_HOTEL = 'no hotel load: the slower, the further'


class Remark(NamedTuple):
    """
    A remark on a boat's file: a sentence without its full stop.

    `kind`: CAUTION for the file's own; LACKS for missing values; ASSUMED for assumptions; CORRECTED for values by a
    stated correction without a measurement. `key`: in the file.
    """

    kind: str
    key: str
    text: str


def remarks_of(boat: Boat) -> list[Remark]:
    """Return what a boat's file is not for, then what it lacks, then what is assumed, then what is corrected."""
    found = [Remark(CAUTION, 'caution', boat.caution)] if boat.caution else []
    if boat.power_curve is not None:
        return [*found, *_of_curve(boat, boat.power_curve)]
    for part in (_missing_parts, _missing_damping, _of_thrusters, _of_foils, _of_sources):
        found += part(boat)
    return sorted(found, key=lambda remark: KINDS.index(remark.kind))


def caution_figures(*boats: Boat) -> dict[str, str]:
    """Return what the files of boats say that they are not for, for JSON; nothing where they say nothing."""
    said = dict.fromkeys(boat.caution for boat in boats if boat.caution)
    return {'caution': '; '.join(said)} if said else {}


def lacks_for_range(boat: Boat) -> str:
    """Return one line on missing values that ranges and energies need; empty if there are none."""
    lacking = []
    if boat.battery is None:
        lacking.append('a battery')
    known = boat.power_curve is not None or boat.vessel.losses.mapped or (boat.propellers and all(boat.propellers))
    if boat.vessel.thrusters and not known and boat.vessel.losses.efficiency == 1.0:
        lacking.append("the motors' losses")
    if boat.vessel.static_load == 0.0 and not boat.vessel.loads:
        lacking.append('a hotel load')
    if not lacking:
        return ''
    costs = '' if lacking == ['a battery'] else ': in truth the boat takes more, and gets less far'
    listed = lacking[0] if len(lacking) == 1 else f'{", ".join(lacking[:-1])} and {lacking[-1]}'
    return f'Missing in the file of {boat.name}: {listed}{costs}.'


def _of_curve(boat: Boat, curve: PowerCurve) -> Iterator[Remark]:
    yield Remark(LACKS, 'power_curve', 'no mass, drag or thrusters: no simulation, no log, no turns; wind from the '
                 'side costs nothing, it does not drift')
    yield from _of_battery(boat)
    yield from _of_loads(boat)
    if boat.vessel.windage.frontal_area * boat.vessel.windage.c_x == 0.0:
        yield Remark(LACKS, 'windage.frontal_area', NO_WINDAGE)
    else:
        how = 'assumed' if curve.assumed else 'given'
        yield Remark(ASSUMED, 'losses.efficiency', f'{curve.efficiency:g} of the power becomes drag times speed at '
                     f'{curve.speeds[-1]:g} m/s ({how}), and drag goes with the square of the speed: by that, wind '
                     'from ahead costs what it does')
    if boat.vessel.static_load == 0.0 and not boat.vessel.loads:
        yield Remark(LACKS, 'static_load', NO_HOTEL)
    if not curve.source:
        yield Remark(LACKS, 'power_curve_source', 'nothing says where the table comes from')


def _of_loads(boat: Boat) -> Iterator[Remark]:
    for number, rule in enumerate(boat.load_rules):
        if rule.legs is not None:
            yield Remark(ASSUMED, f'loads.{number}.legs', f'{rule.name} is on by leg: off where there is no mission: '
                         'here, in range, in maps')
        elif rule.topic is not None:
            yield Remark(ASSUMED, f'loads.{number}.topic', f'{rule.name} takes {100.0 * rule.topic.unheard:g} % where '
                         f'{rule.topic.name} is not heard, as here, in range and in maps')


def _of_battery(boat: Boat) -> Iterator[Remark]:
    if boat.battery is None:
        yield Remark(LACKS, 'battery', NO_BATTERY)
    elif boat.pack is None:
        yield Remark(ASSUMED, 'battery.chemistry', COUNTED)
    elif boat.battery_sheet is not None and boat.battery_sheet.cell is not None:
        guessed, all_of_them = guessed_numbers(boat.battery_sheet.cell, GUESSED)
        if guessed:
            yield Remark(ASSUMED, 'battery.chemistry', f'{len(guessed)} of {all_of_them} numbers and tables of its '
                         f'cells, {boat.battery_sheet.cell.path.name}, are assumptions: {_first_of(guessed)}')


def _missing_parts(boat: Boat) -> Iterator[Remark]:
    vessel, hull = boat.vessel, boat.hull
    if not vessel.thrusters:
        yield Remark(LACKS, 'thrusters', 'no thruster: usv-energy range, which is of a boat under power, refuses the '
                     'boat; usv-energy map polar has its speeds under sail')
    else:
        yield from _of_battery(boat)
    yield from _of_loads(boat)
    for key, value in (('hull.length', hull.length), ('hull.width', hull.width)):
        if value is None:
            yield Remark(LACKS, key, 'no size of the hull: whether actuators lie on it cannot be checked, and Gazebo '
                         'has no model')
    if hull.windage_height is None and hull.height is None:
        yield Remark(LACKS, 'windage.height', 'no height of windage, nor of the hull: a wind that is given at a '
                     'height, as that of a forecast, is refused')
    if vessel.windage.frontal_area * vessel.windage.c_x == 0.0:
        yield Remark(LACKS, 'windage.frontal_area', NO_WINDAGE)
    if vessel.static_load == 0.0 and vessel.thrusters and not vessel.loads:
        yield Remark(LACKS, 'static_load', NO_HOTEL)
    if not can_turn(vessel):
        yield Remark(LACKS, 'thrusters', 'nothing to steer with: scenarios refuse the boat')


def _missing_damping(boat: Boat) -> Iterator[Remark]:
    d = boat.vessel.damping
    for key, parts, words in (('d11', (d.d11, d.d11_q), 'in surge: its speed has no end'),
                              ('d22', (d.d22, d.d22_q, d.d22_u), 'in sway: nothing stops a drift in turns and wind'),
                              ('d33', (d.d33, d.d33_q, d.d33_u), 'of yaw: nothing stops a turn')):
        if not any(parts):
            yield Remark(LACKS, f'damping.linear.{key}', f'no drag {words}')
    if d.d11 and not d.d11_q:
        yield Remark(ASSUMED, 'damping.linear.d11', 'drag ahead is linear: right at the speed that it was found at, '
                     'too large below, too small above')


def _of_thrusters(boat: Boat) -> Iterator[Remark]:
    losses = boat.vessel.losses
    described = boat.propellers or (None,) * len(boat.vessel.thrusters)
    corrections: dict[str, list[int]] = {}
    for number, propeller in enumerate(described):
        if propeller is not None and propeller.correction:
            corrections.setdefault(propeller.correction, []).append(number)
    for correction, numbers in corrections.items():
        names = ', '.join(boat.thruster_names[number] for number in numbers)
        yield Remark(CORRECTED, f'thrusters.{numbers[0]}.propeller', f'{names}: {correction}')
    if all(described):
        return
    if losses.mapped:
        yield Remark(ASSUMED, 'losses.map', 'thrust and power under way are taken as at standstill: the map knows of '
                     'no speed')
    elif losses.efficiency == 1.0:
        yield Remark(ASSUMED, 'losses.efficiency', 'no losses: electrical power is taken to be mechanical power, and '
                     'is none at standstill')
    else:
        yield Remark(ASSUMED, 'losses.efficiency', 'one efficiency for all thrusts and speeds: no power at '
                     'standstill, however large the thrust')
    bare = ', '.join(name for name, propeller in zip(boat.thruster_names, described) if propeller is None)
    yield Remark(ASSUMED, 'thrusters.*.propeller', f'{bare}: the largest thrust is the same at any speed, no propeller '
                 'being described')


def _of_foils(boat: Boat) -> Iterator[Remark]:
    screws = any(thruster.in_air is None for thruster in boat.vessel.thrusters)
    for number, (name, foil) in enumerate(zip(boat.foil_names, boat.vessel.foils)):
        if foil.aspect is not None:
            yield Remark(CORRECTED, f'foils.{number}.aspect', f'{name}: lift and drag follow from the aspect ratio, '
                         f'{foil.aspect:g}, by Whicker and Fehlner; it never stalls before 45 degrees')
        if screws and foil.wash is None and foil in rudders_of(boat.vessel):
            yield Remark(ASSUMED, f'foils.{number}.wash', f'{name}: no slipstream of a screw reaches it')


def _of_sources(boat: Boat) -> Iterator[Remark]:
    given = dict(given_numbers(checked.read_with_base('boats', boat.path)))
    unsourced = [path for path, node in given.items() if not (isinstance(node, Mapping) and node.get('source'))]
    if unsourced:
        yield Remark(LACKS, 'source', f'{len(unsourced)} of {len(given)} numbers have no source: '
                     + _first_of(unsourced))
    for path, node in given.items():
        source = str(node.get('source', '')) if isinstance(node, Mapping) else ''
        if any(word in source.lower() for word in GUESSED):
            yield Remark(ASSUMED, path, f'{node["value"]:g} {node["unit"]}'.removesuffix(' -') + f': {source}')
    if not uncertain_numbers(boat):
        yield Remark(LACKS, 'std', 'no number has a std or an interval: range and sweeps draw no bands')


def _first_of(paths: list[str], most: int = 4) -> str:
    return ', '.join(paths[:most]) + (' ...' if len(paths) > most else '')


WAVES = 0.35    # (-), Froude number from which a hull's waves count, if its drag is linear and quadratic.
PLANING = 1.0   # (-), Froude number from which hulls plane or are about to, which no drag here describes.
SHALLOW = 0.7   # (-), speed over that of waves in shallow water from which the bottom adds to the drag.
TOO_LOW = '26 to 57 %'  # By how much powers near hull speed were too low, of two boats with public tables.


def speed_of_froude(boat: Boat, froude: float) -> float:
    """Return the speed at a Froude number, (-), m/s, with the length over all for the waterline; NaN if not known."""
    return math.nan if boat.hull.length is None else froude * math.sqrt(GRAVITY * boat.hull.length)


def wave_note(boat: Boat, fastest: float) -> str:
    """
    Return what a boat's file does not know of its drag up to a speed, as a sentence; empty if it knows it.

    :param fastest: Through the water, m/s; NaN if not known.
    """
    if boat.power_curve is not None or not fastest > 0.0:
        return ''
    wave, waves, planes = boat.vessel.damping.wave, speed_of_froude(boat, WAVES), speed_of_froude(boat, PLANING)
    if fastest > planes:
        return (f'Above {planes:.2f} m/s (Froude {PLANING:g}) a hull of {boat.hull.length:g} m planes, or is about to: '
                'no drag in a boat file describes that, so nothing here holds')
    if wave is None:
        return (f'Above {waves:.2f} m/s (Froude {WAVES:g}) a hull of {boat.hull.length:g} m makes waves, which its '
                'file leaves out (no damping.wave). If its drag was measured at lower speeds, the power above is too '
                f'low, for two boats by {TOO_LOW} near hull speed; if it was measured above, the power at lower '
                'speeds is too high') if fastest > waves else ''
    if fastest > wave.speed[-1]:
        return (f'Above {wave.speed[-1]:g} m/s, the end of its damping.wave, the resistance of the waves that the hull '
                'makes is taken to grow with the square of the speed')
    return ''


def shallow_depth(speed: float) -> float:
    """
    Return the depth, m, below which the bottom adds to the drag at a speed through the water, m/s.

    Source: at 0.7 of the speed of long waves, sqrt(g h), the wave resistance begins to differ from that of deep water
        (Schlichting, 1934; Lackenby, 1963).
    """
    return (speed / SHALLOW) ** 2 / GRAVITY
