"""The picture of glides: speeds as measured and as fitted, what is left over, and the drag over the speed."""

from pathlib import Path

import numpy as np

from ...identify.trials.coast_down import CoastDown, gliding_speed
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)


def plot_coast_down(result: CoastDown, path: Path) -> None:
    """
    Draw what glides say into a PNG.

    :param result: What they say.
    :raises OSError: If it cannot be written.
    """
    d, q = result.linear.value, result.quadratic.value
    with picture(path, 12.0, 4.4) as figure:
        speeds, rest, drag = figure.subplots(1, 3)
        for number, (glide, start) in enumerate(zip(result.glides, result.starts)):
            colour, mass = COLOURS[number % len(COLOURS)], result.mass.value + glide.extra
            fitted = gliding_speed(glide.time, start, d / mass, q / mass)
            label = glide.log + (f', {glide.extra:g} kg added' if glide.extra else '')
            speeds.plot(glide.time, glide.speed, '.', color=colour, markersize=3.0, alpha=0.5)
            speeds.plot(glide.time, fitted, color=colour, label=label if number < len(COLOURS) else None)
            rest.plot(glide.time, glide.speed - fitted, color=colour, linewidth=0.8)
        speeds.set(title='Glides', xlabel='Time, s', ylabel='Speed through the water, m/s')
        speeds.legend(loc='upper right')
        rest.axhline(0.0, color=BLACK, linewidth=0.8)
        rest.set(title='Measured less fitted', xlabel='Time, s', ylabel='Speed, m/s')
        at = np.linspace(0.0, 1.05 * max(result.starts), 100)
        bands = [result.drag(float(speed)) for speed in at]
        drag.fill_between(at, [one.low for one in bands], [one.high for one in bands], color=BLUE, alpha=0.2,
                          linewidth=0.0, label='95 %')
        drag.plot(at, [one.value for one in bands], color=BLUE, label='drag')
        drag.axvspan(min(float(glide.speed.min()) for glide in result.glides), max(result.starts), color=GREY,
                     alpha=0.1, linewidth=0.0, label='speeds of the glides')
        drag.set(title='Drag', xlabel='Speed, m/s', ylabel='Drag, N')
        drag.legend(loc='upper left')
