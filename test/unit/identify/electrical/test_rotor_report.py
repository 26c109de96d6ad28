"""What a fit of rotor power says for programs and for people."""

from dataclasses import replace

import numpy as np
import pytest
from rotor_twin import rotor_twin

from usv_energy.identify.electrical.rotor_fit import identified_rotor
from usv_energy.identify.electrical.rotor_report import interval_of, rotor_summary, rotor_warnings
from usv_energy.show.text.rotor_text import rotor_text


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
