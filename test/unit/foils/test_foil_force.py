"""Foils: closed forms, signs, energy, the angles that steer them, and parity of floats, arrays and compiled code."""

import math

import numpy as np
import pytest
from foil_shapes import PLATE, RUDDER, SAIL, TABLED

from usv_energy.foils.foil import Wash, curve_of_table
from usv_energy.foils.foil_force import (
    driving_sail_angle,
    foil_force,
    foil_force_of,
    rudder_angle_of_moment,
    sail_angle,
)
from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.physics.motion import Relative

KINDS = {'rudder': RUDDER, 'sail': SAIL, 'table': TABLED,
         'flap': RUDDER._replace(y=0.1, aft=0.04), 'plate': PLATE}
kinds = pytest.mark.parametrize('foil', KINDS.values(), ids=KINDS)


def polar_form(u, v, angle, foil):
    """Return surge and sway by angles: lift at right angles to the motion, drag against it, as [S] section 3.2."""
    speed, course = math.hypot(u, v), math.atan2(v, u)
    attack = course - angle
    pressure = 0.5 * foil.density * foil.area * speed ** 2
    lift = pressure * foil.lift * math.sin(2.0 * attack)
    drag = pressure * (foil.drag0 + foil.drag * (1.0 - math.cos(2.0 * attack)))
    return (-drag * math.cos(course) + lift * math.sin(course), -drag * math.sin(course) - lift * math.cos(course))


@pytest.mark.parametrize('foil', [RUDDER, KINDS['plate'], SAIL._replace(aft=0.0)])
def test_closed_form_by_angles(rng, foil):
    for u, v, angle in rng.uniform(-3.0, 3.0, size=(300, 3)).tolist():
        surge, sway, moment = foil_force(u, v, 0.0, angle, foil)
        assert (surge, sway) == pytest.approx(polar_form(u, v, angle, foil), rel=1e-12, abs=1e-12)
        assert moment == pytest.approx(foil.x * sway - foil.y * surge, rel=1e-12, abs=1e-12)


def test_flow_along_the_chord_drags_by_drag0_only_and_abeam_by_twice_drag():
    assert foil_force(2.0, 0.0, 0.0, None, RUDDER) == pytest.approx((-0.5 * 1000.0 * 0.02 * 4.0 * 0.02, 0.0, 0.0))
    surge, sway, _ = foil_force(0.0, 2.0, 0.0, None, RUDDER)
    assert (surge, sway) == pytest.approx((0.0, -0.5 * 1000.0 * 0.02 * 4.0 * (0.02 + 2.0)), abs=1e-12)


@kinds
def test_no_flow_no_force(foil):
    assert foil_force(0.0, 0.0, 0.0, 0.3, foil) == (0.0, 0.0, 0.0)
    assert foil_force(1e-200, -1e-200, 0.0, 0.3, foil) == pytest.approx((0.0, 0.0, 0.0), abs=1e-300)


@kinds
def test_takes_energy_from_the_motion_through_its_fluid(rng, foil):
    """Lift does no work, drag takes some: force . velocity of the centre of effort is never positive."""
    u, v, r, angle = rng.uniform(-3.0, 3.0, size=(4, 2000))
    surge, sway, moment = foil_force(u, v, r, angle, foil)
    assert np.all(surge * u + sway * v + moment * r <= 1e-9)


@kinds
def test_mirrors_to_the_other_side(rng, foil):
    u, v, r, angle = rng.uniform(-3.0, 3.0, size=(4, 500))
    one, mirrored = foil_force(u, v, r, angle, foil), foil_force(u, -v, -r, -angle, foil._replace(y=-foil.y))
    np.testing.assert_allclose(mirrored, (one[0], -one[1], -one[2]), rtol=1e-11, atol=1e-11)


