"""
Extra time, s, and energy, J, of a mission's corners, starts and stops, beyond steady motion along its legs.

They come from short runs with the simulator's autopilot and physics. A boat comes along a leg in steady motion, in
the local water and air. It turns onto the next leg and takes that leg's speed, or it stops at a hold, or starts from
one. All corners of a mission are run side by side; corners that are nearly equal are run once.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.physics.elementwise import record_where
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Flow, Relative
from usv_energy.powering.actuators import Setting, resting_setting
from usv_energy.powering.energy import CAUSES
from usv_energy.sim.control.control import ControlState, full_force, wanted_setting
from usv_energy.sim.control.guidance import IDLE, leg_between
from usv_energy.sim.plants.plant_step import PlantState, velocity_over_ground
from usv_energy.studies.mission.corner_runs import (
    LONGEST_STOP,
    SETTLING_TIME,
    MovingBoats,
    RunResult,
    Steering,
    run_onto_legs,
    run_stops,
    selected_boats,
    settling_time,
)
from usv_energy.studies.plan.steady_motion import SteadyMotion, steady_state

MOST_RUNS = 128       # corners of a mission, and holds, run, at most; of more, similar ones share a run
MOST_TOGETHER = 1024  # the same of all missions that are run side by side: 1024 holds take 100 MB
GROUP_WIDTH = 0.02    # rad, and of the fastest speed: corners that differ by less share a run
EQUAL = 1e-9          # the same of holds that begin alike but for rounding
ENDLESS = 1e4         # m: length of a leg that does not end
APPROACH, APPROACH_TIME = 4.0, 100.0    # look-ahead distances, s: on a shorter leg the boat stops beside its line
MOST_LEGS = 8         # legs that are run through together, at most
RUN_UP = 3            # of these, the last ones are gone again before the next, where more short legs follow
SPEED_STEP = 0.02     # of a speed: the step of the finite difference of power
ALIKE, FEW_UNLIKE = 0.3, 0.1   # rad: costs of such a corner are carried over; of the corners, without a like one
UNLIKE = 10.0         # between a corner, a start and what follows a stop: neither is taken for another
COURSE_WEIGHT = 0.3   # of a course against a turn: how far water and air change what a turn costs
MOST_ASIDE = 1.0      # rad: error of the heading against a steady moment, at most
LYING_STILL = 0.02    # m/s over ground and rad/s: a boat that moves by less lies still


class Corners(NamedTuple):
    """
    The legs of a mission, arrays with a value per leg.

    `length` m, `course` rad (ENU) and `speed` over ground, m/s, of the leg; `radius` of its end, m;
    `hold` at its end, s, and the `heading` ordered there, rad (NaN: any); `flow` at its begin, m/s, shape (4, legs):
    current and wind, east and north. `begins`: whether a mission begins with it, bool: several may stand in a row.
    """

    length: np.ndarray
    course: np.ndarray
    speed: np.ndarray
    radius: np.ndarray
    hold: np.ndarray
    heading: np.ndarray
    flow: np.ndarray
    begins: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """Whether a mission ends with the leg."""
        return np.append(self.begins[1:], True)

    @property
    def flow_at_end(self) -> np.ndarray:
        """Water and air at the end of each leg, m/s: those at the begin of the next one."""
        return np.where(self.ends, self.flow, np.roll(self.flow, -1, axis=1))

    @property
    def reach(self) -> np.ndarray:
        """How far before its end each leg ends, m: where the boat enters the radius."""
        return np.minimum(self.radius, self.length)


class CornerCosts(NamedTuple):
    """
    Extra time, s, and energy, J, by cause as in `powering.energy.CAUSES`, of the legs of a mission.

    `way`: an identifier given by the caller; `speed`: of the legs, m/s, shape (legs,). `time`, (legs,), and `energy`,
    (causes, legs), belong to the corner at which a leg begins; a leg ends where the boat enters the radius of its end.
    `of_stop`, (causes, legs), belongs to the hold there, if any. `feasible`: whether the thrusters can hold all speeds;
    a corner at a speed that they cannot hold costs nothing.
    """

    way: Any
    speed: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    of_stop: np.ndarray
    feasible: bool

    def at(self, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """
        Return time, energy and energy of stops at other speeds, m/s, shape (legs,).

        Times of a corner are scaled by 1 / speed, energies by the square of the speed.
        """
        ratio = speed / self.speed
        return self.time / ratio, self.energy * ratio ** 2, self.of_stop * ratio ** 2


def corner_costs(vessel: Vessel, steering: Steering, missions: Sequence[Corners], way: Any = None) -> list[CornerCosts]:
    """
    Return what the corners, starts and stops of missions cost, each; all are run side by side.

    :param vessel: The Vessel; its corners are computed in calm water, even if the mission is planned in waves.
    :param steering: How it is steered.
    :param missions: Their legs.
    :param way: Identifies the legs; it is returned with the costs.
    """
    vessel = vessel._replace(sea=None)
    every = Corners(*(np.concatenate(part, axis=-1) for part in zip(*missions)))
    chain = _chains(every, steering.lookahead or 0.0, settling_time(vessel))
    short = np.zeros(every.speed.size, dtype=bool)      # Legs on which the boat has not settled when it stops.
    short[chain.legs[-1][chain.to_end]] = True
    with np.errstate(all='ignore'):
        coming, lying = (_initial_motion(vessel, steering, every.course, share * every.speed, Flow(*every.flow_at_end),
                                         every.course, np.zeros(short.size, dtype=bool), share * every.reach)
                         for share in (1.0, 0.0))
        stops = np.zeros((len(CAUSES), short.size)), lying
        stops = _stops(vessel, steering, every, (every.hold > 0.0) & ~short, coming, stops)
        again = (every.hold > 0.0) & short      # Twice if legs follow: they begin with the boats after the hold.
        for _ in range(2 if (again & ~every.ends).any() else 1):
            time, energy, able, arrived = _leg_starts(vessel, steering, every, chain, stops[1])
            stops = _stops(vessel, steering, every, again, arrived, stops)
        arriving = steady_state(vessel, every.course, every.speed, Flow(*every.flow_at_end))
        before_end = every.reach / every.speed
        energy = energy - np.where(arriving.feasible, before_end * power_by_cause(arriving, before_end.size), 0.0)
        time = time - before_end
    ends = np.cumsum([one.speed.size for one in missions])[:-1]
    parts = (np.split(part, ends, axis=-1) for part in (every.speed, time, energy, stops[0], able))
    return [CornerCosts(way, speed, later, more, at_stop, bool(held.all()))
            for speed, later, more, at_stop, held in zip(*parts)]


def corners_carried_over(costs: CornerCosts, before: Corners, now: Corners, way: Any) -> CornerCosts | None:
    """
    Return about what the corners of another mission cost: each what the one that is most like it does.

    None if more than FEW_UNLIKE of them are like none.

    :param costs: Of the corners `before`, of the same boat.
    :param now: The legs of the other mission; `way`: identifies them.
    """
    top = float(before.speed.max())
    (begin, far), (end, far_end) = (_most_alike(of(before, top), of(now, top))
                                    for of in (_begin_features, _end_features))
    if np.mean((far > ALIKE) | (far_end > ALIKE)) > FEW_UNLIKE:
        return None
    speed = costs.speed[begin]
    return CornerCosts(way, speed, costs.time[begin], costs.energy[:, begin],
                       costs.of_stop[:, end] * (speed / costs.speed[end]) ** 2, costs.feasible)


def _most_alike(known: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each of the wanted columns the index of the known one that is nearest to it, and how far that is."""
    at, _ = _groups_of_alike(known, MOST_RUNS)
    far = np.sqrt(sum((one[:, None] - other) ** 2 for one, other in zip(wanted, known[:, at])))
    return at[np.argmin(far, axis=1)], far.min(axis=1)


