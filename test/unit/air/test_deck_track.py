"""The pad on a boat, by time."""

import math

import numpy as np
import pytest

from usv_energy.air.deck_track import DeckTrack, deck_of_plant, interpolated_deck, pad_of
from usv_energy.boats.deck_load import DeckLoad
from usv_energy.flow.sea import regular_sea
from usv_energy.sim.runner import ScenarioRun
from usv_energy.sim.scenario import read_scenario


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
    middle = interpolated_deck(one, two, 0.5)
    assert middle.place == (1.0, 0.0, 0.0)
    assert math.cos(middle.heading) == pytest.approx(-1.0, abs=1e-3)  # The short way round.
    track = DeckTrack(0.0, one)
    assert track.at(0.4) == one
    track.add(2.0, two)
    assert track.at(1.0) == middle and track.at(3.0).place == (3.0, 0.0, 0.0)
    track.add(2.0, one)
    assert track.at(2.0).place == one.place
    assert track.at(1.0) == one and track.at(1.0) is track.at(1.0)
    track.add(4.0, two)
    assert track.at(1.0).place == (-1.0, 0.0, 0.0)  # A new sample: what was found before it counts no more.


def test_the_deck_of_a_hull_of_parts_is_where_its_attitude_puts_it():
    """Its velocity is the rate of its place, over one step of the plant in a sea; its axis is the attitude's."""
    scenario = read_scenario('waves/otter_head_sea')
    going = ScenarioRun(scenario)
    for _ in range(300):
        going.advance()
    bare, pad = scenario.plant.vessel.parts, (0.6, 0.2, 0.4)
    decks = []
    for _ in range(3):
        decks.append(deck_of_plant(going.plant, pad, bare))
        going.plant.advance(going.plant.setting)
    for axis in range(3):
        rate = (decks[2].place[axis] - decks[0].place[axis]) / (2.0 * scenario.step)
        assert rate == pytest.approx(decks[1].velocity[axis], abs=2e-3)
    afloat = going.plant.state.afloat
    assert abs(afloat.roll) + abs(afloat.pitch) > 1e-3
    up = deck_of_plant(going.plant, pad, bare).up
    assert up[2] == pytest.approx(math.cos(afloat.roll) * math.cos(afloat.pitch), rel=1e-12)
    assert math.hypot(*up) == pytest.approx(1.0)


def test_the_deck_of_a_hull_at_rest_is_as_high_as_the_pad_says_and_lower_with_a_load():
    scenario = read_scenario('waves/otter_head_sea')
    bare, load = scenario.plant.vessel.parts, DeckLoad(2.0, 0.0, 0.0, 0.4)
    empty, laden = ScenarioRun(scenario), ScenarioRun(scenario, load)
    assert deck_of_plant(empty.plant, (0.0, 0.0, 0.4), bare).place == pytest.approx((0.0, 0.0, 0.4))
    sunk = 2.0 / (1025.0 * 0.75)
    assert deck_of_plant(laden.plant, (0.0, 0.0, 0.4), bare).place[2] == pytest.approx(0.4 - sunk, rel=1e-6)


def test_the_deck_of_a_boat_in_the_plane_rises_with_the_water():
    """A regular wave: height and rise are those of the surface that the boat meets."""
    sea = regular_sea(0.2, 3.0, 0.7)
    going = ScenarioRun(read_scenario('1'))
    for _ in range(200):
        going.advance()
    plant = going.plant
    deck = deck_of_plant(plant, (0.0, 0.0, 0.3), None, sea)
    flat = deck_of_plant(plant, (0.0, 0.0, 0.3))
    here = [np.array([value]) for value in deck.place[:2]]
    surface = sea.at(plant.time, *here)
    assert deck.place[2] - 0.3 == pytest.approx(float(surface.elevation[0]), rel=1e-9) and flat.place[2] == 0.3
    slopes = [float(part[0]) for part in surface.slope]
    steady = float(surface.velocity.up[0])  # On the surface: the water's own, and what the boat climbs.
    climbing = steady + slopes[0] * deck.velocity[0] + slopes[1] * deck.velocity[1]
    assert deck.velocity[2] == pytest.approx(climbing, rel=0.02)
