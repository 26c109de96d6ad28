"""
What an owner knows of a boat: a file of facts, checked, and what follows from it for the shape of the hull.

The facts that a boat is made of as one list: for the options of `boat make`, and for a form that asks for them.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.boats.outfit import battery_label
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.physics.hull_resistance import TOP_FROUDE, HullForm, froude_number
from usv_energy.thrusters.thruster_sheet import read_thruster
from usv_energy.units import number_in

MEASURED, DERIVED, GUESSED = 'measured', 'derived', 'guessed'
WATER_DENSITY = 1000.0      # kg/m^3
ON_THE_WATER = {'monohull': 0.92, 'catamaran': 0.96}    # (-), waterline over length over all
TO_THE_TRANSOM = 0.96       # (-), the same of a single hull whose transom is in the water: it overhangs ahead alone.
BROAD = 0.85                # (-), beam of a single hull's waterline over its width over all
HULL_OF_TWO = 0.22          # (-), beam of one hull of a catamaran over the width over all
BLOCK = {'monohull': 0.40, 'catamaran': 0.50}           # (-), volume over length, beam and draught of the waterline
TRANSOM = 0.35          # (-), area of a transom in the water over beam and draught.
FULL = 0.95                 # (-), largest block coefficient: a box
LEAST_BLOCK = 0.1           # (-), the smallest, of a boat with a keel
OVER = 1.1                  # (-), of a reading over the largest power of all thrusters: it is known to 10 %
UNLIKE = 1.5                # (-), of two readings' powers, by which neither noise nor a display explains that they fall
# (-), draught over beam, beyond which one of the facts that it follows from is wrong.
SHALLOWEST, DEEPEST = 0.02, 2.0


class ValueHow(NamedTuple):
    """
    A number with its origin.

    `how`: MEASURED (given as a fact), DERIVED or GUESSED; `words`: the source, the formula, or what it is taken from;
    `unit`: where it is not of the boat file, whose numbers have theirs.
    """

    value: float
    how: str
    words: str
    unit: str = 'm'


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


def facts_from(document: dict[str, Any], path: Path) -> BoatFacts:
    """
    Return the facts of the content of a file, or of the options of a command.

    :raises InputError: If it is not valid; the message names file, key, value and what is allowed, for each fault.
    """
    plain = _without_units(stated(document))
    faults = _plain_faults(plain)
    try:
        checked.check(plain, 'facts', path, every=True)
    except InputError as error:
        raise InputError('\n  '.join((str(error), *faults))) from None
    hull, thrusters = plain['hull'], plain.get('thrusters', {})
    facts = BoatFacts(
        plain.get('name', path.stem), plain.get('source', ''), float(plain['mass']), float(plain.get('payload', 0.0)),
        plain.get('hotel'), plain.get('battery'), plain.get('top_speed'),
        tuple(sorted((float(speed), float(power)) for speed, power in plain.get('speeds', ()))), hull, thrusters, path)
    if faults := [*faults, *_reading_faults(facts), *_thruster_faults(facts), *_hull_faults(facts)]:
        raise InputError(f'{path}: ' + '\n  '.join(faults))
    return facts


def stated(node: Any) -> Any:
    """Return content with `65 lb` in place of `{value: 65, unit: lb}`; one with other keys stays, to be refused."""
    if isinstance(node, list):
        return [stated(inner) for inner in node]
    if not isinstance(node, dict) or ('value' in node and node.keys() - {'value', 'unit', 'source'}):
        return node
    if 'value' not in node:
        return {key: stated(inner) for key, inner in node.items()}
    return f'{node["value"]} {node["unit"]}' if 'unit' in node else node['value']


def _without_units(plain: dict[str, Any]) -> dict[str, Any]:
    """Return content with numbers in place of texts such as `65 kg`; a text that is none stays, to be refused."""
    def bare(value: Any, unit: str) -> Any:
        try:
            return number_in(value, '', unit) if isinstance(value, str) else value
        except InputError:
            return value

    numbers = {}
    for fact in FACTS:
        value = fact.of(plain)
        if fact.kind == NUMBER:
            numbers[fact.key] = bare(value, fact.units[0])
        elif fact.kind == ROWS and isinstance(value, list):
            numbers[fact.key] = [list(map(bare, row, fact.units)) if isinstance(row, list) and len(row) == 2 else row
                                 for row in value]
    return facts_document(numbers, plain)


def _reading_faults(facts: BoatFacts) -> Iterator[str]:
    """Yield what is wrong with the readings beside the hotel load, the largest power, the top speed, and each other."""
    if not facts.speeds and facts.top_speed is None and not facts.thrusters:
        yield ('says nothing of speeds and thrusters; give speeds (m/s and W), or top_speed, thrusters.model, '
               'thrusters.max_power or thrusters.bollard')
    if facts.speeds and facts.top_speed is not None and facts.speeds[-1][0] > facts.top_speed:
        yield (f'top_speed is {facts.top_speed:g} m/s; must be at least the fastest of speeds, '
               f'{facts.speeds[-1][0]:g} m/s')
    hotel, most = facts.hotel or 0.0, facts.number * float(facts.thrusters.get('max_power', math.inf))
    for speed, power in facts.speeds:
        if power <= hotel:
            yield f'speeds has {power:g} W at {speed:g} m/s; must be more than the hotel load, {facts.hotel:g} W'
        if power - hotel > OVER * most:
            yield (f'speeds has {power:g} W at {speed:g} m/s; {facts.number} of thrusters.max_power, '
                   f'{facts.thrusters["max_power"]:g} W, draw at most {most:g} W beside the hotel load')
    for (slow, low), (fast, high) in itertools.combinations(facts.speeds, 2):
        if high < low / UNLIKE or (slow == fast and high > low * UNLIKE):
            yield (f'speeds has {low:g} W at {slow:g} m/s and {high:g} W at {fast:g} m/s; the power of a hull must '
                   'rise with its speed')


# Readers of texts, which refuse those that name nothing.
WORDS: Mapping[str, Callable[[str], Any]] = {'battery': partial(battery_label, name='battery'),
                                             'thrusters.model': partial(read_thruster, where='thrusters.model: ')}


def _plain_faults(plain: Mapping[str, Any]) -> list[str]:
    """Return the faults of the battery and of keys that go together or do not, in content that may be wrong else."""
    given = plain.get('thrusters')
    thrusters: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    faults = []
    for text, read in ((plain.get('battery'), WORDS['battery']), (thrusters.get('model'), WORDS['thrusters.model'])):
        if isinstance(text, str):
            try:
                read(text)
            except InputError as error:
                faults.append(str(error))
    if ('model' in thrusters) != ('voltage' in thrusters):
        has, lacks = ('model', 'voltage') if 'model' in thrusters else ('voltage', 'model')
        faults.append(f'thrusters has {has} and lacks the key {lacks!r}: a sheet of the library needs both')
    if 'model' in thrusters and 'bollard' in thrusters:
        faults.append('thrusters.bollard stands beside model; give one or the other')
    return faults


def _thruster_faults(facts: BoatFacts) -> list[str]:
    """Return the faults of propellers and the bollard pull."""
    diameter, width = facts.thrusters.get('diameter', 0.0), facts.hull['width']
    faults = [] if diameter <= width else [
        f'thrusters.diameter is {diameter:g} m; must be at most the width of the boat, {width:g} m']
    pulls = sorted(facts.thrusters.get('bollard', ()))
    return faults + [f'thrusters.bollard has {power:g} W for {pull:g} N and {more:g} W for {next_pull:g} N; more pull '
                     'must take more power'
                     for (pull, power), (next_pull, more) in itertools.pairwise(pulls) if more <= power]


def _hull_faults(facts: BoatFacts) -> list[str]:
    """Return the faults of the hull's size, or, if it has none, the speeds at which it planes."""
    hull, two = facts.hull, facts.hull['kind'] == 'catamaran'
    length, width = float(hull['length']), float(hull['width'])
    form, origins = hull_form(facts)
    faults = []
    if 'spacing' in hull and not two:
        faults.append(f'hull.spacing is {hull["spacing"]:g} m of a {hull["kind"]}; it is of a catamaran')
    if form.length > length:
        faults.append(f'hull.waterline is {form.length:g} m; must be at most hull.length, {length:g} m')
    if form.beam > (width / 2.0 if two else width):
        faults.append(f'hull.beam is {form.beam:g} m; must be at most ' + (
            f'half of the width of a catamaran, {width / 2.0:g} m' if two else f'hull.width, {width:g} m'))
    elif form.spacing is not None and not form.beam <= form.spacing <= width:
        faults.append(f'hull.spacing is {form.spacing:g} m; must be between the beam of a hull, {form.beam:.3g} m, and '
                      f'hull.width, {width:g} m')
    block = form.volume / (form.length * form.beam * form.draught)
    size = f'{form.length:.3g} x {form.beam:.3g}'
    if origins['draught'].how == DERIVED and not SHALLOWEST <= form.draught / form.beam <= DEEPEST:
        faults.append(f'{facts.displacement:.4g} kg on {"two hulls" if two else "a hull"} of {size} m in the water '
                      f'would be {form.draught:.3g} m deep; check mass, length and width, or give hull.draught')
    size = f'hulls of {size} x {form.draught:.3g} m in the water'
    if block > FULL:
        most = WATER_DENSITY * form.length * form.beam * form.draught * form.hulls
        faults.append(f'{size} carry at most {most:.4g} kg, and mass and payload are {facts.displacement:.4g} kg')
    elif block < LEAST_BLOCK:
        faults.append(f'{size} have {block:.2g} of their volume in the water with {facts.displacement:.4g} kg; must be '
                      f'at least {LEAST_BLOCK:g}: check mass, length, width and hull.draught')
    given = [('speeds', speed) for speed, _ in facts.speeds]
    given = given if facts.top_speed is None else [('top_speed', facts.top_speed), *given]
    return faults or [
        f'{name} has {speed:g} m/s, a Froude number of {froude:.2f} on {form.length:.3g} m: a hull that fast planes, '
        'which no drag here describes; leave that speed out, or give power over speed as power_curve (docs/boats.md)'
        for name, speed in given if (froude := planing(form, speed)) == froude]


