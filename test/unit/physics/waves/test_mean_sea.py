"""A sea's mean force as plants take it: that of the boat's coefficients, on floats, arrays and compiled."""

import math

import numpy as np
import pytest

from usv_energy.physics.waves.added_resistance import (
    SeaAlong,
    WaveCoefficients,
    added_resistance,
    mean_sea,
    mean_sea_action,
    mean_sea_resistance,
)

TABLE = WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 4.0), ((60.0, 20.0), (4.0, 0.0), (-12.0, -4.0)))
SOME = WaveCoefficients((0.4, 1.1), (2.0,), ((60.0,), (4.0,)))
YAW = np.linspace(-8.0, 8.0, 321)


@pytest.mark.parametrize(('table', 'towards'), [(TABLE, math.pi), (TABLE, -2.0), (SOME, 0.3)])
def test_it_is_the_added_resistance_at_every_yaw(table, towards):
    along = SeaAlong(0.5, 2.4, towards, table)
    sea = mean_sea(along)
    np.testing.assert_allclose(mean_sea_resistance(sea, YAW), added_resistance(along, YAW), atol=1e-9)
    assert mean_sea_resistance(sea, 1.3) == pytest.approx(float(added_resistance(along, 1.3)), abs=1e-9)


def test_one_direction_holds_for_all():
    sea = mean_sea(SeaAlong(0.5, 2.0, 1.0, WaveCoefficients((0.0,), (2.0,), ((60.0,),))))
    np.testing.assert_allclose(mean_sea_resistance(sea, YAW), 15.0)


def test_the_action_pushes_astern_by_the_mean_of_both_ends():
    sea = mean_sea(SeaAlong(0.5, 2.0, math.pi, TABLE))
    action = mean_sea_action(sea, 0.0, 0.5 * math.pi)
    assert action.surge == pytest.approx(-0.5 * (15.0 + 1.0)) and tuple(action[1:]) == (0.0,) * 5


def test_compiled_it_is_the_same():
    numba = pytest.importorskip('numba')
    from usv_energy.physics.compiled_kernels import compile_kernels
    compile_kernels()
    sea = mean_sea(SeaAlong(0.5, 2.4, -2.0, TABLE))
    compiled = numba.njit(lambda one, yaw: mean_sea_resistance(one, yaw))
    for yaw in YAW[::40].tolist():
        assert compiled(sea, yaw) == pytest.approx(float(mean_sea_resistance(sea, yaw)), abs=1e-9)
