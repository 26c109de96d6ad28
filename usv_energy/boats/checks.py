"""
Checks of a boat's numbers and parts against each other, beyond the limits of each number.

Properties that follow from a boat's arrangement of thrusters and foils, and a description of it in words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from usv_energy.boats.vessel import Hull, Losses, Vessel
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil, foil_faults
from usv_energy.thrusters.commands import power_of_thrust
from usv_energy.thrusters.drive import drawn_by_map
from usv_energy.thrusters.thruster import Thruster, gives_sway

ROUNDING = 1.0 + 1e-9


def check_vessel(vessel: Vessel, where: str) -> None:
    """
    Check a boat's numbers against each other.

    :param vessel: The Vessel; arrays with one number per run are checked run by run.
    :param where: Prefix of a path in error messages: the file and a colon, or `boat.`.
    :raises InputError: For the first fault; the message names path, value, what is allowed, and the run if there are
        several.
    """
    for fault in _vessel_faults(vessel):
        raise InputError(f'{where}{fault}')


def _faults(wrong: Any, text: str, *numbers: Any) -> Iterator[str]:
    """Yield the text, with the numbers of the first run where `wrong` is true, if there is one."""
    found = np.asarray(wrong)
    if not found.any():
        return
    run = np.unravel_index(int(np.argmax(found)), found.shape)
    shown = [float(np.broadcast_to(number, found.shape)[run]) for number in numbers]
    yield text.format(*shown) + (f' (run {run[0]})' if run else '')


def has_sail(vessel: Vessel) -> bool:
    """Return whether a boat has a sail."""
    return any(foil.sail is not None for foil in vessel.foils)


def _wash_faults(n: int, foil: Foil, vessel: Vessel) -> Iterator[str]:
    for share, thruster in zip(foil.wash.screws if foil.wash else (), vessel.thrusters):
        if share and (thruster.in_air is None) != (foil.in_air is None):
            own, other = ('water', 'air') if foil.in_air is None else ('air', 'water')
            yield f'foils.{n}.wash.thruster is one in {other}; must be one in {own}, in which the foil stands'


def _vessel_faults(vessel: Vessel) -> Iterator[str]:
    if not vessel.thrusters and not has_sail(vessel):
        yield 'thrusters is []; must hold at least one, or foils a sail that turns (medium: air, steer)'
    for n, thruster in enumerate(vessel.thrusters):
        low, high = thruster.min_thrust, thruster.max_thrust
        yield from _faults(np.greater_equal(low, high), f'thrusters.{n}.min_thrust is {{}}; '
                           'must be less than max_thrust, {}', low, high)
        if thruster.azimuth is not None and not thruster.azimuth.least < thruster.azimuth.largest:
            least, largest = (np.degrees(angle) for angle in (thruster.azimuth.least, thruster.azimuth.largest))
            yield (f'thrusters.{n}.azimuth.min_angle_deg is {least:g}; must be less than max_angle_deg, {largest:g}')
    for n, foil in enumerate(vessel.foils):
        yield from (f'foils.{n}.{fault}' for fault in foil_faults(foil))
        yield from _wash_faults(n, foil, vessel)
    m23, product = vessel.inertia.m23, vessel.inertia.m22 * vessel.inertia.m33
    yield from _faults(np.greater_equal(m23 * m23, product), 'inertia.m23 is {}; its square must be less than m22 m33, '
                       '{:g}', m23, product)
    damping = vessel.damping
    for part, d22, d23, d32, d33 in (('linear', damping.d22, damping.d23, damping.d32, damping.d33),
                                     ('speed', damping.d22_u, damping.d23_u, damping.d32_u, damping.d33_u)):
        both, most = d23 + d32, 4.0 * d22 * d33
        yield from _faults(np.greater(both * both, most * ROUNDING), f'damping.{part}.d23 + d32 is {{:g}}; its '
                           'square must be at most 4 d22 d33, {:g}, or the damping would drive the boat', both, most)
    losses = vessel.losses
    if not losses.mapped:
        return
    yield from _faults(np.not_equal(losses.efficiency, 1.0), 'losses.efficiency is {} beside a map; must be 1 or left '
                       'out', losses.efficiency)
    if np.any(np.diff(losses.map_thrust) <= 0.0):
        yield f'losses.map has the thrusts {losses.map_thrust.tolist()}; they must rise'
    if np.any(losses.map_power < 0.0):
        yield f'losses.map has the powers {losses.map_power.tolist()}; must be at least 0'
    first, last = float(losses.map_thrust[0]), float(losses.map_thrust[-1])
    for thruster in vessel.thrusters:
        if thruster.propeller is not None:
            continue
        low, high = thruster.min_thrust, thruster.max_thrust
        yield from _faults(np.logical_or(np.less(low, first), np.greater(high, last)), f'losses.map goes from {first} '
                           f'to {last} N; must cover the thrusters, {{}} to {{}} N', low, high)


REACH = 0.75  # Largest distance of an actuator from the boat's origin, over length and width: half and a margin.


def check_keys(plain: Mapping[str, Any], where: str) -> None:
    """
    Check the keys of a boat's file against each other.

    :param plain: The file's content with plain numbers, already checked against the schema.
    :param where: Prefix of a key in error messages: the file and a colon.
    :raises InputError: If they are inconsistent; the message names key, value and what is allowed.
    """
    for fault in _key_faults(plain['thrusters'], plain.get('losses', {})):
        raise InputError(f'{where}{fault}')


def _key_faults(thrusters: Sequence[Mapping[str, Any]], losses: Mapping[str, Any]) -> Iterator[str]:
    for n, thruster in enumerate(thrusters):
        if 'azimuth' in thruster and 'angle_deg' in thruster:
            yield (f'thrusters.{n}.angle_deg is {thruster["angle_deg"]:g} beside azimuth; must be left out: it is that '
                   'of a fixed axis')
    if thrusters and 'map' in losses and all('propeller' in thruster for thruster in thrusters):
        yield (f'losses.map is {str(losses["map"])[:60]}, but each thruster has a propeller with a power of its own; '
               'must be left out (`map: null` takes away that of a base)')


def check_places(vessel: Vessel, hull: Hull, where: str) -> None:
    """
    Check that actuators and payload are on board, if the file gives the size of the hull.

    The boat's origin need not be the middle of the hull, and engines may be behind it, so up to three quarters of the
    length or the width are allowed. A larger position is usually in centimetres or millimetres.

    :param vessel: The Vessel, of plain numbers.
    :param hull: The Hull; missing values are not checked.
    :param where: As `check_keys`.
    :raises InputError: If one is not; the message names path, value and what is allowed.
    """
    places = [('hull.payload_', hull.payload_x, hull.payload_y)]
    places += [(f'thrusters.{n}.', thruster.x, thruster.y) for n, thruster in enumerate(vessel.thrusters)]
    places += [(f'foils.{n}.', foil.x, foil.y) for n, foil in enumerate(vessel.foils)]
    for path, x, y in places:
        for axis, value, side, size in (('x', x, 'length', hull.length), ('y', y, 'width', hull.width)):
            if size is not None and abs(value) > REACH * size:
                raise InputError(f'{where}{path}{axis} is {value:g} m, outside the hull; must be from '
                                 f'{-REACH * size:g} to {REACH * size:g} m, {REACH:g} times hull.{side}, {size:g} m')


USUAL_COST = 0.05  # W/N^1.5, assumed for the allocation if the boat file gives only an efficiency.
LEAST_COST = 1e-6  # W/N^1.5
PAIR = 2


def is_pair(vessel: Vessel) -> bool:
    """Return whether a boat has two thrusters in water that point ahead, the first to port, and no foil."""
    if len(vessel.thrusters) != PAIR or vessel.foils:
        return False
    port, starboard = vessel.thrusters
    straight = all(thruster.axis is None and thruster.in_air is None for thruster in vessel.thrusters)
    return straight and bool(np.all(np.greater(port.y, starboard.y)))


def can_turn(vessel: Vessel) -> bool:
    """Return whether a boat can steer: it has a rudder, or thrusters that give a yaw moment at standstill."""
    if any(foil.steer is not None and _sail(foil) is None for foil in vessel.foils):
        return True
    return any(thruster.azimuth is not None for thruster in vessel.thrusters) or (
        len(vessel.thrusters) > 1 and any(np.max(np.abs(thruster.yaw_share)) > 0.0 for thruster in vessel.thrusters))


def with_arrangement(vessel: Vessel) -> Vessel:
    """Return a Vessel with its derived fields: `cost` of the thrusters, `swings` and `sail` of the foils."""
    thrusters = tuple(thruster._replace(cost=cost_of_thrust(thruster, vessel.losses)) for thruster in vessel.thrusters)
    foils = tuple(foil._replace(swings=1.0 if np.any(foil.aft) else None, sail=_sail(foil)) for foil in vessel.foils)
    return vessel._replace(thrusters=thrusters, foils=foils)


def _sail(foil: Foil) -> float | None:
    """Return 1.0 for a sail, a foil that turns in air outside of a fan's slipstream; else None."""
    return 1.0 if foil.steer is not None and foil.in_air is not None and foil.wash is None else None


