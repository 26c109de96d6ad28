"""What must hold between the parts of a boat's file, beyond its numbers: places on the hull, keys that go together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..files.errors import InputError
from .vessel import Hull, Vessel

REACH = 0.75  # Of the length and of the width: how far an actuator may be from the boat's point, half and a margin.


def check_keys(plain: Mapping[str, Any], where: str) -> None:
    """
    Check the keys of a boat's file against each other.

    :param plain: The file's content, numbers bare, after it was checked against the schema.
    :param where: What stands before a key in an error: the file and a colon.
    :raises InputError: Key, value and what is allowed.
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
    See whether actuators and payload are on board, where the file says how large the hull is.

    The boat's point need not be the middle of the hull, and engines hang behind it: up to three quarters of the length
    or the width are allowed. What lies farther off is most often a place in centimetres or millimetres.

    :param vessel: The Vessel, of plain numbers.
    :param hull: The Hull; what it does not say is not checked.
    :param where: As `check_keys`.
    :raises InputError: Path, value and what is allowed.
    """
    places = [('hull.payload_', hull.payload_x, hull.payload_y)]
    places += [(f'thrusters.{n}.', thruster.x, thruster.y) for n, thruster in enumerate(vessel.thrusters)]
    places += [(f'foils.{n}.', foil.x, foil.y) for n, foil in enumerate(vessel.foils)]
    for path, x, y in places:
        for axis, value, side, size in (('x', x, 'length', hull.length), ('y', y, 'width', hull.width)):
            if size is not None and abs(value) > REACH * size:
                raise InputError(f'{where}{path}{axis} is {value:g} m, outside the hull; must be from '
                                 f'{-REACH * size:g} to {REACH * size:g} m, {REACH:g} times hull.{side}, {size:g} m')
