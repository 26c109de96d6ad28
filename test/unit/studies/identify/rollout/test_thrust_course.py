"""The course of lagging thrusts: closed forms, and what is kept of them."""

from dataclasses import replace

import numpy as np
import pytest
from twin_boats import LUTRA, twin_tracks

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.identify.rollout.thrust_course import (
    ThrustCourses,
    lag_behind,
    setting_course,
    thrust_lines,
    thruster_forces,
)

LAGGING = LUTRA.vessel._replace(thrusters=tuple(one._replace(lag=0.5) for one in LUTRA.vessel.thrusters))


def test_a_step_is_answered_by_the_means_of_an_exponential():
    """Asked for 1 N from 0 on: between t and t + h the mean is 1 - (e^-t/T - e^-(t + h)/T) T / h."""
    track = twin_tracks(LUTRA, np.random.default_rng(1), 1, duration=4.0)[0]
    asked = np.ones((len(track.time), 2))
    asked[0] = 0.0
    forces = thruster_forces(track, asked, LAGGING, 1)[:, 0, 0]
    cosine = sum(one.efficiency_of_tilt for one in LAGGING.thrusters)
    edges = np.exp(-(track.time - track.time[1])[1:] / 0.5)
    np.testing.assert_allclose(forces[1:], cosine * (1.0 - (edges[:-1] - edges[1:]) * 0.5 / track.steps[1:]), rtol=1e-9)
    assert forces[0] == 0.0


def test_a_force_along_a_step_is_the_line_of_the_exponentials_mean_and_first_moment():
    """Both by quadrature, 1 + cos t being asked for; a line x + (2 s - 1) c has the first moment c / 6 about 1/2."""
    track = twin_tracks(LUTRA, np.random.default_rng(4), 1, duration=4.0)[0]
    asked = np.repeat(1.0 + np.cos(track.time)[:, None], 2, axis=1)
    forces = thruster_forces(track, asked, LAGGING, 2)[:, :, [0, 3]]
    thrust, place = asked[0, 0], (np.arange(1000) + 0.5) / 1000
    cosine = sum(one.efficiency_of_tilt for one in LAGGING.thrusters)
    for step, goal, found in zip(track.steps, asked[:, 0], forces):
        for half in (0, 1):
            course = cosine * (goal + (thrust - goal) * np.exp(-0.5 * (half + place) * step / 0.5))
            assert found[half] == pytest.approx([course.mean(), 6.0 * (course * (place - 0.5)).mean()],
                                                rel=2e-6, abs=1e-12)
        thrust = goal + (thrust - goal) * np.exp(-step / 0.5)


def test_compiled_and_plain_python_lag_alike_and_start_anew_after_a_gap():
    rng = np.random.default_rng(2)
    track = twin_tracks(LUTRA, rng, 1, duration=4.0)[0]
    asked = rng.normal(size=(len(track.time), 2))
    whole = thruster_forces(track, asked, LAGGING, 2)
    cut = thruster_forces(replace(track, breaks=(20,)), asked, LAGGING, 2)
    np.testing.assert_array_equal(cut[:19], whole[:19])
    assert cut[20, 0, 0] == pytest.approx(sum(one.efficiency_of_tilt for one in LAGGING.thrusters)
                                          * asked[20].mean())
    thrust, decay = asked[:, 0].copy(), np.exp(-np.append(track.steps, 1.0) / 0.5)
    lag_behind(asked[:, 0], decay, thrust)
    assert thrust[3] == pytest.approx(asked[2, 0] + (thrust[2] - asked[2, 0]) * decay[2])


def test_a_course_is_kept_until_its_numbers_change():
    track = twin_tracks(LUTRA, np.random.default_rng(3), 1, duration=4.0)[0]
    courses, calls = ThrustCourses(), []

    def asked():
        calls.append(1)
        return track.thrust

    first = courses.forces(track, (1.0,), asked, LAGGING, 1, True)
    assert courses.forces(track, (1.0,), asked, LAGGING, 1, True) is first and len(calls) == 1
    courses.forces(track, (1.1,), asked, LAGGING, 1, False)
    assert courses.forces(track, (1.0,), asked, LAGGING, 1, True) is first and len(calls) == 2
    assert courses.forces(track, (1.0,), asked, LUTRA.vessel, 1, True) is not first


@pytest.mark.parametrize('substeps', [1, 3])
def test_what_actuators_do_is_told_at_the_begin_the_middle_and_the_end_of_every_step(substeps):
    """The lines of the thrusts; a rudder at its 90 degrees a second, until it has what is asked for."""
    foil = read_boat('lutra_rudder').vessel.foils[0]
    rate = 0.5 * np.pi
    vessel = LAGGING._replace(foils=(foil._replace(steer=foil.steer._replace(rate=rate, least=-0.6, largest=0.6)),))
    track = twin_tracks(LUTRA, np.random.default_rng(5), 1, duration=4.0)[0]
    number = len(track.time)
    turned, asked = np.linspace(-0.5, 0.5, number)[:, None], np.where(np.arange(number) % 2, 0.45, -0.9)[:, None]
    track = replace(track, turned=turned, turning=asked)
    found = setting_course(track, track.thrust, vessel, substeps).reshape(3, number - 1, substeps, 3)
    for own, mean, change in zip(found, *thrust_lines(track, track.thrust, vessel, substeps)):
        np.testing.assert_allclose(own, np.stack([mean - change, mean, mean + change], axis=-1))
    goal = np.clip(asked, -0.6, 0.6)[:-1, 0]
    for step in range(substeps):
        for place, share in enumerate((0.0, 0.5, 1.0)):
            most = rate * track.steps * (step + share) / substeps
            np.testing.assert_allclose(found[2, :, step, place],
                                       turned[:-1, 0] + np.clip(goal - turned[:-1, 0], -most, most), atol=1e-12)


def test_without_a_lag_a_thrust_is_what_is_asked_for_all_along_the_step():
    track = twin_tracks(LUTRA, np.random.default_rng(6), 1, duration=4.0)[0]
    vessel = LUTRA.vessel._replace(thrusters=tuple(one._replace(lag=0.0) for one in LUTRA.vessel.thrusters))
    forces = thruster_forces(track, track.thrust, vessel, 2)
    tilts = np.array([one.efficiency_of_tilt for one in vessel.thrusters])
    for half in (0, 1):
        np.testing.assert_allclose(forces[:, half, 0], track.thrust[:-1] @ tilts, rtol=1e-12, atol=1e-12)
    assert np.all(forces[:, :, 3:] == 0.0) and np.all(forces[:, :, 1] == 0.0)
