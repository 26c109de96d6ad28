from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import log_report, measured_power, report_figures
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.report_page import report_html


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


TIME = straight().time
WATTS = 20.0 + 0.5 * np.sin(TIME)


def codes(report):
    return {note.code: note.figures for note in report.notes}


def test_energy_that_was_measured_part_of_the_time_says_which_and_adds_nothing():
    """Known in 10 of 20 s."""
    log = replace(straight(), electrical_power=np.where(TIME % 4.0 < 2.0, WATTS, np.nan))
    report = log_report(analysed_log(log, BOAT))
    duration = report.measured.duration
    assert duration == pytest.approx(5.0 * 1.95, abs=0.051), 'the first step has no power of the model'
    assert report.measured.measured_energy == pytest.approx(20.0 * duration, rel=0.02)
    assert codes(report)['measured_partly'] == {'share': pytest.approx(duration / 19.95),
                                                'duration_s': pytest.approx(duration)}
    assert f' in the {100.0 * duration / 19.95:.1f} % of the time that was measured (9.7 s); model' in log_text(report)
    figures = report_figures(report)['measured']
    assert figures['share_of_time'] == pytest.approx(duration / 19.95)
    assert figures['charged_energy_j'] == 0.0
    assert figures['drawn_energy_j'] == pytest.approx(figures['measured_energy_j'])
    whole = log_report(analysed_log(replace(log, electrical_power=WATTS), BOAT))
    assert 'measured_partly' not in codes(whole) and 'of the time' not in log_text(whole).split('How far')[0]


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_battery_that_was_charged_meanwhile_is_told_net_and_not_compared(sign):
    """Charged half of the time, by more or by less than what is drawn."""
    log = replace(straight(), electrical_power=np.where(TIME % 8.0 < 4.0, 60.0, -40.0) * sign)
    report = log_report(analysed_log(log, BOAT))
    measured, found = report.measured, codes(report)
    assert measured.measured_energy == pytest.approx(measured.drawn - measured.charged)
    assert found['battery_charged'] == {'charged_j': measured.charged, 'drawn_j': measured.drawn}
    assert min(measured.charged, measured.drawn) > 300.0
    assert report.hull is None and 'measured_nothing' not in found
    line = next(line for line in log_text(report).splitlines() if line.startswith('measured electrical energy'))
    assert ' net: ' in line and ' drawn, ' in line and line.endswith(' charged')
    assert f' net: {measured.drawn:.1f} J' in report_html(report)


def test_noise_about_nought_is_no_charging():
    """Of 30 W at 20 Hz about what the boat takes."""
    noise = np.random.default_rng(3).normal(0.0, 30.0, TIME.size)
    report = log_report(analysed_log(replace(straight(), electrical_power=WATTS + noise), BOAT))
    assert 'battery_charged' not in codes(report)
    assert report.measured.measured_energy == pytest.approx(float((WATTS + noise).mean() * 19.95), rel=0.02)


@pytest.mark.parametrize('mean', [0.5, 6.0, 40.0])
def test_noise_about_zero_charges_no_battery(mean, rng):
    """3 A of noise at 12 V, at 10 Hz: the means over 0.5 s have 16 W, and half of them are below a small mean."""
    log = straight(2000, period=0.1)
    noisy = replace(log, electrical_power=mean + 36.0 * rng.standard_normal(2000))
    measured = measured_power(analysed_log(noisy, BOAT))
    assert measured.charged == 0.0 and not measured.is_charged
    assert measured.drawn == pytest.approx(measured.measured_energy, rel=1e-9)
    assert measured.noise == pytest.approx(36.0 * 0.1 * 2000.0 ** 0.5, rel=0.15)
    said = codes(log_report(analysed_log(noisy, BOAT)))
    assert ('measured_nothing' in said) == (mean < 1.0), 'a mean of 0.5 W is less than two deviations of the noise'


def test_a_battery_that_is_charged_for_a_while_is_so_in_noise_too(rng):
    """60 W drawn for 100 s, then 60 W charged, each with 36 W of noise."""
    log = straight(2000, period=0.1)
    power = np.where(np.arange(2000) < 1000, 60.0, -60.0) + 36.0 * rng.standard_normal(2000)
    measured = measured_power(analysed_log(replace(log, electrical_power=power), BOAT))
    assert measured.is_charged and measured.charged == pytest.approx(6000.0, rel=0.05)
