"""
What a steady stretch of a cruise shows where drag, current, wind and compass are not quite as known.

Two numbers: the logarithm of the power of the propulsion, and the sway through the water beyond that at which no side
force is missing, m/s (thrusters that push ahead give none). Both answer to the same six unknowns:

    drag        logarithm of the surge drag over that of the boat file
    current     water current beyond what is known, m/s, east and north
    wind        likewise
    turned      angle by which the compass shows too much, rad
"""

import numpy as np

from ..boats.vessel import Vessel
from ..physics.motion import Flow, Motion, relative_rep103
from ..powering.needed_force import needed_of
from ..powering.power import power_rep103
from ..powering.steering import foils_of_force
from .cruise_blocks import CruiseBlock

DRAG, CURRENT, WIND, TURNED = 0, slice(1, 3), slice(3, 5), 5
UNKNOWNS = 6
STEPS = np.array([0.01, 0.01, 0.01, 0.1, 0.1, 0.005])  # Of the central differences.
SWAY_STEP = 0.02      # m/s, likewise.
LEAST_POWER = 1e-3    # Of the block's measured power: where the model takes none, its logarithm stays finite.


def tells_sway(vessel: Vessel) -> bool:
    """Return whether the sway of a boat tells anything: its thrusters push straight ahead, and it drags to the side."""
    damping = vessel.damping
    ahead = all(thruster.axis is None and thruster.azimuth is None for thruster in vessel.thrusters)
    return ahead and damping.d22 + damping.d22_u > 0.0


def response(block: CruiseBlock, unknowns: np.ndarray, vessel: Vessel, sway: bool) -> np.ndarray:
    """
    Return the logarithm of the power, ln W, and the sway beyond the balanced one, m/s (0 without `sway`): shape (n, 2).

    :param block: The block.
    :param unknowns: Shape (n, 6), as the module's docstring has them.
    :param vessel: The Vessel.
    :param sway: Whether the boat `tells_sway`.
    """
    drag, current_x, current_y, wind_x, wind_y, turned = unknowns.T
    zero = np.zeros_like(drag)
    motion = Motion(block.yaw - turned, block.u - turned * block.v, block.v + turned * block.u, zero,
                    np.full_like(drag, block.u_dot), zero, zero)
    flow = Flow(block.current_x + current_x, block.current_y + current_y, block.wind_x + wind_x, block.wind_y + wind_y)
    damping, scale = vessel.damping, np.exp(drag)
    dragged = vessel._replace(damping=damping._replace(d11=scale * damping.d11, d11_q=scale * damping.d11_q))
    power = power_rep103(motion, flow, dragged)
    drawn = np.maximum(power.total - power.static_load, LEAST_POWER * abs(block.watts))
    return np.column_stack([np.log(drawn), _sway(motion, flow, dragged) if sway else zero])


def _sway(motion: Motion, flow: Flow, vessel: Vessel) -> np.ndarray:
    """Return by how much the boat goes to port through the water faster than at a balance of side forces, m/s."""
    at = relative_rep103(motion, flow)
    rest = (np.zeros_like(at.u_r),) * 3
    forces = []
    for change in (-SWAY_STEP, 0.0, SWAY_STEP):
        there = at._replace(v_r=at.v_r + change)
        needed = needed_of(there, rest, vessel).force
        forces.append(needed[1] - foils_of_force(there, needed, vessel)[1])
    slope = np.maximum((forces[2] - forces[0]) / (2.0 * SWAY_STEP), 1e-9)
    return np.asarray(forces[1] / slope)


def linear_response(block: CruiseBlock, speed: float, means: np.ndarray, vessel: Vessel,
                    sway: bool) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the response at some states, shape (n, 2), and its derivatives by central differences, shape (n, 2, 6).

    :param speed: Over ground ahead, m/s, smoothed, at which the derivatives are taken. A block's own speed errs, and
        the slope of the power over speeds that err looks like that in another current ("regression dilution").
    :param means: Shape (n, 6).
    """
    shifts = np.concatenate([np.diag(STEPS), -np.diag(STEPS)])
    tried = (means[:, None, :] + shifts).reshape(-1, UNKNOWNS)
    found = response(block._replace(u=speed), tried, vessel, sway).reshape(means.shape[0], 2 * UNKNOWNS, 2)
    slopes = (found[:, :UNKNOWNS] - found[:, UNKNOWNS:]) / (2.0 * STEPS[:, None])
    return response(block, means, vessel, sway), np.swapaxes(slopes, 1, 2)