def _begin_features(corners: Corners, top: float) -> np.ndarray:
    """Return the scaled numbers by which the begins of legs are compared, shape (numbers, legs)."""
    arriving = np.where(corners.begins, corners.course, np.roll(corners.course, 1))
    held = ~corners.begins & (np.roll(corners.hold, 1) > 0.0)
    turn = wrap_angle(corners.course - arriving)
    settled = _settled(corners)
    return np.vstack((UNLIKE * corners.begins, UNLIKE * held, np.cos(turn), np.sin(turn), settled,
                      np.where(corners.begins, 2.0, np.roll(settled, 1)), _in_flow(corners, top)))


def _end_features(corners: Corners, top: float) -> np.ndarray:
    """Return the same for their ends: where the mission ends or the boat holds, it stops."""
    return np.vstack((UNLIKE * corners.ends, UNLIKE * (corners.hold > 0.0), _settled(corners),
                      np.log1p(corners.hold / LONGEST_STOP), _in_flow(corners, top)))


def _settled(corners: Corners) -> np.ndarray:
    """Return how far the boat has settled at the end of each leg, as a scaled number to compare."""
    return 2.0 * np.minimum(corners.length / (SETTLING_TIME * corners.speed), 1.0)


def _in_flow(corners: Corners, top: float) -> np.ndarray:
    """Return the courses, which count where water or air moves, and these, as scaled numbers to compare."""
    weight = COURSE_WEIGHT if np.any(corners.flow) else 0.0
    return np.vstack((weight * np.cos(corners.course), weight * np.sin(corners.course), corners.flow[:2] / top,
                      corners.flow[2:] / (10.0 * top)))


