"""Recorded motion and what it took: `read_log`, `log_of`, `analyze_log`, `compare`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.api.given import (
    FlowLike,
    SeaLike,
    array_of,
    check_unit,
    choice_of,
    flag_of,
    flow_of,
    number_of,
    optional_number,
    path_of,
    progress_of,
    sea_of,
    seconds_of,
    shown,
    with_parameter_names,
)
from usv_energy.api.motions import EnergyResult
from usv_energy.api.results import UNITS as SHOWN_UNITS
from usv_energy.api.results import Result, ResultTable, one_screen
from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.files.work import Progress
from usv_energy.flow.wind_height import wind_at_boat, wind_share
from usv_energy.logs import read_log as reading
from usv_energy.logs.assemble import Source, assembled
from usv_energy.logs.batteries import without_dead_sensors, without_wrong_readings
from usv_energy.logs.log import SERIES, Log
from usv_energy.logs.quality import checked_log
from usv_energy.powering.power import CONVENTIONS
from usv_energy.show.figure import Panel
from usv_energy.show.text_table import seconds, text_list
from usv_energy.sim.record import Summary
from usv_energy.studies.analyze import log_request
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.current.current_estimate import CurrentEstimate
from usv_energy.studies.analyze.current.flow_along_log import ACTUATORS, MOTIONS, AnalysisOptions
from usv_energy.studies.analyze.log_report import LogReport, log_report, report_figures
from usv_energy.studies.analyze.log_request import LogRequest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from usv_energy.logs.tables.column_map import ColumnMap

UNITS = {'x': 'm', 'y': 'm', 'yaw': 'rad', 'r': 'rad s-1', 'u_dot': 'm s-2', 'v_dot': 'm s-2', 'r_dot': 'rad s-2',
         'volts': 'V', 'amperes': 'A', 'electrical_power': 'W'}


@dataclass(frozen=True, eq=False, repr=False)
class LogResult(Result, Log):
    """
    A recording, checked. Every array has one row a sample; one that was not recorded is all NaN.

    `time`: s since the first sample. Earth frame ENU: `x`, `y` m, `yaw` rad, `current_x`, `current_y`, `wind_x`,
    `wind_y` m/s, where water and air flow to. Body frame FLU, over ground: `u`, `v` m/s, `r` rad/s, and their rates
    `u_dot`, `v_dot`, `r_dot`. `thrust` N, `command` us, `revolutions` 1/s, shape (N, thrusters). `volts`, `amperes`,
    `electrical_power`: at the battery. `notes`, `warnings`: what was done to it, and looks wrong; `gaps`: holes, s.
    """

    def text(self) -> str:
        """Return how long it is, what is in it, and what looks wrong."""
        known = ', '.join(name for name in SERIES if self.known(name)) or 'nothing'
        return '\n'.join([f'{self.name}: {len(self)} samples in {seconds(self.duration)}, one in {self.period:.3g} s, '
                          f'{len(self.gaps)} holes', f'holds {known}',
                          *text_list('Notes', dict.fromkeys(note.text for note in self.notes))])

    def figures(self) -> dict[str, Any]:
        """Return how long it is, which series it has, and its notes."""
        return {'name': self.name, 'samples': len(self), 'duration_s': self.duration, 'period_s': self.period,
                'series': [name for name in SERIES if self.known(name)],
                'notes': [{'level': note.level, 'code': note.code, 'text': note.text} for note in self.notes]}

    def tabulated(self) -> ResultTable:
        """Return one row a sample, with the series that were recorded."""
        columns = {'time': (self.time, 's'), **{name: (getattr(self, name), UNITS.get(name, 'm s-1'))
                                                for name in SERIES if self.known(name)}}
        return ResultTable('time', columns, {'name': self.name})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the `track`, and each series that was recorded over time: `u`, `yaw` ..."""
        def track(axes: 'Axes') -> None:
            axes.plot(self.x, self.y)
            axes.set(xlabel='East, m', ylabel='North, m', aspect='equal')

        def over_time(axes: 'Axes', name: str, values: Any, unit: str) -> None:
            axes.plot(self.time, values)
            axes.set(xlabel='Time, s', ylabel=f'{name}, {SHOWN_UNITS.get(unit, unit)}')
        drawn: dict[str, Panel] = {'track': track} if self.known('x') and self.known('y') else {}
        return drawn | {name: partial(over_time, name=name, values=values, unit=unit)
                        for name, (values, unit) in self.tabulated().columns.items() if name != 'time'}


