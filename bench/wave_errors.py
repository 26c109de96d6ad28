"""
How far off `analyze` is in waves: a hull of parts on drawn seas, its logs against the work of its own thrusters.

Head, beam and following seas, as steep as young seas are. The logs: its exact odometry, with a current that holds none
of the waves' drift (a meter at rest), one that holds the drift of the surface, which the run's own folder tells, and
the same where only its depth is told (a drifter: --drift-depth 0); and what sensors recorded, in water that is known to
stand still. Each with the estimate of the waves, and without it: `--waves none`, which is how it was before, and the
interval of 95 %.

    python3 bench/wave_errors.py --seeds 5 --first-seed 300
"""

import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept
from wave_logs import STILL, Measured, Sea, measured, odometry_log, run_on_sea, sensors_log

from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_request import drift_of_run

SEAS = ((0.1, 1.5), (0.3, 2.5), (0.5, 3.2))     # Hs, m; Tp, s.
TOWARDS = {'head': 180.0, 'beam': 90.0, 'following': 0.0}  # deg, for a boat that goes east.
SETS = {'GPS 1 Hz, low-cost AHRS': ('m8', 'bno'), 'two-frequency GPS 5 Hz, AHRS': ('f9p', 'mti'),
        'RTK 5 Hz, AHRS': ('rtk', 'mti'), 'GPS 1 Hz, low-cost AHRS, DVL': ('m8', 'bno', 'dvl')}
SENSORS = [{'name': 'm8', 'preset': 'ublox_m8'}, {'name': 'f9p', 'preset': 'ublox_f9p'},
           {'name': 'rtk', 'preset': 'ublox_f9p_rtk'}, {'name': 'bno', 'preset': 'bno055', 'rate': 20},
           {'name': 'mti', 'preset': 'xsens_mti3', 'rate': 20}, {'name': 'dvl', 'preset': 'waterlinked_a50',
                                                                'water_depth': 5.0}]
EXACT, WITH_DRIFT, DRIFTER = ('exact odometry', 'exact odometry, current with the drift that the run tells',
                              'exact odometry, current of a drifter')
WAYS = {'waves seen': True, 'waves left in': False}


def errors_of(folder: Path, sea: Sea, seed: int, sets: bool) -> dict[tuple[str, str], Measured]:
    """Return what each log of a run says beside the truth, by log and by whether waves are looked for."""
    run = run_on_sea(folder, sea, seed, SENSORS if sets else ())
    logs = {EXACT: (odometry_log(run, folder), AnalysisOptions(current=STILL.current))}
    drift = drift_of_run(str(folder / 'run'), None)
    logs[WITH_DRIFT] = (logs[EXACT][0], AnalysisOptions(drift_depth=0.0, drift=drift))
    logs[DRIFTER] = (logs[EXACT][0], AnalysisOptions(drift_depth=0.0))
    for name, sensors in SETS.items() if sets else ():
        logs[name] = (sensors_log(run, sensors, folder), STILL)
    return {(name, way): measured(run, log, options._replace(waves=seen))
            for name, (log, options) in logs.items() for way, seen in WAYS.items()}


def figures_of(found: list[Measured]) -> dict[str, float]:
    """Return mean, least and most error, (-), the share within the interval, and its half width."""
    errors = np.array([one.error for one in found])
    return {'mean_relative': float(errors.mean()), 'least_relative': float(errors.min()),
            'most_relative': float(errors.max()), 'covered_share': float(np.mean([one.covered for one in found])),
            'interval_half_relative': float(np.mean([one.half for one in found])),
            'significant_height_seen_m': float(np.mean([one.height for one in found]))}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--seeds', type=at_least(1), default=5, help='seas of each kind (%(default)s)')
    parser.add_argument('--first-seed', type=at_least(0), default=300)
    parser.add_argument('--exact', action='store_true', help='exact odometry alone, without sensors')
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    every: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    with kept({'first_seed': args.first_seed, 'seas': rows}, args.json) as out, tempfile.TemporaryDirectory() as folder:
        for height, period in SEAS:
            for name, towards in TOWARDS.items():
                found: dict[tuple[str, str], list[Measured]] = defaultdict(list)
                for number in range(args.seeds):
                    for key, one in errors_of(Path(folder), Sea(height, period, towards), args.first_seed + number,
                                              not args.exact).items():
                        found[key].append(one)
                        every[key].append(one)
                for (log, way), some in found.items():
                    rows.append({'significant_height_m': height, 'peak_period_s': period, 'sea': name, 'log': log,
                                 'waves': way, 'seeds': args.seeds, **figures_of(some)})
                    print(f'Hs {height:.1f} m, Tp {period:.1f} s, {name:9s} sea, {log}, {way}: {words(some)}', file=out,
                          flush=True)
        for (log, way), some in every.items():
            print(f'all, {log}, {way}: {words(some)}', file=out)
    return 0


def words(found: list[Measured]) -> str:
    """Return the figures of some logs in words."""
    some = figures_of(found)
    return (f'{100.0 * some["mean_relative"]:+5.1f} % ({100.0 * some["least_relative"]:+.1f} to '
            f'{100.0 * some["most_relative"]:+.1f}), in the interval of {100.0 * some["interval_half_relative"]:.1f} % '
            f'{100.0 * some["covered_share"]:.0f} %')


if __name__ == '__main__':
    sys.exit(ended_by(main))
