"""Numbers of a scenario by dotted path: which may vary, checks of values, and scenarios with other values."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from usv_energy.boats.boat_values import Values, boat_with, has_part
from usv_energy.boats.checks import check_vessel, is_pair
from usv_energy.boats.numbers import BOAT_NUMBERS, may_vary, unknown
from usv_energy.files.checked import LIMITS, FileNumber
from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.frames import polar_to_earth
from usv_energy.sim.scenario import Scenario

FLOWS = ('current', 'wind')
NOT_VARIED = ('simulation', 'published', 'obstacles')  # Sections of a scenario file whose numbers do not vary.
# Numbers of other sections that do not vary; orders of waypoints are only for single runs.
FIXED = ('wind.height', 'guidance.no_go_deg', 'guidance.corridor', 'waypoints.*.speed', 'waypoints.*.hold',
         'waypoints.*.heading_deg', 'waypoints.*.radius')
GAINS = {'heading_kp': 'controller.heading.kp', 'heading_kd': 'controller.heading.kd',
         'speed_kp': 'controller.speed.kp', 'speed_ki': 'controller.speed.ki'}


def parameter_paths(scenario: Scenario) -> dict[str, FileNumber]:
    """Return the parameters of a scenario that may vary, by dotted path, with their units and limits."""
    paths: dict[str, FileNumber] = {}
    for path, quantity in _scenario_numbers().items():
        paths |= _counted(path, quantity, len(scenario.waypoints))
    if scenario.lookahead is None:
        del paths['guidance.lookahead']
    boats = {'boat': scenario.boat} if scenario.plant is scenario.boat else {
        'boat': scenario.boat, 'plant': scenario.plant}
    for prefix, boat in boats.items():
        for path, row in BOAT_NUMBERS.items():
            if may_vary(row, boat is scenario.plant and boat.pack is not None) and (
                    row.fields[0] != 'vessel' or has_part(boat.vessel, path)):
                number = len(getattr(boat.vessel, path.partition('.')[0])) if '*' in path else 0
                paths |= {f'{prefix}.{name}': row for name in _counted(path, row, number)}
    return paths


def checked_values(scenario: Scenario, number: int, overrides: Values,
                   gridded: frozenset[str]) -> dict[str, np.ndarray]:
    """
    Return the values of what varies as arrays with one number per run.

    :param gridded: Which of current and wind are given as grids, and so have no speed and direction.
    :raises InputError: As `cases_of`.
    """
    known = {path: quantity for path, quantity in parameter_paths(scenario).items()
             if path.partition('.')[0] not in gridded}
    values: dict[str, np.ndarray] = {}
    for path, given in overrides.items():
        if path not in known:
            raise unknown(path, list(known))
        values[path] = _checked(path, given, number, known[path])
    for name in FLOWS:
        own = getattr(scenario, name)
        if f'{name}.speed' in values and f'{name}.direction_deg' not in values and own.speed == 0.0:
            raise InputError(f'{name}.speed varies, but {scenario.path} has no {name}, so no direction: vary '
                             f'{name}.direction_deg, too (one number will do)')
    _check_boats(scenario, values)
    return values


def scenario_with(scenario: Scenario, values: Values) -> Scenario:
    """
    Return a scenario with other numbers.

    :param values: By paths, as `checked_values` returns them. Arrays in place of numbers give a scenario of arrays, for
        the backends of the engine.
    """
    x, y, yaw = scenario.start
    if 'start.heading_deg' in values:
        yaw = values['start.heading_deg'] * (math.pi / 180.0)
    boat = boat_with(scenario.boat, _of('boat', values))
    return replace(
        scenario, boat=boat,
        plant=boat if scenario.plant is scenario.boat else boat_with(scenario.plant, _of('plant', values)),
        start=(values.get('start.x', x), values.get('start.y', y), yaw),
        waypoints=tuple(tuple(values.get(f'waypoints.{n}.{axis}', values.get(f'waypoints.*.{axis}', own))
                              for axis, own in zip('xy', point)) for n, point in enumerate(scenario.waypoints)),
        speed=values.get('speed.target', scenario.speed),
        current=_flow_with(scenario.current, 'current', values),
        wind=_flow_with(scenario.wind, 'wind', values, scenario.wind_share),
        gains=scenario.gains._replace(**{key: values[path] for key, path in GAINS.items() if path in values}),
        lookahead=values.get('guidance.lookahead', scenario.lookahead),
        radius=values.get('stop.radius', scenario.radius), timeout=values.get('stop.timeout', scenario.timeout))


def _of(boat: str, values: Values) -> Values:
    """Return the values of a boat's own numbers: those whose paths begin with its name and a dot."""
    return {path[len(boat) + 1:]: value for path, value in values.items() if path.startswith(f'{boat}.')}


