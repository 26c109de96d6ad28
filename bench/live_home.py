"""
How many boats come home that `usv-energy live --may-command` sends home by its margin, over a real UDP socket.

An autopilot of the tests (test/unit/autopilot_twin.py) sails out on a random course in a random current, at a speed
over ground that the boat can hold. Time is the autopilot's own. What is known differs from what is true:

- current: current and charge are not quite what `live` is told. What the way takes is a closed form that shares no code
  with the product: d w^2 + h, w through the water.
- windy: wind, drag, efficiency and hotel load, too, of a boat whose file says how well it knows them
  (test/unit/windy_missions.py, whose truth is its own).
- unsaid: the same, but `live` is told neither current nor wind.

    python3 bench/live_home.py --trips 100
    python3 bench/live_home.py --trips 100 --kind windy
"""

import math
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from autopilot_twin import RTL, AutopilotTwin  # type: ignore[import-not-found]
from home_missions import BOAT, CHARGE_STD, CURRENT_STD, D11, HOTEL  # type: ignore[import-not-found]
from windy_missions import (  # type: ignore[import-not-found]
    CORRELATION,
    SPEEDS,
    STD,
    WIND_STD,
    TrueBoat,
    boat_file,
    true_power,
)

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.live.boat_account import UNSAID_CURRENT_STD, UNSAID_WIND_STD, LiveTerms
from usv_energy.live.link import LiveLink
from usv_energy.live.session import LiveOptions, LiveSession
from usv_energy.physics.batteries.cell import JOULES_PER_WH

CAPACITY = 8e3          # J: trips of some minutes
SPEED, VOLTS = SPEEDS[0], 14.8  # m/s over ground, V
STEP, LONGEST = 0.4, 3600.0  # s
ARRIVED = 2.0           # m from home


class World(NamedTuple):
    """
    What is true of a trip, and what `live` is told of it.

    `current`: m/s north and east. `power`: W on a course over ground, rad clockwise from north, at a speed, m/s;
    infinite beyond what the thrusters can. `boat`: the Boat that is believed; `terms`: the LiveTerms.
    """

    current: np.ndarray
    power: Callable[[float, float], float]
    boat: Boat
    terms: LiveTerms


def world(rng: np.random.Generator, kind: str, folder: Path) -> World:
    """Return a random world of a kind; its boat file is written into a folder."""
    current, wind = _any_way(rng, 0.4), _any_way(rng, 7.0)
    if kind == 'unsaid':
        current, wind = rng.normal(0.0, UNSAID_CURRENT_STD, 2), rng.normal(0.0, UNSAID_WIND_STD, 2)
    known, air = (UniformFlow(*(true + rng.normal(0.0, std, 2))[::-1]) for true, std in (
        (current, CURRENT_STD), (wind, WIND_STD)))
    if kind == 'current':
        def plain(course: float, speed: float) -> float:
            through = math.hypot(speed * math.cos(course) - current[0], speed * math.sin(course) - current[1])
            power: float = D11 * through ** 2 + HOTEL
            return power
        return World(current, plain, BOAT, LiveTerms(known, known, reserve=0.0, charge_std=CHARGE_STD))
    factors = rng.multivariate_normal(np.ones(len(STD)), np.outer(STD, STD) * CORRELATION)
    nominal = TrueBoat()
    true = nominal._replace(d11=nominal.d11 * factors[0], q11=nominal.q11 * factors[1],
                            efficiency=nominal.efficiency * factors[2], hotel=nominal.hotel * factors[3])

    @lru_cache(10_000)
    def windy(course: float, speed: float) -> float:
        power: float = true_power(true, 0.5 * math.pi - course, speed, tuple(current[::-1]), tuple(wind[::-1]))
        return power
    terms = LiveTerms(known, air, reserve=0.0, charge_std=CHARGE_STD)
    boat = read_boat(boat_file(folder))
    return World(current, windy, boat, terms._replace(current=None, wind=None) if kind == 'unsaid' else terms)


def _any_way(rng: np.random.Generator, most: float) -> np.ndarray:
    strength, towards = rng.uniform(0.0, most), rng.uniform(-math.pi, math.pi)
    return np.array([strength * math.cos(towards), strength * math.sin(towards)])


