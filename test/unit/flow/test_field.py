"""What every field promises: no value is NaN and not inside, never zero; many threads get what one gets."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import numpy as np
import pytest

from usv_energy.flow.analytic import Gust, River, Uniform, UniformFlow, Vortex
from usv_energy.flow.field import extent_polygon, in_extent, outside, speed_summary, steps_summary

BOX = (-50.0, -40.0, 60.0, 45.0)
FIELDS = {
    'uniform': Uniform({'speed': 0.4, 'direction_deg': 30.0, 'extent': BOX}),
    'river': River({'speed': 0.8, 'direction_deg': 20.0, 'width': 30.0, 'length': 90.0, 'bank_layer': 5.0}),
    'vortex': Vortex({'circulation': -30.0, 'core_radius': 8.0, 'x': 5.0, 'extent': BOX}),
    'gust': Gust({'speed': 3.0, 'direction_deg': 110.0, 'amplitude': 2.0, 'duration': 4.0, 'period': 20.0,
                  'advection': 5.0, 'extent': BOX}),
}


@pytest.fixture(params=FIELDS)
def field(request):
    return FIELDS[request.param]


def test_a_point_without_a_value_is_nan_and_not_inside(field, rng):
    x, y = rng.uniform(-120.0, 120.0, (2, 5000))
    x[:3], y[:3] = np.nan, np.inf
    vx, vy, inside = field.velocity(0.0, x, y)
    assert 0 < inside.sum() < inside.size
    assert inside.dtype == bool
    np.testing.assert_array_equal(np.isfinite(vx), inside)
    np.testing.assert_array_equal(np.isfinite(vy), inside)
    assert not inside[:3].any()
    assert not inside[~in_extent(field.extent, x, y)].any()


@pytest.mark.parametrize('beyond', [-1e-6, 1e-6])
def test_before_the_first_time_and_after_the_last_nothing_is_inside(field, beyond):
    t = field.times[0] + beyond if beyond < 0.0 else field.times[-1] + beyond
    vx, vy, inside = field.velocity(t, np.zeros(3), np.zeros(3))
    assert not inside.any()
    assert np.isnan([vx, vy]).all()


def test_threads_get_what_one_gets(field, rng):
    questions = [(t, *rng.uniform(-60.0, 60.0, (2, 200))) for t in rng.uniform(0.0, field.times[-1], 64)]
    alone = [field.velocity(*question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda question: field.velocity(*question), questions))
    np.testing.assert_array_equal(np.array(together, dtype=float), np.array(alone, dtype=float))


def test_the_uniform_field_is_the_uniform_flow():
    """Two types for one thing: the one for a scenario's numbers, the other for files."""
    x = np.linspace(-10.0, 10.0, 5)
    flow = UniformFlow(0.3, -0.2)
    field = Uniform({'speed': flow.speed, 'direction_deg': flow.direction_deg})
    np.testing.assert_allclose(np.array(field.velocity(0.0, x, x), float), np.array(flow.velocity(0.0, x, x), float),
                               rtol=1e-15)


def test_the_edge_of_an_extent_is_within():
    x, y = extent_polygon(BOX).T
    assert in_extent(BOX, x, y).all()
    assert not in_extent(BOX, x + 1e-9 * np.sign(x), y + 1e-9 * np.sign(y)).any()
    assert not in_extent(BOX, np.array([np.nan]), np.array([0.0])).any()


def test_outside_has_the_shape_that_is_asked_for():
    vx, vy, inside = outside((4,))
    assert np.isnan([vx, vy]).all()
    assert not inside.any()
    assert vx.shape == vy.shape == inside.shape == (4,)


def test_steps_are_told_with_their_date():
    start = datetime(2024, 5, 1, 6, tzinfo=timezone.utc)
    assert steps_summary(np.array([0.0, 60.0]), start) == {
        'steps': 2, 'first_s': 0.0, 'last_s': 60.0, 'start': '2024-05-01T06:00:00+00:00'}
    assert steps_summary(np.zeros(1), None)['start'] is None


def test_speeds_are_summed_up_and_there_are_none_where_all_is_dry():
    assert speed_summary(60.0, 'wet_cells', np.array([1.0, 2.0, 6.0])) == {
        'time_s': 60.0, 'wet_cells': 3, 'min_m_per_s': 1.0, 'mean_m_per_s': pytest.approx(3.0), 'max_m_per_s': 6.0}
    assert speed_summary(0.0, 'wet_cells', np.empty(0)) == {
        'time_s': 0.0, 'wet_cells': 0, 'min_m_per_s': None, 'mean_m_per_s': None, 'max_m_per_s': None}
