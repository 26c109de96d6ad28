from pathlib import Path

import numpy as np
import pytest

from usv_energy.logs.log import Log
from usv_energy.studies.identify.trials.speed_power import speed_power
from usv_energy.studies.identify.trials.trial_report import speed_power_summary, speed_power_text


def outing(courses):
    """Return a log of 20 + 5 v^3 W at three speeds on courses, rad, in still water."""
    legs = [(speed, course) for speed in (1.0, 1.5, 2.0) for course in courses]
    speed, course = np.repeat(legs, 80, axis=0).T
    return Log('log', Path('log.csv'), 0.5 * np.arange(speed.size), u=speed, v=0.0 * speed, yaw=course,
               electrical_power=20.0 + 5.0 * speed ** 3)


def test_figures_have_units_and_the_law_and_a_log_of_one_course_is_warned_of():
    both = speed_power_summary(speed_power([outing((0.0, np.pi))]))
    assert (both['hotel_w'], both['factor_w'], both['exponent']) == pytest.approx((20.0, 5.0, 3.0), rel=1e-4)
    assert both['curve'][-1]['power_w'] == pytest.approx(60.0, rel=1e-4)
    assert both['logs'][0]['speed_is'] == 'through water'
    assert both['logs'][0]['power_error_of_the_others_percent'] is None
    one = speed_power([outing((0.0, 0.3))])
    assert speed_power_summary(one)['logs'][0]['speed_is'] == 'over ground'
    assert 'Go there and back' in speed_power_text(one)
    assert 'Go there and back' not in speed_power_text(speed_power([outing((0.0, np.pi))]))
