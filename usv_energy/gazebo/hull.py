"""The boat as a body for Gazebo: mass, floats, places, and the parameters of its Hydrodynamics system."""

import math
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.inertia import FRESH_WATER
from usv_energy.boats.vessel import Damping, Inertia, Vessel
from usv_energy.files.errors import InputError
from usv_energy.foils.foil import Foil
from usv_energy.gazebo.foil_fit import TURNS
from usv_energy.physics.dynamics import coriolis_force
from usv_energy.thrusters.thruster import Thruster

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
