"""What may vary: the numbers of scenario and boat files by dotted path, with units and limits from their schemas."""

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from ..files.checked import read_yaml
from ..files.errors import InputError
from ..files.locate import share_folder

LIMITS = {'minimum': (lambda low, high, at: low >= at, 'at least'),
          'exclusiveMinimum': (lambda low, high, at: low > at, 'greater than'),
          'maximum': (lambda low, high, at: high <= at, 'at most'),
          'exclusiveMaximum': (lambda low, high, at: high < at, 'less than')}
NOT_VARIED = ('simulation', 'published', 'hull', 'battery')


class Quantity(NamedTuple):
    """A number of a file: its unit, and its limits as JSON schema has them."""

    unit: str
    limits: dict[str, float]

    def fault(self, lowest: float, highest: float) -> str:
        """Return what is wrong with values from `lowest` to `highest`; empty if nothing is."""
        for name, limit in self.limits.items():
            good, words = LIMITS[name]
            if not good(lowest, highest, limit):
                return f'must be {words} {limit:g}'
        return ''


@cache
def quantities(schema_name: str) -> dict[str, Quantity]:
    """Return the numbers of a kind of file that an ensemble may vary, by path; entries of a list as `*`."""
    path = share_folder() / 'config' / 'schema' / f'{schema_name}.schema.yaml'
    schema = read_yaml(path)
    return {'.'.join(keys): quantity for keys, quantity in _numbers(schema, schema, ()) if keys[0] not in NOT_VARIED}


def _numbers(node: dict[str, Any], schema: dict[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[Any, Quantity]]:
    if '$ref' in node:
        node = schema['$defs'][node['$ref'].rsplit('/', 1)[-1]]
    bare = node.get('else', {})
    if bare.get('type') == 'number':
        unit = node['then'].get('properties', {}).get('unit', {}).get('const', '1')
        yield keys, Quantity(unit, {name: bare[name] for name in LIMITS if name in bare})
        return
    for name, inner in node.get('properties', {}).items():
        yield from _numbers(inner, schema, (*keys, name))
    if isinstance(node.get('items'), dict) and node['items'].get('type') == 'object':
        yield from _numbers(node['items'], schema, (*keys, '*'))


def unknown(path: str, known: list[str]) -> InputError:
    """Return the error for a path that is none, with those that are close."""
    close = difflib.get_close_matches(path, known, n=3, cutoff=0.5)
    hint = f'; did you mean {" or ".join(close)}?' if close else f'; there are: {", ".join(known)}'
    return InputError(f'no parameter {path!r} to vary{hint}')
