"""The track of a run as a CSV: one line a sample, units in the column names."""

from pathlib import Path

from ..files.whole_file import write_text
from .record import Run
from .track_figures import track_of

COLUMNS = ('time_s', 'x_m', 'y_m', 'leg', 'path_deviation_m', 'speed_over_ground_m_s', 'speed_through_water_m_s')
CLEARANCE = 'clearance_m'  # Of the nearest obstacle, 0 where the hull touches it; of runs among obstacles only.


def has_track_file(run: Run) -> bool:
    """Return whether a run's track is written: where it has several legs, or obstacles."""
    return len(run.scenario.waypoints) > 1 or bool(run.scenario.obstacles)


def write_track(run: Run, path: Path) -> None:
    """Write the track of a run, whole or not at all (OSError); legs are counted from 1, as in tables."""
    track = track_of(run)
    columns = [track.time, track.x, track.y, track.leg + 1, track.deviation, track.over_ground, track.through_water]
    names = [*COLUMNS]
    if run.scenario.obstacles:
        columns.append(track.least_clearance)
        names.append(CLEARANCE)
    lines = [','.join(map(repr, row)) for row in zip(*(column.tolist() for column in columns))]
    write_text('\n'.join([','.join(names), *lines, '']), path)
