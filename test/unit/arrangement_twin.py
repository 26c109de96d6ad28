"""
Boats with a rudder, or with thrusters that turn, and their logs: they share no code with `usv_energy.physics`.

Three degrees of freedom, ENU and FLU, quadratic drag, water that moves steadily, stepped by the midpoint rule at 50 Hz:
Fossen (2011), (6.16), added mass in the Coriolis terms. What moving water takes from a propeller's thrust: the bilinear
form B - c sqrt(B) v of docs/propellers.md. A rudder's lift is 1.5 sin 2a, its drag 1 - cos 2a at an angle of attack a:
Paravisi et al. (2019), section 3.2.
"""

from dataclasses import dataclass, replace
from math import atan2, cos, exp, pi, sin, sqrt
from pathlib import Path

import numpy as np
import yaml

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.logs.log import Log

STEP, SAMPLE = 0.02, 0.1    # Of the integration, and between the samples of a log, s.
DENSITY = 1000.0
NOISE = (0.01, 0.01, 0.005)  # Of u, v, m/s, and r, rad/s; white.
RUDDER, SCREW = (-0.6, 0.0), (-0.5, 0.0)
PODS = ((0.6, 0.3), (0.6, -0.3), (-0.6, -0.3), (-0.6, 0.3))
PUSHING = (135.0, -135.0, -45.0, 45.0)  # deg: where the pods push when they hold the boat against each other.


@dataclass(frozen=True)
class Truth:
    """
    The boat: masses, kg, kg m^2; quadratic drag, N s^2/m^2, N m s^2/rad^2; lag, s; inflow, N^0.5 s/m; rudder, m^2.

    `scale`: of all newtons in the log. `rate`: at which what turns does so, rad/s.
    """

    m: tuple[float, float, float] = (14.0, 19.0, 2.2)
    drag: tuple[float, float, float] = (6.0, 45.0, 3.5)
    lag: float = 0.3
    inflow: float = 1.0
    area: float = 0.010
    full: float = 16.0
    rate: float = 1.5
    scale: float = 1.0

    def numbers(self, kind: str) -> dict[str, float]:
        """Return what an identification should find, by its keys."""
        return {**dict(zip(('inertia.m11', 'inertia.m22', 'inertia.m33'), self.m)),
                **{f'damping.linear.d{k}{k}': 0.0 for k in (1, 2, 3)},
                **{f'damping.quadratic.d{k}{k}': self.drag[k - 1] for k in (1, 2, 3)},
                'thrusters.lag': self.lag, 'thrust.scale': self.scale, 'thrust.astern': 1.0,
                **({'foils.0.area': self.area} if kind == 'rudder' else {}), 'propellers.inflow': self.inflow}


def thrust_in_water(bollard: float, speed: float, c: float) -> float:
    """Return the thrust, N, at a speed of the water into a propeller, m/s, of one that gives `bollard` at a pier."""
    if speed < 0.0:
        return -thrust_in_water(-bollard, -speed, c)
    slip = c * speed
    if bollard <= 0.0:
        return bollard - 0.25 * slip * slip
    return bollard - slip * sqrt(bollard) if 2.0 * sqrt(bollard) > slip else -0.25 * slip * slip


def rudder_force(u: float, v: float, r: float, angle: float, area: float) -> tuple[float, float, float]:
    """Return the force of a rudder, N, N, N m, lift across its way through the water and drag against it."""
    x, y = RUDDER
    ahead, aside = u - r * y, v + r * x
    course, pressure = atan2(aside, ahead), 0.5 * DENSITY * area * (ahead * ahead + aside * aside)
    attack = course - angle
    lift, drag = 1.5 * sin(2.0 * attack) * pressure, (1.0 - cos(2.0 * attack)) * pressure
    surge, sway = lift * sin(course) - drag * cos(course), -lift * cos(course) - drag * sin(course)
    return surge, sway, x * sway - y * surge


def rates(state, thrusts, angles, kind, truth):
    """Return the rates of yaw, u, v (through the water) and r."""
    _, u, v, r = state
    m11, m22, m33 = truth.m
    x = m22 * v * r - truth.drag[0] * abs(u) * u
    y = -m11 * u * r - truth.drag[1] * abs(v) * v
    n = -(m22 - m11) * u * v - truth.drag[2] * abs(r) * r
    for (ahead, aside), bollard, angle in zip(PODS if kind == 'pods' else (SCREW,), thrusts, angles):
        c, s = (cos(angle), sin(angle)) if kind == 'pods' else (1.0, 0.0)
        force = thrust_in_water(bollard, c * (u - r * aside) + s * (v + r * ahead), truth.inflow)
        x, y, n = x + c * force, y + s * force, n + (ahead * s - aside * c) * force
    if kind == 'rudder':
        more = rudder_force(u, v, r, angles[0], truth.area)
        x, y, n = x + more[0], y + more[1], n + more[2]
    return r, x / m11, y / m22, n / m33


def commands(kind: str, truth: Truth, rng: np.random.Generator, count: int, moored: bool) -> tuple[np.ndarray, ...]:
    """Return thrusts, N, and angles, rad, that step at random; `moored`: thrusts that balance each other."""
    number = 4 if kind == 'pods' else 1
    thrusts, angles = np.zeros((count, number)), np.zeros((count, number))
    begin = 0
    while begin < count:
        end = begin + round(rng.uniform(3.0, 8.0) / SAMPLE)
        if kind == 'rudder':
            thrusts[begin:end] = truth.full * np.clip(rng.uniform(-0.5, 1.1), -0.4, 0.9)
            angles[begin:end] = rng.uniform(-0.7, 0.7) * (rng.uniform() < 0.7)
        elif moored:
            thrusts[begin:end] = truth.full * rng.uniform(0.1, 0.9)
            angles[begin:end] = np.radians(PUSHING) + rng.uniform(-0.001, 0.001, 4)
        else:
            thrusts[begin:end] = truth.full * np.clip(rng.uniform(-0.3, 1.0, 4), 0.0, 0.9)
            angles[begin:end] = rng.uniform(-pi, pi) * (rng.uniform() < 0.3) + rng.uniform(-0.5, 0.5, 4)
        begin = end
    return thrusts, angles


