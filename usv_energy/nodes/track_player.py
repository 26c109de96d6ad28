"""A vehicle that goes along a track from a file: an AUV on its path with depth, beside a boat that is simulated."""

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

NEAR = 1e-3  # s, over which velocities are taken.


def _track(name: str) -> VehicleTrack:
    if not name:
        raise InputError('parameter track is empty; must be the path of a table with t_s, x_m, y_m, z_m')
    return read_track(Path(user_path(name)))


class TrackPlayer(ManagedNode):
    """
    Publish `odom` of the track at each stamp of the odometry of another vehicle, `clock_odom`: time is that one's.

    Its velocity is that of the track, its heading that of its way over ground. docs/acoustics.md.
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
        """Follow the other vehicle's time."""
        self._yaw = 0.0
        self.listen(undo, Odometry, 'clock_odom', self._on_odometry, STREAM)

    def working_with(self) -> str:
        """Return when the track begins and ends."""
        return (f'track of {len(self._track.time)} places, {self._track.time[0]:g} to {self._track.time[-1]:g} s, by '
                f'the time of {self.resolve_topic_name("clock_odom")}')

    def _on_odometry(self, msg: Odometry) -> None:
        time = convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS
        x, y, z = self._track.at(time)
        vx, vy, vz = ((b - a) / (2.0 * NEAR)
                      for a, b in zip(self._track.at(time - NEAR), self._track.at(time + NEAR)))
        speed = math.hypot(vx, vy)
        self._yaw = math.atan2(vy, vx) if speed > 0.0 else self._yaw
        own = convert.odometry_to_msg((x, y, self._yaw), (speed, 0.0, 0.0),
                                      Header(stamp=msg.header.stamp, frame_id=self._frame), self._child)
        own.pose.pose.position.z, own.twist.twist.linear.z = z, vz
        self._odom.publish(own)


main = TrackPlayer.main

if __name__ == '__main__':
    main()
