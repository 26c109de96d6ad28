"""The energy of a log is a figure only where at least half of its time is in it."""

from dataclasses import replace

import numpy as np
import pytest
from analyze_files import BOAT, straight

from usv_energy.files.errors import InputError
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.log_report import integrated


def with_holes(times):
    """Return a log that goes straight, with samples at some times only."""
    log = straight(number=len(times))
    return replace(log, time=times, x=np.array(times), y=0.0 * times, max_gap=np.nan)


def test_more_than_half_is_a_figure_and_less_is_an_error_that_says_how_much_and_why():
    minute = np.arange(0.0, 60.0, 0.05)
    enough = analysed_log(with_holes(np.concatenate([minute, 119.0 + minute])), BOAT)
    assert integrated(enough) is enough
    little = analysed_log(with_holes(np.concatenate([minute, 181.0 + minute])), BOAT)
    with pytest.raises(InputError, match=r'straight: only 119\.\d of 240\.9 s \(49\.[78] %\) could be integrated.*'
                       r'121\.\d s lie in 1 hole between samples, longer than 1 s \(the samples are 0\.05 s apart as a '
                       r'rule, the longest hole is 121\.\d s\).*What to do: say --max-gap'):
        integrated(little)


def test_a_log_whose_velocity_is_rarely_known_is_an_error_that_says_so():
    log = straight(number=400)
    known = np.where(np.arange(400) < 100, 1.0, np.nan)
    with pytest.raises(InputError, match=r'30[01] of 400 samples have no power.*see which columns'):
        integrated(analysed_log(replace(log, u=known), BOAT))


def test_a_current_that_is_known_at_the_end_alone_is_to_be_said():
    log = straight(number=400)
    late = np.where(np.arange(400) < 390, np.nan, 0.1)
    with pytest.raises(InputError, match=r'current or wind is not known. What to do: say them \(--current, --wind\)'):
        integrated(analysed_log(replace(log, current_x=late, current_y=late), BOAT))


def test_a_log_of_one_sample_has_no_time_to_lose():
    one = analysed_log(straight(number=1), BOAT)
    assert integrated(one) is one