class _Chain(NamedTuple):
    """
    Chains of legs that are run through together; all legs of a chain but the last are short.

    If the boat stops at the end of the last leg, and that is short, too, or the boat still approaches its line there,
    the run ends there; else the last is endless. It ends there as well if the chain is cut for its length. The next one
    then begins with the last RUN_UP legs, so that the boat comes to its own legs as it does in the mission.

    Arrays with a value per chain, or of shape (legs of a chain, chains); a chain with fewer legs repeats its last one.
    `legs`: their numbers in the mission; `number`: how many legs a chain has; `to_end`: whether the run ends at the end
    of the last one; `passed`: 1.0 for all legs that are run through to their end, else 0.0.
    """

    legs: np.ndarray
    number: np.ndarray
    to_end: np.ndarray
    passed: np.ndarray


def _chains(corners: Corners, lookahead: float, settling: float) -> _Chain:
    """Return the chains of a mission: a leg after a short one continues the chain, as the boat has not settled."""
    short = corners.length < settling * corners.speed
    chains: list[list[int]] = []
    continues = ~corners.begins & np.roll(short & (corners.hold == 0.0), 1)
    for leg, continued in enumerate(continues.tolist()):
        if continued and len(chains[-1]) >= MOST_LEGS:
            chains.append(chains[-1][-RUN_UP:])
        if continued:
            chains[-1].append(leg)
        else:
            chains.append([leg])
    most = max(map(len, chains))
    legs = np.array([chain + [chain[-1]] * (most - len(chain)) for chain in chains]).T
    number = np.array([len(chain) for chain in chains])
    beside = corners.length < np.minimum(APPROACH * lookahead, APPROACH_TIME * corners.speed)
    cut = np.append(legs[0, 1:] <= legs[-1, :-1], False)
    to_end = cut | (short & corners.ends | (short | beside) & (corners.hold > 0.0))[legs[-1]]
    return _Chain(legs, number, to_end, np.where(np.arange(most)[:, None] < number - ~to_end, 1.0, 0.0))


