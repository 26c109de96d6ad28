"""
Band matrices taken apart by LAPACK, in place and without the interpreter's lock: two stretches of a log at a time.

scipy.linalg's own calls (`cholesky_banded`, `cho_solve_banded`) hold that lock and copy the matrix first. The routines
are the same ones, called by the addresses that scipy publishes for compiled code (scipy.linalg.cython_lapack).
"""

import ctypes
from collections.abc import Callable
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

LOWER = b'L'


def empty_band(rows: int, size: int) -> np.ndarray:
    """Return a band matrix of zeros, shape (rows, size), laid out as LAPACK has it: column by column."""
    return np.zeros((size, rows)).T


def factored(band: np.ndarray) -> np.ndarray:
    """
    Return the Cholesky factor of a symmetric positive definite band matrix, in its place.

    :param band: Of `empty_band`: row d of column j is element (j + d, j).
    :raises numpy.linalg.LinAlgError: If it is not positive definite.
    """
    rows, size = band.shape
    info = ctypes.c_int()
    _routine('dpbtrf', 6)(LOWER, _int(size), _int(rows - 1), _address(band), _int(rows), ctypes.byref(info))
    if info.value:
        raise np.linalg.LinAlgError(f'dpbtrf: {info.value}')
    return band


def solution(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """
    Return x of A x = b, shape (size, k).

    :param factor: Of A, from `factored`.
    :param right: b, shape (size, k).
    """
    rows, size = factor.shape
    result = np.array(right, order='F')
    info = ctypes.c_int()
    _routine('dpbtrs', 9)(LOWER, _int(size), _int(rows - 1), _int(result.shape[1]), _address(factor), _int(rows),
                          _address(result), _int(size), ctypes.byref(info))
    if info.value:
        raise np.linalg.LinAlgError(f'dpbtrs: {info.value}')
    return result


@cache
def _routine(name: str, arguments: int) -> Callable[..., None]:
    capsule = _lapack().__pyx_capi__[name]
    signature, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    signature.restype, signature.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer(capsule, signature(capsule))
    return ctypes.CFUNCTYPE(None, ctypes.c_char_p, *[ctypes.c_void_p] * (arguments - 1))(address)


@cache
def _lapack() -> Any:
    """
    Return scipy.linalg.cython_lapack, loaded from its own file.

    It needs nothing of scipy.linalg, whose import takes 40 times as long (0.16 s): more than what is solved here.
    """
    import scipy
    found = PathFinder.find_spec('cython_lapack', [str(Path(scipy.__file__).parent / 'linalg')])
    spec = None if found is None else spec_from_file_location('scipy.linalg.cython_lapack', found.origin)
    if spec is None or spec.loader is None:
        from scipy.linalg import cython_lapack
        return cython_lapack
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _int(value: int) -> object:
    return ctypes.byref(ctypes.c_int(value))


def _address(values: np.ndarray) -> int:
    """Return where the numbers of an array in one piece, column by column, begin."""
    if values.dtype != np.float64 or not values.flags.f_contiguous:
        raise ValueError('a matrix for LAPACK must be of float64, column by column')
    return values.ctypes.data
