"""Thrusters and battery beside another simulator: with the motion of the embedded plant they are that plant's own."""

import math

import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.live_thrusters import LiveThrusters, RelativeMotion, changes_thrust, full_limits
from usv_energy.sim.plants.supplied_plant import plant_at_start
from usv_energy.sim.scenario import read_scenario

STEP = 0.02
BATTERY = {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 15.6, 'capacity_wh': None, 'initial_state_of_charge': 0.011}


@pytest.fixture(scope='module')
def boat(tmp_path_factory):
    """Return a BlueBoat with two T200 on a 4S pack that is nearly empty, and answers with a lag."""
    path = tmp_path_factory.mktemp('boat') / '4s.yaml'
    thrusters = [{'name': name, 'x': -0.488, 'y': y, 'lag': 0.2, 'propeller': {'model': 't200', 'voltage': 16}}
                 for name, y in (('left', 0.295), ('right', -0.295))]
    path.write_text(yaml.safe_dump({'base': 'blueboat', 'name': '4s', 'thrusters': thrusters, 'battery': BATTERY}))
    return read_boat(str(path))


def asked(left, right):
    return Setting((left, right), (None, None), ())


def motion_of(plant):
    u, v, _ = plant.velocity_over_ground()
    return RelativeMotion(plant.relative(), math.hypot(u, v))


def side_by_side(boat, seconds):
    """Yield an embedded plant and LiveThrusters that see its motion, after each step; full throttle, then a turn."""
    plant = plant_at_start(boat, boat, (0.0, 0.0, 0.0), read_scenario('3').flow_at(), STEP)
    live = LiveThrusters(boat)
    for number in range(round(seconds / STEP)):
        wanted = asked(100.0, 100.0) if number * STEP < 10.0 else asked(100.0, 20.0)
        before = motion_of(plant)
        given = live.ask(wanted, before.at)
        plant.advance(wanted)
        live.advance(number * STEP, STEP, before, motion_of(plant))
        yield plant, live, given


def test_the_battery_is_that_of_the_embedded_plant_and_ends_when_it_does(boat):
    """The thrusts' mean over a step stands for the step, so the difference is of the second order."""
    ends = {}
    for number, (plant, live, _) in enumerate(side_by_side(boat, 40.0)):
        for name, supply in (('plant', plant.supply), ('live', live.supply)):
            if not supply.alive:
                ends.setdefault(name, number)
        if not ends:
            assert live.supply.voltage == pytest.approx(plant.supply.voltage, rel=2e-4)
            assert live.supply.energy == pytest.approx(plant.supply.energy, rel=1e-3, abs=0.1)
    assert abs(ends['plant'] - ends['live']) <= 1 and ends['plant'] * STEP > 5.0


def test_volts_and_amperes_are_the_energy_and_amperes_the_charge(boat):
    """By formulas that share no code: the charge that left is the integral of the current, its loss that of V I."""
    charge = energy = 0.0
    for _, live, _ in side_by_side(boat, 8.0):
        pack, supply = live.on_board.pack, live.supply
        charge += supply.current * STEP
        energy += supply.voltage * supply.current * STEP
    capacity = pack.cell.capacity * pack.parallel * pack.capacity_share
    assert 0.011 - supply.cells.charge == pytest.approx(charge / capacity, rel=2e-3)
    assert supply.energy == pytest.approx(energy, rel=2e-3)


def test_what_gazebo_is_told_is_the_plants_own_thrust_in_the_middle_of_a_step(boat):
    before = None
    for plant, live, given in side_by_side(boat, 6.0):
        if before is not None:
            middle = [0.5 * (a + b) for a, b in zip(before, plant.thrusts)]
            assert given == pytest.approx(middle, rel=0.02, abs=0.6)
        before, share = plant.thrusts, given[0] / live.setting.commands[0]
    assert share < 0.8, 'under way a propeller gives less'


def test_an_empty_battery_answers_whatever_is_asked_by_no_thrust(boat):
    live = LiveThrusters(boat)
    still = RelativeMotion(Relative(0.0, 0.0, 0.0, 0.0, 0.0), 0.0)
    live.ask(asked(100.0, 100.0), still.at)
    live.advance(0.0, 600.0, still, still)  # A silence of ten minutes, which it goes through in short steps.
    assert live.supply.alive == 0.0
    for wanted in (asked(100.0, 100.0), asked(-50.0, 3.0)):
        live.ask(wanted, still.at)
        live.advance(600.0, 10.0, still, still)
        assert live.ask(wanted, still.at) == pytest.approx((0.0, 0.0), abs=1e-9)
    energy = live.supply.energy
    live.advance(620.0, 60.0, still, still)
    assert live.supply.energy == energy


def test_a_long_silence_is_many_short_steps(boat):
    still = RelativeMotion(Relative(0.0, 0.0, 0.0, 0.0, 0.0), 0.0)
    one, many = LiveThrusters(boat), LiveThrusters(boat)
    for live, steps in ((one, 1), (many, 30)):
        live.ask(asked(20.0, 20.0), still.at)
        for number in range(steps):
            live.advance(number * 3.0 / steps, 3.0 / steps, still, still)
    assert one.supply.energy == pytest.approx(many.supply.energy, rel=1e-12)


def test_without_cells_the_thrust_lags_and_falls_under_way_and_no_battery_is_told_of(tmp_path):
    path = tmp_path / 'tug.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'tug', 'thrusters': [
        {'name': name, 'x': -0.4, 'y': y, 'min_thrust': -11.5, 'max_thrust': 11.5, 'lag': 0.5}
        for name, y in (('left', 0.2), ('right', -0.2))]}))
    tug = read_boat(str(path))
    assert changes_thrust(tug) and not changes_thrust(read_boat('lutra_prop'))
    live, still = LiveThrusters(tug), RelativeMotion(Relative(0.0, 0.0, 0.0, 0.0, 0.0), 0.0)
    assert live.supply is None
    live.ask(asked(10.0, 99.0), still.at)
    for number in range(50):
        live.advance(0.02 * number, 0.02, still, still)
    grown = 1.0 - math.exp(-1.0 / 0.5)  # A first-order lag, one second after the step.
    assert live.setting.commands == pytest.approx((10.0 * grown, 11.5 * grown), rel=1e-9)


def test_the_limits_are_those_of_the_full_battery(boat):
    """16.8 V is above the sheet at 16 V of the boat's file; a boat without cells has those of its file."""
    for (least, most), thruster in zip(full_limits(boat), boat.vessel.thrusters):
        assert most > 1.02 * thruster.max_thrust and least < 1.02 * thruster.min_thrust
    plain = read_boat('lutra_prop')
    assert full_limits(plain) == tuple((one.min_thrust, one.max_thrust) for one in plain.vessel.thrusters)
