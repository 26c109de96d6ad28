"""From stamps to the clock of flow files."""

import math
from datetime import datetime
from functools import partial

from usv_energy.flow.on_earth import world_at
from usv_energy.ros.framework.parameters import Text

TIME_ORIGIN = Text('time_origin', 'zero', "The world's time 0: 'zero' (stamp 0), 'first' (the first stamp asked for) "
                   "or 'date' (the file's start).", allowed=('zero', 'first', 'date'))

ORIGIN = Text('origin', '', 'Where on the Earth x = y = 0 of frame_id lies, LATITUDE,LONGITUDE in degrees: flow files '
              'that say where they are stay there. Empty: nobody says, and the world is that of the water\'s file.',
              names=partial(world_at, name='parameter origin'))


class WorldTime:
    """The world's time 0, at which a flow's clock starts: the stamp 0, the first one asked for, or a file's date."""

    def __init__(self, origin: str) -> None:
        """Take TIME_ORIGIN's value; no stamp was asked for yet."""
        self._origin = origin
        self._first: float | None = None

    def at(self, stamp: float, start: datetime | None) -> float:
        """
        Return the world's time of a stamp, s; NaN where a file has no date and its date is the origin.

        :param stamp: s.
        :param start: Date of the file's first time.
        """
        if self._origin == 'date':
            return math.nan if start is None else stamp - start.timestamp()
        if self._origin == 'first':
            self._first = stamp if self._first is None else self._first
            return stamp - self._first
        return stamp
