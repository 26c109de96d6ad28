"""
Corners, starts and stops of a boat, many side by side on arrays, by the physics' kernels and the simulator's autopilot.

They are run with the midpoint rule in steps as long as the boat's motion allows, longer than the simulator's: what is
left where a run ends, the slow end of a speed controller's integral and of a line's approach, has closed forms.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Flow, Relative
from usv_energy.powering.actuators import Setting, limited_setting, setting_at_once, setting_later
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.power import mean_power_rep103
from usv_energy.sim.control.control import ControlState, Gains, controlled_setting
from usv_energy.sim.control.drift_observer import Drift, first_drift, heading_in_drift, seen_drift, steers_by_water
from usv_energy.sim.control.guidance import Leg, heading_on_leg, heading_over_ground, past_goal
from usv_energy.sim.control.station import Station, helm_of, station_setting
from usv_energy.sim.plants.plant_step import (
    PlantState,
    ThrusterLags,
    moved,
    rate_in_calm,
    relative_of_state,
    thruster_lags,
    velocity_over_ground,
)
from usv_energy.sim.plants.step_limit import fastest_rate

STEP = 0.25             # s, at most, of a run;
STAYING = 0.1          # s, of a boat that stays, whose controller often reverses: as long as the simulator's period;
STABLE = 1.8            # of the boat's fastest rate, at most: the midpoint rule is stable up to 2.
HELD = 0.8              # of the inertia over the gain of the yaw rate, at most.
MOST_STEPS = 480        # Of a run onto a leg.
SETTLED = 0.1           # rad and rad/s: from heading and yaw rate that are wanted; a run onto a leg is over.
NEARLY = 0.25           # Of the speed: from there on what a speed controller still does has a closed form.
LONGEST_STOP = 100.0    # s: a boat that stays is settled, or goes on as it does.


class Moving(NamedTuple):
    """Boats in motion: the PlantState, the Setting of the actuators, the controller's ControlState; arrays."""

    state: PlantState
    setting: Setting
    control: ControlState


class Steering(NamedTuple):
    """How they are steered: the Gains and the look-ahead distance, m (None: straight at the goal)."""

    gains: Gains
    lookahead: float | None


class Ran(NamedTuple):
    """What became of boats: Moving, the time that it took, s, and energy, J, by cause as in CAUSES, (causes, n)."""

    moving: Moving
    time: Any
    energy: np.ndarray


def step_of(vessel: Vessel, gains: Gains) -> float:
    """Return the step of runs of a boat with a controller that is held for as long, s."""
    rates = STABLE / max(float(fastest_rate(vessel)), 1e-9), HELD * vessel.inertia.m33 / max(gains.heading_kd, 1e-9)
    return min(STEP, *rates)


def runs_onto_legs(vessel: Vessel, steering: Steering, begin: Moving, way: Leg, radius: np.ndarray, number: np.ndarray,
                   speeds: np.ndarray, flow: Flow) -> Ran:
    """
    Return runs through legs, until all boats go along their last one.

    :param begin: Where they begin, m from the begin of the last leg.
    :param way: The Legs of each, shape (legs, n).
    :param radius: Within which the end of a leg is reached, m, (legs, n).
    :param number: Of the legs of each, (n,).
    :param speeds: Over ground, m/s, (legs, n).
    :param flow: The Flow of each, the same everywhere.
    """
    ahead_of, lanes = np.zeros(number.size, dtype=int), np.arange(number.size)
    control, step = begin.control, step_of(vessel, steering.gains)
    drift = _first_drift(begin.state, flow) if steers_by_water(vessel) else None

    def wanted(samples: int, state: PlantState, at: Relative, u: Any, v: Any) -> Setting | None:
        nonlocal control, drift
        leg = Leg(*(part[ahead_of, lanes] for part in way))
        there = np.hypot(leg.goal_x - state.x, leg.goal_y - state.y) < radius[ahead_of, lanes]
        passing = (ahead_of < number - 1) & (there | past_goal(state.x, state.y, leg))
        if passing.any():
            ahead_of[passing] += 1
            leg = Leg(*(part[ahead_of, lanes] for part in way))
        speed = speeds[ahead_of, lanes]
        if drift is None:
            heading = heading_on_leg(state.x, state.y, leg, steering.lookahead)
            heading, ahead = heading_over_ground(heading, speed, v)
        else:
            drift = seen_drift(drift, step if samples else 0.0, state.yaw, (u, v, state.r), state.u_r, state.v_r)
            u = state.u_r
            heading, ahead = heading_in_drift(state.x, state.y, leg, steering.lookahead, speed, drift)
        straight = (abs(wrap_angle(heading - state.yaw)) < SETTLED) & (abs(state.r) < SETTLED)
        if samples and np.all((ahead_of == number - 1) & straight & (abs(ahead - u) < NEARLY * speed)):
            return None
        setting: Setting
        control, setting = controlled_setting(control, step if samples else math.nan, heading, ahead, state.yaw, at, u,
                                              steering.gains, vessel)
        return setting

    state, setting, time, energy = _run(vessel, begin, flow, step, MOST_STEPS * len(speeds), wanted)
    return Ran(Moving(state, setting, control), time, energy)


