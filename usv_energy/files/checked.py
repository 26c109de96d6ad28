"""Read YAML files, merge them with their base, and check them against JSON schemas; each fault is an InputError."""

import difflib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.limits import BASES, RANGES, check_magnitude
from usv_energy.files.locate import resolve, share_folder, user_path
from usv_energy.files.parsed_text import read_yaml
from usv_energy.files.text_file import open_text

if TYPE_CHECKING:
    from jsonschema import ValidationError


# Limits by their names in JSON schema: whether values from `low` to `high` keep the limit, and its words in messages.
LIMITS: dict[str, tuple[Callable[[float, float, float], bool], str]] = {
    'minimum': (lambda low, high, at: low >= at, 'at least'),
    'exclusiveMinimum': (lambda low, high, at: low > at, 'greater than'),
    'maximum': (lambda low, high, at: high <= at, 'at most'),
    'exclusiveMaximum': (lambda low, high, at: high < at, 'less than')}

# Files that people write: their schemas and their names in messages.
KINDS = {'boat': 'boat file', 'scenario': 'scenario', 'flow': 'flow file', 'sweep': 'sweep', 'team': 'team',
         'columns': 'column map', 'maneuver': 'maneuver', 'acoustics': 'plan of acoustic modems'}

MOST_SHOWN = 20     # Further faults that are told.
MOST_ERRORS = 100   # Of a document, among which the best one is told.
_VALID: set[Any] = set()    # Schema and digest of the documents without a fault: nodes and pages read a boat often.
KEYS_OUTSIDE_SCHEMA = {'base', 'static_load'}     # Keys of such files that their schemas do not have.


