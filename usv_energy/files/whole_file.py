"""Files and folders written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import InputError


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
