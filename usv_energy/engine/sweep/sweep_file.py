"""
A sweep: a scenario and the numbers of it that vary, read from a YAML file; the runs and their numbers.

The numbers of a Monte Carlo sweep have distributions; samples of them are independent or joint.
"""

import hashlib
import itertools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import UncertainNumber, checked_boat_with, uncertain_numbers
from usv_energy.boats.correlation import JointNormals, joint_normals
from usv_energy.boats.numbers import may_vary, row_of
from usv_energy.engine.cases import Cases, cases_of
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import GriddedFlow, gridded_flow
from usv_energy.sim.scenario import Scenario, read_scenario
from usv_energy.sim.scenario_values import parameter_paths
from usv_energy.version import __version__

WORDS = 4  # Random words that Philox makes per count.


class DistributionKind(NamedTuple):
    """
    A kind of distribution: its numbers, those that must be above 0, and whether limits may truncate it.

    `of`: makes it from its numbers, with the quantile `ppf` and the distribution function `cdf`, as scipy.stats has
    them.
    """

    needs: tuple[str, ...]
    positive: tuple[str, ...]
    limited: bool
    of: Callable[..., Any]


class Distribution(NamedTuple):
    """A distribution: its kind, its numbers by name, and its distribution function at its limits."""

    kind: str
    numbers: dict[str, Any]
    below_min: float = 0.0
    below_max: float = 1.0

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Return the quantiles of the truncated distribution for probabilities between 0 and 1, exclusive."""
        inner = self.below_min + share * (self.below_max - self.below_min)
        values: np.ndarray = _frozen(self.kind, self.numbers).ppf(inner)
        return np.asarray(np.clip(values, self.numbers.get('min', -math.inf), self.numbers.get('max', math.inf)))


def _frozen(kind: str, numbers: dict[str, Any]) -> Any:
    return KINDS[kind].of(**{name: numbers[name] for name in KINDS[kind].needs})


def distribution_from(plain: Mapping[str, Any], key: str) -> Distribution:
    """
    Return a distribution from its mapping in a sweep file.

    :param plain: `distribution` names the kind; `min` and `max` truncate it: values beyond them are excluded, and the
        density within keeps its shape.
    :param key: Its key, for error messages.
    :raises InputError: For an unknown kind, missing or unexpected numbers, or limits with nothing between them.
    """
    name = plain['distribution']
    if name not in KINDS:
        raise InputError(f'{key}.distribution is {name!r}; must be one of {", ".join(KINDS)}')
    kind = KINDS[name]
    numbers: dict[str, Any] = {number: value if isinstance(value, list) else float(value)
                               for number, value in plain.items() if number != 'distribution'}
    allowed = {*kind.needs, *(('min', 'max') if kind.limited else ())}
    for missing in sorted(set(kind.needs) - set(numbers)):
        raise InputError(f'{key} lacks the key {missing!r}; a {name} distribution needs: {", ".join(kind.needs)}')
    for needless in sorted(set(numbers) - allowed):
        raise InputError(f'{key}.{needless} has no meaning for a {name} distribution; it takes: '
                         f'{", ".join(sorted(allowed))}')
    for low in kind.positive:
        if not numbers[low] > 0.0:
            raise InputError(f'{key}.{low} is {numbers[low]:g}; must be greater than 0')
    _check_order(numbers, key)
    below_min, below_max = 0.0, 1.0
    if kind.limited:
        below_min, below_max = _frozen(name, numbers).cdf((numbers.get('min', -math.inf), numbers.get('max', math.inf)))
    if not below_max - below_min > 1e-9:
        raise InputError(f'{key}: the limits leave {below_max - below_min:.1e} of the distribution; must leave more '
                         'than 1e-9')
    return Distribution(name, numbers, float(below_min), float(below_max))


def uniform_numbers(seed: int, name: str, first: int, last: int) -> np.ndarray:
    """
    Return uniform random numbers between 0 and 1, exclusive, for samples `first` to before `last`.

    :param seed: Of the sweep, 0 to 2^64 - 1.
    :param name: Of the parameter; each has its own stream.

    Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011): Philox4x64-10.
    """
    stream = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), 'little')
    generator = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64))
    generator.advance(first // WORDS)
    skipped = first % WORDS
    words = generator.random_raw(skipped + last - first)[skipped:]
    return ((words >> np.uint64(11)).astype(float) + 0.5) * 2.0 ** -53


def _check_order(numbers: Mapping[str, Any], key: str) -> None:
    ordered = [(name, numbers[name]) for name in ('min', 'mode', 'max') if name in numbers]
    for (low_name, low), (high_name, high) in pairwise(ordered):
        strict = {low_name, high_name} == {'min', 'max'}
        if low > high or (strict and low == high):
            raise InputError(f'{key}.{high_name} is {high:g}; must be {"greater than" if strict else "at least"} '
                             f'{low_name}, {low:g}')
    if 'mode' in numbers and numbers['min'] == numbers['max']:
        raise InputError(f'{key}.max is {numbers["max"]:g}; must be greater than min')
    if 'values' in numbers and not (isinstance(numbers['values'], list) and numbers['values']):
        raise InputError(f'{key}.values must be a list of numbers')


class _SplitNormal(NamedTuple):
    """Two halves of normal distributions that meet at the median."""

    median: float
    std_below: float
    std_above: float

    def ppf(self, share: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri
        deviation = ndtri(share)
        return np.asarray(self.median + deviation * np.where(deviation > 0.0, self.std_above, self.std_below))


class _Choice(NamedTuple):
    """A choice among equally likely values."""

    values: list[float]

    def ppf(self, share: np.ndarray) -> np.ndarray:
        place = np.minimum((share * len(self.values)).astype(int), len(self.values) - 1)
        return np.asarray(np.array(self.values)[place], dtype=float)


def _stats(name: str, *shapes: float, loc: float = 0.0, scale: float = 1.0) -> Any:
    from scipy import stats
    return getattr(stats, name)(*shapes, loc=loc, scale=scale)


KINDS = {
    'normal': DistributionKind(('mean', 'std'), ('std',), True, lambda mean, std: _stats('norm', loc=mean, scale=std)),
    'split_normal': DistributionKind(('median', 'std_below', 'std_above'), ('std_below', 'std_above'), False,
                                     _SplitNormal),
    # sigma is that of the logarithm.
    'lognormal': DistributionKind(('median', 'sigma'), ('median', 'sigma'), True,
                                  lambda median, sigma: _stats('lognorm', sigma, scale=median)),
    'uniform': DistributionKind(('min', 'max'), (), False,
                                lambda min, max: _stats('uniform', loc=min, scale=max - min)),
    'triangular': DistributionKind(('min', 'mode', 'max'), (), False, lambda min, mode, max: _stats(
        'triang', (mode - min) / (max - min), loc=min, scale=max - min)),
    # Of wind speeds.
    'weibull': DistributionKind(('scale', 'shape'), ('scale', 'shape'), True,
                                lambda scale, shape: _stats('weibull_min', shape, scale=scale)),
    'choice': DistributionKind(('values',), (), False, _Choice),
}


ATTEMPTS = 500  # Most draws for a sample; the first one that is a valid boat is used.
TOGETHER = ('m23', 'd23', 'd32')  # Names of numbers whose limits depend on others.


@dataclass(frozen=True, eq=False)
class JointDraw:
    """
    The joint distribution of a boat's uncertain numbers: the numbers and their correlation.

    A sample depends only on the seed and on its index; each attempt has its own random stream.
    """

    boat: Boat
    doubts: tuple[UncertainNumber, ...]
    normals: JointNormals
    prefix: str = 'boat.'

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the numbers as sweeps name them."""
        return tuple(self.prefix + doubt.name for doubt in self.doubts)

    def drawn(self, path: str, seed: int, first: int, last: int) -> np.ndarray:
        """Return a number in samples `first` to before `last`. Raises InputError if hardly any draw is a valid boat."""
        return _samples(self, seed, first, last)[:, self.paths.index(path)]


