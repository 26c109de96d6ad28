"""Model and plant of every shipped boat agree on what its thrusters gave, on a path with turns, in current and wind."""

import math
from dataclasses import replace

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.sim.control.control import Gains
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.plan.steady_motion import top_speed

PERIOD = 0.02
SAILING, NO_MOTION = 'lutra_sail', 'blueboat_watts_only'


def path_with_turns(boat, speed, wind):
    """
    Return a scenario: two turns of a right angle, gains that follow from the boat's own inertia and yaw damping.

    Rudders need longer legs. A payload amidships adds to the mass and not to what turns it: with one the goal is wider,
    or Lutra orbits it.
    """
    length, inertia = boat.hull.length or 1.2, boat.vessel.inertia
    leg = (12.0 if boat.vessel.foils else 4.0) * length
    steps = max(1, -int(-PERIOD // min(PERIOD, longest_step(boat.vessel))))
    damping = boat.vessel.damping.d33 + boat.vessel.damping.d33_u * (speed or 0.0)
    kp = (2.0 if boat.vessel.foils else 1.0) * inertia.m33 + damping
    gains = Gains(kp, 1.5 * inertia.m33, 0.5 * inertia.m11, 0.2 * inertia.m11)
    return replace(
        read_scenario('5'), boat=boat, plant=boat, start=(0.0, 0.0, 0.0), speed=speed, gains=gains,
        waypoints=((leg, 0.0), (leg, leg), (0.0, leg)), wind=wind,
        current=UniformFlow(0.1 * (speed or 0.0), 0.05 * (speed or 0.0)), lookahead=None,
        radius=(2.0 if boat.hull.payload else 1.5) * length, timeout=60.0 * length / (speed or 0.5),
        step=PERIOD / steps, period=PERIOD)


@pytest.mark.parametrize('name', [name for name in names('boats') if name not in (SAILING, NO_MOTION)])
def test_closure_within_half_a_percent(name):
    boat = read_boat(name)
    speed = 0.5 * top_speed(boat.vessel)
    run = run_scenario(path_with_turns(boat, speed, UniformFlow(1.0, -0.5)))
    assert run.outcome == 'reached' and run.thruster_energy > 0.0
    assert run.closure == pytest.approx(0.0, abs=0.0025)


def test_what_is_left_of_the_ferry_is_the_time_that_its_thrusters_turn():
    """
    More thrusters than needed can give a force in more than one way, and motion alone tells only of the cheapest.

    While they turn to where they are wanted, at 40 degrees a second, they give it in another; at once, they do not.
    """
    boat = read_boat('milliampere')
    thrusters = tuple(thruster._replace(azimuth=thruster.azimuth._replace(rate=1e4))
                      for thruster in boat.vessel.thrusters)
    boat = replace(boat, vessel=boat.vessel._replace(thrusters=thrusters))
    run = run_scenario(path_with_turns(boat, 0.5 * top_speed(boat.vessel), UniformFlow(1.0, -0.5)))
    assert run.closure == pytest.approx(0.0, abs=0.0005)


def test_what_is_left_of_the_rudder_boat_is_its_stall():
    """Beyond the angle of most lift (45 degrees) a rudder gives the moment of a smaller angle with more drag."""
    boat = read_boat('lutra_rudder')
    (rudder,) = boat.vessel.foils
    most = math.radians(30.0)
    rudder = rudder._replace(steer=rudder.steer._replace(least=-most, largest=most))
    boat = replace(boat, vessel=boat.vessel._replace(foils=(rudder,)))
    run = run_scenario(path_with_turns(boat, 0.5 * top_speed(boat.vessel), UniformFlow(1.0, -0.5)))
    assert run.closure == pytest.approx(0.0, abs=1e-5)


def test_a_boat_that_only_sails_propels_itself_by_nothing():
    """What the sail gives is what hull, keel and rudder take; no thrust, no energy, to the last bit."""
    boat = read_boat(SAILING)
    scenario = replace(path_with_turns(boat, None, UniformFlow(0.0, 4.0)),
                       gains=Gains(400.0, 150.0, 0.0, 0.0), waypoints=((12.0, 0.0), (12.0, 12.0)), step=0.0025)
    run = run_scenario(scenario)
    energy = run.energy
    assert run.outcome == 'reached' and energy.damping > 100.0
    assert (energy.thrust, energy.total, run.thruster_energy) == (0.0, 0.0, 0.0)
    assert energy.foils + energy.damping + energy.inertia + energy.wind + energy.side_force == pytest.approx(
        0.0, abs=1e-6 * energy.damping)
    assert abs(energy.side_force) < 0.01 * energy.damping
