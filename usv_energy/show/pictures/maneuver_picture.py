"""The picture of a maneuver: the force ahead and, of a boat that moves, its speed, or of a tied one its power."""

from pathlib import Path

import numpy as np

from ...boats.boat_file import Boat
from ...sim.maneuver import Maneuver, ManeuverRun
from ...sim.tied_boat import knows_bollard_power
from ..figure import BLUE, GREEN, GREY, VERMILION, picture


def plot_maneuver(maneuver: Maneuver, run: ManeuverRun, boat: Boat, path: Path) -> None:
    """
    Draw a maneuver into a PNG.

    :param maneuver: What was run; `run`: what came of it.
    :param boat: The boat.
    :raises OSError: If it cannot be written.
    """
    time = np.array([row.time for row in run.rows])
    with picture(path, 9.0, 6.0) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.plot(time, run.ahead, color=VERMILION)
        upper.set(title=f'{maneuver.title}; {boat.name}', ylabel='Pull, N' if maneuver.tied else 'Thrust ahead, N')
        if not maneuver.tied:
            speed = np.hypot([row.motion.u for row in run.rows], [row.motion.v for row in run.rows])
            lower.plot(time, speed, color=BLUE)
            lower.set(ylabel='Speed, m/s')
        elif knows_bollard_power(boat.vessel):
            lower.plot(time, [row.power.total for row in run.rows], color=GREEN)
            lower.set(ylabel='Electrical power, W')
        else:
            lower.text(0.5, 0.5, 'what the boat draws while tied is not known', transform=lower.transAxes,
                       ha='center', color=GREY)
        lower.set(xlabel='Time, s')
        top = max(run.ahead, default=0.0)
        for number in sorted(set(run.step)):
            begin = time[run.step.index(number)]
            upper.text(begin, 1.04 * top, f' {maneuver.steps[number].words}', color=GREY, fontsize=9.0, va='bottom')
            for axes in (upper, lower):
                axes.axvline(begin, color=GREY, linewidth=0.6, linestyle=':')
        upper.set_ylim(min(0.0, min(run.ahead, default=0.0)), 1.2 * top if top > 0.0 else None)
