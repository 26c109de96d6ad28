"""What follows from how a boat's thrusters and foils are arranged: what kind of boat it is to those who steer it."""

import numpy as np

from ..physics.propeller import Propeller, drawn_power
from ..physics.propulsion import drawn_of_map
from .foil import Foil
from .thruster import Thruster, sway_in_one_way
from .vessel import Losses, Vessel

USUAL_COST = 0.05  # W/N^1.5, of a boat whose file says an efficiency only: thrust is shared out as if it cost so.
LEAST_COST = 1e-6
PAIR = 2


def is_pair(vessel: Vessel) -> bool:
    """Return whether a boat has two thrusters, alike, straight ahead, the first to port, and no foil."""
    if len(vessel.thrusters) != PAIR or vessel.foils:
        return False
    port, starboard = vessel.thrusters
    if any(part is not None for thruster in vessel.thrusters
           for part in (thruster.axis, thruster.in_air)) or not _alike(port.propeller, starboard.propeller):
        return False
    alike = all(np.all(np.equal(getattr(port, key), getattr(starboard, key)))
                for key in ('x', 'min_thrust', 'max_thrust', 'efficiency_of_tilt', 'lag'))
    return alike and bool(np.all(np.equal(port.y, -1.0 * starboard.y)) and np.all(np.greater(port.y, 0.0)))


def _alike(one: Propeller | None, other: Propeller | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(np.array_equal(a, b) for a, b in zip(one, other))


def can_turn(vessel: Vessel) -> bool:
    """Return whether a boat has something to steer with: a rudder, or thrusters that give a yaw moment without way."""
    if vessel.arranged is None or any(foil.steer is not None and _sail(foil) is None for foil in vessel.foils):
        return True
    return any(thruster.azimuth is not None for thruster in vessel.thrusters) or (
        len(vessel.thrusters) > 1 and any(np.max(np.abs(thruster.yaw_share)) > 0.0 for thruster in vessel.thrusters))


def with_arrangement(vessel: Vessel) -> Vessel:
    """Return a boat with what follows from its other fields: from `arranged` to `only_way`, and thrusters' `cost`."""
    pair = is_pair(vessel)
    free = not pair and len(vessel.thrusters) > 1
    thrusters = tuple(thruster._replace(cost=cost_of(thruster, vessel.losses) if free else None)
                      for thruster in vessel.thrusters)
    foils = tuple(foil._replace(swings=1.0 if np.any(foil.aft) else None, sail=_sail(foil)) for foil in vessel.foils)
    return vessel._replace(thrusters=thrusters, foils=foils, arranged=None if pair else 1.0, free=1.0 if free else None,
                           only_way=sway_in_one_way(thrusters) if free else None, foiled=1.0 if vessel.foils else None)


def _sail(foil: Foil) -> float | None:
    """Return 1.0 for a sail: what turns in air, away from any fan's slipstream, in which it is a rudder; else None."""
    return 1.0 if foil.steer is not None and foil.in_air is not None and foil.wash is None else None


def cost_of(thruster: Thruster, losses: Losses) -> float:
    """Return the electrical power of half of a thruster's most thrust at rest over that thrust to 1.5, W/N^1.5."""
    thrust = 0.5 * max(float(np.max(np.abs(limit))) for limit in (thruster.min_thrust, thruster.max_thrust))
    if thruster.propeller is not None:
        return float(max(drawn_power(thrust, 0.0, thruster.propeller) / thrust ** 1.5, LEAST_COST))
    if losses.mapped and thrust > 0.0:
        return float(max(drawn_of_map(thrust, losses) / thrust ** 1.5, LEAST_COST))
    return USUAL_COST
