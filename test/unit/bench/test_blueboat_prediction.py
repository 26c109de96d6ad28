"""What the prediction of a BlueBoat's watts is made of, and, where the logs are, that it holds."""

import importlib.util
import sys

import numpy as np
import pytest
from places import DATA, ROOT

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.read_log import read_log
from usv_energy.thrusters.thruster_sheet import read_thruster

BLUEBOAT = DATA / 'blueboat'
LOGS = sorted(BLUEBOAT.glob('fixed_*.csv'))
real = pytest.mark.skipif(not LOGS, reason=f'no logs in {BLUEBOAT} (USV_ENERGY_DATA)')


@pytest.fixture(scope='module')
def bench():
    path = ROOT / 'bench' / 'blueboat_prediction.py'
    sys.path.append(str(path.parent))
    spec = importlib.util.spec_from_file_location('bench_blueboat_prediction', path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]
    sys.path.remove(str(path.parent))


def test_at_full_throttle_and_standstill_it_is_the_makers_sheet(bench):
    """A boat that full throttle does not move, almost: two thrusters at 55.2 N and 447.6 W."""
    vessel = read_boat('blueboat_start').vessel
    heavy = vessel._replace(damping=vessel.damping._replace(d11=0.0, d11_q=2.0 * 55.21e8))
    boat = bench.Identified(heavy, 55.21, 1.0, 1.4)
    found = bench.predictions(boat, np.array([1e-4]), bench.propeller('m200_weedless'), bench.propeller('t200'))
    assert found['pulse_us'] == pytest.approx(1900.0) and found['thrust_n'] == pytest.approx(55.21, rel=1e-3)
    assert found['own_thrusters'] == pytest.approx(2.0 * 447.6, rel=1e-3)
    assert found['rate'] == pytest.approx(1.0, abs=1e-3)


def test_a_share_of_throttle_gives_back_its_drag(bench):
    boat = bench.Identified(read_boat('blueboat_start').vessel, 50.0, 1.1, 1.5)
    speed = np.array([0.5, 1.0, 2.0])
    np.testing.assert_allclose(2.0 * 1.1 * 50.0 * boat.throttle(speed) ** 1.5, boat.drag(speed), rtol=1e-12)
    np.testing.assert_allclose(boat.drag(speed), 5.0 * speed + 10.0 * speed ** 2, rtol=1e-12)


@real
def test_the_newtons_of_the_logs_are_a_straight_line_to_the_bollard_pull_of_the_boats_own_thrusters():
    """Full ahead and astern are the M200's at 16 V to 0.1 %; between, thrust goes with the pulse to 2 % of full."""
    sheet = read_thruster('m200_weedless').sheets[0]
    thrust, command, neutral = [], [], None
    for log in (read_log(path, 'blueboat') for path in LOGS):
        thrust.append(log.thrust)
        command.append(log.command)
        neutral = log.neutral
    force, pulse = np.concatenate(thrust), np.concatenate(command)
    assert np.nanmax(force) == pytest.approx(sheet.thrusts[-1], rel=1e-3)
    assert np.nanmin(force) == pytest.approx(sheet.thrusts[0], rel=1e-3)
    for n in range(2):
        ahead = force[:, n] > 0.0
        travel = pulse[ahead, n] - neutral[n]
        line = force[ahead, n] @ travel / (travel @ travel) * travel
        assert abs(line - force[ahead, n]).max() < 0.02 * sheet.thrusts[-1]


@real
def test_the_makers_watts_from_2_m_s_up_within_12_percent(bench):
    """On both footings that ask for the pulse or the newtons of the logs; nothing is set from those watts."""
    rows = bench.rows_of(bench.identify_again('lift+curve'), bench.maker_power())
    fast = [row for row in rows if row['speed_m_s'] >= 2.0]
    assert [row['speed_m_s'] for row in fast] == [2.0, 2.5, 2.78]
    for row in fast:
        assert abs(row['own_thrusters_error']) < 0.12 and abs(row['t200_standstill_error']) < 0.12
        assert 1.2 < row['rate'] < 1.5