def joint_draw(boat: Boat) -> JointDraw:
    """
    Return the JointDraw of the uncertain numbers in a boat's file.

    :raises InputError: If the file states no uncertainty.
    """
    doubts = tuple(doubt for path, doubt in uncertain_numbers(boat).items()
                   if may_vary(row_of(path), boat.pack is not None) and max(doubt.below, doubt.above) > 0.0)
    if not doubts:
        raise InputError(f'{boat.path}: no number that a sweep may vary has a std or an interval: nothing to draw')
    return JointDraw(boat, doubts, joint_normals(boat.correlation, [doubt.name for doubt in doubts]))


@lru_cache(maxsize=2)
def _samples(joint: JointDraw, seed: int, first: int, last: int) -> np.ndarray:
    """Return the samples, (samples, numbers)."""
    from scipy.special import ndtri
    found = np.empty((last - first, len(joint.doubts)))
    missing = np.ones(last - first, bool)
    for attempt in range(ATTEMPTS):
        independent = np.column_stack([ndtri(uniform_numbers(seed, f'{joint.prefix}{number}|{attempt}', first, last))
                                       for number in range(joint.normals.size)])
        deviations = joint.normals.joined(independent)
        values = np.column_stack([doubt.at(one) for doubt, one in zip(joint.doubts, deviations.T)])
        good = missing & _are_boats(joint, values, missing)
        found[good] = values[good]
        missing &= ~good
        if not missing.any():
            return found
    raise InputError(f'{joint.boat.path}: its intervals hold hardly any boat that can be')


