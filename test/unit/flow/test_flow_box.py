"""A part of a flow in memory answers what the flow answers, and takes no more of it than is asked for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_box import read_box
from usv_energy.flow.flow_file import AS_IT_IS, FlowFile, read_flow
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.grids.node_steps import PagedSteps
from usv_energy.flow.grids.pages import Pages
from usv_energy.flow.placement import FlowClock, Transform

X, Y, TIMES = 5.0 * np.arange(41), 100.0 + 4.0 * np.arange(31), 60.0 * np.arange(11)
RNG = np.random.default_rng(31)


def wavy(t, x, y):
    vx = np.sin(0.3 * x + 0.01 * t) + 0.1 * np.cos(y)
    return np.where(np.hypot(x - 100.0, y - 160.0) < 14.0, np.nan, vx), np.cos(0.2 * y - 0.02 * t)


def flow_of(asked=None, x=X, y=Y, times=TIMES, mode='hold', start=0.0, transform=AS_IT_IS):
    nodes = np.meshgrid(x, y)

    def load(step):
        if asked is not None:
            asked.append(step)
        return wavy(times[step], *nodes)

    source = GridFlow(x, y, times, load)
    return FlowFile('wavy', 'wavy', Path('wavy.yaml'), 'water', source, transform,
                    FlowClock(mode, times[0], times[-1], start))


def assert_same(box, flow, t0, t1, extent, **tolerance):
    for t in np.append(RNG.uniform(t0, t1, 12), (t0, t1)).tolist():
        x, y = RNG.uniform(extent[0], extent[2], 500), RNG.uniform(extent[1], extent[3], 500)
        got, there = box.velocity(t, x, y), flow.velocity(t, x, y)
        assert (got[2] == there[2]).all()
        np.testing.assert_allclose(got[0], there[0], **tolerance)
        np.testing.assert_allclose(got[1], there[1], **tolerance)


@pytest.mark.parametrize('mode, start, t0, t1', [
    ('hold', 0.0, 70.0, 200.0), ('hold', 120.0, -300.0, 900.0), ('end', 60.0, 0.0, 540.0), ('loop', 0.0, 130.0, 590.0)])
def test_on_the_files_own_nodes_and_times_it_answers_what_the_file_answers(mode, start, t0, t1):
    flow = flow_of(mode=mode, start=start, transform=Transform(20.0, 60.0))
    box = read_box(flow, (11.0, 62.0, 143.0, 141.0), t0, t1)
    assert_same(box, flow, t0, t1, (11.0, 62.0, 143.0, 141.0), atol=2e-12)
    assert (box.grid.dx, box.grid.dy) == pytest.approx((5.0, 4.0)) and box.grid.dt == pytest.approx(60.0)
    assert box.grid.x0 + 20.0 == pytest.approx(30.0) and box.extent[2] + 20.0 == pytest.approx(165.0)
    assert box.times[0] <= t0 + 1e-9 and box.times[-1] >= t1 - 1e-9


def test_only_the_steps_that_are_needed_are_read():
    asked = []
    box = read_box(flow_of(asked), (0.0, 100.0, 50.0, 150.0), 130.0, 290.0)
    assert sorted(set(asked)) == [2, 3, 4, 5] and len(asked) == 4
    assert box.times.tolist() == [120.0, 180.0, 240.0, 300.0]


def test_a_turned_file_and_a_spacing_of_ones_own_are_of_second_order():
    flow = flow_of(transform=Transform(100.0, 160.0, 30.0))
    errors = [read_box(flow, (20.0, 20.0, 45.0, 45.0), 0.0, 60.0, spacing=h, every=30.0).error_against(flow)
              for h in (2.0, 1.0)]
    assert errors[1] < 0.6 * errors[0]  # of a field with kinks, at the file's nodes, first order is left in the worst
    assert read_box(flow, (20.0, 20.0, 45.0, 45.0), 0.0, 60.0).grid.dx == pytest.approx(25.0 / 7.0)


def test_uneven_times_take_the_shortest_step():
    box = read_box(flow_of(times=np.array([0.0, 60.0, 90.0, 300.0])), (0.0, 100.0, 50.0, 150.0), 0.0, 300.0)
    assert np.diff(box.times) == pytest.approx(np.full(10, 30.0))


def test_the_box_is_cut_to_the_flow():
    box = read_box(flow_of(), (-1e4, 150.0, 1e4, 1e4), 0.0, 0.0)
    assert box.extent == pytest.approx((0.0, 148.0, 200.0, 220.0)) and box.times.tolist() == [0.0]
    with pytest.raises(InputError, match='lies outside the flow, which has 0, 100, 200, 220 m'):
        read_box(flow_of(), (300.0, 100.0, 400.0, 200.0), 0.0, 0.0)


def test_a_wind_reduced_to_a_boats_height_and_a_file_read_by_pages():
    values = np.stack([wavy(t, *np.meshgrid(X, Y)) for t in TIMES.tolist()], axis=1)
    values[:, ~np.isfinite(values).all(axis=0)] = np.nan
    asked = []

    def read(window):
        asked.append(window)
        return values[(slice(None), *window)]

    paged = GridFlow(X, Y, TIMES, PagedSteps(Pages(read, values.shape[1:], (1, 10, 10), values.dtype)))
    whole = replace(flow_of(), share=0.7)
    box = (52.0, 142.0, 93.0, 178.0)  # columns 10 to 19, rows 10 to 20
    np.testing.assert_allclose(read_box(replace(whole, source=paged), box, 60.0, 180.0).grid.vx,
                               read_box(whole, box, 60.0, 180.0).grid.vx, atol=1e-14)
    assert len(asked) == 3 * 4  # The pages of the box, and those of the next column and row.
    assert_same(read_box(whole, box, 60.0, 180.0), whole, 60.0, 180.0, box, atol=1e-12)


def test_dry_nodes_are_told():
    box = read_box(flow_of(), (0.0, 100.0, 200.0, 220.0), 0.0, 60.0)
    x, y = np.meshgrid(X, Y)
    assert box.wet.shape == (2, 31, 41)
    assert (box.wet == ~(np.hypot(x - 100.0, y - 160.0) < 14.0)).all()


def test_closed_forms_and_uniform_flows():
    box = read_box(UniformFlow(0.3, -0.1), (0.0, 0.0, 10.0, 20.0), 0.0, 1e4)
    assert (box.grid.nx, box.grid.ny, box.grid.nt) == (2, 2, 1)
    assert box.velocity(5e3, np.array([3.0]), np.array([7.0]))[0][0] == pytest.approx(0.3)
    river = read_flow('river')
    assert read_box(river, (100.0, 80.0, 200.0, 110.0), 0.0, 1e3, spacing=2.0).error_against(river) < 0.02


@pytest.mark.parametrize('asked, words', [
    ({'t0': 5.0, 't1': 1.0}, 'must be finite and rise'), ({'t1': np.inf}, 'finite'), ({'spacing': 0.0}, 'spacing is 0'),
    ({'every': -1.0}, 'every is -1'), ({'extent': (0.0, 0.0, 0.0, 1.0)}, 'xmin < xmax'),
    ({'spacing': 1e-2}, r'at most 2e\+07: choose a larger spacing'), ({'most': 100}, r'at most 1e\+02')])
def test_a_part_that_is_none(asked, words):
    with pytest.raises(InputError, match=words):
        read_box(flow_of(), **{'extent': (0.0, 100.0, 200.0, 220.0), 't0': 0.0, 't1': 60.0, **asked})


def test_what_has_no_grid_asks_for_one():
    with pytest.raises(InputError, match='lies on no grid; give the spacing'):
        read_box(read_flow('river'), (100.0, 80.0, 200.0, 110.0), 0.0, 10.0)
    with pytest.raises(InputError, match=r'has no flow between 700 and 800 s: its times are 0 to 600 s'):
        read_box(flow_of(mode='end'), (0.0, 100.0, 50.0, 150.0), 700.0, 800.0)
