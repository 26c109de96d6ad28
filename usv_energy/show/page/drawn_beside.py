"""A page's pictures drawn in a process beside this one, which loads the library that draws while a log is read."""

import os
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from types import TracebackType

import numpy as np

from ...analysis.analysed_log import AnalysedLog
from ...analysis.log_report import LogReport
from ...files.side_process import SideProcess
from .page_pictures import draw_power, drawings_of, measured_drawing
from .page_svg import Drawing, Picture, Size, picture, svg
from .picture_data import Line, Lines


class DrawnBeside(AbstractContextManager['DrawnBeside']):
    """
    Draws in another process, where there is a second processor for it, else in this one.

    Where the other process ends before its time, killed for its memory perhaps, this one draws what is missing.
    """

    def __init__(self) -> None:
        """Start the process."""
        self._side = SideProcess() if len(os.sched_getaffinity(0)) > 1 else None
        self._drawn: list[tuple[Drawing, Future[Picture] | None]] = []
        if self._side is not None:
            self._side.call(_load_library)

    def begin(self, analysed: AnalysedLog) -> None:
        """Begin to draw an analysed log's pictures."""
        for drawing in drawings_of(analysed):
            self._begin(drawing)

    def _begin(self, drawing: Drawing) -> None:
        self._drawn.append((drawing, None if self._side is None else self._side.call(picture, drawing)))

    def pictures(self, report: LogReport) -> dict[str, Picture]:
        """Wait for all pictures of its report, and return them by name."""
        if report.measured is not None:
            self._begin(measured_drawing(report.analysed))
        found = {}
        for drawing, coming in self._drawn:
            if coming is not None:
                with suppress(ChildProcessError):
                    found[drawing.name] = coming.result()
            if drawing.name not in found:
                found[drawing.name] = picture(drawing)
        return found

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """End the process: at once, if something went wrong here."""
        if self._side is None:
            return
        if kind is not None:
            self._side.kill()
        with suppress(ChildProcessError):
            self._side.__exit__(kind, error, trace)


def _load_library() -> None:
    """Draw something small: that loads all that draws, fonts included."""
    line = Line('line', '#000000', np.arange(2.0), np.arange(2.0))
    shown = Lines([line, line], 'x', (0.0, 1.0), (0.0, 1.0), cut=False)
    size = Size(200, 200, True)
    svg('first', Drawing('first', '', draw_power, shown, size, size), size)
