"""
What a motion asks of all actuators together: their force, and the power that inertia, damping, wind and waves take.

What waves take is split off so that, on average, each cause is what it would be in calm water at the mean motion:
damping is the drag of the water as the waves move it past the hull, times the hull's own velocity, in which the motion
to and fro cancels; all else that the waves change, in force and in the water that the thrusters work in, is `waves`.
"""

from typing import Any, NamedTuple

from ..physics.dynamics import coriolis_force, damping_force, inertia_force
from ..physics.elementwise import kernel
from ..physics.wind import wind_force


class Needed(NamedTuple):
    """What inertia, damping, wind and waves take, W, and the force that all actuators must give: N, N and N m."""

    inertia: Any
    damping: Any
    wind: Any
    waves: Any
    force: tuple[Any, Any, Any]


@kernel
def needed_of(at, rate, vessel, waves=None):
    """
    Return the Needed of a Relative and its derivative, m/s^2 and rad/s^2; floats or arrays.

    :param waves: The WaveAction; None where no sea is known.
    """
    x_m, y_m, n_m = inertia_force(rate[0], rate[1], rate[2], vessel.inertia)
    x_w, y_w, n_w = wind_force(at.u_w, at.v_w, vessel.windage)
    # Coriolis does no work, but it is part of what the actuators give.
    x_c, y_c, n_c = coriolis_force(at.u_r, at.v_r, at.r, vessel.inertia)
    inertia = x_m * at.u_r + y_m * at.v_r + n_m * at.r
    calm = x_m + x_c - x_w, y_m + y_c - y_w, n_m + n_c - n_w
    drag, against_waves, force = _with_drag(at, calm, vessel.damping, 0.0 * inertia, waves)
    return Needed(inertia, drag[0] * at.u_r + drag[1] * at.v_r + drag[2] * at.r,
                  -(x_w * at.u_r + y_w * at.v_r + n_w * at.r), against_waves, force)


@kernel
def _with_drag(at, force, damping, zero, waves):
    """Return the hull's drag, N, N m, the power against waves, W, and the force needed with both."""
    if waves is None:
        drag = damping_force(at.u_r, at.v_r, at.r, damping)
        return drag, zero, (force[0] + drag[0], force[1] + drag[1], force[2] + drag[2])
    drag = damping_force(at.u_r - waves.ahead, at.v_r - waves.aside, at.r - waves.turning, damping)
    calm = damping_force(at.u_r, at.v_r, at.r, damping)
    left = (force[0] + calm[0] - waves.surge, force[1] + calm[1] - waves.sway, force[2] + calm[2] - waves.moment)
    power = (zero + (calm[0] - drag[0] - waves.surge) * at.u_r + (calm[1] - drag[1] - waves.sway) * at.v_r
             + (calm[2] - drag[2] - waves.moment) * at.r
             - left[0] * waves.ahead - left[1] * waves.aside - left[2] * waves.turning)
    return drag, power, left
