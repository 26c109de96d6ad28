"""Winds, currents, courses, speeds and moments as weather reports and pilots write them, against worked directions."""

import math
import pickle
import re

import numpy as np
import pytest
from pyproj import Geod

from usv_energy.earth import KNOT, LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.flow.flow_argument import flow_of, uniform_of
from usv_energy.flow.on_earth import remarks_of
from usv_energy.phrases import (
    AIR,
    POINTS,
    WATER,
    compass_words,
    course_of,
    direction_of,
    flow_phrase,
    flow_words,
    point_text,
    sea_phrase,
)

ORIGIN = (54.3, 10.2)
EARTH = Geod(ellps='WGS84')
RNG = np.random.default_rng(39)

# Phrases of weather reports and pilots: the medium, the phrase, m/s, and where it flows to, degrees of the compass.
UNDERSTOOD = [
    (AIR, 'SW-15kn', 15 * KNOT, 45), (AIR, 'dead calm', 0, 0), (WATER, '0.5 kn NE-going', 0.5 * KNOT, 45),
    (WATER, 'ebb sets 225 at 1.2 kn', 1.2 * KNOT, 225),
    (AIR, 'a wind of 12 kn from NE', 12 * KNOT, 225), (AIR, '6 m/s from 045', 6, 225),
    (AIR, '12 kn from NE', 12 * KNOT, 225), (AIR, 'NE 12 kn', 12 * KNOT, 225),
    (AIR, 'Wind: SW 15 kt', 15 * KNOT, 45), (AIR, '24015KT', 15 * KNOT, 60), (AIR, '24015G25KT', 15 * KNOT, 60),
    (AIR, '24015KTS', 15 * KNOT, 60), (AIR, '6 m/s from 045 (true)', 6, 225),
    (AIR, '12 kn (6.2 m/s) from NE (to SW)', 12 * KNOT, 225),
    (AIR, '31008MPS', 8, 130), (AIR, '00000KT', 0, 180), (AIR, '270 at 15 knots', 15 * KNOT, 90),
    (AIR, '045/12 kn', 12 * KNOT, 225), (AIR, 'northeasterly 12 kn', 12 * KNOT, 225),
    (AIR, 'north-north-east 10 kt', 10 * KNOT, 202.5), (AIR, 'N by E 8 kn', 8 * KNOT, 191.25),
    (AIR, 'out of the northwest at 9 kn', 9 * KNOT, 135), (AIR, '20 km/h from WSW', 20 / 3.6, 67.5),
    (AIR, '12 kn from NE to SW', 12 * KNOT, 225), (AIR, '6 m/s from 45 deg true', 6, 225), (AIR, 'calm', 0, 0),
    (AIR, '3,5 m/s from 310°T', 3.5, 130), (AIR, '10 mph from south', 4.4704, 0),
    (WATER, '0.5 kn set 090', 0.5 * KNOT, 90), (WATER, '0.4 m/s to E', 0.4, 90), (WATER, 'slack water', 0, 0),
    (WATER, 'set 215 T, drift 1.5 kn', 1.5 * KNOT, 215), (WATER, 'setting to the NE at 0.8 knots', 0.8 * KNOT, 45),
    (WATER, '1.2 kn towards SSW', 1.2 * KNOT, 202.5), (WATER, 'northward 0.3 m/s', 0.3, 0),
    (WATER, 'stream sets 310 rate 2.1 kn', 2.1 * KNOT, 310), (WATER, '20 cm/s to the south-west', 0.2, 225),
    (WATER, '0.6 kn from W', 0.6 * KNOT, 90), (WATER, '0 kn', 0, 0), (AIR, "SW'ly 15 kn", 15 * KNOT, 45),
    (WATER, 'easterly set 0.5 kn', 0.5 * KNOT, 90), (WATER, '0.5 kn NE set', 0.5 * KNOT, 45),
    (WATER, '0.5 kn running NE', 0.5 * KNOT, 45), (WATER, '0.5 knots eastbound', 0.5 * KNOT, 90),
    (WATER, '0.4 m/s going east', 0.4, 90), (AIR, '12 kn from NE true', 12 * KNOT, 225),
    (AIR, '12 kn from NE.', 12 * KNOT, 225),
    (AIR, '6,90', 6, 0), (WATER, '0.4,45', 0.4, 45), (WATER, '0.4 0', 0.4, 90)]

