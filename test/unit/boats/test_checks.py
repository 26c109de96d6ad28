import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import check_vessel
from usv_energy.boats.vessel import Losses
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil, Steer, Wash
from usv_energy.thrusters.thruster import Azimuth

VESSEL = read_boat('lutra_prop').vessel
INERTIA, DAMPING = VESSEL.inertia, VESSEL.damping
MAP = Losses(1.0, 1.0, np.array([-12.0, 0.0, 12.0]), np.array([40.0, 1.0, 40.0]))


def with_limits(low, high):
    return VESSEL._replace(thrusters=tuple(t._replace(min_thrust=low, max_thrust=high) for t in VESSEL.thrusters))


@pytest.mark.parametrize('vessel, words', [
    (with_limits(2.0, 2.0), 'thrusters.0.min_thrust is 2.0; must be less than max_thrust, 2.0'),
    (with_limits(-1.0, np.array([5.0, -1.0])),
     'thrusters.0.min_thrust is -1.0; must be less than max_thrust, -1.0 (run 1)'),
    (VESSEL._replace(thrusters=(VESSEL.thrusters[0], VESSEL.thrusters[1]._replace(azimuth=Azimuth(0.5, -0.5, 1.0)))),
     'thrusters.1.azimuth.min_angle_deg is 28.6479; must be less than max_angle_deg, -28.6479'),
    (VESSEL._replace(inertia=INERTIA._replace(m23=-3.5)),
     'inertia.m23 is -3.5; its square must be less than m22 m33, 12'),
    (VESSEL._replace(inertia=INERTIA._replace(m23=np.array([0.0, 0.1, 4.0]))), 'inertia.m23 is 4.0; its square'),
    (VESSEL._replace(inertia=INERTIA._replace(m23=1e308)), 'inertia.m23 is 1e+308; its square must be less than'),
    (VESSEL._replace(damping=DAMPING._replace(d32=1e308)), 'damping.linear.d23 + d32 is 1e+308; its square must be'),
    (VESSEL._replace(damping=DAMPING._replace(d23=14.0)), 'damping.linear.d23 + d32 is 14; its square must be at most'),
    (VESSEL._replace(damping=DAMPING._replace(d32_u=1.0)), 'damping.speed.d23 + d32 is 1; its square must be at most'),
    (VESSEL._replace(losses=MAP._replace(efficiency=0.5)),
     'losses.efficiency is 0.5 beside a map; must be 1 or left out'),
    (VESSEL._replace(losses=MAP._replace(map_thrust=np.array([-12.0, 12.0, 12.0]))), 'losses.map has the thrusts'),
    (VESSEL._replace(losses=MAP._replace(map_power=np.array([1.0, -1.0, 1.0]))), 'losses.map has the powers'),
    (with_limits(-11.5, np.array([11.5, 12.5]))._replace(losses=MAP),
     'losses.map goes from -12.0 to 12.0 N; must cover the thrusters, -11.5 to 12.5 N (run 1)')])
def test_what_does_not_go_together_is_named_with_its_value(vessel, words):
    with pytest.raises(InputError) as caught:
        check_vessel(vessel, 'boat.')
    assert str(caught.value).startswith(f'boat.{words}')


def test_a_boat_at_the_border_is_good():
    """Damping that takes no power from one motion is allowed, and so is its rounding; so is a map that just covers."""
    border = 2.0 * (DAMPING.d22 * DAMPING.d33) ** 0.5
    check_vessel(VESSEL._replace(damping=DAMPING._replace(d23=border)), '')
    check_vessel(with_limits(-12.0, 12.0)._replace(losses=MAP), '')
    check_vessel(VESSEL._replace(inertia=INERTIA._replace(m23=np.array([-3.4, 3.4]))), '')
    check_vessel(VESSEL._replace(thrusters=tuple(t._replace(azimuth=Azimuth(-0.5, 0.5, 1.0))
                                                 for t in VESSEL.thrusters)), '')


def test_a_rudder_and_its_screw_stand_in_one_fluid_and_no_thruster_needs_a_sail():
    """In air or in water both; a share of 0 is of another thruster, of any fluid."""
    left, right = VESSEL.thrusters
    sail = Foil(0.2, 0.0, 2.0, 1.2, 1.5, 1.0, 0.0, 0.3, steer=Steer(-1.0, 1.0, 1.0), in_air=1.0, sail=1.0)
    check_vessel(VESSEL._replace(thrusters=(), foils=(sail,)), '')
    with pytest.raises(InputError, match=r'^thrusters is \[\]; must hold at least one'):
        check_vessel(VESSEL._replace(thrusters=(), foils=(sail._replace(sail=None),)), '')
    for fluid, other, words in ((None, 1.0, 'one in air; must be one in water'), (1.0, None, 'one in water; must be')):
        rudder = sail._replace(in_air=fluid, sail=None, wash=Wash((1.0, 0.0), 1.0, 1.0, 0.1))
        check_vessel(VESSEL._replace(thrusters=(left._replace(in_air=fluid), right._replace(in_air=other)),
                                     foils=(rudder,)), '')
        with pytest.raises(InputError, match=rf'^foils\.0\.wash\.thruster is {words}'):
            check_vessel(VESSEL._replace(thrusters=(left._replace(in_air=other), right._replace(in_air=fluid)),
                                         foils=(rudder,)), '')


def test_an_angle_without_a_range_is_none_and_a_map_may_hold_nothing():
    stuck = VESSEL.thrusters[1]._replace(azimuth=Azimuth(0.5, 0.5, 1.0))
    with pytest.raises(InputError, match=r'thrusters\.1\.azimuth\.min_angle_deg is 28\.6479; must be less than'):
        check_vessel(VESSEL._replace(thrusters=(VESSEL.thrusters[0], stuck)), '')
    check_vessel(VESSEL._replace(losses=MAP._replace(map_power=np.array([40.0, 0.0, 40.0]))), '')