def test_yaw_rate_is_felt_where_the_foil_is():
    """A keel at x feels the sway of r x, as one at the boat's point feels a sway velocity."""
    keel = RUDDER._replace(steer=None)
    turning = foil_force(1.0, 0.1, 0.4, None, keel)
    assert turning[:2] == pytest.approx(foil_force(1.0, 0.1 + 0.4 * keel.x, 0.0, None, keel)[:2], rel=1e-14)
    aside = foil_force(1.0, 0.0, 0.4, None, keel._replace(x=0.0, y=0.5))
    assert aside[0] == pytest.approx(foil_force(1.0 - 0.4 * 0.5, 0.0, 0.0, None, keel)[0], rel=1e-14)


def test_positive_angle_of_a_rudder_astern_turns_to_starboard():
    assert foil_force(1.0, 0.0, 0.0, 0.2, RUDDER)[2] < 0.0 < foil_force(1.0, 0.0, 0.0, -0.2, RUDDER)[2]


def test_centre_of_effort_lies_aft_of_the_axis():
    """With the boom to starboard (positive angle), drive ahead turns the boat to port, into the wind from port."""
    aft, on = foil_force(0.0, 4.0, 0.0, 1.2, SAIL), foil_force(0.0, 4.0, 0.0, 1.2, SAIL._replace(aft=0.0))
    assert aft[:2] == on[:2]
    place = SAIL.x - 0.3 * math.cos(1.2), -0.3 * math.sin(1.2)
    assert aft[2] == pytest.approx(place[0] * aft[1] - place[1] * aft[0], rel=1e-14)
    assert aft[0] == pytest.approx(polar_form(0.0, 4.0, 1.2, SAIL)[0], rel=1e-12)


def test_table_is_the_closed_form_where_it_holds_it(rng):
    attack = np.linspace(0.0, 180.0, 721)
    twice = np.radians(2.0 * attack)
    rows = np.stack((attack, np.where(attack % 180.0 == 0.0, 0.0, 1.5 * np.sin(twice)), 0.02 + 1.0 - np.cos(twice)), 1)
    tabled = RUDDER._replace(curve=curve_of_table(rows.tolist(), 'table'))
    u, v, r, angle = rng.uniform(-2.0, 2.0, size=(4, 300))
    np.testing.assert_allclose(foil_force(u, v, r, angle, tabled), foil_force(u, v, r, angle, RUDDER), atol=2e-2)


def test_stall_as_the_table_has_it():
    """Lift at 12 degrees is more than at 16; a flow from the trailing edge is the mirrored one."""
    pressure = 0.5 * 1000.0 * 0.02
    for attack, lift, drag in ((12.0, 1.1, 0.06), (16.0, 0.8, 0.2), (14.0, 0.95, 0.13)):
        surge, sway, _ = foil_force(1.0, 0.0, 0.0, math.radians(attack), TABLED)
        assert (surge, sway) == pytest.approx((-pressure * drag, pressure * lift), rel=1e-12)
        surge, sway, _ = foil_force(-1.0, 0.0, 0.0, math.radians(attack), TABLED)
        assert (surge, sway) == pytest.approx((pressure * drag, -pressure * lift), rel=1e-12)


def test_slipstream_is_the_actuator_discs():
    """At rest a screw's wash is sqrt(2 T / (rho A)); the whole foil in it has the force of that speed."""
    washed = RUDDER._replace(wash=Wash((0.0, 1.0), share=1.0, gain=1.0, diameter=0.1))
    speed = math.sqrt(2.0 * 11.5 / (1000.0 * math.pi * 0.05 ** 2))
    got = foil_force_of(0.2, washed, Relative(0.0, 0.0, 0.0, 0.0, 0.0), (99.0, 11.5))
    assert got == pytest.approx(foil_force(speed, 0.0, 0.0, 0.2, RUDDER), rel=1e-12)
    astern = foil_force_of(0.2, washed, Relative(0.7, 0.1, 0.0, 0.0, 0.0), (99.0, -5.0))
    assert astern == pytest.approx(foil_force(0.7, 0.1, 0.0, 0.2, RUDDER), rel=1e-12)
    half = washed._replace(wash=Wash((0.0, 1.0), 0.5, 1.0, 0.1))
    met = math.sqrt(0.5 * (speed ** 2 + 1.0) + 0.5)
    got = foil_force_of(0.2, half, Relative(1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 11.5))
    assert got == pytest.approx(foil_force(met, 0.0, 0.0, 0.2, RUDDER), rel=1e-12)
    moment = got[2]
    found = rudder_angle_of_moment(moment, half, Relative(1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 11.5))
    assert found == pytest.approx(0.2, rel=1e-9)


