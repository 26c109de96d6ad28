"""A boat and a quadcopter as one team: whose joules, for what, as a table and as figures."""

import math
from typing import Any

from ...air.flight import EMERGENCY, STAGES, Flight
from ...air.flight_battery import battery_words
from ...air.team_run import TeamRun, team_figures
from ...boats.cell_file import KELVIN
from ...files.json_file import without_nan
from ..causes import CAUSES
from ..rounding import fixed
from ..text_table import text_table


def team_text(run: TeamRun) -> str:
    """Return a team's run for people."""
    plan, flight, energy = run.plan, run.flight, run.boat.energy
    figures = team_figures(run)
    lines = [plan.title, f'boat: {plan.scenario.name} ({plan.scenario.boat.name}), {run.boat.duration:.1f} s, '
             f'{run.boat.outcome}; {plan.craft.name}, {plan.controller}: {landing_words(flight)}', '']
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
    return '\n'.join([*lines, '', _battery_line(run)])


def landing_words(flight: Flight) -> str:
    """Say how a flight ended."""
    down = flight.touchdown or flight.ditched
    if down is None:
        return 'it did not land'
    emergency = 'emergency, its battery gave no more: ' if flight.duration[EMERGENCY] > 0.0 else ''
    again = f', after {flight.aborted} aborted' if flight.aborted else ''
    where = (f'in the water at {down.time:.1f} s' if flight.touchdown is None else
             f'landed at {down.time:.1f} s, {down.error:.3f} m from the middle of the pad, at {down.speed:.2f} m/s')
    return f'{emergency}{where}{again}'


def _battery_line(run: TeamRun) -> str:
    """Say how the quadcopter's battery is at the end."""
    source = run.flight.source
    volts = '' if math.isnan(source.voltage) else f', {source.voltage:.2f} V, {source.temperature - KELVIN:.1f} degC'
    return f'its battery ({battery_words(run.plan.craft)}): {100.0 * source.charge:.1f} % charged{volts}'


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
        'battery_charge': flight.source.charge, 'battery_voltage_v': flight.source.voltage,
        'emergency_s': flight.duration[EMERGENCY],
        'hover_power_w': run.plan.craft.hover_power, 'aborted': flight.aborted,
        'landing': None if touchdown is None else {
            't_s': touchdown.time, 'error_m': touchdown.error, 'speed_m_s': touchdown.speed}})


def _once(run: TeamRun) -> float:
    """What both batteries gave: the boat's, charging with it, and the quadcopter's, less what it was given, J."""
    figures = team_figures(run)
    return float(figures['boat_total'] + figures['flown'] - figures['charge_gained'])
