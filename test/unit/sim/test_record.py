
import json
import math
from dataclasses import replace
from itertools import pairwise

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.locate import names
from usv_energy.flow.analytic import UniformFlow
from usv_energy.powering.energy import Energy
from usv_energy.sim.control.control import Gains
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.sim.record import Run, last_thruster_energy, relative, summary_of
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Published, read_scenario
from usv_energy.studies.plan.steady_motion import top_speed


@pytest.fixture(scope='module')
def run():
    return run_scenario(read_scenario('3'))


def without_thruster_power(run, places):
    """Return a run as the recorder has it where some of the simulator's messages were lost."""
    rows = [row._replace(thruster_power=math.nan, thruster_energy=math.nan) if place in places else row
            for place, row in enumerate(run.rows)]
    return run._replace(rows=rows, thruster_energy=last_thruster_energy(rows))


@pytest.mark.parametrize('lost', [1, 2, 30])
def test_a_lost_message_at_the_end_leaves_the_closure_as_it_is(run, lost):
    """Both energies end where the work is last known: the closure of a slightly shorter run."""
    number = len(run.rows)
    found = without_thruster_power(run, range(number - lost, number))
    assert found.closure == pytest.approx(run.closure, abs=2e-5 * lost)
    summary = summary_of(found, 'ros')
    assert summary['closure_relative'] == found.closure
    assert summary['samples_without_thruster_power'] == lost


def test_lost_messages_on_the_way_change_nothing_but_their_count(run):
    found = without_thruster_power(run, (3, 100, 101))
    assert found.closure == run.closure
    assert found.rows_without_thruster_power == 3


def test_the_closure_up_to_the_last_known_work_is_that_of_a_run_that_ends_there(run):
    """The thrust energy that is taken off is the integral of what came after."""
    lost, number = 40, len(run.rows)
    kept = run.rows[:number - lost]
    energy = sum((b.time - a.time) * (b.power.thrust + b.power.unrecovered) for a, b in pairwise(kept))
    found = without_thruster_power(run, range(number - lost, number))
    assert found.closure == pytest.approx(energy / kept[-1].thruster_energy - 1.0, abs=1e-12)


def test_without_a_plant_there_is_no_closure(run):
    found = without_thruster_power(run, range(len(run.rows)))
    assert math.isnan(found.closure) and found.rows_without_thruster_power == len(run.rows)


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


def test_causes_add_up_and_means_are_the_quotients(run):
    summary = summary_of(run, 'usv-energy')
    causes = sum(summary[f'energy_{cause}_j'] for cause in ('inertia', 'damping', 'wind', 'side_force'))
    # Two orders of summation of the same thousand terms.
    assert causes == pytest.approx(summary['energy_thrust_j'], rel=1e-12)
    rest = sum(summary[f'energy_{cause}_j'] for cause in ('thrust', 'unrecovered', 'losses', 'static_load'))
    assert rest == pytest.approx(summary['energy_j'], rel=1e-12)
    assert summary['mean_power_w'] * run.energy.duration == pytest.approx(summary['energy_j'], rel=1e-12)
    assert summary['energy_per_meter_j_m'] * summary['distance_over_ground_m'] == pytest.approx(
        summary['energy_j'], rel=1e-12)


def test_what_was_published_stands_beside(run):
    summary = summary_of(run, 'ros')
    assert (summary['scenario'], summary['boat'], summary['plant']) == ('3', 'lutra_prop', 'lutra_prop')
    assert (summary['convention'], summary['run_by'], summary['outcome']) == ('rep103', 'ros', 'reached')
    assert (summary['published_duration_s'], summary['published_energy_j']) == (18.5, 573.78)
    assert 573.78 * (1.0 + summary['energy_relative']) == pytest.approx(summary['energy_j'], rel=1e-14)
    assert 18.5 * (1.0 + summary['duration_relative']) == pytest.approx(summary['duration_s'], rel=1e-14)


def test_no_number_becomes_null(run):
    scenario = replace(run.scenario, published=Published())
    summary = summary_of(Run(scenario, 'rep103', 'aborted', [], Energy(), math.nan), 'ros')
    for key in ('published_duration_s', 'published_energy_j', 'duration_relative', 'energy_relative',
                'closure_relative', 'thruster_energy_j', 'energy_per_meter_j_m', 'mean_power_w'):
        assert summary[key] is None, key
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_relative_to_nothing_is_no_number():
    assert relative(3.0, 2.0) == 0.5
    assert math.isnan(relative(3.0, 0.0))
    assert math.isnan(relative(3.0, math.nan))
