"""A sensor that never changes measures nothing; what several batteries give is added."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.assemble import Source
from usv_energy.logs.batteries import (
    RecordedBattery,
    together,
    unmeasured,
    without_dead_sensors,
    without_wrong_readings,
)
from usv_energy.logs.log import Log, Note

TIME = np.arange(0.0, 10.0, 0.1)
SOURCE = Source('a', Path('a'))
MEASURED = 2.0 + np.sin(TIME)
LOG = Log('a', Path('a'), TIME, volts=TIME + 12.0, amperes=MEASURED, electrical_power=(TIME + 12.0) * MEASURED,
          notes=(Note('info', 'power_of_volts_amperes', ''),))
ZERO = np.zeros(100)


@pytest.mark.parametrize(('values', 'what'), [
    (MEASURED, ''), (ZERO, 'is 0 all the time'), (ZERO[:2], 'is 0 all the time'), (ZERO + 3.5, 'is 3.5 all the time'),
    (ZERO[:29] + 3.5, ''), (ZERO[:30] + 3.5, 'is 3.5 all the time'), (ZERO + np.nan, 'holds no number'),
    (np.where(TIME < 5.0, np.nan, 0.0), 'is 0 all the time')])
def test_what_shows_that_nothing_was_measured(values, what):
    assert unmeasured(values) == what


@pytest.mark.parametrize(('series', 'what'), [
    ({'amperes': ZERO, 'electrical_power': ZERO}, 'its current is 0 all the time'),
    ({'amperes': ZERO - 1.0, 'electrical_power': -LOG.volts}, 'its current is -1 all the time'),
    ({'volts': ZERO, 'electrical_power': ZERO}, 'its power is 0 all the time'),
    ({'amperes': ZERO + np.nan, 'electrical_power': ZERO + np.nan}, 'its current holds no number')])
def test_a_dead_sensor_takes_volts_amperes_and_watts_with_it_and_is_named(series, what):
    log = without_dead_sensors(replace(LOG, **series))
    assert not any(log.known(name) for name in ('volts', 'amperes', 'electrical_power'))
    assert [note.code for note in log.notes] == ['sensor_dead'] and what in log.notes[0].text


def test_watts_that_were_measured_by_themselves_stay():
    log = without_dead_sensors(replace(LOG, amperes=ZERO, notes=()))
    assert log.known('electrical_power') and not log.known('amperes')


def test_a_log_whose_sensors_live_is_left_alone():
    assert without_dead_sensors(LOG) is LOG
    bare = Log('a', Path('a'), TIME)
    assert without_dead_sensors(bare) is bare


def test_batteries_of_other_clocks_are_added_and_said():
    notes = []
    seldom = np.arange(0.0, 12.0, 2.0)
    batteries = [RecordedBattery('one', TIME, ZERO + 12.0, MEASURED),
                 RecordedBattery('two', seldom, 0.0 * seldom + 10.0, seldom),
                 RecordedBattery('three', TIME, ZERO + 11.0, ZERO)]
    series = together(batteries, TIME, SOURCE, notes)
    np.testing.assert_allclose(series['amperes'], MEASURED + TIME)
    np.testing.assert_allclose(series['electrical_power'], 12.0 * MEASURED + 10.0 * TIME)
    assert [note.code for note in notes] == ['sensor_dead', 'batteries_added']
    assert notes[0].text.startswith('three: its current is 0')


def test_one_battery_is_itself_and_none_is_nothing():
    assert together([], TIME, SOURCE, []) == {}
    series = together([RecordedBattery('one', TIME, ZERO + 12.0, ZERO)], TIME, SOURCE, [])
    assert set(series) == {'volts', 'amperes'}, 'whether it measures is seen in the whole log'


@pytest.mark.parametrize(('where', 'volts', 'amperes', 'lost'), [
    (np.s_[500:502], 12.0, 6553.5, 2), (np.s_[700:], 0.0, None, 300), (np.s_[600:], 12.0, 2.5, 0),
    (np.s_[600:], 12.0, 0.1, 0), (np.s_[600:650], 12.0, 2.5, 0), (np.s_[500:600], 12.0, 90.0, 0)],
    ids=['spikes', 'volts of 0', 'steady to the end', 'at rest', 'held for a while', 'full thrust'])
def test_readings_of_a_battery_that_are_none_are_left_out_and_named(where, volts, amperes, lost):
    noise = 2.0 + 0.1 * np.random.default_rng(1).standard_normal(1000)
    current, voltage = noise.copy(), np.full(1000, 12.0)
    current[where], voltage[where] = noise[where] if amperes is None else amperes, volts
    log = Log('a', Path('a'), 0.1 * np.arange(1000), volts=voltage, amperes=current, electrical_power=voltage * current)
    found = without_wrong_readings(log)
    assert int(np.isnan(found.electrical_power).sum()) == lost
    said = [note.figures['samples'] for note in found.warnings if note.code == 'battery_readings']
    assert said == [lost] * (lost > 0)
