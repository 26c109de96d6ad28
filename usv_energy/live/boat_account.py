"""
What the states of a live boat cost: power, energy, battery, hull and the way home, and their figures.

The water current by a boat's speed through the water: along its heading at each reading, across it as it turns.
"""

import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import loads_with_shares
from usv_energy.earth import LocalPlane, Place, compass_degrees
from usv_energy.files.text_file import without_nan
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import laid_on_earth
from usv_energy.live.boat_follower import home_on_map
from usv_energy.live.live_vehicle import LiveVehicle
from usv_energy.logs.motion.fixed_lag import Smoothed
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.physics.motion import Flow, Motion, without_needless_yaw
from usv_energy.physics.sampling import Sampling, sampled
from usv_energy.powering.energy import Accumulation, Sample, accumulate
from usv_energy.powering.power import CONVENTIONS, Power
from usv_energy.sim.actuator_states import MotionSample, PowerSteps
from usv_energy.studies.analyze.battery.battery_watch import BatteryAccount, BatteryWatch
from usv_energy.studies.analyze.hull.drag_filters import FlowSpread
from usv_energy.studies.analyze.hull.hull_health import HullWatch
from usv_energy.studies.analyze.hull.hull_response import CruiseSample
from usv_energy.studies.mission.mission_study import MissionStudy
from usv_energy.studies.plan.home_guard import NO_ANSWER, HomeAnswer, HomeGuard, HomeStatus, HomeTerms, KnownCharge
from usv_energy.studies.plan.way_home import HomeDoubt, HomePlace
from usv_energy.studies.runs.boat_figures import (
    energy_figures,
    estimate_figures,
    flow_figures,
    home_figures,
    hull_figures,
    level_figures,
    power_figures,
)

KEPT = 512          # readings that wait for the states of their time
OLDEST = 1.0        # s: an older reading is none.
PERIOD = 1.0        # s between two readings that count: those within have the same error.
READING_STD = 0.05  # m/s, of a reading: the sensor, leeway and waves
CHANGE_STD = 0.05   # m/s, each way, by which a current changes
CHANGE_TIME = 600.0  # in this time, s
FASTEST = 30.0      # m/s: a larger reading is none.


class WaterSpeed:
    """
    Takes readings of the speed through the water, and states; `mean`: the current, m/s east and north, None before any.

    A Kalman filter of a current that wanders; the ground speed ahead less the reading is its part along the heading.
    """

    def __init__(self, std: float) -> None:
        """Begin; `std`: standard deviation of the current before any reading, m/s each way."""
        self._mean, self._covariance = np.zeros(2), std ** 2 * np.eye(2)
        self._readings: deque[tuple[float, float]] = deque(maxlen=KEPT)
        self._time = math.nan

    @property
    def mean(self) -> tuple[float, float] | None:
        """The current, m/s east and north; None before any reading."""
        return None if math.isnan(self._time) else (float(self._mean[0]), float(self._mean[1]))

    @property
    def std(self) -> float:
        """The larger standard deviation of the current, over all directions, m/s."""
        return math.sqrt(float(np.linalg.eigvalsh(self._covariance)[-1]))

    def read(self, time: float, speed: float) -> None:
        """Take a reading, m/s ahead, at a time, s."""
        if math.isfinite(time) and abs(speed) <= FASTEST:
            self._readings.append((time, speed))

    def take(self, time: float, yaw: float, ahead: float) -> None:
        """
        Take a state, whose times rise: what was read until then counts.

        :param time: s.
        :param yaw: rad (ENU).
        :param ahead: Speed over ground along the bow, m/s.
        """
        reading = None
        while self._readings and self._readings[0][0] <= time:
            reading = self._readings.popleft()
        since = math.inf if math.isnan(self._time) else time - self._time
        if reading is None or time - reading[0] > OLDEST or since < PERIOD or not math.isfinite(yaw + ahead):
            return
        if math.isfinite(since):
            self._covariance = self._covariance + since / CHANGE_TIME * CHANGE_STD ** 2 * np.eye(2)
        self._time, along = time, np.array([math.cos(yaw), math.sin(yaw)])
        seen = self._covariance @ along
        gain = seen / (along @ seen + READING_STD ** 2)
        self._mean = self._mean + gain * (ahead - reading[1] - along @ self._mean)
        self._covariance = self._covariance - np.outer(gain, seen)


