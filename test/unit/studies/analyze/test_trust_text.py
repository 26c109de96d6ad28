from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.logs.motion.energy_interval import EnergyInterval
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.current.flow_along_log import AnalysisOptions
from usv_energy.studies.analyze.log_interval import Interval, numbers_without_std
from usv_energy.studies.analyze.log_report import log_report
from usv_energy.studies.analyze.log_text import log_text, trust_rows


@pytest.fixture
def report():
    return log_report(analysed_log(straight(), BOAT, AnalysisOptions(motion='recorded')))


def test_what_was_not_looked_for_is_not_known(report):
    noise, numbers, side, time = trust_rows(report)
    assert (noise.amount, numbers.amount) == ('not known', 'not known')
    assert '--motion recorded' in noise.advice and 'identify' in numbers.advice
    assert (side.amount, side.advice) == ('+0.0 % of the thrust', 'current, wind and sway drag fit')
    assert (time.amount, time.advice) == ('100.0 %', 'nothing to do')


@pytest.mark.parametrize(('share', 'done'), [(0.02, True), (0.2, False)])
def test_intervals_are_told_about_the_energy_and_wide_ones_ask_for_something(report, share, done):
    total = report.analysed.energy.total
    low, high = (1.0 - share) * total, (1.0 + 0.5 * share) * total
    rows = trust_rows(report._replace(interval=EnergyInterval(low, high, 1.0, 0.0, 0.0),
                                      parameters=Interval(low, high), without_std=()))
    for row in rows[:2]:
        assert row.amount == f'{-100 * share:+.1f} % to {50 * share:+.1f} % (95 %)'
        assert (row.advice == 'nothing to do') is done


def test_numbers_without_a_std_are_not_known_to_be_exact(report):
    total = report.analysed.energy.total
    row = trust_rows(report._replace(parameters=Interval(total, total),
                                     without_std=numbers_without_std(report.analysed)))[1]
    assert row.amount == '+0.0 % to +0.0 % (95 %), and more'
    assert row.advice == 'no std of damping.linear.d11: not known to be exact; usv-energy identify'


def test_an_interval_that_reaches_over_several_flows_asks_what_there_was(report):
    total = report.analysed.energy.total
    wide = EnergyInterval(0.99 * total, 1.2 * total, 1.0, 0.0, 0.0, flows=0.19 * total)
    row = trust_rows(report._replace(interval=wide))[0]
    assert row.doubt == 'noise, and a flow that nobody says' and row.amount == '-1.0 % to +20.0 % (95 %)'
    assert '--current, --wind' in row.advice


def test_a_side_force_and_holes_say_what_to_look_at():
    hole = straight(v=np.full(400, 0.3))
    hole = replace(hole, time=np.where(hole.time > 10.0, hole.time + 5.0, hole.time))
    report = log_report(analysed_log(hole, BOAT, AnalysisOptions(motion='recorded')))
    _, _, side, time = trust_rows(report)
    assert side.amount.startswith('-') and side.advice == 'look at current, wind or sway drag'
    assert float(time.amount.split()[0]) == pytest.approx(100.0 * 19.9 / 24.95, abs=0.1)
    assert '--max-gap' in time.advice
    assert 'How far to trust it' in log_text(report)
    thesis = log_report(analysed_log(straight(), BOAT, AnalysisOptions('as_published', motion='recorded')))
    assert trust_rows(thesis)[2].amount == '-'