# Phrases that can be read in two ways, and both readings.
AMBIGUOUS = [
    (WATER, '1.5 set 090', '1.5 kn', '1.5 m/s'), (WATER, 'drift 0.5 set 090', '0.5 kn', '0.5 m/s'),
    (AIR, '6 m/s 045', 'from 045', 'to 045'), (AIR, '12 kn NE', 'from NE', 'to NE'),
    (AIR, '270 deg 15 kn', 'from 270', 'to 270'), (WATER, 'NE 0.5 kn', 'from NE', 'to NE'),
    (WATER, 'northeasterly 0.5 kn', 'from NE', 'to NE'), (WATER, '090/0.5 kn', 'from 090', 'to 090'),
    (AIR, 'SW winds 10 to 15 kt', '10 kt', '15 kt'), (AIR, 'NE to E 12 kn', 'from NE', 'to E'),
    (AIR, 'force 4 from W', '11 kn', '16 kn'), (AIR, 'gentle breeze from S', '7 kn', '10 kn'),
    (AIR, '12 from NE', '12 kn', '12 m/s'), (AIR, 'NO 12 kn', 'NE', 'NW'),
    (WATER, '1,200 m/s to E', '1.200 m/s', '1200 m/s'), (AIR, 'SW 4', '4 kn', '4 m/s'),
    (AIR, '6,090', '6 m/s from 090', '6,90'), (WATER, '0.4 045', '0.4 m/s set 045', '0.4,45'),
    (AIR, '5 kn 7 m/s from N', '5 kn', '7 m/s'), (AIR, '6 m/s 45', 'from 045', 'to 045'),
    (AIR, 'SW 3 to 4', '7 kn (3.6 m/s)', '16 kn (8.23 m/s)'), (AIR, 'force 3 to 4 SW', '7 kn', '16 kn'),
    (AIR, 'SW 15-20', '15 kn', '20 kn'), (WATER, 'NE 1 or 2', '1 kn', '2 kn'),
    (WATER, '0.4,NE', '0.4 m/s from NE', '0.4 m/s to NE'), (AIR, 'SSW,6', '6 m/s from SSW', '6 m/s to SSW'),
    (AIR, '045/12', '12 kn from 045', '12 m/s from 045'), (WATER, '090/0.5', '0.5 kn set 090', '0.5 m/s set 090'),
    (AIR, '12/045', '12 kn from 045', '12 m/s from 045'), (AIR, '045 12', '12 kn from 045', '12 m/s from 045'),
    (AIR, '240 15', '15 kn from 240', '15 m/s from 240'), (WATER, '000,0.5', '0.5 kn set 000', '0.5 m/s set 000'),
    (WATER, '0,4', '0.4 m/s set', '0 m/s'), (WATER, '0.5kn/090', 'from 090', 'to 090'),
    (AIR, '12kn/NE', 'from NE', 'to NE')]