def _leg_starts(vessel: Vessel, steering: Steering, corners: Corners, chain: _Chain,
                after_hold: MovingBoats) -> tuple[Any, ...]:
    """
    Return what the corner at which each leg begins costs, and the boats at the ends of chains that are run to the end.

    Time and energy by cause beyond those of steady motion up to the end of the leg, and whether its speed can be held.
    The boats have a value per leg; those of other legs have no meaning. None if there is no such chain.

    :param after_hold: The boats at the end of each leg's hold; a leg after a hold begins with them.
    """
    size, arrived = corners.length.size, None
    time, energy, able = np.zeros(size), np.zeros((len(CAUSES), size)), np.zeros(size, dtype=bool)
    for of_kind in (~chain.to_end, chain.to_end):
        if of_kind.any():
            some = _Chain(*(part[..., of_kind] for part in chain))
            of_legs, moving = _chain_costs(vessel, steering, corners, some, after_hold)
            for index, legs in enumerate(some.legs):    # Of a leg in two chains that in which it comes later counts.
                there = index < some.number
                for whole, part in zip((time, energy, able), of_legs):
                    whole[..., legs[there]] = part[..., index, there]
            if some.to_end.all():
                of_leg = np.zeros(size, dtype=int)
                of_leg[some.legs[-1]] = np.arange(some.number.size)
                arrived = selected_boats(moving, of_leg)
    return time, energy, able, arrived


def _chain_costs(vessel: Vessel, steering: Steering, corners: Corners, chain: _Chain,
                 after_hold: MovingBoats) -> tuple[tuple[np.ndarray, ...], MovingBoats]:
    """Return what the legs of chains cost, as `_leg_starts` does, (..., legs, chains), and the boats at their ends."""
    first, last, to_end = chain.legs[0], chain.legs[-1], bool(chain.to_end.all())
    before = np.maximum(first - 1, 0)
    starts = corners.begins[first]
    held = ~starts & (corners.hold[before] > 0.0)
    reach = np.where(held | starts, 0.0, corners.reach[before])
    at, group = _groups_of_alike(_chain_features(corners, chain, before, held, starts, reach),
                                 min(MOST_RUNS * int(corners.begins.sum()), MOST_TOGETHER))    # `at`: chains to run
    turned = corners.course[last] - corners.course[last[at][group]]
    legs, passed, number = chain.legs[:, at], chain.passed[:, at], chain.number[at]
    first, before = first[at], before[at]
    flow = Flow(*corners.flow[:, first])
    x, y = _leg_begins(corners, legs, passed)
    begin_speed = np.where(held[at] | starts[at], 0.0, corners.speed[before])
    begin = _initial_motion(vessel, steering, corners.course[before], begin_speed, flow, corners.course[first],
                            starts[at], reach[at])
    begin = record_where(held[at], selected_boats(after_hold, before), begin)
    begin = begin._replace(state=begin.state._replace(x=begin.state.x + x[0], y=begin.state.y + y[0]))
    course, speed, far = corners.course[legs], corners.speed[legs], 0.0 if to_end else ENDLESS
    end_x, end_y = np.vstack((x[1:], far * np.cos(course[-1]))), np.vstack((y[1:], far * np.sin(course[-1])))
    ends = np.where(passed > 0.0, end_x, end_x[-1]), np.where(passed > 0.0, end_y, end_y[-1])
    ran = run_onto_legs(vessel, steering, begin, leg_between(x, y, *ends), corners.radius[legs], number, speed, flow,
                        None if to_end else (np.cumsum(corners.begins) - 1)[chain.legs[0][at]])
    time, energy = ran.time, ran.energy
    able = steady_state(vessel, corners.course[before], corners.speed[before], flow).feasible
    for index, those in enumerate(legs):     # Subtract what steady motion along the passed legs takes.
        passing = steady_state(vessel, course[index], speed[index], flow)
        lasting = passed[index] * (corners.length - corners.reach)[those] / speed[index]
        time[index] -= lasting
        energy[:, index] -= lasting * power_by_cause(passing, at.size)
        able = able & (passing.feasible | (index >= number))
    if not to_end:
        lanes = np.arange(at.size)
        on_last = ran._replace(time=time[number - 1, lanes], energy=energy[:, number - 1, lanes])
        time[number - 1, lanes], energy[:, number - 1, lanes] = _excess_over_steady(
            vessel, steering, on_last, course[-1], speed[-1], flow)
    return tuple(np.where(able, part, 0.0)[..., group] for part in (time, energy, able & (time == time))), _turned(
        selected_boats(ran.moving, group), turned)


