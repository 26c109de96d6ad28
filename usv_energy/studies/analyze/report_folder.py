"""
The folder that `analyze` writes, and samples of runs and logs as tables.

A page's pictures drawn in processes beside this one; the library that draws is loaded while a log is read.

What analyses is imported where it is used: the other process begins to load before this one has all that it needs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import read_json
from usv_energy.files.side_process import SideProcess
from usv_energy.files.text_file import check_writable, whole_file, write_json
from usv_energy.files.work import cores
from usv_energy.show.page.page_parts import Drawing, Picture, Size, compile_templates, picture, pictures, svg
from usv_energy.show.terminal import say_on_terminal
from usv_energy.sim.record import Run
from usv_energy.sim.run_files import HEADER, SAMPLE_COLUMNS
from usv_energy.studies.analyze.analysed_log import AnalysedLog, thruster_power
from usv_energy.studies.analyze.log_report import LogReport, report_figures
from usv_energy.studies.analyze.report_page import write_report
from usv_energy.studies.runs.run_folder import SAMPLES, SUMMARY

LINES = 20000

UNITS = {'_rad_s2': 'rad s-2', '_m_s2': 'm s-2', '_rad_s': 'rad s-1', '_m_s': 'm s-1', '_rad': 'rad', '_w': 'W',
         '_j': 'J', '_m': 'm', '_s': 's'}

REPORT, ANALYZE = 'report.html', 'analyze'     # The file, and what its summary says that it is run by.


def write_log_samples(analysed: AnalysedLog, path: Path) -> None:
    """Write every sample with its power as a CSV, whole or not at all (OSError); numbers read back exactly."""
    with whole_file(path) as part, part.open('w', encoding='utf-8', newline='') as file:
        file.write(HEADER)
        file.writelines(_lines(analysed))


def sample_columns(analysed: AnalysedLog) -> list[np.ndarray]:
    """Return the columns of an analysed log's samples, in the order and units of COLUMNS, each of shape (N,)."""
    log = analysed.log
    unknown = np.full(len(log), np.nan)
    work = thruster_power(analysed)
    recorded = log.extra.get('thruster_power_w', unknown) if work is None else work
    columns = [log.time, log.x, log.y, *analysed.motion, *analysed.flow, *analysed.power, analysed.integral.so_far(),
               recorded, log.extra.get('thruster_energy_j', unknown), analysed.status]
    assert len(columns) == len(SAMPLE_COLUMNS)
    return [np.broadcast_to(column, unknown.shape) for column in columns]


def _lines(analysed: AnalysedLog) -> Iterator[str]:
    columns = sample_columns(analysed)
    for first in range(0, len(analysed.log), LINES):
        for *row, status in zip(*(column[first:first + LINES].tolist() for column in columns)):
            yield f'{",".join(map(repr, row))},{status}\n'


def sample_table(result: Run | AnalysedLog) -> dict[str, tuple[np.ndarray, str]]:
    """
    Return the samples of a run or an analysed log: by name the values, each of shape (N,), and their unit.

    Place (`x`, `y`), motion (`yaw`, `u`, `v`, `r` and their derivatives), current, wind, power by cause (`power_total`
    and so on), the energy so far, the simulated thrusters' own power and work (NaN where there are none), and `status`,
    the bits of the message PowerStamped; of a run besides the power of each of its boat's loads, `load_<name>`.

    :param result: The run, or the analysed log.
    """
    if isinstance(result, Run):
        rows = [(row.time, row.x, row.y, *row.motion, *row.flow, *row.power, row.energy, row.thruster_power,
                 row.thruster_energy, row.status) for row in result.rows]
        columns: Sequence[np.ndarray] = list(np.array(rows).reshape(-1, len(SAMPLE_COLUMNS)).T)
    else:
        columns = sample_columns(result)
    table = {}
    for column, values in zip(SAMPLE_COLUMNS, columns):
        suffix = next((end for end in UNITS if column.endswith(end)), '')
        table[column.removesuffix(suffix)] = (values, UNITS.get(suffix, '1'))
    if isinstance(result, Run):
        for number, name in enumerate(result.scenario.boat.load_names):
            watts = np.array([row.loads[number] if row.loads else np.nan for row in result.rows])
            table[f'load_{name}'] = (watts, 'W')
    table['status'] = (columns[-1].astype(np.int32), '1')
    return table


