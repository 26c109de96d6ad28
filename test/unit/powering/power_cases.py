"""Boats, motions and flows at which the tests of power look."""

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Damping, Losses
from usv_energy.physics.frames import to_body
from usv_energy.physics.motion import Flow, Motion
from usv_energy.powering.power import CONVENTIONS
from usv_energy.sim.plants.plant_step import state_rate

LUTRA = read_boat('lutra_prop').vessel
EQ57 = read_boat('lutra_prop_eq57').vessel
MIXED = LUTRA._replace(damping=Damping(3.0, 5.0, 7.0, 11.0, 13.0, 17.0), static_load=4.0,
                       losses=LUTRA.losses._replace(efficiency=0.6))
MAPPED = MIXED._replace(losses=Losses(1.0, 1.0, np.array([-12.0, 0.0, 12.0]), np.array([90.0, 1.0, 150.0])))
CALM = LUTRA._replace(windage=LUTRA.windage._replace(air_density=0.0))
both_conventions = pytest.mark.parametrize('power_of', [each.power for each in CONVENTIONS.values()],
                                           ids=CONVENTIONS.keys())


def any_motion(rng, number=500):
    return Motion(*rng.uniform(-3.0, 3.0, size=(7, number)))


def any_flow(rng, number=500):
    return Flow(*rng.uniform(-1.0, 1.0, size=(2, number)), *rng.uniform(-8.0, 8.0, size=(2, number)))


def steady(u, v=0.0, r=0.0, yaw=0.0):
    return Motion(yaw, u, v, r, 0.0, 0.0, 0.0)


def motion_through_water(state, rate, flow):
    """Return the motion over ground of a state in a current, with its exact derivative."""
    axes = np.cos(state.yaw), np.sin(state.yaw)
    current = to_body(flow.current_x, flow.current_y, *axes)
    return Motion(state.yaw, state.u_r + current[0], state.v_r + current[1], state.r,
                  rate.u_r + state.r * current[1], rate.v_r - state.r * current[0], rate.r)


def rate_of_force(state, force, flow, vessel):
    """Return the derivative of a PlantState in calm water whose actuators give a force, N, N, N m."""
    return state_rate(state, force, None, flow, vessel, None, (np.cos(state.yaw), np.sin(state.yaw)))
