"""A boat's numbers from its logs and trials: the functions `identify_*`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usv_energy.api.given import (
    SeaLike,
    array_of,
    boat_of,
    choice_of,
    flag_of,
    number_of,
    optional_number,
    path_of,
    say_of,
    sea_of,
    shown,
    with_parameter_names,
)
from usv_energy.api.recordings import read_log
from usv_energy.api.results import Result, ResultTable
from usv_energy.boats.boat_file import Boat, require_motion, write_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.logs.log import Log
from usv_energy.show.figure import Panel, Panels

if TYPE_CHECKING:
    from usv_energy.boats.cell_file import CellFile

Logs = Sequence[Log | str | Path]
Document = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, eq=False, repr=False)
class FitResult(Result):
    """
    Numbers that were fitted to logs or trials.

    `found`: the fit, with fields of its own (docs/identify.md, docs/trials.md); `figures()` and `to_dataframe()` have
    its numbers by name, with units in the keys. `write(path)` writes the file of the boat, or of the cell, and returns
    the boat, or the cell.
    """

    found: Any
    summary: Mapping[str, Any]
    words: str
    made_by: str
    document: Document | None
    pictures: Mapping[str, Panels]
    of_cell: bool = False

    def text(self) -> str:
        """Return what the command of that name prints."""
        return self.words

    def figures(self) -> dict[str, Any]:
        """Return what the command writes with --json."""
        return dict(self.summary)

    def tabulated(self) -> ResultTable:
        """Return one row a number of `figures`, named by its keys with dots between them."""
        rows = list(_flat(self.summary, ''))
        return ResultTable('number', {'number': ([name for name, _ in rows], '1'),
                                      'value': ([value for _, value in rows], '')}, {})

    def panels(self) -> Mapping[str, Panel]:
        """Return what `plot` draws, the pictures of the fit by name (docs/python.md); `write_picture` draws all."""
        return {name: draw for one in self.pictures.values() for name, draw in one.by_name.items()}

    def write(self, path: str | Path, provenance: Mapping[str, Any] | None = None) -> 'Boat | CellFile':
        """
        Write the file (.yaml) of the boat with its new numbers, or of the cell, and return the boat, or the cell.

        :param path: Where to.
        :param provenance: What the file says of its origin.
        :raises InputError: If the fit makes no such file.
        :raises OSError: If it cannot be written.
        """
        target = user_path(path_of(path, 'path'))
        if self.document is None:
            raise InputError(f'{target}: {self.made_by} makes no boat file of this')
        document = self.document(target.stem, provenance or {'command': f'usv_energy.{self.made_by}'})
        if self.of_cell:
            from usv_energy.boats.cell_file import write_cell
            return write_cell(dict(document), target)
        return write_boat(document, target)

    def write_picture(self, path: str | Path) -> None:
        """
        Draw the fit beside what it was fitted to, into a PNG (of `identify_boat`: into a folder).

        :raises OSError: If it cannot be written.
        """
        target, number = user_path(path_of(path, 'path')), len(self.pictures)
        if number > 1:
            target.mkdir(exist_ok=True)
        for name, pictures in self.pictures.items():
            pictures.write(target if number == 1 else target / f'{name}.png')


@dataclass(frozen=True, eq=False, repr=False)
class BoatFitResult(FitResult):
    """
    A boat's numbers, fitted to roll-outs over logs.

    `numbers`: those of the boat file (key, value, unit, std, low, high); `errors`: of each log, then of
    all of them (`rmse`: m/s, m/s, rad/s); `warnings`: what to be careful of.
    """

    @property
    def numbers(self) -> list[Any]:
        """The numbers of the boat file."""
        return self.found.numbers

    @property
    def errors(self) -> tuple[Any, ...]:
        """The errors of the logs of the fit, the last of all together."""
        return self.found.errors

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to be careful of, in words."""
        return self.found.warnings


