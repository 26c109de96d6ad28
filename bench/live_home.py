"""
How many boats come home that `usv-energy live --may-command` sends home by its margin, over a real UDP socket.

An autopilot of the tests (test/unit/autopilot_twin.py) sails out on a random course in a random current, at a speed
over ground that the boat can hold; current and charge are not quite what `live` is told. What the way takes is a closed
form that shares no code with the product: d w^2 + h, w through the water. Time is the autopilot's own.

    python3 bench/live_home.py --trips 100
"""

import math
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from own_command import at_least, ended_by, figures_parser, kept

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test' / 'unit'))

from autopilot_twin import RTL, AutopilotTwin  # type: ignore[import-not-found]
from home_missions import BOAT, CHARGE_STD, CURRENT_STD, D11, HOTEL  # type: ignore[import-not-found]

from usv_energy.flow.analytic import UniformFlow
from usv_energy.live.boat_account import LiveTerms
from usv_energy.live.link import LiveLink
from usv_energy.live.session import LiveOptions, LiveSession
from usv_energy.physics.batteries.battery import JOULES_PER_WH

CAPACITY = 8e3          # J: trips of some minutes
SPEED, VOLTS = 0.8, 14.8  # m/s over ground; V
STEP, LONGEST = 0.4, 3600.0  # s
ARRIVED = 2.0           # m from home


class Traveller:
    """A boat that goes out on a course (rad clockwise from north) in a current, m/s, and home when it is told to."""

    def __init__(self, course: float, current: tuple[float, float]) -> None:
        """Begin at home; `current`: north and east."""
        self.course, self.current = course, current
        self.t = self.north = self.east = self.energy = 0.0
        self.returns = False

    def velocity(self, t: float) -> tuple[float, float]:
        """Return the velocity over ground, m/s north and east."""
        course = math.atan2(-self.east, -self.north) if self.returns else self.course
        return SPEED * math.cos(course), SPEED * math.sin(course)

    def _through_water(self) -> tuple[float, float]:
        north, east = self.velocity(self.t)
        return north - self.current[0], east - self.current[1]

    @property
    def power(self) -> float:
        """What it draws, W."""
        power: float = D11 * math.hypot(*self._through_water()) ** 2 + HOTEL
        return power

    def yaw(self, t: float) -> float:
        """Return the heading, rad clockwise from north: along the way through the water."""
        north, east = self._through_water()
        return math.atan2(east, north)

    def rate(self, t: float) -> float:
        """Return the yaw rate, rad/s: a straight way has none."""
        return 0.0

    def step(self, seconds: float) -> None:
        """Go on."""
        north, east = self.velocity(self.t)
        self.energy += seconds * self.power
        self.north, self.east, self.t = self.north + seconds * north, self.east + seconds * east, self.t + seconds


def trip(rng: np.random.Generator) -> dict[str, float]:
    """Return one trip: whether the boat stranded, the share of its energy left at home, its duration and way, s, m."""
    strength, towards, course = rng.uniform(0.0, 0.4), *rng.uniform(-math.pi, math.pi, 2)
    true = strength * math.cos(towards), strength * math.sin(towards)  # north, east
    known = UniformFlow(true[1] + rng.normal(0.0, CURRENT_STD), true[0] + rng.normal(0.0, CURRENT_STD))
    start = rng.uniform(0.5, 1.0)
    believed = float(np.clip(start + rng.normal(0.0, CHARGE_STD), 0.0, 1.0))
    assert BOAT.battery is not None
    boat = replace(BOAT, battery=BOAT.battery._replace(capacity_wh=CAPACITY / JOULES_PER_WH, nominal_voltage=VOLTS,
                                                       initial_state_of_charge=believed))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    traveller = Traveller(course, true)
    twin = AutopilotTwin(port, boat=traveller)
    twin.parameters |= {'CRUISE_SPEED': SPEED, 'BATT_CAPACITY': 1000.0 * CAPACITY / JOULES_PER_WH / VOLTS}
    link = LiveLink(str(port), clock=lambda: twin.now)
    session = LiveSession(link, boat, LiveOptions(LiveTerms(known, known, reserve=0.0, charge_std=CHARGE_STD),
                                                  mode='RTL'), threads=False)
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
    parser.add_argument('--seed', type=at_least(0), default=20261127)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    figures: dict[str, Any] = {'seed': args.seed}
    with kept(figures, args.json) as table:
        trips: list[dict[str, float]] = []
        for _ in range(args.trips):
            trips.append(trip(rng))
            figures |= {'trips': len(trips), 'stranded': sum(one['stranded'] for one in trips),
                        'commands': sum(one['commands'] for one in trips),
                        **{f'median_{name}': float(np.median([one[name] for one in trips]))
                           for name in ('left_share', 'out_s', 'duration_s', 'farthest_m')}}
        print(f'{figures["trips"]} trips: {figures["stranded"]:.0f} stranded, {figures["commands"]:.0f} commands; '
              f'median {figures["median_duration_s"]:.0f} s, {figures["median_farthest_m"]:.0f} m away, '
              f'{100.0 * figures["median_left_share"]:.1f} % of the energy left at home', file=table)
    return 0


if __name__ == '__main__':
    sys.exit(ended_by(main))
