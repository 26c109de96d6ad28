"""
Short runs of boats through corners, starts and stops, side by side on arrays, with the simulator's autopilot.

The midpoint rule integrates them, in longer steps than the simulator's: as long as the boat's motion allows. A run
ends when only the slow part is left, the integral of the speed controller and the approach to the line; for these
corner_costs.py has closed forms.
"""

import math
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import record_where
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Flow, Relative
from usv_energy.powering.actuators import Setting, limited_setting, setting_at_once, setting_later
from usv_energy.powering.energy import CAUSES
from usv_energy.powering.power import mean_power_rep103
from usv_energy.sim.control.autopilot import (
    Drift,
    first_drift,
    heading_in_drift,
    leeway_time,
    seen_drift,
    steers_by_water,
)
from usv_energy.sim.control.control import ControlState, Gains, controlled_setting
from usv_energy.sim.control.guidance import (
    Leg,
    Station,
    heading_on_leg,
    heading_over_ground,
    helm_of,
    past_goal,
    station_setting,
)
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
from usv_energy.studies.plan.steady_motion import steady_state

STEP = 0.25             # s, longest step of a run
STEP_AT_STOP = 0.1      # s, longest step of a hold, in which the controller often reverses: the simulator's period
STABILITY_LIMIT = 1.8   # longest step in times of 1 / the boat's fastest rate; the midpoint rule is stable up to 2
YAW_GAIN_LIMIT = 0.8    # longest step in times of the yaw inertia / the gain of the yaw rate
SETTLING_TIME, SLIDING_TIMES = 40.0, 1.5    # s, and times of the leeway of a boat that slides; see `settling_time`
MOST_SETTLING = 3.0     # settling times of a run onto a leg, at most
SETTLED = 0.1           # rad and rad/s: a run onto a leg ends within these of the wanted heading and yaw rate,
NEAR_SPEED = 0.25       # and within this share of the wanted speed,
NEAR_SWAY = 0.1         # and within this share of it of its leeway in steady motion, if the boat's drift is observed,
STEADY, STEADY_FOR = 0.01, 5.0  # or off the heading, by an error that stays within this range, rad, for so long, s
LONGEST_STOP = 100.0    # s: after that, a boat at a hold is taken to be in its final state


class MovingBoats(NamedTuple):
    """Boats side by side: the PlantState, the Setting of the actuators, the controller's ControlState; arrays."""

    state: PlantState
    setting: Setting
    control: ControlState


class Steering(NamedTuple):
    """How boats are steered: the Gains and the look-ahead distance, m (None: straight at the goal)."""

    gains: Gains
    lookahead: float | None


class RunResult(NamedTuple):
    """
    The boats after a run, its time, s, and its energy, J, by cause as in CAUSES, shape (causes, n).

    Of a run through legs, `time`, (legs, n), and `energy`, (causes, legs, n), are those on each leg; `energy` of
    holds, (causes, 2, holds), is that of their first halves and of all of each.
    """

    moving: MovingBoats
    time: Any
    energy: np.ndarray


def settling_time(vessel: Vessel) -> float:
    """Return the time after which a boat follows a new leg steadily, s."""
    return max(SETTLING_TIME, SLIDING_TIMES * leeway_time(vessel))


def run_step(vessel: Vessel, gains: Gains) -> float:
    """Return the step of a boat's runs, s, which is also the period of its controller."""
    return min(STEP, STABILITY_LIMIT / max(float(fastest_rate(vessel)), 1e-9),
               YAW_GAIN_LIMIT * vessel.inertia.m33 / max(gains.heading_kd, 1e-9))


