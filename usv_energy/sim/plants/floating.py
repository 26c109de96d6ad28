"""The equations of motion of a hull of parts in six degrees of freedom, and instant changes of its load or velocity."""

from typing import Any, NamedTuple

from usv_energy.physics.dynamics import damping_force
from usv_energy.physics.elementwise import cos, each, kernel, sin, total
from usv_energy.physics.motion import Relative, WaveAction
from usv_energy.physics.parted_hull import (
    PartedHull,
    Turn,
    angle_rates,
    calm_around,
    moment_of_angles,
    vector_to_body,
    vector_to_earth,
    water_force,
    weight_force,
)
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import drive_of_setting
from usv_energy.powering.power import needed_of


class Afloat(NamedTuple):
    """
    The state of heave, roll and pitch of a hull of parts.

    `height`: of the origin P (at the height of the centre of mass) above the still water surface, m.
    `roll`, `pitch`: rad, in FLU: positive roll lifts the port side, positive pitch lowers the bow.
    `w`: velocity along the body's upward axis, m/s. `p`, `q`: roll and pitch rate about the body axes, rad/s.
    `waves`: time integral of the WaveAction so far: N s, N s, N m s; m, m, rad.
    """

    height: Any
    roll: Any
    pitch: Any
    w: Any
    p: Any
    q: Any
    waves: WaveAction = WaveAction(0.0, 0.0, 0.0)


class WaterSeen(NamedTuple):
    """
    The orbital motion of the water, averaged over the hull.

    `u`, `v`: forward and to port, m/s. `r`: rotation about the vertical, rad/s. `climb`: upward, m/s. `p`, `q`:
    rotation about the roll and pitch axes, rad/s.
    """

    u: Any
    v: Any
    r: Any
    climb: Any
    p: Any
    q: Any


class Rates(NamedTuple):
    """The time derivative of a PlantState with an Afloat, field by field; `afloat` has those of the Afloat."""

    x: Any
    y: Any
    yaw: Any
    u_r: Any
    v_r: Any
    r: Any
    work: Any
    afloat: Afloat


@kernel
def afloat_at_rest(zero, hull):
    """Return the Afloat of a hull at rest; `zero` is 0.0 or an array of zeros."""
    return Afloat(hull.rest_height + zero, hull.rest_roll + zero, hull.rest_pitch + zero, zero, zero, zero,
                  WaveAction(zero, zero, zero, zero, zero, zero))


@kernel
def afloat_moved(afloat, rate, step):
    """Return an Afloat plus its time derivative `rate` times a step, s."""
    return Afloat(afloat.height + step * rate.height, afloat.roll + step * rate.roll,
                  afloat.pitch + step * rate.pitch, afloat.w + step * rate.w, afloat.p + step * rate.p,
                  afloat.q + step * rate.q, with_action(afloat.waves, rate.waves, step))


@kernel
def afloat_between(one, other):
    """Return the mean of two Afloats."""
    return Afloat(0.5 * (one.height + other.height), 0.5 * (one.roll + other.roll), 0.5 * (one.pitch + other.pitch),
                  0.5 * (one.w + other.w), 0.5 * (one.p + other.p), 0.5 * (one.q + other.q),
                  with_action(one.waves, action_since(one.waves, other.waves), 0.5))


@kernel
def with_action(sum_so_far, action, weight):
    """Return a sum of WaveActions plus another one times a weight."""
    return WaveAction(sum_so_far.surge + weight * action.surge, sum_so_far.sway + weight * action.sway,
                      sum_so_far.moment + weight * action.moment, sum_so_far.ahead + weight * action.ahead,
                      sum_so_far.aside + weight * action.aside, sum_so_far.turning + weight * action.turning)


@kernel
def action_since(before, now):
    """Return the difference of two sums of WaveActions: `now` minus `before`."""
    return with_action(now, before, -1.0)


@kernel
def turn_of_hull(afloat, yaw):
    """Return the Turn (cosines and sines of roll, pitch and yaw) of an Afloat at a yaw, rad."""
    return Turn(cos(afloat.roll), sin(afloat.roll), cos(afloat.pitch), sin(afloat.pitch), cos(yaw), sin(yaw))


