"""
A boat with two thrusters, simulated by equations of its own: nothing here comes from `usv_energy`.

Three degrees of freedom, earth ENU, body FLU, classical Runge-Kutta at 2 ms. A thruster's own positive work,
max(T_i (u_r - y_i r), 0), is the truth that energies from logs are held against; `measured` makes the log.

Equations: Fossen (2011), (6.107) to (6.114) with a uniform current; wind as (8.23) with cosine and sine coefficients.
"""

import math
from typing import NamedTuple

import numpy as np

STEP = 0.002             # s
COMMANDS = 10            # steps that a command is held for: 50 Hz


class Hull(NamedTuple):
    """Masses kg, kg m^2; drag linear and quadratic; thruster's arm m, tilt rad, limits N; lag s; air coefficients."""

    m11: float
    m22: float
    m33: float
    d11: float
    d22: float
    d33: float
    q11: float = 0.0
    q22: float = 0.0
    q33: float = 0.0
    m23: float = 0.0
    arm: float = 0.08
    tilt: float = 0.0
    least: float = -11.5
    most: float = 11.5
    lag: float = 0.0
    wind_x: float = 0.0  # 1/2 rho A c_x, kg/m
    wind_y: float = 0.0


LUTRA = Hull(9.75, 10.364, 1.158, 16.296, 10.193, 4.630, arm=0.08, tilt=math.radians(15.0),
             wind_x=0.5 * 1.184 * 0.08 * 0.68, wind_y=0.5 * 1.184 * 0.18 * 1.11)
WAMV = Hull(231.0, 231.0, 658.1, 100.0, 100.0, 800.0, 150.0, 100.0, 800.0, m23=-76.87, arm=1.027, least=-1000.0,
            most=2353.5, wind_x=0.5 * 1.184 * 0.8446, wind_y=0.5 * 1.184 * 0.8446)


class Truth(NamedTuple):
    """What the boat did, every STEP: s, m, m, rad, m/s, m/s, rad/s; thrusts N (n, 2); work J of both; the flow."""

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    yaw: np.ndarray
    u: np.ndarray
    v: np.ndarray
    r: np.ndarray
    thrust: np.ndarray
    work: np.ndarray
    current: tuple[float, float]
    wind: tuple[float, float]


def derivative(state, thrusts, hull, current, wind):
    """Return the rates of (x, y, yaw, u_r, v_r, r) under two thrusts, N."""
    _, _, yaw, u, v, r = state
    c, s = math.cos(yaw), math.sin(yaw)
    x_dot, y_dot = c * u - s * v + current[0], s * u + c * v + current[1]
    air_x, air_y = c * (wind[0] - x_dot) + s * (wind[1] - y_dot), -s * (wind[0] - x_dot) + c * (wind[1] - y_dot)
    air = math.hypot(air_x, air_y)
    axial = math.cos(hull.tilt)
    surge = axial * (thrusts[0] + thrusts[1]) + hull.wind_x * air * air_x - (hull.d11 + hull.q11 * abs(u)) * u \
        + hull.m22 * v * r + hull.m23 * r * r
    sway = hull.wind_y * air * air_y - (hull.d22 + hull.q22 * abs(v)) * v - hull.m11 * u * r
    turn = axial * hull.arm * (thrusts[1] - thrusts[0]) - (hull.d33 + hull.q33 * abs(r)) * r \
        + (hull.m11 - hull.m22) * u * v - hull.m23 * u * r
    det = hull.m22 * hull.m33 - hull.m23 * hull.m23
    return (x_dot, y_dot, r, surge / hull.m11, (hull.m33 * sway - hull.m23 * turn) / det,
            (hull.m22 * turn - hull.m23 * sway) / det)


def advanced(state, thrusts, hull, current, wind):
    """Return the state a STEP later."""
    k1 = derivative(state, thrusts, hull, current, wind)
    k2 = derivative([a + 0.5 * STEP * b for a, b in zip(state, k1)], thrusts, hull, current, wind)
    k3 = derivative([a + 0.5 * STEP * b for a, b in zip(state, k2)], thrusts, hull, current, wind)
    k4 = derivative([a + STEP * b for a, b in zip(state, k3)], thrusts, hull, current, wind)
    return [a + STEP / 6.0 * (p + 2.0 * q + 2.0 * s + t) for a, p, q, s, t in zip(state, k1, k2, k3, k4)]


def simulated(hull, pilot, duration, current=(0.0, 0.0), wind=(0.0, 0.0), start=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)):
    """
    Return the Truth of a boat under a pilot: a function of time s, state and hull that gives two thrusts, N.

    The state is (x, y, yaw, u, v, r) with velocities through the water; the pilot is asked every 20 ms, and a lag
    delays what the thrusters give.
    """
    number = round(duration / STEP)
    states, forces, work = np.empty((number + 1, 6)), np.empty((number + 1, 2)), np.empty(number + 1)
    state, thrusts, wanted, done = list(start), (0.0, 0.0), (0.0, 0.0), 0.0
    decay = math.exp(-STEP / hull.lag) if hull.lag else 0.0
    axial = math.cos(hull.tilt)
    for k in range(number + 1):
        if k % COMMANDS == 0:
            wanted = tuple(min(max(one, hull.least), hull.most) for one in pilot(k * STEP, state, hull))
        thrusts = tuple(goal + decay * (now - goal) for goal, now in zip(wanted, thrusts))
        states[k], forces[k], work[k] = state, thrusts, done
        after = advanced(state, thrusts, hull, current, wind)
        u, r = 0.5 * (state[3] + after[3]), 0.5 * (state[5] + after[5])
        done += STEP * sum(max(thrust * axial * (u - side * r), 0.0)
                           for thrust, side in zip(thrusts, (hull.arm, -hull.arm)))
        state = after
    yaw = states[:, 2]
    c, s = np.cos(yaw), np.sin(yaw)
    return Truth(STEP * np.arange(number + 1), states[:, 0], states[:, 1], yaw,
                 states[:, 3] + c * current[0] + s * current[1], states[:, 4] - s * current[0] + c * current[1],
                 states[:, 5], forces, work, current, wind)


