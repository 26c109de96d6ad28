"""What a kind of thruster brings: the key that names it in a boat file, its schema, and how it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .rates import Turning

Read = Callable[[dict[str, Any], str], 'DescribedPropeller']


@dataclass(frozen=True)
class DescribedPropeller:
    """
    A propeller as a boat file describes it.

    `propeller`: what the kind's kernels take. `kind`: its key in the file. `limits`: least and largest thrust at
    standstill that the description covers, N. `correction`: where thrust and power under way are no measurements, what
    they follow from, as a sentence for reports; empty where nothing was corrected. `turning`: which thrust it gives at
    which rate, None where that is not known. Of a thruster of the library its name, `model`, its `voltage`, V, how many
    (`number`) drive as one, and whether the boat file itself says k, what the motor loses of its voltage (`own_drop`).
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
