"""
Run a boat without ROS: observe, steer and advance in the same order as the nodes.

The closure of a power model on another plant: steady power of both, by simulation and in closed form.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.deck_load import DeckLoad, loaded_vessel
from usv_energy.boats.load import loads_with_shares
from usv_energy.boats.vessel import Damping, Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.dynamics import surge_drag
from usv_energy.physics.motion import WaveAction
from usv_energy.physics.waves.added_resistance import mean_sea_action
from usv_energy.powering.energy import Energy
from usv_energy.powering.loads import mean_load_powers, with_load_step
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim import record
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.leg_energy import LegEnergies
from usv_energy.sim.observation import NOTHING_OBSERVED, Observation, integrated, observed
from usv_energy.sim.plants.floating import Afloat, wave_action_between
from usv_energy.sim.plants.plant import Plant, hull_attitude
from usv_energy.sim.plants.plant_step import afloat_of, is_stable
from usv_energy.sim.plants.step_limit import check_step
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, model_vessel, plant_at_start
from usv_energy.sim.record import Row, Run, Summary, relative
from usv_energy.sim.scenario import Scenario, read_scenario
from usv_energy.sim.sensors.sensor_suite import SensedPlant


class PlantObserver:
    """
    Takes the samples of a Plant: `rows`, the last Observation (`last`), the Energy so far, and that by leg (`legs`).

    `by_load`: energy of each varying load of the boat, J.
    """

    def __init__(self, boat: Boat, convention: str) -> None:
        """Start without samples; boat and convention are those of the power model."""
        self._vessel, self._rules = boat.vessel, boat.load_rules
        self._convention = CONVENTIONS[convention]
        self.rows: list[Row] = []
        self.last: Observation = NOTHING_OBSERVED
        self.energy = Energy()
        self.legs = LegEnergies()
        self.by_load = (0.0,) * len(boat.load_rules)
        self._last_afloat: Afloat | None = None

    def set_vessel(self, vessel: Vessel) -> None:
        """Replace the vessel of the power model from now on; its loads stay as they are."""
        self._vessel = vessel._replace(loads=self._vessel.loads)

    def observe(self, plant: Plant, leg: str = '') -> None:
        """Append one more sample, a Row; `leg` is that of the step before it."""
        if self._rules:
            self._vessel = self._vessel._replace(loads=loads_with_shares(self._vessel.loads, self._rules, leg))
        state, before, supply = plant.state, self.last, None
        if isinstance(plant, SuppliedPlant):
            supply = plant.supply
        now = self.last = observed(before, plant.time, state, plant.flow(), model_vessel(plant, self._vessel),
                                    self._convention.relative, self._convention.mean_power,
                                    self._wave_action(plant, plant.time - before.time))
        self.energy = integrated(self.energy, before, now)
        self.legs.add(leg, now.time, self.energy)
        loads = mean_load_powers(self._vessel.loads, before.time, now.time, before.speed_over_ground,
                                 now.speed_over_ground)
        self.by_load = with_load_step(self.by_load, loads, now.time - before.time, now.power.total)
        self._last_afloat = state.afloat
        self.rows.append(Row(now.time, state.x, state.y, now.motion, now.flow, now.power, self.energy.total,
                             plant.thruster_power(), state.work,
                             int(not math.isfinite(now.motion.u_dot)), loads=loads, supply=supply,
                             attitude=hull_attitude(plant)))

    def _wave_action(self, plant: Plant, elapsed: float) -> WaveAction | None:
        """Return the mean WaveAction since the last sample; None without waves."""
        sea = plant.mean_sea
        if sea is not None:
            return mean_sea_action(sea, self.last.motion.yaw, plant.state.yaw)
        if self._last_afloat is None or not plant.in_waves:
            return None
        return wave_action_between(self._last_afloat, plant.state.afloat, elapsed)


def check_stable(plant: Plant, boat: Boat, path: Path) -> None:
    """Check that the integration is stable; InputError names the file whose step is too long."""
    if not is_stable(plant.state):
        raise InputError(f'{path}: the simulation runs away at {plant.time:g} s; simulation.step is {plant.step}, too '
                         f'long for the boat {boat.name}')


class ScenarioRun:
    """
    A run of a scenario, one sampling period at a time, so that other vehicles can be simulated beside the boat.

    `plant`: the simulated boat. `observer`: holds the samples. `outcome`: final after `advance` has returned False.
    """

    def __init__(self, scenario: Scenario, load: DeckLoad | None = None) -> None:
        """
        Put the boat at its start, at rest, with a load on deck.

        :raises InputError: If the scenario's step or period is too long for its boat.
        """
        check_step(scenario.step, scenario.plant, scenario.path, scenario.wind)
        self.scenario = scenario
        boat = scenario.on_its_legs(scenario.boat)
        plant = boat if scenario.plant is scenario.boat else scenario.on_its_legs(scenario.plant)
        self.plant = plant_at_start(plant, boat, scenario.start, scenario.flow_at(), scenario.step,
                                    scenario.surroundings())
        self.observer = PlantObserver(boat, scenario.convention)
        self.outcome = record.TIMED_OUT
        self._autopilot = Autopilot(scenario)
        self._sensed = SensedPlant(scenario.sensing, scenario.plant, self.plant)
        self._readings = self._sensed.readings()
        self._load: DeckLoad | None = None
        self._wanted_load = load
        if load is not None:
            self._change_load()
            self.plant.state = self.plant.state._replace(afloat=afloat_of(0.0, self.plant.vessel))

    def set_deck_load(self, load: DeckLoad | None) -> None:
        """Set the load on deck from the next sample on, for the plant and the power model; None for no load."""
        self._wanted_load = load

    def set_extra_power(self, watts: float) -> None:
        """
        Set the power that something beside the boat draws from its battery, W, from now on.

        The cells deliver it, and their voltage falls; the energy by cause does not contain it.
        """
        drawn = self.scenario.plant.vessel.static_load + watts
        if drawn != self.plant.vessel.static_load:
            self.plant.vessel = self.plant.vessel._replace(static_load=drawn)

    def advance(self) -> bool:
        """
        Take a sample and advance by a period; return False if the run has ended.

        :raises InputError: If the integration is unstable, or the boat leaves its flow.
        """
        plant, scenario, observer, autopilot = self.plant, self.scenario, self.observer, self._autopilot
        if not plant.time <= scenario.timeout:
            return False
        observer.observe(plant, autopilot.leg)
        self._change_load()
        time, motion, state = plant.time, observer.last.motion, plant.state
        relative = observer.last.relative
        wanted = autopilot.steer(time, state.x, state.y, motion.yaw, motion[1:4], (relative.u_w, relative.v_w))
        if wanted is None:
            self.outcome = record.REACHED
            return False
        if isinstance(plant, SuppliedPlant):
            plant.go_on_leg(autopilot.leg)
        for _ in range(scenario.steps_per_period):
            plant.advance(wanted)
            self._readings += self._sensed.readings()
        check_stable(plant, scenario.plant, scenario.path)
        if isinstance(plant, SuppliedPlant) and not plant.supply.alive:
            self.outcome = record.BATTERY_EMPTY
            return False
        return True

    def _change_load(self) -> None:
        if self._wanted_load == self._load:
            return
        self._load, scenario = self._wanted_load, self.scenario
        self.plant.set_vessel(loaded_vessel(scenario.plant, self._load))
        self.observer.set_vessel(loaded_vessel(scenario.boat, self._load))

    def result(self) -> Run:
        """
        Return the run so far.

        :raises InputError: If the model's energy differs from that of the thrusters of the same boat.
        """
        plant, observer, scenario = self.plant, self.observer, self.scenario
        run = Run(scenario, scenario.convention, self.outcome, observer.rows, observer.energy, plant.state.work,
                  observer.rows[-1].time, observer.legs.legs(), observer.by_load,
                  plant.supply if isinstance(plant, SuppliedPlant) else None, self._readings)
        if run.closure_fault and self.outcome != record.BATTERY_EMPTY:  # A run may be too short for the check.
            raise InputError(f'{scenario.path}: {run.closure_fault}')
        return run


def run_scenario(scenario: Scenario, progress: Callable[[float], None] = lambda time: None) -> Run:
    """
    Return a scenario's run.

    :param scenario: What to run; its convention is that of the power model.
    :param progress: Called repeatedly with the simulated time, s. If it raises, the run ends.
    :raises InputError: If the scenario's step or period is too long for its boat, or the boat leaves its flow.
    """
    going = ScenarioRun(scenario)
    while going.advance():
        progress(going.observer.last.time)
    return going.result()


SETTLING, AVERAGED, FAR = 50.0, 10.0, 1e6
SPEEDS = (0.5, 1.0, 1.35)  # m/s
BASE = '5'                 # Scenario whose control, step and start are used.


def steady_closures(boat: str, plant: str, speeds: Sequence[float] = SPEEDS) -> list[Summary]:
    """Return the closure of a power model's boat on a plant at speeds, m/s; InputError if the two do not fit."""
    base = read_scenario(BASE).with_options(boat=boat, plant=plant)
    return [steady_closure(base, base.boat, base.plant, speed) for speed in speeds]


