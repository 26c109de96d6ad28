"""A flight whose body and rotors another simulator moves, Gazebo for one: stages, goals and energy are chosen here."""

import math
from typing import Any

from usv_energy.air.flight import DECK_REACH, EMERGENCY, LANDED, LANDING, ON_DECK, Deck, Flight, Touchdown
from usv_energy.air.flight_control import Goal
from usv_energy.air.quadcopter import FlightState, Vector, rotors_power, upward

ON_IT = 0.004           # m above where it stands: then it has touched the deck.
NEAR, STOPPED = 0.05, 0.1  # m above, and m/s: nearer than that and no longer sinking, it has touched it, too.


class GuidedFlight(Flight):
    """
    A Flight that is told where the quadcopter is and how its rotors thrust, instead of computing it.

    What the rotors can is the other simulator's: a voltage that sags does not weaken them. Where the battery cannot
    give what they draw, it is an emergency as ever.
    """

    def guide(self, state: FlightState, deck: Deck, wind: Vector, step: float) -> Goal | None:
        """
        Go on by a step, s, at whose end the quadcopter is in a state; return where it is to be, None: rotors off.

        :param state: As the other simulator has it, its rotors' thrusts included.
        :param deck: Of the same time.
        :param wind: Of the air, world, m/s.
        """
        before, self.state, self.time = self.state, state, self.time + step
        error = math.hypot(*(a - b for a, b in zip(state.place[:2], deck.place[:2])))
        above = state.place[2] - deck.height_at(*state.place[:2])
        if self.on_deck:
            self._rest(deck, deck, step)
        elif self.ditched is None:
            self.power = 0.5 * (rotors_power(self.craft, before, wind) + rotors_power(self.craft, state, wind))
            self._take(self.power * step, step)
        self.state = state
        sinking = deck.velocity[2] - state.velocity[2]
        on_it = above <= ON_IT or (above <= NEAR and sinking < STOPPED)
        if self.stage in (LANDING, EMERGENCY) and on_it and (self.stage == LANDING or error <= DECK_REACH):
            self.touchdown, self.stage = self._met(before, deck, error), LANDED
        elif self.stage == EMERGENCY and state.place[2] <= 0.0 and self.ditched is None:
            self.ditched = self._met(before, deck, error)
        self._choose(error, above, deck)
        self.state = state
        return None if self.down or self.stage == ON_DECK else self._goal(deck)

    def _met(self, before: FlightState, deck: Deck, error: float) -> Touchdown:
        """Take the contact's speed from the state before it: that of its own step has been braked already."""
        x, y, z = (a - b for a, b in zip(before.velocity, deck.velocity))
        along = sum(a * b for a, b in zip(upward(before.turn), deck.up))
        return Touchdown(self.time, error, math.sqrt(x * x + y * y + z * z), math.acos(min(along, 1.0)), (x, y, z))


def flight_summary(flight: Flight) -> dict[str, Any]:
    """Return what a flight took and how it landed, for JSON, units in the keys."""
    down = flight.touchdown
    return {'quadcopter': flight.craft.name, 'hover_power_w': flight.craft.hover_power, 'stage': flight.stage,
            'energy_j': dict(flight.energy), 'duration_s': dict(flight.duration), 'aborted': flight.aborted,
            'charging_j': flight.charged,
            'landing': None if down is None else {'t_s': down.time, 'error_m': down.error, 'speed_m_s': down.speed}}
