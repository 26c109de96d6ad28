"""How far boats keep off by themselves: by their helm and length, as start and goals allow, off the river's banks."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.read_barriers import (
    barriers_with_room,
    resolved_water_edges,
    room_to_steer,
    water_edges,
)

NEEDS = ('shapely',)
RUDDER, PROP = read_boat('lutra_rudder_t200'), read_boat('lutra_prop')


class Wall:
    """A barrier along y = 0, at a distance that is remembered."""

    def __init__(self, clearance):
        self.clearance = clearance

    def distance(self, x, y):
        return np.abs(y) - self.clearance


@pytest.mark.parametrize('name, lengths', [('lutra_prop', 0.5), ('wamv', 0.5), ('lutra_rudder', 1.5),
                                           ('lutra_rudder_t200', 1.5)])
def test_boats_keep_off_by_half_their_length_and_those_that_a_rudder_turns_by_three_halves(name, lengths):
    boat = read_boat(name)
    assert room_to_steer(boat) == lengths * boat.hull.length


@pytest.mark.parametrize('y, kept', [(100.0, 1.5 * RUDDER.hull.length), (1.0, 0.99), (0.0, 0.0), (-3.0, 3.0 * 0.99)])
def test_start_and_goals_may_be_nearer(y, kept):
    for boat in (RUDDER, PROP):
        barriers = barriers_with_room(boat, [(0.0, 50.0), (20.0, y)], Wall)
        assert barriers.clearance == pytest.approx(min(kept, room_to_steer(boat)))


def test_the_river_ends_at_its_banks_and_where_its_file_does():
    """From x = -50 to 350 m, y = 65 to 125 m."""
    ends = water_edges(flow_of('river', '--current', 'water'), (0.0,), 2.0)
    x, y = np.array([[100.0, 66.9], [100.0, 67.1], [100.0, 123.1], [347.9, 95.0], [348.1, 95.0]]).T
    assert ends.blocked(x, y).tolist() == [True, False, True, False, True]
    assert ends.distance(np.array([100.0]), np.array([75.0]))[0] == pytest.approx(8.0)
    assert isinstance(water_edges(UniformFlow(0.3, 0.0), (0.0,), 2.0), NoBarriers)


class Sea:
    """Water that stands still on a grid, of a size and a spacing that are given, m."""

    def __init__(self, size, spacing):
        self.extent, self.spacing = (0.0, 0.0, size, size), spacing

    def describe(self):
        return {'spacing_m': (self.spacing, self.spacing)}

    def velocity(self, time, x, y):
        return 0.0 * x, 0.0 * y, np.ones(x.shape, dtype=bool)


@pytest.mark.parametrize('size, spacing, known', [(100.0, 1.0, True), (100.0, 2.0, False), (5000.0, 1.0, False)])
def test_only_ends_that_are_as_true_as_the_room_are_kept_off(monkeypatch, size, spacing, known):
    """Half a cell of 1 m is less than half of Lutra's 1.06 m, one of 2 m more; 5 km have more than a million cells."""
    sea = Sea(size, spacing)
    monkeypatch.setattr('usv_energy.studies.route.barriers.read_barriers.extent_of', lambda current: current.extent)
    assert isinstance(resolved_water_edges(PROP, sea, (0.0,), 0.5), NoBarriers) is not known
    assert isinstance(resolved_water_edges(PROP, sea, (0.0,), 0.0), NoBarriers)
