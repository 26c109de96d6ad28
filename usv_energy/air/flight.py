"""
A flight from a moving deck and back: stages, abort and retry, what each stage takes.

The stages are those of [V]: take off from the deck, follow the boat at a height, approach to a height above its pad,
land while the error is small; where it grows while landing, the landing is aborted and approached again. On the deck
the quadcopter charges. Where its battery cannot give what is drawn, it is an emergency: it comes down at once, over the
pad as long as it can, with the thrust for which there is power; beside the deck it ditches.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from usv_energy.air.flight_battery import FlightBattery, battery_of
from usv_energy.air.flight_control import FlightController, Goal
from usv_energy.air.quadcopter import FlightState, Quadcopter, Thrusts, Vector, at_rest, rotors_power, stepped, upward

ON_DECK, TAKE_OFF, FOLLOW, APPROACH, LANDING, LANDED, EMERGENCY = (
    'on deck', 'take-off', 'follow', 'approach', 'landing', 'landed', 'emergency')
STAGES = (ON_DECK, TAKE_OFF, FOLLOW, APPROACH, LANDING, LANDED, EMERGENCY)
DECK_REACH = 0.5  # m from the pad's middle: what comes down further off in an emergency misses the deck.

THICKNESS = 0.2   # m of the deck: what is deeper in an emergency fell past it.


class Deck(NamedTuple):
    """
    The pad at a time: its middle's place, m, and velocity, m/s (world), and the boat's heading, rad.

    `up`: the direction that is square to the deck, of length 1, world.
    """

    place: Vector
    velocity: Vector
    heading: float
    up: Vector = (0.0, 0.0, 1.0)

    def height_at(self, x: float, y: float) -> float:
        """Return the height of the deck's plane at a place, m."""
        return self.place[2] - (self.up[0] * (x - self.place[0]) + self.up[1] * (y - self.place[1])) / self.up[2]


class FlightOrders(NamedTuple):
    """
    What a flight is to do.

    `take_off` at, s; `height` above the pad to follow at, m; `land` from, s; `approach_height`, m, above the pad before
    landing ([V]: 0.65); `threshold`, m, of the error in the plane within which it lands; `abort` beyond which it goes
    back up; `sink`, m/s, towards the pad; `commit`: height, m, below which it does not
    go back any more; `reserve`: share of the battery that must be left on the deck.
    """

    take_off: float = 2.0
    height: float = 3.0
    land: float = 30.0
    approach_height: float = 0.65
    threshold: float = 0.06
    abort: float = 0.10
    sink: float = 0.45
    commit: float = 0.08
    reserve: float = 0.2


class FlightSample(NamedTuple):
    """
    A flight at a time, s: state, stage, error in the plane and height above the pad, m, power, W, battery, J.

    `voltage`: V, of cells under load; NaN of a counter.
    """

    time: float
    state: FlightState
    stage: str
    error: float
    above: float
    power: float
    battery: float
    voltage: float = math.nan


class Touchdown(NamedTuple):
    """
    A contact with deck or water: time, s; distance from the pad's middle, m; speed relative to the deck, m/s.

    `tilt`: between the quadcopter's axis and the deck's, rad; `relative`: its velocity less the deck's, m/s, world.
    """

    time: float
    error: float
    speed: float
    tilt: float = 0.0
    relative: Vector = (0.0, 0.0, 0.0)


