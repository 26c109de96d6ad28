"""From the messages of a run to its rows: what belongs to one stamp, put together in the order of the stamps."""

import math
from typing import Any

from sensor_msgs.msg import BatteryState

from usv_energy.boats.cell_file import KELVIN
from usv_energy.physics.motion import Motion
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState, EnergyStamped, HomeMargin, PowerStamped, ThrusterPower
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import CellsSaid, HomeSaid

PATIENCE = 2 * STREAM.depth  # More than any of the topics can lag behind another.


class RowJoin:
    """
    Collects boat states, powers, energies and (where there is a simulator) thruster powers into rows.

    A row is complete when all of its parts were heard, however far one topic lags behind another. Each topic is heard
    in order: once a row is complete, what an earlier one still lacks is lost, and a part without a message is NaN in
    its row. Where no row gets complete, a power is given up once PATIENCE later stamps are there. `last` is the stamp,
    ns, of the last row given, `epoch` turns stamps into the rows' times.
    """

    def __init__(self, with_thrusters: bool) -> None:
        """Start empty; `with_thrusters`: whether rows wait for thruster powers."""
        self._wanted = {BoatState, PowerStamped, EnergyStamped, *({ThrusterPower} if with_thrusters else ())}
        self._parts: dict[int, dict[type, Any]] = {}
        self.epoch = convert.Epoch()
        self.last = -1

    def add(self, msg: Any) -> list[tuple[int, Row]]:
        """Take a message; return the rows that it completes, each with its stamp, ns."""
        stamp = convert.nanoseconds(msg.header.stamp)
        if stamp == self.last:
            return []
        self._parts.setdefault(stamp, {})[type(msg)] = msg
        done = []
        if self._wanted <= self._parts[stamp].keys():
            stamps = list(self._parts)
            done = stamps[:stamps.index(stamp) + 1]
        elif len(self._parts) > PATIENCE:
            done = [next(iter(self._parts))]
        return [row for stamp in done for row in self._row(stamp)]

    def rest(self) -> list[tuple[int, Row]]:
        """Return the rows of the stamps that have a power but not all else, at the end of a run."""
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


def cells_said(msg: BatteryState, time: float) -> CellsSaid:
    """Return the row of a simulated battery's BatteryState at a time of the run, s."""
    return CellsSaid(time, msg.voltage, -msg.current, msg.percentage, msg.temperature + KELVIN)


def home_said(msg: HomeMargin, time: float) -> HomeSaid:
    """Return the row of a HomeMargin at a time of the run, s."""
    return HomeSaid(time, *(getattr(msg, name) for name in HomeSaid._fields[1:]))
