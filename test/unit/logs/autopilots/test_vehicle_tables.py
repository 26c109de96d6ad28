"""The numbers by which MAVLink and ArduPilot call vehicles, against the names of their own lists."""

import pytest

from usv_energy.logs.autopilots.vehicle import vehicle_of_firmware, vehicle_of_type

# MAV_TYPE of MAVLink's common messages, without its prefix; None where it is no vehicle of its own.
MAV_TYPES = (
    None, 'airplane', 'quadrotor', 'coaxial helicopter', 'helicopter', 'antenna tracker', None, 'airship', 'balloon',
    'rocket', 'ground rover', 'boat', 'submarine', 'hexarotor', 'octorotor', 'tricopter', 'flapping wing', 'kite', None,
    *['VTOL'] * 7, None, None, 'parafoil', 'dodecarotor', *[None] * 5, 'decarotor', *[None] * 7, 'multirotor', None,
    None, 'walking robot', 'gyrodyne')
FRAME_CLASSES = {1: 'quadrotor', 2: 'hexarotor', 3: 'octorotor', 4: 'octoquad', 5: 'Y6', 6: 'helicopter',
                 7: 'tricopter', 9: 'coaxial helicopter', 11: 'helicopter', 12: 'dodecarotor', 14: 'decarotor'}


@pytest.mark.parametrize('number', range(-60, 61))
def test_types(number):
    name = MAV_TYPES[number] if 0 <= number < len(MAV_TYPES) else None
    found = vehicle_of_type(number, 'HEARTBEAT')
    assert (found is None) if name is None else name in found.words.split(maxsplit=1)[1]
    if name in ('boat', 'ground rover'):
        assert found.kind == name.split()[-1]


@pytest.mark.parametrize('number', range(-20, 21))
def test_frame_classes_of_a_copter_and_the_boat_of_a_rover(number):
    copter = vehicle_of_firmware(['ArduCopter V4.5.0'], {'FRAME_CLASS': float(number)})
    assert copter.words.split(maxsplit=1)[1] == FRAME_CLASSES.get(number, 'multicopter') and copter.kind == 'air'
    rover = vehicle_of_firmware(['ArduRover V4.5.0'], {'FRAME_CLASS': float(number)})
    assert rover.kind == ('boat' if number == 2 else 'rover')


def test_a_plane_that_may_hover_says_so_above_nought():
    words = [vehicle_of_firmware(['ArduPlane V4.5.0'], {'Q_ENABLE': value}).words for value in (0.0, 1.0, -1.0)]
    assert words == ['an airplane', 'a VTOL aircraft', 'an airplane']
