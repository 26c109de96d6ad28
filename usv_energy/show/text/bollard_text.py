"""What a bollard pull says, for people and as JSON."""

from collections.abc import Iterator

import numpy as np

from ...boats.boat_file import Boat
from ...files.json_file import without_nan
from ...identify.trials.bollard import BollardPull
from ...sim.record import Summary
from ..text_table import text_table


def bollard_summary(result: BollardPull, boat: Boat) -> Summary:
    """
    Return everything as one dictionary for JSON; units in the keys.

    :param result: What the pull says; `boat`: whose thrusters they are.
    """
    return without_nan({
        'boat': boat.name, 'pull_over_thrust': result.share, 'scatter_n': result.scatter, 'idle_power_w': result.idle,
        'levels': [{'pwm_us': level.pulse, 'readings': level.readings, 'pull_n': level.pull, 'pull_n_std': level.error,
                    'pull_n_interval': [level.low, level.high], 'thrust_of_one_n': level.thrust,
                    'electrical_power_w': level.power} for level in result.levels],
        'warnings': list(_warnings(result))})


def bollard_text(result: BollardPull, boat: Boat) -> str:
    """Return the same for people; arguments as `bollard_summary`."""
    rows = [('PWM, us', 'readings', 'pull, N', '95 %, N', 'thrust of one, N', 'W')]
    for level in result.levels:
        rows.append((f'{level.pulse:.0f}', str(level.readings), f'{level.pull:.2f}',
                     f'{level.low:.2f} to {level.high:.2f}' if np.isfinite(level.low) else '-',
                     f'{level.thrust:.3f}', f'{level.power:.1f}' if np.isfinite(level.power) else '-'))
    count = len(boat.vessel.thrusters)
    head = (f'{count} thruster{"s" if count > 1 else ""} of {boat.name}: the boat pulls {result.share:.4g} times the '
            'thrust of one')
    return '\n'.join([head, '', *text_table(rows, 'r'), *(f'\n{warning}.' for warning in _warnings(result))])


def _warnings(result: BollardPull) -> Iterator[str]:
    if not np.isfinite(result.scatter):
        yield ('No pulse was measured twice: nothing says how far the pulls are to be trusted. Measure each twice or '
               'more')
    if result.pooled:
        shown = ', '.join(f'{pulse:.0f}' for pulse in result.pooled)
        yield f'Pulls fall with the pulse at {shown} us: their mean is taken, since a longer pulse is never less thrust'
    still = [level.pulse for level in result.levels if level.thrust == 0.0]
    after = next((level for level in result.levels if level.thrust > 0.0), None)
    if after is not None and after.thrust > 0.25 * result.levels[-1].thrust:
        yield (f'Between {still[-1]:.0f} us, without pull, and {after.pulse:.0f} us, with {after.pull:.2f} N, nothing '
               'was measured: the curve is a straight line there')
