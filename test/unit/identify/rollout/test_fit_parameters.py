"""What a fit is of: scales of its logs, priors and limits, the boat of its values, steps of its roll-outs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks

from usv_energy.files.errors import InputError
from usv_energy.identify.rollout.fit_parameters import FORMS, model_of, scale_of, substeps_of, vessel_of
from usv_energy.identify.rollout.rollout import RATE_OF_STEP


@pytest.fixture(scope='module')
def track():
    return twin_tracks(LUTRA, np.random.default_rng(3), count=1, duration=20.0, noise=NO_NOISE)[0]


def test_the_scale_is_the_largest_of_all_logs(track):
    strong = np.abs(track.thrust)
    scale = scale_of([replace(track, thrust=strong), replace(track, thrust=-0.5 * strong)])
    assert (scale.ahead, scale.astern) == (strong.max(), 0.5 * strong.max())
    assert scale.speed == pytest.approx(np.hypot(track.motion[:, 1], track.motion[:, 2]).max())
    assert scale.yaw_rate == pytest.approx(np.abs(track.motion[:, 3]).max())
    only_ahead = scale_of([replace(track, thrust=strong)])
    assert only_ahead.ahead == only_ahead.astern == strong.max()


@pytest.mark.parametrize('thrust, motion, refused', [(0.0, 1.0, True), (1.0, 1e-3, True), (1.0, 0.5, False)])
def test_a_boat_without_thrust_or_without_motion_teaches_nothing(track, thrust, motion, refused):
    still = replace(track, thrust=thrust * track.thrust, motion=motion * track.motion)
    if refused:
        with pytest.raises(InputError, match='lies at rest'):
            scale_of([still])
    else:
        assert scale_of([still]).ahead > 0.0


@pytest.mark.parametrize('form', FORMS)
def test_a_prior_lies_within_its_limits(track, form):
    model = model_of(form, LUTRA, scale_of([track]), False)
    assert (model.column('lower') < model.column('upper')).all() and (model.column('std') > 0.0).all()
    assert (model.column('lower') <= model.column('prior')).all()
    assert (model.column('prior') <= model.column('upper')).all()


def test_couplings_are_shares_of_what_would_make_the_boat_singular(track):
    """m23 = c sqrt(m22 m33); d23 and d32 = c sqrt(d22 d33) -+ skew, so that they take no power for |c| < 1."""
    model = model_of('coupled', LUTRA, scale_of([track]), False)
    values = model.column('prior')
    for key, value in (('coupling.inertia', 0.3), ('coupling.damping', -0.4), ('coupling.skew', 1.5)):
        values[model.keys.index(key)] = value
    vessel = vessel_of(values, model)
    inertia, damping = vessel.inertia, vessel.damping
    assert inertia.m23 == pytest.approx(0.3 * (inertia.m22 * inertia.m33) ** 0.5)
    even = -0.4 * (damping.d22 * damping.d33) ** 0.5
    assert (damping.d23, damping.d32) == pytest.approx((even - 1.5, even + 1.5))


@pytest.mark.parametrize(('name', 'rate'), [('d11_q', 'u'), ('d22_q', 'v'), ('d22_u', 'u'), ('d33_q', 'r'),
                                            ('d33_u', 'u')])
def test_steps_follow_the_fastest_damping(track, name, rate):
    """A hull that decays 1000 times a second at the log's largest velocity: RATE_OF_STEP over that, or less."""
    largest = dict(zip('uvr', track.largest))[rate]
    vessel = LUTRA.vessel
    mass = getattr(vessel.inertia, f'm{name[1:3]}')
    share = 2.0 if name.endswith('q') else 1.0
    damping = vessel.damping._replace(**{name: 250.0 * mass / (share * largest)})
    linear = getattr(vessel.damping, name[:3]) / mass
    others = sum(getattr(vessel.damping, f'{name[:3]}_{kind}', 0.0) for kind in 'qu')
    assert others == 0.0, 'Lutra has linear damping only'
    steps = substeps_of(track, vessel._replace(damping=damping))
    assert steps == math.ceil(track.period * (250.0 + linear) / RATE_OF_STEP)
