"""What is drawn on the map becomes the mission that `mission make` makes of the same area."""

import numpy as np
import pytest

from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.missions.mission_file import read_mission, write_mission
from usv_energy.web.drawn_mission import (
    AREA,
    WAY,
    DrawnPlace,
    SketchedPlan,
    mission_of_drawing,
    rings_of_text,
    text_of_rings,
)

MIDDLE = Place(45.6, 9.55)


def ring(*corners):
    """Return corners, m from MIDDLE, in degrees."""
    north, east = LocalPlane(MIDDLE).to_geodetic(*np.array(corners, dtype=float).T)
    return tuple(map(DrawnPlace, north.tolist(), east.tolist()))


SQUARE = ring((-100, -100), (100, -100), (100, 100), (-100, 100))


def test_lanes_cover_an_area_but_for_its_hole():
    """Lanes 20 m apart over 200 x 200 m are 10 of 200 m; a hole of 60 x 60 m takes 3 times 60 m off, gone around."""
    whole, note = mission_of_drawing(SketchedPlan(AREA, SQUARE, spacing='20', direction='E'), 1.0)
    track = local_track(itinerary_of(whole))
    lanes = track.length[(np.abs(np.sin(track.course)) < 0.01) & (track.length > 1.0)]
    assert lanes == pytest.approx(np.full(10, 200.0), rel=1e-3) and '10 lanes 20.00 m apart along 090 (E)' in note
    hole = ring((-30, -30), (30, -30), (30, 30), (-30, 30))
    cut, _ = mission_of_drawing(SketchedPlan(AREA, SQUARE, (hole,), '20', 'E'), 1.0)
    places = itinerary_of(cut).waypoints
    east, north = LocalPlane(MIDDLE).to_local(*np.array([one.place[:2] for one in places]).T)
    for x, y, to_x, to_y in zip(east, north, east[1:], north[1:]):
        middle = 0.5 * (x + to_x), 0.5 * (y + to_y)
        assert max(abs(middle[0]), abs(middle[1])) > 29.0, 'no way leads through the hole'
    assert all(one.speed == 1.0 for one in places[1:]) or itinerary_of(cut).speed == 1.0


def test_an_area_that_is_left_out_takes_nothing_outside():
    """Beside the area it changes no lane; half of it beyond the edge, lanes end at it, and none lies beyond."""
    def ends_of(*holes):
        mission, note = mission_of_drawing(SketchedPlan(AREA, SQUARE, holes, '20', 'E'), 1.0)
        places = np.array([one.place[:2] for one in itinerary_of(mission).waypoints])
        return np.column_stack(LocalPlane(MIDDLE).to_local(*places.T)).round().astype(int).tolist(), note

    whole, note = ends_of()
    assert note.endswith('along 090 (E)')
    beside, note = ends_of(ring((150, -30), (190, -30), (190, 30), (150, 30)))
    assert beside == whole and note.endswith('; area 1 that is left out changes no lane')
    cut, note = ends_of(ring((70, -25), (130, -25), (130, 25), (70, 25)))
    assert [70, -10] in cut and [70, 10] in cut and max(east for east, _ in cut) == 100
    assert note.endswith('along 090 (E)')
    uneven = mission_of_drawing(SketchedPlan(AREA, SQUARE, (), '30', 'E'), 1.0)[1]
    assert uneven == '7 lanes 28.57 m apart along 090 (E), evenly over the area: 30 m at most'


def test_a_way_goes_through_its_places_in_their_order():
    mission, note = mission_of_drawing(SketchedPlan(WAY, SQUARE))
    assert [one.place[:2] for one in itinerary_of(mission).waypoints] == pytest.approx(
        [pytest.approx(place[:2], abs=1e-9) for place in SQUARE])
    assert note == '4 places'


