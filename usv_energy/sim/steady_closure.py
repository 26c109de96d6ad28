"""The closure of a power model on another plant: steady power of both, by simulation and in closed form."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Damping
from usv_energy.files.text_file import without_nan
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.dynamics import surge_drag
from usv_energy.sim.record import Summary, relative
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import Scenario, read_scenario

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
