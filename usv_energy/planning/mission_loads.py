"""What the loads of a boat that vary take on the legs of a mission, each by itself."""

from collections.abc import Sequence

import numpy as np

from ..boats.boat_file import Boat
from ..boats.load import share_of
from ..powering.loads import mean_load_powers
from ..sim.leg_energy import leg_name
from ..sim.scenario import Scenario


def leg_load_energies(scenario: Scenario, speed: np.ndarray, begin: np.ndarray, under_way: np.ndarray,
                      hold: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the energy of each load on the way of each leg and while the boat stays at its end, J, shapes (loads, legs).

    Loads that topics switch have the share that the boat's file says for where these are not heard.

    :param scenario: Its boat, and the names of its legs.
    :param speed: Over ground on the way, m/s, shape (legs,); at the end it is 0.
    :param begin: Of each leg, s since the departure, from which duty cycles count.
    :param under_way: How long the boat goes, s.
    :param hold: How long it stays then, s.
    """
    boat, legs = scenario.boat, range(begin.size)
    going, staying = ([leg_name(scenario.order_of(number), number + 1, holding) for number in legs]
                      for holding in (False, True))
    arrived = begin + under_way
    return (_energies(boat, going, begin, arrived, speed),
            _energies(boat, staying, arrived, arrived + hold, 0.0 * speed))


def _energies(boat: Boat, names: Sequence[str], begin: np.ndarray, end: np.ndarray, speed: np.ndarray) -> np.ndarray:
    loads = tuple(load._replace(share=np.array([share_of(rule, name) for name in names]))
                  for load, rule in zip(boat.vessel.loads, boat.load_rules))
    powers = mean_load_powers(loads, begin, end, speed, speed)
    return np.array([np.where(end > begin, watts, 0.0) * (end - begin) for watts in powers]).reshape(-1, begin.size)