def _are_boats(joint: JointDraw, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    good = wanted.copy()
    for doubt, column in zip(joint.doubts, values.T):
        row = row_of(doubt.name)
        good &= np.array([not row.fault(value, value) for value in column.tolist()])
    if any(doubt.name.rpartition('.')[2] in TOGETHER for doubt in joint.doubts):
        for place in np.flatnonzero(good):
            try:
                checked_boat_with(joint.boat, dict(zip((one.name for one in joint.doubts), values[place].tolist())))
            except InputError:
                good[place] = False
    return good


SAMPLE = 'sample'
MOST_RUNS = 10 ** 10
BLOCK = 1 << 18  # Samples that are processed together to find their range.


@dataclass(frozen=True)
class Sweep:
    """
    A validated sweep. Runs are numbered with the last axis fastest; `sample` is the last axis.

    `axes`: values by dotted parameter path. `distributions`: by path, with `samples` draws (1 if nothing is drawn).
    `joint`: the draw of the boat's uncertain numbers, None without. `fixed`: one value for all runs, by path. `texts`:
    the YAML of the sweep, the scenario and its boats.
    """

    path: Path
    title: str
    scenario: Scenario
    fixed: dict[str, float]
    axes: dict[str, np.ndarray]
    distributions: dict[str, Distribution]
    samples: int
    seed: int
    flows: dict[str, GriddedFlow]
    texts: dict[str, str]
    joint: JointDraw | None = None

    @property
    def drawn_paths(self) -> tuple[str, ...]:
        """Paths of all drawn parameters."""
        return (*self.distributions, *(self.joint.paths if self.joint else ()))

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis, then the number of samples if something is drawn."""
        return (*(values.size for values in self.axes.values()), *((self.samples,) if self.drawn_paths else ()))

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of the axes in files: paths with `_` in place of dots."""
        return (*map(plain_name, self.axes), *((SAMPLE,) if self.drawn_paths else ()))

    @property
    def number(self) -> int:
        """Number of runs."""
        return math.prod(self.shape)

    @cached_property
    def units(self) -> dict[str, str]:
        """Unit of every varying parameter, by path."""
        known = parameter_paths(self.scenario)
        return {path: known[path].unit for path in (*self.axes, *self.drawn_paths)}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything that the results depend on: the files' content, sampled flows, the version."""
        content = {'version': __version__, 'texts': self.texts,
                   'flows': {name: _digest(flow) for name, flow in self.flows.items()}}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def drawn(self, path: str, first: int, last: int) -> np.ndarray:
        """Return the values of a drawn parameter for samples `first` to before `last`."""
        if self.joint and path in self.joint.paths:
            return self.joint.drawn(path, self.seed, first, last)
        return self.distributions[path].quantile(uniform_numbers(self.seed, path, first, last))

    def cases(self, first: int, last: int) -> Cases:
        """Return runs `first` to before `last` as an ensemble."""
        values: dict[str, Any] = dict(self.fixed)
        rest = np.arange(first, last)
        if self.drawn_paths:
            sample, rest = rest % self.samples, rest // self.samples
            low, high = int(sample.min()), int(sample.max()) + 1
            values |= {path: self.drawn(path, low, high)[sample - low] for path in self.drawn_paths}
        for path, axis in reversed(self.axes.items()):
            values[path], rest = axis[rest % axis.size], rest // axis.size
        return cases_of(self.scenario, last - first, **self.flows, **values)


def plain_name(path: str) -> str:
    """Return the name of a parameter in a file of results: letters, digits and underscores."""
    return path.replace('*', 'all').replace('.', '_')


def read_sweep(name: str) -> Sweep:
    """
    Return a sweep by its name in config/sweeps or by the path of its YAML file.

    All values that will be run are checked, so that a sweep does not fail on a parameter halfway.

    :raises InputError: If there is none, or it is wrong; the message names file, key, value and what is allowed, or
        similar parameter names.
    """
    path = resolve('sweeps', name)
    document = checked.read_with_base('sweeps', path)
    checked.check(document, 'sweep', path)
    scenario, texts = _scenario(document, path)
    drawn = document.get('monte_carlo', {})
    sweep = Sweep(
        path=path, title=document.get('title', path.stem), scenario=scenario,
        fixed={key: float(value) for key, value in document.get('set', {}).items()},
        axes={key: _axis(given, f'{path}: grid.{key}') for key, given in document.get('grid', {}).items()},
        distributions={key: distribution_from(given, f'{path}: monte_carlo.parameters.{key}')
                       for key, given in drawn.get('parameters', {}).items()},
        samples=int(drawn.get('samples', 1)), seed=int(drawn.get('seed', 0)),
        flows=_flows(scenario, document.get('flow_grid', {}), path), texts=texts,
        joint=_joint(scenario, path) if drawn.get('boat') == 'as_known' else None)
    _check(sweep)
    return sweep


def _joint(scenario: Scenario, path: Path) -> JointDraw:
    try:
        return joint_draw(scenario.boat)
    except InputError as error:
        raise InputError(f'{path}: monte_carlo.boat: {error}') from None


def _scenario(document: Mapping[str, Any], path: Path) -> tuple[Scenario, dict[str, str]]:
    """Return the scenario of a sweep with its other boats, and the YAML of all files that it reads."""
    import yaml

    def found(kind: str, key: str) -> str | None:
        try:
            return str(resolve(kind, document[key], path.parent).resolve()) if key in document else None
        except InputError as error:
            raise InputError(f'{path}: {key}: {error}') from None

    place, boat, plant = found('scenarios', 'scenario'), found('boats', 'boat'), found('boats', 'plant')
    scenario = read_scenario(str(place)).with_options(boat, plant, document.get('convention'))
    files = {'sweep': document, 'scenario': checked.read_with_base('scenarios', scenario.path),
             'boat': checked.read_with_base('boats', scenario.boat.path)}
    if scenario.plant is not scenario.boat:
        files['plant'] = checked.read_with_base('boats', scenario.plant.path)
    return scenario, {name: yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True)
                      for name, content in files.items()}