@cache
def _scenario_numbers() -> dict[str, FileNumber]:
    """Return the numbers of a scenario file that may vary, by path, from its schema; entries of a list as `*`."""
    schema = read_yaml(share_folder() / 'config' / 'schema' / 'scenario.schema.yaml')
    return {'.'.join(keys): quantity for keys, quantity in _numbers(schema, schema, ())
            if keys[0] not in NOT_VARIED and '.'.join(keys) not in FIXED}


def _numbers(node: dict[str, Any], schema: dict[str, Any],
             keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], FileNumber]]:
    if '$ref' in node:
        node = schema['$defs'][node['$ref'].rsplit('/', 1)[-1]]
    bare = node.get('else', {})
    if bare.get('type') == 'number':
        unit = node['then'].get('properties', {}).get('unit', {}).get('const', '1')
        yield keys, FileNumber(unit, {name: bare[name] for name in LIMITS if name in bare})
        return
    for name, inner in node.get('properties', {}).items():
        yield from _numbers(inner, schema, (*keys, name))
    if isinstance(node.get('items'), dict) and node['items'].get('type') == 'object':
        yield from _numbers(node['items'], schema, (*keys, '*'))


def _counted(path: str, quantity: FileNumber, number: int) -> dict[str, FileNumber]:
    if '*' not in path:
        return {path: quantity}
    if not number:
        return {}
    return {path.replace('*', place): quantity for place in ('*', *map(str, range(number)))}


def _checked(path: str, given: Any, number: int, quantity: FileNumber) -> np.ndarray:
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f'{path} is {given!r}; must be a number, or {number} of them') from None
    if values.ndim == 0:
        values = np.full(number, values)
    if values.shape != (number,):
        raise InputError(f'{path} has the shape {values.shape}; must be ({number},), a number a run')
    if not np.isfinite(values).all():
        raise InputError(f'{path} is {values[~np.isfinite(values)][0]} in run {np.argmin(np.isfinite(values))}; '
                         'must be a finite number')
    fault = quantity.fault(float(values.min()), float(values.max()))
    if fault:
        raise InputError(f'{path} goes from {values.min():g} to {values.max():g} {quantity.unit}; {fault}')
    return values


def _check_boats(scenario: Scenario, values: Mapping[str, np.ndarray]) -> None:
    """Check the boats beyond the schema, as for a boat file, and that the controller can steer the plant."""
    changed = scenario_with(scenario, values)
    check_vessel(changed.boat.vessel, 'boat.')
    check_vessel(changed.plant.vessel, 'plant.' if changed.plant is not changed.boat else 'boat.')
    if is_pair(scenario.plant.vessel) and not is_pair(changed.plant.vessel):
        raise InputError('the thrusters of the plant are no longer a pair in every run: the first must be to port of '
                         'the other')


def _flow_with(flow: Any, name: str, values: Values, share: float = 1.0) -> Any:
    """
    Return a flow with other speeds and directions.

    :param share: Ratio of the speed at the boat to the given speed.
    """
    if f'{name}.speed' not in values and f'{name}.direction_deg' not in values:
        return flow
    speed = np.asarray(share * values[f'{name}.speed'] if f'{name}.speed' in values else flow.speed)
    direction = np.asarray(values.get(f'{name}.direction_deg', flow.direction_deg))
    different, places = np.unique(direction, return_inverse=True)
    sides = np.array([polar_to_earth(1.0, angle) for angle in different.tolist()]).T
    x, y = (speed * side[places].reshape(direction.shape) for side in sides)
    return flow._replace(x=x, y=y) if x.ndim else flow._replace(x=float(x), y=float(y))
