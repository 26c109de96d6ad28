"""The physics' own function bodies, called from numba's nopython code, give what they give on floats."""

import math

import numba
import numpy as np
import pytest
from usv_energy.thrusters.propulsion import allocated_pair

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Losses
from usv_energy.physics import elementwise
from usv_energy.physics.battery import Battery, battery_level
from usv_energy.physics.compiled_kernels import _interpolated, compile_kernels
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow, Motion
from usv_energy.power.actuators import Setting
from usv_energy.power.power import power_as_published, power_rep103, speed_through_water
from usv_energy.sim.plant import Plant
from usv_energy.sim.plant_step import PlantState, held_flow, rk4_step, state_rate
from usv_energy.thrusters.drive import lagged_command, limited_command

NEEDS = ('numba',)

LUTRA = read_boat('lutra_prop').vessel
MAPPED = read_boat('lutra_prop_usvsim').vessel._replace(
    static_load=4.0, losses=Losses(1.0, 1.0, np.array([-12.0, 0.0, 12.0]), np.array([90.0, 1.0, 150.0])))
boats = pytest.mark.parametrize('vessel', [LUTRA, MAPPED], ids=['lutra', 'mapped'])
ONE_PART_IN_1E12 = {'rtol': 1e-12, 'atol': 1e-12}


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


def test_every_kernel_is_named_and_asking_twice_is_harmless(compiled_kernels):
    assert compile_kernels() == compiled_kernels
    assert {'power_rep103', 'power_as_published', 'state_rate', 'rk4_step', 'wind_force', 'to_body',
            'acceleration', 'allocated_pair', 'battery_level'} <= set(compiled_kernels)


@numba.njit
def both_powers(motion, flow, vessel):
    ours = power_rep103(motion, flow, vessel)
    return ours, power_as_published(motion, flow, vessel), speed_through_water(ours)


@numba.njit
def one_step(state, force, setting, flow, vessel, step):
    return rk4_step(state, (force, force, force), (setting, setting, setting), 0.0, step, vessel, held_flow, (flow,))


@numba.njit
def many_steps(state, thrusts, flow, vessel, step, number):
    port, starboard = vessel.thrusters
    held = Setting((limited_command(thrusts[0], port), limited_command(thrusts[1], starboard)), (None, None), ())
    for _ in range(number):
        state = one_step(state, (0.0, 0.0, 0.0), held, flow, vessel, step)
    return state


@numba.njit
def parts(surge, yaw, thrust, energy, battery, vessel):
    port, starboard = allocated_pair(surge, yaw, vessel.thrusters)
    return (port, starboard, lagged_command(thrust, port, 0.7),
            battery_level(energy, 12.0, battery).charge)


@numba.njit
def written_otherwise(x, y):
    """Return what compiled code has forms of its own for."""
    return (elementwise.sin(x), elementwise.cos(x), elementwise.arctan2(y, x), elementwise.larger(x, y),
            elementwise.smaller(x, y))


@pytest.mark.parametrize('size', [1.0, 100.0, 1e6])
def test_angles_are_right_to_the_last_places(rng, size):
    """As numpy has them in extended precision; 2.3e-16 is one unit in the last place at 1, an angle's has four."""
    places = rng.uniform(-size, size, (2000, 2))
    found = np.array([written_otherwise(*place) for place in places.tolist()])
    x, y = places.astype(np.longdouble).T
    for column, exact, most in ((0, np.sin(x), 2.3e-16), (1, np.cos(x), 2.3e-16), (2, np.arctan2(y, x), 9e-16)):
        assert np.abs(found[:, column] - exact).max() < most


def test_the_larger_and_the_smaller_are_numpys_where_one_is_no_number_too():
    numbers = [math.nan, -math.inf, -1.0, 0.0, 2.0, math.inf]
    for x in numbers:
        for y in numbers:
            np.testing.assert_array_equal(written_otherwise(x, y)[3:], (np.maximum(x, y), np.minimum(x, y)))
    assert all(math.isnan(value) for value in written_otherwise(math.inf, 0.0)[:2])


@numba.njit
def held_and_turned(x, low, high, angle, turn):
    axis = elementwise.axis_at(angle)
    return (elementwise.within(x, low, high), *elementwise.axis_at(axis), *elementwise.axis_on(axis, angle, turn))


def test_what_is_held_within_limits_and_axes_that_turn_on_are_those_of_floats():
    """And of NaN; an axis turns on by a tenth of a radian, either way."""
    for x, low, high in ((0.3, -1.0, 1.0), (-3.0, -1.0, 1.0), (3.0, -1.0, 1.0), (math.nan, -1.0, 1.0),
                         (math.inf, -1.0, 1.0), (0.0, 2.0, -2.0)):
        for angle, turn in ((0.3, 0.1), (-4.0, -0.1), (2.0, 0.0)):
            np.testing.assert_allclose(
                held_and_turned(x, low, high, angle, turn),
                (elementwise.within(x, low, high), *elementwise.axis_at(angle),
                 *elementwise.axis_on(elementwise.axis_at(angle), angle, turn)), rtol=0.0, atol=1e-15)