INCOMPLETE = [(AIR, '12 kn from NE at 10 m', 'is a height; .* --wind-height'),
              (AIR, '8 kn', 'no direction'), (AIR, 'from NE', 'no speed'), (AIR, 'VRB03KT', 'variable'),
              (AIR, '36105KT', 'no direction'), (AIR, '5 kn from 400', 'no direction'), (AIR, '-3 kn from N', '0 or'),
              (AIR, '12 kn gusting 20 from W', 'gusts'), (AIR, 'NE 12 kn backing N', 'changes'),
              (AIR, '6 m/s from 045 M', 'magnetic'), (WATER, '24015KT', 'form of a wind'),
              (WATER, '0.5 kn on the bow', 'not understood'), (WATER, '0.4,45,3', 'must be'), (AIR, 'nan,0', 'finite'),
              (AIR, '6 m/s from 045 (magnetic)', 'agree'), (AIR, '12 kn from E (045)', 'agree'),
              (AIR, '12 kn from W (gusts 25)', 'gusts'), (WATER, '0.5 kn set 090 (from 090)', 'agree'),
              (AIR, '12 kn (6 m/s, from NE) from SW', 'agree'), (AIR, '12 kn (7 m/s) from NE', 'agree'),
              (AIR, '12 kn from NE magnetic', 'magnetic'), (AIR, '5 m/s from -45', '000 to 360'),
              (AIR, '24015KT 9999', 'the wind alone'), (WATER, '20 mm/s to N', "'mm' is not understood"),
              (AIR, 'nan m/s from N', "'nan' is not understood"), (WATER, 'force 4 from W', 'is of the wind'),
              (AIR, '12 knt from NE', "'knt' is not understood"), (WATER, '1/2 kn from N', "'1' is not understood"),
              (AIR, '10 kn from NE g18', 'gusts'), (AIR, 'SSE 10 knots, seas 2 ft', "'seas' is not understood")]


def velocity(speed, compass_deg):
    """Return east and north, m/s, of a geodesic from ORIGIN: a place 1 km away on it, as PROJ has it."""
    longitude, latitude, _ = EARTH.fwd(*ORIGIN[::-1], compass_deg, 1000.0)
    east, north = LocalPlane(ORIGIN).to_local(np.array(latitude), np.array(longitude))
    return speed * float(east) / 1000.0, speed * float(north) / 1000.0


@pytest.mark.parametrize(('medium', 'text', 'speed', 'towards'), UNDERSTOOD)
def test_a_phrase_is_the_velocity_along_the_geodesic_to_where_it_flows(medium, text, speed, towards):
    flow = flow_of(text, '--flow', {AIR: 'air', WATER: 'water'}[medium])
    assert (flow.x, flow.y) == pytest.approx(velocity(speed, towards), abs=1e-6)


@pytest.mark.parametrize(('medium', 'text', 'first', 'second'), AMBIGUOUS)
def test_a_phrase_with_two_readings_is_refused_with_both(medium, text, first, second):
    with pytest.raises(InputError, match=r'^--flow is .*say `') as refused:
        flow_phrase(text, '--flow', medium)
    words = str(refused.value)
    assert f'`{first}' in words and f'or `{second}' in words
    if not text.startswith('1,200') and first.startswith(('from', 'to')):  # Each reading, said, is understood.
        speed = 'NE' if text.startswith('NE to') else text
        for reading in (first, second):
            number = next(part for part in (speed + ' 12 kn').replace('/', ' ').replace('kn', ' ').split() if part in
                          ('6', '12', '15', '0.5'))
            assert flow_phrase(f'{number} kn {reading}', '--flow', medium).speed == pytest.approx(float(number) * KNOT)


@pytest.mark.parametrize(('medium', 'text', 'reason'), INCOMPLETE)
def test_what_says_too_little_or_no_steady_flow_is_refused(medium, text, reason):
    with pytest.raises(InputError, match=reason):
        flow_phrase(text, '--flow', medium)


def test_the_gust_of_a_report_is_said_not_to_be_used():
    assert flow_phrase('24012KT', '--wind', AIR).remark == ''
    gusty = flow_of('24012G20KT', '--wind', AIR)
    assert gusty.speed == pytest.approx(12 * KNOT)
    words = ["--wind is '24012G20KT': the gust of 20 kn is not used, the mean wind is"]
    assert remarks_of(gusty) == remarks_of(gusty.scaled(0.5)) == remarks_of(pickle.loads(pickle.dumps(gusty))) == words
    assert gusty == tuple(gusty) and len(gusty) == 2


