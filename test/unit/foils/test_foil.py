"""Foils of a boat's file: curves from tables and from the aspect ratio, and what is refused by name."""

import math

import numpy as np
import pytest
from foil_shapes import ALL_ROUND, PLATE, RUDDER, SAIL, TABLED

from usv_energy.files.errors import InputError
from usv_energy.foils.foil import (
    Foil,
    Steer,
    Wash,
    coefficients_of_aspect,
    curve_of_table,
    foil_faults,
    foil_from,
)
from usv_energy.foils.foil_force import driving_sail_angle, foil_force, rudder_angle_of_moment, sail_angle
from usv_energy.physics.frames import radians_of_degrees
from usv_energy.physics.motion import Relative

TABLE = [[0, 0, 0.01], [12, 1.1, 0.06], [16, 0.8, 0.2], [90, 0.0, 1.4]]
ENTRY = {'name': 'rudder', 'x': -0.5, 'y': 0.0, 'area': 0.02, 'density': 1000.0, 'lift': 1.5, 'drag': 1.0}
OWN = {'x': -0.5, 'y': 0.0, 'area': 0.02, 'density': 1000.0, 'lift': 0.0, 'drag': 0.0, 'drag0': 0.0, 'aft': 0.0,
       'aspect': None}


def numbers(entry, *fields):
    """Give the numbers of an entry as boat_file.py does."""
    if fields[-1] == 'steer':
        return {'least': -0.5, 'largest': 0.5, 'rate': 1.0}
    if fields[-1] == 'wash':
        return {key: entry['wash'][key] for key in ('share', 'gain', 'diameter')}
    return {key: entry.get(key, default) for key, default in OWN.items()}


def foil_of(**changes):
    entry = {key: value for key, value in {**ENTRY, **changes}.items() if value is not None}
    return foil_from(entry, numbers, ('left', 'right'), 'boat.yaml: foils.0')


def test_reads_medium_steering_and_wash():
    plain = foil_of()
    assert plain == Foil(-0.5, 0.0, 0.02, 1000.0, 1.5, 1.0, 0.0, 0.0)
    full = foil_of(medium='air', steer={}, wash={'thruster': 'right', 'share': 0.5, 'gain': 0.9, 'diameter': 0.1})
    assert (full.in_air, full.steer, full.wash) == (1.0, Steer(-0.5, 0.5, 1.0), Wash((0.0, 1.0), 0.5, 0.9, 0.1))
    assert list(foil_faults(full)) == list(foil_faults(plain)) == []


def test_a_sail_is_trimmed_as_its_file_says():
    sail = {'medium': 'air', 'steer': {}}
    assert foil_of(**sail).drives is None and foil_of(**sail, trim='half').drives is None
    assert foil_of(**sail, trim='drive').drives == 1.0
    for changes in ({'steer': {}}, {'medium': 'air'}):
        with pytest.raises(InputError, match=r"boat.yaml: foils.0.trim is 'drive', and the foil is no sail"):
            foil_of(**changes, trim='drive')
    with pytest.raises(InputError, match='goes with lift and drag, or aspect; the foil has a table'):
        foil_of(**sail, trim='drive', lift=None, drag=None, table=TABLE)


def test_crossed_limits_are_named():
    crossed = foil_of()._replace(steer=Steer(math.radians(30.0), math.radians(-30.0), 1.0))
    assert list(foil_faults(crossed)) == ['steer.min_angle_deg is 30; must be less than max_angle_deg, -30']


@pytest.mark.parametrize('changes, message', [
    ({'lift': None, 'drag': None}, 'boat.yaml: foils.0: has no curve; must have lift and drag, or aspect, or table'),
    ({'aspect': 2.0}, 'has aspect and lift'),
    ({'lift': None, 'aspect': 2.0, 'table': TABLE}, 'has table and aspect'),
    ({'wash': {'thruster': 'bow'}}, "foils.0.wash.thruster is 'bow'; must be one of left, right")])
def test_refuses_by_name(changes, message):
    with pytest.raises(InputError, match=message):
        foil_of(**changes)


