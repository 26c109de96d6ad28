"""Steps and wrong samples in a live stream: the states that are given out have the energy without them."""

import math

import independent_boat as other
import numpy as np
import pytest
from independent_log import log_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.motion.fixed_lag import FixedLag
from usv_energy.logs.motion.motion_gate import MotionGate
from usv_energy.logs.motion.sensor_stream import SensorStream
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions

LUTRA = other.LUTRA._replace(lag=0.3)
RECORDED = AnalysisOptions(motion='recorded')
NOISE = other.Noise(0.03, math.radians(0.5), 0.02, math.radians(0.5))
LONGEST = 1.0
METRE = math.degrees(1.0 / 6_371_000.0)  # Degrees of latitude.


@pytest.fixture(scope='module')
def lanes():
    """Return stamps, s, at 10 Hz and the noisy motion of a boat that mows lanes for 60 s."""
    time, motion = other.sampled(other.simulated(LUTRA, other.Lawnmower(1.0), 60.0), 10.0)
    return time, other.noisy(time, motion, NOISE, 0)


def energy_of(states):
    """Return the energy of smoothed states, J."""
    columns = np.array([(*state.pose, *state.velocity) for state in states])
    columns[:, 2] = np.unwrap(columns[:, 2])
    still = np.zeros(len(states))
    log = log_of(np.array([state.time for state in states]), columns, current_x=still, current_y=still, wind_x=still,
                 wind_y=still)
    return analysed_log(log, read_boat('lutra_prop'), RECORDED).energy.total


def live(time, motion):
    """Return the energy that a stream of odometry comes to, J, and the gate, as `state_adapter` uses them."""
    gate, estimate, states = MotionGate(), FixedLag(1.0), []
    for stamp, (x, y, yaw, u, v, r) in zip(time.tolist(), motion.tolist()):
        judged = gate.judge(stamp, (x, y, math.remainder(yaw, math.tau)), (u, v, r), LONGEST)
        if judged.turned:
            states += estimate.rest()
        states += estimate.add(stamp, judged.pose, judged.velocity, None, LONGEST, True)
    return energy_of(states + estimate.rest()), gate


@pytest.fixture(scope='module')
def whole(lanes):
    """Return the energy of the stream without faults, J, and its gate."""
    return live(*lanes)


@pytest.fixture(scope='module')
def whole_sensors(lanes):
    """Return by whether there are velocities: the energy of sensors without faults, J, and their stream."""
    return {velocities: sensors(*lanes, lanes[1][:, :2], velocities) for velocities in (True, False)}


def test_nothing_is_taken_out_of_a_stream_without_faults(whole):
    _, gate = whole
    assert not gate.counts
    assert gate.offset == (0.0, 0.0)


