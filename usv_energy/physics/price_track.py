"""
Prices of allocations one after the other, and what the next ones will be near: where the next search begins.

A boat's demand changes smoothly from one period to the next, but for jumps, and so do the prices at which it is met. A
parabola through the last three says the next ones so well that one Newton step, in nine periods of ten, does the rest.
"""

import math
from typing import Any, NamedTuple

from .elementwise import kernel, select


class PriceTrack(NamedTuple):
    """
    Prices of surge and sway, W/N, and yaw, W/(N m), of searches one after the other, as `thrust_sharing.shared_out`.

    `start`: with which the next search is to begin. `last`: those found last. `before`: those found before these. NaN
    where there were none yet.
    """

    start: Any
    last: Any
    before: Any


@kernel
def no_track(_):
    """Return None: for a boat whose thrusts are not searched for."""
    return None


@kernel
def fresh_track(free, zero):
    """Return the PriceTrack of a boat that has not searched; `zero` has the shape, `free` is the Vessel's."""
    none = zero + math.nan
    return PriceTrack((none, none, none), (none, none, none), (none, none, none))


@kernel
def track_with(track, found):
    """Return a PriceTrack with the prices of one more search; as it is where there was none, its prices NaN."""
    searched = found[2] == found[2]
    ahead = (_next(found[0], track.last[0], track.before[0]), _next(found[1], track.last[1], track.before[1]),
             _next(found[2], track.last[2], track.before[2]))
    return PriceTrack(_where(searched, ahead, track.start), _where(searched, found, track.last),
                      _where(searched, track.last, track.before))


@kernel
def _where(condition, yes, no):
    return select(condition, yes[0], no[0]), select(condition, yes[1], no[1]), select(condition, yes[2], no[2])


@kernel
def _next(now, last, before):
    """Return the next number of a series: along the parabola through three, the line through two, or as it is."""
    ahead = select(last == last, now + (now - last), now)
    return select(before == before, ahead + (now - 2.0 * last + before), ahead)


@kernel
def track_restarted(track, prices):
    """Return a PriceTrack whose next search begins with other prices."""
    return PriceTrack(prices, track.last, track.before)
