from needs import NEEDS_PYMAVLINK

from usv_energy.missions.mavlink_commands import NAMES, WITH_PLACE, command_name


@NEEDS_PYMAVLINK
def test_names_are_those_of_mavlink():
    from pymavlink.dialects.v20 import ardupilotmega
    enum = ardupilotmega.enums['MAV_CMD']
    wrong = {number: name for number, name in NAMES.items()
             if number in enum and enum[number].name not in (f'MAV_CMD_{name}',)}
    assert wrong == {}
    assert sum(number in enum for number in NAMES) > 90


@NEEDS_PYMAVLINK
def test_commands_with_a_place_have_one_in_mavlink_too():
    from pymavlink.dialects.v20 import ardupilotmega
    enum = ardupilotmega.enums['MAV_CMD']
    assert {number for number in WITH_PLACE if number in enum and not enum[number].has_location} == set()


def test_an_unknown_command_has_its_number():
    assert command_name(16) == 'NAV_WAYPOINT'
    assert command_name(31999) == 'MAV_CMD 31999'