def steady_closure(base: Scenario, boat: Boat, plant: Boat, speed: float) -> Summary:
    """
    Return the power of model and thrusters, W, at a steady speed straight ahead in still water.

    :param base: Scenario whose control, step and start are used.
    :param speed: Wanted, m/s; `speed_m_s` in the result is the speed that the thrusters reach.
    """
    x, y, _ = base.start
    scenario = replace(base, boat=boat, plant=plant, start=(x, y, 0.0), waypoints=((x + FAR, y),), speed=speed,
                       current=UniformFlow(), wind=UniformFlow(), convention='rep103', timeout=SETTLING + AVERAGED)
    rows = [row for row in run_scenario(scenario).rows if row.time >= SETTLING]
    reached = fmean(row.motion.u for row in rows)
    model = fmean(row.power.thrust + row.power.unrecovered for row in rows)
    thrusters = fmean(row.thruster_power for row in rows)
    model_drag = damping_power(reached, boat.vessel.damping)
    plant_drag = damping_power(reached, plant.vessel.damping)
    return without_nan({
        'boat': boat.name, 'plant': plant.name, 'wanted_speed_m_s': speed, 'speed_m_s': reached,
        'model_power_w': model, 'thruster_power_w': thrusters, 'closure_relative': relative(model, thrusters),
        'model_damping_power_w': model_drag, 'thruster_damping_power_w': plant_drag,
        'closed_form_relative': relative(model_drag, plant_drag),
    })


def damping_power(u: float, damping: Damping) -> float:
    """Return the power of the water's drag straight ahead, W, at a speed u, m/s."""
    return float(surge_drag(u, damping) * u)
