"""JSON of people's files: no key twice, no NaN, numbers that are numbers, errors that name what is wrong."""

import json
import math
from pathlib import Path
from typing import Any

from ...files.errors import InputError


def parsed_json(text: str, path: Path) -> Any:
    """
    Return what a text of JSON says.

    :param path: Of the file that holds it, for errors.
    :raises InputError: If it is no JSON, or gives a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise InputError(f'{path}: line {error.lineno} is wrong JSON: {error.msg}') from None
    except InputError as error:
        raise InputError(f'{path}: {error}') from None
    except (ValueError, RecursionError) as error:  # a number of 5000 digits; lists in lists a thousand deep
        raise InputError(f'{path}: is wrong JSON: {error}') from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(f'the key {next(key for key in keys if keys.count(key) > 1)!r} is given twice')
    return values


def a_number(value: Any, where: str) -> float:
    """Return a value of a file as a finite number; InputError, which begins with `where`, if it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise InputError(f'{where} is {shown(value)}; must be a finite number')


def a_mapping(value: Any, where: str) -> dict[str, Any]:
    """Return a value of a file that is a mapping; InputError, which begins with `where`, if it is none."""
    if isinstance(value, dict):
        return value
    raise InputError(f'{where} is {shown(value)}; must be a mapping ({{...}})')


def a_list(value: Any, where: str) -> list[Any]:
    """Return a value of a file that is a list; InputError, which begins with `where`, if it is none."""
    if isinstance(value, list):
        return value
    raise InputError(f'{where} is {shown(value)}; must be a list ([...])')


def shown(value: Any) -> str:
    """Return a value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f'{text[:57]}...'
