"""The functions of the public Python API, which `usv_energy` itself offers by name."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.sampling import longest_interval, period_of
from usv_energy.powering.energy import Energy
from usv_energy.powering.loads import long_run_powers, with_loads
from usv_energy.powering.power import CONVENTIONS, Power, speed_through_water
from usv_energy.powering.record_energy import integrate, steps_between
from usv_energy.sim.record import Run
from usv_energy.sim.scenario import Scenario, checked_convention, read_scenario

if TYPE_CHECKING:
    import xarray

    from usv_energy.flow.flow_file import FlowFile
    from usv_energy.logs.log import Log
    from usv_energy.studies.analyze.analysed_log import AnalysedLog
    from usv_energy.studies.identify.rollout.identification_result import Identification
    from usv_energy.studies.range.range_study import RangeStudy


Vector: TypeAlias = tuple[ArrayLike, ArrayLike]


def boat_of(boat: Boat | str | Path) -> Boat:
    """Return a boat, read where its name or path is given; InputError where there is none such."""
    return boat if isinstance(boat, Boat) else read_boat(str(boat))


def scenario_of(scenario: Scenario | str | Path) -> Scenario:
    """Return a scenario, read where its name or path is given; InputError where there is none such."""
    return scenario if isinstance(scenario, Scenario) else read_scenario(str(scenario))


def pair_of(vector: Vector, name: str) -> Vector:
    """Return a vector in the earth frame, which has two components; InputError names another number of them."""
    if len(vector) != 2:
        raise InputError(f'{name} has {len(vector)} components; must be (east, north), m/s')
    return vector


def numbers_of(vector: Vector, name: str) -> tuple[float, float]:
    """Return the components of a vector in the earth frame that is the same everywhere."""
    x, y = np.asarray(pair_of(vector, name), dtype=float).tolist()
    return x, y


def flow_of(flow: 'Vector | FlowFile | None', name: str) -> 'UniformFlow | FlowFile | None':
    """Return a flow, or the uniform one that a vector in the earth frame, m/s, is."""
    return UniformFlow(*numbers_of(flow, name)) if isinstance(flow, tuple | list) else flow


def conditions_of(vectors: Vector | Sequence[Vector], name: str) -> list[tuple[float, float]]:
    """Return speeds, m/s, and directions, degrees, of one or several vectors in the earth frame."""
    pairs = np.atleast_2d(np.asarray(vectors, dtype=float))
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise InputError(f'{name} has the shape {pairs.shape}; must be (east, north), m/s, or a list of them')
    flows = [UniformFlow(x, y) for x, y in pairs.tolist()]
    return [(flow.speed, flow.direction_deg) for flow in flows]


def of_one_shape(values: Mapping[str, ArrayLike]) -> list[Any]:
    """Return floats where all are numbers, else arrays of the one shape that the arrays among them have."""
    arrays = {name: np.asarray(value, dtype=float) for name, value in values.items()}
    shapes = {name: array.shape for name, array in arrays.items() if array.ndim}
    if len(set(shapes.values())) > 1:
        found = ', '.join(f'{name} {shape}' for name, shape in shapes.items())
        raise InputError(f'arrays of different shapes: {found}; all arrays must have one shape')
    if not shapes:
        return [float(array) for array in arrays.values()]
    shape = next(iter(shapes.values()))
    return [np.broadcast_to(array, shape) for array in arrays.values()]



def uniform_flow(speed: float, direction_deg: float) -> UniformFlow:
    """
    Return a current or wind that is the same everywhere and always, as a named tuple (x, y), m/s, earth frame (ENU).

    :param speed: Speed, m/s, from 0 on.
    :param direction_deg: Where it flows *to*, degrees counter-clockwise from east.
    :raises InputError: For a negative speed, or one that is no finite number.
    """
    if not 0.0 <= speed < math.inf or not math.isfinite(direction_deg):
        raise InputError(f'a flow of {speed} m/s to {direction_deg} degrees; the speed must be at least 0, both finite')
    return UniformFlow(*polar_to_earth(speed, direction_deg))


def power(boat: Boat | str | Path, *, u: ArrayLike, v: ArrayLike = 0.0, r: ArrayLike = 0.0, u_dot: ArrayLike = 0.0,
          v_dot: ArrayLike = 0.0, r_dot: ArrayLike = 0.0, yaw: ArrayLike = 0.0, current: Vector = (0.0, 0.0),
          wind: Vector = (0.0, 0.0), convention: str = 'rep103') -> Power:
    """
    Return the electrical power that a motion takes, by cause, W.

    Every number may be a float or an array; all arrays must have one shape, which the result has, too. Nothing else is
    broadcast. The result is a named tuple: `inertia`, `damping`, `wind`, `foils`, `waves` and `side_force` make
    `thrust`, the mechanical power of the thrusters; `waves` is 0 here, where no sea is given; `side_force` takes out
    what none of them can give, `unrecovered` is what braking does not give back, `losses` are those of the thrusters,
    `static_load` is the hotel load, and `loads` what the boat file's loads take at that speed, of a duty cycle the
    mean; `total = thrust + unrecovered + losses + static_load + loads`. `residual` and `allocation` are 0: they are
    there where a log, or the graph, tells what the thrusters do. `u_r`, `v_r` (m/s) and `r` (rad/s) are the velocity
    through the water.

    :param boat: The boat, or the name or path of its file.
    :param u: Surge velocity over ground, forward, m/s.
    :param v: Sway velocity over ground, to port, m/s.
    :param r: Yaw rate, counter-clockwise, rad/s.
    :param u_dot: Rate of change of u, m/s^2.
    :param v_dot: Rate of change of v, m/s^2.
    :param r_dot: Rate of change of r, rad/s^2.
    :param yaw: Heading, rad, counter-clockwise from east.
    :param current: Velocity of the water, (east, north), m/s, the same along the boat's way.
    :param wind: Velocity of the air, (east, north), m/s.
    :param convention: `rep103`, which is right, or `as_published`, the thesis's formulas.
    :raises InputError: If two arrays differ in shape, or there is no such boat or convention.
    """
    names = ('yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot', 'current[0]', 'current[1]', 'wind[0]', 'wind[1]')
    values = (yaw, u, v, r, u_dot, v_dot, r_dot, *pair_of(current, 'current'), *pair_of(wind, 'wind'))
    plain = of_one_shape(dict(zip(names, values)))
    x, y, wind_x, wind_y = plain[7:]
    flow = Flow(x, y, wind_x, wind_y)
    with np.errstate(invalid='ignore'):
        motion, vessel = Motion(*plain[:7]), boat_of(boat).vessel
        instant = CONVENTIONS[checked_convention(convention)].power(motion, flow, vessel)
        watts = long_run_powers(vessel.loads, np.hypot(motion.u, motion.v)) if vessel.loads else ()
        found: Power = with_loads(instant, sum(watts))
        return found


def energy(time: ArrayLike, power: Power, *, speed_over_ground: ArrayLike | None = None,
           max_gap: float | None = None) -> Energy:
    """
    Return the energy of power samples, by cause, J: trapezoids between good samples.

    The result is a frozen record with the causes of `power`, and `duration` s, `distance_over_ground` and
    `distance_through_water` m, `samples`, `invalid_samples` (the power was NaN), `gaps` and `gap_duration` s.

    :param time: Stamps, s, shape (N,).
    :param power: From `power`, of arrays of shape (N,).
    :param speed_over_ground: m/s, shape (N,); that through the water where None.
    :param max_gap: Longest time between two samples that is integrated over, s; longer ones are counted as gaps. Three
        periods of the stamps, at least 1 s, where None.
    :raises InputError: If the shapes are not (N,).
    """
    stamps = np.asarray(time, dtype=float)
    speed = np.asarray(np.hypot(power.u_r, power.v_r) if speed_over_ground is None else speed_over_ground, dtype=float)
    if stamps.ndim != 1 or not stamps.shape == np.shape(power.total) == speed.shape:
        raise InputError(f'time has the shape {stamps.shape}, the power {np.shape(power.total)}, the speed '
                         f'{speed.shape}; all must be (N,)')
    longest = longest_interval(period_of(stamps)) if max_gap is None else max_gap
    steps = steps_between(stamps, np.isfinite(power.total), longest)
    mean = Power(*(steps.means(np.broadcast_to(values, stamps.shape)) for values in power))
    fresh = np.zeros(stamps.shape, dtype=bool)
    return integrate(steps, mean, speed, np.broadcast_to(speed_through_water(power), stamps.shape), fresh).energy


def run_scenario(scenario: Scenario | str | Path, *, boat: str | None = None, plant: str | None = None,
                 convention: str | None = None, payload: float | None = None) -> Run:
    """
    Return the run of a scenario, simulated without ROS: how it ended, every sample, and the energy by cause.

    `result.outcome` is `reached`, `timed_out`, `aborted` or `battery_empty`, `result.duration` in s,
    `result.energy.total` in J beside the causes of `power`; `to_dataset(result)` has the samples.

    :param scenario: From `read_scenario`, or the name of a shipped one, or the path of its YAML file.
    :param boat: Name or path of another boat, to move and to be computed with.
    :param plant: Name or path of another boat to move, while the power is that of the scenario's boat.
    :param convention: Of the power: `rep103` or `as_published`; the scenario's own where None.
    :param payload: Mass on board, kg, in place of that of the boat's file.
    :raises InputError: If a file is wrong (file, key, value, what is allowed), or the simulation is unstable.
    """
    from usv_energy.sim import runner
    return runner.run_scenario(scenario_of(scenario).with_options(boat, plant, convention, payload))


def track_figures(run: Run) -> dict[str, Any]:
    """
    Return how a run went along its planned path and among its obstacles, as its summary.json has it.

    Distances from the path (rms over time and most) and from the nearest obstacle, m; peak and mean speeds over ground
    and through water, m/s; how often the hull hit an obstacle, and of the first time when (s), where (m, ENU) and
    which; what was published beside it. Units are in the keys, None where there is no number.
    docs/files.md defines each.

    :param run: From `run_scenario`.
    :raises InputError: If the scenario has obstacles and its boat's file no size of the hull.
    """
    from usv_energy.files.text_file import without_nan
    from usv_energy.sim.track_figures import track_summary
    return without_nan(track_summary(run))


def run_sweep(scenario: Scenario | str | Path, grid: Mapping[str, ArrayLike] | None = None,
              samples: Mapping[str, ArrayLike] | None = None, *, backend: str = 'auto') -> 'xarray.Dataset':
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
    :param backend: `auto` takes numba where it is installed, else numpy.
    :raises InputError: For an unknown path (close ones are named), a value that is not allowed, samples of different
        lengths; if xarray is not installed.
    """
    from usv_energy.engine.sweep.sweep_summary import sweep_dataset
    axes, drawn = ({path: np.asarray(values, dtype=float) for path, values in (given or {}).items()}
                   for given in (grid, samples))
    return sweep_dataset(scenario_of(scenario), axes, drawn, backend)


