"""What is said of boats that are faster than their drag is known, and of water that is not deep."""

import math
from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_remarks import shallow_depth, speed_of_froude, wave_note
from usv_energy.boats.vessel import WaveMaking

BLUEBOAT = read_boat('blueboat')  # 1.2 m: Froude 0.35 is 1.20 m/s, 1.0 is 3.43 m/s.


def with_waves(speeds, coefficients):
    damping = BLUEBOAT.vessel.damping._replace(wave=WaveMaking(1.0, speeds, coefficients))
    return replace(BLUEBOAT, vessel=BLUEBOAT.vessel._replace(damping=damping))


def test_froude_by_the_length():
    assert speed_of_froude(BLUEBOAT, 0.35) == pytest.approx(0.35 * math.sqrt(9.80665 * 1.2))


@pytest.mark.parametrize(('speed', 'wanted'), [
    (1.19, ''), (1.21, 'Above 1.20 m/s (Froude 0.35) a hull of 1.2 m makes waves'), (3.5, 'Above 3.43 m/s (Froude 1)'),
    (math.nan, '')])
def test_a_boat_with_linear_and_quadratic_drag(speed, wanted):
    note = wave_note(BLUEBOAT, speed)
    assert note.startswith(wanted) and bool(note) == bool(wanted)


def test_a_boat_that_knows_its_waves():
    boat = with_waves((1.0, 2.0), (0.5, 2.0))
    assert wave_note(boat, 1.9) == '' and wave_note(boat, 2.1).startswith('Above 2 m/s, the end of its damping.wave')
    assert 'planes' in wave_note(boat, 3.5)


def test_a_boat_without_a_length_says_nothing():
    assert wave_note(replace(BLUEBOAT, hull=BLUEBOAT.hull._replace(length=None)), 3.0) == ''


def test_shallow_water():
    """At that depth the speed is 0.7 of sqrt(g h)."""
    assert 0.7 * math.sqrt(9.80665 * shallow_depth(2.0)) == pytest.approx(2.0)
