"""What one modem makes of all that is sent."""

import math

import pytest

from usv_energy.physics.acoustics import AcousticSea, Modem, modem_range, sound_speed
from usv_energy.sim.acoustics.hearing import (
    BLOCKED,
    CUT_OFF,
    INTERFERENCE,
    OUT_OF_RANGE,
    RECEIVED,
    SENDING,
    Hearing,
    Transmission,
    off_axis,
)

MODEM = Modem(177.0, 33e3, 6e3, 15.0, 20.0)
SEA = AcousticSea()
SPEED = float(sound_speed(SEA.water))
FAR = modem_range(MODEM, SEA)


def message(sender='a', begin=0.0, place=(0.0, 0.0, -2.0), duration=10.0, modem=MODEM, number=0):
    return Transmission(sender, number, b'hello', begin, duration, place, 0.0, modem)


def heard(sent, place, until=60.0, step=0.5, prepare=lambda ear: None, **about):
    """Return what a receiver makes of messages; `place`: where it is by time, or always."""
    ear, found, waiting = Hearing(MODEM, SEA), [], sorted(sent, key=lambda one: one.begin)
    prepare(ear)
    for number in range(round(until / step) + 1):
        time = number * step
        while waiting and waiting[0].begin <= time:
            ear.sent(waiting.pop(0))
        found += ear.at(time, place(time) if callable(place) else place, **about)
    return found


def test_it_comes_when_sound_has_come():
    place = (1200.0, 900.0, -2.0)
    (one,) = heard([message(begin=1.3)], place)
    assert one.outcome == RECEIVED and one.distance == pytest.approx(1500.0)
    assert one.arrival == pytest.approx(1.3 + 1500.0 / SPEED, abs=1e-9)
    assert one.end == pytest.approx(one.arrival + 10.0, abs=1e-9)


@pytest.mark.parametrize('step', [0.1, 1.0, 5.0])
def test_it_meets_a_receiver_that_moves_where_both_are_at_the_same_time(step):
    """A boat flees at 10 m/s from 1000 m: the sound needs 1000 / (c - 10), however rarely one looks."""
    (one,) = heard([message()], lambda time: (1000.0 + 10.0 * time, 0.0, -2.0), step=step)
    assert one.arrival == pytest.approx(1000.0 / (SPEED - 10.0), abs=1e-9)
    assert one.distance == pytest.approx(SPEED * one.arrival, abs=1e-6)


def test_the_edge_of_its_range():
    near, far = heard([message()], (0.999 * FAR, 0.0, -2.0)), heard([message()], (1.001 * FAR, 0.0, -2.0))
    assert [one.outcome for one in (*near, *far)] == [RECEIVED, OUT_OF_RANGE]
    assert near[0].level - near[0].noise == pytest.approx(15.0, abs=0.05)


def test_two_senders_at_once_are_both_lost_where_both_are_near():
    """[H]: where the spheres of two senders overlap, neither is understood; outside of one the other is."""
    two = [message('a'), message('b', begin=3.0, place=(2.0 * FAR, 0.0, -2.0))]
    between = heard(two, (FAR * 0.99, 0.0, -2.0), until=80.0)
    assert [(one.transmission.sender, one.outcome) for one in between] == [('a', RECEIVED), ('b', OUT_OF_RANGE)]
    two = [message('a'), message('b', begin=3.0, place=(FAR, 0.0, -2.0))]
    both = heard(two, (0.5 * FAR, 0.0, -2.0), until=80.0)
    assert [(one.transmission.sender, one.outcome) for one in both] == [('a', INTERFERENCE), ('b', INTERFERENCE)]


def test_messages_one_after_the_other_are_both_received():
    """The second begins when the last of the first has gone by, 10 s and its own way later."""
    for begin, outcomes in ((10.1, [RECEIVED, RECEIVED]), (9.9, [INTERFERENCE, INTERFERENCE])):
        found = heard([message('a'), message('b', begin)], (500.0, 0.0, -2.0))
        assert [one.outcome for one in found] == outcomes


def test_a_short_one_within_a_long_one_spoils_it_even_after_it_has_ended():
    found = heard([message('a', duration=20.0), message('b', 5.0, duration=1.0)], (500.0, 0.0, -2.0))
    assert [(one.transmission.sender, one.outcome) for one in found] == [('b', INTERFERENCE), ('a', INTERFERENCE)]


