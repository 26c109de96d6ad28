"""
A plant with a battery of cells: the thrusters get the battery's voltage under load, and their current lowers it.

Each step first moves the boat, with the thrusters at the voltage of the previous step. Then the pack delivers, for the
duration of the step, the power drawn in the middle of the step by thrusters, hotel load and varying loads. If this is
more than the pack can deliver above its cutoff voltage, the battery is empty and gives no power from then on.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.load import loads_with_shares
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.batteries.cell import CellState, Pack
from usv_energy.physics.batteries.cell_step import step_at_power, supply_at_power
from usv_energy.physics.elementwise import kernel, select, sqrt, with_field
from usv_energy.powering.actuators import Setting, limited_setting, setting_at_once, setting_later, thrusts_given
from usv_energy.powering.loads import mean_power_of_loads
from usv_energy.sim.plants.floating import afloat_between
from usv_energy.sim.plants.plant import FlowAt, Plant
from usv_energy.sim.plants.plant_step import PlantState, advanced, relative_of_state, velocity_over_ground
from usv_energy.sim.plants.water_around import CALM, Surroundings
from usv_energy.thrusters.drive import powers_of_thrusts
from usv_energy.thrusters.voltage_curves import ThrusterCurve, commands_at_voltage, curves_of, vessel_at_voltage


class OnBoard(NamedTuple):
    """
    The battery of a plant.

    `pack`: the Pack. `charge`: initial state of charge of its cells, (-). `ambient`: ambient temperature, K.
    `curves`: for each thruster of the plant its ThrusterCurve, None if it does not depend on voltage.
    `model_curves`: the same for the boat of the power model.
    """

    pack: Pack
    charge: Any
    ambient: Any
    curves: tuple[ThrusterCurve | None, ...]
    model_curves: tuple[ThrusterCurve | None, ...]


class SupplyTables(NamedTuple):
    """The tables of an OnBoard, which all runs share: those of its Cell, and the thruster curves."""

    open_circuit: Any
    resistance: Any
    fast_resistance: Any
    slow_resistance: Any
    curves: tuple[ThrusterCurve | None, ...]
    model_curves: tuple[ThrusterCurve | None, ...]


@kernel
def with_tables(on_board, tables):
    """Return an OnBoard completed by its SupplyTables; the inverse of `without_tables`."""
    cell = with_field(with_field(with_field(with_field(
        on_board.pack.cell, 'open_circuit', tables.open_circuit), 'resistance', tables.resistance),
        'fast_resistance', tables.fast_resistance), 'slow_resistance', tables.slow_resistance)
    whole = with_field(on_board, 'pack', with_field(on_board.pack, 'cell', cell))
    return with_field(with_field(whole, 'curves', tables.curves), 'model_curves', tables.model_curves)


def without_tables(on_board: OnBoard) -> tuple[OnBoard, SupplyTables]:
    """Return an OnBoard without its tables, and the tables; the inverse of `with_tables`."""
    cell = on_board.pack.cell
    tables = {name: getattr(cell, name) for name in SupplyTables._fields[:4]}
    bare = on_board.pack._replace(cell=cell._replace(**dict.fromkeys(tables)))
    nothing: Any = None
    return (on_board._replace(pack=bare, curves=nothing, model_curves=nothing),
            SupplyTables(**tables, curves=on_board.curves, model_curves=on_board.model_curves))


class SupplyState(NamedTuple):
    """
    The state of a battery on board.

    `cells`: the CellState. `voltage`: V, and `current`: A, at the terminals under the load of the last step.
    `energy`: delivered at the terminals so far, J. `alive`: 1.0; 0.0 once it could not deliver the power drawn.
    """

    cells: CellState
    voltage: Any
    current: Any
    energy: Any
    alive: Any


@kernel
def supply_at_start(zero, on_board):
    """Return the SupplyState of a rested battery without load; `zero` is 0.0 or an array of zeros, one per run."""
    charge, temperature = on_board.charge + zero, on_board.ambient + zero
    cells = CellState(charge, zero, zero, zero, temperature)
    supply = supply_at_power(cells, zero, on_board.pack)
    return SupplyState(cells, supply.voltage, zero, zero, zero + 1.0)


@kernel
def supplied_vessel(supply, vessel, curves):
    """Return a Vessel whose thrusters get the voltage of a SupplyState, by their curves."""
    return vessel_at_voltage(vessel, supply.voltage, supply.alive, curves)


@kernel
def setting_at_voltage(wanted, vessel, curves):
    """
    Return the Setting at the battery's voltage that has the same pulse widths as one at the boat file's voltage.

    :param wanted: The commanded Setting at the boat file's voltage, within its limits; floats or arrays.
    :param vessel: The `supplied_vessel`.
    :param curves: For each thruster a ThrusterCurve, or None.
    """
    return Setting(commands_at_voltage(wanted.commands, vessel.thrusters, curves), wanted.angles, wanted.foils)


@kernel
def drawn_by_boat(at, setting, begin, end, speed, vessel):
    """
    Return the total electrical power of a boat in a step, W: thrusters, hotel load, and mean of the varying loads.

    :param at: The Relative in the middle of the step.
    :param setting: The Setting of the actuators.
    :param begin: Time at the beginning of the step, s.
    :param end: Time at its end, s.
    :param speed: Speed over ground, m/s.
    :param vessel: The Vessel.
    """
    thrusts = thrusts_given(setting, at, vessel)
    drawn = powers_of_thrusts(thrusts, setting.angles, vessel.thrusters, at, vessel.losses)[2]
    return drawn + vessel.static_load + mean_power_of_loads(vessel.loads, begin, end, speed, speed)


@kernel
def supplied_later(supply, power, dt, on_board):
    """
    Return the SupplyState after a step.

    :param supply: The SupplyState before; floats or arrays.
    :param power: Electrical power drawn by the boat, W; same shape.
    :param dt: Duration of the step, s.
    :param on_board: The OnBoard.
    """
    asked = supply.alive * power
    cells, given = step_at_power(supply.cells, asked, dt, on_board.ambient, on_board.pack)
    return SupplyState(cells, given.voltage, given.current, supply.energy + given.power * dt,
                       select(given.lacking > 0.0, 0.0 * asked, supply.alive))


@kernel
def advanced_on_supply(supply, on_board, state, setting, wanted, lags, time, step, vessel, flow_at, places,
                       waves=None):
    """
    Return the PlantState, the Setting and the SupplyState one step later; the commanded Setting is constant.

    :param supply: The SupplyState now.
    :param on_board: The OnBoard.
    :param state: The PlantState; this and the following parameters are those of `plant_step.advanced`. The vessel is
        that of the boat file, at its voltage.
    """
    own, half = supplied_vessel(supply, vessel, on_board.curves), 0.5 * step
    asked = limited_setting(setting_at_voltage(limited_setting(wanted, vessel), own, on_board.curves), own)
    new, end = advanced(state, setting, asked, lags, time, step, own, flow_at, places, waves)
    middle = setting_later(setting_at_once(setting, asked, lags.starts), asked, lags.decays, half, own)
    between = _between(state, new)
    flow = flow_at(time + half, between.x, between.y, *places)
    u, v, _ = velocity_over_ground(between, flow)
    power = drawn_by_boat(relative_of_state(between, flow), middle, time, time + step, sqrt(u * u + v * v), own)
    return new, end, supplied_later(supply, power, step, on_board)


@kernel
def _between(one, other):
    return PlantState(0.5 * (one.x + other.x), 0.5 * (one.y + other.y), 0.5 * (one.yaw + other.yaw),
                      0.5 * (one.u_r + other.u_r), 0.5 * (one.v_r + other.v_r), 0.5 * (one.r + other.r),
                      0.5 * (one.work + other.work),
                      None if one.afloat is None else afloat_between(one.afloat, other.afloat))


def on_board_of(plant: Boat, boat: Boat) -> OnBoard | None:
    """
    Return the OnBoard of a plant; None if its boat file describes no cells.

    :param plant: The boat that is simulated.
    :param boat: The boat of the power model.
    """
    pack = plant.pack
    if pack is None or plant.battery is None:
        return None
    curves = curves_of(plant)
    return OnBoard(pack, plant.battery.initial_state_of_charge, plant.ambient, curves,
                   curves if plant is boat else curves_of(boat))


class SuppliedPlant(Plant):
    """A Plant with a battery of cells: `on_board` describes the battery, `supply` is its state."""

    def __init__(self, boat: Boat, on_board: OnBoard, start: tuple[float, float, float], flow_at: FlowAt,
                 step: float, around: Surroundings = CALM) -> None:
        """
        Start with the boat at rest through the water, the thrusters off and the battery rested.

        :param boat: The boat that is simulated.
        :param on_board: Its battery.
        :param start: As the parameters that follow, this is that of `Plant`.
        """
        super().__init__(boat.vessel, start, flow_at, step, around)
        self.on_board = on_board
        self.supply: SupplyState = supply_at_start(0.0, on_board)
        self._rules = boat.load_rules

    def go_on_leg(self, leg: str) -> None:
        """Switch on and off the loads that depend on the leg; `leg` is its name."""
        if self._rules:
            self.vessel = self.vessel._replace(loads=loads_with_shares(self.vessel.loads, self._rules, leg))

    def advance(self, wanted: Setting | Sequence[float]) -> None:
        """Advance by one step, as `Plant.advance`."""
        self.state, self.setting, self.supply = advanced_on_supply(
            self.supply, self.on_board, self.state, self.setting, self.as_setting(wanted), self._lags, self.time,
            self.step, self.vessel, self._flow_at, (), self.water_around())
        self.steps += 1


def plant_at_start(plant: Boat, boat: Boat, start: tuple[float, float, float], flow_at: FlowAt, step: float,
                   around: Surroundings = CALM) -> Plant:
    """
    Return a boat as a Plant; as a SuppliedPlant if its file describes cells.

    :param plant: The boat that is simulated.
    :param boat: The boat of the power model.
    :param start: x, y, m, and yaw, rad (ENU).
    :param flow_at: Function of (time s, x m, y m) that returns the Flow.
    :param step: Of the integration, s.
    :param around: The Surroundings.
    """
    on_board = on_board_of(plant, boat)
    if on_board is None:
        return Plant(plant.vessel, start, flow_at, step, around)
    return SuppliedPlant(plant, on_board, start, flow_at, step, around)


def model_vessel(plant: Plant, vessel: Vessel) -> Vessel:
    """Return the Vessel of the power model at the voltage of a plant's battery; unchanged if the plant has no cells."""
    if not isinstance(plant, SuppliedPlant):
        return vessel
    return supplied_vessel(plant.supply, vessel, plant.on_board.model_curves)
