"""
A page's pictures drawn in processes beside this one; the library that draws is loaded while a log is read.

What analyses is imported where it is used: the other process begins to load before this one has all that it needs.
"""

from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from types import TracebackType
from typing import TYPE_CHECKING

from usv_energy.files.errors import InputError
from usv_energy.files.side_process import SideProcess
from usv_energy.files.work import cores
from usv_energy.show.page.page_parts import Drawing, Picture, Size, compile_templates, picture, pictures, svg

if TYPE_CHECKING:
    from usv_energy.studies.analyze.analysed_log import AnalysedLog
    from usv_energy.studies.analyze.log_report import LogReport

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