def _turned(boats: MovingBoats, angle: np.ndarray) -> MovingBoats:
    """Return boats turned about 0, 0 by an angle each, rad."""
    state, cosine, sine = boats.state, np.cos(angle), np.sin(angle)
    return boats._replace(state=state._replace(x=cosine * state.x - sine * state.y, y=sine * state.x + cosine * state.y,
                                               yaw=state.yaw + angle))


def _chain_features(corners: Corners, chain: _Chain, before: np.ndarray, held: np.ndarray, starts: np.ndarray,
                    reach: np.ndarray) -> np.ndarray:
    """Return the scaled numbers by which chains are compared, one column per chain; missions share no chain."""
    first = chain.legs[0]
    mission = (np.cumsum(corners.begins) - 1)[first]
    top = np.maximum.reduceat(corners.speed, np.flatnonzero(corners.begins))[mission]
    course = corners.course[chain.legs]
    arriving = corners.course[before]
    if not np.any(corners.flow):  # In still water only the angle between the legs counts.
        course, arriving = course - arriving, 0.0 * arriving
    lengths = chain.passed * corners.length[chain.legs]
    scale = max(float(lengths.max(initial=0.0)), float(reach.max(initial=0.0)), 1e-9)
    return np.vstack((mission, np.cos(course), np.sin(course), np.cos(arriving), np.sin(arriving),
                      corners.speed[before] / top, corners.speed[chain.legs] / top, reach / scale, lengths / scale,
                      chain.number, corners.flow[:2, first] / top, corners.flow[2:, first] / (10.0 * top), held,
                      starts))


