"""The parts of a hull as a boat's file has them, and what floats on them: `parts` and `floating`."""

from typing import Annotated, Any, NamedTuple

from ..files.file_number import number
from ..physics.linear_wave import SEA_WATER

# What is added to the mass in heave, and to the inertia in roll and pitch, and damping over critical damping, where a
# file says nothing: those of Fossen's Otter, a catamaran of 2 m. MSS, CRAFT/USV/models/otter.m, commit 108ceda4.
HEAVE_ADDED, ROLL_ADDED, PITCH_ADDED = 1.0, 0.2, 0.8
HEAVE_DAMPING, ROLL_DAMPING, PITCH_DAMPING = 0.3, 0.2, 0.4


def _row(path: str, unit: str, meaning: str, **limits: Any) -> Any:
    return number(path, unit, meaning, sweep=False, band=False, **limits)


class HullPart(NamedTuple):
    """A box that carries, drags and has windage: its middle, its size, what lies on it. Heights are over the keel."""

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
    """What a hull of parts has in heave, roll and pitch; None: as docs/waves.md says."""

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
