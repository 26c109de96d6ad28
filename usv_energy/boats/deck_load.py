"""A load on deck that can change while the boat is under way, and its effect on the boat's coefficients."""

from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.parted_hull_file import PartMass, parted_hull_of
from usv_energy.boats.vessel import Hull, Vessel, with_payload


class DeckLoad(NamedTuple):
    """
    A load on deck.

    `mass`: kg. `x`, `y`: position forward and to port of the boat's origin, m. `height`: above the waterline that the
    boat has without the load, m.
    """

    mass: float
    x: float = 0.0
    y: float = 0.0
    height: float = 0.0


def loaded_vessel(boat: Boat, load: DeckLoad | None) -> Vessel:
    """
    Return the Vessel of a boat with a load in addition to the payload of its file; None for no load.

    For a planar boat the load adds mass and yaw inertia, as a payload does; the larger draught is neglected. For a hull
    of parts its weight also acts at its position, and the hull sinks, heels and trims.
    """
    vessel = boat.vessel
    if load is None:
        return vessel
    inertia = with_payload(vessel.inertia, Hull(payload=load.mass, payload_x=load.x, payload_y=load.y))
    if boat.hull_sheet is None or vessel.parts is None:
        return vessel._replace(inertia=inertia)
    own = vessel.parts
    over_keel = boat.hull_sheet.floating.thrust_height - own.thrust_arm + load.height - own.rest_height
    parts = parted_hull_of(boat.hull_sheet, boat.hull, inertia, f'{boat.path}: ',
                           PartMass(load.mass, load.x, load.y, over_keel))
    return vessel._replace(inertia=inertia, parts=parts)
