"""The picture of a mission's fit: the pack's voltage measured and modelled, and what is left between them."""

from pathlib import Path

from ...identify.cells.mission_fit import PackFit
from ..figure import BLUE, GREY, VERMILION, picture


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
