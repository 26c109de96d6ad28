"""A boat that runs, followed in a thread of its own; what a page shows of it, as plain data for JSON."""

import math
import threading
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from usv_energy.earth import FARTHEST, LocalPlane
from usv_energy.live.announcer import ALERT, alarms_of
from usv_energy.studies.plan.way_home import ring_about

Follower = TypeVar('Follower', bound='BoatFollower')
MOST_PLACES = 2000      # of a boat's track; every other is left out then


class BoatFollower:
    """Follows boats from entering until it is left, as `_follow` of a subclass does; any thread may ask for `state`."""

    def __init__(self, name: str) -> None:
        """
        Begin without a message.

        :param name: Of the thread.
        """
        self._over, self._lock = threading.Event(), threading.Lock()
        self._boats: list[dict[str, Any]] = []
        self._refused: list[str] = []
        self._ended, self._error = False, ''
        self._thread = threading.Thread(target=self._follow, daemon=True, name=name)

    def __enter__(self: Follower) -> Follower:
        """Begin to follow."""
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """End it, and close the source."""
        self._over.set()
        self._thread.join()

    def state(self) -> dict[str, Any]:
        """
        Return what is known now.

        `boats`: of each its figures as `usv-energy live --json` has them, with `map` (degrees, and perhaps
        `is_on_earth`: false where they are those of local metres about no place in particular), `track_deg`, and
        `alarms`, each a level (alarm or warning) and a text; `ended`: whether nothing can come any more; `refused`:
        vehicles that are left alone, and why; `error`: that ended it, empty if none did.
        """
        with self._lock:
            return {'boats': self._boats, 'ended': self._ended, 'refused': self._refused, 'error': self._error}

    def _follow(self) -> None:
        """Read the source until `_over` is set or nothing can come any more; runs in the thread."""
        raise NotImplementedError


def extend_track(track: list[tuple[float, float]], place: tuple[float, float] | None) -> None:
    """Add a place, degrees north and east, to a track, if it is known and another than the last one."""
    if place is not None and None not in place and (not track or track[-1] != tuple(place)):
        track.append((place[0], place[1]))
        if len(track) > MOST_PLACES:
            del track[1:-1:2]


def home_on_map(answer: Any, plane: LocalPlane) -> dict[str, Any]:
    """
    Return a home and the ring about it from within which the boat gets home with what it has, degrees north and east.

    :param answer: A HomeAnswer, or a HomeMargin; None: there is none yet.
    :param plane: Of its earth frame.
    :return: `home_deg` and `ring_deg`; None where it is not known, or not on the Earth.
    """
    if answer is None or not math.hypot(answer.home_x, answer.home_y) <= FARTHEST:
        return {'home_deg': None, 'ring_deg': None}
    x, y = ring_about(answer.home_x, answer.home_y, answer.reach)
    is_ring = x.size > 0 and bool((np.hypot(x, y) <= FARTHEST).all())
    return {'home_deg': plane.degrees_of(answer.home_x, answer.home_y),
            'ring_deg': np.column_stack(plane.to_geodetic(x, y)).tolist() if is_ring else None}


def alarm_rows(figures: dict[str, Any]) -> list[dict[str, str]]:
    """Return the alarms that a boat's figures give, for `BoatFollower.state`."""
    return [{'level': 'alarm' if said.severity == ALERT else 'warning', 'text': said.text}
            for said in alarms_of(figures)]
