import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.foil_force import foil_force_of
from usv_energy.physics.power import Relative
from usv_energy.physics.rudder_balance import foils_of_force, rudder_angles

RUDDER = read_boat('lutra_rudder').vessel
SAIL = read_boat('lutra_sail').vessel


@pytest.mark.parametrize('moment', [-0.2, 0.0, 0.05, 0.3])
def test_a_rudder_gives_the_yaw_moment_that_is_left_to_it(moment):
    """As a helmsman finds its angle; its drag is in the force that it makes."""
    at = Relative(0.9, 0.05, 0.02, -0.9, -0.05)
    angle, = rudder_angles(moment, at, (5.0,), RUDDER)
    force = foil_force_of((at, (5.0,)), angle, RUDDER.foils[0])
    assert force[2] == pytest.approx(moment, abs=1e-9)
    assert foils_of_force(at, (4.0, 0.0, moment), RUDDER) == pytest.approx(force, abs=1e-9)


def test_beyond_what_it_can_a_rudder_gives_its_most():
    at = Relative(0.9, 0.0, 0.0, -0.9, 0.0)
    found = [foils_of_force(at, (4.0, 0.0, moment), RUDDER)[2] for moment in (-9.0, -3.0, 3.0, 9.0)]
    assert found[0] == pytest.approx(found[1]) and found[2] == pytest.approx(found[3]) == pytest.approx(-found[0])
    assert 0.0 < found[3] < 3.0


def test_a_sail_is_trimmed_to_half_of_the_apparent_wind_and_a_keel_stands():
    """Wind from 60 degrees on the port bow."""
    angle = math.radians(60.0)
    at = Relative(0.5, 0.0, 0.0, -3.0 * math.cos(angle), -3.0 * math.sin(angle))
    sail, keel, rudder = rudder_angles(0.0, at, (), SAIL)
    assert sail == pytest.approx(0.5 * angle) and keel is None and abs(rudder) < 0.6


def test_a_boat_without_foils_has_no_force_of_them():
    lutra = read_boat('lutra_prop').vessel
    assert foils_of_force(Relative(1.0, 0.2, 0.1, -1.0, 0.0), (5.0, 1.0, 0.3), lutra) == (0.0, 0.0, 0.0)
