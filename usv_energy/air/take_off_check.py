"""What level flight takes in wind, and whether a quadcopter would come back."""

import math
from typing import NamedTuple

from usv_energy.air.flight_battery import energy_to_use
from usv_energy.air.quadcopter import GRAVITY, Quadcopter, at_rest, rotors_power
from usv_energy.physics.batteries.battery import JOULES_PER_WH


class LevelFlight(NamedTuple):
    """Steady flight: speed over ground, m/s; tilt, rad; power, W; energy per metre over ground, J/m."""

    speed: float
    tilt: float
    power: float
    energy_per_meter: float


def level_flight(craft: Quadcopter, speed: float, tail_wind: float = 0.0) -> LevelFlight:
    """
    Return what flying straight and level takes: thrust balances weight and the drag of the air.

    :param speed: Over ground, m/s, above 0.
    :param tail_wind: m/s along the way; below 0 against it.
    """
    drag, weight = craft.drag * (speed - tail_wind), craft.mass * GRAVITY
    tilt = math.atan2(drag, weight)
    state = at_rest((0.0, 0.0, 100.0), thrust=0.25 * math.hypot(drag, weight))._replace(
        velocity=(speed, 0.0, 0.0), turn=(math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0))
    power = rotors_power(craft, state, (tail_wind, 0.0, 0.0))
    return LevelFlight(speed, tilt, power, power / speed)


LANDING_TIME = 25.0     # s that approach and landing take at most, for what must be in the battery.
HARDER = 1.15           # Times the power of hovering in still air, for the same.


def shortfall(craft: Quadcopter, share: float, hover: float, reserve: float) -> str:
    """
    Say why a flight would not come back; empty: it would.

    :param share: Of the charge in its battery, (-).
    :param hover: How long it flies before it lands, s.
    :param reserve: Share of the full charge that is kept, (-).
    """
    power = HARDER * craft.hover_power
    needed, there = power * (hover + LANDING_TIME), energy_to_use(craft, share, power, reserve)
    if there >= needed:
        return ''
    whose = (f'has {share * craft.battery / JOULES_PER_WH:.2f} Wh, of which a reserve of '
             f'{reserve * craft.battery / JOULES_PER_WH:.2f} Wh is kept' if craft.pack is None else
             f"has cells at {100.0 * share:.0f} %, which give {there / JOULES_PER_WH:.2f} Wh at {power:.0f} W before "
             f'their cutoff or the reserve of {100.0 * reserve:.0f} %')
    return (f'{hover:g} s in the air and the landing need {needed / JOULES_PER_WH:.2f} Wh; {craft.name} {whose}: it '
            'would not come back; land earlier, or charge')
