import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.analysis.waves.mean_motion import without_oscillation
from usv_energy.analysis.waves.own_force import tells_own_waves, with_own_waves
from usv_energy.analysis.waves.sea_fit import SeaSeen
from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.power import Motion

OTTER = read_boat('otter_parts').vessel
SEEN = SeaSeen(0.3, 2.5, math.radians(130.0), 'heave, roll and pitch', 0.6, 1.5)


def smooth(moved):
    return Motion(*without_oscillation(moved.log, moved.motion, 1.7))


def test_drag_at_the_mean_motion_and_this_force_are_the_work(moved):
    mean = smooth(moved)
    for before in (0.0, 8.0):  # Whatever the sea was thought to take.
        force = with_own_waves(moved.log, moved.motion, mean, moved.flow, OTTER, SEEN, before + 0.0 * mean.u)
        drag = (OTTER.damping.d11 + OTTER.damping.d11_q * np.abs(mean.u)) * mean.u
        kinetic = 0.5 * OTTER.inertia.m11 * (mean.u[-1] ** 2 - mean.u[0] ** 2)
        work = trapezoid((drag + force) * mean.u, moved.log.time) + kinetic
        assert work == pytest.approx(moved.work[-1] - moved.work[0], rel=0.01)  # Yaw and sway aside


def test_where_waves_do_not_explain_the_motion_nothing_is_said(moved):
    noise = 0.01 * np.random.default_rng(2).standard_normal((3, len(moved.log)))
    extra = {name: values + one for (name, values), one in zip(moved.log.extra.items(), noise)}
    mean = smooth(moved)
    assert with_own_waves(replace(moved.log, extra=extra), moved.motion, mean, moved.flow, OTTER, SEEN,
                          0.0 * mean.u) is None


def test_all_angles_often_enough_and_a_direction_are_needed(moved):
    seldom = replace(moved.log, time=5.0 * moved.log.time)
    flat = replace(moved.log, extra={'roll_rad': moved.log.extra['roll_rad']})
    assert tells_own_waves(moved.log, SEEN)
    assert not tells_own_waves(moved.log, SEEN._replace(direction=math.nan))
    assert not tells_own_waves(seldom, SEEN) and not tells_own_waves(flat, SEEN)
