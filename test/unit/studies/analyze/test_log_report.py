
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.logs.log import Log
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_report import (
    LogReport,
    _against_live,
    _completeness,
    _live_energy,
    log_report,
    measured_power,
    report_figures,
    thruster_energy,
)
from usv_energy.studies.analyze.log_text import log_text
from usv_energy.studies.analyze.report_page import report_html

NO_FLOW = AnalysisOptions(motion='recorded', find_flow=False)


def test_a_side_force_that_no_thruster_gives_is_said_with_its_share():
    """A boat that slips sideways at 0.3 m/s all the way: d22 v^2 of 16.3 + ... W that is no propulsion."""
    slipping = log_report(analysed_log(straight(v=np.full(400, 0.3)), BOAT, AnalysisOptions(motion='recorded')))
    note, = (note for note in slipping.notes if note.code == 'side_force')
    assert slipping.side_force_share == note.figures['relative'] < 0.0
    assert note.text.startswith(f'{-100.0 * slipping.side_force_share:.0f} % of the thrust energy is a side force')
    given = slipping.analysed.energy.thrust + slipping.analysed.energy.unrecovered
    assert slipping.side_force_share * given == pytest.approx(slipping.analysed.energy.side_force)
    assert -slipping.analysed.energy.side_force == pytest.approx(10.193 * 0.09 * 19.95, rel=0.02), 'less the wind\'s'
    ahead = log_report(analysed_log(straight(), BOAT))
    assert ahead.side_force_share == pytest.approx(0.0, abs=1e-12)
    assert all(note.code != 'side_force' for note in ahead.notes)
    thesis = log_report(analysed_log(straight(v=np.full(400, 0.3)), BOAT, AnalysisOptions('as_published', 'recorded')))
    assert thesis.side_force_share == 0.0, 'it bills a side force as propulsion'


@pytest.mark.parametrize('off', [-20.0, 20.0])
def test_a_heading_that_is_off_on_all_courses_is_named(off):
    """There and back in still water with a compass that reads too much, or in a current that nobody tells."""
    time, turned = 0.1 * np.arange(1200), math.radians(off)
    yaw, back = np.where(time < 60.0, 0.3, 0.3 + math.pi), np.where(time < 60.0, time, 120.0 - time)
    places = {'x': back * math.cos(0.3), 'y': back * math.sin(0.3)}
    compass = straight(1200, period=0.1, yaw=yaw + turned, u=np.full(1200, math.cos(turned)),
                       v=np.full(1200, -math.sin(turned)), **places)
    text, = (note for note in log_report(analysed_log(compass, BOAT, NO_FLOW)).notes if note.code == 'side_force')
    assert f'20 deg to {"starboard" if off > 0.0 else "port"}' in text.text and 'the heading is off' in text.text
    assert text.figures['heading_off_deg'] == pytest.approx(-off, abs=0.1)
    sway = 0.3 * np.where(time < 60.0, 1.0, -1.0)
    current = straight(1200, period=0.1, yaw=yaw, v=sway, **places)
    text, = (note for note in log_report(analysed_log(current, BOAT, NO_FLOW)).notes if note.code == 'side_force')
    assert 'look at heading, current, wind or sway drag' in text.text


def report_of(**parts):
    """Return a report of nothing but what is given."""
    return LogReport(**{**dict.fromkeys(LogReport._fields), **parts})


def recorded(**extra):
    """Return five samples of a log, the fourth 2 s after the third, with more series."""
    time = np.array([0.0, 0.5, 1.0, 3.0, 4.0])
    return Log('five', Path('five'), time, max_gap=1.0, extra={name: np.array(one) for name, one in extra.items()})


def test_measured_power_is_that_of_steps_with_both_and_its_line_that_of_least_squares():
    """Steps of 0.5, 0.5 and 1 s; the model's energy by the later sample of each, the measured one by trapezoids."""
    log = replace(recorded(), electrical_power=np.array([4.0, 7.0, 5.0, 10.0, 8.0]))
    model = np.array([5.0, 6.0, 7.0, 9.0, 12.0])
    found = measured_power(SimpleNamespace(log=log, power=SimpleNamespace(total=model),
                                           energy=SimpleNamespace(duration=2.0)))
    assert (found.samples, found.duration) == (5, 2.0)
    assert found.model_energy == pytest.approx(0.5 * 6.0 + 0.5 * 7.0 + 12.0)
    assert found.measured_energy == pytest.approx(0.5 * 5.5 + 0.5 * 6.0 + 9.0)
    assert found.energy_error == pytest.approx(18.5 / 14.75 - 1.0)
    off = model - log.electrical_power
    assert (found.mean_error, found.rms_error) == pytest.approx((off.mean(), np.sqrt((off ** 2).mean())))
    assert found.r2 == pytest.approx(1.0 - (off ** 2).sum() / ((log.electrical_power - 6.8) ** 2).sum())
    assert (found.slope, found.offset) == pytest.approx(np.polyfit(model, log.electrical_power, 1))
    for some, samples in (([0, 1], 2), ([2], None)):
        known = np.where(np.isin(np.arange(5), some), model, np.nan)
        fewer = measured_power(SimpleNamespace(log=log, power=SimpleNamespace(total=known),
                                               energy=SimpleNamespace(duration=2.0)))
        assert (fewer and fewer.samples) == samples
    flat = measured_power(SimpleNamespace(log=log, power=SimpleNamespace(total=np.full(5, 3.0)),
                                          energy=SimpleNamespace(duration=2.0)))
    assert np.isnan(flat.slope) and np.isfinite(flat.r2)
    steady = measured_power(SimpleNamespace(log=replace(log, electrical_power=np.full(5, 2.0)),
                                            power=SimpleNamespace(total=model), energy=SimpleNamespace(duration=2.0)))
    assert np.isnan(steady.r2) and steady.slope == pytest.approx(0.0)


