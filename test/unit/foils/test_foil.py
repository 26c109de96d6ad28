"""Foils of a boat's file: curves from tables and from the aspect ratio, and what is refused by name."""

import math

import numpy as np
import pytest

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
from usv_energy.physics.frames import radians_of_degrees

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
