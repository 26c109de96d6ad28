"""A boat and a quadcopter as one team: whose joules, for what, as a table and as figures."""

from typing import Any

from ...air.flight import STAGES
from ...air.team_run import TeamRun, team_figures
from ...files.json_file import without_nan
from ...physics.battery import JOULES_PER_WH
from ..causes import CAUSES
from ..rounding import fixed
from ..text_table import text_table


def team_text(run: TeamRun) -> str:
    """Return a team's run for people."""
    plan, flight, energy = run.plan, run.flight, run.boat.energy
    figures = team_figures(run)
    touchdown = flight.touchdown
    landed = ('it did not land' if touchdown is None else
              f'landed at {touchdown.time:.1f} s, {touchdown.error:.3f} m from the middle of the pad, at '
              f'{touchdown.speed:.2f} m/s')
    again = f', after {flight.aborted} aborted' if flight.aborted else ''
    lines = [plan.title, f'boat: {plan.scenario.name} ({plan.scenario.boat.name}), {run.boat.duration:.1f} s, '
             f'{run.boat.outcome}; {plan.craft.name}, {plan.controller}: {landed}{again}', '']
    rows = [['boat', '', 'J']]
    rows += [['', cause.name, fixed(getattr(energy, cause.key), 1)] for cause in CAUSES
             if abs(getattr(energy, cause.key)) >= 0.05]
    rows += [['', 'charging the quadcopter', fixed(figures['charging'], 1)],
             ['', 'total', fixed(figures['boat_total'], 1)], ['quadcopter', 's', 'J']]
    rows += [[f'  {stage}', fixed(flight.duration[stage], 1), fixed(flight.energy[stage], 1)] for stage in STAGES
             if flight.duration[stage] > 0.0]
    rows += [['', 'flown', fixed(figures['flown'], 1)],
             ['team', 'drawn, the charge counted once', fixed(_once(run), 1)]]
    lines += text_table(rows, 'llr')
    left = flight.battery / plan.craft.battery
    return '\n'.join([*lines, '', f'its battery: {flight.battery / JOULES_PER_WH:.2f} Wh, '
                      f'{100.0 * left:.1f} % of full'])


def team_summary(run: TeamRun) -> dict[str, Any]:
    """Return the same for JSON, units in the keys."""
    flight, figures = run.flight, team_figures(run)
    touchdown = flight.touchdown
    return without_nan({
        'title': run.plan.title, 'scenario': run.plan.scenario.name, 'quadcopter': run.plan.craft.name,
        'controller': run.plan.controller, 'seed': run.plan.seed, 'boat_duration_s': run.boat.duration,
        'boat_outcome': run.boat.outcome,
        'boat_energy_j': {cause.key: getattr(run.boat.energy, cause.key) for cause in CAUSES},
        'charging_j': figures['charging'], 'charge_gained_j': figures['charge_gained'],
        'boat_total_j': figures['boat_total'],
        'quadcopter_energy_j': dict(flight.energy), 'quadcopter_duration_s': dict(flight.duration),
        'flown_j': figures['flown'], 'team_j': _once(run), 'battery_left_j': flight.battery,
        'hover_power_w': run.plan.craft.hover_power, 'aborted': flight.aborted,
        'landing': None if touchdown is None else {
            't_s': touchdown.time, 'error_m': touchdown.error, 'speed_m_s': touchdown.speed}})


def _once(run: TeamRun) -> float:
    """What both batteries gave: the boat's, charging with it, and the quadcopter's, less what it was given, J."""
    figures = team_figures(run)
    return float(figures['boat_total'] + figures['flown'] - figures['charge_gained'])
