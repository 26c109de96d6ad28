"""Power by cause at every sample of a log, and the energy, by the same physics as the live nodes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.logs.derive import derivative
from usv_energy.logs.log import CLOCK_SET, EARTH_VELOCITY, WARNING, Log, Note
from usv_energy.logs.motion.motion_estimate import LEAST_SAMPLES, MotionEstimate, motion_estimate, place_velocity
from usv_energy.logs.motion.noise_levels import Estimate
from usv_energy.logs.quality import FASTEST
from usv_energy.physics.batteries.cell import energy_held, state_of_charge
from usv_energy.physics.elementwise import cos, sin, sqrt
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.energy import Energy, Integral, derivatives, integrate, steps_between
from usv_energy.powering.power import Power
from usv_energy.studies.analyze.current.flow_along_log import (
    ASSUMED_STILL,
    AUTO,
    ESTIMATED,
    MEDIA,
    AnalysisOptions,
    FlowAlongLog,
    flow_along_log,
    laid_along_log,
    moves,
)
from usv_energy.studies.analyze.current.flow_from_sway import (
    flow_left_open,
    flows_from_sway,
    found_note,
    may_have_been,
    with_explanation,
)
from usv_energy.studies.analyze.current.unknown_flow import Explanation, OpenFlow, open_beside_turning, open_flow
from usv_energy.studies.analyze.gap_energy import GapWay, fill_gaps, gaps_of, ways_across, with_gaps
from usv_energy.studies.analyze.log_actuators import LogActuators, actuators_of, as_identified
from usv_energy.studies.analyze.log_power import (
    FINE,
    finer_power,
    load_notes,
    loads_along,
    mean_power,
    power_with_log_loads,
    relative_motion,
    thrusts_power,
)
from usv_energy.studies.analyze.log_waves import log_in_waves
from usv_energy.studies.analyze.waves.waves_along_log import WavesAlongLog
from usv_energy.studies.plan.steady_motion import steady_state

ESTIMATED_SERIES = ('yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot')
NO_SWAY = {'straight_ahead', 'motion_from_places'}   # Notes on logs without a measured sway.
LARGEST_CHANGE = 2.5      # Of the energy, by a flow that is taken because it explains the sway.
UNDER_WAY = 0.2           # m/s: slowest speed with a meaningful course.
TURN_WIDTH = 3.0          # s over which such a course is differentiated: it is noisier than a heading.
ASKED, LARGEST_LEEWAY = 2000, 1.0  # Samples for which a leeway is computed; rad beyond which it is none.
# Bits of PowerStamped.status; this layer knows no messages.
NO_ACCELERATION, INVALID, STALE = 1, 2, {'current': 16, 'wind': 64}

DEFAULT = AnalysisOptions()


@dataclass(frozen=True, eq=False)
class AnalysedLog:
    """
    A log with its power and energy. Arrays have one row a sample.

    `status`: bits of PowerStamped; `flow_sources`: where current and wind come from, in words; `notes`: of the log and
    of the analysis; `estimate`: of the motion, which the log's yaw and velocities then are; None where they are the
    recorded ones; `flow_estimates`: of current and wind, where these were measured with noise; `explanations`: flows
    that a side force shows and nobody says, the one that was taken first;
    `actuators`: what the log tells of them, None where that is nothing; `given`: what the model, by the motion alone,
    has the thrusters give, W, the mean of the step that ends at a sample; `by_load`: the energy of each of the boat's
    loads that vary, J, `load_shares` the mean share of its power that leg and topic left it, (-); `waves`: that the
    motion showed, which then is the mean motion, without them; None where no sea was seen; `open_flow`: what is left
    open of a flow that nobody says and that was taken as still; None where all was said or found.
    """

    log: Log
    boat: Boat
    options: AnalysisOptions
    motion: Motion
    flow: Flow
    power: Power
    status: np.ndarray
    integral: Integral
    flow_sources: dict[str, str]
    notes: tuple[Note, ...]
    estimate: MotionEstimate | None = None
    flow_estimates: Mapping[str, Estimate] = field(default_factory=dict)
    explanations: tuple[Explanation, ...] = ()
    actuators: LogActuators | None = None
    given: np.ndarray = field(default_factory=lambda: np.zeros(0))
    by_load: tuple[float, ...] = ()
    load_shares: tuple[float, ...] = ()
    waves: WavesAlongLog | None = None
    open_flow: OpenFlow | None = None
    crossed: tuple[GapWay, ...] = ()
    early: Mapping[str, int] = field(default_factory=dict)

    @property
    def energy(self) -> Energy:
        """Energy by cause, J, and what it was integrated over."""
        return self.integral.energy

    @property
    def gap_energies(self) -> np.ndarray:
        """Energy that was estimated across gaps, J, one for each of `crossed`."""
        after = [way.after for way in self.crossed]
        return np.array([way.duration for way in self.crossed]) * self.power.total[after]

    @property
    def early_energy(self) -> float:
        """Energy before the first value of the current or of the wind, J, which is held back."""
        return float(self.integral.so_far()[max(self.early.values(), default=0)])

    @property
    def estimated(self) -> tuple[float, float]:
        """Energy, J, and time, s, without data of motion or flow, which were estimated."""
        until = max(self.early.values(), default=0)
        time = self.integral.durations[self.integral.ends <= until].sum()
        later = [(energy, way.duration) for energy, way in zip(self.gap_energies, self.crossed) if way.after > until]
        return (self.early_energy + sum(one for one, _ in later), float(time) + sum(one for _, one in later))

    @property
    def by_thrusts(self) -> bool:
        """Whether the power is that of the thrusts that the log tells, where it tells them."""
        return _counts(self.actuators, self.options) and self.actuators is not None and self.actuators.tells_thrusts

    @property
    def warnings(self) -> list[Note]:
        """The notes that ask for a look."""
        return [note for note in self.notes if note.level == WARNING]

    @property
    def state_of_charge_used(self) -> float:
        """Share of the boat's battery that the energy took, (-), all that it held at most; NaN without a battery."""
        if self.boat.battery is None:
            return math.nan
        charge = state_of_charge(self.integral.so_far(), self.boat.battery)
        return float(charge[0] - charge[-1])

    @property
    def battery_empty_at(self) -> float:
        """When all that the boat's battery held was taken, s of the log's times; NaN where it sufficed."""
        if self.boat.battery is None:
            return math.nan
        so_far, held = self.integral.so_far(), energy_held(self.boat.battery)
        over = np.flatnonzero(so_far > held)
        if not over.size:
            return math.nan
        step = slice(max(over[0] - 1, 0), over[0] + 1)
        return float(np.interp(held, so_far[step], self.log.time[step]))


