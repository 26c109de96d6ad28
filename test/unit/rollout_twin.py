"""
A boat and its logs that share no code with `usv_energy`: what an identification is judged by.

Three degrees of freedom, ENU and FLU, quadratic drag, thrusters that lag, water and air that move steadily; stepped by
the midpoint rule at 100 Hz. Fossen (2011), (6.16), added mass in the Coriolis terms.
"""

from dataclasses import dataclass, replace
from math import cos, exp, hypot, sin
from pathlib import Path

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.log import Log

STEP, SAMPLE = 0.01, 0.1    # Of the integration, and between the samples of a log, s.
HALF_BEAM = 0.4             # m
AREA_AHEAD, AREA_ABEAM = 0.5 * 1.184 * 0.08 * 0.68, 0.5 * 1.184 * 0.18 * 1.11   # N s^2/m^2: half the density, c A.


@dataclass(frozen=True)
class Truth:
    """The boat: masses, kg, kg m^2; quadratic drag, N s^2/m^2, N m s^2/rad^2; lag, s; what its thrusters give."""

    m: tuple[float, float, float] = (14.0, 19.0, 2.2)
    drag: tuple[float, float, float] = (9.0, 45.0, 3.5)
    lag: float = 0.3
    full: float = 12.0
    scale: float = 1.0      # Of all newtons in the log.
    astern: float = 1.0     # Beside ahead.
    left: float = 1.0       # Beside right.

    def drag_at(self, speed: float) -> float:
        """Return the drag straight ahead, N, at a speed, m/s."""
        return self.drag[0] * speed * speed

    def numbers(self) -> dict[str, float]:
        """Return what an identification should find, by its keys: thrusts by the means of both."""
        mean = 0.5 * (1.0 + self.left)
        return {**dict(zip(('inertia.m11', 'inertia.m22', 'inertia.m33'), self.m)),
                **{f'damping.linear.d{k}{k}': 0.0 for k in (1, 2, 3)},
                **{f'damping.quadratic.d{k}{k}': self.drag[k - 1] for k in (1, 2, 3)},
                'thrusters.lag': self.lag, 'thrust.scale': self.scale * mean, 'thrust.astern': self.astern,
                'thrust.asymmetry': (self.left - 1.0) / mean}


def rates(state, surge, turn, truth, flow):
    """Return the rates of yaw, u, v (through the water) and r."""
    yaw, u, v, r = state
    m11, m22, m33 = truth.m
    c, s = cos(yaw), sin(yaw)
    air_u = c * (flow[2] - flow[0]) + s * (flow[3] - flow[1]) - u
    air_v = c * (flow[3] - flow[1]) - s * (flow[2] - flow[0]) - v
    air = hypot(air_u, air_v)
    x = surge + AREA_AHEAD * air * air_u - truth.drag[0] * abs(u) * u + m22 * v * r
    y = AREA_ABEAM * air * air_v - truth.drag[1] * abs(v) * v - m11 * u * r
    n = turn - truth.drag[2] * abs(r) * r - (m22 - m11) * u * v
    return r, x / m11, y / m22, n / m33


def twin(truth: Truth, rng: np.random.Generator, name: str, duration: float, flow=(0.0, 0.0, 0.0, 0.0),
         noise=(0.02, 0.02, 0.01)) -> Log:
    """
    Return a log of the boat under commands that step at random: ahead, astern, turning, adrift.

    :param flow: Current x, y and wind x, y, m/s; the log holds neither.
    :param noise: Of u, v, m/s, and r, rad/s; white.
    """
    count, steps = round(duration / SAMPLE) + 1, round(SAMPLE / STEP)
    asked = np.zeros((count, 2))
    begin = 0
    while begin < count:
        end = begin + round(rng.uniform(3.0, 8.0) / SAMPLE)
        mean, difference = rng.uniform(-0.7, 1.0), rng.uniform(-0.5, 0.5) * (rng.uniform() < 0.7)
        asked[begin:end] = truth.full * np.clip([mean - difference, mean + difference], -0.9, 0.9)
        begin = end
    gains = truth.scale * np.array([truth.left, 1.0])
    goal = (asked * gains * np.where(asked < 0.0, truth.astern, 1.0)).tolist()
    decay, half = exp(-STEP / truth.lag), exp(-0.5 * STEP / truth.lag)
    thrust, state, rows = [0.0, 0.0], (float(rng.uniform(-3.1, 3.1)), 0.0, 0.0, 0.0), []
    for wanted in goal:
        yaw, u, v, r = state
        c, s = cos(yaw), sin(yaw)
        rows.append((yaw, u + c * flow[0] + s * flow[1], v + c * flow[1] - s * flow[0], r))
        for _ in range(steps):
            middle = [g + (t - g) * half for g, t in zip(wanted, thrust)]
            surge, turn = middle[0] + middle[1], HALF_BEAM * (middle[1] - middle[0])
            rate = rates(state, surge, turn, truth, flow)
            rate = rates([x + 0.5 * STEP * d for x, d in zip(state, rate)], surge, turn, truth, flow)
            state = tuple(x + STEP * d for x, d in zip(state, rate))
            thrust = [g + (t - g) * decay for g, t in zip(wanted, thrust)]
    yaw, u, v, r = np.array(rows).T
    u, v, r = (value + rng.normal(0.0, std, count) for value, std in zip((u, v, r), noise))
    return Log(name, Path(f'{name}.csv'), SAMPLE * np.arange(count), yaw=yaw, u=u, v=v, r=r, thrust=asked,
               thrusters=('left', 'right'))


def twins(truth: Truth, seed: int, wind: float = 0.0, logs: int = 4, duration: float = 90.0,
          current: float = 0.2) -> tuple[Truth, list[Log]]:
    """
    Return logs of a boat, each in a current of 0.2 m/s and a wind of up to `wind` m/s that it does not hold.

    The scale of all newtons cannot be seen in a log: it is drawn, from what is assumed of it, 5 %.
    """
    rng = np.random.default_rng(seed)
    truth = replace(truth, scale=truth.scale * float(rng.normal(1.0, 0.05)))
    found = []
    for number in range(logs):
        to, blown = rng.uniform(-np.pi, np.pi, 2)
        speed = rng.uniform(0.0, wind)
        flow = (current * cos(to), current * sin(to), speed * cos(blown), speed * sin(blown))
        found.append(twin(truth, rng, f'log {number}', duration, flow))
    return truth, found


def base_of(boat: Boat) -> Boat:
    """Return the boat to start from: places and windage of the twin, masses and drag of another."""
    vessel = boat.vessel
    thrusters = tuple(thruster._replace(y=way * HALF_BEAM, lag=0.0, efficiency_of_tilt=1.0) for thruster, way in
                      zip(vessel.thrusters, (1.0, -1.0)))
    inertia = vessel.inertia._replace(m11=11.0, m22=14.0, m33=1.6)
    return replace(boat, vessel=vessel._replace(thrusters=thrusters, inertia=inertia))
