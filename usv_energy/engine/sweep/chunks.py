"""The chunks of a sweep: how one is computed, and finished ones on disk: what a killed run has done already."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.sweep.sweep_file import Sweep
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import whole_file, write_json
from usv_energy.version import __version__

MANIFEST, LOCK = 'manifest.json', 'lock'
DTYPES = {'outcome': 'i1'}
Columns = Mapping[str, np.ndarray]


class Chunk(NamedTuple):
    """Runs number `first` to before `last`; the `place`-th of a sweep's chunks."""

    place: int
    first: int
    last: int


def computed(sweep: Sweep, chunk: Chunk, backend: str, threads: int | None) -> tuple[Chunk, dict[str, np.ndarray]]:
    """Return a chunk and the columns of its results; this process computes it, or a worker of a cluster."""
    columns = run_ensemble(sweep.cases(chunk.first, chunk.last), backend, threads).columns()
    return chunk, {name: np.asarray(values, dtype=DTYPES.get(name, 'f8')) for name, values in columns.items()}


class FinishedChunks:
    """A folder of finished chunks. Each file is written whole or not at all."""

    def __init__(self, folder: Path, number: int, chunk: int) -> None:
        """Take the folder of a manifest that was checked (`opened_chunks`)."""
        self.folder, self.number, self.chunk = folder, number, chunk

    def chunks(self) -> list[Chunk]:
        """Return all chunks of the sweep, in order."""
        return [Chunk(place, first, min(first + self.chunk, self.number))
                for place, first in enumerate(range(0, self.number, self.chunk))]

    def missing(self) -> list[Chunk]:
        """Return the chunks that are not finished; what cannot be read is not."""
        return [chunk for chunk in self.chunks() if not self._whole(chunk)]

    def save(self, chunk: Chunk, columns: Columns) -> None:
        """Keep a finished chunk. Raises OSError if it cannot be written."""
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
                return stored.zip.testzip() is None and stored['outcome'].shape == (chunk.last - chunk.first,)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return False


@contextmanager
def opened_chunks(folder: Path, fingerprint: str, number: int, chunk: int, restart: bool) -> Iterator[FinishedChunks]:
    """
    Give the finished chunks of a sweep, and keep other runs off them meanwhile.

    :param folder: Where they are; it need not exist.
    :param fingerprint: Of the sweep: only its own chunks are taken.
    :param number: Runs of the sweep.
    :param chunk: Runs a chunk, for a sweep that is not begun yet; one that is keeps its own.
    :param restart: Throw away what there is.
    :raises InputError: If the folder holds another sweep's chunks, or another run is at work on it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        found = _manifest(folder)
        if restart or found is None:
            for path in folder.glob('*.npz'):
                path.unlink()
            found = {'fingerprint': fingerprint, 'runs': number, 'chunk': chunk, 'version': __version__,
                     'begun': datetime.now(UTC).isoformat(timespec='seconds')}
            write_json(found, folder / MANIFEST)
        elif found.get('fingerprint') != fingerprint:
            raise InputError(f'{folder}: holds chunks of another sweep, begun {found.get("begun")} with version '
                             f'{found.get("version")}: the sweep file, its scenario, its boat or the version has '
                             'changed since. Undo the change to go on with it, take another --out, or throw them away '
                             'with --restart')
        try:
            yield FinishedChunks(folder, number, int(found['chunk']))
        finally:
            if folder.is_dir() and not any(folder.glob('*.npz')):
                shutil.rmtree(folder)


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding='utf-8'))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f'{folder / MANIFEST}: cannot be read: {error}; --restart throws it away') from None
    return found if isinstance(found, dict) else {}


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the system lets go of it when the process ends, however it ends."""
    import fcntl
    with (folder / LOCK).open('a') as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f'{folder}: another run is at work on this sweep') from None
        yield
