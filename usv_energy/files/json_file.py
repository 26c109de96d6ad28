"""JSON out: to a file or to stdout, without the NaN and infinity that JSON does not have."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import InputError
from .whole_file import check_writable, write_text

STDOUT = '-'


def without_nan(figures: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return figures with None in place of NaN and infinity, in lists and mappings within them, too.

    :param figures: By name; arrays of numpy become lists.
    """
    return {key: _plain(value) for key, value in figures.items()}


def _plain(value: Any) -> Any:
    if hasattr(value, 'tolist'):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, Mapping):
        return without_nan(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_json(content: Mapping[str, Any] | Sequence[Mapping[str, Any]], target: Path | str) -> None:
    """
    Write figures, or a list of them, as JSON.

    :param content: What to write; without NaN.
    :param target: The file, replaced whole or not at all; `-` is stdout.
    :raises OSError: If it cannot be written.
    """
    text = json.dumps(content, indent=2, allow_nan=False)
    if target == STDOUT:
        print(text)
    else:
        write_text(f'{text}\n', Path(target))


def check_target(target: Path | str | None) -> None:
    """
    See whether `write_json` can write to a target; None is no target.

    :raises InputError: If not: the file and the reason.
    """
    if target is None or str(target) == STDOUT:
        return
    path = Path(target)
    if path.is_dir():
        raise InputError(f'{path}: is a folder; must be a file')
    if not path.parent.is_dir():
        raise InputError(f'{path}: there is no folder {path.parent}')
    if not path.exists() or path.is_file():
        check_writable(path.parent)
