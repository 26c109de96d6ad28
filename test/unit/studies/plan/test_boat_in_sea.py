"""Steady motion in a sea: what waves take is told by name, and an estimate is never taken by itself."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, WaveEstimate
from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_of_option, sea_state_of
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.plan.steady_range import best_speed

OWN = """
base: lutra_prop
name: own
hull: {bow_length: 0.3}
waves: {source: a test, directions_deg: [0, 180], periods: [2.0], coefficients: [[60.0], [-20.0]]}
"""


@pytest.fixture
def boat_of(tmp_path):
    def read(text=OWN):
        path = tmp_path / 'boat.yaml'
        path.write_text(text)
        return read_boat(str(path))
    return read


def test_thrust_is_that_of_calm_water_and_the_waves(boat_of):
    """60 N/m^2 (0.3 m)^2 x 1 m/s against waves; a third of it the other way, given back; the rest as in calm water."""
    boat = boat_in_sea(boat_of(), (0.3, 2.0, math.pi))
    for course, watts in ((0.0, 5.4), (math.pi, -1.8), (0.5 * math.pi, 1.8)):
        steady, calm = (steady_state(vessel, course, np.array([0.8, 1.0]), STILL).power
                        for vessel in (boat.vessel, boat_of().vessel))
        np.testing.assert_allclose(steady.waves, [0.8 * watts, watts], rtol=1e-9)
        np.testing.assert_allclose(steady.thrust - calm.thrust, steady.waves, rtol=1e-9)
        np.testing.assert_allclose(steady.damping, calm.damping, rtol=1e-9)
        np.testing.assert_allclose(calm.waves, 0.0)


def test_a_constant_force_shortens_the_range_as_in_closed_form(tmp_path, boat_of):
    """
    With quadratic drag d u^2, a static load P0 and a force R, J/m = d u^2 + R + P0 / u is least at the same speed.

    At u = (P0 / 2 d)^(1/3), R adds itself to each metre.
    """
    text = OWN + 'static_load: 6.0\ndamping: {linear: {d11: 0.0}, quadratic: {d11: 11.3}}\n' \
                 'windage: {frontal_area: 0.0, lateral_area: 0.0}\n'
    boat = boat_of(text)
    calm, found = (best_speed(one.vessel, 1e6, 0.0, STILL) for one in (boat, boat_in_sea(boat, (0.3, 2.0, math.pi))))
    assert found.speed == pytest.approx((6.0 / (2.0 * 11.3)) ** (1.0 / 3.0), rel=1e-5)
    assert found.energy_per_meter == pytest.approx(calm.energy_per_meter + 5.4, rel=1e-9)


def test_whose_coefficients_are_taken(boat_of):
    assert boat_in_sea(boat_of(), (0.3, 2.5, 0.0)).vessel.sea == SeaAlong(
        0.3, 2.5, 0.0, WaveCoefficients((0.0, math.pi), (2.0,), ((60.0,), (-20.0,))))
    ship = boat_of('base: lutra_prop\nname: other\nhull: {bow_length: 0.3}\n')
    found = boat_in_sea(ship, (0.3, 2.5, 0.0), 'stawave-1').vessel.sea.resistance
    width = ship.hull.width
    assert found == WaveEstimate(pytest.approx(1025.0 * 9.81 * width * math.sqrt(width / 0.3) / 16.0, rel=1e-4))


@pytest.mark.parametrize(('text', 'estimate', 'message'), [
    ('base: lutra_prop\nname: b\n', None, r'says nothing of its added resistance in waves.*--wave-estimate stawave-1'),
    ('base: lutra_prop\nname: b\n', 'stawave-1', r'has no hull\.bow_length; stawave-1 needs'),
    (OWN, 'stawave-1', r'has its own coefficients, waves'),
    ('base: blueboat_watts_only\nname: b\n', None, r'known by its power over speed alone')])
def test_what_does_not_go_together_is_refused(boat_of, text, estimate, message):
    with pytest.raises(InputError, match=message):
        boat_in_sea(boat_of(text), (0.3, 2.5, 0.0), estimate)


def test_a_sea_is_said_by_numbers_or_by_a_flow_file():
    assert sea_state_of('0.3,2.5,180', '--sea') == (0.3, 2.5, math.pi)
    assert sea_state_of('0.3 m 2.5 s from SW', '--sea') == pytest.approx((0.3, 2.5, math.pi / 4.0))
    assert sea_state_of('Hs 0.3 m, Tp 2.5 s, from 270', '--sea') == pytest.approx((0.3, 2.5, 0.0))
    height, period, towards = sea_state_of('sea', '--sea')
    assert height == pytest.approx(0.3, rel=1e-6) and period > 0.0 and math.isfinite(towards)


@pytest.mark.parametrize(('text', 'message'), [
    ('0.3,2.5', 'or HS,TP,TOWARDS'), ('0.3 m 2.5 s SW', 'say `from SW` or `to SW`'),
    ('0.3 m 0 s from SW', 'the period above 0'), ('0.3 m 2.5 s from', 'no direction'),
    ('0.3 m 2.5 s high', 'not understood'), ('-0.3,2.5,0', 'the height from 0 on'), ('0.3,0,0', 'the period above 0'),
    ('river', 'a flow without waves'), ('nowhere', 'nowhere')])
def test_a_wrong_sea_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        sea_state_of(text, '--sea')


def test_the_sea_of_a_log_is_told_as_that_of_a_plan_or_calm():
    assert sea_of_option(None) is None and sea_of_option('calm')[0] == 0.0
    assert sea_of_option('0.3,2.5,180') == pytest.approx((0.3, 2.5, math.pi))
    with pytest.raises(InputError, match='--sea is'):
        sea_of_option('0.3,2.5')
