"""The energy of a team of boats and quadcopters, by vehicle and purpose, as a text table and as figures."""

import math
from typing import Any

from usv_energy.air.flight import EMERGENCY, STAGES, Flight
from usv_energy.air.flight_battery import battery_words
from usv_energy.air.team_run import CraftRun, TeamRun, craft_energy, team_energy
from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.limits import safe_name
from usv_energy.files.text_file import without_nan
from usv_energy.physics.batteries.cell import state_of_charge
from usv_energy.show.causes import CAUSES
from usv_energy.show.text_table import fixed, formatted, text_table
from usv_energy.sim.record import Run

LEAST_ENERGY = 0.05  # J, of a row of the table


def team_text(run: TeamRun) -> str:
    """Return a team's run as text."""
    lines = [safe_name(run.plan.title)]
    lines += [f'{plan.name}: {boat.scenario.name} ({boat.scenario.boat.name}), {boat.duration:.1f} s, {boat.outcome}'
              for plan, boat in zip(run.plan.boats, run.boats)]
    lines += [f'{craft.plan.name}: {craft.plan.craft.name} on {craft.plan.deck}, {craft.plan.controller}: '
              f'{landing_words(craft.flight)}' for craft in run.crafts]
    return '\n'.join([*lines, '', *text_table(team_rows(run), 'llr'),
                      '', *filter(None, boat_battery_words(run)), *map(battery_line, run.crafts)]).rstrip()


def team_rows(run: TeamRun) -> list[list[str]]:
    """Return the rows of the table: purpose, duration, s, energy, J."""
    energies, rows = team_energy(run), [['', 's', 'J']]
    for plan, boat, total in zip(run.plan.boats, run.boats, energies.boats):
        rows += [[plan.name, '', ''], *boat_rows(boat)]
        rows += [[f'  charging {craft.plan.name}', '', fixed(craft.flight.charged, 1)]
                 for craft in run.crafts_of(plan.name)]
        rows += [['  total', fixed(boat.duration, 1), fixed(total, 1)]]
    for craft, energy in zip(run.crafts, energies.crafts):
        rows += [[craft.plan.name, '', ''], *stage_rows(craft),
                 ['  flown', '', fixed(energy.flown, 1)]]
    return [*rows, ['team, the charge counted once', '', fixed(energies.total, 1)]]


def boat_rows(boat: Run) -> list[list[str]]:
    """Return the rows of a boat, by cause."""
    return [[f'  {cause.name}', '', fixed(getattr(boat.energy, cause.key), 1)] for cause in CAUSES
            if abs(getattr(boat.energy, cause.key)) >= LEAST_ENERGY]


def stage_rows(craft: CraftRun) -> list[list[str]]:
    """Return the rows of a quadcopter, by stage."""
    flight = craft.flight
    return [[f'  {stage}', fixed(flight.duration[stage], 1), fixed(flight.energy[stage], 1)] for stage in STAGES
            if flight.duration[stage] > 0.0]


def landing_words(flight: Flight) -> str:
    """Return how a flight ended, in words."""
    down = flight.touchdown or flight.ditched
    if down is None:
        return 'it did not land'
    emergency = 'emergency, its battery gave no more: ' if flight.duration[EMERGENCY] > 0.0 else ''
    again = f', after {flight.aborted} aborted' if flight.aborted else ''
    where = (f'in the water at {down.time:.1f} s' if flight.touchdown is None else
             f'landed at {down.time:.1f} s, {down.error:.3f} m from the middle of the pad, at {down.speed:.2f} m/s')
    return f'{emergency}{where}{again}'


def boat_battery_words(run: TeamRun) -> list[str]:
    """Return the charge that is left to each boat, in words; '' without a battery."""
    return ['' if (battery := plan.scenario.boat.battery) is None else
            f'battery of {plan.name} ({formatted(battery.capacity_wh, ".4g")} Wh): {100.0 * charge:.1f} % charged'
            for plan, charge in zip(run.plan.boats, boat_charges(run))]


def boat_charges(run: TeamRun) -> list[float]:
    """Return the state of charge at the end of each boat, its chargers counted, (-); NaN without a battery."""
    charges = []
    for plan, boat, total in zip(run.plan.boats, run.boats, team_energy(run).boats):
        battery = plan.scenario.boat.battery
        charges.append(boat.supply.cells.charge if boat.supply is not None else
                       math.nan if battery is None else float(state_of_charge(total, battery)))
    return charges


def battery_line(craft: CraftRun) -> str:
    """Return the state of a quadcopter's battery at the end, in words."""
    source = craft.flight.source
    volts = '' if math.isnan(source.voltage) else f', {source.voltage:.2f} V, {source.temperature - KELVIN:.1f} degC'
    return (f'battery of {craft.plan.name} ({battery_words(craft.plan.craft)}): {100.0 * source.charge:.1f} % '
            f'charged{volts}')


def team_summary(run: TeamRun) -> dict[str, Any]:
    """Return a team's run for JSON, units in the keys."""
    energies = team_energy(run)
    return without_nan({
        'title': run.plan.title, 'seed': run.plan.seed, 'team_j': energies.total,
        'boats': {plan.name: {
            'scenario': boat.scenario.name, 'boat': boat.scenario.boat.name, 'duration_s': boat.duration,
            'outcome': boat.outcome, 'energy_j': {cause.key: getattr(boat.energy, cause.key) for cause in CAUSES},
            'own_j': boat.energy.total,
            'charging_j': {craft.plan.name: craft.flight.charged for craft in run.crafts_of(plan.name)},
            'total_j': total, 'battery_energy_j': math.nan if boat.supply is None else boat.supply.energy,
            'battery_charge_at_end': charge,
        } for plan, boat, total, charge in zip(run.plan.boats, run.boats, energies.boats, boat_charges(run))},
        'quadcopters': {craft.plan.name: _craft_summary(craft) for craft in run.crafts}})


def _craft_summary(craft: CraftRun) -> dict[str, Any]:
    flight, plan, energy = craft.flight, craft.plan, craft_energy(craft)
    ends = {'landing': flight.touchdown, 'ditched': flight.ditched}
    return {
        'quadcopter': plan.craft.name, 'deck': plan.deck, 'controller': plan.controller,
        'energy_j': dict(flight.energy), 'duration_s': dict(flight.duration), 'flown_j': energy.flown,
        'charge_gained_j': energy.gained, 'charging_j': energy.charging, 'hover_power_w': plan.craft.hover_power,
        'battery': battery_words(plan.craft), 'battery_left_j': flight.battery,
        'battery_charge': flight.source.charge, 'battery_voltage_v': flight.source.voltage, 'aborted': flight.aborted,
        **{name: None if down is None else {'t_s': down.time, 'error_m': down.error, 'speed_m_s': down.speed,
                                            'tilt_deg': math.degrees(down.tilt)} for name, down in ends.items()}}