@dataclass(frozen=True)
class FileNumber:
    """A number of a file: its unit, its limits by their names in JSON schema, and its meaning."""

    unit: str
    limits: Mapping[str, float] = field(default_factory=dict)
    meaning: str = ''

    def all_limits(self) -> dict[str, float]:
        """Return its own limits, and those that any quantity in its unit has where it has none."""
        most, own = RANGES.get(self.unit), dict(self.limits)
        if most is not None:
            if not {'minimum', 'exclusiveMinimum'} & set(own):
                own['minimum'] = -most
            if not {'maximum', 'exclusiveMaximum'} & set(own):
                own['maximum'] = most
        return own

    def fault(self, lowest: float, highest: float) -> str:
        """Return what is wrong with values from `lowest` to `highest`; empty if nothing is."""
        for name, limit in self.all_limits().items():
            good, words = LIMITS[name]
            if not good(lowest, highest, limit):
                return f'must be {words} {limit:g}'
        return ''

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the number: bare, or with unit and source as in `$defs/sourced`."""
        bare = {'type': 'number', **self.all_limits()}
        sourced = {'$ref': '#/$defs/sourced', 'properties': {'unit': {'const': self.unit}, 'value': bare}}
        return {'description': self.meaning, 'if': {'type': 'object'}, 'then': sourced, 'else': bare}


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class BoatNumber(FileNumber):
    """
    A row of the table of a boat's numbers.

    `path`: in the boat's file, with dots; an entry of a list is `*`. `fields`: nested fields of a Boat.
    `default`: value if the file lacks the number; None if it is required, or if the boat then has no such number.
    `required`: whether its section of the file must have it. `sweep`, `band`: whether sweeps may vary it, and bands may
    draw it. `fit`: the simplest form of `usv-energy identify` that fits it; empty if none does.
    `from_file`: function from the file's number to the field's; float or array.
    """

    path: str = ''
    fields: tuple[str, ...] = ()
    default: float | None = None
    required: bool = False
    sweep: bool = True
    band: bool = True
    fit: str = ''
    from_file: Callable[[Any], Any] = _itself


def number(path: str, unit: str, meaning: str, *, above: float | None = None, at_least: float | None = None,
           below: float | None = None, at_most: float | None = None, default: float | None = None, sweep: bool = True,
           band: bool = True, fit: str = '', from_file: Callable[[Any], Any] = _itself) -> BoatNumber:
    """Return a row of the table, to stand beside its field; BoatNumber explains the parameters."""
    limits = {'minimum': at_least, 'exclusiveMinimum': above, 'maximum': at_most, 'exclusiveMaximum': below}
    return BoatNumber(unit, {name: limit for name, limit in limits.items() if limit is not None}, meaning, path,
                      default=default, sweep=sweep, band=band, fit=fit, from_file=from_file)


def read_with_base(kind: str, path: Path) -> dict[str, Any]:
    """
    Return the mapping in a YAML file, merged with its base by `with_base`.

    :raises InputError: As `read_yaml` and `with_base`.
    """
    return with_base(kind, read_yaml(path), path)


def with_base(kind: str, document: dict[str, Any], path: Path, _seen: tuple[Path, ...] = ()) -> dict[str, Any]:
    """
    Return the content of a YAML file, merged with that of the file that its key `base` names, if it has one.

    Mappings are merged key by key. Any other value replaces that of the base, and null removes a key, whether the base
    has it or not. The key `base` itself is left out.

    :param kind: Folder under `config/` in which a base without a path is looked up.
    :param document: The file's content.
    :param path: Path of the file; that of the base is relative to its folder.
    :raises InputError: If the base cannot be read, or the files name each other in a circle.
    """
    above = {key: value for key, value in document.items() if key != 'base'}
    base_path, seen = base_path_of(kind, document, path), (*_seen, path.resolve())
    if base_path is None:
        return above
    if base_path.resolve() in seen:
        raise InputError(f'{path}: base is {document["base"]!r}; the files name each other in a circle')
    if len(seen) > BASES:
        raise InputError(f'{seen[0]}: has more than {BASES} files of which each is the base of the one before')
    return _merged(with_base(kind, read_yaml(base_path), base_path, seen), above)


def base_path_of(kind: str, document: dict[str, Any], path: Path) -> Path | None:
    """
    Return the path of the file that a document's key `base` names; None without that key.

    :param kind: Folder under `config/` in which a base without a path is looked up.
    :param document: The file's content.
    :param path: Path of the file; that of the base is relative to its folder.
    :raises InputError: If there is no such file.
    """
    if document.get('base') is None:
        return None
    base = str(user_path(str(document['base'])))
    for folder in (path.parent, share_folder() / 'config' / kind):
        candidate = folder / f'{base}.yaml'
        if candidate.is_file() and candidate.resolve() != path.resolve():
            return candidate
    try:
        return resolve(kind, base, path.parent)
    except InputError as error:
        raise InputError(f'{path}: base is {base!r}: {error}') from None


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(above, dict) or 'value' in above:
        return above
    if not isinstance(below, dict) or 'value' in below:
        below = {}
    merged = {**below, **{key: _merged(below.get(key), value) for key, value in above.items()}}
    return {key: value for key, value in merged.items() if value is not None}


def values_of(node: Any) -> Any:
    """Return the document with every `{value:, unit:, source:}` replaced by its value."""
    if isinstance(node, dict):
        return node['value'] if 'value' in node else {key: values_of(inner) for key, inner in node.items()}
    return [values_of(inner) for inner in node] if isinstance(node, list) else node


def check(document: dict[str, Any], schema: str | Callable[[], dict[str, Any]], source: object,
          every: bool = False, before: Sequence[str] = ()) -> None:
    """
    Check a document against a JSON schema.

    :param schema: `<schema>` of config/schema/<schema>.schema.yaml, or a function that returns one.
    :param source: Name of the document in an error, usually its path.
    :param every: Tell all faults, a line each.
    :param before: Faults that are known already, told before those of the schema.
    :raises InputError: For the worst fault: file, key, value, and what is allowed.
    """
    wild = dict(_wild_numbers(document, ''))
    content = schema, '' if wild else blake2b(repr(document).encode()).digest()
    if content in _VALID and not before:
        return
    errors = sorted(islice(_validator(schema).iter_errors(document), MOST_ERRORS),
                    key=lambda e: [str(p) for p in e.absolute_path])
    if errors:
        from jsonschema.exceptions import best_match
        fault = best_match(errors)
        if wild and not every and not (fault.validator in LIMITS and abs(fault.instance) < math.inf):
            raise InputError(f'{source}: {next(iter(wild.values()))}')     # The schema has no limit of its own for it.
        told = f'{_explain(fault)}{_other_kind(document, fault)}' + (_others(errors, fault) if every else '')
        before = [*before, told]
        for error in errors:
            wild.pop('.'.join(map(str, error.absolute_path)), None)
    told_too = len(wild) if every else 0 if errors else 1
    if faults := [*before, *list(wild.values())[:told_too]]:
        raise InputError(f'{source}: ' + '\n  '.join(faults))
    _VALID.add(content)


def _others(errors: list['ValidationError'], told: 'ValidationError') -> str:
    """Return the other faults of a document, a line each; faults inside the one that is told are left out."""
    from jsonschema.exceptions import best_match
    lines = dict.fromkeys(_one_of_required(error) or _explain(best_match([error])) for error in errors)
    lines.pop(_one_of_required(told) or _explain(told), None)
    shown = list(lines)[:MOST_SHOWN]
    more = [f'and {len(lines) - MOST_SHOWN} more'] if len(lines) > MOST_SHOWN else []
    return ''.join(f'\n  {line}' for line in [*shown, *more])


def _one_of_required(error: 'ValidationError') -> str:
    """Return the fault of one key that lacks, each of which is an error of its own; empty for another fault."""
    if error.validator != 'required':
        return ''
    key = '.'.join(str(part) for part in error.absolute_path) or 'the file'
    return f'{key} lacks the key {error.message.split(" is a required")[0]}'


def _other_kind(document: dict[str, Any], fault: 'ValidationError') -> str:
    """Return a hint for a document with an unknown key, if all of its keys fit exactly one other kind of file."""
    if fault.absolute_path or fault.validator != 'additionalProperties':
        return ''
    keys = {str(key) for key in document} - KEYS_OUTSIDE_SCHEMA
    fitting = [called for kind, called in KINDS.items() if keys <= set(_validator(kind).schema['properties'])]
    return f'. It looks like a {fitting[0]}' if len(fitting) == 1 else ''


@cache
def _validator(schema: str | Callable[[], dict[str, Any]]) -> Any:
    from jsonschema import Draft202012Validator
    return Draft202012Validator(_shipped(share_folder() / 'config' / 'schema' / f'{schema}.schema.yaml')
                                if isinstance(schema, str) else schema())


def _shipped(path: Path) -> dict[str, Any]:
    """Return the mapping in a shipped file, by the loader in C if there is one; no shipped file can crash it."""
    with open_text(path) as file:
        document: dict[str, Any] = yaml.load(file.read(), Loader=getattr(yaml, 'CSafeLoader', yaml.SafeLoader))
    return document


def _wild_numbers(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of numbers that no quantity has, and what is wrong with them."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            check_magnitude(value, key)
        except InputError as error:
            yield key, str(error)
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield from _wild_numbers(inner, f'{key}.{name}' if key else str(name))


def _explain(error: 'ValidationError') -> str:
    key = '.'.join(str(part) for part in error.absolute_path) or 'the file'
    found = f'{key} is {_shown(error.instance)}'
    allowed = error.validator_value
    if error.validator == 'additionalProperties':
        return _unknown_key(error)
    if error.validator == 'required':
        missing = [name for name in allowed if name not in error.instance]
        return f'{key} lacks the key {missing[0]!r}; required: {", ".join(allowed)}'
    if error.validator == 'type':
        kinds = {'number': 'a number', 'integer': 'a whole number', 'string': 'a text', 'object': 'a mapping',
                 'array': 'a list', 'boolean': 'true or false'}
        wanted = [allowed] if isinstance(allowed, str) else allowed
        return f'{found}; must be {" or ".join(kinds.get(kind, kind) for kind in wanted)}'
    if error.validator == 'const' and error.absolute_path and error.absolute_path[-1] == 'unit':
        return f'{found}; this quantity must be given in {allowed!r}'
    words = {'const': 'must be {}', 'enum': 'must be one of {}', 'exclusiveMinimum': 'must be greater than {}',
             'minimum': 'must be at least {}', 'maximum': 'must be at most {}',
             'exclusiveMaximum': 'must be less than {}', 'minItems': 'must hold at least {} entries'}
    if error.validator in words:
        shown = (', '.join(str(a) for a in allowed) if isinstance(allowed, list)
                 else f'{allowed:g}' if isinstance(allowed, float) else repr(allowed))
        return f'{found}; {words[error.validator].format(shown)}'
    return f'{key}: {error.message}'


def _unknown_key(error: 'ValidationError') -> str:
    key = '.'.join(str(part) for part in error.absolute_path)
    allowed = sorted(error.schema.get('properties', {}))
    unknown = sorted(str(name) for name in error.instance if name not in allowed)[0]
    close = difflib.get_close_matches(unknown, allowed, n=1)
    hint = f'; did you mean {close[0]!r}?' if close else ''
    place = f' in {key}' if key else ''
    return f'unknown key {unknown!r}{place}{hint or "."} Allowed: {", ".join(allowed)}'


def _shown(value: Any) -> str:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return f'{value!r} (a text)'
        return f'{value!r} (a text: in YAML a number has no quotes, and its exponent a sign, as 1.0e+9)'
    return str(value) if not isinstance(value, (dict, list)) else f'{str(value)[:60]}'
