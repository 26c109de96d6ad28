"""The folder that `analyze` writes: report.html, summary.json and, where asked for, samples.csv."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ..analysis.analysed_samples import write_log_samples
from ..analysis.log_figures import report_figures
from ..analysis.log_report import LogReport
from ..files.json_file import write_json
from .output import say_on_terminal
from .page.page_svg import Picture
from .page.report_page import write_report
from .run_folder import SAMPLES, SUMMARY

REPORT = 'report.html'


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
