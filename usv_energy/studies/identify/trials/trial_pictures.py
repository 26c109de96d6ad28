"""The pictures of trials: bollard pull, glides, power over speed."""

from pathlib import Path

import numpy as np

from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.studies.identify.trials.bollard import BollardPull, PullReadings
from usv_energy.studies.identify.trials.coast_down import CoastDown, gliding_speed
from usv_energy.studies.identify.trials.speed_power import SpeedPowerFit

COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)

RUN_COLOURS = (VERMILION, GREEN, PURPLE, ORANGE, SKY)


def plot_bollard(result: BollardPull, readings: PullReadings, path: Path) -> None:
    """
    Draw a bollard pull into a PNG.

    :param result: What it says; `readings`: what was measured.
    :raises OSError: If it cannot be written.
    """
    watts = bool(np.isfinite(readings.power).any())
    with picture(path, 11.0 if watts else 7.0, 4.4) as figure:
        axes = figure.subplots(1, 2 if watts else 1, squeeze=False)[0]
        pulse = np.array([level.pulse for level in result.levels])
        mean = np.array([level.pull for level in result.levels])
        low, high = (np.array([getattr(level, end) for level in result.levels]) for end in ('low', 'high'))
        axes[0].plot(readings.pulse, readings.pull, '.', color=GREY, label='readings')
        axes[0].plot(pulse, [level.thrust * result.share for level in result.levels], color=BLUE, label='curve')
        if np.isfinite(low).all():
            axes[0].errorbar(pulse, mean, [mean - low, high - mean], fmt='o', color=VERMILION, markersize=4.0,
                             capsize=3.0, label='mean, 95 %')
        axes[0].set(title='Bollard pull', xlabel='PWM, us', ylabel='Pull of the boat, N')
        axes[0].legend(loc='upper left')
        if watts:
            axes[1].plot(readings.pull, readings.power, '.', color=GREY)
            axes[1].plot(mean, [level.power for level in result.levels], color=GREEN)
            axes[1].set(title='Electrical power', xlabel='Pull of the boat, N', ylabel='Power, W')


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
            own, colour = result.blocks.log == number, RUN_COLOURS[number % len(RUN_COLOURS)]
            ground = np.hypot(result.blocks.vx[own], result.blocks.vy[own])
            axes.plot(ground, result.blocks.power[own], '.', color=GREY, markersize=3.0,
                      label='over ground' if number == 0 else None)
            axes.plot(result.speeds[own], result.blocks.power[own], '.', color=colour, markersize=5.0,
                      label=name if number < len(RUN_COLOURS) else None)
        axes.axvline(float(result.speeds.min()), color=BLACK, linewidth=0.6, linestyle=':')
        axes.set(title='Electrical power over speed', xlabel='Speed through the water, m/s', ylabel='Power, W',
                 xlim=(0.0, None), ylim=(0.0, 1.05 * max(float(high.max()), float(result.blocks.power.max()))))
        axes.legend(loc='upper left')
