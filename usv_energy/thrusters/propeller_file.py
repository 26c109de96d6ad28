"""
The propeller of a thruster in a boat file, of one of the kinds in `kinds/`.

`rates` (rows of 1/min and thrust at standstill) beside a map or a table give the thrust for an rpm reading; for a screw
and for a library thruster it follows from their data.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.thrusters import kinds  # noqa: F401  # registers them
from usv_energy.thrusters.kind import KINDS, DescribedPropeller

POSITIVE = {'type': 'number', 'exclusiveMinimum': 0}
NUMBERS = {'type': 'array', 'minItems': 2, 'items': {'type': 'number'}}


def propeller_from(entry: dict[str, Any], where: str) -> DescribedPropeller:
    """
    Return a propeller from the entry `propeller` of a thruster in a boat file.

    :param entry: The mapping, with numbers plain or with unit and source.
    :param where: Prefix of a key in error messages: the file, a colon, and `thrusters.0.propeller`.
    :raises InputError: If it is wrong; the message names key, value and what is allowed.
    """
    plain: dict[str, Any] = checked.values_of(entry)
    checked.check(plain, propeller_schema(tuple(KINDS)), where)
    named = [key for key in KINDS if key in plain]
    if len(named) != 1:
        found = 'has ' + ' and '.join(named) if named else 'has none of them'
        raise InputError(f'{where} must have one of {", ".join(KINDS)}; it {found}')
    kind = KINDS[named[0]]
    for key in kind.must:
        if key not in plain:
            raise InputError(f'{where} has {kind.key!r} and lacks {key!r}; required beside it: {", ".join(kind.must)}')
    for key in plain:
        if key not in (*kind.must, *kind.may, kind.key, 'source'):
            raise InputError(f'{where}.{key} does not go with {kind.key!r}; allowed beside it: '
                             f'{", ".join((*kind.must, *kind.may)) or "nothing"}')
    return kind.read(plain, where)


@cache
def propeller_schema(keys: tuple[str, ...]) -> Callable[[], dict[str, Any]]:
    """
    Return a function that returns the JSON schema of `propeller` with the properties of all kinds.

    :param keys: The properties.
    """
    properties: dict[str, Any] = {'source': {'type': 'string'}}
    for key in keys:
        properties.update(KINDS[key].properties)
    schema = {'$schema': 'https://json-schema.org/draft/2020-12/schema', 'title': 'usv_energy propeller',
              'type': 'object', 'additionalProperties': False, 'properties': properties,
              '$defs': {'positive': POSITIVE, 'numbers': NUMBERS}}
    return lambda: schema
