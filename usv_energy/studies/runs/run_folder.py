"""The folder of a run: samples.csv, track.csv, legs.csv, sensors.mcap, plot.png, summary.json; the overview of runs."""

from collections.abc import Sequence
from pathlib import Path

from usv_energy.files.text_file import check_writable, write_json
from usv_energy.logs.bags.sensor_recording import write_sensor_bag
from usv_energy.sim.record import Run, Summary
from usv_energy.sim.run_files import (
    ATTITUDE,
    BATTERY,
    HOME,
    LEGS,
    cells_of_rows,
    has_attitude,
    has_track_file,
    write_attitude,
    write_battery,
    write_legs,
    write_samples,
    write_track,
)
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Scenario
from usv_energy.sim.track_figures import whole_summary
from usv_energy.studies.runs.run_tables import comparisons

SAMPLES, TRACK, PLOT, SUMMARY = 'samples.csv', 'track.csv', 'plot.png', 'summary.json'
SENSORS = 'sensors.mcap'
OVERVIEW = 'overview.png'
RUN_BY = 'usv-energy'


def run_folder(out: Path, scenario: str, convention: str) -> Path:
    """Return the folder of one run inside the folder of all runs."""
    return out / f'{scenario}_{convention}'


def write_run(run: Run, folder: Path, plots: bool, run_by: str) -> Summary:
    """
    Write a run's files and return its summary. The summary is written last: if it exists, the rest is complete.

    :param folder: It is created if necessary. Files of an earlier run are removed first, other files are kept.
    :param run_by: The program that ran it: `usv-energy` or `ros`.
    :raises OSError: If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in (SUMMARY, PLOT, TRACK, LEGS, SENSORS, ATTITUDE, SAMPLES):
        (folder / name).unlink(missing_ok=True)
    write_samples(run.rows, folder / SAMPLES)
    if has_track_file(run):
        write_track(run, folder / TRACK)
    if has_attitude(run.rows):
        write_attitude(run.rows, folder / ATTITUDE)
    if cells := cells_of_rows(run.rows):
        write_battery(cells, folder / BATTERY)
    if run.legs:
        write_legs(run.legs, folder / LEGS)
    if run.readings:
        write_sensor_bag(run.readings, run.scenario.sensing.origin_of_fixes, run.scenario.plant.name, folder / SENSORS)
    if plots:
        from usv_energy.studies.runs.run_picture import plot_run
        plot_run(run, folder / PLOT)
    summary = whole_summary(run, run_by)
    write_json(summary, folder / SUMMARY)
    return summary


def check_folders(out: Path | None, scenarios: Sequence[Scenario]) -> None:
    """Raise InputError if the runs of scenarios cannot be written into a folder (None: no folder)."""
    if out is None:
        return
    check_writable(out)
    for scenario in scenarios:
        folder = run_folder(out, scenario.name, scenario.convention)
        if folder.exists():
            check_writable(folder)


def run_and_write(scenario: Scenario, out: Path | None, plots: bool) -> Summary:
    """
    Run a scenario without ROS, write its files into the folder of all runs (None: nowhere), and return its summary.

    :raises InputError: If the simulation is unstable.
    :raises OSError: If a file cannot be written.
    """
    run = run_scenario(scenario)
    if out is None:
        return whole_summary(run, RUN_BY)
    folder = run_folder(out, scenario.name, scenario.convention)
    for name in (HOME, BATTERY):  # Left by an earlier run, on ROS or of a boat on cells.
        (folder / name).unlink(missing_ok=True)
    return write_run(run, folder, plots, RUN_BY)


def write_overview(summaries: Sequence[Summary], out: Path | None, plots: bool) -> None:
    """Write the summaries of all runs and the overview of scenarios to a folder, None for none; raises OSError."""
    if out is None:
        return
    write_json(summaries, out / SUMMARY)
    if plots and len(comparisons(summaries)) > 1:
        from usv_energy.studies.runs.run_picture import plot_overview
        plot_overview(summaries, out / OVERVIEW)
