"""The pad on a boat, by time."""

import math

import pytest

from usv_energy.air.deck_track import DeckTrack, between, pad_of


def test_the_pad_turns_with_the_boat():
    """A boat that turns on the spot at 0.5 rad/s, its pad 2 m astern: 1 m/s across, by the cross product."""
    pad = pad_of((10.0, 20.0, math.pi / 2), (0.0, 0.0, 0.5), (-2.0, 0.0, 0.3), 0.1, 0.2)
    assert pad.place == pytest.approx((10.0, 18.0, 0.4))
    assert pad.velocity == pytest.approx((1.0, 0.0, 0.2), abs=1e-12)


def test_velocity_is_that_of_the_place():
    """Central difference of places on a circle."""
    def at(t):
        return pad_of((5.0 * math.cos(t), 5.0 * math.sin(t), t + math.pi / 2), (5.0, 0.0, 1.0), (1.0, 0.4, 0.3))
    before, now, after = at(0.7 - 1e-5), at(0.7), at(0.7 + 1e-5)
    for axis in range(3):
        assert (after.place[axis] - before.place[axis]) / 2e-5 == pytest.approx(now.velocity[axis], abs=1e-6)


def test_between_and_beyond_two_samples():
    one = pad_of((0.0, 0.0, 3.1), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    two = pad_of((2.0, 0.0, -3.1), (3.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    middle = between(one, two, 0.5)
    assert middle.place == (1.0, 0.0, 0.0)
    assert math.cos(middle.heading) == pytest.approx(-1.0, abs=1e-3)  # The short way round.
    track = DeckTrack(0.0, one)
    assert track.at(0.4) == one
    track.add(2.0, two)
    assert track.at(1.0) == middle and track.at(3.0).place == (3.0, 0.0, 0.0)
    track.add(2.0, one)
    assert track.at(2.0).place == one.place
