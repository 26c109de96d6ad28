"""Water and air along a log's way: from files, from the log, and where they are not known."""

import math
import warnings
from datetime import datetime, timezone
from types import SimpleNamespace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.flow_file import AS_IT_IS
from usv_energy.studies.analyze.analysed_log import INVALID, NO_ACCELERATION, STALE, analysed_log
from usv_energy.studies.analyze.current.flow_along_log import (
    ASSUMED_STILL,
    AnalysisOptions,
    _of_flow_file,
    _on_one_course,
    flow_along_log,
    laid_along_log,
    moves,
)


def test_flow_files_are_asked_along_the_track_at_its_times():
    log = straight(period=0.5, x=250.0 + 0.04 * np.arange(400), y=np.linspace(80.0, 120.0, 400))
    current, wind = flow_of('vortex', '--current', 'water'), flow_of('gusts', '--wind', 'air')
    analysed = analysed_log(log, BOAT, AnalysisOptions(current=current, wind=wind))
    wanted = [[float(part[0]) for flow in (current, wind) for part in flow.velocity(t, log.x[k:k + 1], log.y[k:k + 1])
               [:2]] for k, t in enumerate(log.time)]
    flow = analysed.flow
    found = np.column_stack([flow.current_x, flow.current_y, flow.wind_x, flow.wind_y])
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.ptp(flow.wind_x) > 0.0 and np.ptp(flow.current_x) > 0.0


def test_what_is_missing_is_marked_and_never_silently_zero():
    x = np.full(400, 0.3)
    x[:40] = math.nan
    x[200:240] = math.nan
    log = straight(current_x=x, current_y=0.0 * x, u=np.where(np.arange(400) == 300, math.nan, 1.0))
    analysed = analysed_log(log, BOAT)
    assert (analysed.status[:40] & STALE['current'] > 0).all() and analysed.early == {'current': 40, 'wind': 0}
    np.testing.assert_allclose(analysed.flow.current_x[:40], 0.3)
    assert analysed.early_energy == pytest.approx(float(analysed.power.total[1:41].sum()) * 0.05)
    assert analysed.estimated == pytest.approx((analysed.early_energy, 40 * 0.05))
    assert (analysed.status[200:240] & STALE['current'] > 0).all()
    np.testing.assert_allclose(analysed.flow.current_x[200:240], 0.3)
    assert analysed.status[300] & INVALID and analysed.status[300] & NO_ACCELERATION and analysed.status[301] == 0
    assert analysed.energy.stale_duration == pytest.approx((40 + 41) * 0.05)
    codes = {note.code for note in analysed.warnings}
    assert codes == {'current_missing', 'current_stale', 'wind_assumed_none'}


@pytest.mark.parametrize(('swing', 'alone'), [(0.0, True), (0.2, True), (1.0, False), (math.pi, False)])
def test_on_one_course_it_is_said_that_a_current_along_it_leaves_no_trace(swing, alone):
    """A boat that makes 1 m/s over ground in a current along its course moves as one in still water."""
    headings = swing * (np.sin(np.arange(400) / 40.0) > 0.0)
    notes = {note.code: note.text for note in flow_along_log(straight(yaw=headings), AnalysisOptions()).notes}
    assert ('leaves no trace' in notes['current_assumed_none']) == alone
    assert 'no trace' not in notes['wind_assumed_none']


def test_a_log_without_headings_is_on_no_course():
    with warnings.catch_warnings():
        warnings.simplefilter('error')  # That of numpy, for the mean of nothing.
        assert not _on_one_course(straight(yaw=np.full(400, math.nan)))


def test_the_share_of_the_logs_own_wind_is_what_blows_at_the_boat():
    """Steady in still water: the power of the wind is -X u of the apparent wind, here half of the log's from ahead."""
    zero = np.zeros(400)
    log = straight(heading=0.0, current_x=zero, current_y=zero, wind_x=zero - 4.0, wind_y=zero)
    found = analysed_log(log, BOAT, AnalysisOptions(wind_share=0.5))
    np.testing.assert_array_equal(found.flow.wind_x, -2.0)
    windage = BOAT.vessel.windage
    drag = 0.5 * windage.air_density * windage.frontal_area * windage.c_x
    np.testing.assert_allclose(found.power.wind[1:], drag * 9.0 * 1.0, rtol=1e-12)
    given = flow_of('4,180', '--wind', 'air')
    same = analysed_log(log, BOAT, AnalysisOptions(wind=given, wind_share=0.5))
    np.testing.assert_allclose(same.flow.wind_x, -4.0), 'what is given was reduced already'


