"""Analysed logs that the server keeps for its pages: the latest few, since one may hold hundreds of megabytes."""

from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.wind_height import wind_at_boat, wind_share
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_report import LogReport, log_report
from usv_energy.studies.analyze.log_request import (
    LogRequest,
    boat_of,
    convention_of,
    drift_depth_of,
    drift_of_run,
    is_told,
    read_and_analyse,
)
from usv_energy.web.plan_inputs import with_outfit

MOST_REPORTS = 4
STEPS = 3   # Words about its progress that an analysis says, and one for the report.


class LogQuestion(NamedTuple):
    """
    A log, and what somebody says of it.

    `path`: of the file; `boat`: shipped name or path of its file, None where nobody says it; `payload`: kg, None as the
    boat's file says; `current`, `wind`: as people write them, or a flow file, empty where nobody says them;
    `wind_height`: at which the wind is given, m, None: at the boat. `columns`: name or path of a table's column map,
    None as they are recognised; `any_vehicle`: whether a log that says it was no boat is taken, too. `battery`,
    `charge`, `hotel`: texts of the fields of these names on the page Plan, empty as the boat's file says.
    """

    path: Path
    boat: str | None = None
    payload: float | None = None
    current: str = ''
    wind: str = ''
    wind_height: float | None = None
    columns: str | None = None
    any_vehicle: bool = False
    battery: str = ''
    charge: str = ''
    hotel: str = ''


def request_of(question: LogQuestion) -> LogRequest:
    """
    Return the request of analysis as `usv-energy analyze` makes it of its options.

    :raises InputError: If the boat, the current or the wind is wrong: which; a FieldError of what it is fitted with.
    """
    path = str(question.path)
    boat = with_outfit(boat_of(path, question.boat, question.payload), question._asdict())
    current = flow_of(question.current.strip() or None, 'current', 'water', dated=True)
    wind = wind_at_boat(flow_of(question.wind.strip() or None, 'wind', 'air', dated=True), boat, question.wind_height)
    options = AnalysisOptions(convention_of(path, None), current=current, wind=wind,
                              wind_share=wind_share(boat, question.wind_height),
                              drift_depth=drift_depth_of(path, None), drift=drift_of_run(path, None))
    return LogRequest(path, boat, options, question.columns, any_vehicle=question.any_vehicle,
                      boat_told=is_told(path, question.boat))


def new_report(question: LogQuestion, progress: Progress) -> LogReport:
    """
    Return the report of a log.

    :raises InputError: As `request_of`, or if the log cannot be read or analysed.
    """
    said = 0

    def say(_: str) -> None:
        nonlocal said
        said += 1
        progress(min(said, STEPS - 1), STEPS)

    try:
        analysed, estimate = read_and_analyse(request_of(question), say)
        progress(STEPS - 1, STEPS)
        return log_report(analysed, estimate)
    except MemoryError:
        raise InputError(f'{question.path.name}: there is not enough memory here to analyse it') from None


class ReportShelf:
    """Reports by what was asked; the one that was not used for longest goes first."""

    def __init__(self) -> None:
        """Begin empty."""
        self._reports: OrderedDict[tuple[LogQuestion, int], LogReport] = OrderedDict()
        self._lock = Lock()

    def get(self, question: LogQuestion) -> LogReport | None:
        """Return a report that is kept; None if there is none, or the file has changed since."""
        with self._lock:
            key = _key(question)
            found = self._reports.get(key)
            if found is not None:
                self._reports.move_to_end(key)
            return found

    def put(self, question: LogQuestion, report: LogReport) -> None:
        """Keep a report."""
        with self._lock:
            self._reports[_key(question)] = report
            while len(self._reports) > MOST_REPORTS:
                self._reports.popitem(last=False)


def _key(question: LogQuestion) -> tuple[LogQuestion, int]:
    try:
        return question, question.path.stat().st_mtime_ns
    except OSError:
        return question, 0


SHELF = ReportShelf()
