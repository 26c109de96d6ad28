"""What a fit is of: scales of its logs, priors and limits, the boat of its values, steps of its roll-outs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, NO_NOISE, twin_tracks

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout.fit_parameters import (
    FORMS,
    LogScale,
    _arm,
    compass_of,
    least_turn,
    model_of,
    scale_of,
    substeps_of,
    thrust_numbers,
    thrusts_of,
    vessel_of,
)
from usv_energy.studies.identify.rollout.rollout import LONGEST_STEP, MOST_SUBSTEPS, RATE_OF_STEP


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


def rows_of(form, boat=LUTRA, nominal=False):
    """Return lower, upper, prior and standard deviation, by key, for two thrusters of 10 N, 2 m/s and 0.5 rad/s."""
    return {row[0]: row[2:] for row in model_of(form, boat, LogScale(10.0, 8.0, 2.0, 0.5), nominal).parameters}


def test_damping_is_sought_about_what_balances_the_largest_thrust_at_the_largest_speed():
    """20 N over 2 m/s, three times that of sway; 20 N on an arm of 0.08 m over 0.5 rad/s; fifty times that at most."""
    damping, rows = LUTRA.vessel.damping, rows_of('lift+curve+compass')
    for key, natural, value in (
            ('linear.d11', 20.0 / 2.0, damping.d11), ('linear.d22', 60.0 / 2.0, damping.d22),
            ('linear.d33', 1.6 / 0.5, damping.d33), ('quadratic.d11', 20.0 / 4.0, 0.0),
            ('quadratic.d22', 60.0 / 4.0, 0.0), ('quadratic.d33', 1.6 / 0.25, 0.0), ('speed.d22', 60.0 / 4.0, 0.0),
            ('speed.d33', 1.6 / 0.5 / 2.0, 0.0)):
        assert rows[f'damping.{key}'] == pytest.approx(
            (0.0, 50.0 * natural + 10.0 * value, value, max(value, 2.0 * natural))), key


def test_masses_are_sought_from_two_fifths_to_ten_times_the_base_s():
    for name in ('m11', 'm22', 'm33'):
        mass = getattr(LUTRA.vessel.inertia, name)
        assert rows_of('linear')[f'inertia.{name}'] == pytest.approx((0.4 * mass, 10.0 * mass, mass, 0.5 * mass))


def test_shares_and_couplings_are_sought_within_what_a_boat_can_be():
    """A lift is at most ten times what takes 20 N at 2 m/s and 0.5 rad/s, and likely about the mass (Munk's moment)."""
    curved, coupled = rows_of('lift+curve+compass'), rows_of('coupled')
    assert curved['thrust.scale'] == (0.1, 5.0, 1.0, 0.05) and rows_of('linear', nominal=True)['thrust.scale'][3] == 0.5
    assert curved['thrust.astern'] == (0.2, 3.0, 1.0, 0.15) and curved['thrust.asymmetry'] == (-0.8, 0.8, 0.0, 0.2)
    assert curved['thrust.exponent'] == (0.5, 3.0, 1.0, 0.5) and curved['thrusters.lag'] == (0.0, 3.0, 0.0, 0.3)
    assert {curved[f'compass.{name}'] for name in ('constant', 'cosine', 'sine')} == {(-0.5, 0.5, 0.0, 0.05)}
    assert curved['coupling.lift'] == pytest.approx((-200.0, 200.0, 0.0, LUTRA.vessel.inertia.m11))
    assert coupled['coupling.inertia'] == (-0.8, 0.8, 0.0, 0.3)
    assert coupled['coupling.damping'] == (-0.99, 0.99, 0.0, 0.5)
    assert coupled['coupling.skew'] == pytest.approx((-400.0, 400.0, 0.0, 120.0))


def test_couplings_of_the_base_are_where_they_are_sought():
    vessel = LUTRA.vessel
    root = (vessel.inertia.m22 * vessel.inertia.m33) ** 0.5
    boat = replace(LUTRA, vessel=vessel._replace(
        inertia=vessel.inertia._replace(m23=0.2 * root),
        damping=vessel.damping._replace(d23=-1.0, d32=3.0, d23_u=-2.0, d32_u=6.0, d11_q=7.0)))
    coupled = rows_of('coupled', boat)
    assert coupled['coupling.inertia'][2] == pytest.approx(0.2) and coupled['coupling.skew'][2] == pytest.approx(2.0)
    assert rows_of('lift', boat)['coupling.lift'][2] == pytest.approx(4.0)
    assert rows_of('quadratic', boat)['damping.quadratic.d11'] == pytest.approx((0.0, 250.0 + 70.0, 7.0, 10.0))
    model = model_of('lift', boat, LogScale(10.0, 8.0, 2.0, 0.5), False)
    found = vessel_of(model.column('prior'), model).damping
    assert (found.d23_u, found.d32_u, found.d11_q) == pytest.approx((-4.0, 4.0, 7.0))
    linear = model_of('linear', boat, LogScale(10.0, 8.0, 2.0, 0.5), False)
    assert vessel_of(linear.column('prior'), linear).damping.d11_q == 0.0, 'the form has no quadratic damping'


def test_a_gentle_turn_is_one_of_five_lengths_radius():
    """r L / u = 0.2, L four radii of gyration, (m33 / m11)^0.5 each."""
    inertia = LUTRA.vessel.inertia
    assert least_turn(LUTRA.vessel, 2.0) == pytest.approx(0.2 * 2.0 / (4.0 * (inertia.m33 / inertia.m11) ** 0.5))


def test_the_arm_is_the_longest_of_what_turns_the_boat():
    port = LUTRA.vessel.thrusters[0]
    bow = port._replace(x=0.3, y=0.4, axis=(0.0, 1.0))
    rudder = read_boat('lutra_rudder').vessel.foils[0]
    assert _arm(LUTRA.vessel) == pytest.approx(0.08)
    assert _arm(LUTRA.vessel._replace(thrusters=(port, bow))) == pytest.approx(0.5)
    assert _arm(LUTRA.vessel._replace(foils=(rudder._replace(x=-0.7), rudder._replace(x=2.0, steer=None)))) == 0.7
    centre = port._replace(y=0.0)
    assert _arm(LUTRA.vessel._replace(thrusters=(centre,), foils=())) == 1.0


def test_thrusts_are_those_of_the_log_by_scale_side_and_curve():
    """0.9 (1 +- 0.1) F (f / F)^2, 0.7 times that astern; of three thrusters none is compared."""
    model = model_of('lift+curve', LUTRA, LogScale(10.0, 8.0, 2.0, 0.5), False)
    values = model.column('prior')
    for name, value in (('scale', 0.9), ('astern', 0.7), ('asymmetry', 0.2), ('exponent', 2.0)):
        values[model.keys.index(f'thrust.{name}')] = value
    given = thrusts_of(np.array([[5.0, -4.0], [-8.0, 10.0], [0.0, 0.0]]), values, model)
    np.testing.assert_allclose(given, 0.9 * np.array([[2.5 * 1.1, -0.7 * 2.0 * 0.9], [-0.7 * 8.0 * 1.1, 10.0 * 0.9],
                                                      [0.0, 0.0]]))
    np.testing.assert_allclose(thrusts_of(np.array([[5.0, -4.0, 10.0]]), values, model),
                               [[0.9 * 2.5, -0.9 * 0.7 * 2.0, 9.0]])
    assert sorted(thrust_numbers(values, model)) == [0.2, 0.7, 0.9, 2.0]
    assert compass_of(values, model) == (0.0, 0.0, 0.0)
    turned = model_of('lift+curve+compass', LUTRA, LogScale(10.0, 8.0, 2.0, 0.5), False)
    values = turned.column('prior')
    values[-3:] = 0.1, 0.2, 0.3
    assert compass_of(values, turned) == (0.1, 0.2, 0.3)


def test_a_boat_at_rest_is_one_below_2_cm_a_second(track):
    """And one without thrust; a boat whose logs have thrust one way only has as much the other way."""
    asked = np.ones_like(track.thrust)
    slow = replace(track, thrust=asked, motion=0.0 * track.motion + [0.0, 0.02, 0.0, 0.0])
    assert scale_of([slow]) == (1.0, 1.0, 0.02, 0.02)
    turning = replace(slow, thrust=-2.0 * asked, motion=0.0 * track.motion + [0.0, 0.0, 0.0, -0.3])
    assert scale_of([turning]) == (2.0, 2.0, 0.02, 0.3)
    with pytest.raises(InputError, match=r'largest thrust 1\.00 N, speed 0\.019 m/s, yaw rate 0\.000 rad/s'):
        scale_of([replace(slow, motion=0.0 * track.motion + [0.0, 0.0, 0.019, 0.0])])


def test_steps_follow_couplings_and_foils_too(track):
    """Each raises the rate of turning by its own share: cross damping over sqrt(m22 m33), foils by area and arm."""
    slow, vessel, (u, _, _) = replace(track, time=10.0 * track.time), LUTRA.vessel, track.largest
    m, d = vessel.inertia, vessel.damping
    root = (m.m22 * m.m33) ** 0.5
    base = max(d.d22 / m.m22, d.d33 / m.m33)
    foil = read_boat('lutra_rudder').vessel.foils[0]._replace(area=0.05, in_air=None)
    grown = foil.density * foil.area * (foil.lift + foil.drag) * u * (1.0 / m.m22 + foil.x ** 2 / m.m33)
    for changed, rate in (
            (vessel._replace(damping=d._replace(d23=-300.0, d32=200.0)), base + 300.0 / root),
            (vessel._replace(damping=d._replace(d23=-200.0, d32=300.0)), base + 300.0 / root),
            (vessel._replace(damping=d._replace(d23_u=-200.0, d32_u=300.0)), base + 300.0 * u / root),
            (vessel._replace(damping=d._replace(d23=-150.0, d32_u=150.0)), base + 150.0 * (1.0 + u) / root),
            (vessel._replace(inertia=m._replace(m23=-0.9 * root)), 10.0 * base),
            (vessel._replace(foils=(foil, foil._replace(in_air=1.0))), base + grown)):
        assert 5.0 < rate < MOST_SUBSTEPS * RATE_OF_STEP / slow.period
        assert substeps_of(slow, changed) == math.ceil(slow.period * rate / RATE_OF_STEP)
    assert substeps_of(slow, vessel) == math.ceil(slow.period / LONGEST_STEP)
    assert substeps_of(slow, vessel._replace(damping=d._replace(d23=-3e4))) == MOST_SUBSTEPS
    assert substeps_of(replace(track, time=0.01 * track.time), vessel) == 1