def _first_drift(state: PlantState, flow: Flow) -> Drift:
    return first_drift(state.yaw, velocity_over_ground(state, flow), state.u_r, state.v_r)


def stops(vessel: Vessel, gains: Gains, begin: Moving, heading: np.ndarray, duration: np.ndarray,
          flow: Flow) -> Ran:
    """
    Return boats that come to a place, 0, 0, and stay.

    :param begin: Where they begin, m from the place.
    :param heading: That is ordered, rad (ENU); NaN for any.
    :param duration: Of each, s.
    :param flow: The Flow of each.
    """
    zero = 0.0 * begin.state.x
    station, helm = Station(zero, zero), helm_of(vessel)
    most = max(1, math.ceil(float(duration.max()) / min(STAYING, step_of(vessel, gains))))
    step = duration / most

    def wanted(number: int, state: PlantState, at: Relative, u: Any, v: Any) -> Setting:
        nonlocal station
        setting: Setting
        station, setting = station_setting(
            station, step if number else math.nan, (zero, zero), np.where(np.isnan(heading), state.yaw, heading),
            (state.x, state.y, state.yaw, u, v), at, gains, helm, vessel)
        return setting

    state, setting, time, energy = _run(vessel, begin, flow, step, most, wanted)
    return Ran(Moving(state, setting, ControlState(zero)), time, energy)


def _run(vessel: Vessel, begin: Moving, flow: Flow, step: Any, most: int,
         wanted_of: Callable[..., Setting | None]) -> tuple[PlantState, Setting, Any, np.ndarray]:
    """Return state, Setting, time, s, and energy by cause after at most so many steps; `wanted_of` None ends it."""
    state, setting = begin.state, begin.setting
    lags, seen, observes = thruster_lags(vessel, step), [], steers_by_water(vessel)
    for number in range(most):
        at = relative_of_state(state, flow)
        seen.append(at)
        u, v, _ = velocity_over_ground(state, flow)
        known = at if observes else Relative(u, v, state.r, at.u_w, at.v_w)
        wanted = wanted_of(number, state, known, u, v)
        if wanted is None:
            break
        state, setting = _later(state, setting, limited_setting(wanted, vessel), lags, step, flow, vessel)
    else:
        seen.append(relative_of_state(state, flow))
    return state, setting, step * (len(seen) - 1), _energy(vessel, seen, step)


def _later(state: PlantState, setting: Setting, wanted: Setting, lags: ThrusterLags, step: Any, flow: Flow,
           vessel: Vessel) -> tuple[PlantState, Setting]:
    """
    Return state and Setting a step later, by the midpoint rule.

    Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), (II.1.3), Runge (1895).
    """
    half = 0.5 * step
    begun = setting_at_once(setting, wanted, lags.starts)
    middle = setting_later(setting, wanted, lags.decays, half, vessel)
    between = moved(state, rate_in_calm(state, begun, flow, vessel), half)
    after = moved(state, rate_in_calm(between, middle, flow, vessel), step)
    return after, setting_later(middle, wanted, lags.decays, half, vessel)


def _energy(vessel: Vessel, seen: list[Relative], step: Any) -> np.ndarray:
    """Return the energy between the first and the last of some Relatives, J by cause, shape (causes, n)."""
    if len(seen) < 2:
        return np.zeros((len(CAUSES), np.size(seen[0].u_r)))
    every = Relative(*(np.array(part) for part in zip(*seen)))
    power = mean_power_rep103(Relative(*(part[:-1] for part in every)), Relative(*(part[1:] for part in every)), step,
                              vessel)
    return np.array([np.broadcast_to(getattr(power, cause), every.u_r[1:].shape).sum(axis=0) * step
                     for cause in CAUSES])
