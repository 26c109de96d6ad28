"""Sentences of NMEA 0183: places, times, winds, and what is damaged."""

import math

import east_files
import numpy as np
import pytest
from east_files import TIME, moment, sentence

from usv_energy.files.errors import InputError
from usv_energy.logs.marine.nmea0183 import numbers, read_nmea, sentences_in

KNOT = 1852.0 / 3600.0


def written(folder, *more, speed=1.0 / KNOT, course=90.0):
    """Write a boat that goes 1 m/s east; `more` gives further sentences of a row, without checksums."""
    path = folder / 'a.nmea'
    path.write_text('\n'.join('\n'.join([east_files.rmc(row, speed, course), *(sentence(one(row)) for one in more)])
                              for row in range(TIME.size)) + '\n')
    return path


def test_places_speeds_and_times_come_out_and_midnight_is_no_step(tmp_path):
    log = read_nmea(written(tmp_path, lambda row: 'HEHDT,88.0,T'))
    np.testing.assert_allclose(log.time, TIME)
    assert log.start == pytest.approx(moment(0.0).timestamp())
    np.testing.assert_allclose(log.x, TIME, atol=0.01)
    np.testing.assert_allclose(log.y, 0.0, atol=0.01)
    np.testing.assert_allclose(log.yaw, math.radians(2.0), atol=1e-9)
    np.testing.assert_allclose(log.u, math.cos(math.radians(2.0)), atol=1e-3)
    np.testing.assert_allclose(log.v, -math.sin(math.radians(2.0)), atol=1e-3)


def test_south_and_west_are_negative(tmp_path):
    path = tmp_path / 'a.nmea'
    path.write_text('\n'.join(sentence(f'GPGLL,3336.0{row},S,07030.00,W,1200{row:02d},A,A') for row in range(10)))
    log = read_nmea(path)
    assert log.origin.latitude == pytest.approx(-33.6) and log.origin.longitude == pytest.approx(-70.5)
    np.testing.assert_allclose(np.diff(log.y), -18.5, atol=0.1)  # 0.01 minutes of latitude


@pytest.mark.parametrize('sentences', [
    [lambda row: 'WIMWD,270.0,T,,M,9.719,N,5.0,M'],                                    # from the west
    [lambda row: 'HEHDT,90.0,T', lambda row: 'WIMWV,180.0,T,5.0,M,A'],                 # from astern
    [lambda row: 'HEHDT,90.0,T',
     lambda row: 'WIMWV,180.0,R,4.0,M,A'],                 # of which 1 m/s is the boat's own
    [lambda row: 'HEHDT,90.0,T', lambda row: 'WIMWV,180.0,R,14.4,K,A'],
    [lambda row: 'HEHDT,90.0,T', lambda row: 'WIVWT,180.0,L,9.719,N,5.0,M,18.0,K'],
    [lambda row: 'HEHDT,90.0,T', lambda row: 'WIVWR,180.0,R,,N,4.0,M,14.4,K']])
def test_a_wind_from_astern_of_5_m_s_however_it_is_said(tmp_path, sentences):
    log = read_nmea(written(tmp_path, *sentences))
    np.testing.assert_allclose(log.wind_x[:-1], 5.0, atol=2e-3)
    np.testing.assert_allclose(log.wind_y[:-1], 0.0, atol=2e-3)


def test_an_apparent_wind_from_starboard_blows_to_port_and_the_velocity_is_taken_off(tmp_path):
    """The boat heads north and goes 1 m/s to the east, into what it feels."""
    log = read_nmea(written(tmp_path, lambda row: 'HEHDT,0.0,T', lambda row: 'WIMWV,90.0,R,3.0,M,A'))
    np.testing.assert_allclose(log.wind_x[:-1], -2.0, atol=1e-3)
    np.testing.assert_allclose(log.wind_y[:-1], 0.0, atol=1e-3)


