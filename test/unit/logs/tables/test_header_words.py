"""What headers say: quantity and unit, in the words of loggers and of several languages."""

import pytest

from usv_energy.logs.tables.column_map import QUANTITIES, UNITS
from usv_energy.logs.tables.header_words import SPELLINGS, meaning_of, unit_row


@pytest.mark.parametrize(('header', 'quantity', 'unit'), [
    ('time', 'time', ''), ('%time', 'time', ''), ('time_boot_ms', 'time', 'ms'), ('TimeUS', 'time', 'us'),
    ('field.header.stamp', 'time', ''), ('timestamp(ms)', 'time', 'ms'), ('ms', 'time', 'ms'), ('Zeit [s]', 'time',
                                                                                                's'),
    ('tst', 'time', ''), ('latitudeE6', 'latitude', 'degE6'), ('current_to_deg', 'current_direction', 'deg'),
    ('current_set_deg', 'current_direction', 'deg'), ('Current Direction to [°]', 'current_direction', 'deg'),
    ('Lat', 'latitude', ''), ('lat_deg', 'latitude', 'deg'), ('Latitude (°)', 'latitude', 'deg'), ('Breite',
                                                                                                   'latitude', ''),
    ('Länge', 'longitude', ''), ('lon_1e7', 'longitude', 'degE7'), ('Lengtegraad', 'longitude', ''),
    ('SOG (kn)', 'speed', 'kn'), ('Speed Over Ground [knots]', 'speed', 'kn'), ('speed_mps', 'speed', 'm/s'),
    ('Geschwindigkeit (km/h)', 'speed', 'km/h'), ('vitesse sur le fond (nœuds)', 'speed', 'kn'), ('GPS.Spd', 'speed',
                                                                                                  ''),
    ('COG', 'course', ''), ('GCrs', 'course', ''), ('Kurs über Grund', 'course', ''), ('rumbo sobre el fondo',
                                                                                       'course', ''),
    ('HDG (°T)', 'yaw', 'deg'), ('ATT.Yaw', 'yaw', ''), ('heading_rad', 'yaw', 'rad'), ('cap vrai', 'yaw', ''),
    ('yawRate(deg/s)', 'r', 'deg/s'), ('/boat/odom/twist/twist/angular/z', 'r', ''), ('r_rad_s', 'r', 'rad/s'),
    ('/boat/odom/pose/pose/position/x', 'x', ''), ('/odom/pose/pose/orientation/w', 'orientation_w', ''),
    ('/odom/twist/twist/linear/x', 'u', ''), ('v_m_s', 'v', 'm/s'), ('surge', 'u', ''), ('v_north', 'velocity_y', ''),
    ('Battery Voltage (V)', 'volts', 'V'), ('BAT.Volt', 'volts', ''), ('Spannung [mV]', 'volts', 'mV'), ('V', 'volts',
                                                                                                         ''),
    ('BAT.Curr', 'amperes', ''), ('current (A)', 'amperes', 'A'), ('Strom', 'amperes', ''),
    ('current (m/s)', 'current_speed', 'm/s'), ('current_x_m_s', 'current_x', 'm/s'), ('set', 'current_direction', ''),
    ('power_w', 'electrical_power', 'W'), ('Leistung (kW)', 'electrical_power', 'kW'), ('TWS', 'wind_speed', ''),
    # VESC Tool, Adrena, Sensor Logger, phyphox, Maretron, EdgeTX, Signal K, Astra, QGroundControl, more languages
    ('gnss_gVel', 'speed', ''), ('ms_today', 'time', ''), ('input_voltage', 'volts', ''), ('current_in', 'amperes', ''),
    ('Vit. fond', 'speed', ''), ('Vit. surf.', 'through_water', ''), ('Vent réel direction', 'wind_direction', ''),
    ('bearing', 'course', ''), ('Direction (°)', 'course', 'deg'), ('Time Stamp', 'time', ''),
    ('Wind Direction Referenced to North (°T)', 'wind_direction', 'deg'), ('DC Current #0 (A)', 'amperes', 'A'),
    ('VFAS(V)', 'volts', 'V'), ('GSpd(kts)', 'speed', 'kn'), ('environment.wind.speedTrue', 'wind_speed', ''),
    ('electrical.batteries.0.voltage', 'volts', ''), ('Ext_SOG', 'speed', ''),
    ('battery0.instantPower', 'electrical_power', ''),
    ('FüG (kn)', 'speed', 'kn'), ('Windgeschw. (m/s)', 'wind_speed', 'm/s'), ('Batteriestrom [A]', 'amperes', 'A'),
    ('Strøm (A)', 'amperes', 'A'), ('Velocidade (nós)', 'speed', 'kn'), ('Accuspanning (V)', 'volts', 'V'),
    ('HDG(M)', 'yaw', ''), ('true wind direction', 'wind_direction', ''),
    ('Windgeschwindigkeit (m/s)', 'wind_speed', 'm/s'),
    ('AWA', 'apparent_wind_angle', ''), ('environment.wind.speedApparent', 'apparent_wind_speed', ''),
    ('relative wind direction (deg)', 'apparent_wind_angle', 'deg'), ('environment.wind.angleTrueWater',
                                                                      'true_wind_angle', ''),
    ('geogr. Breite', 'latitude', ''), ('SüG', 'speed', ''), ('Fahrt ü. Grund [kn]', 'speed', 'kn'),
    ('Długość geograficzna', 'longitude', ''), ('Prędkość nad dnem (węzły)', 'speed', 'kn'),
    ('Napięcie [V]', 'volts', 'V'),
    ('Länge [Grad]', 'longitude', 'deg'), ('posición x (m)', 'x', 'm'), ('vent réel vitesse (nds)', 'wind_speed', 'kn'),
    ('velocidad de guiñada (rad/s)', 'r', 'rad/s'), ('ts', 'time', ''), ('battery_mV', 'volts', 'mV'),
    ('battery_cur_mA', 'amperes', 'mA'), ('Akku [W]', 'electrical_power', 'W'),
    ('current_cA', 'amperes', 'cA'), ('voltage_dV', 'volts', 'dV'), ('pack_dA', 'amperes', 'dA')])
