"""The chunks of a sweep: their computation, and finished chunks on disk, from which an interrupted sweep continues."""

import os
import shutil
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from zipfile import BadZipFile

import numpy as np

from usv_energy.engine.cases import Results
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.sweep.sweep_file import Sweep
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_json
from usv_energy.files.text_file import whole_file, write_json
from usv_energy.version import __version__

MANIFEST, LOCK = 'manifest.json', 'lock'
DTYPES = {'outcome': 'i1'}
Columns = Mapping[str, np.ndarray]


class Chunk(NamedTuple):
    """Runs `first` to before `last` of a sweep; `place` is the index of the chunk."""

    place: int
    first: int
    last: int


def computed(sweep: Sweep, chunk: Chunk, backend: str, threads: int | None) -> tuple[Chunk, dict[str, np.ndarray]]:
    """Return a chunk and the columns of its results; called in this process or in a worker of a cluster."""
    columns = run_ensemble(sweep.cases(chunk.first, chunk.last), backend, threads).columns()
    return chunk, {name: np.asarray(values, dtype=DTYPES.get(name, 'f8')) for name, values in columns.items()}


class FinishedChunks:
    """A folder of finished chunks. Each file is written atomically."""

    def __init__(self, folder: Path, number: int, chunk: int) -> None:
        """Use the folder of a manifest that `opened_chunks` has checked."""
        self.folder, self.number, self.chunk = folder, number, chunk

    def chunks(self) -> list[Chunk]:
        """Return all chunks of the sweep, in order."""
        return [Chunk(place, first, min(first + self.chunk, self.number))
                for place, first in enumerate(range(0, self.number, self.chunk))]

    def missing(self) -> list[Chunk]:
        """Return the chunks that are not finished; unreadable files count as missing."""
        return [chunk for chunk in self.chunks() if not self._whole(chunk)]

    def save(self, chunk: Chunk, columns: Columns) -> None:
        """Write a finished chunk. Raises OSError if it cannot be written."""
        with whole_file(self._path(chunk)) as part, part.open('wb') as file:
            np.savez(file, **columns)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())

    def load(self, chunk: Chunk) -> dict[str, np.ndarray]:
        """Return the columns of a finished chunk."""
        with np.load(self._path(chunk)) as stored:
            return {name: stored[name] for name in stored.files}

    def _path(self, chunk: Chunk) -> Path:
        return self.folder / f'runs_{chunk.first:010d}_{chunk.last:010d}.npz'

    def _whole(self, chunk: Chunk) -> bool:
        try:
            with np.load(self._path(chunk)) as stored:
                return stored.zip.testzip() is None and all(
                    column.shape == (chunk.last - chunk.first,) and column.dtype.kind in 'biuf'
                    for column in (stored[name] for name in Results.COLUMNS))
        # The last is for an array that says it is larger than any memory.
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, NotImplementedError, MemoryError):
            return False


@contextmanager
def opened_chunks(folder: Path, fingerprint: str, number: int, chunk: int, restart: bool) -> Iterator[FinishedChunks]:
    """
    Give the finished chunks of a sweep, and lock them against other processes meanwhile.

    :param folder: Their folder; it need not exist.
    :param fingerprint: Of the sweep; chunks of other sweeps are refused.
    :param number: Runs of the sweep.
    :param chunk: Runs per chunk of a new sweep; one that was begun keeps its own.
    :param restart: Whether to delete existing chunks.
    :raises InputError: If the folder holds another sweep's chunks, or another process is using it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        found = None if restart else _manifest(folder)
        if found is None:
            for path in folder.glob('*.npz'):
                path.unlink()
            found = {'fingerprint': fingerprint, 'runs': number, 'chunk': chunk, 'version': __version__,
                     'begun': datetime.now(timezone.utc).isoformat(timespec='seconds')}
            write_json(found, folder / MANIFEST)
        elif found.get('fingerprint') != fingerprint:
            raise InputError(f'{folder}: holds chunks of another sweep, begun {found.get("begun")} with version '
                             f'{found.get("version")}: the sweep file, its scenario, its boat or the version has '
                             'changed since. Undo the change to go on with it, take another --out, or throw them away '
                             'with --restart')
        elif found.get('runs') != number or not isinstance(found.get('chunk'), int) or found['chunk'] < 1:
            raise InputError(f'{folder / MANIFEST}: runs is {found.get("runs")!r}, chunk {found.get("chunk")!r}; must '
                             f'be {number}, and a whole number of at least 1; --restart throws it away')
        try:
            yield FinishedChunks(folder, number, found['chunk'])
        finally:
            if folder.is_dir() and not any(folder.glob('*.npz')):
                shutil.rmtree(folder)


def _manifest(folder: Path) -> dict[str, Any] | None:
    if not (folder / MANIFEST).exists():
        return None
    try:
        found = read_json(folder / MANIFEST)
    except InputError as error:
        raise InputError(f'{error}; --restart throws it away') from None
    return found if isinstance(found, dict) else {}


def _lock(file: TextIO) -> None:
    """Lock a file for this process; OSError if another one has it."""
    if sys.platform == 'win32':
        import msvcrt
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the operating system releases it when the process ends in any way."""
    with (folder / LOCK).open('a') as file:
        try:
            _lock(file)
        except OSError:
            raise InputError(f'{folder}: another run is at work on this sweep') from None
        yield