def _axis(given: Any, key: str) -> np.ndarray:
    values = np.array(given, dtype=float) if isinstance(given, list) else np.linspace(
        float(given['from']), float(given['to']), int(given['number']))
    if np.unique(values).size != values.size:
        raise InputError(f'{key} has a value twice; every value must stand once')
    return values


def _flows(scenario: Scenario, grids: Mapping[str, Any], path: Path) -> dict[str, GriddedFlow]:
    """Return the scenario's flow fields on regular grids, by name; none for uniform flows."""
    flows: dict[str, GriddedFlow] = {}
    for name, field in (('current', scenario.current), ('wind', scenario.wind)):
        if isinstance(field, UniformFlow):
            if name in grids:
                raise InputError(f'{path}: flow_grid.{name} is given, but the {name} of {scenario.path} is the same '
                                 'everywhere; leave it out')
            continue
        if name not in grids:
            raise InputError(f'{path}: lacks the key flow_grid.{name}: the {name} of {scenario.path} is a field, which '
                             'a sweep looks up on a regular grid: say its spacing (m), extent and times')
        plain: Any = grids[name]
        extent: Any = tuple(map(float, plain.get('extent', field.extent)))
        times = np.asarray(field.source.times)
        if 'times' not in plain and times.size > 1:
            raise InputError(f'{path}: lacks the key flow_grid.{name}.times: {field.path} varies in time; say from, to '
                             'and number of the times (s) that the grid holds')
        wanted = _axis(plain['times'], f'{path}: flow_grid.{name}.times') if 'times' in plain else np.zeros(1)
        try:
            flows[name] = gridded_flow(field, extent, float(plain['spacing']), tuple(wanted))
        except InputError as error:
            raise InputError(f'{path}: flow_grid.{name}: {error}') from None
    return flows