def planing(form: HullForm, speed: float) -> float:
    """Return the Froude number of a speed, m/s, if it is beyond the range of the hull's wave resistance; else NaN."""
    froude = float(froude_number(speed, form.length))
    return froude if froude > TOP_FROUDE['thin' if form.thin else 'delft'] else math.nan


def hull_form(facts: BoatFacts) -> tuple[HullForm, dict[str, ValueHow]]:
    """Return the hull under water, and where each of its dimensions comes from."""
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
    spacing = None
    if two:
        apart = known('spacing', hull['width'] - beam.value, DERIVED, 'width less the beam of a hull')
        spacing, origins = apart.value, {**origins, 'spacing': apart}
    transom = 0.0
    if hull.get('stern') == 'transom':
        transom = TRANSOM * beam.value * draught.value
        origins['transom'] = ValueHow(transom, GUESSED, f'{TRANSOM:g} of beam and draught', 'm^2')
    return HullForm(length.value, beam.value, draught.value, volume, spacing, transom), origins


NUMBER, CHOICE, COUNT, TEXT, ROWS = 'number', 'choice', 'count', 'text', 'rows'


class Fact(NamedTuple):
    """
    A fact of a boat: its key in a file of facts, with dots, and what may stand there.

    `kind`: NUMBER, CHOICE of words, COUNT (a choice of whole numbers), TEXT, or ROWS of two numbers above 0; `units`:
    of a number one, of rows two, else none; `meaning`: what it is, in words.
    """

    key: str
    kind: str
    units: tuple[str, ...]
    meaning: str
    choices: tuple[Any, ...] = ()
    may_be_zero: bool = False
    is_required: bool = False

    @property
    def name(self) -> str:
        """The last part of its key, `max_power` of `thrusters.max_power`."""
        return self.key.rpartition('.')[2]

    def of(self, document: Mapping[str, Any]) -> Any:
        """Return what stands there in the content of a file of facts; None if nothing does."""
        value: Any = document
        for part in self.key.split('.'):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    @property
    def allowed(self) -> str:
        """What may stand there, in words."""
        if self.kind == NUMBER:
            return f'{"0 or more" if self.may_be_zero else "above 0"}, {self.units[0]}'
        if self.kind == ROWS:
            return f'two numbers above 0 a line, {" and ".join(self.units)}'
        return ' or '.join(map(str, self.choices)) if self.choices else 'text'


