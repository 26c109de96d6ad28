"""The parts of a hull in a boat's file, the PartedHull that is simulated, and its equilibrium."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Hull, Inertia, with_payload
from usv_energy.files.checked import number
from usv_energy.files.errors import InputError
from usv_energy.physics.parted_hull import HullColumn, PartedHull, Turn, calm_around, water_force, weight_force
from usv_energy.physics.waves.linear_wave import GRAVITY, SEA_WATER

# Default added mass in heave, added inertia in roll and pitch, and damping ratios: those of Fossen's Otter, a catamaran
# of 2 m. MSS, CRAFT/USV/models/otter.m, commit 108ceda4.
HEAVE_ADDED, ROLL_ADDED, PITCH_ADDED = 1.0, 0.2, 0.8
HEAVE_DAMPING, ROLL_DAMPING, PITCH_DAMPING = 0.3, 0.2, 0.4


def _row(path: str, unit: str, meaning: str, **limits: Any) -> Any:
    return number(path, unit, meaning, sweep=False, band=False, **limits)


class HullPart(NamedTuple):
    """A box of the hull with buoyancy, drag and windage: middle, size, and mass on it. Heights are above the keel."""

    x: Annotated[float, _row('parts.*.x', 'm', "of its middle, forward of the boat's point")]
    y: Annotated[float, _row('parts.*.y', 'm', 'of its middle, to port')]
    length: Annotated[float, _row('parts.*.length', 'm', 'of the box, along the boat', above=0)]
    width: Annotated[float, _row('parts.*.width', 'm', 'of the box, across the boat', above=0)]
    height: Annotated[float, _row('parts.*.height', 'm', 'of the box', above=0)]
    bottom: Annotated[float, _row('parts.*.bottom', 'm', "height of the box's bottom over the boat's keel")] = 0.0
    drag: Annotated[float | None, _row(
        'parts.*.drag', '-', "share of the hull's drag; all parts as their volume where left out", at_least=0)] = None
    windage: Annotated[float | None, _row(
        'parts.*.windage', '-', "share of the hull's windage; all parts as their volume where left out",
        at_least=0)] = None
    payload: Annotated[float, _row(
        'parts.*.payload', 'kg', 'mass that lies on it, beside hull.mass and hull.payload', at_least=0)] = 0.0


class Floating(NamedTuple):
    """Parameters of heave, roll and pitch for a hull of parts; None for the defaults in docs/waves.md."""

    mass_height: Annotated[float, _row(
        'floating.mass_height', 'm', 'of the centre of mass of the boat without payload, over the keel')]
    roll_inertia: Annotated[float, _row(
        'floating.roll_inertia', 'kg m^2', 'about that centre of mass, without payload and added inertia', above=0)]
    pitch_inertia: Annotated[float, _row(
        'floating.pitch_inertia', 'kg m^2', 'about that centre of mass, without payload and added inertia', above=0)]
    mass_x: Annotated[float | None, _row(
        'floating.mass_x', 'm', "of that centre of mass, forward of the boat's point; over the centre of buoyancy if "
        'left out')] = None
    payload_height: Annotated[float | None, _row(
        'floating.payload_height', 'm', 'of all payload, over the keel; that of the centre of mass if left out')] = None
    heave_added_mass: Annotated[float | None, _row(
        'floating.heave_added_mass', 'kg', 'of the water; as much as all mass on board if left out', at_least=0)] = None
    roll_added_inertia: Annotated[float | None, _row(
        'floating.roll_added_inertia', 'kg m^2', 'of the water; 0.2 of the inertia if left out', at_least=0)] = None
    pitch_added_inertia: Annotated[float | None, _row(
        'floating.pitch_added_inertia', 'kg m^2', 'of the water; 0.8 of the inertia if left out', at_least=0)] = None
    heave_damping: Annotated[float, _row(
        'floating.heave_damping', '-', 'over critical damping', at_least=0)] = HEAVE_DAMPING
    roll_damping: Annotated[float, _row(
        'floating.roll_damping', '-', 'over critical damping', at_least=0)] = ROLL_DAMPING
    pitch_damping: Annotated[float, _row(
        'floating.pitch_damping', '-', 'over critical damping', at_least=0)] = PITCH_DAMPING
    heave_stiffness: Annotated[float | None, _row(
        'floating.heave_stiffness', 'N/m', 'of all restoring at rest; that of the parts if left out', above=0)] = None
    roll_stiffness: Annotated[float | None, _row(
        'floating.roll_stiffness', 'N m/rad', 'of all restoring at rest; that of the parts if left out',
        above=0)] = None
    pitch_stiffness: Annotated[float | None, _row(
        'floating.pitch_stiffness', 'N m/rad', 'of all restoring at rest; that of the parts if left out',
        above=0)] = None
    drag_height: Annotated[float | None, _row(
        'floating.drag_height', 'm', 'at which the drag acts, over the keel; half the draught if left out')] = None
    thrust_height: Annotated[float, _row(
        'floating.thrust_height', 'm', 'of thrusters and foils, over the keel')] = 0.0
    water_density: Annotated[float, _row(
        'floating.water_density', 'kg/m^3', 'of the water that it floats in', above=0)] = SEA_WATER


GAUSS = 0.5 / math.sqrt(3.0)  # Of a box's length and width: two columns there have its second moment of area.


class HullSheet(NamedTuple):
    """The parts of a boat's hull, and their floating parameters, as in its file."""

    parts: tuple[HullPart, ...]
    floating: Floating