def _flat(value: Any, name: str) -> Any:
    """Yield the numbers of nested figures with their dotted names."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f'{name}.{key}' if name else str(key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _flat(inner, f'{name}.{number}')
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, float(value)


def logs_of(logs: object, columns: str | None, name: str = 'logs') -> list[Log]:
    """Return logs, read where paths are given; InputError for what is no list of them."""
    if isinstance(logs, str | Path | Log) or not isinstance(logs, Sequence):
        raise InputError(f'{name} is {shown(logs)}; must be a list of logs or of their paths')
    return [log if isinstance(log, Log) else read_log(log, columns) for log in logs]


def some_logs(logs: object, columns: str | None) -> list[Log]:
    """Return `logs_of`, at least one."""
    found = logs_of(logs, columns)
    if not found:
        raise InputError('logs is empty; must be at least one')
    return found


def movable(boat: object) -> Boat:
    """Return a boat of which more is known than its power over speed."""
    found = boat_of(boat)
    require_motion(found, 'an identification')
    return found


@with_parameter_names
def identify_boat(logs: Logs, boat: Boat | str | Path, *, validation: Logs = (), columns: str | None = None,
                  form: str = 'auto', horizon: float = 10.0, currents: bool = True, winds: bool = True,
                  leave_one_out: bool = False, workers: int | None = None, out: str | Path | None = None,
                  say: Callable[[str], None] | None = None) -> BoatFitResult:
    """
    Return a boat's masses, damping and thrust, fitted to roll-outs of the model over logs, with 95 % intervals.

    :param logs: From `read_log`, or their paths; with motion, thrusts or commands, and the angles of what turns.
    :param boat: The boat to start from, or the name or path of its file.
    :param validation: Logs that only errors are taken from.
    :param columns: Of tables: name or path of the column map.
    :param form: `auto` takes the simplest that is as good as the best on logs that its fit did not see; or `linear`,
        `quadratic`, `coupled`, `lift`, `lift+curve`, `lift+curve+compass`.
    :param horizon: Duration of a roll-out, s.
    :param currents: Whether to fit a steady current to each log that does not hold one.
    :param winds: The same of a steady wind.
    :param leave_one_out: Whether to find errors by leaving each log out, too.
    :param workers: Processes that share the work; one a core where None.
    :param out: A boat file (.yaml) to write; `read_boat` reads it.
    :param say: Called with what is being done.
    :raises InputError: If a log lacks something, nothing moves in it, or the fit makes no boat.
    :raises OSError: If the file cannot be written.

    >>> found = usv_energy.identify_boat(['driven.csv'], 'lutra_prop', columns='driven.yaml', form='linear')
    >>> [round(one.value) for one in found.numbers if one.key == 'damping.linear.d11']
    [16]
    """
    from usv_energy.studies.identify.rollout.fit_parameters import FORMS
    from usv_energy.studies.identify.rollout.fitted_boat import rollout_boat
    from usv_energy.studies.identify.rollout.identification import identify
    from usv_energy.studies.identify.rollout.identification_result import AUTO, FitSettings
    from usv_energy.studies.identify.rollout.rollout_report import (
        identification_summary,
        identification_text,
        rollout_panels,
    )
    processes = None if workers is None else int(number_of(workers, 'workers', 1.0))
    settings = FitSettings(choice_of(form, 'form', (AUTO, *FORMS)), number_of(horizon, 'horizon', above=0.0),
                           flag_of(currents, 'currents'), flag_of(winds, 'winds'),
                           flag_of(leave_one_out, 'leave_one_out'), processes)
    found = identify(some_logs(logs, columns), movable(boat), logs_of(validation, columns, 'validation'), settings,
                     say_of(say))
    result = BoatFitResult(found, identification_summary(found), identification_text(found), 'identify_boat',
                           partial(rollout_boat, found), rollout_panels(found))
    if out is not None:
        result.write(out)
    return result


@with_parameter_names
def identify_electrical(logs: Logs, boat: Boat | str | Path = 'lutra_prop', *, validation: Logs = (),
                        columns: str | None = None, use: str | None = None, split: bool = False,
                        leave_one_out: bool = False, full_command: float = 400.0,
                        say: Callable[[str], None] | None = None) -> FitResult:
    """
    Return electrical power, fitted to commands, thrusts or revolutions of thrusters.

    :param logs: With volts and amperes, and thrusts, commands or revolutions.
    :param boat: That the new boat is based on.
    :param validation: Logs to judge on, never fitted.
    :param columns: Of tables: name or path of the column map.
    :param use: What to fit to: `revolutions`, `thrust` (N) or `command` (us); the first that all logs have where None.
    :param split: Whether to fit each half of the log and judge on the other, too; not of revolutions.
    :param leave_one_out: Of revolutions: whether to predict each log by a fit to the others, too.
    :param full_command: Distance from neutral at which a thruster gives its full thrust, us, where only commands are
        known.
    :param say: Called with what is being done.
    :raises InputError: If a log lacks something, or the options do not go together.

    >>> found = usv_energy.identify_electrical(['commands.csv'], columns='commands.yaml')
    >>> found.found.use
    'command'
    """
    from usv_energy.studies.identify.electrical.electrical_fit import (
        electrical_boat,
        electrical_summary,
        fit_electrical,
    )
    from usv_energy.studies.identify.electrical.electrical_reports import (
        electrical_panels,
        electrical_text,
        rotor_boat,
        rotor_panels,
        rotor_summary,
        rotor_text,
    )
    from usv_energy.studies.identify.electrical.rotor_fit import identified_rotor
    known, own = movable(boat), some_logs(logs, columns)
    others = logs_of(validation, columns, 'validation')
    if use is not None:
        choice_of(use, 'use', ('revolutions', 'thrust', 'command'))
    elif all(log.known('revolutions') for log in (*own, *others)):
        use = 'revolutions'
    if use == 'revolutions':
        if split:
            raise InputError('--split is not of revolutions: a boat file has power over thrust, or over commands. '
                             'Choose --use thrust or --use command')
        rotor = identified_rotor(own, others, flag_of(leave_one_out, 'leave_one_out'))
        return FitResult(rotor, rotor_summary(rotor), rotor_text(rotor), 'identify_electrical',
                         lambda name, origin: rotor_boat(rotor, known, name, origin), {'fit': rotor_panels(rotor)})
    if leave_one_out:
        raise InputError('--leave-one-out is of revolutions, which not all of the logs have')
    found, span = fit_electrical(own, others, use, flag_of(split, 'split'), say_of(say)), number_of(
        full_command, 'full_command', above=0.0)
    return FitResult(found, electrical_summary(found, known), electrical_text(found), 'identify_electrical',
                     lambda name, origin: electrical_boat(found, known, name, span, origin),
                     {'fit': electrical_panels(found)})


@with_parameter_names
def identify_battery(tables: Sequence[str | Path], *, chemistry: str = 'nmc', series: int = 1, parallel: int = 1,
                     columns: Sequence[str] | None = None, leave_one_out: bool = False, mass: float | None = None,
                     say: Callable[[str], None] | None = None) -> FitResult:
    """
    Return a battery's cell from tables (CSV) of its pulses, discharges and rests; `write` writes the cell's file.

    :param tables: Told apart by their columns: charge and voltage at rest; pulses, each from rest; discharges.
    :param chemistry: Of the cell, for its limits, and its voltage at rest where none was measured: nmc, lfp, lto, agm,
        or a YAML file.
    :param series: Cells in series of what was measured.
    :param parallel: Strings side by side.
    :param columns: Names of the columns of time s, current A, voltage V, temperature degC, charge percent and voltage
        at rest V, where they are not `time_s`, `current_a`, `voltage_v`, `temperature_degC`, `soc_percent`, `ocv_v`.
    :param leave_one_out: Whether to give the errors on each discharge of a fit without it, too.
    :param mass: Of what was measured, kg, which nearly determines its heat capacity; None if not known.
    :param say: Called with what is being done.
    :raises InputError: If a table lacks a column, or there is too little to fit.

    >>> from pathlib import Path
    >>> found = usv_energy.identify_battery(sorted(Path('cell').glob('*.csv')))
    >>> round(found.figures()['numbers']['capacity_ah']['value'], 1)
    2.0
    """
    from usv_energy.boats.cell_file import read_cell
    from usv_energy.studies.identify.cells.cell_fit import cell_document, identify_cell
    from usv_energy.studies.identify.cells.cell_recordings import CellColumns, read_recordings
    from usv_energy.studies.identify.cells.cell_report import cell_panels, cell_summary, cell_text
    base = read_cell(path_of(chemistry, 'chemistry'))
    names = cell_columns(columns)
    recordings = read_recordings(tables_of(tables, 'tables'), CellColumns(*names), number_of(series, 'series', 1.0),
                                 number_of(parallel, 'parallel', 1.0))
    own = None if mass is None else number_of(mass, 'mass', above=0.0) / (series * parallel)
    found = identify_cell(recordings, base, flag_of(leave_one_out, 'leave_one_out'), own, say_of(say))
    summary = cell_summary(found)
    return FitResult(found, summary, cell_text(summary), 'identify_battery',
                     lambda name, origin: cell_document(found, base, name, dict(origin)), {'fit': cell_panels(found)},
                     of_cell=True)


@with_parameter_names
def identify_pack(log: Log | str | Path, boat: Boat | str | Path, *, columns: Sequence[str] | None = None,
                  ambient_degc: float | None = None, ocv_std_mv: float = 20.0) -> FitResult:
    """
    Return the resistance, charge and capacity of a boat's cells from one mission; `write` writes the boat's file.

    :param log: A log with volts and amperes, or the path of a table with the columns of `identify_battery`.
    :param boat: Whose cells made the mission.
    :param columns: As of `identify_battery`.
    :param ambient_degc: Temperature around the cells, degC; the boat file's where None.
    :param ocv_std_mv: How well the voltage at rest of a cell is known, mV.
    :raises InputError: If the boat has no cells, or the log no volts and amperes that can be theirs.

    >>> boat = usv_energy.fit_out('blueboat', battery='4S 10Ah NMC')
    >>> found = usv_energy.identify_pack('mission.csv', boat, ambient_degc=25.0)
    >>> round(found.figures()['numbers']['resistance_to_10_s_ohm']['value'], 3)
    0.057
    """
    from usv_energy.studies.identify.cells.cell_recordings import CellColumns
    from usv_energy.studies.identify.cells.cell_report import pack_panels, pack_summary, pack_text
    from usv_energy.studies.identify.cells.mission_fit import (
        identify_pack as fitted_pack,
    )
    from usv_energy.studies.identify.cells.mission_fit import pack_document, require_cells, run_of_log, run_of_table
    known, names = boat_of(boat), CellColumns(*cell_columns(columns))
    require_cells(known)
    degc = optional_number(ambient_degc, 'ambient_degc', -60.0, 100.0)
    run = None if isinstance(log, Log) else run_of_table(user_path(path_of(log, 'log')), names, known, degc)
    if run is None:
        run = run_of_log(logs_of([log], None)[0], known, degc)
    found = fitted_pack(run, known, 1e-3 * number_of(ocv_std_mv, 'ocv_std_mv', above=0.0))
    summary = pack_summary(found, run, known)
    return FitResult(found, summary, pack_text(summary), 'identify_pack', partial(pack_document, found, known),
                     {'fit': pack_panels(found)})


@with_parameter_names
def identify_bollard(tables: Sequence[str | Path], boat: Boat | str | Path = 'lutra_prop', *,
                     columns: Sequence[str] = ('pwm_us', 'pull_n', 'power_w'), settle: float = 1.0) -> FitResult:
    """
    Return thrust over pulse width, and watts, from pulls at a bollard; `write` writes the boat's file.

    :param tables: Tables (CSV) of readings, or recordings with `time_s`; or folders of `usv-energy maneuver bollard`.
    :param boat: Number and tilt of its thrusters, and all that was not measured.
    :param columns: Names of the columns of the command, us, the pull of the whole boat, N, and the power, W.
    :param settle: Of a recording: how long a command is held before the pull counts, s.
    :raises InputError: If a table lacks a column, there are too few levels, or the boat has other thrusters.

    >>> found = usv_energy.identify_bollard(['pulls.csv'], 'lutra_prop_usvsim')
    >>> round(found.figures()['levels'][-1]['pull_n'], 2)
    22.54
    """
    from usv_energy.studies.identify.trials.bollard import PullColumns, bollard_boat, bollard_pull, read_pulls, together
    from usv_energy.studies.identify.trials.trial_report import (
        bollard_panels,
        bollard_summary,
        bollard_text,
    )
    known = boat_of(boat)
    names = PullColumns(*names_of(columns, 'columns', 3))
    wait = number_of(settle, 'settle', 0.0)
    readings = together([read_pulls(path, names, wait) for path in tables_of(tables, 'tables')])
    found = bollard_pull(readings, known)
    return FitResult(found, bollard_summary(found, known), bollard_text(found, known), 'identify_bollard',
                     partial(bollard_boat, found, known), {'fit': bollard_panels(found, readings)})


@with_parameter_names
def identify_coast_down(logs: Logs, boat: Boat | str | Path = 'lutra_prop', *, loaded: Logs = (),
                        added: float | None = None, form: str = 'both', window: tuple[float, float] | None = None,
                        columns: str | None = None) -> FitResult:
    """
    Return surge drag, and with a known payload the mass, from glides without thrust; `write` writes the boat's file.

    :param logs: In which the boat glides.
    :param boat: Its mass and windage are taken, and what its thrusters give for a pulse.
    :param loaded: Logs of the same boat with `added` more on board, which tell the mass.
    :param added: Mass more on board in these, kg.
    :param form: Of the drag: `both`, `linear` or `quadratic`.
    :param window: Look only from one time of the logs to another, s.
    :param columns: Of tables: name or path of the column map.
    :raises InputError: If there are no glides, or `loaded` comes without `added`.

    >>> found = usv_energy.identify_coast_down(['glide'], 'lutra_airboat')
    >>> round(found.figures()['quadratic_drag_n_s2_m2'], 2)
    6.93
    """
    from usv_energy.studies.identify.trials.coast_down import coast_down, coast_down_boat, glides_of
    from usv_energy.studies.identify.trials.trial_report import coast_down_panels, coast_down_summary, coast_down_text
    heavier, mass = logs_of(loaded, columns, 'loaded'), optional_number(added, 'added', 0.0)
    if bool(heavier) != (mass is not None):
        raise InputError('--loaded and --added go together: logs, and by how much more on board they are of')
    span = None
    if window is not None:
        begin, end = (-math.inf if value == -math.inf else math.inf if value == math.inf else
                      number_of(value, 'window') for value in two_of(window, 'window'))
        span = begin, end
    known = boat_of(boat)
    glides = [glide for some, extra in ((some_logs(logs, columns), 0.0), (heavier, mass or 0.0))
              for log in some for glide in glides_of(log, known, extra, span)]
    found = coast_down(glides, known, choice_of(form, 'form', ('both', 'linear', 'quadratic')))
    return FitResult(found, coast_down_summary(found, known), coast_down_text(found, known), 'identify_coast_down',
                     partial(coast_down_boat, found, known), {'fit': coast_down_panels(found)})


@with_parameter_names
def identify_speed_power(logs: Logs, boat: Boat | str | Path | None = None, *,
                         columns: str | None = None) -> FitResult:
    """
    Return a boat's power over speed from logs with a current sensor; `write` writes the file of a boat known by it.

    :param logs: With volts and amperes, and positions or velocities; there and back at several speeds.
    :param boat: Whose file may have the wave-making resistance of the hull, `damping.wave`; None if not known.
    :param columns: Of tables: name or path of the column map.
    :raises InputError: If there are too few data; the message says what is there and what is needed.

    >>> found = usv_energy.identify_speed_power(['there_and_back.csv'], columns='there_and_back.yaml')
    >>> round(found.figures()['hotel_w'], 1)
    8.0
    """
    from usv_energy.studies.identify.trials.speed_power import speed_power, speed_power_boat
    from usv_energy.studies.identify.trials.trial_report import (
        speed_power_panels,
        speed_power_summary,
        speed_power_text,
    )
    found = speed_power(some_logs(logs, columns), None if boat is None else boat_of(boat))
    return FitResult(found, speed_power_summary(found), speed_power_text(found), 'identify_speed_power',
                     partial(speed_power_boat, found), {'fit': speed_power_panels(found)})


@with_parameter_names
def identify_steady(logs: Logs, boat: Boat | str | Path = 'lutra_prop', *, window: float = 5.0,
                    columns: str | None = None, plant: Boat | None = None) -> FitResult:
    """
    Return damping from the steady phases of logs, after the thesis.

    `result.found` is the list of estimates, each with the log and the phase that it comes from.

    :param logs: With motion and thrusts.
    :param boat: Its mass, thrusters and windage are taken.
    :param window: Shortest steady phase, s.
    :param columns: Of tables: name or path of the column map.
    :param plant: The boat that was simulated, to be compared with; None of real logs.
    :raises InputError: If a log lacks something.

    >>> found = usv_energy.identify_steady(['ahead'], 'lutra_prop')
    >>> [(one.name, round(one.value, 1)) for one in found.found]
    [('d11', 16.3)]
    """
    from usv_energy.studies.identify.steady.steady_states import (
        damping_estimates,
        steady_panels,
        steady_phases,
        steady_summary,
        steady_text,
    )
    known, own = movable(boat), some_logs(logs, columns)
    shortest = number_of(window, 'window', 0.5, 600.0)
    phases = [phase for log in own for phase in steady_phases(log, known, shortest)]
    found = damping_estimates(phases, known.vessel)
    return FitResult(found, steady_summary(phases, found, known, plant), steady_text(phases, found, known, plant),
                     'identify_steady', None, {'fit': steady_panels(own, phases, found)})


@with_parameter_names
def identify_waves(logs: Sequence[Any], boat: Boat | str | Path, *,
                   directions_deg: Sequence[float] = (0.0, 90.0, 180.0), periods: Sequence[float] | None = None,
                   current_error: float = 0.0, drag_error: float | None = None, seas: Sequence[SeaLike] = (),
                   columns: str | None = None) -> FitResult:
    """
    Return a boat's added resistance in waves, from logs at several sea states; `write` writes the boat's file.

    :param logs: Results of `analyze_log` with the sea of each; or logs or their paths, which are analysed here.
    :param boat: Its drag, thrusters, windage and parts are taken.
    :param directions_deg: At which coefficients are given, degrees off the bow, rising, from 0 (ahead) to 180 (astern).
    :param periods: At which they are given, s, rising; those of the logs' seas where None.
    :param current_error: Standard error of each log's current, m/s, which widens the intervals.
    :param drag_error: Standard error of the drag of the boat's file, (-); not known where None.
    :param seas: Of logs that are analysed here: none, one for all or one each, as of `range_study`; (0, 1, 0) is calm.
    :param columns: Of tables: name or path of the column map.
    :raises InputError: If a log lacks something, or too few seas are there.

    >>> logs = ['seas/calm.csv', 'seas/low.csv', 'seas/high.csv']
    >>> found = usv_energy.identify_waves(logs, 'seas/boat.yaml', columns='seas/columns.yaml')
    >>> [round(one['off_bow_deg']) for one in found.figures()['coefficients']]
    [0, 90, 180]
    """
    from usv_energy.studies.analyze.analysed_log import AnalysedLog
    from usv_energy.studies.identify.seas.wave_fit import (
        KnownErrors,
        wave_boat,
        wave_fit,
        wave_fit_panels,
        wave_fit_summary,
        wave_fit_text,
    )
    from usv_energy.studies.identify.seas.wave_legs import wave_legs, wave_nodes
    known = movable(boat)
    if isinstance(logs, str | Path | Log) or not isinstance(logs, Sequence) or not logs:
        raise InputError(f'logs is {shown(logs)}; must be a list of analysed logs, logs or paths')
    if isinstance(seas, str) or not isinstance(seas, Sequence):
        raise InputError(f'seas is {shown(seas)}; must be a list of seas')
    told = [sea_of(sea) for sea in seas]
    if len(told) not in (0, 1, len(logs)):
        raise InputError(f'--seas has {len(told)} for {len(logs)} logs; must be one, or one for each log in turn')
    told = told * len(logs) if len(told) == 1 else told or [None] * len(logs)
    analysed = [log if isinstance(log, AnalysedLog) else _in_its_sea(log, known, sea, columns)
                for log, sea in zip(logs, told)]
    legs = wave_legs(analysed)
    directions = rising(directions_deg, 'directions_deg', 0.0, 180.0)
    nodes = wave_nodes(legs, [math.radians(one) for one in directions],
                       None if periods is None else rising(periods, 'periods', 0.1, 60.0))
    drag = optional_number(drag_error, 'drag_error', above=0.0)
    found = wave_fit(legs, nodes, KnownErrors(math.inf if drag is None else drag,
                                              number_of(current_error, 'current_error', 0.0)))
    names = [log.log.name for log in analysed]
    return FitResult(found, wave_fit_summary(found, analysed), wave_fit_text(found, analysed), 'identify_waves',
                     partial(wave_boat, found, known, names), {'fit': wave_fit_panels(found)})


def _in_its_sea(log: Log | str | Path, boat: Boat, sea: tuple[float, float, float] | None, columns: str | None) -> Any:
    """Return a log analysed as the boat's motion in its sea; None: as it is seen in heave, roll and pitch."""
    from usv_energy.api.recordings import request_of
    from usv_energy.logs.thruster_readings import with_thrust_of_pulses
    from usv_energy.studies.analyze.analysed_log import analysed_log
    request = request_of(log, boat, columns)
    own = with_thrust_of_pulses(log if isinstance(log, Log) else read_log(log, columns), boat)
    return analysed_log(own, boat, request.options._replace(find_flow=False, sea=sea))


