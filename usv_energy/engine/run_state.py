"""What the engine knows of runs: their numbers (Case), what they share (RunClock), where one stands, how it ends."""

from typing import Any, NamedTuple

from ..powering.actuators import Setting
from ..powering.energy import Energy
from ..sim.control import ControlState, Gains
from ..sim.guidance import Leg
from ..sim.observation import Observation
from ..sim.plant_step import PlantState, ThrusterLags

# Results.outcome is the place in this list.
OUTCOMES = ('reached', 'timed_out', 'left_flow', 'ran_away', 'battery_empty')
REACHED, TIMED_OUT, LEFT_FLOW, RAN_AWAY, BATTERY_EMPTY = range(len(OUTCOMES))
RUNNING = -1


class Case(NamedTuple):
    """
    The numbers of a run: boat of the power model, plant, gains, and the rest of its Scenario; floats or arrays.

    `speed` is None for full thrust, `lookahead` for steering straight at the goal. `tacking` is
    None of boats without a sail, `plant` where it is the
    boat, `start` x, y, m, and yaw, rad. `on_board`: the OnBoard of a plant on cells, without its tables, else None.
    """

    boat: Any
    plant: Any
    gains: Gains
    speed: Any
    lookahead: Any
    tacking: Any
    radius: Any
    timeout: Any
    current_x: Any
    current_y: Any
    wind_x: Any
    wind_y: Any
    lags: ThrusterLags
    start: Any
    on_board: Any = None


class RunClock(NamedTuple):
    """
    What all runs share: step of the plant, s; steps a period; the convention, None for rep103.

    `lost` is the outcome where a run's numbers end: LEFT_FLOW where a flow is gridded, else RAN_AWAY. `tables`: the
    SupplyTables of a plant on cells, else None. `sea`: the FeltSea of a hull of parts on waves, the MeanSea
    of a boat in the plane whose file says what waves take, else None.
    """

    step: float
    steps: int
    published: Any
    lost: int
    tables: Any = None
    sea: Any = None


class RunState(NamedTuple):
    """
    A run under way: plant, what its actuators do, periods so far, leg, last Observation, Energy so far.

    `control` is the ControlState; `multipliers` are those of the observed power, with which the search for the next
    begins (`thrusts_of_force`), None of boats whose thrusts need no search. `observed_plant` is the plant at the last
    Observation that had a flow, and the time of `observation` is that one's. `lost` is 1.0 where the flow has no value
    at the boat, or its numbers have run away to none; `plant` is then the last that there was. `supply` is the
    SupplyState of a plant on cells, else None.
    """

    plant: PlantState
    setting: Setting
    periods: Any
    leg: Leg
    observation: Observation
    observed_plant: PlantState
    energy: Energy
    control: ControlState
    multipliers: Any
    lost: Any
    supply: Any = None