@boats
def test_power(rng, vessel):
    for row in rng.uniform(-2.0, 2.0, size=(50, 11)).tolist():
        motion, flow = Motion(*row[:7]), Flow(*row[7:])
        ours, theirs, speed = both_powers(motion, flow, vessel)
        np.testing.assert_allclose(ours, power_rep103(motion, flow, vessel), **ONE_PART_IN_1E12)
        np.testing.assert_allclose(theirs, power_as_published(motion, flow, vessel), **ONE_PART_IN_1E12)
        assert speed == pytest.approx(speed_through_water(ours), rel=1e-12)


@boats
def test_what_is_no_number_stays_none(vessel):
    motion, flow = Motion(0.1, 1.0, 0.1, 0.1, 0.1, 0.1, 0.1), Flow(0.1, 0.1, 1.0, 1.0)
    for bad in (motion._replace(u=math.nan), motion._replace(yaw=math.inf)):
        ours, theirs, _ = both_powers(bad, flow, vessel)
        assert math.isnan(ours.total) and math.isnan(theirs.total)


@boats
def test_state_rate_and_a_runge_kutta_step(rng, vessel):
    rate = numba.njit(lambda state, force, thrusts, flow, boat: state_rate(state, force, thrusts, flow, boat))
    for row in rng.uniform(-2.0, 2.0, size=(20, 16)).tolist():
        state, flow, force = PlantState(*row[:7]), Flow(*row[7:11]), tuple(row[11:14])
        thrusts = Setting(tuple(row[14:]), (None, None), ())
        np.testing.assert_allclose(rate(state, force, thrusts, flow, vessel)[:7],
                                   state_rate(state, force, thrusts, flow, vessel)[:7],
                                   **ONE_PART_IN_1E12)
        np.testing.assert_allclose(one_step(state, force, thrusts, flow, vessel, 0.1)[:7],
                                   one_step.py_func(state, force, thrusts, flow, vessel, 0.1)[:7],
                                   **ONE_PART_IN_1E12)


@boats
def test_a_compiled_run_is_the_plants_run(vessel):
    """A thousand steps of a turning boat in wind and current; round-off may add up a thousandfold."""
    flow = Flow(*polar_to_earth(0.4, 45.0), *polar_to_earth(5.0, 30.0))
    plant = Plant(vessel, (0.0, 0.0, 0.0), lambda time, x, y: flow, 0.02)
    for _ in range(1000):
        plant.advance((15.0, 4.0))
    compiled = many_steps(PlantState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (15.0, 4.0), flow, vessel, 0.02, 1000)
    np.testing.assert_allclose(compiled[:7], plant.state[:7], rtol=1e-10, atol=1e-10)


def test_allocation_lag_and_battery(rng):
    battery = Battery(100.0, 20.0, 0.9)
    for surge, yaw, thrust, energy in rng.uniform(-30.0, 30.0, size=(20, 4)).tolist():
        arguments = surge, 0.1 * yaw, thrust, 1e4 * energy, battery, LUTRA
        np.testing.assert_allclose(parts(*arguments), parts.py_func(*arguments), rtol=1e-12)


def test_a_map_of_losses_is_interpolated_alike_by_tuples_and_arrays(rng):
    """Tuples of knots are unrolled, so that a loop over boats can be vectorised."""
    look_up = numba.njit(lambda x, knots_x, knots_y: elementwise.interpolate(x, knots_x, knots_y))
    knots_x, knots_y = (-4.0, -1.0, 0.0, 3.0), (9.0, 2.0, 0.5, 7.0)
    for x in [*rng.uniform(-6.0, 5.0, 40).tolist(), *knots_x]:
        assert look_up(x, knots_x, knots_y) == pytest.approx(np.interp(x, knots_x, knots_y), rel=1e-14)
    assert np.isnan(look_up(np.nan, knots_x, knots_y))


@pytest.mark.parametrize('number', [1, 2, 3])
def test_each_is_written_out_for_tuples_of_any_length(number):
    compiled = numba.njit(lambda thrusts, targets, decays: elementwise.each(lagged_command, thrusts, targets, decays))
    thrusts, targets = tuple(range(number)), tuple(10.0 * place for place in range(number))
    members = tuple(map(float, thrusts)), targets, (0.5,) * number
    assert compiled(*members) == pytest.approx(elementwise.each(lagged_command, *members), rel=1e-15)


def test_what_compiled_code_has_in_place_of_numpys_interpolation_is_the_same_on_floats():
    """At, below, between and beyond the knots."""
    knots_x, knots_y = (-4.0, -1.0, 0.0, 3.0), (9.0, 2.0, 0.5, 7.0)
    for x in (-9.0, *knots_x, -3.5, -0.25, 1.7, 8.0):
        assert _interpolated(x, knots_x, knots_y) == pytest.approx(np.interp(x, knots_x, knots_y), rel=1e-14)
    assert math.isnan(_interpolated(math.nan, knots_x, knots_y))
