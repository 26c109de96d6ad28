"""What the installed packages say about a message class, and messages made at once with all of their fields."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ament_index_python.packages import get_package_share_directory
from std_msgs.msg import Header

# Whether the user wants each field's type to be checked (ROS_PYTHON_CHECK_FIELDS=1).
CHECKED = Header()._check_fields

RULE = 80 * '='


def maker_of(kind: Any) -> Callable[..., Any]:
    """
    Return a function that makes messages of a class; its arguments are all fields, in the order of the definition.

    The constructor that rosidl generates makes the default of every field first, nested messages and their imports
    among them, and throws away those that are given: most of what a step of the graph took (bench/lockstep.py). Here
    the slots behind the fields are filled, by a function written for the class as `dataclasses` does it; with
    ROS_PYTHON_CHECK_FIELDS the fields are set, and checked.

    :param kind: Class of the messages.
    """
    fields = list(kind.get_fields_and_field_types())
    # No field of a message begins with an underline, as the function's own names do.
    lines = [f'def make({", ".join(fields)}):', '_made = _new(_kind)', '_made._check_fields = _checked',
             *(f'_made.{"" if CHECKED else "_"}{field} = {field}' for field in fields), 'return _made']
    names: dict[str, Any] = {'_new': kind.__new__, '_kind': kind, '_checked': CHECKED}
    exec('\n    '.join(lines), names)
    make: Callable[..., Any] = names['make']
    return make


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
