"""From commands in pulses to thrusts, where the boat's file says what a pulse gives."""

from dataclasses import replace

import numpy as np

from ..boats.boat_file import Boat
from ..thrusters.pulse_curve import PulseCurve
from .log import INFO, WARNING, Log, Note

BEYOND = 0.01  # Share of the samples outside a curve from which on it is said.


def with_thrust_of_pulses(log: Log, boat: Boat) -> Log:
    """
    Return a log with the thrusts at standstill that its commands give by the boat's file, N, and a note of it.

    The log is returned as it is where it has thrusts, or no commands, or where the boat's file does not say what a
    pulse gives of each of its thrusters.

    :param log: With commands, us; its thrusters are matched with the boat's by name, or else in order.
    :param boat: The boat.
    """
    curves = _curves(log, boat)
    if log.known('thrust') or not log.known('command') or not curves:
        return log
    columns = [(_pulse(pulse, neutral, mirrored, curve), curve)
               for pulse, neutral, mirrored, curve in zip(log.command.T, log.neutral, log.mirrored, curves)]
    thrust = np.column_stack([curve.thrust(pulse) for pulse, curve in columns])
    sources = '; '.join(dict.fromkeys(curve.source for curve in curves))
    notes = [Note(INFO, 'thrust_of_pulses', f'thrusts are those that the pulses give at standstill by {boat.name}: '
                  f'{sources}')]
    outside = {name: float(np.mean(~curve.knows(pulse[np.isfinite(pulse)])))
               for name, (pulse, curve) in zip(log.thrusters, columns) if np.isfinite(pulse).any()}
    if max(outside.values(), default=0.0) > BEYOND:
        shown = ', '.join(f'{name} {100.0 * share:.0f} %' for name, share in outside.items() if share > BEYOND)
        notes.append(Note(WARNING, 'pulses_beyond_curve', f'pulses lie beyond what {boat.name} says of its thrusters, '
                          f'and count as the end of its curve: {shown} of the samples',
                          {f'{name}_share': share for name, share in outside.items()}))
    for name, neutral, curve in zip(log.thrusters, log.neutral, curves):
        low, high = curve.dead_band
        if not low <= neutral <= high and np.isfinite(neutral):
            notes.append(Note(WARNING, 'neutral_drives', f'the neutral of {name}, {neutral:g} us, gives '
                              f'{curve.thrust(neutral):.2f} N by {boat.name}, whose dead band is {low:.0f} to '
                              f'{high:.0f} us'))
    return replace(log, thrust=thrust).noted(*notes)


def _pulse(command: np.ndarray, neutral: float, mirrored: bool, curve: PulseCurve) -> np.ndarray:
    """
    Return the pulses that the curve is read at, us, (n,).

    A thruster mounted the other way is mirrored about the middle of its own dead band, whatever the log calls neutral.
    """
    if not mirrored or not np.isfinite(neutral):
        return command
    return np.asarray(command - 2.0 * neutral + sum(curve.dead_band))


def _curves(log: Log, boat: Boat) -> list[PulseCurve]:
    """Return the curve of each of a log's thrusters; none where one has no curve, or the boat others."""
    names = boat.thruster_names
    if len(log.thrusters) != len(names):
        return []
    order = [names.index(name) for name in log.thrusters] if set(names) == set(log.thrusters) else range(len(names))
    curves = [curve for number in order if (curve := boat.pulse_curves[number]) is not None]
    return curves if len(curves) == len(names) else []
