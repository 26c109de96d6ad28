"""
Foils as the physics knows them: rudders, keels, skegs and sails, fixed or turning, in water or in air.

A boat's file holds them in `foils`. Lift and drag are those of a symmetric section: a closed
form of the angle of attack, or a table with stall as measured.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.files.checked import number
from usv_energy.files.errors import InputError
from usv_energy.physics.frames import radians_of_degrees

HALF_TURN_DEG = 180.0
OSWALD = 0.9  # What a planform that is not elliptic leaves of the aspect ratio in the induced drag.


class FoilCurve(NamedTuple):
    """Lift and drag coefficients, (-), over the angle of attack, 0 to pi rad, rising; `stall`: that of most lift."""

    angle: np.ndarray
    lift: np.ndarray
    drag: np.ndarray
    stall: float


class Steer(NamedTuple):
    """How a foil turns about the vertical; angles of its leading edge from the bow, counter-clockwise, rad."""

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
    """What a foil behind a screw has of its slipstream; `screws`: 1.0 of the thruster with the screw, 0.0 of others."""

    screws: Any
    share: Annotated[float, number(
        'foils.*.wash.share', '-', "share of the foil's area that stands in the slipstream", at_least=0, at_most=1)]
    gain: Annotated[float, number(
        'foils.*.wash.gain', '-', "share of the slipstream's gain in speed that reaches the foil", at_least=0,
        at_most=1.5)]
    diameter: Annotated[float, number('foils.*.wash.diameter', 'm', 'diameter of the screw', above=0)]


class Foil(NamedTuple):
    """
    One foil; places in FLU from the boat's point, angles of its leading edge from the bow, counter-clockwise.

    Its lift coefficient is `lift` sin 2a, its drag coefficient `drag0` + `drag` (1 - cos 2a) at an angle of attack a,
    or both are those of `curve`. What is None stands for what most foils do not have, so that compiled code has no
    trace of it: `curve`, `steer` of a fixed one, `in_air` in water, `wash` away from screws, `swings` without `aft`,
    `sail` of all but sails: what turns in air is one, but in the slipstream of a fan a rudder;
    `drives` of a sail that is trimmed to half the apparent wind's angle, and not to the most drive.
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

    :param entry: What stands there, numbers bare.
    :param numbers: Gives the numbers of (entry, *fields) by the names of their fields.
    :param thrusters: Their names, for the slipstream.
    :param where: What stands before a key in an error: the file, a colon, and the foil's path.
    :raises InputError: For a foil without a curve or with two, a table that is none, an unknown thruster.
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
    """Return 1.0 of a sail that is trimmed to the most drive, else None; InputError where no such angle is known."""
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
    """Yield what does not hold between the numbers of a foil, each behind its path within the foil."""
    if foil.steer is not None and not foil.steer.least < foil.steer.largest:
        least, largest = (math.degrees(angle) for angle in (foil.steer.least, foil.steer.largest))
        yield f'steer.min_angle_deg is {least:g}; must be less than max_angle_deg, {largest:g}'


def coefficients_of_aspect(aspect: float) -> tuple[float, float]:
    """
    Return `lift` and `drag` of a foil, (-), from its effective aspect ratio, (-).

    The slope of C_L at 0 is Whicker and Fehlner's, for a quarter chord without sweep; the drag is the induced drag at
    small angles, and grows from there as 1 - cos 2a does, which is C_D = 1.05 abeam for an aspect ratio of 2.

    Source: L.F. Whicker, L.F. Fehlner (1958), DTMB report 933: dC_L/da = 0.9 (2 pi) A / (sqrt(A^2 + 4) + 1.8);
        C_Di = C_L^2 / (0.9 pi A), as in Lewis (ed.), Principles of Naval Architecture III (1989), section 14.
    """
    slope = 0.9 * 2.0 * math.pi * aspect / (math.sqrt(aspect * aspect + 4.0) + 1.8)
    return 0.5 * slope, 0.5 * slope * slope / (OSWALD * math.pi * aspect)


def curve_of_table(rows: Sequence[Sequence[float]], where: str) -> FoilCurve:
    """
    Return the curve of a table of angle of attack, deg, C_L and C_D, (-).

    A table that ends at 90 degrees is mirrored: a flow from the trailing edge meets the same section the other way.

    :param rows: At least two, angles rising from 0 to 90 or 180.
    :param where: What stands before an error: file and key.
    :raises InputError: Where it is no such table, C_L is not 0 at 0, or C_D is negative.
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
