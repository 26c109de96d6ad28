"""
Many boats at once that no boat file describes exactly, by equations of their own; nothing comes from the package.

Drag has a cubic part, the two thrusters are unequal and lag by 0.4 s, currents may turn with a tide, and winds have
gusts. The truth is the thrusters' own positive work. Each quantity is an array with one entry a boat.

Equations: Fossen (2011), (6.107) to (6.114), velocities through the water; wind as (8.23) with cosine and sine
coefficients; classical Runge-Kutta.
"""

import math
from typing import NamedTuple

import numpy as np

STEP = 0.02
TILT = math.cos(math.radians(15.0))
ARM = 0.08
LAG = 0.4
LIMIT = 11.5
AIR_X, AIR_Y = 0.5 * 1.184 * 0.08 * 0.68, 0.5 * 1.184 * 0.18 * 1.11
M11, M22, M33 = 9.75, 10.364, 1.158


class Boats(NamedTuple):
    """
    What each boat is and does, arrays (n,).

    Drag, N (surge, sway) and N m (yaw), is linear + quadratic + cubic, each shape (3, n); `unequal`: share by which
    port gives more and starboard less than asked; `speed`: m/s; `over_ground`: whether it is held over ground;
    `length`: of a lane, m; `tide`: how fast the current turns, rad/s; `gusts`: standard deviation of the wind, m/s.
    """

    linear: np.ndarray
    quadratic: np.ndarray
    cubic: np.ndarray
    unequal: np.ndarray
    speed: np.ndarray
    over_ground: np.ndarray
    length: np.ndarray
    current: np.ndarray
    direction: np.ndarray
    tide: np.ndarray
    wind: np.ndarray
    wind_direction: np.ndarray
    gusts: np.ndarray


class Voyages(NamedTuple):
    """
    What the boats did, a row each STEP: s (k,), and (k, n): m, m, rad, m/s over ground, rad/s; J; flows m/s; thrusts N.
    """

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    yaw: np.ndarray
    u: np.ndarray
    v: np.ndarray
    r: np.ndarray
    work: np.ndarray
    current_x: np.ndarray
    current_y: np.ndarray
    wind_x: np.ndarray
    wind_y: np.ndarray
    port: np.ndarray
    starboard: np.ndarray


def random_boats(number, seed):
    """Return so many boats, drawn about the Lutra Prop; currents up to 0.35 m/s, winds up to 6 m/s."""
    rng = np.random.default_rng([seed, number])
    base = np.array([[16.3], [10.2], [4.6]]) * rng.uniform(0.8, 1.25, (3, number))
    share = rng.uniform(0.2, 0.7, number)  # Of the drag at 1 m/s (1 rad/s) that is quadratic and cubic.
    turning = rng.random(number) < 0.25
    return Boats(base * (1.0 - share), base * share * 0.4, base * share * 0.6, rng.uniform(-0.1, 0.1, number),
                 rng.uniform(0.45, 1.1, number), rng.random(number) < 0.5, rng.uniform(12.0, 40.0, number),
                 rng.uniform(0.0, 0.35, number), rng.uniform(-math.pi, math.pi, number),
                 np.where(turning, rng.uniform(0.5, 2.0, number) * 2.0 * math.pi / 600.0, 0.0),
                 rng.uniform(0.0, 6.0, number), rng.uniform(-math.pi, math.pi, number), rng.uniform(0.0, 1.0, number))


def file_drag(boats, number, of_newtons=False):
    """
    Return the linear and quadratic drag nearest to a boat's cubic one, least squares, shape (3, 2).

    That ahead is nearest in percent over 0.3 to 1.1 m/s, which the boats go in nine tenths of the time; with
    `of_newtons` in newtons over 0.05 to 1.3 m/s, as that of sway and yaw always is, which are about 0.
    """
    result = np.empty((3, 2))
    for axis in range(3):
        in_percent = axis == 0 and not of_newtons
        speed = np.linspace(0.3, 1.1, 60) if in_percent else np.linspace(0.05, 1.3, 60)
        asked = drag(Boats(*(values[..., number] for values in boats)), axis, speed)
        weight = 1.0 / asked if in_percent else np.ones(60)
        terms = np.column_stack([speed, speed ** 2]) * weight[:, None]
        result[axis] = np.linalg.lstsq(terms, asked * weight, rcond=None)[0]
    return result


def drag(boats, axis, speed):
    """Return a drag, N or N m, at a speed through the water."""
    size = np.abs(speed)
    return (boats.linear[axis] + boats.quadratic[axis] * size + boats.cubic[axis] * size * size) * speed


def rates(state, thrusts, boats, current, wind):
    """Return the rates of (x, y, yaw, u, v, r), (6, n), velocities through the water."""
    _, _, yaw, u, v, r = state
    c, s = np.cos(yaw), np.sin(yaw)
    x_dot, y_dot = c * u - s * v + current[0], s * u + c * v + current[1]
    air_x, air_y = c * (wind[0] - x_dot) + s * (wind[1] - y_dot), c * (wind[1] - y_dot) - s * (wind[0] - x_dot)
    air = np.hypot(air_x, air_y)
    surge = TILT * (thrusts[0] + thrusts[1]) + AIR_X * air * air_x - drag(boats, 0, u) + M22 * v * r
    sway = AIR_Y * air * air_y - drag(boats, 1, v) - M11 * u * r
    turn = TILT * ARM * (thrusts[1] - thrusts[0]) - drag(boats, 2, r) + (M11 - M22) * u * v
    return np.array([x_dot, y_dot, r, surge / M11, sway / M22, turn / M33])


