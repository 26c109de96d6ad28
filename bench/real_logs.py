"""
Energies of recorded logs, by the motion as recorded, as estimated, and in the current that the thrusts show.

Beside them stands the work of the logs' own thrusts, each at its own speed and none of it negative.

    python3 bench/real_logs.py --boat my_boat.yaml --columns my_columns.yaml LOG...
"""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from own_command import ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log
from usv_energy.show.text_table import fixed, percent, text_table
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.current_estimate import estimate_current
from usv_energy.studies.analyze.current.flow_along_log import ALLOCATED, AnalysisOptions
from usv_energy.studies.analyze.log_report import log_report

GROUPS = ['', '', 'energy, J', '', '', '', 'against the thrusters', '', '', 'side force', '']
HEAD = ['log', 'time, s', 'recorded', 'estimated', '95 %', 'thrusters', 'recorded', 'estimated', 'in current',
        'estimated', 'in current']


def main() -> int:
    """Print a row for each log, and all of them together; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('logs', nargs='+', metavar='LOG')
    parser.add_argument('--boat', required=True, help='name or YAML file of the boat')
    parser.add_argument('--columns', help='column map of the logs')
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with kept({'logs': rows}, args.json) as out:
        for path in args.logs:
            rows.append(figures_of(path, args.boat, args.columns))
        sums = {key: sum(row[key] for row in rows) for key in rows[0] if key.endswith(('_j', '_s'))}
        rows.append({'name': 'all', **sums})
        print('\n'.join(text_table([HEAD, *map(cells_of, rows)], 'lr', GROUPS)), file=out)
    return 0


def figures_of(path: str, boat_name: str, columns: str | None) -> dict[str, Any]:
    """Return the energies of a log, J: recorded motion, estimated motion, work of its thrusts, side force."""
    boat, log = read_boat(boat_name), read_log(path, columns)
    # Losses and hotel load are none of the thrusters' mechanical work.
    boat = replace(boat, vessel=boat.vessel._replace(
        static_load=0.0, losses=boat.vessel.losses._replace(efficiency=1.0, mapped=0.0)))
    recorded = analysed_log(log, boat, AnalysisOptions(motion='recorded', actuators=ALLOCATED))
    report = log_report(analysed_log(log, boat, AnalysisOptions(actuators=ALLOCATED)))
    energy, interval = report.analysed.energy, report.interval
    found = estimate_current(log, boat, AnalysisOptions(), math.inf)
    there = log_report(analysed_log(replace(log, current_x=found.x, current_y=found.y), boat,
                                    AnalysisOptions(find_flow=False, actuators=ALLOCATED)))
    return {'name': log.name, 'duration_s': energy.duration, 'recorded_j': recorded.energy.total,
            'estimated_j': energy.total, 'low_j': interval.low if interval else energy.total,
            'high_j': interval.high if interval else energy.total, 'thruster_j': report.thruster_energy,
            'side_force_j': energy.side_force, 'in_current_j': there.analysed.energy.total,
            'in_current_thruster_j': there.thruster_energy, 'in_current_side_force_j': there.analysed.energy.side_force}


def cells_of(row: dict[str, Any]) -> list[str]:
    """Return a row of the table; shares are against the work of the thrusters."""
    work = row['thruster_j']
    return [row['name'], fixed(row['duration_s'], 0), fixed(row['recorded_j'], 0), fixed(row['estimated_j'], 0),
            f'{row["low_j"]:.0f} to {row["high_j"]:.0f}', fixed(work, 0), percent(row['recorded_j'] / work - 1.0, 1),
            percent(row['estimated_j'] / work - 1.0, 1),
            percent(row['in_current_j'] / row['in_current_thruster_j'] - 1.0, 1),
            percent(row['side_force_j'] / row['estimated_j'], 1),
            percent(row['in_current_side_force_j'] / row['in_current_j'], 1)]


if __name__ == '__main__':
    sys.exit(ended_by(main))
