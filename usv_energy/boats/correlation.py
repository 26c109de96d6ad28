"""The correlation of the errors of a boat's numbers, as its file gives it, and correlated normal draws."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.numbers import LIST_ENTRY, row_of
from usv_energy.files.errors import InputError

ROUNDED = 1e-3  # (-), tolerance for rounding in a file: diagonal, symmetry and least eigenvalue of the matrix.


class Correlation(NamedTuple):
    """
    The correlation matrix of the errors of some numbers of a boat file.

    `numbers`: their paths, with `*` for any entry of a list. `matrix`: shape (n, n).
    """

    numbers: tuple[str, ...]
    matrix: np.ndarray

    def place(self, path: str) -> int | None:
        """Return the row of the number at a path, with the index of a list entry or `*`; None if it has no row."""
        name = path if path in self.numbers else re.sub(LIST_ENTRY, '.*.', path)
        return self.numbers.index(name) if name in self.numbers else None


def correlation_from(plain: Mapping[str, Any], where: str) -> Correlation:
    """
    Return the correlation of a boat file.

    :param plain: `numbers` and `matrix`.
    :param where: Prefix of a key in error messages: the file and a colon.
    :raises InputError: If a number is unknown or listed twice, or the matrix has the wrong size, is not symmetric, does
        not have 1 on its diagonal or is not positive semidefinite.
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
    A transformation from independent to correlated standard normal variables.

    `of`: for each requested number the index of its variable; entries of a list that share a `*` share a variable.
    `root`: Cholesky factor of the correlation matrix of the variables, shape (size, size).
    """

    of: tuple[int, ...]
    root: np.ndarray

    @property
    def size(self) -> int:
        """Number of independent normal variables in a draw."""
        return len(self.root)

    def joined(self, independent: np.ndarray) -> np.ndarray:
        """Return correlated normal variables, shape (draws, numbers), from independent ones, shape (draws, size)."""
        return np.asarray((independent @ self.root.T)[:, list(self.of)])


def joint_normals(correlation: Correlation | None, paths: Sequence[str]) -> JointNormals:
    """
    Return the JointNormals of some of a boat's numbers; numbers without a correlation are independent.

    :param correlation: The Correlation of the boat file, or None.
    :param paths: Paths of the numbers.

    Source: Cholesky factorization. Eigenvalues below 1e-9 are raised to it, so that a singular matrix has a factor
    (Higham (1988), Linear Algebra and its Applications 103).
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
