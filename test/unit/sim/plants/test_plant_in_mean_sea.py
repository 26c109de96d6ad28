"""A boat in the plane against waves by its own coefficients: the steady speed is that of its balance, by hand."""

import math
from dataclasses import replace

import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.physics.motion import STILL, Flow
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, mean_sea
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.water_around import Surroundings
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state

OTTER = replace(read_boat('otter'), waves=WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 3.0), (
    (60.0, 40.0), (10.0, 5.0), (-20.0, -10.0))))
SEA = (0.3, 2.5, math.pi)           # Runs west: from ahead of a boat that heads east.
THRUST = 30.0                       # N, of each thruster.


def balanced_speed(resistance):
    """Return u of 2 T = d u + k u^2 + R, m/s: k of the drag and of the air that the boat meets."""
    damping, air = OTTER.vessel.damping, OTTER.vessel.windage
    d, k = damping.d11, damping.d11_q + 0.5 * air.air_density * air.frontal_area * air.c_x
    return (-d + math.sqrt(d * d + 4.0 * k * (2.0 * THRUST - resistance))) / (2.0 * k)


@pytest.mark.parametrize(('yaw', 'coefficient'), [(0.0, 50.0), (0.5 * math.pi, 7.5), (math.pi, -15.0)])
def test_the_steady_speed_at_a_thrust_is_that_of_the_balance(yaw, coefficient):
    sea = mean_sea(SeaAlong(*SEA, OTTER.waves))
    plant = Plant(OTTER.vessel, (0.0, 0.0, yaw), lambda time, x, y: Flow(0.0, 0.0, 0.0, 0.0), 0.02,
                  Surroundings(mean_around=lambda time, x, y: sea))
    for _ in range(3000):
        plant.advance((THRUST, THRUST))
    assert plant.state.u_r == pytest.approx(balanced_speed(coefficient * 0.09), abs=1e-9)
    assert plant.in_waves is False and plant.mean_sea is sea


@pytest.fixture(scope='module')
def scenario(tmp_path_factory):
    """Return a scenario of 40 m against waves, on a current of their file that carries along what floats."""
    folder = tmp_path_factory.mktemp('sea')
    (folder / 'sea.yaml').write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': 0.3, 'peak_period': 2.5, 'seed': 3, 'direction_deg': 180.0}}))
    document = yaml.safe_load(resolve('scenarios', 'waves/otter_head_sea').read_text())
    document |= {'base': str(resolve('scenarios', '1').with_name('_thesis.yaml')), 'boat': 'otter',
                 'waypoints': [{'x': 40.0, 'y': 0.0}], 'current': {'flow': str(folder / 'sea.yaml')}}
    (folder / 'run.yaml').write_text(yaml.safe_dump(document))
    return replace(read_scenario(str(folder / 'run.yaml')), boat=OTTER, plant=OTTER)


def test_a_run_books_what_the_waves_take_and_closes(scenario):
    run = run_scenario(scenario)
    height = scenario.current.sea_state(0.0, 0.0, 0.0)[0]
    assert run.energy.waves == pytest.approx(50.0 * height ** 2 * run.energy.distance_through_water, rel=2e-3)
    assert run.closure == pytest.approx(0.0, abs=1e-4)
    # The coefficients have what the drift does: the water that the boat moves in stands still.
    assert run.energy.distance_over_ground == pytest.approx(run.energy.distance_through_water, rel=1e-9)


def test_a_plan_asks_for_the_same_power(scenario):
    """At the end of the run the boat is steady: `range` and `mission` have that power by the same sea."""
    last = run_scenario(scenario).rows[-1]
    planned = boat_in_sea(OTTER, scenario.current.sea_state(0.0, 0.0, 0.0)).vessel
    power = steady_state(planned, 0.0, last.motion.u, STILL).power
    assert power.waves == pytest.approx(last.power.waves, rel=2e-3)
    assert power.thrust == pytest.approx(last.power.thrust, rel=2e-3)


def test_a_boat_without_coefficients_feels_the_drift_alone(scenario):
    plain = replace(scenario, boat=read_boat('otter'), plant=read_boat('otter'))
    run = run_scenario(plain)
    assert run.energy.waves == 0.0 and not plain.feels_mean_sea
    assert run.energy.distance_through_water > run.energy.distance_over_ground + 0.5
    assert plain.felt_current is plain.current and scenario.felt_current.drift_depth is None


def test_ensembles_refuse_waves_of_a_field_by_name(scenario):
    from usv_energy.engine.cases import cases_of
    from usv_energy.flow.grids.grid import gridded_flow
    grid = gridded_flow(scenario.current, (0.0, 0.0, 50.0, 50.0), 10.0)
    with pytest.raises(InputError, match='the waves of a current that is a field are for single runs'):
        cases_of(scenario, 2, current=grid)
