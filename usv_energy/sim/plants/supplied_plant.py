"""
A plant on cells: its thrusters get the battery's voltage under load, and what they draw brings that down.

A step of the plant is that of a boat without cells, its thrusters at the voltage of the step before; then the pack
gives what was drawn in the middle of the step, thrusters, hotel load and loads, for as long as the step. Where that
takes more than the pack can give above its cutoff, it gives no more: no thrust from then on.
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
    The battery of a plant: its Pack, its cells' `charge` at the start, (-), and `ambient`, the temperature around, K.

    `curves`: of the plant's thrusters by voltage, `model_curves`: the same of the boat of the power model; each a
    ThrusterCurve a thruster or None.
    """

    pack: Pack
    charge: Any
    ambient: Any
    curves: tuple[ThrusterCurve | None, ...]
    model_curves: tuple[ThrusterCurve | None, ...]


class SupplyTables(NamedTuple):
    """The tables of an OnBoard, the same for all runs: those of its Cell, and the curves by voltage."""

    open_circuit: Any
    resistance: Any
    fast_resistance: Any
    slow_resistance: Any
    curves: tuple[ThrusterCurve | None, ...]
    model_curves: tuple[ThrusterCurve | None, ...]


@kernel
def with_tables(on_board, tables):
    """Return an OnBoard of numbers alone with the SupplyTables that belong to it."""
    cell = with_field(with_field(with_field(with_field(
        on_board.pack.cell, 'open_circuit', tables.open_circuit), 'resistance', tables.resistance),
        'fast_resistance', tables.fast_resistance), 'slow_resistance', tables.slow_resistance)
    whole = with_field(on_board, 'pack', with_field(on_board.pack, 'cell', cell))
    return with_field(with_field(whole, 'curves', tables.curves), 'model_curves', tables.model_curves)


def without_tables(on_board: OnBoard) -> tuple[OnBoard, SupplyTables]:
    """Return an OnBoard taken apart: what `with_tables` puts together."""
    cell = on_board.pack.cell
    tables = {name: getattr(cell, name) for name in SupplyTables._fields[:4]}
    bare = on_board.pack._replace(cell=cell._replace(**dict.fromkeys(tables)))
    nothing: Any = None
    return (on_board._replace(pack=bare, curves=nothing, model_curves=nothing),
            SupplyTables(**tables, curves=on_board.curves, model_curves=on_board.model_curves))


class SupplyState(NamedTuple):
    """
    How a battery on board is doing.

    `cells`: its CellState. `voltage`, V, and `current`, A: under the load of the last step. `energy`: that it gave so
    far at its terminals, J. `alive`: 1.0, and 0.0 from where it could not give what was drawn.
    """

    cells: CellState
    voltage: Any
    current: Any
    energy: Any
    alive: Any


@kernel
def supply_at_start(zero, on_board):
    """Return the SupplyState of a battery that has rested, at nothing drawn; `zero` has the shape of the runs."""
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
    Return the Setting that the thrusters of a `supplied_vessel` go to where one is asked for at the file's voltage.

    :param wanted: The Setting that is asked for, within the limits of the boat file; floats or arrays.
    :param vessel: The Vessel at its voltage.
    :param curves: A ThrusterCurve a thruster, or None.
    """
    return Setting(commands_at_voltage(wanted.commands, vessel.thrusters, curves), wanted.angles, wanted.foils)


@kernel
def drawn_by_boat(at, setting, begin, end, speed, vessel):
    """
    Return all electrical power of a boat, W: of its thrusters, the hotel load, and the mean of what varies over a step.

    :param at: The Relative.
    :param setting: What the actuators do.
    :param begin: Of the step, s.
    :param end: Of the step, s.
    :param speed: Over ground, m/s.
    :param vessel: The Vessel.
    """
    thrusts = thrusts_given(setting, at, vessel)
    drawn = powers_of_thrusts(thrusts, setting.angles, vessel.thrusters, at, vessel.losses)[2]
    return drawn + vessel.static_load + mean_power_of_loads(vessel.loads, begin, end, speed, speed)


@kernel
def supplied_later(supply, power, dt, on_board):
    """
    Return a SupplyState after a step of the boat.

    :param supply: The SupplyState before; floats or arrays.
    :param power: That the boat draws, W; same shape.
    :param dt: The step, s.
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
    Return a plant, its actuators' Setting, and its battery, one step later, what is asked of the actuators held.

    :param supply: The SupplyState now.
    :param on_board: The OnBoard.
    :param state: As this and the others in `plant.advanced`; the vessel is that of the boat's file.
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
                      0.5 * (one.work + other.work), _afloat_between(one.afloat, other.afloat))


@kernel
def _afloat_between(one, other):
    if one is None:
        return None
    return afloat_between(one, other)


def on_board_of(plant: Boat, boat: Boat) -> OnBoard | None:
    """
    Return the battery of a plant; None without cells.

    :param plant: The boat that moves.
    :param boat: That of the power model.
    """
    pack = plant.pack
    if pack is None or plant.battery is None:
        return None
    curves = curves_of(plant)
    return OnBoard(pack, plant.battery.initial_state_of_charge, plant.ambient, curves,
                   curves if plant is boat else curves_of(boat))


class SuppliedPlant(Plant):
    """A Plant on cells: `supply` is how its battery is doing, `on_board` what that is."""

    def __init__(self, boat: Boat, on_board: OnBoard, start: tuple[float, float, float], flow_at: FlowAt,
                 step: float, around: Surroundings = CALM) -> None:
        """
        Put the boat at rest in the water, its thrusters off, its battery rested.

        :param boat: The boat that moves.
        :param on_board: Its battery.
        :param start: As the others of Plant.
        """
        super().__init__(boat.vessel, start, flow_at, step, around)
        self.on_board = on_board
        self.supply: SupplyState = supply_at_start(0.0, on_board)
        self._rules = boat.load_rules

    def go_on_leg(self, leg: str) -> None:
        """Switch the loads that depend on it to a leg, by its name."""
        if self._rules:
            self.vessel = self.vessel._replace(loads=loads_with_shares(self.vessel.loads, self._rules, leg))

    def advance(self, wanted: Setting | Sequence[float]) -> None:
        """Step once; as Plant."""
        self.state, self.setting, self.supply = advanced_on_supply(
            self.supply, self.on_board, self.state, self.setting, self.as_setting(wanted), self._lags, self.time,
            self.step, self.vessel, self._flow_at, (), self.water_around())
        self.steps += 1


def plant_at_start(plant: Boat, boat: Boat, start: tuple[float, float, float], flow_at: FlowAt, step: float,
                   around: Surroundings = CALM) -> Plant:
    """
    Return a boat as a plant, on its cells where its file has any.

    :param plant: The boat that moves.
    :param boat: That of the power model.
    :param start: x, y, m, and yaw, rad (ENU).
    :param flow_at: Water and air at (time s, x m, y m).
    :param step: Of the integration, s.
    :param around: The Surroundings of a hull of parts.
    """
    on_board = on_board_of(plant, boat)
    if on_board is None:
        return Plant(plant.vessel, start, flow_at, step, around)
    return SuppliedPlant(plant, on_board, start, flow_at, step, around)


def model_vessel(plant: Plant, vessel: Vessel) -> Vessel:
    """Return the Vessel of the power model at what a plant's battery gives; as it is where that has no cells."""
    if not isinstance(plant, SuppliedPlant):
        return vessel
    found: Vessel = supplied_vessel(plant.supply, vessel, plant.on_board.model_curves)
    return found
