"""What an autopilot is told of a simulated boat: all six of its motion, also between the steps of the plant."""

import math

from ...physics.frames import wrap_angle
from ...physics.parted_hull import Turn, vector_to_body, vector_to_earth
from ..hull_attitude import HullAttitude, hull_attitude
from ..plant import Plant
from .sitl_frames import BoatMotion

Vector = tuple[float, float, float]


class ToldMotion:
    """
    The motion of a Plant for an autopilot whose frames need not come with the plant's steps.

    Acceleration is the mean since the last look, so that its integral is the velocity that is told. Between steps the
    boat goes on with it: place, velocity and attitude are off by less than what it changes within a step.
    """

    def __init__(self, plant: Plant) -> None:
        """Begin with a plant at rest."""
        self._plant = plant
        self._time, self._acceleration = plant.time, (0.0, 0.0, 0.0)
        self._now = attitude_of(plant)
        self._velocity = _earth_velocity(self._now)

    def look(self) -> None:
        """Take note of the plant after a step, or some."""
        self._now = attitude_of(self._plant)
        velocity, passed = _earth_velocity(self._now), self._plant.time - self._time
        if passed > 0.0:
            x, y, z = ((new - old) / passed for new, old in zip(velocity, self._velocity))
            self._acceleration = x, y, z
        self._time, self._velocity = self._plant.time, velocity

    def motion(self, later: float, power: float, voltage: float) -> BoatMotion:
        """
        Return what the boat does.

        :param later: Than the plant, s; less than a step of it.
        :param power: That the boat draws, W; NaN where unknown.
        :param voltage: Of its battery, V; NaN likewise.
        """
        at = self._now
        x, y, z = (place + later * (speed + 0.5 * later * rate) for place, speed, rate in
                   zip((at.x, at.y, at.z), self._velocity, self._acceleration))
        u, v, w = (speed + later * rate for speed, rate in zip(self._velocity, self._acceleration))
        roll, pitch, yaw = _turned(at, later)
        turn = _turn(roll, pitch, yaw)
        return BoatMotion(self._time + later, (x, y, z), (roll, pitch, yaw), vector_to_body(u, v, w, turn),
                          (at.p, at.q, at.r), vector_to_body(*self._acceleration, turn), power, voltage)


def attitude_of(plant: Plant) -> HullAttitude:
    """Return the HullAttitude of a Plant; one that moves in the plane lies level in it."""
    found = hull_attitude(plant)
    if found is not None:
        return found
    (u, v, r), state = plant.velocity_over_ground(), plant.state
    return HullAttitude(state.x, state.y, 0.0, 0.0, 0.0, float(wrap_angle(state.yaw)), u, v, 0.0, 0.0, 0.0, r)


def _earth_velocity(at: HullAttitude) -> Vector:
    found: Vector = vector_to_earth(at.u, at.v, at.w, _turn(at.roll, at.pitch, at.yaw))
    return found


def _turn(roll: float, pitch: float, yaw: float) -> Turn:
    return Turn(math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw))


def _turned(at: HullAttitude, later: float) -> Vector:
    """Return roll, pitch and yaw some time later, rad; Fossen (2011), (2.28)."""
    s, c = math.sin(at.roll), math.cos(at.roll)
    turning = (at.q * s + at.r * c) / math.cos(at.pitch)
    return (at.roll + later * (at.p + turning * math.sin(at.pitch)), at.pitch + later * (at.q * c - at.r * s),
            at.yaw + later * turning)
