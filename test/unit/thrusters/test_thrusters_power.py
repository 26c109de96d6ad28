import math

import pytest
from usv_energy.power.thrusters_power import _powers_of_pair, given_powers, thrusters_powers
from usv_energy.thrusters.power_of_thruster import straight_powers
from usv_energy.thrusters.propulsion import given_power
from usv_energy.thrusters.thrusters_force import hull_force

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.mounting import speed_along

LUTRA = read_boat('lutra_prop').vessel
TILT = math.cos(math.radians(15.0))


def given(thrusts, u_r, r):
    """Return what the thrusters of LUTRA give, W."""
    return given_powers(Relative(u_r, 0.0, r, -u_r, 0.0), thrusts, (None, None), LUTRA)


def test_what_thrusters_give_is_of_each_at_its_own_speed():
    """Turning on the spot by opposed thrusts both give; ahead, only the one that pushes does."""
    tilt, arm = LUTRA.thrusters[0].efficiency_of_tilt, LUTRA.thrusters[0].y
    assert speed_along(1.0, 0.0, 0.5, None, LUTRA.thrusters[0]) == pytest.approx(tilt * (1.0 - 0.5 * arm))
    assert given((-6.0, 6.0), 0.0, 0.4) == pytest.approx(2.0 * 6.0 * tilt * arm * 0.4)
    assert given((-6.0, 6.0), 1.0, 0.0) == pytest.approx(6.0 * tilt)
    assert given((-6.0, -6.0), 1.0, 0.0) == 0.0
    assert given_power(-3.0) == 0.0 and math.isnan(given_power(math.nan))


def test_a_pair_s_powers_are_the_sums_over_both():
    """Thrusts of 4 and 2 N at their own speeds in a turn: useful, given and drawn."""
    at = Relative(1.0, 0.1, 0.3, -1.0, 0.0)
    force = hull_force((4.0, 2.0), LUTRA)
    found, prices = _powers_of_pair(at, force, LUTRA)
    each = [straight_powers(at, thrust, one, LUTRA.losses) for thrust, one in zip((4.0, 2.0), LUTRA.thrusters)]
    assert found == pytest.approx(tuple(one + other for one, other in zip(*each))) and prices is None
    assert min(found) > 0.0


def test_what_is_given_is_not_what_is_drawn():
    """Half is lost: 4 and 2 N at 1 m/s give 6 N m/s, tilted, and draw twice that."""
    lossy, at = LUTRA._replace(losses=LUTRA.losses._replace(efficiency=0.5)), Relative(1.0, 0.0, 0.0, -1.0, 0.0)
    assert given_powers(at, (4.0, 2.0), (None, None), lossy) == pytest.approx(6.0 * TILT)
    assert thrusters_powers(at, hull_force((4.0, 2.0), lossy), lossy) == pytest.approx(
        (6.0 * TILT, 6.0 * TILT, 12.0 * TILT))
