"""Messages of acoustic modems as a table and as figures: what arrived, what was lost and why, what it cost."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...earth import KNOT
from ...files.json_file import without_nan
from ...sim.acoustics.acoustic_run import AcousticContact, AcousticPlan, SentMessage
from ...sim.acoustics.hearing import OUTCOMES, Reception
from ..rounding import fixed
from ..text_table import shortened, text_table

LONGEST = 30  # Characters of a message that are shown.


def acoustic_text(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                  ranges: Mapping[str, float]) -> str:
    """
    Return a run for people.

    :param sent: The messages, as `run_plan` has them; `contacts`: each pair by time; `ranges`: m, by vehicle.
    """
    sea = plan.sea
    lines = [plan.title, f'wind {sea.wind:.2f} m/s ({sea.wind / KNOT:.1f} kn), noise: {sea.noise}, absorption: '
             f'{sea.absorption}', *(f'{name} is understood up to {_metres(far)}' for name, far in ranges.items()), '']
    lines += [f'{contact.receiver} hears {contact.sender}: {_spans(contact, plan.duration)}' for contact in contacts]
    head = ['at, s', 'from', 'message', 'sends, s', 'J', 'to', 'arrives, s', 'after, s', 'm', 'dB', 'noise, dB', '']
    rows = [_row(message, name, plan) for message in sent for name in _others(plan, message)]
    return '\n'.join([*lines, '', *text_table([head, *rows], 'rllrrlrrrrrl', rule=True)])


def acoustic_summary(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                     ranges: Mapping[str, float]) -> dict[str, Any]:
    """Return the same for JSON, units in the keys; parameters as `acoustic_text`."""
    return without_nan({
        'title': plan.title, 'wind_m_s': plan.sea.wind, 'noise': plan.sea.noise, 'absorption': plan.sea.absorption,
        'range_m': {name: far if math.isfinite(far) else None for name, far in ranges.items()},
        'contacts': [{'from': contact.sender, 'to': contact.receiver, 'needed_db': contact.needed,
                      'changes': [{'t_s': time, 'hears': hears} for time, hears in contact.changes]}
                     for contact in contacts],
        'messages': [{
            'from': message.transmission.sender, 'begin_s': message.transmission.begin,
            'duration_s': message.transmission.duration, 'bytes': len(message.transmission.data),
            'energy_j': message.energy,
            'receptions': {name: _figures(reception, message) for name, reception in message.receptions.items()}}
            for message in sent],
        'energy_j': sum(message.energy for message in sent)})


def _figures(reception: Reception, message: SentMessage) -> dict[str, Any]:
    return {'outcome': OUTCOMES[reception.outcome], 'arrival_s': reception.arrival, 'end_s': reception.end,
            'delay_s': reception.end - message.transmission.begin, 'distance_m': reception.distance,
            'level_db': reception.level, 'noise_db': reception.noise}


def _others(plan: AcousticPlan, message: SentMessage) -> list[str]:
    return [vehicle.name for vehicle in plan.vehicles if vehicle.name != message.transmission.sender]


def _row(message: SentMessage, name: str, plan: AcousticPlan) -> list[str]:
    sent, reception = message.transmission, message.receptions.get(name)
    begin = [f'{sent.begin:.2f}', sent.sender, shortened(sent.data.decode(errors='replace'), LONGEST),
             f'{sent.duration:.2f}', fixed(message.energy, 1), name]
    if reception is None:  # Its last had not come when the run ended, or its band is another.
        return [*begin, '-', '-', '-', '-', '-', f'nothing until {plan.duration:g} s']
    return [*begin, f'{reception.end:.2f}', f'{reception.end - sent.begin:.2f}', f'{reception.distance:.0f}',
            f'{reception.level:.1f}', f'{reception.noise:.1f}', OUTCOMES[reception.outcome]]


def _metres(distance: float) -> str:
    return f'{distance:.0f} m' if math.isfinite(distance) else 'more than 1000 km'


def _spans(contact: AcousticContact, end: float) -> str:
    """Say from when to when one hears the other."""
    edges = [*contact.changes, (end, False)]
    spans = [f'{begin:.0f} to {later:.0f} s' for (begin, hears), (later, _) in pairwise(edges) if hears]
    return ', '.join(spans) or 'never'
