"""Times in several columns or other epochs, places in one, units in cells, and RTKLIB's solutions."""

import re

import numpy as np
import pytest
from east_files import ENERGY, KNOTS, LATITUDE, LONGITUDE, TIME, moment, solution

from usv_energy import analyze_log
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log, write_column_map
from usv_energy.logs.tables.recognise import recognised

DAYS = np.array([moment(time).timestamp() for time in TIME]) / 86400.0  # Since 1970.
OF_WEEK = 86400.0 * DAYS - 315_964_800.0 - 2312 * 604800.0 + 18.0


def angle(value, letters, digits):
    minutes = f'{value % 1.0 * 60.0:.5f}'
    return f'{int(value):0{digits}d}°{minutes}\'{letters}'


PLACES = 'lat,lon', [f'{north:.9f},{east:.9f}' for north, east in zip(LATITUDE, LONGITUDE)]
CLOCK = 'time', [f'{moment(time):%Y-%m-%dT%H:%M:%SZ}' for time in TIME]
TABLES = {
    'parts': [('year,month,day,hour,minute,second', [f'{moment(time):%Y,%m,%d,%H,%M,%S}' for time in TIME]), PLACES],
    'parts of NOAA': [('YY,MM,DD,hh,mm,ss', [f'{moment(time):%y,%m,%d,%H,%M,%S}' for time in TIME]), PLACES],
    'parts of a date': [('year,month,day,time', [f'{moment(time):%Y,%m,%d,%H:%M:%S}' for time in TIME]), PLACES],
    'day of the year': [('year,doy,hour,min,sec', [f'{moment(time):%Y,%j,%H,%M,%S}' for time in TIME]), PLACES],
    'GPS week': [('GWk,GMS', [f'2312,{round(1e3 * since)}' for since in OF_WEEK]), PLACES],
    'GPS week and seconds': [('gps_week,tow', [f'2312,{since:.1f}' for since in OF_WEEK]), PLACES],
    'MJD': [('mjd', [f'{days + 40587.0:.9f}' for days in DAYS]), PLACES],
    'JD': [('Julian date', [f'{days + 2440587.5:.9f}' for days in DAYS]), PLACES],
    'MATLAB': [('datenum', [f'{days + 719529.0:.9f}' for days in DAYS]), PLACES],
    'MATLAB without its name': [('time', [f'{days + 719529.0:.9f}' for days in DAYS]), PLACES],
    'pair': [CLOCK, ('"lat, lon"', [f'"{north:.9f}, {east:.9f}"' for north, east in zip(LATITUDE, LONGITUDE)])],
    'well-known text': [CLOCK, ('geom', [f'POINT ({east:.9f} {north:.9f})' for north, east in zip(LATITUDE,
                                                                                                   LONGITUDE)])],
    'letters': [CLOCK, ('Where', [f'{angle(north, "N", 2)} {angle(east, "E", 3)}'
                                  for north, east in zip(LATITUDE, LONGITUDE)])],
    'units': [CLOCK, ('speed,course,heading', [f'{KNOTS:.3f} kn,90°,90.0°T'] * TIME.size)],
    'quaternion of PX4': [CLOCK, ('x,y,q[0],q[1],q[2],q[3]', [f'0,{time},{np.sqrt(0.5)},0,0,{np.sqrt(0.5)}'
                                                            for time in TIME])]}


def written(path, columns):
    lines = [','.join(cells) for cells in zip(*(cells for _, cells in columns))]
    path.write_text('\n'.join([','.join(header for header, _ in columns), *lines]) + '\n')
    return path


@pytest.mark.parametrize('name', TABLES)
def test_one_metre_a_second_for_two_minutes_gives_its_joules(tmp_path, name):
    path = written(tmp_path / 'a.csv', TABLES[name])
    analysed = analyze_log(path, 'lutra_prop')
    assert analysed.energy.total == pytest.approx(ENERGY, rel=0.03)
    assert read_log(path).start == pytest.approx(moment(0.0).timestamp(), abs=0.01)


