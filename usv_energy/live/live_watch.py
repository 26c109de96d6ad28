"""A live session followed in a thread of its own, and what a page shows of it, as plain data for JSON."""

import re
from ipaddress import ip_address
from typing import Any

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.live.boat_follower import BoatFollower, alarm_rows, extend_track
from usv_energy.live.link import ALLOWED, Link
from usv_energy.live.session import BoatSession, LiveOptions, LiveSession
from usv_energy.logs.autopilots.telemetry import Sender

PERIOD = 0.5            # s between two looks at the boats
NETWORKED = re.compile(r'(udpin|udp|udpout|tcp|tcpin):(\[[^]]*\]|[^:]*):\d+', re.ASCII)


def loopback_connection(text: str) -> str:
    """
    Return a connection of this machine alone, as somebody typed it in a page: a port, or udpin:127.0.0.1:PORT.

    :raises InputError: If it leads elsewhere: to another host, a device, a file.
    """
    text = text.strip()
    if text.isascii() and text.isdecimal() and 0 < int(text) < 1 << 16:
        return text
    found = NETWORKED.fullmatch(text)
    if found is None or not _is_loopback(found[2].strip('[]')):
        raise InputError(f'connection is {text!r}; must be a port of this machine, as 14551, or its address, as '
                         f'udpin:127.0.0.1:14551 or tcp:127.0.0.1:5777 (usv-energy live takes {ALLOWED})')
    return text


def _is_loopback(host: str) -> bool:
    try:
        return host == 'localhost' or ip_address(host).is_loopback
    except ValueError:
        return False


class LiveWatch(BoatFollower):
    """Follows the boats of a link until it is left; `state` may be asked from any thread."""

    def __init__(self, link: Link, boat: Boat, options: LiveOptions) -> None:
        """
        Begin without a message.

        :param link: The Link, which is closed at the end.
        :param boat: The Boat of every vehicle.
        :param options: The LiveOptions.
        """
        super().__init__('live')
        self._link, self._session = link, LiveSession(link, boat, options)
        self._tracks: dict[Sender, list[tuple[float, float]]] = {}

    def _follow(self) -> None:
        try:
            for figures in self._session.states(PERIOD, self._over.is_set):
                self._look(figures)
        except (InputError, OSError) as error:
            self._error = str(error)
        finally:
            self._session.end()
            self._look(self._session.figures())
            self._link.close()
            self._ended = True

    def _look(self, figures: list[dict[str, Any]]) -> None:
        """Keep what the boats are now."""
        boats = [self._boat_state(*one) for one in zip(self._session.boats.values(), figures)]
        with self._lock:
            self._boats, self._refused = boats, list(self._session.refused.values())

    def _boat_state(self, one: BoatSession, figures: dict[str, Any]) -> dict[str, Any]:
        found = one.account.map_figures()
        track = self._tracks.setdefault(one.sender, [])
        extend_track(track, found['place_deg'])
        return {**figures, 'map': found, 'track_deg': list(track), 'said': list(one.said),
                'alarms': alarm_rows(figures)}
