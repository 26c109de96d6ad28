"""The one call of an ensemble: what to run (`cases_of`), running it (`run_ensemble`), what came of it (`Results`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..flow.regular_grid import GriddedFlow
from ..flow.uniform import UniformFlow
from ..physics.energy import CAUSES
from ..sim.outcomes import OUTCOMES
from ..sim.scenario import Scenario
from ..sim.scenario_values import checked_values, scenario_with

BACKENDS = ('auto', 'numba', 'numpy', 'cuda', 'python')
CHUNK = 16384  # Runs that are packed and computed together; what a run needs meanwhile is about 1 kB.

Progress = Callable[[int, int], None]


class Column(NamedTuple):
    """What there is to say of one array of Results: its unit (as in a netCDF file) and its meaning."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class Cases:
    """
    Many runs of one scenario. Make it by `cases_of`, which checks it.

    `values` holds what varies: dotted parameter path to an array, shape (number,), in the units of the scenario's and
    boat's files. `current` and `wind` take the place of the scenario's flows where those are fields.
    """

    scenario: Scenario
    number: int
    values: dict[str, np.ndarray] = field(default_factory=dict)
    current: GriddedFlow | None = None
    wind: GriddedFlow | None = None

    def part(self, first: int, last: int) -> 'Cases':
        """Return the runs from number `first` to before `last`."""
        last = min(last, self.number)
        return replace(self, number=last - first, values={path: v[first:last] for path, v in self.values.items()})

    def scenario_of(self, index: int) -> Scenario:
        """Return the scenario of one run, as `run_scenario` takes it: what this ensemble's run must agree with."""
        changed = scenario_with(self.scenario, {path: float(v[index]) for path, v in self.values.items()})
        for name in ('current', 'wind'):
            grid = getattr(self, name)
            if grid is not None:
                changed = replace(changed, **{name: grid})
        return changed


@dataclass(frozen=True)
class Results:
    """
    What came of an ensemble: arrays of shape (number,), a run each, in the order of the cases.

    A run that does not reach its goal is a result, not an error: `outcome` is the place in OUTCOMES. `energy` is by
    cause (physics.energy.CAUSES), J. Place and motion are the plant's at the last sample; `thruster_energy` is its work
    up to the end, which for a run that timed out is one period later.
    """

    outcome: np.ndarray
    duration: np.ndarray
    energy: dict[str, np.ndarray]
    distance_over_ground: np.ndarray
    distance_through_water: np.ndarray
    thruster_energy: np.ndarray
    samples: np.ndarray
    waypoint: np.ndarray
    x: np.ndarray
    y: np.ndarray
    yaw: np.ndarray
    u_r: np.ndarray
    v_r: np.ndarray
    r: np.ndarray

    COLUMNS: ClassVar[dict[str, Column]] = {
        'outcome': Column('1', 'how the run ended: ' + ', '.join(f'{n} {name}' for n, name in enumerate(OUTCOMES))),
        'duration': Column('s', 'time from the first to the last sample'),
        **{f'energy_{cause}': Column('J', f'energy by cause: {cause}') for cause in CAUSES},
        'distance_over_ground': Column('m', 'way over ground'),
        'distance_through_water': Column('m', 'way through the water'),
        'thruster_energy': Column('J', "work of the plant's thrusters"),
        'samples': Column('1', 'power samples that were integrated'),
        'waypoint': Column('1', 'waypoints reached'),
        'x': Column('m', 'final place, east'), 'y': Column('m', 'final place, north'),
        'yaw': Column('rad', 'final yaw, counter-clockwise from east, not wrapped'),
        'u_r': Column('m/s', 'final surge velocity through the water'),
        'v_r': Column('m/s', 'final sway velocity through the water, to port'),
        'r': Column('rad/s', 'final yaw rate, counter-clockwise'),
    }

    @property
    def number(self) -> int:
        """How many runs there are."""
        return len(self.outcome)

    def columns(self) -> dict[str, np.ndarray]:
        """Return all arrays by the names in COLUMNS, in that order; the energies as `energy_<cause>`."""
        flat: dict[str, np.ndarray] = {}
        for part in fields(self):
            value = getattr(self, part.name)
            flat |= {f'energy_{cause}': v for cause, v in value.items()} if part.name == 'energy' else {
                part.name: value}
        return flat

    @staticmethod
    def of_columns(columns: dict[str, np.ndarray]) -> 'Results':
        """Return the results that `columns()` was made of."""
        return Results(energy={cause: columns[f'energy_{cause}'] for cause in CAUSES},
                       **{part.name: columns[part.name] for part in fields(Results) if part.name != 'energy'})

    @staticmethod
    def joined(parts: Sequence['Results']) -> 'Results':
        """Return several results as one, in their order."""
        columns = [part.columns() for part in parts]
        return Results.of_columns({name: np.concatenate([c[name] for c in columns]) for name in columns[0]})


