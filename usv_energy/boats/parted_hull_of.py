"""From the parts of a boat's file to the PartedHull that the physics moves."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..files.errors import InputError
from ..physics.parted_hull import HullColumn, PartedHull
from .hull_parts import HEAVE_ADDED, PITCH_ADDED, ROLL_ADDED, Floating, HullPart
from .inertia import with_payload
from .parted_hull_rest import level_height, rest_of, shares_of, stiffness_at
from .vessel import Hull, Inertia

GAUSS = 0.5 / math.sqrt(3.0)  # Of a box's length and width: two columns there have its second moment of area.


class HullSheet(NamedTuple):
    """What a boat's file says of the parts of its hull, and of how they float."""

    parts: tuple[HullPart, ...]
    floating: Floating


class PartMass(NamedTuple):
    """A mass on board, kg, and its place: ahead and to port of the boat's point, and over its keel, m."""

    mass: float
    x: float
    y: float
    height: float


def with_loads_on_parts(inertia: Inertia, sheet: HullSheet) -> Inertia:
    """Return the inertia of a boat with what lies on its parts; as `with_payload`."""
    for part in sheet.parts:
        inertia = with_payload(inertia, Hull(payload=part.payload, payload_x=part.x, payload_y=part.y))
    return inertia


def parted_hull_of(sheet: HullSheet, hull: Hull, inertia: Inertia, where: str, *more: PartMass) -> PartedHull:
    """
    Return the hull that floats on some parts, its payload on board, at rest in still water.

    :param sheet: The HullSheet.
    :param hull: With the mass, and the payload.
    :param inertia: In the plane, payload included.
    :param where: What stands before a key in an error: the file and a colon.
    :param more: What else is on board, beside what the file says.
    :raises InputError: Without hull.mass; if the parts do not hold up the mass, or do not hold it upright.
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
    """Return the columns of the parts, heights over the keel: two along each part, two across one amidships."""
    volumes = [part.length * part.width * part.height for part in sheet.parts]
    drags = shares_of([part.drag for part in sheet.parts], volumes, 'drag', where)
    windages = shares_of([part.windage for part in sheet.parts], volumes, 'windage', where)
    found = []
    for part, drag, windage in zip(sheet.parts, drags, windages):
        ahead, aside = GAUSS * part.length, GAUSS * part.width
        # One beside the middle stands where its second moment about the boat's axis is that of the box.
        ports = ((part.y + aside, part.y - aside) if abs(part.y) < 0.5 * part.width
                 else (math.copysign(math.hypot(part.y, aside), part.y),))
        share = 1.0 / (2 * len(ports))
        found += [HullColumn(part.x + x, y, share * part.length * part.width, part.bottom, part.height, 0.0, 0.0, 0.0,
                             0.0, share * drag, share * windage) for x in (ahead, -ahead) for y in ports]
    return found


def _hull_of(columns: list[HullColumn], masses: Sequence[PartMass], sheet: HullSheet, hull: Hull,
             inertia: Inertia) -> PartedHull:
    """Return a hull without damping and springs, not yet at rest."""
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
    """Return columns with what the water's motion at them counts for heave, roll, pitch and yaw of the hull."""
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
    """Return how far ahead of the boat's point the water holds up a level hull that displaces its mass, m."""
    height = level_height(hull)
    wet = [column.area * min(max(-(height + column.bottom), 0.0), column.height) for column in hull.columns]
    return float(np.dot(wet, [column.x for column in hull.columns]) / sum(wet))


def _stiff(hull: PartedHull, rest: np.ndarray, sheet: HullSheet, boat: Hull, where: str) -> PartedHull:
    """Return a hull at rest, with its damping, the arms of what acts on it, and the springs that its file asks for."""
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
