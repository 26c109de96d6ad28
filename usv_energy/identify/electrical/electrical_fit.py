"""An electrical map from logs to figures: the fit, its scores, what the data do not show, and the boat file of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...boats.boat_file import Boat
from ...files import checked
from ...files.errors import InputError
from ...files.json_file import without_nan
from ...logs.log import Log
from ...sim.run_summary import Summary
from .map_choice import MapScore, both_halves, identified_map, map_score
from .power_map import EACH, STEADY, PowerData, PowerMap, data_of

KNOTS = 13  # Rows of the boat file's map on either side of zero.
HARDLY = 0.05  # Share of measurements near neutral below which the hotel load is only extrapolated.
NEAR = 0.03  # Of full drive: near neutral.
HALVES = (('first', 'second'), ('second', 'first'))  # Fitted on, scored on.


class ElectricalFit(NamedTuple):
    """A fitted map, what it was fitted to, and its scores: on the fit, on logs not used, on halves of a log."""

    power_map: PowerMap
    use: str
    names: tuple[str, ...]
    data: tuple[PowerData, ...]
    fit: MapScore
    validation: Mapping[str, MapScore]
    halves: Sequence[tuple[PowerMap, MapScore]]


def fit_electrical(logs: Sequence[Log], validation: Sequence[Log], use: str | None, split: bool,
                   say: Callable[[str], None]) -> ElectricalFit:
    """
    Fit an electrical map to logs and score it, on the logs of the fit and on others.

    :param logs: For the fit.
    :param validation: Logs that only scores are taken from.
    :param use: `thrust` (N) or `command` (us); None takes thrusts where all logs have them.
    :param split: Fit each half of the log, too, and score it on the other half.
    :param say: Called with the progress, in words.
    :raises InputError: If a log lacks something, the numbers of thrusters differ, or `split` is asked for several logs.
    """
    if split and len(logs) > 1:
        raise InputError(f'--split is of one log; there are {len(logs)}')
    use = use or ('thrust' if all(log.known('thrust') for log in (*logs, *validation)) else 'command')
    data = tuple(data_of(log, use) for log in logs)
    others = {log.name: data_of(log, use) for log in validation}
    counts = {log.name: len(log.thrusters) for log in (*logs, *validation)}
    if len(set(counts.values())) > 1:
        raise InputError('the logs have different numbers of thrusters: '
                         + ', '.join(f'{name} {count}' for name, count in counts.items()))
    say(f'fitting {sum(len(part.fresh) for part in data)} measurements')
    power_map = identified_map(data)
    if split:
        say('fitting each half')
    return ElectricalFit(power_map, use, tuple(log.name for log in logs), data,
                         map_score(power_map, data, same_clock=len(data) == 1),
                         {name: map_score(power_map, [part], same_clock=False) for name, part in others.items()},
                         both_halves(logs[0], use) if split else [])


def _score_row(score: MapScore) -> Summary:
    return without_nan({'r2': score.r2, 'rmse_w': score.rmse, 'energy_relative': score.energy,
                        'measurements': score.measurements})


def _map_row(power_map: PowerMap) -> Summary:
    form = power_map.form
    return {'form': form.form, 'dead_band_share': form.dead_band, 'delay_s': form.delay, 'lag_s': form.lag,
            'hotel_load': form.hotel, 'hotel_load_w': power_map.hotel_load,
            'hotel_load_begin_w': float(power_map.hotel_power[0]), 'hotel_load_end_w': float(power_map.hotel_power[-1]),
            'full_drive': power_map.span, 'weights_w': [float(weight) for weight in power_map.weights],
            'sag_1_w': power_map.sag}


def electrical_summary(result: ElectricalFit, boat: Boat) -> Summary:
    """Return everything for JSON; units in the keys, `full_drive` in us from neutral, or N."""
    return {'boat': boat.name, 'logs': list(result.names), 'fitted_to': result.use, **_map_row(result.power_map),
            'fit': _score_row(result.fit),
            'validation': [{'log': name, **_score_row(score)} for name, score in result.validation.items()],
            'halves': [{'fitted_on': own, 'judged_on': other, **_map_row(power_map), **_score_row(score)}
                       for (power_map, score), (own, other) in zip(result.halves, HALVES)]}


def electrical_warnings(result: ElectricalFit) -> list[str]:
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


def electrical_boat(result: ElectricalFit, boat: Boat, name: str, full_command: float,
                    provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with the map and the hotel load in place of its own.

    :param result: The fit.
    :param boat: The base: its thrusters' limits are those of the map.
    :param name: Of the new boat.
    :param full_command: Distance from neutral, us, at which a thruster gives its full thrust; the thrust is taken to
        grow with the square of the distance. Used only where the map was fitted to commands.
    :param provenance: Date, command and so on, kept with the errors.
    """
    low = min(thruster.min_thrust for thruster in boat.vessel.thrusters)
    high = max(thruster.max_thrust for thruster in boat.vessel.thrusters)
    share = np.linspace(0.0, 1.0, KNOTS)[1:]
    shares = np.concatenate([-share[::-1] if low < 0.0 else [], [0.0], share if high > 0.0 else []])
    thrust = np.sign(shares) * shares**2 * np.where(shares < 0.0, -low, high)
    drive = thrust if result.use == 'thrust' else shares * full_command
    power = result.power_map.steady_power(drive, len(boat.vessel.thrusters))
    # The limits themselves are not rounded: the map must reach them.
    knots = [[n if n in (low, high) else round(n, 4), round(float(w), 3)] for n, w in zip(map(float, thrust), power)]
    source = f'usv-energy identify-electrical, {", ".join(result.names)}'
    assumed = '' if result.use == 'thrust' else (
        f'; thrust is assumed: full ({low:g} to {high:g} N, of {boat.name}) at {full_command:g} us from neutral, and '
        'as the square of the distance')
    document = checked.read_with_base('boats', boat.path)
    return document | {
        'name': name,
        'description': f'{boat.name} with the electrical power that was found in {", ".join(result.names)}',
        'losses': {'source': f'{source}{assumed}', 'map': knots},
        'static_load': {'value': round(result.power_map.hotel_load, 3), 'unit': 'W', 'source': source,
                        'std': round(float(np.std(result.power_map.hotel_power)), 3)},
        'identification': {**document.get('identification', {}),
                           'electrical': {**provenance, **electrical_summary(result, boat)}},
    }
