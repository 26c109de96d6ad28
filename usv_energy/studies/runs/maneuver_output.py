"""The results of a maneuver as text, JSON and a picture."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.limits import safe_name
from usv_energy.files.text_file import without_nan
from usv_energy.show.figure import BLUE, GREEN, GREY, VERMILION, picture
from usv_energy.show.text_table import text_table
from usv_energy.sim.maneuver import Maneuver, ManeuverRun, StepFigures, knows_bollard_power
from usv_energy.sim.record import Summary


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
        lower.set(xlabel='Time, s')
        top = max(run.ahead, default=0.0)
        for number in sorted(set(run.step)):
            begin = time[run.step.index(number)]
            upper.text(begin, 1.04 * top, f' {maneuver.steps[number].words}', color=GREY, fontsize=9.0, va='bottom')
            for axes in (upper, lower):
                axes.axvline(begin, color=GREY, linewidth=0.6, linestyle=':')
        upper.set_ylim(min(0.0, min(run.ahead, default=0.0)), 1.2 * top if top > 0.0 else None)