def run_onto_legs(vessel: Vessel, steering: Steering, begin: MovingBoats, way: Leg, radius: np.ndarray,
                  number: np.ndarray, speeds: np.ndarray, flow: Flow, mission: np.ndarray | None) -> RunResult:
    """
    Run boats through their legs; those of a mission end when all of them follow their last leg.

    So a mission costs the same in whatever company it is run. Without `mission` each ends at the end of its last leg.

    :param begin: Where they begin, m from the begin of the last leg.
    :param way: The Legs of each, shape (legs, n).
    :param radius: Within which the end of a leg is reached, m, (legs, n).
    :param number: Of the legs of each, (n,).
    :param speeds: Over ground, m/s, (legs, n).
    :param flow: The Flow of each, the same everywhere.
    :param mission: The number of the mission of each, from 0 on, (n,), or None.
    """
    ended, steps, kept = np.zeros(number.size, dtype=bool), np.zeros(number.size, dtype=int), begin
    ahead_of, lanes = np.zeros(number.size, dtype=int), np.arange(number.size)
    passed = np.full(radius.shape, -1)      # At which step the end of each leg is reached.
    control, step = begin.control, run_step(vessel, steering.gains)
    if mission is None:
        step = min(step, STEP_AT_STOP)
    drift = _initial_drift(begin.state, flow) if steers_by_water(vessel) else None
    leeway = None if drift is None else steady_state(vessel, way.course[number - 1, lanes], speeds[number - 1, lanes],
                                                     flow).v_r
    errors: deque[np.ndarray] = deque(maxlen=math.ceil(STEADY_FOR / step))     # Of the heading, rad.

    def end(ends: Any, samples: int, state: PlantState, setting: Setting) -> None:
        nonlocal kept
        if ends.any():
            kept, steps[ends] = record_where(ends, MovingBoats(state, setting, control), kept), samples
            ended[ends] = True

    def end_is_reached(state: PlantState, leg: Leg) -> Any:
        there = np.hypot(leg.goal_x - state.x, leg.goal_y - state.y) < radius[ahead_of, lanes]
        return there | past_goal(state.x, state.y, leg)

    def wanted(samples: int, state: PlantState, setting: Setting, at: Relative, u: Any, v: Any) -> Setting | None:
        nonlocal control, drift
        leg = Leg(*(part[ahead_of, lanes] for part in way))
        while (passing := (ahead_of < number - 1) & end_is_reached(state, leg)).any():
            passed[ahead_of[passing], lanes[passing]] = samples
            ahead_of[passing] += 1
            leg = Leg(*(part[ahead_of, lanes] for part in way))
        if mission is None:
            end(~ended & (ahead_of == number - 1) & end_is_reached(state, leg), samples, state, setting)
            if ended.all():
                return None
        speed = speeds[ahead_of, lanes]
        slides: Any = np.False_     # Whether it still slides aside in the water.
        if drift is None:
            heading = heading_on_leg(state.x, state.y, leg, steering.lookahead)
            heading, ahead = heading_over_ground(heading, speed, v)
        else:
            drift = seen_drift(drift, step if samples else 0.0, state.yaw, (u, v, state.r), (state.u_r, state.v_r),
                               vessel)
            u, slides = state.u_r, abs(state.v_r - leeway) > NEAR_SWAY * speed
            heading, ahead = heading_in_drift(state.x, state.y, leg, steering.lookahead, speed, drift)
        errors.append(wrap_angle(heading - state.yaw))
        follows = ~slides & (ahead_of == number - 1) & (abs(state.r) < SETTLED) & (
            abs(ahead - u) < NEAR_SPEED * speed) & (
            (abs(errors[-1]) < SETTLED) | _is_steady(errors))
        if samples and mission is not None:
            end(~ended & (np.bincount(mission, ~follows)[mission] == 0), samples, state, setting)
            if ended.all():
                return None
        wish: Setting
        control, wish = controlled_setting(control, step if samples else math.nan, heading, ahead, state.yaw, at, u,
                                           steering.gains, vessel)
        return wish

    most = math.ceil(MOST_SETTLING * settling_time(vessel) / step) * len(speeds)
    state, setting, seen = _run(vessel, begin, flow, step, most, wanted)
    end(~ended, len(seen) - 1, state, setting)
    passed = np.where(passed < 0, steps, passed)
    energy = _energy(vessel, seen, step, passed)
    return RunResult(kept, step * np.diff(passed, axis=0, prepend=0), np.diff(energy, axis=1, prepend=0.0))


def _is_steady(errors: deque[np.ndarray]) -> Any:
    """Return which boats have headings whose errors stay: wind or water turns them, and the autopilot only resists."""
    return len(errors) == errors.maxlen and np.ptp(errors, axis=0) < STEADY


def _initial_drift(state: PlantState, flow: Flow) -> Drift:
    return first_drift(state.yaw, velocity_over_ground(state, flow), state.u_r, state.v_r)


