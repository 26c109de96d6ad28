"""Many runs of a scenario in memory, as an xarray Dataset: a grid of parameters, and samples that vary together."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.cases import cases_of
from ..engine.ensemble import run_ensemble
from ..engine.results import Results
from ..files.errors import InputError
from ..files.optional import optional
from ..sim.scenario import Scenario
from ..sim.scenario_values import parameter_paths
from .sweep_file import SAMPLE, plain_name

if TYPE_CHECKING:
    import xarray

Values = Mapping[str, np.ndarray]


def sweep_dataset(scenario: Scenario, grid: Values, samples: Values, backend: str = 'auto') -> 'xarray.Dataset':
    """
    Return what came of a scenario's runs; dimensions are the parameters of the grid, then `sample`.

    :param scenario: What all runs have in common.
    :param grid: Dotted path to the values of a dimension, shape (K,), or to one number of all runs, shape (); in the
        files' units.
    :param samples: Dotted path to values along `sample`, all of one shape (N,).
    :param backend: As `run_ensemble` has it.
    :raises InputError: For a wrong shape, path or value; if xarray is not installed.
    """
    drawn = next(iter(samples.values())).shape if samples else ()
    for path, numbers in (*grid.items(), *samples.items()):
        if numbers.ndim > 1 or (path in samples and (numbers.ndim == 0 or numbers.shape != drawn)):
            raise InputError(f'{path} has the shape {numbers.shape}; must be '
                             + (f'that of all samples, {drawn}' if path in samples else '(N,), or a number'))
    axes = {path: numbers for path, numbers in grid.items() if numbers.ndim}
    dims = (*map(plain_name, axes), *((SAMPLE,) if samples else ()))
    shape = (*(numbers.size for numbers in axes.values()), *drawn)
    places = np.indices(shape).reshape(len(shape), math.prod(shape))
    values: dict[str, Any] = {**grid, **{path: numbers[places[-1]] for path, numbers in samples.items()}}
    values |= {path: numbers[place] for (path, numbers), place in zip(axes.items(), places)}
    results = run_ensemble(cases_of(scenario, math.prod(shape), **values), backend).columns()
    units = {path: quantity.unit for path, quantity in parameter_paths(scenario).items()}
    coordinates = {plain_name(path): ((SAMPLE,) if path in samples else (plain_name(path),)[:numbers.ndim], numbers, {
        'units': units[path], 'long_name': path}) for path, numbers in (*grid.items(), *samples.items())}
    return optional('xarray', 'sweep', 'the results of a sweep').Dataset(
        {name: (dims, results[name].reshape(shape), {'units': column.unit, 'long_name': column.meaning})
         for name, column in Results.COLUMNS.items()}, coordinates, {'scenario': scenario.name})