@kernel
def _velocity_at(column, wave, turn):
    ahead, aside = turn.c_yaw * wave.east + turn.s_yaw * wave.north, turn.c_yaw * wave.north - turn.s_yaw * wave.east
    return (column.drag * ahead, column.drag * aside, column.turn * (column.x * aside - column.y * ahead),
            column.lift * wave.climb, column.roll * wave.climb, column.pitch * wave.climb)


@kernel
def _rate_at(column, wave, turn):
    ahead = turn.c_yaw * wave.east_rate + turn.s_yaw * wave.north_rate
    aside = turn.c_yaw * wave.north_rate - turn.s_yaw * wave.east_rate
    return (column.drag * ahead, column.drag * aside, column.turn * (column.x * aside - column.y * ahead),
            column.lift * wave.lift, column.roll * wave.lift, column.pitch * wave.lift)


@kernel
def _rise_at(column, wave):
    return column.lift * wave.rise, column.roll * wave.rise, column.pitch * wave.rise


@kernel
def water_seen(turn, around, hull):
    """Return the WaterSeen of a hull, from the waves at its columns in the WaterAround `around`."""
    found = total((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), each(_velocity_at, (turn,), hull.columns, around.columns))
    return WaterSeen(found[0], found[1], found[2], found[3], found[4], found[5])


@kernel
def floating_rate(afloat, state, force, setting, flow, vessel, waves):
    """
    Return the Rates of the PlantState of a hull of parts.

    :param afloat: Its Afloat.
    :param state: The PlantState; this and the parameters up to `vessel` are those of `plant_step.state_rate`.
    :param waves: The WaterAround; None in calm water.

    Source: T.I. Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, (6.43), (7.7) and (7.8).
    Wave forces: Morison's equation with the hull's own added mass, Faltinsen (1990), (3.34).
    """
    hull, turn = vessel.parts, turn_of_hull(afloat, state.yaw)
    around = calm_around(0.0 * state.x, hull) if waves is None else waves
    seen = water_seen(turn, around, hull)
    at = _relative(state, turn, flow, seen, around)
    drive = given_force(at, force, setting, vessel)
    outer = _outer_forces(afloat, state, turn, at, drive, around, seen, hull, vessel)
    outer = total(outer, (_added_mass_correction(state, afloat, seen, hull, vessel.inertia),))
    u_dot, v_dot, r_dot, w_dot, p_dot, q_dot = _accelerations(state, afloat, outer, hull, vessel.inertia)
    x_dot, y_dot, height_dot = vector_to_earth(state.u_r, state.v_r, afloat.w, turn)
    roll_dot, pitch_dot, yaw_dot = angle_rates(afloat.p, afloat.q, state.r, turn)
    action = wave_action(state, turn, flow, (u_dot, v_dot, r_dot), drive, seen, vessel)
    return Rates(x_dot + flow.current_x, y_dot + flow.current_y, yaw_dot, u_dot, v_dot, r_dot, drive[3],
                 Afloat(height_dot, roll_dot, pitch_dot, w_dot, p_dot, q_dot, action))


@kernel
def wave_action(state, turn, flow, rate, drive, seen, vessel):
    """
    Return the WaveAction on a hull of parts at this instant.

    Its force is the remainder M nu_dot + C(nu) nu + D(nu) nu - tau_wind - tau_actuators, with drag and wind force of
    calm water and uniform wind at the same motion. It therefore contains all effects of the waves: pressure on the
    wetted parts, inertia of the moving water, change of drag by the orbital motion, and coupling with heave, roll and
    pitch.

    :param state: The PlantState.
    :param turn: The Turn of the hull.
    :param flow: The Flow at the boat.
    :param rate: u_dot, v_dot, m/s^2, and r_dot, rad/s^2, under all forces.
    :param drive: Force of the actuators: surge N, sway N, yaw moment N m.
    :param seen: The WaterSeen, the orbital motion in which the actuators work.
    :param vessel: The Vessel.
    """
    current = (flow.current_x * turn.c_yaw + flow.current_y * turn.s_yaw,
               flow.current_y * turn.c_yaw - flow.current_x * turn.s_yaw)
    air = (flow.wind_x * turn.c_yaw + flow.wind_y * turn.s_yaw - state.u_r - current[0],
           flow.wind_y * turn.c_yaw - flow.wind_x * turn.s_yaw - state.v_r - current[1])
    needed = needed_of(Relative(state.u_r, state.v_r, state.r, air[0], air[1]), rate, vessel).force
    return WaveAction(needed[0] - drive[0], needed[1] - drive[1], needed[2] - drive[2], seen.u, seen.v, seen.r)


