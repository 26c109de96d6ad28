"""
A simulated boat that keeps its state between steps; `plant_step.py` computes the steps.

The pose and the velocity of a hull of parts in six degrees of freedom, as its odometry reports them.

Current, wind and mean sea at the position of a boat, as functions for the plant.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import FlowFile, velocity_everywhere
from usv_energy.flow.on_earth import place_words
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import Flow, Relative
from usv_energy.physics.parted_hull import WaterAround, vector_to_body
from usv_energy.physics.waves.added_resistance import MeanSea, SeaAlong, WaveCoefficients, mean_sea
from usv_energy.physics.waves.felt_waves import FeltSea
from usv_energy.powering.actuators import Setting, drive_of_setting, resting_setting, thrusters_drive, thrusts_given
from usv_energy.sim.plants.floating import struck, turn_of_hull, with_origin_of
from usv_energy.sim.plants.plant_step import (
    PlantState,
    advanced,
    afloat_of,
    relative_of_state,
    thruster_lags,
    velocity_over_ground,
)
from usv_energy.sim.plants.water_around import CALM, LOCAL_PERIOD, Surroundings, felt_sea, water_around

FlowAt = Callable[[float, float, float], Flow]


class Plant:
    """A simulated boat: commands in, motion out. Time is counted in whole steps, so rounding does not accumulate."""

    def __init__(self, vessel: Vessel, start: tuple[float, float, float], flow_at: FlowAt, step: float,
                 around: Surroundings = CALM) -> None:
        """
        Start with the boat at rest through the water and the thrusters off.

        :param vessel: The Vessel.
        :param start: x, y, m, and yaw, rad (ENU).
        :param flow_at: Function of (time s, x m, y m) that returns the Flow.
        :param step: Of the integration, s.
        :param around: The Surroundings: sea and variation of the flow for a hull of parts, mean sea for a planar boat.
        """
        self.vessel = vessel
        self.step = step
        self.steps = 0
        x, y, yaw = map(float, start)
        self.state = PlantState(x, y, yaw, 0.0, 0.0, 0.0, 0.0, afloat_of(0.0, vessel))
        self.setting: Setting = resting_setting(0.0, vessel)
        self._flow_at, self._around = flow_at, around
        self._felt = self._felt_by(vessel)
        self._sea_until = -LOCAL_PERIOD
        self._mean: MeanSea | None = None
        self._lags = thruster_lags(vessel, step)

    @property
    def time(self) -> float:
        """Time since the start, s."""
        return self.steps * self.step

    def flow(self) -> Flow:
        """Return the Flow at the boat now."""
        return self._flow_at(self.time, self.state.x, self.state.y)

    @property
    def thrusts(self) -> tuple[float, ...]:
        """Thrust of each thruster along its axis now, at the speed of the boat, N."""
        return thrusts_given(self.setting, self.relative(), self.vessel)

    def advance(self, wanted: Setting | Sequence[float]) -> None:
        """
        Advance by one step with a constant commanded Setting; the actuators' limits, lags and rates are applied.

        :param wanted: The Setting, or only the thruster commands, N; then all angles go to their rest position.
        """
        self.state, self.setting = advanced(self.state, self.setting, self.as_setting(wanted), self._lags, self.time,
                                            self.step, self.vessel, self._flow_at, (), self.water_around())
        self.steps += 1

    def set_vessel(self, vessel: Vessel) -> None:
        """Replace the vessel by that of the same boat with another payload; its electrical loads stay as they are."""
        if self.vessel.parts is not None:
            self.state = with_origin_of(self.state, self.vessel.parts, vessel.parts)
        self.vessel = vessel._replace(loads=self.vessel.loads, static_load=self.vessel.static_load)
        self._felt, self._sea_until = self._felt_by(vessel), -LOCAL_PERIOD

    def struck(self, impulse: float, x: float, y: float) -> None:
        """
        Apply a vertical impulse; a planar boat does not respond to it.

        :param impulse: Upward, N s.
        :param x: Where it acts, forward of the origin, m.
        :param y: Where it acts, to port of the origin, m.
        """
        if self.vessel.parts is not None:
            self.state = self.state._replace(afloat=struck(self.state.afloat, impulse, x, y, self.vessel.parts))

    def _felt_by(self, vessel: Vessel) -> FeltSea | None:
        sea = self._around.sea
        return None if vessel.parts is None or sea is None else felt_sea(sea, vessel.parts, self._around.drift_depth)

    @property
    def mean_sea(self) -> MeanSea | None:
        """The MeanSea that acts on a planar boat now; None without a sea or without coefficients for its force."""
        around = self._around
        if around.mean_around is not None and self.vessel.parts is None and self.time >= self._sea_until:
            self._mean = around.mean_around(self.time, self.state.x, self.state.y)
            self._sea_until = self.time + LOCAL_PERIOD
        return self._mean

    def water_around(self, step: float | None = None) -> WaterAround | MeanSea | None:
        """
        Return the WaterAround a hull of parts, or the MeanSea of a planar boat; None in calm water and uniform flow.

        :param step: It is evaluated after half of this time, s; 0 for now, None for half of the plant's own step.
        """
        if self.vessel.parts is None:
            return self.mean_sea
        around = self._around
        if around.sea_around is not None and self.time >= self._sea_until:
            sea = around.sea_around(self.time, self.state.x, self.state.y)
            self._felt = None if sea is None else felt_sea(sea, self.vessel.parts, around.drift_depth)
            self._sea_until = self.time + LOCAL_PERIOD
        return water_around(around, self._felt, self.state, self.time, self.step if step is None else step,
                            self._flow_at, self.vessel)

    @property
    def in_waves(self) -> bool:
        """Whether this is a hull of parts in a sea, which moves with the single waves."""
        return self.vessel.parts is not None and (self._around.sea is not None or self._around.sea_around is not None)

    def as_setting(self, wanted: Setting | Sequence[float]) -> Setting:
        """Return a commanded Setting unchanged, or make one of thruster commands, N, with all angles at rest."""
        if isinstance(wanted, Setting):
            return wanted
        resting: Setting = resting_setting(0.0, self.vessel)
        return resting._replace(commands=tuple(wanted))

    def force(self) -> tuple[float, float, float]:
        """Return the actuators' force on the hull now: surge N, sway N, yaw moment N m."""
        return drive_of_setting(self.relative(), self.setting, self.vessel)[:3]

    def thruster_power(self) -> float:
        """Return the mechanical power of the thrusters now, W; braking thrusters count as 0."""
        return float(thrusters_drive(self.relative(), self.setting, self.vessel)[3])

    def relative(self) -> Relative:
        """Return the velocity through the water and the apparent wind now."""
        return relative_of_state(self.state, self.flow())

    def velocity_over_ground(self) -> tuple[float, float, float]:
        """Return u, v, m/s, and r, rad/s, over ground in body axes: what odometry measures."""
        return velocity_over_ground(self.state, self.flow())


