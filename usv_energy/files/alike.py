"""Whether two values are alike that may hold arrays, whose own `==` says it number by number."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


class Alike:
    """A frozen dataclass (`eq=False`) that equals another of its kind if all its values are alike."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether another object is of this kind and has the same values."""
        return same(self, other)

    def __hash__(self) -> int:
        """Return a number that those with the same values share."""
        return hash((type(self), *(value for value in vars(self).values() if isinstance(value, str))))


def same(one: Any, other: Any) -> bool:
    """Return whether two values are alike: arrays number by number, records field by field."""
    if one is other:
        return True
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (one != one and other != other)
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == 'f')
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one.equals(other) if hasattr(one, 'equals') else one == other)
