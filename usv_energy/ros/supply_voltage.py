"""The voltage that a boat's thrusters get on a live graph: by a BatteryState, for those with curves by voltage."""

import math
from collections import deque
from contextlib import ExitStack
from dataclasses import replace

from sensor_msgs.msg import BatteryState

from ..boats.boat_file import Boat
from ..thrusters.voltage_curves import curves_of, vessel_at_voltage
from . import convert
from .lifecycle import ManagedNode
from .parameters import Text
from .qos import SENSOR

SIMULATED_BATTERY = 'simulated_battery'
SUPPLY_BATTERY = Text('supply_battery', SIMULATED_BATTERY, 'Topic of the sensor_msgs/BatteryState whose voltage the '
                      'thrusters of the library get, such as /mavros/battery; empty: that of the boat file.')
KEPT = 50  # Messages: the state of a stamp may come after the voltages of later ones.


class SupplyVoltage:
    """
    Hears a battery, and says what the boat is at its voltage.

    The voltage of a stamp is the last one heard that is not later; until one is heard, that of the boat file. A boat
    without curves by voltage hears nothing, and stays as it is.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Subscribe until undone; nothing is heard yet."""
        self._boat, self._curves = boat, curves_of(boat)
        self._heard: deque[tuple[int, float]] = deque(maxlen=KEPT)
        topic = node.parameters.text(SUPPLY_BATTERY.name)
        if topic and any(curve is not None for curve in self._curves):
            node.listen(undo, BatteryState, topic, self._on_battery, SENSOR)

    def boat_at(self, stamp: int) -> Boat:
        """Return the boat at the voltage of a stamp, ns."""
        voltage = next((volts for at, volts in reversed(self._heard) if at <= stamp), None)
        if voltage is None:
            return self._boat
        return replace(self._boat, vessel=vessel_at_voltage(self._boat.vessel, voltage, 1.0, self._curves))

    def _on_battery(self, msg: BatteryState) -> None:
        stamp = convert.nanoseconds(msg.header.stamp)
        if not (math.isfinite(msg.voltage) and msg.voltage > 0.0):
            return
        if self._heard and stamp < self._heard[-1][0]:  # The clock jumped back.
            self._heard.clear()
        self._heard.append((stamp, float(msg.voltage)))
