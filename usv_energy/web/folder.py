"""The files of the folder that is served: their names for lists, and their paths, which never lead out of it."""

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import confine, share_folder

DEEPEST, MOST_FILES = 3, 400    # Folders in one another that are looked through, and files of a list.
_SERVED: list[Path] = []        # The folder, of which a server has one.
_KEPT_TO: list[tuple[Path, Path]] = []  # What `keep_to` was given.


def keep_to(own: Path, folder: Path) -> None:
    """
    Let this process read the files of two folders and shipped ones alone; relative paths count from the second.

    :param own: The folder of the server's own, where dropped and temporary files are.
    :param folder: The folder that is served; as `offer`.
    """
    os.chdir(folder)
    tempfile.tempdir = str(own)
    confine(own, folder, share_folder())
    offer(folder)
    _KEPT_TO[:] = [(own, folder)]


def kept_to() -> tuple[Path, Path] | None:
    """Return the two folders of `keep_to`; None in a process that reads all files."""
    return _KEPT_TO[0] if _KEPT_TO else None


def offer(folder: Path) -> None:
    """Take the folder that is served, an absolute path without links."""
    _SERVED[:] = [folder]


def offered_files(endings: tuple[str, ...]) -> list[str]:
    """Return the names of the folder's files with these endings (lower case), as `tides/june.nc`; no hidden ones."""
    return list(offered_paths(endings))


def offered_paths(endings: tuple[str, ...]) -> dict[str, Path]:
    """Return the paths of the files of `offered_files` by their names; a link that leads out of the folder is none."""
    found: dict[str, Path] = {}
    for folder in _SERVED:
        for place, folders, files in os.walk(folder):
            depth = len(Path(place).relative_to(folder).parts)
            folders[:] = sorted(name for name in folders if not name.startswith('.') and depth < DEEPEST)
            for name in sorted(files):
                if name.lower().endswith(endings) and not name.startswith('.') and len(found) < MOST_FILES:
                    plain = (Path(place) / name).relative_to(folder).as_posix()
                    with suppress(InputError):
                        found[plain] = offered_path(plain)
            if len(found) >= MOST_FILES:
                break
    return found


def offered_folders(holds: str) -> list[str]:
    """Return the names of the folder's folders that hold a file of a name, as `offered_files`."""
    return [folder for folder, _, name in (one.rpartition('/') for one in offered_files((holds,)))
            if folder and name == holds]


def offered_path(name: str) -> Path:
    """
    Return the path of a file of the folder by its name in `offered_files`.

    :raises InputError: If there is no such file in the folder, or it leads out of it.
    """
    for folder in _SERVED:
        path = Path(os.path.realpath(folder / name))    # `resolve` raises where links lead round.
        if path.is_relative_to(folder) and path.is_file():
            return path
    raise InputError(f'{safe_name(name)}: there is no such file in the folder that is served')


def without_folder(text: str) -> str:
    """Return a text that names dropped files, the folder's and shipped ones without where they lie."""
    for own, _ in _KEPT_TO:
        text = re.sub(f'{re.escape(str(own))}/[0-9a-f]{{16}}/', '', text)
    for folder in (*_SERVED, share_folder()):
        text = text.replace(f'{folder}/', '')
    return text


def offered_folder(name: str) -> Path | None:
    """Return the path of a folder in the served folder, '' for that itself; None if there is none."""
    for folder in _SERVED:
        path = Path(os.path.realpath(folder / name))
        if path.is_relative_to(folder) and path.is_dir():
            return path
    return None
