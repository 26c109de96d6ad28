"""The folder of a run: samples.csv, plot.png and summary.json. One writer, whoever ran it."""

import tempfile
from pathlib import Path

from ..files.errors import InputError
from ..sim.record import Run
from ..sim.run_summary import Summary, summary_of, write_json
from ..sim.samples_file import write_samples

SAMPLES, PLOT, SUMMARY = 'samples.csv', 'plot.png', 'summary.json'


def run_folder(out: Path, scenario: str, convention: str) -> Path:
    """Return the folder of one run inside the folder of all."""
    return out / f'{scenario}_{convention}'


def write_run(run: Run, folder: Path, plots: bool, run_by: str) -> Summary:
    """
    Write a run's files and return its summary. The summary is written last: where it is, the rest is whole.

    :param run: The Run.
    :param folder: Where to; made if need be. Files of an earlier run are removed first, others left alone.
    :param plots: Whether to draw plot.png.
    :param run_by: What ran it: `usv-energy` or `ros`.
    :raises OSError: If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (SUMMARY, PLOT, SAMPLES):
        (folder / name).unlink(missing_ok=True)
    write_samples(run.rows, folder / SAMPLES)
    if plots:
        from .pictures.run_picture import plot_run
        plot_run(run, folder / PLOT)
    summary = summary_of(run, run_by)
    write_json(summary, folder / SUMMARY)
    return summary


def check_writable(folder: Path) -> None:
    """
    Make a folder and see whether files can be made in it.

    :raises InputError: If not: the folder and the system's reason.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f'{folder}: cannot write into this folder: {error.strerror}') from None


def check_target(target: str | None) -> None:
    """
    See whether `write_json` can write to a target; None is no target.

    :raises InputError: If not: the file and the reason.
    """
    if target is None or target == '-':
        return
    path = Path(target)
    if path.is_dir():
        raise InputError(f'{path}: is a folder; must be a file')
    if not path.parent.is_dir():
        raise InputError(f'{path}: there is no folder {path.parent}')
    if not path.exists() or path.is_file():
        check_writable(path.parent)