def test_a_number_without_a_unit_may_be_a_force():
    with pytest.raises(InputError, match=r'or of Beaufort 4, moderate breeze, a speed from 11 to 16 kn$'):
        flow_phrase('SW 4', '--wind', AIR)
    with pytest.raises(InputError, match=r'`13 m/s`$'):
        flow_phrase('SW 13', '--wind', AIR)


def test_a_sea_is_said_in_any_order_and_its_direction_with_from_or_to():
    for text in ('0.3 m 2.5 s from SW', '0.3 m at 2.5 s from SW', 'swell from SW 0.3 m 2.5 s'):
        assert sea_phrase(text, '--sea') == pytest.approx((0.3, 2.5, math.pi / 4.0))
    with pytest.raises(InputError, match='say `from SW` or `to SW`'):
        sea_phrase('SW 0.3 m 2.5 s', '--sea')
    assert sea_phrase('seas.yaml', '--sea') is None


def test_a_direction_alone_is_said_by_the_compass_or_as_ros_has_it():
    """From the north-east is towards 225 of the compass, and that is 225 degrees counter-clockwise from east, too."""
    for medium, text, goes_to in ((AIR, 'from NE', 225.0), (AIR, '45', 45.0), (WATER, 'set 090', 0.0),
                                  (WATER, 'to S', -90.0), (AIR, 'N', -90.0), (AIR, 'from 045 T', 225.0)):
        assert math.remainder(direction_of(text, '--way', medium) - goes_to, 360.0) == pytest.approx(0.0)
    for medium, text, words in ((WATER, 'NE', 'say `from NE` or `to NE`'), (AIR, '045', 'say `from 045` or `45`'),
                                (AIR, 'from 045 M', 'magnetic'), (AIR, 'river', 'must be as')):
        with pytest.raises(InputError, match=f'^--way is .*{words}'):
            direction_of(text, '--way', medium)


@pytest.mark.parametrize('text', ['river', 'my_wind.yaml', 'north_sea.nc', 'flows/NE.yaml', 'a file with blanks.nc',
                                  'ebb_3-4.nc', 'ne-2.nc', 'sea/045.nc', 'NE,2.yaml'])
def test_names_of_files_are_no_phrases(text):
    assert flow_phrase(text, '--flow', AIR) is None


def test_any_direction_and_unit_against_proj():
    """Winds from and currents to 300 directions, in several units and spellings; POINTS are 11.25 degrees apart."""
    for direction, speed in zip(RNG.uniform(0.0, 360.0, 300).round(1), RNG.uniform(0.1, 20.0, 300).round(2)):
        wind = uniform_of(f'{speed} kn from {direction:05.1f}', '--wind', AIR)
        assert (wind.x, wind.y) == pytest.approx(velocity(-speed * KNOT, direction), abs=1e-6)
        current = uniform_of(f'set {direction:05.1f} drift {speed} m/s', '--current', WATER)
        assert (current.x, current.y) == pytest.approx(velocity(speed, direction), abs=1e-6)
    for number, point in enumerate(POINTS):
        for text in (point.upper(), point.replace('b', ' by ') if 'b' in point else point):
            found = flow_phrase(f'1 m/s from {text}', '--wind', AIR)
            assert (90.0 - found.direction_deg) % 360.0 == pytest.approx((11.25 * number + 180.0) % 360.0)


def test_what_is_said_of_a_flow_is_understood_as_that_flow():
    for x, y in RNG.uniform(-8.0, 8.0, (200, 2)):
        for medium in (AIR, WATER):
            back = uniform_of(flow_words(x, y, medium), '--flow', medium)
            assert math.hypot(back.x - x, back.y - y) < 0.005 + math.hypot(x, y) * math.radians(0.501)
    assert flow_words(0.0, 0.0, AIR) == 'none'
    assert flow_words(-3.0, 0.0, AIR) == '3.00 m/s (5.8 kn) from 090 (E)'
    assert flow_words(0.0, 0.4, WATER) == '0.40 m/s (0.8 kn) set 000 (N)'