def energy_map(boat: Boat | str | Path, course_deg: ArrayLike, speed: ArrayLike, *,
               current: Vector | Sequence[Vector] = (0.0, 0.0),
               wind: Vector | Sequence[Vector] = (0.0, 0.0)) -> 'xarray.Dataset':
    """
    Return what a metre over ground costs in steady motion, as an xarray Dataset over course, speed, current and wind.

    Variables: `energy_per_meter` (J/m), `power_total` (W), `heading` and `drift` (degrees), `speed_through_water` (m/s)
    and `feasible`; NaN where the thrusters cannot hold the motion.

    :param boat: The boat, or the name or path of its file.
    :param course_deg: Courses over ground, degrees counter-clockwise from east, shape (C,) or a number.
    :param speed: Speeds over ground, m/s, above 0, shape (S,) or a number.
    :param current: Velocity of the water, (east, north), m/s, or a list of them.
    :param wind: The same of the air.
    :raises InputError: If a speed is not above 0, or xarray is not installed.
    """
    from usv_energy.studies.maps.energy_map import energy_map as steady_motions
    from usv_energy.studies.maps.map_study import map_dataset
    speeds = np.atleast_1d(np.asarray(speed, dtype=float))
    if not (speeds > 0.0).all():
        raise InputError(f'speed is {speeds.min():g} m/s over ground; must be greater than 0')
    found = steady_motions(boat_of(boat).vessel, np.atleast_1d(np.asarray(course_deg, dtype=float)), speeds,
                           conditions_of(current, 'current'), conditions_of(wind, 'wind'))
    return map_dataset(found).assign_attrs(boat=boat_of(boat).name)