@pytest.mark.parametrize(('energy', 'live', 'same'), [
    ([np.nan, 2.0, 5.0, np.nan, 9.0], 7.0, 30.0), ([np.nan] * 4 + [3.0], np.nan, np.nan), (None, np.nan, np.nan),
    ([1.0, 2.0, 2.0, 5.0, 4.9], np.nan, np.nan), ([1.0, 2.0, 2.0, 5.0, 5.0], 4.0, 40.0)])
def test_energy_recorded_live_is_compared_over_its_own_samples_while_it_does_not_fall(energy, live, same):
    log = recorded() if energy is None else recorded(energy_j=energy)
    analysed = SimpleNamespace(log=log, integral=SimpleNamespace(so_far=lambda: 10.0 * np.arange(5.0)))
    assert _live_energy(analysed) == pytest.approx((live, same), nan_ok=True)


@pytest.mark.parametrize(('share', 'gaps', 'codes'), [(0.98, 0, []), (0.979, 0, ['partly_integrated']),
                                                     (0.9, 2, ['gaps']), (1.0, 1, ['gaps'])])
def test_time_that_is_not_in_the_energy_is_said(share, gaps, codes):
    energy = SimpleNamespace(gaps=gaps, gap_duration=1.5, duration=4.0 * share)
    notes = _completeness(SimpleNamespace(energy=energy, log=recorded(), crossed=(), early={}))
    assert [note.code for note in notes] == codes
    if gaps:
        assert notes[0].text.startswith('1 hole longer' if gaps == 1 else '2 holes longer')
        assert notes[0].figures == {'gaps': gaps}
    elif codes:
        assert notes[0].figures == {'share': pytest.approx(share)} and '97.9 %' in notes[0].text


def test_shares_of_a_report_are_of_what_they_say():
    energy = SimpleNamespace(duration=3.0, thrust=40.0, unrecovered=5.0, losses=15.0, allocation=6.0)
    integral = SimpleNamespace(ends=np.array([1, 2]), durations=np.array([0.5, 2.0]))
    analysed = SimpleNamespace(log=recorded(), energy=energy, integral=integral, given=np.array([9.0, 4.0, 10.0]),
                               by_thrusts=True, estimated=(0.0, 0.0), actuators=None)
    report = report_of(analysed=analysed, live_energy=50.0, same_samples_energy=52.0, thruster_energy=20.0)
    assert report.integrated_share == pytest.approx(0.75) and report.live_relative == pytest.approx(0.04)
    assert report.closure_relative == pytest.approx((2.0 + 20.0) / 20.0 - 1.0)
    assert report.allocation_share == pytest.approx(0.1)
    blind = SimpleNamespace(**{**vars(analysed), 'by_thrusts': False})
    assert np.isnan(report._replace(analysed=blind).allocation_share)
    none = SimpleNamespace(**{**vars(analysed), 'energy': SimpleNamespace(
        **{**vars(energy), 'thrust': -20.0})})
    assert np.isnan(report._replace(analysed=none).allocation_share)


@pytest.mark.parametrize(('same', 'convention', 'said'), [(100.11, 'rep103', True), (99.89, 'rep103', True),
                                                         (100.09, 'rep103', False), (120.0, 'as_published', False),
                                                         (np.nan, 'rep103', False)])
def test_a_thousandth_off_the_energy_recorded_live_is_said(same, convention, said):
    analysed, holed = (SimpleNamespace(options=SimpleNamespace(convention=convention), waves=None,
                                       log=SimpleNamespace(gaps=gaps)) for gaps in ((), ((1.0, 7.0),)))
    notes = _against_live(analysed, 100.0, same)
    assert [note.code for note in notes] == ['differs_from_live'] * said
    if said:
        assert notes[0].figures == {'relative': pytest.approx(same / 100.0 - 1.0)}
        assert f'({same - 100.0:+.2f} %)' in notes[0].text
        missing = [len(_against_live(one, 100.0, same)[0].text.split('missing')) for one in (analysed, holed)]
        assert missing == [1, 2], 'holes are a reason where there are some'
    analysed.waves = ...  # What was recorded live knew of none.
    assert _against_live(analysed, 100.0, same) == []


def test_work_of_thrusters_that_the_log_recorded_is_from_first_to_last(monkeypatch):
    monkeypatch.setattr('usv_energy.studies.analyze.log_report.thruster_power', lambda analysed: analysed.power)
    log = recorded(thruster_energy_j=[np.nan, 3.0, 8.0, np.nan, 10.0])
    assert thruster_energy(SimpleNamespace(power=None, log=log)) == 7.0
    assert np.isnan(thruster_energy(SimpleNamespace(power=None, log=recorded(thruster_energy_j=[3.0] + [np.nan] * 4))))
    assert np.isnan(thruster_energy(SimpleNamespace(power=None, log=recorded())))
    power = np.array([2.0, 4.0, 6.0, 1.0, 3.0])
    assert thruster_energy(SimpleNamespace(power=power, log=recorded())) == pytest.approx(1.5 + 2.5 + 2.0)


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
