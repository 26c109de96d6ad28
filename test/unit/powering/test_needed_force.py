"""What a hull needs in waves that move the water about it, against closed forms of the drag."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative, WaveAction
from usv_energy.powering.power import needed_of

CALM_AIR = read_boat('lutra_prop').vessel
CALM_AIR = CALM_AIR._replace(windage=CALM_AIR.windage._replace(air_density=0.0))
STEADY = (0.0, 0.0, 0.0)
DIAGONAL = CALM_AIR.damping._replace(d23=0.0, d32=0.0, d11_q=0.0, d22_q=0.0, d33_q=0.0)


def test_a_hull_that_moves_as_the_waves_move_the_water_has_no_drag():
    at = Relative(0.4, -0.3, 0.2, 0.0, 0.0)
    with_them = needed_of(at, STEADY, CALM_AIR, WaveAction(0.0, 0.0, 0.0, at.u_r, at.v_r, at.r))
    assert with_them.damping == pytest.approx(0.0, abs=1e-12)
    assert needed_of(at, STEADY, CALM_AIR).damping > 1.0


@pytest.mark.parametrize(('axis', 'name'), [(0, 'd11'), (1, 'd22'), (2, 'd33')])
def test_water_that_waves_move_against_a_hull_adds_to_its_drag(axis, name):
    """Linear: d (v + w) v for a hull at v in water that waves move by w against it; the force is that of calm water."""
    speed, against = 0.4, 0.1
    motion, moved = [0.0] * 3, [0.0] * 3
    motion[axis], moved[axis] = speed, -against
    vessel = CALM_AIR._replace(damping=DIAGONAL)
    drag = getattr(DIAGONAL, name)
    found = needed_of(Relative(*motion, 0.0, 0.0), STEADY, vessel, WaveAction(0.0, 0.0, 0.0, *moved))
    assert found.damping == pytest.approx(drag * (speed + against) * speed, rel=1e-12)
    assert found.force[axis] == pytest.approx(drag * speed, rel=1e-12)
    # Thrusters work at the water's own speed: what they give beyond the drag goes into the waves, or comes from them.
    given = found.force[axis] * (speed + against)
    assert found.damping + found.waves == pytest.approx(given, rel=1e-12)


def test_what_a_motion_needs_is_newtons_law_in_all_three_axes():
    """Against Fossen's matrices (2011, 6.5 and 7.1) and a side wind, by numpy: no two numbers are alike."""
    vessel = read_boat('lutra_prop').vessel
    vessel = vessel._replace(inertia=vessel.inertia._replace(m11=7.0, m22=11.0, m33=1.7, m23=0.6),
                             damping=DIAGONAL._replace(d11=3.1, d22=5.3, d33=1.9, d11_q=0.0),
                             windage=vessel.windage._replace(lateral_x=0.3, yaw_arm=None))
    speed, rate = np.array([0.7, -0.4, 0.9]), np.array([0.25, 0.55, -0.35])
    masses = np.array([[7.0, 0.0, 0.0], [0.0, 11.0, 0.6], [0.0, 0.6, 1.7]])
    sway, surge = 11.0 * speed[1] + 0.6 * speed[2], 7.0 * speed[0]
    coriolis = np.array([[0.0, 0.0, -sway], [0.0, 0.0, surge], [sway, -surge, 0.0]])
    drag, air = np.array([3.1, 5.3, 1.9]), vessel.windage
    u_w, v_w = -2.3, 1.4
    push = 0.5 * air.air_density * math.hypot(u_w, v_w) * np.array(
        [air.frontal_area * air.c_x * u_w, air.lateral_area * air.c_y * v_w, 0.3 * air.lateral_area * air.c_y * v_w])
    inertia, at = masses @ rate, Relative(*speed, u_w, v_w)
    needed = inertia + coriolis @ speed + drag * speed - push
    calm = needed_of(at, tuple(rate), vessel)
    assert calm == (pytest.approx(inertia @ speed), pytest.approx(drag * speed @ speed),
                    pytest.approx(-push @ speed), 0.0, pytest.approx(tuple(needed)))
    waves, moved = np.array([-0.8, 0.5, 0.23]), np.array([0.13, -0.21, 0.17])
    found = needed_of(at, tuple(rate), vessel, WaveAction(*waves, *moved))
    in_moved_water = drag * (speed - moved)
    # Of the thrusters' own work, force times what they have of speed through the moved water, the rest is the waves'.
    work = (needed - waves) @ (speed - moved) - (inertia - push) @ speed
    assert found == (calm.inertia, pytest.approx(in_moved_water @ speed), calm.wind,
                     pytest.approx(work - in_moved_water @ speed), pytest.approx(tuple(needed - waves)))
