from needs import NEEDS_PYMAVLINK

from usv_energy.missions import mission as mav
from usv_energy.missions.mission import NAMES, WITH_PLACE, command_name


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
