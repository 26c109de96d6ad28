"""The folder that `analyze` writes: report.html, summary.json and, where asked for, samples.csv."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from ..analysis.analysed_samples import write_log_samples
from ..analysis.log_figures import report_figures
from ..analysis.log_report import LogReport
from ..files.errors import InputError
from ..files.json_file import write_json
from ..files.whole_file import check_writable
from .output import say_on_terminal
from .page.page_svg import Picture
from .page.report_page import write_report
from .run_folder import SAMPLES, SUMMARY

REPORT, ANALYZE = 'report.html', 'analyze'     # The file, and what its summary says that it is run by.


def check_report_folder(folder: Path, log: str) -> None:
    """
    Create a folder for a report, and see whether nothing of a run would be lost there.

    :param log: What is analysed: a run's folder, or a file.
    :raises InputError: If it cannot be written to, or holds a run's own summary, or the samples that are analysed.
    """
    check_writable(folder)
    try:
        kept = json.loads((folder / SUMMARY).read_text(encoding='utf-8'))
    except (OSError, ValueError):
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
