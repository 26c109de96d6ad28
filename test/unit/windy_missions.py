"""
Missions out and home again in current and wind, of boats that differ from their file as its own covariance says.

The truth shares no code with the product: thrust, drag, Munk's moment and the wind's force on hull and house, in
balance at the drift angle where no side force is left, found by bisection; two thrusters, none of which gives energy
back. What is known to the product differs from it: the boat's numbers, current, wind and charge.
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.way_home import HomeCosts, HomeDoubt, HomePlace, home_margin

CURRENT_STD, WIND_STD = 0.03, 1.0   # m/s, in each direction.
CHARGE_STD = 0.01                   # Of the capacity; a measured battery's was at most 0.9 % off in 24 runs.
SPEEDS = 0.8, 0.6, 0.4, 0.2                             # Over ground on the way out, m/s: the first that can be held.
HALVINGS = 50
RHO_AIR, CAPACITY = 1.184, 148.0 * 3600.0
NUMBERS = ('damping.linear.d11', 'damping.quadratic.d11', 'losses.efficiency', 'static_load')
UNITS = 'N s/m', 'N s^2/m^2', '-', 'W'
STD = (0.03, 0.05, 0.02, 0.05)                          # Of each, as a share of its value.
CORRELATION = ((1.0, -0.8, 0.3, -0.2), (-0.8, 1.0, 0.2, 0.1), (0.3, 0.2, 1.0, 0.4), (-0.2, 0.1, 0.4, 1.0))
HOME = [HomePlace('home', 0.0, 0.0)]


class TrueBoat(NamedTuple):
    """Drag linear and quadratic, masses kg, efficiency, hotel load W; 1/2 rho A c, kg/m; arm m, tilt, limit N."""

    d11: float = 12.0
    q11: float = 4.0
    efficiency: float = 0.5
    hotel: float = 6.0
    d22: float = 10.193
    q22: float = 60.0
    m11: float = 9.75
    m22: float = 10.364
    wind_x: float = 0.5 * RHO_AIR * 0.08 * 0.68
    wind_y: float = 0.5 * RHO_AIR * 0.18 * 1.11
    arm: float = 0.08
    axial: float = math.cos(math.radians(15.0))
    most: float = 11.5


class Missions(NamedTuple):
    """Of each mission: whether the battery was empty before home, and the share of the start's energy left at home."""

    stranded: np.ndarray
    wasted_share: np.ndarray


def boat_file(folder: Path, doubt: float = 1.0) -> Path:
    """Write the boat as its user knows it, with so many times its deviations, and return the file."""
    true = TrueBoat()
    value = dict(zip(NUMBERS, (true.d11, true.q11, true.efficiency, true.hotel)))
    noted = {name: {'value': value[name], 'std': doubt * std * value[name], 'unit': unit}
             for name, std, unit in zip(NUMBERS, STD, UNITS)}
    path = folder / 'windy.yaml'
    path.write_text(yaml.safe_dump({
        'base': 'lutra_prop', 'name': 'windy', 'static_load': noted[NUMBERS[3]],
        'losses': {'efficiency': noted[NUMBERS[2]]},
        'damping': {'linear': {'d11': noted[NUMBERS[0]]}, 'quadratic': {'d11': noted[NUMBERS[1]], 'd22': true.q22}},
        'correlation': {'numbers': list(NUMBERS), 'matrix': [list(row) for row in CORRELATION]}}))
    return path