def _check(sweep: Sweep) -> None:
    """Check that parameters exist, are named only once, and have allowed values."""
    places: dict[str, Any] = {'set': sweep.fixed, 'grid': sweep.axes, 'monte_carlo.parameters': sweep.distributions,
                              'monte_carlo.boat': sweep.joint.paths if sweep.joint else ()}
    if not sweep.axes and not sweep.drawn_paths:
        raise InputError(f'{sweep.path}: varies nothing; must hold grid or monte_carlo')
    for (place, paths), (other, others) in itertools.combinations(places.items(), 2):
        if both := sorted(set(paths) & set(others)):
            raise InputError(f'{sweep.path}: {both[0]} stands under both {place} and {other}; must stand once')
    if sweep.number > MOST_RUNS:
        raise InputError(f'{sweep.path}: {sweep.number} runs; must be at most {MOST_RUNS:.0e}')
    values: dict[str, Any] = {**sweep.flows, **sweep.fixed}
    values |= {path: np.array([axis.min(), axis.max()]) for path, axis in sweep.axes.items()}
    middle = {path: drawn.quantile(np.array([0.5, 0.5])) for path, drawn in sweep.distributions.items()}
    # Jointly drawn numbers were checked sample by sample; their least and greatest values need not be consistent.
    values |= {path: sweep.drawn(path, 0, 2)[:1].repeat(2) for path in (sweep.joint.paths if sweep.joint else ())}
    try:
        cases_of(sweep.scenario, 2, **(values | middle))    # Check the names of parameters before samples are drawn.
        cases_of(sweep.scenario, 2, **(values | {path: _range(sweep, path) for path in sweep.distributions}))
    except InputError as error:
        raise InputError(f'{sweep.path}: {error}') from None


def _range(sweep: Sweep, path: str) -> np.ndarray:
    """Return the least and the greatest sample of a drawn parameter."""
    blocks = (sweep.drawn(path, first, min(first + BLOCK, sweep.samples)) for first in range(0, sweep.samples, BLOCK))
    ends = np.array([(values.min(), values.max()) for values in blocks])
    return np.array([ends[:, 0].min(), ends[:, 1].max()])


def _digest(flow: GriddedFlow) -> str:
    plain = repr(flow.grid._replace(vx=0, vy=0)).encode()  # type: ignore[arg-type]
    return hashlib.sha256(plain + flow.grid.vx.tobytes() + flow.grid.vy.tobytes()).hexdigest()
