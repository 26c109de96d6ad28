"""
The boat as a body for Gazebo: mass, floats, places, and the parameters of its Hydrodynamics system.

Approximate a foil's force by Gazebo's system Hydrodynamics: products of velocities along axes that turn with the foil.

Hydrodynamics gives a link forces in proportion to u abs(u), u abs(v), v abs(u) and v abs(v), with the velocities u and
v relative to moving water (or air) along the link's axes. A foil's force does not have this form, but it also grows
with the square of the speed. Three such links, one along the chord and two turned by 30 degrees, approximate it within
1 % at any angle of attack. The drag along the chord, and the slopes of both forces there, are exact, because they
matter most for a boat.

The system LiftDrag is not used. It takes the link's velocity over ground: in Fortress without any wind, in Harmonic
less the world's wind even for a keel, and in both without the current. Its lift is linear up to a stall.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import FRESH_WATER, Damping, Inertia, Vessel
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil
from usv_energy.foils.foil_force import foil_force
from usv_energy.physics.dynamics import coriolis_force
from usv_energy.thrusters.thruster import Thruster

TURNS = (0.0, math.pi / 6.0, -math.pi / 6.0)   # rad, of the links against the chord
TERMS = ('UabsU', 'UabsV', 'VabsU', 'VabsV')
AXES = 'xy'
MIRRORED = np.array([[1.0, 1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]])  # Signs of the terms for the mirrored flow.
ANGLES = np.radians(np.arange(0.0, 180.5, 0.5))
SMALL_ANGLE = 1e-6  # rad, for the slopes at zero angle of attack.
WEIGHT_FLOOR = 0.05  # Smallest force for the weights, as a share of the largest force.
DECIMALS = 6      # Of coefficients relative to the largest, so that all machines give the same.


class FoilFit(NamedTuple):
    """
    The non-zero elements of Hydrodynamics for each link of TURNS, N s^2/m^2, by name.

    `error`: the largest error of the force at any angle of attack, as a share of the largest force, (-).
    """

    links: tuple[dict[str, float], ...]
    error: float


def foil_fit(foil: Foil) -> FoilFit:
    """
    Return the elements of Hydrodynamics that give a foil's force at its centre of effort.

    :param foil: The Foil; its place and its slipstream are ignored.
    """
    columns, force = _element_forces(ANGLES), _force_of_foil(ANGLES, foil)
    largest = float(np.max(np.hypot(*force)))
    symmetric = _symmetric_sums()
    weights = largest / (WEIGHT_FLOOR * largest + np.hypot(*force))
    left = ((columns * weights).reshape(len(columns), -1).T) @ symmetric
    right = (force * weights).ravel() / largest
    fixed, value = _exact_conditions(foil)
    free = _constrained_least_squares(left, right, fixed @ symmetric, value / largest)
    found = largest * np.round(symmetric @ free, DECIMALS)
    error = np.max(np.hypot(*(np.einsum('n,nij->ij', found, columns) - force))) / largest
    table = found.reshape(len(TURNS), len(AXES), len(TERMS))
    return FoilFit(tuple({f'{axis}{term}': float(value) for axis, row in zip(AXES, link)
                          for term, value in zip(TERMS, row) if value} for link in table), float(error))


def _force_of_foil(angles: np.ndarray, foil: Foil) -> np.ndarray:
    """Return the force of a foil that moves at 1 m/s, N; rows: forward, to port; angles from its chord."""
    alone = foil._replace(x=0.0, y=0.0, aft=0.0, steer=None, wash=None)
    return np.array(foil_force(np.cos(angles), np.sin(angles), 0.0 * angles, None, alone)[:2])


def _element_forces(angles: np.ndarray) -> np.ndarray:
    """Return the force of each element with coefficient 1 at 1 m/s, N; axes: elements, forward and port, angles."""
    found = []
    for turn in TURNS:
        c, s = math.cos(turn), math.sin(turn)
        u, v = np.cos(angles - turn), np.sin(angles - turn)
        terms = (u * abs(u), u * abs(v), v * abs(u), v * abs(v))
        found += [(c * term, s * term) for term in terms]
        found += [(-s * term, c * term) for term in terms]
    return np.array(found)


def _symmetric_sums() -> np.ndarray:
    """Return the sums of elements, a column each, whose force is mirrored if the flow is."""
    own, both = [], []
    for place, sign in enumerate(MIRRORED.ravel()):
        column = np.zeros((len(TURNS), MIRRORED.size))
        column[1, place], column[2, place] = 1.0, sign
        both.append(column.ravel())
        if sign > 0.0:
            column = np.zeros((len(TURNS), MIRRORED.size))
            column[0, place] = 1.0
            own.append(column.ravel())
    return np.array(own + both).T


def _exact_conditions(foil: Foil) -> tuple[np.ndarray, np.ndarray]:
    """Return drag along the chord and both slopes there, which are exact: of the elements, a row each; of the foil."""
    angles = np.array([0.0, SMALL_ANGLE])
    columns, force = _element_forces(angles), _force_of_foil(angles, foil)
    rows = [(columns[:, 0, 0], force[0, 0])]
    rows += [((columns[:, axis, 1] - columns[:, axis, 0]) / SMALL_ANGLE,
              (force[axis, 1] - force[axis, 0]) / SMALL_ANGLE) for axis in range(2)]
    return np.array([row for row, _ in rows]), np.array([value for _, value in rows])


def _constrained_least_squares(left: np.ndarray, right: np.ndarray, fixed: np.ndarray,
                               value: np.ndarray) -> np.ndarray:
    """Return the x that minimizes abs(left x - right) subject to fixed x = value, by Lagrange multipliers."""
    size, constraints = left.shape[1], len(fixed)
    matrix = np.block([[left.T @ left, fixed.T], [fixed, np.zeros((constraints, constraints))]])
    found: np.ndarray = np.linalg.solve(matrix, np.concatenate((left.T @ right, value)))
    return found[:size]


WATER_DENSITY = FRESH_WATER
GRAVITY = 9.80665        # m/s^2, standard gravity, CGPM (1901).
PROPELLER_DIAMETER = 0.08  # m, for display only: the system Thruster gives the commanded thrust with any diameter.
SMALL_SHARE = 1e-5       # Mass of a propeller, pod or foil over the boat's; so small that spinning it turns no boat.

FORCES = 'xyn'
UNITS = {'U': (1.0, 0.0, 0.0), 'V': (0.0, 1.0, 0.0), 'R': (0.0, 0.0, 1.0)}
PRODUCTS = ('UU', 'VV', 'RR', 'UV', 'UR', 'VR')


class HullSize(NamedTuple):
    """Outer size of the hull: length, width, height, m."""

    length: float
    width: float
    height: float


class Floats(NamedTuple):
    """
    Four equal spheres, partly submerged, that carry the boat; nothing collides with them.

    `radius`, m; `depth`: depth of the submerged caps at rest, m; `distance`: of the centres from the boat's centre,
    ahead and abeam, m.

    They are spheres because Gazebo's graded buoyancy ignores the tilt of shapes, and before gz-math 6.16 computes a
    wrong volume for boxes. A sphere does not change when tilted, and its submerged volume is right in every version.
    """

    radius: float
    depth: float
    distance: float

    @property
    def height(self) -> float:
        """Height of the centres above the water at rest, m."""
        return self.radius - self.depth

    @property
    def places(self) -> tuple[tuple[float, float, float], ...]:
        """Centres x, y, z, m."""
        return tuple((x * self.distance, y * self.distance, self.height) for x in (-1.0, 1.0) for y in (1.0, -1.0))

    @property
    def weight(self) -> float:
        """Weight of the water that they displace at rest, N."""
        cap = math.pi * self.depth ** 2 * (3.0 * self.radius - self.depth) / 3.0
        return 4.0 * WATER_DENSITY * GRAVITY * cap

    @property
    def stiffness(self) -> tuple[float, float]:
        """
        Restoring force of heave, N/m, and restoring moment of roll and of pitch, N m/rad, at rest.

        They follow from the area and the second moment of the waterplanes, less the moment that Gazebo loses because
        it turns the centre of buoyancy of a cap with the hull.
        """
        plane = WATER_DENSITY * GRAVITY * math.pi * (2.0 * self.radius - self.depth) * self.depth
        centre = 3.0 * (2.0 * self.radius - self.depth) ** 2 / (4.0 * (3.0 * self.radius - self.depth))
        return 4.0 * plane, 4.0 * plane * self.distance ** 2 - (centre - self.height) * self.weight


class Solid(NamedTuple):
    """Mass, kg; centre of mass x, y, z, m; principal moments of inertia about it, kg m^2, along the axes."""

    mass: float
    centre: tuple[float, float, float]
    moments: tuple[float, float, float]


class ThrusterPlace(NamedTuple):
    """Place of a thruster x, y, z, m, the pitch of its axis, rad (positive: bow end down), and its yaw."""

    position: tuple[float, float, float]
    pitch: float
    yaw: float = 0.0


class Body(NamedTuple):
    """
    The body of a boat: hull size, floats, hull without links, thrusters, and foils with the places of their forces, m.

    `small`: the solid of every link that turns or has its own force: propellers, pods, the three links of a foil.
    """

    size: HullSize
    floats: Floats
    hull: Solid
    thrusters: tuple[tuple[str, Thruster, ThrusterPlace], ...]
    foils: tuple[tuple[str, Foil, tuple[float, float, float]], ...]
    small: Solid


def body_of(boat: Boat) -> Body:
    """
    Return the body of a boat for Gazebo.

    :raises InputError: As `hull_size`, and for a tilted thruster that turns or stands at an angle.
    """
    size, vessel = hull_size(boat), boat.vessel
    _check_tilts(boat)
    mass = rigid_mass(vessel.inertia)
    moment = 0.4 * SMALL_SHARE * mass * (0.5 * PROPELLER_DIAMETER) ** 2  # Of a sphere, so that it does not vibrate.
    small = Solid(SMALL_SHARE * mass, (0.0, 0.0, 0.0), (moment, moment, moment))
    thrusters = [(name, thruster, thruster_place(thruster))
                 for name, thruster in zip(boat.thruster_names, vessel.thrusters)]
    foils = [(name, foil, (foil.x - foil.aft, foil.y, 0.0)) for name, foil in zip(boat.foil_names, vessel.foils)]
    places = [place.position for _, thruster, place in thrusters for _ in range(1 if thruster.azimuth is None else 2)]
    places += [place for _, _, place in foils for _ in TURNS]
    return Body(size, floats_of(mass, size), hull_solid(vessel.inertia, [(place, small) for place in places]),
                tuple(thrusters), tuple(foils), small)


def _check_tilts(boat: Boat) -> None:
    for name, thruster in zip(boat.thruster_names, boat.vessel.thrusters):
        if thruster.efficiency_of_tilt < 1.0 and (thruster.azimuth is not None or thruster.axis is not None):
            raise InputError(f'{boat.path}: the thruster {name} is tilted, and turns or stands at an angle; in a '
                             'Gazebo model only a thruster that is fixed straight ahead can have a tilt')


def hull_size(boat: Boat) -> HullSize:
    """
    Return the size of the hull from the boat's file.

    :raises InputError: If the file does not have the size, which only Gazebo needs.
    """
    missing = [key for key in HullSize._fields if getattr(boat.hull, key) is None]
    if missing:
        raise InputError(f'{boat.path}: hull lacks the key {missing[0]!r}; a Gazebo model needs '
                         f'{", ".join(HullSize._fields)}, in m')
    return HullSize(*(float(getattr(boat.hull, key)) for key in HullSize._fields))


def rigid_mass(inertia: Inertia) -> float:
    """
    Return the mass of the rigid body in Gazebo, kg: the larger of m11 and m22.

    The differences of m11 and m22 to it become added mass in Hydrodynamics, which is then zero or negative. Any other
    split gives the same motion, but Hydrodynamics computes the force of the added mass from the acceleration of the
    last step. That diverges if the added mass exceeds the body's, which a negative one cannot.
    """
    return max(inertia.m11, inertia.m22)


def floats_of(mass: float, size: HullSize) -> Floats:
    """
    Return the floats that carry a mass, with the waterplane area of a box of the hull's length and width.

    Their distance, ahead and abeam, is the longitudinal radius of gyration of that box. So the boat is as stiff in roll
    as in pitch, and the vertical part of a tilted thrust, which a planar model ignores, does not tip it.

    :param mass: kg.
    :param size: Size of the hull.

    Source: a cap of base radius a and depth h has the volume pi h (3 a^2 + h^2) / 6, a cubic in h with one real root;
    its sphere's radius is (a^2 + h^2) / (2 h).
    """
    volume, base = 0.25 * mass / WATER_DENSITY, (0.25 * size.length * size.width / math.pi) ** 0.5
    depth = 2.0 * base * math.sinh(math.asinh(3.0 * volume / (math.pi * base ** 3)) / 3.0)
    return Floats((base ** 2 + depth ** 2) / (2.0 * depth), depth, size.length / math.sqrt(12.0))


def thruster_place(thruster: Thruster) -> ThrusterPlace:
    """
    Return the place and direction of a thruster.

    The boat file gives x, y, the angle and the efficiency of the tilt, which is its cosine. The depth is chosen so that
    the line of thrust meets the transverse axis through the centre of mass. So a tilted thrust lifts the boat by
    millimetres and heels it by a degree at most, but does not pitch it. A thruster that turns points ahead.
    """
    if thruster.axis is not None:
        return ThrusterPlace((thruster.x, thruster.y, 0.0), 0.0, math.atan2(thruster.axis[1], thruster.axis[0]))
    tilt = math.acos(min(thruster.efficiency_of_tilt, 1.0))
    ahead = thruster.x > 0.0
    return ThrusterPlace((thruster.x, thruster.y, -abs(thruster.x) * math.tan(tilt)), tilt if ahead else -tilt)


def hull_solid(inertia: Inertia, small: list[tuple[tuple[float, float, float], Solid]]) -> Solid:
    """
    Return the hull without its small links, so that both together have the rigid mass, m33, and their centre at 0.

    Roll and pitch have the inertia of yaw, because a boat file does not have theirs. Such a body is possible, and heels
    slowly enough for the step.

    :param small: The small links, each with its place x, y, z, m.
    :raises ValueError: If the small links alone have more inertia than the boat.
    """
    total = rigid_mass(inertia)
    mass = total - sum(solid.mass for _, solid in small)
    x, y, z = (-sum(solid.mass * place[axis] for place, solid in small) / mass for axis in range(3))
    parts = [(solid, place) for place, solid in small]
    parts.append((Solid(mass, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), (x, y, z)))
    taken = [sum(solid.moments[axis] + solid.mass * sum(c * c for other, c in enumerate(at) if other != axis)
                 for solid, at in parts) for axis in range(3)]
    moments = [inertia.m33 - part for part in taken]
    if min(moments) <= 0.0:
        raise ValueError('the small links have more inertia than the boat')
    return Solid(mass, (x, y, z), (moments[0], moments[1], moments[2]))


def added_inertia(inertia: Inertia) -> Inertia:
    """Return the boat's inertia less that of the rigid body, kg, kg m; zero or less on the diagonal."""
    mass = rigid_mass(inertia)
    return Inertia(inertia.m11 - mass, inertia.m22 - mass, 0.0, inertia.m23)


