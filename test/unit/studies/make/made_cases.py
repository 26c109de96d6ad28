"""Facts of boats for tests of `boat make`."""

from pathlib import Path

from usv_energy.studies.make.boat_facts import facts_from
from usv_energy.studies.make.made_boat import made_boat

CATAMARAN = {'mass': 18.2, 'hotel': 0.0, 'top_speed': 3.0, 'battery': '4S 18Ah',
             'hull': {'kind': 'catamaran', 'length': 1.195, 'width': 0.93},
             'thrusters': {'model': 'm200_weedless', 'voltage': 14.8}}
LAUNCH = {'mass': 400.0, 'hull': {'kind': 'monohull', 'length': 5.2, 'width': 1.5}, 'thrusters': {'number': 1},
          'speeds': [[2.444, 600.0]]}


def made(facts, **changed):
    """Return the MadeBoat of some facts, with others in their place."""
    return made_boat(facts_from({'name': 'made', **facts, **changed}, Path('facts.yaml')), {'date': 'today'})
