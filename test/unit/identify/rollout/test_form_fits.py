"""Fits of forms that start from simpler ones."""

import numpy as np
from twin_boats import LUTRA, twin_tracks

from usv_energy.identify.rollout.fit_parameters import FORMS, SIMPLER
from usv_energy.identify.rollout.form_fits import FitNumbers, model_for, start_from
from usv_energy.identify.rollout.rollout_fit import windows_of


def test_every_form_starts_from_a_form_whose_numbers_it_has():
    assert set(SIMPLER) == set(FORMS) - {'linear'}
    order = list(FORMS)
    for form, simpler in SIMPLER.items():
        assert set(FORMS[simpler]) < set(FORMS[form]) and order.index(simpler) < order.index(form)


def test_a_start_takes_numbers_and_flows_by_name_and_priors_for_what_is_new():
    tracks = twin_tracks(LUTRA, np.random.default_rng(1), 2, duration=20.0)
    model, windows = model_for('quadratic', tracks, LUTRA), windows_of(tracks)
    start = start_from(FitNumbers({'inertia.m11': 12.0}, {'log 1': np.arange(4.0)}), model, windows)
    assert dict(zip(model.keys, start.values))['inertia.m11'] == 12.0
    np.testing.assert_array_equal(start.values[1:], model.column('prior')[1:])
    np.testing.assert_array_equal(start.flows, [np.zeros(4), np.arange(4.0)])
