"""The boat file that an identification writes: every number with unit, source, standard error and interval."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sname import with_sname
from usv_energy.boats.vessel import Inertia, with_payload
from usv_energy.files import checked
from usv_energy.files.errors import counted
from usv_energy.studies.identify.rollout.fit_parameters import (
    INFLOW,
    QUADRATIC,
    are_compared,
    foil_groups,
    inflow_of,
    thrusts_of,
    vessel_of,
)
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.uncertainty import SCALE, ParameterEstimate
from usv_energy.thrusters.drive import inflow_coefficient, inflow_entry

LIMITS = ('max_thrust', 'min_thrust')


def rounded(value: float, digits: int = 6) -> float:
    """Return a number rounded to some significant digits."""
    return float(f'{value:.{digits}g}') + 0.0


def rollout_boat(result: Identification, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of the boat file: the base boat with the numbers of the fit.

    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the figures.
    """
    boat = result.found.model.boat
    document = with_sname(copy.deepcopy(checked.read_with_base('boats', boat.path)), boat.path)
    logs = counted(len(result.tracks), 'log')
    source = f'usv-energy identify, {logs}: see identification'
    document |= {'name': name, 'description': f'{boat.name} with what was identified in {logs}'}
    hull = document.get('hull', {})
    if checked.values_of(hull).get('payload', 0.0) != boat.hull.payload:
        document['hull'] = {**hull, 'payload': boat.hull.payload}
    if boat.vessel.damping.wave is None:    # The base's waves may have been left out.
        document['damping'] = {key: value for key, value in document['damping'].items() if key != 'wave'}
    if result.found.model.form == 'linear':
        for key in QUADRATIC:
            _put(document, key, 0.0)
    for number in result.numbers:
        if number.key not in ('thrusters.lag', INFLOW):
            _put(document, number.key, _sourced(_without_payload(number, boat), source, boat))
    lag = next(number for number in result.numbers if number.key == 'thrusters.lag')
    document['thrusters'] = _thrusters(document['thrusters'], result, _sourced(lag, source, boat), source)
    _put_actuators(document, result, source)
    document['correlation'] = _correlation(result, document, source)
    document['identification'] = {**document.get('identification', {}), 'rollout': {**provenance, **_record(result)}}
    return document


def _correlation(result: Identification, document: Mapping[str, Any], source: str) -> dict[str, Any]:
    """
    Return the correlation of the boat's numbers, including the thrust limits, which are in the scale of the logs.

    Numbers whose first derivative is 0 (a coupling at 0) are left out.
    """
    joint = result.joint
    paths = {key: key for key in joint.keys} | {'thrusters.lag': 'thrusters.*.lag', SCALE: '', INFLOW: ''}
    names = [paths[key] for key in joint.keys]
    first = document['thrusters'][0]
    limits = [key for key in LIMITS if isinstance(first.get(key), Mapping) and 'std' in first[key]]
    places = [place for place, name in enumerate(names) if name and joint.std[place] > 0.0]
    places += [joint.keys.index(SCALE)] * len(limits)
    sign = np.array([1.0] * (len(places) - len(limits)) + [-1.0 if key == 'min_thrust' else 1.0 for key in limits])
    matrix = joint.covariance[np.ix_(places, places)] / np.outer(joint.std[places], joint.std[places])
    matrix = np.clip(matrix * np.outer(sign, sign), -1.0, 1.0)
    return {'numbers': [names[place] for place in places[:len(places) - len(limits)]]
            + [f'thrusters.*.{key}' for key in limits],
            'matrix': [[rounded(value, 4) for value in row] for row in matrix.tolist()],
            'source': f'{source}; the scale of all newtons of the log included'}


def _put(document: dict[str, Any], key: str, value: Any) -> None:
    *parts, name = key.split('.')
    place = document
    for part in parts:
        place = place[int(part)] if isinstance(place, list) else place.setdefault(part, {})
    place[name] = value


