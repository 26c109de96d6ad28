"""What an ensemble is to run: a scenario, and what varies from run to run (`cases_of`)."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..files.errors import InputError
from ..flow.flow_file import FlowFile
from ..flow.regular_grid import GriddedFlow
from ..flow.uniform import UniformFlow
from ..sim.scenario import Scenario
from ..sim.scenario_values import checked_values, scenario_with


def is_even(flow: Any) -> bool:
    """Return whether an ensemble takes a flow as it is: gridded, or the same everywhere."""
    return isinstance(flow, UniformFlow | GriddedFlow) or (isinstance(flow, FlowFile) and not flow.varies)


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
        if grid is None and not is_even(getattr(scenario, name)):
            raise InputError(f'{scenario.path}: {name} is a flow field; an ensemble looks it up on a regular grid: '
                             f'pass {name}=gridded_flow(scenario.{name}, extent, spacing)')
    grids = {name: grid or (own if isinstance(own := getattr(scenario, name), GriddedFlow) else None)
             for name, grid in (('current', current), ('wind', wind))}
    taken = frozenset(name for name, grid in grids.items() if grid is not None
                      or not isinstance(getattr(scenario, name), UniformFlow))
    return Cases(scenario, number, checked_values(scenario, number, overrides, taken), grids['current'], grids['wind'])
