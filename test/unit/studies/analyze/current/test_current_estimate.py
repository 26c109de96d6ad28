import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import zoo_twin as twin
from analyze_files import BOAT, RUN

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled
from usv_energy.logs.log import Log, Note
from usv_energy.logs.read_log import read_log
from usv_energy.physics.motion import Motion
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.current_estimate import (
    CurrentEstimate,
    _Balance,
    _deviations,
    _imbalance,
    _knots,
    _notes,
    current_of_thrusts,
    estimate_current,
    open_beside,
)
from usv_energy.studies.analyze.current.flow_along_log import FROM_THRUSTS, AnalysisOptions
from usv_energy.studies.analyze.current.unknown_flow import OF_DRAG
from usv_energy.studies.analyze.doubts import UNSTATED
from usv_energy.studies.analyze.log_actuators import THRUST_MEANING
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_request import analysed_in_current


def with_thrusts(log, boat):
    """Return a log with the thrusts that the model needs for its motion, so that the truth is consistent."""
    analysed = analysed_log(log, boat)
    from usv_energy.allocation.boat_thrusts import least_thrust
    from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
    from usv_energy.physics.frames import to_body
    from usv_energy.physics.wind import wind_force
    motion, flow, vessel = analysed.motion, analysed.flow, boat.vessel
    c, s = np.cos(motion.yaw), np.sin(motion.yaw)
    current, wind = to_body(flow.current_x, flow.current_y, c, s), to_body(flow.wind_x, flow.wind_y, c, s)
    rate = (*relative_acceleration((motion.u_dot, motion.v_dot), current, motion.r), motion.r_dot)
    water = motion.u - current[0], motion.v - current[1], motion.r
    air = wind_force(wind[0] - motion.u, wind[1] - motion.v, vessel.windage)
    surge, _, yaw = (m + co + d - w for m, co, d, w in zip(
        inertia_force(*rate, vessel.inertia), coriolis_force(*water, vessel.inertia),
        damping_force(*water, vessel.damping), air))
    thrust = np.column_stack([least_thrust(thruster, (surge, 0.0, yaw))[0] for thruster in vessel.thrusters])
    return replace(log, thrust=thrust, command=np.full_like(thrust, math.nan), thrusters=boat.thruster_names,
                   neutral=(math.nan, math.nan))


@pytest.mark.parametrize('knots_apart', [math.inf, 10.0])
def test_a_current_is_found_from_the_thrusts_also_in_noise(folder, rng, knots_apart):
    log = with_thrusts(read_log(folder), BOAT)
    bare = replace(log, current_x=np.full(len(log), math.nan), current_y=np.full(len(log), math.nan))
    found = estimate_current(bare, BOAT, AnalysisOptions(), knots_apart)
    np.testing.assert_allclose(found.x, RUN.rows[0].flow.current_x, atol=0.003)
    np.testing.assert_allclose(found.y, RUN.rows[0].flow.current_y, atol=0.003)
    noisy = replace(bare, yaw=bare.yaw.copy(), u=bare.u + rng.normal(0.0, 0.01, len(log)),
                    v=bare.v + rng.normal(0.0, 0.01, len(log)),
                    thrust=bare.thrust * (1.0 + rng.normal(0.0, 0.05, bare.thrust.shape)))
    noisy.yaw[7] = noisy.u[9] = math.nan
    rough = estimate_current(noisy, BOAT, AnalysisOptions(motion='recorded'), knots_apart)
    np.testing.assert_allclose(np.median(rough.x), RUN.rows[0].flow.current_x, atol=0.03)
    np.testing.assert_allclose(np.median(rough.y), RUN.rows[0].flow.current_y, atol=0.03)
    assert rough.std_x > found.std_x
    assert found.std_x < 0.001 and found.stds == (0.008, 0.008)  # What errors of the drag leave.


