"""
A twin of Gazebo's quadcopter: MulticopterVelocityControl's law on the embedded body, for tests without Gazebo.

Source: ign-gazebo6 6.18.0, LeeVelocityController.cc, read; written anew with numpy.
"""

import math

import numpy as np

from usv_energy.air.flight_control import GAINS
from usv_energy.air.quadcopter import GRAVITY, at_rest, next_state
from usv_energy.gazebo.quadcopter_model import rotor_places

STEP = 0.004


def rotation(turn):
    w, x, y, z = turn
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def allocation(craft):
    """Return the matrix from thrusts to torques and their sum, of the places that the model has."""
    return np.array([[one.y, -one.x, (-1.0 if one.counter_clockwise else 1.0) * craft.torque, 1.0]
                     for one in rotor_places(craft)]).T


class VelocityControlled:
    """A quadcopter that follows a velocity in its body's axes, m/s, and a rate of turn, rad/s; on a deck until then."""

    def __init__(self, craft, place, yaw=0.0):
        self.craft, self.state = craft, at_rest(place, yaw)
        self.back = np.linalg.inv(allocation(craft))

    def thrusts(self, command, rate):
        """Return the thrusts that the controller asks for."""
        craft, gains = self.craft, GAINS
        turn, inertia = rotation(self.state.turn), np.diag(craft.inertia)
        error = np.array(self.state.velocity) - turn @ np.array(command)
        most = np.array([GRAVITY * math.tan(gains.most_tilt)] * 2 + [0.8 * GRAVITY])
        down = np.clip(gains.braking * error, -most, most) + np.array([0.0, 0.0, -GRAVITY])
        up = -down / np.linalg.norm(down)
        port = np.cross(up, turn[:, 0])
        port /= np.linalg.norm(port)
        wanted = np.column_stack((np.cross(port, up), port, up))
        skew = 0.5 * (wanted.T @ turn - turn.T @ wanted)
        angle = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
        rates = np.array(self.state.rates) - turn.T @ wanted @ np.array([0.0, 0.0, rate])
        stiff = np.array([gains.frequency ** 2] * 2 + [gains.yaw_frequency ** 2])
        damp = np.array([2.0 * gains.damping * gains.frequency] * 2 + [2.0 * gains.yaw_frequency])
        torque = inertia @ (-stiff * angle - damp * rates)
        thrust = -craft.mass * float(down @ turn[:, 2])
        return tuple(np.maximum(self.back @ [*torque, thrust], 0.0))

    def go_on(self, command, rate, steps, wind=(0.0, 0.0, 0.0), floor=lambda: -math.inf):
        """Make steps; `command` None: its rotors stand. The floor carries what the thrust does not."""
        for _ in range(steps):
            wanted = (0.0,) * 4 if command is None else self.thrusts(command, rate)
            self.state = next_state(self.craft, self.state, wanted, STEP, wind)
            low = floor()
            if self.state.place[2] <= low:
                x, y, _ = self.state.place
                vx, vy, vz = self.state.velocity
                self.state = self.state._replace(place=(x, y, low), velocity=(vx, vy, max(vz, 0.0)))
