"""
Cruises of a boat whose drag, water, air and sensors are known here and not to those who judge its hull.

The truth shares no code with the product: surge by d11 u + d11_q u |u| and the wind's drag, sway by the balance of the
side forces, thrust power over a constant efficiency, a hotel load. Odometry errs by white noise, by a slow error and by
a compass that is mounted askew; volts and amperes by gain, offset and noise.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

STEP = 0.5  # s.


class CruisingBoat(NamedTuple):
    """Mass kg; drag of surge and of sway N s/m, N s^2/m^2; areas times coefficient m^2; efficiency; hotel load, W."""

    name: str
    mass: float
    d11: float
    d11_q: float
    d22: float
    d22_q: float
    ahead: float
    aside: float
    air_density: float
    efficiency: float
    hotel: float
    speed: float


LUTRA = CruisingBoat('lutra_prop', 9.75, 16.296, 0.0, 10.193, 0.0, 0.08 * 0.68, 0.18 * 1.11, 1.184, 0.5, 6.0, 1.0)
BLUEBOAT = CruisingBoat('blueboat_start', 25.0, 5.0, 10.0, 50.0, 100.0, 0.15 * 0.7, 0.25 * 1.0, 1.225, 0.5, 10.0, 1.5)
BOATS = {boat.name: boat for boat in (LUTRA, BLUEBOAT)}


class Water(NamedTuple):
    """
    What water and air do: tide m/s (amplitude and mean of each component), eddies m/s and s; mean wind, gusts m/s.

    `shear`: m/s by which the current changes within `shear_width` s at times `shear_period` s apart (0: never).
    """

    tide: float = 0.3
    mean: float = 0.2
    eddies: float = 0.02
    eddy_time: float = 60.0
    wind: float = 4.0
    gusts: float = 0.12
    shear: float = 0.0
    shear_period: float = 3600.0
    known: bool = False


class Cruise(NamedTuple):
    """Lengths of legs, s, from to; `pattern`: lanes, boxes, random or straight; drag factor over time, s."""

    pattern: str = 'lanes'
    leg: tuple[float, float] = (60.0, 150.0)
    drag: Callable[[float], float] = lambda time: 1.0
    held: str = 'ground'


class Told(NamedTuple):
    """What the boat's own sensors say: as CruiseSample, and the true drag factor."""

    time: float
    yaw: float
    u: float
    v: float
    current_x: float
    current_y: float
    wind_x: float
    wind_y: float
    watts: float
    drag: float


def tell(boat: CruisingBoat, cruise: Cruise, water: Water, duration: float, seed: int) -> Iterator[Told]:
    """Yield what is told every STEP of a cruise, s."""
    rng = np.random.default_rng(seed)
    course = _courses(cruise, duration, rng)
    current = _currents(water, duration, rng)
    wind, known_wind = _winds(water, duration, rng)
    n = len(course)
    white = rng.normal(0.0, 0.05, (n, 2))
    slow = _wandering(n, 0.015, 30.0, rng), _wandering(n, 0.015, 30.0, rng)
    wander, compass = _wandering(n, math.radians(2.0), 5.0, rng), rng.normal(0.0, math.radians(1.5))
    yaw_noise = rng.normal(0.0, math.radians(0.5), n)
    gain, offset = 1.0 + rng.normal(0.0, 0.01), rng.normal(0.0, 0.05)
    amperes_noise, hotel = rng.normal(0.0, 0.2, n), boat.hotel * (1.0 + rng.normal(0.0, 0.05))
    error = rng.normal(0.0, 0.05, 2) if water.known else None
    wet, yaw = boat.speed, float(course[0])
    through = boat.speed * math.exp(rng.normal(0.0, 0.05))
    for k in range(n):
        time = k * STEP
        turn = math.remainder(float(course[k]) - yaw, 2.0 * math.pi)
        rate = max(-0.2, min(0.2, turn))
        yaw += rate * STEP
        heading = yaw + float(wander[k])
        c, s = math.cos(heading), math.sin(heading)
        ahead = current[k][0] * c + current[k][1] * s, wind[k][0] * c + wind[k][1] * s
        aside = current[k][1] * c - current[k][0] * s, wind[k][1] * c - wind[k][0] * s
        factor = cruise.drag(time)
        over = wet + ahead[0]
        air = ahead[1] - over
        drag = factor * (boat.d11 * wet + boat.d11_q * wet * abs(wet)) - 0.5 * boat.air_density * boat.ahead * air \
            * abs(air)
        wanted = through - over if cruise.held == 'ground' else through - wet
        thrust = max(0.0, drag + boat.mass * 0.5 * wanted)
        sideways = _balance(boat, aside[1] - aside[0])
        watts = thrust * wet / boat.efficiency * (1.0 + 0.5 * abs(rate)) + hotel
        wet = max(0.05, wet + (thrust - drag) / boat.mass * STEP)
        over_port = aside[0] + sideways
        volts = 15.0
        amperes = gain * watts / volts + offset + amperes_noise[k]
        # The receiver gives the velocity in the earth frame; the compass turns it into the body's.
        shown = heading + compass + float(yaw_noise[k])
        off = shown - heading
        u, v = over + white[k][0] + slow[0][k], over_port + white[k][1] + slow[1][k]
        said = (current[k][0] + error[0], current[k][1] + error[1]) if error is not None else (0.0, 0.0)
        yield Told(time, math.remainder(shown, 2.0 * math.pi), u * math.cos(off) + v * math.sin(off),
                   v * math.cos(off) - u * math.sin(off), said[0], said[1], known_wind[k][0], known_wind[k][1],
                   volts * amperes, factor)


