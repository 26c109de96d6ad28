"""The commands of the two throttles among an ArduPilot vehicle's outputs, by the parameters that say where they are."""

import math
import re
from collections.abc import Mapping

import numpy as np

from .assemble import ThrusterSeries
from .log import INFO, WARNING, Note
from .resample import held

LEFT, RIGHT, THROTTLE = 73, 74, 70  # SERVOn_FUNCTION: ThrottleLeft, ThrottleRight, Throttle
USUAL = {'left': 1, 'right': 3}  # Channels of Rover's skid steering where the file has no parameters.
NEUTRAL = 1500.0  # us: SERVOn_TRIM where the file does not say it.


def throttles(time: np.ndarray, stamps: np.ndarray, outputs: Mapping[int, np.ndarray],
              parameters: Mapping[str, float], notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    """
    Return the commands of the left and the right throttle, more being ahead; none where there are not two.

    :param time: Wanted, s, shape (n,).
    :param stamps: Of the outputs, s, rising, shape (m,).
    :param outputs: Pulse widths by channel, from 1 on, us, shape (m,) each; 0 where there was none.
    :param parameters: By their names: SERVOn_FUNCTION, _TRIM, _REVERSED.
    :param notes: What is assumed is added to these.
    """
    functions = {int(value): int(name[5:-9]) for name, value in parameters.items()
                 if re.fullmatch(r'SERVO[0-9]+_FUNCTION', name) and math.isfinite(value)}
    if LEFT in functions and RIGHT in functions:
        channels = {'left': functions[LEFT], 'right': functions[RIGHT]}
    else:
        if THROTTLE in functions:
            notes.append(Note(INFO, 'one_throttle', f'the parameters name one throttle (SERVO{functions[THROTTLE]}_'
                              f'FUNCTION {THROTTLE}), none on the left and right (73 and 74): no commands are read'))
            return ()
        channels = USUAL
        notes.append(Note(WARNING, 'channels_assumed', 'no parameter says which outputs are the throttles '
                          '(SERVOn_FUNCTION 73 and 74): channels 1 and 3 are taken for left and right'))
    found = []
    for name, channel in channels.items():
        if channel not in outputs:
            return ()
        neutral = parameters.get(f'SERVO{channel}_TRIM', NEUTRAL)
        command = held(time, stamps, outputs[channel])
        mirrored = bool(parameters.get(f'SERVO{channel}_REVERSED', 0.0))
        if mirrored:
            command = np.where(command > 0.0, 2.0 * neutral - command, np.nan)
        found.append(ThrusterSeries(name, None, np.where(command > 0.0, command, np.nan), neutral, mirrored))
    return tuple(found)
