"""A vehicle that follows a track from a file, such as an AUV with depth beside a simulated boat."""

import math
from contextlib import ExitStack
from pathlib import Path

from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Text
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.sim.acoustics.acoustic_run import VehicleTrack, read_track

HALF_STEP = 1e-3  # s, of the central difference for velocities.


def _track(name: str) -> VehicleTrack:
    if not name:
        raise InputError('parameter track is empty; must be the path of a table with t_s, x_m, y_m, z_m')
    return read_track(Path(user_path(name)))


class TrackPlayer(ManagedNode):
    """
    Publish the odometry of a track at each stamp of another vehicle's odometry, `clock_odom`.

    Its velocity is that of the track, its heading is the course over ground. docs/acoustics.md.
    """

    declared = (
        Text('track', '', 'Path of a table with the columns t_s, x_m, y_m, z_m (ENU; below 0 under water).'),
        Text('frame_id', 'odom', 'Earth frame (ENU) of the track.'),
        Text('child_frame_id', 'base_link', 'Body frame (FLU) of the vehicle.'),
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the track."""
        self._track = _track(self.parameters.text('track'))
        self._frame, self._child = self.parameters.text('frame_id'), self.parameters.text('child_frame_id')
        self._odom = self.advertise(undo, Odometry, 'odom')

    def activate(self, undo: ExitStack) -> None:
        """Subscribe to the other vehicle's odometry."""
        self._yaw = 0.0
        self.listen(undo, Odometry, 'clock_odom', self._on_odometry, STREAM)

    def log_summary(self) -> str:
        """Return when the track begins and ends."""
        return (f'track of {len(self._track.time)} places, {self._track.time[0]:g} to {self._track.time[-1]:g} s, by '
                f'the time of {self.resolve_topic_name("clock_odom")}')

    def _on_odometry(self, msg: Odometry) -> None:
        time = convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS
        x, y, z = self._track.at(time)
        vx, vy, vz = ((b - a) / (2.0 * HALF_STEP)
                      for a, b in zip(self._track.at(time - HALF_STEP), self._track.at(time + HALF_STEP)))
        speed = math.hypot(vx, vy)
        self._yaw = math.atan2(vy, vx) if speed > 0.0 else self._yaw
        own = convert.odometry_to_msg((x, y, self._yaw), (speed, 0.0, 0.0),
                                      Header(stamp=msg.header.stamp, frame_id=self._frame), self._child)
        own.pose.pose.position.z, own.twist.twist.linear.z = z, vz
        self._odom.publish(own)


if __name__ == '__main__':
    TrackPlayer.main()
