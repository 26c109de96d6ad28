"""What a battery of cells gives at several currents, warm and at freezing: curves of its voltage until the cutoff."""

from typing import NamedTuple

from ..boats.boat_file import Boat
from ..physics.cell import rested
from ..physics.cell_discharge import Discharge, discharge

HOURS = 10.0, 5.0, 2.0, 1.0, 0.5   # In which the current would take the nominal charge.
FREEZING = 273.15                  # K


class BatteryCurve(NamedTuple):
    """A discharge at a constant current, A, in surroundings at a temperature, K, from full; `course`: its course."""

    current: float
    ambient: float
    course: Discharge

    @property
    def charge(self) -> float:
        """Charge that it gives, C."""
        return self.current * float(self.course.time[-1])


def battery_curves(boat: Boat) -> tuple[BatteryCurve, ...]:
    """Return the discharges of a boat's battery, warm ones first; none of one without cells."""
    pack, found = boat.pack, []
    if pack is None or boat.battery is None:
        return ()
    nominal = boat.battery.capacity_wh / boat.battery.nominal_voltage
    for ambient in (pack.cell.reference_temperature, FREEZING):
        for hours in HOURS:
            current = nominal / hours
            if current <= pack.cell.most_current * pack.parallel:
                found.append(BatteryCurve(current, ambient, discharge(rested(1.0, ambient), ambient, pack,
                                                                      current=current)))
    return tuple(found)
