"""Times of day as seconds, with and without the zeros that a fraction lost."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.calendar_time import calendar_time

HERE = Path('a.csv')


def test_a_stamp_is_seconds_since_1970_in_utc():
    found = calendar_time(['2025/04/11 11:15:45.5', '2025-04-11T11:15:46', '2025-04-11 11:15:46.25'], HERE, 't')
    np.testing.assert_allclose(found.seconds - 1744370145.0, [0.5, 1.0, 1.25], atol=1e-6)
    assert found.mended == 0


def test_nanoseconds_without_leading_zeros_are_put_right():
    texts = ['2025/04/11 11:51:09.972332948', '2025/04/11 11:51:10.97739016', '2025/04/11 11:51:10.303128095',
             '2025/04/11 11:51:11.49365']
    found = calendar_time(texts, HERE, 't')
    np.testing.assert_allclose(found.seconds - 1744372269.0, [0.972332948, 1.097739016, 1.303128095, 2.000049365],
                               atol=1e-6)
    assert found.mended == 2


def test_a_fraction_that_never_makes_time_go_back_is_read_as_it_stands():
    found = calendar_time([f'2025/04/11 11:51:09.{part}' for part in ('5', '625', '97233294')], HERE, 't')
    np.testing.assert_allclose(np.diff(found.seconds), [0.125, 0.34733294], atol=1e-6)
    assert found.mended == 0


@pytest.mark.parametrize('text', ['11:15:45', '2025/13/11 11:15:45', '2025/04/11 11:15:45.1.2', 'soon', ''])
def test_what_is_no_time_is_named(text):
    with pytest.raises(InputError, match=r"a.csv: column 't', row 2: .* is no time; must be like '2025/04/11"):
        calendar_time(['2025/04/11 11:15:45', text], HERE, 't')


def test_of_two_readings_in_which_time_never_goes_back_the_plain_one_is_taken():
    """Nanoseconds beside a tenth: 0.5 s after 11 s, or 5 ns after it, but nothing says that zeros were lost."""
    found = calendar_time(['2025/04/11 11:51:10.100000000', '2025/04/11 11:51:11.5'], HERE, 't')
    assert found.seconds[1] - found.seconds[0] == pytest.approx(1.4, abs=1e-6)
    assert found.mended == 0