@kernel
def wave_action_between(before, now, elapsed):
    """Return the mean WaveAction between two Afloats of which the second is `elapsed` seconds later."""
    nothing = 0.0 * now.height
    none = WaveAction(nothing, nothing, nothing, nothing, nothing, nothing)
    return with_action(none, action_since(before.waves, now.waves), 1.0 / elapsed)


@kernel
def given_force(at, force, setting, vessel):
    """Return the actuators' force on the hull, N, N, N m, and power, W; without a setting, `force` and 0 W."""
    if setting is None:
        return force[0], force[1], force[2], 0.0 * at.u_r
    return drive_of_setting(at, setting, vessel)


@kernel
def _relative(state, turn, flow, seen, around):
    """Return the Relative of the hull: through water that moves with the waves, and with the mean gust."""
    current = (flow.current_x * turn.c_yaw + flow.current_y * turn.s_yaw,
               flow.current_y * turn.c_yaw - flow.current_x * turn.s_yaw)
    east, north = flow.wind_x + around.gust_east, flow.wind_y + around.gust_north
    return Relative(state.u_r - seen.u, state.v_r - seen.v, state.r - seen.r,
                    east * turn.c_yaw + north * turn.s_yaw - state.u_r - current[0],
                    north * turn.c_yaw - east * turn.s_yaw - state.v_r - current[1])


@kernel
def _outer_forces(afloat, state, turn, at, drive, around, seen, hull, vessel):
    """Return all external forces along the body axes, N, and their moments about P, N m."""
    air = wind_force(at.u_w, at.v_w, vessel.windage)
    drag = damping_force(at.u_r, at.v_r, at.r, vessel.damping)
    water, weight = water_force(afloat.height, turn, around, hull), weight_force(turn, hull)
    dragged = total((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), each(_rate_at, (turn,), hull.columns, around.columns))
    rise = total((0.0, 0.0, 0.0), each(_rise_at, (), hull.columns, around.columns))
    climbing = vector_to_earth(state.u_r, state.v_r, afloat.w, turn)[2]
    heave = (hull.heave_damping * (seen.climb - climbing) + hull.heave_added * dragged[3]
             - hull.heave_spring * (afloat.height - hull.rest_height - rise[0]))
    lifted = vector_to_body(0.0 * heave, 0.0 * heave, heave, turn)
    sprung = moment_of_angles(-hull.roll_spring * (afloat.roll - hull.rest_roll - rise[1]),
                              -hull.pitch_spring * (afloat.pitch - hull.rest_pitch - rise[2]), turn)
    inertia = vessel.inertia
    along, across = (inertia.m11 - hull.mass) * dragged[0], (inertia.m22 - hull.mass) * dragged[1]
    return (
        drive[0] + air[0] - drag[0] + along + water[0] + weight[0] + lifted[0],
        drive[1] + air[1] - drag[1] + across + water[1] + weight[1] + lifted[1],
        water[2] + weight[2] + lifted[2],
        water[3] + weight[3] + sprung[0] - hull.thrust_arm * drive[1] - hull.wind_arm * air[1]
        + hull.drag_arm * drag[1] + hull.roll_damping * (seen.p - afloat.p) + hull.roll_added * dragged[4],
        water[4] + weight[4] + sprung[1] + hull.thrust_arm * drive[0] + hull.wind_arm * air[0]
        - hull.drag_arm * drag[0] + hull.pitch_damping * (seen.q - afloat.q) + hull.pitch_added * dragged[5],
        drive[2] + air[2] - drag[2] + water[5] + weight[5] + sprung[2] + hull.yaw_added * dragged[2])


