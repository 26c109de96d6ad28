"""The chart has the series as they are, in the units that were chosen, and one cursor through all of its panes."""

import json

import pytest
from analyze_files import BOAT, straight

from usv_energy.boats.outfit import battery_label, with_battery
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_series import energy_over_distance, log_series
from usv_energy.web.look_back_chart import cursor_options, distance_chart, log_chart, time_unit


@pytest.mark.parametrize(('duration', 'unit'), [(60.0, (1.0, 's')), (3600.0, (60.0, 'min')), (1e5, (3600.0, 'h'))])
def test_the_time_has_a_unit_that_fits(duration, unit):
    assert time_unit(duration) == unit


def test_points_are_those_of_the_series_in_the_chosen_units():
    boat = with_battery(BOAT, battery_label('20 Wh', 'battery'))
    analysed = analysed_log(straight(), boat)
    series = log_series(analysed)
    options = log_chart(series, (60.0, 'min'), True)
    json.dumps(options, allow_nan=False)
    lines = {one['id']: one for one in options['series']}
    assert lines['0-total']['data'] == [[time / 60.0, power] for time, power in zip(
        series['total']['time_s'], series['total']['power_w'])]
    assert lines['1-charge']['data'][0][1] == 100.0
    assert [f'0-{cause["name"]}' in lines for cause in series['causes']] == [True] * len(series['causes'])
    knots, metres = (log_chart({**series, 'wind': {'time_s': [0.0], 'speed_m_s': [1852.0 / 3600.0]}},
                                   (1.0, 's'), choice)['yAxis'][2]['name'] for choice in (True, False))
    assert 'kn' in knots and 'm/s' in metres
    cursor = cursor_options(90.0, 60.0)['series']
    assert {one['id'] for one in cursor} == {name for name in lines if name.startswith('cursor')}
    assert all(one['markLine']['data'] == [{'xAxis': 1.5}] for one in cursor)
    pair = [('one', energy_over_distance(analysed)), ('two', energy_over_distance(analysed))]
    drawn = distance_chart(pair)['series']
    assert drawn[0]['data'][-1][1] == pytest.approx(analysed.energy.total)
    assert drawn[0]['lineStyle']['type'] != drawn[1]['lineStyle']['type']
