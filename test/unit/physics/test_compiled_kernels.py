"""The physics' own function bodies, called from numba's nopython code, give what they give on floats."""

import math
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from usv_energy.allocation.boat_thrusts import pair_within_limits
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Losses
from usv_energy.physics import elementwise
from usv_energy.physics.batteries.cell import Battery, battery_level
from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.physics.frames import polar_to_earth, to_body
from usv_energy.physics.motion import Flow, Motion, Relative
from usv_energy.powering.actuators import Setting, turned_angle
from usv_energy.powering.power import power_as_published, power_rep103, speed_through_water
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.plant_step import PlantState, held_flow, rate_in_calm, rk4_step, state_rate
from usv_energy.thrusters.drive import lagged_command, limited_command
from usv_energy.thrusters.thruster import Azimuth

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
            'acceleration', 'pair_within_limits', 'battery_level'} <= set(compiled_kernels)


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
    at = Relative(0.4, 0.1, 0.2, -0.4, 0.0)
    port, starboard = pair_within_limits(at, (surge, 0.0, yaw), vessel.thrusters)
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
    direction = elementwise.direction_of(angle)
    return (elementwise.within(x, low, high), elementwise.floor(x), *direction,
            *elementwise.direction_turned(direction, angle, turn))


def test_what_is_held_within_limits_and_directions_that_turn_are_those_of_floats():
    """And of NaN; a direction turns by a tenth of a radian, either way."""
    for x, low, high in ((0.3, -1.0, 1.0), (-3.5, -1.0, 1.0), (3.0, -1.0, 1.0), (math.nan, -1.0, 1.0),
                         (math.inf, -1.0, 1.0), (0.0, 2.0, -2.0)):
        for angle, turn in ((0.3, 0.1), (-4.0, -0.1), (2.0, 0.0)):
            np.testing.assert_allclose(
                held_and_turned(x, low, high, angle, turn), held_and_turned.py_func(x, low, high, angle, turn),
                rtol=0.0, atol=1e-15)


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
    rate = numba.njit(lambda state, setting, flow, boat: rate_in_calm(state, setting, flow, boat))
    by_force = numba.njit(lambda state, force, flow, boat: state_rate(state, force, None, flow, boat, None, (0.8, 0.6)))
    for row in rng.uniform(-2.0, 2.0, size=(20, 16)).tolist():
        state, flow, force = PlantState(*row[:7]), Flow(*row[7:11]), tuple(row[11:14])
        setting = Setting(tuple(row[14:]), (None, None), ())
        for compiled, arguments in ((rate, (state, setting, flow, vessel)), (by_force, (state, force, flow, vessel)),
                                    (one_step, (state, force, setting, flow, vessel, 0.1))):
            np.testing.assert_allclose(compiled(*arguments)[:7], compiled.py_func(*arguments)[:7], **ONE_PART_IN_1E12)


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


@pytest.mark.parametrize('number', [0, 1, 2, 3])
def test_each_and_totals_are_written_out_for_tuples_of_any_length(number):
    one, other = (tuple(start + float(place) for place in range(number)) for start in (1.0, 10.0))

    @numba.njit
    def compiled(one, other):
        held = elementwise.each(lagged_command, (0.7,), one, other)
        return held, elementwise.total((0.5, 0.25), elementwise.each(to_body, (2.0, 0.8, 0.6), one))

    held, sums = compiled(one, other)
    assert held == pytest.approx(elementwise.each(lagged_command, (0.7,), one, other), rel=1e-15)
    assert sums == pytest.approx(compiled.py_func(one, other)[1], rel=1e-14)


class Inner(NamedTuple):
    """A record in another."""

    first: Any
    part: Any = None


class Outer(NamedTuple):
    """A record of a number, a record and a tuple."""

    number: Any
    inner: Inner
    pair: tuple[Any, Any]


YES, NO = Outer(1.0, Inner(2.0), (3.0, 4.0)), Outer(5.0, Inner(6.0), (7.0, 8.0))


@numba.njit
def changed(record, value):
    return (elementwise.with_field(record, 'number', value), elementwise.with_field(record, 'inner', value),
            elementwise.with_field(record, 'pair', value))


def test_a_record_with_one_field_changed_keeps_every_other_and_may_change_its_type():
    for value in (9.0, (1.0, 2.0), YES.inner, None):
        found = changed(YES, value)
        assert found == changed.py_func(YES, value)
        assert [type(record).__name__ for record in found] == ['Outer'] * 3


@numba.njit
def chosen(condition, yes, no):
    return elementwise.record_where(condition, yes, no)


@pytest.mark.parametrize('condition', [True, False])
def test_a_record_where_a_condition_holds_has_the_numbers_of_one_else_of_the_other(condition):
    found = chosen(condition, YES, NO)
    assert found == (YES if condition else NO) and found.inner.part is None


def test_a_part_that_is_missing_leaves_no_trace_and_another_has_its_branch():
    """What has a part takes the branch for it, whatever type the other would give; what has none takes that other."""
    turned = numba.njit(lambda angle, turn: turned_angle(angle, 0.4, 1.0, turn))
    assert turned(None, None) is None and turned(0.0, Azimuth(-0.5, 0.5, 0.2)) == pytest.approx(0.2)


@elementwise.kernel
def first_within(record):
    if record.inner.part is None:
        return None
    return record.inner.part.first


@elementwise.kernel
def first_or_number(record):
    part = record.inner.part
    second = None if part is None or part.part is None else part.part
    return (record.number if part is None else part.first, None if record.inner.part is None else first_within(record),
            second)


@pytest.mark.parametrize('part', [None, Inner(9.0), Inner(9.0, 8.0)])
def test_a_records_part_that_is_missing_is_one_too(part):
    """Whether it is asked by an if or within an expression, of a record in another, or by a name given to it."""
    record = YES._replace(inner=Inner(2.0, part))
    assert numba.njit(lambda record: first_or_number(record))(record) == first_or_number(record)
    assert first_or_number(record) == ((1.0, None, None) if part is None else (9.0, 9.0, part.part))