class Flight:
    """One flight, advanced step by step; `energy` by stage, J, from the battery (on deck: below 0, it charges)."""

    def __init__(self, controller: FlightController, orders: FlightOrders, deck: Deck, battery: float) -> None:
        """Stand on the deck; `battery`: what it holds, J, of cells their charge times the energy of the full one."""
        self.controller, self.orders = controller, orders
        self.craft: Quadcopter = controller.craft
        self.state = at_rest(deck.place, deck.heading)
        self.time, self.stage = 0.0, ON_DECK
        self.source: FlightBattery = battery_of(self.craft, battery / self.craft.battery)
        self.energy = dict.fromkeys(STAGES, 0.0)
        self.duration = dict.fromkeys(STAGES, 0.0)
        self.charged = 0.0  # J, drawn by the charger from the boat.
        self.touchdown: Touchdown | None = None
        self.ditched: Touchdown | None = None
        self.aborted = 0
        self.power = 0.0
        self.blind: tuple[tuple[float, float], ...] = ()  # From when to when, s, it does not see the deck.
        self._seen, self._seen_at = deck, 0.0
        self._offset = (0.0, 0.0)

    def advance(self, deck: Callable[[float], Deck], wind: Vector, step: float) -> FlightSample:
        """Go on by a step, s; `deck` by time."""
        if self.ditched is not None:
            self.time += step
            return self._sample(deck(self.time))
        now = self._last_seen(deck)
        error = math.hypot(self.state.place[0] - now.place[0], self.state.place[1] - now.place[1])
        above = self.state.place[2] - now.place[2]
        self._choose(error, above, now)
        if self.stage in (ON_DECK, LANDED):
            self._rest(deck(self.time + step), now, step)
        else:
            self._fly(deck, now, above, wind, step)
        self.time += step
        return FlightSample(self.time, self.state, self.stage, error, above, self.power, self.battery,
                            self.source.voltage)

    def _sample(self, now: Deck) -> FlightSample:
        """Return how it lies in the water."""
        error = math.hypot(self.state.place[0] - now.place[0], self.state.place[1] - now.place[1])
        return FlightSample(self.time, self.state, self.stage, error, self.state.place[2] - now.place[2], 0.0,
                            self.battery, self.source.voltage)

    @property
    def battery(self) -> float:
        """What its battery holds, J; of cells their share of the charge times the energy when full."""
        return self.source.left

    @property
    def on_deck(self) -> bool:
        """Whether it stands on the deck."""
        return self.stage in (ON_DECK, LANDED)

    @property
    def down(self) -> bool:
        """Whether it is down for good: landed, or in the water."""
        return self.stage == LANDED or self.ditched is not None

    def take_off(self) -> None:
        """Take off now, from the deck, first or again; it follows until `orders.land`."""
        self.stage, self.touchdown, self._offset = ON_DECK, None, (0.0, 0.0)
        self.orders = self.orders._replace(take_off=self.time, land=math.inf)

    def _last_seen(self, deck: Callable[[float], Deck]) -> Deck:
        """Return the deck; where it is out of sight, where it would be had it gone on straight."""
        if self.sees:
            self._seen, self._seen_at = deck(self.time), self.time
            return self._seen
        gone = self.time - self._seen_at
        x, y, z = (a + gone * b for a, b in zip(self._seen.place, (*self._seen.velocity[:2], 0.0)))
        return Deck((x, y, z), (*self._seen.velocity[:2], 0.0), self._seen.heading)

    @property
    def sees(self) -> bool:
        """Whether it sees the deck now; on it, it does."""
        flying = self.stage not in (ON_DECK, LANDED)
        return not (flying and any(begin <= self.time < end for begin, end in self.blind))

    def _choose(self, error: float, above: float, now: Deck) -> None:
        """Go from stage to stage."""
        orders = self.orders
        if self.stage == ON_DECK and self.time >= orders.take_off:
            self.stage = TAKE_OFF
            self.state = at_rest(self.state.place, now.heading)._replace(velocity=now.velocity)
        elif self.stage in (ON_DECK, LANDED, EMERGENCY):
            return
        elif self.source.empty:
            self.stage = EMERGENCY
        elif self.stage == TAKE_OFF and above > 0.9 * orders.height:
            self.stage = FOLLOW
        elif not self.sees:
            if self.stage in (APPROACH, LANDING):  # Up, until it sees the deck again.
                self.stage, self.aborted = FOLLOW, self.aborted + 1
        elif self.stage == FOLLOW and self.time >= orders.land:
            self.stage = APPROACH
        elif self.stage == APPROACH and error < orders.threshold and abs(above - orders.approach_height) < 0.15:
            self.stage = LANDING
        elif self.stage == LANDING and error > orders.abort and above > orders.commit:
            self.stage, self.aborted = APPROACH, self.aborted + 1

    def _goal(self, now: Deck) -> Goal:
        """Return where to be: above the pad, at the height of the stage, with the pad's velocity."""
        x, y, z = now.place
        vx, vy, vz = now.velocity
        if self.stage in (LANDING, EMERGENCY):
            # Down at a steady speed: the goal runs ahead by as much as the loop of places needs for it.
            lead = self.orders.sink / self.controller.gains.approach
            return Goal((x, y, self.state.place[2] - lead), (vx, vy, vz), now.heading)
        height = self.orders.approach_height if self.stage == APPROACH else self.orders.height
        return Goal((x, y, z + height), (vx, vy, 0.0 if height > 1.0 else vz), now.heading)

    def _fly(self, deck: Callable[[float], Deck], now: Deck, above: float, wind: Vector, step: float) -> None:
        self._feel_voltage()
        thrusts = self.controller.steer(self.state, self._goal(now), step, above)
        before = rotors_power(self.craft, self.state, wind)
        if self.stage == EMERGENCY:
            thrusts = self._with_power_left(thrusts, wind)
        self.state = stepped(self.craft, self.state, thrusts, step, wind, max(0.0, above))
        power = 0.5 * (before + rotors_power(self.craft, self.state, wind))
        self.power = min(power, self.source.most_power()) if self.stage == EMERGENCY else power
        self._take(self.power * step, step)
        then = deck(self.time + step)
        touch = self._contact(then, step)
        if touch is not None and (self.stage == LANDING or touch.error <= DECK_REACH):
            self.touchdown, self.stage = touch, LANDED
            self._offset = self.state.place[0] - then.place[0], self.state.place[1] - then.place[1]
            self.state = at_rest((self.state.place[0], self.state.place[1], then.place[2]), then.heading)
        elif self.stage == TAKE_OFF and self.state.place[2] < then.place[2]:
            x, y, _ = self.state.place  # It still stands: the deck carries what thrust does not.
            self.state = self.state._replace(place=(x, y, then.place[2]),
                                             velocity=(*self.state.velocity[:2], max(then.velocity[2], 0.0)))
        elif self.stage == EMERGENCY and self.state.place[2] <= 0.0:
            self.ditched = self._touch(then, step)
            self.state = at_rest((*self.state.place[:2], 0.0))
            self.power = 0.0

    def _contact(self, then: Deck, step: float) -> Touchdown | None:
        """Return how it meets the plane of the deck on its way down at the end of a step, s; None where it does not."""
        over = self.state.place[2] - then.height_at(*self.state.place[:2])
        if over > 0.0 or self.stage not in (LANDING, EMERGENCY) or (self.stage == EMERGENCY and over < -THICKNESS):
            return None
        return self._touch(then, step)

    def _touch(self, then: Deck, step: float) -> Touchdown:
        x, y, z = (a - b for a, b in zip(self.state.velocity, then.velocity))
        error = math.hypot(*(a - b for a, b in zip(self.state.place[:2], then.place[:2])))
        along = sum(a * b for a, b in zip(upward(self.state.turn), then.up))
        return Touchdown(self.time + step, error, math.sqrt(x * x + y * y + z * z), math.acos(min(along, 1.0)),
                         (x, y, z))

    def _feel_voltage(self) -> None:
        """Give the rotors the most thrust that the voltage of the battery allows."""
        most = self.source.most_thrust
        if most != self.craft.most_thrust:
            self.craft = self.controller.craft._replace(most_thrust=most)
            self.controller.craft = self.craft

    def _with_power_left(self, thrusts: Thrusts, wind: Vector) -> Thrusts:
        """Return thrusts for which there is power, N: a rotor's power goes with its thrust to the power of 1.5."""
        asked = rotors_power(self.craft, self.state._replace(thrusts=thrusts), wind) - self.craft.hotel
        left = max(0.0, self.source.most_power() - self.craft.hotel)
        share = 1.0 if left >= asked else (left / asked) ** (2.0 / 3.0)
        a, b, c, d = (share * thrust for thrust in thrusts)
        return a, b, c, d

    def _rest(self, then: Deck, now: Deck, step: float) -> None:
        """Stand on the deck, and charge where there is room in the battery."""
        dx, dy = self._offset if self.stage == LANDED else (0.0, 0.0)
        self.state = at_rest((then.place[0] + dx, then.place[1] + dy, then.place[2]), then.heading)
        gained = self.source.put(step)
        self.power = -gained / step
        self.charged += gained / self.craft.charge_efficiency
        self._count(-gained, step)

    def _take(self, energy: float, step: float) -> None:
        self._count(energy - self.source.take(energy, step), step)

    def _count(self, energy: float, step: float) -> None:
        self.energy[self.stage] += energy
        self.duration[self.stage] += step
