"""The messages of an ArduPilot DataFlash log in text (.log), which Mission Planner and others make of a .bin."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from usv_energy.files.text_file import open_text

FORMAT = 'FMT'  # Type, Length, Name, Format, and the names of the columns, which hold the commas that part all others.
NAMES_FROM = 4
TEXTS = frozenset('anNZ')  # Letters of formats that are text, or lists.


class TextFormat(NamedTuple):
    """The names of a message's columns; `instance_field`: nobody says it in a text log."""

    columns: list[str]
    letters: str
    instance_field: None = None


class TextMessage:
    """A message, its fields as attributes: numbers, and texts of those columns that hold them."""

    def __init__(self, kind: str, fmt: TextFormat, cells: Sequence[str]) -> None:
        """
        Take the cells of a line.

        :raises ValueError: If one is no number.
        """
        self._kind, self.fmt = kind, fmt
        for name, letter, cell in zip(fmt.columns, fmt.letters, cells):
            setattr(self, name, cell if letter in TEXTS else float(cell))

    def get_type(self) -> str:
        """Return the message's name."""
        return self._kind

    def get_fieldnames(self) -> list[str]:
        """Return the names of its fields."""
        return self.fmt.columns


def is_text_log(begin: bytes) -> bool:
    """Return whether the first bytes of a file are those of a DataFlash log in text."""
    return any(line.startswith(b'FMT,') for line in begin[:2000].split(b'\n')[:20])


def text_messages(path: Path, wanted: Sequence[str]) -> Iterator[TextMessage | None]:
    """
    Give the messages of some kinds; None for a line of them that does not fit its format.

    :param path: The .log file.
    :param wanted: Names of messages.
    """
    formats: dict[str, TextFormat] = {}
    kinds = frozenset(wanted)
    with open_text(path) as file:
        for line in file:
            kind, _, rest = line.partition(',')
            if kind == FORMAT:
                cells = [cell.strip() for cell in rest.split(',')]
                if len(cells) > NAMES_FROM:
                    formats[cells[2]] = TextFormat(cells[NAMES_FROM:], cells[3])
            elif kind in kinds and kind in formats:
                fmt = formats[kind]
                cells = [cell.strip() for cell in rest.split(',', len(fmt.columns) - 1)]
                try:
                    yield TextMessage(kind, fmt, cells) if len(cells) == len(fmt.columns) else None
                except ValueError:
                    yield None
