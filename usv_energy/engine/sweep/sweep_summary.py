"""The results of a sweep in few numbers, and many runs in memory as an xarray Dataset."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from usv_energy.engine.cases import Results, cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import prepared
from usv_energy.engine.run_state import BATTERY_EMPTY, OUTCOMES, REACHED
from usv_energy.engine.sweep.results_file import open_results
from usv_energy.engine.sweep.sweep_file import SAMPLE, Sweep, plain_name
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.batteries.cell import state_of_charge
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.scenario_values import parameter_paths

if TYPE_CHECKING:
    import xarray


QUANTILES = {'min': 0.0, 'p05': 0.05, 'p25': 0.25, 'median': 0.5, 'p75': 0.75, 'p95': 0.95, 'max': 1.0}
SPREAD = {'energy_j': 'energy_total', 'duration_s': 'duration', 'distance_over_ground_m': 'distance_over_ground'}
OF_CELLS = {'battery_charge_at_end': 'charge', 'battery_voltage_at_end_v': 'voltage'}
OF_EMPTY = {'duration_s': 'duration', 'distance_over_ground_m': 'distance_over_ground'}
FEW_RUNS = 64
MOST_AT_ONCE = 10 ** 8      # Runs whose results are held in memory.
MOST_RUNS = 200_000  # Most runs that are used for the influence of the inputs.
SAID = {'speed.target': 'speed', 'current.speed': 'current', 'wind.speed': 'wind', 'boat.hull.payload': 'payload',
        'current.direction_deg': 'direction of the current, counter-clockwise',
        'wind.direction_deg': 'direction that the wind blows to, counter-clockwise'}


class Influence(NamedTuple):
    """The influence of an input on the energy: rank regression coefficient (-), share of the ranks' variance (-)."""

    parameter: str
    coefficient: float
    share: float


def influences(inputs: Mapping[str, np.ndarray], output: np.ndarray) -> tuple[list[Influence], float]:
    """
    Return the inputs that explain the variance of an output, the strongest first, and the share that all explain.

    Ranks are regressed on ranks, so a relation need only be monotonic. The rest up to 1 is not monotonic (a direction
    around the circle), is an interaction, or is noise. The shares add up to the total.

    :param inputs: By name, shape (N,); those that do not vary are left out.
    :param output: Shape (N,).
    :return: The influences and R^2 of the ranks; no influences if there are too few runs or the output is constant.

    Source: Saltelli et al., Sensitivity Analysis (2000), section 2.4 (standardised rank regression); shares: Pratt's
        product of coefficient and correlation.
    """
    from scipy.stats import rankdata
    varied = {name: values for name, values in inputs.items() if values.size and np.ptp(values) > 0.0}
    if not varied or output.size < 2 * len(inputs) + 2 or np.ptp(output) == 0.0:
        return [], float('nan')

    def standardised(values: np.ndarray) -> np.ndarray:
        ranks = rankdata(values)
        return np.asarray((ranks - ranks.mean()) / ranks.std())

    x, y = np.column_stack([standardised(values) for values in varied.values()]), standardised(output)
    coefficients = np.linalg.lstsq(x, y, rcond=None)[0]
    shares = coefficients * (x.T @ y) / y.size
    found = [Influence(name, float(b), float(share)) for name, b, share in zip(varied, coefficients, shares)]
    return sorted(found, key=lambda one: -abs(one.share)), float(shares.sum())


def parameter_words(scenario: Scenario, path: str) -> str:
    """Return a parameter of a sweep in words, as `linear drag in surge`, from its meaning in the tables of numbers."""
    meaning = re.split('[:;(]', parameter_paths(scenario)[path].meaning)[0].strip()
    words = SAID.get(path) or meaning or re.sub('[._]', ' ', path)
    if thruster := re.search(r'thrusters[.](\d+|[*])', path):
        words += ' of all thrusters' if thruster[1] == '*' else f' of thruster {int(thruster[1]) + 1}'
    return f'{words}, of the plant' if path.startswith('plant.') else words


