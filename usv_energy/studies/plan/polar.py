"""
Polar diagrams: the speed of a boat by the angle of its heading to the true wind, under sail or at full thrust.

A boat with a sail goes under sail, thrusters off: its sails are trimmed, its rudders balance the yaw moment, and its
keel balances the side force at an angle of leeway. Any other boat goes at the highest speed that its thrusters hold.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.checks import has_sail
from usv_energy.boats.vessel import Vessel
from usv_energy.engine.sweep.results_file import provenance, write_dataset
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.foils.foil import Foil
from usv_energy.foils.foil_force import driving_sail_angle, foil_force_of, rudder_angle_of_moment, sail_angle
from usv_energy.physics.dynamics import coriolis_force, damping_force
from usv_energy.physics.motion import Flow, Relative
from usv_energy.physics.wind import wind_force
from usv_energy.powering.loads import long_run_powers
from usv_energy.studies.plan.steady_motion import highest_speed, steady_state

TRIMS = ('half', 'drive')   # a sail at half the apparent wind's angle, or at the angle of the most driving force
SPEED_RATIOS = np.append(0.0, np.geomspace(0.004, 2.5, 34))    # first grid of the speed ahead over that of the wind
ITERATIONS = 24             # of the root search; about 10 are needed
Array = np.ndarray


@dataclass(frozen=True)
class PolarDiagram:
    """
    A polar diagram; arrays of shape (angles, wind speeds).

    `angles_deg`: from the bow to where the true wind comes from, counter-clockwise, deg, shape (A,). `wind_speeds`:
    true wind at the boat, m/s, shape (W,). `speed`: through the water, m/s; 0 without headway, NaN if the heading
    cannot be held. `leeway_deg`: from the bow to the motion, to port positive. `sail_deg`, `rudder_deg`: angles of the
    first sail and the first rudder, NaN without one. `power`: total electrical power, W.
    """

    angles_deg: Array
    wind_speeds: Array
    trim: str | None
    speed: Array
    leeway_deg: Array
    sail_deg: Array
    rudder_deg: Array
    power: Array

    def made_good(self) -> Array:
        """Return the speed made good against the wind, m/s; negative with the wind."""
        course = np.radians(self.angles_deg[:, None] - self.leeway_deg)
        return self.speed * np.cos(np.where(self.speed > 0.0, course, 0.0))


@dataclass(frozen=True)
class PolarStudy:
    """A polar diagram of a boat, and the computing time, s."""

    boat: Boat
    polar: PolarDiagram
    wall: float


def polar_study(boat: Boat, wind_speeds: Sequence[float], angles_deg: Sequence[float],
                trim: str | None = None) -> PolarStudy:
    """
    Return the polar diagram of a boat as its file describes it; arguments and errors as of `polar_of`.

    :raises InputError: Besides, if a wind is not above 0.
    """
    if not min(wind_speeds) > 0.0:
        raise InputError(f'a polar diagram in wind of {min(wind_speeds):g} m/s; must be greater than 0')
    begin = time.perf_counter()
    return PolarStudy(boat, polar_of(boat.vessel, wind_speeds, angles_deg, trim), time.perf_counter() - begin)


def polar_of(vessel: Vessel, wind_speeds: Sequence[float], angles_deg: Sequence[float],
             trim: str | None = None) -> PolarDiagram:
    """
    Return a polar diagram, in still water.

    :param vessel: The Vessel.
    :param wind_speeds: True wind, m/s, above 0.
    :param angles_deg: From the bow to where the true wind comes from, counter-clockwise, deg.
    :param trim: One of TRIMS, of boats with a sail; None: as the boat's sails are trimmed.
    """
    angles, winds = np.array(angles_deg, dtype=float), np.array(wind_speeds, dtype=float)
    off_bow, speeds = (grid.ravel() for grid in np.meshgrid(np.radians(angles), winds, indexing='ij'))
    sails = has_sail(vessel)
    if trim is None:
        trim = 'drive' if any(foil.drives is not None for foil in vessel.foils) else 'half'
    parts = _under_sail(vessel, off_bow, speeds, trim) if sails else _at_full_thrust(vessel, off_bow, speeds)
    shape = angles.size, winds.size
    return PolarDiagram(angles, winds, trim if sails else None, *(part.reshape(shape) for part in parts))


def _under_sail(vessel: Vessel, off_bow: Array, wind: Array, trim: str) -> tuple[Array, ...]:
    """Return the parts of a PolarDiagram, flat, at the highest steady speed under sail."""
    # That speed lies between the last of the grid with a net driving force, and the next one.
    driven = _net_drive(vessel, SPEED_RATIOS[:, None] * wind, off_bow, wind, trim)[0] > 0.0
    going = driven.any(axis=0)
    last = np.where(going, SPEED_RATIOS.size - 1 - np.argmax(driven[::-1], axis=0), 0)
    u = _root(lambda ahead: _net_drive(vessel, ahead, off_bow, wind, trim)[0], SPEED_RATIOS[last] * wind,
              SPEED_RATIOS[np.minimum(last + 1, SPEED_RATIOS.size - 1)] * wind)
    _, sideways, sail, rudder, held = _net_drive(vessel, u, off_bow, wind, trim)
    speed = np.where(going, np.where(held, np.hypot(u, sideways), np.nan), 0.0)
    leeway, sail, rudder = (np.degrees(np.where(going, angle, np.nan))
                            for angle in (np.arctan2(sideways, u), sail, rudder))
    power = vessel.static_load + sum(long_run_powers(vessel.loads, speed)) + np.zeros(wind.size)
    return speed, leeway, sail, rudder, power


def _net_drive(vessel: Vessel, u: Array, off_bow: Array, wind: Array, trim: str) -> tuple[Array, ...]:
    """
    Return the net force ahead at a speed ahead, N, with side force and yaw moment balanced.

    Also returns the sway velocity, m/s, the angles of sail and rudder, rad, and whether the yaw moment is balanced.
    """
    most = 2.0 * (wind + abs(u))  # The side force falls with the sway velocity, so there is one root within this.
    v = _root(lambda aside: _net_force(vessel, u, aside, off_bow, wind, trim)[1], -most, most)
    surge, _, yaw, size, sail, rudder = _net_force(vessel, u, v, off_bow, wind, trim)
    return surge, v, sail, rudder, abs(yaw) <= 1e-6 * size


def _root(function: Callable[[Array], Array], one: Array, other: Array) -> Array:
    """
    Return the roots of functions between two ends at which their signs differ; if they do not, a place near one end.

    Source: Dowell and Jarratt, A modified regula falsi method (1971), the "Illinois" rule; some of the first steps
    bisect.
    """
    f_one, f_other = function(one), function(other)
    for step in range(ITERATIONS):
        slope = f_other - f_one
        flat = (slope == 0.0) | (step % 4 == 3 and step < ITERATIONS // 2)
        x = np.where(flat, 0.5 * (one + other), other - f_other * (other - one) / np.where(flat, 1.0, slope))
        f_x = function(x)
        crossed = (f_x > 0.0) != (f_other > 0.0)
        one, f_one = np.where(crossed, other, one), np.where(crossed, f_other, 0.5 * f_one)
        other, f_other = x, f_x
    return other


def _net_force(vessel: Vessel, u: Array, v: Array, off_bow: Array, wind: Array, trim: str) -> tuple[Array, ...]:
    """Return net surge force, sway force and yaw moment, the sum of absolute moments, the angles of sail and rudder."""
    still = 0.0 * (u + v)
    at = Relative(u, v, still, -wind * np.cos(off_bow) - u, -wind * np.sin(off_bow) - v)
    hull = [wind_force(at.u_w, at.v_w, vessel.windage)]
    hull += [tuple(-force for force in forces) for forces in (coriolis_force(u, v, still, vessel.inertia),
                                                              damping_force(u, v, still, vessel.damping))]
    thrusts, nothing = tuple(still for _ in vessel.thrusters), still + np.nan
    angles: dict[str, Any] = {'sail': nothing, 'rudder': nothing}
    rudders: list[Foil] = []
    for foil in reversed(vessel.foils):
        if foil.steer is not None and foil.sail is None:
            rudders.insert(0, foil)
            continue
        angle = None
        if foil.steer is not None:
            angle = (sail_angle(at.u_w, at.v_w, foil.steer) if trim == 'half' else
                     driving_sail_angle(at.u_w, at.v_w, foil))
            angles['sail'] = angle
        hull.append(foil_force_of(angle, foil, at, thrusts))
    surge, sway, yaw = (sum(parts) for parts in zip(*hull))
    size = sum(abs(force[2]) for force in hull) + 1e-12
    wanted = -yaw / max(len(rudders), 1)
    for foil in reversed(rudders):
        angles['rudder'] = rudder_angle_of_moment(wanted, foil, at, thrusts)
        x, y, n = foil_force_of(angles['rudder'], foil, at, thrusts)
        surge, sway, yaw = surge + x, sway + y, yaw + n
    return surge, sway, yaw, size, angles['sail'], angles['rudder']


def _at_full_thrust(vessel: Vessel, off_bow: Array, wind: Array) -> tuple[Array, ...]:
    """Return the parts of a PolarDiagram, flat, at the highest speed that the thrusters hold; the boat heads east."""
    flow = Flow(0.0, 0.0, -wind * np.cos(off_bow), -wind * np.sin(off_bow))
    tried, course = np.append(0.0, 2.0 ** np.arange(-4, 6)), 0.0 * wind
    for _ in range(4):  # Find the course on which the boat heads east, with its leeway.
        speed = highest_speed(vessel, course, flow, tried)
        motion = steady_state(vessel, course, speed, flow)
        course = np.where(np.isfinite(motion.yaw), course - motion.yaw, 0.0)
    nothing = np.full(wind.size, np.nan)
    return speed, np.degrees(np.arctan2(motion.v_r, motion.u_r)), nothing, nothing, motion.power.total


def write_polar(study: PolarStudy, path: Path, command: str) -> None:
    """
    Write a polar diagram as netCDF (`.nc`) or zarr (`.zarr`), with the command that wrote it and the boat's file.

    :raises OSError: If it cannot be written.
    """
    text = yaml.safe_dump(read_with_base('boats', study.boat.path), sort_keys=False, allow_unicode=True)
    attributes = provenance(f'Polar diagram of {study.boat.name}', command, {'boat': text})
    write_dataset(polar_dataset(study.polar).assign_attrs(attributes), path)


def polar_dataset(polar: PolarDiagram) -> Any:
    """Return a polar diagram as an xarray Dataset with units."""
    dims = ('wind_angle', 'wind_speed')
    about = {'speed': ('m s-1', 'speed through the water'), 'leeway_deg': ('degree', 'motion off the bow, to port'),
             'sail_deg': ('degree', 'angle of the first sail from the bow, counter-clockwise'),
             'rudder_deg': ('degree', 'angle of the first rudder from the bow, counter-clockwise'),
             'power': ('W', 'total electrical power')}
    variables = {name: (dims, getattr(polar, name), {'units': unit, 'long_name': meaning})
                 for name, (unit, meaning) in about.items()}
    variables['made_good'] = (dims, polar.made_good(), {'units': 'm s-1', 'long_name': 'speed against the wind'})
    coordinates = {
        'wind_angle': ('wind_angle', polar.angles_deg, {
            'units': 'degree', 'long_name': 'from the bow to where the true wind comes from, counter-clockwise'}),
        'wind_speed': ('wind_speed', polar.wind_speeds, {'units': 'm s-1', 'long_name': 'true wind at the boat'})}
    return optional('xarray', 'sweep', 'maps as labelled arrays').Dataset(variables, coordinates)
