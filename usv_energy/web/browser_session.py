"""What the server keeps of each browser: what was entered, and the files that were dropped."""

import re
import secrets
import shutil
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name, safe_text

MOST_SESSIONS = 64                  # Of one server; the oldest without an open page goes first.
MOST_UPLOADED = 512 << 20           # Bytes of all files that one browser has dropped.
LONGEST_NAME = 80                   # Characters of a dropped file's name that are kept.


@dataclass
class BrowserSession:
    """
    One browser: what it was shown last, so that a page that is loaded again is where it was.

    `values`: texts, numbers and lists by names that begin with the page's, `plan.boat`; a page keeps there all that is
    entered. `kept`: results and files of the pages, by their own names. `folder`: the browser's own, for files that
    are dropped. `own_names`: what the user calls dropped files, by their names there. `sockets`:
    how many of its pages are open. `tabs`: numbers of its tabs that have files of their own. `kept_by_tab`: the values
    that each tab has for itself.
    """

    id: str
    folder: Path
    values: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    own_names: dict[str, str] = field(default_factory=dict)
    sockets: int = 0
    tabs: dict[str, int] = field(default_factory=dict)
    kept_by_tab: dict[str, dict[str, Any]] = field(default_factory=dict)

    def keep(self, tab: str, name: str, value: Any) -> None:
        """Keep a value as a tab's own, and as the browser's last, with which a new tab begins."""
        self.values[name] = self.kept_by_tab.setdefault(tab, {})[name] = value

    def go_back_to(self, tab: str) -> bool:
        """Make a tab's own values the browser's last; return whether they were others."""
        own = self.kept_by_tab.get(tab, {})
        were_others = any(self.values.get(name) != value for name, value in own.items())
        self.values.update(own)
        return were_others

    def of_tab(self, tab: str, name: str) -> Path:
        """Return where a tab keeps a file that each of them has for itself; that of the first has the name as it is."""
        number = self.tabs.setdefault(tab, len(self.tabs) + 1)
        stem, ending = name.rsplit('.', 1)
        return self.folder / (name if number == 1 else f'{stem} {number}.{ending}')

    def dropped(self, name: str, content: bytes, endings: tuple[str, ...]) -> Path:
        """Write a dropped file into the browser's folder, and return its path; raises as `place_for`."""
        path = self.place_for(name, len(content), endings)
        path.write_bytes(content)
        return path

    def place_for(self, name: str, size: int, endings: tuple[str, ...], tab: str = '') -> Path:
        """
        Return the path in the browser's folder at which a dropped file is to be written.

        :param name: As the browser says it; only letters, digits, dots, dashes, spaces and underscores of its last
            part are kept.
        :param size: Of the file, bytes.
        :param endings: That its name may have, lower case, with their dot; empty: any.
        :param tab: In which it was dropped: a file of that name of another tab stays; empty: it is replaced.
        :raises InputError: If it has another ending, or too much was dropped.
        """
        own = re.split(r'[/\\]', name)[-1]
        plain = re.sub(r'[^\w. -]', '_', own).strip(' .')[-LONGEST_NAME:].lstrip(' .-')
        if not plain or (endings and not plain.lower().endswith(endings)):
            raise InputError(f'{safe_name(name)}: must be a file that ends in {", ".join(endings)}')
        path = self.of_tab(tab, plain) if tab else self.folder / plain
        there = sum(one.stat().st_size for one in self.folder.rglob('*') if path not in (one, one.parent))
        if there + size > MOST_UPLOADED:
            raise InputError(f'{plain}: with it {(there + size) >> 20} MiB were dropped; must be at most '
                             f'{MOST_UPLOADED >> 20} MiB')
        self.own_names[path.name] = safe_text(own)
        return path


class BrowserSessions:
    """The sessions of a server, by the random number in a browser's cookie."""

    def __init__(self, folder: Path) -> None:
        """Take the folder in which each session gets its own."""
        self._folder = folder
        self._known: OrderedDict[str, BrowserSession] = OrderedDict()

    def begin(self) -> BrowserSession:
        """Return a new session."""
        while len(self._known) >= MOST_SESSIONS:
            old = next((one for one in self._known.values() if not one.sockets), next(iter(self._known.values())))
            del self._known[old.id]
            shutil.rmtree(old.folder, ignore_errors=True)
        one = BrowserSession(secrets.token_urlsafe(24), self._folder / secrets.token_hex(8))
        one.folder.mkdir(mode=0o700)
        self._known[one.id] = one
        return one

    def of(self, number: str) -> BrowserSession | None:
        """Return the session of a cookie; None if there is none."""
        found = self._known.get(number)
        if found is not None:
            self._known.move_to_end(number)
        return found