@dataclass(frozen=True, eq=False, repr=False)
class AnalysisResult(Result, AnalysedLog):
    """
    What the motion in a log took.

    `energy` by cause, J (fields as of `EnergyResult`); `power` by cause at every sample, W; `motion` and `flow`, arrays
    with one row a sample; `warnings`: what was assumed, and what looks wrong; `flow_sources`: where current and wind
    come from, in words; `report`: how far the energy is to be trusted, and why.
    """

    found_current: CurrentEstimate | None = None

    @cached_property
    def report(self) -> LogReport:
        """Intervals, doubts and what would have been cheaper; computed when it is first asked for."""
        return log_report(self, self.found_current)

    def text(self) -> str:
        """Return what `usv-energy analyze` prints."""
        from usv_energy.studies.analyze.log_text import log_text
        return log_text(self.report)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy analyze --json` writes."""
        return report_figures(self.report)

    def tabulated(self) -> ResultTable:
        """Return one row a sample: place, motion, flows, power by cause, energy so far."""
        from usv_energy.studies.analyze.report_folder import sample_table
        return ResultTable('time', sample_table(self), {'boat': self.boat.name, 'log': self.log.name})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: `power`, `energy`, the `track`, power over `speed`, energy `per-meter`."""
        from usv_energy.show.page.page_parts import panels_of
        from usv_energy.studies.analyze.page_pictures import drawings_of
        found = panels_of(one for one in drawings_of(self) if one.name not in ('home', 'battery'))
        return {name: found[name] for name in sorted(found, key=lambda name: name != 'power')}

    def write_report(self, folder: str | Path) -> Path:
        """
        Write report.html, which opens offline, and summary.json into a folder, and return the page's path.

        :raises InputError: If the folder cannot be written to, or holds what is analysed.
        """
        from usv_energy.studies.analyze.report_folder import REPORT, check_report_folder, write_report_folder
        target = user_path(path_of(folder, 'folder'))
        check_report_folder(target, str(self.log.path))
        write_report_folder(self.report, target, False)
        return target / REPORT

    def __repr__(self) -> str:
        """Return the energy by cause and the warnings; `text()` has all."""
        found = [note.text for note in self.warnings]
        return one_screen('\n'.join([f'{self.log.name}, {self.boat.name}: {EnergyResult(*self.energy).text()}',
                                     *text_list('Warnings', found[:8]), *(['...'] if len(found) > 8 else [])]))


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Result):
    """
    What changed between runs. `runs`: the figures of each, as `summary.json` has them.

    The changes are against the first.
    """

    runs: tuple[Summary, ...]

    def text(self) -> str:
        """Return what `usv-energy compare` prints."""
        from usv_energy.studies.compare.comparison import comparison_text
        return comparison_text(self.runs)

    def figures(self) -> dict[str, Any]:
        """Return what `usv-energy compare --json` writes."""
        from usv_energy.studies.compare.comparison import comparison_figures
        return comparison_figures(self.runs)

    def tabulated(self) -> ResultTable:
        """Return one row a run."""
        units = {'_j': 'J', '_j_m': 'J m-1', '_w': 'W', '_s': 's', '_m': 'm'}
        rows = self.figures()['runs']
        columns: dict[str, tuple[Any, str]] = {'run': ([str(row['name']) for row in rows], '1')}
        for key in rows[0]:
            if key not in ('name', 'source', 'boat', 'convention'):
                end = next(end for end in sorted(units, key=len, reverse=True) if key.endswith(end))
                columns[key.removesuffix(end)] = ([math.nan if row[key] is None else row[key] for row in rows],
                                                  units[end])
        return ResultTable('run', columns, {})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws: the `energy` of the runs by cause, or its `change`."""
        from usv_energy.studies.compare.comparison import comparison_panels
        return comparison_panels(self.runs)


@with_parameter_names
def read_log(path: str | Path, columns: 'ColumnMap | str | Path | None' = None, fix_signs: bool = False, *,
             odom: str | None = None, namespace: str | None = None, axes: str | None = None, twist: str | None = None,
             system: int | None = None, max_gap: float | None = None) -> LogResult:
    """
    Return the log at a path, checked for what is usually wrong; its `notes` say what was found.

    :param path: A bag (folder, .mcap, .db3), a log of ArduPilot (.bin, .log), of PX4 (.ulg) or of a ground station
        (.tlog), sentences of NMEA 0183, deltas of Signal K, an .alog of MOOS, a track with times (GPX, KML, GeoJSON,
        TCX), a table (CSV), a folder of tables, or the folder of a run. Its content decides, whatever it is called.
    :param columns: Of a table: name or path of its column map. None: the columns are recognised by their names and by
        the motion itself.
    :param fix_signs: Whether to turn round what the checks find turned round.
    :param odom: Of a bag: the topic of the odometry, where there are several.
    :param namespace: Of a bag: the boat, where there are several.
    :param axes: Of a bag: axes of the odometry, `enu` or `ned`.
    :param twist: Of a bag: frame of the odometry's twist, `body` or `world`.
    :param system: Of a .tlog: MAVLink's number of the vehicle, where there are several.
    :param max_gap: Longest time between two samples that belong together, s; three periods, at least 1 s, where None.
    :raises InputError: If there is nothing to read, or it is wrong: file, place, value, what is allowed.

    >>> log = usv_energy.read_log('log.csv')
    >>> round(log.duration)
    60
    """
    for value, name, allowed in ((axes, 'axes', ('enu', 'ned')), (twist, 'twist', ('body', 'world'))):
        if value is not None:
            choice_of(value, name, allowed)
    return result_of(reading.read_log(path_of(path, 'path'), columns, flag_of(fix_signs, 'fix_signs'), odom=odom,
                                      namespace=namespace, axes=axes, twist=twist, system=system,
                                      max_gap=optional_number(max_gap, 'max_gap', above=0.0)))


def log_of(data: Any, *, name: str = 'log', max_gap: float | None = None) -> LogResult:
    """
    Return a log of arrays in SI units: of a pandas DataFrame, an xarray Dataset, or a mapping of arrays.

    It is checked as `read_log` does, and what is missing is derived: velocities of positions and headings. Columns of
    other names are left out.

    :param data: With `time` (s, or moments; or the index), and any of `x`, `y` (m, ENU), `yaw` (rad, counter-clockwise
        from east), `u`, `v` (m/s, forward and to port, over ground), `r` (rad/s), `current_x`, `current_y`, `wind_x`,
        `wind_y` (m/s, ENU), `volts`, `amperes`, `electrical_power` (W); each of shape (N,).
    :param name: Of the log, in texts.
    :param max_gap: As of `read_log`.
    :raises InputError: If there is no time, it does not rise, or a shape is another one; if `units` in the attributes
        of a column, or of the DataFrame, are other ones.

    >>> import numpy as np
    >>> time = np.arange(0.0, 60.0, 0.5)
    >>> log = usv_energy.log_of({'time': time, 'x': 0.8 * time, 'y': 0.0 * time, 'yaw': 0.0 * time})
    >>> round(float(log.u[60]), 6)
    0.8
    """
    columns = dict(data.reset_index().items()) if hasattr(data, 'reset_index') and hasattr(data, 'columns') else data
    if not isinstance(columns, Mapping) or not ('time' in columns or 'index' in columns):
        raise InputError(f'data is {shown(data)}; must be a DataFrame, a Dataset or a mapping of arrays with `time`, '
                         f's, and some of {", ".join(SERIES)}')
    names = [one for one in SERIES if one in columns]
    stamps = columns['time'] if 'time' in columns else columns['index']
    time = seconds_of(stamps, 'time')
    for one in names:
        check_unit(columns[one], one, UNITS.get(one, 'm s-1'))
    series: dict[str, Any] = {one: array_of(columns[one], one) for one in names}
    for one, values in {'time': time, **series}.items():
        if values.shape != (time.size,):
            raise InputError(f'{one} has the shape {values.shape}; must be that of the time, ({time.size},)')
    if not names or not time.size or not (np.diff(time) > 0.0).all():
        raise InputError('data holds no series, or its time does not rise from each stamp to the next; must be some of '
                         f'{", ".join(SERIES)}, sorted by time')
    gap = optional_number(max_gap, 'max_gap', above=0.0)
    called = path_of(name, 'name')
    log = without_dead_sensors(assembled(Source(called, Path(called), gap), time, series))
    return result_of(checked_log(without_wrong_readings(log)))


def result_of(log: Log) -> LogResult:
    """Return a log as a result."""
    if isinstance(log, LogResult):
        return log
    return LogResult(**{one.name: getattr(log, one.name) for one in fields(Log)})


@with_parameter_names
def analyze_log(log: Log | str | Path, boat: Boat | str | Path | None = None, *, columns: str | None = None,
                current: FlowLike = None, wind: FlowLike = None, wind_height: float | None = None,
                convention: str | None = None, motion: str = 'estimated', max_gap: float | None = None,
                actuators: str = 'auto', waves: bool = True, sea: SeaLike = None, drift_depth: float | None = None,
                estimate_current: float | None = None, payload: float | None = None,
                progress: Progress | None = None) -> AnalysisResult:
    """
    Return what the motion in a log took: power by cause at every sample, and its energy.

    :param log: From `read_log` or `log_of`, or the path of a bag, a table (CSV), a log of an autopilot or a run.
    :param boat: The boat, or the name or path of its file; a run's own, else lutra_prop with a warning, where None.
    :param columns: Of a table: name or path of its column map.
    :param current: Water: (east, north), m/s, a text as `0.4 kn set 060`, a flow from `read_flow` or its file; where
        None the log's own, or what its thrusts tell, and still, with a warning, where it has none.
    :param wind: The same of the air.
    :param wind_height: At which the wind that is given, or else the log's own, holds, m above water (10 for forecasts);
        None: at the boat, or as its flow file says.
    :param convention: `rep103` or `as_published`; a run's own, else rep103, where None.
    :param motion: `estimated` from pose, velocity and yaw rate together, or as it was `recorded`, noise and all.
    :param max_gap: Longest time between two samples that is differentiated and integrated over, s; the log's own where
        None: three periods of its samples, at least 1 s.
    :param actuators: `auto`, thrusts, rates of turning or commands, and angles, as the log has them; or `allocated`,
        the cheapest way to give what the motion needs.
    :param waves: Whether what waves move to and fro, as heave, roll and pitch show them, is taken out.
    :param sea: The sea, where it is known and not to be seen in the log, as of `range_study`.
    :param drift_depth: How deep, m, the waves' drift was taken that the current holds; it holds none where None.
    :param estimate_current: Find the current from the thrusts, linear between knots so far apart, s; infinite: one.
    :param payload: Mass on board, kg, in place of that of the boat's file, where `boat` is none that was read.
    :param progress: Called with the number of steps that are done, and of all: it is read, its current known, analysed.
    :raises InputError: If the log cannot be read, lacks what is needed, or a flow has no value anywhere on its way; if
        less than half of its time can be integrated.

    >>> found = usv_energy.analyze_log('log.csv', 'lutra_prop', current=(0.2, 0.0), wind=(0.0, 0.0))
    >>> round(found.energy.damping, 1)
    352.0
    """
    formula = None if convention is None else choice_of(convention, 'convention', tuple(CONVENTIONS))
    if columns is not None and isinstance(log, Log):
        raise InputError(f'columns is {shown(columns)}; it goes with the path of a table, and not with a log that was '
                         'read')
    request = request_of(log, boat, columns, payload, max_gap)
    own, height = request.boat, optional_number(wind_height, 'wind_height', above=0.0)
    depth, knots = optional_number(drift_depth, 'drift_depth', 0.0), None
    if estimate_current is not None:
        whole = isinstance(estimate_current, float) and estimate_current == math.inf
        knots = math.inf if whole else number_of(estimate_current, 'estimate_current', above=0.0)
    options = request.options._replace(
        convention=log_request.convention_of(request.path, formula), motion=choice_of(motion, 'motion', MOTIONS),
        current=flow_of(current, 'current'), wind=wind_at_boat(flow_of(wind, 'wind'), own, height),
        wind_share=wind_share(own, height), actuators=choice_of(actuators, 'actuators', ACTUATORS),
        waves=flag_of(waves, 'waves'), drift_depth=log_request.drift_depth_of(request.path, depth),
        drift=log_request.drift_of_run(request.path, depth), sea=sea_of(sea))
    analysed, estimate = log_request.read_and_analyse(replace(request, options=options, knots=knots),
                                                      progress=progress_of(progress))
    return AnalysisResult(**{one.name: getattr(analysed, one.name) for one in fields(AnalysedLog)},
                          found_current=estimate)


def request_of(log: Log | str | Path, boat: Boat | str | Path | None, columns: str | None,
               payload: float | None = None, max_gap: float | None = None) -> LogRequest:
    """Return the request of the analysis of a log by a boat, in its own current and wind; parameters as above."""
    recorded = log if isinstance(log, Log) else None
    path = str(recorded.path) if recorded is not None else path_of(log, 'log')
    gap = optional_number(max_gap, 'max_gap', above=0.0)
    if recorded is not None and gap is not None:
        recorded = replace(recorded, max_gap=gap)
    own, told = boat_of_log(path, boat, payload)
    options = AnalysisOptions(
        log_request.convention_of(path, None), drift_depth=log_request.drift_depth_of(path, None),
        drift=log_request.drift_of_run(path, None))
    return LogRequest(path, own, options, columns, {} if gap is None else {'max_gap': gap}, boat_told=told,
                      log=recorded)


def boat_of_log(path: str, boat: Boat | str | Path | None, payload: float | None) -> tuple[Boat, bool]:
    """Return the boat to analyse a log with, and whether somebody said which it is."""
    if isinstance(boat, Boat):
        require_motion(boat, 'the analysis of a log')
        if payload is not None:
            raise InputError('payload goes with the name of a boat; of one that was read: fit_out(boat, payload=...)')
        return boat, True
    name = None if boat is None else path_of(boat, 'boat')
    load = optional_number(payload, 'payload', 0.0)
    return log_request.boat_of(path, name, load), log_request.is_told(path, name)


@with_parameter_names
def compare(runs: Sequence[AnalysedLog | str | Path], boat: Boat | str | Path | None = None, *,
            columns: str | None = None, progress: Progress | None = None) -> ComparisonResult:
    """
    Return what changed between runs, by cause: their figures, and the changes against the first.

    :param runs: Two or more: results of `analyze_log`, paths of logs (analysed here), or of folders or `summary.json`
        files that `usv-energy analyze` wrote.
    :param boat: Of logs that are analysed here, as of `analyze_log`.
    :param columns: Of tables: name or path of the column map.
    :param progress: Called with the number of runs that are done, and of all.
    :raises InputError: If there are fewer than two, or one cannot be read.

    >>> once = usv_energy.analyze_log('log.csv', 'lutra_prop', current=(0.2, 0.0), wind=(0.0, 0.0))
    >>> other = usv_energy.analyze_log('log.csv', 'lutra_prop', current=(0.0, 0.0), wind=(0.0, 0.0))
    >>> usv_energy.compare([once, other]).figures()['changes'][0]['change_j'] > 0.0
    True
    """
    from usv_energy.studies.compare.comparison import figures_of_runs
    if isinstance(runs, str | Path) or not isinstance(runs, Sequence):
        raise InputError(f'runs is {shown(runs)}; must be a list of two or more')
    given = [run if isinstance(run, AnalysedLog) else path_of(run, 'runs', 'what analyze_log gave, or a path')
             for run in runs]
    return ComparisonResult(tuple(figures_of_runs(given, lambda path: request_of(path, boat, columns),
                                                  progress=progress_of(progress))))
