"""What an electrical map says: figures for JSON, a text, the boat file that it makes, and its picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...boats.boat_file import Boat
from ...files.json_file import without_nan
from ...show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION, picture
from ...sim.run_summary import Summary
from .map_choice import Score
from .power_map import EACH, STEADY, Data, PowerMap, predicted

KNOTS = 13  # Rows of the boat file's map on either side of zero.
HARDLY = 0.05  # Share of measurements near neutral below which the hotel load is no more than a continuation.
NEAR = 0.03  # Of full drive: near neutral.
WORDS = {'mirrored': 'one map for all thrusters, the same ahead and astern',
         'two-sided': 'one map for all thrusters, ahead and astern apart',
         'each': 'a map for each thruster'}


class Result(NamedTuple):
    """A fitted map, what it was fitted to, and its scores: on the fit, on logs not used, on halves of a log."""

    power_map: PowerMap
    use: str
    names: tuple[str, ...]
    data: tuple[Data, ...]
    fit: Score
    validation: Mapping[str, Score]
    halves: Sequence[tuple[PowerMap, Score]]


def _score_row(score: Score) -> Summary:
    return without_nan({'r2': score.r2, 'rmse_w': score.rmse, 'energy_relative': score.energy,
                        'measurements': score.measurements})


def _map_row(power_map: PowerMap) -> Summary:
    form = power_map.form
    return {'form': form.form, 'dead_band_share': form.dead_band, 'delay_s': form.delay, 'lag_s': form.lag,
            'hotel_load': form.hotel, 'hotel_load_w': power_map.hotel_load,
            'hotel_load_begin_w': float(power_map.hotel_power[0]), 'hotel_load_end_w': float(power_map.hotel_power[-1]),
            'full_drive': power_map.span, 'weights_w': [float(weight) for weight in power_map.weights],
            'sag_1_w': power_map.sag}


def electrical_summary(result: Result, boat: Boat) -> Summary:
    """Return everything for JSON; units in the keys, `full_drive` in us from neutral, or N."""
    return {'boat': boat.name, 'logs': list(result.names), 'fitted_to': result.use, **_map_row(result.power_map),
            'fit': _score_row(result.fit),
            'validation': [{'log': name, **_score_row(score)} for name, score in result.validation.items()],
            'halves': [{'fitted_on': own, 'judged_on': other, **_map_row(power_map), **_score_row(score)}
                       for (power_map, score), (own, other) in zip(result.halves, (('first', 'second'),
                                                                                   ('second', 'first')))]}


def electrical_text(result: Result) -> str:
    """Return the same for people, warnings included."""
    form, power_map = result.power_map.form, result.power_map
    unit = 'us' if result.use == 'command' else 'N'
    lines = [f'{result.use} to electrical power: {WORDS[form.form]}; delay {form.delay:g} s, lag {form.lag:g} s',
             f'hotel load {power_map.hotel_load:.1f} W ({form.hotel}{_range(power_map)}); '
             f'full drive {power_map.span:g} {unit}', '',
             'judged on                         R2   RMSE, W   energy, %   measurements',
             _line('the logs of the fit', result.fit)]
    lines += [_line(name, score) for name, score in result.validation.items()]
    lines += [_line(f'{other} half, fitted on the {own}', score) for (_, score), (own, other)
              in zip(result.halves, (('first', 'second'), ('second', 'first')))]
    warnings = electrical_warnings(result)
    return '\n'.join([*lines, *(['', *warnings] if warnings else [])])


def _range(power_map: PowerMap) -> str:
    begin, end = power_map.hotel_power[[0, -1]]
    return '' if power_map.form.hotel == STEADY else f', {begin:.1f} to {end:.1f} W'


def _line(name: str, score: Score) -> str:
    return (f'{name[:30]:30s} {score.r2:6.3f} {score.rmse:9.1f} {100.0 * score.energy:+11.1f} '
            f'{score.measurements:14d}')


def electrical_warnings(result: Result) -> list[str]:
    """Return what the data do not tell, in plain words."""
    found = []
    rows = sum(len(data.time) for data in result.data)
    fresh = sum(len(data.fresh) for data in result.data)
    if fresh < 0.7 * rows:
        found.append(f'The power was measured {fresh} times in {rows} rows: the log repeats the last value meanwhile. '
                     'Repeated rows are left out.')
    drive = np.concatenate([np.abs(data.drive[data.fresh]).max(axis=1) for data in result.data])
    if np.mean(drive < NEAR * result.power_map.span) < HARDLY:
        found.append('The thrusters are hardly ever off: the hotel load continues the map, it was not measured.')
    if result.power_map.form.hotel != STEADY:
        found.append('The load beside the thrusters changes over the log for no cause that it holds; its mean goes '
                     'into the boat file, and energies of other days are that much less certain.')
    if result.power_map.form.form == EACH:
        found.append('The thrusters differ; the boat file has one map, their mean.')
    return found


def boat_document(result: Result, boat: Boat, base: str, name: str, full_command: float,
                  provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file with the map: what is new over its base.

    :param result: The result.
    :param boat: The base: its thrusters' limits are those of the map.
    :param base: What the file calls it.
    :param name: Of the new boat.
    :param full_command: Distance from neutral, us, that is taken to give a thruster's full thrust; thrust is taken to
        go with its square. Of account where the map was fitted to commands.
    :param provenance: Date, command and so on, kept with the errors.
    """
    low = min(thruster.min_thrust for thruster in boat.vessel.thrusters)
    high = max(thruster.max_thrust for thruster in boat.vessel.thrusters)
    share = np.linspace(0.0, 1.0, KNOTS)[1:]
    shares = np.concatenate([-share[::-1] if low < 0.0 else [], [0.0], share if high > 0.0 else []])
    limit = np.where(shares < 0.0, -low, high)
    thrust = np.sign(shares) * shares**2 * limit
    drive = thrust if result.use == 'thrust' else shares * full_command
    power = result.power_map.steady_power(drive, len(boat.vessel.thrusters))
    source = f'usv-energy identify-electrical, {", ".join(result.names)}'
    assumed = '' if result.use == 'thrust' else (
        f'; thrust is assumed: full ({low:g} to {high:g} N, of {boat.name}) at {full_command:g} us from neutral, and '
        'as the square of the distance')
    hotel = result.power_map.hotel_load
    return {
        'base': base, 'name': name,
        'description': f'{boat.name} with the electrical power that was found in {", ".join(result.names)}',
        'losses': {'efficiency': None, 'source': f'{source}{assumed}',
                   'map': [[round(float(n), 4), round(float(w), 3)] for n, w in zip(thrust, power)]},
        'static_load': {'value': round(hotel, 3), 'unit': 'W', 'source': source,
                        'std': round(float(np.std(result.power_map.hotel_power)), 3)},
        'identification': {'electrical': {**provenance, **electrical_summary(result, boat)}},
    }


