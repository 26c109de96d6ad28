"""Orders as they come: velocities that end, paths that are followed, kept, replaced and dropped."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL
from usv_energy.sim.control.motion_pilot import HOLDING, IDLE, PATH, STOPPED, VELOCITY, MotionPilot, PilotOptions
from usv_energy.sim.plants.plant import Plant

PERIOD = 0.05  # s
OPTIONS = PilotOptions(timeout=1.0, speed=0.8, hold=True)


class Sailed:
    """A boat that a MotionPilot drives."""

    def __init__(self, name='lutra_prop', flow=STILL, options=OPTIONS):
        boat = read_boat(name)
        self.pilot, self.options = MotionPilot(boat), options
        self.plant = Plant(boat.vessel, (0.0, 0.0, 0.0), lambda time, x, y: flow, PERIOD)
        self.track = []

    def go(self, seconds, until=(), each=None):
        """Go on for so long, or until the pilot does one of these; return where the boat is, m."""
        for _ in range(round(seconds / PERIOD)):
            if each is not None:
                each()
            state = self.plant.state
            setting = self.pilot.steer(self.plant.time, (state.x, state.y, state.yaw),
                                       self.plant.velocity_over_ground(), self.options)
            self.plant.advance(setting)
            u, v, _ = self.plant.velocity_over_ground()
            self.track.append((state.x, state.y, math.hypot(u, v)))
            if self.pilot.doing in until:
                break
        return self.plant.state.x, self.plant.state.y


def test_without_an_order_the_actuators_rest_and_a_current_takes_the_boat():
    boat = Sailed(flow=STILL._replace(current_x=0.3))
    assert boat.go(10.0) == pytest.approx((3.0, 0.0), abs=0.02)
    assert boat.pilot.doing == IDLE and boat.plant.setting.commands == (0.0, 0.0)


def test_a_velocity_holds_for_its_timeout_and_then_the_boat_stops():
    boat = Sailed()
    boat.go(0.1)
    boat.go(10.0, each=lambda: boat.pilot.order_velocity((0.8, 0.0, 0.0)))
    assert boat.track[-1][2] == pytest.approx(0.8, rel=0.02)
    last = boat.plant.time - PERIOD
    boat.go(5.0, until=(STOPPED,))
    assert boat.plant.time - PERIOD - last == pytest.approx(OPTIONS.timeout, abs=1.5 * PERIOD)
    assert boat.pilot.timed_out and boat.pilot.ordered == (0.0, 0.0, 0.0)
    boat.go(10.0)
    assert boat.track[-1][2] < 1e-3
    boat.pilot.order_velocity((0.5, 0.0, 0.0))
    assert boat.pilot.doing == VELOCITY and not boat.pilot.timed_out


def test_to_stop_after_an_ordered_zero_is_no_fault():
    boat = Sailed()
    boat.pilot.order_velocity((0.0, 0.0, 0.0))
    boat.go(3.0)
    assert boat.pilot.doing == STOPPED and not boat.pilot.timed_out


def test_an_order_from_before_the_first_odometry_counts_from_there():
    pilot = MotionPilot(read_boat('lutra_prop'))
    pilot.order_velocity((0.5, 0.0, 0.0))
    assert sum(pilot.steer(1e6, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), OPTIONS).commands) > 0.0
    assert pilot.doing == VELOCITY


def test_a_clock_that_is_set_back_does_not_hold_a_velocity_for_ever():
    pilot = MotionPilot(read_boat('lutra_prop'))
    for time, doing in ((100.0, IDLE), (100.5, VELOCITY), (0.0, VELOCITY), (0.9, VELOCITY), (1.1, STOPPED)):
        pilot.steer(time, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), OPTIONS)
        assert pilot.doing == doing, time
        if time == 100.0:
            pilot.order_velocity((0.5, 0.0, 0.0))


@pytest.mark.parametrize('name, speed, near', [
    ('lutra_prop', 0.8, 0.05), ('milliampere', 0.8, 0.05),
    ('wamv', 1.0, 2.0)])  # A force below 2 % of its 4.7 kN is not worth a turn (sim/station).
def test_a_path_is_followed_at_its_speed_and_its_end_is_kept_in_a_current(name, speed, near):
    boat = Sailed(name, STILL._replace(current_x=0.1, current_y=0.1), OPTIONS._replace(speed=speed))
    assert boat.pilot.order_path([(40.0, 0.0), (80.0, 20.0)]) == [(40.0, 0.0), (80.0, 20.0)]
    boat.go(200.0, until=(HOLDING,))
    assert boat.pilot.doing == HOLDING and boat.pilot.progress == (1, 2)
    on_first_leg = [(y, v) for x, y, v in boat.track if 25.0 < x < 32.0]
    assert max(abs(y) for y, _ in on_first_leg) < 0.2 * read_boat(name).hull.length
    assert max(abs(v - speed) for _, v in on_first_leg) < 0.02 * speed
    assert math.dist(boat.go(100.0), (80.0, 20.0)) < near
    assert boat.track[-1][2] < 0.02


def test_at_the_end_the_boat_stops_where_it_is_not_to_hold():
    boat = Sailed(options=OPTIONS._replace(hold=False))
    boat.pilot.order_path([(10.0, 0.0)])
    assert math.dist(boat.go(60.0), (10.0, 0.0)) < 1.0
    assert boat.pilot.doing == STOPPED and not boat.pilot.timed_out and boat.track[-1][2] < 1e-3
    boat.options = OPTIONS
    boat.pilot.order_path([(20.0, 0.0)])
    boat.go(60.0)
    assert boat.pilot.doing == HOLDING
    boat.options = OPTIONS._replace(hold=False)
    boat.go(1.0)
    assert boat.pilot.doing == STOPPED, 'a change of mind takes effect at once'


def test_a_path_of_one_place_is_gone_to_from_where_the_boat_is():
    boat = Sailed()
    boat.pilot.order_path([(6.0, -8.0)])
    assert math.dist(boat.go(80.0), (6.0, -8.0)) < 0.1


def test_an_empty_path_stops_the_boat():
    boat = Sailed()
    boat.pilot.order_path([(50.0, 0.0)])
    boat.go(20.0)
    assert boat.pilot.order_path([]) == [] and boat.pilot.doing == STOPPED
    boat.go(10.0)
    assert boat.track[-1][2] < 1e-3


def test_a_path_that_is_told_anew_every_second_is_driven_like_one_that_is_told_once():
    """As planners do it; the speed controller goes on with what it has learned."""
    boat, places = Sailed(), [(0.05 * k, 2.0 * math.sin(0.005 * k)) for k in range(1200)]

    def tell():
        if round(boat.plant.time / PERIOD) % 20 == 0:
            boat.pilot.order_path([place for place in places if place[0] > boat.plant.state.x])

    boat.go(40.0, each=tell)
    once = Sailed()
    once.pilot.order_path(places)
    once.go(40.0)
    for way in (boat, once):
        assert max(abs(v - 0.8) for x, _, v in way.track if x > 5.0) < 0.02
        assert max(abs(y - 2.0 * math.sin(0.1 * x)) for x, y, _ in way.track) < 1.0
    assert math.dist(boat.track[-1][:2], once.track[-1][:2]) < 0.5


def test_the_speed_may_change_on_the_way():
    boat = Sailed()
    boat.pilot.order_path([(100.0, 0.0)])
    boat.go(20.0)
    boat.options = OPTIONS._replace(speed=0.4)
    boat.go(20.0)
    assert boat.pilot.doing == PATH and boat.track[-1][2] == pytest.approx(0.4, rel=0.02)


def test_the_last_order_counts():
    boat = Sailed()
    boat.pilot.order_path([(0.0, 50.0)])
    boat.go(5.0)
    boat.pilot.order_velocity((0.5, 0.0, 0.0))
    assert boat.pilot.doing == VELOCITY and boat.pilot.progress == (0, 0)
    boat.pilot.order_path([(50.0, 0.0)])
    boat.go(0.1)
    assert boat.pilot.doing == PATH and boat.pilot.ordered == (0.0, 0.0, 0.0)


def test_places_much_closer_than_the_boat_is_long_are_one_and_the_last_stays():
    pilot = MotionPilot(read_boat('lutra_prop'))  # 1.06 m
    taken = pilot.order_path([(0.0, 0.0), (0.0, 0.0), (0.01, 0.0), (1.0, 0.0), (2.0, 0.0), (2.01, 0.0)])
    assert taken == [(0.0, 0.0), (1.0, 0.0), (2.01, 0.0)]
    assert pilot.order_path([(3.0, 3.0), (3.0, 3.0)]) == [(3.0, 3.0)]


def test_a_sailing_boat_is_refused():
    with pytest.raises(InputError, match='lutra_sail has no thruster'):
        MotionPilot(read_boat('lutra_sail'))
