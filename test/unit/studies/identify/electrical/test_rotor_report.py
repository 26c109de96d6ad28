"""What a fit of rotor power says for programs and for people."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rotor_twin import rotor_twin

from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.studies.identify.electrical.electrical_reports import (
    bad_readings,
    interval_of,
    readings_table,
    rotor_summary,
    rotor_text,
    rotor_warnings,
)
from usv_energy.studies.identify.electrical.rotor_fit import (
    PowerScore,
    RotorFit,
    RotorReadings,
    RotorResult,
    RotorValidation,
    identified_rotor,
)
from usv_energy.thrusters.rotor_power import RotorLoad


@pytest.fixture(scope='module')
def result():
    rng = np.random.default_rng(5)
    pier = rotor_twin(rng, 'pier', 240)
    pier = replace(pier, u=np.array([]), v=np.array([]), r=np.array([]), places=((np.nan, np.nan),) * 2)
    return identified_rotor([pier, rotor_twin(rng, 'way', 240)], [rotor_twin(rng, 'other', 120)], True)


def test_figures_are_those_of_the_fit(result):
    found = rotor_summary(result)
    assert found['numbers']['astern']['value'] == result.fit.load.astern
    assert found['leave_one_out'][1]['measured_wh'] * 3600.0 == pytest.approx(result.left_out['way'].score.measured)
    low, high = interval_of(result.fit, 'ahead')
    assert 0.5 * (low + high) == pytest.approx(result.fit.load.ahead)
    assert interval_of(result.fit._replace(error=result.fit.load), 'ahead')[0] == 0.0


def test_what_the_logs_do_not_hold_is_said(result):
    warnings = rotor_warnings(result)
    assert any(text.startswith('pier: no motion is known; the inflow') for text in warnings)
    assert any(text.startswith('pier: the places of bow, stern are not known') for text in warnings)
    assert not any('angles' in text for text in warnings)
    lost = result.logs[1]
    lost = replace(lost, angle=np.column_stack([lost.angle[:, 0], np.full(len(lost), np.nan)]))
    assert any(text == 'way: the angles of stern are not known; they are taken to push ahead.'
               for text in rotor_warnings(result._replace(logs=(lost,))))


def test_the_text_has_a_row_for_each_number_log_and_meter(result):
    text = rotor_text(result)
    lines = text.splitlines()
    assert all(any(line.startswith(name) for line in lines) for name in result.fit.load._fields)
    row = next(line for line in lines if line.startswith('way'))
    assert f'{100.0 * result.left_out["way"].score.energy:+.1f}' in row
    assert f'{result.left_out["way"].score.r2:.3f}' in row
    assert all(len(line) <= 120 for line in lines if not line.startswith('pier'))


def made(error, left_out=(5, 6)):
    """Return a result that nothing was fitted for: two logs of one meter, at rest but for what they draw there."""
    load = RotorLoad(2.0, 1.0, 0.5, 0.25, 0.125, 40.0)
    rest = np.zeros((2, 1))
    parts = tuple((RotorReadings('bow', np.array([1.5, 2.5]), np.array([44.0, 36.0]), np.array([1.0, 0.5]), rest,
                                 rest + 1.0, rest, rest, rest, rest, lost),) for lost in left_out)
    score = PowerScore(0.5, 4.0, 7200.0, 9000.0, 2)
    fit = RotorFit(load, error)
    unseen = fit._replace(load=load._replace(standby=41.0))
    told = RotorValidation(unseen, score, 0.25, {'bow': score})
    notes = (Note(WARNING, 'bad', 'two readings are off', {}), Note(INFO, 'fine', 'all else is well', {}))
    logs = tuple(Log(name, Path(name), np.array([0.0, 1.0]), u=np.zeros(2), notes=notes) for name in ('a', 'b'))
    return RotorResult(('a',), parts[:1], fit, score, {}, {'b': told}, {'b': parts[1:][0]}, logs)


SURE = RotorLoad(0.1, 0.05, 0.025, 0.0125, 0.00625, 2.0)  # A twentieth of each number.


def test_the_summary_has_each_number_with_its_interval_and_energies_in_watt_hours():
    """7200 and 9000 J are 2 and 2.5 Wh; 1.96 standard errors of a twentieth are 9.8 % to either side."""
    found = rotor_summary(made(SURE))
    for name, value in made(SURE).fit.load._asdict().items():
        number = found['numbers'][name]
        assert (number['value'], number['std']) == (value, pytest.approx(value / 20.0))
        assert (number['low'], number['high']) == pytest.approx((0.902 * value, 1.098 * value), rel=1e-3)
    assert (found['fit']['measured_wh'], found['fit']['predicted_wh']) == (2.0, 2.5)
    one, = found['validation']
    assert (one['log'], one['readings_left_out']) == ('b', 6)
    assert one['energy_relative'] == one['energy_relative_std'] == 0.25
    assert one['meters'][0]['meter'] == 'bow' and found['leave_one_out'] == []


def test_a_number_is_not_found_where_two_errors_reach_0_and_a_tenth_of_the_readings_may_lack():
    """Of 20 and of 23 readings 2 and 3 have no revolutions: a tenth, and more than that."""
    assert not [text for text in rotor_warnings(made(SURE, (0, 0))) if 'no motion' not in text]
    wide = SURE._replace(astern=0.51, friction=0.062)
    found = rotor_warnings(made(wide, (0, 0)))
    assert [text.partition(' ')[0] for text in found if 'cannot be told' in text] == ['astern']
    assert 'astern (the same astern) cannot be told from these logs: 1 W s^3 with a standard error of 0.51.' in found
    result = made(SURE)
    more = tuple(tuple(part._replace(time=np.zeros(n), left_out=lost) for part in parts)
                 for parts, n, lost in ((result.readings[0], 18, 2), (result.others['b'], 20, 3)))
    found = rotor_warnings(result._replace(readings=more[:1], others={'b': more[1]}))
    assert [text for text in found if 'left out' in text] == [
        'b: 3 of 23 readings of power have no revolutions near enough in time and are left out.']


def test_the_table_has_a_row_for_each_reading_predicted_by_a_fit_that_has_not_seen_it():
    assert readings_table(made(SURE)) == '\n'.join([
        'log,meter,time_s,span_s,measured_w,predicted_w', 'a,bow,1.500,1.000,44.000,40.000',
        'a,bow,2.500,0.500,36.000,40.000', 'b,bow,1.500,1.000,44.000,41.000', 'b,bow,2.500,0.500,36.000,41.000', ''])
    assert bad_readings(made(SURE)) == ['a: two readings are off', 'b: two readings are off']
    assert math.isnan(interval_of(made(SURE._replace(ahead=math.nan)).fit, 'ahead')[0])
