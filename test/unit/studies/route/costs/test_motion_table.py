"""A table of steady motions follows the physics, the boat's formula and the power law that it is made of."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.costs.motion_table import SteadyCost, motion_table, tabulated
from usv_energy.studies.route.route_problem import PowerLaw


def test_power_in_still_air_is_the_drag_s_formula():
    """The Lutra Prop's drag is linear, d11 = 16.296 N s/m: P = d11 u^2, up to 22 N / d11 (thesis, table 5.2)."""
    table = motion_table(read_boat('lutra_prop').vessel, 2.0, loads=3.0)
    speed, aside = np.linspace(0.05, 1.3, 40), np.zeros(40)
    exact = 3.0 + 16.296 * speed ** 2  # Air that goes with the boat does not push it.
    np.testing.assert_allclose(table.power(speed, speed, aside), exact, rtol=2e-4)


@pytest.mark.parametrize(('boat', 'air'), [('lutra_prop', 3.0), ('blueboat_start', 6.0), ('wamv', 8.0), ('otter', 3.0)])
def test_power_is_within_a_thousandth_of_the_physics(boat, air):
    vessel = read_boat(boat).vessel
    table = motion_table(vessel, air)
    along, across, share = np.random.default_rng(60).uniform((-air, -air, 0.05), (air, air, 0.97), (2000, 3)).T
    speed = share * table.top_speed(along, across)
    exact = SteadyCost(vessel).power(speed, along, across)
    wrong = (abs(table.power(speed, along, across) - exact) / exact.clip(0.01 * exact.max()))
    assert np.quantile(wrong, 0.95) < 1e-3
    assert np.median(wrong) < 1e-4
    assert table.error < 1e-3


def test_the_same_air_in_another_frame_is_the_same_power():
    """A current shifts the frame, a turn of the world turns it: the table needs neither."""
    vessel = read_boat('blueboat_start').vessel
    table = motion_table(vessel, 4.0)
    course, current, wind = 0.7, np.array([0.4, -0.3]), np.array([2.0, 1.5])
    water = 1.2 * np.array([np.cos(2.1), np.sin(2.1)])
    ground, air = water + current, wind - current
    ahead, port = np.array([np.cos(2.1), np.sin(2.1)]), np.array([-np.sin(2.1), np.cos(2.1)])
    course, speed = np.arctan2(ground[1], ground[0]), np.hypot(*ground)
    exact = steady_state(vessel, course, speed, Flow(*current, *wind)).power.total
    assert table.power(1.2, air @ ahead, air @ port) == pytest.approx(exact, rel=3e-4)


def test_what_cannot_be_held_has_no_power_and_rest_costs_what_standing_costs():
    table = motion_table(read_boat('otter').vessel, 2.0, loads=1.5)
    top = table.top_speed(np.array([-1.0]), np.array([0.5]))
    speeds = np.concatenate((np.zeros(1), top, 1.001 * top))
    assert np.isnan(table.power(speeds, -1.0, 0.5)).tolist() == [False, False, True]
    assert table.power(0.0, -1.0, 0.5) == pytest.approx(read_boat('otter').vessel.static_load + 1.5, abs=1e-9)
    assert np.isnan(table.power(1.0, 2.2, 0.0))
    assert np.isnan(table.top_speed(0.0, -2.2))


def test_a_tabulated_power_law_is_the_power_law():
    law = PowerLaw(3.0, 3.0, hotel=2.0)
    table = tabulated(law, 1.0, 2.5)
    speed = np.random.default_rng(4).uniform(0.0, 2.5, 300)
    np.testing.assert_allclose(table.power(speed, 0.3, -0.7), law.power(speed, 0.0, 0.0), rtol=1e-6)
    assert table.top_speed(0.0, 0.0) == pytest.approx(2.5, rel=1e-12)


def test_a_sail_alone_and_an_endless_air_are_refused():
    with pytest.raises(InputError, match='has no thruster'):
        motion_table(read_boat('lutra_prop').vessel._replace(thrusters=()), 1.0)
    with pytest.raises(InputError, match='air of inf m/s'):
        motion_table(read_boat('lutra_prop').vessel, np.inf)
