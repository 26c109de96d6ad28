"""The sea that a node's boat is in: its parameters, and the boat with the added resistance of that sea."""

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..planning.boat_in_sea import ESTIMATES, boat_in_sea, sea_state_of
from .node_parameters import NodeParameters
from .parameters import Text

SEA = Text('sea', '', 'Waves: significant height m, period of the peak s, and where they run to, degrees '
           'counter-clockwise from east, as 0.3,2.5,180; or a flow file with waves (a field: those of 0, 0 at time 0); '
           'empty: none are known.', names=lambda text: sea_state_of(text, 'parameter sea'))
WAVE_ESTIMATE = Text('wave_estimate', '', 'With a sea, added resistance of a boat whose file has no waves: stawave-1 '
                     'is made for ships.', allowed=('', *ESTIMATES))


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
