"""What each step of a maneuver came to: thrust, speed, distance and power, and whether the boat had settled."""

from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from .maneuver import Maneuver, ManeuverRun
from .tied_boat import knows_bollard_power

SETTLING = 5.0     # s: over the end of a step in which a speed that rests changes by less than
SETTLED = 0.005    # this share of it, (-).
DRIVEN = 1e-9      # N


class StepFigures(NamedTuple):
    """
    What a step of a maneuver came to.

    `words`: what was asked for; `pulses`: the same as pulse widths, us, None where it was no pulse; `begin`, `end`: s;
    `ahead`: the actuators' force on the hull ahead at its end, N, which is the pull of a tied boat; `speed_begin`,
    `speed_end`: over ground, m/s; `settled`: whether the speed, or the pull of a tied boat, rested at the end;
    `distance`: m; `power`: electrical at its end, W, NaN where the boat's file does not say what a tied boat draws.
    """

    words: str
    pulses: tuple[float, ...] | None
    begin: float
    end: float
    ahead: float
    speed_begin: float
    speed_end: float
    settled: bool
    distance: float
    power: float


def step_figures(maneuver: Maneuver, run: ManeuverRun, boat: Boat) -> list[StepFigures]:
    """
    Return the figures of each step.

    :param maneuver: What was run; `run`: what came of it.
    :param boat: Of the power model.
    """
    time = np.array([row.time for row in run.rows])
    speed = np.hypot([row.motion.u for row in run.rows], [row.motion.v for row in run.rows])
    place = np.array([(row.x, row.y) for row in run.rows])
    ahead, step = np.array(run.ahead), np.array(run.step)
    known = not maneuver.tied or knows_bollard_power(boat.vessel)
    found = []
    for number, one in enumerate(maneuver.steps):
        own = np.flatnonzero(step == number)
        if not len(own):
            continue
        first, last = int(own[0]), int(own[-1])
        late = own[time[own] >= time[last] - min(SETTLING, 0.25 * (time[last] - time[first]))]
        resting = ahead if maneuver.tied else speed
        rests = float(np.ptp(resting[late])) <= SETTLED * max(abs(float(resting[last])), DRIVEN)
        path = place[first:last + 1]
        found.append(StepFigures(
            one.words, one.values if one.kind == 'pwm' else None, float(time[first]), float(time[first]) + one.duration,
            float(ahead[last]), float(speed[first]), float(speed[last]), rests,
            float(np.hypot(*np.diff(path, axis=0).T).sum()), run.rows[last].power.total if known else float('nan')))
    return found
