"""What a page shows at a time, in a range and along the way is what `analyze` says, however few points are sent."""

import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.boats.outfit import battery_label, with_battery
from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log
from usv_energy.powering.energy import CAUSES
from usv_energy.show.causes import CAUSES as SHOWN_CAUSES
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.leg_shares import range_figures, share_between
from usv_energy.studies.analyze.log_report import energy_figures
from usv_energy.studies.analyze.log_series import (
    POINTS,
    energy_over_distance,
    log_series,
    moment_figures,
    track_series,
)

RECORDED = AnalysisOptions(motion='recorded')
PARTS = [f'energy_{cause}_j' for cause in CAUSES if cause != 'total']
FITTED = with_battery(BOAT, battery_label('20 Wh', 'battery'))


def swinging(number=20_000, period=0.1):
    """Return a log to the east at a speed that swings about 1 m/s, with a spike of one sample and a place on Earth."""
    time, zero = period * np.arange(number), np.zeros(number)
    u = 1.0 + 0.3 * np.sin(0.05 * time)
    u[number // 3] = 1.6
    return Log('swinging', Path('swinging'), time, yaw=zero, u=u, v=zero, r=zero, x=np.cumsum(u) * period, y=zero,
               wind_x=-np.ones(number), wind_y=zero, origin=Place(45.6, 9.5))


@pytest.fixture(scope='module')
def analysed():
    return analysed_log(swinging(), FITTED, RECORDED)


@pytest.fixture(scope='module')
def holed():
    """Return a log with a hole of 20 s, and samples without a motion."""
    log = swinging(4000)
    log = log.part(np.abs(log.time - 200.0) > 10.0)
    u = log.u.copy()
    u[1000:1003] = np.nan
    return analysed_log(replace(log, u=u), FITTED, RECORDED)


@pytest.mark.parametrize('which', ['analysed', 'holed'])
def test_the_whole_range_is_the_energy_of_the_log_to_the_last_digit(which, request):
    analysed = request.getfixturevalue(which)
    wanted = energy_figures(analysed)
    found = range_figures(analysed, analysed.log.time[0], analysed.log.time[-1])
    beyond = range_figures(analysed, -50.0, analysed.log.time[-1] + 1e6)
    for key in ('energy_j', 'duration_s', 'mean_power_w', *PARTS):
        assert found[key] == beyond[key] == wanted[key], key
    assert found['energy_per_meter_j_m'] == pytest.approx(wanted['energy_per_meter_j_m'], rel=1e-12)
    assert found['state_of_charge_used'] == pytest.approx(analysed.state_of_charge_used, rel=1e-9)


@pytest.mark.parametrize('cuts', [(700.0,), (123.456, 123.457, 650.0), (0.05, 1999.93)])
def test_parts_add_up_wherever_they_are_cut(analysed, holed, cuts):
    for one in (analysed, holed):
        edges = [one.log.time[0], *(cut for cut in cuts if cut < one.log.time[-1]), one.log.time[-1]]
        parts = [share_between(one, *pair) for pair in pairwise(edges)]
        for cause in CAUSES:
            assert sum(part.energy[cause] for part in parts) == pytest.approx(getattr(one.energy, cause), rel=1e-9,
                                                                              abs=1e-9)
        assert sum(part.distance for part in parts) == pytest.approx(one.energy.distance_over_ground, rel=1e-12)
        used = sum(range_figures(one, *pair)['state_of_charge_used'] for pair in pairwise(edges))
        assert used == pytest.approx(one.state_of_charge_used, rel=1e-9)


def test_half_a_step_has_half_of_its_energy():
    one = analysed_log(straight(10, period=1.0), BOAT, RECORDED)
    whole, half = share_between(one, 4.0, 5.0), share_between(one, 4.25, 4.75)
    assert half.energy['total'] == pytest.approx(0.5 * whole.energy['total'], rel=1e-12)
    assert half.distance == pytest.approx(0.5) and half.duration == 0.5


def test_a_range_over_a_hole_has_the_energy_that_was_estimated_there(holed):
    whole, part = range_figures(holed, 190.0, 210.0), range_figures(holed, 192.0, 208.0)
    assert whole['energy_j'] == pytest.approx(holed.estimated[0], rel=0.02)
    assert part['energy_j'] == pytest.approx(0.8 * whole['energy_j'], rel=1e-6) and part['duration_s'] == 16.0
    assert part['mean_power_w'] == pytest.approx(part['energy_j'] / 16.0)


@pytest.mark.parametrize('ends', [(5.0, 5.0), (6.0, 5.0), (math.nan, 5.0)])
def test_a_range_must_end_later_than_it_begins(analysed, ends):
    with pytest.raises(InputError, match=r'range: begins at .* must end later'):
        share_between(analysed, *ends)


def test_thinned_lines_keep_the_least_and_the_largest(analysed):
    found = log_series(analysed)
    json.dumps(found, allow_nan=False)
    total = found['total']
    assert len(total['time_s']) <= POINTS + 4
    known = [value for value in total['power_w'] if value is not None]
    assert max(known) == np.nanmax(analysed.power.total) and min(known) == np.nanmin(analysed.power.total)
    for cause in found['causes']:
        known = [value for value in cause['power_w'] if value is not None]
        assert max(known) == np.nanmax(getattr(analysed.power, cause['key']))
    assert found['charge']['state_of_charge'][0] == 1.0
    assert found['charge']['state_of_charge'][-1] == pytest.approx(1.0 - analysed.state_of_charge_used)
    assert set(found['wind']['speed_m_s']) == {1.0}
    assert found['start_s'] is None and found['measured'] is None


def test_a_part_that_is_looked_at_closely_has_all_its_samples(analysed):
    time = analysed.log.time
    found = log_series(analysed, 700.0, 720.0)
    shown = np.array(found['total']['time_s'], dtype=float)
    inside = time[(time >= 700.0) & (time <= 720.0)]
    assert set(inside) <= set(shown) and shown.size <= inside.size + 3
    assert found['begin_s'] < 700.0 and found['end_s'] >= 720.0
    values = dict(zip(found['total']['time_s'], found['total']['power_w']))
    assert [values[at] for at in inside] == analysed.power.total[(time >= 700.0) & (time <= 720.0)].tolist()


@pytest.mark.parametrize(('ends', 'at'), [((-9.0, -5.0), 0.0), ((1e9, 2e9), 1999.9)])
def test_a_part_beyond_the_log_shows_its_end(analysed, ends, at):
    found = log_series(analysed, *ends)
    assert found['begin_s'] == pytest.approx(at, abs=0.11) and found['end_s'] == pytest.approx(at, abs=0.11)
    assert len(found['wind']['time_s']) <= 3


def test_lines_break_at_holes(holed):
    found = log_series(holed)
    assert None in found['total']['power_w']
    [gap] = found['gaps']
    assert gap['end_s'] - gap['begin_s'] == pytest.approx(20.2)


def test_the_track_is_on_the_earth(analysed):
    found = track_series(analysed)
    assert {len(column['values']) for column in found['columns']} == {len(found['time_s']) - 1} == {
        len(found['x_m']) - 1}
    east, north = LocalPlane(Place(45.6, 9.5)).projected(np.array(found['latitude_deg']),
                                                         np.array(found['longitude_deg']))
    np.testing.assert_allclose(east, found['x_m'], atol=1e-6)
    np.testing.assert_allclose(north, found['y_m'], atol=1e-6)
    at_rest = replace(swinging(100), x=np.zeros(100))
    assert track_series(analysed_log(at_rest, BOAT, RECORDED)) is None
    assert 'latitude_deg' not in track_series(analysed_log(straight(), BOAT, RECORDED))


def test_columns_along_the_track_are_those_of_the_log(analysed, holed):
    """The mean of a sine over a step of the track is closed; what the causes take adds up to the power in all."""
    found = track_series(analysed)
    columns = {column['name']: np.array(column['values'], dtype=float) for column in found['columns']}
    time = np.array(found['time_s'])
    over = 1.0 - 0.3 * np.diff(np.cos(0.05 * time)) / 0.05 / np.diff(time)
    steps = slice(0, np.searchsorted(time, 600.0))      # The spike comes later.
    np.testing.assert_allclose(columns['speed over ground'][steps], over[steps], atol=2e-3)
    causes = sum(values for name, values in columns.items() if name in {cause.name for cause in SHOWN_CAUSES})
    np.testing.assert_allclose(causes, columns['total power'], rtol=0.02)
    left = 100.0 * (1.0 - analysed.state_of_charge_used)
    assert np.all(np.diff(columns['charge']) < 0.0) and columns['charge'][-1] == pytest.approx(left, abs=0.1)
    assert all(None in column['values'] for column in track_series(holed)['columns']), 'across a gap'


def test_a_moment_is_the_nearest_sample(analysed):
    found = moment_figures(analysed, 1234.56)
    row = 12346
    assert found['time_s'] == pytest.approx(1234.6)
    assert found['x_m'] == analysed.log.x[row]
    assert found['power_total_w'] == analysed.power.total[row]
    assert found['energy_so_far_j'] == analysed.integral.so_far()[row]
    assert found['heading_deg'] == 90.0 and found['wind_x_m_s'] == -1.0
    assert found['speed_over_ground_m_s'] == pytest.approx(analysed.log.u[row])
    last = moment_figures(analysed, 1e9)
    assert last['energy_so_far_j'] == pytest.approx(analysed.energy.total, rel=1e-12)
    assert last['state_of_charge'] == pytest.approx(1.0 - analysed.state_of_charge_used)


def test_a_moment_without_a_power_says_so(holed):
    found = moment_figures(holed, float(holed.log.time[1001]))
    assert found['power_total_w'] is None and found['energy_so_far_j'] > 0.0


def test_energy_over_distance_ends_at_the_energy_of_the_log(analysed):
    found = energy_over_distance(analysed)
    assert found['energy_so_far_j'][-1] == pytest.approx(analysed.energy.total, rel=1e-12)
    assert found['distance_over_ground_m'][-1] == pytest.approx(analysed.energy.distance_over_ground, rel=1e-12)
    assert (np.diff(found['distance_over_ground_m']) >= 0.0).all()
