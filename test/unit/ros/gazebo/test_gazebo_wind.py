"""The wind's force in Gazebo: its direction, and that the wrenches that make it add up to it."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Motion
from usv_energy.ros.gazebo.gazebo_control import LINK, MODEL, WrenchLedger, earth_wind_force

WINDAGE = read_boat('lutra_prop').vessel.windage


def moving(yaw=0.0, u=0.0, v=0.0):
    return Motion(yaw, u, v, 0.0, 0.0, 0.0, 0.0)


class ApplyLinkWrench:
    """Gazebo's system, as its source has it: wrenches act as soon as they arrive, a step clears before it applies."""

    def __init__(self):
        self.wrenches, self.clears = [], []

    def take(self, order):
        if order.force is None:
            self.clears.append(order.slot)
        else:
            self.wrenches.append(order)

    def step(self):
        self.wrenches = [order for order in self.wrenches if order.slot not in self.clears]
        self.clears = []
        return tuple(math.fsum(order.force[axis] for order in self.wrenches) for axis in range(3))


@pytest.mark.parametrize('yaw', [0.0, 0.7, math.pi / 2, -2.5, math.pi])
@pytest.mark.parametrize('toward', [0.0, 1.1, -2.0])
def test_wind_abeam_and_ahead_is_the_closed_form(yaw, toward):
    speed = 5.0
    wind = (speed * math.cos(toward), speed * math.sin(toward))
    gamma = toward - yaw
    pressure = 0.5 * WINDAGE.air_density * speed ** 2
    x = pressure * WINDAGE.frontal_area * WINDAGE.c_x * math.cos(gamma)
    y = pressure * WINDAGE.lateral_area * WINDAGE.c_y * math.sin(gamma)
    windage = WINDAGE._replace(lateral_x=0.3)
    east, north, moment = earth_wind_force(moving(yaw), wind, windage)
    assert east == pytest.approx(x * math.cos(yaw) - y * math.sin(yaw), abs=1e-12)
    assert north == pytest.approx(x * math.sin(yaw) + y * math.cos(yaw), abs=1e-12)
    assert moment == pytest.approx(0.3 * y, abs=1e-12), 'the side force, ahead of the boat\'s point'


def test_a_boat_carried_by_the_wind_feels_none():
    yaw, wind = 0.9, (3.0, -2.0)
    u, v = (wind[0] * math.cos(yaw) + wind[1] * math.sin(yaw), -wind[0] * math.sin(yaw) + wind[1] * math.cos(yaw))
    assert earth_wind_force(moving(yaw, u, v), wind, WINDAGE) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_the_sum_of_wrenches_is_the_force_when_each_is_applied_in_a_step(rng):
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    for _ in range(500):
        wanted = tuple(rng.normal(size=3))
        for order in ledger.orders(wanted):
            gazebo.take(order)
        assert gazebo.step() == pytest.approx(wanted, abs=1e-9)
        assert len(gazebo.wrenches) <= 8


def test_the_sum_is_right_however_messages_and_steps_fall_together(rng):
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    wrong, steps = 0, 0
    for _ in range(2000):
        wanted = tuple(rng.normal(size=3))
        for order in ledger.orders(wanted):
            gazebo.take(order)
            if rng.random() < 0.4:
                gazebo.step()
        for _ in range(rng.integers(0, 3)):
            steps += 1
            wrong += gazebo.step() != pytest.approx(wanted, abs=1e-9)
        assert len(gazebo.wrenches) <= 16
    assert wrong == 0 and steps > 1000


def test_a_steady_force_is_said_once_and_again_each_second():
    ledger = WrenchLedger()
    said = [len(ledger.orders((1.0, 2.0, 0.5))) for _ in range(200)]
    assert said[0] == 2 and sum(said[1:49]) == 0
    assert sum(said) == 8


def test_small_changes_add_up_to_no_error():
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    for k in range(1000):
        wanted = (3.0 + 1e-5 * k, 0.0, 0.0)
        for order in ledger.orders(wanted):
            gazebo.take(order)
        assert gazebo.step()[0] == pytest.approx(wanted[0], rel=1.1e-3)


@pytest.mark.parametrize('lost', range(40))
def test_a_lost_message_is_made_good_within_two_rounds(lost):
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    number = 0
    for k in range(200):
        wanted = (math.sin(0.1 * k), 1.0, 0.2)
        for order in ledger.orders(wanted):
            if number != lost:
                gazebo.take(order)
            number += 1
        force = gazebo.step()
    assert force == pytest.approx(wanted, abs=2e-3)


def test_a_reset_of_gazebo_is_made_good_at_once_when_it_is_known():
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    for order in ledger.orders((1.0, 1.0, 0.3)):
        gazebo.take(order)
    gazebo = ApplyLinkWrench()
    ledger.forget()
    for order in ledger.orders((1.0, 1.0, 0.3)):
        gazebo.take(order)
    assert gazebo.step() == (1.0, 1.0, 0.3)


def test_clear_takes_all_away():
    gazebo, ledger = ApplyLinkWrench(), WrenchLedger()
    for k in range(13):
        for order in ledger.orders((1.0 + k, 2.0, 0.1 * k)):
            gazebo.take(order)
        gazebo.step()
    orders = ledger.clear()
    assert {order.slot for order in orders} == {MODEL, LINK}
    for order in orders:
        gazebo.take(order)
    assert gazebo.step() == (0.0, 0.0, 0.0)
