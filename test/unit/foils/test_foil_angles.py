"""The angles of rudders and sails: the smallest that gives a moment, limits, the most drive."""

import math

import numpy as np
import pytest
from foil_shapes import ALL_ROUND, PLATE, RUDDER, SAIL, TABLED

from usv_energy.foils.foil import Steer
from usv_energy.foils.foil_force import driving_sail_angle, foil_force, rudder_angle_of_moment, sail_angle
from usv_energy.physics.motion import Relative


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
