"""
A flight from a moving deck and back: its stages, abort and retry, and the energy of each stage.

The stages are those of [V]: take off from the deck, follow the boat at a height, approach to a height above the pad,
land while the error is small. If the error grows during the landing, the landing is aborted, and approached again. On
the deck the quadcopter charges. If the battery cannot give the power that is drawn, there is an emergency: the
quadcopter descends at once, over the pad as far as possible, with the thrust that the power allows. Beside the deck it
falls into the water.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from usv_energy.air.flight_battery import FlightBattery, battery_of
from usv_energy.air.flight_control import FlightController, Goal
from usv_energy.air.quadcopter import (
    FlightState,
    Quadcopter,
    Thrusts,
    Vector,
    at_rest,
    next_state,
    rotors_power,
    up_axis,
)

ON_DECK, TAKE_OFF, FOLLOW, APPROACH, LANDING, LANDED, EMERGENCY = (
    'on deck', 'take-off', 'follow', 'approach', 'landing', 'landed', 'emergency')
STAGES = (ON_DECK, TAKE_OFF, FOLLOW, APPROACH, LANDING, LANDED, EMERGENCY)
DECK_REACH = 0.5  # m from the pad's middle; in an emergency a quadcopter further off misses the deck.
THICKNESS = 0.2   # m of the deck; in an emergency a quadcopter that is deeper has fallen past it.
# Contact with the deck as another simulator shows it: a height above the deck, m; or less than a larger height, m, with
# a sink rate below a limit, m/s.
CONTACT_HEIGHT = 0.004
NEAR_HEIGHT, STOPPED = 0.05, 0.1


class Deck(NamedTuple):
    """
    The pad at a time: the place, m, and velocity, m/s, of its middle in the world, and the boat's heading, rad.

    `up`: unit normal of the deck in the world.
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
    The orders of a flight.

    `take_off`, `land`: times, s. `height`: above the pad while following, m. `approach_height`: above the pad before
    landing, m ([V]: 0.65). `threshold`: horizontal error below which it lands, m. `abort`: horizontal error above which
    it aborts the landing, m. `sink`: speed of descent towards the pad, m/s. `commit`: height below which it no longer
    aborts, m. `reserve`: share of the battery that must be left on the deck, (-).
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
    A flight at a time, s: state, stage, horizontal error and height above the pad, m, power, W, energy left, J.

    `voltage`: voltage of cells under load, V; NaN for a counted battery.
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

    `tilt`: angle between the quadcopter's axis and the deck's, rad. `relative`: velocity relative to the deck, m/s.
    """

    time: float
    error: float
    speed: float
    tilt: float = 0.0
    relative: Vector = (0.0, 0.0, 0.0)


class Flight:
    """One flight, advanced step by step. `energy`: from the battery in each stage, J; below 0 while it charges."""

    def __init__(self, controller: FlightController, orders: FlightOrders, deck: Deck, battery: float) -> None:
        """Stand on the deck; `battery`: energy left, J; for cells their charge times the energy of the full battery."""
        self.controller, self.orders = controller, orders
        self.craft: Quadcopter = controller.craft
        self.state = at_rest(deck.place, deck.heading)
        self.time, self.stage = 0.0, ON_DECK
        self.source: FlightBattery = battery_of(self.craft, battery / self.craft.battery)
        self.energy = dict.fromkeys(STAGES, 0.0)
        self.duration = dict.fromkeys(STAGES, 0.0)
        self.charged = 0.0  # J, that the charger has drawn from the boat.
        self.touchdown: Touchdown | None = None
        self.ditched: Touchdown | None = None
        self.aborted = 0
        self.power = 0.0
        self.blind: tuple[tuple[float, float], ...] = ()  # Intervals in which it does not see the deck, s.
        self._seen, self._seen_at = deck, 0.0
        self._offset = (0.0, 0.0)

    def advance(self, deck: Callable[[float], Deck], wind: Vector, step: float) -> FlightSample:
        """Advance by a step, s; `deck` returns the pad at a time, s."""
        if self.ditched is not None:
            self.time += step
            return self._sample(deck(self.time))
        now = self._last_seen(deck)
        error = math.hypot(self.state.place[0] - now.place[0], self.state.place[1] - now.place[1])
        above = self.state.place[2] - now.place[2]
        self._change_stage(error, above, now)
        if self.stage in (ON_DECK, LANDED):
            self._stand_on_deck(deck(self.time + step), now, step)
        else:
            self._fly(deck, now, above, wind, step)
        self.time += step
        return FlightSample(self.time, self.state, self.stage, error, above, self.power, self.battery,
                            self.source.voltage)

    def _sample(self, now: Deck) -> FlightSample:
        """Return the sample of a quadcopter in the water."""
        error = math.hypot(self.state.place[0] - now.place[0], self.state.place[1] - now.place[1])
        return FlightSample(self.time, self.state, self.stage, error, self.state.place[2] - now.place[2], 0.0,
                            self.battery, self.source.voltage)

    @property
    def battery(self) -> float:
        """Energy left in the battery, J; for cells their charge times the energy of the full battery."""
        return self.source.left

    @property
    def on_deck(self) -> bool:
        """Whether it stands on the deck."""
        return self.stage in (ON_DECK, LANDED)

    @property
    def down(self) -> bool:
        """Whether the flight is over: landed, or in the water."""
        return self.stage == LANDED or self.ditched is not None

    def take_off(self) -> None:
        """Take off now from the deck, for the first time or again; it follows until `orders.land`."""
        self.stage, self.touchdown, self._offset = ON_DECK, None, (0.0, 0.0)
        self.orders = self.orders._replace(take_off=self.time, land=math.inf)

    def _last_seen(self, deck: Callable[[float], Deck]) -> Deck:
        """Return the deck; while it is out of sight, its extrapolation with constant velocity."""
        if self.sees_deck:
            self._seen, self._seen_at = deck(self.time), self.time
            return self._seen
        gone = self.time - self._seen_at
        x, y, z = (a + gone * b for a, b in zip(self._seen.place, (*self._seen.velocity[:2], 0.0)))
        return Deck((x, y, z), (*self._seen.velocity[:2], 0.0), self._seen.heading)

    @property
    def sees_deck(self) -> bool:
        """Whether it sees the deck now; while standing on it, it does."""
        flying = self.stage not in (ON_DECK, LANDED)
        return not (flying and any(begin <= self.time < end for begin, end in self.blind))

    def _change_stage(self, error: float, above: float, now: Deck) -> None:
        """Change the stage if its end is reached."""
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
        elif not self.sees_deck:
            if self.stage in (APPROACH, LANDING):  # Climb until it sees the deck again.
                self.stage, self.aborted = FOLLOW, self.aborted + 1
        elif self.stage == FOLLOW and self.time >= orders.land:
            self.stage = APPROACH
        elif self.stage == APPROACH and error < orders.threshold and abs(above - orders.approach_height) < 0.15:
            self.stage = LANDING
        elif self.stage == LANDING and error > orders.abort and above > orders.commit:
            self.stage, self.aborted = APPROACH, self.aborted + 1

    def _goal(self, now: Deck) -> Goal:
        """Return the goal: above the pad, at the height of the stage, with the pad's velocity."""
        x, y, z = now.place
        vx, vy, vz = now.velocity
        if self.stage in (LANDING, EMERGENCY):
            # Descend at constant speed: the goal is below by the distance for which the position loop gives that speed.
            lead = self.orders.sink / self.controller.gains.approach
            return Goal((x, y, self.state.place[2] - lead), (vx, vy, vz), now.heading)
        height = self.orders.approach_height if self.stage == APPROACH else self.orders.height
        return Goal((x, y, z + height), (vx, vy, 0.0 if height > 1.0 else vz), now.heading)

    def _fly(self, deck: Callable[[float], Deck], now: Deck, above: float, wind: Vector, step: float) -> None:
        self._limit_thrust()
        thrusts = self.controller.steer(self.state, self._goal(now), step, above)
        before = rotors_power(self.craft, self.state, wind)
        if self.stage == EMERGENCY:
            thrusts = self._affordable_thrusts(thrusts, wind)
        self.state = next_state(self.craft, self.state, thrusts, step, wind, max(0.0, above))
        power = 0.5 * (before + rotors_power(self.craft, self.state, wind))
        self.power = min(power, self.source.most_power()) if self.stage == EMERGENCY else power
        self._draw(self.power * step, step)
        then = deck(self.time + step)  # The deck at the end of the step.
        touch = self._contact(then, step)
        if touch is not None and (self.stage == LANDING or touch.error <= DECK_REACH):
            self.touchdown, self.stage = touch, LANDED
            self._offset = self.state.place[0] - then.place[0], self.state.place[1] - then.place[1]
            self.state = at_rest((self.state.place[0], self.state.place[1], then.place[2]), then.heading)
        elif self.stage == TAKE_OFF and self.state.place[2] < then.place[2]:
            x, y, _ = self.state.place  # It still stands on the deck, which carries the weight that thrust does not.
            self.state = self.state._replace(place=(x, y, then.place[2]),
                                             velocity=(*self.state.velocity[:2], max(then.velocity[2], 0.0)))
        elif self.stage == EMERGENCY and self.state.place[2] <= 0.0:
            self.ditched = self._touchdown(then, step)
            self.state = at_rest((*self.state.place[:2], 0.0))
            self.power = 0.0

    def _contact(self, then: Deck, step: float) -> Touchdown | None:
        """Return the contact with the plane of the deck at the end of a step, s, on its way down; None without one."""
        over = self.state.place[2] - then.height_at(*self.state.place[:2])
        if over > 0.0 or self.stage not in (LANDING, EMERGENCY) or (self.stage == EMERGENCY and over < -THICKNESS):
            return None
        return self._touchdown(then, step)

    def _touchdown(self, then: Deck, step: float) -> Touchdown:
        x, y, z = (a - b for a, b in zip(self.state.velocity, then.velocity))
        error = math.hypot(*(a - b for a, b in zip(self.state.place[:2], then.place[:2])))
        along = sum(a * b for a, b in zip(up_axis(self.state.turn), then.up))
        return Touchdown(self.time + step, error, math.sqrt(x * x + y * y + z * z), math.acos(min(along, 1.0)),
                         (x, y, z))

    def _limit_thrust(self) -> None:
        """Limit the thrust of the rotors to what the voltage of the battery allows."""
        most = self.source.most_thrust
        if most != self.craft.most_thrust:
            self.craft = self.controller.craft._replace(most_thrust=most)
            self.controller.craft = self.craft

    def _affordable_thrusts(self, thrusts: Thrusts, wind: Vector) -> Thrusts:
        """Return thrusts for the power that is left, N: a rotor's power grows with its thrust to the power of 1.5."""
        asked = rotors_power(self.craft, self.state._replace(thrusts=thrusts), wind) - self.craft.hotel
        left = max(0.0, self.source.most_power() - self.craft.hotel)
        share = 1.0 if left >= asked else (left / asked) ** (2.0 / 3.0)
        a, b, c, d = (share * thrust for thrust in thrusts)
        return a, b, c, d

    def _stand_on_deck(self, then: Deck, now: Deck, step: float) -> None:
        """Stand on the deck, and charge the battery if it is not full."""
        dx, dy = self._offset if self.stage == LANDED else (0.0, 0.0)
        self.state = at_rest((then.place[0] + dx, then.place[1] + dy, then.place[2]), then.heading)
        gained = self.source.charge_for(step)
        self.power = -gained / step
        self.charged += gained / self.craft.charge_efficiency
        self._add_energy(-gained, step)

    def _draw(self, energy: float, step: float) -> None:
        self._add_energy(energy - self.source.draw(energy, step), step)

    def _add_energy(self, energy: float, step: float) -> None:
        self.energy[self.stage] += energy
        self.duration[self.stage] += step


