"""What kind of boat a boat file describes, in words."""

from collections import Counter

from ..foils.foil import Foil
from ..thrusters.thruster import Thruster, gives_sway
from .arrangement import can_turn, is_pair
from .vessel import Vessel


def kind_of(vessel: Vessel) -> str:
    """Return what drives a boat and what it steers with, as a sentence without its full stop."""
    return f'{_actuators(vessel)}; it steers {_steering(vessel)}'


def rudders_of(vessel: Vessel) -> tuple[Foil, ...]:
    """Return the foils that turn and are no sails."""
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
