"""Interpolation on a grid: exact where it must be, second order elsewhere, nothing made up outside."""

import json
import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from gridded_flows import Shear

from usv_energy.files.errors import InputError
from usv_energy.flow.grids.grid import GridFlow, gridded_flow
from usv_energy.flow.grids.grid_lookup import flow_at, grid_velocity
from usv_energy.flow.grids.node_flow import CHUNK

RNG = np.random.default_rng(7)
X = np.array([-3.0, -1.0, 0.5, 4.0, 9.0])  # rectilinear
Y = np.array([10.0, 11.0, 15.0, 16.5])


def grid_of(field, x=X, y=Y, times=(0.0,), **more):
    """The grid of a function field(t, x, y) -> vx, vy."""
    nodes = np.meshgrid(x, y)
    return GridFlow(x, y, np.array(times), lambda step: field(times[step], *nodes), **more)


def bilinear(t, x, y):
    return 0.3 - 0.2 * x + 0.05 * y + 0.01 * x * y, -1.0 + 0.4 * x - 0.1 * y - 0.02 * x * y


def points(n, x=X, y=Y):
    return RNG.uniform(x[0], x[-1], n), RNG.uniform(y[0], y[-1], n)


def test_a_bilinear_field_is_returned_exactly():
    x, y = points(CHUNK + 1000)  # more than one chunk
    vx, vy, inside = grid_of(bilinear).velocity(0.0, x, y)
    exact = bilinear(0.0, x, y)
    assert inside.all()
    np.testing.assert_allclose((vx, vy), exact, atol=1e-14)


def test_linear_in_time_between_steps():
    flow = grid_of(lambda t, x, y: (x * (1.0 + 2.0 * t), y - t), times=(0.0, 1.5, 7.0))
    x, y = points(100)
    for step_times in ((0.0, 1.5), (1.5, 7.0)):
        for t in np.linspace(*step_times, 5):
            vx, vy, inside = flow.velocity(float(t), x, y)
            assert inside.all()
            np.testing.assert_allclose(vx, x * (1.0 + 2.0 * t), rtol=1e-13, atol=1e-13)
            np.testing.assert_allclose(vy, y - t, rtol=1e-13)


def test_second_order_for_a_smooth_field():
    """Halving the cells divides the error by four: measured order within 0.05 of 2; with the steps, 0.25."""
    def smooth(t, x, y):
        return np.sin(x + 0.3 * t) * np.cos(0.7 * y), np.exp(-0.1 * x) * np.sin(y - t)

    x, y = RNG.uniform(0.0, 6.0, (2, 20_000))
    errors = []
    for cells in (16, 32, 64, 128):
        axis = np.linspace(0.0, 6.0, cells + 1)
        flow = grid_of(smooth, axis, axis, times=tuple(np.linspace(0.0, 6.0, cells + 1)))
        vx, vy, inside = flow.velocity(0.123 * 6.0, x, y)
        assert inside.all()
        errors.append(math.sqrt(np.mean((np.array((vx, vy)) - smooth(0.123 * 6.0, x, y)) ** 2)))
    # The error of time alone also depends on where t lies between its steps: the slope over all, not of each halving.
    assert -np.polyfit(np.log((16, 32, 64, 128)), np.log(errors), 1)[0] == pytest.approx(2.0, abs=0.25)
    steady = []
    for cells in (16, 32, 64, 128):
        axis = np.linspace(0.0, 6.0, cells + 1)
        vx, vy, _ = grid_of(smooth, axis, axis).velocity(0.0, x, y)
        steady.append(math.sqrt(np.mean((np.array((vx, vy)) - smooth(0.0, x, y)) ** 2)))
    np.testing.assert_allclose(np.log2(np.divide(steady[:-1], steady[1:])), 2.0, atol=0.05)


@pytest.mark.parametrize(('x', 'y'), [(-3.001, 12.0), (9.001, 12.0), (0.0, 9.999), (0.0, 16.501), (math.nan, 12.0),
                                      (0.0, math.nan), (math.inf, 12.0), (0.0, -math.inf)])
def test_outside_there_is_no_velocity(x, y):
    vx, vy, inside = grid_of(bilinear).velocity(0.0, np.array([x]), np.array([y]))
    assert not inside[0]
    assert math.isnan(vx[0]) and math.isnan(vy[0])


def test_the_edge_itself_is_inside():
    x, y = np.meshgrid(X[[0, -1]], Y[[0, -1]])
    vx, vy, inside = grid_of(bilinear).velocity(0.0, x.ravel(), y.ravel())
    assert inside.all()
    np.testing.assert_allclose((vx, vy), bilinear(0.0, x.ravel(), y.ravel()), atol=1e-14)


