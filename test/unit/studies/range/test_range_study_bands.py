"""Bands of range against the delta method."""


import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL
from usv_energy.studies.plan.steady_range import BatteryUse, speed_curve
from usv_energy.studies.plan.uncertain_boat import drawn_boats, read_doubts
from usv_energy.studies.range.range_study import bands_of

BOAT = read_boat('lutra_prop')
ENERGY = 3.6e5


def test_the_band_is_the_delta_methods_for_small_doubts():
    """R = E u / (P0 + d u^2 + ...): dR / R = -d u^2 / P dd / d - P0 / P dP0 / P0; 95 % is 1.96 standard deviations."""
    boats = list(drawn_boats(BOAT, read_doubts(BOAT, {'damping.linear.d11': '2%'}), 80))
    speeds = np.array([1.0])
    band = bands_of(boats, 0.0, STILL, speeds, BatteryUse(energy=ENERGY)).curve['range']
    told = speed_curve(BOAT.vessel, ENERGY, 0.0, STILL, speeds)
    share = BOAT.vessel.damping.d11 / told.power[0]
    half = 1.96 * 0.02 * share * told.range[0]
    assert 0.5 * (band.high[0] - band.low[0]) == pytest.approx(half, rel=0.02)
    assert 0.5 * (band.high[0] + band.low[0]) == pytest.approx(told.range[0], rel=2e-3)
