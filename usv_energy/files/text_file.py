"""Text and JSON files as people have them, and files and folders written whole or not at all."""

import codecs
import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from usv_energy.files.errors import InputError

UTF_8, UTF_8_WITH_MARK, UTF_16, WINDOWS = 'utf-8', 'utf-8-sig', 'utf-16', 'windows-1252'
LOOKED_AT = 1 << 16  # bytes at a file's begin that tell its encoding
MARKS = ((codecs.BOM_UTF8, UTF_8_WITH_MARK), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))

KINDS = ((b'\x89PNG', 'a PNG picture'), (b'\xff\xd8\xff', 'a JPEG picture'), (b'GIF8', 'a GIF picture'),
         (b'%PDF', 'a PDF document'), (b'PK\x03\x04', 'a ZIP archive or a spreadsheet'))

STDOUT = '-'


def kind_without_text(path: Path) -> str:
    """
    Return what a file is that begins as pictures, documents and archives do; empty for any other.

    :raises InputError: If the file cannot be read.
    """
    begin = _begin(path)
    return next((kind for mark, kind in KINDS if begin.startswith(mark)), '')


def encoding_of(path: Path) -> str:
    """
    Return a text file's encoding, as Python's `open` takes it.

    It is what the byte order mark at its begin says (UTF-8 or UTF-16); without one, UTF-8 where the first 64 KiB are
    that, else Windows-1252, which has all letters and signs of Latin-1.

    :raises InputError: If the file cannot be read.
    """
    begin = _begin(path)
    for mark, encoding in MARKS:
        if begin.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder(UTF_8)().decode(begin)  # which may end within a letter
    except UnicodeDecodeError:
        return WINDOWS
    return UTF_8


def _begin(path: Path) -> bytes:
    try:
        with path.open('rb') as file:
            return file.read(LOOKED_AT)
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None


def open_text(path: Path) -> TextIO:
    """
    Open a text file for reading, in the encoding that it has; line ends stay as they are.

    :return: The open file; bytes that the encoding does not know are read as U+FFFD.
    :raises InputError: If it cannot be read.
    """
    return path.open(encoding=encoding_of(path), errors='replace', newline='')


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


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """
    Give a path to write a file or a folder to, beside `path`, and put it in the place of `path` if all went well.

    What was at `path` before stays until then; a link stays a link. A device or a pipe is written to directly. Only a
    folder takes the place of a folder.

    :param path: Where the file or the folder is to be.
    :raises OSError: If it cannot be written there; it names its file.
    """
    if path.is_relative_to('/dev') or (path.exists() and not (path.is_file() or path.is_dir())):
        with _named(path):
            yield path
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f'.{target.name}.{os.getpid()}.part')
    try:
        with _named(path):
            yield part
            if part.is_dir() and target.is_dir():
                shutil.rmtree(target)
            part.replace(target)
    finally:
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Give errors of the system their file: a full disk names none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


def write_text(text: str, path: Path) -> None:
    """
    Write a text as UTF-8 with the line ends that it has.

    :param path: Where to.
    """
    with whole_file(path) as part:
        part.write_text(text, encoding='utf-8', newline='')


def check_writable(folder: Path) -> None:
    """
    Create a folder, and check that files can be written in it.

    :raises InputError: If not: the folder and the system's reason.
    """
    if folder.is_file():
        raise InputError(f'{folder}: is a file; must be a folder')
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f'{folder}: cannot write into this folder: {error.strerror}') from None
