"""OneClock: no message of a clock that was set is lost, and strays are left out."""

import pytest

from usv_energy.ros.framework.subscriptions import OneClock
from usv_energy.ros.messages.convert import NANOSECONDS

WEEK = 7 * 86_400.0


def lost(stamps, longest=86_400.0):
    """Return the stamps, s, that are left out."""
    clock, used, left_out = OneClock(), [], []
    for number, stamp in enumerate(stamps):
        to_use, strays = clock.take(round(stamp * NANOSECONDS), number, longest)
        used += to_use
        left_out += strays
    used += clock.release()
    assert used == sorted(used)
    assert sorted(used + left_out) == list(range(len(stamps)))
    return [stamps[number] for number in left_out]


def repeated(begin, times, count=60):
    return [begin + 0.1 * (number // times) for number in range(count)]


def with_strays(stamps, every, stray=0.0):
    return [one for number, stamp in enumerate(stamps, 1)
            for one in ((stamp, stray) if number % every == 0 else (stamp,))]


@pytest.mark.parametrize(('stamps', 'longest'), [
    (repeated(1000.0, 2) + repeated(1004.5, 2), 1.0),                       # Each stamp twice, over a pause of 1.5 s.
    (2 * repeated(1000.0, 3, 300), 86_400.0),                               # A loop of a bag with three topics.
    (repeated(10.0, 3) + repeated(1.8e9, 3), 1.0),                          # The clock of a GPS driver is set.
    ([begin + 0.1 * number - late for begin in (1000.0, 1015.0) for number in range(60) for late in (0.0, 0.02)], 1.0),
    ([10.0 + 0.1 * number for number in range(40)] + [20.0 + 200.0 * number for number in range(30)], 3.0),
    (repeated(1000.0, 2) + [500.0] * 60, 1.0)])                             # A stamp that stands still.
def test_no_message_is_lost_that_follows_a_gap_or_a_set_clock(stamps, longest):
    assert lost(stamps, longest) == []


@pytest.mark.parametrize('every', [1, 2, 5, 9])
@pytest.mark.parametrize('first', [0, 1])
def test_strays_after_a_set_clock_cost_no_good_message(every, first):
    """A clock that is set a week ahead, with a stamp of zero after each fifth, or before."""
    after = with_strays(repeated(1000.0 + WEEK, 1, 400), every)
    assert set(lost([*repeated(1000.0, 1), *[0.0] * first, *after, 1040.0 + WEEK])) == {0.0}


@pytest.mark.parametrize('in_a_row', [1, 3, 9])
@pytest.mark.parametrize('ahead', [1.79e9, 3600.0, -5.0])
def test_strays_among_good_ones_are_left_out(in_a_row, ahead):
    strays = [ahead + 0.005 * number for number in range(in_a_row)]
    good = repeated(1000.0, 1)
    stamps = [one for stamp in good for one in (stamp, *(stamp + stray for stray in strays))]
    assert lost([*stamps, 1006.0], 1.0) == [stamp + stray for stamp in good for stray in strays]
