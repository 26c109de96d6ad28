"""The steady turns and the stops of a boat, simulated with its plant."""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.checks import rudders_of
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
BEYOND_LIMITS = 1e3     # times the thrusters' force: a demand beyond all limits
MOST_STEPS = 12000      # of a run into a turn, or of a stop
CHECK_PERIOD = 100      # steps between two checks whether a turn is steady
STEADY = 1e-8           # 1/s: sum of accelerations over sum of velocities, below which a turn is steady
LONGEST_STEP = 0.5      # s, for a boat without drag
ON_THE_SPOT = 1e-3      # of the top speed: a slower boat turns on the spot, and has no drift angle
COASTED_SHARE = 0.1     # of the first speed, at which coasting ends


class TurningCircles(NamedTuple):
    """
    Steady turns to port in still water and air, arrays of one shape.

    `by`: the varied quantity, and `share`, (-), of its largest value: THROTTLE at the full angle of rudders or thrust;
    DIFFERENCE of the thrusts of fixed thrusters, or yaw MOMENT of turning thrusters, with all the thrust ahead that is
    then left. The commands of the actuators are constant: those for standstill. `speed` of the boat's point, m/s;
    `radius` of its path, m; yaw `rate`, rad/s; `drift`: angle of the path to starboard of the bow, rad, NaN on the
    spot. All are NaN if the turn did not become steady. `angles`: of turning thrusters and foils, rad, at full.
    """

    by: str
    share: np.ndarray
    speed: np.ndarray
    radius: np.ndarray
    rate: np.ndarray
    drift: np.ndarray
    angles: tuple[float, ...]


class Stop(NamedTuple):
    """Slowing down from a speed to a lower one, m/s: the time, s, and the distance, m; NaN if it takes too long."""

    begin: float
    end: float
    time: float
    way: float


def turning_circles(vessel: Vessel, top: float) -> TurningCircles | None:
    """
    Return the steady turns of a boat; None if it cannot turn or has no thruster.

    :param vessel: The Vessel.
    :param top: Its top speed ahead, m/s.
    """
    thrust = BEYOND_LIMITS * full_force(vessel)
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
        wanted = _joined_settings([wanted_setting(thrust, share * moment, Relative(0.0, 0.0, 0.0, 0.0, 0.0), vessel)
                           for share in SHARES])
    state, steady = _run_until_steady(vessel, _broadcast(wanted, SHARES.shape))
    speed = np.where(steady, np.hypot(state.u_r, state.v_r), np.nan)
    rate = np.where(steady, state.r, np.nan)
    if not np.any(abs(rate) > 1e-6):
        return None
    by = THROTTLE if steered else MOMENT if any(t.azimuth is not None for t in vessel.thrusters) else DIFFERENCE
    with np.errstate(divide='ignore', invalid='ignore'):
        drift = np.where(speed > ON_THE_SPOT * top, np.arctan2(-state.v_r, state.u_r), np.nan)
        return TurningCircles(by, SHARES, speed, speed / abs(rate), rate, drift,
                              tuple(float(angle) for angle in (*full.angles, *full.foils) if angle is not None))


def _joined_settings(settings: list[Setting]) -> Setting:
    """Return several Settings as one Setting of arrays."""
    return Setting(*(tuple(None if parts[0] is None else np.array(parts) for parts in zip(*group))
                     for group in zip(*settings)))


def _broadcast(setting: Setting, shape: tuple[int, ...]) -> Setting:
    return Setting(*(tuple(None if part is None else np.broadcast_to(part, shape).astype(float) for part in group)
                     for group in setting))


def _run_until_steady(vessel: Vessel, setting: Setting) -> tuple[PlantState, Any]:
    """Return the plant's state after a run from rest with actuators at a Setting, and which turns are steady."""
    zero = np.zeros(SHARES.shape)
    state = PlantState(zero, zero, zero, zero, zero, zero, zero)
    step = _step_of(vessel, 0.5)
    lags = thruster_lags(vessel, step)
    steady = zero > 1.0
    for number in range(1, MOST_STEPS + 1):
        before = state
        state, _ = advanced(state, setting, setting, lags, 0.0, step, vessel, held_flow, (STILL,))
        if number % CHECK_PERIOD == 0:
            change = sum(abs(getattr(state, key) - getattr(before, key)) for key in ('u_r', 'v_r', 'r'))
            steady = change <= STEADY * step * (abs(state.u_r) + abs(state.v_r) + abs(state.r))
            if steady.all():
                break
    return state, steady


def _step_of(vessel: Vessel, share: float) -> float:
    """Return a share of the longest step with which a boat can be simulated, s."""
    return min(share * float(longest_step(vessel)), LONGEST_STEP)


def coasting(vessel: Vessel, speed: float) -> Stop:
    """Return the stop of a boat with its thrusters off, from a speed, m/s, to a tenth of it, in still water."""
    return _stop(vessel, resting_setting(0.0, vessel), speed, COASTED_SHARE * speed)


def crash_stop(vessel: Vessel, speed: float) -> Stop:
    """Return the stop of a boat from a speed, m/s, with all thrust astern; the thrusters begin at rest."""
    at = Relative(speed, 0.0, 0.0, -speed, 0.0)
    return _stop(vessel, wanted_setting(-BEYOND_LIMITS * full_force(vessel), 0.0, at, vessel), speed, 0.0)


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