def test_a_wind_from_port_by_vwr_and_a_current_by_vdr(tmp_path):
    """The boat heads north and goes 1 m/s to the east; the water flows to the south-west."""
    log = read_nmea(written(tmp_path, lambda row: 'HEHDT,0.0,T', lambda row: 'WIVWR,90.0,L,,N,3.0,M,10.8,K',
                            lambda row: f'IIVDR,225.0,T,222.0,M,{0.5 / KNOT:.5f},N'))
    np.testing.assert_allclose(log.wind_x[:-1], 4.0, atol=1e-3)
    np.testing.assert_allclose((log.current_x[:-1], log.current_y[:-1]), -0.5 * math.sqrt(0.5), atol=1e-4)


def test_a_needle_s_heading_gets_deviation_and_variation(tmp_path):
    log = read_nmea(written(tmp_path, lambda row: 'HCHDG,90.0,1.0,W,3.0,E'))
    np.testing.assert_allclose(np.degrees(log.yaw), -2.0, atol=1e-9)
    plain = read_nmea(written(tmp_path, lambda row: 'HCHDG,90.0,,,,'))
    assert 'magnetic_heading' in {note.code for note in plain.warnings}


@pytest.mark.parametrize(('variation', 'degrees'), [('3.0,E', -3.0), ('3.0,W', 3.0), (',', 0.0)])
def test_hdm_gets_the_variation_of_rmc(tmp_path, variation, degrees):
    path = written(tmp_path, lambda row: 'HCHDM,90.0,M')
    path.write_text('\n'.join(','.join(line.split('*')[0].split(',')[:10]) + f',{variation}' if 'RMC' in line else line
                              for line in path.read_text().splitlines()))
    log = read_nmea(path)
    np.testing.assert_allclose(np.degrees(log.yaw), degrees, atol=1e-9)
    assert ('magnetic_heading' in {note.code for note in log.notes}) is (degrees == 0.0)


def test_vhw_gives_a_heading_and_the_current_along_the_bow(tmp_path):
    log = read_nmea(written(tmp_path, lambda row: f'IIVHW,90.0,T,87.0,M,{1.5 / KNOT:.6f},N,5.4,K'))
    np.testing.assert_allclose(log.yaw, 0.0, atol=1e-9)
    np.testing.assert_allclose(log.current_x, -0.5, atol=1e-3)


def test_a_wind_from_a_needle_says_so(tmp_path):
    log = read_nmea(written(tmp_path, lambda row: 'WIMWD,,T,270.0,M,9.719,N,5.0,M'))
    np.testing.assert_allclose(log.wind_x[:-1], 5.0, atol=2e-3)
    assert 'magnetic_wind' in {note.code for note in log.notes}


def test_a_wind_without_a_direction_is_left_out(tmp_path):
    assert not read_nmea(written(tmp_path, lambda row: 'WIMWD,,,,M,9.719,N,5.0,M')).known('wind_x')


def test_several_headings_of_a_second_are_spread_over_it(tmp_path):
    """A heading that turns by 1 deg each half second, of which two are sent after each position."""
    log = read_nmea(written(tmp_path, lambda row: f'HEHDT,{2.0 * row % 360.0:.1f},T',
                            lambda row: f'HEHDT,{(2.0 * row + 1.0) % 360.0:.1f},T'))
    np.testing.assert_allclose(np.diff(log.yaw), -math.radians(2.0), atol=1e-9)
    np.testing.assert_allclose(log.r[5:-5], -math.radians(2.0), atol=1e-6)


def test_volts_amperes_depth_and_shafts(tmp_path):
    path = written(tmp_path, lambda row: f'IIXDR,U,24.5,V,BATT,I,{row},A,BATT,C,20.1,C,AIR',
                   lambda row: 'SDDBT,,f,4.2,M,,F',
                   lambda row: 'IIRPM,S,1,600,,A', lambda row: 'IIRPM,S,2,-300,,A', lambda row: 'TIROT,-60.0,A')
    log = read_nmea(path)
    np.testing.assert_allclose(log.volts, 24.5)
    np.testing.assert_allclose(log.amperes, TIME)
    np.testing.assert_allclose(log.extra['depth_m'], 4.2)
    assert log.thrusters == ('left', 'right')
    np.testing.assert_allclose(log.revolutions, [[-5.0, 10.0]] * TIME.size)
    np.testing.assert_allclose(log.r, math.radians(1.0))  # -60 deg/min is to port