def test_a_solution_of_rtklib_is_a_track_by_week_and_by_date(tmp_path):
    path = tmp_path / 'a.pos'
    solution(path)
    head, *rows = path.read_text().splitlines()[1:]
    assert read_log(path).start == pytest.approx(moment(0.0).timestamp(), abs=0.01)
    dated = [re.sub(r'^2312 \S+', f'{moment(time):%Y/%m/%d %H:%M:%S}.000', row) for time, row in zip(TIME, rows)]
    path.write_text('\n'.join([head, *dated, dated[0][:20]]))
    np.testing.assert_allclose(read_log(path).x, TIME, atol=1e-3)
    path.write_text('\n'.join([head, *rows]).replace(f'2312 {rows[5].split()[1]}', '2312 *'))
    with pytest.raises(InputError, match='a row of the solution is damaged'):
        read_log(path)
    path.write_text(path.read_text().replace('latitude(deg)', "latitude(d'\")"))
    with pytest.raises(InputError, match='degrees, minutes and seconds; let RTKLIB write degrees'):
        read_log(path)


def test_a_baseline_of_rtklib_is_in_metres_east_and_north(tmp_path):
    path = tmp_path / 'a.pos'
    path.write_text('\n'.join(['%  UTC   e-baseline(m) n-baseline(m) u-baseline(m) Q', *(
        f'{moment(time):%Y/%m/%d %H:%M:%S.000} {time} 3.0 1.0 1' for time in TIME)]))
    np.testing.assert_allclose(read_log(path).x, TIME, atol=1e-9)


def test_what_is_put_together_is_said_and_no_column_map_is_written(tmp_path):
    path = written(tmp_path / 'a.csv', TABLES['GPS week'])
    texts = [note.text for note in read_log(path).notes]
    assert "'GWk' and 'GMS' are a GPS week and the ms of it" in texts
    assert not any('--write-columns' in text for text in texts)
    with pytest.raises(InputError, match='no column map says'):
        write_column_map(path, tmp_path / 'map.yaml')


def test_a_cell_without_a_number_and_a_row_without_a_date_are_empty(tmp_path):
    path = written(tmp_path / 'a.csv', TABLES['units'])
    path.write_text(path.read_text().replace('1.944 kn', 'none', 1))
    assert np.flatnonzero(np.isnan(recognised(path).table['speed [kn]'])).tolist() == [0]
    path = written(tmp_path / 'b.csv', TABLES['parts'])
    path.write_text(path.read_text().replace('2024,05,01,23,59,03', '2024,,01,23,59,03')
                    .replace('2024,05,01,23,59,07', '2024,65535,01,23,59,07'))
    assert len(read_log(path)) == TIME.size - 2


@pytest.mark.parametrize(('header', 'points', 'degrees'), [
    ('wind direction', ['NNW', 'nw', 'W'], [337.5, 315.0, 270.0]), ('TWD', ['N', 'NbE', 'S'], [0.0, 11.25, 180.0]),
    ('Windrichtung', ['SO', 'O', 'NNO'], [135.0, 90.0, 22.5]), ('wind dir', ['SW', 'SO', 'OSO'], [225.0, 135.0, 112.5]),
    ('vindretning', ['Ø', 'NØ', 'SØ'], [90.0, 45.0, 135.0])])
def test_points_of_the_compass_are_degrees(tmp_path, header, points, degrees):
    rows = [points[0], points[1], points[2], *[points[2]] * (TIME.size - 3)]
    wind = f'wind speed (m/s),{header}', [f'5.0,{row}' for row in rows]
    log = read_log(written(tmp_path / 'a.csv', [CLOCK, PLACES, wind]))
    towards = np.radians(270.0 - np.array(degrees))
    np.testing.assert_allclose(np.column_stack((log.wind_x, log.wind_y))[:3],
                               5.0 * np.column_stack((np.cos(towards), np.sin(towards))), atol=1e-9)


def test_an_o_that_may_be_east_or_west_and_a_force_are_named_and_left(tmp_path):
    path = written(tmp_path / 'a.csv', [CLOCK, PLACES, ('TWS (m/s),TWD', ['5.0,NO'] * TIME.size), (
        'wind force (Bft)', ['4'] * TIME.size)])
    said = ' '.join(note.text for note in read_log(path).notes)
    assert "'TWD': holds 'NO', which is no number" in said
    assert "'wind force (Bft)': forces of Beaufort, of which each is a range of speeds; write the wind in m/s" in said
