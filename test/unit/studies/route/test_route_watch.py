"""When a route is planned anew: off it, late on it, or in other water than it was planned in."""

import math

import numpy as np
import pytest

from usv_energy.studies.route.route_order import PlannedWay, RouteWatch, WatchLimits

# 100 m east at 1 m/s from t = 50 s, then 100 m north; the water as planned runs at 0.2 m/s to the east, then 0.4.
WAY = PlannedWay(np.array([50.0, 150.0, 250.0]), np.array([0.0, 100.0, 100.0]), np.array([0.0, 0.0, 100.0]),
                 np.zeros(3), np.array([0.2, 0.2, 0.4]), np.zeros(3), ())
LIMITS = WatchLimits(off_route=10.0, late=20.0, current=0.1, window=5.0)


def said(places, watch=None):
    watch = watch or RouteWatch(WAY, LIMITS)
    return [watch.replanning_reason(*place) for place in places]


def along(begin, end, aside=0.0, late=0.0, current=(0.2, 0.0)):
    return [(50.0 + s + late, float(s), aside, current) for s in range(begin, end)]


def test_a_boat_on_its_route_in_the_water_that_was_forecast_goes_on():
    up = [(150.0 + s, 100.0, float(s), (0.2 + 0.002 * s, 0.0)) for s in range(100)]
    assert said(along(0, 100) + up) == [''] * 200


def test_off_the_route_is_told_once_a_window_has_passed():
    told = said(along(0, 10, aside=11.0))
    assert told[:5] == [''] * 5
    assert told[5] == 'the boat is 11 m off its route'


@pytest.mark.parametrize(('late', 'words'), [(21.0, 'the boat is 21 s late'), (-21.0, 'the boat is 21 s early')])
def test_late_and_early(late, words):
    assert said(along(30, 40, late=late))[-1] == words


def test_the_difference_of_the_water_is_the_mean_over_the_window():
    watch = RouteWatch(WAY, LIMITS)
    told = said(along(0, 6, current=(0.2, 0.09)) + along(6, 20, current=(0.2, 0.15)), watch)
    assert told[6] == ''
    assert told[-1] == 'the water differs by 0.15 m/s from what the route was planned in'
    assert watch.difference == pytest.approx((0.0, 0.15))


def test_water_that_is_not_known_does_not_count():
    assert said(along(0, 30, current=(math.nan, math.nan))) == [''] * 30


def test_near_the_goal_nothing_is_planned_anew():
    assert said([(250.0 + s, 100.0, 95.0, (5.0, 0.0)) for s in range(10)]) == [''] * 10


def test_time_that_jumps_back_begins_anew():
    told = said(along(20, 30, aside=11.0) + along(0, 4, aside=11.0))
    assert told[9] and told[10:] == [''] * 4