START_CHARGE_STD, RANGE_WINDOW, POWER_WINDOW = 0.1, 60.0, 60.0  # (-), s, s: the defaults of the nodes.
READING_TIMEOUT = 5.0   # s without a reading of the battery, after which the power model goes on.
LEAST_CHARGE_STD = 0.015    # (-), of a charge that was measured.
WIND_AGE = 10.0         # s: an older wind is none.
HOME_PERIOD = 1.0       # s between two answers of the way home.
CURRENT_STD, WIND_STD = 0.03, 1.0  # m/s, each way, of current and wind on the way home,
UNSAID_CURRENT_STD, UNSAID_WIND_STD = 0.15, 3.0  # and where nobody says them: of harbours and lakes, a gentle breeze.
UNKNOWN_CURRENT_STD, HULL_WIND_STD = 0.3, 1.0  # m/s, of what the hull is judged in.
# Parameters of the speed in missions, of ArduPilot and PX4, and of that home: the first above 0 counts.
MISSION_SPEEDS = ('WP_SPEED', 'CRUISE_SPEED', 'GND_SPEED_TRIM', 'RD_MISS_SPD_DEF', 'RA_MISS_SPD_DEF', 'RO_SPEED_LIM')
HOME_SPEEDS = 'RTL_SPEED', *MISSION_SPEEDS
NO_HOME_WORDS = 'no place to go back to: the autopilot said no home; say --home LATITUDE,LONGITUDE'
AnyFlow = UniformFlow | FlowFile


class LiveTerms(NamedTuple):
    """
    What is known and asked of a live boat.

    `current`, `wind`: None where nobody says them. `home`: None for the autopilot's. `reserve`: share of the capacity
    that must be left at home, (-). `confidence`: with which the energy must suffice, (-). `lead`: s before the point
    of no return at which the boat is to turn back. Standard deviations: `charge_std` of the state of charge at the
    start, (-); `current_std` and `wind_std` on the way home, m/s, each way; None: by whether somebody says the flow.
    `water_speed`: the NAMED_VALUE_FLOAT with the speed through the water, m/s ahead; empty: none.
    """

    current: AnyFlow | None = None
    wind: AnyFlow | None = None
    home: Place | None = None
    reserve: float = 0.1
    confidence: float = HomeDoubt().confidence
    lead: float = 10.0
    charge_std: float = START_CHARGE_STD
    current_std: float | None = None
    wind_std: float | None = None
    water_speed: str = ''