def test_another_band_is_not_heard_and_disturbs_nobody():
    other = MODEM._replace(frequency=60e3)
    (one,) = heard([message('a'), message('b', modem=other)], (500.0, 0.0, -2.0))
    assert (one.transmission.sender, one.outcome) == ('a', RECEIVED)


def test_who_sends_hears_nothing():
    for begin, outcome in ((9.0, SENDING), (10.0 + 500.0 / SPEED + 0.01, RECEIVED)):
        (one,) = heard([message()], (500.0, 0.0, -2.0), prepare=lambda ear, begin=begin: ear.sends(begin, 2.0))
        assert one.outcome == outcome


def test_land_between():
    (one,) = heard([message()], (500.0, 0.0, -2.0), blocked=lambda a, b: a[0] < 250.0 < b[0])
    assert one.outcome == BLOCKED
    # What is behind the land disturbs nobody either.
    found = heard([message('a', place=(100.0, 0.0, -2.0)), message('b', place=(400.0, 0.0, -2.0))],
                  (500.0, 0.0, -2.0), blocked=lambda a, b: a[0] < 250.0 < b[0])
    assert [one.outcome for one in found] == [RECEIVED, BLOCKED]


def test_a_sender_that_dies_in_the_middle():
    ear = Hearing(MODEM, SEA)
    ear.at(0.0, (500.0, 0.0, -2.0))
    ear.sent(message())
    ear.at(3.0, (500.0, 0.0, -2.0))
    ear.cut('a', 4.0)
    (one,) = ear.at(60.0, (500.0, 0.0, -2.0))
    assert one.outcome == CUT_OFF
    assert one.end - one.arrival == pytest.approx(4.0)
    ear.sent(message(begin=60.0))
    ear.cut('a', 75.0)  # It had ended by then.
    (one,) = ear.at(90.0, (500.0, 0.0, -2.0))
    assert one.outcome == RECEIVED


def test_a_directed_receiver_hears_less_behind_it():
    modem = MODEM._replace(angles=(0.0, math.pi), gains=(0.0, -60.0))
    for heading, outcome in ((math.pi, RECEIVED), (0.0, OUT_OF_RANGE)):
        ear = Hearing(modem, SEA)
        ear.at(0.0, (1500.0, 0.0, -2.0), heading)
        ear.sent(message())
        (one,) = ear.at(60.0, (1500.0, 0.0, -2.0), heading)
        assert one.outcome == outcome


@pytest.mark.parametrize(('other', 'angle'), [
    ((9.0, 12.0, -5.0), 0.0), ((-9.0, -12.0, -5.0), 180.0), ((0.0, 0.0, -25.0), 90.0), ((-12.0, 9.0, -5.0), 90.0),
    ((3.0, 4.0, -10.0), 45.0), ((0.0, 0.0, -5.0), 0.0)])
def test_the_angle_off_an_axis_is_that_in_space(other, angle):
    """The antenna is 5 m deep, its axis level towards (3, 4): ahead, astern, straight below, abeam, ahead and below."""
    assert math.degrees(off_axis((0.0, 0.0, -5.0), math.atan2(4.0, 3.0), other)) == pytest.approx(angle, abs=1e-9)


def test_a_directed_receiver_is_deaf_to_what_is_abeam():
    """20 dB less at 90 degrees: as if the sender were 20 dB weaker; the level that is told is the water's."""
    directed = MODEM._replace(angles=(0.0, 0.5 * math.pi, math.pi), gains=(0.0, -20.0, -30.0))
    near = modem_range(MODEM._replace(level=157.0), SEA)
    outcomes = []
    for place in ((1.01 * near, 0.0, -2.0), (0.0, 1.01 * near, -2.0), (0.0, 0.99 * near, -2.0)):
        ear = Hearing(directed, SEA)
        ear.sent(message())
        (one,) = [*ear.at(0.0, place, math.pi), *ear.at(60.0, place, math.pi)]
        outcomes.append(one.outcome)
    assert outcomes == [RECEIVED, OUT_OF_RANGE, RECEIVED]
