"""Roll-outs of any arrangement are the plant's own motion, however they are computed."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from kind_boats import KINDS

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant import Plant
from usv_energy.studies.identify.rollout import driven_rollout
from usv_energy.studies.identify.rollout.driven_rollout import (
    best_driven_roll,
    roll_driven,
    roll_driven_together,
    setting_template,
)
from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of, substeps_of
from usv_energy.studies.identify.rollout.rollout_windows import residuals, windows_of
from usv_energy.studies.identify.rollout.tracks import angles_turned, track_of, turning_parts

FLOW = Flow(0.2, -0.1, -3.0, 1.0)


def boat_of(kind, folder, **more):
    path = folder / f'{kind}.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop_usvsim', 'name': 'kind', **KINDS[kind], **more}))
    return read_boat(str(path))


def plant_log(boat, rng, seconds=30.0, period=0.1, steps=4):
    """Return the log of a plant whose actuators are asked for something else every 3 s; it holds the flow."""
    vessel = boat.vessel
    plant = Plant(vessel, (0.0, 0.0, 0.7), lambda time, x, y: FLOW, period / steps)
    rows, asked = [], None
    for number in range(round(seconds / period)):
        if number % 30 == 0:
            asked = Setting(
                tuple(rng.uniform(one.min_thrust, one.max_thrust) for one in vessel.thrusters),
                tuple(one.azimuth and rng.uniform(one.azimuth.least, one.azimuth.largest) for one in vessel.thrusters),
                tuple(one.steer and 0.8 * rng.uniform(one.steer.least, one.steer.largest) for one in vessel.foils))
        rows.append((plant.time, plant.state.yaw, *plant.velocity_over_ground(), *asked.commands,
                     *(math.nan if angle is None else angle for angle in asked.angles),
                     *(angle for angle in asked.foils if angle is not None)))
        for _ in range(steps):
            plant.advance(asked)
    time, yaw, u, v, r, *rest = np.array(rows).T
    number = len(vessel.thrusters)
    parts = [np.array(part).reshape(-1, len(time)).T for part in (rest[:number], rest[number:2 * number],
                                                                 rest[2 * number:])]
    flow = {name: np.full(len(time), getattr(FLOW, name)) for name in FLOW._fields}
    return Log('plant', Path('plant.csv'), time, yaw=yaw, u=u, v=v, r=r, thrust=parts[0], angle=parts[1],
               foil_angle=parts[2], thrusters=boat.thruster_names,
               foils=tuple(name for name, foil in zip(boat.foil_names, vessel.foils) if foil.steer is not None), **flow)


def plant_track(boat, seed=5):
    """Return the track of a plant that takes as many steps from sample to sample as roll-outs do."""
    steps = substeps_of(track_of(plant_log(boat, np.random.default_rng(seed)), boat), boat.vessel)
    return track_of(plant_log(boat, np.random.default_rng(seed), steps=steps), boat)


def windows_and_model(boat, track):
    return windows_of([track], 5.0)[0], model_of('quadratic', boat, scale_of([track]), False)


@pytest.fixture
def on_arrays(monkeypatch):
    monkeypatch.setattr(driven_rollout, 'best_driven_roll', lambda: roll_driven_together)


@pytest.mark.parametrize('kind', [kind for kind in KINDS if kind not in ('pair', 'two sizes')])
def test_roll_outs_of_the_right_boat_are_the_plants_run(kind, tmp_path, on_arrays):
    """The plant's own path comes out, in wind and current, with the same steps."""
    boat = boat_of(kind, tmp_path)
    windows, model = windows_and_model(boat, plant_track(boat))
    error = residuals(windows, model.column('prior'), model, np.zeros(4))
    assert np.max(np.abs(error)) < 1e-11


def test_thrusts_lag_and_angles_turn_as_the_plants_do(tmp_path, on_arrays):
    """Thrust goes on straight lines with its impulse and first moment; the angles' rate is the boat file's."""
    boat = boat_of('ferry', tmp_path)
    boat = replace(boat, vessel=boat.vessel._replace(
        thrusters=tuple(one._replace(lag=0.4) for one in boat.vessel.thrusters)))
    track = plant_track(boat)
    windows, model = windows_and_model(boat, track)
    assert np.max(np.abs(residuals(windows, model.column('prior'), model, np.zeros(4)))) < 5e-5
    slow = replace(boat, vessel=boat.vessel._replace(thrusters=tuple(
        one._replace(azimuth=one.azimuth._replace(rate=0.5)) for one in boat.vessel.thrusters)))
    slowly = angles_turned(track.time, track.turning, turning_parts(slow.vessel), ())
    windows, model = windows_and_model(slow, replace(track, turned=slowly))
    assert np.max(np.abs(residuals(windows, model.column('prior'), model, np.zeros(4)))) > 0.02


def test_plain_python_arrays_and_compiled_code_roll_out_alike(tmp_path, rng):
    pytest.importorskip('numba')
    boat = boat_of('rudder', tmp_path, thrusters=[{**KINDS['rudder']['thrusters'][0], 'propeller': {
        'map': [[-20.0, 100.0], [0.0, 0.0], [20.0, 100.0]], 'inflow': {'coefficient': 1.0, 'torque_ratio': 0.8}}}])
    track = track_of(plant_log(boat, rng, 12.0), boat)
    stamps = track.time + rng.uniform(0.0, 0.03, track.time.size)
    windows, model = windows_and_model(boat, replace(
        track, time=stamps, flow=track.flow + rng.uniform(-0.2, 0.2, track.flow.shape)))
    found = []
    for way in (best_driven_roll(), roll_driven_together, roll_driven):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(driven_rollout, 'best_driven_roll', lambda way=way: way)
            found.append(residuals(windows, model.column('prior'), model, np.array([0.1, 0.0, 1.0, -1.0])))
    np.testing.assert_allclose(found[0], found[2], atol=1e-11)
    np.testing.assert_allclose(found[1], found[2], atol=1e-11)


def test_a_template_has_an_angle_of_what_turns(tmp_path):
    boat = boat_of('ferry', tmp_path)
    assert setting_template(boat.vessel) == Setting((0.0,) * 4, (0.0,) * 4, ())
    assert setting_template(boat_of('rudder', tmp_path).vessel) == Setting((0.0,), (None,), (0.0,))
