"""The boat file of a bollard pull: the base boat whose thrusters have the curve that was measured."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ...boats.boat_file import Boat
from ...files import checked
from .bollard import BollardPull


def bollard_boat(result: BollardPull, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with `pwm` and limits of thrust in each of its thrusters.

    Where watts were measured, and the boat's thrusters have no propeller of their own, the map from thrust to watts and
    the hotel load are taken from them, too: the map takes the place of the base's losses.

    :param result: What the pull says.
    :param boat: The base.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the levels.
    """
    source = 'usv-energy identify-bollard: see identification'
    document = checked.read_with_base('boats', boat.path)
    least, most = result.levels[0].thrust, result.levels[-1].thrust
    curve = {'source': f'{source}; {len(result.levels)} pulses', 'table': result.table}
    thrusters = [{**entry, 'max_thrust': _newtons(most, source), 'pwm': deepcopy(curve),
                  **({'min_thrust': _newtons(least, source)} if least < 0.0 or not _astern(entry) else {})}
                 for entry in document['thrusters']]
    changes: dict[str, Any] = {
        'name': name, 'description': f'{boat.name} with the thrust over PWM of a bollard pull',
        'thrusters': thrusters,
        'identification': {**document.get('identification', {}), 'bollard': {
            **provenance, 'levels': [
                {'pwm_us': round(level.pulse, 1), 'readings': level.readings, 'pull_n': round(level.pull, 4),
                 **({'std': round(level.error, 4)} if level.error == level.error else {})}
                for level in result.levels]}}}
    rows = _map(result, len(thrusters))
    whole = least < 0.0 or not any(_astern(entry) for entry in document['thrusters'])
    if rows and whole and not any('propeller' in entry for entry in thrusters):
        changes['losses'] = {'source': source, 'map': rows}
        changes['static_load'] = {'value': round(max(result.idle, 0.0), 3), 'unit': 'W',
                                  'source': f'{source}; dead band'}
    return document | changes


def _astern(entry: Mapping[str, Any]) -> bool:
    """Return whether a thruster of the base drives astern."""
    return bool(float(checked.values_of(entry).get('min_thrust', 0.0)) < 0.0)


def _newtons(value: float, source: str) -> dict[str, Any]:
    return {'value': round(value, 4), 'unit': 'N', 'source': source}


def _map(result: BollardPull, count: int) -> list[list[float]]:
    """Return rows of thrust, N, and power, W, of one thruster; none where watts were not measured at all pulses."""
    if any(level.power != level.power for level in result.levels):
        return []
    rows = {0.0: 0.0}
    for level in result.levels:
        if level.thrust:
            rows[round(level.thrust, 4)] = round(max(level.power - result.idle, 0.0) / count, 3)
    return [[thrust, rows[thrust]] for thrust in sorted(rows)]
