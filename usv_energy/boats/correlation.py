"""How what is not known of a boat's numbers hangs together: the correlation in its file, and normal draws from it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.numbers import LIST_ENTRY, row_of
from usv_energy.files.errors import InputError

ROUNDED = 1e-3  # What the digits of a file may take from a correlation's diagonal, symmetry and least eigenvalue.


class Correlation(NamedTuple):
    """Paths of numbers in a boat's file, an entry of a list as `*`, and the correlations of their errors, (n, n)."""

    numbers: tuple[str, ...]
    matrix: np.ndarray

    def place(self, path: str) -> int | None:
        """Return the row of a number by its path, an entry of a list by its number or as `*`; None if it has none."""
        name = path if path in self.numbers else re.sub(LIST_ENTRY, '.*.', path)
        return self.numbers.index(name) if name in self.numbers else None


def correlation_from(plain: Mapping[str, Any], where: str) -> Correlation:
    """
    Return the correlation of a boat file.

    :param plain: `numbers` and `matrix`.
    :param where: What stands before the key in an error: the file and a colon.
    :raises InputError: For a number that there is not or that stands there twice, a matrix of another size, and one
        that is no correlation: not symmetric, not 1 on its diagonal, not positive semidefinite.
    """
    numbers = tuple(plain['numbers'])
    for path in numbers:
        try:
            row_of(path)
        except InputError as error:
            raise InputError(f'{where}correlation.numbers: {error}') from None
    if twice := sorted({path for path in numbers if numbers.count(path) > 1}):
        raise InputError(f'{where}correlation.numbers has {twice[0]} twice; must have each number once')
    rows = plain['matrix']
    if len(rows) != len(numbers) or any(len(row) != len(numbers) for row in rows):
        raise InputError(f'{where}correlation.matrix has {len(rows)} rows of {sorted({len(row) for row in rows})} '
                         f'numbers; must have {len(numbers)} of {len(numbers)}, as correlation.numbers')
    matrix = np.array(rows, dtype=float)
    if not np.allclose(matrix, matrix.T, atol=ROUNDED) or not np.allclose(np.diag(matrix), 1.0, atol=ROUNDED):
        raise InputError(f'{where}correlation.matrix must be symmetric, with 1 on its diagonal')
    least = float(np.linalg.eigvalsh(matrix).min())
    if least < -ROUNDED * len(numbers):
        raise InputError(f'{where}correlation.matrix has the eigenvalue {least:.3g}; must be positive semidefinite')
    return Correlation(numbers, matrix)


class JointNormals(NamedTuple):
    """
    Standard normal numbers that hang together as a boat's numbers do.

    `of`: for each number asked for, which of the independent normal numbers is its own; thrusters that the correlation
    names as one share it. `root`: what independent ones are multiplied with, (shared, shared).
    """

    of: tuple[int, ...]
    root: np.ndarray

    @property
    def size(self) -> int:
        """How many independent normal numbers a draw takes."""
        return len(self.root)

    def joined(self, independent: np.ndarray) -> np.ndarray:
        """Return a number for each that was asked for, (draws, numbers), from independent ones, (draws, size)."""
        return np.asarray((independent @ self.root.T)[:, list(self.of)])


def joint_normals(correlation: Correlation | None, paths: Sequence[str]) -> JointNormals:
    """
    Return how normal numbers for some of a boat's numbers hang together; those that no correlation names do not.

    Source: Cholesky's factor; where the matrix is singular to its digits, that of the nearest one that is not, by its
    eigenvalues (Higham (1988), Linear Algebra and its Applications 103).
    """
    latent: list[Any] = []
    of = []
    for path in paths:
        place = correlation.place(path) if correlation else None
        key = path if place is None else place
        if key not in latent:
            latent.append(key)
        of.append(latent.index(key))
    matrix = np.eye(len(latent))
    for i, first in enumerate(latent):
        for j, second in enumerate(latent):
            if correlation and i != j and isinstance(first, int) and isinstance(second, int):
                matrix[i, j] = 0.5 * (correlation.matrix[first, second] + correlation.matrix[second, first])
    values, vectors = np.linalg.eigh(matrix)
    matrix = (vectors * np.maximum(values, 1e-9)) @ vectors.T
    scale = np.sqrt(np.diag(matrix))
    return JointNormals(tuple(of), np.linalg.cholesky(matrix / np.outer(scale, scale)) if len(latent) else matrix)