def cost_of_thrust(thruster: Thruster, losses: Losses) -> float:
    """Return P / T^1.5 at standstill, W/N^1.5, of the electrical power P at half the largest thrust T."""
    thrust = 0.5 * max(float(np.max(np.abs(limit))) for limit in (thruster.min_thrust, thruster.max_thrust))
    if not thrust > 0.0:
        return USUAL_COST
    if thruster.propeller is not None:
        return float(max(power_of_thrust(thrust, 0.0, thruster.propeller) / thrust ** 1.5, LEAST_COST))
    if losses.mapped:
        return float(max(drawn_by_map(thrust, losses) / thrust ** 1.5, LEAST_COST))
    return USUAL_COST


def kind_of(vessel: Vessel) -> str:
    """Return how a boat is driven and steered, in words, as a sentence without its full stop."""
    return f'{_actuators(vessel)}; it steers {_steering(vessel)}'


def rudders_of(vessel: Vessel) -> tuple[Foil, ...]:
    """Return the rudders of a boat: the foils that turn and are not sails."""
    return tuple(foil for foil in vessel.foils if foil.steer is not None and foil.sail is None)


def _actuators(vessel: Vessel) -> str:
    if is_pair(vessel):
        return 'two fixed thrusters side by side'
    counted = Counter([*map(_thruster_words, vessel.thrusters), *map(_foil_words, vessel.foils)])
    return ', '.join(f'{number} {words}' + ('s' if number > 1 else '') for words, number in counted.items())


def _thruster_words(thruster: Thruster) -> str:
    what = 'thruster' if thruster.in_air is None else 'fan'
    if thruster.azimuth is not None:
        return f'turning {what}'
    return f'fixed {what}' if thruster.axis is None else f'sideways or slanted {what}'


def _foil_words(foil: Foil) -> str:
    if foil.in_air is not None:
        return 'fixed foil in air' if foil.steer is None else 'sail' if foil.sail is not None else 'rudder in air'
    return 'keel or skeg' if foil.steer is None else 'rudder'


def _steering(vessel: Vessel) -> str:
    ways = ['by rudder'] if rudders_of(vessel) else []
    if any(thruster.azimuth is not None for thruster in vessel.thrusters):
        ways.append('by turning its thrust')
    elif len(vessel.thrusters) > 1 and can_turn(vessel._replace(foils=())):
        ways.append('by the difference of its thrusts')
    sideways = ' and can go sideways' if gives_sway(vessel.thrusters) else ''
    return (' and '.join(ways) or 'by nothing: it cannot turn') + sideways