def test_beyond_the_nodes_up_to_a_stated_extent_the_edge_is_held():
    flow = grid_of(bilinear, extent=(-4.0, 9.5, 10.0, 17.0))
    vx, vy, inside = flow.velocity(0.0, np.array([-3.9, 9.9, -4.1]), np.array([12.0, 16.9, 12.0]))
    assert inside.tolist() == [True, True, False]
    edge = bilinear(0.0, np.array([-3.0, 9.0]), np.array([12.0, 16.5]))
    np.testing.assert_allclose((vx[:2], vy[:2]), edge, atol=1e-14)


@pytest.mark.parametrize('t', [-1e-9, 7.0 + 1e-9, math.nan, math.inf])
def test_outside_the_steps_nothing_is_inside(t):
    vx, vy, inside = grid_of(bilinear, times=(0.0, 7.0)).velocity(t, *points(5))
    assert not inside.any()
    assert np.isnan(vx).all() and np.isnan(vy).all()


def with_a_hole(t, x, y):
    vx, vy = bilinear(t, x, y)
    vx[1, 2] = np.nan  # the node (0.5, 11): nearest to half a cell around it
    return vx, vy


def test_beside_a_node_without_value_the_others_count_if_the_nearest_has_one():
    flow = grid_of(with_a_hole)
    # In the cell x 0.5..4, y 11..15, its lower left corner missing.
    near, far = (1.0, 11.5), (3.0, 14.0)
    _, _, inside = flow.velocity(0.0, np.array([near[0], far[0]]), np.array([near[1], far[1]]))
    assert inside.tolist() == [False, True]
    right, up = (far[0] - 0.5) / 3.5, (far[1] - 11.0) / 4.0
    shares = {(4.0, 11.0): right * (1 - up), (0.5, 15.0): (1 - right) * up, (4.0, 15.0): right * up}
    expected = sum(share * np.array(bilinear(0.0, *at)) for at, share in shares.items()) / sum(shares.values())
    vx, vy, _ = flow.velocity(0.0, np.array([far[0]]), np.array([far[1]]))
    np.testing.assert_allclose((vx[0], vy[0]), expected, rtol=1e-14)


def test_a_uniform_field_stays_uniform_up_to_the_hole_and_no_velocity_is_made_up_in_it():
    def holed(t, x, y):
        return np.where(x > 2.0, np.nan, 0.7), np.where(y > 16.0, math.inf, -0.4)

    flow = grid_of(holed)
    x, y = points(5000)
    vx, vy, inside = flow.velocity(0.0, x, y)
    # Half a cell beyond the last nodes with values: x 0.5 of the cell to 4, y 15 of the cell to 16.5.
    np.testing.assert_array_equal(inside, (x < 2.25) & (y < 15.75))
    np.testing.assert_allclose(vx[inside], 0.7, rtol=1e-14)
    np.testing.assert_allclose(vy[inside], -0.4, rtol=1e-14)
    assert np.isnan(vx[~inside]).all() and np.isnan(vy[~inside]).all()


def test_a_node_that_dries_is_dry_as_soon_as_it_begins_to():
    flow = grid_of(lambda t, x, y: (np.full(x.shape, 1.0 if t < 1.0 else np.nan), 0.0 * x), times=(0.0, 1.0, 2.0))
    at = np.array([0.0]), np.array([12.0])
    assert [bool(flow.velocity(t, *at)[2][0]) for t in (0.0, 0.01, 1.0, 1.5, 2.0)] == [True] + 4 * [False]


def test_all_dry_is_said():
    flow = grid_of(lambda t, x, y: (x * np.nan, y * np.nan))
    assert not flow.velocity(0.0, *points(50))[2].any()
    told = flow.describe()
    assert told['speeds'][0] == {'time_s': 0.0, 'nodes_with_value': 0, 'min_m_per_s': None, 'mean_m_per_s': None,
                                 'max_m_per_s': None}
    assert 'dry' in told['notes'][-1]


def test_description_is_json_with_speeds():
    flow = grid_of(lambda t, x, y: (0.0 * x + 3.0, 0.0 * y + 4.0 + t), times=(0.0, 1.0),
                   about={'file': 'a.nc', 'notes': ['n']})
    told = json.loads(json.dumps(flow.describe(), allow_nan=False))
    assert told['file'] == 'a.nc' and told['notes'] == ['n']
    assert told['steps'] == 2 and told['extent_m'] == [-3.0, 10.0, 9.0, 16.5]
    assert [speed['mean_m_per_s'] for speed in told['speeds']] == pytest.approx([5.0, math.hypot(3.0, 5.0)])


