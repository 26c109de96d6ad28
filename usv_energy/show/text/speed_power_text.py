"""What logs say of power over speed, for people and as JSON."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...files.json_file import without_nan
from ...identify.trials.speed_power import SpeedPowerFit
from ...identify.trials.speed_power_boat import table_speeds
from ..text_table import shortened, text_table


def speed_power_summary(result: SpeedPowerFit) -> dict[str, Any]:
    """Return everything as one dictionary for JSON; units in the keys."""
    speeds = np.append(0.0, table_speeds(result))
    power, (low, high) = result.power(speeds), result.band(speeds)
    found: dict[str, Any] = without_nan({
        'hotel_w': result.hotel, 'factor_w': result.factor, 'exponent': result.exponent,
        'scatter_percent': 100.0 * result.scatter, 'stretches': int(np.unique(result.blocks.stretch).size),
        'steady_blocks': int(result.blocks.power.size),
        'curve': [{'speed_m_s': float(one), 'power_w': float(watts), 'power_w_interval': [float(least), float(most)]}
                  for one, watts, least, most in zip(speeds, power, low, high)],
        'logs': [{'log': name, 'steady_blocks': int(np.sum(result.blocks.log == number)),
                  'current_east_m_s': float(current[0]) if told else math.nan,
                  'current_north_m_s': float(current[1]) if told else math.nan,
                  'speed_is': 'through water' if told else 'over ground',
                  'power_error_of_the_others_percent': 100.0 * float(error)}
                 for number, (name, current, told, error) in enumerate(zip(result.names, result.currents, result.told,
                                                                           result.left_out))],
        'warnings': list(_warnings(result))})
    return found


def speed_power_text(result: SpeedPowerFit) -> str:
    """Return the same for people."""
    speeds = np.append(0.0, table_speeds(result))
    power, (low, high) = result.power(speeds), result.band(speeds)
    curve = [('m/s', 'W', '95 %, W')]
    curve += [(f'{one:.2f}', f'{watts:.1f}', f'{least:.1f} to {most:.1f}')
              for one, watts, least, most in zip(speeds, power, low, high)]
    logs = [('log', 'blocks', 'current, m/s', 'to, deg', 'others say')]
    for number, (name, told, error) in enumerate(zip(result.names, result.told, result.left_out)):
        east, north = result.currents[number]
        logs.append((shortened(name, 30), str(int(np.sum(result.blocks.log == number))),
                     f'{math.hypot(east, north):.2f}' if told else 'over ground',
                     f'{math.degrees(math.atan2(north, east)):.0f}' if told else '',
                     '' if math.isnan(error) else f'{100.0 * error:+.1f} % W'))
    return '\n'.join([
        f'{result.hotel:.4g} + {result.factor:.4g} v^{result.exponent:.3f} W, v in m/s through water; '
        f'{np.unique(result.blocks.stretch).size} steady stretches, scatter {100.0 * result.scatter:.1f} %', '',
        *text_table(curve, 'rrr'), '', *text_table(logs, 'lrrrr'), *_warnings(result)])


def _warnings(result: SpeedPowerFit) -> Iterator[str]:
    if not result.told.all():
        yield ('over ground: a log with one direction does not tell its current; its curve is that of speed over '
               'ground. Go there and back')
    yield 'wind is not taken out: one along a course looks like current, and any wind costs a little in both directions'
    if result.speeds.min() > 0.0:
        yield f'0 m/s is the curve beyond {result.speeds.min():.2f} m/s, the slowest speed that was measured'
