"""The pictures of an identified cell and of a mission's fit."""

from pathlib import Path

import numpy as np

from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.studies.identify.cells.cell_fit import KNOTS, TABLES, replayed
from usv_energy.studies.identify.cells.cell_identification import CellIdentification, interval
from usv_energy.studies.identify.cells.mission_fit import PackFit

TICKS = (1.0, 10.0, 100.0, 1000.0)  # mOhm
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)


def plot_cell(found: CellIdentification, path: Path) -> None:
    """Draw an identified cell into a PNG. Raises OSError if it cannot be written."""
    cell = found.fit.cell
    with picture(path, 14.0, 4.6) as figure:
        axes = figure.subplots(1, 3, width_ratios=(1.5, 1.0, 1.0))
        for number, run in enumerate(found.recordings.discharges):
            colour, hours = COLOURS[number % len(COLOURS)], run.drawn / 3600.0
            line = '-' if number < len(COLOURS) else '--'
            axes[0].plot(hours, run.voltage, '.', color=colour, markersize=2.5, alpha=0.6)
            axes[0].plot(hours, replayed(run, cell)[0], line, color=colour, linewidth=1.2, label=run.name)
        axes[0].set(title='Discharges: measured (dots) and modelled', xlabel='Charge drawn, Ah', ylabel='Voltage, V')
        axes[0].legend(loc='lower left', fontsize=7)
        axes[1].plot(np.linspace(0.0, 1.0, len(cell.open_circuit)), cell.open_circuit, color=BLUE)
        if found.recordings.at_rest is not None:
            axes[1].plot(*found.recordings.at_rest.T, '.', color=GREY, markersize=3.0)
        axes[1].set(title='Voltage at rest, V', xlabel='State of charge')
        for table, colour in zip(TABLES, COLOURS):
            values = np.array([interval(found.fit, f'{table} {knot:g}') for knot in KNOTS]).T * 1e3
            axes[2].plot(KNOTS, values[0], 'o-', color=colour, markersize=4.0, label=table.replace('_', ' '))
            axes[2].fill_between(KNOTS, np.maximum(values[1], 0.1), np.minimum(values[2], 1e4), color=colour,
                                 alpha=0.12)
        axes[2].set(title='Resistances at 25 degC, mOhm', xlabel='State of charge', yscale='log', ylim=(0.5, 2e3))
        axes[2].set_yticks(TICKS, [f'{tick:g}' for tick in TICKS])
        axes[2].minorticks_off()
        axes[2].legend(loc='upper right', fontsize=8)



def plot_pack(found: PackFit, path: Path) -> None:
    """Draw a mission's voltage into a PNG. Raises OSError if it cannot be written."""
    course = found.course
    minutes = course.time / 60.0
    with picture(path, 9.0, 5.4) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2.2, 1.0))
        above.plot(minutes, course.measured, '.', color=GREY, markersize=2.5, label='measured')
        above.plot(minutes, course.modelled, color=BLUE, linewidth=1.2, label='found')
        above.set(title=f'Voltage of the battery, V: {Path(course.name).name}')
        above.legend(loc='lower left')
        below.plot(minutes, 1e3 * (course.measured - course.modelled), color=VERMILION, linewidth=0.8)
        below.set(title='Measured less found, mV', xlabel='Time, min')