def test_at_a_marker_the_boat_stays_at_the_nearest_place_of_the_way():
    way = SketchedPlan(AREA, ()).with_shape('polyline', SQUARE)
    [near] = ring((80, 70))
    stays = way._replace(stay='90 s').with_shape('marker', [near])
    assert stays.kind == WAY and [place.hold for place in stays.places] == [0.0, 0.0, 90.0, 0.0]
    assert [place[:2] for place in stays.places] == [place[:2] for place in SQUARE]
    again = stays._replace(stay='0 s').with_shape('marker', [near])
    assert again.places == SQUARE, 'a stay of no time takes it away'


@pytest.mark.parametrize(('drawing', 'sentence'), [
    (SketchedPlan(AREA, SQUARE), 'first draw a line'), (SketchedPlan(WAY, ()), 'first draw a line'),
    (SketchedPlan(WAY, SQUARE, stay='a while'), "stay is 'a while'; must be"),
    (SketchedPlan(WAY, SQUARE, stay='10'), "stay is '10'; must be"),
    (SketchedPlan(WAY, SQUARE, stay='25 h'), "stay is '25 h'; must be up to a day")])
def test_a_marker_without_a_way_or_a_time_is_an_error_of_input(drawing, sentence):
    with pytest.raises(InputError, match=sentence):
        drawing.with_shape('marker', SQUARE[:1])


def test_stays_are_in_the_mission_as_its_reader_takes_them(tmp_path):
    [places] = rings_of_text('45.6, 9.55, 90 s\n45.601, 9.55\n45.602 9.55 10min\n45.603; 9.55; 0.5 h')
    mission, note = mission_of_drawing(SketchedPlan(WAY, places))
    write_mission(mission, tmp_path / 'way.plan')
    read = itinerary_of(read_mission(tmp_path / 'way.plan')).waypoints
    assert [one.hold for one in read] == [90.0, 0.0, 600.0, 1800.0]
    assert note == '4 places, a stay of 41 min 30 s in all at the places 1, 3, 4'
    assert rings_of_text(text_of_rings(SketchedPlan(WAY, places))) == [places]
    with pytest.raises(InputError, match='a corner of an area has a stay'):
        mission_of_drawing(SketchedPlan(AREA, places))
    for line in ('45.6, 9.55, 10', '45.6, 9.55, 10 days', '45.6, 9.55, 2000 min'):
        with pytest.raises(InputError, match=r'line 1 is|stay is'):
            rings_of_text(line)


@pytest.mark.parametrize(('drawing', 'sentence'), [
    (SketchedPlan(AREA, SQUARE[:2]), 'must be 3 to 2000 corners'), (SketchedPlan(WAY, SQUARE[:1]), 'must be 2 to 2000'),
    (SketchedPlan(AREA, SQUARE, (SQUARE[:1],)), 'area 1 that is left out has 1 corners; must be 3'),
    (SketchedPlan(AREA, SQUARE, spacing='near'), 'distance of lanes'),
    (SketchedPlan(AREA, rings_of_text('45.605, 9.55\n45.609, 9.557\n45.605, 9.556\n45.61, 9.551')[0]),
     'from corner 1 and from corner 3 cross'),
    (SketchedPlan(AREA, SQUARE, direction='up'), 'direction of lanes'),
    (SketchedPlan(WAY, (DrawnPlace(91.0, 0.0), DrawnPlace(0.0, 0.0))), 'latitude is 91')])
def test_what_cannot_be_is_an_error_of_input(drawing, sentence):
    with pytest.raises(InputError, match=sentence):
        mission_of_drawing(drawing)


def test_places_are_typed_a_line_each():
    assert rings_of_text(' \n45.6, 9.55\n-1.5;  170\n\n\n 3 4 \n\n') == [
        ((45.6, 9.55, 0.0), (-1.5, 170.0, 0.0)), ((3.0, 4.0, 0.0),)]
    drawing = SketchedPlan(AREA, SQUARE, (SQUARE[:3], SQUARE[1:]))
    assert rings_of_text(text_of_rings(drawing)) == [
        pytest.approx([pytest.approx(place, abs=1e-6) for place in ring]) for ring in (SQUARE, *drawing.holes)]
    with pytest.raises(InputError, match='line 2 is'):
        rings_of_text('45.6, 9.55\n45.6')