def _number(key: str, unit: str, meaning: str, may_be_zero: bool = False, is_required: bool = False) -> Fact:
    return Fact(key, NUMBER, (unit,), meaning, (), may_be_zero, is_required)


FACTS: tuple[Fact, ...] = (
    Fact('name', TEXT, (), 'of the boat'),
    Fact('source', TEXT, (), 'where the facts come from'),
    Fact('hull.kind', CHOICE, (), 'of the hull', ('monohull', 'catamaran'), is_required=True),
    _number('hull.length', 'm', 'over all', is_required=True), _number('hull.width', 'm', 'over all', is_required=True),
    _number('mass', 'kg', 'in the water, batteries included', is_required=True),
    _number('payload', 'kg', 'beyond that mass', may_be_zero=True),
    Fact('speeds', ROWS, ('m/s', 'W'),
         'electrical power, hotel load included, at a speed through still water'),
    _number('top_speed', 'm/s', 'at full throttle in still water'),
    _number('hotel', 'W', 'electronics, all the time', may_be_zero=True),
    Fact('battery', TEXT, (), "as '4S 18Ah', '148 Wh LFP', '2x 14.8V 18Ah'"),
    Fact('thrusters.number', COUNT, (), '1, which turns to steer, or 2 side by side (2)', (1, 2)),
    Fact('thrusters.model', TEXT, (), 'of the thrusters, a file in config/thrusters; goes with a voltage'),
    _number('thrusters.voltage', 'V', 'of the thrusters'),
    _number('thrusters.diameter', 'm', 'of one propeller'),
    _number('thrusters.max_power', 'W', 'electrical, of one thruster'),
    Fact('thrusters.bollard', ROWS, ('N', 'W'),
         'pull of the whole boat, tied, and the power for it'),
    _number('hull.waterline', 'm', 'length of the waterline'),
    _number('hull.beam', 'm', 'of the waterline of one hull'),
    _number('hull.draught', 'm', 'of the hull'), _number('hull.spacing', 'm', 'between the hulls of a catamaran'),
    _number('hull.height', 'm', 'above water'),
    Fact('hull.stern', CHOICE, (), 'transom: a flat one is in the water at rest', ('fine', 'transom')),
    Fact('thrusters.control', CHOICE, (), 'of the motor: a few steps are resistors', ('electronic', 'resistors')))


