from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report, measured_power


def test_measured_power_is_compared_with_the_model():
    log = straight()
    model = analysed_log(log, BOAT).power.total
    analysed = analysed_log(replace(log, u=1.0 + 0.3 * np.sin(np.arange(400) / 20.0)), BOAT)
    measured = measured_power(analysed_log(replace(log, electrical_power=model / 1.1), BOAT))
    assert measured.energy_error == pytest.approx(0.1, rel=1e-9)
    assert measured.mean_error == pytest.approx(model[5] * (1.0 - 1.0 / 1.1))
    shifted = analysed_log(replace(analysed.log, electrical_power=analysed.power.total + 2.0), BOAT)
    measured = measured_power(shifted)
    assert (measured.slope, measured.offset) == pytest.approx((1.0, 2.0))
    assert (measured.mean_error, measured.rms_error) == pytest.approx((-2.0, 2.0))
    assert measured_power(analysed_log(log, BOAT)) is None


def test_a_sensor_that_gives_energy_back_is_not_compared():
    log = replace(straight(), electrical_power=-0.01 + 0.001 * np.sin(np.arange(400)))
    report = log_report(analysed_log(log, BOAT))
    assert report.measured is None
    assert any('the power sensor says -0.2 J' in note.text for note in report.notes if note.code == 'measured_nothing')
