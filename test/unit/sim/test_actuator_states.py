import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL, Relative
from usv_energy.powering.actuators import Setting
from usv_energy.powering.measured_power import MeasuredActuators
from usv_energy.powering.power import mean_power_rep103
from usv_energy.sim.actuator_states import (
    ActuatorMemory,
    ActuatorState,
    measured_states,
    power_of_step,
    states_of_setting,
)
from usv_energy.sim.plants.plant import Plant
from usv_energy.thrusters.commands import thrust_of_command

LUTRA, RUDDER, FERRY = (read_boat(name) for name in ('lutra_prop', 'lutra_rudder', 'milliampere'))
NAN = math.nan
SECOND = 1_000_000_000
DRAG = 16.296  # N s/m


def ahead(u):
    """Return the Relative of a boat that goes straight on, in air that goes with it."""
    return Relative(u, 0.0, 0.0, 0.0, 0.0)


def thrust(newtons):
    return ActuatorState(NAN, NAN, newtons)


def test_what_a_plant_does_travels_by_names_and_back():
    """Thrusts as they are at its speed: at 1 m/s a ferry's thrusters give less ahead than was asked of them."""
    at, propeller = Relative(1.0, 0.0, 0.0, -1.0, 0.0), FERRY.vessel.thrusters[0].propeller
    ferry = Setting((50.0,) * 4, (0.0, math.pi / 2.0, 0.1, -0.1), ())
    found = measured_states(states_of_setting(ferry, at, FERRY), at, FERRY)
    assert found.thrusts[:2] == pytest.approx((thrust_of_command(50.0, 1.0, propeller), 50.0))
    assert found.thrusts[0] < 20.0
    assert found.angles == pytest.approx(ferry.angles)
    rudder = Setting((5.0,), (None,), (0.2,))
    assert measured_states(states_of_setting(rudder, at, RUDDER), at, RUDDER) == MeasuredActuators(*rudder)


def test_the_plant_says_the_thrust_at_its_own_speed():
    plant = Plant(FERRY.vessel, (0.0, 0.0, 0.0), lambda *_: STILL, 0.05)
    for _ in range(400):
        plant.advance((100.0,) * 4)
    lost = thrust_of_command(100.0, plant.state.u_r, FERRY.vessel.thrusters[0].propeller)
    assert plant.thrusts == pytest.approx((lost,) * 4) and lost < 80.0


def test_a_rate_stands_for_a_thrust_where_the_boat_file_says_which():
    """[T] of milliAmpere: 275 N at 718 rpm for one thruster, at standstill; a thrust told goes before a rate."""
    rate = 718.0 * 2.0 * math.pi / 60.0
    states = {name: ActuatorState(0.0, rate, NAN) for name in FERRY.thruster_names}
    assert measured_states(states, ahead(0.0), FERRY).thrusts == pytest.approx((275.0,) * 4)
    under_way = measured_states(states, ahead(1.0), FERRY).thrusts[0]
    assert under_way == pytest.approx(275.0 - 4.7 * math.sqrt(275.0))
    both = {name: ActuatorState(0.0, rate, 100.0) for name in FERRY.thruster_names}
    assert measured_states(both, ahead(0.0), FERRY).thrusts == (100.0,) * 4
    assert all(map(math.isnan, measured_states({'left': ActuatorState(NAN, rate, NAN)}, ahead(0.0), LUTRA).thrusts))


def test_a_step_is_measured_where_all_thrusts_are_told_at_both_ends():
    now, whole = ahead(1.0), MeasuredActuators((9.0, 9.0), (None, None), ())
    part = whole._replace(thrusts=(9.0, NAN))
    power, measured = power_of_step(now, now, 0.1, LUTRA, (whole, whole))
    tilt = LUTRA.vessel.thrusters[0].efficiency_of_tilt
    assert measured and power.thrust == pytest.approx(18.0 * tilt)
    assert power.residual == pytest.approx(18.0 * tilt - DRAG)
    plain = mean_power_rep103(now, now, 0.1, LUTRA.vessel)
    for settings in ((whole, part), (part, whole), (None, whole), (whole, None), (None, None)):
        assert power_of_step(now, now, 0.1, LUTRA, settings) == (plain, False)


def test_a_rudder_told_alone_counts():
    now, over = ahead(1.0), MeasuredActuators((NAN,), (None,), (0.5,))
    power, measured = power_of_step(now, now, 0.1, RUDDER, (over, over))
    assert not measured and power.foils > mean_power_rep103(now, now, 0.1, RUDDER.vessel).foils + 0.3


def test_each_actuator_is_remembered_by_itself_until_it_is_too_old():
    memory = ActuatorMemory(LUTRA)
    assert memory.add(1 * SECOND, {'left': thrust(1.0), 'camera': thrust(9.0)}) == {'camera'}
    assert memory.add(2 * SECOND, {'right': thrust(2.0)}) == set()

    def efforts(stamp, max_age):
        states, stale = memory.at(stamp, max_age)
        return {name: state.effort for name, state in states.items()}, stale

    assert efforts(2 * SECOND, 2.0) == ({'left': 1.0, 'right': 2.0}, False)
    assert efforts(2 * SECOND, 0.5) == ({'right': 2.0}, True)
    memory.add(3 * SECOND, {'right': thrust(3.0)})
    assert efforts(2 * SECOND, 2.0)[0]['right'] == 2.0, 'of that time, not of later'
    memory.add(1 * SECOND, {'right': thrust(4.0)})
    assert efforts(1 * SECOND, 0.5)[0]['right'] == 4.0, 'the clock jumped back'
    assert efforts(9 * SECOND, 0.5) == ({}, True)


def test_nothing_told_is_not_old():
    assert ActuatorMemory(LUTRA).at(0, 1.0) == ({}, False)


def test_two_joints_make_one_actuator():
    """A propeller's joint tells its rate, whatever its angle and effort are; the other the angle it turns about."""
    memory, rate = ActuatorMemory(FERRY), 20.0
    joints = {f'{name}_propeller_joint': ActuatorState(77.0, rate, 0.0) for name in FERRY.thruster_names}
    joints |= {f'{name}_angle_joint': ActuatorState(0.3, 0.01, 5.0) for name in FERRY.thruster_names}
    assert memory.add(SECOND, {**joints, 'mast_joint': thrust(1.0)}) == {'mast_joint'}
    states, stale = memory.at(SECOND, 1.0)
    assert not stale and set(states) == set(FERRY.thruster_names)
    found = measured_states(states, ahead(0.0), FERRY)
    told = {name: ActuatorState(0.3, rate, NAN) for name in FERRY.thruster_names}
    assert found == measured_states(told, ahead(0.0), FERRY) and found.angles == (0.3,) * 4
