"""
The parameters of foils: rudders, keels, skegs and sails, fixed or turning, in water or in air.

They stand under `foils` in a boat file. A foil has a symmetric section; its lift and drag coefficients are a closed
form of the angle of attack, or a measured table that includes stall.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.files.checked import number
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import radians_of_degrees

HALF_TURN_DEG = 180.0
OSWALD = 0.9  # (-), Oswald efficiency factor in the induced drag.


class FoilCurve(NamedTuple):
    """
    Measured coefficients of a foil.

    `angle`: angles of attack, rad, ascending from 0 to pi. `lift`, `drag`: C_L and C_D there, (-). `stall`: angle of
    attack of the largest lift below pi/2, rad.
    """

    angle: np.ndarray
    lift: np.ndarray
    drag: np.ndarray
    stall: float


class Steer(NamedTuple):
    """The limits of a foil that turns about the vertical; angles are counter-clockwise from the bow, rad."""

    least: Annotated[float, number(
        'foils.*.steer.min_angle_deg', 'deg', 'least angle of the chord from the bow, counter-clockwise',
        at_least=-180, at_most=180, from_file=radians_of_degrees, sweep=False, band=False)]
    largest: Annotated[float, number(
        'foils.*.steer.max_angle_deg', 'deg', 'largest angle of the chord', at_least=-180, at_most=180,
        from_file=radians_of_degrees, sweep=False, band=False)]
    rate: Annotated[float, number(
        'foils.*.steer.rate_deg', 'deg/s', 'how fast it turns at most', above=0, from_file=radians_of_degrees,
        sweep=False, band=False)]


class Wash(NamedTuple):
    """The slipstream of a propeller at a foil; `screws`: for each thruster 1.0 if it makes the slipstream, else 0.0."""

    screws: Any
    share: Annotated[float, number(
        'foils.*.wash.share', '-', "share of the foil's area that stands in the slipstream", at_least=0, at_most=1)]
    gain: Annotated[float, number(
        'foils.*.wash.gain', '-', "share of the slipstream's gain in speed that reaches the foil", at_least=0,
        at_most=1.5)]
    diameter: Annotated[float, number('foils.*.wash.diameter', 'm', 'diameter of the screw', above=0)]


class Foil(NamedTuple):
    """
    One foil; x and y are in body axes (FLU) from the boat's origin, angles are counter-clockwise from the bow.

    At an angle of attack a, C_L = `lift` sin 2a and C_D = `drag0` + `drag` (1 - cos 2a), unless `curve` gives both.
    Fields that most foils do not need are None, so that compiled code leaves out the terms that use them:
    `curve`: None for the closed form. `steer`: None if the foil is fixed. `in_air`: None in water. `wash`: None outside
    of slipstreams. `swings`: None if `aft` is 0. `sail`: None unless the foil is a sail, which is a foil that turns in
    air, outside of the slipstream of a fan (inside it is a rudder). `drives`: None for a sail that is trimmed to half
    the angle of the apparent wind; else it is trimmed to the largest drive.
    """

    x: Annotated[float, number(
        'foils.*.x', 'm', 'place of its axis (of a fixed foil: of its centre of effort), forward')]
    y: Annotated[float, number('foils.*.y', 'm', 'the same, to port')]
    area: Annotated[float, number('foils.*.area', 'm^2', 'area, one side', above=0)]
    density: Annotated[float, number('foils.*.density', 'kg/m^3', 'density of the water or air', above=0)]
    lift: Annotated[float, number(
        'foils.*.lift', '-', 'lift coefficient at 45 degrees: C_L = lift sin 2a', at_least=0, default=0.0)]
    drag: Annotated[float, number(
        'foils.*.drag', '-', 'half of the drag coefficient abeam: C_D = drag0 + drag (1 - cos 2a)', at_least=0,
        default=0.0)]
    drag0: Annotated[float, number(
        'foils.*.drag0', '-', 'drag coefficient along the chord', at_least=0, default=0.0)]
    aft: Annotated[float, number(
        'foils.*.aft', 'm', 'how far the centre of effort lies behind the axis, along the chord', default=0.0)]
    aspect: Annotated[float | None, number(
        'foils.*.aspect', '-', 'effective aspect ratio, from which lift and drag follow where they are left out',
        above=0, sweep=False, band=False)] = None
    curve: FoilCurve | None = None
    steer: Steer | None = None
    in_air: Any = None
    wash: Wash | None = None
    swings: Any = 1.0
    sail: Any = None
    drives: Any = None


def foil_from(entry: Mapping[str, Any], numbers: Callable[..., dict[str, Any]], thrusters: Sequence[str],
              where: str) -> Foil:
    """
    Return a foil from its entry in a boat's file.

    :param entry: The entry, with plain numbers.
    :param numbers: Function of (entry, *fields) that returns the numbers of an entry by the names of their fields.
    :param thrusters: Names of the thrusters, for the slipstream.
    :param where: Prefix of a key in error messages: the file, a colon, and the path of the foil.
    :raises InputError: If lift and drag are given not at all or twice, a table is not valid, or a thruster is unknown.
    """
    own = numbers(entry, 'vessel', 'foils')
    table, given = entry.get('table'), [name for name in ('table', 'aspect', 'lift') if name in entry]
    if len(given) != 1:
        raise InputError(f'{where}: has {" and ".join(given) or "no curve"}; must have lift and drag, or aspect, or '
                         'table')
    if own['aspect'] is not None:
        lift, drag = coefficients_of_aspect(own['aspect'])
        own = {**own, 'lift': lift, 'drag': drag}
    wash = None
    if 'wash' in entry:
        name = entry['wash']['thruster']
        if name not in thrusters:
            raise InputError(f'{where}.wash.thruster is {name!r}; must be one of {", ".join(thrusters)}')
        wash = Wash(tuple(float(one == name) for one in thrusters), **numbers(entry, 'vessel', 'foils', 'wash'))
    steer = Steer(**numbers(entry, 'vessel', 'foils', 'steer')) if 'steer' in entry else None
    return Foil(**own, curve=None if table is None else curve_of_table(table, f'{where}.table'), steer=steer,
                in_air=1.0 if entry.get('medium') == 'air' else None, wash=wash, drives=_drives(entry, where))


def _drives(entry: Mapping[str, Any], where: str) -> float | None:
    """Return 1.0 for a sail that is trimmed to the largest drive, else None; InputError if `trim` is not applicable."""
    if 'trim' not in entry:
        return None
    if entry.get('medium') != 'air' or 'steer' not in entry or 'wash' in entry:
        raise InputError(f'{where}.trim is {entry["trim"]!r}, and the foil is no sail: one that turns in air, away '
                         'from a fan')
    if entry['trim'] == 'drive' and 'table' in entry:
        raise InputError(f"{where}.trim is 'drive', which goes with lift and drag, or aspect; the foil has a table: "
                         'half')
    return 1.0 if entry['trim'] == 'drive' else None


def foil_faults(foil: Foil) -> Iterator[str]:
    """Yield a message for each inconsistency between the numbers of a foil; it begins with the path in the foil."""
    if foil.steer is not None and not foil.steer.least < foil.steer.largest:
        least, largest = (math.degrees(angle) for angle in (foil.steer.least, foil.steer.largest))
        yield f'steer.min_angle_deg is {least:g}; must be less than max_angle_deg, {largest:g}'


def coefficients_of_aspect(aspect: float) -> tuple[float, float]:
    """
    Return `lift` and `drag` of a foil, (-), from its effective aspect ratio, (-).

    The lift slope at 0 is that of Whicker and Fehlner for an unswept quarter-chord line. The drag equals the induced
    drag at small angles and follows 1 - cos 2a at larger ones; with an aspect ratio of 2, C_D = 1.05 at 90 degrees.

    Source: L.F. Whicker, L.F. Fehlner (1958), DTMB report 933: dC_L/da = 0.9 (2 pi) A / (sqrt(A^2 + 4) + 1.8);
        C_Di = C_L^2 / (0.9 pi A), as in Lewis (ed.), Principles of Naval Architecture III (1989), section 14.
    """
    slope = 0.9 * 2.0 * math.pi * aspect / (math.sqrt(aspect * aspect + 4.0) + 1.8)
    return 0.5 * slope, 0.5 * slope * slope / (OSWALD * math.pi * aspect)


def curve_of_table(rows: Sequence[Sequence[float]], where: str) -> FoilCurve:
    """
    Return the FoilCurve of a table of angle of attack, deg, C_L and C_D, (-).

    A table that ends at 90 degrees is mirrored to 180, as for a section that is also symmetric fore and aft.

    :param rows: At least two rows, angles ascending from 0 to 90 or 180.
    :param where: Prefix of error messages: file and key.
    :raises InputError: If the angles are not valid, C_L is not 0 at 0 and 180 degrees, or C_D is negative.
    """
    angle, lift, drag = np.array(rows, dtype=float).T.copy()
    if angle[0] != 0.0 or angle[-1] not in (0.5 * HALF_TURN_DEG, HALF_TURN_DEG) or np.any(np.diff(angle) <= 0.0):
        raise InputError(f'{where} has the angles {angle.tolist()} deg; they must rise from 0 to 90 or to 180')
    if lift[0] != 0.0 or (lift[-1] != 0.0 and angle[-1] == HALF_TURN_DEG):
        raise InputError(f'{where} has C_L = {lift[0]:g} at {angle[0]:g} deg and {lift[-1]:g} at {angle[-1]:g} deg; '
                         'must be 0 at 0 and 180 deg: foils are symmetric')
    if np.any(drag < 0.0):
        raise InputError(f'{where} has the drag coefficients {drag.tolist()}; must be at least 0')
    if angle[-1] < HALF_TURN_DEG:
        if lift[-1] != 0.0:
            raise InputError(f'{where} has C_L = {lift[-1]:g} at 90 deg; must be 0 there, or go on to 180 deg')
        angle = np.concatenate((angle, HALF_TURN_DEG - angle[-2::-1]))
        lift, drag = np.concatenate((lift, -lift[-2::-1])), np.concatenate((drag, drag[-2::-1]))
    ahead = angle <= 0.5 * HALF_TURN_DEG
    stall = float(np.radians(angle[ahead][np.argmax(lift[ahead])]))
    return FoilCurve(np.radians(angle), lift, drag, stall)
