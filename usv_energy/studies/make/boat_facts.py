"""What an owner knows of a boat: a file of facts, checked, and what follows from it for the shape of the hull."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.hull_resistance import HullForm

MEASURED, DERIVED, GUESSED = 'measured', 'derived', 'guessed'
WATER_DENSITY = 1000.0      # kg/m^3
ON_THE_WATER = {'monohull': 0.92, 'catamaran': 0.96}    # (-), waterline over length over all
TO_THE_TRANSOM = 0.96       # (-), the same of a single hull whose transom is in the water: it overhangs ahead alone.
BROAD = 0.85                # (-), beam of a single hull's waterline over its width over all
HULL_OF_TWO = 0.22          # (-), beam of one hull of a catamaran over the width over all
BLOCK = {'monohull': 0.40, 'catamaran': 0.50}           # (-), volume over length, beam and draught of the waterline
TRANSOM = 0.35          # (-), area of a transom in the water over beam and draught.
FULL = 0.95                 # (-), largest block coefficient: a box


class ValueHow(NamedTuple):
    """
    A number with its origin.

    `how`: MEASURED (given as a fact), DERIVED or GUESSED; `words`: the source, the formula, or what it is taken from.
    """

    value: float
    how: str
    words: str


class BoatFacts(NamedTuple):
    """
    The facts of a boat; None or empty where nothing is known.

    `mass`, `payload`: kg; `hotel`: W; `top_speed`: m/s; `speeds`: rows of m/s and W, hotel load included; `hull` and
    `thrusters`: as in the file, plain numbers; `battery`: its label; `source`: of all facts.
    """

    name: str
    source: str
    mass: float
    payload: float
    hotel: float | None
    battery: str | None
    top_speed: float | None
    speeds: tuple[tuple[float, float], ...]
    hull: Mapping[str, Any]
    thrusters: Mapping[str, Any]
    path: Path

    @property
    def number(self) -> int:
        """Return the number of thrusters."""
        return int(self.thrusters.get('number', 2))

    @property
    def displacement(self) -> float:
        """Return the mass with the payload, kg."""
        return self.mass + self.payload


def read_facts(path: Path) -> BoatFacts:
    """
    Return the facts in a YAML file.

    :raises InputError: If it is not valid; the message names file, key, value and what is allowed.
    """
    return facts_from(read_yaml(path), path)


def facts_from(document: dict[str, Any], path: Path) -> BoatFacts:
    """
    Return the facts of the content of a file, or of the options of a command.

    :raises InputError: As `read_facts`.
    """
    plain = checked.values_of(document)
    checked.check(plain, 'facts', path)
    hull, thrusters = plain['hull'], plain.get('thrusters', {})
    if 'spacing' in hull and hull['kind'] != 'catamaran':
        raise InputError(f'{path}: hull.spacing is {hull["spacing"]:g} m of a {hull["kind"]}; it is of a catamaran')
    if ('model' in thrusters) != ('voltage' in thrusters):
        has, lacks = ('model', 'voltage') if 'model' in thrusters else ('voltage', 'model')
        raise InputError(f'{path}: thrusters has {has} and lacks the key {lacks!r}: a sheet of the library needs both')
    if 'model' in thrusters and 'bollard' in thrusters:
        raise InputError(f'{path}: thrusters.bollard stands beside model; give one or the other')
    if not plain.get('speeds') and 'top_speed' not in plain and not thrusters:
        raise InputError(f'{path}: says nothing of speeds and thrusters; give speeds (m/s and W), or top_speed and '
                         'thrusters')
    facts = BoatFacts(
        plain.get('name', path.stem), plain.get('source', ''), float(plain['mass']), float(plain.get('payload', 0.0)),
        plain.get('hotel'), plain.get('battery'), plain.get('top_speed'),
        tuple(sorted((float(speed), float(power)) for speed, power in plain.get('speeds', ()))), hull, thrusters, path)
    for speed, power in facts.speeds:
        if power <= (facts.hotel or 0.0):
            raise InputError(f'{path}: speeds has {power:g} W at {speed:g} m/s; must be more than the hotel load, '
                             f'{facts.hotel:g} W')
    return facts


def hull_form(facts: BoatFacts) -> tuple[HullForm, dict[str, ValueHow]]:
    """
    Return the hull under water, and where each of its dimensions comes from.

    :raises InputError: If the dimensions displace less water than the mass.
    """
    hull, kind = facts.hull, facts.hull['kind']
    two = kind == 'catamaran'
    said = 'as given' + (f' ({facts.source})' if facts.source else '')
    volume = facts.displacement / WATER_DENSITY / (2 if two else 1)

    def known(key: str, guess: float, how: str, words: str) -> ValueHow:
        return ValueHow(float(hull[key]), MEASURED, said) if key in hull else ValueHow(guess, how, words)

    afloat = TO_THE_TRANSOM if hull.get('stern') == 'transom' else ON_THE_WATER[kind]
    length = known('waterline', afloat * hull['length'], GUESSED, f'{afloat:g} of the length')
    share = HULL_OF_TWO if two else BROAD
    beam = known('beam', share * hull['width'], GUESSED, f'{share:g} of the width')
    draught = known('draught', volume / (BLOCK[kind] * length.value * beam.value), DERIVED,
                    f'mass over waterline, beam and a block coefficient of {BLOCK[kind]:g} (guessed)')
    origins = {'waterline': length, 'beam': beam, 'draught': draught}
    block = volume / (length.value * beam.value * draught.value)
    if block > FULL:
        most = WATER_DENSITY * length.value * beam.value * draught.value * (2 if two else 1)
        raise InputError(f'{facts.path}: hulls of {length.value:.3g} x {beam.value:.3g} x {draught.value:.3g} m in the '
                         f'water carry at most {most:.4g} kg, and mass and payload are {facts.displacement:.4g} kg')
    spacing = None
    if two:
        apart = known('spacing', hull['width'] - beam.value, DERIVED, 'width less the beam of a hull')
        spacing, origins = apart.value, {**origins, 'spacing': apart}
    transom = 0.0
    if hull.get('stern') == 'transom':
        transom = TRANSOM * beam.value * draught.value
        origins['transom'] = ValueHow(transom, GUESSED, f'{TRANSOM:g} of beam and draught')
    return HullForm(length.value, beam.value, draught.value, volume, spacing, transom), origins
