"""The picture of added resistance: what blocks show over the direction of the waves, and the coefficients."""

import math
from pathlib import Path

import numpy as np

from usv_energy.show.figure import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.studies.identify.seas.wave_fit import WaveFit

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)


def plot_wave_fit(fit: WaveFit, path: Path) -> None:
    """
    Draw what logs say of added resistance into a PNG.

    :param fit: What they say.
    :raises OSError: If it cannot be written.
    """
    legs, nodes = fit.legs, fit.nodes
    degrees = np.degrees(nodes.directions)
    high = legs.height > 0.0
    nearest = np.abs(legs.period[:, None] - np.array(nodes.periods)).argmin(axis=1)
    with picture(path, 12.0, 4.6) as figure:
        over_bow, beside = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
        for number, period in enumerate(nodes.periods):
            colour, own = COLOURS[number % len(COLOURS)], high & (nearest == number)
            column = [row[number] for row in fit.coefficients]
            wave = (legs.force - fit.drag * legs.drag)[own] / legs.height[own] ** 2
            over_bow.plot(np.degrees(legs.off_bow[own]), wave, '.', color=colour, markersize=4.0, alpha=0.5)
            over_bow.errorbar(degrees + 2.0 * number - len(nodes.periods) + 1.0, [one.value for one in column],
                              [[max(one.value - one.low, 0.0) for one in column],
                               [max(one.high - one.value, 0.0) for one in column]],
                              color=colour, marker='o', capsize=3.0, label=f'Tp {period:g} s, 95 %')
            beside.plot(legs.force[own] - fit.residuals[own], legs.force[own], '.', color=colour)
        over_bow.axhline(0.0, color=BLACK, linewidth=0.8)
        over_bow.set(title='Added resistance over the height squared', ylabel='N/m^2',
                     xlabel='Waves from, deg off the bow (0 ahead, 180 astern)',
                     xticks=np.arange(0.0, 181.0, 45.0))
        over_bow.legend()
        beside.plot(legs.force[~high] - fit.residuals[~high], legs.force[~high], '.', color=BLACK, label='calm water')
        ends = [float(np.min(legs.force)), float(np.max(legs.force))]
        beside.plot(ends, ends, color=BLACK, linewidth=0.8)
        beside.set(title=f'Stretches ({legs.force.size}): force beyond drag', xlabel='Fitted, N', ylabel='Measured, N')
        if not math.isclose(float(high.mean()), 1.0):
            beside.legend()