def true_power(boat: TrueBoat, course: float, speed: float, current: tuple[float, float],
               wind: tuple[float, float]) -> float:
    """Return the power, W, at a speed over ground, m/s, on a course, rad; infinite beyond the thrusters' limits."""
    over = speed * math.cos(course), speed * math.sin(course)
    water, air = (over[0] - current[0], over[1] - current[1]), (wind[0] - over[0], wind[1] - over[1])
    along, blows = math.atan2(water[1], water[0]), math.hypot(*air)

    def seen(drift: float) -> tuple[float, ...]:
        """Return u, v through the water, u of the air, m/s, and the side force, N, where the bow is off by a drift."""
        yaw = along - drift
        c, s = math.cos(yaw), math.sin(yaw)
        u, v = c * water[0] + s * water[1], c * water[1] - s * water[0]
        air_u, air_v = c * air[0] + s * air[1], c * air[1] - s * air[0]
        return u, v, air_u, (boat.d22 + boat.q22 * abs(v)) * v - boat.wind_y * blows * air_v

    low, high = -0.5 * math.pi, 0.5 * math.pi
    at_low = seen(low)[3]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if (seen(middle)[3] > 0.0) == (at_low > 0.0):
            low = middle
        else:
            high = middle
    u, v, air_u, _ = seen(low)
    surge = (boat.d11 + boat.q11 * abs(u)) * u - boat.wind_x * blows * air_u
    turn = (boat.m22 - boat.m11) * u * v
    thrusts = [0.5 * surge / boat.axial + side * 0.5 * turn / (boat.arm * boat.axial) for side in (-1.0, 1.0)]
    if max(map(abs, thrusts)) > boat.most:
        return math.inf
    return sum(max(boat.axial * thrust * u, 0.0) for thrust in thrusts) / boat.efficiency + boat.hotel


def way_energy(boat: TrueBoat, place: tuple[float, float], speed: float, current: tuple[float, float],
               wind: tuple[float, float]) -> float:
    """Return what the straight way to the origin takes, J, at a speed over ground, m/s, or the highest below it."""
    course = math.atan2(-place[1], -place[0])
    for share in np.linspace(1.0, 0.05, 96):
        power = true_power(boat, course, share * speed, current, wind)
        if math.isfinite(power):
            return power * math.hypot(*place) / (share * speed)
    return math.inf


def windy_missions(number: int, seed: int, folder: Path, confidence: float = HomeDoubt().confidence,
                   boat_doubt: float = 1.0) -> Missions:
    """Return what came of missions that turned back when the product said so; the way out is straight."""
    rng = np.random.default_rng(seed)
    costs = HomeCosts(read_boat(boat_file(folder, boat_doubt)))
    factors = rng.multivariate_normal(np.ones(len(STD)), boat_doubt ** 2 * np.outer(STD, STD) * CORRELATION, number)
    nominal, doubt = TrueBoat(), HomeDoubt(confidence, CHARGE_STD * CAPACITY, CURRENT_STD, WIND_STD)
    stranded, wasted = np.zeros(number, bool), np.zeros(number)
    for n in range(number):
        boat = nominal._replace(d11=nominal.d11 * factors[n, 0], q11=nominal.q11 * factors[n, 1],
                                efficiency=nominal.efficiency * factors[n, 2], hotel=nominal.hotel * factors[n, 3])
        current, wind = (_any_way(rng, most) for most in (0.4, 7.0))
        known = Flow(*(current + rng.normal(0.0, CURRENT_STD, 2)), *(wind + rng.normal(0.0, WIND_STD, 2)))
        start, course = CAPACITY * rng.uniform(0.3, 1.0), rng.uniform(-math.pi, math.pi)
        told = start + CHARGE_STD * CAPACITY * rng.standard_normal()
        out = [(speed, true_power(boat, course, speed, current, wind)) for speed in SPEEDS]
        speed, power = next(((one, watts) for one, watts in out if math.isfinite(watts)), (0.0, boat.hotel))
        left = start
        if speed:       # Else it cannot even leave this way.
            velocity = speed * math.cos(course), speed * math.sin(course)
            for _ in range(2):
                costs.refresh(known, course + math.pi, 4, doubt)
            duration = home_margin(costs, (0.0, 0.0), velocity, power, told, 0.0, HOME, known, doubt).no_return_duration
            place = velocity[0] * duration, velocity[1] * duration
            way = home_margin(costs, place, (0.0, 0.0), power, told - power * duration, 0.0, HOME, known, doubt).way
            back = way_energy(boat, place, way.speed, current, wind) if way.distance else 0.0
            left = start - power * duration - back
        stranded[n], wasted[n] = left < 0.0, max(left, 0.0) / start
    return Missions(stranded, wasted)


def _any_way(rng: np.random.Generator, most: float) -> np.ndarray:
    strength, towards = rng.uniform(0.0, most), rng.uniform(-math.pi, math.pi)
    return np.array([strength * math.cos(towards), strength * math.sin(towards)])
