"""Properties that follow from a boat's arrangement of thrusters and foils, and a description of it in words."""

from collections import Counter

import numpy as np

from usv_energy.boats.vessel import Losses, Vessel
from usv_energy.foils.foil import Foil
from usv_energy.thrusters.commands import power_of_thrust
from usv_energy.thrusters.drive import drawn_by_map
from usv_energy.thrusters.thruster import Thruster, gives_sway

USUAL_COST = 0.05  # W/N^1.5, assumed for the allocation if the boat file gives only an efficiency.
LEAST_COST = 1e-6  # W/N^1.5
PAIR = 2


def is_pair(vessel: Vessel) -> bool:
    """Return whether a boat has two thrusters in water that point ahead, the first to port, and no foil."""
    if len(vessel.thrusters) != PAIR or vessel.foils:
        return False
    port, starboard = vessel.thrusters
    straight = all(thruster.axis is None and thruster.in_air is None for thruster in vessel.thrusters)
    return straight and bool(np.all(np.greater(port.y, starboard.y)))


def can_turn(vessel: Vessel) -> bool:
    """Return whether a boat can steer: it has a rudder, or thrusters that give a yaw moment at standstill."""
    if any(foil.steer is not None and _sail(foil) is None for foil in vessel.foils):
        return True
    return any(thruster.azimuth is not None for thruster in vessel.thrusters) or (
        len(vessel.thrusters) > 1 and any(np.max(np.abs(thruster.yaw_share)) > 0.0 for thruster in vessel.thrusters))


def with_arrangement(vessel: Vessel) -> Vessel:
    """Return a Vessel with its derived fields: `cost` of the thrusters, `swings` and `sail` of the foils."""
    thrusters = tuple(thruster._replace(cost=cost_of_thrust(thruster, vessel.losses)) for thruster in vessel.thrusters)
    foils = tuple(foil._replace(swings=1.0 if np.any(foil.aft) else None, sail=_sail(foil)) for foil in vessel.foils)
    return vessel._replace(thrusters=thrusters, foils=foils)


def _sail(foil: Foil) -> float | None:
    """Return 1.0 for a sail, a foil that turns in air outside of a fan's slipstream; else None."""
    return 1.0 if foil.steer is not None and foil.in_air is not None and foil.wash is None else None


def cost_of_thrust(thruster: Thruster, losses: Losses) -> float:
    """Return P / T^1.5 at standstill, W/N^1.5, of the electrical power P at half the largest thrust T."""
    thrust = 0.5 * max(float(np.max(np.abs(limit))) for limit in (thruster.min_thrust, thruster.max_thrust))
    if not thrust > 0.0:
        return USUAL_COST
    if thruster.propeller is not None:
        return float(max(power_of_thrust(thrust, 0.0, thruster.propeller) / thrust ** 1.5, LEAST_COST))
    if losses.mapped:
        return float(max(drawn_by_map(thrust, losses) / thrust ** 1.5, LEAST_COST))
    return USUAL_COST


def kind_of(vessel: Vessel) -> str:
    """Return how a boat is driven and steered, in words, as a sentence without its full stop."""
    return f'{_actuators(vessel)}; it steers {_steering(vessel)}'


def rudders_of(vessel: Vessel) -> tuple[Foil, ...]:
    """Return the rudders of a boat: the foils that turn and are not sails."""
    return tuple(foil for foil in vessel.foils if foil.steer is not None and foil.sail is None)


def _actuators(vessel: Vessel) -> str:
    if is_pair(vessel):
        return 'two fixed thrusters side by side'
    counted = Counter([*map(_thruster_words, vessel.thrusters), *map(_foil_words, vessel.foils)])
    return ', '.join(f'{number} {words}' + ('s' if number > 1 else '') for words, number in counted.items())


def _thruster_words(thruster: Thruster) -> str:
    what = 'thruster' if thruster.in_air is None else 'fan'
    if thruster.azimuth is not None:
        return f'turning {what}'
    return f'fixed {what}' if thruster.axis is None else f'sideways or slanted {what}'


def _foil_words(foil: Foil) -> str:
    if foil.in_air is not None:
        return 'fixed foil in air' if foil.steer is None else 'sail' if foil.sail is not None else 'rudder in air'
    return 'keel or skeg' if foil.steer is None else 'rudder'


def _steering(vessel: Vessel) -> str:
    ways = ['by rudder'] if rudders_of(vessel) else []
    if any(thruster.azimuth is not None for thruster in vessel.thrusters):
        ways.append('by turning its thrust')
    elif len(vessel.thrusters) > 1 and can_turn(vessel._replace(foils=())):
        ways.append('by the difference of its thrusts')
    sideways = ' and can go sideways' if gives_sway(vessel.thrusters) else ''
    return (' and '.join(ways) or 'by nothing: it cannot turn') + sideways