class GuidedFlight(Flight):
    """
    A Flight whose body and rotors another simulator moves, such as Gazebo. It chooses stages, goals and energy.

    The other simulator limits the thrust of the rotors, so a low voltage does not weaken them. If the battery cannot
    give the power that they draw, there is an emergency as in `Flight`.
    """

    def guide(self, state: FlightState, deck: Deck, wind: Vector, step: float) -> Goal | None:
        """
        Advance by a step, s; return the next goal, or None to switch the rotors off.

        :param state: State at the end of the step in the other simulator, with the thrusts of the rotors.
        :param deck: The pad at the same time.
        :param wind: Velocity of the air, world, m/s.
        """
        before, self.state, self.time = self.state, state, self.time + step
        error = math.hypot(*(a - b for a, b in zip(state.place[:2], deck.place[:2])))
        above = state.place[2] - deck.height_at(*state.place[:2])
        if self.on_deck:
            self._stand_on_deck(deck, deck, step)
        elif self.ditched is None:
            self.power = 0.5 * (rotors_power(self.craft, before, wind) + rotors_power(self.craft, state, wind))
            self._draw(self.power * step, step)
        self.state = state
        sinking = deck.velocity[2] - state.velocity[2]
        touches = above <= CONTACT_HEIGHT or (above <= NEAR_HEIGHT and sinking < STOPPED)
        if self.stage in (LANDING, EMERGENCY) and touches and (self.stage == LANDING or error <= DECK_REACH):
            self.touchdown, self.stage = self._touchdown_before(before, deck, error), LANDED
        elif self.stage == EMERGENCY and state.place[2] <= 0.0 and self.ditched is None:
            self.ditched = self._touchdown_before(before, deck, error)
        self._change_stage(error, above, deck)
        self.state = state
        return None if self.down or self.stage == ON_DECK else self._goal(deck)

    def _touchdown_before(self, before: FlightState, deck: Deck, error: float) -> Touchdown:
        """Return the contact with the speed of the state before it, because contact has already braked the next one."""
        x, y, z = (a - b for a, b in zip(before.velocity, deck.velocity))
        along = sum(a * b for a, b in zip(up_axis(before.turn), deck.up))
        return Touchdown(self.time, error, math.sqrt(x * x + y * y + z * z), math.acos(min(along, 1.0)), (x, y, z))


def flight_summary(flight: Flight) -> dict[str, Any]:
    """Return the energy of a flight and its landing for JSON, with units in the keys."""
    down = flight.touchdown
    return {'quadcopter': flight.craft.name, 'hover_power_w': flight.craft.hover_power, 'stage': flight.stage,
            'energy_j': dict(flight.energy), 'duration_s': dict(flight.duration), 'aborted': flight.aborted,
            'charging_j': flight.charged,
            'landing': None if down is None else {'t_s': down.time, 'error_m': down.error, 'speed_m_s': down.speed}}
