"""Files that a page offers: what the browser dropped, what lies in the folder that is served, what is shipped."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.boats.numbers import boat_schema
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import names
from usv_energy.files.parsed_text import read_yaml
from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.folder import offered_files, offered_folder, offered_folders, offered_path, without_folder
from usv_energy.web.zipped_bag import ABOUT, is_whole_bag

DROPPED, OFFERED = 'dropped: ', 'folder: '      # How their names begin in a list; those of shipped files are bare.
BOATS = ('.yaml', '.yml')
NAMING = ('base', 'model', 'chemistry', 'preset')   # Keys of a boat file under which other files are named,
KINDS = ('boats', 'thrusters', 'batteries', 'sensors')  # and the kinds of shipped ones that they may name.
OPTION = re.compile(r'(?<!var\()(?<![\w-])'   # Not of a style.
                    r'--([a-z]+(?:-[a-z]+)*)(?: NAME or FILE| FILE| map\.yaml| W\b)?')
PATH = re.compile(r'[/\\]|\.ya?ml$|^~', re.IGNORECASE)   # What `resolve` takes for the path of a file.


def file_choices(session: BrowserSession, endings: tuple[str, ...]) -> list[str]:
    """Return the names of the dropped and the offered files with these endings (lower case), as `chosen_path` takes."""
    dropped = sorted(path.name for path in session.folder.iterdir() if path.name.lower().endswith(endings))
    return [*(f'{DROPPED}{name}' for name in dropped), *(f'{OFFERED}{name}' for name in offered_files(endings))]


def bag_choices(session: BrowserSession) -> list[str]:
    """Return the names of the dropped and the offered folders of bags, as `chosen_path` takes them."""
    dropped = sorted(path.name for path in session.folder.iterdir() if path.is_dir())
    return [*(f'{DROPPED}{name}' for name in dropped), *(f'{OFFERED}{name}' for name in offered_folders(ABOUT))]


def chosen_path(session: BrowserSession, name: str) -> Path:
    """
    Return the path of a file, or of a bag's folder, by its name in `file_choices` or `bag_choices`.

    :raises InputError: If there is no such file.
    """
    if name.startswith(OFFERED):
        plain = name.removeprefix(OFFERED)
        folder = offered_folder(plain) if plain else None
        return folder if folder is not None and is_whole_bag(folder) else offered_path(plain)
    plain = name.removeprefix(DROPPED)
    path = session.folder / plain
    if not name.startswith(DROPPED) or Path(plain).name != plain or not (path.is_file() or is_whole_bag(path)):
        raise InputError(f'{safe_name(name)}: there is no such file any more; drop it again')
    return path


def shown(session: BrowserSession, text: str) -> str:
    """Return a text that names dropped and offered files, without the folders of this machine that they lie in."""
    return without_folder(text.replace(f'{session.folder}/', ''))


def shown_stem(session: BrowserSession, path: Path) -> str:
    """Return what a dropped or an offered file is called, as `shown`, without its ending."""
    return shown(session, str(path.with_suffix('')))


def in_own_words(session: BrowserSession, texts: Mapping[str, str]) -> dict[str, str]:
    """Return fields whose `file` and `boat` are named as the user calls them: as dropped, or as in the folder."""
    def named(path: str) -> str:
        folder, _, name = path.rpartition('/')
        return session.own_names.get(name, name) if folder == str(session.folder) else without_folder(path)

    return {**texts, **{name: named(texts[name]) for name in ('file', 'boat') if name in texts}}


def chosen_columns(session: BrowserSession, name: str) -> str:
    """Return the shipped name, or the path, of a column map; raises InputError if it is none, or names other files."""
    if name in names('columns'):
        return name
    path = chosen_path(session, name)
    document = read_yaml(path)
    if 'columns' not in document and document.get('base') not in names('columns'):
        raise InputError(f"{path.name}: has no key 'columns'; must be a map of columns")
    for key, other in _named_files(document, ('base', 'file')):
        raise InputError(f'{path.name}: {key} is {safe_name(other)!r}; a map on this page may name no paths')
    return str(path)


def in_page_words(text: str, fields: Mapping[str, str]) -> str:
    """Return a command's text, its options named as a page's fields; of others it says that the command has them."""
    return OPTION.sub(lambda found: fields.get(found[1], f"the command's {found[0]}"), text)


def is_boat_file(path: Path) -> bool:
    """Return whether a file is a boat's, by its keys or its shipped base; InputError if it cannot be read."""
    if path.suffix.lower() not in BOATS:
        return False
    content = read_yaml(path)
    keys = boat_schema()['properties'].keys() - {'sensors'}     # Which scenarios have, too.
    return not keys.isdisjoint(content) or content.get('base') in names('boats')


def boat_choices(session: BrowserSession) -> list[str]:
    """Return the names of the boats that may be chosen, as `chosen_boat` takes them."""
    return [*file_choices(session, BOATS), *names('boats')]


def chosen_boat(session: BrowserSession, name: str, payload: float | None = None) -> Boat:
    """
    Return a boat by its name in `boat_choices`.

    :param payload: On board, kg; None as its file says.
    :raises InputError: If there is none, its file is wrong, or names files other than shipped ones.
    """
    return read_boat(chosen_boat_name(session, name), payload=payload)


def chosen_boat_name(session: BrowserSession, name: str) -> str:
    """Return the shipped name, or the path, of a boat; raises InputError as `chosen_boat`."""
    if name in names('boats'):
        return name
    path = chosen_path(session, name)
    if path.suffix.lower() not in BOATS:
        raise InputError(f'{path.name}: must be a boat file, which ends in .yaml')
    for key, other in _named_files(read_yaml(path)):
        if not any(other in names(kind) for kind in KINDS):
            raise InputError(f'{path.name}: {key} is {safe_name(other)!r}; a boat file on this page may name shipped '
                             'files only, by their names')
    return str(path)


def _named_files(node: Any, keys: tuple[str, ...] = NAMING) -> Iterator[tuple[str, str]]:
    """Yield the keys of a document under which files are named, and their texts that are paths."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in keys and isinstance(value, str) and PATH.search(value):
                yield str(key), value
            yield from _named_files(value, keys)
    elif isinstance(node, list):
        for value in node:
            yield from _named_files(value, keys)
