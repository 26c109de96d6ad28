"""A log with a measured battery says the drag of hull and propellers, and from when on it was more."""

import json

import numpy as np
import pytest
from hull_cruises import BLUEBOAT, Cruise, Water, tell
from independent_log import log_of

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.hull import hull_health
from usv_energy.studies.analyze.hull.hull_health import HullState, hull_along_log, hull_figures
from usv_energy.studies.analyze.log_report import log_report, report_figures
from usv_energy.studies.analyze.log_text import log_text

BOAT = checked_boat_with(read_boat('blueboat_start'), {'static_load': BLUEBOAT.hotel,
                                                 'losses.efficiency': BLUEBOAT.efficiency})
ONSET, OPTIONS = 1200.0, AnalysisOptions(motion='recorded', find_flow=False)


def analysed(drag, **known):
    """Return the analysis of half an hour of lanes whose wind the log holds."""
    told = np.array(list(tell(BLUEBOAT, Cruise('lanes', drag=drag), Water(), 1800.0, 7)))
    time, yaw, u, v = told.T[:4]
    rate = np.gradient(np.unwrap(yaw), time)
    motion = np.column_stack([np.zeros((time.size, 2)), yaw, u, v, rate])
    series = {'wind_x': told[:, 6], 'wind_y': told[:, 7], 'electrical_power': told[:, 8], **known}
    return analysed_log(log_of(time, motion, **series), BOAT, OPTIONS)


@pytest.fixture(scope='module')
def fouled():
    return analysed(lambda time: 1.25 if time > ONSET else 1.0)


def test_the_stretch_of_more_drag_is_found_and_warned_of(fouled):
    hull = hull_along_log(fouled)
    assert hull.report.state is HullState.MORE_DRAG
    assert hull.report.drag_ratio_lower < 1.25 < hull.report.drag_ratio_upper
    begin = next(span.begin for span in hull.spans if span.report.state is HullState.MORE_DRAG)
    assert ONSET < begin < ONSET + 400.0
    assert hull.more_drag_duration == pytest.approx(1800.0 - begin, abs=120.0)
    report = log_report(fouled)
    note, = (note for note in report.notes if note.code == 'hull_more_drag')
    assert 'weed or fouling' in note.text and f'from {begin:.0f} to' in note.text
    assert 'hull and propellers: drag' in log_text(report)
    figures = report_figures(report)['hull']
    assert figures['state'] == 'MORE_DRAG' and figures['drag_ratio'] == hull.report.drag_ratio
    json.dumps(figures, allow_nan=False)


def test_the_joined_stretches_of_a_long_log_find_the_same(fouled, monkeypatch):
    every = hull_along_log(fouled)
    monkeypatch.setattr(hull_health, 'MOST_BLOCKS', 50)
    some = hull_along_log(fouled)
    assert some.report.state is HullState.MORE_DRAG
    assert some.report.drag_ratio == pytest.approx(every.report.drag_ratio, abs=0.03)
    begins = [next(span.begin for span in one.spans if span.report.state is HullState.MORE_DRAG)
              for one in (every, some)]
    assert abs(begins[1] - begins[0]) < 300.0


def test_a_clean_hull_is_warned_of_nothing():
    report = log_report(analysed(lambda time: 1.0))
    assert not [note for note in report.notes if note.code == 'hull_more_drag']
    assert report.hull.report.drag_ratio_lower < 1.0 < report.hull.report.drag_ratio_upper
    assert report.hull.more_drag_duration == 0.0


def test_without_measured_power_nothing_is_said(fouled):
    report = log_report(analysed(lambda time: 1.0, electrical_power=np.full(3600, np.nan)))
    assert report.hull is None and hull_figures(report.hull) is None
    assert report_figures(report)['hull'] is None


def test_a_power_that_no_drag_explains_is_refused_with_its_file_and_value(tmp_path):
    """Millivolts and milliamperes of a battery that were written as volts and amperes over 1000."""
    path = tmp_path / 'a.csv'
    path.write_text('time,x,y,volts [V],amperes [A]\n' + ''.join(
        f'{k},{k},0,{0.0126 - 1e-6 * k},{0.02 + 0.001 * (k % 3)}\n' for k in range(121)))
    with pytest.raises(InputError, match=r'a\.csv: the measured power .*volts times amperes.* is 0\.0002.* W at .*mV'):
        log_report(analysed_log(read_log(path), read_boat('lutra_prop')))
