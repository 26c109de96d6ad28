"""The lists of shipped scenarios, boats and sensors."""

from ...files.checked import read_with_base
from ...files.locate import names, resolve
from ..text_table import text_table

SHOWN = {'scenarios': ('title', 'boat'), 'boats': ('description',), 'sensors': ('kind', 'description')}

Entries = dict[str, list[dict[str, str]]]


def shipped_entries() -> Entries:
    """Return the names of what is shipped, by its kind, with some keys of the files, which are not checked."""
    return {kind: [_entry(kind, name, keys) for name in names(kind)] for kind, keys in SHOWN.items()}


def _entry(kind: str, name: str, keys: tuple[str, ...]) -> dict[str, str]:
    document = read_with_base(kind, resolve(kind, name))
    return {'name': name, **{key: str(document.get(key, '')) for key in keys}}


def shipped_text(entries: Entries) -> str:
    """Return the lists as text."""
    blocks = [[kind.capitalize(), *text_table([list(entry.values()) for entry in rows], indent='  ')]
              for kind, rows in entries.items()]
    return '\n\n'.join('\n'.join(block) for block in blocks)
