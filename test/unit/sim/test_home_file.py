"""What was said of the way home, written and read back: infinity and NaN included; errors name the line."""

import math

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.run_files import HomeSample, read_home, write_home

SAMPLES = [HomeSample(0.0, 'pier, old', 120.0, 200.0, 0.6, 5e5, 3e3, 4e3, 5e4, 0.1 + 0.2, math.inf, math.inf, False, 0),
        HomeSample(1.0, '', math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 5e4, math.nan, math.nan,
                   math.nan, False, 2),
        HomeSample(2.5, 'slip', 90.0, 100.0, 0.9, 4e4, math.inf, math.inf, 5e4, -math.inf, 0.0, 0.0, True, 8)]


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / 'home.csv'
    write_home(SAMPLES, path)
    trace = read_home(path)
    for name in trace._fields:
        expected = [float(getattr(one, name)) for one in SAMPLES]
        np.testing.assert_array_equal(getattr(trace, name), expected, err_msg=name)
    assert trace.is_known
    once = path.read_bytes()
    write_home(iter(SAMPLES), path)
    assert path.read_bytes() == once and once.startswith(b'time_s,home,distance_m,')
    write_home(SAMPLES[1:2], path)
    assert not read_home(path).is_known
    write_home([], path)
    assert read_home(path).time.size == 0 and not read_home(path).is_known


@pytest.mark.parametrize(('old', 'new', 'words'), [
    ('margin_j', 'marge', "line 1: has no column 'margin_j'"), ('400000', 'x', 'energy_left_j'),
    ('4000.0', 'four', "line 2: column 'energy_home_upper_j' is 'four'; must be a number")])
def test_wrong_files_are_refused(tmp_path, old, new, words):
    path = tmp_path / 'home.csv'
    write_home(SAMPLES, path)
    text = path.read_text().replace('40000.0', '400000', 1)
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=words) as error:
        read_home(path)
    assert str(path) in str(error.value)
