import itertools
import json
import math

import numpy as np
import pytest

from usv_energy.cli.main import main
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace, local_place
from usv_energy.missions.mission_file import read_mission
from usv_energy.missions.patterns import (
    angle_of_fewest_lanes,
    area_of,
    box,
    boxes_inward,
    checked_area,
    circles,
    lawnmower,
    pattern_mission,
    rectangle,
    sectors,
    signed_area,
)

# A U of two towers, 20 m wide, on a bar of 10 m; and an L.
U = [LocalPlace(*place) for place in ((0, 0), (60, 0), (60, 40), (40, 40), (40, 10), (20, 10), (20, 40), (0, 40))]
L = [LocalPlace(*place) for place in ((0, 0), (50, 0), (50, 20), (20, 20), (20, 60), (0, 60))]
ANGLES = [0.0, 0.3, math.pi / 2, 2.0, -1.0]


def length(places):
    return float(np.hypot(*np.diff(np.array(places), axis=0).T).sum())


def turned(places, angle):
    return [LocalPlace(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
            for x, y in places]


def covered(area, places, spacing, rng):
    """Return the largest distance of points within an area from the lanes, which are every other way."""
    corners = np.array(area)
    points = rng.uniform(corners.min(axis=0), corners.max(axis=0), (2000, 2))
    points = points[inside(points, corners)]
    begin, end = np.array(places[::2]), np.array(places[1::2])
    along = end - begin
    share = np.einsum('pls,ls->pl', points[:, None] - begin, along) / (along**2).sum(axis=1)
    nearest = begin + np.clip(share, 0.0, 1.0)[..., None] * along
    return float(np.hypot(*np.moveaxis(points[:, None] - nearest, -1, 0)).min(axis=1).max())


def inside(points, corners):
    """Return whether points lie within a ring: a ray to the east meets an odd number of its edges."""
    (x, y), (x0, y0), (x1, y1) = points.T[..., None], corners.T, np.roll(corners, -1, axis=0).T
    with np.errstate(divide='ignore', invalid='ignore'):
        crosses = ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return crosses.sum(axis=1) % 2 == 1


@pytest.mark.parametrize('angle', ANGLES)
@pytest.mark.parametrize(('wide', 'spacing', 'lanes'), [(100.0, 20.0, 5), (100.0, 30.0, 4), (10.0, 30.0, 1)])
def test_lanes_over_a_rectangle_have_the_length_of_the_closed_form(angle, wide, spacing, lanes):
    """Lanes of n L, and n - 1 ways across of W / n each."""
    made = lawnmower(rectangle(200.0, wide, angle), spacing, angle)
    assert (made.lanes, made.transits, len(made.places)) == (lanes, 0, 2 * lanes)
    assert made.spacing == pytest.approx(wide / lanes)
    assert length(made.places) == pytest.approx(lanes * 200.0 + (lanes - 1) * wide / lanes)


@pytest.mark.parametrize('area', [U, L, U[::-1], [*L, L[0]]])
@pytest.mark.parametrize('angle', ANGLES)
def test_an_area_that_is_not_convex_is_covered_and_not_left_on_a_lane(area, angle):
    rng = np.random.default_rng(3)
    made = lawnmower(area, 4.0, angle)
    # A corner lies at most half a swath beside its nearest lane and as much beyond the end of that.
    assert covered(area, made.places, 4.0, rng) < 0.5 * made.spacing * 6.0
    begin, end = np.array(made.places[::2]), np.array(made.places[1::2])
    for share in (0.01, 0.3, 0.5, 0.99):
        assert inside(begin + share * (end - begin), np.array(area)).all()


@pytest.mark.parametrize(('area', 'surface'), [(U, 60.0 * 10.0 + 2.0 * 20.0 * 30.0), (L, 50.0 * 20.0 + 20.0 * 40.0)])
@pytest.mark.parametrize('angle', [0.0, math.pi / 2, 0.7])
def test_lanes_sum_up_to_the_surface(area, surface, angle):
    """Their length times their spacing is the midpoint rule of the area's integral."""
    made = lawnmower(area, 0.05, angle)
    lanes = np.array(made.places[1::2]) - np.array(made.places[::2])
    assert float(np.hypot(*lanes.T).sum()) * made.spacing == pytest.approx(surface, rel=2e-3)


ISLAND = [LocalPlace(*place) for place in ((20, 15), (45, 20), (40, 35), (30, 22), (22, 34))]  # With a bay.
LAKE = rectangle(80.0, 70.0)
ISLANDS = [[LocalPlace(x - 30.0, y - 30.0) for x, y in ISLAND],
           [LocalPlace(x + 26.0, y + 20.0) for x, y in rectangle(10.0, 6.0, 0.4)]]


@pytest.mark.parametrize('angle', [0.0, math.pi / 2, 0.7])
def test_lanes_sum_up_to_the_surface_around_islands(angle):
    """The midpoint rule of the lake's integral less that of its islands; the legs along the edges are no lanes."""
    made = lawnmower(LAKE, 0.5, angle, holes=[ISLANDS[0]])
    way = np.diff(np.array(made.places), axis=0)
    lanes = np.abs(way @ np.array([-math.sin(angle), math.cos(angle)])) < 1e-9
    island = abs(signed_area(*np.array(ISLAND, float).T))
    assert float(np.hypot(*way[lanes].T).sum()) * made.spacing == pytest.approx(80.0 * 70.0 - island, rel=5e-3)


@pytest.mark.parametrize('angle', ANGLES)
@pytest.mark.parametrize('spacing', [3.0, 17.0])
def test_no_leg_crosses_an_island(angle, spacing):
    ends = np.array(lawnmower(LAKE, spacing, angle, holes=ISLANDS).places)
    share = np.linspace(0.0, 1.0, 101)[:, None, None]
    along = (ends[:-1] + share * (ends[1:] - ends[:-1])).reshape(-1, 2)
    for island in ISLANDS:
        corners = np.array(island, float)
        middle = corners.mean(axis=0)
        off = np.linalg.norm(along - middle, axis=1) > 1e-9
        deep = inside(along[off], corners)  # On the edge rounding decides: there must be none that is deep within.
        if deep.any():
            assert _depth(along[off][deep], corners).max() < 1e-6


def _depth(points, corners):
    """Return how far points are from the nearest edge of a ring."""
    one, other = corners, np.roll(corners, -1, axis=0)
    way = other - one
    share = np.clip(np.einsum('pij,ij->pi', points[:, None] - one, way) / (way ** 2).sum(axis=1), 0.0, 1.0)
    return np.linalg.norm(points[:, None] - one - share[..., None] * way, axis=2).min(axis=1)


def test_towers_are_covered_one_after_the_other():
    """Lanes along the bar of the U: it and two towers are three parts; across it there is one."""
    made = lawnmower(U, 5.0, 0.0)
    assert (made.lanes, made.transits) == (8, 2)
    ends = np.array(made.places)
    left = [number for number, (x, y) in enumerate(ends) if x <= 20.0 and y > 10.0]
    assert left == list(range(left[0], left[0] + len(left)))
    assert lawnmower(U, 5.0, math.pi / 2).transits == 0


def test_the_nearest_part_is_the_next():
    """A comb with four teeth, 10 m wide and 10 m apart: down the first, along the back, and from the last one on."""
    teeth = [place for tooth in range(4) for place in (
        (20 * tooth, 10), (20 * tooth, 50), (20 * tooth + 10, 50), (20 * tooth + 10, 10))]
    made = lawnmower([LocalPlace(*place) for place in ((0, 0), *teeth, (70, 0))], 10.0, 0.0, LocalPlace(0.0, 60.0))
    assert (made.lanes, made.transits) == (5, 4)
    begins = [made.places[number] for number in (0, 8, 10, 18, 26)]  # four lanes a tooth, one along the back
    assert [int(x // 20) if y > 10.0 else 'back' for x, y in begins] == [0, 'back', 3, 2, 1]


@pytest.mark.parametrize('corner', rectangle(220.0, 120.0, 0.3))
def test_lanes_begin_where_the_boat_comes_from(corner):
    """At each corner of the area: the first place is the nearest of all, and the way is as long."""
    area = rectangle(200.0, 100.0, 0.3)
    made = lawnmower(area, 20.0, 0.3, corner)
    assert math.dist(made.places[0], corner) == min(math.dist(place, corner) for place in made.places)
    assert length(made.places) == pytest.approx(length(lawnmower(area, 20.0, 0.3).places))


@pytest.mark.parametrize('angle', ANGLES)
def test_lanes_turn_with_the_area(angle):
    one, other = lawnmower(L, 7.0, 0.2), lawnmower(turned(L, angle), 7.0, 0.2 + angle)
    np.testing.assert_allclose(turned(one.places, angle), other.places, atol=1e-9)


@pytest.mark.parametrize(('area', 'spacing', 'says'), [
    (U[:2], 5.0, 'the area has 2 corners; must be at least 3'), ([U[0]] * 5, 5.0, 'the area has 0 corners'),
    ([LocalPlace(0, 0), LocalPlace(1, 1), LocalPlace(2, 2)], 5.0, 'they lie on a line'),
    ([LocalPlace(0, 0), LocalPlace(9, 9), LocalPlace(9, 0), LocalPlace(0, 9)], 5.0, 'or its edges cross'),
    ([LocalPlace(0, 0), LocalPlace(9, 9), LocalPlace(9, 1), LocalPlace(4, 9)], 5.0,
     'from corner 1 and from corner 3 cross'),
    ([LocalPlace(0, 0), LocalPlace(1000, 0), LocalPlace(1000, 1e-7)], 5.0, 'they lie on a line'),
    (U, 0.0, 'the spacing is 0 m; must be above 0'), (U, 1e-3, 'more than 5000 lanes')])
def test_what_is_no_area_is_refused(area, spacing, says):
    with pytest.raises(InputError, match=says):
        lawnmower(area, spacing, 0.0)


@pytest.mark.parametrize('angle', [0.0, 0.4, 1.5, 2.9])
def test_the_fewest_lanes_run_along_the_longer_side(angle):
    assert angle_of_fewest_lanes(rectangle(200.0, 100.0, angle)) == pytest.approx(angle % math.pi, abs=1e-9)


@pytest.mark.parametrize('seed', range(5))
def test_no_angle_makes_an_area_less_wide(seed):
    area = [LocalPlace(*place) for place in np.random.default_rng(seed).uniform(0.0, 100.0, (7, 2)).tolist()]
    angles = np.linspace(0.0, math.pi, 1441)
    widths = np.ptp(np.array(area) @ np.array([-np.sin(angles), np.cos(angles)]), axis=0)
    best = angle_of_fewest_lanes(area)
    least = np.ptp(np.array(area) @ np.array([-math.sin(best), math.cos(best)]))
    assert least <= widths.min() + 1e-9


def test_a_box_goes_around_and_closes():
    assert box(L) == (*L, L[0]) == box([*L, L[0]])
    assert length(box(rectangle(30.0, 20.0, 0.5))) == pytest.approx(100.0)


def test_boxes_go_inwards():
    """Rings of 2 (L + W) - 8 k s, and from one to the next s in each direction."""
    places = boxes_inward(60.0, 40.0, 10.0)
    assert len(places) == 10
    assert length(places) == pytest.approx(200.0 + 120.0 + math.hypot(10.0, 10.0))


def test_circles_are_chords_of_their_circle():
    ring = circles(20.0, points=48)
    assert np.hypot(*np.array(ring).T) == pytest.approx(np.full(49, 20.0))
    assert length(ring) == pytest.approx(2.0 * 48 * 20.0 * math.sin(math.pi / 48))
    assert signed_area(*np.array(ring[:-1]).T) > 0.0
    inward = np.hypot(*np.array(circles(20.0, 6.0, points=12)).T)
    assert inward[::13] == pytest.approx([20.0, 14.0, 8.0, 2.0])
    with pytest.raises(InputError, match='are more than 60000 places'):
        circles(20.0, 0.01)


@pytest.mark.parametrize('angle', [0.0, 1.0])
def test_a_sector_search_is_nine_radii_long(angle):
    """Three triangles of equal sides, turns of 120 degrees to starboard (IAMSAR, VS)."""
    way = np.array(sectors(50.0, angle=angle))
    steps = np.diff(way, axis=0)
    np.testing.assert_allclose(np.hypot(*steps.T), 50.0)
    courses = np.arctan2(steps[:, 1], steps[:, 0])
    assert math.remainder(courses[0] - angle, math.tau) == pytest.approx(0.0, abs=1e-12)
    turns = [math.remainder(turn, math.tau) for turn in np.diff(courses)]
    assert turns == pytest.approx([-2.0 * math.pi / 3.0, -2.0 * math.pi / 3.0, 0.0] * 3, abs=1e-9) or (
        turns == pytest.approx(([-2.0 * math.pi / 3.0] * 2 + [0.0]) * 2 + [-2.0 * math.pi / 3.0] * 2, abs=1e-9))
    assert way[[0, 3, 6, 9]] == pytest.approx(np.zeros((4, 2)), abs=1e-9)


@pytest.mark.parametrize('spacing', [60.0, 30.0, 10.0, 7.0])
def test_sectors_leave_no_gap_wider_than_the_spacing(spacing):
    """The rim's points lie all around, no two neighbours further apart than the spacing."""
    way = np.array(sectors(50.0, spacing))
    rim = way[np.hypot(*way.T) > 1.0]
    angles = np.sort(np.arctan2(rim[:, 1], rim[:, 0]) % math.tau)
    gaps = np.diff([*angles, angles[0] + math.tau])
    assert (2.0 * 50.0 * np.sin(gaps / 2.0)).max() <= spacing * (1.0 + 1e-9)
    rays = len(rim) // 2
    assert length(way) == pytest.approx(rays * (100.0 + 100.0 * math.sin(math.pi / (2 * rays))))


def test_areas_are_signed():
    assert signed_area(*np.array(rectangle(3.0, 2.0, 1.0)).T) == pytest.approx(6.0)
    assert signed_area(*checked_area(L[::-1]).T) == pytest.approx(-1800.0)


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
    for name in ('lanes.plan', 'lanes.yaml'):
        assert main(['mission', 'make', 'lawnmower', '--area', str(path), '--spacing', '10', '--speed', '1', '--out',
                     str(tmp_path / name)]) == 0
        assert 'cut at the hole in it' in capsys.readouterr().err
    assert read_mission(tmp_path / 'lanes.yaml').origin == pytest.approx(area.origin)
    places = [item.place for item in read_mission(tmp_path / 'lanes.plan').items if item.place]
    way = np.array([local_place(place, area.origin) for place in places])
    along = np.concatenate([one + np.linspace(0.0, 1.0, 50)[:, None] * (other - one)
                            for one, other in itertools.pairwise(way)])
    inside = ((along[:, 0] > x.min() + 0.1) & (along[:, 0] < x.max() - 0.1)
              & (along[:, 1] > y.min() + 0.1) & (along[:, 1] < y.max() - 0.1))
    assert not inside.any()