class PartMass(NamedTuple):
    """A mass on board, kg, and its position ahead and to port of the boat's origin and above its keel, m."""

    mass: float
    x: float
    y: float
    height: float


def with_loads_on_parts(inertia: Inertia, sheet: HullSheet) -> Inertia:
    """Return the inertia of a boat with the masses on its parts; as `with_payload`."""
    for part in sheet.parts:
        inertia = with_payload(inertia, Hull(payload=part.payload, payload_x=part.x, payload_y=part.y))
    return inertia


def parted_hull_of(sheet: HullSheet, hull: Hull, inertia: Inertia, where: str, *more: PartMass) -> PartedHull:
    """
    Return the hull that floats on some parts, with its payload, in equilibrium in still water.

    :param sheet: The HullSheet.
    :param hull: With the mass and the payload.
    :param inertia: In the plane, with payload.
    :param where: Prefix of a key in error messages: the file and a colon.
    :param more: Further masses on board.
    :raises InputError: Without hull.mass; if the parts do not carry the mass, or do not keep it upright.
    """
    if hull.mass is None:
        raise InputError(f'{where}lacks the key hull.mass: a hull of parts floats by it')
    floating = sheet.floating
    columns = _columns(sheet, where)
    empty = _hull_of(columns, [PartMass(hull.mass, 0.0, 0.0, floating.mass_height)], sheet, hull, inertia)
    level = _center_of_buoyancy(empty)
    own = PartMass(hull.mass, level if floating.mass_x is None else floating.mass_x, 0.0, floating.mass_height)
    height = floating.mass_height if floating.payload_height is None else floating.payload_height
    masses = [own, *(PartMass(0.5 * hull.payload, hull.payload_x, side * hull.payload_y, height)
                     for side in (1.0, -1.0)),
              *(PartMass(part.payload, part.x, part.y, height) for part in sheet.parts), *more]
    afloat = _hull_of(columns, masses, sheet, hull, inertia)
    return _stiff(afloat, rest_of(afloat, where), sheet, hull, where)


def _columns(sheet: HullSheet, where: str) -> list[HullColumn]:
    """Return the columns of the parts, with heights above the keel: two along each part, two across if amidships."""
    volumes = [part.length * part.width * part.height for part in sheet.parts]
    drags = shares_of([part.drag for part in sheet.parts], volumes, 'drag', where)
    windages = shares_of([part.windage for part in sheet.parts], volumes, 'windage', where)
    found = []
    for part, drag, windage in zip(sheet.parts, drags, windages):
        ahead, aside = GAUSS * part.length, GAUSS * part.width
        # A column beside the centre line is where its second moment about that line equals that of the box.
        ports = ((part.y + aside, part.y - aside) if abs(part.y) < 0.5 * part.width
                 else (math.copysign(math.hypot(part.y, aside), part.y),))
        share = 1.0 / (2 * len(ports))
        found += [HullColumn(part.x + x, y, share * part.length * part.width, part.bottom, part.height, 0.0, 0.0, 0.0,
                             0.0, share * drag, share * windage) for x in (ahead, -ahead) for y in ports]
    return found


