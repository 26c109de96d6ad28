"""The picture of vehicles with acoustic modems: where they are, how loud they hear each other, what arrived."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...sim.acoustics.acoustic_run import AcousticContact, AcousticPlan, ModemVehicle, SentMessage
from ...sim.acoustics.hearing import OUTCOMES, RECEIVED
from ..figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, picture

COLOURS = (BLUE, ORANGE, PURPLE, GREY)
WORDS, MARGIN = 0.33, 0.015  # Of the time axis: the width of the words at a line, and how far from its ends they are.
FAR = 5.0  # Ranges are drawn up to so many times what the tracks span.


def plot_acoustics(plan: AcousticPlan, sent: Sequence[SentMessage], contacts: Sequence[AcousticContact],
                   ranges: Mapping[str, float], path: Path) -> None:
    """Draw a run into a PNG. Raises OSError if it cannot be written. Parameters as `acoustic_text.acoustic_text`."""
    with picture(path, 12.0, 5.0) as figure:
        figure.suptitle(f'{plan.title}     wind {plan.sea.wind:.1f} m/s, noise: {plan.sea.noise}', x=0.012, ha='left')
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
            if 0.0 < far < FAR * max(span, 1.0) and not vehicle.modem.modem.angles:
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
    """Return where along the line of the first contact's needed level words meet no other line: time, s, and side."""
    def nearest(begin: float) -> float:
        times = np.linspace(begin, begin + WORDS * duration, 30)
        return min(float(np.nanmin(np.abs(np.interp(times, one.time, one.level) - shown[0].needed), initial=math.inf))
                   for one in shown)

    begins = {'left': MARGIN, 'center': 0.5 - WORDS / 2.0, 'right': 1.0 - MARGIN - WORDS}
    side = max(begins, key=lambda name: nearest(begins[name] * duration))
    return {'left': MARGIN, 'center': 0.5, 'right': 1.0 - MARGIN}[side] * duration, side


def _vehicle(plan: AcousticPlan, name: str) -> ModemVehicle:
    return next(vehicle for vehicle in plan.vehicles if vehicle.name == name)
