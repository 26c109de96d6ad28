"""The results of one chunk of a sweep: what this process, or a worker of a cluster, computes at a time."""

import numpy as np

from ..engine.ensemble import run_ensemble
from .chunks import Chunk
from .sweep_file import Sweep

DTYPES = {'outcome': 'i1'}


def computed(sweep: Sweep, chunk: Chunk, backend: str, threads: int | None) -> tuple[Chunk, dict[str, np.ndarray]]:
    """Return a chunk and the columns of its results."""
    columns = run_ensemble(sweep.cases(chunk.first, chunk.last), backend, threads).columns()
    return chunk, {name: np.asarray(values, dtype=DTYPES.get(name, 'f8')) for name, values in columns.items()}
