"""Write a boat's file: nothing is left behind that could not be read again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from ..files import checked
from ..files.whole_file import write_text
from .boat_file import Boat, boat_from


def write_boat(document: Mapping[str, Any], path: Path, heading: str = '') -> Boat:
    """
    Write a boat file, whole or not at all, and return the boat that it describes.

    The text is read back as `read_boat` would, its base laid under it, before anything is put at `path`.

    :param document: What the file is to hold; with a `base`, null takes a key of the base away.
    :param path: Where to; the base's path is relative to its folder.
    :param heading: A comment for the first line, without its `#`.
    :raises InputError: If it would be no boat: the path, key, value, what is allowed. What was at `path` stays.
    :raises OSError: If it cannot be written.
    """
    body = yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    text = f'# {heading}\n{body}' if heading else body
    boat = boat_from(checked.with_base('boats', checked.parsed_yaml(text, path), path), path)
    write_text(text, path)
    return boat
