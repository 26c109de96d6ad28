"""Logs of a boat on drawn seas, for `wave_errors.py` and `sensor_sets.py`: a run, and what sensors recorded of it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import resolve
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.bags.sensor_recording import write_sensor_bag
from usv_energy.logs.log import Log
from usv_energy.logs.read_log import read_log
from usv_energy.sim.record import Run
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.runs.run_folder import write_run

SCENARIO, BOAT = 'waves/otter_head_sea', 'otter_parts'
DRIFT_DEPTH = 0.0          # m: the current that is recorded holds the drift of the surface.
STILL = AnalysisOptions(current=UniformFlow(), wind=UniformFlow())
THERE_AND_BACK = ((45.0, 0.0), (45.0, 8.0), (0.0, 8.0))


class Sea(NamedTuple):
    """Significant height, m (0: flat water), period of the peak, s, and towards which it runs, deg."""

    height: float
    period: float
    towards: float


class Measured(NamedTuple):
    """What an analysis says beside the thrusters' own work: error, half of its interval, (-); the sea's height, m."""

    error: float
    half: float
    covered: bool
    height: float


def run_on_sea(folder: Path, sea: Sea, seed: int, sensors: Sequence[Any] = (),
               way: Sequence[tuple[float, float]] = ((60.0, 0.0),)) -> Run:
    """
    Return a run of the scenario SCENARIO on a drawn sea.

    :param folder: For its files.
    :param sea: The Sea.
    :param seed: Of the sea and the sensors.
    :param sensors: As a scenario file has them.
    :param way: Waypoints, m.
    """
    document = yaml.safe_load(resolve('scenarios', SCENARIO).read_text(encoding='utf-8'))
    water, scenario = folder / 'sea.yaml', folder / 'run.yaml'
    document |= {'base': str(resolve('scenarios', '1').with_name('_thesis.yaml')), 'current': {'flow': str(water)},
                 'waypoints': [{'x': x, 'y': y} for x, y in way], 'sensors': list(sensors), 'sensor_seed': seed,
                 'origin': {'longitude': -4.5, 'latitude': 48.3}}
    if sea.height > 0.0:
        water.write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
            'kind': 'irregular', 'significant_height': sea.height, 'peak_period': sea.period, 'seed': seed,
            'direction_deg': sea.towards, 'drift_depth': DRIFT_DEPTH}}), encoding='utf-8')
    else:
        document['current'] = {'speed': 0.0, 'direction_deg': 0.0}
    scenario.write_text(yaml.safe_dump(document), encoding='utf-8')
    return run_scenario(read_scenario(str(scenario)))


def odometry_log(run: Run, folder: Path) -> Log:
    """Return the log of a run's exact odometry, of the files that `usv-energy run --out` writes."""
    write_run(run, folder / 'run', False, 'usv-energy')
    return read_log(folder / 'run')


def sensors_log(run: Run, names: Sequence[str], folder: Path) -> Log:
    """Return the log of what some sensors of a run recorded."""
    path = folder / 'sensors.mcap'
    readings = [one for one in run.readings if one.sensor.name in names]
    write_sensor_bag(readings, run.scenario.sensing.origin_of_fixes, 'boat', path)
    return read_log(path)


def measured(run: Run, log: Log, options: AnalysisOptions) -> Measured:
    """Return what the analysis of a log says beside the work of the run's thrusters over the same time."""
    from usv_energy.studies.analyze.log_interval import log_interval
    analysed = analysed_log(log, read_boat(BOAT), options)
    time, work = np.array([(row.time, row.thruster_energy) for row in run.rows]).T
    truth = float(np.diff(np.interp([log.start, log.start + log.time[-1]], time, work))[0])
    energy = analysed.energy
    found = energy.thrust + energy.unrecovered
    interval = log_interval(analysed)
    # The interval is that of the electrical energy; its share goes over to the thrusters' work.
    share = np.nan if interval is None or not energy.total - energy.static_load > 0.0 else 0.5 * (
        interval.high - interval.low) / (energy.total - energy.static_load)
    middle = 0.0 if interval is None else (0.5 * (interval.high + interval.low) - energy.total) / (
        energy.total - energy.static_load)
    error = found / truth - 1.0
    covered = bool(abs(truth / found - 1.0 - middle) <= share)
    return Measured(error, float(share), covered, 0.0 if analysed.waves is None else analysed.waves.sea.height)