def _hull_of(columns: list[HullColumn], masses: Sequence[PartMass], sheet: HullSheet, hull: Hull,
             inertia: Inertia) -> PartedHull:
    """Return a hull without damping and springs, not yet in equilibrium."""
    floating, mass = sheet.floating, sum(one.mass for one in masses)
    x, y, height = (sum(one.mass * at for one, at in zip(masses, places)) / mass
                    for places in zip(*((one.x, one.y, one.height) for one in masses)))
    roll = floating.roll_inertia + sum(one.mass * ((one.y - y) ** 2 + (one.height - height) ** 2) for one in masses)
    pitch = floating.pitch_inertia + sum(one.mass * ((one.x - x) ** 2 + (one.height - height) ** 2) for one in masses)
    heave_added, roll_added, pitch_added = (
        default if given is None else given for given, default in (
            (floating.heave_added_mass, HEAVE_ADDED * mass), (floating.roll_added_inertia, ROLL_ADDED * roll),
            (floating.pitch_added_inertia, PITCH_ADDED * pitch)))
    own_yaw = (inertia.m33 * mass / inertia.m22 if hull.yaw_inertia is None
               else hull.yaw_inertia + sum(one.mass * (one.x ** 2 + one.y ** 2) for one in masses[1:]))
    nothing = dict.fromkeys(('heave_damping', 'roll_damping', 'pitch_damping', 'heave_spring', 'roll_spring',
                             'pitch_spring', 'drag_arm', 'wind_arm', 'rest_height', 'rest_roll', 'rest_pitch',
                             'draught'), 0.0)
    length, width = (sum(getattr(part, key) * part.length * part.width for part in sheet.parts)
                     / sum(part.length * part.width for part in sheet.parts) for key in ('length', 'width'))
    return PartedHull(
        columns=_weighted([column._replace(bottom=column.bottom - height) for column in columns]), mass=mass, mass_x=x,
        mass_y=y, heave_mass=mass + heave_added, roll_inertia=roll + roll_added, pitch_inertia=pitch + pitch_added,
        heave_added=heave_added, roll_added=roll_added, pitch_added=pitch_added,
        yaw_added=max(inertia.m33 - own_yaw, 0.0), density=floating.water_density,
        thrust_arm=floating.thrust_height - height, cell_length=0.5 * length, cell_width=width, **nothing)


def _weighted(columns: list[HullColumn]) -> tuple[HullColumn, ...]:
    """Return columns with the weights of the water's motion at them for heave, roll, pitch and yaw of the hull."""
    area = np.array([column.area for column in columns]) / sum(column.area for column in columns)
    x, y, drag = (np.array([getattr(column, key) for column in columns]) for key in ('x', 'y', 'drag'))
    ahead, aside = x - area @ x, y - area @ y
    turning = drag @ (x * x + y * y)
    return tuple(column._replace(
        lift=float(area[n]), roll=_ratio(area[n] * aside[n], area @ aside ** 2),
        pitch=-_ratio(area[n] * ahead[n], area @ ahead ** 2), turn=_ratio(drag[n], turning))
        for n, column in enumerate(columns))


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0.0 else 0.0


def _center_of_buoyancy(hull: PartedHull) -> float:
    """Return the position of the centre of buoyancy ahead of the origin, m, for a level hull with its own mass."""
    height = level_height(hull)
    wet = [column.area * min(max(-(height + column.bottom), 0.0), column.height) for column in hull.columns]
    return float(np.dot(wet, [column.x for column in hull.columns]) / sum(wet))


def _stiff(hull: PartedHull, rest: np.ndarray, sheet: HullSheet, boat: Hull, where: str) -> PartedHull:
    """Return a hull in equilibrium, with its damping, the arms of the forces on it, and the springs of its file."""
    floating = sheet.floating
    own = np.diag(stiffness_at(rest, hull))
    given = (floating.heave_stiffness, floating.roll_stiffness, floating.pitch_stiffness)
    springs = [0.0 if wanted is None else wanted - float(has) for wanted, has in zip(given, own)]
    inertias = np.array([hull.heave_mass, hull.roll_inertia, hull.pitch_inertia])
    ratios = (floating.heave_damping, floating.roll_damping, floating.pitch_damping)
    damping = 2.0 * np.array(ratios) * np.sqrt(inertias * (own + springs))
    bottom = min(column.bottom for column in hull.columns)
    draughts = [max(-(rest[0] + column.bottom), 0.0) for column in hull.columns]
    draught = float(np.dot(draughts, [column.area for column in hull.columns])
                    / sum(column.area for column in hull.columns))
    drag_arm = -float(rest[0]) - 0.5 * draught if floating.drag_height is None else (
        floating.drag_height + hull.thrust_arm - floating.thrust_height)
    over_water = boat.windage_height or (0.5 * boat.height if boat.height else -(rest[0] + bottom))
    return hull._replace(
        rest_height=float(rest[0]), rest_roll=float(rest[1]), rest_pitch=float(rest[2]), draught=draught,
        heave_damping=float(damping[0]), roll_damping=float(damping[1]), pitch_damping=float(damping[2]),
        heave_spring=springs[0], roll_spring=springs[1], pitch_spring=springs[2], drag_arm=drag_arm,
        wind_arm=float(over_water) - float(rest[0]))


