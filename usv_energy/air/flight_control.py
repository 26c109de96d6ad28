"""
The quadcopter's two controllers of [V]: a cascade of PIDs, and inverse kinematics.

Both have the same attitude loop: angular acceleration = frequency^2 (desired angle - angle) - 2 damping frequency rate.
So the response to a step of the angle is that of this second-order system, apart from the rotors' lag. Both have the
same position loop: desired velocity = `approach` (desired place - place) + velocity of the goal, acceleration =
`braking` (desired velocity - velocity) + an integral, which compensates wind. They differ in how the acceleration
becomes a tilt: the cascade assumes small angles, and controls the height separately; inverse kinematics turns the
thrust into the direction of the desired acceleration ([V] 5.1.2, after D. Mellinger, V. Kumar (2011), ICRA, 2520).
"""

import math
from typing import NamedTuple

from usv_energy.air.quadcopter import (
    GRAVITY,
    GROUND_EFFECT_HEIGHT,
    FlightState,
    Quadcopter,
    Thrusts,
    Vector,
    heading,
    rotor_thrusts,
    tilt,
    up_axis,
)
from usv_energy.physics.rotor_in_air import ground_gain

CASCADE, KINEMATICS = 'cascade', 'inverse_kinematics'
CONTROLLERS = (CASCADE, KINEMATICS)


class FlightGains(NamedTuple):
    """
    The gains of both controllers.

    `frequency`, rad/s, and `damping` of roll and pitch; `yaw_frequency`, rad/s; `approach`, 1/s; `braking`, 1/s;
    `trim`: gain of the integral, 1/s^2; `most_speed` and `most_sink`: limits of the velocity relative to the goal, m/s;
    `most_tilt`, rad.
    """

    frequency: float = 14.0
    damping: float = 0.9
    yaw_frequency: float = 3.0
    approach: float = 1.2
    braking: float = 3.2
    trim: float = 1.6
    most_speed: float = 4.0
    most_sink: float = 1.5
    most_tilt: float = 0.5


GAINS = FlightGains()


class Goal(NamedTuple):
    """Desired place, m, velocity, m/s, and heading, rad, in the world."""

    place: Vector
    velocity: Vector
    heading: float


class FlightController:
    """One of the two controllers, with the integral that compensates wind and weight."""

    def __init__(self, craft: Quadcopter, gains: FlightGains = GAINS, kind: str = CASCADE) -> None:
        """Begin with an integral of zero."""
        self.craft, self.gains, self.kind = craft, gains, kind
        self._trim = [0.0, 0.0, 0.0]

    def steer(self, state: FlightState, goal: Goal, step: float, above: float = math.inf) -> Thrusts:
        """
        Return the commanded thrusts for the next step, N.

        :param step: s.
        :param above: Height above ground or deck, m, for the ground effect.
        """
        wanted = self._acceleration(state, goal, step)
        thrust, roll_error, pitch_error = (self._cascade if self.kind == CASCADE else self._kinematics)(
            state, wanted, goal.heading)
        gains = self.gains
        p, q, r = state.rates
        yaw_error = math.remainder(goal.heading - heading(state.turn), math.tau)
        stiff, damp = gains.frequency ** 2, 2.0 * gains.damping * gains.frequency
        jx, jy, jz = self.craft.inertia
        torques = (jx * (stiff * roll_error - damp * p), jy * (stiff * pitch_error - damp * q),
                   jz * (gains.yaw_frequency ** 2 * yaw_error - 2.0 * gains.yaw_frequency * r))
        if above < GROUND_EFFECT_HEIGHT * self.craft.rotor_radius:
            thrust /= float(ground_gain(above, self.craft.rotor_radius))
        return rotor_thrusts(self.craft, thrust, torques)

    def velocity_and_turn(self, state: FlightState, goal: Goal, step: float) -> tuple[Vector, float]:
        """
        Return the setpoint for an external velocity loop: velocity, world, m/s, and yaw rate, rad/s.

        The result is that of `steer` if the gain of the loop from velocity to acceleration is `braking`, and that from
        yaw rate to angular acceleration is twice `yaw_frequency`.

        :param step: Time since the last call, s.
        """
        wanted = self._acceleration(state, goal, step)
        x, y, z = (have + more / self.gains.braking for have, more in zip(state.velocity, wanted))
        turned = math.remainder(goal.heading - heading(state.turn), math.tau)
        return (x, y, z), 0.5 * self.gains.yaw_frequency * turned

    def _acceleration(self, state: FlightState, goal: Goal, step: float) -> Vector:
        gains = self.gains
        errors = [want - have for want, have in zip(goal.place, state.place)]
        closing = [gains.approach * error for error in errors]
        level = math.hypot(closing[0], closing[1])
        if level > gains.most_speed:
            closing[:2] = [one * gains.most_speed / level for one in closing[:2]]
        closing[2] = max(-gains.most_sink, min(gains.most_speed, closing[2]))
        behind = [want + moving - have for want, moving, have in zip(closing, goal.velocity, state.velocity)]
        limit = GRAVITY * math.tan(gains.most_tilt)
        for axis in range(3):
            self._trim[axis] = max(-limit, min(limit, self._trim[axis] + gains.trim * step * behind[axis]))
        x, y, z = [gains.braking * late + trim for late, trim in zip(behind, self._trim)]
        over = math.hypot(x, y) / limit
        if over > 1.0:
            x, y = x / over, y / over
        return x, y, max(-0.6 * GRAVITY, min(0.8 * GRAVITY, z))

    def _cascade(self, state: FlightState, wanted: Vector, _yaw: float) -> tuple[float, float, float]:
        """Return thrust, roll and pitch errors for small angles, which are horizontal accelerations over g."""
        yaw = heading(state.turn)
        ahead = wanted[0] * math.cos(yaw) + wanted[1] * math.sin(yaw)
        port = wanted[1] * math.cos(yaw) - wanted[0] * math.sin(yaw)
        roll, pitch = tilt(state.turn)
        thrust = self.craft.mass * (GRAVITY + wanted[2]) / max(0.5, math.cos(roll) * math.cos(pitch))
        return thrust, -port / GRAVITY - roll, ahead / GRAVITY - pitch

    def _kinematics(self, state: FlightState, wanted: Vector, _yaw: float) -> tuple[float, float, float]:
        """Return thrust, and roll and pitch errors, for a thrust along the acceleration less gravity."""
        x, y, z = wanted[0], wanted[1], wanted[2] + GRAVITY
        size = math.sqrt(x * x + y * y + z * z)
        up = up_axis(state.turn)
        thrust = self.craft.mass * (x * up[0] + y * up[1] + z * up[2])
        want = (x / size, y / size, z / size)
        # The rotation from the present to the desired axis: in the world, then in the body.
        cross = (up[1] * want[2] - up[2] * want[1], up[2] * want[0] - up[0] * want[2],
                 up[0] * want[1] - up[1] * want[0])
        sine = math.sqrt(sum(part * part for part in cross))
        angle = math.atan2(sine, sum(a * b for a, b in zip(up, want)))
        scale = angle / sine if sine > 1e-9 else 1.0
        w, a, b, c = state.turn
        ahead = (1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b + w * c), 2.0 * (a * c - w * b))
        port = (2.0 * (a * b - w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c + w * a))
        return (thrust, scale * sum(one * other for one, other in zip(cross, ahead)),
                scale * sum(one * other for one, other in zip(cross, port)))
