"""The roll-out fit: how long ten logs take, the gain over plain Python, and whether it finds boats that are known."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from options import Options
from report import Result, progress

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.form_choice import fit_determined
from usv_energy.studies.identify.rollout.normal_equations import BOTH, fit_rollouts
from usv_energy.studies.identify.rollout.rollout import compiled_roll, roll, roll_together
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_of
from usv_energy.studies.identify.rollout.tracks import track_of
from usv_energy.studies.identify.rollout.uncertainty import parameter_estimates, uncertainty_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))
from twin_log import twin_log  # type: ignore[import-not-found]

SEED = 20210917
LOGS, DURATION = 10, 90.0
TWIN_LOGS = 4
CURRENT = 0.1       # Standard deviation of each component of a log's current, m/s.
SURGE_YAW = ('inertia.m11', 'inertia.m33', 'damping.linear.d11', 'damping.linear.d33')
SWAY = ('inertia.m22', 'damping.linear.d22')


def measure(options: Options) -> Result:
    """Return seconds of a fit, roll-out rates and their ratio, and errors and coverage of twin tests."""
    result = Result('identify')
    _speed(options, result)
    _twins(options, result)
    return result


def _speed(options: Options, result: Result) -> None:
    boat = read_boat('lutra_prop_usvsim')
    rng = np.random.default_rng(SEED)
    tracks = [track_of(twin_log(boat, rng, f'log {k}', DURATION), boat) for k in range(LOGS)]
    windows = windows_of(tracks)
    model = model_of('quadratic', boat, scale_of(tracks), False)
    values = model.column('prior')
    steps = windows[0].samples * len(windows[0].starts)
    rates: dict[str, list[float]] = {'compiled': [], 'numpy': [], 'python': []}
    ways = {'compiled': compiled_roll(), 'numpy': roll_together, 'python': roll}
    residuals(windows[0], values, model, np.zeros(4), ways['compiled'])
    for turn in range(2 if options.quick else 5):
        progress(f'  identify: turn {turn + 1} of roll-outs')
        for name, way in ways.items():
            begin = time.perf_counter()
            residuals(windows[0], values, model, np.zeros(4), way)
            rates[name].append(steps / (time.perf_counter() - begin))
    for name, measured in rates.items():
        result.add(f'rollout_{name}_steps_per_s', measured)
    result.add('compiled_over_python_ratio', [a / b for a, b in zip(rates['compiled'], rates['python'])])
    milliseconds = []
    for turn in range(1 if options.quick else 3):
        progress(f'  identify: fit {turn + 1} of {LOGS} logs')
        begin = time.perf_counter()
        found = fit_rollouts(model, windows)
        milliseconds.append(1e3 * (time.perf_counter() - begin))
    result.add('fit_10_logs_ms', milliseconds, aim=60_000.0)
    result.notes.append(f'fit: {LOGS} logs, {sum(len(track.time) for track in tracks)} samples, '
                        f'{sum(len(one.starts) for one in windows)} windows of 10 s, {len(model.keys)} parameters, a '
                        f'current and a wind of each log, {found.evaluations} evaluations of all windows; ratio: of '
                        'roll-outs, which plain Python would need as many of')


def known_boat() -> tuple[Boat, Boat]:
    """Return a boat that is known, and one to start from whose numbers are 30 to 40 % off."""
    true = read_boat('lutra_prop')
    inertia, damping = true.vessel.inertia, true.vessel.damping
    wrong = true.vessel._replace(
        inertia=inertia._replace(m11=1.3 * inertia.m11, m22=1.3 * inertia.m22, m33=0.7 * inertia.m33),
        damping=damping._replace(d11=0.7 * damping.d11, d22=1.4 * damping.d22, d33=1.3 * damping.d33))
    return true, replace(true, vessel=wrong)


def twin(seed: int) -> dict[str, tuple[float, bool]]:
    """Return for each parameter of the boat its relative error, (-), and whether its interval holds the true value."""
    true, start = known_boat()
    rng = np.random.default_rng(seed)
    tracks = [track_of(twin_log(true, rng, f'log {k}', DURATION, tuple(rng.normal(0.0, CURRENT, 2))), start)
              for k in range(TWIN_LOGS)]
    found = fit_determined(model_of('linear', start, scale_of(tracks), False), windows_of(tracks), BOTH)
    vessel = true.vessel
    truth = dict(zip(SURGE_YAW + SWAY, (vessel.inertia.m11, vessel.inertia.m33, vessel.damping.d11,
                                        vessel.damping.d33, vessel.inertia.m22, vessel.damping.d22)))
    return {row.key: (row.value / truth[row.key] - 1.0, row.low <= truth[row.key] <= row.high)
            for row in parameter_estimates(found, uncertainty_of(found)) if row.key in truth}


def _twins(options: Options, result: Result) -> None:
    seeds = 10 if options.quick else 100
    rows = []
    for seed in range(seeds):
        if seed % 10 == 0:
            progress(f'  identify: twin {seed + 1} of {seeds}')
        rows.append(twin(SEED + seed))
    for key in SURGE_YAW + SWAY:
        name = key.split('.')[-1]
        result.add(f'twin_{name}_error_percent', [100.0 * abs(row[key][0]) for row in rows],
                   aim=10.0 if key in SWAY else 3.0)
        result.add(f'twin_{name}_outside_percent', [100.0 * sum(not row[key][1] for row in rows) / seeds], aim=10.0)
    result.notes.append(f'twin: {TWIN_LOGS} logs of {DURATION:g} s each seed, thrust noise 5 %, 0.02 m/s, 0.01 rad/s, '
                        f'a current of {CURRENT} m/s a component that the fit does not know, a start 30 to 40 % off; '
                        f'outside: share of the {seeds} seeds whose 95 % interval does not hold the true value')
