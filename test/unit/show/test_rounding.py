import math

from usv_energy.show.text_table import degrees, fixed, formatted, interval, joules, metres, percent, seconds


def test_numbers_as_a_person_reads_them():
    assert [joules(value) for value in (12.0, 3.6e5, 7.2e6)] == ['12.0 J (0.00333 Wh)', '360 kJ (100.0 Wh)', '2.00 kWh']
    assert [metres(value) for value in (12.34, 1234.0, math.inf)] == ['12.3 m', '1.23 km', 'without end']
    assert [seconds(value) for value in (9.87, 125.0, 7300.0)] == ['9.9 s', '2 min 05 s', '2 h 02 min']


def test_a_direction_in_degrees_comes_back_as_it_was_given_in_degrees():
    assert [degrees(math.radians(angle)) for angle in range(360)] == list(range(360))
    assert (degrees(-math.pi / 2.0), degrees(-1e-17), degrees(math.tau)) == (270.0, 0.0, 0.0)


def test_a_share_has_its_sign_and_is_never_minus_zero():
    assert (percent(0.0002, 2), percent(-0.148, 1), percent(-1e-9, 1)) == ('+0.02 %', '-14.8 %', '+0.0 %')


def test_a_fixed_number_has_its_unit_and_is_never_minus_zero():
    assert (fixed(1.005, 1), fixed(-0.001, 2, 'W'), fixed(12, 0, 'J')) == ('1.0', '0.00 W', '12 J')
    assert (metres(-0.01), seconds(-1e-9), metres(-0.06)) == ('0.0 m', '0.0 s', '-0.1 m')


def test_a_number_has_no_exponent_and_is_never_minus_zero():
    assert [formatted(value) for value in (1034.0, 0.00333, 2e-7, 149.96, -0.0)] == [
        '1030', '0.00333', '0.0000002', '150', '0']
    assert (formatted(123456.0, '.5g'), formatted(-0.04, '.1f'), formatted(-0.04, '+.1f')) == ('123460', '0.0', '+0.0')
    assert (formatted(2345.0, '+.3g'), formatted(-2345.0, '+.3g'), formatted(math.inf)) == ('+2340', '-2340', '-')
    assert interval((-0.01, math.inf), 2.0, '.1f') == '0.0 to inf'


def test_where_there_is_no_number_stands_a_dash():
    assert fixed(None) == fixed(math.nan, 1, 'W') == fixed(math.inf) == percent(None, 1) == percent(math.nan, 1) == '-'
