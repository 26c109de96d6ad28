from datetime import datetime, timezone

import pytest
from mission_files import HOME, some_waypoints
from needs import needs

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import parsed_xml
from usv_energy.missions.formats.documents import mission_of_map
from usv_energy.missions.formats.gpx import gpx_content, gpx_text
from usv_energy.missions.itinerary import Itinerary, Waypoint, itinerary_of
from usv_energy.missions.mission import LocalPlace

HEAD = '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">'


@pytest.fixture
def read(tmp_path):
    """Return a function that reads what stands in a GPX file."""
    def content(text):
        return gpx_content(parsed_xml(f'{HEAD}{text}</gpx>'.encode(), tmp_path / 'a.gpx'), tmp_path / 'a.gpx')
    return content


def itinerary(waypoints, **given):
    return Itinerary('a <b> & c', HOME, True, tuple(waypoints), **given)


def test_routes_tracks_and_points(read):
    found = read('<wpt lat="45" lon="9"><name>buoy</name></wpt><rte><name>r</name><rtept lat="1" lon="2"/></rte>'
                 '<trk><trkseg><trkpt lat="3" lon="4"/></trkseg><trkseg><trkpt lat="5" lon="6"/></trkseg></trk>')
    assert [(line.kind, line.name, [point.place for point in line.points]) for line in found.lines] == [
        ('route', 'r', [(1.0, 2.0)]), ('track', '', [(3.0, 4.0), (5.0, 6.0)])]
    assert [(point.place, point.name) for point in found.points] == [((45.0, 9.0), 'buoy')]


@pytest.mark.parametrize(('point', 'says'), [
    ('<wpt lat="95" lon="9"/>', 'wpt 1: the latitude is 95'),
    ('<wpt lat="5"/>', 'wpt 1: lon is null; must be a finite'),
    ('<wpt lat="x" lon="1"/>', 'wpt 1: lat is "x"; must be a finite number')])
def test_what_is_wrong_is_named(read, point, says):
    with pytest.raises(InputError, match=rf'a\.gpx: {says}'):
        read(point)


@pytest.mark.parametrize('seed', range(30))
def test_what_is_written_is_read_again(tmp_path, seed):
    waypoints = some_waypoints(seed)
    text = gpx_text(itinerary(waypoints, speed=1.25))
    path = tmp_path / 'a.gpx'
    again = itinerary_of(mission_of_map(gpx_content(parsed_xml(text.encode(), path), path), path))
    assert (again.name, again.start, again.has_home, again.speed) == ('a <b> & c', HOME, True, 1.25)
    assert [waypoint.heading for waypoint in again.waypoints] == pytest.approx(
        [waypoint.heading for waypoint in waypoints], abs=1e-12)
    assert [waypoint._replace(heading=None, item=0) for waypoint in again.waypoints] == [
        waypoint._replace(heading=None, item=0) for waypoint in waypoints]


@needs('gpxpy', 'an independent reader of GPX')
@pytest.mark.parametrize('seed', range(5))
def test_gpxpy_reads_what_is_written(seed):
    import gpxpy
    waypoints = some_waypoints(seed)
    route, = gpxpy.parse(gpx_text(itinerary(waypoints))).routes
    assert route.name == 'a <b> & c'
    assert [(point.latitude, point.longitude, point.name or '') for point in route.points] == [
        (*waypoint.place, waypoint.name) for waypoint in waypoints]


def test_signs_that_xml_does_not_know_are_left_out():
    text = gpx_text(Itinerary('a\x00b\ud800c', HOME, True, (Waypoint(Place(1.0, 2.0), 1),)))
    assert '<name>abc</name>' in text


def test_local_metres_are_refused():
    with pytest.raises(InputError, match='local metres'):
        gpx_text(Itinerary('m', LocalPlace(0.0, 0.0), False, (Waypoint(LocalPlace(1.0, 2.0), 1),)))


def test_speeds_that_opencpn_planned_are_knots_of_the_route_and_of_the_leg_to_a_point(tmp_path):
    """As OpenCPN 5 writes them; 0 is none. A knot is 1852 m/h."""
    text = ('<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:opencpn="http://www.opencpn.org"><rte>'
            '<extensions><opencpn:planned_departure>2026-06-01T09:00:00Z</opencpn:planned_departure>'
            '<opencpn:planned_speed>2.00</opencpn:planned_speed></extensions>'
            '<rtept lat="45" lon="9"/><rtept lat="45.001" lon="9"><extensions><opencpn:viz>1</opencpn:viz>'
            '<opencpn:rte_properties planned_speed="1.0"/></extensions></rtept>'
            '<rtept lat="45.002" lon="9"><extensions><opencpn:viz>1</opencpn:viz></extensions></rtept></rte></gpx>')
    for planned, speed in (('2.00', 2.0 * 1852.0 / 3600.0), ('0.00', None)):
        path = tmp_path / 'opencpn.gpx'
        content = gpx_content(parsed_xml(text.replace('2.00', planned).encode(), path), path)
        mission = mission_of_map(content, path)
        assert mission.departure == datetime(2026, 6, 1, 9, tzinfo=timezone.utc)
        found = itinerary_of(mission)
        assert [one.speed for one in found.waypoints] == [None, pytest.approx(1852.0 / 3600.0), None]
        assert found.speed == (speed and pytest.approx(speed))
        assert any('OpenCPN planned, 2 kn' in remark for remark in content.remarks) == (speed is not None)
