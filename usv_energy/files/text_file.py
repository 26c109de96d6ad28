"""Read text in any usual encoding, and write text, JSON and folders completely or not at all."""

import codecs
import ctypes
import json
import math
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_has_end

UTF_8, UTF_8_WITH_MARK, UTF_16, WINDOWS = 'utf-8', 'utf-8-sig', 'utf-16', 'windows-1252'
ENCODING_BYTES = 1 << 16  # Bytes at a file's beginning from which its encoding is detected.
MARKS = ((codecs.BOM_UTF8, UTF_8_WITH_MARK), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))

KINDS = ((b'\x89PNG', 'a PNG picture'), (b'\xff\xd8\xff', 'a JPEG picture'), (b'GIF8', 'a GIF picture'),
         (b'%PDF', 'a PDF document'), (b'PK\x03\x04', 'a ZIP archive or a spreadsheet'))

STDOUT = '-'


def kind_without_text(path: Path) -> str:
    """
    Return the kind of a file that begins like a picture, a document or an archive; empty for any other file.

    :raises InputError: If the file cannot be read.
    """
    begin = _first_bytes(path)
    return next((kind for mark, kind in KINDS if begin.startswith(mark)), '')


def encoding_of(path: Path) -> str:
    """
    Return a text file's encoding for Python's `open`.

    It is that of the byte order mark (UTF-8 or UTF-16). Without a mark it is UTF-8 if the first 64 KiB are valid UTF-8,
    and otherwise Windows-1252, which contains Latin-1.

    :raises InputError: If the file cannot be read.
    """
    begin = _first_bytes(path)
    for mark, encoding in MARKS:
        if begin.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder(UTF_8)().decode(begin)  # Incremental, as the bytes may end within a letter.
    except UnicodeDecodeError:
        return WINDOWS
    return UTF_8


def _first_bytes(path: Path) -> bytes:
    check_has_end(path)
    try:
        with path.open('rb') as file:
            return file.read(ENCODING_BYTES)
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None


def open_text(path: Path) -> TextIO:
    """
    Open a text file for reading in its encoding; line ends are not changed.

    :return: The open file; bytes that are invalid in the encoding are read as U+FFFD.
    :raises InputError: If it cannot be read.
    """
    return path.open(encoding=encoding_of(path), errors='replace', newline='')


def without_nan(figures: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return figures with None instead of NaN and infinity, also in nested lists and mappings.

    :param figures: Figures by name; numpy arrays become lists.
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
    :param target: The file, which is replaced completely or not at all; `-` is stdout.
    :raises OSError: If it cannot be written.
    """
    text = json.dumps(content, indent=2, allow_nan=False)
    if target == STDOUT:
        print(text)
    else:
        write_text(f'{text}\n', Path(target))


def check_target(target: Path | str | None) -> None:
    """
    Check that `write_json` can write to a target; None is no target.

    :raises InputError: If it cannot: the file and the reason.
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


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """
    Yield a temporary path beside `path` for a file or a folder, and move it to `path` if there was no error.

    Until then the old file stays at `path`; a link stays a link. A device or a pipe is written directly. Only a folder
    can replace a folder: on Linux the two exchange their names in one step.

    :param path: Final path of the file or the folder.
    :raises InputError: If there is no folder for it.
    :raises OSError: If it cannot be written; with the name of the file.
    """
    if path.is_relative_to('/dev') or (path.exists() and not (path.is_file() or path.is_dir())):
        with _naming_file(path):
            yield path
        return
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(f'{path}: there is no folder {path.parent}')
    part = target.with_name(f'.{target.name}.{secrets.token_hex(8)}.part')  # Nobody can have made it before.
    try:
        with _naming_file(path):
            yield part
            if part.is_dir() and target.is_dir():
                _exchange(part, target)     # The old folder is removed below, under the name of the part.
            else:
                part.replace(target)
    finally:
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


def _exchange(one: Path, other: Path) -> None:
    """Let two folders exchange their names: in one step where the system and the disk can, else in three."""
    exchange, here = 2, -100        # RENAME_EXCHANGE and AT_FDCWD of Linux.
    rename = getattr(ctypes.CDLL(None), 'renameat2', None) if sys.platform == 'linux' else None
    if rename and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0:
        return
    away = one.with_suffix('.old')
    other.replace(away)
    one.replace(other)
    away.replace(one)


@contextmanager
def _naming_file(path: Path) -> Iterator[None]:
    """Add the file's name to errors of the system without one, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_text(text: str, path: Path) -> None:
    """
    Write a text as UTF-8, with its line ends, completely or not at all.

    :param path: The file.
    """
    with whole_file(path) as part:
        part.write_text(text, encoding='utf-8', errors='backslashreplace', newline='')


def check_writable(folder: Path) -> None:
    """
    Create a folder, and check that files can be written in it.

    :raises InputError: If they cannot: the folder and the system's reason.
    """
    if folder.is_file():
        raise InputError(f'{folder}: is a file; must be a folder')
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, prefix='.'):    # Without a name on Linux: a kill leaves none.
            pass
    except OSError as error:
        raise InputError(f'{folder}: cannot write into this folder: {error.strerror}') from None
