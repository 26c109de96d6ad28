"""Find the package's shared files (boats, scenarios, schemas), and files that users name."""

import difflib
import os
import re
from pathlib import Path

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_has_end, safe_name

PACKAGE = 'usv_energy'
NAME_BYTES = 255    # Of a file's or a folder's name, in all file systems of Linux.
NEW_NAMES = {'blueboat_table': 'blueboat_watts_only', 'blueboat_m200': 'blueboat'}    # Of shipped files.
SINGULAR = {'batteries': 'battery', 'columns': 'column map'}
SOURCE_ROOT = Path(__file__).resolve().parents[2]
_CONFINED: list[Path] = []      # The folders that may be read, where not all may; see `confine`.


def confine(*folders: Path) -> None:
    """
    Let this process from now on take only paths into some folders from people and from files.

    A server does so, before it reads the files of others, which name files in turn. Other paths raise InputError in
    `user_path`: absolute ones beside the folders, of a home folder, and such with `..`. Without folders all are taken.

    :param folders: Absolute paths.
    """
    _CONFINED[:] = [folder.resolve() for folder in folders]


def share_folder() -> Path:
    """
    Return the folder that holds `config/` and `launch/`.

    It is the working tree of this module, or share/ beside the folder of the installation: of a ROS 2 workspace, of a
    virtual environment, or of a user.

    :raises InputError: If no folder holds the package's files.
    """
    candidates = [SOURCE_ROOT, *(prefix / 'share' / PACKAGE for prefix in (SOURCE_ROOT, *SOURCE_ROOT.parents))]
    for folder in candidates:
        if (folder / 'config' / 'boats').is_dir():
            return folder
    looked = ', '.join(str(folder) for folder in candidates)
    raise InputError(f'the files of {PACKAGE} (config/boats ...) were not found; looked in: {looked}')


def names(kind: str) -> list[str]:
    """
    Return the names of the shipped files of a kind (boats, scenarios, flows), `folder/name` for those in a folder.

    They are sorted as people expect: 2 before 10, numbers before words.
    """
    folder = share_folder() / 'config' / kind
    found = (path.relative_to(folder).with_suffix('').as_posix() for path in folder.rglob('*.yaml')
             if not path.stem.startswith('_'))
    return sorted(found, key=lambda name: [(0, int(part), '') if part.isdigit() else (1, 0, part)
                                           for part in re.split(r'([0-9]+)', name) if part])


def resolve(kind: str, name: str, beside: Path | None = None) -> Path:
    """
    Return the file for a name or a path.

    :param kind: Folder under `config/`: boats, scenarios, controllers.
    :param name: A shipped name (`lutra_prop`) or the path of a YAML file. A relative path is looked up first beside the
        file that names it, then from the working folder.
    :param beside: Folder of the file that holds the name, if any.
    :raises InputError: If there is no such file; the message lists the shipped names.
    """
    text = str(user_path(name)) if _CONFINED else checked_path(str(name))
    path = share_folder() / 'config' / kind / f'{text}.yaml'
    if path.is_file() and not path.stem.startswith('_') and not Path(text).is_absolute():
        return path
    is_path = re.fullmatch(r'\.[A-Za-z]\w*', Path(text).suffix) or os.sep in text or Path(text).is_file()
    if is_path:
        folders = [beside] if beside is not None else []
        for folder in [*folders, Path.cwd()]:
            path = folder / user_path(text)
            if path.is_file():
                return path
        check_has_end(path)
        raise InputError(f'{text}: {"is a folder; must be a YAML file" if path.is_dir() else "there is no such file"}')
    known = names(kind)
    close = difflib.get_close_matches(text, known, n=1)
    hint = f' Did you mean {close[0]!r}?' if close else ''
    hint = f' It is called {NEW_NAMES[text]!r} now.' if text in NEW_NAMES else hint
    raise InputError(f'no {SINGULAR.get(kind, kind.rstrip("s"))} named {text!r}.{hint} There are: {", ".join(known)}; '
                     f'or give the path of a YAML file')


def user_path(text: str | Path) -> Path:
    """
    Return the path that a user wrote, with `~` or `~user` at its start replaced by that home folder.

    :param text: The path as it was written.
    :raises InputError: If there is no such user, or the path leads where this process may not read, see `confine`, or
        no file can have that name.
    """
    checked_path(str(text))
    if _CONFINED and not _is_confined(Path(text)):
        raise InputError(f'{text}: leads out of the folder that is served; must be a file in it')
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise InputError(f'{text}: there is no home folder of that user; write ./{text} for a file of that name'
                         ) from None


def checked_path(text: str) -> str:
    """Return a path as it was written; InputError if no file can have that name."""
    try:
        name = os.fsencode(text)
        if b'\0' not in name and max(map(len, name.split(b'/'))) <= NAME_BYTES:
            return text
    except UnicodeEncodeError:
        pass
    raise InputError(f'{safe_name(text)!r}: no file can have that name; must be without null bytes and halves of '
                     f'characters, and of at most {NAME_BYTES} bytes')


def _is_confined(path: Path) -> bool:
    """Return whether a path as it was written leads into the folders of `confine`; a relative one is one of theirs."""
    if path.is_absolute():
        whole = path.resolve()
        return any(whole.is_relative_to(folder) for folder in _CONFINED)
    return '..' not in path.parts and not str(path).startswith('~')