class Traveller:
    """A boat that goes out on a course (rad clockwise from north), and home when it is told to."""

    def __init__(self, course: float, world: World) -> None:
        """Begin at home."""
        self.course, self._world = course, world
        self.t = self.north = self.east = self.energy = 0.0
        self.returns = False

    def _motion(self) -> tuple[float, float]:
        """Return course, rad, and speed over ground, m/s: what is ordered, or the most that can be held."""
        course = round(math.atan2(-self.east, -self.north), 3) if self.returns else self.course
        power = self._world.power
        return course, next((one for one in SPEEDS if math.isfinite(power(course, one))), 0.0)

    def velocity(self, t: float) -> tuple[float, float]:
        """Return the velocity over ground, m/s north and east."""
        course, speed = self._motion()
        return speed * math.cos(course), speed * math.sin(course)

    @property
    def power(self) -> float:
        """What it draws, W."""
        return self._world.power(*self._motion())

    def yaw(self, t: float) -> float:
        """Return the heading, rad clockwise from north: along the way through the water."""
        north, east = self.velocity(t)
        return math.atan2(east - self._world.current[1], north - self._world.current[0])

    def rate(self, t: float) -> float:
        """Return the yaw rate, rad/s: a straight way has none."""
        return 0.0

    def step(self, seconds: float) -> None:
        """Go on."""
        north, east = self.velocity(self.t)
        self.energy += seconds * self.power
        self.north, self.east, self.t = self.north + seconds * north, self.east + seconds * east, self.t + seconds


def trip(rng: np.random.Generator, kind: str, folder: Path) -> dict[str, float]:
    """Return one trip: whether the boat stranded, the share of its energy left at home, its duration and way, s, m."""
    one, course = world(rng, kind, folder), round(rng.uniform(-math.pi, math.pi), 3)
    while not math.isfinite(one.power(course, SPEEDS[-1])):   # It cannot leave that way.
        course = round(rng.uniform(-math.pi, math.pi), 3)
    start = rng.uniform(0.5, 1.0)
    believed = float(np.clip(start + rng.normal(0.0, CHARGE_STD), 0.0, 1.0))
    assert one.boat.battery is not None
    boat = replace(one.boat, battery=one.boat.battery._replace(
        capacity_wh=CAPACITY / JOULES_PER_WH, nominal_voltage=VOLTS, initial_state_of_charge=believed))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    traveller = Traveller(course, one)
    twin = AutopilotTwin(port, boat=traveller)
    twin.parameters |= {'CRUISE_SPEED': SPEED, 'BATT_CAPACITY': 1000.0 * CAPACITY / JOULES_PER_WH / VOLTS}
    link = LiveLink(str(port), clock=lambda: twin.now)
    session = LiveSession(link, boat, LiveOptions(one.terms, mode='RTL'), threads=False)
    farthest, out = 0.0, math.nan
    while traveller.t < LONGEST:
        twin.volts, twin.amperes = VOLTS, traveller.power / VOLTS
        twin.step(STEP)
        session.step(0.0)
        twin.listen()
        if twin.mode == RTL and not traveller.returns:
            traveller.returns, out = True, traveller.t
        away = math.hypot(traveller.north, traveller.east)
        farthest = max(farthest, away)
        if traveller.energy >= start * CAPACITY or (traveller.returns and away < ARRIVED):
            break
    session.end()
    link.close()
    twin.close()
    left = start * CAPACITY - traveller.energy
    home = traveller.returns and math.hypot(traveller.north, traveller.east) < ARRIVED
    return {'stranded': float(not home), 'left_share': left / (start * CAPACITY), 'out_s': out,
            'duration_s': traveller.t, 'farthest_m': farthest, 'commands': float(len(twin.commands()))}


def main() -> int:
    """Print the figures; return the exit status."""
    parser = figures_parser(__doc__ or '')
    parser.add_argument('--trips', type=at_least(1), default=100)
    parser.add_argument('--kind', choices=('current', 'windy', 'unsaid'), default='current')
    parser.add_argument('--seed', type=at_least(0), default=20261127)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    figures: dict[str, Any] = {'seed': args.seed, 'kind': args.kind}
    with kept(figures, args.json) as table, tempfile.TemporaryDirectory() as folder:
        trips: list[dict[str, float]] = []
        for _ in range(args.trips):
            trips.append(trip(rng, args.kind, Path(folder)))
            figures |= {'trips': len(trips), 'stranded': sum(one['stranded'] for one in trips),
                        'commands': sum(one['commands'] for one in trips),
                        **{f'median_{name}': float(np.median([one[name] for one in trips]))
                           for name in ('left_share', 'out_s', 'duration_s', 'farthest_m')}}
        print(f'{figures["trips"]} trips, {args.kind}: {figures["stranded"]:.0f} stranded, '
              f'{figures["commands"]:.0f} commands; '
              f'median {figures["median_duration_s"]:.0f} s, {figures["median_farthest_m"]:.0f} m away, '
              f'{100.0 * figures["median_left_share"]:.1f} % of the energy left at home', file=table)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
