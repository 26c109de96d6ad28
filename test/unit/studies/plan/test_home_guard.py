"""The alarm of the way home and the wind that it is reckoned in, as `live` and the node `home_watch` have both."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.plan.home_guard import Alarm, HomeAnswer, HomeGuard, HomeStatus, MeanWind


def test_time_to_go_back_lasts_until_there_was_a_margin_for_some_time():
    """A margin of noise about 0 is one alarm; 2 % of the battery for 10 s end it; an unknown changes nothing."""
    guard = HomeGuard(read_boat('blueboat'), 60.0)
    share = guard.boat.battery.capacity_wh * 3600.0 / 100.0

    def is_on(now, margin):
        return guard.lasting(now, HomeAnswer(margin=margin, return_home=margin < 0.0)).return_home

    assert not is_on(0.0, share)
    assert all(is_on(1.0 + now, 1.5 * share * (-1.0) ** (now + 1)) for now in range(200))
    assert all(is_on(201.0 + now, 3.0 * share) for now in range(10)) and not is_on(211.0, 3.0 * share)
    assert is_on(212.0, -1.0) and is_on(213.0, 3.0 * share)
    unknown = HomeAnswer(status=HomeStatus.NO_STATE)
    assert guard.lasting(300.0, unknown) == unknown and not is_on(301.0, 3.0 * share)
    guard.lasting(302.0, HomeAnswer(margin=-1.0, return_home=True))
    guard.forget_alarm()
    assert not is_on(303.0, share)


def test_an_alarm_goes_on_after_a_step_back_of_time():
    alarm = Alarm()
    assert alarm.take(100.0, True) and not alarm.take(101.0, False)
    assert not alarm.take(5.0, False) and alarm.is_on
    alarm.take(16.0, False)
    assert not alarm.is_on


def test_the_mean_wind_is_of_30_s():
    wind = MeanWind()
    assert all(map(math.isnan, wind.mean))
    for number in range(100):
        wind.add(float(number), float(number), 2.0 * (-1.0) ** number)
    assert wind.mean == pytest.approx((84.0, 2.0 / 31.0 * -1.0))
    wind.add(3.0, 5.0, 6.0)
    assert wind.mean == (5.0, 6.0)
