"""Tables without a column map: the header's words and the motion itself say what its columns hold."""

import json
import math
from datetime import datetime, timedelta, timezone

import numpy as np
import pytest
from table_files import SPEED, TIME, TURN, circle_ned, write_columns

from usv_energy.earth import LocalPlane, metres_per_degree
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.logs.tables.recognise import recognised, write_recognised
from usv_energy.logs.tables.ways import ways_of

KNOT = 1852.0 / 3600.0


def of_compass(**more):
    """Return the columns of the boat that goes round clockwise, in degrees, without units in their names."""
    found = circle_ned()
    latitude, longitude = LocalPlane((45.0, 9.0)).to_geodetic(found['e'], found['n'])
    return {'time': TIME, 'lat': latitude, 'lon': longitude, 'heading': found['psi'], **more}


def check_circle(log, places=0.02):
    inner = slice(12, -12)
    np.testing.assert_allclose(log.u[inner], SPEED, atol=places)
    np.testing.assert_allclose(log.v[inner], -0.1, atol=places)  # to port
    np.testing.assert_allclose(log.r[inner], -TURN, atol=places)  # counter-clockwise
    # The plane touches at the first fix; north there is north of 45 degrees within 1e-5 rad.
    np.testing.assert_allclose(log.yaw, 0.5 * math.pi - TURN * log.time, atol=1e-9)


@pytest.mark.parametrize(('columns', 'rate'), [
    ({'yaw_rate': np.degrees(TURN) + 0.0 * TIME}, ('deg/s', 'frd')), ({'yaw_rate': 0.0 * TIME - TURN},
                                                                      ('rad/s', 'flu')),
    ({'rot': np.degrees(TURN) * 60.0 + 0.0 * TIME}, ('deg/min', 'frd'))])
def test_the_heading_tells_unit_and_sign_of_the_yaw_rate(tmp_path, columns, rate):
    path = write_columns(tmp_path / 'a.csv', of_compass(**columns))
    check_circle(read_log(path))
    taken = recognised(path).document['columns']['r']
    assert (taken['unit'], taken['frame']) == rate


@pytest.mark.parametrize(('unit', 'factor'), [('m/s', 1.0), ('kn', KNOT), ('km/h', 1.0 / 3.6), ('mph', 0.44704),
                                              ('cm/s', 0.01)])
def test_positions_tell_the_unit_of_a_speed_and_the_side_of_a_sway(tmp_path, unit, factor):
    path = write_columns(tmp_path / 'a.csv',
                         of_compass(surge=SPEED / factor + 0.0 * TIME, sway=0.1 / factor + 0.0 * TIME))
    found = recognised(path).document['columns']
    assert (found['u']['unit'], found['v']['unit'], found['v']['frame']) == (unit, unit, 'frd')
    check_circle(read_log(path))


@pytest.mark.parametrize(('name', 'heading', 'frame'), [
    ('yaw', 0.5 * math.pi - TURN * TIME, 'enu'), ('yaw', TURN * TIME, 'ned'),
    ('heading', np.degrees(0.5 * math.pi - TURN * TIME) % 360.0, 'enu')])
def test_positions_tell_unit_and_zero_of_a_heading(tmp_path, name, heading, frame):
    columns = {key: values for key, values in of_compass().items() if key != 'heading'}
    path = write_columns(tmp_path / 'a.csv', columns | {name: heading})
    assert recognised(path).document['columns']['yaw']['frame'] == frame
    log = read_log(path)
    np.testing.assert_allclose(np.cos(log.yaw - (0.5 * math.pi - TURN * log.time)), 1.0, atol=1e-9)
    np.testing.assert_allclose(log.u[12:-12], SPEED, atol=0.02)


