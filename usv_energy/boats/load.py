"""
Loads that vary, as a boat's file describes them: sonar, camera, winch, modem, a UAV that charges on deck.

What a load does by time and speed is numbers, which the physics reads (`Load`, part of the Vessel). What it does by leg
and by topic is names, which stand beside them (`LoadRule`): whoever knows the leg, or hears the topic, puts it into the
numbers (`vessel_with_shares`).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

from usv_energy.files.checked import number
from usv_energy.files.errors import InputError

HOLD = 'hold'         # In `legs`: while the boat stays at any place.
HOLD_AT = 'hold at '  # What the name of a leg begins with while the boat stays at its end.


class Duty(NamedTuple):
    """A duty cycle: on for the first `share` of each `period`; `phase`, s, of a period has gone by at time 0."""

    share: Annotated[float, number('loads.*.duty.share', '-', 'share of each period in which it is on', at_least=0,
                                   at_most=1)]
    period: Annotated[float, number('loads.*.duty.period', 's', 'from switching on to switching on', above=0)]
    phase: Annotated[float, number(
        'loads.*.duty.phase', 's', 'of a period, gone by when run, mission, log or node begin')] = 0.0


class SpeedSwitch(NamedTuple):
    """
    On above a speed over ground, below one, or by a share over it; what is not given is None.

    `above` and `below` together: between them. `speeds`, m/s, rising, and `shares`, (-): a table, linear between its
    rows and constant beyond them.
    """

    above: Annotated[float | None, number(
        'loads.*.speed.above', 'm/s', 'over ground; on when faster', at_least=0, sweep=False, band=False)] = None
    below: Annotated[float | None, number(
        'loads.*.speed.below', 'm/s', 'over ground; on when slower', above=0, sweep=False, band=False)] = None
    speeds: Any = None
    shares: Any = None


class Load(NamedTuple):
    """
    One load: its power while it is on; when it is on by time and by speed, None where these do not matter.

    `share`: of its power, (-), for what else it depends on: leg and topic; 1 where it depends on neither, and where
    these are not known what its rule says.
    """

    power: Annotated[float, number('loads.*.power', 'W', 'while it is on', at_least=0)]
    duty: Duty | None = None
    speed: SpeedSwitch | None = None
    share: Any = 1.0


class LoadTopic(NamedTuple):
    """A topic that says what share of its power a load takes: name; 'bool' or 'share'; the share where unheard, (-)."""

    name: str
    kind: str
    unheard: float


class LoadRule(NamedTuple):
    """
    A load by name, and what of it is no number: the legs on which it is on, the topic that switches it.

    `legs`: names of legs, of those without a name the number, from 1, or HOLD; None: on all, and off them.
    """

    name: str
    legs: tuple[str, ...] | None = None
    topic: LoadTopic | None = None


def load_from(entry: Mapping[str, Any], numbers: Any, where: str) -> tuple[Load, LoadRule]:
    """
    Return a load from its entry in a boat's file.

    :param entry: What stands there, numbers bare, after it was checked against the schema.
    :param numbers: Gives the numbers of (entry, *fields) by the names of their fields.
    :param where: What stands before a key in an error: the file, a colon, and the load's path.
    :raises InputError: For a duty cycle without share or period, speeds that do not go together.
    """
    duty = Duty(**numbers(entry, 'vessel', 'loads', 'duty')) if 'duty' in entry else None
    speed = _speed_from(entry['speed'], numbers(entry, 'vessel', 'loads', 'speed'), where) if 'speed' in entry else None
    topic = entry.get('topic')
    rule = LoadRule(entry['name'], tuple(map(str, entry['legs'])) if 'legs' in entry else None,
                    None if topic is None else LoadTopic(topic['name'], topic['type'], float(topic['unheard'])))
    load = Load(**numbers(entry, 'vessel', 'loads'), duty=duty, speed=speed)
    return load._replace(share=share_of(rule)), rule


def _speed_from(entry: Mapping[str, Any], limits: Mapping[str, Any], where: str) -> SpeedSwitch:
    rows, (above, below) = entry.get('table'), (limits['above'], limits['below'])
    if (rows is None) == (above is None and below is None):
        raise InputError(f'{where}.speed has {", ".join(entry) or "nothing"}; must have above, below or both, or table')
    if above is not None and below is not None and not above < below:
        raise InputError(f'{where}.speed.above is {above:g}; must be less than below, {below:g}: it is on between them')
    if rows is None:
        return SpeedSwitch(above, below)
    speeds, shares = (tuple(map(float, column)) for column in zip(*rows))
    if any(not slow < fast for slow, fast in pairwise(speeds)) or speeds[0] < 0.0:
        raise InputError(f'{where}.speed.table has the speeds {list(speeds)} m/s; they must rise from 0 or more')
    if not all(0.0 <= share <= 1.0 for share in shares):
        raise InputError(f'{where}.speed.table has the shares {list(shares)}; must be from 0 to 1')
    return SpeedSwitch(speeds=speeds, shares=shares)


def share_of(rule: LoadRule, leg: str = '', heard: Mapping[str, float] | None = None) -> float:
    """
    Return the share of its power that a load takes by leg and topic, (-).

    :param rule: The load's.
    :param leg: Name of the leg that the boat is on; empty: on none, or nobody knows, and what is on by leg is off.
    :param heard: Shares by names of topics; for a topic that is not in it the file says the share.
    """
    share = 1.0 if rule.legs is None or is_on_leg(rule.legs, leg) else 0.0
    if rule.topic is not None:
        share *= (heard or {}).get(rule.topic.name, rule.topic.unheard)
    return share


def loads_with_shares(loads: Sequence[Load], rules: Sequence[LoadRule], leg: str = '',
                      heard: Mapping[str, float] | None = None) -> tuple[Load, ...]:
    """Return loads on a leg, and as topics have been heard; parameters as `share_of`."""
    return tuple(load._replace(share=share_of(rule, leg, heard)) for load, rule in zip(loads, rules))


def is_on_leg(legs: Sequence[str], leg: str) -> bool:
    """Return whether a leg, by its name, is one of some legs, the way there or the stay at its end, or a stay: HOLD."""
    way = leg.removeprefix(HOLD_AT)
    return leg != '' and (way in legs or (way != leg and HOLD in legs))