def test_wrong_checksums_are_left_out_and_counted(tmp_path):
    path = written(tmp_path)
    lines = path.read_text().splitlines()
    lines[3] = lines[3].replace('$GPRMC,2359', '$GPRMC,1159')
    lines[5] = lines[5][:-2] + 'ZZ'
    path.write_text('\n'.join(lines))
    notes = []
    assert len(sentences_in(path, notes,
                            lambda count: None)['RMC'].rows) == TIME.size - 1  # ZZ is none, so that it counts
    assert [note.figures for note in notes] == [{'sentences': 1}]
    np.testing.assert_allclose(read_nmea(path).x, np.delete(TIME, 3), atol=0.01)


def test_what_has_no_fix_is_no_place(tmp_path):
    path = tmp_path / 'a.nmea'
    path.write_text('\n'.join(sentence(f'GPGGA,1200{row:02d},,,,,0,0,,,M,,M,,') for row in range(9)) + '\n' + '\n'.join(
        sentence(f'GPGGA,1201{row:02d},4536.00,N,00930.0{row},E,1,8,1.0,0,M,0,M,,') for row in range(9)))
    log = read_nmea(path)
    np.testing.assert_allclose(np.diff(log.x[np.isfinite(log.x)]), 13.0, atol=0.02)
    assert np.isfinite(log.x).sum() == 9


def test_what_says_neither_time_nor_place_is_refused(tmp_path):
    path = tmp_path / 'a.nmea'
    path.write_text(sentence('HEHDT,90.0,T') + '\n')
    with pytest.raises(InputError, match=r'no sentence says the time \(RMC, GGA, GLL, ZDA\); there are HDT'):
        read_nmea(path)
    path.write_text('!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\n')
    with pytest.raises(InputError, match=r'holds no sentence of NMEA 0183 that is read.*are not read: VDM'):
        read_nmea(path)
    path.write_text(sentence('GPGGA,120000,,,,,0,0,,,M,,M,,') + '\n')
    with pytest.raises(InputError, match='the receiver had no fix: all of 1 sentences GGA'):
        read_nmea(path)


def test_texts_that_are_no_numbers_are_nan():
    np.testing.assert_array_equal(numbers([b'1.5', b'', b'x']), [1.5, np.nan, np.nan])
    np.testing.assert_array_equal(numbers([b'1.5', b'', b'-2']), [1.5, np.nan, -2.0])
    long = b' ' * 5_000_000     # Of one width for all cells, these would take 500 GB.
    np.testing.assert_array_equal(numbers([b'1.5', long] * 50_000)[:2], [1.5, np.nan])


def test_zda_says_the_time_where_nothing_else_does(tmp_path):
    path = tmp_path / 'a.nmea'
    path.write_text('\n'.join(f'{sentence(f"GPZDA,1200{row:02d}.00,01,05,2024,00,00")}\n'
                              f'{sentence(f"GPGLL,3336.0{row},S,07030.00,W,,A,A")}' for row in range(10)))
    log = read_nmea(path)
    np.testing.assert_allclose(log.time, np.arange(10.0))
    assert log.start == 1714564800.0  # 2024-05-01 12:00 UTC


def test_a_receiver_without_a_fix_is_named(tmp_path):
    path = tmp_path / 'a.nmea'
    path.write_text('\n'.join(sentence(f'GPRMC,1200{row:02d},V,,,,,,,010524,,,N') for row in range(10)))
    with pytest.raises(InputError, match='the receiver had no fix: all of 10 sentences RMC'):
        read_nmea(path)


def test_an_empty_heading_of_a_needle_is_none(tmp_path):
    log = read_nmea(written(tmp_path, lambda row: 'HCHDM,,M'))
    assert 'magnetic_heading' not in {note.code for note in log.notes}