class HullAttitude(NamedTuple):
    """
    Position x, y, z, m (ENU), and roll, pitch, yaw, rad; velocity over ground in body axes (FLU), m/s and rad/s.

    The position is that of the boat's origin at the height of the centre of mass. z is 0 at rest in still water.
    """

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float
    u: float
    v: float
    w: float
    p: float
    q: float
    r: float


def hull_attitude(plant: Plant) -> HullAttitude | None:
    """Return the HullAttitude of a plant; None for a planar boat."""
    state, hull = plant.state, plant.vessel.parts
    afloat = state.afloat
    if afloat is None:
        return None
    flow, turn = plant.flow(), turn_of_hull(afloat, state.yaw)
    along, across, up = vector_to_body(flow.current_x, flow.current_y, 0.0, turn)
    return HullAttitude(state.x, state.y, afloat.height - hull.rest_height, afloat.roll, afloat.pitch,
                        float(wrap_angle(state.yaw)), state.u_r + along, state.v_r + across, afloat.w + up, afloat.p,
                        afloat.q, state.r)


def is_even(flow: object) -> bool:
    """Return whether a flow is uniform and constant in time."""
    return isinstance(flow, UniformFlow) or (isinstance(flow, FlowFile) and not flow.varies)


def felt_flow(current: UniformFlow | FlowFile, wind: UniformFlow | FlowFile) -> FlowAt:
    """
    Return the function of (time s, x m, y m) that gives the plant its Flow, m/s (ENU).

    The function raises InputError if a flow has no value at that time and position.

    :param current: The current.
    :param wind: The true wind.
    """
    if is_even(current) and is_even(wind):
        flow = Flow(*(part for one in (current, wind) for part in (
            (one.x, one.y) if isinstance(one, UniformFlow) else velocity_everywhere(one))))
        return lambda time, x, y: flow

    def at(time: float, x: float, y: float) -> Flow:
        return Flow(*_value(current, time, x, y), *_value(wind, time, x, y))

    return at


def mean_sea_around(water: FlowFile, waves: WaveCoefficients) -> Callable[[float, float, float], MeanSea | None]:
    """
    Return the function of (time s, x m, y m) that gives the MeanSea of a planar boat; None where the sea is not known.

    :param water: The flow file that holds the sea state.
    :param waves: The boat's coefficients of added resistance.
    """
    def at(time: float, x: float, y: float) -> MeanSea | None:
        state = water.sea_state(time, x, y)
        return mean_sea(SeaAlong(*state, waves)) if all(map(math.isfinite, state)) else None

    return at


def _value(flow: UniformFlow | FlowFile, time: float, x: float, y: float) -> tuple[float, float]:
    if isinstance(flow, UniformFlow):
        return flow.x, flow.y
    vx, vy, inside = flow.velocity(time, np.array([x]), np.array([y]))
    if not inside[0]:
        raise InputError(f'{flow.path}: no value at t = {time:.2f} s, {place_words(flow, x, y)}: '
                         'the boat has left the flow')
    return float(vx[0]), float(vy[0])