def _balance(boat: CruisingBoat, air: float) -> float:
    """Return the sway through the water, m/s, at which drag and wind, m/s to port over the water, are equal."""
    force = 0.5 * boat.air_density * boat.aside * air * abs(air)
    if not boat.d22_q:
        return force / boat.d22
    return math.copysign((math.sqrt(boat.d22 ** 2 + 4.0 * boat.d22_q * abs(force)) - boat.d22) / (2.0 * boat.d22_q),
                         force)


def _wandering(n: int, deviation: float, time: float, rng: np.random.Generator) -> np.ndarray:
    """Return a series that forgets itself within a time, s, of a standard deviation."""
    keep = math.exp(-STEP / time)
    noise = rng.normal(0.0, deviation * math.sqrt(1.0 - keep * keep), n)
    out = np.empty(n)
    value = rng.normal(0.0, deviation)
    for k in range(n):
        value = keep * value + noise[k]
        out[k] = value
    return out


def _courses(cruise: Cruise, duration: float, rng: np.random.Generator) -> np.ndarray:
    course, out, number = rng.uniform(-math.pi, math.pi), [], 0
    while len(out) * STEP < duration:
        out += [course] * max(1, round(rng.uniform(*cruise.leg) / STEP))
        number += 1
        if cruise.pattern == 'lanes':
            course += math.pi
        elif cruise.pattern == 'boxes':
            course += 0.5 * math.pi
        elif cruise.pattern == 'random':
            course = rng.uniform(-math.pi, math.pi)
    return np.array(out[:round(duration / STEP)])


def _currents(water: Water, duration: float, rng: np.random.Generator) -> np.ndarray:
    n = round(duration / STEP)
    time = STEP * np.arange(n)
    out = np.empty((n, 2))
    for axis in range(2):
        tide = water.tide * np.sin(2.0 * np.pi * time / 44714.0 + rng.uniform(0.0, 2.0 * np.pi))  # M2
        out[:, axis] = rng.uniform(-1.0, 1.0) * water.mean + tide + _wandering(n, water.eddies, water.eddy_time, rng)
    if water.shear:
        for at in np.arange(rng.uniform(0.0, water.shear_period), duration, water.shear_period):
            towards, side = rng.uniform(-np.pi, np.pi), rng.uniform(0.3, 1.0) * water.shear
            lasts = rng.uniform(600.0, 3000.0)
            within = 0.5 * (np.tanh((time - at) / 10.0) - np.tanh((time - at - lasts) / 10.0))
            out += side * within[:, None] * np.array([np.cos(towards), np.sin(towards)])
    return out


def _winds(water: Water, duration: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the true wind and the known one, m/s, (n, 2): slow changes, gusts; the known one lacks the gusts."""
    n = round(duration / STEP)
    towards, strength = rng.uniform(-np.pi, np.pi), rng.uniform(0.0, water.wind)
    slow = np.column_stack([strength * np.cos(towards) + _wandering(n, 0.15 * strength, 1800.0, rng),
                            strength * np.sin(towards) + _wandering(n, 0.15 * strength, 1800.0, rng)])
    gusts = np.column_stack([_wandering(n, water.gusts * strength, 15.0, rng) for _ in range(2)])
    bias = np.column_stack([_wandering(n, 0.5, 600.0, rng) for _ in range(2)])
    return slow + gusts, slow + bias