STEPS, SETTLED = 60, 1e-12     # Newton steps; residual of force and moment over weight, m.
SMALL = 1e-6                   # m and rad, finite difference for stiffnesses.
LARGEST_TILT = 0.5             # rad, largest tilt of a valid equilibrium.


def turn_of(roll: float, pitch: float, yaw: float = 0.0) -> Turn:
    """Return the Turn of three angles, rad."""
    return Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))


def forces_at(place: np.ndarray, hull: PartedHull) -> np.ndarray:
    """Return the upward force, N, and the moments conjugate to roll and pitch angle, N m, on a hull in still water."""
    height, roll, pitch = (float(part) for part in place)
    turn = turn_of(roll, pitch)
    water = water_force(height, turn, calm_around(0.0, hull), hull)
    weight = weight_force(turn, hull)
    x, y, z, k, m, n = (a + b for a, b in zip(water, weight))
    up = -x * turn.s_pitch + (y * turn.s_roll + z * turn.c_roll) * turn.c_pitch
    of_pitch = m * turn.c_roll - n * turn.s_roll
    tilt, lean = roll - hull.rest_roll, pitch - hull.rest_pitch
    return np.array([up - hull.heave_spring * (height - hull.rest_height), k - hull.roll_spring * tilt,
                     of_pitch - hull.pitch_spring * lean])


def stiffness_at(place: np.ndarray, hull: PartedHull) -> np.ndarray:
    """Return minus the derivative of `forces_at` by height, roll and pitch, shape (3, 3); N/m, N, N m/m, N m/rad."""
    steps = SMALL * np.eye(3)
    return np.array([(forces_at(place - step, hull) - forces_at(place + step, hull)) / (2.0 * SMALL)
                     for step in steps]).T


def rest_of(hull: PartedHull, where: str) -> np.ndarray:
    """
    Return height, m, roll and pitch, rad, of a hull without springs in equilibrium in still water.

    :raises InputError: If the parts do not carry the mass, or the hull does not float upright.
    """
    carried = hull.density * sum(float(column.area * column.height) for column in hull.columns)
    if carried <= hull.mass:
        raise InputError(f'{where}parts hold up at most {carried:.4g} kg; must be more than the mass on board, '
                         f'{float(hull.mass):.4g} kg')
    place = np.array([level_height(hull), 0.0, 0.0])
    weight = hull.mass * GRAVITY
    for _ in range(STEPS):
        force, stiffness = forces_at(place, hull), stiffness_at(place, hull)
        if np.linalg.eigvalsh(0.5 * (stiffness + stiffness.T))[0] <= 0.0:
            break
        move = np.linalg.solve(stiffness, force)
        place = place + move / max(1.0, 10.0 * float(np.max(np.abs(move))))
        if np.max(np.abs(force)) < SETTLED * weight and np.max(np.abs(move)) < SMALL:
            return place
        if np.max(np.abs(place[1:])) > LARGEST_TILT:
            break
    roll, pitch = np.degrees(place[1:])
    raise InputError(f'{where}parts do not hold the boat upright: at roll {roll:.3g} deg, pitch {pitch:.3g} deg it is '
                     f'not at rest, or turns over; is floating.mass_height, {-_lowest(hull):.4g} m over its lowest '
                     'part, too high, or the load too far from the middle?')


def _lowest(hull: PartedHull) -> float:
    return min(float(column.bottom) for column in hull.columns)


def level_height(hull: PartedHull) -> float:
    """Return the height of the origin P, m, at which an upright hull displaces its mass."""
    low, high = -10.0 * max(1.0, *(abs(float(c.bottom + c.height)) for c in hull.columns)), -_lowest(hull)
    for _ in range(200):
        middle = 0.5 * (low + high)
        displaced = sum(float(hull.density * c.area * min(max(-(middle + c.bottom), 0.0), c.height))
                        for c in hull.columns)
        low, high = (middle, high) if displaced > hull.mass else (low, middle)
    return 0.5 * (low + high)


def shares_of(given: list[Any], volumes: list[float], what: str, where: str) -> list[float]:
    """Return shares that add up to 1: given ones, or by volume; InputError if only some parts have them."""
    if all(share is None for share in given):
        return [volume / sum(volumes) for volume in volumes]
    if any(share is None for share in given):
        raise InputError(f'{where}parts: {what} stands with some parts and not with others; give it with all or none')
    if abs(sum(given) - 1.0) > 1e-6:
        raise InputError(f'{where}parts: the shares {what} add up to {sum(given):g}; must be 1')
    return [float(share) for share in given]
