import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import trapezoid

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.studies.analyze.waves import own_waves as module
from usv_energy.studies.analyze.waves.own_waves import OwnWork, tells_own_waves, with_own_waves
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen
from usv_energy.studies.analyze.waves.waves_along_log import without_oscillation

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


WINDOWS = 'begin', 'end', 'work', 'missed'


def windowed(monkeypatch, *windows, step=0.1):
    """Return the force beyond 2 N at 0.5 m/s, turning at 0.2 rad/s, and what is asked; windows: s, s, J, share."""
    time = np.concatenate([100.0 + step * np.arange(201), 150.0 + step * np.arange(601)])
    log = Log('log', Path('log'), time, max_gap=5.0)
    zero = 0.0 * time
    mean = Motion(zero, zero + 0.5, zero, zero + 0.2, zero, zero, zero)
    asked = []

    def own_work(moved, sea, vessel, share):
        asked.append(share)
        return iter([OwnWork(**dict(zip(WINDOWS, one))) for one in windows] if len(asked) == 1 else [])

    monkeypatch.setattr(module, 'hull_motion', lambda *rest: None)
    monkeypatch.setattr(module, 'own_work', own_work)
    force = with_own_waves(log, mean, mean, Flow(zero, zero, zero, zero), OTTER, SEEN, zero + 2.0)
    return force, asked


def test_a_window_s_work_is_beyond_that_of_drag_turning_and_what_the_sea_takes(monkeypatch):
    """Over 10 s at 0.5 m/s: the work of a window less that of the mean motion is a force times 5 m."""
    damping, windage = OTTER.damping, OTTER.windage
    drag = (damping.d11 + damping.d11_q * 0.5) * 0.5
    coriolis = -OTTER.inertia.m23 * 0.2 * 0.2, OTTER.inertia.m23 * 0.5 * 0.2
    turning = (damping.d33 + damping.d33_q * 0.2 + damping.d33_u * 0.5) * 0.2
    push = 0.5 * windage.air_density * windage.frontal_area * windage.c_x * 0.5 * 0.5
    power = (drag + push + coriolis[0] + 2.0) * 0.5 + (turning + coriolis[1]) * 0.2
    force, asked = windowed(monkeypatch, (100.0, 110.0, 10.0 * power + 15.0, 0.1), (110.0, 120.0, 10.0 * power, 0.1))
    np.testing.assert_allclose(force[:100], 2.0 + 3.0)
    np.testing.assert_allclose(force[101:], 2.0, atol=1e-9)
    assert asked == pytest.approx([20.0 / 80.0, 60.0 / 80.0]), 'of the time of both pieces'


@pytest.mark.parametrize(('missed', 'told'), [((0.31, 0.31, 0.1), False), ((0.31, 0.1, 0.31, 0.31), True),
                                              ((0.31,), False), ((0.1,), True), ((0.3, 0.3), False)])
def test_two_windows_at_the_begin_that_waves_do_not_explain_are_enough(monkeypatch, missed, told):
    windows = [(100.0 + 2.0 * n, 102.0 + 2.0 * n, 9.0, one) for n, one in enumerate(missed)]
    assert (windowed(monkeypatch, *windows)[0] is not None) == told
