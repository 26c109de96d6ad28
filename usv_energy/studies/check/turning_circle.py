"""The steady turns of a boat, found by running its plant, and how it stops."""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_kind import rudders_of
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.motion import STILL, Relative
from usv_energy.powering.actuators import Setting, resting_setting
from usv_energy.sim.control.control import full_force, wanted_setting
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.plant_step import PlantState, advanced, held_flow, thruster_lags
from usv_energy.sim.plants.step_limit import longest_step
from usv_energy.thrusters.drive import force_of_thrusts

THROTTLE, DIFFERENCE, MOMENT = 'throttle', 'thrust difference', 'yaw moment'
SHARES = np.linspace(0.05, 1.0, 20)
ALL = 1e3            # Times what the thrusters have: a demand beyond all limits.
MOST_STEPS = 12000   # Of a run into a turn, or of stopping.
CHECKED = 100        # Steps between two looks whether a turn is steady.
STEADY = 1e-8        # m/s^2 and rad/s^2 over the speeds, 1/s: from here on a turn is steady.
LONGEST_STEP = 0.5   # s, of a boat without any drag.
ON_THE_SPOT = 1e-3   # Of the top speed: a boat that is slower turns on the spot, and has no drift.
LEFT = 0.1           # Of the speed: what is left of it where coasting ends.


class TurningCircles(NamedTuple):
    """
    Steady turns to port in still water and air, arrays of one shape.

    `by`: what is varied, (-) of the most: THROTTLE at one full angle of rudders or thrust; DIFFERENCE of fixed
    thrusters' thrusts, or yaw MOMENT where thrusters turn, each with all the thrust ahead that it leaves. What is asked
    of the actuators is held: what is had at standstill. Speed m/s of the boat's point; radius of its path, m; yaw
    rate rad/s; drift: angle of the path to starboard of the bow, rad, NaN on the spot. NaN where no turn became steady.
    `angles`: of thrusters and foils that turn, rad, at full.
    """

    by: str
    share: np.ndarray
    speed: np.ndarray
    radius: np.ndarray
    rate: np.ndarray
    drift: np.ndarray
    angles: tuple[float, ...]


class Stop(NamedTuple):
    """A boat's way from a speed to a lower one, m/s: the time, s, and the way, m; NaN if it does not get there."""

    begin: float
    end: float
    time: float
    way: float


def turning_circles(vessel: Vessel, top: float) -> TurningCircles | None:
    """
    Return the steady turns of a boat; None of one that cannot turn, or has no thruster.

    :param vessel: The Vessel.
    :param top: Its top speed ahead, m/s.
    """
    thrust = ALL * full_force(vessel)
    if not thrust > 0.0 or not top > 0.0:
        return None
    beyond = thrust * max(1.0, *(2.0 * abs(t.x) for t in vessel.thrusters))  # N m: more than any angle gives
    full = wanted_setting(thrust, beyond, Relative(top, 0.0, 0.0, -top, 0.0), vessel)
    steered = bool(rudders_of(vessel)) or len(vessel.thrusters) == 1
    if steered:
        wanted = full._replace(commands=tuple(SHARES * given for given in full.commands))
    else:
        rest = wanted_setting(thrust, thrust, Relative(0.0, 0.0, 0.0, 0.0, 0.0), vessel)
        moment = force_of_thrusts(rest.commands, rest.angles, vessel.thrusters)[2]
        wanted = _stacked([wanted_setting(thrust, share * moment, Relative(0.0, 0.0, 0.0, 0.0, 0.0), vessel)
                           for share in SHARES])
    state, steady = _run_until_steady(vessel, _of_shape(wanted, SHARES.shape))
    speed = np.where(steady, np.hypot(state.u_r, state.v_r), np.nan)
    rate = np.where(steady, state.r, np.nan)
    if not np.any(abs(rate) > 1e-6):
        return None
    by = THROTTLE if steered else MOMENT if any(t.azimuth is not None for t in vessel.thrusters) else DIFFERENCE
    with np.errstate(divide='ignore', invalid='ignore'):
        drift = np.where(speed > ON_THE_SPOT * top, np.arctan2(-state.v_r, state.u_r), np.nan)
        return TurningCircles(by, SHARES, speed, speed / abs(rate), rate, drift,
                              tuple(float(angle) for angle in (*full.angles, *full.foils) if angle is not None))


def _stacked(settings: list[Setting]) -> Setting:
    """Return Settings as one of arrays."""
    return Setting(*(tuple(None if parts[0] is None else np.array(parts) for parts in zip(*group))
                     for group in zip(*settings)))


def _of_shape(setting: Setting, shape: tuple[int, ...]) -> Setting:
    return Setting(*(tuple(None if part is None else np.broadcast_to(part, shape).astype(float) for part in group)
                     for group in setting))


def _run_until_steady(vessel: Vessel, setting: Setting) -> tuple[PlantState, Any]:
    """Return the plant after a run from rest with actuators at a Setting of arrays, and where it is steady."""
    zero = np.zeros(SHARES.shape)
    state = PlantState(zero, zero, zero, zero, zero, zero, zero)
    step = _step_of(vessel, 0.5)
    lags = thruster_lags(vessel, step)
    steady = zero > 1.0
    for number in range(1, MOST_STEPS + 1):
        before = state
        state, _ = advanced(state, setting, setting, lags, 0.0, step, vessel, held_flow, (STILL,))
        if number % CHECKED == 0:
            change = sum(abs(getattr(state, key) - getattr(before, key)) for key in ('u_r', 'v_r', 'r'))
            steady = change <= STEADY * step * (abs(state.u_r) + abs(state.v_r) + abs(state.r))
            if steady.all():
                break
    return state, steady


def _step_of(vessel: Vessel, share: float) -> float:
    """Return a share of the longest step with which a boat is followed, s."""
    return min(share * float(longest_step(vessel)), LONGEST_STEP)


def coasting(vessel: Vessel, speed: float) -> Stop:
    """Return how a boat with its thrusters off slows down from a speed, m/s, to a tenth of it, in still water."""
    return _stop(vessel, resting_setting(0.0, vessel), speed, LEFT * speed)


def crash_stop(vessel: Vessel, speed: float) -> Stop:
    """Return how a boat stops from a speed, m/s, with all the thrust astern that it has; thrusters begin at rest."""
    at = Relative(speed, 0.0, 0.0, -speed, 0.0)
    return _stop(vessel, wanted_setting(-ALL * full_force(vessel), 0.0, at, vessel), speed, 0.0)


def _stop(vessel: Vessel, wanted: Setting, begin: float, end: float) -> Stop:
    plant = Plant(vessel, (0.0, 0.0, 0.0), lambda *_: STILL, _step_of(vessel, 0.05))
    plant.state = plant.state._replace(u_r=begin)
    wanted = wanted._replace(foils=plant.setting.foils)
    for _ in range(MOST_STEPS):
        before = plant.state
        plant.advance(wanted)
        if plant.state.u_r <= end:
            share = (before.u_r - end) / (before.u_r - plant.state.u_r)
            return Stop(begin, end, plant.time - (1.0 - share) * plant.step,
                        before.x + share * (plant.state.x - before.x))
    return Stop(begin, end, np.nan, np.nan)