def run_stops(vessel: Vessel, gains: Gains, begin: MovingBoats, heading: np.ndarray, flow: Flow, lane: np.ndarray,
              duration: np.ndarray) -> RunResult:
    """
    Run boats that arrive at a place, 0, 0, and hold their position there, and return each after several durations.

    :param begin: Where they begin, m from the place.
    :param heading: That is ordered, rad (ENU); NaN for any.
    :param flow: The Flow of each.
    :param lane: The number of the boat of each hold, shape (holds,); each boat has one.
    :param duration: Of each hold, s, (holds,).
    """
    zero = 0.0 * begin.state.x
    station, helm, kept = Station(zero, zero), helm_of(vessel), selected_boats(begin, lane)
    most = 2 * max(1, math.ceil(0.5 * float(duration.max()) / min(STEP_AT_STOP, run_step(vessel, gains))))
    longest = np.zeros(zero.size)
    np.maximum.at(longest, lane, duration)
    step = longest / most
    steps = np.round(np.array([[0.5], [1.0]]) * duration / step[lane], 9)     # To the half of each hold, its end.
    last = np.rint(steps[1])

    def keep(number: int, state: PlantState, setting: Setting) -> None:
        nonlocal kept
        if (ends := last == number).any():
            now = selected_boats(MovingBoats(state, setting, ControlState(zero)), lane)
            kept = record_where(ends, now, kept)

    def wanted(number: int, state: PlantState, setting: Setting, at: Relative, u: Any, v: Any) -> Setting:
        nonlocal station
        keep(number, state, setting)
        wish: Setting
        station, wish = station_setting(
            station, step if number else math.nan, (zero, zero), np.where(np.isnan(heading), state.yaw, heading),
            (state.x, state.y, state.yaw, u, v), at, gains, helm, vessel)
        return wish

    state, setting, seen = _run(vessel, begin, flow, step, most, wanted)
    keep(most, state, setting)
    before = np.floor(steps).astype(int)
    energy = _energy(vessel, seen, step, np.array([before, np.minimum(before + 1, most)]), lane)
    part = steps - before
    return RunResult(kept, duration, (1.0 - part) * energy[:, 0] + part * energy[:, 1])


def selected_boats(moving: MovingBoats, index: np.ndarray) -> MovingBoats:
    """Return the boats of some indices, in the order of these."""
    def of(part: Any) -> Any:
        if part is None:
            return None
        if isinstance(part, tuple):
            selected = map(of, part)
            return type(part)(*selected) if hasattr(part, '_fields') else tuple(selected)
        return np.broadcast_to(part, moving.state.x.shape)[index]

    return of(moving)


def _run(vessel: Vessel, begin: MovingBoats, flow: Flow, step: Any, most: int,
         wanted_of: Callable[..., Setting | None]) -> tuple[PlantState, Setting, list[Relative]]:
    """
    Return state and Setting after a run, and the velocities at its steps, its end included.

    :param most: Steps, at most.
    :param wanted_of: Returns the wanted Setting for a step number, a state, a Setting and velocities; None ends it.
    """
    state, setting = begin.state, begin.setting
    lags, seen, observes = thruster_lags(vessel, step), [], steers_by_water(vessel)
    for number in range(most):
        at = relative_of_state(state, flow)
        seen.append(at)
        u, v, _ = velocity_over_ground(state, flow)
        known = at if observes else Relative(u, v, state.r, at.u_w, at.v_w)
        wanted = wanted_of(number, state, setting, known, u, v)
        if wanted is None:
            break
        state, setting = _step_later(state, setting, limited_setting(wanted, vessel), lags, step, flow, vessel)
    else:
        seen.append(relative_of_state(state, flow))
    return state, setting, seen


def _step_later(state: PlantState, setting: Setting, wanted: Setting, lags: ThrusterLags, step: Any, flow: Flow,
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


def _energy(vessel: Vessel, seen: list[Relative], step: Any, steps: Any, lane: np.ndarray | None = None) -> np.ndarray:
    """
    Return the energy over the first steps of velocities that are a step apart, J, shape (causes, ..., n).

    :param steps: How many, (..., n).
    :param lane: The numbers of the n boats; None: each once.
    """
    number = np.size(seen[0].u_r)
    lane = np.arange(number) if lane is None else lane
    if len(seen) < 2:
        return np.zeros((len(CAUSES), *np.broadcast_shapes(np.shape(steps), lane.shape)))
    every = Relative(*(np.array(part) for part in zip(*seen)))
    power = mean_power_rep103(Relative(*(part[:-1] for part in every)), Relative(*(part[1:] for part in every)), step,
                              vessel)
    spent = (np.cumsum(np.broadcast_to(getattr(power, cause), every.u_r[1:].shape), axis=0) for cause in CAUSES)
    return np.array([(step * np.vstack((np.zeros(number), one)))[steps, lane] for one in spent])
