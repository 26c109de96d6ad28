"""A boat in the hands of an autopilot: energy, and how late everything was, as text and as figures."""

from typing import Any

from usv_energy.files.text_file import without_nan
from usv_energy.show.text_table import fixed, text_table
from usv_energy.sim.hil.hil_session import HilSession


def hil_text(session: HilSession) -> str:
    """Return a session for people."""
    seen, energy = session.lateness, session.observer.energy
    rows = [('simulated', f'{session.plant.time:.2f} s'), ('energy', f'{energy.total:.2f} J'),
            ('distance over ground', f'{energy.distance_over_ground:.2f} m'), ('frames', str(seen.frames)),
            ('sent twice', str(seen.doubled)), ('lost', str(seen.lost)),
            ('autopilot started again', str(seen.restarts)),
            *([('before that', f'{seen.energy_before:.2f} J in {seen.time_before:.2f} s')] if seen.restarts else []),
            ('late', f'{seen.late} ({fixed(seen.silent, 2, "s")} of silence)'),
            ('between frames', f'{fixed(_milli(seen.mean), 1, "ms")} mean, '
                               f'{fixed(_milli(seen.longest), 1, "ms")} at most'),
            ('order held', fixed(seen.held, 2, 's'))]
    return '\n'.join(text_table(rows, 'll'))


def hil_summary(session: HilSession) -> dict[str, Any]:
    """Return the same for JSON, units in the keys."""
    seen, energy, state = session.lateness, session.observer.energy, session.plant.state
    return without_nan({
        'scenario': session.scenario.name, 'boat': session.scenario.plant.name, 'duration_s': session.plant.time,
        'energy_j': energy.total, 'thruster_energy_j': state.work,
        'distance_over_ground_m': energy.distance_over_ground,
        'x_m': state.x, 'y_m': state.y, 'frames': seen.frames, 'doubled': seen.doubled, 'lost': seen.lost,
        'restarts': seen.restarts, 'late': seen.late, 'silence_s': seen.silent, 'mean_period_s': seen.mean,
        'longest_period_s': seen.longest, 'held_s': seen.held,
        'energy_before_restarts_j': seen.energy_before, 'duration_before_restarts_s': seen.time_before})


def _milli(seconds: float) -> float:
    return 1e3 * seconds
