"""The clock of a flow file: loop, hold, end."""

import math

import numpy as np
import pytest

from usv_energy.flow.placement import MODES, FlowClock


@pytest.mark.parametrize('mode', MODES)
def test_between_the_files_times_all_modes_agree(mode):
    clock = FlowClock(mode, 0.0, 600.0, start=100.0)
    assert [clock.time(t) for t in (-100.0, 0.0, 250.5, 500.0)] == [0.0, 100.0, 350.5, 600.0]


@pytest.mark.parametrize(('t', 'expected'), [(650.0, 50.0), (1250.0, 50.0), (-50.0, 550.0), (600.0, 600.0),
                                             (1200.0, 0.0), (600.5, 0.5)])
def test_loop_starts_again(t, expected):
    """The file's last time belongs to its end; from there on it is the first again."""
    assert FlowClock('loop', 0.0, 600.0).time(t) == pytest.approx(expected, abs=1e-9)


def test_loop_never_leaves_the_file():
    """Where rounding of the remainder would: an instant before 0 is the very end of a turn."""
    clock = FlowClock('loop', 0.0, 600.0)
    assert clock.time(-1e-20) == 600.0
    assert all(0.0 <= clock.time(600.0 * n + d) <= 600.0 for n in range(-500, 500, 7) for d in (-1e-13, 0.0, 1e-13))


def test_hold_stays_at_the_ends():
    clock = FlowClock('hold', 0.0, 600.0, start=100.0)
    assert (clock.time(-1000.0), clock.time(1e9)) == (0.0, 600.0)


@pytest.mark.parametrize('t', [-100.1, 500.1, 1e9])
def test_end_ends(t):
    assert math.isnan(FlowClock('end', 0.0, 600.0, start=100.0).time(t))


@pytest.mark.parametrize('mode', MODES)
def test_a_steady_flow_is_the_same_at_all_times(mode):
    clock = FlowClock(mode, 0.0, 0.0)
    assert [clock.time(t) for t in (-5.0, 0.0, 1e9, math.nan)] == [0.0] * 4


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('t', [math.nan, math.inf, -math.inf])
def test_no_time_is_no_time(mode, t):
    assert math.isnan(FlowClock(mode, 0.0, 600.0).time(t))


@pytest.mark.parametrize('mode', MODES)
def test_many_times_are_those_of_each(mode, rng):
    t = np.concatenate((rng.uniform(-2000.0, 2000.0, 200), (-1e-20, 0.0, 500.0, 600.0, np.nan, np.inf, -np.inf)))
    for clock in (FlowClock(mode, 0.0, 600.0, 100.0), FlowClock(mode, 50.0, 50.0)):
        np.testing.assert_array_equal(clock.times(t), [clock.time(float(one)) for one in t])
