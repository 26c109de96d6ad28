"""Results of trials (bollard pull, glides, power over speed), as text, figures for JSON and pictures."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.text_file import without_nan
from usv_energy.phrases import compass_words
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, Panels
from usv_energy.show.text_table import shortened, text_table
from usv_energy.sim.record import Summary
from usv_energy.studies.identify.trials.bollard import BollardPull, PullReadings
from usv_energy.studies.identify.trials.coast_down import CoastDown, TrialEstimate, gliding_speed
from usv_energy.studies.identify.trials.speed_power import STRONG, SpeedPowerFit, table_speeds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES = (1.0, 0.75, 0.5, 0.25)  # Shares of the initial speed at which the drag is shown.
TOGETHER = 0.95  # Correlation, (-), above which two numbers can hardly be separated.
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
RUN_COLOURS = (VERMILION, GREEN, PURPLE, ORANGE, SKY)


def bollard_summary(result: BollardPull, boat: Boat) -> Summary:
    """
    Return the result as one dictionary for JSON; units are in the keys.

    :param result: The BollardPull.
    :param boat: The boat of the thrusters.
    """
    return without_nan({
        'boat': boat.name, 'pull_over_thrust': result.share, 'scatter_n': result.scatter, 'idle_power_w': result.idle,
        'levels': [{'pwm_us': level.pulse, 'readings': level.readings, 'pull_n': level.pull, 'pull_n_std': level.error,
                    'pull_n_interval': [level.low, level.high], 'thrust_of_one_n': level.thrust,
                    'electrical_power_w': level.power} for level in result.levels],
        'warnings': list(_bollard_warnings(result))})


def bollard_text(result: BollardPull, boat: Boat) -> str:
    """Return the result as text; parameters as `bollard_summary`."""
    rows = [('PWM, us', 'readings', 'pull, N', '95 %, N', 'thrust of one, N', 'W')]
    for level in result.levels:
        rows.append((f'{level.pulse:.0f}', str(level.readings), f'{level.pull:.2f}',
                     f'{level.low:.2f} to {level.high:.2f}' if np.isfinite(level.low) else '-',
                     f'{level.thrust:.3f}', f'{level.power:.1f}' if np.isfinite(level.power) else '-'))
    count = len(boat.vessel.thrusters)
    head = (f'{count} thruster{"s" if count > 1 else ""} of {boat.name}: the boat pulls {result.share:.4g} times the '
            'thrust of one')
    return '\n'.join([head, '', *text_table(rows, 'r'), *(f'\n{warning}.' for warning in _bollard_warnings(result))])


def _bollard_warnings(result: BollardPull) -> Iterator[str]:
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


def coast_down_summary(result: CoastDown, boat: Boat) -> Summary:
    """
    Return the result as one dictionary for JSON; units are in the keys.

    :param result: The CoastDown.
    :param boat: The boat whose mass and windage were used.
    """
    return without_nan({
        'boat': boat.name, 'glides': [
            {'log': glide.log, 'begin_s': glide.begin, 'duration_s': float(glide.time[-1]),
             'speed_begin_m_s': start, 'speed_end_m_s': float(glide.speed[-1]), 'added_mass_on_board_kg': glide.extra}
            for glide, start in zip(result.glides, result.starts)],
        **_keys('linear_drag_n_s_m', result.linear), **_keys('quadratic_drag_n_s2_m2', result.quadratic),
        'quadratic_drag_of_air_n_s2_m2': result.air,
        **(_keys('mass_and_added_mass_kg', result.mass) if result.mass_found else
           {'mass_and_added_mass_kg': result.mass.value}), 'mass_found': result.mass_found,
        'residual_rms_m_s': result.rms, 'residual_correlation': result.correlation,
        'drag': [{'speed_m_s': speed, **_keys('drag_n', result.drag(speed))} for speed in _speeds(result)],
        'warnings': list(_coast_down_warnings(result, boat))})


def _keys(name: str, estimate: TrialEstimate) -> dict[str, object]:
    return {name: estimate.value, f'{name}_std': estimate.error, f'{name}_interval': [estimate.low, estimate.high]}


def _speeds(result: CoastDown) -> list[float]:
    top = max(result.starts)
    return [share * top for share in SHARES]


def coast_down_text(result: CoastDown, boat: Boat) -> str:
    """Return the result as text; parameters as `coast_down_summary`."""
    rows = [('glide of', 'time, s', 'from, m/s', 'to, m/s', 'added on board, kg')]
    rows += [(shortened(glide.log, 24), f'{glide.begin:.1f} - {glide.begin + glide.time[-1]:.1f}', f'{start:.3f}',
              f'{glide.speed[-1]:.3f}', f'{glide.extra:g}') for glide, start in zip(result.glides, result.starts)]
    drag = [('at, m/s', 'drag, N', '95 %, N', 'W')]
    for speed in _speeds(result):
        at = result.drag(speed)
        drag.append((f'{speed:.2f}', f'{at.value:.2f}', f'{at.low:.2f} to {at.high:.2f}',
                     f'{max(at.value * speed, 0.0):.1f}'))
    mass = _in_words(result.mass, 'kg') if result.mass_found else f'{result.mass.value:.4g} kg, as {boat.name} has it'
    return '\n'.join([
        *text_table(rows, 'lrrrr'), '',
        f'linear drag:     {_in_words(result.linear, "N s/m")}',
        f'quadratic drag:  {_in_words(result.quadratic, "N s^2/m^2")}; the air is {result.air:.3g} of it',
        f'mass and added mass in surge: {mass}',
        f'residuals: {result.rms:.4f} m/s RMS, correlation of neighbours {result.correlation:.2f}', '',
        *text_table(drag, 'rrrr'), *(f'\n{warning}.' for warning in _coast_down_warnings(result, boat))])


def _in_words(estimate: TrialEstimate, unit: str) -> str:
    return f'{estimate.value:.4g} ({estimate.low:.4g} to {estimate.high:.4g}) {unit}'


def _coast_down_warnings(result: CoastDown, boat: Boat) -> Iterator[str]:
    if not result.mass_found:
        yield (f'Drag is in proportion to the mass, which is taken from {boat.name}: {result.mass.value:.4g} kg. '
               'Glides with a known mass more on board tell it (--loaded, --added)')
    spread = np.sqrt(np.diag(result.covariance))
    if spread.all() and abs(result.covariance[0, 1]) > TOGETHER * spread[0] * spread[1]:
        yield ('Linear and quadratic drag can hardly be told apart in these glides; their sum, the drag at the speeds '
               'above, is much better known')
    if len(result.glides) == 1:
        yield 'One glide: a current or wind that was not recorded counts as drag. Glide in both directions'


def speed_power_summary(result: SpeedPowerFit) -> dict[str, Any]:
    """Return the result as one dictionary for JSON; units are in the keys."""
    speeds = np.append(0.0, table_speeds(result))
    power, (low, high) = result.power(speeds), result.band(speeds)
    return without_nan({
        'form': result.curve.name, 'criteria': dict(result.criteria), 'hotel_w': result.hotel,
        'factor_w': result.factor, 'exponent': result.exponent,
        'scatter_percent': 100.0 * result.scatter, 'stretches': int(np.unique(result.blocks.stretch).size),
        'steady_blocks': int(result.blocks.power.size),
        'curve': [{'speed_m_s': float(one), 'power_w': float(watts), 'power_w_interval': [float(least), float(most)]}
                  for one, watts, least, most in zip(speeds, power, low, high)],
        'logs': [{'log': name, 'steady_blocks': int(np.sum(result.blocks.log == number)),
                  'current_east_m_s': float(current[0]) if has_current else math.nan,
                  'current_north_m_s': float(current[1]) if has_current else math.nan,
                  'speed_is': 'through water' if has_current else 'over ground',
                  'power_error_of_the_others_percent': 100.0 * float(error)}
                 for number, (name, current, has_current, error) in enumerate(zip(
                     result.names, result.currents, result.has_current, result.left_out))],
        'warnings': list(_speed_power_warnings(result))})


def speed_power_text(result: SpeedPowerFit) -> str:
    """Return the result as text."""
    speeds = np.append(0.0, table_speeds(result))
    power, (low, high) = result.power(speeds), result.band(speeds)
    curve = [('m/s', 'W', '95 %, W')]
    curve += [(f'{one:.2f}', f'{watts:.1f}', f'{least:.1f} to {most:.1f}')
              for one, watts, least, most in zip(speeds, power, low, high)]
    logs = [('log', 'blocks', 'current, m/s', 'set', 'others say')]
    for number, (name, has_current, error) in enumerate(zip(result.names, result.has_current, result.left_out)):
        east, north = result.currents[number]
        logs.append((shortened(name, 30), str(int(np.sum(result.blocks.log == number))),
                     f'{math.hypot(east, north):.2f}' if has_current else 'over ground',
                     compass_words(math.atan2(north, east)) if has_current else '',
                     '' if math.isnan(error) else f'{100.0 * error:+.1f} % W'))
    return '\n'.join([
        f'{result.curve.formula(result.numbers)}, v in m/s through water; '
        f'{np.unique(result.blocks.stretch).size} steady stretches, scatter {100.0 * result.scatter:.1f} %',
        *_forms(result), '', *text_table(curve, 'rrr'), '', *text_table(logs, 'lrrrr'), *_speed_power_warnings(result)])


def _forms(result: SpeedPowerFit) -> list[str]:
    """Return the line on the form that was taken, and why; nothing if there was no choice."""
    if len(result.criteria) < 2:
        return []
    others = ', '.join(f'{name} {value:+.1f}' for name, value in result.criteria.items())
    return [f"form: {result.curve.name}, the simplest that is within {STRONG:g} of the best by Schwarz's criterion "
            f'({others})']


def _speed_power_warnings(result: SpeedPowerFit) -> Iterator[str]:
    if not result.has_current.all():
        yield ('over ground: a log with one direction does not tell its current; its curve is that of speed over '
               'ground. Go there and back')
    yield 'wind is not taken out: one along a course looks like current, and any wind costs a little in both directions'
    if result.speeds.min() > 0.0:
        yield f'0 m/s is the curve beyond {result.speeds.min():.2f} m/s, the slowest speed that was measured'


def bollard_panels(result: BollardPull, readings: PullReadings) -> Panels:
    """Return pictures of the `pull` over pulse width and, where it was measured, the `power` over pull."""
    mean = np.array([level.pull for level in result.levels])

    def pull(axes: 'Axes') -> None:
        pulse = np.array([level.pulse for level in result.levels])
        low, high = (np.array([getattr(level, end) for level in result.levels]) for end in ('low', 'high'))
        axes.plot(readings.pulse, readings.pull, '.', color=GREY, label='readings')
        axes.plot(pulse, [level.thrust * result.share for level in result.levels], color=BLUE, label='curve')
        if np.isfinite(low).all():
            axes.errorbar(pulse, mean, [mean - low, high - mean], fmt='o', color=VERMILION, markersize=4.0,
                          capsize=3.0, label='mean, 95 %')
        axes.set(title='Bollard pull', xlabel='PWM, us', ylabel='Pull of the boat, N')
        axes.legend(loc='upper left')

    def power(axes: 'Axes') -> None:
        axes.plot(readings.pull, readings.power, '.', color=GREY)
        axes.plot(mean, [level.power for level in result.levels], color=GREEN)
        axes.set(title='Electrical power', xlabel='Pull of the boat, N', ylabel='Power, W')
    if np.isfinite(readings.power).any():
        return Panels({'pull': pull, 'power': power}, 11.0, 4.4)
    return Panels({'pull': pull}, 7.0, 4.4)


def coast_down_panels(result: CoastDown) -> Panels:
    """Return pictures of the `glides`, what the fit leaves of them (`residuals`), and the `drag` over speed."""
    d, q = result.linear.value, result.quadratic.value

    def fitted(number: int) -> np.ndarray:
        glide = result.glides[number]
        mass = result.mass.value + glide.extra
        return gliding_speed(glide.time, result.starts[number], d / mass, q / mass)

    def glides(axes: 'Axes') -> None:
        for number, glide in enumerate(result.glides):
            colour = COLOURS[number % len(COLOURS)]
            label = glide.log + (f', {glide.extra:g} kg added' if glide.extra else '')
            axes.plot(glide.time, glide.speed, '.', color=colour, markersize=3.0, alpha=0.5)
            axes.plot(glide.time, fitted(number), color=colour, label=label if number < len(COLOURS) else None)
        axes.set(title='Glides', xlabel='Time, s', ylabel='Speed through the water, m/s')
        axes.legend(loc='upper right')

    def rest(axes: 'Axes') -> None:
        for number, glide in enumerate(result.glides):
            axes.plot(glide.time, glide.speed - fitted(number), color=COLOURS[number % len(COLOURS)], linewidth=0.8)
        axes.axhline(0.0, color=BLACK, linewidth=0.8)
        axes.set(title='Measured less fitted', xlabel='Time, s', ylabel='Speed, m/s')

    def drag(axes: 'Axes') -> None:
        at = np.linspace(0.0, 1.05 * max(result.starts), 100)
        bands = [result.drag(float(speed)) for speed in at]
        axes.fill_between(at, [one.low for one in bands], [one.high for one in bands], color=BLUE, alpha=0.2,
                          linewidth=0.0, label='95 %')
        axes.plot(at, [one.value for one in bands], color=BLUE, label='drag')
        axes.axvspan(min(float(glide.speed.min()) for glide in result.glides), max(result.starts), color=GREY,
                     alpha=0.1, linewidth=0.0, label='speeds of the glides')
        axes.set(title='Drag', xlabel='Speed, m/s', ylabel='Drag, N')
        axes.legend(loc='upper left')
    return Panels({'glides': glides, 'residuals': rest, 'drag': drag}, 12.0, 4.4)


def speed_power_panels(result: SpeedPowerFit) -> Panels:
    """Return the picture of the `power` over speed."""
    def power(axes: 'Axes') -> None:
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
    return Panels({'power': power}, 8.0, 5.0)