def plot_electrical(result: Result, path: Path) -> None:
    """
    Draw the map, measured and modelled power, and the energy's error into a PNG.

    :param result: The result.
    :param path: The PNG.
    :raises OSError: If it cannot be written.
    """
    data, power_map = result.data[0], result.power_map
    time, power = data.time[data.fresh], data.power[data.fresh]
    model = predicted(power_map, data)
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
        curve.set_title('Map of one thruster (bars: where there are data)')
        curve.set(xlabel='Command from neutral, us' if result.use == 'command' else 'Thrust, N', ylabel='Power, W')
        steps = np.gradient(time)
        error = np.cumsum((model - power) * steps) / max(float(np.sum(power * steps)), 1e-9)
        energy.plot(time, 100.0 * error, color=VERMILION)
        energy.axhline(0.0, color=GREY, linewidth=0.8)
        energy.set_title('Error of the energy so far')
        energy.set(xlabel='Time, s', ylabel='Share of the whole energy, %')


def _busiest(time: np.ndarray, power: np.ndarray) -> float:
    """Return where the minute with the most scatter begins, s."""
    begins = np.arange(time[0], max(time[-1] - 60.0, time[0] + 1e-9), 20.0)
    spread = [float(np.std(power[(time >= begin) & (time < begin + 60.0)])) for begin in begins]
    return float(begins[int(np.argmax(spread))])
