"""
Read an SDF model as Gazebo does, to compare it with the boat file that it was made of.

The formulas are Gazebo's, written down from its source: rigid bodies that move as one, and the force of the system
Hydrodynamics (src/systems/hydrodynamics/Hydrodynamics.cc of ign-gazebo6 6.18.0 and gz-sim8 8.14.0).
"""

import xml.etree.ElementTree as ElementTree
from itertools import product

import numpy as np

from usv_energy.gazebo.model import model_text
from usv_energy.gazebo.world import boat_placements, world_text
from usv_energy.sim.scenario import read_scenario

LETTERS, FORCES = 'UVWPQR', 'xyzkmn'


def parse(text):
    """Return the root element."""
    return ElementTree.fromstring(text)


def numbers(element, path):
    return np.array([float(word) for word in element.findtext(path, '0 0 0 0 0 0').split()])


def rotation(roll, pitch, yaw):
    """Return the matrix of SDF's roll, pitch, yaw: about the fixed axes, in this order."""
    c, s = np.cos((roll, pitch, yaw)), np.sin((roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    about_y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    about_z = np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def plugins(model, name):
    return [one for one in model.findall('plugin') if one.get('name') == f'gz::sim::systems::{name}']


def whole_body(model):
    """Return mass, kg, centre of mass, m, and the inertia tensor about it, kg m^2, of all links as one body."""
    masses, centres, tensors = [], [], []
    for link in model.findall('link'):
        pose, inertial = numbers(link, 'pose'), link.find('inertial')
        turned = rotation(*pose[3:])
        ixx, ixy, ixz, iyy, iyz, izz = (float(inertial.findtext(f'inertia/{key}'))
                                        for key in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'))
        masses.append(float(inertial.findtext('mass')))
        centres.append(pose[:3] + turned @ numbers(inertial, 'pose')[:3])
        tensors.append(turned @ np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]) @ turned.T)
    mass = sum(masses)
    centre = sum(m * c for m, c in zip(masses, centres)) / mass
    tensor = sum(one + m * (np.dot(c - centre, c - centre) * np.eye(3) - np.outer(c - centre, c - centre))
                 for m, c, one in zip(masses, centres, tensors))
    return mass, centre, tensor


class Hydrodynamics:
    """The system's parameters for a link: force = -(-Ma nu_dot - C nu - ...), in the signs of its source."""

    def __init__(self, model, link='base_link'):
        plugin, = (one for one in plugins(model, 'Hydrodynamics') if one.findtext('link_name') == link)
        self.namespace = plugin.findtext('namespace')
        self.known = {child.tag for child in plugin}

        def value(name):
            return float(plugin.findtext(name, '0'))

        self.added = np.array([[value(f'{f}Dot{j}') for j in LETTERS] for f in FORCES])
        self.linear = np.array([[value(f'{f}{j}') for j in LETTERS] for f in FORCES])
        self.absolute = np.array([[[value(f'{f}{j}abs{k}') for k in LETTERS] for j in LETTERS] for f in FORCES])
        self.plain = np.array([[[value(f'{f}{j}{k}') for k in LETTERS] for j in LETTERS] for f in FORCES])
        self.coriolis = plugin.findtext('disable_coriolis') != 'true'
        self.understood = {'link_name', 'namespace', 'default_current', 'disable_coriolis',
                           *(f'{f}Dot{j}' for f, j in product(FORCES, LETTERS)),
                           *(f'{f}{j}' for f, j in product(FORCES, LETTERS)),
                           *(f'{f}{j}{way}{k}' for f, j, way, k in product(FORCES, LETTERS, ('', 'abs'), LETTERS))}

    def force(self, velocity, acceleration):
        """Return the wrench of velocity and acceleration through the water, all of six components."""
        assert not self.coriolis, "the system's own Coriolis terms are wrong"
        return (self.added @ acceleration + self.linear @ velocity
                + np.einsum('ijk,j,k->i', self.absolute, velocity, abs(velocity))
                + np.einsum('ijk,j,k->i', self.plain, velocity, velocity))


def rigid_coriolis(mass, tensor, velocity):
    """Return C_RB nu of a body about its centre of mass. Source: Fossen (2011), (3.57), r_g = 0."""
    linear, angular = velocity[:3], velocity[3:]
    return np.concatenate((mass * np.cross(angular, linear), np.cross(angular, tensor @ angular)))


def planar_acceleration(model, velocity, force):
    """Return (u, v, r)_dot of the model in still water at (u, v, r) under an outer force (X, Y, N)."""
    mass, centre, tensor = whole_body(model)
    np.testing.assert_allclose(centre, 0.0, atol=1e-9)
    planar = [0, 1, 5]
    six = np.zeros(6)
    six[planar] = velocity
    hydrodynamics = Hydrodynamics(model)
    outer = np.zeros(6)
    outer[planar] = force
    right = outer + hydrodynamics.force(six, np.zeros(6)) - rigid_coriolis(mass, tensor, six)
    matrix = np.zeros((6, 6))
    matrix[:3, :3], matrix[3:, 3:] = mass * np.eye(3), tensor
    matrix = (matrix - hydrodynamics.added)[np.ix_(planar, planar)]
    return np.linalg.solve(matrix, right[planar])


def thruster_wrench(model, thruster, thrust):
    """Return force, N, and moment about the origin, N m, of a thruster: at its link, along its joint's axis."""
    joint = named(model, 'joint', f'{thruster}_propeller_joint')
    pose = numbers(named(model, 'link', joint.findtext('child')), 'pose')
    force = thrust * rotation(*pose[3:]) @ numbers(joint, 'axis/xyz')
    return force, np.cross(pose[:3], force)


def named(model, kind, name):
    """Return the element of a kind with a name."""
    return next(one for one in model.findall(kind) if one.get('name') == name)


def foil_wrench(model, foil, velocity, angle=0.0):
    """
    Return surge N, sway N and yaw moment N m of a foil's links at a velocity (u, v, r) through its fluid.

    All links that hang on the foil's own turn with its joint, which must be at a place on the boat's centre plane's
    height; each has the force of its Hydrodynamics at its own place.
    """
    first = numbers(named(model, 'link', f'{foil}_foil'), 'pose')
    joint = next(one for one in model.findall('joint') if one.findtext('child') == f'{foil}_foil')
    axis = first[:2] + numbers(joint, 'pose')[:2]
    names = [f'{foil}_foil', *(one.findtext('child') for one in model.findall('joint')
                               if one.findtext('parent') == f'{foil}_foil')]
    total = np.zeros(3)
    for name in names:
        pose = numbers(named(model, 'link', name), 'pose')
        np.testing.assert_allclose(pose, [*first[:5], pose[5]])
        place = axis + rotation(0.0, 0.0, angle)[:2, :2] @ (pose[:2] - axis)
        turned = rotation(0.0, 0.0, pose[5] + angle)
        u, v, r = velocity
        own = turned.T @ [u - r * place[1], v + r * place[0], 0.0]
        hydrodynamics = Hydrodynamics(model, name)
        assert not (hydrodynamics.known - hydrodynamics.understood)
        force = turned @ hydrodynamics.force(np.array([*own, 0.0, 0.0, r]), np.zeros(6))[:3]
        total += [force[0], force[1], place[0] * force[1] - place[1] * force[0]]
    return total


def floats(model):
    """Return radius, m, and centre, m, of each sphere that the base link collides with."""
    shapes = [one for one in model.find('link').findall('collision') if one.find('geometry/sphere') is not None]
    return [(float(one.findtext('geometry/sphere/radius')), numbers(one, 'pose')[:3]) for one in shapes]


def model_of(boat, name='diffboat'):
    """Return the element `model` of a boat's SDF."""
    return parse(model_text(boat, name, 'test')).find('model')


def world_of(scenario='1', kind='open_water', boats=1, pace=1.0, river=None, step=None):
    scenario = read_scenario(scenario)
    return parse(world_text(scenario, kind, boat_placements(scenario, boats), pace, 'test', river=river,
                            step=step)).find('world')


def model_in(world, name):
    return next(one for one in world.findall('model') if one.get('name') == name)
