"""The SDF of a quadcopter: mass, inertia, thrust and torques that its file says, in the units of Gazebo's systems."""

import math

import numpy as np
import pytest
from sdf_reading import numbers, plugins
from velocity_controlled import allocation

from usv_energy.air.quadcopter import GRAVITY, read_quadcopter, rotor_thrusts
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.gazebo.model import Placement, boat_model
from usv_energy.gazebo.quadcopter_model import LEGS, SLOWDOWN, quadcopter_model, rotor_places, thrust_of

CRAFT = read_quadcopter('ar_drone')


@pytest.fixture(scope='module')
def model():
    return quadcopter_model(CRAFT, 'quadcopter', (1.0, 2.0, 3.0), 0.5)


def solids(model):
    for link in model.findall('link'):
        place = numbers(link, 'pose')[:3] if link.find('pose') is not None else [0.0, 0.0, 0.0]
        yield (float(link.findtext('inertial/mass')), np.array(place),
               np.array([float(link.findtext(f'inertial/inertia/{key}')) for key in ('ixx', 'iyy', 'izz')]))


def test_all_links_together_have_the_mass_and_the_moments_of_the_file(model):
    """By the parallel axes' theorem; the centre of mass is the origin."""
    parts = list(solids(model))
    assert sum(mass for mass, _, _ in parts) == pytest.approx(CRAFT.mass, rel=1e-9)
    assert np.abs(sum(mass * place for mass, place, _ in parts)).max() < 1e-12
    total = sum(own + mass * (place @ place - place ** 2) for mass, place, own in parts)
    assert total == pytest.approx(CRAFT.inertia, rel=1e-8)


def test_rotors_give_the_thrusts_and_torques_of_the_embedded_ones(model):
    """Thrusts that the embedded mixer asks for give, at the model's places and senses of rotation, what was asked."""
    asked = np.array([0.01, -0.02, 0.003, 4.5])
    assert allocation(CRAFT) @ rotor_thrusts(CRAFT, asked[3], tuple(asked[:3])) == pytest.approx(asked, rel=1e-12)
    motors = plugins(model, 'MulticopterMotorModel')
    assert [one.findtext('turningDirection') for one in motors] == ['cw', 'ccw', 'cw', 'ccw']
    assert [int(one.findtext('motorNumber')) for one in motors] == [0, 1, 2, 3]
    for one, place in zip(motors, rotor_places(CRAFT)):
        link = next(link for link in model.findall('link') if link.get('name') == one.findtext('linkName'))
        assert numbers(link, 'pose')[:2] == pytest.approx([place.x, place.y], rel=1e-9)
        k, most = float(one.findtext('motorConstant')), float(one.findtext('maxRotVelocity'))
        assert k * most ** 2 == pytest.approx(CRAFT.most_thrust, rel=1e-8)
        assert float(one.findtext('momentConstant')) == pytest.approx(CRAFT.torque)
        assert float(one.findtext('timeConstantUp')) == float(one.findtext('timeConstantDown')) == CRAFT.lag
        assert float(one.findtext('rotorDragCoefficient')) == float(one.findtext('rollingMomentCoefficient')) == 0.0


def test_a_joints_speed_is_a_tenth_of_the_rotors():
    """Hovering, a rotor turns at sqrt(m g / 4 k), 361.6 rad/s; its joint ten times slower, clockwise ones below 0."""
    speed = math.sqrt(0.25 * CRAFT.mass * GRAVITY / CRAFT.rotor_constant)
    assert speed == pytest.approx(361.6, abs=0.1)
    assert thrust_of(CRAFT, -speed / SLOWDOWN) == pytest.approx(0.25 * CRAFT.mass * GRAVITY, rel=1e-12)


def test_the_drag_is_the_airs_and_the_controller_knows_the_same_rotors(model):
    (drag,) = plugins(model, 'Hydrodynamics')
    assert drag.findtext('namespace') == 'quadcopter/air'
    assert [float(drag.findtext(key)) for key in ('xU', 'yV', 'zW')] == [-CRAFT.drag] * 3
    (control,) = plugins(model, 'MulticopterVelocityControl')
    assert [one.findtext('direction') for one in control.findall('rotorConfiguration/rotor')] == ['-1', '1', '-1', '1']
    assert numbers(control, 'attitudeGain')[0] / CRAFT.inertia[0] == pytest.approx(14.0 ** 2)
    assert numbers(control, 'velocityGain')[2] / CRAFT.mass == pytest.approx(3.2)


def test_it_stands_on_its_legs(model):
    link = next(link for link in model.findall('link') if link.get('name') == 'base_link')
    box = link.find('collision')
    low = numbers(box, 'pose')[2] - 0.5 * numbers(box, 'geometry/box/size')[2]
    assert low == pytest.approx(-LEGS)
    assert numbers(model, 'pose') == pytest.approx([1.0, 2.0, 3.0, 0.0, 0.0, 0.5])


def test_without_the_rotors_constant_there_is_no_model():
    with pytest.raises(InputError, match=r'ar_drone has no quadcopter\.rotor_constant'):
        quadcopter_model(CRAFT._replace(rotor_constant=math.nan), 'quadcopter')


def test_the_boats_deck_is_under_its_legs():
    boat = read_boat('lutra_prop')
    deck = next(one for one in boat_model(Placement(boat, 'a', pad=(0.1, 0.0, 0.3))).iter('collision')
                if one.get('name') == 'deck_collision')
    place, size = numbers(deck, 'pose'), numbers(deck, 'geometry/box/size')
    assert list(place[:2]) == [0.1, 0.0] and place[2] + 0.5 * size[2] == pytest.approx(0.3 - LEGS)
    with pytest.raises(InputError, match=r'the pad is 0.1 m up; its deck is 0.07 m lower, and the hull reaches to'):
        boat_model(Placement(boat, 'a', pad=(0.0, 0.0, 0.1)))
