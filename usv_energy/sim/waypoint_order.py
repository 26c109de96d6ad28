"""What a boat is to do on its way to a waypoint and there, beside going to it."""

from typing import NamedTuple


class WaypointOrder(NamedTuple):
    """
    What a mission says of one waypoint.

    Speed over ground on the way there, m/s (None: the scenario's own); time for which the boat stays, s, and the
    heading that it has meanwhile where water and air leave it one, rad, ENU (None: any); distance at which the waypoint
    is reached, m (None: the scenario's); `name` of the leg, for tables and reports.
    """

    speed: float | None = None
    hold: float = 0.0
    heading: float | None = None
    radius: float | None = None
    name: str = ''


NOTHING_ORDERED = WaypointOrder()
