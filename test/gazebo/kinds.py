"""
Airboat, rudder boat and sailboat in Gazebo, and in the embedded simulator with the same commands: for tests and tables.

Gazebo has no air but a sail's, so what the wind does to the hull is left out on both sides (the node
gazebo_environment applies it; test_gazebo_graph.py has it).
"""

import math
from typing import NamedTuple

from gz_world import far_apart, open_water, running
from steady import still_air

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import STILL, Flow, Relative
from usv_energy.powering.actuators import Setting
from usv_energy.sim.actuator_states import command_of_setting
from usv_energy.sim.plants.plant import Plant
from usv_energy.studies.plan.polar import polar_of
from usv_energy.thrusters.drive import powers_of_thrust

DURATION = 60.0          # s
TURN = 1.0               # s between the helmsman's commands, and between samples
WIND = 2.0               # m/s
OFF_BOW = (60.0, 90.0, 120.0)
HELM = 1.0               # rad of rudder for each rad off the heading, of the sailboats
AIRBOAT, RUDDER_BOAT, SAILBOAT = 'lutra_airboat', 'lutra_rudder', 'lutra_sail'


class Case(NamedTuple):
    """A boat, what is asked of its actuators, the true wind from so many degrees to port of its bow at first; None."""

    boat: str
    setting: Setting
    wind_from: float | None = None


class Run(NamedTuple):
    """Gazebo's last Sample, the embedded PlantState, and the work of the thrusters in both, J; places of the start."""

    sample: object
    state: object
    work: float
    embedded_work: float
    yaw: float


def cases():
    """Return {name: Case}: an airboat ahead and turning, a rudder boat at four helms, a sailboat at three winds."""
    full = (read_boat(AIRBOAT).vessel.thrusters[0].max_thrust,)
    found = {'airboat_ahead': Case(AIRBOAT, Setting(full, (0.0,), ())),
             'airboat_turning': Case(AIRBOAT, Setting(full, (math.radians(20.0),), ()))}
    for helm in (10, 20, 35):
        found[f'rudder_{helm}'] = Case(RUDDER_BOAT, Setting((11.5,), (None,), (math.radians(helm),)))
    found['rudder_beyond'] = Case(RUDDER_BOAT, Setting((11.5,), (None,), (math.radians(85.0),)))
    polar = polar_of(still_air(read_boat(SAILBOAT).vessel), [WIND], OFF_BOW)
    for number, angle in enumerate(OFF_BOW):
        sail, rudder = (math.radians(part[number, 0]) for part in (polar.sail_deg, polar.rudder_deg))
        found[f'sail_{angle:.0f}'] = Case(SAILBOAT, Setting((), (), (sail, None, rudder)), angle)
    return found


def flow_of(case, yaw):
    """Return the Flow of a case whose boat begins with a yaw, rad (ENU)."""
    if case.wind_from is None:
        return STILL
    come = yaw + math.radians(case.wind_from)
    return Flow(0.0, 0.0, -WIND * math.cos(come), -WIND * math.sin(come))


def helmed(case, off):
    """Return what is asked of a case's actuators when the boat is so far off its heading, rad (counter-clockwise)."""
    if case.wind_from is None:
        return case.setting
    *others, rudder = case.setting.foils
    return case.setting._replace(foils=(*others, rudder + HELM * off))


def power_of(vessel, setting, u, v, r):
    """Return the power that thrusters give in still water and air, W, at a velocity over ground in body axes."""
    at = Relative(u, v, r, -u, -v)
    return sum(powers_of_thrust(thrust, angle, thruster, at, vessel.losses)[1]
               for thrust, angle, thruster in zip(setting.commands, setting.angles, vessel.thrusters))


def embedded_run(case, place):
    """Return the embedded Plant of a case after DURATION."""
    vessel, flow = still_air(read_boat(case.boat).vessel), flow_of(case, place[3])
    plant = Plant(vessel, place[1:], lambda time, x, y: flow, 0.01)
    for _ in range(round(DURATION / TURN)):
        setting = helmed(case, plant.state.yaw - place[3])
        for _ in range(round(TURN / plant.step)):
            plant.advance(setting)
    return plant


def runs(folder):
    """Return {name: Run} of all cases in one world of Gazebo, and in the embedded simulator."""
    chosen = cases()
    boats = {name: read_boat(case.boat) for name, case in chosen.items()}
    places = far_apart(boats)
    work = dict.fromkeys(chosen, 0.0)
    with running(open_water(places), list(boats), folder) as world:
        for name, case in chosen.items():
            flow = flow_of(case, places[name][3])
            if case.wind_from is not None:
                world.wind(name, flow.wind_x, flow.wind_y)
            _command(world, name, boats[name], case.setting)
        samples, powers = world.run(TURN), dict.fromkeys(chosen, 0.0)
        for turn in range(1, round(DURATION / TURN) + 1):
            for name, case in chosen.items():
                sample = samples[name]
                off = math.remainder(sample.yaw - places[name][3], math.tau)
                setting = helmed(case, off)
                power = power_of(boats[name].vessel, setting, sample.u, sample.v, sample.r)
                work[name] += 0.5 * TURN * (power + powers[name])
                powers[name] = power
                if case.wind_from is not None:
                    _command(world, name, boats[name], setting)
            if turn * TURN < DURATION:
                samples = world.run(TURN)
    plants = {name: embedded_run(case, places[name]) for name, case in chosen.items()}
    return {name: Run(samples[name], plant.state, work[name], plant.state.work, places[name][3])
            for name, plant in plants.items()}


def _command(world, name, boat, setting):
    command = command_of_setting(setting, boat)
    for actuator, thrust, angle in zip(*command):
        if math.isfinite(thrust):
            world.thrust(name, actuator, thrust)
        if math.isfinite(angle):
            world.angle(name, actuator, angle)
