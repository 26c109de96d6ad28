"""The quadcopter's body and rotors against closed forms and conservation."""

import math
from itertools import product

import pytest
import yaml

from usv_energy.air.quadcopter import (
    GRAVITY,
    Quadcopter,
    at_rest,
    heading,
    next_state,
    read_quadcopter,
    rotor_thrusts,
    rotors_power,
    tilt,
    up_axis,
)
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.physics.rotor_in_air import ideal_power

CRAFT = read_quadcopter('ar_drone')
FREE = CRAFT._replace(drag=0.0, lag=0.0)
EACH = 0.25 * CRAFT.mass * GRAVITY


def flown(craft: Quadcopter, state, thrusts, duration, step=0.01, **about):
    for _ in range(round(duration / step)):
        state = next_state(craft, state, thrusts, step, **about)
    return state


def test_hover_power_is_momentum_theorys():
    """Four rotors of a quarter of the weight each: T^1.5 / sqrt(2 rho A) over figure of merit and efficiency."""
    ideal = 4.0 * EACH ** 1.5 / math.sqrt(2.0 * 1.225 * math.pi * 0.1 ** 2)
    expected = ideal / (0.55 * 0.56) + 5.0
    assert CRAFT.hover_power == pytest.approx(expected, rel=1e-12)
    assert rotors_power(CRAFT, at_rest((0.0, 0.0, 9.0), thrust=EACH)) == pytest.approx(expected, rel=1e-9)
    assert CRAFT.battery / CRAFT.hover_power == pytest.approx(12.0 * 60.0, rel=0.01)  # Parrot: 12 minutes.


