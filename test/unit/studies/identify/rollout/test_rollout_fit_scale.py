"""What the intervals of a fit follow from: the scales of its residuals, and differences that cancel."""

from dataclasses import replace

import numpy as np
import pytest
from rollout_twin import Truth, base_of, twins
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import FINE_DIFFERENCE, NONE, NormalEquations, fit_rollouts
from usv_energy.studies.identify.rollout.rollout_windows import windows_of
from usv_energy.studies.identify.rollout.tracks import track_of


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(3), count=1, duration=20.0)[0]


def test_the_cost_of_a_fit_is_that_of_the_scales_it_gives(track):
    """They are what its intervals follow from; the last pass does not change them any more."""
    model, windows = model_of('linear', LUTRA, scale_of([track]), False), windows_of([track])
    found = fit_rollouts(model, windows, nuisances=NONE)
    solver = NormalEquations(model, windows, np.ones(len(model.keys), bool), NONE, found.start_std, found.shifts)
    state = np.concatenate([found.values, np.zeros(4)])
    assert solver.cost(solver.all_errors(state), state, found.scale, found.effect) == pytest.approx(found.cost)


def test_no_log_tells_the_scale_of_all_newtons_however_the_boat_swings():
    """Masses, drags and thrusts, all a little larger, in no air: the same motion. This log's roll-outs diverge fast."""
    truth, logs = twins(replace(Truth(), left=1.15), 30047)
    boat = base_of(LUTRA)
    boat = replace(boat, vessel=boat.vessel._replace(windage=boat.vessel.windage._replace(air_density=0.0)))
    tracks = [track_of(logs[3], boat)]
    model = model_of('quadratic', boat, scale_of(tracks), False)
    known = truth.numbers()
    values = np.array([known[key] for key in model.keys])
    fit = NormalEquations(model, windows_of(tracks), np.ones(len(values), bool), NONE)
    fit.difference = FINE_DIFFERENCE
    _, matrix = fit.normal(np.concatenate([values, np.zeros(4)]), np.array([0.02, 0.02, 0.01]), np.full(3, 100.0))
    newtons = [key.startswith(('inertia', 'damping')) or key == 'thrust.scale' for key in model.keys]
    all_newtons = np.where(newtons, values, 0.0)
    data = matrix[:len(values), :len(values)] - np.diag(model.column('std') ** -2.0)
    assert all_newtons @ data @ all_newtons < 0.1, 'where differences do not cancel: 66; the prior of the scale has 400'
    alone = values[0] ** 2 * data[0, 0]
    assert alone > 1e4, 'a mass alone is told well'