def range_study(boat: Boat | str | Path, course_deg: float = 0.0, *, current: Vector = (0.0, 0.0),
                wind: Vector = (0.0, 0.0), energy_wh: float | None = None, reserve: float = 0.0,
                bands: bool = False, sea: tuple[float, float, float] | None = None) -> 'RangeStudy':
    """
    Return how far and how long a boat goes at steady speeds along a course, and the best speed for range.

    `result.best` has `speed` (over ground, m/s), `power` (W), `energy_per_meter` (J/m), `endurance` (s) and `range` (m)
    of the cheapest speed, and `kind`, which says what limits it; `result.curve` has the same as arrays over speed,
    `result.polar` the best speed by course, and `result.bands` where 95 % of the boats lie that the boat file's
    uncertainty allows.

    :param boat: The boat, or the name or path of its file.
    :param course_deg: Course over ground, degrees counter-clockwise from east.
    :param current: Velocity of the water, (east, north), m/s.
    :param wind: The same of the air.
    :param energy_wh: Energy that there is, Wh; the boat's battery, as charged as its file says, where None.
    :param reserve: Share of the battery that is to be left, (-).
    :param bands: Whether to find the bands, from 120 boats drawn; None if nothing in the boat file is uncertain.
    :param sea: Waves: significant height, m, period of the peak, s, and the direction that they run to, degrees
        counter-clockwise from east; calm where None. `result.in_sea` then says what they cost (docs/waves.md).
    :raises InputError: If the boat has no battery and no energy is given, no energy is left to use, or there is a sea
        and the boat file says nothing of it (`waves`).
    """
    from usv_energy.physics.batteries.battery import JOULES_PER_WH
    from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_state_of
    from usv_energy.studies.plan.steady_range import BatteryUse
    from usv_energy.studies.range import range_study as study
    known = boat_of(boat)
    if known.battery is None and energy_wh is None:
        raise InputError(f'{known.path}: has no battery; energy_wh says how much energy there is')
    if sea is not None:
        known = boat_in_sea(known, sea_state_of(','.join(repr(float(number)) for number in sea), 'sea'))
    use = BatteryUse(None, reserve, None if energy_wh is None else energy_wh * JOULES_PER_WH)
    (x, y), (wind_x, wind_y) = numbers_of(current, 'current'), numbers_of(wind, 'wind')
    return study.range_study(known, math.radians(course_deg), Flow(x, y, wind_x, wind_y), use,
                             with_bands=bands)