def test_a_current_is_not_found_without_thrusts_or_on_too_little(folder):
    with pytest.raises(InputError, match='has no thrust'):
        estimate_current(read_log(folder), BOAT, AnalysisOptions())
    log = with_thrusts(read_log(folder), BOAT)
    with pytest.raises(InputError, match=r'has 4 stretches of 2 s .* needs 5'):
        estimate_current(log.part(slice(0, 4 * 100)), BOAT, AnalysisOptions())
    assert estimate_current(log.part(slice(0, 5 * 100)), BOAT, AnalysisOptions()).blocks == 5
    turning = [note.code for note in estimate_current(log, BOAT, AnalysisOptions()).notes]
    assert turning == ['current_one_course'], 'scenario 6 goes one way'


def circling(rng, bias=0.0, noise=0.0):
    """Return the log of a boat that goes in circles in still water, its thrusts (each) off by a bias and noise, N."""
    time = np.arange(0.0, 240.0, 0.05)
    u, v, r, yaw = 1.0, -0.05, 0.2, 0.2 * time
    x, y = (u * np.sin(yaw) + v * np.cos(yaw)) / r, (-u * np.cos(yaw) + v * np.sin(yaw)) / r
    still = np.zeros(time.size)
    log = with_thrusts(Log('circles', Path('circles'), time, x=x, y=y, yaw=yaw, u=u + still, v=v + still, r=r + still,
                           current_x=still, current_y=still, wind_x=still, wind_y=still), BOAT)
    known = np.isfinite(log.thrust)
    thrust = np.where(known, log.thrust + bias + rng.normal(0.0, noise, log.thrust.shape), math.nan)
    return replace(log, thrust=thrust, current_x=still * math.nan, current_y=still * math.nan)


def test_the_residual_is_the_scatter_about_an_offset_and_not_the_offset(rng):
    """Thrusts 1 N too strong look like no current on a circle; 0.5 N of noise each is 0.108 N on 2 s of 40 samples."""
    wanted = 0.5 * math.sqrt(2.0) * math.cos(math.radians(15.0)) / math.sqrt(40.0)
    right, strong = (estimate_current(circling(rng, bias, 0.5), BOAT, AnalysisOptions()) for bias in (0.0, 1.0))
    assert right.residual == pytest.approx(wanted, rel=0.3) and strong.residual < 0.3
    assert right.blocks == 120, '240 s'
    np.testing.assert_allclose((strong.x[0], strong.y[0]), 0.0, atol=0.02)


def test_noise_of_the_thrusts_gives_its_own_uncertainty_and_all_courses_no_warning(rng):
    """Twice the noise, twice the standard deviation; the error lies within three of them."""
    one, two = (estimate_current(circling(rng, 0.0, noise), BOAT, AnalysisOptions()) for noise in (0.5, 1.0))
    assert two.std_x / one.std_x == pytest.approx(2.0, rel=0.3) and two.std_y / one.std_y == pytest.approx(2.0, rel=0.3)
    for found in (one, two):
        assert abs(found.x[0]) < 3.0 * found.std_x and abs(found.y[0]) < 3.0 * found.std_y
        assert not found.notes


def test_knots_lie_as_far_apart_as_was_asked_for_nearly():
    """30 s: one steady current up to 30 s apart, else an even number of steps about as long."""
    log = Log('log', Path('log'), np.arange(0.0, 30.05, 0.1))
    assert _knots(log, 30.0).tolist() == _knots(log, math.inf).tolist() == [0.0]
    assert _knots(log, 29.9).tolist() == pytest.approx([0.0, 30.0])
    assert _knots(log, 10.0).tolist() == pytest.approx([0.0, 10.0, 20.0, 30.0])
    assert len(_knots(log, 4.0)) == 9, '7.5 steps, rounded to 8'


