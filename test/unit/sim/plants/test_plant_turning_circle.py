"""The turning circle of the rudder boat: a run of the plant against the balance of forces, written out by angles."""

import math

import pytest
from scipy.optimize import fsolve

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant import Plant

BOAT = read_boat('lutra_rudder').vessel
BOAT = BOAT._replace(windage=BOAT.windage._replace(frontal_area=0.0, lateral_area=0.0))


def balance(motion, angle, thrust, vessel):
    """
    Return surge N, sway N and yaw moment N m that are left over in a steady turn u, v, r.

    Fossen (2011), (3.57) and (6.46) with M = diag(m11, m22, m33): X + m22 v r = d11 u|u|, Y - m11 u r = d22 v|v|,
    N - (m22 - m11) u v = d33 r|r|; the rudder by its angle of attack, lift 1.5 sin 2a, drag 1 - cos 2a.
    """
    u, v, r = motion
    rudder, inertia, damping = vessel.foils[0], vessel.inertia, vessel.damping
    x, y = rudder.x - rudder.aft * math.cos(angle), rudder.y - rudder.aft * math.sin(angle)
    u_f, v_f = u - r * y, v + r * x
    course, pressure = math.atan2(v_f, u_f), 0.5 * rudder.density * rudder.area * (u_f ** 2 + v_f ** 2)
    lift, drag = 1.5 * math.sin(2.0 * (course - angle)), 1.0 - math.cos(2.0 * (course - angle))
    surge = pressure * (-drag * math.cos(course) + lift * math.sin(course))
    sway = pressure * (-drag * math.sin(course) - lift * math.cos(course))
    return (thrust * math.cos(math.radians(15.0)) + surge + inertia.m22 * v * r - damping.d11_q * u * abs(u),
            sway - inertia.m11 * u * r - damping.d22_q * v * abs(v),
            x * sway - y * surge - (inertia.m22 - inertia.m11) * u * v - damping.d33_q * r * abs(r))


@pytest.mark.parametrize('degrees', [10.0, 25.0, 40.0, -25.0])
def test_turning_circle_is_that_of_the_balance(degrees):
    angle = math.radians(degrees)
    plant = Plant(BOAT, (0.0, 0.0, 0.0), lambda *_: STILL, 0.05)
    for _ in range(2400):
        plant.advance(Setting((11.5,), (None,), (angle,)))
    state = plant.state
    motion = state.u_r, state.v_r, state.r
    assert balance(motion, angle, 11.5, BOAT) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    solved = fsolve(balance, (0.9, 0.1, -0.2 * math.copysign(1.0, angle)), (angle, 11.5, BOAT), xtol=1e-12)
    assert motion == pytest.approx(solved, rel=1e-5)
    assert state.r * angle < 0.0 < state.v_r * angle, 'a positive angle turns to starboard; the boat drifts outward'
    # The place goes round a circle of the radius V / r: after half a turn it is a diameter away.
    radius = math.hypot(state.u_r, state.v_r) / abs(state.r)
    steps = round(math.pi / abs(state.r) / 0.05)
    for _ in range(steps):
        plant.advance(Setting((11.5,), (None,), (angle,)))
    chord = 2.0 * radius * math.sin(0.5 * steps * 0.05 * abs(state.r))
    assert math.hypot(plant.state.x - state.x, plant.state.y - state.y) == pytest.approx(chord, rel=1e-5)


def test_more_rudder_turns_tighter_up_to_stall_of_the_closed_form():
    radii = []
    for degrees in (5.0, 15.0, 30.0, 40.0):
        u, v, r = fsolve(balance, (0.9, 0.1, -0.2), (math.radians(degrees), 11.5, BOAT))
        radii.append(math.hypot(u, v) / abs(r))
    assert radii == sorted(radii, reverse=True)
