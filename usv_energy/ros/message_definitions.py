"""What the installed packages say about a message class: its name, its definition, and the hash of its description."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ament_index_python.packages import get_package_share_directory

RULE = 80 * '='


class MessageDefinition(NamedTuple):
    """
    A message type as a bag names it: package/msg/Name.

    With the text of its .msg file, followed by those of all types in it; and its RIHS01 hash.
    """

    name: str
    text: str
    hash: str


def type_name(kind: type) -> str:
    """Return the name of a message class as bags have it: package/msg/Name."""
    return f'{kind.__module__.split(".")[0]}/msg/{kind.__name__}'


@cache
def definition_of(kind: type) -> MessageDefinition:
    """Return the definition of a message class; the description that rosidl installs lists the types in it."""
    name = type_name(kind)
    hashes = {entry['type_name']: entry['hash_string']
              for entry in json.loads(_installed(name, '.json'))['type_hashes']}
    parts = [_installed(name, '.msg')]
    for used in sorted(hashes.keys() - {name}):
        package, _, short = used.split('/')
        parts.append(f'{RULE}\nMSG: {package}/{short}\n{_installed(used, ".msg")}')
    return MessageDefinition(name, '\n'.join(parts), hashes[name])


def _installed(name: str, suffix: str) -> str:
    package, folder, short = name.split('/')
    return Path(get_package_share_directory(package), folder, short + suffix).read_text(encoding='utf-8')
