"""What flew is read from MAVLink's type, from the firmware's name and from its parameters."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.autopilots.vehicle import (
    named_in_errors,
    refuse_other_vehicle,
    vehicle_note,
    vehicle_of_firmware,
    vehicle_of_type,
)
from usv_energy.logs.log import INFO, WARNING, Log


@pytest.mark.parametrize(('number', 'kind', 'words'), [
    (11, 'boat', 'a boat'), (10, 'rover', 'a ground rover'), (2, 'air', 'a quadrotor'), (1, 'air', 'an airplane'),
    (12, 'other', 'a submarine'), (22, 'air', 'a VTOL aircraft')])
def test_the_types_of_mavlink(number, kind, words):
    vehicle = vehicle_of_type(number, 'HEARTBEAT')
    assert (vehicle.kind, vehicle.words, vehicle.evidence) == (kind, words, f'MAV_TYPE {number} in HEARTBEAT')


@pytest.mark.parametrize('number', [0, 6, 18, 26, 99])
def test_what_is_no_vehicle_says_nothing(number):
    assert vehicle_of_type(number, 'HEARTBEAT') is None


@pytest.mark.parametrize(('text', 'parameters', 'words'), [
    ('ArduCopter V4.0.3 (deadbeef)', {}, 'a multicopter'),
    ('APM:Copter V3.5.2 (deadbeef)', {'FRAME_CLASS': 1.0}, 'a quadrotor'),
    ('ArduPlane V4.1.0 (deadbeef)', {}, 'an airplane'),
    ('ArduPlane V4.1.0 (deadbeef)', {'Q_ENABLE': 1.0}, 'a VTOL aircraft'),
    ('ArduRover V4.2.3 (deadbeef)', {'FRAME_CLASS': 1.0}, 'a ground rover'),
    ('Rover V4.2.3', {'FRAME_CLASS': 2.0}, 'a boat'),
    ('ArduSub V4.1.0 (deadbeef)', {'FRAME_CLASS': 2.0}, 'a submarine'),
    ('Frame: UNKNOWN', {'CRUISE_THROTTLE': 50.0, 'FRAME_CLASS': 2.0}, 'a boat'),
    ('', {'PILOT_SPEED_UP': 250.0}, 'a multicopter'),
    ('', {'RLL2SRV_P': 1.0}, 'an airplane')])
def test_the_firmware_of_ardupilot(text, parameters, words):
    assert vehicle_of_firmware(['PX4: 0102', text], parameters).words == words


def test_a_log_that_does_not_say_is_of_no_vehicle():
    assert vehicle_of_firmware(['Rover ahead of the copter', 'PreArm: battery'], {'BATT_MONITOR': 4.0}) is None


def test_only_what_does_not_float_is_refused_and_says_how_to_take_it_all_the_same():
    notes = [vehicle_note(vehicle_of_type(number, 'HEARTBEAT')) for number in (11, 10, 2, 12)]
    assert [(note.level, note.code) for note in notes] == [
        (INFO, 'vehicle'), (WARNING, 'ground_rover'), (WARNING, 'other_vehicle'), (WARNING, 'other_vehicle')]
    logs = [Log('a', Path('a.bin'), np.arange(3.0), notes=(note,)) for note in notes]
    for log in logs[:2]:
        refuse_other_vehicle(log)
    with pytest.raises(InputError, match=r'a\.bin: this was flown by a quadrotor .*--any-vehicle'):
        refuse_other_vehicle(logs[2])
    with pytest.raises(InputError, match='this was recorded on a submarine'):
        refuse_other_vehicle(logs[3])


def test_a_log_that_cannot_be_read_is_of_what_flew_all_the_same():
    with pytest.raises(InputError, match=r'a\.ulg: has no motion\. Besides, this was flown by a quadrotor'), \
            named_in_errors(vehicle_of_type(2, 'HEARTBEAT')):
        raise InputError('a.ulg: has no motion')
    for vehicle in (None, vehicle_of_type(11, 'HEARTBEAT')):
        with pytest.raises(InputError, match=r'has no motion$'), named_in_errors(vehicle):
            raise InputError('a.ulg: has no motion')
