"""From dotted paths to the numbers of a scenario: which there are, whether values are allowed, and putting them in."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..boats.boat_file import Boat
from ..boats.quantities import Quantity, quantities, unknown
from ..boats.vessel import Thruster, Vessel
from ..files.errors import InputError
from ..physics.frames import polar_to_earth
from .scenario import Scenario

DAMPING = {'linear': '', 'quadratic': '_q', 'speed': '_u'}  # Parts of a boat file's damping: endings of its fields.
Values = Mapping[str, Any]  # Dotted path to a number, or to an array with a number a run.
Part = TypeVar('Part', bound=tuple)
FLOWS = ('current', 'wind')
GAINS = {'heading_kp': 'controller.heading.kp', 'heading_kd': 'controller.heading.kd',
         'speed_kp': 'controller.speed.kp', 'speed_ki': 'controller.speed.ki'}


def parameter_paths(scenario: Scenario) -> dict[str, Quantity]:
    """Return the parameters of a scenario that may vary, by dotted path, with their units and limits."""
    paths: dict[str, Quantity] = {}
    for path, quantity in quantities('scenario').items():
        paths |= _counted(path, quantity, len(scenario.waypoints))
    if scenario.lookahead is None:
        del paths['guidance.lookahead']
    boats = {'boat': scenario.boat} if scenario.plant is scenario.boat else {
        'boat': scenario.boat, 'plant': scenario.plant}
    for prefix, boat in boats.items():
        for path, quantity in quantities('boat').items():
            paths |= {f'{prefix}.{name}': q for name, q in
                      _counted(path, quantity, len(boat.vessel.thrusters)).items()}
    return paths


def checked_values(scenario: Scenario, number: int, overrides: Values,
                   gridded: frozenset[str]) -> dict[str, np.ndarray]:
    """
    Return what varies as arrays of one number a run.

    :param gridded: Which of current and wind are given as grids, so that they have no speed and direction.
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

    :param values: Of paths that `checked_values` has seen. Arrays in place of numbers give a scenario of arrays, which
        is what the backends compute with.
    """
    x, y, yaw = scenario.start
    if 'start.heading_deg' in values:
        yaw = values['start.heading_deg'] * (math.pi / 180.0)
    boat = boat_with(scenario.boat, 'boat', values)
    return replace(
        scenario, boat=boat,
        plant=boat if scenario.plant is scenario.boat else boat_with(scenario.plant, 'plant', values),
        start=(values.get('start.x', x), values.get('start.y', y), yaw),
        waypoints=tuple(tuple(values.get(f'waypoints.{n}.{axis}', values.get(f'waypoints.*.{axis}', own))
                              for axis, own in zip('xy', point)) for n, point in enumerate(scenario.waypoints)),
        speed=values.get('speed.target', scenario.speed),
        **{name: _flow_with(getattr(scenario, name), name, values) for name in FLOWS},
        gains=scenario.gains._replace(**{key: values[path] for key, path in GAINS.items() if path in values}),
        lookahead=values.get('guidance.lookahead', scenario.lookahead),
        radius=values.get('stop.radius', scenario.radius), timeout=values.get('stop.timeout', scenario.timeout))


def boat_with(boat: Boat, prefix: str, values: Values) -> Boat:
    """Return a boat with other numbers: those at paths that begin with the prefix and a dot."""
    own = {path[len(prefix) + 1:]: value for path, value in values.items() if path.startswith(f'{prefix}.')}
    if not own:
        return boat
    vessel = boat.vessel
    damping = {f'{name}{suffix}': own[f'damping.{part}.{name}']
               for part, suffix in DAMPING.items() for name in ('d11', 'd22', 'd33', 'd23', 'd32')
               if f'damping.{part}.{name}' in own}
    vessel = vessel._replace(
        inertia=_with_fields(vessel.inertia, 'inertia', own), damping=vessel.damping._replace(**damping),
        windage=_with_fields(vessel.windage, 'windage', own), thrusters=_thrusters_with(vessel, own),
        losses=_with_fields(vessel.losses, 'losses', own), static_load=own.get('static_load', vessel.static_load))
    return replace(boat, vessel=vessel)


def _counted(path: str, quantity: Quantity, number: int) -> dict[str, Quantity]:
    if '*' not in path:
        return {path: quantity}
    return {path.replace('*', place): quantity for place in ('*', *map(str, range(number)))}


def _checked(path: str, given: Any, number: int, quantity: Quantity) -> np.ndarray:
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
    """Check what a boat's file is checked for beyond its schema, and that the controller can steer the plant."""
    changed = scenario_with(scenario, values)
    for name, vessel in (('boat', changed.boat.vessel), ('plant', changed.plant.vessel)):
        inertia, damping = vessel.inertia, vessel.damping
        if np.any(np.greater_equal(inertia.m23 ** 2, inertia.m22 * inertia.m33)):
            raise InputError(f'{name}.inertia.m23: its square is not less than m22 m33 in every run')
        for part, end in (('linear', ''), ('speed', '_u')):
            d22, d23, d32, d33 = (getattr(damping, f'{key}{end}') for key in ('d22', 'd23', 'd32', 'd33'))
            if np.any(np.greater((d23 + d32) ** 2, 4.0 * d22 * d33 * (1.0 + 1e-9))):
                raise InputError(f'{name}.damping.{part}.d23 + d32: its square is more than 4 d22 d33 in some run, so '
                                 'that the damping would drive the boat')
        for n, thruster in enumerate(vessel.thrusters):
            if np.any(np.greater_equal(thruster.min_thrust, thruster.max_thrust)):
                raise InputError(f'{name}.thrusters.{n}.min_thrust is not less than max_thrust in every run')
        if vessel.losses.mapped and np.any(np.not_equal(vessel.losses.efficiency, 1.0)):
            raise InputError(f'{name}.losses.efficiency varies beside a map of losses; must be left out')
    port, starboard = changed.plant.vessel.thrusters
    alike = all(np.all(np.equal(getattr(port, key), getattr(starboard, key)))
                for key in ('x', 'min_thrust', 'max_thrust', 'efficiency_of_tilt', 'lag'))
    if not alike or np.any(np.not_equal(port.y, -1.0 * starboard.y)) or np.any(np.less_equal(port.y, 0.0)):
        raise InputError('the thrusters of the plant are no longer a pair in every run: the controller steers with two '
                         'that differ in y only, the first to port, the other as far to starboard; '
                         'vary both alike, as boat.thrusters.*.max_thrust')


