"""The folder of a run: samples.csv, plot.png and summary.json. One writer, whoever ran it."""

from pathlib import Path

from ..files.json_file import write_json
from ..sim.record import Run
from ..sim.run_summary import Summary, summary_of
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
