"""A boat in the hands of an autopilot that is late, dead, doubled or started again; wall times are given to it."""

import math

import pytest

from usv_energy.sim.hil.sitl_frames import HilSession, ServoChannels, SitlFrame
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario


def frame(count, left=1900, right=1900, rate=50):
    return SitlFrame(rate, count, (left, 0, right, *[0] * 13))


def session(plant=None, scenario='1', channels=None, **about):
    one = read_scenario(scenario)
    one = one if plant is None else one.with_options(plant=plant)
    return HilSession(one, ServoChannels(one.plant, channels), **about)


def driven(one, number, begin=0, wall=0.0, **pulses):
    for count in range(begin, begin + number):
        one.on_frame(frame(count, **pulses), wall + 0.02 * (count - begin))
    return one


def test_full_pulses_are_full_thrust_and_energy_is_that_of_the_plant():
    """Against a plant of its own that is stepped by hand with the same thrusts."""
    one, scenario = driven(session(), 250), read_scenario('1')
    plant = Plant(scenario.plant.vessel, scenario.start, scenario.flow_at(), scenario.step)
    thrusts = [thruster.max_thrust for thruster in scenario.plant.vessel.thrusters]
    for _ in range(round(5.0 / scenario.step)):
        plant.advance(thrusts)
    assert one.plant.state == plant.state and one.plant.time == pytest.approx(5.0)
    assert one.motion().place[:2] == (plant.state.x, plant.state.y)
    assert one.lateness.frames == 250 and one.lateness.lost == one.lateness.late == 0
    assert one.observer.energy.thrust == pytest.approx(plant.state.work, rel=2e-3)


@pytest.mark.parametrize('rate', [25, 40, 50, 400])
def test_time_is_the_autopilots_own(rate):
    """Frames of any rate, also shorter than the plant's step: what is left over is owed."""
    one = session()
    for count in range(10 * rate):
        one.on_frame(frame(count, rate=rate), 0.0)
    assert one.plant.time == pytest.approx(10.0, abs=one.plant.step)


def test_a_neutral_pulse_and_none_give_no_thrust():
    for pulses in ((1500, 1500), (0, 0)):
        one = driven(session(), 50, left=pulses[0], right=pulses[1])
        assert one.plant.state.work == 0.0


def test_a_frame_that_comes_twice_is_no_step():
    one = driven(session(), 10)
    before = one.plant.state
    one.on_frame(frame(9), 5.0)
    assert one.plant.state == before and one.lateness.doubled == 1


def test_lost_frames_are_counted_and_not_guessed():
    one = driven(session(), 10)
    one.on_frame(frame(15), 0.2)
    assert one.lateness.lost == 5 and one.plant.time == pytest.approx(11 * 0.02)


def test_lateness_is_told():
    one = driven(session(), 10)
    one.on_frame(frame(10), 0.18 + 0.5)
    seen = one.lateness
    assert (seen.late, seen.longest) == (1, pytest.approx(0.5)) and seen.silent == pytest.approx(0.5)
    assert seen.mean == pytest.approx((9 * 0.02 + 0.5) / 10.0)


