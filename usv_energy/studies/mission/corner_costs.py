"""
What corners, starts and stops of a way cost beyond steady motion along its legs: time, s, and energy, J.

They follow from the simulator's own autopilot and physics: a boat comes along a leg in steady motion, in the water and
air that are there, and turns onto the next, at that one's speed, or stops at a hold, or starts from one. All of a way
are run side by side; those that are nearly alike are run once.
"""

from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import record_where
from usv_energy.physics.motion import Flow, Relative
from usv_energy.powering.actuators import Setting, resting_setting
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.control.control import ControlState, full_force, wanted_setting
from usv_energy.sim.control.guidance import leg_between
from usv_energy.sim.control.station import IDLE
from usv_energy.sim.plants.plant_step import PlantState, velocity_over_ground
from usv_energy.studies.mission.corner_runs import LONGEST_STOP, Moving, Ran, Steering, runs_onto_legs, stops
from usv_energy.studies.plan.steady_motion import SteadyMotion, steady_state

LANES = 128             # Corners, at most, that are run; those of a way that are most alike share one.
ALIKE = 0.02            # rad, and of the fastest speed: corners that differ by less are one.
FAR = 1e4               # m: a leg that does not end.
SHORT = 40.0            # s: on a leg that is gone in less a boat has not settled when the next corner comes.
MOST_LEGS = 5           # That are run through together.
NUDGE = 0.02            # Of a speed: by which it is changed to see what that costs.
LIES = 0.02             # m/s over ground and rad/s: a boat that moves by less lies still.
TOTAL = CAUSES.index('total')


class Corners(NamedTuple):
    """
    Where the legs of a way begin and end, arrays with a number a leg.

    `length` m, `course` rad (ENU) and `speed` over ground, m/s, of the leg; `radius` of its end, m, at most its length;
    `hold` at its end, s, and the `heading` that is ordered there, rad (NaN: any); the flow at its begin, m/s, shape
    (4, legs): current and wind, east and north.
    """

    length: np.ndarray
    course: np.ndarray
    speed: np.ndarray
    radius: np.ndarray
    hold: np.ndarray
    heading: np.ndarray
    flow: np.ndarray


