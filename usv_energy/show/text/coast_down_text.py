"""What glides say of drag and mass, for people and as JSON."""

from collections.abc import Iterator

import numpy as np

from ...boats.boat_file import Boat
from ...files.json_file import without_nan
from ...identify.trials.coast_down import CoastDown, TrialEstimate
from ...sim.record import Summary
from ..text_table import shortened, text_table

SHARES = (1.0, 0.75, 0.5, 0.25)  # Of the speed at the beginning, at which the drag is shown.
TOGETHER = 0.95                  # Correlation, (-), from which two numbers can hardly be told apart.


def coast_down_summary(result: CoastDown, boat: Boat) -> Summary:
    """
    Return everything as one dictionary for JSON; units in the keys.

    :param result: What the glides say; `boat`: whose mass and windage were taken.
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
        'residual_rms_m_s': result.rms, 'residual_correlation': result.likeness,
        'drag': [{'speed_m_s': speed, **_keys('drag_n', result.drag(speed))} for speed in _speeds(result)],
        'warnings': list(_warnings(result, boat))})


def _keys(name: str, estimate: TrialEstimate) -> dict[str, object]:
    return {name: estimate.value, f'{name}_std': estimate.error, f'{name}_interval': [estimate.low, estimate.high]}


def _speeds(result: CoastDown) -> list[float]:
    top = max(result.starts)
    return [share * top for share in SHARES]


def coast_down_text(result: CoastDown, boat: Boat) -> str:
    """Return the same for people; arguments as `coast_down_summary`."""
    rows = [('glide of', 'time, s', 'from, m/s', 'to, m/s', 'added on board, kg')]
    rows += [(shortened(glide.log, 24), f'{glide.begin:.1f} - {glide.begin + glide.time[-1]:.1f}', f'{start:.3f}',
              f'{glide.speed[-1]:.3f}', f'{glide.extra:g}') for glide, start in zip(result.glides, result.starts)]
    drag = [('at, m/s', 'drag, N', '95 %, N', 'W')]
    for speed in _speeds(result):
        at = result.drag(speed)
        drag.append((f'{speed:.2f}', f'{at.value:.2f}', f'{at.low:.2f} to {at.high:.2f}',
                     f'{max(at.value * speed, 0.0):.1f}'))
    mass = _said(result.mass, 'kg') if result.mass_found else f'{result.mass.value:.4g} kg, as {boat.name} has it'
    return '\n'.join([
        *text_table(rows, 'lrrrr'), '',
        f'linear drag:     {_said(result.linear, "N s/m")}',
        f'quadratic drag:  {_said(result.quadratic, "N s^2/m^2")}; the air is {result.air:.3g} of it',
        f'mass and added mass in surge: {mass}',
        f'residuals: {result.rms:.4f} m/s RMS, correlation of neighbours {result.likeness:.2f}', '',
        *text_table(drag, 'rrrr'), *(f'\n{warning}.' for warning in _warnings(result, boat))])


def _said(estimate: TrialEstimate, unit: str) -> str:
    return f'{estimate.value:.4g} ({estimate.low:.4g} to {estimate.high:.4g}) {unit}'


def _warnings(result: CoastDown, boat: Boat) -> Iterator[str]:
    if not result.mass_found:
        yield (f'Drag is in proportion to the mass, which is taken from {boat.name}: {result.mass.value:.4g} kg. '
               'Glides with a known mass more on board tell it (--loaded, --added)')
    spread = np.sqrt(np.diag(result.covariance))
    if spread.all() and abs(result.covariance[0, 1]) > TOGETHER * spread[0] * spread[1]:
        yield ('Linear and quadratic drag can hardly be told apart in these glides; their sum, the drag at the speeds '
               'above, is much better known')
    if len(result.glides) == 1:
        yield 'One glide: a current or wind that was not recorded counts as drag. Glide in both directions'
