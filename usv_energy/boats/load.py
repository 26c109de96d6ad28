"""
Varying electrical loads of a boat file, such as a sonar, a camera, a winch, a modem or a UAV that charges on deck.

The dependence on time and speed is expressed in numbers, which the physics uses (`Load`, a part of the Vessel). The
dependence on the leg and on topics is expressed in names (`LoadRule`). A caller that knows the leg or receives the
topic applies the rule by `loads_with_shares`.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

from usv_energy.files.checked import number
from usv_energy.files.errors import InputError

HOLD = 'hold'         # Entry of `legs` for every time the boat holds its position.
HOLD_AT = 'hold at '  # Prefix of a leg's name while the boat holds position at its end.


class Duty(NamedTuple):
    """A duty cycle: on for the first `share` of each `period`; at time 0 a period has lasted for `phase`, s."""

    share: Annotated[float, number('loads.*.duty.share', '-', 'share of each period in which it is on', at_least=0,
                                   at_most=1)]
    period: Annotated[float, number('loads.*.duty.period', 's', 'from switching on to switching on', above=0)]
    phase: Annotated[float, number(
        'loads.*.duty.phase', 's', 'of a period, gone by when run, mission, log or node begin')] = 0.0


class SpeedSwitch(NamedTuple):
    """
    The dependence of a load on the speed over ground; fields that are not given are None.

    The load is on above `above` and below `below`; with both it is on between them. Or `speeds`, m/s, ascending, and
    `shares`, (-), are a table of the fraction of its power, interpolated linearly and constant outside.
    """

    above: Annotated[float | None, number(
        'loads.*.speed.above', 'm/s', 'over ground; on when faster', at_least=0, sweep=False, band=False)] = None
    below: Annotated[float | None, number(
        'loads.*.speed.below', 'm/s', 'over ground; on when slower', above=0, sweep=False, band=False)] = None
    speeds: Any = None
    shares: Any = None


class Load(NamedTuple):
    """
    One load: its power while it is on, and its dependence on time (`duty`) and speed; None for no dependence.

    `share`: fraction of its power by leg and topic, (-), as `share_of` returns it; 1 if it depends on neither.
    """

    power: Annotated[float, number('loads.*.power', 'W', 'while it is on', at_least=0)]
    duty: Duty | None = None
    speed: SpeedSwitch | None = None
    share: Any = 1.0


class LoadTopic(NamedTuple):
    """
    A topic that switches a load.

    `name`: of the topic. `kind`: 'bool', or 'share' for a fraction of the power. `unheard`: the share, (-), as long as
    no message has arrived.
    """

    name: str
    kind: str
    unheard: float


class LoadRule(NamedTuple):
    """
    The name of a load, the legs on which it is on, and the topic that switches it.

    `legs`: names of legs, numbers of legs from 1, or HOLD. None if it does not depend on the leg.
    """

    name: str
    legs: tuple[str, ...] | None = None
    topic: LoadTopic | None = None


def load_from(entry: Mapping[str, Any], numbers: Any, where: str) -> tuple[Load, LoadRule]:
    """
    Return a load from its entry in a boat's file.

    :param entry: The entry, with plain numbers, already checked against the schema.
    :param numbers: Function of (entry, *fields) that returns the numbers of an entry by the names of their fields.
    :param where: Prefix of a key in error messages: the file, a colon, and the path of the load.
    :raises InputError: If a duty cycle is incomplete, or the speeds are inconsistent.
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
    Return the fraction of its power that a load draws by leg and topic, (-).

    :param rule: The LoadRule.
    :param leg: Name of the current leg. Empty if there is none or it is not known; then loads that need a leg are off.
    :param heard: Received shares by names of topics; a topic that is missing counts with its `unheard` share.
    """
    share = 1.0 if rule.legs is None or is_on_leg(rule.legs, leg) else 0.0
    if rule.topic is not None:
        share *= (heard or {}).get(rule.topic.name, rule.topic.unheard)
    return share


def loads_with_shares(loads: Sequence[Load], rules: Sequence[LoadRule], leg: str = '',
                      heard: Mapping[str, float] | None = None) -> tuple[Load, ...]:
    """Return loads with their `share` for a leg and received topics; parameters as `share_of`."""
    return tuple(load._replace(share=share_of(rule, leg, heard)) for load, rule in zip(loads, rules))


def rules_with_names(rules: Sequence[LoadRule], names: Sequence[str]) -> tuple[LoadRule, ...]:
    """
    Return rules whose numbers of legs stand for the names of these, too.

    :param names: Of the legs in their order, empty of those without. A leg that is itself called by a number keeps it.
    """
    numbered = {str(number): name for number, name in enumerate(names, start=1) if name}
    return tuple(rule if rule.legs is None else rule._replace(legs=(*rule.legs, *(
        numbered[leg] for leg in rule.legs if leg in numbered and leg not in names))) for rule in rules)


def unmatched_legs(rules: Sequence[LoadRule], names: Sequence[str]) -> list[str]:
    """Return what rules say of legs that there are not, a sentence each; parameters as `rules_with_names`."""
    there = {HOLD, *names, *(str(number) for number in range(1, len(names) + 1))}
    return [f'the load {rule.name} is on on the leg {leg!r}, and no leg has this name or number'
            for rule in rules for leg in rule.legs or () if leg not in there]


def is_on_leg(legs: Sequence[str], leg: str) -> bool:
    """Return whether a leg, with or without HOLD_AT, is in `legs`, or is a hold while `legs` has HOLD."""
    way = leg.removeprefix(HOLD_AT)
    return leg != '' and (way in legs or (way != leg and HOLD in legs))