def analyze_log(log: 'Log | str | Path', boat: Boat | str | Path = 'lutra_prop', *, columns: str | None = None,
                current: 'Vector | FlowFile | None' = None, wind: 'Vector | FlowFile | None' = None,
                wind_height: float | None = None, convention: str = 'rep103', motion: str = 'estimated',
                max_gap: float | None = None, actuators: str = 'auto') -> 'AnalysedLog':
    """
    Return what the motion in a log took: power by cause at every sample, and its energy.

    `result.energy.total` is in J, beside the causes of `power`; `result.power` has arrays of shape (N,), W;
    `result.warnings` what was assumed, and what looks wrong in the log; `to_dataset(result)` has it as one table.

    :param log: From `read_log`, or the path of a bag, a table (CSV), a log of an autopilot or a run's folder.
    :param boat: The boat, or the name or path of its file.
    :param columns: Of a table: name or path of its column map.
    :param current: Velocity of the water, (east, north), m/s, or a flow from `read_flow`; where None the log's own, and
        still, with a warning, where it has none.
    :param wind: The same of the air.
    :param wind_height: At which the wind that is given, or else the log's own, holds, m above water (10 for forecasts);
        None: at the boat, or as its flow file says.
    :param convention: `rep103` or `as_published`.
    :param motion: `estimated` from pose, velocity and yaw rate together, or as it was `recorded`, noise and all.
    :param max_gap: Longest time between two samples that is differentiated and integrated over, s; the log's own where
        None: three periods of its samples, at least 1 s.
    :param actuators: `auto`, thrusts, rates of turning or commands, and angles, as the log has them; or `allocated`,
        the cheapest way to give what the motion needs.
    :raises InputError: If the log cannot be read, lacks what is needed, or a flow has no value anywhere on its way; if
        less than half of its time can be integrated.
    """
    from usv_energy.flow.wind_height import wind_at_boat, wind_share
    from usv_energy.logs.thruster_readings import with_thrust_of_pulses
    from usv_energy.studies.analyze.analysed_log import analysed_log
    from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions, checked_actuators, checked_motion
    from usv_energy.studies.analyze.log_report import integrated
    whose = boat_of(boat)
    options = AnalysisOptions(checked_convention(convention), checked_motion(motion), flow_of(current, 'current'),
                              wind_at_boat(flow_of(wind, 'wind'), whose, wind_height),
                              wind_share(whose, wind_height), actuators=checked_actuators(actuators))
    own = with_thrust_of_pulses(_log(log, columns, max_gap), whose)
    return integrated(analysed_log(own, whose, options))