@pytest.mark.parametrize(('text', 'compass_deg'), [
    ('NE', 45), ('045 T', 45), ('215° true', 215), ('course 000 T', 0), ('sw by s', 213.75), ('west', 270),
    ('0', 0), ('90', 90), ('045', 45), ('270', 270), ('12 deg', 12), ('course 215', 215)])
def test_a_course_is_of_the_compass(text, compass_deg):
    angle = course_of(text, '--course')
    assert (math.cos(angle), math.sin(angle)) == pytest.approx(velocity(1.0, compass_deg), abs=1e-6)


@pytest.mark.parametrize(('text', 'reason'), [('NO', 'say `NE` or `NW`'), ('-90', 'from 000 to 360'),
                                              ('400', '000 to 360'), ('45 M', 'magnetic')])
def test_a_course_that_is_none_is_refused(text, reason):
    with pytest.raises(InputError, match=reason):
        course_of(text, '--course')


def test_directions_are_shown_with_their_points():
    assert [compass_words(math.radians(angle)) for angle in (0.0, 90.0, 45.0, 202.5)] == [
        '090 (E)', '000 (N)', '045 (NE)', '248 (WSW)']


@pytest.mark.parametrize('number', range(32))
def test_all_points_of_the_compass_are_understood_and_written_by_name(number):
    """Boxing the compass: N, N by E, NNE, NE by N, NE, ..., each 11.25 degrees on."""
    quarter = ['{0}', '{0} by {1}', '{0}{2}', '{2} by {0}', '{2}', '{2} by {1}', '{1}{2}', '{1} by {0}']
    first, second = (('N', 'E'), ('E', 'S'), ('S', 'W'), ('W', 'N'))[number // 8]
    between = first + second if first in 'NS' else second + first
    name = quarter[number % 8].format(first, second, between)
    assert point_text(number) == name
    words = {'N': 'north', 'E': 'east', 'S': 'south', 'W': 'west'}
    long = ' '.join(''.join(words[letter] for letter in part) if part != 'by' else part for part in name.split())
    for written in (name, name.replace(' by ', 'b'), name.replace(' by ', '-by-'), long):
        assert math.degrees(course_of(written, '--angle')) == pytest.approx(90.0 - 11.25 * number), written
        said = flow_phrase(f'6 kn from {written}', '--wind', AIR)
        assert math.remainder(said.direction_deg - 270.0 + 11.25 * number, 360.0) == pytest.approx(0.0), written


@pytest.mark.parametrize('text', ['12 kn from NE 1/2 E', '12 kn from N½E', 'N by E ¼ E 5 kn', 'NE half a point E 5 kn'])
def test_quarter_points_are_refused_with_what_is_allowed(text):
    with pytest.raises(InputError, match='is a part of a point; must be one of the 32 points, as `N by E`, or degrees'):
        flow_phrase(text, '--wind', AIR)
    assert flow_phrase('flows1/2east.nc', '--wind', AIR) is None


@pytest.mark.parametrize(('text', 'ends'), [
    ('winds light', '`1 kn (0.514 m/s)` or `6 kn (3.09 m/s)`'),
    ('Moderate wind from NE', '`11 kn (5.66 m/s)` or `16 kn'),
    ('strong northerly winds', '`22 kn (11.3 m/s)` or `27 kn')])
def test_a_wind_in_words_alone_is_a_range(text, ends):
    with pytest.raises(InputError, match='is a range; say ' + re.escape(ends)):
        flow_phrase(text, '--wind', AIR)
    with pytest.raises(InputError, match=' is no speed; must be as '):
        flow_phrase(text.replace('wind', 'current'), '--current', WATER)