def cases_of(scenario: Scenario, number: int, *, current: GriddedFlow | None = None, wind: GriddedFlow | None = None,
             **overrides: Any) -> Cases:
    """
    Return many runs of a scenario.

        cases_of(read_scenario('6'), 1000, **{'current.speed': rng.uniform(0.0, 0.4, 1000),
                                              'boat.damping.linear.d11': rng.normal(16.3, 0.5, 1000)})

    A path is that of the number in the scenario's file (`current.speed`, `current.direction_deg`, `wind.speed`,
    `speed.target`, `start.heading_deg`, `waypoints.0.x`, `controller.heading.kp`, `guidance.lookahead`, `stop.radius`),
    or `boat.` and that in the boat's file (`boat.damping.linear.d11`, `boat.thrusters.0.max_thrust`;
    `boat.thrusters.*.max_thrust` is all of them). `boat.` means the plant, too, unless the scenario has a plant of its
    own, whose numbers are at `plant.`. `parameter_paths(scenario)` in parameters.py lists all, with units.
    `speed.target` makes a scenario at full thrust one over ground.

    :param scenario: What all runs have in common; its convention is the power model's.
    :param number: How many runs.
    :param current: A gridded current in place of the scenario's; needed where that is a flow file.
    :param wind: The same of the wind.
    :param overrides: Dotted path to an array of shape (number,), or one number for all runs; units as in the files.
    :raises InputError: For an unknown path (close ones are named), a wrong shape, a value that the files' schemas do
        not allow, thrusters that are no longer a pair, or a flow file without a grid.
    """
    if number < 1:
        raise InputError(f'an ensemble of {number} runs; must be at least 1')
    for name, grid in (('current', current), ('wind', wind)):
        if grid is None and not isinstance(getattr(scenario, name), UniformFlow | GriddedFlow):
            raise InputError(f'{scenario.path}: {name} is a flow field; an ensemble looks it up on a regular grid: '
                             f'pass {name}=gridded_flow(scenario.{name}, extent, spacing)')
    grids = {name: grid or (own if isinstance(own := getattr(scenario, name), GriddedFlow) else None)
             for name, grid in (('current', current), ('wind', wind))}
    taken = frozenset(name for name, grid in grids.items() if grid is not None)
    return Cases(scenario, number, checked_values(scenario, number, overrides, taken), grids['current'], grids['wind'])


def run_ensemble(cases: Cases, backend: str = 'auto', threads: int | None = None, chunk: int = CHUNK,
                 progress: Progress = lambda done, number: None) -> Results:
    """
    Run all cases, each as `sim.runner.run_scenario` would run it, and return what came of them.

    :param cases: From `cases_of`.
    :param backend: `auto`: numba where it is installed, else numpy. `numba`: the compiled loop on all cores. `numpy`:
        arrays over the ensemble, the same results to rounding. `cuda`: a run a thread on a GPU. `python`:
        run_scenario, one by one, for comparison.
    :param threads: Of the numba backend; None for one a core that this process may use.
    :param chunk: Runs that are in work at a time: bounds the memory.
    :param progress: Called with the runs done and their number after each chunk. If it raises, no more are begun.
    :raises InputError: For an unknown backend, or one whose library or device is missing.
    """
    from .backends import backend_of
    run = backend_of(backend, threads)
    parts: list[Results] = []
    for first in range(0, cases.number, chunk):
        parts.append(run(cases.part(first, first + chunk)))
        progress(min(first + chunk, cases.number), cases.number)
    return Results.joined(parts)