@kernel
def _added_mass_correction(state, afloat, seen, hull, inertia):
    """
    Return the correction of the added-mass Coriolis forces for the orbital velocity: forces, N, and moments, N m.

    `_accelerations` evaluates C_A with the velocity v relative to the current. The correct velocity is v_r, relative to
    the water in the waves; this function returns the difference, including that of the Munk moment v_r x A v_r. With it
    a hull that follows long waves has no vertical relative velocity and lies along their slope at any speed. Products
    of the water's rotation and the hull's rotation are neglected.

    Source: T.I. Fossen (2011), (6.43) with (8.6): relative velocity in the added mass and in C_A.
    """
    u, v, w, p, q, r = state.u_r, state.v_r, afloat.w, afloat.p, afloat.q, state.r
    a11, a22 = inertia.m11 - hull.mass, inertia.m22 - hull.mass
    rolling, pitching, turning = a22 - hull.heave_added, hull.heave_added - a11, a11 - a22
    return (q * seen.climb * pitching + r * seen.v * turning,
            r * seen.u * turning + p * seen.climb * rolling,
            p * seen.v * rolling + q * seen.u * pitching,
            rolling * ((v - seen.v) * (w - seen.climb) - v * w),
            pitching * ((w - seen.climb) * (u - seen.u) - w * u),
            turning * ((u - seen.u) * (v - seen.v) - u * v))


@kernel
def _accelerations(state, afloat, outer, hull, inertia):
    """Return the derivatives of u_r, v_r, r, w, p and q by Kirchhoff's equations; Fossen (2011), (6.43)."""
    u, v, w, p, q, r = state.u_r, state.v_r, afloat.w, afloat.p, afloat.q, state.r
    ahead, aside = inertia.m11 * u, inertia.m22 * v + inertia.m23 * r
    up = hull.heave_mass * (w + hull.mass_y * p - hull.mass_x * q)
    rolling, pitching = hull.roll_inertia * p + hull.mass_y * up, hull.pitch_inertia * q - hull.mass_x * up
    turning = inertia.m33 * r + inertia.m23 * v
    x = outer[0] - (q * up - r * aside)
    y = outer[1] - (r * ahead - p * up)
    z = outer[2] - (p * aside - q * ahead)
    k = outer[3] - (q * turning - r * pitching) - (v * up - w * aside)
    m = outer[4] - (r * rolling - p * turning) - (w * ahead - u * up)
    n = outer[5] - (p * pitching - q * rolling) - (u * aside - v * ahead)
    coupling = inertia.m23 / inertia.m22
    r_dot = (n - coupling * y) / (inertia.m33 - coupling * inertia.m23)
    p_dot, q_dot = (k - hull.mass_y * z) / hull.roll_inertia, (m + hull.mass_x * z) / hull.pitch_inertia
    return (x / inertia.m11, (y - inertia.m23 * r_dot) / inertia.m22, r_dot,
            z / hull.heave_mass - hull.mass_y * p_dot + hull.mass_x * q_dot, p_dot, q_dot)


def with_origin_of(state: Any, old: PartedHull, new: PartedHull) -> Any:
    """
    Return a PlantState whose origin P is moved to the height of the centre of mass with another load.

    The position and the velocity of the hull itself do not change.

    :param state: The PlantState with the origin of `old`.
    :param old: The PartedHull before the change of load.
    :param new: The PartedHull of the same hull with the new load.
    """
    afloat, rise = state.afloat, old.columns[0].bottom - new.columns[0].bottom  # m, upward shift of P.
    east, north, up = vector_to_earth(0.0, 0.0, rise, turn_of_hull(afloat, state.yaw))
    return state._replace(x=state.x + east, y=state.y + north, u_r=state.u_r + afloat.q * rise,
                          v_r=state.v_r - afloat.p * rise, afloat=afloat._replace(height=afloat.height + up))


def struck(afloat: Afloat, impulse: float, x: float, y: float, hull: PartedHull) -> Afloat:
    """
    Return the Afloat of a hull just after a vertical impulse.

    :param afloat: The Afloat before.
    :param impulse: Along the body's upward axis, N s.
    :param x: Where it acts, forward of the origin, m.
    :param y: Where it acts, to port of the origin, m.
    :param hull: The PartedHull.
    """
    arm_x, arm_y = x - hull.mass_x, y - hull.mass_y
    roll, pitch = impulse * arm_y / hull.roll_inertia, -impulse * arm_x / hull.pitch_inertia
    # The impulse changes the velocity of the centre of mass; the rotation adds to the velocity of P.
    w = impulse / hull.heave_mass - hull.mass_y * roll + hull.mass_x * pitch
    return afloat._replace(w=afloat.w + w, p=afloat.p + roll, q=afloat.q + pitch)