def test_a_flow_that_changes_has_no_value_where_its_file_ends():
    """Asked at every sample: east of 10 m there is none, and samples between are inside where both neighbours are."""
    log = straight(number=20, speed=1.0, heading=0.0, period=1.0)

    def velocity(time, x, y):
        return x + time, y - 2.0 * time, np.where(x <= 10.0, 1.0, 0.0)

    flow = SimpleNamespace(clock=SimpleNamespace(first=0.0, last=60.0), velocity=velocity, path='flow',
                           transform=AS_IT_IS)
    x, y = _of_flow_file(log, flow, 'current')
    inside = log.x <= 10.0
    np.testing.assert_allclose(x[inside], log.x[inside] + log.time[inside])
    np.testing.assert_allclose(y[inside], -2.0 * log.time[inside])
    assert np.isnan(x[~inside]).all() and np.isnan(y[~inside]).all() and inside.sum() == 11
    with pytest.raises(InputError, match='--current flow: has no value anywhere along the way'):
        _of_flow_file(straight(number=20, x=np.full(20, 11.0)), flow, 'current')


def test_the_log_s_own_flow_is_estimated_with_its_motion_or_taken_as_it_was_recorded(rng):
    noisy = rng.normal(0.3, 0.05, 400)
    log = straight(current_x=noisy, current_y=0.0 * noisy)
    recorded, estimated = (flow_along_log(log, AnalysisOptions(motion=motion)) for motion in ('recorded', 'estimated'))
    np.testing.assert_array_equal(recorded.flow.current_x, noisy)
    assert np.std(estimated.flow.current_x) < 0.02 and set(estimated.estimates) == {'current'}
    assert recorded.estimates == {} and recorded.sources == {'current': 'log', 'wind': ASSUMED_STILL}


def test_the_share_of_samples_without_a_flow_is_told_in_percent():
    x = np.where(np.arange(400) < 30, math.nan, np.where(np.arange(400) > 389, math.nan, 0.3))
    notes = {note.code: note for note in flow_along_log(straight(current_x=x, current_y=x), AnalysisOptions()).notes}
    assert 'is not known at the start of 7.5 % of the samples' in notes['current_missing'].text
    assert 'is missing in 2.5 % of the samples' in notes['current_stale'].text
    assert notes['current_missing'].figures == {'share': 0.075} and notes['current_stale'].figures == {'share': 0.025}


def test_water_and_air_move_where_they_are_given_or_recorded_to_do_so():
    still, along = UniformFlow(), UniformFlow(0.2, 0.0)
    log, zero = straight(), np.zeros(400)
    moving = straight(wind_x=zero, wind_y=np.where(np.arange(400) == 7, -2.0, math.nan))
    for options, one, wanted in ((AnalysisOptions(), log, (False, False)), (AnalysisOptions(), moving, (False, True)),
                                 (AnalysisOptions(wind=still), moving, (False, False)),
                                 (AnalysisOptions(current=along), log, (True, False)),
                                 (AnalysisOptions(current=flow_of('vortex', '--current', 'water')), log, (True, False)),
                                 (AnalysisOptions(), straight(current_x=zero, current_y=zero), (False, False))):
        assert (moves(one, options, 'current'), moves(one, options, 'wind')) == wanted


def test_data_with_dates_is_asked_at_the_logs_own_times(tmp_path):
    """The log begins at 07:30 UTC, an hour and a half after the file; the field is linear in time."""
    pytest.importorskip('netCDF4')
    from netcdf_files import dataset, u_of, written
    current = flow_of(str(written(tmp_path, dataset())), '--current', 'water', dated=True)
    start = datetime(2024, 5, 1, 7, 30, tzinfo=timezone.utc).timestamp()
    log = straight(start=start, origin=Place(48.3, -4.5))
    found = flow_along_log(log, laid_along_log(log, AnalysisOptions(current=current))).flow.current_x
    assert found[0] == pytest.approx(u_of(5400.0, -4.5, 48.3), abs=1e-4)
    undated = straight(origin=Place(48.3, -4.5))
    with pytest.raises(InputError, match=r'--current .*flow.nc: changes, from 2024-05-01 06:00.*does not say its date'):
        laid_along_log(undated, AnalysisOptions(current=current))
    late = straight(start=start + 86400.0, origin=Place(48.3, -4.5))
    with pytest.raises(InputError, match=r'holds from 2024-05-01 06:00 UTC to .* is from 2024-05-02 07:30 UTC'):
        laid_along_log(late, AnalysisOptions(current=current))