@pytest.mark.parametrize('rows, message', [
    ([[0, 0, 0.1], [45, 1, 1]], 'angles .* must rise from 0 to 90 or to 180'),
    ([[0, 0, 0.1], [50, 1, 1], [40, 1, 1], [90, 0, 1]], 'must rise'),
    ([[1, 0, 0.1], [90, 0, 1]], 'must rise from 0'),
    ([[0, 0, 0.1], [45, 1, 1], [45, 1, 1], [90, 0, 1]], 'must rise'),
    ([[0, 0.2, 0.1], [90, 0, 1]], 'C_L = 0.2 at 0 deg'),
    ([[0, 0, 0.1], [45, 0.7, 0.5], [90, 0.3, 1]], 'C_L = 0.3 at 90 deg'),
    ([[0, 0, 0.1], [90, 0.3, 1], [180, 0.1, 0.2]], '0.1 at 180 deg'),
    ([[0, 0, -0.1], [90, 0, 1]], 'must be at least 0')])
def test_refuses_a_table_that_is_none(rows, message):
    with pytest.raises(InputError, match=f'^file: foils.0.table has .*{message}'):
        curve_of_table(rows, 'file: foils.0.table')


def test_table_is_mirrored_abaft_the_beam():
    curve = curve_of_table(TABLE, 'table')
    np.testing.assert_allclose(np.degrees(curve.angle), [0, 12, 16, 90, 164, 168, 180])
    np.testing.assert_array_equal(curve.lift, [0, 1.1, 0.8, 0, -0.8, -1.1, 0])
    np.testing.assert_array_equal(curve.drag, [0.01, 0.06, 0.2, 1.4, 0.2, 0.06, 0.01])
    assert curve.stall == pytest.approx(math.radians(12.0))
    whole = [*TABLE, [135, -0.7, 0.8], [180, 0, 0.02]]
    np.testing.assert_array_equal(curve_of_table(whole, 'table').lift, [0, 1.1, 0.8, 0, -0.7, 0])


def test_aspect_ratio_gives_thin_foil_theory_at_both_ends():
    """A very long foil has 0.9 of the slope 2 pi, a very short one 0.9 pi A / 1.9; induced drag C_L^2 / (0.9 pi A)."""
    lift, drag = coefficients_of_aspect(1e6)
    assert (2.0 * lift, drag) == pytest.approx((0.9 * 2.0 * math.pi, 0.0), rel=1e-5, abs=1e-4)
    assert 2.0 * coefficients_of_aspect(1e-4)[0] == pytest.approx(0.9 * math.pi * 1e-4 / 1.9, rel=1e-3)
    lift, drag = coefficients_of_aspect(2.0)
    small = 1e-3
    c_l, c_d = lift * math.sin(2.0 * small), drag * (1.0 - math.cos(2.0 * small))
    assert c_d == pytest.approx(c_l * c_l / (0.9 * math.pi * 2.0), rel=1e-5)
    assert foil_of(lift=None, drag=None, aspect=2.0)[4:6] == (lift, drag)
    assert 2.0 * drag == pytest.approx(1.05, abs=0.01)   # a flat plate abeam: about 1.1


@pytest.mark.parametrize('number', [2, 3, 7])
def test_a_table_of_any_length_is_mirrored_about_the_beam(number):
    """C_L(180 - a) = -C_L(a), C_D(180 - a) = C_D(a), each angle once."""
    angle = np.linspace(0.0, 90.0, number)
    curve = curve_of_table(np.column_stack([angle, np.sin(np.radians(2.0 * angle)).round(12), 0.1 + angle]), 'table')
    assert curve.angle.size == 2 * number - 1
    np.testing.assert_allclose(curve.angle, math.pi - curve.angle[::-1], atol=1e-12)
    np.testing.assert_allclose(curve.lift, -curve.lift[::-1], atol=1e-12)
    np.testing.assert_allclose(curve.drag, curve.drag[::-1])
    assert (np.diff(curve.angle) > 0.0).all()


def test_a_section_may_have_no_drag_at_all():
    rows = [[0, 0, 0], [45, 1, 0], [90, 0, 0]]
    np.testing.assert_array_equal(curve_of_table(rows, 'table').drag, 0.0)


def test_stall_may_be_abeam_and_a_foil_that_does_not_turn_is_said():
    curve = curve_of_table([[0, 0, 0.1], [45, 0.7, 0.2], [90, 0.9, 1.0], [180, 0, 0.1]], 'table')
    assert curve.stall == pytest.approx(0.5 * math.pi)
    stuck = foil_of()._replace(steer=Steer(0.3, 0.3, 1.0))
    assert [*foil_faults(stuck)] == ['steer.min_angle_deg is 17.1887; must be less than max_angle_deg, 17.1887']
    assert radians_of_degrees(np.array([180.0, -45.0])).tolist() == [math.pi, -0.25 * math.pi]


