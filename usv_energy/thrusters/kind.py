"""The registry of kinds of propellers: the key of each in a boat file, its schema, and its reader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.thrusters.drive import Turning, turning_of

RATES_SCHEMA = {
    'description': 'Rows of the rate of turning (1/min, rising, astern below 0) and the thrust at standstill (N): what '
                   'an rpm reading stands for. Beside map or table.',
    'type': 'array', 'minItems': 1,
    'items': {'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'type': 'number'}}}


def check_rising(values: np.ndarray, what: str) -> None:
    """Check that values are strictly ascending; InputError, whose message begins with `what`, if not."""
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f'{what} {values.tolist()}; they must rise')


def turning_of_rates(plain: dict[str, Any], where: str) -> Turning | None:
    """
    Return the Turning of a propeller from the `rates` of its entry; None if it has none.

    :param plain: The `propeller` entry of the thruster.
    :param where: Its place in the file, for error messages.
    :raises InputError: If rates or thrusts do not rise, or their signs differ.
    """
    if 'rates' not in plain:
        return None
    rpm, thrust = np.array(plain['rates'], dtype=float).T
    check_rising(rpm, f'{where}: rates has the rates of turning')
    check_rising(thrust, f'{where}: rates has the thrusts')
    for rate, force in zip(rpm, thrust):
        if rate * force < 0.0 or (rate == 0.0) != (force == 0.0):
            raise InputError(f'{where}: rates has {force:g} N at {rate:g} 1/min; a rate above 0 must give a thrust '
                             'above 0, one below 0 a thrust below 0, and standstill none')
    return turning_of(rpm / 60.0, thrust)


Read = Callable[[dict[str, Any], str], 'DescribedPropeller']


@dataclass(frozen=True)
class DescribedPropeller:
    """
    A propeller as a boat file describes it.

    `propeller`: the argument of the kind's kernels, a named tuple of numbers and arrays. `kind`: its key in the file.
    `limits`: least and largest thrust at standstill that the description covers, N. `correction`: a sentence for
    reports on how thrust and power under way were derived; empty if they are measured. `turning`: the Turning; None if
    it is not known.
    For a thruster of the library, `model`: its name, `voltage`: V, `number`: how many act as one, and `own_drop`:
    whether the boat file itself gives the voltage drop k of the motor.
    """

    propeller: Any
    kind: str
    limits: tuple[float, float]
    correction: str = ''
    turning: Turning | None = None
    model: str = ''
    voltage: float | None = None
    number: int = 1
    own_drop: bool = False


@dataclass(frozen=True)
class PropellerKind:
    """
    A kind of propeller in a boat file.

    `key`: the key that identifies the kind. `must`, `may`: required and optional keys beside it. `read`: function of
    the entry (with plain numbers, checked against the schema) and the prefix of error messages that returns the
    DescribedPropeller. `properties`: JSON schema of `key`, and of those other keys that no earlier kind described.
    """

    key: str
    must: tuple[str, ...]
    may: tuple[str, ...]
    read: Read
    properties: Mapping[str, Any] = field(default_factory=dict)


KINDS: dict[str, PropellerKind] = {}


def register_kind(kind: PropellerKind) -> None:
    """Register a kind for the reader of boat files."""
    KINDS[kind.key] = kind