def work_by(boats, gone, number, file, begin, end):
    """
    Return what a boat's thrusters would have worked between two times, s, had its drag been that of a file, J.

    :param gone: The Voyages: motion, and thrusts that differ from those for the file's drag by that of the drags.
    :param file: Its drag, as of `file_drag`.
    """
    rows = (gone.time >= begin) & (gone.time < end)
    yaw, u, r, east, north, port, starboard = (getattr(gone, name)[rows, number] for name in (
        'yaw', 'u', 'r', 'current_x', 'current_y', 'port', 'starboard'))
    u = u - np.cos(yaw) * east - np.sin(yaw) * north
    own = Boats(*(values[..., number] for values in boats))
    more, turn = ((file[axis, 0] + file[axis, 1] * np.abs(speed)) * speed - drag(own, axis, speed)
                  for axis, speed in ((0, u), (2, r)))
    return STEP * sum(np.maximum((TILT * thrust + 0.5 * (more - turn / arm)) * (u - arm * r), 0.0).sum()
                      for thrust, arm in ((port, ARM), (starboard, -ARM)))


class Pilot:
    """Lanes side by side, by a line of sight; a speed through the water, or over ground, by feedback."""

    def __init__(self, boats):
        self.boats, self.lane = boats, np.zeros(boats.speed.size, dtype=int)
        self.corner = np.zeros(boats.speed.size, dtype=int)

    def __call__(self, state, ground):
        """Return the thrusts, N, that the boats are asked for."""
        boats = self.boats
        x, y, yaw, u, _, r = state
        end = np.where(self.lane % 2 == 0, boats.length, 0.0)
        goal_y = 4.0 * (self.lane + self.corner)
        near = np.hypot(end - x, goal_y - y) < 1.5
        self.lane = np.where(near & (self.corner == 1), self.lane + 1, self.lane)
        self.corner = np.where(near, 1 - self.corner, self.corner)
        error = np.clip((np.arctan2(goal_y - y, end - x) - yaw + math.pi) % (2.0 * math.pi) - math.pi, -1.0, 1.0)
        moment = 7.0 * error - 1.5 * r
        wanted = boats.speed * np.maximum(0.4, np.cos(error))
        now = np.where(boats.over_ground, ground, u)
        force = drag(boats, 0, np.maximum(wanted, 0.0)) + 30.0 * (wanted - now)
        half = np.clip(moment / (2.0 * ARM * TILT), -LIMIT, LIMIT)
        mean = np.clip(0.5 * force / TILT, -LIMIT + np.abs(half), LIMIT - np.abs(half))
        return np.array([mean - half, mean + half])


def voyages(boats, duration, seed):
    """Return what boats do for so long, s."""
    rng = np.random.default_rng([seed, 7])
    number, n = round(duration / STEP), boats.speed.size
    pilot, state = Pilot(boats), np.zeros((6, n))
    thrusts, wanted, work = np.zeros((2, n)), np.zeros((2, n)), np.zeros(n)
    given = np.array([1.0 + boats.unequal, 1.0 - boats.unequal])
    rows, gust, keep = np.empty((number, 13, n)), np.zeros((2, n)), math.exp(-STEP / 10.0)
    decay = math.exp(-STEP / LAG)
    for k in range(number):
        angle = boats.direction + boats.tide * k * STEP
        current = boats.current * np.array([np.cos(angle), np.sin(angle)])
        gust = keep * gust + math.sqrt(1.0 - keep * keep) * boats.gusts * rng.standard_normal((2, n))
        wind = boats.wind * np.array([np.cos(boats.wind_direction), np.sin(boats.wind_direction)]) + gust
        c, s = np.cos(state[2]), np.sin(state[2])
        ground = state[3] + c * current[0] + s * current[1], state[4] - s * current[0] + c * current[1]
        rows[k] = [state[0], state[1], state[2], *ground, state[5], work, *current, *wind, *thrusts]
        if k % 2 == 0:
            wanted = np.clip(pilot(state, ground[0]), -LIMIT, LIMIT) * given
        thrusts = wanted + decay * (thrusts - wanted)
        one = rates(state, thrusts, boats, current, wind)
        two = rates(state + 0.5 * STEP * one, thrusts, boats, current, wind)
        three = rates(state + 0.5 * STEP * two, thrusts, boats, current, wind)
        four = rates(state + STEP * three, thrusts, boats, current, wind)
        after = state + STEP / 6.0 * (one + 2.0 * two + 2.0 * three + four)
        u, r = 0.5 * (state[3] + after[3]), 0.5 * (state[5] + after[5])
        work = work + STEP * sum(np.maximum(thrust * TILT * (u - side * r), 0.0)
                                 for thrust, side in zip(thrusts, (ARM, -ARM)))
        state = after
    return Voyages(STEP * np.arange(number), *rows.transpose(1, 0, 2))
