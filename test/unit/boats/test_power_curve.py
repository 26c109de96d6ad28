import math

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_remarks import remarks_of
from usv_energy.boats.power_curve import _number, monotone_cubic, power_at
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL, Flow
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.check.boat_check import boat_check
from usv_energy.studies.plan.steady_motion import steady_state, top_speed

# Cockpit's measurements of a BlueBoat, blueboat-estimates.ts of its public source.
TABLE = ((0.5, 2.08), (1.0, 12.59), (1.5, 113.9), (2.0, 197.8), (2.5, 400.0), (2.78, 507.6))
ROWS = str([list(row) for row in TABLE])
WIND = 'windage: {frontal_area: 0.2, c_x: 0.8, air_density: 1.2}'


@pytest.fixture
def boat(tmp_path):
    """Return a function from what a file holds beside the name to its boat."""
    def made(text=f'power_curve: {ROWS}', **options):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'name: mine\n{text}\n')
        return read_boat(str(path), **options)
    return made


def power(boat, speed, flow=STILL, course=0.0):
    return steady_state(boat.vessel, course, speed, flow).power.total


def test_the_power_is_that_of_the_table_at_its_points_and_monotone_between(boat):
    mine = boat()
    for speed, watts in TABLE:
        assert power(mine, speed) == pytest.approx(watts, rel=1e-9)
    fine = power(mine, np.linspace(0.0, 2.78, 2001))
    assert np.all(np.diff(fine) >= 0.0) and fine[0] == 0.0
    assert top_speed(mine.vessel) == pytest.approx(2.78, rel=1e-6)
    assert not steady_state(mine.vessel, 0.0, 2.79, STILL).feasible


def test_between_two_points_the_power_is_the_monotone_cubic_through_them(boat):
    """Fritsch and Butland: slopes are weighted harmonic means of those of the chords; by hand at 1.75 m/s."""
    x, y = np.array(TABLE).T
    chords = np.diff(y) / np.diff(x)
    d2, d3 = 2.0 / (1.0 / chords[1] + 1.0 / chords[2]), 2.0 / (1.0 / chords[2] + 1.0 / chords[3])
    middle = 0.5 * (y[2] + y[3]) + 0.125 * 0.5 * (d2 - d3)
    assert power_at(boat().power_curve, 1.75) == pytest.approx(middle, rel=1e-12)
    assert power(boat(), 1.75) == pytest.approx(middle, rel=2e-3)


def test_the_monotone_cubic_is_that_of_scipy(rng):
    """Points that rise, turn and stay, at any distances, two of them included; beyond them there is nothing."""
    for size in (2, 3, 4, 9):
        x, y = np.cumsum(rng.uniform(0.1, 2.0, size)), np.round(rng.normal(size=size), 1 if size == 9 else 3)
        at = np.concatenate((x, np.linspace(x[0] - 1.0, x[-1] + 1.0, 101)))
        np.testing.assert_allclose(monotone_cubic(x, y, at), PchipInterpolator(x, y, extrapolate=False)(at),
                                   rtol=1e-9, atol=1e-12)
    assert math.isnan(monotone_cubic(x, y, x[-1] + 1e-9)) and float(monotone_cubic(x, y, x[-1])) == y[-1]


@pytest.mark.parametrize('course', [0.0, 1.0, -2.5])
def test_a_current_changes_the_speed_through_the_water_and_nothing_else(boat, course):
    mine = boat()
    against = Flow(-0.3 * math.cos(course), -0.3 * math.sin(course), 0.0, 0.0)
    assert power(mine, 1.2, against, course) == pytest.approx(113.9, rel=1e-9)
    across = Flow(-0.6 * math.sin(course), 0.6 * math.cos(course), 0.0, 0.0)
    assert power(mine, 0.8, across, course) == pytest.approx(12.59, rel=1e-9)


def test_wind_from_ahead_adds_newtons_by_the_efficiency_at_the_fastest_speed(boat):
    mine = boat(f'power_curve: {ROWS}\n{WIND}\nlosses: {{efficiency: 0.5}}')
    drag = 0.5 * 507.6 / 2.78 ** 3                    # N s^2/m^2: half of the watts at 2.78 m/s are drag times speed
    air = 0.5 * 1.2 * 0.8 * 0.2                       # of that, N s^2/m^2: the table is of still air
    newtons = (drag - air) * 1.5 ** 2 + air * (5.0 + 1.5) ** 2
    as_fast = math.sqrt(newtons / drag)               # in still air: the same thrust
    assert power(mine, 1.5, Flow(0.0, 0.0, -5.0, 0.0)) == pytest.approx(power_at(mine.power_curve, as_fast), rel=2e-3)
    assert power(mine, 1.5) == pytest.approx(113.9, rel=1e-9), 'the air that stands still is in the table'


def test_the_hotel_load_is_the_power_at_standstill(boat):
    rows = '[[0, 8], [1.0, 20.0], [2.0, 90.0]]'
    mine = boat(f'power_curve: {rows}')
    assert mine.vessel.static_load == 8.0
    assert steady_state(mine.vessel, 0.0, np.array([0.0, 1.0, 2.0]), STILL).power.total == pytest.approx([8, 20, 90])
    assert boat(f'power_curve: {ROWS}\nstatic_load: 1.5').power_curve.powers[0] == 1.5


