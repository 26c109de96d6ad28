"""Energies of a team add up, by cause, by stage and through the batteries' terminals."""

import pytest

from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import craft_energy, run_team, team_energy
from usv_energy.powering.energy import CAUSES


@pytest.mark.parametrize('name', ['box', 'three_boats'])
def test_energies_add_up_to_rounding(name):
    run = run_team(read_team(name))
    energies = team_energy(run)
    for boat, plan, total in zip(run.boats, run.plan.boats, energies.boats):
        parts = sum(getattr(boat.energy, cause) for cause in CAUSES if cause not in ('total', 'thrust'))
        drawn = sum(craft.flight.charged for craft in run.crafts_of(plan.name))
        assert total == pytest.approx(parts + drawn, rel=1e-9)
    for craft in run.crafts:
        energy, flight = craft_energy(craft), craft.flight
        assert energy.gained == pytest.approx(energy.charging * craft.plan.craft.charge_efficiency, rel=1e-9)
        assert energy.flown - energy.gained == pytest.approx(flight.source.given, rel=1e-9)
        held = craft.plan.craft.pack.cell.capacity
        assert (craft.plan.battery - flight.source.charge) * held == pytest.approx(flight.source.carried, rel=1e-2)
    through = sum(boat.energy.total for boat in run.boats) + sum(
        craft.flight.charged + craft.flight.source.given for craft in run.crafts)
    assert energies.total == pytest.approx(through, rel=1e-9)
