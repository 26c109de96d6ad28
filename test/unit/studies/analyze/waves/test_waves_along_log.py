import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow, Motion
from usv_energy.physics.waves.added_resistance import WaveCoefficients
from usv_energy.studies.analyze.waves.sea_fit import SeaSeen
from usv_energy.studies.analyze.waves.waves_along_log import (
    DRIFT,
    FILE,
    PARTS,
    SurgeSource,
    drift_of,
    less_drift,
    waves_along_log,
)

OTTER = read_boat('otter_parts')
TIME = np.arange(0.0, 10.0, 0.1)
STILL = np.zeros(TIME.size)
FLOW = Flow(STILL, STILL, STILL, STILL)
EXACT = SurgeSource(1.0, False)  # Too seldom to tell how the thrust answers.


def sea_towards(deg, height=0.3):
    return SeaSeen(height, 2.5, math.radians(deg), 'heave', 1.0, 1.8)


def along(sea, boat=OTTER, yaw=0.0, speed=1.0, source=EXACT):
    log = Log('log', Path('log'), TIME, yaw=STILL + yaw, u=STILL + speed, v=STILL, r=STILL)
    motion = Motion(log.yaw, log.u, STILL, STILL, STILL, STILL, STILL)
    return waves_along_log(log, motion, FLOW, boat, sea, source)


def test_head_seas_cost_most():
    head, beam, following = (float(along(sea_towards(deg)).resistance.mean()) for deg in (180.0, 90.0, 0.0))
    assert head > 3.0 * abs(beam) > 0.0 and following < beam
    # What waves took of the plant in these seas, means of eight runs each: 6.4 +- 0.3, 0.2 +- 0.1, -0.7 +- 0.1 N.
    assert head == pytest.approx(6.4, abs=1.0) and beam == pytest.approx(0.2, abs=0.7)


def test_it_grows_with_the_square_of_the_height():
    one, two = (along(sea_towards(150.0, height)).resistance for height in (0.2, 0.4))
    np.testing.assert_allclose(two, 4.0 * one, rtol=1e-9)


def test_only_the_direction_from_the_bow_counts():
    turned = along(sea_towards(-90.0), yaw=0.5 * math.pi).resistance
    np.testing.assert_allclose(along(sea_towards(180.0)).resistance, turned, rtol=1e-9)


def test_a_boat_at_rest_takes_nothing_and_the_action_pushes_astern():
    resting, going = along(sea_towards(180.0), speed=0.0), along(sea_towards(180.0))
    np.testing.assert_allclose(resting.resistance, 0.0, atol=1e-12)
    assert (going.action.surge < 0.0).all() and going.action.moment == 0.0


def test_an_unknown_direction_is_the_mean_of_all_and_as_wide():
    unknown = along(sea_towards(math.nan))
    to_port = [along(sea_towards(deg)).resistance.mean() for deg in range(0, 181, 15)]    # Starboard is the same.
    assert unknown.resistance.mean() == pytest.approx((sum(to_port) + sum(to_port[1:-1])) / 24.0, rel=1e-6)
    assert unknown.off.min() > 2.0  # Of the 5 N of head seas and none of following ones


def test_slip_counts_where_places_tell_the_speed():
    of_places = along(sea_towards(180.0), source=SurgeSource(1.0, True))
    # -0.0095 m/s: the way over ground of four runs less the mean speed along their pitching axes.
    assert of_places.slip.mean() == pytest.approx(-0.0095, abs=0.002)
    assert not along(sea_towards(180.0)).slip.any()


def test_a_boat_without_parts_has_an_estimate_as_wide_as_itself():
    plain = along(sea_towards(180.0), read_boat('otter'))
    assert plain.told_by == DRIFT and along(sea_towards(180.0)).told_by == PARTS
    assert (plain.off > plain.resistance).all() and (plain.resistance > 0.0).all()


def test_a_boat_without_parts_has_the_coefficients_of_its_file():
    coefficients = WaveCoefficients((0.0, math.pi), (2.0, 3.0), ((60.0, 40.0), (-20.0, -10.0)))
    found = along(sea_towards(180.0), replace(read_boat('otter'), waves=coefficients))
    np.testing.assert_allclose(found.resistance, 0.09 * 50.0, rtol=1e-9)  # Half way between 2 and 3 s, 0.3 m
    assert found.told_by == FILE and not found.slip.any()
    turned = along(sea_towards(180.0), replace(read_boat('otter'), waves=coefficients), yaw=math.pi)
    np.testing.assert_allclose(turned.resistance, 0.09 * -15.0, rtol=1e-9)
    own_parts = along(sea_towards(180.0), replace(OTTER, waves=coefficients))
    assert own_parts.told_by == PARTS


def test_the_drift_that_a_current_holds_is_taken_off():
    flow = FLOW._replace(current_x=STILL + 0.2)
    kept, drifting = (less_drift(flow, drift_of(sea_towards(180.0), depth)) for depth in (0.0, 1.0))
    # 0.0463 m/s: the surface drift of four seas drawn from this state (`Sea.stokes_drift`).
    assert kept.current_x[0] - 0.2 == pytest.approx(0.0463, rel=0.08)
    assert 0.0 < drifting.current_x[0] - 0.2 < 0.4 * (kept.current_x[0] - 0.2)
    np.testing.assert_allclose(kept.current_y, 0.0, atol=1e-12)
