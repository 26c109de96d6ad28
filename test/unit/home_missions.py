"""
Missions out and back of boats that are not quite what their file says, in currents that are not quite as measured.

The truth is a closed form that shares no code with the product: power through the water d w^2 + h, linear drag and a
hotel load; going out at a speed over ground until the product says that it is time, then home on its speed.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.way_home import HomeCosts, HomeDoubt, HomePlace, home_margin

D11, HOTEL, TOP = 16.296, 6.0, 1.35            # N s/m, W, m/s
D11_STD, CURRENT_STD = 0.05, 0.03             # share of d11; m/s
CHARGE_STD = 0.015                             # of the capacity: a charge that is known to 3 % (95 %)
CAPACITY = 80e3                                # J, full
BOAT = checked_boat_with(read_boat('lutra_prop'), {'static_load': HOTEL})


class Told(NamedTuple):
    """Of each mission: whether the battery was empty before home, and the share of the start's energy left at home."""

    stranded: np.ndarray
    wasted_share: np.ndarray


def told_missions(number: int, seed: int, confidence: float = HomeDoubt().confidence) -> Told:
    """Return what came of missions in random currents, with random drag, start charges and errors of what is known."""
    rng = np.random.default_rng(seed)
    costs = HomeCosts(BOAT, std={'damping.linear.d11': f'{100.0 * D11_STD:g}%'})
    home, stranded, wasted = [HomePlace('home', 0.0, 0.0)], np.zeros(number, bool), np.zeros(number)
    doubt = HomeDoubt(confidence, CHARGE_STD * CAPACITY, CURRENT_STD)
    for n in range(number):
        strength, towards, course = rng.uniform(0.0, 0.5), *rng.uniform(-math.pi, math.pi, 2)
        true = strength * math.cos(towards), strength * math.sin(towards)
        known = Flow(*(true + rng.normal(0.0, CURRENT_STD, 2)), 0.0, 0.0)
        known = known._replace(wind_x=known.current_x, wind_y=known.current_y)   # No air drag: the air goes along.
        drag = D11 * max(0.5, 1.0 + D11_STD * rng.standard_normal())
        start = CAPACITY * rng.uniform(0.3, 1.0)
        velocity = 0.8 * math.cos(course), 0.8 * math.sin(course)
        power = drag * ((velocity[0] - true[0]) ** 2 + (velocity[1] - true[1]) ** 2) + HOTEL
        costs.refresh(known, doubt=doubt)
        told = start + CHARGE_STD * CAPACITY * rng.standard_normal()
        out = home_margin(costs, (0.0, 0.0), velocity, power, told, 0.0, home, known, doubt)
        duration = out.no_return_duration
        place = velocity[0] * duration, velocity[1] * duration
        back = home_margin(costs, place, (0.0, 0.0), power, told - power * duration, 0.0, home, known, doubt).way
        left = start - power * duration - (way_energy(place, back.speed, true, drag) if back.distance else 0.0)
        stranded[n], wasted[n] = left < 0.0, max(left, 0.0) / start
    return Told(stranded, wasted)


def way_energy(place: tuple[float, float], speed: float, current: tuple[float, float], drag: float) -> float:
    """Return what the straight way to the origin takes, J, on a speed over ground, m/s; the top speed holds it back."""
    distance = math.hypot(*place)
    ahead = -place[0] / distance, -place[1] / distance
    along = current[0] * ahead[0] + current[1] * ahead[1]
    across = current[1] * ahead[0] - current[0] * ahead[1]
    most = along + math.sqrt(max(TOP * TOP - across * across, 0.0))
    if most <= 0.0:
        return math.inf
    held = min(speed, most)
    return (drag * ((held - along) ** 2 + across ** 2) + HOTEL) * distance / held
