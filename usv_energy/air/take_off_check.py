"""Whether a quadcopter would come back: what a flight needs, and what its battery gives at that power."""

from ..physics.battery import JOULES_PER_WH
from .flight_battery import energy_to_use
from .quadcopter import Quadcopter

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