def check_report_folder(folder: Path, log: str) -> None:
    """
    Create a folder for a report, and see whether nothing of a run would be lost there.

    :param log: What is analysed: a run's folder, or a file.
    :raises InputError: If it cannot be written to, or holds a run's own summary, or the samples that are analysed.
    """
    check_writable(folder)
    try:
        kept = read_json(folder / SUMMARY, 'a summary')
    except InputError:
        kept = {}
    if isinstance(kept, dict) and kept.get('run_by', ANALYZE) != ANALYZE:
        raise InputError(f'--out {folder}: holds the {SUMMARY} of a run, which a report would replace; must be another '
                         'folder')
    read = Path(log) / SAMPLES if Path(log).is_dir() else Path(log)
    if read.exists() and (folder / SAMPLES).exists() and read.samefile(folder / SAMPLES):
        raise InputError(f'--out {folder}: holds the {SAMPLES} that is analysed; must be another folder')


def write_report_folder(report: LogReport, folder: Path, samples: bool,
                        pictures: Callable[[], Mapping[str, Picture]] | None = None) -> None:
    """
    Write a report's files, all samples if asked for. The summary is written last: where it is, the rest is whole.

    :param pictures: Gives the page's pictures, where they are being drawn already.
    :raises OSError: If a file cannot be written; what was there before stays.
    """
    (folder / SUMMARY).unlink(missing_ok=True)
    writers: list[tuple[str, Callable[[Path], None]]] = [(REPORT, lambda path: write_report(
        report, path, None if pictures is None else pictures()))]
    if samples:
        writers.append((SAMPLES, lambda path: write_log_samples(report.analysed, path)))
    writers.append((SUMMARY, lambda path: write_json(report_figures(report), path)))
    for name, write in writers:
        say_on_terminal(f'writing {name}')
        try:
            write(folder / name)
        except OSError as error:
            raise OSError(error.errno, f'{error.strerror}: it is not written, what was there stays',
                          str(folder / name)) from None


PROCESSES = 2  # That draw, where there is a second processor: the analysis has next to nothing to do by then.


class DrawnBeside(AbstractContextManager['DrawnBeside']):
    """
    Draws in another process, where there is a second processor for it, else in this one.

    Where the other process ends before its time, killed for its memory perhaps, this one draws what is missing.
    """

    def __init__(self) -> None:
        """Start the process."""
        self._side = SideProcess() if cores() > 1 else None
        self._drawn: list[tuple[list[Drawing], Future[list[Picture]] | None]] = []
        if self._side is not None:
            self._side.call(_load_library)

    def begin(self, analysed: 'AnalysedLog') -> None:
        """Begin to draw an analysed log's pictures."""
        from usv_energy.studies.analyze.page_pictures import drawings_of
        self._begin(drawings_of(analysed))

    def _begin(self, drawings: list[Drawing]) -> None:
        self._drawn.append((drawings, None if self._side is None else self._side.call(pictures, drawings, PROCESSES)))

    def pictures(self, report: 'LogReport') -> dict[str, Picture]:
        """Wait for all pictures of its report, and return them by name."""
        from usv_energy.studies.analyze.page_pictures import measured_drawing
        from usv_energy.studies.analyze.report_page import REPORT_TEMPLATE
        if report.measured is not None:
            self._begin([measured_drawing(report.analysed)])
        if self._side is not None:
            compile_templates(REPORT_TEMPLATE)  # There is nothing else to do here until they are drawn.
        found: dict[str, Picture] = {}
        for drawings, coming in self._drawn:
            there: list[Picture] = []
            if coming is not None:
                with suppress(ChildProcessError, InputError):
                    there = coming.result()
            found |= {one.name: drawn for one, drawn in zip(drawings, there or map(picture, drawings))}
        return found

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """End the process: at once, if something went wrong here."""
        if self._side is None:
            return
        if kind is not None:
            self._side.kill()
        with suppress(ChildProcessError, InputError):
            self._side.__exit__(kind, error, trace)


def _load_library() -> None:
    """Draw something small: that loads all that draws, fonts included."""
    import numpy as np

    from usv_energy.studies.analyze.page_pictures import draw_power
    from usv_energy.studies.analyze.picture_data import Line, Lines
    line = Line('line', '#000000', np.arange(2.0), np.arange(2.0))
    shown = Lines([line, line], 'x', (0.0, 1.0), (0.0, 1.0), cut=False)
    size = Size(200, 200, True)
    svg('first', Drawing('first', '', draw_power, shown, size, size), size)
