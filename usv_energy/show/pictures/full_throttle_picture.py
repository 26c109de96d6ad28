"""The picture of a boat at full throttle on cells: thrust, top speed and power over charge, beside the sheets."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from ...planning.full_throttle import FullThrottle, SheetPoint
from ..figure import BLUE, GREY, VERMILION, picture

PANELS = (('bollard', 'Thrust at standstill, N'), ('speed', 'Top speed, m/s'), ('power', 'Power at top speed, W'))


def plot_full_throttle(name: str, found: FullThrottle, sheets: tuple[SheetPoint, ...], path: Path) -> None:
    """
    Draw a boat's discharge at full throttle into a PNG. Raises OSError if it cannot be written.

    :param name: Of the boat.
    :param found: The discharge.
    :param sheets: What it does at the voltages of the thrusters' sheets, at the charge at which the pack has them.
    """
    with picture(path, 11.4, 4.0) as figure:
        figure.suptitle(f'{name} at full throttle, its thrusters at the voltage under load', x=0.012, ha='left',
                        fontsize=11, fontweight='bold')
        axes = figure.subplots(1, 3)
        for axis, (quantity, title) in zip(axes, PANELS):
            axis.plot(100.0 * found.charge, getattr(found, quantity), color=BLUE, label='on its cells')
            _draw_sheets(axis, quantity, sheets)
            axis.set(title=title, xlabel='Charge, %', xlim=(102.0, -2.0))
            most = [*getattr(found, quantity), *(getattr(point, quantity) for point in sheets)]
            axis.set_ylim(0.0, 1.12 * float(np.max(most)))
        beside = axes[0].twinx()
        beside.plot(100.0 * found.charge, found.voltage, color=GREY, linestyle=':', linewidth=1.4)
        beside.set_ylabel('Voltage under load, V (dotted)', color=GREY)
        beside.grid(False)
        beside.spines['right'].set_visible(True)
        axes[1].legend(loc='lower left')


def _draw_sheets(axis: Any, quantity: str, sheets: tuple[SheetPoint, ...]) -> None:
    for number, point in enumerate(sheets):
        value = getattr(point, quantity)
        axis.axhline(value, color=VERMILION, linestyle='--', linewidth=1.0,
                     label="by the maker's sheets" if not number else None)
        axis.annotate(f'{point.voltage:g} V', (100.0, value), xytext=(2, 3), textcoords='offset points',
                      color=VERMILION, fontsize=9)
        if math.isfinite(point.charge):
            axis.plot([100.0 * point.charge], [value], 'o', color=VERMILION, markersize=7, zorder=3)
