"""What the command line gives to every benchmark."""

import sys
from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """Whether to be quick, where the peers' checkouts are, and the interpreter that runs the planner of routes."""

    quick: bool = False
    peer: Path | None = None
    route_peer: Path | None = None
    route_peer_python: Path = Path(sys.executable)
