"""Whose joules, for what: the energies of a team, and sums that must come out the same either way."""

from typing import NamedTuple

from .team_run import CraftRun, TeamRun


class CraftEnergy(NamedTuple):
    """Of a quadcopter, J: what it flew for, what its battery got, and what the charger drew for that."""

    flown: float
    gained: float
    charging: float


class TeamEnergy(NamedTuple):
    """Of a team, J: each boat with its chargers, each quadcopter, and all together, the charge counted once."""

    boats: tuple[float, ...]
    crafts: tuple[CraftEnergy, ...]
    total: float


def craft_energy(craft: CraftRun) -> CraftEnergy:
    """Return the energy of a quadcopter."""
    joules = craft.flight.energy.values()
    return CraftEnergy(sum(one for one in joules if one > 0.0), -sum(one for one in joules if one < 0.0),
                       craft.flight.charged)


def team_energy(run: TeamRun) -> TeamEnergy:
    """Return the energies of a team; what its batteries gave is their sum, less what the quadcopters' were given."""
    crafts = tuple(craft_energy(craft) for craft in run.crafts)
    boats = tuple(boat.energy.total + sum(craft.flight.charged for craft in run.crafts_of(plan.name))
                  for plan, boat in zip(run.plan.boats, run.boats))
    return TeamEnergy(boats, crafts, sum(boats) + sum(craft.flown - craft.gained for craft in crafts))
