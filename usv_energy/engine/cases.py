"""The cases of an ensemble (a scenario and the values that vary) and its results."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from usv_energy.engine.run_state import OUTCOMES
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.scenario_values import checked_values, scenario_with


class ResultColumn(NamedTuple):
    """One array of Results: its unit (as in a netCDF file) and its meaning."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class Results:
    """
    The results of an ensemble: arrays of shape (number,), one element per run, in the order of the cases.

    A run that does not reach its goal is a result, not an error: `outcome` is an index into OUTCOMES. `energy` is by
    cause (`powering.energy.CAUSES`), J. Position and motion are the plant's at the last sample. `thruster_energy` is
    its work up to the end, which is one period later for a run that timed out. `charge`, `voltage`, `temperature` and
    `battery_energy` are also of that time; NaN without cells.
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
    charge: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    battery_energy: np.ndarray

    COLUMNS: ClassVar[dict[str, ResultColumn]] = {
        'outcome': ResultColumn(
            '1', 'how the run ended: ' + ', '.join(f'{n} {name}' for n, name in enumerate(OUTCOMES))),
        'duration': ResultColumn('s', 'time from the first to the last sample'),
        **{f'energy_{cause}': ResultColumn('J', f'energy by cause: {cause}') for cause in CAUSES},
        'distance_over_ground': ResultColumn('m', 'way over ground'),
        'distance_through_water': ResultColumn('m', 'way through the water'),
        'thruster_energy': ResultColumn('J', "work of the plant's thrusters"),
        'samples': ResultColumn('1', 'power samples that were integrated'),
        'waypoint': ResultColumn('1', 'waypoints reached'),
        'x': ResultColumn('m', 'final place, east'), 'y': ResultColumn('m', 'final place, north'),
        'yaw': ResultColumn('rad', 'final yaw, counter-clockwise from east, not wrapped'),
        'u_r': ResultColumn('m/s', 'final surge velocity through the water'),
        'v_r': ResultColumn('m/s', 'final sway velocity through the water, to port'),
        'r': ResultColumn('rad/s', 'final yaw rate, counter-clockwise'),
        'charge': ResultColumn('1', "final charge of the battery's cells; NaN of a boat without"),
        'voltage': ResultColumn('V', 'final voltage of the battery under load; NaN of a boat without cells'),
        'temperature': ResultColumn('K', "final temperature of the battery's cells; NaN of a boat without"),
        'battery_energy': ResultColumn('J', 'energy that the battery gave at its terminals; NaN without cells'),
    }
    OF_CELLS: ClassVar = 'charge', 'voltage', 'temperature', 'battery_energy'

    @property
    def number(self) -> int:
        """Number of runs."""
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
        """Return the Results for the arrays that `columns()` returned."""
        return Results(energy={cause: columns[f'energy_{cause}'] for cause in CAUSES},
                       **{part.name: columns[part.name] for part in fields(Results) if part.name != 'energy'})

    @staticmethod
    def joined(parts: Sequence['Results']) -> 'Results':
        """Return several Results as one, in order."""
        columns = [part.columns() for part in parts]
        return Results.of_columns({name: np.concatenate([c[name] for c in columns]) for name in columns[0]})


def is_even_or_gridded(flow: Any) -> bool:
    """Return whether an ensemble can use a flow directly: if it is gridded or uniform."""
    return isinstance(flow, UniformFlow | GriddedFlow) or (isinstance(flow, FlowFile) and not flow.varies)


@dataclass(frozen=True)
class Cases:
    """
    Many runs of one scenario. Use `cases_of` to make and check it.

    `values`: the values that vary, by dotted parameter path, in arrays of shape (number,), in the units of the
    scenario's and boat's files. `current` and `wind`: gridded flows that replace the scenario's; None to use those.
    """

    scenario: Scenario
    number: int
    values: dict[str, np.ndarray] = field(default_factory=dict)
    current: GriddedFlow | None = None
    wind: GriddedFlow | None = None

    def part(self, first: int, last: int) -> 'Cases':
        """Return the runs from index `first` to before `last`."""
        last = min(last, self.number)
        return replace(self, number=last - first, values={path: v[first:last] for path, v in self.values.items()})

    def scenario_of(self, index: int) -> Scenario:
        """Return the scenario of one run, for `run_scenario`; the ensemble's run agrees with it."""
        changed = scenario_with(self.scenario, {path: float(v[index]) for path, v in self.values.items()})
        for name in ('current', 'wind'):
            grid = getattr(self, name)
            if grid is not None:
                changed = replace(changed, **{name: grid})
        return changed


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
    own, whose numbers are at `plant.`. `parameter_paths(scenario)` in sim/scenario_values.py lists all.
    `speed.target` makes a scenario at full thrust one over ground.

    :param scenario: What all runs have in common; its convention is the power model's.
    :param number: How many runs.
    :param current: A gridded current in place of the scenario's; needed where that is a flow file.
    :param wind: The same of the wind.
    :param overrides: Dotted path to an array of shape (number,), or one number for all runs; units as in the files.
    :raises InputError: For an unknown path (close ones are named), a wrong shape, a value that the files' schemas do
        not allow, thrusters that are no longer a pair, loads by leg, or a flow file without a grid.
    """
    if number < 1:
        raise InputError(f'an ensemble of {number} runs; must be at least 1')
    if scenario.orders or scenario.by_course:
        raise InputError(f'{scenario.path}: speeds, holds and radii of single waypoints, and guidance.mode course, are '
                         'for single runs (usv-energy run); an ensemble has none of them')
    if (scenario.in_waves or scenario.feels_mean_sea) and (current is not None or scenario.surroundings().sea is None):
        raise InputError(f'{scenario.path}: the waves of a current that is a field are for single runs (usv-energy '
                         'run); an ensemble has their force on a current that is the same everywhere')
    if by_leg := [rule.name for rule in scenario.boat.load_rules if rule.legs]:
        raise InputError(f'{scenario.boat.path}: loads by leg ({", ".join(by_leg)}) are for single runs (usv-energy '
                         'run) and missions; an ensemble has none of them')
    for name, grid in (('current', current), ('wind', wind)):
        if grid is None and not is_even_or_gridded(getattr(scenario, name)):
            raise InputError(f'{scenario.path}: {name} is a flow field; an ensemble looks it up on a regular grid: '
                             f'pass {name}=gridded_flow(scenario.{name}, extent, spacing)')
    grids = {name: grid or (own if isinstance(own := getattr(scenario, name), GriddedFlow) else None)
             for name, grid in (('current', current), ('wind', wind))}
    taken = frozenset(name for name, grid in grids.items() if grid is not None
                      or not isinstance(getattr(scenario, name), UniformFlow))
    return Cases(scenario, number, checked_values(scenario, number, overrides, taken), grids['current'], grids['wind'])
