"""What a maneuver came to, step by step, for people and as JSON."""

from collections.abc import Sequence

from ...boats.boat_file import Boat
from ...files.json_file import without_nan
from ...sim.maneuver import Maneuver
from ...sim.maneuver_figures import StepFigures
from ...sim.record import Summary
from ..text_table import text_table


def maneuver_summary(maneuver: Maneuver, steps: Sequence[StepFigures], plant: Boat) -> Summary:
    """
    Return everything as one dictionary for JSON; units in the keys.

    :param maneuver: What was run; `steps`: what they came to.
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
    """Return the same for people; arguments as `maneuver_summary`."""
    payload = f', {plant.hull.payload:g} kg of payload' if plant.hull.payload else ''
    head = f'{maneuver.name}: {maneuver.title}; {plant.name}{payload}'
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
