"""What befalls a hull of parts at once: another load, a blow. Floats."""

from typing import Any

from ..physics.parted_hull import PartedHull, vector_to_earth
from .floating import Afloat, turn_of_hull


def with_origin_of(state: Any, old: PartedHull, new: PartedHull) -> Any:
    """
    Return a PlantState with its point P where another load puts it: as high as the new centre of mass.

    Hull and water stay where they are, and the hull moves on as it did.

    :param state: The PlantState, of the PartedHull `old`; `new`: the same hull with another load.
    """
    afloat, rise = state.afloat, old.columns[0].bottom - new.columns[0].bottom  # Of P over the keel.
    east, north, up = vector_to_earth(0.0, 0.0, rise, turn_of_hull(afloat, state.yaw))
    return state._replace(x=state.x + east, y=state.y + north, u_r=state.u_r + afloat.q * rise,
                          v_r=state.v_r - afloat.p * rise, afloat=afloat._replace(height=afloat.height + up))


def struck(afloat: Afloat, impulse: float, x: float, y: float, hull: PartedHull) -> Afloat:
    """Return the Afloat of a hull just after a blow along its axis up, N s, at a place from its point, m."""
    arm_x, arm_y = x - hull.mass_x, y - hull.mass_y
    roll, pitch = impulse * arm_y / hull.roll_inertia, -impulse * arm_x / hull.pitch_inertia
    # Its centre of mass gets the blow; the point P moves by the turning as well.
    w = impulse / hull.heave_mass - hull.mass_y * roll + hull.mass_x * pitch
    return afloat._replace(w=afloat.w + w, p=afloat.p + roll, q=afloat.q + pitch)