def sweep_summary(sweep: Sweep, path: Path) -> dict[str, Any]:
    """
    Return the summary of a finished sweep for JSON, with units in the keys.

    `spread` is of the runs that arrived, `battery_empty` of those whose battery became empty; None without such runs.

    :param path: Its file of results.
    """
    with open_results(path) as dataset:
        outcome, *columns = (dataset[name].transpose(*sweep.dims).values.ravel()
                             for name in ('outcome', *SPREAD.values()))
        arrived, empty = (np.flatnonzero(outcome == code) for code in (REACHED, BATTERY_EMPTY))
        cells = {} if sweep.scenario.plant.pack is None else {
            key: dataset[name].transpose(*sweep.dims).values.ravel() for key, name in OF_CELLS.items()}
        some = arrived[::max(-(-arrived.size // MOST_RUNS), 1)]
        inputs = _inputs(sweep, dataset, some) if sweep.drawn_paths else {}
    by_key = {**dict(zip(SPREAD, columns)), **cells}
    if not cells and (battery := sweep.scenario.boat.battery) is not None:      # A counter of watt-hours.
        by_key['battery_charge_at_end'] = state_of_charge(by_key['energy_j'], battery)
    found, explained = influences(inputs, by_key['energy_j'][some])
    return {
        'sweep': sweep.path.stem, 'title': sweep.title, 'scenario': sweep.scenario.name,
        'boat': sweep.scenario.boat.name, 'convention': sweep.scenario.convention, 'file': str(path),
        'runs': sweep.number, 'shape': dict(zip(sweep.dims, sweep.shape)),
        'parameters': {path: parameter_words(sweep.scenario, path) for path in (*sweep.axes, *sweep.drawn_paths)},
        'outcomes': {name: int(np.count_nonzero(outcome == code)) for code, name in enumerate(OUTCOMES)},
        'spread': {key: _spread(values[arrived]) for key, values in by_key.items()},
        'battery_empty': {key: _spread(by_key[key][empty]) for key in OF_EMPTY} if empty.size else None,
        'influence': {'explained_share': None if np.isnan(explained) else explained, 'runs': int(some.size),
                      'inputs': [one._asdict() for one in found]},
    }


def _inputs(sweep: Sweep, dataset: Any, runs: np.ndarray) -> dict[str, np.ndarray]:
    """Return the varying inputs of some runs: parameter path to values, shape (runs,)."""
    places = np.unravel_index(runs, sweep.shape)
    found = {path: values[place] for (path, values), place in zip(sweep.axes.items(), places)}
    return found | {path: dataset[plain_name(path)].values[places[-1]] for path in sweep.drawn_paths}


def _spread(values: np.ndarray) -> dict[str, float] | None:
    if not values.size:
        return None
    quantiles = np.quantile(values, list(QUANTILES.values())).tolist()
    return {**dict(zip(QUANTILES, quantiles)), 'mean': float(values.mean()), 'std': float(values.std())}


Values = Mapping[str, np.ndarray]


def sweep_dataset(scenario: Scenario, grid: Values, samples: Values, backend: str = 'auto',
                  progress: Progress = no_progress) -> 'xarray.Dataset':
    """
    Return the results of a scenario's runs; dimensions are the parameters of the grid, then `sample`.

    :param scenario: What all runs have in common.
    :param grid: Dotted path to the values of a dimension, shape (K,), or to one number for all runs, shape (); in the
        files' units.
    :param samples: Dotted path to values along `sample`, all of one shape (N,).
    :param backend: As for `run_ensemble`; so is `progress`. `auto` takes numpy for few runs of a boat whose thrusts
        have a closed form: numba compiles for 10 s the first time, and then saves less than 1 s.
    :raises InputError: For a wrong shape, path or value, a path in both, too many runs; if xarray is not installed.
    """
    if both := next((path for path in grid if path in samples), None):
        raise InputError(f'{both} is in grid and in samples; must be in one of them')
    drawn = next(iter(samples.values())).shape if samples else ()
    for path, numbers in (*grid.items(), *samples.items()):
        if numbers.ndim > 1 or (path in samples and (numbers.ndim == 0 or numbers.shape != drawn)):
            raise InputError(f'{path} has the shape {numbers.shape}; must be '
                             + (f'that of all samples, {drawn}' if path in samples else '(N,), or a number'))
    axes = {path: numbers for path, numbers in grid.items() if numbers.ndim}
    dims = (*map(plain_name, axes), *((SAMPLE,) if samples else ()))
    shape = (*(numbers.size for numbers in axes.values()), *drawn)
    if math.prod(shape) > MOST_AT_ONCE:
        raise InputError(f'grid and samples make {math.prod(shape):g} runs; must be at most {MOST_AT_ONCE:g} at once: '
                         '`usv-energy sweep` keeps more in a file, in chunks')
    places = np.indices(shape).reshape(len(shape), math.prod(shape))
    values: dict[str, Any] = {**grid, **{path: numbers[places[-1]] for path, numbers in samples.items()}}
    values |= {path: numbers[place] for (path, numbers), place in zip(axes.items(), places)}
    cases = cases_of(scenario, math.prod(shape), **values)
    if backend == 'auto' and cases.number <= FEW_RUNS and prepared(cases).by_blocks:
        backend = 'numpy'
    results = run_ensemble(cases, backend, progress=progress).columns()
    units = {path: quantity.unit for path, quantity in parameter_paths(scenario).items()}
    coordinates = {plain_name(path): ((SAMPLE,) if path in samples else (plain_name(path),)[:numbers.ndim], numbers, {
        'units': units[path], 'long_name': path}) for path, numbers in (*grid.items(), *samples.items())}
    return optional('xarray', 'sweep', 'the results of a sweep').Dataset(
        {name: (dims, results[name].reshape(shape), {'units': column.unit, 'long_name': column.meaning})
         for name, column in Results.COLUMNS.items()}, coordinates, {'scenario': scenario.name})
