"""Departures in seconds and as moments, in the time of flows that say dates or none."""

from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import check_covered, departure_times, departure_window, flow_seconds, on_one_clock
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.placement import FlowClock, Transform

START = datetime(2026, 6, 1, 6, tzinfo=timezone.utc)
STILL = UniformFlow()


def dated(start=START, begins=0.0, steps=3, name='tide', suffix='yaml'):
    """Return a flow of hourly steps whose first is at `start`; the world begins `begins` s into it; `nc`: of data."""
    source = SimpleNamespace(times=3600.0 * np.arange(steps), start=start)
    return FlowFile(name, name, Path(f'{name}.{suffix}'), 'water', source, Transform(),
                    FlowClock('end' if suffix == 'nc' else 'hold', 0.0, 3600.0 * (steps - 1), begins))


def times(text, *flows):
    return departure_times(departure_window(text, '--depart'), flows, '--depart')


def test_seconds_are_the_flows_own():
    assert times('120', STILL) == ((120.0,), None)
    assert times('0,3600,1200', STILL).seconds == (0.0, 1200.0, 2400.0, 3600.0)
    assert len(times('0,3600', STILL).seconds) == 25
    assert times('0,1h, 20 min', STILL) == times('0,60min,1200', STILL) == times('0 s,3600,1200', STILL)


def test_a_moment_is_seconds_since_the_first_of_the_file():
    found = times('2026-06-01T09:00+02:00', dated(), STILL)
    assert found.seconds == (3600.0,)
    assert found.zero == START and found.zero.utcoffset() == timedelta(hours=2.0), 'shown in the zone that was given'
    assert times('2026-06-01T07:00Z', dated(begins=1800.0)).seconds == (1800.0,)
    assert times('2026-06-01T07:00Z', dated(START.replace(tzinfo=None))).seconds == (3600.0,), 'without a zone: UTC'


def test_a_window_of_moments_has_a_step_with_a_unit():
    found = times('2026-06-01T06:00Z,2026-06-01T08:00Z,30min', dated())
    assert found.seconds == (0.0, 1800.0, 3600.0, 5400.0, 7200.0)
    assert times('2026-06-01T06:00Z,2026-06-01T08:00Z,1h', dated()).seconds == (0.0, 3600.0, 7200.0)


def test_where_nothing_changes_a_moment_is_when_it_begins():
    found = times('2026-06-01T09:00+02:00', STILL, dated(None, steps=1))
    assert found.seconds == (0.0,) and found.zero == datetime(2026, 6, 1, 7, tzinfo=timezone.utc)


@pytest.mark.parametrize(('text', 'flows', 'reason'), [
    ('2026-06-01T09:00+02:00', (dated(None),), 'says no dates'),
    ('2026-06-01T09:00+02:00', (dated(), dated(START + timedelta(hours=1), name='wind')), 'two readings'),
    ('2026-06-01T05:00Z', (dated(),), 'begin at'), ('2026-06-01T09:00', (), 'no zone'),
    ('2026-06-01T09:00Z,2026-06-01T08:00Z', (), 'end after'), ('3600,0', (), 'end after'),
    ('2026-06-01T09:00Z,3600', (), 'two moments'), ('0,3600,0', (), 'step'), ('0,1e6,1', (), 'at most 2000'),
    ('-1', (), 'from 0 on'), ('soon', (), 'must be S'), ('h', (), 'must be S'), ('6 weeks', (), 'must be S'),
    ('-1h', (), 'from 0 on'), ('0,1,2,3', (), 'must be S')])
def test_what_is_no_departure_is_refused(text, flows, reason):
    with pytest.raises(InputError, match=f'^--depart is .*{reason}'):
        times(text, *flows)


def test_an_arrival_is_seconds_or_a_moment_after_the_flows_time_0():
    assert flow_seconds('5400', None, '--arrive-by') == 5400.0
    assert flow_seconds('2026-06-01T09:30+02:00', START, '--arrive-by') == 5400.0
    with pytest.raises(InputError, match='no flow says dates'):
        flow_seconds('2026-06-01T09:30+02:00', None, '--arrive-by')
    with pytest.raises(InputError, match='must be S'):
        flow_seconds('noon', START, '--arrive-by')


def test_files_of_data_have_one_time_0_the_latest_of_their_first_times():
    tide, wind = dated(suffix='nc'), dated(START + timedelta(hours=1), name='wind', suffix='nc')
    tide, still, wind = on_one_clock((tide, STILL, wind), '2026-06-01T07:30Z', '--depart')
    assert still is STILL and tide.zero == wind.zero == START + timedelta(hours=1)
    assert (tide.clock.time(0.0), wind.clock.time(0.0)) == (3600.0, 0.0)
    assert times('2026-06-01T07:30Z', tide, wind).seconds == (1800.0,)
    with pytest.raises(InputError, match='begin at 2026-06-01 07:00 UTC, after that'):
        times('2026-06-01T06:30Z', tide, wind)


def test_a_file_of_data_takes_the_time_0_of_a_flow_file():
    tide, wind = on_one_clock((dated(begins=1800.0), dated(START - timedelta(hours=1), name='wind', suffix='nc')),
                              '0', '--depart')
    assert tide.zero == wind.zero == START + timedelta(minutes=30) and wind.clock.time(0.0) == 5400.0


@pytest.mark.parametrize(('flows', 'text', 'reason'), [
    ((dated(suffix='nc'),), None, r'tide.nc: holds from 2026-06-01 06:00 UTC to .*08:00 UTC.* give --depart 2026-'),
    ((dated(suffix='nc'), dated(None, name='wind')), '0', 'wind.yaml: says no dates, and tide.nc does'),
    ((dated(suffix='nc'), dated(START + timedelta(hours=9), name='wind', suffix='nc')), '0', 'begin at .*15:00 UTC')])
def test_a_clock_that_is_not_known_is_asked_for(flows, text, reason):
    with pytest.raises(InputError, match=reason):
        on_one_clock(flows, text, '--depart')


def test_a_departure_beyond_a_file_of_data_is_refused():
    flow = dated(suffix='nc')
    check_covered(times('2026-06-01T08:00Z', flow), [flow, STILL], '--depart')
    with pytest.raises(InputError, match=r'^--depart is 10800 s \(2026-06-01 09:00 UTC\); tide.nc holds from'):
        check_covered(times('2026-06-01T07:00Z,2026-06-01T09:00Z,1h', flow), [flow], '--depart')
