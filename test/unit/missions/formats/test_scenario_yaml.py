import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from mission_files import some_waypoints

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.scenario_yaml import lost_in_scenario, read_scenario_mission, scenario_text
from usv_energy.missions.itinerary import CIRCLE, Itinerary, Waypoint, itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace, in_degrees
from usv_energy.sim.scenario import read_scenario

HOME = Place(45.60731, 9.55242)


def written(tmp_path, itinerary):
    path = tmp_path / 'a.yaml'
    path.write_text(scenario_text(itinerary, 'lutra_prop'))
    return path


def test_a_scenario_is_a_mission(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('base: 5\nstart: {x: 1.0, y: 2.0}\nwaypoints: [{x: 4.0, y: 6.0}, {x: 0.0, y: 0.0}]\n')
    done = itinerary_of(read_scenario_mission(path))
    assert (done.start, done.has_home, done.speed) == (LocalPlace(1.0, 2.0), True, 1.0)
    assert [(waypoint.place, waypoint.speed, waypoint.radius) for waypoint in done.waypoints] == [
        (LocalPlace(4.0, 6.0), 1.0, 2.5), (LocalPlace(0.0, 0.0), 1.0, 2.5)]
    assert local_track(done).length[0] == 5.0


@pytest.mark.parametrize('seed', range(10))
def test_places_come_back_to_a_tenth_of_a_millimetre(tmp_path, seed):
    itinerary = Itinerary('m', HOME, True, some_waypoints(seed), speed=1.5)
    again = itinerary_of(in_degrees(read_scenario_mission(written(tmp_path, itinerary))))
    tracks = [local_track(replace(one, origin=HOME)) for one in (itinerary, again)]
    for axis in ('east', 'north'):
        np.testing.assert_allclose(getattr(tracks[1], axis), getattr(tracks[0], axis), atol=1e-4)
    assert again.start == pytest.approx(HOME, abs=1e-9)


def test_what_is_written_is_a_scenario(tmp_path):
    """It starts at home, points along its first way, and has three times as long as the way takes."""
    east = Place(HOME.latitude, HOME.longitude + 0.01)
    scenario = read_scenario(str(written(tmp_path, Itinerary(
        'a: b', HOME, True, (Waypoint(east, 1, speed=0.5, radius=4.0), Waypoint(HOME, 2, speed=0.5))))))
    length = math.dist(scenario.waypoints[0], (0.0, 0.0))
    assert length == pytest.approx(780.0, rel=2e-3)
    assert (scenario.title, scenario.speed, scenario.radius) == ('a: b', 0.5, 4.0)
    assert scenario.start == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert scenario.timeout == pytest.approx(3.0 * 2.0 * length / 0.5, rel=1e-3)


def test_without_home_it_starts_at_the_first_place(tmp_path):
    itinerary = Itinerary('m', HOME, False, (Waypoint(HOME, 1), Waypoint(Place(45.61, 9.55), 2)))
    document = yaml.safe_load(written(tmp_path, itinerary).read_text())
    assert len(document['waypoints']) == 1
    assert document['speed'] == {'mode': 'full_thrust'}


def test_what_is_ordered_at_waypoints_comes_back_and_the_simulator_has_it(tmp_path):
    east = Place(HOME.latitude, HOME.longitude + 0.001)
    waypoints = (Waypoint(HOME, 1, speed=1.0, hold=30.0, heading=0.5, radius=2.0),
                 Waypoint(east, 2, speed=2.0, name='buoy: 7', radius=5.0))
    itinerary = Itinerary('m', HOME, True, waypoints)
    path = written(tmp_path, itinerary)
    again = itinerary_of(read_scenario_mission(path)).waypoints
    for mine, theirs in zip(waypoints, again):
        assert (theirs.speed, theirs.hold, theirs.radius) == (mine.speed, mine.hold, mine.radius)
        assert theirs.name == mine.name
        assert theirs.heading == (None if mine.heading is None else pytest.approx(mine.heading, abs=1e-8))
    orders = read_scenario(str(path)).orders
    assert [order.hold for order in orders] == [30.0, 0.0] and orders[1].speed == 2.0 and orders[1].name == 'buoy: 7'
    assert lost_in_scenario(itinerary) == []


def test_what_is_lost_is_said():
    circle = Waypoint(HOME, 2, CIRCLE, turns=1.0, circle_radius=9.0)
    assert lost_in_scenario(Itinerary('m', HOME, True, (Waypoint(HOME, 1), circle))) == [
        'a scenario says nothing of circles: left out at 1 of 2 waypoints']


@pytest.mark.parametrize(('text', 'says'), [
    ('base: 5\norigin: {latitude: 95, longitude: 9}', r'origin.latitude is 95; must be at most 90'),
    ('base: 5\nwaypoints: []', r'waypoints is \[\]; must hold at least 1'),
    ('a: 1\n' * 300_000, 'is larger than 1024 KiB')])
def test_what_is_wrong_is_named(tmp_path, text, says):
    path = tmp_path / 'mine.yaml'
    path.write_text(text)
    with pytest.raises(InputError, match=rf'mine\.yaml: {says}'):
        read_scenario_mission(path)