def test_a_header_says_its_quantity_and_unit(header, quantity, unit):
    found = meaning_of(header)
    assert (found.quantity, found.unit, found.thruster) == (quantity, unit, '')


@pytest.mark.parametrize(('header', 'name', 'thruster'), [
    ('rpm_left', 'revolutions', 'left'), ('Motor 1 RPM', 'revolutions', 'thruster_1'), ('Drehzahl Steuerbord',
     'revolutions', 'right'), ('left_thrust', 'thrust', 'left'), ('pwm_right', 'command', 'right'),
    ('port throttle (%)', 'throttle', 'left'), ('throttle', 'throttle', 'thruster')])
def test_columns_of_thrusters_say_whose_they_are(header, name, thruster):
    found = meaning_of(header)
    assert (found.name, found.thruster) == (name, thruster)


@pytest.mark.parametrize('header', ['heading_setpoint', 'target speed', 'HDOP', 'speed_accuracy', 'nsats', 'foo',
                                    'energy_j',
                                    'yaw_std', 'temperature', 'speed (V)', 'erpm', 'battery', '', '?'])
def test_what_is_asked_for_or_of_another_thing_is_none_of_it(header):
    assert meaning_of(header) is None


def test_every_spelling_is_of_a_unit_that_a_column_map_has():
    kinds = {quantity.kind for quantity in QUANTITIES.values()}
    assert all(kind in kinds and set(units) - {'calendar'} <= set(UNITS[kind]) for kind, units in SPELLINGS.items())


def test_a_row_of_units_is_told_from_one_of_numbers():
    assert unit_row(['[s]', '[deg]', '[deg]', '[m/s]']) and unit_row(['UTC', '°', '°', ''])
    assert not unit_row(['0', '1.5', 'A']) and not unit_row(['', '']) and not unit_row(['north', 'east', 's'])


def test_a_heading_of_a_needle_may_say_so_where_its_unit_stands():
    assert meaning_of('HDG(M)').name == meaning_of('Heading (°M)').name == 'magnetic'
    assert meaning_of('HDG (°T)').name == 'heading'