def analysed_log(log: Log, boat: Boat, options: AnalysisOptions = DEFAULT) -> AnalysedLog:
    """
    Return the power and energy that the motion in a log took.

    :param log: The Log; heading, surge, sway and yaw rate are needed, or at least a speed.
    :param boat: The Boat.
    :param options: How it is analysed.
    :raises InputError: If the log lacks what is needed; if a flow file has no value along the whole way.
    """
    log = as_identified(log, boat)
    options = laid_along_log(log, options)
    along = flow_along_log(log, options)
    flow, notes = along.flow, along.notes
    log = _with_heading(log, boat.vessel, options, flow, notes)
    estimate, recorded = None, Motion(log.yaw, log.u, log.v, log.r, log.u_dot, log.v_dot, log.r_dot)
    if options.motion == ESTIMATED and not any(note.code == 'motion_from_places' for note in notes):
        estimate, said = motion_estimate(log, all(note.code != 'straight_ahead' for note in notes))
        notes += said
    if estimate is not None:
        log = _with_motion(log, estimate)
    motion = Motion(log.yaw, log.u, log.v, log.r, *_accelerations(log))
    actuators, said = actuators_of(log, boat)
    along.notes.extend(said if _counts(actuators, options) else ())
    along.notes.extend(load_notes(log, boat))
    motion, along, waves = log_in_waves(log, motion, along, boat, options, estimate, recorded)
    if waves is not None:
        log = replace(log, **{name: getattr(motion, name) for name in ESTIMATED_SERIES})
    analysed = _analysed(log, boat, options, motion, along, estimate, actuators, waves)
    return _in_found_flow(analysed, along)


