"""The speeds that USVsim's paper publishes, [S] tables 2 and 3, by one drag coefficient a boat, and others' figures."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL
from usv_energy.studies.plan.steady_motion import steady_state, top_speed

PROP, FAN, RUDDER = (read_boat(name).vessel for name in ('lutra_prop_usvsim', 'lutra_airboat', 'lutra_rudder'))


def speed_at(vessel, thrust_ahead):
    """Return the top speed with all thrusters together limited to a thrust ahead, N."""
    share = thrust_ahead / sum(one.efficiency_of_tilt for one in vessel.thrusters)
    return top_speed(vessel._replace(thrusters=tuple(one._replace(max_thrust=share) for one in vessel.thrusters)))


def test_airboat_at_full_thrust():
    """0.67 m/s; sqrt(3.13 / 6.9) = 0.6735 in a vacuum ([S] table 3; its table 2 has 3.1 N), 0.2 % less in still air."""
    still = FAN._replace(windage=FAN.windage._replace(frontal_area=0.0))
    assert top_speed(still) == pytest.approx(math.sqrt(3.13 / 6.9), rel=1e-9)
    assert top_speed(FAN) == pytest.approx(0.670, rel=5e-3)


@pytest.mark.parametrize('thrust, speed', [(22.54, 1.410), (17.93, 1.258), (16.46, 1.205)])
def test_pwm_table_of_the_differential_boat(thrust, speed):
    assert speed_at(PROP, thrust) == pytest.approx(speed, rel=0.01)


@pytest.mark.parametrize('thrust, speed', [(3.13, 0.674), (2.64, 0.619), (2.35, 0.584), (1.86, 0.519)])
def test_pwm_table_of_the_airboat(thrust, speed):
    assert speed_at(FAN, thrust) == pytest.approx(speed, rel=0.01)


def test_rudder_boat_has_one_of_the_differential_boats_thrusters():
    """Half of its thrust on the same drag: 1 / sqrt(2) of its speed, less a little in still air."""
    assert top_speed(RUDDER) == pytest.approx(top_speed(PROP) / math.sqrt(2.0), rel=1e-6)


KNOT = 1852.0 / 3600.0  # m/s


def watts(name, speed):
    """Return the electrical power of a shipped boat at speeds ahead, m/s, in still water and air, W."""
    return steady_state(read_boat(name).vessel, 0.0, np.array(speed), STILL).power.total


def test_the_kayak_reaches_what_its_owner_saw():
    """4.7 knots at full power in a strong cross wind, which no number is from; 3.6 % more in still air."""
    assert top_speed(read_boat('kayak').vessel) == pytest.approx(4.7 * KNOT, rel=0.05)


def test_the_otter_s_numbers_are_of_one_piece():
    """6 knots at 24.4 kgf, and the 833.8 W of its power budget; still air takes 1 % of the speed."""
    top = top_speed(read_boat('otter').vessel)
    assert top == pytest.approx(6.0 * KNOT, rel=0.01)
    assert watts('otter', [top - 1e-6])[0] == pytest.approx(833.76, rel=1e-4)


def test_the_blueboat_s_watts_are_its_maker_s_from_2_m_s_up():
    """No number of the file is from these watts, which have no hotel load: 2.1 W at 0.5 m/s are less than one."""
    found = watts('blueboat', [2.0, 2.5, 2.78]) - read_boat('blueboat').vessel.static_load
    assert found[1:] == pytest.approx(np.array([400.0, 507.6]), rel=0.10)
    assert found[0] == pytest.approx(197.8, rel=0.16)
