"""A log as the boat's file says that such logs are to be read: thrusts that are no newtons, a compass that deviates."""

import math
from dataclasses import replace

import numpy as np

from ..boats.boat_file import Boat
from ..boats.log_meaning import LogMeaning
from ..logs.log import INFO, Log, Note
from ..physics.frames import to_earth

THRUST_MEANING, COMPASS_MEANING = 'thrust_of_log', 'compass_of_log'


def as_identified(log: Log, boat: Boat) -> Log:
    """
    Return a log with the thrusts and headings that the boat's file makes of those that it has, and notes of it.

    Thrusts are read so where they are what those of the fit were: the log's own commanded newtons, or made of pulses by
    the boat's file. A log that was read so before is returned as it is.

    :param log: The Log.
    :param boat: The boat, whose file `usv-energy identify` wrote, or says the same.
    """
    meaning = boat.log_meaning
    if meaning is None:
        return log
    done = {note.code for note in log.notes}
    if THRUST_MEANING not in done and _has_such_thrusts(log, boat, meaning, 'thrust_of_pulses' in done):
        log = _with_thrusts(log, boat, meaning)
    if COMPASS_MEANING not in done and any(meaning.compass) and log.known('yaw', 'u', 'v'):
        log = _with_heading(log, boat, meaning)
    return log


def _has_such_thrusts(log: Log, boat: Boat, meaning: LogMeaning, of_pulses: bool) -> bool:
    return (log.known('thrust') and not log.thrust_given and not log.known('revolutions')
            and len(log.thrusters) == len(boat.thruster_names) and of_pulses == meaning.of_pulses)


def _with_thrusts(log: Log, boat: Boat, meaning: LogMeaning) -> Log:
    names = boat.thruster_names
    alike = set(names) == set(log.thrusters)
    order = [log.thrusters.index(name) for name in names] if alike else list(range(len(names)))
    thrust = log.thrust.copy()
    thrust[:, order] = meaning.thrusts(log.thrust[:, order])
    text = f'thrusts are read as {boat.name} says (identification, thrust_of_log): {meaning.scale:.3g} times ' \
           f'the power {meaning.exponent:.3g} of their share of {meaning.ahead:.4g} N ahead, ' \
           f'{meaning.astern:.4g} N astern'
    return replace(log, thrust=thrust).noted(Note(INFO, THRUST_MEANING, text))


def _with_heading(log: Log, boat: Boat, meaning: LogMeaning) -> Log:
    deviation = meaning.deviation(log.yaw)
    c, s = np.cos(deviation), np.sin(deviation)
    u, v = to_earth(log.u, log.v, c, s)
    rates = {}
    if log.known('u_dot', 'v_dot'):
        rates['u_dot'], rates['v_dot'] = to_earth(log.u_dot, log.v_dot, c, s)
    most = math.degrees(float(np.nanmax(np.abs(deviation))))
    return replace(log, yaw=log.yaw - deviation, u=u, v=v, **rates).noted(Note(
        INFO, COMPASS_MEANING, f'headings are put right by the deviation that {boat.name} says (identification, '
        f'compass): up to {most:.1f} degrees'))