def _with_motion(log: Log, estimate: MotionEstimate) -> Log:
    """Return a log with heading, velocities and accelerations as they were estimated."""
    values = estimate.at(log.time)._asdict()
    return replace(log, **{name: values[name] for name in ESTIMATED_SERIES})


def _analysed(log: Log, boat: Boat, options: AnalysisOptions, motion: Motion, along: FlowAlongLog,
              estimate: MotionEstimate | None, actuators: LogActuators | None,
              waves: WavesAlongLog | None = None) -> AnalysedLog:
    """Return the power and energy of a motion in a flow, without notes."""
    flow = along.flow
    relative = relative_motion(motion, flow, options.convention)
    steps = steps_between(log.time, np.isfinite(sum(relative)), log.max_gap)
    gaps = gaps_of(log.time, np.isfinite(sum(relative)), log.max_gap)
    certain = waves is None and all(note.code != CLOCK_SET for note in log.notes)
    ways = ways_across(gaps if certain else [], log.time, motion, estimate, (log.x, log.y))
    fine = estimate if steps.durations.max(initial=0.0) > FINE and waves is None else None
    pushed = None if waves is None else waves.action
    power, given = None, np.zeros(0)
    for told in (None, actuators) if _counts(actuators, options) else (None,):
        power = None  # Of a day at 50 Hz there is no room for two.
        if fine is not None:
            power = finer_power(fine, log.time, flow, steps, boat, options.convention, told)
        else:
            measured = None if told is None else told.measured(told.time, relative, boat)
            power = mean_power(relative, steps, boat, options.convention, measured,
                               told is not None and told.held, pushed)
        given = power.thrust + power.unrecovered if told is None else given
        fill_gaps(power, ways, log.time, flow, boat, options.convention, told)
    assert power is not None
    measured_ends = steps.ends
    steps = with_gaps(steps, ways, gaps, log.time)
    given[[way.after for way in ways]] = 0.0  # The thrusters' own work is of time with data.
    speeds = sqrt(log.u * log.u + log.v * log.v), sqrt(relative.u_r * relative.u_r + relative.v_r * relative.v_r)
    loads = loads_along(log, boat, steps, speeds[0])
    power = power_with_log_loads(power, loads)
    del relative  # A day at 50 Hz must fit in 2 GB, so unneeded arrays are dropped.
    known = np.isfinite(log.u) & np.isfinite(log.v) & np.isfinite(log.r) & np.isfinite(log.yaw)
    status = np.where(known, 0, INVALID | NO_ACCELERATION).astype(np.int32)
    begins = np.ones(len(log), dtype=bool)
    begins[measured_ends] = False
    status |= np.where(begins, NO_ACCELERATION, 0)
    for name in MEDIA:
        status[along.stale[name]] |= STALE[name]
    integral = integrate(steps, power, *speeds, along.stale['current'] | along.stale['wind'])
    return AnalysedLog(log, boat, options, motion, flow, power, status.astype(np.int32), integral,
                       along.sources, (*log.notes, *along.notes), estimate, along.estimates, actuators=actuators,
                       given=given, by_load=loads.energies, load_shares=loads.shares, waves=waves,
                       crossed=tuple(ways), early=along.early)


def _counts(actuators: LogActuators | None, options: AnalysisOptions) -> bool:
    """Return whether the power uses a log's actuators; the thesis's formulas do not."""
    return actuators is not None and options.actuators == AUTO and options.convention == 'rep103'


