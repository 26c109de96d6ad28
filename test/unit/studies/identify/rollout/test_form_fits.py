"""Fits of forms that start from simpler ones."""

import numpy as np
from twin_boats import LUTRA, twin_tracks

from usv_energy.studies.identify.rollout.fit_parameters import FORMS, SIMPLER
from usv_energy.studies.identify.rollout.form_choice import FitNumbers, fit_determined, ladder_to, model_for, start_from
from usv_energy.studies.identify.rollout.normal_equations import NONE
from usv_energy.studies.identify.rollout.rollout_windows import windows_of


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


def test_a_form_s_ladder_is_what_it_adds_to_from_the_simplest_on():
    assert ladder_to('linear') == ('linear',)
    assert ladder_to('coupled') == ('linear', 'quadratic', 'coupled')
    assert ladder_to('lift+curve+compass') == ('linear', 'quadratic', 'lift', 'lift+curve', 'lift+curve+compass')


def test_a_parameter_that_is_kept_has_its_prior_whatever_a_fit_before_found():
    tracks = twin_tracks(LUTRA, np.random.default_rng(1), 2, duration=30.0)
    model, windows, kept = model_for('linear', tracks, LUTRA), windows_of(tracks), ('thrust.astern',)
    start = start_from(FitNumbers({'thrust.astern': 0.8, 'inertia.m11': 12.0}, {}), model, windows, kept)
    assert dict(zip(model.keys, start.values))['thrust.astern'] == 1.0
    found = fit_determined(model, windows, NONE, start=start, kept=kept)
    place = model.keys.index('thrust.astern')
    assert found.values[place] == 1.0 and not found.free[place]
    assert dict(zip(model.keys, found.values))['damping.linear.d11'] != start.values[model.keys.index(
        'damping.linear.d11')], 'the others are fitted'
