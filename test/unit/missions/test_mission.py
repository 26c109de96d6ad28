import math

import pytest

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.mission import LocalPlace, Mission, MissionItem, checked_item, checked_place


@pytest.mark.parametrize(('latitude', 'longitude', 'says'), [
    (90.001, 0.0, 'the latitude is 90.001; must be from -90 to 90 degrees'),
    (math.nan, 0.0, 'latitude is nan'), (0.0, -180.5, 'the longitude is -180.5; must be from -180 to 180 degrees')])
def test_a_place_off_the_earth_is_refused(latitude, longitude, says):
    with pytest.raises(InputError, match=f'a.plan: home: .*{says}'):
        checked_place(latitude, longitude, 'a.plan: home')


def test_the_edges_of_the_earth_are_on_it():
    assert checked_place(-90.0, 180.0, '') == Place(-90.0, 180.0)
    assert checked_place(90.0, -180.0, '') == Place(90.0, -180.0)


@pytest.mark.parametrize(('item', 'place'), [
    (MissionItem(16, 1, x=45.0, y=9.0), Place(45.0, 9.0)),
    (MissionItem(16, 1, x=0.0, y=0.0), None),              # MAVLink: where the vehicle is
    (MissionItem(16, 1, x=None, y=None, z=50.0), None),
    (MissionItem(183, 1, x=45.0, y=9.0), None),            # a servo is nowhere
    (MissionItem(16, 1, x=3.0, y=4.0, frame=4), LocalPlace(3.0, 4.0)),
    (MissionItem(16, 1, x=3.0, y=4.0, frame=1), LocalPlace(4.0, 3.0))])  # NED: north first
def test_where_an_item_is(item, place):
    assert item.place == place


def test_a_frame_that_is_none_for_a_place_is_refused():
    with pytest.raises(InputError, match=r'x: the frame is 8; must be one of 0, 1, 2, 3, 4, 5, 6, 10, 11'):
        checked_item(MissionItem(16, 1, x=45.0, y=9.0, frame=8), 'x')
    assert checked_item(MissionItem(183, 1, x=1.0, y=9.0, frame=8), 'x').frame == 8


def test_rounds_make_jumps_end():
    """Three rounds are two jumps back; a jump that has an end keeps it."""
    jumps = tuple(MissionItem(177, number, (1.0, repeats, 0.0, 0.0)) for number, repeats in ((2, -1.0), (3, 5.0)))
    mission = Mission('m', (MissionItem(16, 1, x=45.0, y=9.0), *jumps))
    assert [item.parameters[1] for item in mission.with_rounds(3).items] == [None, 2.0, 5.0]


def test_degrees_and_metres_do_not_mix():
    items = (MissionItem(16, 1, x=45.0, y=9.0), MissionItem(16, 2, x=3.0, y=4.0, frame=4))
    with pytest.raises(InputError, match='m: some places are degrees, others local metres'):
        Mission('m', items)
    with pytest.raises(InputError, match='local metres'):
        Mission('m', items[1:], home=Place(45.0, 9.0))
    assert Mission('m', items[1:]).is_local
    assert not Mission('m', items[:1]).is_local