def _in_found_flow(analysed: AnalysedLog, along: FlowAlongLog) -> AnalysedLog:
    """Return a log in the flow estimated from its side force, if the flow is unknown and an estimate exists."""
    log, options, boat = analysed.log, analysed.options, analysed.boat
    codes = {note.code for note in analysed.notes}
    unknown = [name for name in MEDIA if along.sources[name] == ASSUMED_STILL]
    if not options.find_flow or options.convention != 'rep103' or codes & NO_SWAY or analysed.waves is not None:
        return replace(analysed, open_flow=open_flow(None, along.flow, unknown)) if unknown else analysed
    found = flows_from_sway(log.time, analysed.motion, analysed.estimate, along.flow, log.max_gap, boat.vessel, unknown)
    left = flow_left_open(log.time, analysed.motion, analysed.estimate, along.flow, log.max_gap, boat.vessel,
                          unknown) if unknown else None
    if not found:
        return replace(analysed, open_flow=left)

    def in_flow(one: Explanation) -> AnalysedLog:
        there = along._replace(flow=with_explanation(along.flow, one, log.time))
        return _analysed(log, boat, options, analysed.motion, there, analysed.estimate, analysed.actuators)

    best, name = in_flow(found[0]), found[0].name
    if not 1.0 / LARGEST_CHANGE < best.energy.total / max(analysed.energy.total, 1e-9) < LARGEST_CHANGE:
        return replace(analysed, open_flow=left)  # A flow as fast as the boat is no explanation of a little sway.
    possible = may_have_been(found)
    energies = (best.energy.total, *(in_flow(one).energy.total for one in possible[1:]))
    kept = [one for one in analysed.notes if one.code != f'{name}_assumed_none']
    if left is not None:
        turning = found[0].turning
        left = left.less(found[0].flow) if turning is None else open_beside_turning(turning)
    return replace(best, notes=(*kept, found_note(possible, energies, analysed.energy, best.energy)),
                   explanations=tuple(found),
                   open_flow=left,
                   flow_sources={**along.sources, name: 'found from the side force'})


def _with_heading(log: Log, vessel: Vessel, options: AnalysisOptions, flow: Flow, notes: list[Note]) -> Log:
    """Return a log with heading, sway and yaw rate: places will do, or in still water and air a speed alone."""
    needed = ('yaw', 'u', 'v', 'r')
    if any(note.code == 'heading_from_course' for note in log.notes) and log.known('x', 'y', 'u'):
        return _by_places(_without_heading(log), vessel, flow, notes)
    missing = [name for name in needed if not log.known(name)]
    if not missing:
        return log
    if 'yaw' in missing and log.known('x', 'y'):
        return _by_places(log, vessel, flow, notes)
    flows = [name for name in MEDIA if moves(log, options, name)]
    if 'u' in missing:
        log.require(*needed)
    if flows:
        raise InputError(f'{log.path}: has no {", ".join(missing)}, and in a {" and ".join(flows)} the power '
                         'depends on where the boat heads: record the heading, or positions that a course can be '
                         f'made of, or leave the {" and the ".join(flows)} out')
    notes.append(Note(WARNING, 'straight_ahead', f'the log has no {", ".join(missing)}: the boat is taken to go '
                      'straight ahead in still water and air; turning and drifting are not counted, so the energy is a '
                      'lower bound'))
    zero = np.zeros(len(log))
    return replace(log, **{name: zero for name in missing})  # type: ignore[arg-type]


def _without_heading(log: Log) -> Log:
    """Return a log with the velocity over ground instead of a course that stands for its heading."""
    east, north = to_earth(log.u, np.nan_to_num(log.v), cos(log.yaw), sin(log.yaw))
    unknown = np.full(len(log), np.nan)
    return replace(log, extra={**log.extra, **dict(zip(EARTH_VELOCITY, (east, north)))},
                   **dict.fromkeys(('yaw', 'u', 'v', 'r', 'u_dot', 'v_dot', 'r_dot'), unknown))  # type: ignore[arg-type]


