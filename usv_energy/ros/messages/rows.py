"""The rows of a run's table from its messages: those of one stamp make one row."""

import math
from typing import Any

from sensor_msgs.msg import BatteryState

from usv_energy.boats.cell_file import KELVIN
from usv_energy.physics.motion import Motion
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState, EnergyStamped, HomeMargin, PowerStamped, ThrusterPower
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import CellsSample, HomeSample

MAX_STAMPS = 2 * STREAM.depth  # More than one topic can lag behind another.


class RowJoin:
    """
    Joins boat states, powers, energies and, with a simulator, thruster powers to rows.

    A row is complete when all of its messages have arrived, however far one topic lags behind another. Each topic
    arrives in order. So once a row is complete, messages that earlier rows still lack are lost, and become NaN. If no
    row gets complete, the oldest one is returned incomplete as soon as there are MAX_STAMPS later ones. `last` is the
    stamp of the last returned row, ns; `epoch` converts stamps to the rows' times.
    """

    def __init__(self, with_thrusters: bool) -> None:
        """Start empty; `with_thrusters`: whether rows have thruster powers."""
        self._wanted = {BoatState, PowerStamped, EnergyStamped, *({ThrusterPower} if with_thrusters else ())}
        self._parts: dict[int, dict[type, Any]] = {}
        self.epoch = convert.Epoch()
        self.last = -1

    def add(self, msg: Any) -> list[tuple[int, Row]]:
        """Add a message; return the rows that it completes, each with its stamp, ns."""
        stamp = convert.nanoseconds(msg.header.stamp)
        if stamp == self.last:
            return []
        self._parts.setdefault(stamp, {})[type(msg)] = msg
        done = []
        if self._wanted <= self._parts[stamp].keys():
            stamps = list(self._parts)
            done = stamps[:stamps.index(stamp) + 1]
        elif len(self._parts) > MAX_STAMPS:
            done = [next(iter(self._parts))]
        return [row for stamp in done for row in self._row(stamp)]

    def rest(self) -> list[tuple[int, Row]]:
        """Return the incomplete rows that have a power; for the end of a run."""
        return [row for stamp in list(self._parts) for row in self._row(stamp)]

    def _row(self, stamp: int) -> list[tuple[int, Row]]:
        parts = self._parts.pop(stamp)
        power: PowerStamped | None = parts.get(PowerStamped)
        if power is None:
            return []
        self.last = stamp
        state: BoatState | None = parts.get(BoatState)
        energy: EnergyStamped | None = parts.get(EnergyStamped)
        work: ThrusterPower | None = parts.get(ThrusterPower)
        u, v, r = convert.planar_velocity(power.velocity)
        motion = (convert.motion_from_msg(state) if state is not None
                  else Motion(math.nan, u, v, r, math.nan, math.nan, math.nan))
        x, y = (state.pose.position.x, state.pose.position.y) if state is not None else (math.nan, math.nan)
        return [(stamp, Row(
            self.epoch.seconds(power.header.stamp), x, y, motion, convert.flow_from_msg(power),
            convert.power_from_msg(power), energy.total if energy is not None else math.nan,
            work.power if work is not None else math.nan, work.energy if work is not None else math.nan,
            int(power.status), tuple(power.load_powers)))]


def cells_from_msg(msg: BatteryState, time: float) -> CellsSample:
    """Return the row of a simulated battery's BatteryState at a time of the run, s."""
    return CellsSample(time, msg.voltage, -msg.current, msg.percentage, msg.temperature + KELVIN)


def home_from_msg(msg: HomeMargin, time: float) -> HomeSample:
    """Return the row of a HomeMargin at a time of the run, s."""
    return HomeSample(time, *(getattr(msg, name) for name in HomeSample._fields[1:]))
