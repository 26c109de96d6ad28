"""The picture of a bollard pull: readings, the curve with its intervals, and the watts where they were measured."""

from pathlib import Path

import numpy as np

from ...identify.trials.bollard import BollardPull
from ...identify.trials.pull_readings import PullReadings
from ..figure import BLUE, GREEN, GREY, VERMILION, picture


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