class BoatAccount:
    """
    The account of one boat; takes the states of its motion.

    `accumulation`: energy by cause; `power`: of the last step; `answer`: of the way home, None before the first;
    `wants_home`: whether it is to go back by the last one alone, without the time for which that lasts.
    `has_rival`: whether a second vehicle sends readings of a battery with the same id, so that none can be used.
    """

    def __init__(self, boat: Boat, terms: LiveTerms, vehicle: LiveVehicle) -> None:
        """
        Begin without a state.

        :param boat: The Boat; has a motion (`require_motion`).
        :param terms: The LiveTerms.
        :param vehicle: Whose states these are: outputs, wind and readings of the battery are taken from it.
        """
        self.boat, self._terms, self._vehicle = boat, terms, vehicle
        self.accumulation = Accumulation()
        self.power: Power | None = None
        self.state: Smoothed | None = None
        self._before: Smoothed | None = None
        self.answer: HomeAnswer | None = None
        self.battery: BatteryAccount | None = None
        self._hull: HullWatch | None = None
        self._steps, self._sampling = PowerSteps(), Sampling()
        self._first = self._answered = math.nan
        self._flow = self._home_flow = Flow(math.nan, math.nan, math.nan, math.nan)
        self._current, self._wind = terms.current, terms.wind
        self._read = -math.inf
        self._water = WaterSpeed(UNSAID_CURRENT_STD) if terms.water_speed and terms.current is None else None
        self._home_terms: HomeTerms | None = None
        self.has_rival = self.wants_home = False
        if boat.battery is not None:
            watch = BatteryWatch(boat.battery, boat.pack, terms.charge_std, boat.ambient)
            self.battery = BatteryAccount(boat.battery, watch, RANGE_WINDOW)
        if boat.power_curve is None and boat.vessel.thrusters:
            self._hull = HullWatch(boat.vessel, FlowSpread(
                UNKNOWN_CURRENT_STD if terms.current is None else CURRENT_STD, HULL_WIND_STD))
        self._loads = loads_with_shares(boat.vessel.loads, boat.load_rules, '', {}) if boat.load_rules else ()
        self._guard = HomeGuard(boat, POWER_WINDOW) if boat.vessel.thrusters else None

    def take(self, state: Smoothed) -> None:
        """Take a state of the boat's motion; one that is not later than the last is left out."""
        if self.state is not None and state.time <= self.state.time:
            return
        if math.isnan(self._first):
            self._first = state.time
            self._current, self._wind = (flow if flow is None else self._laid(flow, state.time)
                                         for flow in (self._current, self._wind))
        self._before, self.state = self.state, state
        if self._water is not None:
            self._water.take(state.time, state.pose[2], state.velocity[0])
        self._flow = self._home_flow = self._flow_at(state)
        if self._wind is None and self._wind_said(state) is not None:
            self._home_flow = Flow(*self._flow[:2], *self._vehicle.mean_wind.mean)
        self._follow(state)
        if self._guard is not None and not 0.0 <= state.time - self._answered < HOME_PERIOD:
            self._answered = state.time
            self._answer(self._guard, state)

    def _laid(self, flow: AnyFlow, time: float) -> AnyFlow:
        """Return a flow where the boat is on the Earth, and a file of data in the time since a state's, s."""
        flow = laid_on_earth(flow, self._plane, 'the boat')
        return flow if isinstance(flow, UniformFlow) else flow.from_moment(self._vehicle.clock.received(time))

    @property
    def _plane(self) -> LocalPlane:
        assert self._vehicle.plane is not None
        return self._vehicle.plane

    def read_value(self, name: str, time: float, value: float) -> None:
        """Take a NAMED_VALUE_FLOAT at a time, s, which may be the speed through the water."""
        if self._water is not None and name == self._terms.water_speed:
            self._water.read(time, value)

    @property
    def _current_said(self) -> AnyFlow | None:
        """The current as it was given, else by the speed through the water; None where neither is known."""
        if self._current is None and self._water is not None and self._water.mean is not None:
            return UniformFlow(*self._water.mean)
        return self._current

    def _wind_said(self, state: Smoothed) -> AnyFlow | None:
        """Return the wind at a state as it was given, else as the vehicle says it; None where nobody does."""
        wind, said = self._wind, self._vehicle.wind
        if wind is None and said is not None and abs(state.time - said.time) <= WIND_AGE:
            return UniformFlow(said.east, said.north)
        return wind

    def _flow_at(self, state: Smoothed) -> Flow:
        """Return current and wind at a state; what nobody says is none."""
        wind = self._wind_said(state)
        return Flow(*self._velocity(self._current_said, state), *self._velocity(wind, state))

    def _velocity(self, flow: AnyFlow | None, state: Smoothed) -> tuple[float, float]:
        if flow is None:
            return 0.0, 0.0
        x, y, _ = flow.velocity(state.time - self._first, np.array([state.pose[0]]), np.array([state.pose[1]]))
        return float(x[0]), float(y[0])

    def _follow(self, state: Smoothed) -> None:
        """Add the step to a state to power, energy and battery."""
        u, v, r = state.velocity
        motion = without_needless_yaw(Motion(state.pose[2], u, v, r, *state.acceleration), self._flow)
        relative = CONVENTIONS['rep103'].relative(motion, self._flow)
        self._sampling = sampled(self._sampling, state.time)
        longest = self._sampling.longest_interval
        commands = self._vehicle.commands.at(state.time, relative)
        sample = MotionSample(state.time, motion, self._flow, relative, commands)
        self.power, _, _ = self._steps.mean_power(sample, self.boat, longest, self._loads)
        before = self.accumulation.energy
        self.accumulation = accumulate(self.accumulation, Sample(
            state.time, self.power, math.hypot(u, v), math.hypot(relative.u_r, relative.v_r), False), longest)
        energy = self.accumulation.energy
        if self.battery is not None:
            self._follow_battery(self.battery, state, energy.total - before.total, energy.duration - before.duration,
                                 energy.gap_duration - before.gap_duration)

    def _follow_battery(self, battery: BatteryAccount, state: Smoothed, joules: float, duration: float,
                        gap: float) -> None:
        assert self.power is not None
        watch, reading = battery.watch, self._vehicle.reading
        was_measuring = watch.reading is not None
        if self.has_rival != bool(watch.sources):
            watch.hear_of_sources('two vehicles with one system id' if self.has_rival else '')
        if reading is not None and reading.time > self._read:
            self._read = reading.time
            watch.take_reading(reading)
        elif state.time - self._read > READING_TIMEOUT:
            watch.silence()
        if gap > 0.0:
            battery.take_gap(gap * self._power_unheard(state, gap), gap, was_measuring and watch.reading is not None)
        watch.take_power(self.power.total, joules, duration)
        battery.follow(self.accumulation, self.power.total, state.velocity)
        if self._hull is not None:
            now = watch.reading
            self._hull.take(CruiseSample(state.time, state.pose[2], *state.velocity[:2], *self._flow, math.nan if
                                         now is None else now.voltage * now.current,
                                         self.power.static_load + self.power.loads))

    def _power_unheard(self, state: Smoothed, gap: float) -> float:
        """Return the power in a gap before a state, W: as before it, and at least as the straight way needs."""
        assert self._before is not None
        east, north = (after - before for after, before in zip(state.pose[:2], self._before.pose[:2]))
        motion = Motion(math.atan2(north, east), math.hypot(east, north) / gap, 0.0, 0.0, 0.0, 0.0, 0.0)
        relative = CONVENTIONS['rep103'].relative(motion, self._flow)
        steps = PowerSteps()
        for time in (state.time - gap, state.time):
            power, _, _ = steps.mean_power(MotionSample(time, motion, self._flow, relative), self.boat, math.inf,
                                           self._loads)
        known = power.total if math.isfinite(power.total) else 0.0
        return max(known, 0.0 if self._guard is None else self._guard.power)

    def _answer(self, guard: HomeGuard, state: Smoothed) -> None:
        """Answer a state with the margin of its way home."""
        if self.power is not None and math.isfinite(self.power.total):
            unheard = 0.0 if self.battery is None else self.battery.unheard
            guard.add_energy(state.time, self.accumulation.energy.total + unheard)
        capacity = 0.0 if self.boat.battery is None else self.boat.battery.capacity_wh * JOULES_PER_WH
        spread, left = self._terms.charge_std, math.nan
        if self.battery is not None and self.power is not None:
            report = self.battery.watch.report(self.power.total)
            spread = max(report.state_of_charge_std, LEAST_CHARGE_STD)
            left = report.energy_left if self.battery.watch.was_measured else math.nan
        terms = HomeTerms(self._terms.reserve * capacity, HomeDoubt(
            self._terms.confidence, spread * capacity, *self._flow_doubt(state)).checked(), self._terms.lead)
        flow = self._home_flow if all(map(math.isfinite, self._home_flow)) else None
        homes = self._homes()
        self._home_terms = terms
        guard.order_speed(self._vehicle.ordered_speed(*HOME_SPEEDS))
        found = guard.answer(state.pose[:2], state.velocity[:2], state.pose[2], flow, KnownCharge(self.charge, left),
                             homes, terms)
        self.wants_home, found = found.return_home, guard.lasting(state.time, found)
        self.answer = found._replace(message=NO_HOME_WORDS) if found.status & HomeStatus.NO_HOME else found

    def _flow_doubt(self, state: Smoothed) -> tuple[float, float]:
        """Return the standard deviations of current and wind on the way home, m/s each way."""
        current, wind = self._terms.current_std, self._terms.wind_std
        if current is None and self._water is not None:
            current = max(self._water.std, CURRENT_STD)
        if current is None:
            current = UNSAID_CURRENT_STD if self._current is None else CURRENT_STD
        if wind is None:
            wind = UNSAID_WIND_STD if self._wind_said(state) is None else WIND_STD
        return current, wind

    def turning_leg(self, study: MissionStudy) -> int | None:
        """Return the first leg of a mission, from 0 on, from whose end the boat would not get home; None if none."""
        if (self._guard is None or self._home_terms is None or study.charge is None or study.mission.origin is None
                or self.answer is None or self.answer.status & NO_ANSWER):
            return None
        plane = LocalPlane(study.mission.origin)
        homes = self._homes()
        for number, (place, charge) in enumerate(zip(study.scenario.waypoints, study.charge.tolist())):
            x, y = map(float, self._plane.projected(*plane.degrees_of(*place)))
            if not self._guard.margin_from((x, y), charge, self._home_flow, homes, self._home_terms) >= 0.0:
                return number
        return None

    def _homes(self) -> list[HomePlace]:
        place = self._terms.home or self._vehicle.home
        return [] if place is None else [HomePlace('home', *map(float, self._plane.projected(*place)))]

    def map_figures(self) -> dict[str, Any]:
        """
        Return the boat, its home and the ring about it from within which it gets home with what it has, degrees.

        None where it is not known where on the Earth the boat is, or where it has no home; the ring is None where
        nothing is known of the way home.
        """
        state, homes = self.state, self._homes() if self._vehicle.plane is not None else []
        if state is None or self._vehicle.is_local:
            return {'place_deg': None, 'home_deg': None, 'ring_deg': None}
        found = home_on_map(self.answer if homes else None, self._plane)
        return without_nan({'place_deg': self._plane.degrees_of(*state.pose[:2]), 'ring_deg': found['ring_deg'],
                            'home_deg': self._plane.degrees_of(*homes[0][1:]) if homes else None})

    @property
    def current_now(self) -> AnyFlow:
        """The water current as it was given, else as it is now, everywhere."""
        return self._current or UniformFlow(*self._flow[:2])

    @property
    def wind_now(self) -> AnyFlow:
        """The wind as it was given, else as the way home has it, everywhere."""
        return self._wind or UniformFlow(*self._home_flow[2:])

    @property
    def elapsed(self) -> float:
        """Time since the first state, s: that of the flows."""
        return 0.0 if self.state is None else self.state.time - self._first

    @property
    def charge(self) -> float:
        """State of charge, (-); NaN without a battery."""
        return math.nan if self.battery is None or self.battery.level is None else self.battery.level.state_of_charge

    def problems(self) -> list[str]:
        """Return what is wrong with the motion, the flows and the battery now, in words."""
        found = []
        if self.state is None:
            found.append('no position heard: nothing is counted')
        elif self._vehicle.is_local:
            found.append("no position on the Earth: places are from the autopilot's own origin")
        if self.state is not None:
            said = self._current_said, self._wind_said(self.state)
            found += [f'no {name} is said: taken as still, and the way home allows for {std:g} m/s of it (std)'
                      for name, flow, std in zip(('current', 'wind'), said, self._flow_doubt(self.state))
                      if flow is None]
        if self.state is not None and not all(map(math.isfinite, (*self.state.pose, *self.state.velocity))):
            found.append('position or heading unknown: no power')
        elif self.power is not None and not math.isfinite(self.power.total):
            found.append('no power: current or wind unknown here, or the first sample')
        if self.battery is not None and self.battery.unheard > 0.0:
            found.append(f'about {self.battery.unheard / JOULES_PER_WH:.2g} Wh were drawn in gaps: not counted as '
                         'energy, but taken off the charge, which is less certain')
        if self.battery is not None and self.battery.watch.was_measured:
            found += filter(None, self.battery.watch.report(math.nan).message.split('; '))
        return found

    def figures_of_margin(self) -> dict[str, Any]:
        """Return the few figures that are sent to the operator; None for what is unknown."""
        report = None if self._hull is None else self._hull.report()
        return without_nan({
            'power_total_w': math.nan if self.power is None else self.power.total,
            'energy_total_j': self.accumulation.energy.total, 'state_of_charge': self.charge,
            'remaining_range_m': math.nan if self.battery is None else self.battery.range,
            **home_figures(self.answer), **hull_figures(report)})

    def figures(self) -> dict[str, Any]:
        """Return the figures of the boat now, as `monitor` shows them: units in the keys, None for what is unknown."""
        state, found = self.state, {**energy_figures(self.accumulation.energy)}
        if state is None or self.power is None:
            return without_nan(found)
        u, v, _ = state.velocity
        words = ['assumed still' if given is None else 'ok' for given in (self._current, self._wind)]
        if self._current is None and self._current_said is not None:
            words[0] = 'by the speed through the water'
        if self._wind is None and any(self._flow[2:]):
            words[1] = 'of the autopilot'
        latitude, longitude = self._plane.degrees_of(*state.pose[:2])
        found |= {
            'stamp_s': state.time, 'convention': 'rep103', 'latitude_deg': latitude, 'longitude_deg': longitude,
            **power_figures(self.power), 'speed_over_ground_m_s': math.hypot(u, v),
            'speed_through_water_m_s': math.hypot(self.power.u_r, self.power.v_r),
            'yaw_deg': math.degrees(state.pose[2]), 'heading_deg': compass_degrees(state.pose[2]),
            'current': flow_figures(*self._flow[:2], words[0]), 'wind': flow_figures(*self._flow[2:], words[1]),
            **home_figures(self.answer), **({} if self._hull is None else hull_figures(self._hull.report()))}
        if self.battery is not None and self.battery.level is not None:
            watch, level = self.battery.watch, self.battery.watch.level_under_load(self.battery.level)
            found['unheard_energy_j'] = self.battery.unheard
            found |= level_figures(level.state_of_charge, level.voltage, level.current, level.charge)
            found |= {'remaining_range_m': self.battery.range, **estimate_figures(watch.report(self.power.total))}
        return without_nan(found)