class CornerCosts(NamedTuple):
    """
    Extra time, s, and energy, J, by cause as in `physics.energy.CAUSES`, of the legs of a way.

    `speed`: of the legs, m/s, shape (legs,); `time`, (legs,), of a leg's begin; `energy`, (causes, legs), of its begin;
    `of_stop`, (causes, legs), of the stop at its end, where the boat stays, or where the mission ends. `feasible`:
    whether the thrusters can hold all speeds; corners of which they cannot are taken to cost nothing.
    """

    way: Any
    speed: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    of_stop: np.ndarray
    feasible: bool

    def at(self, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return time, energy, and that of stops at other speeds, m/s, shape (legs,).

        Corners of one shape take times that go with 1 / speed and energies that go with its square.
        """
        ratio = speed / self.speed
        return self.time / ratio, self.energy * ratio ** 2, self.of_stop * ratio ** 2


def corner_costs(vessel: Vessel, steering: Steering, corners: Corners, way: Any = None) -> CornerCosts:
    """
    Return what the corners, starts and stops of a way cost.

    :param vessel: The Vessel; its corners are those of calm water, whatever sea it is planned in.
    :param steering: How it is steered.
    :param corners: What the legs are.
    :param way: By which a caller knows them again.
    """
    vessel = vessel._replace(sea=None)
    with np.errstate(all='ignore'):
        of_stop, stayed = _stops(vessel, steering, corners)
        time, energy, able = _begins(vessel, steering, corners, stayed)
    return CornerCosts(way, corners.speed, time, energy, of_stop, bool(able.all()))


class _Chain(NamedTuple):
    """
    Legs that are run through together, from the first corner to the last leg: all but the last are short.

    Arrays with a number a chain, or of shape (legs of a chain, chains); a chain with fewer legs has its last one again.
    `legs`: their numbers on the way; `number`: how many there are; `passed`: 1.0 of those before the last, else 0.0.
    """

    legs: np.ndarray
    number: np.ndarray
    passed: np.ndarray


def _chains(corners: Corners) -> _Chain:
    """Return the chains of a way; of legs that follow on a short one, the boat has not settled on that."""
    short = corners.length < SHORT * corners.speed
    chains: list[list[int]] = []
    for leg in range(corners.length.size):
        goes_on = leg > 0 and short[leg - 1] and corners.hold[leg - 1] == 0.0 and len(chains[-1]) < MOST_LEGS
        if goes_on:
            chains[-1].append(leg)
        else:
            chains.append([leg])
    most = max(map(len, chains))
    legs = np.array([chain + [chain[-1]] * (most - len(chain)) for chain in chains]).T
    number = np.array([len(chain) for chain in chains])
    return _Chain(legs, number, np.where(np.arange(most)[:, None] < number - 1, 1.0, 0.0))


def _begins(vessel: Vessel, steering: Steering, corners: Corners, stayed: Moving | None) -> tuple[np.ndarray, ...]:
    """
    Return extra time and energy by cause of the begin of each leg, and whether its speed can be held.

    :param stayed: How boats are at the end of each leg's hold; a leg after a hold begins there.
    """
    chain = _chains(corners)
    first, last = chain.legs[0], chain.legs[-1]
    before = np.maximum(first - 1, 0)
    held = (first > 0) & (corners.hold[before] > 0.0)
    starts = first == 0
    reach = np.where(held | starts, 0.0, corners.radius[before])
    at, group = _groups(_chain_keys(corners, chain, before, held, starts, reach))
    legs, passed = chain.legs[:, at], chain.passed[:, at]
    first, last, before = first[at], last[at], before[at]
    flow = Flow(*corners.flow[:, first])
    x, y = _corners_from_last(corners, legs, passed)
    begin = _moving(vessel, corners.course[before], np.where(held[at] | starts[at], 0.0, corners.speed[before]), flow,
                    corners.course[first], starts[at], reach[at])
    if stayed is not None:
        begin = record_where(held[at], _taken(stayed, before), begin)
    begin = begin._replace(state=begin.state._replace(x=begin.state.x + x[0], y=begin.state.y + y[0]))
    course, speed = corners.course[legs], corners.speed[legs]
    end_x, end_y = np.vstack((x[1:], FAR * np.cos(course[-1]))), np.vstack((y[1:], FAR * np.sin(course[-1])))
    ends = np.where(passed > 0.0, end_x, end_x[-1]), np.where(passed > 0.0, end_y, end_y[-1])
    way = leg_between(x, y, *ends)
    ran = runs_onto_legs(vessel, steering, begin, way, corners.radius[legs], chain.number[at], speed, flow)
    time, energy, able = _beyond_steady(vessel, steering, ran, course[-1], speed[-1], flow)
    for number in range(len(legs) - 1):     # Of legs that were passed, what steady motion along them takes.
        passing = steady_state(vessel, course[number], speed[number], flow)
        lasting = passed[number] * corners.length[legs[number]] / speed[number]
        time, energy = time - lasting, energy - lasting * _powers(passing, at.size)
        able = able & (passing.feasible | (passed[number] == 0.0))
    came = steady_state(vessel, corners.course[before], corners.speed[before], flow)
    way_in = reach[at] / corners.speed[before]
    able = able & came.feasible
    time, energy = np.where(able, time - way_in, 0.0), np.where(able, energy - way_in * _powers(came, at.size), 0.0)
    return _by_leg(chain, time[group], energy[:, group], able[group], corners.length.size)


def _chain_keys(corners: Corners, chain: _Chain, before: np.ndarray, held: np.ndarray, starts: np.ndarray,
                reach: np.ndarray) -> np.ndarray:
    """Return what tells chains apart, a column a chain."""
    top, first = float(corners.speed.max()), chain.legs[0]
    course = corners.course[chain.legs]
    came = corners.course[before]
    if not np.any(corners.flow):  # Only the angles count.
        course, came = course - came, 0.0 * came
    lengths = chain.passed * corners.length[chain.legs]
    scale = max(float(lengths.max(initial=0.0)), float(reach.max(initial=0.0)), 1e-9)
    return np.vstack((np.cos(course), np.sin(course), np.cos(came), np.sin(came), corners.speed[before] / top,
                      corners.speed[chain.legs] / top, reach / scale, lengths / scale, chain.number,
                      corners.flow[:2, first] / top, corners.flow[2:, first] / (10.0 * top), held, starts))


def _corners_from_last(corners: Corners, legs: np.ndarray, passed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the legs of chains begin, m from the begin of the last: shape (legs of a chain, chains)."""
    length, course = passed * corners.length[legs], corners.course[legs]
    x, y = length * np.cos(course), length * np.sin(course)
    return -np.cumsum(x[::-1], axis=0)[::-1], -np.cumsum(y[::-1], axis=0)[::-1]


def _by_leg(chain: _Chain, time: np.ndarray, energy: np.ndarray, able: np.ndarray,
            number: int) -> tuple[np.ndarray, ...]:
    """Return what chains take by leg: in equal parts, since nothing is known of a corner inside of one by itself."""
    times, energies, feasible = np.zeros(number), np.zeros((len(CAUSES), number)), np.zeros(number, dtype=bool)
    for place, legs in enumerate(chain.legs):
        there = place < chain.number
        times[legs[there]], energies[:, legs[there]] = (time / chain.number)[there], (energy / chain.number)[:, there]
        feasible[legs[there]] = able[there]
    return times, energies, feasible


def _moving(vessel: Vessel, course: np.ndarray, speed: np.ndarray, flow: Flow, ahead: np.ndarray, at_rest: np.ndarray,
            away: np.ndarray) -> Moving:
    """
    Return boats as they come along a leg, so far from its end, or lie at it, or are at rest in the water.

    :param ahead: Where those at rest point, rad (ENU).
    """
    lies = (speed == 0.0) & ~at_rest
    steady = steady_state(vessel, course, speed, flow)
    idle = lies & (abs(steady.surge_force) < IDLE * full_force(vessel))
    came = steady_state(vessel, course, np.where(idle, 1.0, speed), flow)
    yaw = np.where(at_rest, ahead, came.yaw)
    u_r, v_r = _through_water(yaw, course, speed, flow)
    u_r, v_r = np.where(at_rest, 0.0, u_r), np.where(at_rest, 0.0, v_r)
    zero = 0.0 * yaw
    state = PlantState(-away * np.cos(course), -away * np.sin(course), yaw, u_r, v_r, zero, zero)
    works = np.where(at_rest | idle, 0.0, 1.0)
    surge, moment = works * steady.surge_force, works * steady.yaw_moment
    setting = wanted_setting(surge, moment, Relative(u_r, v_r, zero, -u_r, -v_r), vessel)
    resting = resting_setting(zero, vessel)
    setting = Setting(*(tuple(None if one is None else np.where(at_rest, other, one) for one, other in zip(ours, rest))
                        for ours, rest in zip(setting, resting)))
    return Moving(state, setting, ControlState(np.where(at_rest | lies, 0.0, surge)))


def _through_water(yaw: np.ndarray, course: np.ndarray, speed: np.ndarray, flow: Flow) -> tuple[Any, Any]:
    x, y = speed * np.cos(course) - flow.current_x, speed * np.sin(course) - flow.current_y
    return x * np.cos(yaw) + y * np.sin(yaw), y * np.cos(yaw) - x * np.sin(yaw)


def _beyond_steady(vessel: Vessel, steering: Steering, ran: Ran, course: np.ndarray, speed: np.ndarray,
                   flow: Flow) -> tuple[np.ndarray, ...]:
    """
    Return time and energy of runs beyond those of steady motion along their legs, and whether that can be held.

    What is still to come is in it.

    The way that the speed controller still loses is what its integral lacks over its gain, exactly, as long as no
    thruster is at its limit. The line is still approached on the curve of its look-ahead distance.
    """
    steady = steady_state(vessel, course, speed, flow)
    power, state = _powers(steady, speed.size), ran.moving.state
    along = state.x * np.cos(course) + state.y * np.sin(course)
    across = abs(state.y * np.cos(course) - state.x * np.sin(course))
    time, energy = ran.time - along / speed, ran.energy - along / speed * power
    if steering.lookahead is not None:
        ahead = steering.lookahead
        aslant = np.hypot(ahead, across)
        longer = (aslant - ahead - ahead * np.log((aslant + ahead) / (2.0 * ahead))) / speed
        time, energy = time + longer, energy + longer * power
    if steering.gains.speed_ki > 0.0:
        lost = (steady.surge_force - ran.moving.control.integral) / steering.gains.speed_ki
        nudged = steady_state(vessel, course, (1.0 - NUDGE) * speed, flow)
        slope = (power - _powers(nudged, speed.size)) / (NUDGE * speed)
        time = time + lost / speed
        energy = energy + lost * (power / speed - slope) + _kinetic(vessel, steady, state, power)
    return time, energy, steady.feasible


def _kinetic(vessel: Vessel, steady: SteadyMotion, state: PlantState, power: np.ndarray) -> np.ndarray:
    """Return what bringing boats from their speeds to the steady ones takes, J by cause: inertia and its losses."""
    work = 0.5 * vessel.inertia.m11 * (steady.u_r ** 2 - state.u_r ** 2)
    thrust = power[CAUSES.index('thrust')]
    lost = np.where(thrust > 0.0, power[CAUSES.index('losses')] / np.where(thrust > 0.0, thrust, 1.0), 0.0)
    energy = np.zeros_like(power)
    for name, share in (('inertia', 1.0), ('thrust', 1.0), ('losses', lost), ('total', 1.0 + lost)):
        energy[CAUSES.index(name)] = share * work
    return energy


def _stops(vessel: Vessel, steering: Steering, corners: Corners) -> tuple[np.ndarray, Moving | None]:
    """
    Return the extra energy by cause of the stop at the end of each leg, and how the boats are after each hold.

    The energy is that from where the radius of the leg's end begins. Boats at legs without a hold are of no meaning.
    """
    last = np.arange(corners.speed.size) == corners.speed.size - 1
    found = np.zeros((len(CAUSES), corners.speed.size))
    flow = np.hstack((corners.flow[:, 1:], corners.flow[:, -1:]))
    at = np.flatnonzero((corners.hold > 0.0) | last)
    here = Flow(*flow[:, at])
    came = steady_state(vessel, corners.course[at], corners.speed[at], here)
    found[:, at] = np.where(came.feasible, -corners.radius[at] / corners.speed[at] * _powers(came, at.size), 0.0)
    at, stayed = at[corners.hold[at] > 0.0], None
    if at.size:
        here = Flow(*flow[:, at])
        begin = _moving(vessel, corners.course[at], corners.speed[at], here, corners.course[at],
                        np.zeros(at.size, dtype=bool), corners.radius[at])
        lies = steady_state(vessel, corners.course[at], np.zeros(at.size), here)
        extra, moving = _beyond_lying(vessel, steering, begin, corners.heading[at], corners.hold[at], here,
                                      _powers(lies, at.size))
        found[:, at] += np.where(lies.feasible, extra, 0.0)
        place = np.zeros(corners.speed.size, dtype=int)
        place[at] = np.arange(at.size)
        stayed = _taken(moving, place)
    return found, stayed


def _taken(moving: Moving, place: np.ndarray) -> Moving:
    """Return the boats at some places of a Moving, in their order."""
    def of(part: Any) -> Any:
        if part is None:
            return None
        if isinstance(part, tuple):
            taken = map(of, part)
            return type(part)(*taken) if hasattr(part, '_fields') else tuple(taken)
        return np.broadcast_to(part, moving.state.x.shape)[place]

    found: Moving = of(moving)
    return found


def _beyond_lying(vessel: Vessel, steering: Steering, begin: Moving, heading: np.ndarray, hold: np.ndarray, flow: Flow,
                  lying: np.ndarray) -> tuple[np.ndarray, Moving]:
    """
    Return what stays take beyond the power of a boat that lies still, W by cause, J by cause; and the boats after them.

    Most boats lie still after LONGEST_STOP. One that still moves by then, as a boat that turns by the thrust that also
    drives it, goes on as it did in the second half of that time.
    """
    duration = np.minimum(hold, LONGEST_STOP)
    half, whole = (stops(vessel, steering.gains, begin, heading, share * duration, flow) for share in (0.5, 1.0))
    u, v, r = velocity_over_ground(whole.moving.state, flow)
    moves = (np.hypot(u, v) > LIES) | (abs(r) > LIES)
    late = np.where(moves, (whole.energy - half.energy) / (0.5 * duration), lying)
    beyond: np.ndarray = whole.energy - duration * lying + (hold - duration) * (late - lying)
    return beyond, whole.moving


def _powers(steady: SteadyMotion, number: int) -> np.ndarray:
    return np.array([np.broadcast_to(getattr(steady.power, cause), number) for cause in CAUSES])


def _groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of one of each group of columns that are alike, and the group of each column."""
    alike = ALIKE
    while True:
        _, at, group = np.unique(np.round(keys / alike), axis=1, return_index=True, return_inverse=True)
        if at.size <= LANES:
            return at, group.ravel()
        alike *= 1.5
