"""The added resistance found from logs, as text, figures for JSON and picture."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.phrases import compass_words
from usv_energy.show.figure import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, Panels
from usv_energy.show.text_table import degrees, shortened, text_table, wrapped_lines
from usv_energy.sim.record import Summary
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.waves.sea_fit import TOLD
from usv_energy.studies.identify.seas.wave_fit import WaveCoefficient, WaveFit
from usv_energy.studies.identify.seas.wave_legs import BLOCK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MUCH = 0.02  # Relative error of the file's drag above which to warn.
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)


def wave_fit_summary(fit: WaveFit, logs: Sequence[AnalysedLog]) -> Summary:
    """
    Return the result as one dictionary for JSON; units are in the keys.

    :param fit: The WaveFit.
    :param logs: The logs, in the order of the fit.
    """
    legs = fit.legs
    return without_nan({
        'boat': logs[0].boat.name,
        'logs': [{'log': log.log.name, **_sea_keys(log), 'blocks': int((legs.log == number).sum()),
                  'residual_rms_n': _rms(fit.residuals[legs.log == number])} for number, log in enumerate(logs)],
        'directions_off_bow_deg': [degrees(one) for one in fit.nodes.directions],
        'peak_periods_s': list(fit.nodes.periods),
        'coefficients': [
            {'off_bow_deg': degrees(direction), 'peak_period_s': period, 'coefficient_n_m2': one.value,
             'coefficient_n_m2_std': one.error, 'coefficient_n_m2_interval': [one.low, one.high]}
            for direction, row in zip(fit.nodes.directions, fit.coefficients)
            for period, one in zip(fit.nodes.periods, row)],
        'covariance_n2_m4': fit.covariance.tolist(), 'drag_over_file': 1.0 + fit.drag,
        'drag_over_file_std': fit.drag_error, 'scatter_calm_n': fit.still, 'scatter_of_wave_force': fit.grouped,
        'scatter_of_largest_wave_force': fit.moved,
        'block_s': BLOCK, 'blocks': [
            {'log': logs[int(number)].log.name, 'begin_s': begin, 'duration_s': duration, 'speed_m_s': speed,
             'off_bow_deg': math.degrees(off) if height > 0.0 else None, 'force_n': force, 'force_over_fit_n': rest}
            for number, begin, duration, speed, off, height, force, rest in zip(
                legs.log, legs.begin, legs.duration, legs.speed, legs.off_bow, legs.height, legs.force,
                fit.residuals)],
        'warnings': list(_warnings(fit, logs))})


def _sea_keys(log: AnalysedLog) -> dict[str, object]:
    if log.waves is None:
        return {'significant_height_m': 0.0, 'sea_from': 'calm'}
    sea = log.waves.sea
    return {'significant_height_m': sea.height, 'peak_period_s': sea.period,
            'wave_direction_deg': degrees(sea.direction), 'sea_from': sea.seen_from}


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values ** 2)))


def wave_fit_text(fit: WaveFit, logs: Sequence[AnalysedLog]) -> str:
    """Return the result as text; parameters as `wave_fit_summary`."""
    legs = fit.legs
    rows = [('log', 'Hs, m', 'Tp, s', 'waves from', 'stretches', 'off the fit, N RMS', 'sea by')]
    for number, log in enumerate(logs):
        own, sea = legs.log == number, None if log.waves is None else log.waves.sea
        state = ('calm', '', '') if sea is None else (
            f'{sea.height:.2f}', f'{sea.period:.1f}', compass_words(sea.direction + math.pi))
        rows.append((shortened(log.log.name, 30), *state, str(int(own.sum())), f'{_rms(fit.residuals[own]):.2f}',
                     '' if sea is None else sea.seen_from))
    table = [('waves from, deg off the bow', *(f'Tp {period:g} s' for period in fit.nodes.periods))]
    table += [(f'{math.degrees(direction):.0f}{_direction_name(direction)}', *map(_coefficient_words, row))
              for direction, row in zip(fit.nodes.directions, fit.coefficients)]
    return '\n'.join([
        *text_table(rows, 'lrrrrrl'), '',
        'added resistance over the square of the significant height, N/m^2 (95 %):', '', *text_table(table, 'lr'), '',
        f"drag in calm water over the file's: {1.0 + fit.drag:.4f} (standard error {fit.drag_error:.4f})",
        *wrapped_lines(f'stretches of {BLOCK:g} s scatter by {fit.still:.2g} N in calm water, and in waves by '
                 f'{100.0 * fit.grouped:.0f} % of their force and {100.0 * fit.moved:.0f} % of that from the direction '
                 'of the largest', '', ''),
        *(line for warning in _warnings(fit, logs) for line in ('', *wrapped_lines(f'{warning}.', '', '')))])


def _direction_name(direction: float) -> str:
    names = {0: ' (head)', 90: ' (beam)', 180: ' (following)'}
    return names.get(round(math.degrees(direction)), '')


def _coefficient_words(one: WaveCoefficient) -> str:
    return f'{one.value:.3g} ({one.low:.3g} to {one.high:.3g})'


def _warnings(fit: WaveFit, logs: Sequence[AnalysedLog]) -> Iterator[str]:
    if abs(fit.drag) > max(MUCH, 2.0 * fit.drag_error):
        yield (f"In calm water the thrusters give {100.0 * fit.drag:+.1f} % of the drag of {logs[0].boat.name}'s file "
               'beyond it: identify the drag first (identify, identify coast-down). What waves take is beyond that')
    still = [log.log.name for log in logs if any(note.code == 'current_assumed_none' for note in log.notes)]
    if still:
        yield (f'Nobody says the current of {", ".join(still)}: a current along a leg counts as waves. Say it by '
               '--current, or how well it is known by --current-error')
    if logs[0].boat.vessel.parts is None and any(
            log.waves is not None and log.waves.sea.seen_from != TOLD for log in logs):
        yield (f'{logs[0].boat.name} has no parts, so it is taken to heave and pitch as the surface under it does: '
               'waves shorter than two lengths of the boat may be seen too low, and their coefficients are then too '
               'large; --sea tells the sea')


def wave_fit_panels(fit: WaveFit) -> Panels:
    """Return pictures of the `coefficients` over the direction of the waves, and the `forces`, measured and fitted."""
    legs, nodes = fit.legs, fit.nodes
    high = legs.height > 0.0
    nearest = np.abs(legs.period[:, None] - np.array(nodes.periods)).argmin(axis=1)
    of_period = [(COLOURS[number % len(COLOURS)], high & (nearest == number)) for number in range(len(nodes.periods))]

    def coefficients(axes: 'Axes') -> None:
        degrees = np.degrees(nodes.directions)
        for number, (period, (colour, own)) in enumerate(zip(nodes.periods, of_period)):
            column = [row[number] for row in fit.coefficients]
            wave = (legs.force - fit.drag * legs.drag)[own] / legs.height[own] ** 2
            axes.plot(np.degrees(legs.off_bow[own]), wave, '.', color=colour, markersize=4.0, alpha=0.5)
            axes.errorbar(degrees + 2.0 * number - len(nodes.periods) + 1.0, [one.value for one in column],
                          [[max(one.value - one.low, 0.0) for one in column],
                           [max(one.high - one.value, 0.0) for one in column]],
                          color=colour, marker='o', capsize=3.0, label=f'Tp {period:g} s, 95 %')
        axes.axhline(0.0, color=BLACK, linewidth=0.8)
        axes.set(title='Added resistance over the height squared', ylabel='N/m^2',
                 xlabel='Waves from, deg off the bow (0 ahead, 180 astern)', xticks=np.arange(0.0, 181.0, 45.0))
        axes.legend()

    def forces(axes: 'Axes') -> None:
        for colour, own in of_period:
            axes.plot(legs.force[own] - fit.residuals[own], legs.force[own], '.', color=colour)
        axes.plot(legs.force[~high] - fit.residuals[~high], legs.force[~high], '.', color=BLACK, label='calm water')
        ends = [float(np.min(legs.force)), float(np.max(legs.force))]
        axes.plot(ends, ends, color=BLACK, linewidth=0.8)
        axes.set(title=f'Stretches ({legs.force.size}): force beyond drag', xlabel='Fitted, N', ylabel='Measured, N')
        if not math.isclose(float(high.mean()), 1.0):
            axes.legend()
    return Panels({'coefficients': coefficients, 'forces': forces}, 12.0, 4.6, 0, (1.6, 1.0))
