"""A fit of electrical power over thrusts or commands, as text and picture."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, Panels
from usv_energy.show.text_table import text_table
from usv_energy.studies.identify.electrical.electrical_fit import (
    HALVES,
    ElectricalFit,
    electrical_warnings,
    is_of_no_use,
    judged_scores,
    worse_than_mean,
)
from usv_energy.studies.identify.electrical.power_map import EACH, MIRRORED, STEADY, TWO_SIDED, predicted_power

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMS = {MIRRORED: 'one map for all thrusters, the same ahead and astern',
         TWO_SIDED: 'one map for all thrusters, ahead and astern apart', EACH: 'a map for each thruster'}


def electrical_text(result: ElectricalFit) -> str:
    """Return an electrical fit as text, warnings included."""
    form, power_map = result.power_map.form, result.power_map
    unit = 'us' if result.use == 'command' else 'N'
    begin, end = power_map.hotel_power[[0, -1]]
    drift = '' if form.hotel == STEADY else f', {begin:.1f} to {end:.1f} W'
    scores = [('the logs of the fit', result.fit), *result.validation.items()]
    scores += [(f'{other} half, fitted on the {own}', half) for (_, half), (own, other) in zip(result.halves, HALVES)]
    rows = [(name, f'{score.r2:.3f}', f'{score.rmse:.1f}', f'{100.0 * score.energy:+.1f}',
             str(score.measurements)) for name, score in scores]
    lines = [f'{result.use} to electrical power: {FORMS[form.form]}; delay {form.delay:g} s, lag {form.lag:g} s',
             f'hotel load {power_map.hotel_load:.1f} W ({form.hotel}{drift}); ' f'full drive {power_map.span:g} {unit}',
             '', *text_table([('judged on', 'R2', 'RMSE, W', 'energy, %', 'measurements'), *rows], 'lr')]
    warnings = electrical_warnings(result)
    lines[:0] = verdict_lines(judged_scores(result))
    return '\n'.join([*lines, *(['', *warnings] if warnings else [])])


def verdict_lines(scores: Mapping[str, Any]) -> list[str]:
    """Return a line on predictions that are worse than the mean of the measured power, and an empty one; or none."""
    worse = worse_than_mean(scores)
    if not worse:
        return []
    shown = '; '.join(f'{name}: R2 {score.r2:.4g}, RMSE {score.rmse:.1f} W, energy {100.0 * score.energy:+.1f} %'
                      for name, score in worse.items())
    head = 'NOT TO BE USED: ' if is_of_no_use(scores) else ''
    return [f'{head}the model is worse than the mean of the measured power ({shown})', '']


def electrical_panels(result: ElectricalFit) -> Panels:
    """Return pictures of the `power` of the first log, its busiest `minute`, the `map`, and the `energy`'s error."""
    data, power_map = result.data[0], result.power_map
    time, measured = data.time[data.fresh], data.power[data.fresh]
    model = predicted_power(power_map, data)

    def over_time(axes: 'Axes', rows: Any) -> None:
        axes.step(time[rows], measured[rows], where='post', color=GREY, label='measured', linewidth=1.4)
        axes.step(time[rows], model[rows], where='post', color=BLUE, label='model', linewidth=1.0)
        axes.set(xlabel='Time, s', ylabel='Power, W')
        axes.legend(loc='upper right', ncol=2)

    def power(axes: 'Axes') -> None:
        over_time(axes, slice(None))
        axes.set_title(f'{result.names[0]}: R2 {result.fit.r2:.3f}, RMSE {result.fit.rmse:.1f} W')

    def minute(axes: 'Axes') -> None:
        begin = _busiest(time, measured)
        over_time(axes, (time >= begin) & (time < begin + 60.0))
        axes.set_title('its busiest minute')

    def curve(axes: 'Axes') -> None:
        drive = np.linspace(-power_map.span, power_map.span, 201)
        count = data.drive.shape[1]
        axes.plot(drive, power_map.steady_power(drive, count), color=BLACK, label='map of one thruster')
        for number, colour in zip(range(count), (ORANGE, GREEN, VERMILION)):
            axes.plot(data.drive[data.fresh, number], np.zeros(len(data.fresh)), '|', color=colour, alpha=0.15,
                      markersize=12 - 3 * number)
        axes.set(title='Map of one thruster (bars: where there are data)', ylabel='Power, W',
                 xlabel='Command from neutral, us' if result.use == 'command' else 'Thrust, N')

    def energy(axes: 'Axes') -> None:
        steps = np.gradient(time)
        error = np.cumsum((model - measured) * steps) / max(float(np.sum(measured * steps)), 1e-9)
        axes.plot(time, 100.0 * error, color=VERMILION)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        axes.set(title='Error of the energy so far', xlabel='Time, s', ylabel='Share of the whole energy, %')
    return Panels({'power': power, 'minute': minute, 'map': curve, 'energy': energy}, 12.0, 7.6, 2)


def _busiest(time: np.ndarray, power: np.ndarray) -> float:
    """Return the beginning of the minute with the largest scatter of power, s."""
    begins = np.arange(time[0], max(time[-1] - 60.0, time[0] + 1e-9), 20.0)
    spread = [float(np.std(power[(time >= begin) & (time < begin + 60.0)])) for begin in begins]
    return float(begins[int(np.argmax(spread))])
