"""All that a boat keeps off on its way: files' barriers and where the water ends, at a distance given or its own."""

from collections.abc import Sequence

from ..boats.boat_file import Boat
from ..flow.field import FlowField
from .area_barriers import joined
from .barriers import Barriers
from .read_barriers import BarrierFiles, read_barriers
from .room_to_steer import ends_of_water, resolved_ends, with_room
from .world_frame import WorldFrame


def kept_off(boat: Boat, files: BarrierFiles, current: FlowField, frame: WorldFrame | None,
             places: Sequence[tuple[float, float]], times: Sequence[float]) -> Barriers:
    """
    Return what a boat keeps off.

    :param files: Their clearance counts for the end of the water, too; None: the boat's own room (`room_to_steer`).
    :param current: In the world.
    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param places: Start and goals, east and north, m.
    :param times: s of the flow's clock, at which the water's end is looked for.
    :raises InputError: If a file is wrong, or the water is dry everywhere.
    """
    def at(clearance: float) -> Barriers:
        return read_barriers(files._replace(clearance=clearance), frame)

    if files.clearance is None:
        return with_room(boat, places, lambda room: joined([at(room), resolved_ends(boat, current, times, room)]))
    ends = [ends_of_water(current, times, files.clearance)] if files.clearance > 0.0 else []
    return joined([at(files.clearance), *ends])
