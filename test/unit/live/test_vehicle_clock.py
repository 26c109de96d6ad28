"""The clock of a vehicle: late and overtaken messages, restarts, another sender's clock."""

import math

import pytest

from usv_energy.live.same_id import VehicleClock


def test_stamps_stay_what_they_are_however_late_they_come():
    clock = VehicleClock()
    for number in range(100):
        boot = 50.0 + 0.1 * number
        assert clock.sent(boot, 1000.0 + 0.1 * number + 0.3 * (number % 3)) == boot
    assert (clock.restarts, clock.foreign) == (0, 0)


def test_time_goes_on_over_a_restart_and_covers_the_silence():
    clock = VehicleClock()
    for number in range(100):
        clock.sent(500.0 + 0.1 * number, 0.1 * number)
    sent = [clock.sent(3.0 + 0.1 * number, 20.0 + 0.1 * number) for number in range(10)]
    assert all(math.isnan(time) for time in sent[:4]) and clock.restarts == 1 and clock.foreign == 0
    assert sent[4:] == pytest.approx([509.9 + 20.4 - 9.9 + 0.1 * number for number in range(6)])


def test_a_second_clock_never_takes_over_while_the_first_goes():
    clock = VehicleClock()
    for number in range(200):
        received = 0.1 * number
        assert clock.sent(10.0 + received, received) == 10.0 + received
        for burst in range(7):
            assert math.isnan(clock.sent(900.0 + received + 0.01 * burst, received + 0.01 * burst))
    assert (clock.restarts, clock.foreign) == (0, 1400)
    assert clock.has_rival(20.0) and not clock.has_rival(31.0)


def test_some_messages_that_come_far_too_late_are_no_second_vehicle():
    clock = VehicleClock()
    for number in range(400):
        clock.sent(10.0 + 0.1 * number, 0.1 * number)
        if number % 20 == 19:
            assert math.isnan(clock.sent(7.0 + 0.1 * number, 0.1 * number))
    assert clock.foreign == 20 and not clock.has_rival(40.0)


def test_messages_without_a_stamp_are_dated_by_their_receipt():
    clock = VehicleClock()
    assert math.isnan(clock.about(3.0))
    clock.sent(10.0, 100.0)
    assert clock.about(100.25) == 10.25 and clock.about(99.0) == 10.0
