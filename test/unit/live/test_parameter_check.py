"""Parameters of an autopilot beside a boat file."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import battery_label, with_battery
from usv_energy.live.parameter_check import parameter_differences

SAME = {'FRAME_CLASS': 2.0, 'SERVO1_FUNCTION': 73.0, 'SERVO3_FUNCTION': 74.0, 'CRUISE_SPEED': 1.5,
        'BATT_CAPACITY': 36_000.0, 'BATT_LOW_VOLT': 13.2}


@pytest.mark.parametrize('name, value, words', [
    ('FRAME_CLASS', 1.0, 'FRAME_CLASS is 1; boats have 2'),
    ('SERVO5_FUNCTION', 26.0, 'SERVOn_FUNCTION has a steering servo (26); in the boat file nothing turns'),
    ('CRUISE_SPEED', 9.0, 'CRUISE_SPEED is 9 m/s; the top speed of the boat file is'),
    ('WP_SPEED', 9.0, 'WP_SPEED is 9 m/s; the top speed of the boat file is'),
    ('BATT_CAPACITY', 18_000.0, 'BATT_CAPACITY is 18000 mAh; the boat file has 532.8 Wh at 14.8 V, 36000 mAh'),
    ('BATT_LOW_VOLT', 15.0, 'BATT_LOW_VOLT is 15 V, the nominal voltage'),
    ('BATT_LOW_MAH', 40_000.0, 'BATT_LOW_MAH is 40000 mAh, more than'),
    ('MOT_VEC_ANGLEMAX', 30.0, 'MOT_VEC_ANGLEMAX is 30 deg; in the boat file no thruster turns'),
    ('CA_ROTOR_COUNT', 4.0, 'CA_ROTOR_COUNT is 4; the boat file has 2 thrusters'),
    ('PWM_AUX_FUNC1', 103.0, 'PWM_MAIN_FUNCn and PWM_AUX_FUNCn have 1 motors; the boat file has 2 thrusters'),
    ('PWM_MAIN_FUNC3', 201.0, 'PWM_MAIN_FUNCn and PWM_AUX_FUNCn have a servo; in the boat file nothing turns'),
    ('BAT1_CAPACITY', 18_000.0, 'BAT1_CAPACITY is 18000 mAh'),
    ('RD_MISS_SPD_DEF', 9.0, 'RD_MISS_SPD_DEF is 9 m/s')])
def test_each_difference_is_said_alone(name, value, words):
    boat = read_boat('blueboat')
    assert parameter_differences(SAME, boat) == []
    [said] = parameter_differences({**SAME, name: value}, boat)
    assert said.startswith(words)


def test_a_battery_that_the_autopilot_does_not_look_at_is_not_compared():
    """A fresh ArduPilot says BATT_CAPACITY 3300 with BATT_MONITOR 0."""
    given = {'BATT_CAPACITY': 3300.0, 'BATT_LOW_VOLT': 40.0}
    assert len(parameter_differences(given, read_boat('blueboat'))) == 2
    assert parameter_differences({**given, 'BATT_MONITOR': 0.0}, read_boat('blueboat')) == []


def test_one_throttle_cannot_steer_two_fixed_thrusters():
    outputs = {'SERVO1_FUNCTION': 26.0, 'SERVO3_FUNCTION': 70.0}
    said = parameter_differences(outputs, read_boat('blueboat'))
    assert len(said) == 2 and 'nothing would steer it' in said[0]
    assert parameter_differences({}, read_boat('blueboat')) == []


@pytest.mark.parametrize('most, end, thrust', [(70.0, 1780, 34.63), (90.0, 1860, 46.0)])
def test_throttle_that_is_limited_shows_as_thrust(most, end, thrust):
    """1500 + 0.7 * 400 us; the sheet has 31.74 N at 1760 us, 35.50 at 1786, 43.12 at 1838, 46.53 at 1864."""
    outputs = {f'SERVO{number}_{what}': value for number, side in ((1, 73.0), (3, 74.0))
               for what, value in (('FUNCTION', side), ('TRIM', 1500.0), ('MAX', 1900.0))}
    boat = read_boat('blueboat')
    assert parameter_differences({**outputs, 'MOT_THR_MAX': 100.0}, boat) == []
    said = parameter_differences({**outputs, 'MOT_THR_MAX': most}, boat)
    assert [one.split(' let ')[1].split(' us')[0] for one in said] == [f'left have {end}', f'right have {end}']
    assert float(said[0].split('most, ')[1].split(' N')[0]) == pytest.approx(thrust, abs=0.1)


def test_a_vectored_thruster_turns_no_further_than_in_the_boat_file():
    [thruster] = (boat := read_boat('kayak')).vessel.thrusters[:1]
    least = min(abs(thruster.azimuth.least), abs(thruster.azimuth.largest))
    assert parameter_differences({'MOT_VEC_ANGLEMAX': math.degrees(least)}, boat) == []
    assert 'a thruster turns by' in parameter_differences({'MOT_VEC_ANGLEMAX': math.degrees(least) + 5.0}, boat)[0]


def test_places_of_rotors_are_compared_forward_and_right():
    """CA_ROTORn are in any order; PY is to starboard, where the boat file's y is to port."""
    boat = read_boat('blueboat')
    places = {'CA_ROTOR_COUNT': 2.0, 'CA_ROTOR0_PX': -0.488, 'CA_ROTOR0_PY': 0.295,
              'CA_ROTOR1_PX': -0.488, 'CA_ROTOR1_PY': -0.295}
    assert parameter_differences(places, boat) == []
    [said] = parameter_differences({**places, 'CA_ROTOR0_PY': 0.4}, boat)
    assert said == ('CA_ROTOR0_PX and _PY are -0.488 m forward and 0.4 m to starboard; the boat file has a thruster '
                    '-0.488 m forward and 0.295 m to starboard')


def test_cells_are_those_of_the_boat_file():
    boat = with_battery(read_boat('blueboat'), battery_label('4S 15.6Ah nmc', 'label'))
    own = {'BAT1_N_CELLS': float(boat.pack.series), 'BAT1_V_EMPTY': boat.pack.cell.cutoff_voltage + 0.1}
    assert parameter_differences(own, boat) == parameter_differences({'BAT1_N_CELLS': 0.0}, boat) == []
    said = parameter_differences({'BAT1_N_CELLS': boat.pack.series + 1.0,
                                  'BAT1_V_EMPTY': boat.pack.cell.cutoff_voltage - 0.2}, boat)
    assert [one.split(' is ')[0] for one in said] == ['BAT1_N_CELLS', 'BAT1_V_EMPTY']
