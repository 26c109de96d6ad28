"""The picture of power over speed: what was measured, over ground and through water, and the curve with its band."""

from pathlib import Path

import numpy as np

from ...identify.trials.speed_power import SpeedPowerFit
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture

COLOURS = (VERMILION, GREEN, PURPLE, ORANGE, SKY)


def plot_speed_power(result: SpeedPowerFit, path: Path) -> None:
    """
    Draw a curve of power over speed into a PNG.

    :param result: The curve, and what it is fitted to.
    :raises OSError: If it cannot be written.
    """
    with picture(path, 8.0, 5.0) as figure:
        axes = figure.subplots()
        at = np.linspace(0.0, float(result.speeds.max()) * 1.03, 120)
        low, high = result.band(at)
        axes.fill_between(at, low, high, color=BLUE, alpha=0.2, linewidth=0.0, label='95 %')
        axes.plot(at, result.power(at), color=BLUE, label='power')
        for number, name in enumerate(result.names):
            own, colour = result.blocks.log == number, COLOURS[number % len(COLOURS)]
            ground = np.hypot(result.blocks.vx[own], result.blocks.vy[own])
            axes.plot(ground, result.blocks.power[own], '.', color=GREY, markersize=3.0,
                      label='over ground' if number == 0 else None)
            axes.plot(result.speeds[own], result.blocks.power[own], '.', color=colour, markersize=5.0,
                      label=name if number < len(COLOURS) else None)
        axes.axvline(float(result.speeds.min()), color=BLACK, linewidth=0.6, linestyle=':')
        axes.set(title='Electrical power over speed', xlabel='Speed through the water, m/s', ylabel='Power, W',
                 xlim=(0.0, None), ylim=(0.0, 1.05 * max(float(high.max()), float(result.blocks.power.max()))))
        axes.legend(loc='upper left')
