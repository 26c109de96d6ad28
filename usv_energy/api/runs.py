"""Runs of scenarios and missions: `run_scenario`, `track_figures`, `run_sweep`."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from usv_energy.api.given import (
    FlowLike,
    array_of,
    choice_of,
    flow_of,
    moment_text,
    optional_number,
    path_of,
    progress_of,
    scenario_of,
    shown,
    with_parameter_names,
)
from usv_energy.api.results import Result, ResultTable
from usv_energy.boats.boat_file import Boat
from usv_energy.engine.ensemble import BACKENDS
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.files.work import Progress
from usv_energy.powering.power import CONVENTIONS
from usv_energy.show.figure import Panel
from usv_energy.sim import runner
from usv_energy.sim.record import Run
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.track_figures import track_summary, whole_summary

if TYPE_CHECKING:
    import xarray

    from usv_energy.flow.flow_file import FlowFile


class ScenarioResult(Result, Run):
    """
    A simulated run of a scenario.

    `outcome` is `reached`, `timed_out`, `aborted` or `battery_empty`; `duration` s; `energy` by cause, J (fields as of
    `EnergyResult`); `closure`: energy of the model's thrusters over that of the simulated ones, less 1, (-); `rows`:
    the samples, which `to_xarray` has as arrays; `legs`: the energy of each leg.
    """

    __slots__ = ()

    def text(self) -> str:
        """Return the run beside the published figures."""
        from usv_energy.studies.runs.run_tables import comparison_table
        return comparison_table([self.figures()])

    def figures(self) -> dict[str, Any]:
        """Return the run's summary.json (docs/files.md)."""
        return whole_summary(self, 'usv-energy')

    def tabulated(self) -> ResultTable:
        """Return one row a sample: place, motion, flows, power by cause, energy so far."""
        from usv_energy.studies.analyze.report_folder import sample_table
        return ResultTable('time', sample_table(self), {'boat': self.scenario.boat.name})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: `power` by cause, `velocity`, `track`."""
        from usv_energy.studies.runs.run_picture import run_panels
        return run_panels(self)


@with_parameter_names
def run_scenario(scenario: Scenario | str | Path, *, boat: Boat | str | Path | None = None,
                 plant: Boat | str | Path | None = None, convention: str | None = None,
                 payload: float | None = None, speed: float | None = None,
                 current: FlowLike = None, wind: FlowLike = None, wind_height: float | None = None,
                 depart: float | str | datetime | None = None, progress: Progress | None = None) -> ScenarioResult:
    """
    Return the run of a scenario or of a mission file, simulated without ROS: how it ended, every sample, the energy.

    :param scenario: From `read_scenario`, or the name of a shipped one, or the path of its YAML file; or the path of a
        mission file, with `boat`.
    :param boat: Another boat, or the name or path of its file, to move and to be computed with.
    :param plant: The same of another boat to move, while the power is that of the scenario's boat.
    :param convention: Of the power: `rep103` or `as_published`; the scenario's own where None.
    :param payload: Mass on board, kg, in place of that of the boat's file.
    :param speed: Over ground, m/s, where a waypoint has none of its own; the scenario's where None.
    :param current: Water in place of the scenario's: (east, north), m/s, a text as `0.4 kn set 060`, or a flow.
    :param wind: The same of the air.
    :param wind_height: At which that wind holds, m above water; at the boat where None.
    :param depart: When it begins: s of the flows' time, or a moment with its zone; must be said for files of data.
    :param progress: Called with the simulated time and the latest end of the run, s.
    :raises InputError: If a file is wrong (file, key, value, what is allowed), or the simulation is unstable.

    >>> run = usv_energy.run_scenario('1')
    >>> run.outcome
    'reached'
    """
    from usv_energy.studies.mission.scenario_to_run import RunChoice, scenario_to_run, with_choice
    own, moved = ('' if one is None else one if isinstance(one, Boat) else path_of(one, name)
                  for one, name in ((boat, 'boat'), (plant, 'plant')))
    height = optional_number(wind_height, 'wind_height', above=0.0)
    choice = RunChoice(own, moved, optional_number(speed, 'speed', above=0.0) or 0.0,
                       flow_of(current, 'current') or '', flow_of(wind, 'wind') or '', height or 0.0,
                       moment_text(depart, 'depart') or '')
    load = optional_number(payload, 'payload', 0.0)
    known = with_choice(scenario, choice, load) if isinstance(scenario, Scenario) else scenario_to_run(
        path_of(scenario, 'scenario'), choice, load)
    if convention is not None:
        known = known.with_options(convention=choice_of(convention, 'convention', tuple(CONVENTIONS)))
    tell, end = progress_of(progress), int(known.timeout)
    return ScenarioResult(*runner.run_scenario(known, lambda time: tell(min(int(time), end), end)))


@with_parameter_names
def read_scenario(name: str | Path) -> Scenario:
    """
    Return a scenario by its name in config/scenarios or by the path of its YAML file.

    :param name: A shipped one (`usv-energy list`), or a path.
    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.

    >>> usv_energy.read_scenario('3').boat.name
    'lutra_prop'
    """
    return scenario_of(path_of(name, 'name'))


def read_flow(name: str | Path) -> 'FlowFile':
    """
    Return a flow by its name in config/flows or by the path of its YAML file.

    `result.velocity(t, x, y)` has its velocity, m/s, at a time, s, and places, m.

    :param name: A shipped one, or a path.
    :raises InputError: If there is none, or its file, or the data file that this names, is wrong.

    >>> usv_energy.read_flow('river').medium
    'water'
    """
    from usv_energy.flow import flow_file
    return flow_file.read_flow(path_of(name, 'name'))


def track_figures(run: Run) -> dict[str, Any]:
    """
    Return how a run went along its planned path and among its obstacles, as its summary.json has it.

    Distances from the path (rms over time and most) and from the nearest obstacle, m; peak and mean speeds over ground
    and through water, m/s; how often the hull hit an obstacle, and of the first time when (s), where (m, ENU) and
    which; what was published beside it. Units are in the keys, None where there is no number.
    docs/files.md defines each.

    :param run: From `run_scenario`.
    :raises InputError: If the scenario has obstacles and its boat's file no size of the hull, or `run` is none.

    >>> usv_energy.track_figures(usv_energy.run_scenario('1'))['collisions']
    0
    """
    if not isinstance(run, Run):
        raise InputError(f'run is {shown(run)}; must be what usv_energy.run_scenario gave')
    return without_nan(track_summary(run))


def run_sweep(scenario: Scenario | str | Path, grid: Mapping[str, ArrayLike] | None = None,
              samples: Mapping[str, ArrayLike] | None = None, *, backend: str = 'auto',
              progress: Progress | None = None) -> 'xarray.Dataset':
    """
    Return what came of many runs of a scenario, each as `run_scenario` would run it, as an xarray Dataset.

    The parameters of `grid` are dimensions, named by their paths with `_` in place of dots, and all combinations are
    run; `samples` adds the dimension `sample`, along which its parameters vary together (Monte Carlo). Variables:
    `outcome`, `duration` (s), `energy_total` and the other causes (J), distances (m), where and how the runs ended;
    units and meanings are in the attributes. A run that does not reach its goal is a result, not an error.

    :param scenario: From `read_scenario`, or its name or path.
    :param grid: Path of a number in the scenario's file, or `boat.` and the path in the boat's file, as
        `boat.damping.linear.d11`, to its values, shape (K,), or one number for all runs, in the file's unit.
    :param samples: The same; all arrays of one shape (N,).
    :param backend: `auto` takes numba where it is installed and there is much to do, else numpy.
    :param progress: Called with the number of finished runs and of all.
    :raises InputError: For an unknown path (close ones are named), a value that is not allowed, samples of different
        lengths; if xarray is not installed.

    >>> data = usv_energy.run_sweep('6', {'speed.target': [0.6, 1.0]})
    >>> data.energy_total.attrs['units']
    'J'
    """
    from usv_energy.engine.sweep.sweep_summary import sweep_dataset
    axes, drawn = (_values(given, name) for given, name in ((grid, 'grid'), (samples, 'samples')))
    return sweep_dataset(scenario_of(scenario), axes, drawn, choice_of(backend, 'backend', BACKENDS),
                         progress_of(progress))


def _values(given: object, name: str) -> dict[str, np.ndarray]:
    """Return the values of parameters as arrays; InputError for what is no mapping of finite numbers."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(path, str) for path in given):
        raise InputError(f'{name} is {shown(given)}; must map parameters to values, as {{"speed.target": [0.6, 1.0]}}')
    return {path: array_of(values, path) for path, values in given.items()}