def facts_document(given: Mapping[str, Any], document: Mapping[str, Any] | None = None,
                   where: object = 'facts') -> dict[str, Any]:
    """
    Return the content of a file of facts from facts by their keys; None is no fact.

    :param document: The content that they are laid over, which stays as it is; None: nothing.
    :param where: Of errors, whose file it is.
    :raises InputError: If the document has no mapping where one must be.
    """
    found: dict[str, Any] = dict(document or {})
    for key, value in given.items():
        if value is None:
            continue
        *sections, name = key.split('.')
        node = found
        for section in sections:
            inner = node.get(section, {})
            if not isinstance(inner, Mapping):
                raise InputError(f'{where}: {section} is {inner!r}; must be a mapping')
            node[section] = node = dict(inner)
        node[name] = value
    return found


def facts_of_texts(texts: Mapping[str, str], where: object = 'facts') -> dict[str, Any]:
    """
    Return facts by their keys from what somebody typed for each; an empty text is none.

    :raises InputError: If a text is not what the fact needs: its key, the text and what is allowed.
    """
    known = {fact.key: fact for fact in FACTS}
    found: dict[str, Any] = {}
    for key, text in texts.items():
        if not text.strip():
            continue
        if key not in known:
            raise InputError(f'{where}: {key} is no fact; must be one of {", ".join(known)}')
        found[key] = _value(known[key], text.strip(), where)
    return found


