"""Run a scenario without ROS: the same steps, in the same order, that the nodes take."""

import math
from collections.abc import Callable

from ..files.errors import InputError
from ..physics.energy import Accumulation, Sample, accumulate
from ..physics.kinematics import Differentiator, differentiate
from ..physics.power import CONVENTIONS, flow_with_rate, speed_through_water
from . import record
from .control import ControlState, Measured, control
from .guidance import heading_along_path, heading_to_goal, next_waypoint
from .plant import Plant, motion_of, thruster_power
from .record import Row, Run
from .scenario import MAX_GAP, Scenario

RUN_AWAY = 1e3  # Speed through the water, m/s, and yaw rate, rad/s, that no boat has.


class Autopilot:
    """Guidance and control of a scenario: odometry in, thrusts out, until the last waypoint is reached."""

    def __init__(self, scenario: Scenario) -> None:
        """Start at the first waypoint, the controller at rest."""
        self._scenario = scenario
        self._legs = [scenario.start[:2], *scenario.waypoints]
        self._control = ControlState()
        self.waypoint = 0

    @property
    def done(self) -> bool:
        """Whether the last waypoint is reached."""
        return self.waypoint >= len(self._scenario.waypoints)

    def steer(self, x: float, y: float, measured: Measured) -> tuple[float, float] | None:
        """
        Return the thrusts for a place and motion, N (port, starboard); None when the last waypoint is reached.

        :param x: East, m.
        :param y: North, m.
        :param measured: Time, yaw, surge over ground and yaw rate.
        """
        scenario = self._scenario
        self.waypoint = next_waypoint(x, y, self.waypoint, scenario.waypoints, scenario.radius)
        if self.done:
            return None
        begin, goal = self._legs[self.waypoint], scenario.waypoints[self.waypoint]
        heading = (heading_to_goal(x, y, goal) if scenario.lookahead is None
                   else heading_along_path(x, y, begin, goal, scenario.lookahead))
        self._control, thrusts = control(self._control, measured, heading, scenario.speed, scenario.gains,
                                         scenario.plant.vessel)
        return thrusts


def check_stable(plant: Plant, scenario: Scenario) -> None:
    """
    See whether the integration still follows the boat.

    :raises InputError: If it runs away, faster than any boat, or holds no number.
    """
    state = plant.state
    if not abs(state.u_r) + abs(state.v_r) + abs(state.r) < RUN_AWAY:
        raise InputError(f'{scenario.path}: the simulation runs away at {plant.time:g} s; simulation.step is '
                         f'{scenario.step}, too long for the boat {scenario.plant.name}')


def run_scenario(scenario: Scenario, progress: Callable[[float], None] = lambda time: None) -> Run:
    """
    Return a scenario's run.

    :param scenario: What to run; its convention is the power model's.
    :param progress: Called now and then with the simulated time, s. If it raises, the run ends there.
    :raises InputError: If the scenario's step is too long for its boat.
    """
    plant = Plant(scenario.plant.vessel, scenario.start, scenario.flow_at(), scenario.step)
    autopilot = Autopilot(scenario)
    power_of = CONVENTIONS[scenario.convention]
    differences, current, accumulation = Differentiator(), Differentiator(), Accumulation()
    rows: list[Row] = []
    outcome = record.TIMED_OUT
    while plant.time <= scenario.timeout:
        state, time, velocity, flow = plant.state, plant.time, plant.velocity_over_ground(), plant.flow()
        differences = differentiate(differences, time, velocity, 0.0, MAX_GAP)
        current = differentiate(current, time, (flow.current_x, flow.current_y), 0.0, MAX_GAP)
        flow = flow_with_rate(flow, current.derivative[:2])
        motion = motion_of(state.yaw, velocity, differences.derivative)
        power = power_of(motion, flow, scenario.boat.vessel)
        sample = Sample(time, power, math.hypot(velocity[0], velocity[1]), speed_through_water(power), False)
        accumulation = accumulate(accumulation, sample, MAX_GAP)
        status = 0 if math.isfinite(motion.u_dot) else 1
        rows.append(Row(time, state.x, state.y, motion, flow, power, accumulation.energy.total,
                        thruster_power(state, plant.force()), state.work, status))
        commands = autopilot.steer(state.x, state.y, Measured(time, state.yaw, velocity[0], velocity[2]))
        if commands is None:
            outcome = record.REACHED
            break
        for _ in range(scenario.steps_per_period):
            plant.advance(commands)
        check_stable(plant, scenario)
        progress(time)
    return Run(scenario, scenario.convention, outcome, rows, accumulation.energy, plant.state.work)