def _with_fields(part: Any, prefix: str, own: Values) -> Any:
    return part._replace(**{name: own[f'{prefix}.{name}'] for name in part._fields if f'{prefix}.{name}' in own})


def _thrusters_with(vessel: Vessel, own: Values) -> tuple[Thruster, ...]:
    given = [{key: own[path] for key in ('x', 'y', 'min_thrust', 'max_thrust', 'lag', 'tilt_deg')
              for path in (f'thrusters.*.{key}', f'thrusters.{n}.{key}') if path in own}
             for n in range(len(vessel.thrusters))]
    moved = any('y' in changes or 'tilt_deg' in changes for changes in given)
    for changes in given:
        if 'tilt_deg' in changes:
            changes['efficiency_of_tilt'] = np.cos(np.radians(changes.pop('tilt_deg')))
    thrusters = [thruster._replace(**changes) for thruster, changes in zip(vessel.thrusters, given)]
    if moved:
        every = np.broadcast_arrays(*(value for t in thrusters for value in (t.efficiency_of_tilt, t.y)))
        tilts, arms = np.stack(every[0::2], -1), np.stack(every[1::2], -1)
        shares: Any = np.linalg.pinv(np.stack((tilts, -arms * tilts), axis=-2))
        thrusters = [t._replace(surge_share=shares[..., n, 0][()], yaw_share=shares[..., n, 1][()])
                     for n, t in enumerate(thrusters)]
    return tuple(thrusters)


def _flow_with(flow: Any, name: str, values: Values) -> Any:
    if f'{name}.speed' not in values and f'{name}.direction_deg' not in values:
        return flow
    speed = np.asarray(values.get(f'{name}.speed', flow.speed))
    direction = np.asarray(values.get(f'{name}.direction_deg', flow.direction_deg))
    pairs = [polar_to_earth(float(v), float(angle)) for v, angle in np.broadcast(speed, direction)]
    x, y = np.array(pairs).T if speed.ndim or direction.ndim else pairs[0]
    return flow._replace(x=x, y=y)
