"""Moves in closed form: over ground across a current, in a current that grows, at a speed that the air limits."""

import numpy as np
import pytest
from search_cases import label_parts, problem_of
from test_power_table import Blown

from usv_energy.engine.numba_engine import compiled
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.search.label_search import ROUTE_SOURCES
from usv_energy.studies.route.search.move_kernels import move, power_at, speed_on, top_at, velocity_at

RNG = np.random.default_rng(17)


def field_of(function=None, end=10.0, **settings):
    prepared = label_parts(problem_of(function, **settings), end=end)[0]
    return prepared.field, prepared.grid.lattice


@pytest.mark.parametrize('way', [(3.0, 1.0), (-2.0, 5.0), (0.0, -4.0)])
def test_a_move_across_a_uniform_current_is_zermelos(way):
    field, lattice = field_of(lambda t, x, y: (0.3 + 0.0 * x, -0.4 + 0.0 * x))
    lasted, energy = move(field, 1.0, np.zeros(1), (np.full(1, 9.0), np.full(1, 12.0)), way, 5, 1.0)
    length, along = np.hypot(*way), np.array(way) / np.hypot(*way)
    abeam = -0.4 * along[0] - 0.3 * along[1]
    made = np.sqrt(1.0 - abeam ** 2) + 0.3 * along[0] - 0.4 * along[1]
    assert lasted[0] == pytest.approx(length * lattice.spacing / made, rel=1e-6)
    assert energy[0] == pytest.approx(2.0 * lasted[0], rel=1e-3)      # P = 1 + v^3


def test_backwards_a_move_takes_what_it_takes_forwards():
    field, _ = field_of(lambda t, x, y: (0.1 * t + 0.2 * y, 0.3 * x))
    there = move(field, 1.0, np.full(1, 2.0), (np.full(1, 8.0), np.full(1, 9.0)), (4.0, 3.0), 4, 1.0)
    back = move(field, 1.0, 2.0 + there[0], (np.full(1, 12.0), np.full(1, 12.0)), (-4.0, -3.0), 4, -1.0)
    np.testing.assert_allclose(back, there, rtol=3e-4)


def test_a_move_in_a_current_that_grows_is_of_second_order():
    """With u = a t along the way at speed s: x = s t + a t^2 / 2, to rounding of the flow's float32."""
    field, lattice = field_of(lambda t, x, y: (0.5 * t + 0.0 * x, 0.0 * x))
    lasted = [float(move(field, 1.0, np.zeros(1), (np.full(1, 5.0), np.full(1, 9.0)), (20.0, 0.0), n, 1.0)[0][0])
              for n in (4, 8, 16)]
    length = 20.0 * lattice.spacing
    exact = 2.0 * (np.sqrt(1.0 + length) - 1.0)
    errors = np.abs(np.array(lasted) - exact)
    assert errors[1] < 0.35 * errors[0] and errors[2] < 0.35 * errors[1] and errors[2] < 1e-3 * exact


def test_what_cannot_be_gone_is_nan():
    field, _ = field_of(lambda t, x, y: (-1.2 + 0.0 * x, 0.0 * x))
    place = np.full(1, 9.0), np.full(1, 9.0)
    assert np.isnan(move(field, 1.0, np.zeros(1), place, (1.0, 0.0), 1, 1.0)[0]).all()
    assert np.isnan(move(field, 1.0, np.zeros(1), place, (0.0, 1.0), 1, 1.0)[0]).all()
    assert np.isfinite(move(field, 1.0, np.zeros(1), place, (-1.0, 0.0), 1, 1.0)[0]).all()
    late, _ = field_of(lambda t, x, y: (0.1 * t + 0.0 * x, 0.0 * x), end=3.0)
    assert np.isnan(move(late, 1.0, np.full(1, 3.1), place, (1.0, 0.0), 1, 1.0)[0]).all()


def test_top_speed_and_power_are_those_of_the_air_on_the_heading():
    field, _ = field_of(cost=Blown(), speed=None, wind=UniformFlow(-3.0, 0.0))
    made, power = speed_on(field, -1.0, (0.0, 0.0), (-3.0, 0.0), 1.0, 0.0)
    assert float(made) == pytest.approx(1.7, rel=1e-6)
    assert float(power) == pytest.approx(float(Blown().power(1.7, -3.0, 0.0)), rel=0.02)    # Held from the knot below.
    aside, _ = speed_on(field, -1.0, (0.0, 0.0), (-3.0, 0.0), 0.0, 1.0)
    assert float(aside) == pytest.approx(2.0, rel=1e-6)
    speeds, along, across = RNG.uniform(0.0, 1.5, 200), RNG.uniform(-3.0, 3.0, 200), RNG.uniform(-3.0, 3.0, 200)
    np.testing.assert_allclose(power_at(field, speeds, along, across, 1.0, 0.0),
                               Blown().power(speeds, along, across), rtol=0.05)
    np.testing.assert_allclose(top_at(field, along, across, 1.0, 0.0), 2.0 + 0.1 * along, rtol=1e-9)


def moved(field, speed, time, column, row, found):
    for n in range(len(time)):
        found[n, 0], found[n, 1] = move(field, speed, time[n], (column[n], row[n]), (3.0, -2.0), 3, 1.0)
        found[n, 2], found[n, 3] = velocity_at(field, field.current, time[n], column[n], row[n])


@pytest.mark.parametrize('settings', [{}, {'cost': Blown(), 'speed': None, 'wind': UniformFlow(2.0, 1.0)}])
def test_compiled_moves_are_those_of_arrays(settings):
    pytest.importorskip('numba')
    field, lattice = field_of(lambda t, x, y: (0.2 * np.sin(t) + 0.3 * y, 0.4 * x), **settings)
    time, column = RNG.uniform(0.0, 8.0, 50), RNG.uniform(0.0, lattice.columns - 4.0, 50)
    row, found = RNG.uniform(3.0, lattice.rows - 1.0, 50), np.empty((50, 4))
    compiled(moved, ROUTE_SOURCES)(field, 1.0 if not settings else -1.0, time, column, row, found)
    want = (*move(field, 1.0 if not settings else -1.0, time, (column, row), (3.0, -2.0), 3, 1.0),
            *velocity_at(field, field.current, time, column, row))
    np.testing.assert_allclose(found, np.transpose(want), rtol=1e-10)
