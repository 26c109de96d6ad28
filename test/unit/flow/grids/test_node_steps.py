"""Whole steps and pages of a store give a lattice's cells the same corners."""

import numpy as np
import pytest

from usv_energy.flow.grids.node_steps import PagedSteps, WholeSteps
from usv_energy.flow.grids.pages import Pages

SHAPE = (7, 50, 64)
RNG = np.random.default_rng(14)


def stored():
    both = RNG.normal(size=(2, *SHAPE)).astype(np.float32)
    both[:, :, 10:13, 20:40] = np.nan
    return both


def pages_of(values, page):
    return Pages(lambda window: values[(slice(None), *window)], SHAPE, page, values.dtype)


def test_pages_give_what_whole_steps_give():
    values = stored()
    whole = WholeSteps(lambda step: (values[0, step], values[1, step]), *SHAPE[1:], 'stored')
    first = PagedSteps(pages_of(values, (2, 7, 9)))
    row, column = RNG.integers(0, 49, 500), RNG.integers(0, 63, 500)
    for paged in (first, PagedSteps(pages_of(values, (3, 50, 64)))):
        for step, weight in ((0, 0.0), (5, 0.3), (6, 0.0), (2, 0.75)):
            np.testing.assert_array_equal(paged.corners(step, weight, row, column),
                                          whole.corners(step, weight, row, column))
    assert whole.about() == {}
    assert first.about() == {'page': [2, 7, 9], 'pages_a_step': 64, 'pages_looked_at_a_step': 64}


def test_the_speeds_of_a_step_are_those_of_its_pages():
    values = stored()
    steps = PagedSteps(pages_of(values, (2, 7, 9)))
    told = steps.speeds(3, 30.0)
    speed = np.hypot(*values[:, 3].astype(float))
    known = speed[np.isfinite(speed)]
    assert told['nodes_with_value'] == known.size and told['time_s'] == 30.0
    assert (told['min_m_per_s'], told['mean_m_per_s'], told['max_m_per_s']) == pytest.approx(
        (known.min(), known.mean(), known.max()), rel=1e-12)


def test_rows_and_columns_of_a_store_in_another_order():
    values = stored()
    rows, columns = np.arange(50)[::-1], np.roll(np.arange(64), 20)
    steps = PagedSteps(pages_of(values, (1, 16, 16)), rows, columns)
    row, column = RNG.integers(0, 49, 200), RNG.integers(0, 63, 200)
    turned = values[:, 4][:, rows][:, :, columns]
    expected = [turned[:, row + up, column + right] for up in (0, 1) for right in (0, 1)]
    np.testing.assert_array_equal(steps.corners(4, 0.0, row, column), np.stack(expected, axis=1).astype(float))
