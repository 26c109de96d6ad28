import math

import pytest
from needs import NEEDS_PYMAVLINK

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions import mission as mav
from usv_energy.missions.mission import (
    NAMES,
    WITH_PLACE,
    LocalPlace,
    Mission,
    MissionItem,
    checked_item,
    checked_place,
    command_name,
)


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


@NEEDS_PYMAVLINK
def test_names_are_those_of_mavlink():
    from pymavlink.dialects.v20 import ardupilotmega
    enum = ardupilotmega.enums['MAV_CMD']
    assert {number: enum[number].name for number in NAMES} == {
        number: f'MAV_CMD_{name}' for number, name in NAMES.items()}


@NEEDS_PYMAVLINK
def test_commands_with_a_place_have_one_in_mavlink_too():
    from pymavlink.dialects.v20 import ardupilotmega
    enum = ardupilotmega.enums['MAV_CMD']
    assert [number for number in WITH_PLACE if not enum[number].has_location] == []


def test_numbers_are_those_of_the_table():
    ours = {
        name: value for name, value in vars(mav).items()
        if name.isupper() and isinstance(value, int) and value in NAMES}
    assert {name: NAMES[value] for name, value in ours.items()} == {
        'WAYPOINT': 'NAV_WAYPOINT', 'LOITER_UNLIMITED': 'NAV_LOITER_UNLIM', 'LOITER_TURNS': 'NAV_LOITER_TURNS',
        'LOITER_TIME': 'NAV_LOITER_TIME', 'RETURN_TO_LAUNCH': 'NAV_RETURN_TO_LAUNCH', 'DELAY': 'NAV_DELAY',
        'CONDITION_DELAY': 'CONDITION_DELAY', 'CONDITION_DISTANCE': 'CONDITION_DISTANCE',
        'CONDITION_YAW': 'CONDITION_YAW', 'JUMP': 'DO_JUMP', 'CHANGE_SPEED': 'DO_CHANGE_SPEED',
        'SET_HOME': 'DO_SET_HOME', 'JUMP_TAG': 'JUMP_TAG', 'JUMP_TO_TAG': 'DO_JUMP_TAG'}
    assert [NAMES[number] for number in mav.WITH_HOLD_TIME] == [
        'NAV_WAYPOINT', 'NAV_SPLINE_WAYPOINT', 'NAV_LOITER_TIME']
    assert [NAMES[number] for number in mav.TAKEN_AS_WAYPOINTS] == [
        'NAV_LAND', 'NAV_LOITER_TO_ALT', 'NAV_ARC_WAYPOINT', 'NAV_SPLINE_WAYPOINT', 'NAV_VTOL_LAND',
        'NAV_PAYLOAD_PLACE']


def test_an_unknown_command_has_its_number():
    assert command_name(16) == 'NAV_WAYPOINT'
    assert command_name(31999) == 'MAV_CMD 31999'
