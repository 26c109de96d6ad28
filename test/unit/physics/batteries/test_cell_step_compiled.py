"""The cell's kernels in numba's nopython code give what they give on floats."""

import numba
import numpy as np
import pytest
from cell_cases import PACK, at, states

from usv_energy.physics.batteries.cell import voltage
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power, step_at_current, step_at_power
from usv_energy.physics.compiled_kernels import compile_kernels

NEEDS = ('numba',)


@pytest.fixture(scope='module', autouse=True)
def compiled_kernels():
    return compile_kernels()


@numba.njit
def compiled(state, power, pack):
    after, supply = step_at_power(state, power, 3.0, 295.0, pack)
    return (after, supply, step_at_current(state, 4.0, 3.0, 295.0, pack), voltage(state, 4.0, pack),
            most_power(state, pack), energy_left(state, abs(power) + 1.0, 295.0, pack))


def on_floats(state, power, pack):
    return (*step_at_power(state, power, 3.0, 295.0, pack), step_at_current(state, 4.0, 3.0, 295.0, pack),
            voltage(state, 4.0, pack), most_power(state, pack), energy_left(state, abs(power) + 1.0, 295.0, pack))


def test_compiled_code_gives_what_floats_give(rng):
    state = states(rng, 12)
    for number, power in enumerate(rng.uniform(-100.0, 2000.0, 12).tolist()):
        for ours, theirs in zip(compiled(at(state, number), power, PACK), on_floats(at(state, number), power, PACK)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
