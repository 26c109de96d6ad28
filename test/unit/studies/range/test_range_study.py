"""The range of a boat in one call: what it holds, and where it holds nothing."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from ohmic_boat import AMPERE_HOURS, WATTS, current_at, ohmic_boat
from scipy.optimize import minimize_scalar

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.plan.steady_range import INSIDE, NO_HEADWAY, SLOWER_IS_BETTER, BatteryUse, fastest, speed_curve
from usv_energy.studies.range.range_study import bands_of, range_study
from usv_energy.studies.range.range_text import range_figures, range_text

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


def test_endurance_is_the_charge_over_the_current_of_the_power(tmp_path):
    study = range_study(ohmic_boat(tmp_path), use=BatteryUse(0.9, 0.15))
    speeds = np.array([speed for speed in WATTS if WATTS[speed] < 144.0])
    at = [int(np.argmin(abs(study.curve.speed - speed))) for speed in speeds]
    hours = np.array([0.75 * AMPERE_HOURS / current_at(WATTS[speed]) for speed in speeds])
    assert study.curve.speed[at] == pytest.approx(speeds, abs=1e-9)
    assert study.curve.endurance[at] / 3600.0 == pytest.approx(hours, rel=1e-6)
    assert study.curve.range[at] == pytest.approx(3600.0 * hours * speeds, rel=1e-6)
    assert (study.curve.endurance[study.curve.power > 144.001] == 0.0).all()
    text, figures = range_text(study), json.loads(json.dumps(range_figures(study), allow_nan=False))
    assert 'of cells, ohmic, 4 in series, 90 % charged' in text and 'gives at most 144 W' in text
    assert figures['battery']['kind'] == 'cells' and figures['battery']['most_power_w'] == pytest.approx(144.0)


def test_the_best_speed_is_the_one_that_takes_the_cells_furthest(tmp_path):
    """Of 40 W and a cubic more: the largest v / I(P(v)), which lies below the smallest P(v) / v."""
    cells, boat = ohmic_boat(tmp_path), read_boat('lutra_prop')
    vessel = boat.vessel._replace(static_load=40.0, damping=boat.vessel.damping._replace(d11=0.0, d11_q=20.0),
                                  windage=boat.vessel.windage._replace(frontal_area=0.0, lateral_area=0.0))
    study = range_study(replace(boat, vessel=vessel, battery=cells.battery, battery_sheet=cells.battery_sheet))
    found = minimize_scalar(lambda v: current_at(40.0 + 20.0 * v ** 3) / v, bounds=(0.3, 1.5), method='bounded',
                            options={'xatol': 1e-9})
    assert study.best.kind == INSIDE and study.best.speed == pytest.approx(found.x, rel=1e-3)
    assert study.best.speed < 0.999 * (40.0 / (2.0 * 20.0)) ** (1.0 / 3.0)
    assert study.best.range == pytest.approx(3600.0 * AMPERE_HOURS / found.fun, rel=1e-6)
    assert study.energy == pytest.approx(study.best.power * study.best.endurance, rel=1e-12)


def test_bands_of_cells_are_about_what_they_give(tmp_path):
    cells, boat = ohmic_boat(tmp_path), read_boat('lutra_prop')
    vessel = boat.vessel._replace(static_load=5.0)
    known = replace(boat, vessel=vessel, battery=cells.battery, battery_sheet=cells.battery_sheet)
    study = range_study(known, deviations={'damping.linear.d11': '5%'})
    band = study.bands.curve['range']
    able = np.isfinite(band.low)    # The weakest boats drawn do not reach the top speed.
    assert able[:40].all()
    assert (band.low < study.curve.range)[able].all() and (study.curve.range < band.high)[able].all()
    assert float(study.bands.best['range'].low) < study.best.range < float(study.bands.best['range'].high)


def test_the_cold_shortens_and_a_counter_says_what_it_is(tmp_path):
    path = tmp_path / 'cells.yaml'
    path.write_text('base: blueboat_watts_only\nbattery: {chemistry: nmc, series: 4, capacity_wh: null, parallel: 4}\n')
    boat = read_boat(str(path))
    warm, cold = (range_study(boat, use=BatteryUse(ambient=273.15 + degc)) for degc in (25.0, 0.0))
    slow = warm.curve.power < 200.0
    assert (cold.curve.range[slow] < warm.curve.range[slow]).all()
    counter = range_study(read_boat('blueboat_watts_only'))
    assert 'counter of watt-hours' in range_text(counter) and counter.energy_at(np.array([9.0]))[0] == 266.4 * 3600.0
    assert range_figures(counter)['battery'] == {'kind': 'counter', 'capacity_wh': 266.4}
    given = range_study(boat, use=BatteryUse(energy=3.6e5))
    assert given.pack is None and 'counter' not in range_text(given) and range_figures(given)['battery'] is None
    assert given.curve.endurance * given.curve.power == pytest.approx(np.full(given.curve.speed.size, 3.6e5))
    with pytest.raises(InputError, match='no energy is left'):
        range_study(boat, use=BatteryUse(0.2, 0.2))
    assert math.isfinite(warm.best.endurance)