@pytest.mark.parametrize(('names', 'frame'), [(('vn', 've'), ''), (('ve', 'vn'), ''), (('surge', 'sway'), 'frd')])
def test_positions_tell_along_which_axes_velocities_are(tmp_path, names, frame):
    """`vx` and `vy` may be north and east, east and north, or forward and to starboard."""
    found = circle_ned() | {'sway': 0.1 + 0.0 * TIME, 'surge': SPEED + 0.0 * TIME}
    path = write_columns(tmp_path / 'a.csv', of_compass(vx=found[names[0]], vy=found[names[1]]))
    taken = recognised(path).document['columns']
    assert taken['u' if frame else 'velocity_x']['frame'] == (frame or ('ned' if names[0] == 'vn' else 'enu'))
    check_circle(read_log(path))
    if not frame:
        write_columns(path, of_compass(vx=100.0 * found[names[0]], vy=100.0 * found[names[1]]))
        assert recognised(path).document['columns']['velocity_x']['unit'] == 'cm/s'
        check_circle(read_log(path))


@pytest.mark.parametrize(('start', 'scale', 'unit'), [
    (0.0, 1.0, 's'), (0.0, 1e3, 'ms'), (0.0, 1e6, 'us'), (1.7e9, 1.0, 's'), (1.7e12, 1e3, 'ms'), (1.7e15, 1e6, 'us'),
    (45000.0, 1.0 / 86400.0, 'd'), (2.052e8, 1e3, 'ms'), (1.3359e17, 1e7, '100ns')])
def test_values_tell_the_unit_of_the_time(tmp_path, start, scale, unit):
    path = write_columns(tmp_path / 'a.csv', of_compass() | {'time': start + scale * TIME})
    assert recognised(path).document['columns']['time']['unit'] == unit
    np.testing.assert_allclose(read_log(path).time, TIME, atol=2e-6)


@pytest.mark.parametrize('start', [133_590_276_000_000_000, 638_501_508_000_000_000])  # FILETIME; .NET's ticks
def test_counts_of_windows_begin_long_before_1970(tmp_path, start):
    log = read_log(write_columns(tmp_path / 'a.csv', of_compass() | {'time': start + 1e7 * TIME}))
    assert log.start == pytest.approx(datetime(2024, 5, 1, 9, tzinfo=timezone.utc).timestamp(), abs=0.1)
    assert log.duration == pytest.approx(TIME[-1], abs=1e-4)


@pytest.mark.parametrize(('course', 'heading', 'unsure'), [
    (90.0, 57.0, False), (120.0, 90.0, False), (60.0, 30.0, True), (210.0, 180.0, False)])
def test_a_heading_on_one_course_is_in_degrees_from_north(tmp_path, course, heading, unsure):
    way = np.radians(course)
    east, north = metres_per_degree(45.0)
    log = read_log(write_columns(tmp_path / 'a.csv', {
        'time': TIME, 'lat': 45.0 + TIME * np.cos(way) / north, 'lon': 9.0 + TIME * np.sin(way) / east,
        'heading': heading + 0.4 * np.sin(TIME)}))
    np.testing.assert_allclose(np.cos(log.yaw - np.radians(90.0 - heading)), 1.0, atol=1e-4)
    assert ('heading_unsure' in {note.code for note in log.notes}) is unsure


@pytest.mark.parametrize('frame', ['enu', 'ned'])
def test_positions_tell_the_axes_of_a_quaternion(tmp_path, frame):
    found = circle_ned()
    angle = TURN * TIME if frame == 'ned' else 0.5 * math.pi - TURN * TIME
    columns = {'time': TIME, 'north': found['n'], 'east': found['e'], 'qw': np.cos(0.5 * angle), 'qx': 0.0 * TIME,
               'qy': 0.0 * TIME, 'qz': np.sin(0.5 * angle)}
    log = read_log(write_columns(tmp_path / 'a.csv', columns))
    np.testing.assert_allclose(np.cos(log.yaw - 0.5 * math.pi + TURN * TIME), 1.0, atol=1e-12)


def test_a_magnetic_heading_gets_the_variation_and_a_speed_through_the_water_its_scale(tmp_path):
    columns = of_compass(variation=3.0 + 0.0 * TIME, **{
        'SOG (kn)': SPEED / KNOT + 0.0 * TIME, 'STW (kn)': (SPEED + 0.5) / KNOT + 0.0 * TIME})
    columns['heading (mag)'] = (columns.pop('heading') - 3.0) % 360.0
    path = write_columns(tmp_path / 'a.csv', columns)
    log = read_log(path)
    np.testing.assert_allclose(np.cos(log.yaw - 0.5 * math.pi + TURN * TIME), 1.0, atol=1e-12)
    note = next(note for note in log.notes if note.code == 'current_of_bow')
    assert note.figures['scale'] == pytest.approx((SPEED + 0.5) / SPEED, rel=0.02)
    np.testing.assert_allclose(np.hypot(log.current_x, log.current_y)[20:-20], 0.0, atol=0.02)
    assert recognised(path).document['columns']['variation'] == {'column': 'variation', 'unit': 'deg'}


