"""What a boat does on its way to a waypoint and at it, in addition to going there."""

from typing import NamedTuple


class WaypointOrder(NamedTuple):
    """
    The order of a mission for one waypoint.

    Speed over ground on the way there, m/s (None: the scenario's); duration of the stay, s, and the heading during it
    if water and air allow, rad, ENU (None: any); distance at which the waypoint is reached, m (None: the scenario's);
    `name` of the leg, for tables and reports.
    """

    speed: float | None = None
    hold: float = 0.0
    heading: float | None = None
    radius: float | None = None
    name: str = ''


NOTHING_ORDERED = WaypointOrder()
