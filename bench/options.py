"""What the command line gives to every benchmark."""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from usv_energy.files.errors import InputError


class Options(NamedTuple):
    """Whether to be quick, where the peers' checkouts are, and the interpreter that runs the planner of routes."""

    quick: bool = False
    peer: Path | None = None
    route_peer: Path | None = None
    route_peer_python: Path = Path(sys.executable)


def check_json_target(text: str | None) -> None:
    """
    See that figures can be written, before they are measured.

    :param text: Name of a file; -: stdout; None: nowhere.
    :raises InputError: If there cannot be such a file.
    """
    if text in (None, '-'):
        return
    target = Path(str(text))
    if target.is_dir():
        raise InputError(f'--json {target}: is a folder; must be a file, or - for stdout')
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f'--json {target}: cannot be written')