def test_a_foil_in_air_feels_the_apparent_wind():
    at = Relative(1.0, 0.0, 0.0, -3.0, -2.0)
    assert foil_force_of(0.3, SAIL, at, ()) == foil_force(3.0, 2.0, 0.0, 0.3, SAIL)
    assert foil_force_of(0.3, SAIL._replace(in_air=None), at, ()) == foil_force(1.0, 0.0, 0.0, 0.3, SAIL)


@kinds
def test_floats_arrays_and_compiled_code_agree(rng, foil):
    numba = pytest.importorskip('numba')
    compile_kernels()
    foil = foil._replace(wash=Wash((1.0,), 0.7, 0.9, 0.12)) if foil.in_air is None else foil

    @numba.njit
    def compiled(at, thrusts, angle, moment, foil):
        return (foil_force_of(angle, foil, at, thrusts), rudder_angle_of_moment(moment, foil, at, thrusts),
                sail_angle(at.u_w, at.v_w, foil.steer), driving_sail_angle(at.u_w, at.v_w, foil))

    rows = rng.uniform(-2.0, 2.0, size=(200, 8))
    rows[0, :6] = 0.0
    columns = [np.ascontiguousarray(column) for column in rows.T]
    in_arrays = (*foil_force_of(columns[6], foil, Relative(*columns[:5]), (columns[5],)),
                 rudder_angle_of_moment(columns[7], foil, Relative(*columns[:5]), (columns[5],)),
                 sail_angle(columns[3], columns[4], foil.steer), driving_sail_angle(columns[3], columns[4], foil))
    for n, row in enumerate(rows.tolist()):
        at, thrusts = Relative(*row[:5]), (row[5],)
        plain = (*foil_force_of(row[6], foil, at, thrusts), rudder_angle_of_moment(row[7], foil, at, thrusts),
                 sail_angle(at.u_w, at.v_w, foil.steer), driving_sail_angle(at.u_w, at.v_w, foil))
        force, *angles = compiled(at, thrusts, row[6], row[7], foil)
        np.testing.assert_allclose((*force, *angles), plain, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose([column[n] for column in in_arrays], plain, rtol=1e-9, atol=1e-9)


def test_a_fixed_foil_is_one_that_stands_along_the_boat(rng):
    """Its centre of effort lies aft of its place, too, and a table abaft the beam is not that from ahead."""
    rows = [[0, 0, 0.01], [12, 1.1, 0.06], [90, 0.2, 1.4], [150, -0.5, 0.8], [180, 0, 0.03]]
    lopsided = curve_of_table(rows, 'table')
    for u, v, r in rng.uniform(-2.0, 2.0, size=(20, 3)).tolist():
        for foil in (SAIL, TABLED._replace(aft=0.07, curve=lopsided)):
            assert foil_force(u, v, r, None, foil) == pytest.approx(foil_force(u, v, r, 0.0, foil), rel=1e-12)


def test_behind_a_screw_that_stands_still_a_foil_meets_the_boats_own_speed():
    foil = RUDDER._replace(wash=Wash((0.0, 1.0), 0.6, 0.9, 0.1))
    for u in (1.3, -0.7):
        at = Relative(u, 0.2, 0.1, 0.0, 0.0)
        assert foil_force_of(0.2, foil, at, (5.0, 0.0)) == pytest.approx(foil_force(u, 0.2, 0.1, 0.2, RUDDER))