@pytest.mark.parametrize('foil', [RUDDER, RUDDER._replace(y=0.15), RUDDER._replace(aft=0.03), TABLED])
def test_angle_of_moment_gives_the_moment(rng, foil):
    """Whatever moment a small angle gives is given by the angle that is found, which is that one or a smaller."""
    for u, v, r, angle in rng.uniform((1.0, -0.04, -0.05, -0.1), (2.0, 0.04, 0.05, 0.1), size=(200, 4)).tolist():
        at = Relative(u, v, r, 0.0, 0.0)
        moment = foil_force(u, v, r, angle, foil)[2]
        found = rudder_angle_of_moment(moment, foil, at, (0.0,))
        assert foil_force(u, v, r, found, foil)[2] == pytest.approx(moment, rel=2e-6, abs=2e-6)
        assert abs(found) <= abs(angle) + 1e-4


@pytest.mark.parametrize('foil', [RUDDER, PLATE, RUDDER._replace(x=0.4, y=-0.2)])
def test_angle_of_moment_is_the_smallest_whatever_the_flow_comes_from(rng, foil):
    """Of the two angles that give a moment it is the one nearer to the middle; beyond reach that of the most moment."""
    foil = foil._replace(steer=ALL_ROUND)
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 2001)
    for u, v, r in rng.uniform(-2.0, 2.0, size=(100, 3)).tolist():
        moments = np.array([foil_force(u, v, r, angle, foil)[2] for angle in angles.tolist()])
        wanted = float(moments[rng.integers(moments.size)])
        found = rudder_angle_of_moment(wanted, foil, Relative(u, v, r, 0.0, 0.0), (0.0,))
        assert foil_force(u, v, r, found, foil)[2] == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.ptp(moments))
        assert abs(found) <= np.abs(angles[moments == wanted]).min() + 1e-6
        for most, end in ((moments.max(), 1e6), (moments.min(), -1e6)):
            found = rudder_angle_of_moment(end, foil, Relative(u, v, r, 0.0, 0.0), (0.0,))
            assert foil_force(u, v, r, found, foil)[2] == pytest.approx(most, abs=1e-5 * np.ptp(moments))


def test_at_rest_a_rudder_waits_where_its_moment_will_be_the_most():
    for moment, angle in ((1.0, -0.25 * math.pi), (-1.0, 0.25 * math.pi), (0.0, 0.0)):
        assert rudder_angle_of_moment(moment, RUDDER, Relative(0.0, 0.0, 0.0, 0.0, 0.0), (0.0,)) == angle


def test_at_rest_a_rudder_with_a_table_lies_amidships_unless_a_moment_is_asked_for():
    """With one it waits at its stall, 12 degrees, as where it just moves ahead; so it does on arrays."""
    still, stall = Relative(0.0, 0.0, 0.0, 0.0, 0.0), math.radians(12.0)
    moments, angles = np.array([0.0, 1.0, -0.0, 0.0]), [0.0, -stall, 0.0, 0.0]
    for moment, angle in zip(moments.tolist(), angles):
        assert rudder_angle_of_moment(moment, TABLED, still, (0.0,)) == pytest.approx(angle, rel=1e-6)
    slow = Relative(1e-3, 0.0, 0.0, 0.0, 0.0)
    assert rudder_angle_of_moment(1.0, TABLED, slow, (0.0,)) == pytest.approx(-stall, rel=1e-6)
    rest = Relative(*(0.0 * moments for _ in range(5)))
    np.testing.assert_allclose(rudder_angle_of_moment(moments, TABLED, rest, (0.0,)), angles, rtol=1e-6)
    wide = TABLED._replace(steer=Steer(0.05, 0.4, 1.0))
    assert rudder_angle_of_moment(0.0, wide, still, (0.0,)) == 0.05


def test_angle_of_moment_beyond_reach_is_that_of_the_most_moment_or_the_limit():
    at = Relative(1.0, 0.0, 0.0, 0.0, 0.0)
    assert rudder_angle_of_moment(-1e6, RUDDER, at, (0.0,)) == pytest.approx(math.radians(45.0), rel=1e-6)
    assert rudder_angle_of_moment(1e6, RUDDER, at, (0.0,)) == pytest.approx(-math.radians(45.0), rel=1e-6)
    narrow = RUDDER._replace(steer=Steer(-0.1, 0.2, 1.0))
    assert [rudder_angle_of_moment(n, narrow, at, (0.0,)) for n in (-1e6, 1e6)] == [0.2, -0.1]
    assert rudder_angle_of_moment(1e6, TABLED, at, (0.0,)) == pytest.approx(-math.radians(12.0), rel=1e-6)
    assert rudder_angle_of_moment(0.0, RUDDER, Relative(0.0, 0.0, 0.0, 0.0, 0.0), (0.0,)) == 0.0