def parameters_of(vessel: Vessel, floats: Floats, hull: Solid) -> dict[str, float]:
    """
    Return the non-zero elements of the plugin Hydrodynamics.

    :param vessel: The Vessel, for surge, sway and yaw.
    :param floats: The floats, for the critical damping of heave, roll and pitch.
    :param hull: The hull, for the moments of inertia of roll and pitch.
    """
    added, damping = added_inertia(vessel.inertia), vessel.damping
    every = {
        'xDotU': -added.m11, 'yDotV': -added.m22, 'nDotR': -added.m33, 'yDotR': -added.m23, 'nDotV': -added.m23,
        **_products(added),
        'xU': -damping.d11, 'yV': -damping.d22, 'nR': -damping.d33, 'yR': -damping.d23, 'nV': -damping.d32,
        'xUabsU': -damping.d11_q - wave_as_quadratic(damping), 'yVabsV': -damping.d22_q, 'nRabsR': -damping.d33_q,
        'yVabsU': -damping.d22_u, 'nRabsU': -damping.d33_u}
    every['yUR'] -= damping.d23_u
    every['nUV'] -= damping.d32_u
    # Critical damping of heave, roll and pitch, 2 sqrt(k m).
    heave, tilt = floats.stiffness
    for name, stiffness, inertia in (('zW', heave, rigid_mass(vessel.inertia)), ('kP', tilt, hull.moments[0]),
                                     ('mQ', tilt, hull.moments[1])):
        every[name] = -2.0 * (stiffness * inertia) ** 0.5
    return {key: value for key, value in every.items() if value != 0.0}


def wave_as_quadratic(damping: Damping) -> float:
    """Return the quadratic drag nearest to a hull's wave-making resistance, N s^2/m^2, by least squares in N."""
    if damping.wave is None:
        return 0.0
    pairs = list(zip(damping.wave.speed, damping.wave.coefficient))
    return float(damping.wave.scale * sum(c * u ** 4 for u, c in pairs) / sum(u ** 4 for u, _ in pairs))


def _products(added: Inertia) -> dict[str, float]:
    """
    Return the Coriolis force of the added mass as coefficients of products of velocities.

    It is a quadratic form q, so the coefficient of a square is q(a), and that of a product q(a + b) - q(a) - q(b).
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
