"""The layout of a message of its definition, as MCAP files and newer SQLite3 bags hold it (ros2msg)."""

import re

from usv_energy.logs.bags.cdr import STRING, STRINGS, Field

NUMBERS = {'bool': 'u1', 'byte': 'u1', 'char': 'u1', 'uint8': 'u1', 'int8': 'i1', 'uint16': 'u2', 'int16': 'i2',
           'uint32': 'u4', 'int32': 'i4', 'uint64': 'u8', 'int64': 'i8', 'float32': 'f4', 'float64': 'f8'}
LINE = re.compile(r'^\s*([A-Za-z][\w/]*(?:<=\d+)?)(\[(?:<=)?(\d*)\])?\s+(\w+)\s*(=?)')
PART = re.compile(r'^=+\s*$\s*^MSG: *(\S+)\s*$', re.MULTILINE)
DEEPEST = 10


def layout_of_definition(definition: str) -> tuple[Field, ...]:
    """
    Return the layout of a message up to its first part that has no fixed place, such as a list of messages.

    :param definition: Of the message, and of all that are in it, each behind a line `MSG: package/Name`.
    """
    texts = PART.split(definition)
    parts = dict(zip(texts[1::2], texts[2::2]))
    return _fields(texts[0], parts, '', 0)[0]


def _fields(text: str, parts: dict[str, str], prefix: str, depth: int) -> tuple[tuple[Field, ...], bool]:
    """Return fields, and whether these are all."""
    found: list[Field] = []
    for line in text.split('\n'):
        said = LINE.match(line.partition('#')[0])
        if said is None or said[5]:  # A constant.
            continue
        kind, bracket, size, name = said[1].partition('<')[0], said[2], said[3], f'{prefix}{said[4]}'
        listed = bracket is not None and (not size or '<' in bracket)
        if kind in NUMBERS:
            found.append(Field(name, NUMBERS[kind], 1 if not size or listed else int(size), listed))
        elif kind in ('string', 'wstring'):
            if kind == 'wstring' or (bracket and not listed):
                return tuple(found), False
            found.append(Field(name, STRINGS if listed else STRING))
        else:
            inner = next((part for known, part in parts.items() if known in (kind, kind.replace('/msg/', '/'))
                          or known.rpartition('/')[2] == kind.rpartition('/')[2]), None)
            if kind.rpartition('/')[2] in ('time', 'Time', 'duration', 'Duration') and inner is None:
                inner = 'int32 sec\nuint32 nanosec'
            if inner is None or bracket or depth > DEEPEST:
                return tuple(found), False
            fields, whole = _fields(inner, parts, f'{name}.', depth + 1)
            found += fields
            if not whole:
                return tuple(found), False
    return tuple(found), True