@pytest.mark.parametrize('off_bow', [5.0, 30.0, 60.0, 90.0, 135.0, 170.0])
def test_sail_at_half_the_wind_drives_ahead_on_both_tacks(off_bow):
    """2 sin^2(b/2) (2 lift cos^2(b/2) - drag cos b) q A, by the closed form."""
    b = math.radians(off_bow)
    for side in (1.0, -1.0):
        u_w, v_w = -2.0 * math.cos(b), -2.0 * side * math.sin(b)
        angle = sail_angle(u_w, v_w, SAIL.steer)
        assert angle == pytest.approx(0.5 * side * b, rel=1e-14)
        drive = 2.0 * math.sin(b / 2) ** 2 * (2.0 * 1.5 * math.cos(b / 2) ** 2 - math.cos(b)) * 0.5 * 1.2 * 2.0 * 4.0
        assert foil_force(-u_w, -v_w, 0.0, angle, SAIL)[0] == pytest.approx(drive, rel=1e-12)


def test_sail_angle_keeps_its_limits_and_runs_square():
    assert sail_angle(2.0, 0.0, SAIL.steer) == -math.pi / 2 or sail_angle(2.0, 0.0, SAIL.steer) == math.pi / 2
    assert sail_angle(2.0, -0.1, Steer(-0.5, 0.5, 1.0)) == 0.5
    assert sail_angle(-2.0, 0.0, SAIL.steer) == 0.0


def test_driving_angle_is_the_best_of_all(rng):
    for b in rng.uniform(-math.pi, math.pi, 40).tolist():
        wind = -2.0 * math.cos(b), -2.0 * math.sin(b)
        free = SAIL._replace(steer=ALL_ROUND)
        best = foil_force(-wind[0], -wind[1], 0.0, driving_sail_angle(*wind, free), free)[0]
        every = foil_force(-wind[0], -wind[1], 0.0, np.linspace(-math.pi, math.pi, 2001), free)[0]
        assert np.max(every) <= best + 1e-12
    like_plate = SAIL._replace(drag=1.5)
    assert driving_sail_angle(-1.0, -1.0, like_plate) == pytest.approx(sail_angle(-1.0, -1.0, SAIL.steer), rel=1e-14)


@pytest.mark.parametrize('foil', [RUDDER._replace(drag=0.3), RUDDER._replace(y=0.15, drag=2.5)])
def test_no_smaller_angle_gives_the_moment_whichever_way_the_boat_moves(rng, foil):
    """Against all angles on a grid, of a rudder that turns all the way round: astern and abeam, too."""
    foil, grid = foil._replace(steer=ALL_ROUND), np.linspace(-math.pi, math.pi, 4001)
    for u, v, r, angle in rng.uniform(-1.5, 1.5, size=(60, 4)).tolist():
        moment = foil_force(u, v, r, angle, foil)[2]
        found = rudder_angle_of_moment(moment, foil, Relative(u, v, r, 0.0, 0.0), ())
        assert foil_force(u, v, r, found, foil)[2] == pytest.approx(moment, rel=1e-9, abs=1e-9)
        given = foil_force(u, v, r, grid, foil)[2] - moment
        crossings = abs(grid[:-1][given[:-1] * given[1:] <= 0.0])
        assert abs(found) <= crossings.min() + 2e-3


def test_a_rudder_with_a_table_stalls_at_its_own_inflow_in_a_turn():
    """No angle gives 1e6 N m: the angle is that of stall from the way in which the rudder itself moves."""
    foil = TABLED._replace(x=-0.5, y=0.3, aft=0.1, steer=ALL_ROUND)
    course = math.atan2(0.2 + 0.6 * (-0.5 - 0.1), 1.1 - 0.6 * 0.3)
    for side in (-1.0, 1.0):  # A rudder at the stern turns to port at a negative angle.
        found = rudder_angle_of_moment(side * 1e6, foil, Relative(1.1, 0.2, 0.6, 0.0, 0.0), ())
        assert found == pytest.approx(course - side * math.radians(12.0), abs=1e-8)
