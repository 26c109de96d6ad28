"""The picture of an electrical map: measured and modelled power, the map, and the error of the energy."""

from pathlib import Path

import numpy as np

from ...identify.electrical.electrical_fit import ElectricalFit
from ...identify.electrical.power_map import predicted_power
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, picture


def plot_electrical(result: ElectricalFit, path: Path) -> None:
    """
    Draw the map, measured and modelled power, and the energy's error into a PNG.

    :raises OSError: If it cannot be written.
    """
    data, power_map = result.data[0], result.power_map
    time, power = data.time[data.fresh], data.power[data.fresh]
    model = predicted_power(power_map, data)
    with picture(path, 12.0, 7.6) as figure:
        (whole, detail), (curve, energy) = figure.subplots(2, 2)
        begin = _busiest(time, power)
        for axes, rows in ((whole, slice(None)), (detail, (time >= begin) & (time < begin + 60.0))):
            axes.step(time[rows], power[rows], where='post', color=GREY, label='measured', linewidth=1.4)
            axes.step(time[rows], model[rows], where='post', color=BLUE, label='model', linewidth=1.0)
            axes.set(xlabel='Time, s', ylabel='Power, W')
        whole.set_title(f'{result.names[0]}: R2 {result.fit.r2:.3f}, RMSE {result.fit.rmse:.1f} W')
        detail.set_title('its busiest minute')
        whole.legend(loc='upper right', ncol=2)
        drive = np.linspace(-power_map.span, power_map.span, 201)
        count = data.drive.shape[1]
        curve.plot(drive, power_map.steady_power(drive, count), color=BLACK, label='map of one thruster')
        for number, colour in zip(range(count), (ORANGE, GREEN, VERMILION)):
            curve.plot(data.drive[data.fresh, number], np.zeros(len(data.fresh)), '|', color=colour, alpha=0.15,
                       markersize=12 - 3 * number)
        curve.set(title='Map of one thruster (bars: where there are data)', ylabel='Power, W',
                  xlabel='Command from neutral, us' if result.use == 'command' else 'Thrust, N')
        steps = np.gradient(time)
        error = np.cumsum((model - power) * steps) / max(float(np.sum(power * steps)), 1e-9)
        energy.plot(time, 100.0 * error, color=VERMILION)
        energy.axhline(0.0, color=GREY, linewidth=0.8)
        energy.set(title='Error of the energy so far', xlabel='Time, s', ylabel='Share of the whole energy, %')


def _busiest(time: np.ndarray, power: np.ndarray) -> float:
    """Return where the minute with the most scatter begins, s."""
    begins = np.arange(time[0], max(time[-1] - 60.0, time[0] + 1e-9), 20.0)
    spread = [float(np.std(power[(time >= begin) & (time < begin + 60.0)])) for begin in begins]
    return float(begins[int(np.argmax(spread))])