def _put_actuators(document: dict[str, Any], result: Identification, source: str) -> None:
    """Set the areas of equal foils and the inflow coefficient of each propeller."""
    model = result.found.model
    vessel = vessel_of(result.found.values, model)
    numbers = {number.key: number for number in result.numbers}
    for first, places in foil_groups(model.boat.vessel).items():
        for place in places:
            document['foils'][place]['area'] = document['foils'][first]['area']
    if INFLOW not in numbers:
        return
    found, first_one, boat = numbers[INFLOW], inflow_of(model.boat.vessel), model.boat
    for entry, thruster, old in zip(document['thrusters'], vessel.thrusters, model.boat.vessel.thrusters):
        if inflow_coefficient(old):
            share = inflow_coefficient(old) / first_one
            own = found._replace(value=found.value * share, std=found.std * share, low=found.low * share,
                                 high=found.high * share)
            entry['propeller'] = {**entry['propeller'], **inflow_entry(thruster, _sourced(own, source, boat))}


def _without_payload(number: ParameterEstimate, boat: Boat) -> ParameterEstimate:
    """Return a number of the inertia without the base boat's payload, which the file states separately."""
    part, _, name = number.key.partition('.')
    if part != 'inertia' or boat.hull.payload == 0.0:
        return number
    payload = getattr(with_payload(Inertia(0.0, 0.0, 0.0), boat.hull), name)
    return number._replace(value=number.value - payload, low=number.low - payload, high=number.high - payload)


def _sourced(number: ParameterEstimate, source: str, boat: Boat) -> dict[str, Any]:
    kept = '' if number.determined else f'; kept from {boat.name}, the data do not determine it'
    return {'value': rounded(number.value), 'unit': number.unit, 'source': source + kept, 'std': rounded(number.std, 3),
            'interval': [rounded(min(number.low, number.value)), rounded(max(number.high, number.value))]}


def _thrusters(plain: Sequence[Mapping[str, Any]], result: Identification, lag: Mapping[str, Any],
               source: str) -> list[dict[str, Any]]:
    """Return the thrusters with the fitted lag and limits that include the logs' thrusts; a pair has equal limits."""
    model, values = result.found.model, result.found.values
    scale = model.scale
    extremes = np.array([[scale.ahead] * len(plain), [-scale.astern] * len(plain)])
    if alike := are_compared(model.boat.vessel):
        seen = np.broadcast_to(thrusts_of(extremes, values, model).mean(axis=1)[:, None], extremes.shape)
    else:
        every = np.concatenate([track.thrust for track in result.tracks])
        seen = thrusts_of(np.array([np.nanmax(every, axis=0), np.nanmin(every, axis=0)]), values, model)
    newtons = next(one.std / one.value for one in result.parameters if one.key == SCALE)
    mapped = model.boat.vessel.losses.mapped != 0.0
    found = []
    for thruster, old, (ahead, astern) in zip(plain, model.boat.vessel.thrusters, seen.T):
        new: dict[str, Any] = {**thruster, 'lag': dict(lag)}
        for key, most, limit in (('max_thrust', ahead, old.max_thrust), ('min_thrust', astern, old.min_thrust)):
            if abs(most) > abs(limit) and most * limit >= 0.0 and not mapped:
                new[key] = {'value': rounded(float(most), 4), 'unit': 'N',
                            **({'std': rounded(abs(float(most)) * newtons, 3)} if alike else {}),
                            'source': f'{source}: largest thrust in the logs, as the fit has it'}
        found.append(new)
    return found


def _record(result: Identification) -> dict[str, Any]:
    """Return the boat file's record of the fit."""
    scale = result.found.model.scale
    kept: dict[str, Any] = {
        'form': result.found.model.form, 'base': result.found.model.boat.name,
        'logs': [track.name for track in result.tracks],
        'rmse': {'horizon_s': result.settings.horizon, **_errors(result.errors[-1])},
        'thrust_of_log': {'full_ahead_n': rounded(scale.ahead), 'full_astern_n': rounded(scale.astern),
                          'of_pulses': any(track.of_pulses for track in result.tracks)},
    }
    kept |= {name: _errors(rows[-1]) for name, rows in (('rmse_left_out', result.left_out),
                                                        ('rmse_validation', result.validation)) if rows}
    for number in result.parameters:
        group, _, name = number.key.partition('.')
        if place := {'thrust': 'thrust_of_log', 'compass': 'compass'}.get(group):
            kept.setdefault(place, {})[name] = {'value': rounded(number.value), 'unit': number.unit,
                                                'std': rounded(number.std, 3)}
    return {**kept, 'warnings': list(result.warnings)}


def _errors(errors: Any) -> dict[str, float]:
    surge, sway, yaw = (rounded(float(x), 4) for x in errors.rmse)
    return {'surge_m_s': surge, 'sway_m_s': sway, 'yaw_rate_rad_s': yaw}
