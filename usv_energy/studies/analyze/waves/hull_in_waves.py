"""
A hull of parts going straight ahead in small waves: first-order motion and second-order mean forces.

The plant's equations (`sim.plants.floating`) are linearised about the steady motion in calm water. For one wave at a
time they give heave, roll, pitch, surge, sway and yaw. This motion is inserted into the full equations at the hull's
momentary place. The means over a period are the additional force of the thrusters, and their work beyond that force
times the mean speed, because their speed through the water oscillates. A pilot with the gains of `sim.control` holds
the heading; the thrust is constant or responds to the speed.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.dynamics import surge_drag
from usv_energy.physics.motion import STILL
from usv_energy.physics.parted_hull import ColumnWave, PartedHull, WaterAround
from usv_energy.physics.waves.linear_wave import GRAVITY
from usv_energy.sim.control.control import gains_for
from usv_energy.sim.plants.floating import Afloat, floating_rate, turn_of_hull, water_seen
from usv_energy.sim.plants.plant_step import PlantState

X, Y, YAW, SURGE, SWAY, TURN, HEIGHT, ROLL, PITCH, RISE, ROLLING, PITCHING = range(12)
CHANGE = 1e-5               # Of each state, in its unit, for the linear equations.
FIRST, SECOND = 1e-4, 1e-3  # Amplitudes, m, for the first-order and second-order terms.
PHASES = 12                 # Of a wave, over which means are taken: exact for all that is of second order.
CALM = (1.0, 0.1, 1.0, 0.0, 0.0, 0.0)
FREE = (SWAY, TURN, HEIGHT, ROLL, PITCH, RISE, ROLLING, PITCHING)  # States whose mean may differ from calm water.
BALANCED = (YAW, SURGE, *FREE)


class WaveMeans(NamedTuple):
    """
    Mean effects of a wave of amplitude 1 m (quadratic in the amplitude); arrays.

    `resistance`: what the thrusters must give more, N/m^2. `work`: what they work beyond their mean force times the
    mean speed along the hull, W/m^2. `slip`: by how much the hull's way over ground is faster than its mean speed
    along its own, pitching axis, (m/s)/m^2. `surge`: square of the amplitude of that speed, (m/s)^2/m^2.
    """

    resistance: np.ndarray
    work: np.ndarray
    slip: np.ndarray
    surge: np.ndarray


class SeenMotion(NamedTuple):
    """Heave, m, roll and pitch, rad (FLU), for an amplitude of 1 m, complex; and the frequency of encounter, rad/s."""

    heave: np.ndarray
    roll: np.ndarray
    pitch: np.ndarray
    encounter: np.ndarray


class HullInWaves:
    """A Vessel of parts at a speed through the water. Directions are those in which waves run, rad, ahead to port."""

    def __init__(self, vessel: Vessel, speed: float, held: float = 0.0) -> None:
        """
        Find the steady motion in calm water and its linear equations.

        :param vessel: The Vessel, with parts.
        :param speed: Ahead through the water, m/s.
        :param held: How much less the thrust is for each m/s of speed too much, N s/m.
        """
        self._vessel, self._speed = vessel, speed
        self._thrust, self._rest = self._steady()
        thrust, few = self._thrust, CHANGE * np.eye(12)
        self._matrix = np.column_stack([(self._rate(self._rest + one) - self._rate(self._rest - one)) / (2.0 * CHANGE)
                                        for one in few])
        self._by_thrust = self._rate(self._rest, (thrust + 0.5, 0.0, 0.0)) - self._rate(
            self._rest, (thrust - 0.5, 0.0, 0.0))
        self._by_moment = self._rate(self._rest, (thrust, 0.0, 0.5)) - self._rate(self._rest, (thrust, 0.0, -0.5))
        gains = gains_for(vessel)
        self._pilot, self._throttle = np.zeros(12), np.zeros(12)
        self._pilot[YAW], self._pilot[TURN], self._throttle[SURGE] = -gains.heading_kp, -gains.heading_kd, -held

    def motion(self, frequency: np.ndarray, direction: np.ndarray) -> SeenMotion:
        """Return the SeenMotion in waves of frequencies, rad/s, shape (n,), and directions, rad, same shape."""
        response, encounter = self._response(frequency, direction)
        return SeenMotion(response[:, HEIGHT], response[:, ROLL], response[:, PITCH], encounter)

    def means(self, frequency: np.ndarray, direction: np.ndarray) -> WaveMeans:
        """Return the WaveMeans of waves; parameters as `motion`."""
        response, _ = self._response(frequency, direction)
        phase = 2.0 * math.pi / PHASES * np.arange(PHASES)
        turning = np.exp(1j * phase)
        state = self._rest[:, None, None] + SECOND * np.real(response.T[:, :, None] * turning)
        moment, thrust = (SECOND * np.real((response @ answer)[:, None] * turning)
                          for answer in (self._pilot, self._throttle))
        wave = _wave(frequency[:, None], direction[:, None], SECOND, phase)
        rate, seen = self._rate_and_water(state, (self._thrust + thrust, 0.0, moment), wave)
        bent = (rate.mean(axis=-1) - self._rate(self._rest)[:, None]) / SECOND ** 2
        balance = np.column_stack([self._matrix[np.ix_(BALANCED, FREE)], self._by_thrust[list(BALANCED)],
                                   self._by_moment[list(BALANCED)]])
        shift = -np.linalg.solve(balance, bent[list(BALANCED)])
        work = (thrust * state[SURGE] - (self._thrust + thrust) * seen).mean(axis=-1) / SECOND ** 2
        slip = bent[X] + self._matrix[X, list(FREE)] @ shift[:len(FREE)]
        return WaveMeans(shift[-2], work, slip, np.abs(response[:, SURGE]) ** 2)

    def _response(self, frequency: np.ndarray, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the states' complex amplitudes, shape (n, 12), per m, and the frequency of encounter, rad/s."""
        encounter = encounter_frequency(frequency, direction, self._speed)
        rest = np.broadcast_to(self._rest[:, None], (12, frequency.size))
        still = self._rate(self._rest)[:, None]
        force = (self._thrust, 0.0, 0.0)
        waves = [_wave(frequency, direction, FIRST, phase) for phase in (0.0, 0.5 * math.pi)]
        crest, later = ((self._rate_and_water(rest, force, wave)[0] - still) / FIRST for wave in waves)
        steered = self._matrix + np.outer(self._by_moment, self._pilot) + np.outer(self._by_thrust, self._throttle)
        system = steered + 1j * encounter[:, None, None] * np.eye(12)
        found: np.ndarray = -np.linalg.solve(system, (crest - 1j * later).T[..., None])[..., 0]
        return found, encounter

    def _steady(self) -> tuple[float, np.ndarray]:
        """Return the steady thrust, N, and state in calm water, by Newton's method."""
        hull = self._vessel.parts
        rest = np.zeros(12)
        rest[[SURGE, HEIGHT, ROLL, PITCH]] = self._speed, hull.rest_height, hull.rest_roll, hull.rest_pitch
        known = np.array([surge_drag(self._speed, self._vessel.damping), *rest[[HEIGHT, PITCH, RISE]]])
        places, zeros = [HEIGHT, PITCH, RISE], [SURGE, HEIGHT, RISE, PITCHING]

        def missed(found: np.ndarray) -> np.ndarray:
            rest[places] = found[1:]
            return self._rate(rest, (float(found[0]), 0.0, 0.0))[zeros]

        for _ in range(8):
            slopes = [(missed(known + one) - missed(known - one)) / (2.0 * CHANGE) for one in CHANGE * np.eye(4)]
            known = known - np.linalg.solve(np.column_stack(slopes), missed(known))
        rest[places] = known[1:]
        return float(known[0]), rest

    def _rate(self, state: np.ndarray, force: tuple[float, float, float] | None = None) -> np.ndarray:
        """Return the rates of a state, shape (12,), in calm water."""
        given = (self._thrust, 0.0, 0.0) if force is None else force
        return self._rate_and_water(state, given, CALM)[0]

    def _rate_and_water(self, state: np.ndarray, force: tuple[object, ...],
                        wave: tuple[object, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Return the rates of states, (12, ...), by force and wave, and the speed of the water ahead, m/s."""
        around = _around(self._vessel.parts, wave, state)
        afloat = Afloat(*state[HEIGHT:])
        x, y, yaw, u, v, r = state[:HEIGHT]
        plant = PlantState(x, y, yaw, u, v, r, 0.0 * x, afloat)
        rate = floating_rate(afloat, plant, force, None, STILL, self._vessel, around)
        seen = water_seen(turn_of_hull(afloat, plant.yaw), around, self._vessel.parts)
        rates = rate.x, rate.y, rate.yaw, rate.u_r, rate.v_r, rate.r, *rate.afloat[:6]
        return np.array(np.broadcast_arrays(*rates)), seen.u


def encounter_frequency(frequency: np.ndarray, direction: np.ndarray, speed: float) -> np.ndarray:
    """
    Return the frequency of encounter with waves in deep water, rad/s; negative if the boat overtakes them.

    :param frequency: Of the waves at a place, omega, rad/s; `direction`: towards which they run, rad from ahead.
    :param speed: Of the boat, m/s.

    Source: Faltinsen (1990), Sea Loads on Ships and Offshore Structures, (3.16).
    """
    return frequency - frequency ** 2 / GRAVITY * speed * np.cos(direction)


def _wave(frequency: np.ndarray, direction: np.ndarray, amplitude: float, phase: np.ndarray | float,
          ) -> tuple[object, ...]:
    return (frequency, frequency ** 2 / GRAVITY, np.cos(direction), np.sin(direction), amplitude, phase)


def _around(hull: PartedHull, wave: tuple[object, ...], state: np.ndarray) -> WaterAround:
    """Return the WaterAround of a hull in one wave, or many: that of `felt_waves.column_waves`, of deep water."""
    frequency, number, c, s, amplitude, phase = (np.asarray(part, dtype=float) for part in wave)
    c_yaw, s_yaw = np.cos(state[YAW]), np.sin(state[YAW])
    along = number * hull.cell_length * (c_yaw * c + s_yaw * s)
    across = number * hull.cell_width * (c_yaw * s - s_yaw * c)
    fading = (along * along + across * across) / 24.0
    kept = amplitude / (1.0 + fading * (1.0 + 0.7 * fading))
    rise, speed = kept * np.exp(-number * hull.draught), kept * frequency * np.exp(-0.5 * number * hull.draught)
    columns = []
    for column in hull.columns:
        east = state[X] + c_yaw * column.x - s_yaw * column.y
        north = state[Y] + s_yaw * column.x + c_yaw * column.y
        even, odd = np.cos(angle := phase + number * (c * east + s * north)), np.sin(angle)
        columns.append(ColumnWave(rise * even, rise * frequency * odd, -rise * frequency ** 2 * even, speed * c * even,
                                  speed * s * even, speed * frequency * c * odd, speed * frequency * s * odd))
    return WaterAround(tuple(columns), 0.0, 0.0)
