"""A log's own commands, simulated: the boat that made it does again what it did; an independent boat nearly so."""

from dataclasses import replace
from pathlib import Path

import independent_boat
import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.logs.maneuver_log import maneuver_log
from usv_energy.sim.maneuver import read_maneuver, run_maneuver
from usv_energy.studies.analyze.what_if import _first_stretch, replayed

LUTRA, TRIAL = read_boat('lutra_prop'), read_boat('lutra_prop_trial')
TURN = """
current: {speed: 0.3, direction_deg: 30.0}
wind: {speed: 4.0, direction_deg: 200.0}
steps: [{duration: 6.0, share: [0.9, 0.4]}, {duration: 12.0, share: [0.2, 0.6]}, {duration: 8.0, share: 0.0}]
simulation: {step: 0.05, period: 0.05}
"""


def test_the_boat_that_made_a_log_does_it_again(tmp_path):
    (tmp_path / 'turn.yaml').write_text(TURN)
    maneuver = read_maneuver(str(tmp_path / 'turn.yaml'))
    log = maneuver_log(maneuver, *run_maneuver(maneuver, LUTRA, LUTRA), LUTRA)
    again = replayed(log, LUTRA)
    for name in ('x', 'y', 'yaw', 'u', 'v', 'r'):
        np.testing.assert_allclose(getattr(again, name), getattr(log, name), atol=1e-9, err_msg=name)
    turned = replace(log, thrust=log.thrust[:, ::-1], thrusters=log.thrusters[::-1])
    np.testing.assert_array_equal(replayed(turned, LUTRA).r, again.r, 'thrusters are found by their names')
    unnamed = replayed(replace(log, thrusters=('one', 'other')), LUTRA)
    np.testing.assert_array_equal(unnamed.r, again.r, 'or taken in order')
    later = replayed(log.between(9.0, 30.0), LUTRA)  # from a motion in the middle
    np.testing.assert_allclose(later.u, log.between(9.0, 30.0).u, atol=1e-6)


def test_the_longest_stretch_is_replayed_in_which_motion_and_thrusts_are_known():
    time = np.concatenate([np.arange(10.0), 20.0 + np.arange(12.0)])  # A gap after the tenth.
    nan = np.full(22, np.nan)

    def stretch(*known):
        u = nan.copy()
        for begin, end in known:
            u[begin:end] = 1.0
        return _first_stretch(Log('log', Path('log'), time, u=u, thrust=np.ones((22, 2)),
                                  thrusters=LUTRA.thruster_names, max_gap=2.0))

    assert stretch((0, 3), (4, 10)) == slice(4, 10) and stretch((1, 7), (8, 10), (10, 14)) == slice(1, 7)
    assert stretch((2, 5), (11, 15), (16, 22)) == slice(16, 22) and stretch((0, 22)) == slice(10, 22)
    assert stretch((3, 5)) == slice(3, 5), 'two in a row will do'
    for alone in (((3, 4), (12, 13)), ()):
        with pytest.raises(InputError, match='no two samples in a row with known motion and thrusts'):
            stretch(*alone)


def test_a_boat_is_stepped_on_as_finely_between_samples_that_lie_far_apart():
    def speed(period):
        time = period * np.arange(round(8.0 / period) + 1)
        zero = 0.0 * time
        log = Log('log', Path('log'), time, x=zero, y=zero, yaw=zero, u=zero, v=zero, r=zero, max_gap=5.0,
                  thrust=np.tile([6.0, 4.0], (time.size, 1)), thrusters=LUTRA.thruster_names)
        again = replayed(log, LUTRA)
        return again.u[-1], again.x[-1], again.yaw[-1]

    assert speed(2.0) == pytest.approx(speed(0.05), abs=1e-9) and speed(2.0)[0] > 0.3


def test_a_boat_of_other_equations_is_followed():
    """Thrusts of a pilot at 50 Hz, lag none: speeds within 2 mm/s of `independent_boat`'s."""
    truth = independent_boat.simulated(
        independent_boat.LUTRA, lambda time, state, hull: (6.0 + 3.0 * np.sin(time), 6.0 - 2.0 * np.sin(0.7 * time)),
        20.0, current=(0.2, -0.1), wind=(2.0, 3.0))
    every = slice(0, None, 10)
    shape = np.ones(len(truth.time[every]))
    log = Log('truth', Path('truth'), truth.time[every], x=truth.x[every], y=truth.y[every], yaw=truth.yaw[every],
              u=truth.u[every], v=truth.v[every], r=truth.r[every], thrust=truth.thrust[every],
              thrusters=('left', 'right'), current_x=0.2 * shape, current_y=-0.1 * shape, wind_x=2.0 * shape,
              wind_y=3.0 * shape)
    again = replayed(log, LUTRA)
    for name in ('u', 'v', 'r'):
        np.testing.assert_allclose(getattr(again, name), getattr(log, name), atol=2e-3, err_msg=name)


@pytest.mark.parametrize(('given', 'thrust'), [(False, 25.0 - 1.0 * 5.0 * 0.8), (True, 25.0)])
def test_a_thrust_under_way_is_less_than_at_standstill_unless_it_was_measured_there(tmp_path, given, thrust):
    """Two thrusts B of 25 N, c = 1: B - c sqrt(B) v at a speed that rests where linear drag, 50 v, takes them both."""
    drag = 2.0 * thrust / 0.8
    path = tmp_path / 'boat.yaml'
    propeller = '{map: [[0, 0], [40, 300]], inflow: {coefficient: 1.0, torque_ratio: 1.0}}'
    path.write_text('base: lutra_prop\nname: mine\nwindage: {frontal_area: 0.0}\n'
                    f'damping: {{linear: {{d11: {drag}}}}}\nthrusters:\n' + ''.join(
                        f'  - {{name: {name}, x: 0, y: {y}, propeller: {propeller}}}\n'
                        for name, y in (('left', 0.1), ('right', -0.1))))
    time = np.arange(0.0, 20.0, 0.1)
    log = Log('log', Path('log'), time, u=0.0 * time, yaw=0.0 * time, thrust=np.full((len(time), 2), 25.0),
              thrusters=('left', 'right'), thrust_given=given)
    assert replayed(log, read_boat(str(path))).u[-1] == pytest.approx(0.8, rel=1e-6)


def test_pulses_drive_the_boat_that_knows_them_and_a_gap_ends_it():
    time = np.concatenate([np.arange(0.0, 30.0, 0.1), np.arange(40.0, 45.0, 0.1)])
    shape = np.ones(len(time))
    log = Log('pulses', Path('pulses'), time, u=0.0 * shape, yaw=0.0 * shape, max_gap=1.0,
              command=np.full((len(time), 2), 1700.0), thrusters=('left', 'right'))
    again = replayed(log, TRIAL)
    assert again.time[-1] == pytest.approx(29.9) and again.u[-1] == pytest.approx(1.410, rel=0.01)  # [S] table 3
    assert len(replayed(log.part(slice(0, 2)), TRIAL)) == 2
    with pytest.raises(InputError, match=r'no commands that lutra_prop makes thrusts of \(pwm'):
        replayed(log, LUTRA)
    with pytest.raises(InputError, match='has the thrusters one; the boat lutra_prop has left, right'):
        replayed(replace(log, thrust=np.ones((len(time), 1)), command=np.array([]), thrusters=('one',)), LUTRA)
    with pytest.raises(InputError, match='no two samples in a row'):
        replayed(replace(log, u=np.where(np.arange(len(time)) % 2 == 0, 0.0, np.nan)), TRIAL)
