"""
The steady motion of a boat on a course over ground: heading, drift, thrusts and power, for many points at once.

A boat without sway thrust holds a course in a beam wind by drifting: its heading is the one at which the side forces
of wind, hull, keel and rudder balance. A boat whose thrusters give sway goes without drift. The heading is found
numerically, with the functions of the physics, so a new force law needs no change here.

Why this file has its own root search: scipy's `brentq` takes one point at a time, 0.42 s for 2000 headings of
lutra_prop in wind, while this takes 0.012 s (2026-11-27); scipy's vectorized `find_root` needs SciPy 1.15, and ROS 2
Jazzy's Ubuntu 24.04 has 1.11.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.allocation.boat_thrusts import no_multipliers, thrusts_of_force
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import STILL, Flow, Motion, Relative, WaveAction
from usv_energy.physics.waves.added_resistance import wave_action_along
from usv_energy.powering.actuators import foils_of_force
from usv_energy.powering.loads import long_run_powers, with_loads
from usv_energy.powering.power import Power, needed_of, power_rep103, steady_power_of_thrusts
from usv_energy.thrusters.drive import force_of_thrusts, thrust_limits
from usv_energy.thrusters.thruster import gives_sway

BLOCK = 32768           # points that are solved together; their arrays then stay in the processor's cache
HEADINGS = 17           # over half a turn, between which sign changes of the side force are found; odd, so 0 is one
ITERATIONS = 100        # at most; about 5 are needed
ROUNDED_ANGLE = 1e-15   # rad: brackets of this width are converged,
ROUNDED_FORCE = 1e-14   # and so are side forces of this share of those at the bracket's ends
FORCE_TOLERANCE = 1e-9  # error of force and moment that counts as feasible, relative to the largest thrust
ROUNDING = 1e-13        # side force that counts as zero, relative to the largest thrust

TOTAL = Power._fields.index('total') - len(Power._fields) - 1  # index of the total power, from the end of the fields
Pair = tuple[np.ndarray, np.ndarray]
Force = tuple[np.ndarray, np.ndarray, np.ndarray]
SideForce = Callable[[np.ndarray, np.ndarray], np.ndarray]


class SteadyMotion(NamedTuple):
    """
    Steady motions; all fields have one shape, `thrusts` holds such an array per thruster.

    `yaw` rad (ENU); velocity through the water `u_r`, `v_r` m/s, `r` rad/s (0); `surge_force` N and `yaw_moment` N m of
    the thrusters (without rudders); `thrusts` of each along its axis, N; `power` W; `feasible`: whether the thrusters
    are strong enough. If they are not, the other fields still say what the motion would take.
    """

    yaw: Any
    u_r: Any
    v_r: Any
    r: Any
    surge_force: Any
    yaw_moment: Any
    thrusts: tuple[Any, ...]
    power: Power
    feasible: Any


def steady_state(vessel: Vessel, course: Any, speed_over_ground: Any, flow: Flow) -> SteadyMotion:
    """
    Return the steady motion along a course over ground at a speed, in water and air that are the same everywhere.

    The boat goes bow first through the water. In a following wind that is strong compared with the hull's lateral drag
    several headings are possible; of those that can be held, the one of least power is taken. Current and wind are
    quasi-steady, and the energy of turning is left out. In a sea (`vessel.sea`) the mean added resistance of its waves
    acts against the bow.

    :param vessel: The Vessel.
    :param course: Direction of the motion over ground, rad (ENU); float or array.
    :param speed_over_ground: m/s; float or array.
    :param flow: The Flow, m/s; floats or arrays.
    :return: The SteadyMotion; all inputs are broadcast against each other. A point whose input is NaN is NaN and
        infeasible.
    :raises InputError: For a boat without thrusters.

    Source: thesis (4.17) with nu_r_dot = 0 and r = 0.
    """
    if not vessel.thrusters:
        raise InputError('the boat has no thruster, so it has no steady motion under power; usv-energy map polar has '
                         'its speeds under sail')
    given = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in (
        course, speed_over_ground, flow.current_x, flow.current_y, flow.wind_x, flow.wind_y)))
    flat = [array.ravel() for array in given]
    fields = [_steady_fields(vessel, *(array[first:first + BLOCK] for array in flat))
              for first in range(0, max(flat[0].size, 1), BLOCK)]
    shaped = [np.concatenate(parts).reshape(given[0].shape)[()] for parts in zip(*fields)]
    yaw, u_r, v_r, r, surge_force, yaw_moment, *rest, feasible = shaped
    split = len(vessel.thrusters)
    return SteadyMotion(yaw, u_r, v_r, r, surge_force, yaw_moment, tuple(rest[:split]), Power(*rest[split:]), feasible)


def highest_speed(vessel: Vessel, course: np.ndarray, flow: Flow, speeds: np.ndarray, points: int = 63,
                  rounds: int = 4) -> np.ndarray:
    """
    Return the highest speed over ground that the thrusters can hold on each course, m/s; NaN if they hold none.

    :param course: Over ground, rad (ENU), shape (N,).
    :param flow: m/s; arrays of the same shape, or floats.
    :param speeds: m/s, rising, shape (S,): the result lies between the last of them that can be held and the next one.
    :param points: Speeds between these two that are tried together in a round; 1 means bisection.
    :param rounds: Of the search.
    """
    held = steady_state(vessel, course, speeds[:, None], flow).feasible
    last = speeds.size - 1 - np.argmax(held[::-1], axis=0)
    top = highest_between(vessel, course, flow, speeds[last], speeds[np.minimum(last + 1, speeds.size - 1)], points,
                          rounds)
    return np.where(held.any(axis=0), top, np.nan)


def highest_between(vessel: Vessel, course: np.ndarray, flow: Flow, low: np.ndarray, high: np.ndarray, points: int,
                    rounds: int) -> np.ndarray:
    """Return the highest speed, m/s, that can be held between one that can, `low`, and one that cannot; shape (N,)."""
    share = np.arange(1, points + 1)[:, None] / (points + 1)
    columns = np.arange(low.size)
    for _ in range(rounds):
        inner = np.concatenate((low[None], (1.0 - share) * low + share * high, high[None]))
        held = steady_state(vessel, course, inner[1:-1], flow).feasible
        last = np.where(held.any(axis=0), points - np.argmax(held[::-1], axis=0), 0)
        low, high = inner[last, columns], inner[last + 1, columns]
    return low


def top_speed(vessel: Vessel) -> float:
    """Return the highest steady speed in still water and air, m/s, with all thrusters."""
    tried = np.append(0.0, 2.0 ** np.arange(11))
    return float(highest_speed(vessel, np.zeros(1), STILL, tried, points=63, rounds=8)[0])


def _steady_fields(vessel: Vessel, course: np.ndarray, speed: np.ndarray, *flow: np.ndarray) -> list[np.ndarray]:
    """Return the fields of SteadyMotion as a flat list, for flat arrays; `flow` is current x, y, wind x, y."""
    ground = speed * cos(course), speed * sin(course)
    water = ground[0] - flow[0], ground[1] - flow[1]        # of the boat through the water, earth frame
    air = flow[2] - ground[0], flow[3] - ground[1]          # apparent wind, earth frame
    # A boat that does not move through the water points its bow into the wind.
    still = (water[0] == 0.0) & (water[1] == 0.0)
    along = np.where(still, np.arctan2(-air[1], -air[0]), np.arctan2(water[1], water[0]))

    def side_force(drift: np.ndarray, some: np.ndarray) -> np.ndarray:
        return _missing_side_force(vessel, along[some] - drift, *((x[some], y[some]) for x, y in (water, air)))

    straight = np.where(np.isnan(along), np.nan, 0.0)
    if gives_sway(vessel.thrusters) or _goes_straight(vessel, side_force, straight, flow):
        drifts = [straight]
    else:
        drifts = _roots(side_force, course.size)
    fields = _fields(vessel, along - drifts[0], ground, water, air, flow)
    for drift in drifts[1:]:
        some = np.flatnonzero(~np.isnan(drift))
        parts: list[Any] = [tuple(part[some] for part in pair) for pair in (ground, water, air, flow)]
        other = _fields(vessel, along[some] - drift[some], *parts)
        held, total = fields[-1][some], fields[TOTAL][some]
        better = (other[-1] & ~held) | ((other[-1] == held) & (other[TOTAL] < total))
        for field, value in zip(fields, other):
            field[some[better]] = value[better]
    return fields


def _goes_straight(vessel: Vessel, side_force: SideForce, straight: np.ndarray, flow: tuple[np.ndarray, ...]) -> bool:
    """Return whether no point needs drift: the air moves with the water, and without drift no side force is missing."""
    if not (np.array_equal(flow[0], flow[2]) and np.array_equal(flow[1], flow[3])):
        return False
    missing = abs(side_force(straight, np.arange(straight.size)))
    return not np.any(missing > ROUNDING * _most_thrust(vessel))


def _most_thrust(vessel: Vessel) -> float:
    return max((max(abs(t.min_thrust), abs(t.max_thrust)) for t in vessel.thrusters), default=1.0)


def _fields(vessel: Vessel, yaw: np.ndarray, ground: Pair, water: Pair, air: Pair,
            flow: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    """Return the fields of SteadyMotion at headings as a flat list; ground, water and air in earth axes."""
    c, s = cos(yaw), sin(yaw)
    at = _relative(yaw, water, air)
    waves = _waves(vessel, yaw)
    force = _needed_force(vessel, at, waves)
    thrusts, angles, _ = thrusts_of_force(at, force, vessel)
    r = 0.0 * yaw
    if no_multipliers(0.0, vessel) is None:
        u, v = to_body(*ground, c, s)
        power = power_rep103(Motion(yaw, u, v, r, r, r, r), Flow(flow[0], flow[1], flow[2], flow[3]), vessel, waves)
    else:   # The search for the thrusts is most of the work; their power is computed without a second search.
        power = steady_power_of_thrusts(at, thrusts, angles, vessel, waves)
    power = with_loads(power, sum(long_run_powers(vessel.loads, np.hypot(*ground))))
    held = _is_feasible(vessel, at, thrusts, angles, force)
    power = Power(*(part + r for part in power))  # Some parts may be a single number: give them the full shape.
    return [yaw, at.u_r, at.v_r, r, force[0], force[2], *thrusts, *power, held]


def _relative(yaw: np.ndarray, water: Pair, air: Pair) -> Relative:
    """Return the Relative at headings; water and air in earth axes."""
    c, s = cos(yaw), sin(yaw)
    u_r, v_r = to_body(*water, c, s)
    return Relative(u_r, v_r, 0.0 * u_r, *to_body(*air, c, s))


def _waves(vessel: Vessel, yaw: np.ndarray) -> WaveAction | None:
    """Return the WaveAction of the sea that the boat is planned in; None in calm water."""
    return None if vessel.sea is None else wave_action_along(vessel.sea, yaw)


def _needed_force(vessel: Vessel, at: Relative, waves: WaveAction | None) -> Force:
    """Return the force that the thrusters must give to keep a motion steady: surge N, sway N, yaw moment N m."""
    rest = 0.0 * at.u_r
    force = needed_of(at, (rest, rest, rest), vessel, waves).force
    foils = foils_of_force(at, force, vessel)
    return force[0] - foils[0], force[1] - foils[1], force[2] - foils[2]


def _missing_side_force(vessel: Vessel, yaw: np.ndarray, water: Pair, air: Pair) -> np.ndarray:
    """Return the sway force, N, that is missing when the thrusters give the needed surge force and yaw moment."""
    at = _relative(yaw, water, air)
    force = _needed_force(vessel, at, _waves(vessel, yaw))
    if all(thruster.axis is None for thruster in vessel.thrusters):
        return force[1]
    given = force_of_thrusts(*thrusts_of_force(at, force, vessel)[:2], vessel.thrusters)
    return force[1] - given[1]


def _roots(function: SideForce, number_of_points: int) -> list[np.ndarray]:
    """
    Return the drift angles, rad, at which no side force is missing: all first ones, all second ones, ...

    The boat goes bow first, so half a turn is searched. The side forces at its ends are equal and opposite, so there is
    at least one root. Points without a second root have NaN there. If no force depends on the drift, it is 0.
    """
    every = np.arange(number_of_points)
    grid = np.linspace(-0.5 * np.pi, 0.5 * np.pi, HEADINGS)
    values = _over_grid(function, grid, every)
    changes = (values[:-1] > 0.0) != (values[1:] > 0.0)
    found, number = [], np.cumsum(changes, axis=0)
    for which in range(max(int(number[-1].max(initial=0)), 1)):
        some = np.flatnonzero(number[-1] > which)
        at = np.argmax(number[:, some] > which, axis=0)
        root = np.where(np.isnan(values[0]), np.nan, 0.0) if which == 0 else np.full(every.size, np.nan)
        root[some] = _bracketed_roots(lambda x, part, some=some: function(x, some[part]), grid[at], grid[at + 1],  # type: ignore
                              values[at, some], values[at + 1, some])
        found.append(root)
    return found


def _over_grid(function: SideForce, grid: np.ndarray, every: np.ndarray) -> np.ndarray:
    """Return the side force at each angle of a grid for each point, shape (angles, points), in one call if possible."""
    if every.size * grid.size > BLOCK:
        return np.array([function(np.full(every.size, angle), every) for angle in grid])
    return function(np.repeat(grid, every.size), np.tile(every, grid.size)).reshape(grid.size, every.size)


def _bracketed_roots(function: SideForce, low: np.ndarray, high: np.ndarray, f_low: np.ndarray,
             f_high: np.ndarray) -> np.ndarray:
    """
    Return the roots in brackets, to rounding; the values at the ends of a bracket differ in sign.

    Source: Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
    without using derivatives (1997); the first step is along the chord.
    """
    root: np.ndarray = 0.5 * (low + high)
    open_ = np.flatnonzero(~np.isnan(low))
    a, b, f_a, f_b = (end[open_] for end in (low, high, f_low, f_high))
    enough = ROUNDED_FORCE * np.maximum(abs(f_a), abs(f_b))
    t = f_a / np.where(f_a != f_b, f_a - f_b, 1.0)
    for _ in range(ITERATIONS):
        least = np.minimum(ROUNDED_ANGLE / abs(b - a), 0.5)  # The least step, which crosses a root next to `a`.
        x = a + np.clip(t, least, 1.0 - least) * (b - a)
        f_x = function(x, open_)
        same = (f_x > 0.0) == (f_a > 0.0)
        c, f_c, b, f_b = np.where(same, a, b), np.where(same, f_a, f_b), np.where(same, b, a), np.where(same, f_b, f_a)
        a, f_a = x, f_x
        root[open_] = np.where(abs(f_a) <= abs(f_b), a, b)
        kept = (np.minimum(abs(f_a), abs(f_b)) > enough) & (abs(b - a) > 2.0 * ROUNDED_ANGLE)
        open_ = open_[kept]
        if not open_.size:
            break
        a, b, c, f_a, f_b, f_c, enough = (end[kept] for end in (a, b, c, f_a, f_b, f_c, enough))
        t = _next_share(a, b, c, f_a, f_b, f_c)
    return root


def _next_share(a: np.ndarray, b: np.ndarray, c: np.ndarray, f_a: np.ndarray, f_b: np.ndarray,
                f_c: np.ndarray) -> np.ndarray:
    """Return the share of the way from a to b of a root, by inverse quadratic interpolation, or 0.5 (bisection)."""
    with np.errstate(divide='ignore', invalid='ignore'):
        xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
        smooth = (phi * phi < xi) & ((1.0 - phi) * (1.0 - phi) < 1.0 - xi)
        share = f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
    return np.where(smooth, share, 0.5)


def _is_feasible(vessel: Vessel, at: Relative, thrusts: tuple[np.ndarray, ...], angles: tuple[Any, ...],
              force: Force) -> np.ndarray:
    """Return whether thrusts lie within the thrusters' limits and add up to the needed force and moment."""
    slack = FORCE_TOLERANCE * _most_thrust(vessel)
    good: np.ndarray = np.isfinite(force[0]) & np.isfinite(force[2])
    for thrust, angle, thruster in zip(thrusts, angles, vessel.thrusters):
        least, most = thrust_limits(angle, thruster, at)
        good &= (thrust >= least - slack) & (thrust <= most + slack)
    given = force_of_thrusts(thrusts, angles, vessel.thrusters)
    good &= (abs(given[0] - force[0]) <= slack) & (abs(given[2] - force[2]) <= slack)
    if gives_sway(vessel.thrusters):
        good &= abs(given[1] - force[1]) <= slack
    return good
