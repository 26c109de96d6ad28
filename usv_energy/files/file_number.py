"""A number of a file: what it means, its unit and its limits, in code and as JSON schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

# The limits' names in JSON schema: whether values from `low` to `high` keep the limit, and how a message says it.
LIMITS: dict[str, tuple[Callable[[float, float, float], bool], str]] = {
    'minimum': (lambda low, high, at: low >= at, 'at least'),
    'exclusiveMinimum': (lambda low, high, at: low > at, 'greater than'),
    'maximum': (lambda low, high, at: high <= at, 'at most'),
    'exclusiveMaximum': (lambda low, high, at: high < at, 'less than')}


@dataclass(frozen=True)
class FileNumber:
    """A number of a file: its unit, its limits by their names in JSON schema, and what it means."""

    unit: str
    limits: Mapping[str, float] = field(default_factory=dict)
    meaning: str = ''

    def fault(self, lowest: float, highest: float) -> str:
        """Return what is wrong with values from `lowest` to `highest`; empty if nothing is."""
        for name, limit in self.limits.items():
            good, words = LIMITS[name]
            if not good(lowest, highest, limit):
                return f'must be {words} {limit:g}'
        return ''

    def schema(self) -> dict[str, Any]:
        """Return the number in JSON schema: bare, or with its unit and source as `$defs/sourced` has them."""
        bare = {'type': 'number', **self.limits}
        sourced = {'$ref': '#/$defs/sourced', 'properties': {'unit': {'const': self.unit}, 'value': bare}}
        return {'description': self.meaning, 'if': {'type': 'object'}, 'then': sourced, 'else': bare}


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class BoatNumber(FileNumber):
    """
    A row of the table of a boat's numbers.

    `path`: in the boat's file, with dots, an entry of a list as `*`. `fields`: of a Boat, one in the other.
    `default`: where the file leaves it out; None where it must not, or where the boat has no such number then.
    `required`: the file's section is not complete without it. `sweep`, `band`: sweeps may vary it, bands may draw it.
    `fit`: the simplest form of `usv-energy identify` that fits it; empty where none does.
    `from_file`: from the file's number to the field's; float or array.
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
    """Return a row of the table, to stand beside its field; what it says is in BoatNumber."""
    limits = {'minimum': at_least, 'exclusiveMinimum': above, 'maximum': at_most, 'exclusiveMaximum': below}
    return BoatNumber(unit, {name: limit for name, limit in limits.items() if limit is not None}, meaning, path,
                      default=default, sweep=sweep, band=band, fit=fit, from_file=from_file)