def test_frames_in_bursts_are_not_late():
    """ArduPilot's 1200 frames a second come 24 at once, 20 ms apart: a pause of 24 periods is none of lateness."""
    one = session()
    for count in range(240):
        one.on_frame(frame(count, rate=1200), 0.02 * (count // 24))
    assert one.lateness.late == 0 and one.lateness.longest == pytest.approx(0.02)
    one.on_frame(frame(240, rate=1200), 0.18 + 0.06)
    assert one.lateness.late == 1


def test_a_count_that_begins_anew_puts_the_boat_at_its_start_and_keeps_what_it_spent():
    one = driven(session(), 100)
    spent = one.observer.energy.total
    one.on_frame(frame(0), 60.0)
    seen = one.lateness
    assert (seen.restarts, seen.late) == (1, 1) and seen.silent == pytest.approx(60.0 - 1.98)
    assert (seen.energy_before, seen.time_before) == (spent, pytest.approx(2.0)) and spent > 0.0
    assert one.plant.time == pytest.approx(0.02)


def test_the_last_order_is_held_and_no_joule_is_lost():
    """[H]: the boat goes on by its last order. Five seconds of silence are as five seconds of frames."""
    one, other = driven(session(), 100), driven(session(), 350)
    for number in range(250):
        assert one.on_silence(1.98 + 0.02 * number, 0.02)
    assert one.lateness.held == pytest.approx(5.0)
    assert one.plant.state == other.plant.state
    assert one.observer.energy.total == pytest.approx(other.observer.energy.total, rel=1e-12)


def test_after_its_time_a_dead_autopilots_thrusters_stop():
    one = driven(session(hold=1.0), 100)
    assert one.on_silence(1.98 + 0.9, 0.02)
    assert not one.on_silence(1.98 + 1.1, 0.02)
    work = one.plant.state.work
    for _ in range(2000):
        one.on_silence(10.0, 0.02)
    assert one.plant.state.work - work < 0.01 * work  # But what a lag lets fade.
    assert abs(one.plant.state.u_r) < 0.2
    one.on_frame(frame(100), 50.0)  # It comes back.
    one.on_frame(frame(101), 50.02)
    assert one.plant.state.work > work


def test_accelerations_are_those_of_the_velocity():
    """Ahead with both: u_dot by differences of two frames; on a circle v^2 / r towards its middle."""
    one = driven(session(), 20)
    before, after = one.motion(), one.on_frame(frame(20), 0.4)
    assert after.acceleration[0] == pytest.approx((after.velocity[0] - before.velocity[0]) / 0.02, rel=1e-6)
    turning = driven(session(), 1500, left=1600, right=1900).motion()
    assert turning.acceleration[1] == pytest.approx(turning.velocity[0] * turning.rates[2], rel=0.01)


def test_frames_faster_than_the_plant_are_told_motion_in_between():
    """
    ArduPilot's own rate, 1200 Hz: time goes on by 1/1200 s a frame, place by the speed.

    From rest to full thrust, 2.24 m/s^2, the place jumps by half the acceleration's change times the square of the step
    at most, the velocity by that times the step: what the boat does is told one step late.
    """
    one, before = session(), None
    for count in range(2400):
        motion = one.on_frame(frame(count, rate=1200), count / 1200.0)
        if before is not None:
            passed = motion.time - before.time
            assert passed == pytest.approx(1.0 / 1200.0, rel=1e-6)
            moved = math.hypot(motion.place[0] - before.place[0], motion.place[1] - before.place[1])
            assert moved == pytest.approx(0.5 * (motion.velocity[0] + before.velocity[0]) * passed,
                                          abs=0.5 * 2.5 * one.plant.step ** 2)
            assert abs(motion.velocity[0] - before.velocity[0]) < 2.5 * (one.plant.step + passed)
        before = motion
    assert motion.time == pytest.approx(2.0)


def test_a_rudder_turns_the_boat_to_the_side_of_the_pulse():
    """Steering above 1500 us is to starboard in ArduPilot: a negative yaw rate (counter-clockwise is positive)."""
    for pulse, sign in ((1700, -1.0), (1300, 1.0)):
        one = session('lutra_rudder')
        motion = driven(one, 1000, left=pulse).motion()
        assert motion.rates[2] * sign > 0.1
        assert one.plant.setting.foils[0] == pytest.approx(-sign * math.radians(30.0))


def test_a_silent_autopilots_rudder_stays_where_it_was():
    one = driven(session('lutra_rudder', hold=1.0), 500, left=1700)
    for number in range(200):
        one.on_silence(10.0 + 0.02 * number, 0.02)
    assert one.plant.setting.foils[0] == pytest.approx(math.radians(30.0))
    assert one.plant.setting.commands[0] == pytest.approx(0.0, abs=1e-6)
