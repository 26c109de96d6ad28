"""Pictures of an identification: roll-outs against the data, residuals, parameters with their intervals."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, picture
from usv_energy.studies.identify.rollout.form_choice import squared_errors
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_from
from usv_energy.studies.identify.rollout.tracks import LogTrack, limits_at_rest

QUANTITIES = (('Surge, m/s', BLUE), ('Sway to port, m/s', GREEN), ('Yaw rate, rad/s', VERMILION))
MOST_LOGS = 6       # In one picture of roll-outs.


def plot_identification(result: Identification, folder: Path) -> None:
    """
    Draw an identification: rollouts.png (of more logs rollouts_2.png ..., too), residuals.png and parameters.png.

    :raises OSError: If a picture cannot be written.
    """
    for begin in range(0, len(result.tracks), MOST_LOGS):
        name = 'rollouts.png' if begin == 0 else f'rollouts_{begin // MOST_LOGS + 1}.png'
        _plot_rollouts(result, result.tracks[begin:begin + MOST_LOGS], folder / name)
    _plot_residuals(result, folder / 'residuals.png')
    _plot_parameters(result, folder / 'parameters.png')


def _plot_rollouts(result: Identification, tracks: Sequence[LogTrack], path: Path) -> None:
    """Draw logs with roll-outs end to end over them."""
    horizon, found = result.settings.horizon, result.found
    with picture(path, 14.0, 0.6 + 2.1 * len(tracks)) as figure:
        figure.suptitle(f'Measured (grey) and rolled out for {horizon:g} s at a time from the measured state (colour); '
                        'no current', x=0.01, ha='left', fontweight='bold')
        panels = figure.subplots(len(tracks), 3, squeeze=False)
        for row, track in zip(panels, tracks):
            windows = windows_from(track, horizon, horizon)
            rolled = residuals(windows, found.values, found.model, np.zeros(4)) + windows.measured
            for number, (axes, (_, colour)) in enumerate(zip(row, QUANTITIES)):
                axes.plot(track.time, track.motion[:, 1 + number], color=GREY, linewidth=2.2)
                for start, window in zip(windows.starts, rolled):
                    axes.plot(track.time[start + 1:start + 1 + windows.samples], window[:, number], color=colour,
                              linewidth=1.1)
            row[0].set_ylabel(track.name, fontsize=9)
        for axes, (label, _) in zip(panels[0], QUANTITIES):
            axes.set_title(label)
        for axes in panels[-1]:
            axes.set_xlabel('Time, s')


def _plot_residuals(result: Identification, path: Path) -> None:
    """Draw how the errors grow along a roll-out, and how they are spread at its end."""
    found = result.found
    rows = squared_errors(result.tracks, found.model, found.values, limits_at_rest(result.tracks),
                          result.settings.horizon)
    samples = min(row.squares.shape[1] for row in rows)
    squares = np.concatenate([row.squares[row.moving][:, :samples] for row in rows])
    time = np.linspace(0.0, result.settings.horizon, samples + 1)[1:]
    errors = [residuals(windows, found.values, found.model, flow)
              for windows, flow in zip(found.windows, found.flows) if len(windows.starts)]
    with picture(path, 13.0, 6.4) as figure:
        figure.suptitle('Residuals: roll-out less measurement, under way', x=0.01, ha='left', fontweight='bold')
        above, below = figure.subplots(2, 3)
        for number, (label, colour) in enumerate(QUANTITIES):
            above[number].plot(time, np.sqrt(np.nanmean(squares[:, :, number], axis=0)), color=colour)
            above[number].set(title=label, xlabel='Time in the roll-out, s', ylabel='RMSE')
            above[number].set_ylim(bottom=0.0)
            values = np.concatenate([error[:, :, number][np.isfinite(error[:, :, number])] for error in errors])
            reach = float(np.percentile(np.abs(values), 99.5)) or 1.0
            below[number].hist(np.clip(values, -reach, reach), bins=61, color=colour, alpha=0.8)
            below[number].axvline(0.0, color=BLACK, linewidth=0.8)
            below[number].set(xlabel='Residual of the fit', ylabel='Samples')


def _plot_parameters(result: Identification, path: Path) -> None:
    """
    Draw the parameters with their 95 % intervals and the base boat's values.

    Every number is divided by the larger of its value and its base's, so that all stand on one axis.
    """
    rows = [row for row in result.numbers if row.value or row.prior or row.high]
    rows += [row for row in result.parameters if row.key.split('.')[0] in ('thrust', 'compass')]
    with picture(path, 10.0, 1.4 + 0.34 * len(rows)) as figure:
        axes = figure.subplots()
        axes.set_title('Parameters: 95 % intervals (colour), base boat (cross)')
        for place, row in enumerate(reversed(rows)):
            size = max(abs(row.value), abs(row.prior)) or max(abs(row.low), abs(row.high)) or 1.0
            colour = BLUE if row.determined else ORANGE
            axes.plot([row.low / size, row.high / size], [place, place], color=colour, linewidth=3.0,
                      solid_capstyle='butt')
            axes.plot(row.value / size, place, 'o', color=colour, markersize=5)
            axes.plot(row.prior / size, place, 'x', color=BLACK, markersize=6)
        labels = [f'{row.key} = {row.value:.3g} {row.unit.strip("-")}' for row in reversed(rows)]
        axes.set_yticks(range(len(rows)), labels)
        axes.axvline(0.0, color=GREY, linewidth=0.8)
        axes.set(xlim=(-1.6, 2.2), xlabel='Share of the larger of value and base')
        axes.grid(axis='y', visible=False)
        axes.plot([], [], color=BLUE, linewidth=3.0, label='determined by the data')
        axes.plot([], [], color=ORANGE, linewidth=3.0, label='prior')
        axes.legend(loc='upper left', bbox_to_anchor=(1.01, 1.0))
