"""What the loop of an ensemble carries: the numbers of a run (Case), and where it stands (Lane)."""

from typing import Any, NamedTuple

from ..physics.power import Power
from .control import Gains
from .plant import PlantState


class Case(NamedTuple):
    """
    The numbers of a run: boat of the power model, plant, gains, and the rest of its Scenario; floats or arrays.

    `speed` is None for full thrust, `lookahead` for steering straight at the goal. `decays` are those of the thrusters'
    lags over half a step, (-); `answers` is 0 for a thruster without lag, else 1. `plant` is None where it is the boat,
    `start` x, y, m, and yaw, rad.
    """

    boat: Any
    plant: Any
    gains: Gains
    speed: Any
    lookahead: Any
    radius: Any
    timeout: Any
    current_x: Any
    current_y: Any
    wind_x: Any
    wind_y: Any
    decays: Any
    answers: Any
    start: Any


class Clock(NamedTuple):
    """
    What all runs share: step of the plant, s; steps a period; the convention, None for rep103.

    `lost` is the outcome where a run's numbers end: LEFT_FLOW where a flow is gridded, else RAN_AWAY.
    """

    step: float
    steps: int
    published: Any
    lost: int


class Leg(NamedTuple):
    """The leg a boat is on: begin and goal, m; its course, rad (ENU), and the cosine and sine of that."""

    begin_x: Any
    begin_y: Any
    goal_x: Any
    goal_y: Any
    course: Any
    cosine: Any
    sine: Any


class Seen(NamedTuple):
    """
    The last sample, to differentiate and to integrate from; NaN before the first.

    Time s and PlantState, both of the last that had a flow; velocity over ground u, v m/s, r rad/s; current x, y m/s;
    Power, W; speeds over ground and through water, m/s.
    """

    time: Any
    state: PlantState
    u: Any
    v: Any
    r: Any
    current_x: Any
    current_y: Any
    power: Power
    speed_over_ground: Any
    speed_through_water: Any


class Sums(NamedTuple):
    """What is integrated: energy by cause, J (Power, its last three fields unused), s, m, m; and samples counted."""

    energy: Power
    duration: Any
    distance_over_ground: Any
    distance_through_water: Any
    samples: Any


class Lane(NamedTuple):
    """
    A run under way: plant, its thrusts N, periods so far, leg, last sample, integrals, the controller's integral, N.

    `lost` is 1.0 where the flow has no value at the boat, or its numbers have run away to none; its state is the last.
    """

    state: PlantState
    thrusts: tuple[Any, Any]
    periods: Any
    leg: Leg
    seen: Seen
    sums: Sums
    integral: Any
    lost: Any
