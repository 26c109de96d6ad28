"""The pose and the velocity of a hull of parts in six degrees of freedom, as its odometry reports them."""

from typing import NamedTuple

from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.parted_hull import vector_to_body
from usv_energy.sim.plants.floating import turn_of_hull
from usv_energy.sim.plants.plant import Plant


class HullAttitude(NamedTuple):
    """
    Position x, y, z, m (ENU), and roll, pitch, yaw, rad; velocity over ground in body axes (FLU), m/s and rad/s.

    The position is that of the boat's origin at the height of the centre of mass. z is 0 at rest in still water.
    """

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float
    u: float
    v: float
    w: float
    p: float
    q: float
    r: float


def hull_attitude(plant: Plant) -> HullAttitude | None:
    """Return the HullAttitude of a plant; None for a planar boat."""
    state, hull = plant.state, plant.vessel.parts
    afloat = state.afloat
    if afloat is None:
        return None
    flow, turn = plant.flow(), turn_of_hull(afloat, state.yaw)
    along, across, up = vector_to_body(flow.current_x, flow.current_y, 0.0, turn)
    return HullAttitude(state.x, state.y, afloat.height - hull.rest_height, afloat.roll, afloat.pitch,
                        float(wrap_angle(state.yaw)), state.u_r + along, state.v_r + across, afloat.w + up, afloat.p,
                        afloat.q, state.r)