def identify_boat(logs: 'Sequence[Log | str | Path]', boat: Boat | str | Path, *,
                  validation: 'Sequence[Log | str | Path]' = (), columns: str | None = None, form: str = 'auto',
                  horizon: float = 10.0, currents: bool = True, winds: bool = True,
                  out: str | Path | None = None) -> 'Identification':
    """
    Return a boat's masses, damping and thrust, fitted to roll-outs of the model over logs, with 95 % intervals.

    `result.numbers` are those of the boat file (key, value, unit, std, low, high), `result.errors[-1].rmse` the errors
    of all roll-outs (m/s, m/s, rad/s), `result.warnings` what to be careful of.

    :param logs: From `read_log`, or their paths; with motion, thrusts or commands, and the angles of what turns.
    :param boat: The boat to start from, or the name or path of its file.
    :param validation: Logs that only errors are taken from.
    :param columns: Of tables: name or path of the column map.
    :param form: `auto` takes the simplest that is as good as the best on logs that its fit did not see; or `linear`,
        `quadratic`, `coupled`, `lift`, `lift+curve`, `lift+curve+compass`.
    :param horizon: Duration of a roll-out, s.
    :param currents: Whether to fit a steady current to each log that does not hold one.
    :param winds: The same of a steady wind.
    :param out: A boat file (.yaml) to write; `read_boat` reads it.
    :raises InputError: If a log lacks something, nothing moves in it, or the fit makes no boat.
    :raises OSError: If the file cannot be written.
    """
    from usv_energy.boats.boat_file import write_boat
    from usv_energy.files.locate import user_path
    from usv_energy.studies.identify.rollout.fitted_boat import rollout_boat
    from usv_energy.studies.identify.rollout.identification import identify
    from usv_energy.studies.identify.rollout.identification_result import FitSettings
    result = identify([_log(log, columns) for log in logs], boat_of(boat), [_log(log, columns) for log in validation],
                     FitSettings(form, horizon, currents, winds))
    if out is not None:
        path = user_path(out)
        write_boat(rollout_boat(result, path.stem, {'command': 'usv_energy.identify_boat'}), path)
    return result


def _log(log: 'Log | str | Path', columns: str | None, max_gap: float | None = None) -> 'Log':
    from usv_energy.logs.read_log import read_log
    if isinstance(log, str | Path):
        return read_log(log, columns, max_gap=max_gap)
    return log if max_gap is None else replace(log, max_gap=max_gap)
