"""A flow on a lattice is the same whether its steps are read whole or page by page, and whatever the lattice."""

import numpy as np

from usv_energy.flow.grids.grid import Rectilinear
from usv_energy.flow.grids.node_flow import Curvilinear, NodeFlow
from usv_energy.flow.grids.node_steps import PagedSteps, WholeSteps
from usv_energy.flow.grids.pages import Pages

X, Y, TIMES = 10.0 * np.arange(40), 8.0 * np.arange(33), 60.0 * np.arange(5)
RNG = np.random.default_rng(77)


def flows():
    values = RNG.normal(size=(2, 5, 33, 40))
    values[:, :, 5:9, 10:20] = np.nan
    whole = WholeSteps(lambda step: (values[0, step], values[1, step]), 33, 40, 'nodes')
    paged = PagedSteps(Pages(lambda window: values[(slice(None), *window)], (5, 33, 40), (2, 10, 12), values.dtype))
    straight = Rectilinear(X, Y, 'nodes')
    return [NodeFlow(lattice, TIMES, steps) for steps in (whole, paged)
            for lattice in (straight, Curvilinear(*np.meshgrid(X, Y)))]


def test_one_field_read_four_ways():
    first, *others = flows()
    x, y = RNG.uniform(-5.0, 395.0, 3000), RNG.uniform(-5.0, 261.0, 3000)
    for t in (0.0, 31.0, 240.0):
        expected = first.velocity(t, x, y)
        assert 0 < (~expected[2]).sum() < 700
        for other in others:
            got = other.velocity(t, x, y)
            # On the line half a cell beside a dry node rounding decides; no point here is nearer to one than 1e-9.
            np.testing.assert_array_equal(got[2], expected[2])
            np.testing.assert_allclose(got[:2], expected[:2], atol=1e-8)


def test_the_speeds_are_the_same_and_pages_are_told():
    whole, _, paged, curved = (flow.describe() for flow in flows())
    assert [row['nodes_with_value'] for row in whole['speeds']] == 3 * [33 * 40 - 40]
    for other in (paged, curved):
        for one, two in zip(whole['speeds'], other['speeds']):
            np.testing.assert_allclose(list(one.values()), list(two.values()), rtol=1e-12)
    assert 'page' not in whole and paged['page'] == [2, 10, 12]


def test_when_closed_its_file_is_closed_and_nothing_is_kept():
    closed = []
    flow = NodeFlow(Rectilinear(X, Y, 'nodes'), TIMES, WholeSteps(lambda _: (np.ones((33, 40)),) * 2, 33, 40, 'nodes'),
                    on_close=lambda: closed.append(1))
    flow.velocity(0.0, X[:3], Y[:3])
    flow.close()
    assert closed == [1] and len(flow._steps._cache) == 0