def test_a_column_at_rest_is_told_in_its_own_unit_and_unknown_ones_are_named(tmp_path):
    log = read_log(write_columns(tmp_path / 'a.csv', of_compass(**{
        'Battery Current [mA]': 1100.0 + 0.0 * TIME, 'V1': TIME, 'Horizon': TIME, 'x' * 999: TIME})))
    said = {note.code: note.text for note in log.notes}
    assert "'Battery Current [mA]' (amperes) is 1100 in all rows" in said['column_constant']
    assert said['columns_unknown'].endswith(f": 'V1', 'Horizon', '{'x' * 197}...'")


def test_date_and_time_in_two_columns_a_row_of_units_and_decimal_commas(tmp_path):
    """As spreadsheets of three kinds write it; the circle's turn of 0.25 rad/s is sampled every 0.5 s here."""
    columns = of_compass()
    rows = [f'30.04.2024;23:59:{40 + t:04.1f}' if t < 20 else f'01.05.2024;00:00:{t - 20:04.1f}' for t in TIME[::5]]
    numbers = [';'.join(f'{values[k]:.8f}' for name, values in columns.items() if name != 'time')
               for k in range(0, len(TIME), 5)]
    path = tmp_path / 'a.csv'
    path.write_text('Datum;Uhrzeit;Breite;Länge;Kompass\n;;°;°;°\n' + '\n'.join(
        f'{row};{one}' for row, one in zip(rows, numbers)).replace('.', ',').replace('04,2024', '04.2024').replace(
            '05,2024', '05.2024').replace('30,', '30.', 1) + '\n')
    text = path.read_text().replace('30,04', '30.04').replace('01,05', '01.05')
    path.write_text(text)
    log = read_log(path)
    assert len(log) == 80 and log.period == pytest.approx(0.5)
    np.testing.assert_allclose(log.u[6:-6], SPEED, atol=0.1)


def test_a_speed_alone_is_asked_for_by_its_name_and_written_down(tmp_path):
    path = write_columns(tmp_path / 'a.csv', {'time': TIME, 'Fahrt': 1.0 + 0.0 * TIME})
    with pytest.raises(InputError, match=r"column 'Fahrt' is a speed, but nothing tells whether in m/s, kn, km/h"):
        read_log(path)
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    text = (tmp_path / 'map.yaml').read_text()
    assert '# To be settled: column' in text
    with pytest.raises(InputError, match=r"map\.yaml: columns\.speed\.unit is ''.*must be one of m/s"):
        read_log(path, tmp_path / 'map.yaml')
    (tmp_path / 'map.yaml').write_text(text.replace("unit: ''", 'unit: kn'))
    np.testing.assert_allclose(read_log(path, tmp_path / 'map.yaml').u, KNOT)


def test_the_map_that_is_written_gives_the_same_log(tmp_path):
    path = write_columns(tmp_path / 'a.csv', of_compass(surge=SPEED + 0.0 * TIME, volts=24.0 + TIME, amps=-2.0 - TIME,
                                                        wind_speed=4.0 + TIME, rpm_left=600.0 + TIME))
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    with_map, without = read_log(path, tmp_path / 'map.yaml'), read_log(path)
    for name in ('x', 'y', 'yaw', 'u', 'volts', 'amperes', 'revolutions'):
        np.testing.assert_array_equal(getattr(with_map, name), getattr(without, name))
    np.testing.assert_allclose(without.amperes, 2.0 + TIME)  # a current that is always negative discharges
    np.testing.assert_allclose(without.revolutions[:, 0], 10.0 + TIME / 60.0)
    left = next(note for note in without.notes if note.code == 'columns_left')
    assert "'wind_speed': wind_speed, of which no wind_direction is there" in left.text


