"""Samples of a boat that is moored, as in a bollard pull test: the power of its thrusters at zero speed."""

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.physics.motion import Motion, Relative
from usv_energy.powering.actuators import Setting
from usv_energy.powering.loads import mean_load_powers
from usv_energy.powering.power import Power
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.record import Row
from usv_energy.thrusters.drive import powers_of_thrusts

AT_REST = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


def knows_bollard_power(vessel: Vessel) -> bool:
    """
    Return whether the power of a boat's thrusters at standstill is known.

    It needs a power map or propeller data, because an efficiency alone gives 0 W at standstill.
    """
    return bool(vessel.thrusters) and bool(
        vessel.losses.mapped or all(thruster.propeller is not None for thruster in vessel.thrusters))


def drawn_at_rest(setting: Setting, vessel: Vessel) -> float:
    """Return the electrical power of the thrusters at standstill, W; 0 if only an efficiency is known."""
    return float(powers_of_thrusts(setting.commands, setting.angles, vessel.thrusters, AT_REST, vessel.losses)[2])


class TiedObserver:
    """Takes the samples of a moored Plant, as `PlantObserver` does of a free one: losses, hotel load and loads."""

    def __init__(self, boat: Boat) -> None:
        """Start without samples; `boat` is that of the power model."""
        self._vessel = boat.vessel
        self.rows: list[Row] = []
        self._drawn = 0.0

    def observe(self, plant: Plant) -> None:
        """Append one more sample, a Row, to `rows`."""
        state, before = plant.state, self.rows[-1] if self.rows else None
        drawn = drawn_at_rest(plant.setting, self._vessel)
        static = self._vessel.static_load
        mean = 0.5 * (self._drawn + drawn)
        loads = (0.0,) * len(self._vessel.loads)
        if before is not None:
            loads = mean_load_powers(self._vessel.loads, before.time, plant.time, 0.0, 0.0)
        total = mean + static + sum(loads)
        energy = before.energy + total * (plant.time - before.time) if before is not None else 0.0
        self._drawn = drawn
        power = Power(**dict.fromkeys(Power._fields, 0.0))._replace(
            losses=mean, static_load=static, loads=sum(loads), total=total)
        motion = Motion(state.yaw, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self.rows.append(Row(plant.time, state.x, state.y, motion, plant.flow(), power, energy, 0.0, 0.0, 0,
                             loads=loads))