@pytest.mark.parametrize('text, words', [
    ('power_curve: [[1, 2]]', 'must hold at least 2'),
    ('power_curve: [[1, 2], [1, 3]]', 'power_curve has 1 m/s after 1 m/s; the speeds must rise'),
    ('power_curve: [[1, 5], [2, 3]]', 'power_curve has 3 W at 2 m/s after 5 W at 1 m/s; the power must not fall'),
    ('power_curve: [[1, 5], [2, 5], [3, 5]]\nstatic_load: 5', 'power_curve has 5 W at all speeds'),
    ('power_curve: [[1, 5], [2, 9]]\nstatic_load: 6', 'power_curve has 5 W at 1 m/s after a hotel load of 6 W'),
    ('power_curve: [[0, 5], [2, 9]]\nstatic_load: 4', 'static_load is 4 W, and power_curve has 5 W at 0 m/s'),
    ('power_curve: [[-1, 5], [2, 9]]', 'power_curve.0.0 is -1; must be at least 0'),
    ('power_curve: [[1, .nan], [2, 9]]', 'power_curve.0.1 is nan; must be a finite number'),
    ('power_curve: [[1, fast], [2, 9]]', "power_curve.0.1 is 'fast' (a text); must be a number"),
    (f'power_curve: {ROWS}\nthrusters: []', 'thrusters stands beside power_curve; must be left out'),
    (f'power_curve: {ROWS}\nlosses: {{efficiency: 1.5}}', 'losses.efficiency is 1.5; must be a number above 0'),
    (f'power_curve: {ROWS}\nlosses: {{map: [[0, 0], [1, 1]]}}', "unknown key 'map' in losses"),
    (f'power_curve: {ROWS}\nwindage: {{frontal_area: 1}}', "windage lacks the key 'c_x'"),
    (f'power_curve: {ROWS}\nwindage: {{frontal_area: 99, c_x: 1, air_density: 1.2}}', 'that alone is more drag'),
    (f'power_curve: {ROWS}\nstatic_load: -1', 'static_load is -1.0; must be at least 0')])
def test_a_wrong_file_is_refused_by_name(boat, text, words):
    with pytest.raises(InputError) as caught:
        boat(text)
    assert words in str(caught.value) and 'mine.yaml' in str(caught.value)


def test_what_needs_more_than_the_table_is_refused(boat):
    mine = boat()
    with pytest.raises(InputError, match=r'mine\.yaml: a simulation needs mass, drag and thrusters'):
        read_scenario('3').with_options(boat=str(mine.path))
    with pytest.raises(InputError, match='a payload of 3 kg cannot be put on'):
        boat(payload=3.0)


def test_what_such_a_boat_allows_is_said(boat):
    said = {remark.key: remark.text for remark in remarks_of(boat(f'power_curve: {ROWS}\n{WIND}'))}
    assert 'it does not drift' in said['power_curve'] and 'neither range' in said['battery']
    assert said['losses.efficiency'].startswith('0.4 of the power becomes drag times speed at 2.78 m/s (assumed)')
    assert 'where the table comes from' in said['power_curve_source']


def test_a_check_shows_the_table_and_no_thrust():
    check = boat_check(read_boat('blueboat_watts_only'))
    assert check.top_ahead == 2.78 and check.turning is None and math.isnan(check.bollard_ahead.thrust)
    assert [*zip(check.table.speed, check.table.power)][1:] == [*TABLE]


def test_a_curve_may_begin_level_and_all_power_may_become_drag(boat):
    """The efficiency counts what the power is above the hotel load: 0.5 drag v^3 is 1.0 of 60 W at 2 m/s."""
    mine = boat('power_curve: [[0, 5], [1, 5], [2, 65]]\nlosses: {efficiency: 1.0}')
    assert mine.vessel.damping.d11_q == pytest.approx(60.0 / 8.0)
    assert {one.max_thrust for one in mine.vessel.thrusters} == {-mine.vessel.thrusters[0].min_thrust}
    assert mine.vessel.thrusters[0].max_thrust == pytest.approx(0.5 * 60.0 / 2.0)


@pytest.mark.parametrize('text, words', [
    ('losses: {efficiency: 0}', 'losses.efficiency is 0; must be a number above 0'),
    ('windage: {frontal_area: 0.2, c_x: true, air_density: 1.2}', 'windage.c_x is'),
    ('windage: {frontal_area: 0.2, c_x: -0.8, air_density: 1.2}', 'windage.c_x is -0.8'),
    ('windage: {frontal_area: 15, c_x: 1, air_density: 1.0}', 'that alone is more drag than 1 of the power at 2 m/s')])
def test_numbers_at_their_limits_are_refused_by_name(boat, text, words):
    """15 m^2 are 0.5 x 15 N s^2/m^2: just all the drag that 60 W overcome at 2 m/s, which leaves none to the water."""
    losses = '' if 'losses' in text else 'losses: {efficiency: 1}\n'
    with pytest.raises(InputError) as caught:
        boat(f'power_curve: [[0, 5], [1, 5], [2, 65]]\n{losses}{text}')
    assert words in str(caught.value)


@pytest.mark.parametrize('value', [True, '1', -0.1])
def test_what_is_no_number_from_0_on_is_refused(value):
    with pytest.raises(InputError, match=f'^here: windage.c_x is {value!r}; must be a number from 0 on'):
        _number(value, 'windage.c_x', 'here')