def test_a_speed_that_no_unit_makes_of_the_positions_is_left(tmp_path):
    path = write_columns(tmp_path / 'a.csv', of_compass(speed=0.7 * SPEED + 0.0 * TIME))
    note = next(note for note in read_log(path).warnings if note.code == 'columns_left')
    # 0.7, and chords of 4 s are 4 % shorter than their arcs.
    assert "'speed': speed, 0.728 times what the positions say in m/s" in note.text


def test_a_table_without_a_motion_says_what_it_has(tmp_path):
    path = write_columns(tmp_path / 'a.csv', {'time': TIME, 'foo': TIME})
    with pytest.raises(InputError, match=r"no column is known for the motion of a boat.*'time': time in s"):
        read_log(path)


def test_a_table_in_long_form_is_named(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('_time,_value,_field\n' + ''.join(
        f'2024-05-01T09:00:0{k}Z,{k}.5,lat\n2024-05-01T09:00:0{k}Z,{k}.0,lon\n' for k in range(5)))
    with pytest.raises(InputError, match=r"long form.*'_field' says \(lat, lon\).*pivot"):
        read_log(path)


@pytest.mark.parametrize(('name', 'said'), [('wind angle', True), ('true wind angle', False)])
def test_water_is_a_current_and_a_wind_angle_says_of_which_wind(tmp_path, name, said):
    log = read_log(write_columns(tmp_path / 'a.csv', of_compass(**{
        'water_u (m/s)': 0.5 + 0.0 * TIME, 'water_v (m/s)': 0.0 * TIME, 'wind speed (m/s)': 5.0 + 0.0 * TIME,
        f'{name} (deg)': 0.0 * TIME})))
    np.testing.assert_allclose(log.current_x, 0.5)
    assert ('wind_angle_true' in {note.code for note in log.notes}) is said


def test_a_direction_that_is_not_whereto_the_boat_goes_is_no_course(tmp_path):
    """Of a motor, ahead or astern, for example."""
    path = write_columns(tmp_path / 'a.csv', of_compass(direction=(TIME.mean() < TIME) * 1.0))
    found = recognised(path)
    assert 'course' not in found.document['columns']
    assert any('not whereto the positions go' in one.text for one in found.findings)


@pytest.mark.parametrize('row', ['2011-06-04 13:12:32 +0000,37.549225,-76.330536,219,3.6,,\n',
                                 '1714564800,0,odom,base_link,0.0,0.5\n'])
def test_a_table_without_names_is_told_what_it_lacks(tmp_path, row):
    """As iNavX writes its tracks, and ros2 topic echo --csv odometry."""
    path = tmp_path / 'a.csv'
    path.write_text(3 * row)
    with pytest.raises(InputError, match=r'line 1 is a row of values .*write their names above it, such as time,lat'):
        read_log(path)


def test_a_log_of_a_battery_alone_is_one(tmp_path):
    log = read_log(write_columns(tmp_path / 'a.csv', {'time': TIME, 'BAT.Volt': 24.0 + TIME, 'BAT.Curr': 1.0 + TIME}))
    np.testing.assert_allclose(log.electrical_power, (24.0 + TIME) * (1.0 + TIME))
    assert not log.known('u') and not log.known('x')


def test_a_logger_s_settings_before_the_header_and_dashes_for_nothing(tmp_path):
    """As QGroundControl writes what it does not know; the map that is written holds where the header stands."""
    plain = write_columns(tmp_path / 'plain.csv', of_compass(groundSpeed=SPEED + 0.0 * TIME))
    lines = plain.read_text().splitlines()
    lines[1:] = [f'{line},--.--' for line in lines[1:]]
    path = tmp_path / 'a.csv'
    path.write_text('\n'.join(['Logger 3.1', 'rate,10,Hz', '', f'{lines[0]},battery0.voltage', *lines[1:]]) + '\n')
    log = read_log(path)
    np.testing.assert_array_equal(log.x, read_log(plain).x)
    assert not log.known('volts')
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    assert 'before: 3' in (tmp_path / 'map.yaml').read_text()
    np.testing.assert_array_equal(read_log(path, tmp_path / 'map.yaml').x, log.x)


@pytest.mark.parametrize('form', ['{:02.0f}{:07.4f}{}', '{:.0f}° {:.5f}\' {}', '{2} {0:.0f} {1:.5f}'])
def test_places_in_degrees_and_minutes_with_their_letters(tmp_path, form):
    """As Astra's and other sailing instruments write them; a column map with degrees reads them, too."""
    def cell(degrees, letters):
        return form.format(abs(degrees) // 1.0, abs(degrees) % 1.0 * 60.0, letters[int(degrees < 0.0)])

    path = tmp_path / 'a.csv'
    path.write_text('\n'.join(['Date\tTime\tLatitudine\tLongitudine', *(
        f'01/05/24\t10:{k // 60:02d}:{k % 60:02d}\t{cell(-45.0, "NS")}\t{cell(9.5 + 1e-5 * k, "EW")}'
        for k in range(100))]))
    log = read_log(path)
    assert (log.origin.latitude, log.origin.longitude) == (pytest.approx(-45.0), pytest.approx(9.5))
    np.testing.assert_allclose(log.x, np.arange(100.0) * 1e-5 * metres_per_degree(45.0)[0], atol=0.3)
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    np.testing.assert_array_equal(read_log(path, tmp_path / 'map.yaml').x, log.x)


def to_the_east(more, rows=40):
    """Return the lines of a table of a boat that goes 1 m/s to larger longitudes, with more columns."""
    step = 1.0 / metres_per_degree(45.6)[0]
    return [','.join(['time,lat,lon', *more]), *(','.join([f'{k},45.6,{9.5 + k * step:.8f}', *map(str, more.values())])
                                                  for k in range(rows))]


def of_text(path, lines):
    path.write_text('\n'.join(lines) + '\n')
    return path


@pytest.mark.parametrize(('north', 'east'), [('N', 'W'), ('S', 'E'), ('S', 'W')])
def test_letters_in_columns_of_their_own_say_the_hemisphere(tmp_path, north, east):
    path = of_text(tmp_path / 'a.csv', to_the_east({'N/S Indicator': north, 'E/W Indicator': east}))
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    for columns in (None, tmp_path / 'map.yaml'):
        log = read_log(path, columns)
        assert log.origin == pytest.approx((45.6 if north == 'N' else -45.6, 9.5 if east == 'E' else -9.5))
        np.testing.assert_allclose(log.x[-1], 39.0 if east == 'E' else -39.0, atol=0.01)
    lines = path.read_text().splitlines()
    of_text(path, [*lines[:-1], lines[-1].replace(f',{north},', ',S,' if north == 'N' else ',N,')])
    with pytest.raises(InputError, match="'N/S Indicator' changes between N and S"):
        read_log(path)


def test_beside_letters_numbers_may_be_degrees_and_minutes(tmp_path):
    minutes = 60.0 / metres_per_degree(45.6)[0]
    log = read_log(of_text(tmp_path / 'a.csv', ['time,lat,N/S,lon,E/W', *(
        f'{k},4536.0,S,{930.0 + k * minutes:.6f},W' for k in range(40))]))
    assert log.origin == pytest.approx((-45.6, -9.5))
    np.testing.assert_allclose(log.x[-1], -39.0, atol=0.01)


@pytest.mark.parametrize('name', ['wind_to_deg', 'wind towards (deg)', 'wind direction to'])
def test_a_wind_may_be_given_by_where_it_goes(tmp_path, name):
    """A wind towards 90 degrees blows to the east."""
    log = read_log(of_text(tmp_path / 'a.csv', to_the_east({'wind_speed_mps': 4, name: 90})))
    np.testing.assert_allclose(log.wind_x, 4.0)
    np.testing.assert_allclose(log.wind_y, 0.0, atol=1e-9)


def winds_of_bow(moves):
    """Return angle, deg clockwise from the bow, and speed of a wind of 4 m/s from west-south-west."""
    found = circle_ned()
    north, east = (4.0 * part - moves * found[name] for part, name in ((math.sin(0.4), 'vn'), (math.cos(0.4), 've')))
    angle = np.degrees(np.arctan2(-east, -north)) - found['psi']
    return (angle + 180.0) % 360.0 - 180.0, np.hypot(east, north)


@pytest.mark.parametrize(('names', 'moves', 'knots'), [
    (('TWA', 'TWS (m/s)'), 0.0, 1.0), (('AWA', 'AWS [kn]'), 1.0, KNOT), (('Wind angle (deg)', 'TWS_mps'), 0.0, 1.0)])
def test_a_wind_counted_from_the_bow_is_turned_and_an_apparent_one_gets_the_velocity(tmp_path, names, moves, knots):
    angle, speed = winds_of_bow(moves)
    path = write_columns(tmp_path / 'a.csv', of_compass(**dict(zip(names, (angle, speed / knots)))))
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    for log in (read_log(path), read_log(path, tmp_path / 'map.yaml')):
        inner = slice(12, -12)
        np.testing.assert_allclose(log.wind_x[inner], 4.0 * math.cos(0.4), atol=0.05)
        np.testing.assert_allclose(log.wind_y[inner], 4.0 * math.sin(0.4), atol=0.05)


def test_a_wind_without_a_unit_has_that_of_the_boat_s_speed_and_one_from_north_comes_first(tmp_path):
    angle, speed = winds_of_bow(0.0)
    of_speed = {'SOG': np.hypot(SPEED, 0.1) / KNOT + 0.0 * TIME, 'TWS': speed / KNOT}
    from_north = 270.0 - math.degrees(0.4) + 0.0 * TIME
    log = read_log(write_columns(tmp_path / 'a.csv', of_compass(**of_speed, TWA=angle, TWD=from_north)))
    np.testing.assert_allclose(np.hypot(log.wind_x, log.wind_y), 4.0)
    texts = {note.code: note.text for note in log.notes}
    assert "'TWS': wind_speed in kn (as 'SOG' is)" in texts['columns_recognised']
    assert "'TWA': true_wind_angle, of which no true_wind_speed is there" in texts['columns_left']


def test_a_wind_s_small_angle_has_the_unit_of_the_heading(tmp_path):
    log = read_log(of_text(tmp_path / 'a.csv', to_the_east({'HDG': 90, 'TWS_mps': 4, 'TWA': 5})))
    np.testing.assert_allclose(log.wind_x, -4.0 * math.cos(math.radians(5.0)))
    np.testing.assert_allclose(log.wind_y, 4.0 * math.sin(math.radians(5.0)))


def test_a_few_cells_that_are_no_numbers_are_named_and_left_out(tmp_path):
    lines = to_the_east({'volts': 12}, 60)
    lines[20] = lines[20].replace('45.6', '45.6x')
    log = read_log(of_text(tmp_path / 'a.csv', [*lines, 'Total,,,720']))
    assert next(note for note in log.notes if note.code == 'cells_wrong').figures == {'cells': 2}
    assert np.isnan(log.x).sum() == 1
    lines[21:25] = [line.replace('45.6', '45.6x') for line in lines[21:25]]
    with pytest.raises(InputError, match=r"line 24: column 'lat' is '45\.6x'; must be a number"):
        read_log(of_text(tmp_path / 'a.csv', lines))


@pytest.mark.parametrize(('header', 'place', 'says'), [
    ('x,x,y', '0,0,0', "'x': stands 2 times in the header"),
    ('lat,lon', '45°36 north,9°30 east', "'lat': holds '45°36 north', which is no number and no place")])
def test_a_question_says_which_columns_could_have_answered_it(tmp_path, header, place, says):
    path = of_text(tmp_path / 'a.csv', [f'time,{header},speed', *(f'{k},{place},1.9' for k in range(20))])
    with pytest.raises(InputError, match=f"'speed' is a speed, but nothing tells whether.*not used: {says}"):
        read_log(path)


def test_a_time_that_is_not_understood_is_shown(tmp_path):
    path = of_text(tmp_path / 'a.csv', ['time,x,y', *(f'2024-05-01T09:00:{k} XYZT,{k},0' for k in range(10, 30))])
    with pytest.raises(InputError, match=r"column 'time' holds '2024-05-01T09:00:10 XYZT', which is no time; must be"):
        read_log(path)


def rows_of(more, stamp, rows=130):
    """Return the lines of a boat that goes 1 m/s to the east, with times as `stamp` gives them from 08:59 on."""
    begin = datetime(2024, 5, 1, 8, 59)
    lines = to_the_east(more, rows)
    return [lines[0], *(f'{stamp(begin + timedelta(seconds=k))},{line.partition(",")[2]}'
                        for k, line in enumerate(lines[1:]))]


@pytest.mark.parametrize(('header', 'stamp'), [
    ('time', '{:%Y%m%d%H%M%S}'), ('date,time', '{:%d%m%y},{:%H%M%S}'), ('utc', '{:%-H%M%S}'),
    ('date,time', '{:%Y%m%d},{:%H:%M:%S}')])
def test_times_of_digits_alone_go_on_over_the_minute(tmp_path, header, stamp):
    lines = rows_of({'sog_kn': 1.944}, lambda when: stamp.format(when, when))
    log = read_log(of_text(tmp_path / 'a.csv', [lines[0].replace('time', header), *lines[1:]]))
    np.testing.assert_allclose(log.time, np.arange(130.0))
    assert header == 'utc' or log.start == datetime(2024, 5, 1, 8, 59, tzinfo=timezone.utc).timestamp()


def test_a_count_of_six_digits_is_no_time_of_day(tmp_path):
    """Milliseconds of a counter, which pass 100 and 60 as any other number."""
    log = read_log(of_text(tmp_path / 'a.csv', [line if not k else f'{101000 + 100 * (k - 1)},{line.partition(",")[2]}'
                                                for k, line in enumerate(to_the_east({}, 60))]))
    np.testing.assert_allclose(log.time[-1], 5.9)


@pytest.mark.parametrize('mark', ['|', ' ', '   ', ' \t'])
def test_columns_between_bars_and_runs_of_spaces(tmp_path, mark):
    lines = [line.replace(',', mark) for line in to_the_east({'sog_kn': 1.944})]
    np.testing.assert_allclose(read_log(of_text(tmp_path / 'a.txt', lines)).x, np.arange(40.0), atol=0.01)


def test_a_header_in_the_middle_is_left_out_and_named(tmp_path):
    lines = rows_of({'sog_kn': 1.944}, '{:%Y-%m-%d %H:%M:%S}'.format)
    log = read_log(of_text(tmp_path / 'a.csv', [*lines[:60], lines[0], *lines[60:]]))
    assert len(log) == 130
    assert {'times_wrong', 'cells_wrong'} <= {note.code for note in log.warnings}


def test_exchanged_places_are_asked_about_where_a_speed_tells(tmp_path):
    lines = rows_of({'sog_kn': 1.944}, '{:%Y-%m-%d %H:%M:%S}'.format)
    path = of_text(tmp_path / 'a.csv', [lines[0].replace('lat,lon', 'lon,lat'), *lines[1:]])
    with pytest.raises(InputError, match="'lat' and 'lon' seem to be exchanged: only so the places go as fast as"):
        read_log(path)


def test_numbers_that_stand_for_nothing_are_taken_as_empty(tmp_path):
    """-999 for places, 9999 for a heading; a map that is written reads the same."""
    lines = to_the_east({'heading': 90}, 60)
    lines[9], lines[30] = '8,-999,-999,90', lines[30].replace(',90', ',9999')
    path = of_text(tmp_path / 'a.csv', lines)
    write_recognised(recognised(path), tmp_path / 'map.yaml')
    for columns in (None, tmp_path / 'map.yaml'):
        log = read_log(path, columns)
        assert np.flatnonzero(np.isnan(log.x)).tolist() == [8]
        np.testing.assert_allclose(np.delete(log.x, 8), np.delete(np.arange(60.0), 8), atol=0.01)
        np.testing.assert_allclose(log.yaw[np.isfinite(log.yaw)], 0.0, atol=1e-9)
        assert [note.figures for note in log.warnings if note.code == 'cells_marked'] == 3 * [{'cells': 1}]


def test_a_heading_of_ais_that_is_not_available_is_none_and_several_vessels_are_named(tmp_path):
    """511 degrees are no heading; the course stands for it, where the boat seemed to drift by 61 degrees."""
    lines = to_the_east({'COG': 90, 'Heading': 511, 'MMSI': 211000001}, 60)
    log = read_log(of_text(tmp_path / 'a.csv', lines))
    assert 'heading_from_course' in {note.code for note in log.warnings}
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-9)
    lines[40:] = [line.replace('211000001', '211000002') for line in lines[40:]]
    with pytest.raises(InputError, match=r"holds 2 boats by its column 'MMSI' \(211000001, 211000002\); write"):
        read_log(of_text(tmp_path / 'a.csv', lines))


def test_a_time_far_ahead_leaves_the_ways_within_the_table():
    """Of 5000 even steps from the first time to this one the last ends 0.2 ms later: floats round."""
    time = np.append(1_714_607_940.0 + np.arange(120.0), 1_756_000_168.0)
    ways = ways_of(time, np.arange(121.0), np.zeros(121))
    assert ways.known and ways.duration[-1] == pytest.approx(1_756_000_168.0 - time[0], rel=1e-3)


def test_a_table_of_volts_and_amperes_alone_says_the_joules_and_what_is_missing(tmp_path):
    """From 1 to 3 A at 10 V in 120 s: 2400 J."""
    path = tmp_path / 'a.csv'
    path.write_text('time,voltage,current\n' + '\n'.join(f'{t},10.0,{1.0 + t / 60.0}' for t in range(121)))
    with pytest.raises(InputError, match=r'no yaw.* battery gave 2400.0 J .* in 2 min 00 s; .* places or a speed'):
        read_log(path).require('yaw', 'u')


def test_a_column_that_begins_late_is_taken(tmp_path):
    """A battery of 48 and 72 W that is empty in the first 450 of 500 rows, in a table and as JSON."""
    lines = [f'{line},{amps}' for line, amps in zip(to_the_east({}, 500), ['volts,amps', *450 * [','], *(
        f'24,{2 + k % 2}' for k in range(50))])]
    np.testing.assert_allclose(read_log(of_text(tmp_path / 'a.csv', lines)).electrical_power[450:], 25 * [48.0, 72.0])
    rows = [{'time': f'2024-05-01T12:{k // 60:02d}:{k % 60:02d}Z', 'x': 1.0 * k, 'y': 0.0} if k > 300 else {'id': 'a'}
            for k in range(450)]
    path = of_text(tmp_path / 'a.jsonl', [json.dumps(row) for row in rows])
    np.testing.assert_allclose(read_log(path).x, 1.0 * np.arange(301, 450))


def test_a_header_behind_a_hash_may_stand_above_times_of_text(tmp_path):
    """As the AIS files of the Danish authority begin."""
    lines = rows_of({'class': 'A'}, '{:%d/%m/%Y %H:%M:%S}'.format)
    log = read_log(of_text(tmp_path / 'a.csv', ['# ' + lines[0], *lines[1:]]))
    np.testing.assert_allclose(log.x, np.arange(130.0), atol=0.01)


@pytest.mark.parametrize(('yaw', 'volts', 'scale'), [(math.pi / 2.0, 10000, 100), (90.0, 10, 1)])
@pytest.mark.parametrize('clock', ['/mavlink/1/1/SYSTEM_TIME/time_boot_ms', 'SYSTEM_TIME/time_boot_ms'])
def test_the_values_of_mavlink_say_whether_they_are_as_it_is_sent(tmp_path, yaw, volts, scale, clock):
    """To the east with 10 V and 2.505 or 3.505 A, in radians, mV and cA or decoded; its clock is the only one."""
    lines = [f'{clock},x,y,ATTITUDE/yaw,SYS_STATUS/voltage_battery,SYS_STATUS/current_battery',
             *(f'{5000 + 1000 * k},{k},0,{yaw},{volts},{scale * (2.505 + k % 2)}' for k in range(60))]
    log = read_log(of_text(tmp_path / 'a.csv', lines))
    np.testing.assert_allclose(log.electrical_power, 30 * [25.05, 35.05])
    np.testing.assert_allclose(log.u, 1.0, atol=0.01)
    np.testing.assert_allclose(log.time, np.arange(60.0))
    unread = [line.replace(f',{volts},', ',0,') for line in lines[:41]]
    late = read_log(of_text(tmp_path / 'b.csv', [*unread, *lines[41:]]))
    np.testing.assert_allclose(late.electrical_power[40:], 10 * [25.05, 35.05])
