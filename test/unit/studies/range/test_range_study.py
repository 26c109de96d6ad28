"""The range of a boat in one call: what it holds, and where it holds nothing."""

from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.plan.steady_range import INSIDE, NO_HEADWAY, SLOWER_IS_BETTER, BatteryUse, fastest, speed_curve
from usv_energy.studies.range.range_study import bands_of, range_study

BOAT = read_boat('lutra_prop')
LOADED = replace(BOAT, vessel=BOAT.vessel._replace(static_load=5.0))


def test_a_curve_ends_at_the_highest_speed_and_has_the_polar_s_best_within():
    study = range_study(LOADED, with_bands=False)
    assert study.curve.speed[-1] == fastest(LOADED.vessel, 0.0, STILL)
    assert study.energy == 148.0 * 3600.0 and study.best.kind == INSIDE
    assert np.nanmax(study.curve.range) <= study.best.range
    assert study.polar.energy_per_meter[0] == pytest.approx(study.best.energy_per_meter, rel=1e-12)
    assert study.polar_at_speed is None and study.bands is None


def test_where_no_course_has_a_best_speed_one_speed_is_shown():
    study = range_study(BOAT)
    assert study.best.kind == SLOWER_IS_BETTER
    assert study.polar_at_speed is not None
    assert set(study.polar_at_speed.speed) == {round(0.7 * study.curve.speed[-1], 1)}


def test_bands_are_of_what_is_uncertain_and_reports_go_to_their_number():
    reports = []
    study = range_study(LOADED, deviations={'damping.linear.d11': '5%'},
                        progress=lambda done, number: reports.append((done, number)))
    assert [doubt.name for doubt in study.doubts] == ['damping.linear.d11']
    assert study.bands is not None
    assert study.bands.best['range'].low < study.best.range < study.bands.best['range'].high
    assert reports[-1] == (study.bands.boats, study.bands.boats) and len(reports) == study.bands.boats


def test_without_headway_or_battery_there_is_no_range_but_an_answer():
    against = range_study(LOADED, 0.0, STILL._replace(current_x=-3.0), deviations={'static_load': '1'})
    assert against.best.kind == NO_HEADWAY and against.curve.speed.size == 0 and against.bands is None
    without = range_study(replace(LOADED, battery=None))
    assert not without.with_energy and without.best.energy_per_meter > 0.0
    with pytest.raises(InputError, match='no energy is left'):
        range_study(LOADED, use=BatteryUse(0.3, 0.3))


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
