"""What the command line gives to every benchmark."""

from pathlib import Path
from typing import NamedTuple


class Options(NamedTuple):
    """Whether to be quick, and where the peer's checkout is."""

    quick: bool = False
    peer: Path | None = None