def _by_places(log: Log, vessel: Vessel, flow: Flow, notes: list[Note]) -> Log:
    """Return a log whose motion is derived from its places: bow through the water as a steady motion; held at rest."""
    x_dot, y_dot = place_velocity(log)
    x_water, y_water = x_dot - flow.current_x, y_dot - flow.current_y
    under_way = sqrt(x_water * x_water + y_water * y_water) > UNDER_WAY
    if not under_way.any():
        raise InputError(f'{log.path}: has no heading, and its places say none: the boat is never faster than '
                         f'{UNDER_WAY:g} m/s, or has under {LEAST_SAMPLES} places')
    if (speed := float(np.nanquantile(np.hypot(x_dot, y_dot), 0.99))) > FASTEST:
        notes.append(Note(WARNING, 'implausible', f'it reaches {speed:.1f} m/s: are the units right, also that of the '
                          'time?', {'speed_m_s': speed}))
    last = np.maximum.accumulate(np.where(under_way, np.arange(len(log)), int(np.argmax(under_way))))
    heading = np.arctan2(y_water, x_water) + _leeway(vessel, x_dot, y_dot, flow, np.flatnonzero(under_way))
    yaw = np.unwrap(heading[last])
    u, v = to_body(x_dot, y_dot, cos(yaw), sin(yaw))
    turned = derivative(log.time, np.where(np.isfinite(u), yaw, np.nan), log.max_gap, TURN_WIDTH)
    r = np.where(under_way, turned, 0.0)
    notes.append(Note(WARNING, 'motion_from_places', 'the log has no heading: velocities are those of the likeliest '
                      'way through its places, and the boat is taken to head as it would in a steady motion there'))
    kept = tuple(note for note in log.notes if note.code != 'at_rest')
    return replace(log, yaw=yaw, u=u, v=v, r=np.where(np.isfinite(u), r, np.nan), notes=kept)


def _leeway(vessel: Vessel, x_dot: np.ndarray, y_dot: np.ndarray, flow: Flow, rows: np.ndarray) -> np.ndarray:
    """
    Return the angle from the way through the water to the bow, rad, (n,), of a boat that a wind pushes aside.

    :param x_dot: Velocity over ground, east and north, m/s, (n,).
    :param rows: In which the boat is under way.
    """
    some = rows[np.unique(np.linspace(0, rows.size - 1, min(rows.size, ASKED)).round().astype(int))]
    if not vessel.thrusters:
        return np.zeros(x_dot.size)
    east, north = x_dot[some], y_dot[some]
    there = Flow(*(np.broadcast_to(values, x_dot.shape)[some] for values in flow))
    steady = steady_state(vessel, np.arctan2(north, east), np.hypot(east, north), there)
    way = np.arctan2(north - there.current_y, east - there.current_x)
    angle = np.remainder(steady.yaw - way + math.pi, math.tau) - math.pi
    known = np.isfinite(angle) & (np.abs(angle) < LARGEST_LEEWAY)
    if not known.any():
        return np.zeros(x_dot.size)
    return np.interp(np.arange(x_dot.size), some[known], angle[known])


def _accelerations(log: Log) -> tuple[np.ndarray, ...]:
    """Return the accelerations that the log has, else differences: for its readers; no power needs them."""
    own = ('u_dot', 'v_dot', 'r_dot')
    if log.known(*own):
        return tuple(getattr(log, name) for name in own)
    rates = derivatives(log.time, np.column_stack([log.u, log.v, log.r]), 0.0, log.max_gap)
    return tuple(np.ascontiguousarray(column) for column in rates.T)


def thruster_power(analysed: AnalysedLog) -> np.ndarray | None:
    """
    Return the mechanical power that the thrusters themselves gave, W: each recorded thrust times its own speed.

    None where the log has no thrusts of the boat's thrusters. Beside what the model has them give it is the closure.
    """
    told = analysed.actuators
    if told is None or not told.tells_thrusts:
        return None
    relative = relative_motion(analysed.motion, analysed.flow, analysed.options.convention)
    return thrusts_power(relative, told.measured(told.time, relative, analysed.boat), analysed.boat)


def thrusts_of(log: Log, boat: Boat) -> np.ndarray | None:
    """Return the thrusts in a log in the order of the boat's thrusters, N, shape (n, thrusters); None if not there."""
    if len(log.thrusters) != len(boat.thruster_names) or not log.known('thrust'):
        return None
    if set(log.thrusters) == set(boat.thruster_names):
        return log.thrust[:, [log.thrusters.index(name) for name in boat.thruster_names]]
    return log.thrust


def mean_or_nan(values: np.ndarray) -> float:
    """Return the mean of the numbers among values; NaN of none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else math.nan
