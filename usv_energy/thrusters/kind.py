"""What a kind of thruster brings: its key in a boat file, its schema, how it is read."""

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
    """See whether knots rise; InputError, which begins with `what`, if not."""
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f'{what} {values.tolist()}; they must rise')


def turning_of_rates(plain: dict[str, Any], where: str) -> Turning | None:
    """Return which thrust a propeller gives at which rate, as its `rates` say it; None without these."""
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

    `propeller`: what the kind's kernels take, a named tuple of numbers and of knots, arrays. `kind`: its key in the
    file. `limits`: least and largest thrust at standstill that the description covers, N. `correction`: where thrust
    and power under way are no measurements, what they follow from, as a sentence for reports; empty where nothing was
    corrected. `turning`: which thrust it gives at which rate, None where that is not known. Of a thruster of the
    library its name, `model`, its `voltage`, V, how many (`number`) drive as one, and whether the boat file itself says
    k, what the motor loses of its voltage (`own_drop`).
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

    `key` tells it; `must` and `may` stand beside that key. `read` returns the DescribedPropeller of the mapping, bare
    numbers, checked against the schema; its second argument stands before a key in an error. `properties`: what the
    schema says of `key` and of those of the others that no kind before has described.
    """

    key: str
    must: tuple[str, ...]
    may: tuple[str, ...]
    read: Read
    properties: Mapping[str, Any] = field(default_factory=dict)


KINDS: dict[str, PropellerKind] = {}


def register_kind(kind: PropellerKind) -> None:
    """Make a kind known to the reader of boat files, by its key."""
    KINDS[kind.key] = kind
