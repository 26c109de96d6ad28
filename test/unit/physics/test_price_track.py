"""Where the next search begins: a parabola through the last prices is continued exactly; nothing known is said so."""

import math

import numpy as np
import pytest
from usv_energy.physics.price_track import PriceTrack, fresh_track, no_track, track_restarted, track_with


def parabola(time):
    return 0.3 - 0.2 * time + 0.01 * time ** 2, 1.0 + time, 2.0 - 0.5 * time ** 2


@pytest.mark.parametrize('kind', [float, np.array], ids=['floats', 'arrays'])
def test_a_parabola_goes_on(kind):
    track = fresh_track(1.0, kind(0.0))
    for time in range(5):
        if time >= 3:
            np.testing.assert_allclose(track.start, parabola(time), rtol=1e-12)
        track = track_with(track, tuple(map(kind, parabola(time))))


def test_two_prices_are_a_line_and_one_stays():
    one = track_with(fresh_track(1.0, 0.0), (1.0, 2.0, 3.0))
    assert one.start == (1.0, 2.0, 3.0)
    assert track_with(one, (1.5, 1.0, 3.0)).start == (2.0, 0.0, 3.0)


def test_without_a_search_it_stays_as_it_is():
    track = PriceTrack((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0))
    assert track_with(track, (math.nan, math.nan, math.nan)) == track


def test_another_start_keeps_what_was_found():
    track = PriceTrack((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0))
    assert track_restarted(track, (0.0, 0.1, 0.2)) == track._replace(start=(0.0, 0.1, 0.2))


def test_nothing_is_known_at_first_and_nothing_of_boats_that_never_search():
    assert all(math.isnan(part) for prices in fresh_track(1.0, 0.0) for part in prices)
    assert no_track(0.0) is None
