"""A flight whose body another simulator moves: here a twin of Gazebo's controller on the embedded body."""

import math

import pytest
from landings import CRAFT, SHORT, moving
from velocity_controlled import STEP, VelocityControlled

from usv_energy.air.flight import FOLLOW, LANDED, STAGES, GuidedFlight, flight_summary
from usv_energy.air.flight_control import GAINS, KINEMATICS, FlightController, Goal
from usv_energy.air.quadcopter import at_rest, in_body

PERIOD = 5  # Steps between two odometries: 0.02 s.


def guided(deck, wind=(0.0, 0.0, 0.0), duration=30.0, higher=0.0):
    """Fly from a moving deck and back; return the flight."""
    flight = GuidedFlight(FlightController(CRAFT, kind=KINEMATICS), SHORT, deck(0.0), CRAFT.battery)
    body = VelocityControlled(CRAFT, deck(0.0).place, deck(0.0).heading)
    command, rate = None, 0.0
    while flight.time < duration and flight.stage != LANDED:
        if command is None:
            body.state = at_rest(deck(flight.time).place, deck(0.0).heading)._replace(velocity=deck(0.0).velocity)
        body.go_on(command, rate, PERIOD, wind, lambda: deck(flight.time).place[2] + higher)
        time = flight.time + PERIOD * STEP
        goal = flight.guide(body.state, deck(time), wind, PERIOD * STEP)
        command = None
        if goal is not None:
            velocity, rate = flight.controller.velocity_and_turn(body.state, goal, PERIOD * STEP)
            command = in_body(body.state.turn, velocity)
    return flight


@pytest.mark.parametrize('seed', range(60, 66))
def test_it_lands_on_a_moving_deck_in_wind(seed):
    angle = 0.7 * seed
    flight = guided(moving(seed), (3.0 * math.cos(angle), 3.0 * math.sin(angle), 0.0))
    assert flight.stage == LANDED
    assert flight.touchdown.error < 0.10 and 0.2 < flight.touchdown.speed < 1.0


def test_hovering_takes_what_momentum_theory_says():
    """In still air on a deck that rests: stages in their order, and hover within 1 % of the closed form."""
    def deck(time):
        return moving(60)(0.0)._replace(velocity=(0.0, 0.0, 0.0))
    flight = guided(deck)
    flown = [stage for stage in STAGES if flight.duration[stage] > 0.0]
    assert flown[0] == 'on deck' and FOLLOW in flown and flight.stage == LANDED
    assert flight.power == pytest.approx(CRAFT.hover_power, rel=0.1)
    summary = flight_summary(flight)
    assert summary['hover_power_w'] == pytest.approx(55.5, abs=0.1)
    assert sum(summary['duration_s'].values()) == pytest.approx(flight.time, rel=1e-9)
    assert summary['landing']['error_m'] == pytest.approx(0.0, abs=0.01)


def test_the_velocity_asked_for_is_the_acceleration_of_the_own_controller():
    """braking (asked - velocity) is what `steer` accelerates by: 1.2 m off at rest, so 1.2 * 1.2 m/s are asked for."""
    state = at_rest((0.0, 0.0, 5.0), yaw=0.3)
    controller = FlightController(CRAFT, kind=KINEMATICS)
    velocity, rate = controller.velocity_and_turn(state, Goal((1.2, 0.0, 5.0), (0.0, 0.0, 0.0), 0.8), 0.0)
    assert velocity == pytest.approx((GAINS.approach * 1.2, 0.0, 0.0))
    assert rate == pytest.approx(0.5 * GAINS.yaw_frequency * 0.5)


def test_a_deck_that_is_higher_than_told_is_noticed_by_standing_on_it():
    """It sinks onto what is 2 cm above the pad that it knows, and stops there: it has landed."""
    def deck(time):
        return moving(60)(0.0)._replace(velocity=(0.0, 0.0, 0.0))
    flight = guided(deck, higher=0.02)
    assert flight.stage == LANDED and flight.touchdown.speed == pytest.approx(0.44, abs=0.05)