def pair(force, moment, hull):
    """Return the two thrusts, N, for a surge force and a yaw moment; the moment comes first."""
    axial = math.cos(hull.tilt)
    half = moment / (2.0 * hull.arm * axial)
    half = min(max(half, 0.5 * (hull.least - hull.most)), 0.5 * (hull.most - hull.least))
    mean = min(max(0.5 * force / axial, hull.least + abs(half)), hull.most - abs(half))
    return mean - half, mean + half


class Lawnmower:
    """Line of sight along legs, slowly round the corners as the hull can; speed through the water by feedforward."""

    def __init__(self, speed, length=20.0, apart=4.0, legs=4, radius=1.5):
        self.speed, self.radius, self.index = speed, radius, 0
        self.points = []
        for leg in range(legs):
            end = length if leg % 2 == 0 else 0.0
            self.points += [(end, apart * leg), (end, apart * (leg + 1))]

    def __call__(self, time, state, hull):
        x, y, yaw, u, _, r = state
        goal = self.points[self.index]
        if math.hypot(goal[0] - x, goal[1] - y) < self.radius and self.index + 1 < len(self.points):
            self.index += 1
            goal = self.points[self.index]
        error = math.remainder(math.atan2(goal[1] - y, goal[0] - x) - yaw, 2.0 * math.pi)
        error = min(max(error, -1.0), 1.0)
        moment = 1.5 * hull.d33 * error - 0.3 * hull.d33 * r
        wanted = self.speed * max(0.4, math.cos(error))
        drag = (hull.d11 + hull.q11 * abs(wanted)) * wanted
        return pair(drag + 2.0 * hull.d11 * (wanted - u), moment, hull)


def stop_and_go(speed, on=12.0, off=8.0, brake=True):
    """Return a pilot that goes straight on and stops, again and again; with `brake` the thrusters go astern for it."""
    def pilot(time, state, hull):
        _, _, yaw, u, _, r = state
        wanted = speed if time % (on + off) < on else 0.0
        force = (hull.d11 + hull.q11 * wanted) * wanted + (2.0 * hull.d11 * (wanted - u) if wanted or brake else 0.0)
        return pair(force, -1.0 * hull.d33 * yaw - 0.3 * hull.d33 * r, hull)
    return pilot


def opposed(speed, swing=1.0, period=8.0):
    """Return a pilot that holds a speed and swings about by so strong a moment that one thruster goes astern."""
    def pilot(time, state, hull):
        u = state[3]
        force = (hull.d11 + hull.q11 * speed) * speed + hull.d11 * (speed - u)
        axial = math.cos(hull.tilt)
        moment = hull.arm * force * (1.0 + swing) * math.sin(2.0 * math.pi * time / period)
        mean, half = 0.5 * force / axial, 0.5 * moment / hull.arm / axial
        return mean - half, mean + half
    return pilot


def moored(time, state, hull):
    """Give no thrust."""
    return 0.0, 0.0


class Noise(NamedTuple):
    """Standard deviations: velocity m/s, yaw rad, position m, yaw rate rad/s; correlation time of the first, s."""

    velocity: float = 0.0
    yaw: float = 0.0
    position: float = 0.0
    yaw_rate: float = 0.0
    correlation: float = 0.0


def usual(velocity, correlation=0.0):
    """Return the Noise of a real boat's filter: 0.5 deg, 2 cm and 0.5 deg/s beside a velocity's, m/s."""
    return Noise(velocity, math.radians(0.5), 0.02, math.radians(0.5), correlation)


def sampled(truth, rate, jitter=0.0, seed=0):
    """Return stamps, s, at a rate, Hz, with a jitter, s, and what is true then: x, y, yaw, u, v, r in the columns."""
    rng = np.random.default_rng([seed, 1])
    time = np.arange(0.0, truth.time[-1] - 6.0 * jitter, 1.0 / rate)
    time = time + jitter * (np.clip(rng.standard_normal(time.size), -3.0, 3.0) + 3.0)
    columns = [np.interp(time, truth.time, values) for values in truth[1:7]]
    return time, np.column_stack(columns)


def noisy(time, motion, noise, seed):
    """Return motion, columns x, y, yaw, u, v, r, with noise on it."""
    rng = np.random.default_rng([seed, 2])
    n = time.size
    white = rng.standard_normal((n, 6))
    if noise.correlation:
        keep = np.exp(-np.diff(time) / noise.correlation)
        for k in range(1, n):
            white[k, 3:5] = keep[k - 1] * white[k - 1, 3:5] + math.sqrt(1.0 - keep[k - 1] ** 2) * white[k, 3:5]
    return motion + white * [noise.position, noise.position, noise.yaw, noise.velocity, noise.velocity, noise.yaw_rate]