def test_values_that_are_held_between_measurements_are_no_faults():
    """A boat that stops and goes at 1.2 m/s; fixes, velocities and headings at 1 Hz, repeated in a stream of 20 Hz."""
    time, motion = other.sampled(other.simulated(LUTRA, other.stop_and_go(1.2), 60.0),
                                 20.0)
    motion[:, :6] = motion[np.arange(time.size) // 20 * 20]
    _, gate = live(time, motion)
    assert not gate.counts


@pytest.mark.parametrize('size', (2.0, 5.0, 10.0, 100.0))
def test_a_step_of_the_position_costs_nothing(lanes, whole, size):
    time, motion = lanes
    stepped = motion.copy()
    stepped[time > 30.0, :2] += [0.6 * size, -0.8 * size]
    energy, gate = live(time, stepped)
    assert energy == pytest.approx(whole[0], rel=0.01)
    assert gate.counts['position steps'] == 1
    assert np.allclose(gate.offset, [0.6 * size, -0.8 * size], atol=0.2)


def test_one_sample_at_another_place_costs_nothing(lanes, whole):
    time, motion = lanes
    wrong = motion.copy()
    wrong[300, 0] += 20.0
    energy, gate = live(time, wrong)
    assert energy == pytest.approx(whole[0], rel=0.01)
    assert dict(gate.counts) == {'positions not used': 1}


def test_twenty_impossible_velocities_cost_nothing(lanes, whole):
    time, motion = lanes
    wrong = motion.copy()
    wrong[300:320, 3] = 1e6
    energy, gate = live(time, wrong)
    assert energy == pytest.approx(whole[0], rel=0.01)
    assert gate.counts['velocities not used'] == 20


def test_a_velocity_that_jumps_and_comes_back_is_not_used(lanes, whole):
    time, motion = lanes
    wrong = motion.copy()
    wrong[300:302, 3] += 6.0
    energy, gate = live(time, wrong)
    assert energy == pytest.approx(whole[0], rel=0.01)
    assert gate.counts['velocities not used'] == 2


@pytest.mark.parametrize('until', [13.0, 18.0])
@pytest.mark.parametrize(('columns', 'count'), [((0, 1), 'positions not used'), ((3, 4), 'velocities not used')])
def test_places_that_stand_still_and_velocities_of_0_under_way_cost_nothing(lanes, whole, until, columns, count):
    """A receiver without a fix repeats its last place, a dead log of the speed says 0."""
    time, motion = lanes
    wrong, rows = motion.copy(), (time > 10.0) & (time < until)
    wrong[np.ix_(rows, columns)] = motion[time <= 10.0][-1, columns] if columns == (0, 1) else 0.0
    energy, gate = live(time, wrong)
    assert energy == pytest.approx(whole[0], rel=0.005)
    assert set(gate.counts) == {count} and rows.sum() - 22 < gate.counts[count] <= rows.sum(), 'named after 2 s'


@pytest.mark.parametrize('kind', ['5 to 1 Hz', 'steps of 1 m', 'a stop with velocity 0'])
def test_a_slower_receiver_coarse_places_and_a_noisy_stop_are_no_faults(rng, kind):
    gate, fixes = MotionGate(), []
    for time in 0.1 * np.arange(400):
        rests = kind.startswith('a stop') and time > 20.0
        way = 0.4 * min(time, 20.0) if rests else 0.4 * time
        place = way + (0.25 if kind.startswith('a stop') else 0.02) * rng.standard_normal()
        if kind == '5 to 1 Hz' and fixes and time % (0.2 if time < 20.0 else 1.0) > 0.05:
            place = fixes[-1]
        fixes.append(float(round(place)) if kind == 'steps of 1 m' else place)
        judged = gate.judge(float(time), (fixes[-1], 0.0, 0.0), (0.0 if rests else 0.4, 0.0, 0.0), LONGEST)
    assert not gate.counts and judged.velocity[0] == (0.0 if kind.startswith('a stop') else 0.4)


def test_a_boat_that_is_put_to_rest_at_once_has_a_velocity_of_0_a_second_later():
    gate = MotionGate()
    judged = [gate.judge(0.1 * k, (min(0.1 * k, 2.0), 0.0, 0.0), (float(k < 20), 0.0, 0.0), LONGEST) for k in range(40)]
    assert all(one.velocity[0] == 0.0 and one.pose[0] == 2.0 for one in judged[31:]) and not judged[-1].faults


def set_anew(motion, rows, angle, of_estimator):
    """Return a motion whose heading is off by an angle, rad, in some rows, and so are an estimator's velocities."""
    wrong = motion.copy()
    wrong[rows, 2] += angle
    if of_estimator:
        u, v = motion[rows, 3:5].T
        wrong[rows, 3], wrong[rows, 4] = (math.cos(angle) * u + math.sin(angle) * v,
                                          math.cos(angle) * v - math.sin(angle) * u)
    return wrong


@pytest.mark.parametrize('angle', [-40.0, 20.0])
@pytest.mark.parametrize('of_estimator', [True, False])
def test_a_heading_that_is_set_anew_wrongly_costs_nothing(lanes, whole, angle, of_estimator):
    """The course says that it was right before; believed, 20 deg would cost 10 % of the time after it."""
    time, motion = lanes
    energy, gate = live(time, set_anew(motion, time > 30.0, math.radians(angle), of_estimator))
    assert energy == pytest.approx(whole[0], rel=0.01)
    assert gate.counts['heading steps'] == 1


def test_a_heading_that_is_set_right_is_believed_and_so_is_one_that_is_put_back(lanes):
    time, motion = lanes
    for rows, lasting in ((time < 20.0, [math.radians(-25.0), 0.0]), ((time > 20.0) & (time < 40.0), [0.0, 0.0])):
        gate, found = MotionGate(), []
        for stamp, row in zip(time.tolist(), set_anew(motion, rows, math.radians(-25.0), True).tolist()):
            judged = gate.judge(stamp, (*row[:2], math.remainder(row[2], math.tau)), tuple(row[3:]), LONGEST)
            found.append(judged.pose[2])
        off = np.remainder(found - motion[:, 2] + math.pi, math.tau) - math.pi
        parts = [off[part & np.isfinite(off)] for part in (time < 20.0, time > 40.3)]
        assert [np.median(part) for part in parts] == pytest.approx(lasting, abs=0.03)


def crossing(across, turn=0.0, slower=0.0):
    """Return stamps, s, at 5 Hz and a noisy minute in a current, m/s; in 4 s that are not heard the boat turns."""
    time = np.arange(300) / 5.0
    yaw, speed = np.where(time < 22.0, 0.0, turn), 1.0 - slower * (time > 22.0)
    over_ground = speed * np.exp(1j * yaw) + 1j * across
    place, body, still = np.cumsum(over_ground) / 5.0, over_ground * np.exp(-1j * yaw), np.zeros(time.size)
    motion = other.noisy(time, np.column_stack([place.real, place.imag, yaw, body.real, body.imag, still]), NOISE, 1)
    heard = (time < 20.0) | (time > 24.0)
    return time[heard], motion[heard]


@pytest.mark.parametrize('angle', [-40.0, 25.0])
@pytest.mark.parametrize('of_estimator', [True, False])
def test_a_heading_that_is_set_anew_in_a_gap_is_turned_back_after_some_seconds(angle, of_estimator):
    """From then on heading and velocities are as before, the drift of 6 deg in the current, too."""
    time, motion = crossing(0.1)
    gate, found, said = MotionGate(), [], []
    for stamp, row in zip(time.tolist(), set_anew(motion, time > 22.0, math.radians(angle), of_estimator).tolist()):
        judged = gate.judge(stamp, tuple(row[:3]), tuple(row[3:]), LONGEST)
        found.append((judged.pose[2], *judged.velocity[:2]))
        said += [(stamp, one) for one in judged.faults]
    (at, words), = said
    assert gate.counts == {'heading steps': 1} and 28.0 < at < 34.0
    assert words.endswith(' deg in a gap, by the course a wrong one')
    assert float(words.split()[6]) == pytest.approx(angle, abs=2.0)
    assert np.array(found)[time > at].mean(axis=0) == pytest.approx((0.0, 1.0, 0.1), abs=0.01)


@pytest.mark.parametrize(('turn', 'slower'), [(0.0, 0.0), (0.5 * math.pi, 0.0), (math.pi, 0.0), (0.0, 0.6)])
def test_a_boat_that_turns_or_slows_down_in_a_gap_has_no_heading_set_anew(turn, slower):
    """The current's drift is another on another course, and at another speed."""
    assert not live(*crossing(0.2, turn, slower))[1].counts


def sensors(time, motion, fixes, velocities=True):
    """Return the energy, J, and the stream of GPS (5 Hz), compass and gyro (10 Hz); `fixes`: places, m, (n, 2)."""
    stream, states = SensorStream(1.0, origin=(0.0, 0.0)), []
    for row, (stamp, (_, _, yaw, u, v, r)) in enumerate(zip(time.tolist(), motion.tolist())):
        states += stream.turning(stamp, math.remainder(yaw, math.tau), r)
        if row % 2 == 0:
            if velocities:
                c, s = math.cos(yaw), math.sin(yaw)
                states += stream.velocity(stamp, c * u - s * v, s * u + c * v)
            states += stream.fix(stamp, fixes[row, 0] * METRE, fixes[row, 1] * METRE)
    return energy_of([state for state in states + stream.rest() if math.isfinite(state.velocity[0])]), stream


@pytest.mark.parametrize(('size', 'velocities'), [(2.0, True), (10.0, True), (100.0, True), (10.0, False),
                                                  (100.0, False)])
def test_a_step_of_the_gps_costs_nothing(lanes, whole_sensors, size, velocities):
    time, motion = lanes
    fixes = motion[:, :2].copy()
    expected, clean = whole_sensors[velocities]
    assert not clean.counts
    fixes[time > 30.0, 0] += size
    energy, stream = sensors(time, motion, fixes, velocities)
    assert energy == pytest.approx(expected, rel=0.01)
    assert stream.counts['position steps'] == 1


@pytest.mark.parametrize('velocities', (True, False))
def test_one_wrong_fix_costs_nothing(lanes, whole_sensors, velocities):
    time, motion = lanes
    fixes = motion[:, :2].copy()
    expected, _ = whole_sensors[velocities]
    fixes[300, 1] += 20.0
    energy, stream = sensors(time, motion, fixes, velocities)
    assert energy == pytest.approx(expected, rel=0.01)
    assert stream.counts['positions not used'] == 1
