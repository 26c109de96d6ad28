"""The true state of a plant: its acceleration is that of its way over ground, its volts those of its battery."""

import math

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import regular_sea
from usv_energy.physics.motion import Flow
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.supplied_plant import drawn_by_boat, plant_at_start
from usv_energy.sim.plants.water_around import Surroundings
from usv_energy.sim.sensors.sensor_suite import TrueState, between, rotated, true_state

FLOW = Flow(0.3, -0.2, 1.0, 4.0)


def driven(plant, thrusts, steps):
    states = [true_state(plant)]
    for _ in range(steps):
        plant.advance(thrusts)
        states.append(true_state(plant))
    return states


def test_acceleration_and_velocity_are_derivatives_of_the_way_over_ground():
    step = 0.002
    plant = Plant(read_boat('lutra_prop').vessel, (1.0, 2.0, 0.4), lambda time, x, y: FLOW, step)
    states = driven(plant, (3.0, 9.0), 1000)[500:]
    columns = np.array(states).T
    names = dict(zip(TrueState._fields, columns))
    c, s = np.cos(names['yaw']), np.sin(names['yaw'])
    east, north = c * names['u'] - s * names['v'], s * names['u'] + c * names['v']
    # Differences across two steps are of second order: (0.002 s)^2 times the third derivative, below 1e-5 here.
    for place, velocity in (('x', east), ('y', north)):
        np.testing.assert_allclose((names[place][2:] - names[place][:-2]) / (2 * step), velocity[1:-1], atol=2e-5)
    a_east, a_north = c * names['a_x'] - s * names['a_y'], s * names['a_x'] + c * names['a_y']
    for velocity, acceleration in ((east, a_east), (north, a_north), (names['r'], names['r_dot'])):
        np.testing.assert_allclose((velocity[2:] - velocity[:-2]) / (2 * step), acceleration[1:-1], atol=2e-4)
    assert abs(a_north).max() > 0.05
    assert (names['z'] == 0.0).all() and (names['roll'] == 0.0).all()
    assert states[0][-6:-2] == tuple(FLOW)


def test_a_battery_without_cells_gives_what_is_drawn_at_its_nominal_voltage():
    boat = read_boat('otter')
    plant = Plant(boat.vessel, (0.0, 0.0, 0.0), lambda time, x, y: FLOW, 0.02)
    for _ in range(200):
        plant.advance((60.0, 60.0))
    state = true_state(plant, boat.battery.nominal_voltage)
    u, v, _ = plant.velocity_over_ground()
    drawn = drawn_by_boat(plant.relative(), plant.setting, plant.time, plant.time + 0.02, math.hypot(u, v), boat.vessel)
    assert state.volts == 28.0
    assert state.volts * state.amperes == pytest.approx(drawn)
    assert state.volts * state.amperes > 33.76  # the hotel load alone
    assert math.isnan(true_state(plant).volts)


def test_cells_give_their_own_volts(tmp_path):
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'otter', 'name': 'cells', 'battery': {
        'chemistry': 'nmc', 'series': 8, 'capacity_ah': 100.0, 'capacity_wh': None, 'nominal_voltage': None,
        'initial_state_of_charge': 0.9}}), encoding='utf-8')
    boat = read_boat(str(path))
    plant = plant_at_start(boat, boat, (0.0, 0.0, 0.0), lambda time, x, y: FLOW, 0.02)
    rest = true_state(plant)
    for _ in range(50):
        plant.advance((60.0, 60.0))
    state = true_state(plant)
    assert (state.volts, state.amperes) == (plant.supply.voltage, plant.supply.current)
    assert state.volts < rest.volts and state.amperes > 5.0


def test_between_two_states_lies_a_straight_line():
    one, other = TrueState(1.0, 0.0, 4.0, volts=10.0), TrueState(2.0, 1.0, 0.0, volts=12.0)
    assert between(one, other, 0.25)[:3] == (1.25, 0.25, 3.0)
    assert between(one, other, 0.25).volts == 10.5


def test_a_hull_of_parts_is_seen_as_it_heaves_rolls_and_pitches():
    """Velocities along the tilted axes, turned to the earth, are the rates of its place, theirs the accelerations."""
    step = 0.005
    around = Surroundings(regular_sea(0.3, 3.0, 2.0))
    plant = Plant(read_boat('otter_parts').vessel, (1.0, 2.0, 0.4), lambda time, x, y: FLOW, step, around)
    states = driven(plant, (30.0, 40.0), 1200)[600:]
    earth = np.array([rotated((one.u, one.v, one.w), one.roll, one.pitch, one.yaw) for one in states])
    pushed = np.array([rotated((one.a_x, one.a_y, one.a_z), one.roll, one.pitch, one.yaw) for one in states])
    places = np.array([(one.x, one.y, one.z) for one in states])
    np.testing.assert_allclose((places[2:] - places[:-2]) / (2 * step), earth[1:-1], atol=1e-4)
    # The plant holds the waves of a step's middle: 0.005 s of what changes by 1 m/s^3.
    np.testing.assert_allclose((earth[2:] - earth[:-2]) / (2 * step), pushed[1:-1], atol=0.01)
    assert np.ptp(places[:, 2]) == pytest.approx(0.3, rel=0.1)