@pytest.mark.parametrize(('velocity', 'wind'), [((5.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((0.0, 0.0, 2.0), (3.0, 0.0, 0.0)),
                                                ((1.0, 1.0, -0.5), (0.0, -4.0, 0.0))])
def test_power_in_flight_is_the_physics(velocity, wind):
    state = at_rest((0.0, 0.0, 9.0), thrust=EACH)._replace(velocity=velocity)
    through = [v - air for v, air in zip(velocity, wind)]
    ideal = 4.0 * ideal_power(EACH, CRAFT.disc, through[2], math.hypot(*through[:2]))
    assert rotors_power(CRAFT, state, wind) == pytest.approx(5.0 + ideal / (0.55 * 0.56), rel=1e-6)


def test_it_hangs_in_the_air_with_its_weight_and_falls_without():
    state = flown(FREE, at_rest((1.0, 2.0, 3.0), thrust=EACH), (EACH,) * 4, 2.0)
    assert state.place == pytest.approx((1.0, 2.0, 3.0), abs=1e-9)
    fallen = flown(FREE, at_rest((0.0, 0.0, 0.0)), (0.0,) * 4, 2.0)
    assert fallen.place[2] == pytest.approx(-0.5 * GRAVITY * 4.0, rel=1e-12)


def test_thrust_lags_as_a_first_order_system():
    state = flown(CRAFT, at_rest((0.0, 0.0, 0.0)), (1.0,) * 4, CRAFT.lag, step=0.005)
    assert state.thrusts[0] == pytest.approx(1.0 - math.exp(-1.0), rel=1e-9)


def test_it_drifts_with_the_wind_in_the_end():
    """d v/dt = -drag / m (v - wind): after one time constant 63 % of it."""
    craft = CRAFT._replace(lag=0.0)
    time = craft.mass / craft.drag
    state = flown(craft, at_rest((0.0, 0.0, 9.0), thrust=EACH), (EACH,) * 4, time, time / 200.0, wind=(3.0, 0.0, 0.0))
    assert state.velocity[0] == pytest.approx(3.0 * (1.0 - math.exp(-1.0)), rel=1e-4)


def test_torques_turn_it_as_signed():
    """FLU: roll to starboard, nose down, counter-clockwise; angle = torque t^2 / (2 J), by a small torque."""
    for axis, inertia in enumerate(CRAFT.inertia):
        torques = [0.0, 0.0, 0.0]
        torques[axis] = 1e-3 * inertia
        state = flown(FREE, at_rest((0.0, 0.0, 0.0), thrust=EACH), rotor_thrusts(FREE, 4.0 * EACH, tuple(torques)), 1.0)
        angles = (*tilt(state.turn), heading(state.turn))
        assert angles[axis] == pytest.approx(0.5e-3, rel=1e-3)
    pitching = rotor_thrusts(FREE, 4.0 * EACH, (0.0, 1e-4, 0.0))
    up = up_axis(flown(FREE, at_rest((0.0, 0.0, 0.0), thrust=EACH), pitching, 1.0).turn)
    assert up[0] > 0.0 and abs(up[1]) < 1e-9  # Nose down: the thrust points ahead.


@pytest.mark.parametrize(('thrust', 'torques'), [
    (4.0, (0.02, -0.03, 0.004)), (0.0, (1.0, 0.0, 0.0)), (7.9, (0.5, 0.5, 0.5)), (20.0, (0.0, 0.0, 0.1)),
    (3.0, (0.0, 0.0, 9.0))])
def test_the_mixer_never_asks_for_more_than_there_is(thrust, torques):
    found = rotor_thrusts(CRAFT, thrust, torques)
    assert all(-1e-12 <= one <= CRAFT.most_thrust + 1e-12 for one in found)
    assert sum(found) == pytest.approx(max(0.0, min(thrust, 4.0 * CRAFT.most_thrust)))


def test_the_mixer_gives_what_is_asked_for():
    side = CRAFT.arm / math.sqrt(2.0)
    for roll, pitch, yaw in product((-0.02, 0.03), repeat=3):
        a, b, c, d = rotor_thrusts(CRAFT, 4.2, (roll, pitch, 0.1 * yaw))
        assert side * (a + d - b - c) == pytest.approx(roll)
        assert side * (c + d - a - b) == pytest.approx(pitch)
        assert CRAFT.torque * (a + c - b - d) == pytest.approx(0.1 * yaw)


def test_a_free_body_keeps_its_energy_and_its_spin():
    """Euler's equations without torque: energy of rotation and size of the spin stay, with the step^2 or better."""
    craft, rates = FREE._replace(inertia=(1e-3, 2e-3, 3e-3)), (3.0, 4.0, 1.0)

    def lost(step):
        state = flown(craft, at_rest((0.0, 0.0, 0.0))._replace(rates=rates), (0.0,) * 4, 2.0, step)
        return [abs(sum(j ** power * r * r for j, r in zip(craft.inertia, state.rates))
                    / sum(j ** power * r * r for j, r in zip(craft.inertia, rates)) - 1.0) for power in (1, 2)]

    for coarse, fine in zip(lost(0.01), lost(0.005)):
        assert coarse < 1e-5 and fine < 0.6 * coarse


def test_the_ground_lifts_it():
    lifted = next_state(FREE, at_rest((0.0, 0.0, 0.1), thrust=EACH), (EACH,) * 4, 0.01, above=0.1)
    assert lifted.velocity[2] == pytest.approx(0.01 * GRAVITY / 15.0, rel=1e-6)  # 1 / (1 - 1/16) less 1.


def test_every_shipped_number_has_its_source():
    for name in names('quadcopters'):
        craft = read_quadcopter(name)
        assert craft.name == name
        path = next(path for path in [read_path(name)])
        assert all(node['source'] for part in ('quadcopter', 'battery')
                   for node in yaml.safe_load(path.read_text()).get(part, {}).values() if node != 'nmc')


def read_path(name):
    from usv_energy.files.locate import resolve
    return resolve('quadcopters', name)


@pytest.mark.parametrize(('key', 'node', 'words'), [
    ('most_thrust', {'value': 1.1, 'unit': 'N'}, 'must lift 1.2 times its weight of 4.21 N'),
    ('mass', {'value': 0, 'unit': 'kg'}, 'quadcopter.mass'), ('mass', {'value': 1, 'unit': 'g'}, 'quadcopter.mass'),
    ('efficiency', {'value': 1.2, 'unit': '-'}, 'quadcopter.efficiency'), ('arm', None, "lacks the key 'arm'")])
def test_faults(tmp_path, key, node, words):
    document = yaml.safe_load(read_path('ar_drone').read_text())
    if node is None:
        del document['quadcopter'][key]
    else:
        document['quadcopter'][key] = node
    path = tmp_path / 'own.yaml'
    path.write_text(yaml.safe_dump(document))
    with pytest.raises(InputError) as caught:
        read_quadcopter(str(path))
    assert str(path) in str(caught.value) and words in str(caught.value)


def own(tmp_path, **changes):
    """Write the shipped file with other entries at its top; None takes one away."""
    document = yaml.safe_load(read_path('ar_drone').read_text()) | changes
    path = tmp_path / 'own.yaml'
    path.write_text(yaml.safe_dump({key: node for key, node in document.items() if node is not None}))
    return str(path)


def test_the_battery_is_cells_as_a_boats_or_a_counter(tmp_path):
    """Cells are those of a boat of the same entry; 11.1 Wh of a counter are 39960 J."""
    cells = read_quadcopter('ar_drone')
    from usv_energy.boats.boat_file import read_boat
    entry = yaml.safe_load(read_path('ar_drone').read_text())['battery']
    (tmp_path / 'boat.yaml').write_text(yaml.safe_dump(
        {'base': 'lutra_prop', 'battery': entry | {'initial_state_of_charge': None}}))
    boat = read_boat(str(tmp_path / 'boat.yaml'))
    assert cells.pack is boat.pack and cells.ambient == boat.ambient and cells.nominal_voltage == 11.1
    assert cells.battery == pytest.approx(3600.0 * boat.battery.capacity_wh, rel=1e-12)
    numbers = yaml.safe_load(read_path('ar_drone').read_text())['quadcopter']
    counted = read_quadcopter(own(tmp_path, battery=None,
                                  quadcopter=numbers | {'battery_wh': {'value': 11.1, 'unit': 'Wh'}}))
    assert counted.pack is None and counted.battery == pytest.approx(39960.0)


@pytest.mark.parametrize(('battery', 'words'), [
    (None, 'must give one: cells'), ({'chemistry': 'nmc'}, "lacks the key 'series'"),
    ({'chemistry': 'tea', 'series': 3}, 'tea'), ({'chemistry': 'nmc', 'series': 0}, 'battery.series')])
def test_faults_of_the_battery(tmp_path, battery, words):
    with pytest.raises(InputError) as caught:
        read_quadcopter(own(tmp_path, battery=battery))
    assert words in str(caught.value)
