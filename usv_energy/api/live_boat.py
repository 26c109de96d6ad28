"""A boat that runs now, by its autopilot's MAVLink, without ROS: `follow_boat`."""

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from usv_energy.api.given import (
    FlowLike,
    boat_of,
    flag_of,
    flow_of,
    number_of,
    optional_number,
    path_of,
    with_parameter_names,
)
from usv_energy.api.plans import place_of, wind_of
from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.files.errors import InputError


@with_parameter_names
def follow_boat(connection: str | int | Path, boat: Boat | str | Path, *, current: FlowLike = None,
                wind: FlowLike = None, wind_height: float | None = None, home: tuple[float, float] | None = None,
                reserve: float = 0.1, charge_std: float = 0.1, lead: float = 10.0, system: int | None = None,
                any_vehicle: bool = False, period: float = 1.0, duration: float | None = None,
                rate: float | None = None) -> Iterator[dict[str, Any]]:
    """
    Return an iterator over the states of a live boat: one mapping a boat and period, as `usv-energy live --json`.

    Units are in the keys (docs/live.md); nothing is ever commanded. The last states come once more at the end. It ends
    with the link, after `duration`, or when the iterator is closed.

    :param connection: A UDP port of this machine, any connection of pymavlink, or a .tlog, which is replayed.
    :param boat: The boat, or the name or path of its file.
    :param current: Water, as of `mission`; its time 0 is the first position. Still water where None.
    :param wind: The same of the air; as the autopilot says it, else none, where None.
    :param wind_height: At which that wind holds, m above water; at the boat where None.
    :param home: Latitude and longitude to go back to, degrees; the autopilot's home where None.
    :param reserve: Share of the battery that must be left at home, (-).
    :param charge_std: How well the charge at the start is known: its standard deviation, (-).
    :param lead: How long before the point of no return it is time to turn back, s.
    :param system: MAVLink's number of the boat; every boat that is heard where None.
    :param any_vehicle: Whether to take a vehicle that says it is no boat, too.
    :param period: s between states, of the clock on the wall.
    :param duration: s after which it ends; never where None.
    :param rate: Of a .tlog: how many times as fast as it was recorded; as fast as it is read where None.
    :raises InputError: If the boat or the connection is wrong, or pymavlink is not installed.

    >>> states = list(usv_energy.follow_boat('boat.tlog', 'lutra_prop'))
    >>> states[-1]['vehicle'], states[-1]['energy_total_j'] > 20.0
    ('a boat', True)
    """
    from usv_energy.live.boat_account import LiveTerms
    from usv_energy.live.link import open_link
    from usv_energy.live.session import LiveOptions, LiveSession
    from usv_energy.missions.mission import checked_place
    known = boat_of(boat)
    require_motion(known, 'the power of a motion')
    terms = LiveTerms(flow_of(current, 'current'), None if wind is None else wind_of(wind, known, wind_height),
                      None if home is None else checked_place(*place_of(home, 'home'), 'home'),
                      number_of(reserve, 'reserve', 0.0, 1.0), lead=number_of(lead, 'lead', 0.0),
                      charge_std=number_of(charge_std, 'charge_std', 0.0, 1.0))
    options = LiveOptions(terms, None if system is None else int(number_of(system, 'system', 0.0, 255.0)),
                          flag_of(any_vehicle, 'any_vehicle'), None)
    step, speed = number_of(period, 'period', above=0.0), optional_number(rate, 'rate', above=0.0)
    longest = optional_number(duration, 'duration', above=0.0)
    link = open_link(path_of(str(connection) if isinstance(connection, int) else connection, 'connection'),
                     math.inf if speed is None else speed)

    def states() -> Iterator[dict[str, Any]]:
        try:
            session = LiveSession(link, known, options)
            end = math.inf if longest is None else time.monotonic() + longest
            for figures in session.states(step, lambda: time.monotonic() >= end):
                yield from figures
            session.end()
            if not session.boats:
                raise InputError(f'{connection}: no boat was heard'
                                 + ''.join(f'; {text}' for text in session.refused.values()))
            yield from session.figures()
        finally:
            link.close()

    return states()