def _leg_begins(corners: Corners, legs: np.ndarray, passed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the legs of chains begin, m, relative to the begin of the last; shape (legs of a chain, chains)."""
    length, course = passed * corners.length[legs], corners.course[legs]
    x, y = length * np.cos(course), length * np.sin(course)
    return -np.cumsum(x[::-1], axis=0)[::-1], -np.cumsum(y[::-1], axis=0)[::-1]


def _initial_motion(vessel: Vessel, steering: Steering, course: np.ndarray, speed: np.ndarray, flow: Flow,
                    heading_at_rest: np.ndarray, at_rest: np.ndarray, distance: np.ndarray) -> MovingBoats:
    """
    Return boats at the start of a run: in steady motion along a leg, lying at its end, or at rest in the water.

    :param heading_at_rest: Of the boats at rest, rad (ENU).
    :param at_rest: Which boats are at rest in the water.
    :param distance: To the end of the leg, m.
    """
    lies = (speed == 0.0) & ~at_rest
    steady = steady_state(vessel, course, speed, flow)
    idle = lies & (abs(steady.surge_force) < IDLE * full_force(vessel))
    arriving = steady_state(vessel, course, np.where(idle, 1.0, speed), flow)
    yaw = np.where(at_rest, heading_at_rest, arriving.yaw)
    u_r, v_r = _through_water(yaw, course, speed, flow)
    u_r, v_r = np.where(at_rest, 0.0, u_r), np.where(at_rest, 0.0, v_r)
    zero = 0.0 * yaw
    beside = np.where(at_rest | lies, 0.0, _beside_line(steering, steady))
    state = PlantState(-distance * np.cos(course) - beside * np.sin(course),
                       -distance * np.sin(course) + beside * np.cos(course), yaw, u_r, v_r, zero, zero)
    works = np.where(at_rest | idle, 0.0, 1.0)
    surge, moment = works * steady.surge_force, works * steady.yaw_moment
    setting = wanted_setting(surge, moment, Relative(u_r, v_r, zero, -u_r, -v_r), vessel)
    resting = resting_setting(zero, vessel)
    setting = Setting(*(tuple(None if one is None else np.where(at_rest, other, one) for one, other in zip(ours, rest))
                        for ours, rest in zip(setting, resting)))
    return MovingBoats(state, setting, ControlState(np.where(at_rest | lies, 0.0, surge)))


def _beside_line(steering: Steering, steady: SteadyMotion) -> Any:
    """
    Return how far to port of its line a boat goes in steady motion, m.

    The heading controller has no integral: it resists a moment of water or air by an error of the heading, and such an
    error stays where the line of sight looks back to the line.
    """
    if steering.lookahead is None or steering.gains.heading_kp <= 0.0:
        return 0.0
    return -steering.lookahead * np.tan(np.clip(steady.yaw_moment / steering.gains.heading_kp, -MOST_ASIDE, MOST_ASIDE))


def _through_water(yaw: np.ndarray, course: np.ndarray, speed: np.ndarray, flow: Flow) -> tuple[Any, Any]:
    x, y = speed * np.cos(course) - flow.current_x, speed * np.sin(course) - flow.current_y
    return x * np.cos(yaw) + y * np.sin(yaw), y * np.cos(yaw) - x * np.sin(yaw)


def _excess_over_steady(vessel: Vessel, steering: Steering, ran: RunResult, course: np.ndarray, speed: np.ndarray,
                        flow: Flow) -> tuple[np.ndarray, np.ndarray]:
    """
    Return time and energy of runs onto their last legs beyond steady motion along these.

    Closed forms add what happens after the end of a run. The boat approaches its line on the curve of the look-ahead
    distance. The distance that it still loses is the missing part of the speed controller's integral over the
    integral gain; this is exact as long as no thruster is at its limit.
    """
    steady = steady_state(vessel, course, speed, flow)
    power, state = power_by_cause(steady, speed.size), ran.moving.state
    along = state.x * np.cos(course) + state.y * np.sin(course)
    across = abs(state.y * np.cos(course) - state.x * np.sin(course) - _beside_line(steering, steady))
    time, energy = ran.time - along / speed, ran.energy - along / speed * power
    if steering.lookahead is not None:
        ahead = steering.lookahead
        slant = np.hypot(ahead, across)
        longer = (slant - ahead - ahead * np.log((slant + ahead) / (2.0 * ahead))) / speed
        time, energy = time + longer, energy + longer * power
    if steering.gains.speed_ki > 0.0:
        lost = (steady.surge_force - ran.moving.control.integral) / steering.gains.speed_ki
        slower = steady_state(vessel, course, (1.0 - SPEED_STEP) * speed, flow)
        slope = (power - power_by_cause(slower, speed.size)) / (SPEED_STEP * speed)
        time = time + lost / speed
        energy = energy + lost * (power / speed - slope) + _kinetic_energy(vessel, steady, state, power)
    return time, energy


def _kinetic_energy(vessel: Vessel, steady: SteadyMotion, state: PlantState, power: np.ndarray) -> np.ndarray:
    """Return the energy that accelerates boats to their steady speeds, J by cause, with the thrusters' losses."""
    work = 0.5 * vessel.inertia.m11 * (steady.u_r ** 2 - state.u_r ** 2)
    thrust = power[CAUSES.index('thrust')]
    lost = np.where(thrust > 0.0, power[CAUSES.index('losses')] / np.where(thrust > 0.0, thrust, 1.0), 0.0)
    energy = np.zeros_like(power)
    for name, share in (('inertia', 1.0), ('thrust', 1.0), ('losses', lost), ('total', 1.0 + lost)):
        energy[CAUSES.index(name)] = share * work
    return energy


def _stops(vessel: Vessel, steering: Steering, corners: Corners, wanted: np.ndarray, begin: MovingBoats | None,
           known: tuple[np.ndarray, MovingBoats]) -> tuple[np.ndarray, MovingBoats]:
    """
    Return the extra energy by cause of the hold at the end of each leg, and the boats after it.

    The energy counts from where the boat enters the radius of the leg's end.

    :param wanted: Which holds are wanted, shape (legs,).
    :param begin: The boats at the ends of the legs; None if no hold is wanted.
    :param known: What is returned for the other legs.
    """
    every = np.flatnonzero(wanted)
    if begin is None or not every.size:
        return known
    duration = np.minimum(corners.hold, LONGEST_STOP)
    # In still water only the way the boat comes counts: all come from the west.
    frame = np.zeros(every.size) if np.any(corners.flow) else corners.course[every]
    boats, course = _turned(selected_boats(begin, every), -frame), corners.course[every] - frame
    heading, flow = corners.heading[every] - frame, corners.flow_at_end[:, every]
    mission = (np.cumsum(corners.begins) - 1)[every]
    keys = _stop_features(boats, heading, course, flow, mission)
    at, lane = _groups_of_alike(keys, every.size, EQUAL)
    if at.size > (most := min(MOST_RUNS * int(corners.begins.sum()), MOST_TOGETHER)):
        at, lane = _groups_of_alike(keys, most)
    here = Flow(*flow[:, at])
    lies = steady_state(vessel, course[at], np.zeros(at.size), here)
    *excess, after = _excess_over_lying(vessel, steering, selected_boats(boats, at), heading[at], here,
                                        power_by_cause(lies, at.size), lane, duration[every])
    extra, later = (np.where(lies.feasible[lane], one, 0.0) for one in excess)
    found, index = known[0].copy(), np.zeros(corners.speed.size, dtype=int)
    found[:, every] = extra + (corners.hold - duration)[every] * later
    index[every] = np.arange(every.size)
    return found, record_where(wanted, selected_boats(_turned(after, frame), index), known[1])


def _stop_features(boats: MovingBoats, heading: np.ndarray, course: np.ndarray, flow: np.ndarray,
                   mission: np.ndarray) -> np.ndarray:
    """Return the scaled numbers by which holds are compared, one column per hold; missions share none."""
    state, any_heading = boats.state, np.isnan(heading)
    heading = np.where(any_heading, 0.0, heading)
    numbers = np.nan_to_num(np.vstack((state.x, state.y, state.u_r, state.v_r, state.r,
                                       *_numbers((boats.setting, boats.control)), flow)))
    scaled = numbers / np.maximum(abs(numbers).max(axis=1, keepdims=True), 1e-3)
    return np.vstack((mission, any_heading, np.cos(heading), np.sin(heading), np.cos(course), np.sin(course),
                      np.cos(state.yaw), np.sin(state.yaw), scaled))


def _numbers(part: Any) -> list[np.ndarray]:
    """Return the arrays of a nested tuple, side by side."""
    if isinstance(part, tuple):
        return [one for some in part for one in _numbers(some)]
    return [] if part is None else [part]


def _excess_over_lying(vessel: Vessel, steering: Steering, begin: MovingBoats, heading: np.ndarray, flow: Flow,
                       lying: np.ndarray, lane: np.ndarray, duration: np.ndarray
                       ) -> tuple[np.ndarray, np.ndarray, MovingBoats]:
    """
    Return what holds take beyond a boat that lies still, energy, J, and power after that, W, by cause; the boats then.

    Most boats lie still after LONGEST_STOP. A boat that still moves then (for example one that steers with the thrust
    that drives it) is taken to use the power of the second half of that time.

    :param lying: Power of a boat that lies still, W by cause.
    :param lane: Which of the boats holds, and :param duration: for how long, at most LONGEST_STOP, s, as `run_stops`.
    """
    stop = run_stops(vessel, steering.gains, begin, heading, flow, lane, duration)
    half, whole = stop.energy[:, 0], stop.energy[:, 1]
    u, v, r = velocity_over_ground(stop.moving.state, Flow(*(part[lane] for part in flow)))
    moves = (np.hypot(u, v) > LYING_STILL) | (abs(r) > LYING_STILL)
    late = np.where(moves, (whole - half) / (0.5 * duration) - lying[:, lane], 0.0)
    return whole - duration * lying[:, lane], late, stop.moving


def power_by_cause(steady: SteadyMotion, number: int) -> np.ndarray:
    """Return the powers of steady motions, W, shape (causes, number)."""
    return np.array([np.broadcast_to(getattr(steady.power, cause), number) for cause in CAUSES])


def _groups_of_alike(keys: np.ndarray, most: int, width: float = GROUP_WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of one column of each of at most `most` groups of similar columns, and each column's group."""
    while True:
        _, at, group = np.unique(np.round(keys / width), axis=1, return_index=True, return_inverse=True)
        if at.size <= most:
            return at, group.ravel()
        width *= 1.5