def tables_of(paths: object, name: str) -> list[Path]:
    """Return paths, at least one; InputError for what is no list of them."""
    if isinstance(paths, str | Path) or not isinstance(paths, Sequence) or not paths:
        raise InputError(f'{name} is {shown(paths)}; must be a list of paths')
    return [user_path(path_of(path, name)) for path in paths]


def names_of(names: object, name: str, number: int) -> list[str]:
    """Return so many names of columns."""
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != number:
        raise InputError(f'{name} is {shown(names)}; must be {number} names')
    return [path_of(one, name) for one in names]


def cell_columns(columns: Sequence[str] | None) -> list[str]:
    """Return the columns of a battery's tables."""
    usual = ('time_s', 'current_a', 'voltage_v', 'temperature_degC', 'soc_percent', 'ocv_v')
    return list(usual) if columns is None else names_of(columns, 'columns', len(usual))


def two_of(values: object, name: str) -> tuple[Any, Any]:
    """Return the two members of a pair."""
    if isinstance(values, str) or not isinstance(values, Sequence) or len(values) != 2:
        raise InputError(f'{name} is {shown(values)}; must be two numbers')
    return values[0], values[1]


def rising(values: object, name: str, least: float, most: float) -> list[float]:
    """Return numbers that rise, within limits."""
    numbers = [float(value) for value in array_of(values, name).ravel()]
    if not numbers or sorted(set(numbers)) != numbers or numbers[0] < least or numbers[-1] > most:
        raise InputError(f'{name} is {shown(values)}; must rise, from {least:g} to {most:g}')
    return numbers
