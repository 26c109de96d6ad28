import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Losses
from usv_energy.thrusters.drive import drawn_by_map, lagged_command, limited_command

LUTRA = read_boat('lutra_prop').vessel
MAP = Losses(1.0, 1.0, np.array([-10.0, 0.0, 10.0]), np.array([80.0, 0.0, 120.0]))


def test_commands_are_limited():
    port = LUTRA.thrusters[0]
    assert [limited_command(command, port) for command in (-20.0, -11.5, 3.0, 11.5, 20.0)] == [
        -11.5, -11.5, 3.0, 11.5, 11.5]
    assert math.isnan(limited_command(math.nan, port))


def test_lag_is_an_exact_exponential_whatever_the_step():
    """Twenty steps of 0.05 s and one of 1 s end at the same thrust, F (1 - exp(-t / T))."""
    lag = 0.4
    thrust = 0.0
    for _ in range(20):
        thrust = lagged_command(thrust, 8.0, math.exp(-0.05 / lag))
    assert thrust == pytest.approx(8.0 * (1.0 - math.exp(-1.0 / lag)), rel=1e-14)
    assert lagged_command(0.0, 8.0, math.exp(-1.0 / lag)) == pytest.approx(thrust, rel=1e-14)
    assert lagged_command(3.0, 8.0, 0.0) == 8.0


def test_losses_by_map_are_what_the_thruster_draws():
    # 5 N draws half of 120 W, -2.5 N a quarter of 80 W; beyond the map's ends it is that of the end.
    assert [drawn_by_map(thrust, MAP) for thrust in (5.0, -2.5, 0.0, 100.0)] == pytest.approx([60.0, 20.0, 0.0, 120.0])
    assert drawn_by_map(5.0, LUTRA.losses) == 0.0
    thrusts = np.linspace(-12.0, 12.0, 50)
    np.testing.assert_allclose(drawn_by_map(thrusts, MAP), [drawn_by_map(float(one), MAP) for one in thrusts],
                               rtol=1e-14)


def test_a_boat_without_a_map_draws_nothing_by_it():
    losses = read_boat('lutra_prop').vessel.losses._replace(mapped=0.0)
    np.testing.assert_array_equal(drawn_by_map(np.array([-3.0, 0.0, 3.0]), losses), 0.0)