def test_shapes_are_kept_and_never_broadcast():
    flow = grid_of(bilinear)
    assert [part.shape for part in flow.velocity(0.0, np.zeros((2, 3)), np.full((2, 3), 12.0))] == 3 * [(2, 3)]
    assert [part.shape for part in flow.velocity(0.0, np.zeros(0), np.zeros(0))] == 3 * [(0,)]
    with pytest.raises(ValueError, match='one y for each x'):
        flow.velocity(0.0, np.zeros(3), np.zeros(1))


@pytest.mark.parametrize(('key', 'wrong'), [
    ('x', [0.0, 1.0, 1.0]), ('y', [2.0, 1.0]), ('times', [0.0, 0.0]), ('x', [0.0]), ('y', [0.0, math.nan]),
    ('times', []), ('x', [[0.0, 1.0]])])
def test_axes_that_do_not_rise_are_refused_by_name(key, wrong):
    axes = {'x': X, 'y': Y, 'times': [0.0]} | {key: np.array(wrong)}
    with pytest.raises(InputError, match=f'river.nc: {key}: '):
        GridFlow(axes['x'], axes['y'], axes['times'], lambda step: None, about={'file': 'river.nc'})


def test_a_step_of_another_shape_is_refused():
    flow = GridFlow(X, Y, np.zeros(1), lambda step: (np.zeros((2, 2)), np.zeros((4, 5))), about={'file': 'f.nc'})
    with pytest.raises(InputError, match=r'f.nc: step 0: .*\(2, 2\).*\(4, 5\)'):
        flow.velocity(0.0, np.zeros(1), np.full(1, 12.0))


def test_few_steps_are_kept_however_many_there_are(monkeypatch):
    loads = []

    def load(step):
        loads.append(step)
        return np.full((Y.size, X.size), float(step)), np.zeros((Y.size, X.size))

    flow = GridFlow(X, Y, np.arange(1000.0), load)
    monkeypatch.setattr(flow._steps._cache, '_budget', 10 * 2 * 8 * X.size * Y.size)
    for t in np.arange(0.0, 999.0, 0.25):
        assert flow.velocity(float(t), np.zeros(1), np.full(1, 12.0))[0][0] == pytest.approx(t)
    assert loads == list(range(1000))  # each read once on the way through
    assert len(flow._steps._cache) == 10


def test_threads_get_what_one_thread_gets():
    times = tuple(np.arange(20.0))
    flow = grid_of(lambda t, x, y: (x + t, y - t), times=times)
    wrong = []

    def ask(seed):
        random = np.random.default_rng(seed)
        for _ in range(100):
            t = random.uniform(0.0, 19.0)
            x, y = random.uniform(-3.0, 9.0, 50), random.uniform(10.0, 16.5, 50)
            vx, vy, inside = flow.velocity(t, x, y)
            if not (inside.all() and np.allclose(vx, x + t) and np.allclose(vy, y - t)):
                wrong.append(t)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_closing_closes_the_file():
    closed = []
    flow = grid_of(bilinear, on_close=lambda: closed.append(True))
    flow.close()
    assert closed == [True]


EXTENT = (230.0, 85.0, 280.0, 105.0)


def test_floats_and_arrays_have_the_same_velocity(rng):
    grid = gridded_flow(Shear(), EXTENT, 7.0, [0.0, 20.0, 40.0]).grid
    time, x, y = rng.uniform((0.0, 230.0, 85.0), (40.0, 280.0, 105.0), (50, 3)).T
    vx, vy = grid_velocity(time, x, y, grid)
    one = np.array([grid_velocity(*map(float, place), grid) for place in zip(time, x, y)]).T
    np.testing.assert_allclose((vx, vy), one, rtol=1e-14)
    exact = Shear().velocity(time, x, y)
    np.testing.assert_allclose((vx, vy), exact[:2], atol=1e-13)


def test_a_uniform_flow_needs_no_grid_and_a_steady_one_no_time():
    grid = gridded_flow(Shear(), EXTENT, 7.0).grid
    case = SimpleNamespace(current_x=0.3, current_y=-0.1, wind_x=4.0, wind_y=2.0)
    flow = flow_at(1e9, 250.0, 95.0, case, None, grid)
    assert (flow.current_x, flow.current_y) == (0.3, -0.1)
    assert (flow.wind_x, flow.wind_y) == pytest.approx(tuple(v[0] for v in Shear().velocity(
        0.0, np.array([250.0]), np.array([95.0]))[:2]), abs=1e-14)
    assert np.isnan(flow_at(0.0, 250.0, 105.1, case, None, grid).wind_x)
