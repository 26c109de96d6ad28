"""A node's boat with the added resistance of the sea that its parameters say."""

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..planning.boat_in_sea import boat_in_sea, sea_state_of
from .node_parameters import NodeParameters
from .parameters import SEA, WAVE_ESTIMATE


def boat_in_given_sea(boat: Boat, given: NodeParameters) -> Boat:
    """
    Return a boat in the sea of a node's parameters SEA and WAVE_ESTIMATE; as it is where there is none.

    :raises InputError: For what does not go together: which parameter, or what the boat's file lacks.
    """
    sea, estimate = given.text(SEA.name), given.text(WAVE_ESTIMATE.name)
    if sea:
        return boat_in_sea(boat, sea_state_of(sea, 'parameter sea'), estimate or None)
    if estimate:
        raise InputError(f'parameter wave_estimate is {estimate!r}, and there is no sea; must be empty, or go with a '
                         'parameter sea')
    return boat