def _value(fact: Fact, text: str, where: object) -> Any:
    if fact.kind == ROWS:
        return [_row(fact, line, where) for line in re.split(r'[\n;]', text) if line.strip()]
    if fact.kind == NUMBER:
        return _number_of(fact, text, where)
    text = text.lower() if fact.choices else text
    if fact.choices and text not in map(str, fact.choices):
        raise InputError(f'{where}: {fact.key} is {text!r}; must be {fact.allowed}')
    if fact.key in WORDS:
        WORDS[fact.key](text)
    return int(text) if fact.kind == COUNT else text


def _number_of(fact: Fact, text: str, where: object) -> float:
    try:
        value = number_in(text, fact.key, fact.units[0])
    except InputError:
        value = math.nan
    if not (value > 0.0 or (fact.may_be_zero and value == 0.0)):
        raise InputError(f'{where}: {fact.key} is {text!r}; must be a number, {fact.allowed}')
    return value


def _row(fact: Fact, line: str, where: object) -> list[float]:
    parts = re.fullmatch(r'(\S+?(?:\s*[a-z/]+)?)[,\s]+(\S+(?:\s*[a-z/]+)?)', line.strip(), re.IGNORECASE)
    try:
        row = [number_in(part, '', unit) for part, unit in zip(parts.groups() if parts else (), fact.units)]
    except InputError:
        row = []
    if not row or min(row) <= 0.0 or re.fullmatch(r'[\d.]+,[\d.]+,[\d.,]+', line.strip()):    # Which comma is which?
        raise InputError(f'{where}: {fact.key} has {line.strip()!r}; must be {fact.allowed}, as 1.5, 90')
    return row


def facts_of_error(message: str, given: Mapping[str, Any]) -> list[Fact]:
    """Return the facts that take part in an error: those it names and, with one of the hull, all given ones of it."""
    named = {fact.key for fact in FACTS if fact.key not in ('name', 'source') for word in (
        (fact.key,) if fact.kind in (COUNT, CHOICE) else (fact.key, fact.name))
             if re.search(rf'(?<![\w.]){re.escape(word)}(?!\w)', message)}
    if any(map(_of_hull, named)) or 'planes' in message:
        named |= {key for key, value in given.items() if _of_hull(key) and value is not None}
    return [fact for fact in FACTS if fact.key in named]


def _of_hull(key: str) -> bool:
    return key in ('mass', 'payload') or key.startswith('hull.')


def fact_of_error(message: str) -> Fact | None:
    """Return the fact that an error names, beside whose field it belongs; None where it names none, or many."""
    if lacking := re.search(r"(?:(\w+) )?(?:has \w+ and )?lacks the key '(\w+)'", message):
        section, name = lacking.groups()
        for key in (f'{section}.{name}', name):
            if fact := next((fact for fact in FACTS if fact.key == key), None):
                return fact
    places = [(found.start(), -len(fact.key), fact) for fact in FACTS
              if (found := re.search(rf'(?<![\w.]){re.escape(fact.key)}(?![\w])', message))]
    return min(places)[2] if places else None