def test_deviations_are_those_of_least_squares():
    """2 cost / (rows - numbers) times the inverse of J' J; of several knots the mean variance; then a wind's."""
    jacobian = np.array([[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
    found = SimpleNamespace(jac=jacobian, cost=3.0, x=np.zeros(2))
    assert _deviations(found, 8, 1) == pytest.approx((1.0 / 2.0, 1.0 / 4.0, 0.0, 0.0))
    assert _deviations(found, 2, 1) == pytest.approx((6.0 ** 0.5 / 2.0, 6.0 ** 0.5 / 4.0, 0.0, 0.0)), 'one is spare'
    four = SimpleNamespace(jac=np.diag([1.0, 2.0, 4.0, 8.0]), cost=0.5, x=np.zeros(4))
    assert _deviations(four, 5, 2) == pytest.approx(((1.25 / 2.0) ** 0.5, (0.078125 / 2.0) ** 0.5, 0.0, 0.0))
    assert _deviations(four, 5, 1) == pytest.approx((1.0, 0.5, 0.25, 0.125))


def test_what_is_out_of_balance_is_the_force_that_a_motion_lacks():
    """Against Newton's law in the water that moves, worked out by itself: a boat that heads 30 degrees to the left."""
    vessel = BOAT.vessel
    vessel = vessel._replace(damping=vessel.damping._replace(d11_q=0.0, d22_q=0.0, d33_q=0.0, d23=0.0, d32=0.0),
                             inertia=vessel.inertia._replace(m23=0.0),
                             windage=vessel.windage._replace(lateral_x=0.2, yaw_arm=None))
    m, d, air = vessel.inertia, vessel.damping, vessel.windage
    (u, v, r), (u_dot, v_dot, r_dot), (x, y, n), wind = (0.9, -0.2, 0.4), (0.1, 0.3, -0.2), (6.0, 1.5, 0.7), (4.0, 3.0)
    c, s = math.cos(math.pi / 6.0), 0.5
    east, north = 0.25, -0.15
    ahead, aside = c * east + s * north, c * north - s * east  # The current along the body.
    u_r, v_r = u - ahead, v - aside
    push = [0.5 * air.air_density * math.hypot(wind[0] - u, wind[1] - v) * part for part in (
        air.frontal_area * air.c_x * (wind[0] - u), air.lateral_area * air.c_y * (wind[1] - v))]
    wanted = (x + push[0] - d.d11 * u_r + m.m22 * v_r * r - m.m11 * (u_dot - r * aside),
              y + push[1] - d.d22 * v_r - m.m11 * u_r * r - m.m22 * (v_dot + r * ahead),
              n + 0.2 * push[1] - d.d33 * r - (m.m22 - m.m11) * u_r * v_r - m.m33 * r_dot)
    balance = _Balance(*(np.array([one]) for one in (0.0, c, s)), (u, v, r), (u_dot, v_dot, r_dot), (x, y, n), wind,
                       np.zeros(1, int))
    found = _imbalance(balance, np.array([east]), np.array([north]), vessel)
    assert [one.item() for one in found] == pytest.approx(wanted)


@pytest.mark.parametrize('turn', [0.0, 0.9 * math.pi])
def test_one_course_is_less_than_40_degrees_and_a_current_is_sure_to_10_cm_a_second(turn):
    """From the 10th to the 90th percentile of the course over ground: a drift belongs to it."""
    for spread, std, codes in ((49.9, (0.1, 0.1), ['current_one_course']), (50.1, (0.1, 0.1), []),
                               (50.1, (0.101, 0.0), ['current_unsure']), (50.1, (0.0, 0.101), ['current_unsure']),
                               (0.0, (9.0, 9.0), ['current_one_course', 'current_unsure'])):
        angle = turn + np.radians(np.linspace(-0.5 * spread, 0.5 * spread, 1001))
        drift = 0.3
        balance = SimpleNamespace(cos_yaw=np.cos(angle - drift), sin_yaw=np.sin(angle - drift), velocity=(
            np.full(1001, math.cos(drift)), np.full(1001, math.sin(drift)), np.zeros(1001)))
        notes = _notes(Log('log', Path('log'), np.arange(3.0)), balance, std)
        assert [note.code for note in notes] == codes
        if 'current_one_course' in codes:
            assert notes[0].figures['course_spread_deg'] == pytest.approx(0.8 * spread, abs=0.01)


def voyage(tide, duration=150.0, current=0.3, wind=None, length=25.0):
    """
    Return a log with thrusts of a boat that is its file's, in a current that turns, its true work, J, and the current.

    :param wind: m/s, to the left of the first lane, which the log does not say; None: still air, which it says.
    """
    one = np.ones(1)
    drag = BOAT.vessel.damping
    linear = np.array([[drag.d11], [drag.d22], [drag.d33]])
    boats = twin.Boats(linear, 0.0 * linear, 0.0 * linear, 0.0 * one, 0.8 * one, one > 2.0, length * one, current * one,
                       one, tide * one, (wind or 0.0) * one, 0.5 * math.pi * one, 0.0 * one)
    gone = twin.voyages(boats, duration, 3)
    time = np.arange(0.0, duration - 0.1, 0.1)

    def at(name):
        return np.interp(time, gone.time, getattr(gone, name)[:, 0])

    rng = np.random.default_rng(11)
    noise = {'x': 0.02, 'y': 0.02, 'yaw': 0.01, 'u': 0.05, 'v': 0.05, 'r': 0.01}
    series = {name: at(name) + deviation * rng.standard_normal(time.size) for name, deviation in noise.items()}
    series |= {'wind_x': 0.0 * time, 'wind_y': 0.0 * time} if wind is None else {}
    log = assembled(Source('twin', Path('twin')), time, series, thrusters=tuple(
        ThrusterSeries(name, at(side)) for name, side in zip(BOAT.thruster_names, ('port', 'starboard'))))
    true = np.interp(time, gone.time, gone.current_x[:, 0]), np.interp(time, gone.time, gone.current_y[:, 0])
    return log, float(at('work')[-1] - at('work')[0]), true


def test_a_current_that_turns_with_the_tide_is_found_unasked():
    log, work, true = voyage(2.0 * math.pi / 300.0)
    analysed, estimate = analysed_in_current(log, BOAT, AnalysisOptions())
    assert estimate.knots.size > 2
    np.testing.assert_allclose([estimate.x, estimate.y], true, atol=0.06)
    assert analysed.energy.total == pytest.approx(work, rel=0.01)
    still = analysed_log(log, BOAT, AnalysisOptions(find_flow=False)).energy.total
    assert abs(still / work - 1.0) > 0.05, 'what still water would have cost'
    report = log_report(analysed, estimate)
    assert report.trust.interval.low < work < report.trust.interval.high
    assert 'current: not said, found from the thrusts' in [doubt.name for doubt in report.trust.doubts]


def test_a_steady_current_needs_no_knots():
    log, work, true = voyage(0.0)
    analysed, estimate = analysed_in_current(log, BOAT, AnalysisOptions())
    assert estimate.knots.size == 1
    np.testing.assert_allclose([estimate.x, estimate.y], true, atol=0.02)
    assert analysed.energy.total == pytest.approx(work, rel=0.01)


def test_a_wind_that_nobody_says_is_found_with_the_current():
    """
    5 m/s from the side push with 0.12 x 25 N, as does a current of 0.2 m/s there, which is not taken for it.

    Of the wind 10 % are left to the twin's boat, whose areas and drag are those of the file to three digits.
    """
    log, work, true = voyage(0.0, wind=5.0)
    analysed, estimate = analysed_in_current(log, BOAT, AnalysisOptions())
    assert analysed.flow_sources == dict.fromkeys(('current', 'wind'), FROM_THRUSTS)
    np.testing.assert_allclose([estimate.x, estimate.y], true, atol=0.02)
    np.testing.assert_allclose(estimate.wind[:2], (0.0, 5.0), atol=0.5)
    np.testing.assert_allclose(analysed.flow.wind_y, estimate.wind[1], atol=1e-6)
    assert analysed.energy.total == pytest.approx(work, rel=0.01)
    report = log_report(analysed, estimate)
    assert report.trust.interval.low < work < report.trust.interval.high < 1.05 * work
    assert 'current and wind: not said, found from the thrusts' in [doubt.name for doubt in report.trust.doubts]


@pytest.mark.parametrize('options', [AnalysisOptions(find_flow=False), AnalysisOptions(actuators='allocated'),
                                     AnalysisOptions(convention='as_published'),
                                     AnalysisOptions(current=UniformFlow(0.1, 0.0))])
def test_a_current_is_not_looked_for_where_it_is_said_or_not_wanted(options):
    assert current_of_thrusts(voyage(0.0, 40.0)[0], BOAT, options) is None


def test_a_current_on_one_course_is_taken_and_what_drag_and_wind_leave_of_it_is_in_the_interval():
    """Of 0.3 m/s the part along the course tells on the energy: still water is 20 % off, all that is open 5 %."""
    log, work, true = voyage(0.0, 60.0, wind=2.0, length=200.0)
    analysed, estimate = analysed_in_current(log, BOAT, AnalysisOptions())
    note, = estimate.notes
    assert note.code == 'current_one_course' and f'in still water it would be {note.figures["energy_still_j"]:.1f}' in (
        note.text)
    assert analysed.flow_sources == {'current': FROM_THRUSTS, 'wind': 'assumed still'}
    assert estimate.x == pytest.approx(true[0], abs=0.02)
    report = log_report(analysed, estimate)
    low, high = report.trust.interval
    assert low < work < high and 0.5 * (high - low) < 0.07 * work
    assert abs(note.figures['energy_still_j'] / work - 1.0) > 0.15
    east, north = report.current_stds
    assert east == pytest.approx(math.sqrt(analysed.open_flow.covariance[0, 0])) and east > 0.01 > north


def test_beside_a_current_on_one_course_is_open_what_drag_scale_and_wind_may_be():
    """The drag is linear: what it is off, or the scale, is the same share of the speed, at 0.8 m/s."""
    def along(boat, wind):
        analysed = SimpleNamespace(boat=boat, notes=[Note('info', THRUST_MEANING, '')], by_thrusts=True,
                                   power=SimpleNamespace(u_r=np.full(50, 0.8)), flow_sources={'wind': wind},
                                   motion=Motion(*(np.full(50, one) for one in (0.0, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0))))
        left = open_beside(estimate._replace(knots=np.zeros(3)), analysed)
        assert not left.leg_by_leg, 'a single course has no legs: what the drag may be off is in the covariance'
        assert np.sqrt(np.diag(left.covariance))[1] == pytest.approx(math.hypot(0.002, OF_DRAG))
        return left.mean[0], math.sqrt(left.covariance[0, 0])

    one_course = Note('warning', 'current_one_course', '')
    estimate = CurrentEstimate(*np.zeros((2, 3)), 0.001, 0.002, np.zeros(1), 0.1, 99, (one_course,), 0.0, 10.0)
    assert along(BOAT, 'log') == pytest.approx((0.0, math.hypot(0.001, 0.8 * 0.5 * UNSTATED)))
    said = replace(BOAT, log_meaning=SimpleNamespace(scale=2.0, scale_std=0.1))
    both = math.hypot(0.001, 0.8 * 0.5 * UNSTATED, 0.8 * math.sqrt(0.1 ** 2 - 0.05 ** 2))  # 10 % in all.
    assert along(said, 'log')[1] == pytest.approx(both)
    offset, std = along(BOAT, 'assumed still')
    assert 0.0 < offset < std and std > 0.012
    sure = estimate._replace(notes=(), wind=(4.0, 0.0, 0.5, 0.7), knots=np.zeros(3))
    left = open_beside(sure, None)
    assert left.leg_by_leg and np.sqrt(np.diag(left.covariance)) == pytest.approx((OF_DRAG, OF_DRAG, 0.5, 0.7))


def test_thrusts_that_do_not_fit_the_motion_tell_no_current():
    log, _, _ = voyage(0.0)
    log = replace(log, thrust=5.0 * log.thrust)
    assert current_of_thrusts(log, BOAT, AnalysisOptions()) is None
