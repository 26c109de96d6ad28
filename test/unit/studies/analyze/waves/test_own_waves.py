import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.analyze.waves.own_waves import hull_motion, own_work
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen

OTTER = read_boat('otter_parts').vessel
ALL = slice(None)
# Not the sea that the waves were drawn from: what spectra of half a minute show is as far off.
SEEN = SeaSeen(0.25, 2.8, math.radians(120.0), 'heave, roll and pitch', 0.6, 1.5)


def test_the_very_waves_give_the_work_of_the_thrusters(moved):
    found, = own_work(hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    # The plant's own work is counted at the steps of its integration; mean forces of waves are 7 % of it.
    assert found.work == pytest.approx(np.diff(np.interp([found.begin, found.end], moved.log.time, moved.work))[0],
                                       rel=5e-3)
    assert found.missed < 0.05


def test_port_and_starboard_are_alike(moved):
    log = replace(moved.log, extra={**moved.log.extra, 'roll_rad': -moved.log.extra['roll_rad']})
    motion = moved.motion._replace(yaw=-moved.motion.yaw, v=-moved.motion.v, r=-moved.motion.r)
    here, = own_work(hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    there, = own_work(hull_motion(log, motion, moved.flow, OTTER, ALL), SEEN._replace(direction=-SEEN.direction), OTTER)
    assert there.work == pytest.approx(here.work, rel=1e-4)  # Of single precision, in which waves are found


def test_a_steady_current_changes_nothing_but_the_way_over_ground(moved):
    c, s = np.cos(moved.motion.yaw), np.sin(moved.motion.yaw)
    over_ground = moved.motion._replace(u=moved.motion.u + 0.4 * c, v=moved.motion.v - 0.4 * s)
    flow = moved.flow._replace(current_x=moved.flow.current_x + 0.4)
    still, carried = (hull_motion(moved.log, motion, water, OTTER, ALL)
                      for motion, water in ((moved.motion, moved.flow), (over_ground, flow)))
    for one, other in zip(still.state[:6], carried.state[:6]):
        np.testing.assert_allclose(other, one, atol=1e-9)


def test_the_way_is_that_of_the_places(moved):
    found = hull_motion(moved.log, moved.motion, moved.flow, OTTER, ALL)
    at = np.searchsorted(moved.log.time, found.time - 1e-9)
    # Velocities are along the axes of a hull that pitches and rolls: their way over ground is that of its places.
    np.testing.assert_allclose(found.state.x, (moved.log.x - moved.log.x[0])[at], atol=2e-3)
    np.testing.assert_allclose(found.state.y, (moved.log.y - moved.log.y[0])[at], atol=2e-3)


def test_noise_is_no_wave(moved):
    noise = 0.005 * np.random.default_rng(1).standard_normal((3, len(moved.log)))
    extra = {name: values + one for (name, values), one in zip(moved.log.extra.items(), noise)}
    found, = own_work(hull_motion(replace(moved.log, extra=extra), moved.motion, moved.flow, OTTER, ALL), SEEN, OTTER)
    assert found.missed > 0.5
