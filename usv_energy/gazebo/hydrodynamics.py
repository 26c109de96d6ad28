"""
A boat's added mass, Coriolis forces and damping as the parameters of Gazebo's Hydrodynamics system.

The system's force is, in SNAME's signs (Hydrodynamics.cc, the same in ign-gazebo6 and gz-sim8), with nu the velocity
through the water in the link's own axes, FLU as ours:

    <xDotU> u_dot + <xU> u + <xVR> v r + <xUabsU> u abs(u) + ...      and so on for y (sway) and n (yaw)

and its own Coriolis force of the added mass, which is wrong in every version: up to 6.17.1 and 8.11 in some signs and
terms, from 6.18.0 and 8.12 in the sign of all of it (its matrix is C_A, and C_A nu is added where it must be
subtracted). So that is switched off, and the same force given by products of velocities, which every version has right.
"""

from ..boats.vessel import Inertia, Vessel
from ..physics.dynamics import coriolis_force
from .hull import Floats, Solid, rigid_mass

FORCES = 'xyn'
UNITS = {'U': (1.0, 0.0, 0.0), 'V': (0.0, 1.0, 0.0), 'R': (0.0, 0.0, 1.0)}
PRODUCTS = ('UU', 'VV', 'RR', 'UV', 'UR', 'VR')


def added_inertia(inertia: Inertia) -> Inertia:
    """Return what the boat's inertia has beyond that of the rigid body, kg, kg m: zero or less on the diagonal."""
    mass = rigid_mass(inertia)
    return Inertia(inertia.m11 - mass, inertia.m22 - mass, 0.0, inertia.m23)


def parameters_of(vessel: Vessel, floats: Floats, hull: Solid) -> dict[str, float]:
    """
    Return the elements of the Hydrodynamics plugin; those that are zero are left out.

    :param vessel: The Vessel: surge, sway, yaw.
    :param floats: Of the boat, for the critical damping of heave, roll and pitch.
    :param hull: Moments of inertia of roll and pitch.
    """
    added, damping = added_inertia(vessel.inertia), vessel.damping
    every = {
        'xDotU': -added.m11, 'yDotV': -added.m22, 'nDotR': -added.m33, 'yDotR': -added.m23, 'nDotV': -added.m23,
        **_products(added),
        'xU': -damping.d11, 'yV': -damping.d22, 'nR': -damping.d33, 'yR': -damping.d23, 'nV': -damping.d32,
        'xUabsU': -damping.d11_q, 'yVabsV': -damping.d22_q, 'nRabsR': -damping.d33_q, 'yVabsU': -damping.d22_u,
        'nRabsU': -damping.d33_u}
    every['yUR'] -= damping.d23_u
    every['nUV'] -= damping.d32_u
    # The critical damping of heave, roll and pitch, 2 sqrt(k m): the boat settles without a swing.
    heave, tilt = floats.stiffness
    for name, stiffness, inertia in (('zW', heave, rigid_mass(vessel.inertia)), ('kP', tilt, hull.moments[0]),
                                     ('mQ', tilt, hull.moments[1])):
        every[name] = -2.0 * (stiffness * inertia) ** 0.5
    return {key: value for key, value in every.items() if value != 0.0}


def _products(added: Inertia) -> dict[str, float]:
    """
    Return the Coriolis force of the added mass as coefficients of products of velocities.

    It is a quadratic form, so its coefficients are its values: q(a + b) - q(a) - q(b) for a product, q(a) for a square.
    """
    def at(*letters: str) -> tuple[float, ...]:
        u, v, r = (sum(UNITS[letter][axis] for letter in letters) for axis in range(3))
        x, y, n = coriolis_force(u, v, r, added)
        return x, y, n

    found = {}
    for pair in PRODUCTS:
        one, two = at(pair[0]), at(pair[1])
        mixed = one if pair[0] == pair[1] else tuple(
            both - first - second for both, first, second in zip(at(*pair), one, two))
        found.update({f'{force}{pair}': -value for force, value in zip(FORCES, mixed)})
    return found
