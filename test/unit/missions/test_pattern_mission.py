import itertools
import json

import numpy as np
import pytest

from usv_energy.cli.main import main
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace, local_place
from usv_energy.missions.mission_file import read_mission
from usv_energy.missions.patterns import area_of, lawnmower, pattern_mission, rectangle

AT = Place(45.6, 9.55)
LANES = lawnmower(rectangle(200.0, 100.0), 20.0, 0.0).places


def test_a_pattern_keeps_its_lengths_on_the_earth():
    mission = pattern_mission('m', LANES, AT, speed=1.2, home=Place(45.6, 9.54), radius=3.0)
    done = itinerary_of(mission)
    assert {(waypoint.speed, waypoint.radius) for waypoint in done.waypoints} == {(1.2, 3.0)}
    assert (done.start, done.has_home, mission.speed) == (Place(45.6, 9.54), True, 1.2)
    np.testing.assert_allclose(local_track(done).length[1:], [200.0, 20.0] * 4 + [200.0], rtol=1e-8)


def test_a_pattern_of_nowhere_stays_on_its_plane():
    mission = pattern_mission('m', LANES, None)
    assert [waypoint.place for waypoint in itinerary_of(mission).waypoints] == list(LANES)
    with pytest.raises(InputError, match='home is a place on the Earth, and the pattern has none'):
        pattern_mission('m', LANES, None, home=AT)


@pytest.mark.parametrize('longitude', [9.55, 179.9995, -180.0])
def test_an_area_of_a_file(tmp_path, longitude):
    """A square of 0.001 degrees, across the date line, too: its corners lie about its middle."""
    east = (longitude + 0.001 + 180.0) % 360.0 - 180.0
    path = tmp_path / 'a.kml'
    ring = f'{longitude},45 {east},45 {east},45.001 {longitude},45.001 {longitude},45'
    path.write_text(f'<kml><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>{ring}</coordinates>'
                    '</LinearRing></outerBoundaryIs></Polygon></Placemark></kml>')
    area, origin, holes = area_of(path)
    assert holes == ()
    assert origin.latitude == pytest.approx(45.0005)
    assert (origin.longitude - longitude) % 360.0 == pytest.approx(0.0005)
    x, y = np.array(area).T
    assert np.ptp(x) == pytest.approx(78.85, abs=0.01)
    assert np.ptp(y) == pytest.approx(111.13, abs=0.01)
    assert (x.max() + x.min(), y.max() + y.min()) == pytest.approx((0.0, 0.0), abs=1e-2)


def test_an_area_of_a_scenario_is_in_its_metres(tmp_path):
    path = tmp_path / 'a.yaml'
    path.write_text('base: 5\nwaypoints: [{x: 1.0, y: 2.0}, {x: 5.0, y: 2.0}, {x: 5.0, y: 9.0}]\n')
    assert area_of(path) == ((LocalPlace(1.0, 2.0), LocalPlace(5.0, 2.0), LocalPlace(5.0, 9.0)), None, ())


RINGS = ('9.0,45.0 9.00127,45.0 9.00127,45.0009 9.0,45.0009 9.0,45.0',
         '9.0004,45.0003 9.0008,45.0003 9.0008,45.0006 9.0004,45.0006 9.0004,45.0003')
KML = '<kml><Placemark><Polygon>{}</Polygon></Placemark></kml>'
BOUNDARY = '<{0}BoundaryIs><LinearRing><coordinates>{1}</coordinates></LinearRing></{0}BoundaryIs>'


@pytest.mark.parametrize('kind', ['kml', 'geojson'])
def test_lanes_of_a_lake_with_an_island_are_cut_there(tmp_path, kind, capsys):
    path = tmp_path / f'lake.{kind}'
    rings = [[[float(number) for number in place.split(',')] for place in ring.split()] for ring in RINGS]
    path.write_text(json.dumps({'type': 'Polygon', 'coordinates': rings}) if kind == 'geojson' else KML.format(
        ''.join(BOUNDARY.format(side, ring) for side, ring in zip(('outer', 'inner'), RINGS))))
    area = area_of(path)
    assert len(area.holes) == 1
    x, y = np.array(area.holes[0]).T
    assert (np.ptp(x), np.ptp(y)) == pytest.approx((31.54, 33.34), abs=0.01)
    main(['mission', 'make', 'lawnmower', '--area', str(path), '--spacing', '10', '--speed', '1', '--out',
          str(tmp_path / 'lanes.plan')])
    assert 'cut at the hole in it' in capsys.readouterr().err
    places = [item.place for item in read_mission(tmp_path / 'lanes.plan').items if item.place]
    way = np.array([local_place(place, area.origin) for place in places])
    along = np.concatenate([one + np.linspace(0.0, 1.0, 50)[:, None] * (other - one)
                            for one, other in itertools.pairwise(way)])
    inside = ((along[:, 0] > x.min() + 0.1) & (along[:, 0] < x.max() - 0.1)
              & (along[:, 1] > y.min() + 0.1) & (along[:, 1] < y.max() - 0.1))
    assert not inside.any()
