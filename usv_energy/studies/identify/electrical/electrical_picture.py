"""The pictures of fits of electrical power."""

from pathlib import Path

import numpy as np

from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, picture
from usv_energy.studies.identify.electrical.electrical_fit import ElectricalFit
from usv_energy.studies.identify.electrical.power_map import predicted_power
from usv_energy.studies.identify.electrical.rotor_fit import PowerScore, RotorResult, power_score, predicted_rotor_power
from usv_energy.studies.identify.electrical.rotor_readings import RotorReadings
from usv_energy.studies.identify.electrical.rotor_report import load_for, readings_by_log
from usv_energy.thrusters.rotor_power import RotorLoad

COLOURS = (BLUE, ORANGE, GREEN, VERMILION, PURPLE)
BUSY = 60.0  # s that are drawn large.


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


def plot_rotor(result: RotorResult, path: Path) -> None:
    """
    Draw a row for each log, predicted without itself where it was, into a PNG.

    Left the power of all meters together, in the middle its busiest minute, right each reading against its prediction.

    :raises OSError: If it cannot be written.
    """
    logs = readings_by_log(result)
    unseen = {**result.left_out, **result.validation}
    with picture(path, 15.0, 3.6 * len(logs)) as figure:
        rows = figure.subplots(len(logs), 3, squeeze=False, width_ratios=(2.2, 1.6, 1.0))
        for (whole, detail, scatter), (name, parts) in zip(rows, logs.items()):
            load = load_for(result, name)
            score = power_score(load, parts)
            _over_time(whole, load, parts)
            whole.set_title(f'{name}, {"not in" if name in unseen else "in"} the fit: {_words(score)}')
            _minute(detail, load, parts)
            _scatter(scatter, load, parts)
        rows[0][0].legend(loc='upper right', ncol=2)


def _words(score: PowerScore) -> str:
    return f'energy {100.0 * score.energy:+.1f} %, R2 {score.r2:.3f}'


def _over_time(axes, load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:  # type: ignore[no-untyped-def]  # Axes
    """Draw the sum of all meters, each reading for as long as it stands for."""
    time = np.unique(np.concatenate([edge for part in parts for edge in (part.time, part.time + part.span)]))
    for values, colour, label in (([part.power for part in parts], GREY, 'measured'),
                                  ([predicted_rotor_power(load, part) for part in parts], BLUE, 'predicted')):
        total = sum(_held(time, part, value) for part, value in zip(parts, values) if len(part.time))
        axes.step(time, total, where='post', color=colour, label=label, linewidth=1.6 if colour == GREY else 0.9)
    axes.set(xlabel='Time, s', ylabel='Power of all, W')


def _held(time: np.ndarray, part: RotorReadings, values: np.ndarray) -> np.ndarray:
    last = np.maximum(np.searchsorted(part.time, time, side='right') - 1, 0)
    holds = (time >= part.time[last]) & (time < part.time[last] + part.span[last])
    return np.asarray(np.where(holds, values[last], 0.0))


def _minute(axes, load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:  # type: ignore[no-untyped-def]  # Axes
    """Draw the readings of the meter with the most energy, in its minute with the most scatter."""
    part = max(parts, key=lambda one: float(one.span @ one.power))
    begins = np.arange(part.time[0], max(part.time[-1] - BUSY, part.time[0]) + 1e-9, BUSY / 3.0)
    minutes = [part.power[(part.time >= begin) & (part.time < begin + BUSY)] for begin in begins]
    spread = [float(np.std(powers)) if len(powers) else 0.0 for powers in minutes]
    begin = float(begins[int(np.argmax(spread))])
    one = part.part((part.time >= begin) & (part.time < begin + BUSY))
    axes.plot(one.time, one.power, '.-', color=GREY, linewidth=0.8, label='measured')
    axes.plot(one.time, predicted_rotor_power(load, one), '.', color=BLUE, label='predicted')
    axes.set(xlabel='Time, s', ylabel='Power, W', title=part.name)


def _scatter(axes, load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:  # type: ignore[no-untyped-def]  # Axes
    for part, colour in zip(parts, COLOURS * len(parts)):
        axes.plot(part.power, predicted_rotor_power(load, part), '.', color=colour, markersize=3, label=part.name)
    top = max(float(part.power.max(initial=1.0)) for part in parts)
    axes.plot([0.0, top], [0.0, top], color=GREY, linewidth=0.8)
    axes.set(xlabel='Measured, W', ylabel='Predicted, W')
    axes.legend(fontsize=7, loc='upper left')
