"""What a boat settles to in Gazebo, and in the embedded simulator with the same boat file: for tests and the table."""

import math
from typing import NamedTuple

from gz_world import far_apart, open_water, running

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL
from usv_energy.sim.plants.plant import Plant

BOATS = {'linear': 'lutra_prop', 'quadratic': 'lutra_prop_usvsim'}
EARLY, SETTLED = 6.0, 40.0       # s; see `Case.early`.
DRIFTED = 400.0                  # s; the quadratic boat's velocity through the water falls as 1/t only.
CURRENT = 0.3                    # m/s


class Case(NamedTuple):
    """
    Thrusts left and right, N along the axes; what is looked at; whether early.

    A boat with USVsim's damping, quadratic only, does not keep its course: nothing holds a small turn against the Munk
    moment (m22 - m11) u v, and it ends in a circle (`disturbed`). Its speed straight ahead is there before that.
    """

    thrusts: tuple[float, float]
    looked_at: tuple[str, ...]
    early: bool = False

    @property
    def duration(self):
        return EARLY if self.early else SETTLED


def still_air(vessel):
    """Return the vessel in an atmosphere without weight: Gazebo's world has no wind, and no drag of still air."""
    return vessel._replace(windage=vessel.windage._replace(air_density=0.0))


def ahead(newton):
    """Return the thrusts of the two that push the hull with a force, N, their axes being tilted."""
    tilt = read_boat('lutra_prop').vessel.thrusters[0].efficiency_of_tilt
    return (0.5 * newton / tilt,) * 2


CASES = {
    'surge_4': Case(ahead(4.0), ('u',), True),
    'surge_10': Case(ahead(10.0), ('u',), True),
    'surge_22': Case(ahead(22.0), ('u',), True),
    'opposed': Case((-11.5, 11.5), ('r',)),
    'one_left': Case((11.5, 0.0), ('u', 'v', 'r')),
    'one_right': Case((0.0, 8.0), ('u', 'v', 'r')),
}


def embedded(boat, thrusts, duration, start=(0.0, 0.0, 0.0), step=0.01):
    """Return the embedded simulator's boat after a duration, s, in still water and air."""
    plant = Plant(still_air(boat.vessel), start, lambda time, x, y: STILL, step)
    for _ in range(round(duration / step)):
        plant.advance(thrusts)
    return plant


def steady_states(folder, change=lambda text: text):
    """
    Return {(set, case): (Gazebo's Sample, the embedded PlantState)} after the case's time, all boats in one world.

    And {set: the Sample of the boat that was pushed straight ahead by 22 N} after SETTLED s.

    :param change: Applied to the world's text, to see what another way of writing it does.
    """
    boats = {f'{kind}_{case}': read_boat(name) for kind, name in BOATS.items() for case in CASES}
    places = far_apart(boats)
    with running(change(open_water(places)), list(boats), folder) as world:
        for name in boats:
            left, right = CASES[name.split('_', 1)[1]].thrusts
            world.thrust(name, 'left', left)
            world.thrust(name, 'right', right)
        early, late = world.run(EARLY), world.run(SETTLED - EARLY)
    found = {}
    for name, boat in boats.items():
        kind, case = name.split('_', 1)
        one = CASES[case]
        plant = embedded(boat, one.thrusts, one.duration, places[name][1:])
        found[kind, case] = (early if one.early else late)[name], plant.state
    return found, {kind: late[f'{kind}_surge_22'] for kind in BOATS}


def disturbed(boat, thrusts, turning):
    """Return the embedded boat's state in the end, when it began with a turn of 0.01 rad/s to one side."""
    plant = Plant(still_air(boat.vessel), (0.0, 0.0, 0.0), lambda time, x, y: STILL, 0.01)
    plant.state = plant.state._replace(r=math.copysign(0.01, turning))
    for _ in range(6000):
        plant.advance(thrusts)
    return plant.state


def drift(folder, duration=DRIFTED):
    """Return a current, and {set: velocity over ground (east, north)} of free boats after a duration, s, in it; m/s."""
    boats = far_apart({kind: read_boat(name) for kind, name in BOATS.items()})
    angle = math.radians(40.0)
    current = CURRENT * math.cos(angle), CURRENT * math.sin(angle)
    with running(open_water(boats), list(boats), folder) as world:
        for name in boats:
            world.current(name, *current)
        before = world.run(duration)
        after = world.run(2.0)
    return current, {name: ((after[name].x - before[name].x) / 2.0, (after[name].y - before[name].y) / 2.0)
                     for name in boats}
