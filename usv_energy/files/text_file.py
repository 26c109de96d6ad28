"""Text files as people have them: UTF-8, or what spreadsheets and older programs write instead."""

import codecs
from pathlib import Path
from typing import TextIO

from .errors import InputError

UTF_8, UTF_8_WITH_MARK, UTF_16, WINDOWS = 'utf-8', 'utf-8-sig', 'utf-16', 'windows-1252'
LOOKED_AT = 1 << 16  # bytes at a file's begin that tell its encoding
MARKS = ((codecs.BOM_UTF8, UTF_8_WITH_MARK), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))

KINDS = ((b'\x89PNG', 'a PNG picture'), (b'\xff\xd8\xff', 'a JPEG picture'), (b'GIF8', 'a GIF picture'),
         (b'%PDF', 'a PDF document'), (b'PK\x03\x04', 'a ZIP archive or a spreadsheet'))


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
