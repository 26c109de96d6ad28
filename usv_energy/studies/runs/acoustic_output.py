"""
A simulation of acoustic modems as a table of messages, figures for JSON, and a picture.

The results of a maneuver as text, JSON and a picture.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.limits import safe_name
from usv_energy.files.text_file import without_nan
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, picture
from usv_energy.show.text_table import fixed, shortened, text_table
from usv_energy.sim.acoustics.acoustic_run import AcousticContact, AcousticPlan, ModemVehicle, SentMessage
from usv_energy.sim.acoustics.hearing import OUTCOMES, RECEIVED, Reception
from usv_energy.sim.maneuver import Maneuver, ManeuverRun, StepFigures, knows_bollard_power
from usv_energy.sim.record import Summary
from usv_energy.units import speed_with_knots

MESSAGE_WIDTH = 30  # characters of a message that are shown
COLOURS = (BLUE, ORANGE, PURPLE, GREY)
WORDS_WIDTH, MARGIN = 0.33, 0.015  # of the time axis: width of the label of a line, and its distance from the ends
RANGE_FACTOR = 5.0  # a range is drawn if it is at most so many times the span of the tracks


def acoustic_text(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                  ranges: Mapping[str, float]) -> str:
    """
    Return a run as text.

    :param sent: The messages, from `run_plan`.
    :param contacts: Of each pair, over time.
    :param ranges: m, by vehicle.
    """
    sea = plan.sea
    lines = [safe_name(plan.title),
             f'wind {speed_with_knots(sea.wind)}, noise: {sea.noise}, absorption: '
             f'{sea.absorption}',
             *(f'{name} is understood up to {_range_text(far)}' for name, far in ranges.items()), '']
    lines += [f'{contact.receiver} hears {contact.sender}: {_contact_times(contact, plan.duration)}'
              for contact in contacts]
    head = ['at, s', 'from', 'message', 'sends, s', 'J', 'to', 'arrives, s', 'after, s', 'm', 'dB', 'noise, dB', '']
    rows = [_row(message, name, plan) for message in sent for name in _receivers(plan, message)]
    return '\n'.join([*lines, '', *text_table([head, *rows], 'rllrrlrrrrrl', rule=True)])


def acoustic_summary(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                     ranges: Mapping[str, float]) -> dict[str, Any]:
    """Return a run for JSON, units in the keys; parameters as for `acoustic_text`."""
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


def _receivers(plan: AcousticPlan, message: SentMessage) -> list[str]:
    return [vehicle.name for vehicle in plan.vehicles if vehicle.name != message.transmission.sender]


def _row(message: SentMessage, name: str, plan: AcousticPlan) -> list[str]:
    sent, reception = message.transmission, message.receptions.get(name)
    begin = [f'{sent.begin:.2f}', sent.sender, shortened(sent.data.decode(errors='replace'), MESSAGE_WIDTH),
             f'{sent.duration:.2f}', fixed(message.energy, 1), name]
    if reception is None:  # It had not arrived completely when the run ended, or the receiver uses another band.
        return [*begin, '-', '-', '-', '-', '-', f'nothing until {plan.duration:g} s']
    return [*begin, f'{reception.end:.2f}', f'{reception.end - sent.begin:.2f}', f'{reception.distance:.0f}',
            f'{reception.level:.1f}', f'{reception.noise:.1f}', OUTCOMES[reception.outcome]]


def _range_text(distance: float) -> str:
    return f'{distance:.0f} m' if math.isfinite(distance) else 'more than 1000 km'


def _contact_times(contact: AcousticContact, end: float) -> str:
    """Return the spans of time in which the receiver hears the sender."""
    edges = [*contact.changes, (end, False)]
    spans = [f'{begin:.0f} to {later:.0f} s' for (begin, hears), (later, _) in pairwise(edges) if hears]
    return ', '.join(spans) or 'never'


def plot_acoustics(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                   ranges: Mapping[str, float], path: Path) -> None:
    """Draw a run into a PNG. Raises OSError if it cannot be written. Parameters as for `acoustic_text`."""
    with picture(path, 12.0, 5.0) as figure:
        figure.suptitle(f'{plan.title}     wind {speed_with_knots(plan.sea.wind)}, noise: {plan.sea.noise}', x=0.012,
                        ha='left')
        places, levels = figure.subplots(1, 2, width_ratios=(1.0, 1.3))
        _draw_places(places, plan, sent, ranges)
        _draw_levels(levels, plan, sent, contacts)


def _draw_places(axes: Any, plan: AcousticPlan, sent: Sequence[SentMessage], ranges: Mapping[str, float]) -> None:
    axes.set(title='Places, m', xlabel='East', ylabel='North', aspect='equal')
    times = np.linspace(0.0, plan.duration, 400)
    ways = [np.array([vehicle.track.at(float(time)) for time in times]) for vehicle in plan.vehicles]
    span = float(np.max(np.ptp(np.concatenate(ways)[:, :2], axis=0)))
    for vehicle, way, colour in zip(plan.vehicles, ways, COLOURS * len(ways)):
        if np.ptp(way[:, :2]) > 0.0 and len(vehicle.track.time) > 1:
            axes.plot(way[:, 0], way[:, 1], color=colour, label=vehicle.name)
            axes.plot(*way[0, :2], 'o', color=colour, markersize=5)
        else:
            axes.plot(*way[0, :2], 's', color=colour, label=vehicle.name)
            far = ranges[vehicle.name]
            if 0.0 < far < RANGE_FACTOR * max(span, 1.0) and not vehicle.modem.modem.angles:
                turn = np.linspace(0.0, math.tau, 200)
                axes.plot(way[0, 0] + far * np.cos(turn), way[0, 1] + far * np.sin(turn), '--', color=colour,
                          linewidth=1.0, label=f'understood up to {far:.0f} m')
    for message in sent:
        for name, reception in message.receptions.items():
            place = _vehicle(plan, name).track.at(reception.arrival)
            got = reception.outcome == RECEIVED
            axes.plot(*place[:2], 'D' if got else 'X', color=GREEN if got else VERMILION, markersize=7, zorder=4)
            axes.annotate(f'{message.transmission.begin:.0f} s', place[:2], xytext=(5, 6), textcoords='offset points',
                          fontsize=9)
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.15), ncols=2)


def _draw_levels(axes: Any, plan: AcousticPlan, sent: Sequence[SentMessage],
                 contacts: Sequence[AcousticContact]) -> None:
    axes.set(title='Level at the receiver, dB re 1 \N{MICRO SIGN}Pa', xlabel='Time, s')
    senders = {message.transmission.sender for message in sent} or {contact.sender for contact in contacts}
    shown = [contact for contact in contacts if contact.sender in senders]
    for contact, colour in zip(shown, COLOURS * len(shown)):
        axes.plot(contact.time, contact.level, color=colour, label=f'{contact.sender} at {contact.receiver}')
        axes.axhline(contact.needed, color=colour, linestyle='--', linewidth=1.0)
    if shown:
        place, side = _free_place(shown, plan.duration)
        axes.annotate('needed: noise and threshold', (place, shown[0].needed), xytext=(0, 5), ha=side,
                      textcoords='offset points', color=COLOURS[0], fontsize=9)
    marked = set()
    for message in sent:
        for reception in message.receptions.values():
            got = reception.outcome == RECEIVED
            words = OUTCOMES[reception.outcome]
            axes.plot(reception.arrival, reception.level, 'D' if got else 'X', color=GREEN if got else VERMILION,
                      markersize=7, label=words if words not in marked else None, zorder=4)
            marked.add(words)
    axes.set_xlim(0.0, plan.duration)
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.15), ncols=3)


def _free_place(shown: Sequence[AcousticContact], duration: float) -> tuple[float, str]:
    """Return the time, s, and alignment of a label on the first needed level, as far as possible from other lines."""
    def nearest(begin: float) -> float:
        times = np.linspace(begin, begin + WORDS_WIDTH * duration, 30)
        return min(float(np.nanmin(np.abs(np.interp(times, one.time, one.level) - shown[0].needed), initial=math.inf))
                   for one in shown)

    begins = {'left': MARGIN, 'center': 0.5 - WORDS_WIDTH / 2.0, 'right': 1.0 - MARGIN - WORDS_WIDTH}
    side = max(begins, key=lambda name: nearest(begins[name] * duration))
    return {'left': MARGIN, 'center': 0.5, 'right': 1.0 - MARGIN}[side] * duration, side


def _vehicle(plan: AcousticPlan, name: str) -> ModemVehicle:
    return next(vehicle for vehicle in plan.vehicles if vehicle.name == name)


def maneuver_summary(maneuver: Maneuver, steps: Sequence[StepFigures], plant: Boat) -> Summary:
    """
    Return the results for JSON; units in the keys.

    :param steps: The results of the maneuver's steps.
    :param plant: The boat that moved, or was tied.
    """
    force = 'pull_n' if maneuver.tied else 'thrust_ahead_n'
    return without_nan({
        'maneuver': maneuver.name, 'boat': plant.name, 'tied': maneuver.tied, 'mass_and_added_mass_kg':
        plant.vessel.inertia.m11, 'payload_kg': plant.hull.payload,
        'steps': [{'command': step.words, **({'pwm_us': list(step.pulses)} if step.pulses is not None else {}),
                   'begin_s': step.begin, 'end_s': step.end, force: step.ahead,
                   **({} if maneuver.tied else {'speed_begin_m_s': step.speed_begin, 'speed_m_s': step.speed_end,
                                                'distance_m': step.distance}),
                   'settled': step.settled, 'electrical_power_w': step.power} for step in steps]})


def maneuver_text(maneuver: Maneuver, steps: Sequence[StepFigures], plant: Boat) -> str:
    """Return the results as text; arguments as for `maneuver_summary`."""
    payload = f', {plant.hull.payload:g} kg of payload' if plant.hull.payload else ''
    head = f'{maneuver.name}: {safe_name(maneuver.title)}; {plant.name}{payload}'
    moving = () if maneuver.tied else ('speed, m/s', 'at its end', 'distance, m')
    rows = [('asked for', 'time, s', 'pull, N' if maneuver.tied else 'thrust, N', *moving, 'power, W', '')]
    for step in steps:
        motion = () if maneuver.tied else (f'{step.speed_begin:.3f}', f'{step.speed_end:.3f}', f'{step.distance:.2f}')
        glides = not maneuver.tied and step.words == 'off'
        rows.append((step.words, f'{step.begin:.1f} - {step.end:.1f}', f'{step.ahead:.2f}', *motion,
                     '-' if step.power != step.power else f'{step.power:.1f}',
                     '' if step.settled or glides else 'has not settled yet'))
    unknown = ['', f'What {plant.name} draws while tied is not known: its file has an efficiency, neither a map nor '
               'propellers.'] if any(step.power != step.power for step in steps) else []
    return '\n'.join([head, '', *text_table(rows, 'lrrrrrrl' if not maneuver.tied else 'lrrrl'), *unknown])


def plot_maneuver(maneuver: Maneuver, run: ManeuverRun, boat: Boat, path: Path) -> None:
    """
    Draw a maneuver into a PNG.

    :raises OSError: If it cannot be written.
    """
    time = np.array([row.time for row in run.rows])
    with picture(path, 9.0, 6.0) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True)
        upper.plot(time, run.ahead, color=VERMILION)
        upper.set(title=f'{maneuver.title}; {boat.name}', ylabel='Pull, N' if maneuver.tied else 'Thrust ahead, N')
        if not maneuver.tied:
            speed = np.hypot([row.motion.u for row in run.rows], [row.motion.v for row in run.rows])
            lower.plot(time, speed, color=BLUE)
            lower.set(ylabel='Speed, m/s')
        elif knows_bollard_power(boat.vessel):
            lower.plot(time, [row.power.total for row in run.rows], color=GREEN)
            lower.set(ylabel='Electrical power, W')
        else:
            lower.text(0.5, 0.5, 'what the boat draws while tied is not known', transform=lower.transAxes,
                       ha='center', color=GREY)
            lower.set_yticks([])
        lower.set(xlabel='Time, s')
        top = max(run.ahead, default=0.0)
        for number in sorted(set(run.step)):
            begin = time[run.step.index(number)]
            upper.text(begin, 1.04 * top, f' {maneuver.steps[number].words}', color=GREY, fontsize=9.0, va='bottom')
            for axes in (upper, lower):
                axes.axvline(begin, color=GREY, linewidth=0.6, linestyle=':')
        upper.set_ylim(min(0.0, min(run.ahead, default=0.0)), 1.2 * top if top > 0.0 else None)