def turned(angle: float, goal: float, most: float, whole: bool) -> float:
    """Return an angle a step later, rad, turned by `most` at most; of a pod the shorter way round."""
    way = (goal - angle + pi) % (2.0 * pi) - pi if whole else goal - angle
    return angle + min(max(way, -most), most)


def twin(kind: str, truth: Truth, rng: np.random.Generator, name: str, duration: float, current=(0.0, 0.0),
         noise=NOISE, moored: bool = False) -> Log:
    """Return a log of the boat: `kind` rudder or pods. It holds neither the current, m/s, nor what turned how far."""
    count, steps = round(duration / SAMPLE) + 1, round(SAMPLE / STEP)
    asked, angles = commands(kind, truth, rng, count, moored)
    decay, half = exp(-STEP / truth.lag), exp(-0.5 * STEP / truth.lag)
    number = asked.shape[1]
    thrust, angle, rows = [0.0] * number, angles[0].tolist(), []
    state = (float(rng.uniform(-pi, pi)), 0.0, 0.0, 0.0)
    for wanted, goals in zip((truth.scale * asked).tolist(), angles.tolist()):
        yaw, u, v, r = state
        c, s = cos(yaw), sin(yaw)
        rows.append((yaw, u + c * current[0] + s * current[1], v + c * current[1] - s * current[0], r))
        for _ in range(steps):
            middle = [g + (t - g) * half for g, t in zip(wanted, thrust)]
            between = [turned(a, g, 0.5 * STEP * truth.rate, kind == 'pods') for a, g in zip(angle, goals)]
            rate = rates(state, middle, between, kind, truth)
            rate = rates([x + 0.5 * STEP * d for x, d in zip(state, rate)], middle, between, kind, truth)
            state = tuple(x + STEP * d for x, d in zip(state, rate))
            thrust = [g + (t - g) * decay for g, t in zip(wanted, thrust)]
            angle = [turned(a, g, STEP * truth.rate, kind == 'pods') for a, g in zip(angle, goals)]
    yaw, u, v, r = np.array(rows).T
    u, v, r = (value + rng.normal(0.0, std, count) for value, std in zip((u, v, r), noise))
    known = {'angle': angles, 'thrusters': tuple(f'pod{k}' for k in range(4))} if kind == 'pods' else {
        'thrusters': ('screw',), 'foils': ('rudder',), 'foil_angle': angles}
    return Log(name, Path(f'{name}.csv'), SAMPLE * np.arange(count), yaw=yaw, u=u, v=v, r=r, thrust=asked, **known)


def twins(kind: str, truth: Truth, seed: int, logs: int = 4, duration: float = 90.0,
          moored: bool = False) -> tuple[Truth, list[Log]]:
    """
    Return logs of a boat, each in a current of 0.1 m/s that it does not hold; `moored`: in none, hardly moving.

    The scale of all newtons cannot be seen in a log: it is drawn, from what is assumed of it, 5 %.
    """
    rng = np.random.default_rng(seed)
    truth = replace(truth, scale=truth.scale * float(rng.normal(1.0, 0.05)))
    found = []
    for number in range(logs):
        to = rng.uniform(-pi, pi)
        current = (0.0, 0.0) if moored else (0.1 * cos(to), 0.1 * sin(to))
        found.append(twin(kind, truth, rng, f'log {number}', duration, current, moored=moored))
    return truth, found


def base_of(kind: str, folder: Path, inflow: float = 1.4, area: float = 0.014) -> Boat:
    """Return the boat to start from: places as the twin's, masses, drag, inflow and rudder of another."""
    turn = {'min_angle_deg': -180.0, 'max_angle_deg': 180.0, 'rate_deg': float(np.degrees(Truth.rate))}
    propeller = {'map': [[-20.0, 400.0], [0.0, 0.0], [20.0, 300.0]],
                 'inflow': {'coefficient': inflow, 'torque_ratio': 0.8}}
    limits = {'min_thrust': -20.0, 'max_thrust': 20.0, 'propeller': propeller}
    if kind == 'pods':
        parts = {'thrusters': [{'name': f'pod{k}', 'x': x, 'y': y, 'azimuth': turn, **limits}
                               for k, (x, y) in enumerate(PODS)]}
    else:
        parts = {'thrusters': [{'name': 'screw', 'x': SCREW[0], 'y': SCREW[1], **limits}],
                 'foils': [{'name': 'rudder', 'x': RUDDER[0], 'y': RUDDER[1], 'area': area, 'density': DENSITY,
                            'lift': 1.5, 'drag': 1.0,
                            'steer': {**turn, 'min_angle_deg': -60.0, 'max_angle_deg': 60.0}}]}
    path = folder / f'{kind}.yaml'
    path.write_text(yaml.safe_dump({
        'base': 'lutra_prop_usvsim', 'name': kind, 'hull': {'length': 2.0, 'width': 1.0}, **parts,
        'inertia': {'m11': 11.0, 'm22': 14.0, 'm33': 1.6}, 'windage': {'frontal_area': 0.0, 'lateral_area': 0.0}}))
    return read_boat(str(path))
